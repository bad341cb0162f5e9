"""The help of every command: whole summaries, and examples that run."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from PIL import Image

import exporters
from generator.cli import main
from generator.cli.help_pages import examples_of
from tests.cases import for_each


def commands(group: click.Group = main, path: str = "undercroft") -> Iterator[tuple[str, click.Command]]:
    """Every command by its path, groups among them."""
    ctx = click.Context(group, info_name=path)
    yield path, group
    for name in group.list_commands(ctx):
        found = group.get_command(ctx, name)
        assert found
        if isinstance(found, click.Group):
            yield from commands(found, f"{path} {name}")
        else:
            yield f"{path} {name}", found


COMMANDS = dict(commands())
EXAMPLES = [line for path in COMMANDS for _, line in examples_of(path)]


def words_of(line: str) -> list[str]:
    """The arguments of an example, without what a shell does with its output."""
    return shlex.split(line.partition(" > ")[0].partition(" | ")[0])[1:]


@pytest.mark.parametrize("path", COMMANDS)
def test_help_has_examples_of_the_command(path: str) -> None:
    done = CliRunner().invoke(main, [*path.split()[1:], "--help"], prog_name="undercroft", terminal_width=80)
    assert done.exit_code == 0 and done.stdout.startswith(f"Usage: {path} ")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "...\n" not in done.stdout.partition("\n\n")[2]  # no summary is cut
    shown = done.stdout.partition("\nExamples:\n")[2]
    found = [line.strip() for line in shown.splitlines() if line.startswith("  undercroft")]
    assert found and found == [line for _, line in examples_of(path)]
    if not isinstance(COMMANDS[path], click.Group):
        assert all(line.startswith(path) or path in examples_of(path)[0][1] for line in found)


@for_each(line=dict.fromkeys(EXAMPLES))
def test_click_understands_each_example(line: str) -> None:
    ctx = main.make_context("undercroft", words_of(line))
    while isinstance(ctx.command, click.Group):
        rest = [*ctx._protected_args, *ctx.args]
        name, command, args = ctx.command.resolve_command(ctx, rest)
        assert command
        ctx = command.make_context(name, list(args), parent=ctx)


def test_the_short_options_are_those_of_the_page_in_all_commands() -> None:
    page = (Path(__file__).parents[3] / "docs" / "commands.md").read_text("utf-8")
    table = dict(re.findall(r"^\| `(-[a-z])(?: [A-Z]+)?` \| `(--[a-z-]+)", page, re.MULTILINE))
    letters = set()
    for path, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option):
                short = [flag for flag in option.opts if not flag.startswith("--")]
                assert short == [letter for letter, long in table.items() if long in option.opts], path
                letters.update(short)
    assert letters == {*table} and len(table) == 6


def test_help_of_a_command_is_its_help() -> None:
    def told(*words: str) -> str:
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0
        return done.stdout

    assert told("help") == told("help", "help") == told("--help")
    assert told("help", "layouts") == told("layouts", "--help")
    assert told("help", "layouts", "show") == told("layouts", "show", "--help")
    assert CliRunner().invoke(main, ["help", "genrate"]).exit_code == 2


# Their own tests run such lines; the studio serves until it is stopped.
SLOW = ("pack", "gallery", "build", "studio", "selftest")
STATUS_1 = (["theme", "check"], ["diff", "isaac"])  # what was begun is not complete; the two specs differ
FIRST = ("presets", "flow show", "layouts new", "layouts import", "theme new")  # others read what these write


def _what_they_start_from() -> None:
    Path("undercroft.toml").write_text('formats = ["json", "tiled", "godot"]\n')
    Path("plan.dot").write_text("digraph { start [kind=start]; boss [kind=boss]; start -> boss }")
    Path("levels").mkdir()
    Path("levels", "deep.toml").write_text('style = "isaac"\n')
    Path("game").mkdir()
    Path("game", "project.godot").write_text("config_version=5\n")
    shutil.copytree(Path(exporters.__file__).parent / "themes", "look")
    shutil.copy(Path(__file__).parents[3] / "docs" / "examples" / "drawn" / "crypt.tmj", "crypt.tmj")
    with Image.open("look/undercroft.png") as sheet:
        sheet.save("tiles.png")
    Path("tiles.tsx").write_text(
        '<tileset name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2"><image source="tiles.png"/></tileset>'
    )


def test_the_examples_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder with what they start from; what one writes, the next reads. Of many seeds, three are enough."""
    monkeypatch.chdir(tmp_path)
    _what_they_start_from()
    paths = [path.removeprefix("undercroft").strip() for path in COMMANDS]
    for path in (*FIRST, *(path for path in paths if path not in FIRST)):
        for _, line in examples_of(path):
            words = words_of(line)
            if words[0] in SLOW:
                continue
            if "--first" not in words:
                words = [re.sub(r"^0:\d+$", "0:3", word) for word in words]
            jobs = ["--jobs", "1"] if any(word.startswith("0:") for word in words) else []
            done = CliRunner().invoke(main, [*words, *jobs])
            wanted = 1 if words[:2] in STATUS_1 else 0
            assert done.exit_code == wanted, f"{line}\n{done.output}"
            if " > " in line:
                Path(line.rpartition(" > ")[2]).write_bytes(done.stdout_bytes)
