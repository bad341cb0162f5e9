"""Bad input: one line on standard error, the right status, no traceback, nothing written."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import exporters
from exporters.builder.manifest import load_manifest
from exporters.registry import load_options
from generator import generate, load_level
from generator.cli import main
from generator.errors import LayoutError, UndercroftError, shown
from generator.files import parsed_json
from generator.kinds import shipped_kit
from generator.kinds.kit_problems import kit_problems
from generator.serialise import dumps
from generator.spec import load_spec
from generator.styles.gungeon.flows.library import load_flow
from generator.things import called
from tests.engines import HANG
from tests.folders import entries
from tests.hostile import shapes, toml

READERS: dict[str, Callable[[Path], object]] = {
    "theme": exporters.load_theme,
    "build": load_manifest,
    "spec": load_spec,
    "options": lambda path: load_options(path, ["png"]),
    "level": load_level,
    "layout": lambda path: parsed_json(path.read_bytes(), str(path), LayoutError),
}


def undercroft(*args: str | bytes | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", *args],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        check=False,
        timeout=HANG,
    )


def refused(*args: str | bytes | Path, cwd: Path, status: int = 2) -> str:
    """The one line of a command that must fail, and must leave the folder as it was.

    Only a process of its own can be given bytes that are not UTF-8.
    """
    before = sorted(cwd.rglob("*"))
    words = [os.fsdecode(each) for each in args]
    if all(word.isprintable() for word in words):
        with contextlib.chdir(cwd):
            ran = CliRunner().invoke(main, words)
        returned, out, said = ran.exit_code, ran.stdout_bytes, ran.stderr
        assert isinstance(ran.exception, SystemExit), ran.exception
    else:
        done = undercroft(*args, cwd=cwd)
        returned, out, said = done.returncode, done.stdout, done.stderr.decode("utf-8", "backslashreplace")
    assert (returned, out) == (status, b""), said
    assert said.startswith("undercroft: ") and said.count("\n") == 1 and said.endswith("\n"), said
    assert "Traceback" not in said and len(said) < 600
    assert sorted(cwd.rglob("*")) == before
    return said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"a=" + b"[" * 3000 + b"]" * 3000, "lists or tables are nested too deeply; use fewer levels"),
        (b"a=" + b"9" * 6000, "a number has thousands of digits; write a smaller one"),
        (b"a\xcd", "is not UTF-8 at byte 1; save it as UTF-8"),
    ],
)
@pytest.mark.parametrize("form", ["TOML", "JSON"])
def test_a_parsers_error_is_reported_in_plain_words(
    text: bytes, says: str, form: str, tmp_path: Path
) -> None:
    at = tmp_path / f"x.{form.lower()}"
    at.write_bytes(text.replace(b"a=", b"") if form == "JSON" else text)
    readers = ["theme", "build", "spec", "options"] if form == "TOML" else ["level", "layout"]
    for reader in readers:
        with pytest.raises(UndercroftError) as caught:
            READERS[reader](at)
        assert str(caught.value) == f"{at}: {says}", reader


def changed(tree: Any) -> Iterator[Any]:
    """Copies of a table with one place overwritten, left out or misspelt, each in two of six ways in turn."""
    for number, (*above, key) in enumerate(shapes(tree)):
        for odd in (-1, "no such", DELETED, [], {}, MISSPELT)[number % 3 :: 3]:
            made = copy.deepcopy(tree)
            holder = made
            for each in above:
                holder = holder[each]
            if odd in (DELETED, MISSPELT) and isinstance(key, str):
                value = holder.pop(key)
                holder |= {f"{key}x": value} if odd == MISSPELT else {}
            else:
                holder[key] = odd
            yield made


DELETED, MISSPELT = "deleted", "misspelt"
FLOW = {
    "flow": {"name": "f"},
    "room": [{"id": "a", "kind": "start", "tags": ["hub"]}, {"id": "b", "kind": "boss", "zone": "z"}],
    "connection": [{"path": ["a", "b"], "one_way": True}],
    "zone": {"z": {"floor": "shop"}},
}
KIT = {
    "name": "k",
    "room": {"garden": {"glyph": ";", "color": "#7bd389", "markers": {"chest": "0..1"}}},
    "enemy": {"slug": {"cost": 2, "roles": ["walker"]}},
    "state": {"courage": {"range": [0, 9], "default": 3, "help": "x"}},
}
MANIFEST = {
    "out": "levels",
    "group": {"g": {"spec": "isaac", "seeds": [1], "set": {"stage": 2, "state": {"coins": 3}}, "options": {"png": {"scale": 2}}}},
    "campaign": {"c": {"seed": 3, "spec": "isaac", "stages": [{"name": "s"}]}},
}  # fmt: skip
SPEC = {"style": "isaac", "stage": 1, "room_size": [15, 9], "state": {"keys": 1}, "memory": {"place": 2, "bosses": []}}  # fmt: skip


def small_level() -> dict[str, Any]:
    level: dict[str, Any] = json.loads(dumps(generate("gungeon", 7, rooms=2)))
    return level


def problems_of(kind: str, table: Any, folder: Path) -> list[str]:
    """What is told of a file that has a table, by what reads it."""
    name = {"manifest": "undercroft.toml", "kit": "kit.toml", "level": "a.level.json"}.get(kind, "a.toml")
    (folder / name).write_text(json.dumps(table) if kind == "level" else toml(table), "utf-8")
    reader = {
        "flow": lambda path: load_flow(str(path), shipped_kit()),
        "options": lambda path: load_options(path, ["png", "tiled"]),
    }
    try:
        if kind == "kit":
            return kit_problems(folder)
        (READERS | reader)["build" if kind == "manifest" else kind](folder / name)
    except UndercroftError as error:
        return [str(error)]
    return []


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        ("level", None),
        ("manifest", MANIFEST),
        ("spec", SPEC),
        ("flow", FLOW),
        ("kit", KIT),
        ("options", {"png": {"scale": 2, "markers": True}, "tiled": {"encoding": "csv"}}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_message_names_its_file_and_a_remedy(kind: str, table: Any, tmp_path: Path) -> None:
    """Whatever is wrong in one place: `FILE: KEY: what is wrong; remedy`, or the range, or what was meant."""
    told = 0
    for made in changed(small_level() if table is None else table):
        for message in problems_of(kind, made, tmp_path):
            told += 1
            assert message.startswith(str(tmp_path)), message
            assert REMEDY.search(message), message
    assert told > 10 or kind == "options"


REMEDY = re.compile(r"; |\?$| \([^()]* to [^()]*\)$|: cannot be read: ")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("stage=" + "9" * 5000, "stage: "),
        ("stage=" + "[" * 5000, "stage: "),
        ("stage.x=1", "stage.x: unknown key"),
        ("state=5", "state: 5 is not a table"),
        ("style=3", "style: 3 is not of type string"),
        ("stage=1\nhard=true", "stage: "),
        ("layouts=\udcff", "layouts: "),
        ("layouts=/proc/1/task", "layouts: "),
        ("rooms=99999999999999999999", "rooms: 99999999999999999999 is out of range"),
        ("room_size=[9999, 9999]", "room_size: 9999 is out of range (9 to 63, odd)"),
        ("=", "'=' is not KEY=VALUE"),
    ],
    ids=lambda text: ascii(text)[:24],
)
def test_values(value: str, says: str, tmp_path: Path) -> None:
    raw = value.encode("utf-8", "surrogateescape")
    assert says in refused("generate", "isaac", "--set", raw, "--to", "json", cwd=tmp_path)


@pytest.mark.parametrize("seed", ["", " ", "-5", "18446744073709551616", "\t", "x" * 257, "9" * 256])
def test_seeds(seed: str, tmp_path: Path) -> None:
    assert "seed: " in refused("generate", "isaac", "--seed", seed, "--to", "json", cwd=tmp_path)


@pytest.mark.parametrize("seed", ["--5", "-", "+5", "0x10", "1e3", "٣", "½", "🗝", "a b", "-0"])
def test_odd_texts_are_seeds_all_the_same(seed: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main, ["generate", "isaac", f"--seed={seed}", "--to", "json", "--out", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    (path,) = entries(tmp_path)
    assert path.name.isascii()
    assert json.loads(path.read_bytes())["seed"] == str(generate("isaac", seed).seed)


def test_specs_that_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    assert "folder.toml: " in refused("generate", "folder.toml", cwd=tmp_path)
    assert "none.toml: " in refused("show", "none.toml", cwd=tmp_path)
    assert "is neither a preset nor a TOML file" in refused("show", "../isaac", cwd=tmp_path)
    assert "is neither a preset nor a TOML file" in refused("show", "x" * 5000, cwd=tmp_path)
    (tmp_path / "empty.json").touch()
    assert "empty.json: is empty; give another file\n" in refused("show", "empty.json", cwd=tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    for name in ("spec.toml", "level.json"):
        os.mkfifo(tmp_path / name)
    assert "spec.toml: " in refused("show", "spec.toml", cwd=tmp_path)
    assert "level.json: " in refused("show", "level.json", cwd=tmp_path)
    assert "level.json: " in refused("export", "level.json", "--out", "x", cwd=tmp_path)


def test_a_level_that_was_changed_by_hand(tmp_path: Path) -> None:
    (tmp_path / "x.level.json").write_bytes(dumps(generate("isaac", 7)).replace(b'"curse"', b'"boss"', 1))
    for args in (["show", "x.level.json"], ["export", "x.level.json", "--out", "out"]):
        assert "x.level.json" in refused(*args, cwd=tmp_path)


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", "utf-8")
    said = refused("generate", "isaac", "--to", "json", "--out", "file/below", cwd=tmp_path, status=1)
    assert "file/below" in said and "cannot be written" in said


def test_what_cannot_be_made_is_a_failure_and_not_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 20)
    done = CliRunner().invoke(main, ["generate", "isaac", "--set", "rooms=40", "--seed", "9"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("undercroft: seed 9: no floorplan after 20 tries: too few rooms grew")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_goes_away_gets_no_traceback(tmp_path: Path) -> None:
    """`undercroft show isaac | head -1`"""
    with subprocess.Popen(
        [sys.executable, "-m", "generator.cli", "show", "labyrinth"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("args", [["show", "isaac"], ["describe"], ["--help"], ["check", "-h"]])
def test_a_full_disk(args: list[str], tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "generator.cli", *args],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False, timeout=HANG,
        )  # fmt: skip
    said = b"undercroft: standard output: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
def test_a_closed_standard_output(tmp_path: Path) -> None:
    """What is printed cannot be; what is written to files is whole."""
    for args, status in (("show isaac", 1), ("generate isaac --quiet --to json", 0)):
        done = subprocess.run(
            ["sh", "-c", f'"$0" -m generator.cli {args} >&-', sys.executable],
            cwd=tmp_path, stderr=subprocess.PIPE, check=False, timeout=HANG,
        )  # fmt: skip
        said = b"undercroft: standard output: cannot be written: Bad file descriptor\n" if status else b""
        assert (done.returncode, done.stderr) == (status, said)
    assert (tmp_path / "isaac-0.level.json").read_bytes() == dumps(generate("isaac"))


@pytest.mark.skipif(os.name == "nt", reason="needs a limit of open files")
@pytest.mark.parametrize("most", [5, 6, 7, 8, 10])
def test_too_many_open_files(most: int, tmp_path: Path) -> None:
    """Workers need pipes. Standard output is not at fault."""
    done = subprocess.run(
        ["sh", "-c", f'ulimit -n {most}; exec "$0" -m generator.cli search isaac --where "rooms > 3" '
         "--seeds 0:300 --jobs 2", sys.executable],
        cwd=tmp_path, capture_output=True, check=False, timeout=HANG,
    )  # fmt: skip
    said = done.stderr.decode()
    assert done.returncode == 1 and said.startswith("undercroft: ") and said.count("\n") == 1, said
    assert said.endswith(": Too many open files\n") and "standard output" not in said


def test_a_read_only_file_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    path = tmp_path / "out"
    done = CliRunner().invoke(main, ["generate", "isaac", "--to", "json", "--out", str(path)])
    said = f"undercroft: {path / 'isaac-0.level.json'}: cannot be written: Read-only file system\n"
    assert (done.exit_code, done.output) == (1, said)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (
            OSError(errno.EMFILE, "Too many open files", "a\nb.toml"),
            r"a\nb.toml: cannot be used: Too many open files",
        ),
        (OSError(errno.ENOMEM, "Out of memory"), "the operating system refused to go on: Out of memory"),
    ],
    ids=str,
)
def test_the_operating_system_refuses(error: OSError, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is named where the system tells one; standard output is not at fault."""

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("generator.spec.load_spec", refuse)
    done = CliRunner().invoke(main, ["show", "isaac"])
    assert (done.exit_code, done.output) == (1, f"undercroft: {says}\n")


