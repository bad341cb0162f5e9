"""What `--json` prints is what docs/json.md shows, and for all other commands json_stories.md beside this file."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from exporters import selftest
from generator.cli import main
from generator.cli.json_lines import error_facts
from generator.kinds import shipped_kit
from generator.styles.gungeon.flows.drawn import dot
from generator.styles.gungeon.flows.library import load_flow
from tests.test_versions import FILES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "json.md").read_text("utf-8")
STORIES = PAGE + (ROOT / "tests" / "json_stories.md").read_text("utf-8")
MORE = "…"  # the rest of a text or a list


def stories() -> Iterator[tuple[list[tuple[list[str], int]], list[Any]]]:
    """Commands with their exit statuses, and the objects that are shown for them."""
    for shell, shown in re.findall(r"```sh\n(.*?)```\n\n```json\n(.*?)```", STORIES, re.DOTALL):
        commands = []
        for line in shell.splitlines():
            words, _, note = line.partition("  #")
            status = re.search("exit status ([0-9])", note)
            commands.append((shlex.split(words)[1:], int(status[1]) if status else 0))
        yield commands, [json.loads(text) for text in re.split(r"\n(?=\{)", shown.strip())]


def names(
    group: click.Command, above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands below a group, by their words."""
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            assert found
            yield from names(found, (*above, name))
    else:
        yield above, group


def agrees(shown: Any, told: Any) -> bool:
    """Whether a value is as it is shown, which may leave out facts and what stands behind `…`."""
    if isinstance(shown, dict):
        return isinstance(told, dict) and all(
            key in told and agrees(value, told[key]) for key, value in shown.items()
        )
    if isinstance(shown, list) and shown[-1:] == [MORE]:
        return isinstance(told, list) and all(map(agrees, shown[:-1], told))
    if isinstance(shown, list):
        return isinstance(told, list) and len(shown) == len(told) and all(map(agrees, shown, told))
    if isinstance(shown, str) and shown.endswith(MORE):
        return isinstance(told, str) and told.startswith(shown.removesuffix(MORE))
    return bool(shown == told)


def serve(folder: Path, port: int, tell: Callable[[str], None]) -> None:
    """In place of the studio's server, which runs until Ctrl-C."""
    tell(f"http://127.0.0.1:{port}/?token=x")


def made_as_it_was_kept() -> Iterator[selftest.Remade]:
    """In place of the levels and files of the self-test, which has a test of its own."""
    kept = selftest.kept()
    yield from (selftest.Remade("levels", words, digest, 0) for words, digest in kept["levels"].items())
    files = [FILES, *[0] * (len(kept["exports"]) - 1)]
    for (words, digest), count in zip(kept["exports"].items(), files, strict=True):
        yield selftest.Remade("exports", words, digest, count)


def test_what_is_shown_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cellar.toml").write_text('style = "isaac"\nstage = 13\n', "utf-8")
    manifest = '[group.cellars]\nspec = "isaac"\nseeds = "0:1"\nformats = ["json"]\n'
    Path("undercroft.toml").write_text(manifest, "utf-8")
    Path("game").mkdir()
    Path("game/project.godot").write_text("config_version=5\n", "utf-8")
    Path("hub.dot").write_text(dot(load_flow("hub", shipped_kit())), "utf-8")
    monkeypatch.setattr("exporters.studio.serving.serve", serve)
    monkeypatch.setattr(selftest, "made", made_as_it_was_kept)
    for commands, shown in stories():
        for words, status in commands:
            done = CliRunner().invoke(main, [*words, *(["--jobs", "1"] if "--seeds" in words else [])])
            assert done.exit_code == status, f"{words}\n{done.output}"
            count = 0
            told = [json.loads(line) for line in done.stdout.splitlines()]
            assert told and all(next(iter(event)) == "event" for event in told), words
            assert all(
                {"files", "kept", "misfits", "edits"} <= {*event}
                for event in told
                if event["event"] == "written"
            )
            rest = iter(told)
            while shown and any(agrees(shown[0], event) for event in rest):
                shown.pop(0)
                count += 1
            assert count, (words, shown[:1], told)
        assert not shown


def test_every_command_has_json_and_is_shown() -> None:
    found = {" ".join(words) for commands, _ in stories() for words, _ in commands}
    for words, command in names(main):
        assert any("--json" in option.opts for option in command.params), words
        assert any(line.startswith(" ".join(words)) for line in found), words


def test_the_page_has_every_event() -> None:
    code = [path.read_text("utf-8") for path in sorted((ROOT / "generator" / "cli").rglob("*.py"))]
    events = {
        name for text in code for name in re.findall(r'(?:emit|line)\(\s*"([a-z_]+)"|event="([a-z_]+)"', text)
    }
    for event in {first or second for first, second in events}:
        assert f"`{event}`" in PAGE, event


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("a b.toml:3: state.coins: 5 is too many; give fewer", {"file": "a b.toml", "key": "state.coins"}),
        ("cellar.toml: cannot be read: No such file", {"file": "cellar.toml"}),
        ("--set: stage: 13 is out of range", {"option": "--set", "key": "stage"}),
        ("--where: column 3: cannot be read", {"option": "--where"}),
        ("No such option '--nope'. (Did you mean one of: '--name')", {}),
        ("interrupted", {}),
    ],
)
def test_an_error_names_its_parts(message: str, parts: dict[str, str]) -> None:
    assert error_facts(message, 2) == {"message": message, "status": 2, **parts}


def test_words_that_are_wrong_are_reported_as_json_too() -> None:
    done = CliRunner().invoke(main, ["generate", "isaac", "--nope", "--json"])
    told = json.loads(done.stdout)
    assert (told["event"], told["status"], done.exit_code) == ("error", 2, 2)
    assert done.stderr == f"undercroft: {told['message']}\n"
    assert CliRunner().invoke(main, ["generate", "--", "--json"]).stdout == ""  # a spec of that name
