"""What holds for all commands: `--out`, its default and `-`; which stream says what, and with which status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from generator import generate
from generator.cli import main
from generator.serialise import dumps
from tests.folders import entries

OUTPUTS = ("--out", "--png", "--html", "--plot")


def _commands(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    ctx = click.Context(command)
    for name in command.list_commands(ctx):
        below = command.get_command(ctx, name)
        assert below
        yield from _commands(below, (*words, name))


COMMANDS = dict(_commands(main))
WITH_OUT = {
    name: next(each for each in command.params if "--out" in each.opts)
    for name, command in COMMANDS.items()
    if any("--out" in each.opts for each in command.params)
}
# What each command with `--out` prints for `-`, by how that begins. None: it writes several files, and refuses.
PRINTED = {
    "generate": ("isaac --to json", b"{\n"),
    "run": ("isaac --stages 1:3 --to json", b'{"format"'),
    "build": ("", None),
    "pack": ("isaac --seeds 1:2 --jobs 1", b"UCPACK"),
    "export": ("seven.level.json --to png", b"\x89PNG"),
    "gallery": ("seven.level.json", b"<!doctype html>"),
    "import": ("isaac-7.tmj", b"{\n"),
    "reroll": ("seven.level.json --room 5", b"{\n"),
    "layouts new": ("normal", None),
    "layouts import": ("isaac-7.tmj", None),
    "flow grow": ("hub --seeds 1:2", b"\x89PNG"),
    "theme new": ("isaac-7.tmj", None),
    "theme check": ("isaac-7.tmj", None),
    "schema": ("spec", b"{\n"),
}


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("seven.level.json").write_bytes(dumps(generate("isaac", 7)))


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


def test_out_is_never_required_and_tells_its_default() -> None:
    assert {*WITH_OUT} == {*PRINTED}
    for name, option in WITH_OUT.items():
        assert isinstance(option, click.Option) and option.help and not option.required, name
        assert "Default: " in option.help and not option.show_default, name
        assert ("- to print" in option.help) == (PRINTED[name][1] is not None), name


@pytest.mark.parametrize("name", PRINTED)
def test_a_dash_prints_the_one_file_and_nothing_else(name: str) -> None:
    words, begins = PRINTED[name]
    if name == "import":
        assert run("generate isaac --seed 7 --to tiled,json").exit_code == 0
    before = entries(Path())
    done = run(f"{name} {words} --out -")
    assert entries(Path()) == before
    if begins is None:
        assert (done.exit_code, done.stdout_bytes, done.stderr.count("\n")) == (2, b"", 1), done.stderr
        assert done.stderr.startswith(
            "undercroft: --out: - is standard output, and this writes several files"
        )
        return
    assert done.exit_code == 0 and done.stdout_bytes.startswith(begins), done.stderr
    assert all(line.startswith("undercroft: ") for line in done.stderr.splitlines() if "isaac-7" not in line)


@pytest.mark.parametrize(
    ("command", "begins"),
    [
        ("diff seven.level.json isaac --seed 8 --png -", b"\x89PNG"),
        ("layouts show boss/colosseum --png -", b"\x89PNG"),
        ("run isaac --stages 1:2 --html -", b"<!doctype html>"),
        ("stats isaac --seeds 0:3 --jobs 1 --fact rooms --html -", b"<!doctype html>"),
        ("stats isaac --seeds 0:3 --jobs 1 --fact rooms --plot -", b"\x89PNG"),
    ],
)
def test_other_files_are_printed_too(command: str, begins: bytes) -> None:
    done = run(command)
    assert done.stdout_bytes.lower().startswith(begins.lower()), done.stderr
    assert entries(Path()) == [Path("seven.level.json")]


def _printing(name: str) -> list[str]:
    """Return the options of a command for which `-` prints a file, in the order of its help."""
    flags = [flag for param in COMMANDS[name].params for flag in param.opts if flag in OUTPUTS]
    return [flag for flag in flags if flag != "--out" or PRINTED[name][1] is not None]


# Each pair of a command's options that would both print to standard output.
BOTH_PRINT = [
    (name, f"{option} -", f"{other} -" if other in OUTPUTS else other)
    for name, command in COMMANDS.items()
    for place, option in enumerate(_printing(name), 1)
    for other in (*_printing(name)[place:], "--csv", "--stats", "--json")
    if any(other in param.opts for param in command.params)
]


@pytest.mark.parametrize(("name", "option", "other"), BOTH_PRINT)
def test_two_documents_on_one_output_are_refused_before_any_work(
    name: str, option: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []
    monkeypatch.setattr(COMMANDS[name], "callback", lambda **_: worked.append(name))
    words = " ".join(["isaac"] * any(isinstance(each, click.Argument) for each in COMMANDS[name].params))
    done = run(f"{name} {words} {NEEDED.get(name, '')} {other} {option}")
    assert (done.exit_code, worked) == (2, []) and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"undercroft: {option.partition(' ')[0]}: - does not go with {other}, ")
    if other == "--json":
        (event,) = done.stdout.splitlines()
        assert json.loads(event)["option"] == option.partition(" ")[0]
    else:
        assert done.stdout == ""


def test_pairs_that_both_print_are_known() -> None:
    pairs = {(name, option.split()[0], other.split()[0]) for name, option, other in BOTH_PRINT}
    assert {("stats", "--html", "--csv"), ("stats", "--html", "--plot"), ("run", "--html", "--stats")} < pairs
    assert {(name, "--out", "--json") for name, (_, begins) in PRINTED.items() if begins} < pairs


@pytest.mark.parametrize(
    ("command", "work"),
    [
        ("stats isaac --seeds 0:3 --plot -", "generator.cli.runs.over_tasks"),
        ("pack isaac --seeds 0:3 --out -", "generator.cli.runs.over_blocks"),
        ("generate isaac --where rooms>9 --to png --out -", "generator.cli.runs.chosen"),
        ("flow grow hub --seeds 1:2 --out -", "generator.cli.flow._plan"),
        ("diff seven.level.json isaac --png -", "exporters.comparison.differences.compared"),
        ("layouts show boss/colosseum --png -", "exporters.layouts.sheet.sheet"),
    ],
)
def test_a_terminal_gets_nothing_but_text_and_no_work_is_done_for_it(
    command: str, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []
    monkeypatch.setattr(work, lambda *_, **__: worked.append(work))
    shown = "click.testing._NamedTextIOWrapper.isatty"
    monkeypatch.setattr(shown, lambda file: file.name == "<stdout>", raising=False)
    done = run(command)
    flag = command.split()[-2]
    assert (done.exit_code, done.stdout, worked) == (2, "", []) and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"undercroft: {flag}: ") and " is not text, which a terminal" in done.stderr


# The arguments for which - is standard input. FOLDER and DIR are written to, and others are names.
READ = {"SPEC", "MANIFEST", "LEVEL.json", "PATH...", "SPEC...|MANIFEST", "FILE|FIRST SECOND"}
READ |= {"SPEC|LEVEL.json|PACK.ucpack", "SPEC|LEVEL.json|FOLDER..."}
NAMES = {"[NAME]", "NAME", "KIND", "[ROW]", "[DIR]", "DIR", "FOLDER", "PROJECT", "PATH", "BASE OURS THEIRS"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_dash_that_is_not_read_is_refused_in_one_line(name: str) -> None:
    for param in COMMANDS[name].params:
        metavar = param.metavar or str(param.name).upper()
        if isinstance(param, click.Argument):
            words = f"{name} {'west ' * (metavar == 'B')}-" if metavar not in READ | NAMES else ""
        else:
            is_file = isinstance(param.type, click.Path) and param.opts[0] not in OUTPUTS
            words = f"{name} {param.opts[0]} -" if is_file else ""
        if not words:
            continue
        said = metavar.strip("[]") if isinstance(param, click.Argument) else param.opts[0]
        done, expected = run(words), f"undercroft: {said}: standard input, -, is not read here; "
        expected += "name a file or folder, such as ./-\n"
        assert (done.exit_code, done.stdout, done.stderr) == (2, "", expected), words
    assert entries(Path()) == [Path("seven.level.json")]


@pytest.mark.parametrize("name", COMMANDS)
def test_wrong_use_is_told_in_one_line_of_standard_error(name: str) -> None:
    done = run(f"{name} --no-such-option")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    *_, event = run(f"{name} --no-such-option --json").stdout.splitlines()
    assert json.loads(event) == {"event": "error", "message": done.stderr.strip()[12:], "status": 2}


def test_a_file_that_is_not_there_is_wrong_use_everywhere() -> None:
    """Every argument that is a file or names one; what a folder to write to is may be missing."""
    for name, command in COMMANDS.items():
        arguments = [each for each in command.params if isinstance(each, click.Argument)]
        if not arguments or name in WRITES_ITS_ARGUMENT:
            continue
        words = " ".join(["none.toml"] * (2 if name in ("kit diff", "diff") else 1))
        done = run(f"{name} {words} {NEEDED.get(name, '')}")
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), (name, done.stderr)


WRITES_ITS_ARGUMENT = ("init", "kit new", "addon install", "studio", "layouts new", "tiled install")
NEEDED = {
    "search": "--where rooms>0 --seeds 0:2",
    "flow export": "--to dot",
    "reroll": "--room 1",
    "merge-driver": "a b",
    **dict.fromkeys(["audit", "stats", "pack", "gallery", "layouts stats"], "--seeds 0:2"),
}