@pytest.mark.parametrize("stage", ["generator.pipeline.generate", "generator.cli.common.spec_with"])
def test_an_interrupt_gets_one_line(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stage, interrupt)
    done = CliRunner().invoke(main, ["show", "isaac"])
    assert (done.exit_code, done.output) == (130, "undercroft: interrupted\n")


def test_an_interrupt_while_the_program_starts(tmp_path: Path) -> None:
    code = (
        "import sys, types\n"
        "class Interrupted(dict):\n"
        "    def find_spec(name, *_):\n"
        "        if name == 'click': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted)\n"
        "from generator.cli import main"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=HANG)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_huge_values_are_not_spelled_out() -> None:
    class Last:
        def __repr__(self) -> str:
            raise AssertionError("looked at")

    for value in (
        [*range(100), Last()],
        {1: [[0] * 100, Last()]},
        {**dict.fromkeys(range(100)), "x": Last()},
    ):
        assert len(shown(value)) == 60 and shown(value).endswith("…")
    assert (
        shown([1, {"a\n": "Größe 大", "\u202e": "\ud800"}]) == r"[1, {'a\n': 'Größe 大', '\u202e': '\ud800'}]"
    )


CONTROL = "a\nb\x1b[31m\u202e"


@pytest.mark.parametrize(
    "args",
    [
        [CONTROL],
        ["generate", CONTROL],
        ["generate", f"{CONTROL}.toml"],
        ["generate", "isaac", f"--{CONTROL}"],
        ["generate", "isaac", "--set", f"{CONTROL}=1"],
        ["generate", "isaac", "--set", f"curse={CONTROL}"],
        ["generate", "isaac", "--set", CONTROL],
        ["generate", "isaac", "--seed", CONTROL],
        ["generate", "isaac", "--to", CONTROL],
        ["generate", "isaac", "--theme", f"{CONTROL}.toml"],
        ["generate", "isaac", "--option", f"{CONTROL}=1"],
        ["generate", "isaac", "--option", f"png.background={CONTROL}"],
        ["export", f"{CONTROL}.json", "--out", "out"],
        ["show", f"{CONTROL}.json"],
        ["describe", CONTROL],
        ["presets", CONTROL],
    ],
    ids=str,
)
def test_control_characters_are_reported_and_not_sent(args: list[str]) -> None:
    done = CliRunner().invoke(main, args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith("\n") and done.stderr[:-1].isprintable()
    assert r"a\nb\x1b[31m\u202e" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_control_characters_in_names_of_files(tmp_path: Path) -> None:
    for name in ("a\nb.level.json", "c\x1b.txt", "d\r.toml"):
        (tmp_path / name).write_text("style = {\nmap:\n", "utf-8")
    done = CliRunner().invoke(main, ["check", str(tmp_path)])
    assert done.exit_code == 1 and len(done.stdout.split("\n")) == 4
    assert all(line.isprintable() for line in done.stdout.split("\n"))


def test_facts_of_a_level_are_shown_escaped(tmp_path: Path) -> None:
    level = dataclasses.replace(generate("isaac", 7), facts={"\x1b[31m": "a\nb"})
    (tmp_path / "x.json").write_bytes(dumps(level))
    done = CliRunner().invoke(main, ["show", str(tmp_path / "x.json")])
    assert done.exit_code == 0 and r"\x1b[31m a\nb" in done.stdout


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    """Notepad writes one."""
    mark = b"\xef\xbb\xbf"
    themes = Path(exporters.__file__).parent / "themes"
    for image in themes.glob("*.png"):
        (tmp_path / image.name).write_bytes(image.read_bytes())
    (tmp_path / "theme.toml").write_bytes(mark + (themes / "undercroft.toml").read_bytes())
    (tmp_path / "spec.toml").write_bytes(mark + b"style = 'isaac'")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "layout.txt").write_bytes(
        mark + b"map:\n" + b"......W......\n".join([b".............\n" * 3] * 2)
    )
    (tmp_path / "level.json").write_bytes(mark + dumps(generate("isaac", 7)))
    done = CliRunner().invoke(main, ["check", str(tmp_path)])
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "undercroft: 4 files checked, no problems\n"


def test_a_terminal_without_utf_8(tmp_path: Path) -> None:
    done = undercroft("show", "isaac", "--seed", "ωmega", cwd=tmp_path, PYTHONIOENCODING="latin-1")
    assert done.returncode == 0 and done.stderr == b""
    assert rb"seed \u03c9mega" in done.stdout


def test_check_goes_on_after_a_bad_file(tmp_path: Path) -> None:
    """One line a problem, each with its file, and the good files in between without a word."""
    (tmp_path / "a.toml").write_text("style = 'isaac'\nstage = 99", "utf-8")
    (tmp_path / "b.json").write_bytes(dumps(generate("isaac", 7)))
    (tmp_path / "c.level.json").write_bytes(b"[" * 100_000)
    (tmp_path / "d.txt").write_bytes(b"\xff\x00\nmap:\n")
    (tmp_path / "e.json").mkdir()
    (tmp_path / "notes.md").write_text("ours", "utf-8")
    done = undercroft("check", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    assert [line.split(":")[0] for line in done.stdout.decode().splitlines()] == [
        "a.toml",
        "c.level.json",
        "d.txt",
    ]
    rows = undercroft("check", ".", "--json", cwd=tmp_path).stdout.splitlines()
    *told, end = map(json.loads, rows)
    assert [problem["file"] for problem in told] == ["a.toml", "c.level.json", "d.txt"]
    assert end == {"event": "done", "problems": 3}


def test_check_leaves_the_folders_of_other_programs_alone(tmp_path: Path) -> None:
    """But what is named is checked."""
    for folder in (".git", ".venv", "__pycache__", "node_modules", "levels/.undercroft", "levels"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "bad.toml").write_text("style = 'isaac'\nstage = 99", "utf-8")
    (tmp_path / ".tool.toml").write_text("[tool]", "utf-8")
    done = undercroft("check", ".", cwd=tmp_path)
    (line,) = done.stdout.decode().splitlines()
    assert line.startswith("levels/bad.toml: stage: ") and done.stderr == b""
    assert undercroft("check", ".venv", cwd=tmp_path).stdout.startswith(b".venv/bad.toml: stage: ")


def test_check_names_the_rule_that_a_level_breaks(tmp_path: Path) -> None:
    """A level that reads well and is none: its boss room stands beside the start."""
    from dataclasses import replace

    level = generate("isaac", 7)
    door = next(door for door in level.doors if 0 in door.rooms)
    (beside,) = {*door.rooms} - {0}
    rooms = tuple(replace(room, kind="boss") if room.id == beside else room for room in level.rooms)
    (tmp_path / "x.json").write_bytes(dumps(replace(level, rooms=rooms)))
    done = undercroft("check", "x.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    assert (
        f"x.json: {called(level, 'door', door.id)}: joins the start to a boss room [boss-is-far]"
        in done.stdout.decode()
    )


@pytest.mark.parametrize("command", ["generate", "export", "show", "check", "presets", "describe"])
def test_every_command_explains_itself_and_refuses_what_it_does_not_know(command: str) -> None:
    helped = CliRunner().invoke(main, [command, "-h"])
    assert helped.exit_code == 0 and helped.stderr == ""
    done = CliRunner().invoke(main, [command, "--no-such-option"])
    assert done.exit_code == 2 and "unknown option" in done.stderr and done.stdout == ""
    assert done.stderr.count("\n") == 1


def _plain_commands() -> Iterator[tuple[list[str], click.Command]]:
    """Each command that is no group, with the words that name it."""

    def below(words: list[str], command: click.Command) -> Iterator[tuple[list[str], click.Command]]:
        if not isinstance(command, click.Group):
            yield words, command
            return
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            found = command.get_command(ctx, name)
            assert found
            yield from below([*words, name], found)

    yield from below([], main)


@pytest.mark.parametrize(("words", "command"), list(_plain_commands()), ids=lambda each: " ".join(each) if isinstance(each, list) else "")  # fmt: skip
def test_an_empty_value_is_refused_everywhere(
    words: list[str], command: click.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unset variable of a shell must not stand for the current folder, nor for the default."""
    monkeypatch.chdir(tmp_path)
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    names = ["x"] * len(arguments)
    flags = [each for each in command.params if isinstance(each, click.Option) and not each.is_flag]
    tries = [[*names, flag.opts[0], *[""] * flag.nargs] for flag in flags] + ([[""]] if names else [])
    for given in tries:
        done = CliRunner().invoke(main, [*words, *given])
        assert (done.exit_code, done.stdout) == (2, ""), (given, done.exception)
        assert done.stderr.count("\n") == 1, (given, done.stderr)
        assert "; " in done.stderr and ("empty; " in done.stderr or "'' is not" in done.stderr), done.stderr
    extra = CliRunner().invoke(main, [*words, *names, ""])
    assert extra.exit_code == 2 and extra.stderr.count("\n") == 1
    assert any(
        each in extra.stderr for each in ("unexpected argument ''; ", ": is empty; ", ": is missing; ")
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ["search", "isaac", "--where", "rooms > 3", "--seeds", "0:2", "--resume", "{}"],
        ["stats", "isaac", "--seeds", "0:2", "--html", "{}.html"],
        ["stats", "isaac", "--seeds", "0:2", "--plot", "{}.png"],
        ["gallery", "isaac", "--seeds", "0:2", "--out", "{}.html"],
        ["run", "isaac", "--stages", "1:2", "--html", "{}.html"],
        ["pack", "isaac", "--seeds", "0:2", "--out", "{}.ucpack"],
        ["layouts", "show", "boss/colosseum", "--png", "{}.png"],
        ["reroll", "a.level.json", "--room", "1", "--out", "{}.json"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
@pytest.mark.parametrize("name", ["a\nb", "c\x1b"])
def test_a_name_of_a_file_to_write_has_no_control_characters(
    name: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.level.json").write_bytes(dumps(generate("isaac", 7)))
    done = CliRunner().invoke(main, [word.format(name) for word in words])
    assert (done.exit_code, done.stdout) == (2, ""), done.exception
    assert done.stderr.endswith("is not a name for a file; give another\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a.level.json"]


@pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")
def test_links_that_lead_in_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("loop", "loop.json"):
        (tmp_path / name).symlink_to(name)
    sheet = Path(exporters.__file__).parent / "themes" / "undercroft.png"
    (tmp_path / "sheet.png").write_bytes(sheet.read_bytes())
    (tmp_path / "a.toml").write_text("style = 'isaac'\nkit = 'loop'\nlayouts = 'loop'", "utf-8")
    assert CliRunner().invoke(main, ["generate", "isaac", "--to", "json", "--to", "tiled"]).exit_code == 0
    for words, status in (
        (["import", "isaac-0.tmj", "--out", "loop"], 1),
        (["import", "isaac-0.tmj", "--level", "loop.json", "--out", "o"], 2),
        (["reroll", "isaac-0.level.json", "--room", "1", "--out", "loop.json"], 1),
        (["reroll", "loop.json", "--room", "1"], 2),
        (["kit", "new", "loop"], 2),
        (["theme", "new", "sheet.png", "--tile-size", "16", "--out", "loop"], 2),
        (["check", "."], 1),
        (["check", "a.toml", "loop", "loop.json"], 2),
    ):
        done = CliRunner().invoke(main, words)
        assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
        assert (done.exit_code, bool(done.output)) == (status, True), (words, done.output)
