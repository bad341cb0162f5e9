"""`-`: standard input in place of files, levels one a line, and readers that go away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import exporters
from generator import generate
from generator.cli import main, streams
from generator.level import Level
from generator.serialise import dumps, dumps_line
from tests.engines import HANG
from tests.folders import entries

LEVEL = generate("isaac", 7)
SPEC = 'style = "isaac"\nstage = 4\n'


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("seven.level.json").write_bytes(dumps(LEVEL))


def run(line: str, sent: str | bytes = b"") -> Result:
    return CliRunner().invoke(main, line.split(), input=sent)


def lines_of(*levels: Level) -> bytes:
    return b"".join(map(dumps_line, levels))


@pytest.mark.parametrize(
    "sent",
    [b"\xef\xbb\xbf" + dumps(LEVEL), dumps_line(LEVEL)],
    ids=["as in a file", "in a line"],
)
@pytest.mark.parametrize(
    "command",
    ["show", "check --again", "export --to png --out -", "diff", "diff labyrinth", "reroll --room 5 --out -"],
)
def test_a_level_on_standard_input_is_that_of_a_file(command: str, sent: bytes) -> None:
    first, *options = command.split()
    piped, named = (run(" ".join((first, at, *options)), sent) for at in ("-", "seven.level.json"))
    assert (piped.exit_code, piped.stdout_bytes) == (named.exit_code, named.stdout_bytes)
    assert piped.stdout_bytes or command in ("check --again", "diff"), piped.stderr


def test_reroll_is_a_filter() -> None:
    rolled = run("reroll - --room 5", dumps(LEVEL))
    assert rolled.stdout_bytes == run("reroll seven.level.json --room 5 --out -").stdout_bytes
    assert b'"rerolls": [\n{' in rolled.stdout_bytes and Path("seven.level.json").read_bytes() == dumps(LEVEL)


def test_a_spec_on_standard_input_counts_from_this_folder() -> None:
    assert run("generate - --seed 7 --to json", SPEC).exit_code == 0
    assert Path("level-7.level.json").read_bytes() == dumps(generate("isaac", 7, stage=4))
    assert (
        run("show - --seed 7 --set stage=2", SPEC).stdout == run("show isaac --seed 7 --set stage=2").stdout
    )
    piped, named = (run(f"stats {at} --seeds 0:5 --jobs 1", SPEC) for at in ("-", "isaac --set stage=4"))
    assert piped.stdout == named.stdout
    assert run("check -", SPEC).stderr == "undercroft: 1 file checked, no problems\n"
    lacks = run("check -", f'{SPEC}layouts = "rooms"\n')
    assert (lacks.exit_code, lacks.stdout.count("\n")) == (1, 1) and lacks.stdout.startswith(
        "standard input: "
    )
    other = run("diff - seven.level.json", SPEC)
    assert other.exit_code == 1 and other.stderr.endswith(
        " differences from standard input, seed 7 to seven.level.json\n"
    )


def test_several_levels_come_one_a_line() -> None:
    made = run("generate isaac --seeds 0:3 --to json --out -")
    assert made.stdout_bytes == lines_of(*(generate("isaac", seed) for seed in range(3)))
    assert run("check -", made.stdout_bytes).stderr == "undercroft: 3 levels checked, no problems\n"
    assert run("export - --to json --out -", made.stdout_bytes).stdout_bytes == made.stdout_bytes
    assert run("run isaac --stages 1:3 --to json --out -").stdout_bytes.count(b"\n") == 2
    one, other = (run(f"show isaac --seed {seed}").stdout for seed in (0, 1))
    assert run("show -", made.stdout_bytes).stdout.startswith(one + other)
    assert entries(Path()) == [Path("seven.level.json")]


def test_each_level_of_a_line_is_exported() -> None:
    """Those of one seed get different names; the files are those that `generate` writes."""
    other = generate("isaac", 7, stage=4)
    assert (
        run("export - --to json,png --out out", lines_of(LEVEL, other, generate("isaac", "a b"))).exit_code
        == 0
    )
    again = f"isaac-7-{other.fingerprint[:8]}"
    names = {path.name.partition(".")[0] for path in entries(Path("out"))}
    assert {"isaac-7", again} < names and len(names) == 3
    assert Path(f"out/{again}.level.json").read_bytes() == dumps(other)
    png = exporters.export(LEVEL, "png", name="x")["x.png"]
    assert Path("out/isaac-7.png").read_bytes() == png
    assert (
        run("export - --to json --name cave --out named", lines_of(LEVEL, generate("isaac", 8))).exit_code
        == 0
    )
    assert {path.name for path in entries(Path("named"))} == {"cave-7.level.json", "cave-8.level.json"}
    refused = run("export - --to png --out -", lines_of(LEVEL, other))
    assert (refused.exit_code, refused.stdout_bytes) == (
        2,
        b"",
    ) and "give --to json, or a folder" in refused.stderr


def test_empty_lines_count_for_nothing() -> None:
    levels = lines_of(LEVEL, generate("isaac", 8))
    for sent in (b"\n \r\n" + levels, levels.replace(b"}\n{", b"}\n\n{") + b"\n\n"):
        assert run("check -", sent).stderr == "undercroft: 2 levels checked, no problems\n"
        assert run("export - --to json --out -", sent).stdout_bytes == levels
    assert run("export - --to json --out -", b"\n\n" + dumps(LEVEL)).stdout_bytes == dumps(LEVEL)
    assert run("check -", b"\n{}\n").stdout.startswith("standard input:2: ")
    assert run("check -", f"\n\n{SPEC}").stderr == "undercroft: 1 file checked, no problems\n"
    assert "line 4" in run("check -", f"\n\n{SPEC}".replace("stage =", "stage")).stdout


def test_what_is_called_dash_is_no_stream() -> None:
    refused = run("build --out -")
    assert refused.exit_code == 2 and refused.stderr.endswith("; give a folder, such as ./-\n")
    for out in ("./-", "./-/", str(Path("-").absolute())):
        assert run(f"generate isaac --seed 7 --to json --out {out}").exit_code == 0
    assert entries(Path("-")) == [Path("-/isaac-7.level.json")]
    Path("-/-").write_text("7\n", "utf-8")
    os.chdir("-")
    assert run("generate isaac --seeds ./- --to json --out -", "8\n").stdout_bytes == dumps(LEVEL)
    assert run("stats isaac --seeds 0:2 --jobs 1 --against ./-").stderr.startswith(
        f"undercroft: {Path('-').absolute()}: "
    )


def test_problems_name_their_line() -> None:
    edited = dumps_line(LEVEL).replace(b'"champion":true', b'"champion":false', 1)
    done = run("check - --json", dumps_line(LEVEL) + edited + b"{}\n" + dumps_line(LEVEL))
    *problems, end = map(json.loads, done.stdout.splitlines())
    places = {(problem["file"], problem["problem"].split()[1]) for problem in problems}
    assert places == {("standard input", "input:2:"), ("standard input", "input:3:")}
    assert (done.exit_code, end) == (1, {"event": "done", "problems": len(problems)})
    kept = run("export - --to json --out - --accept-edits", edited)
    assert json.loads(kept.stdout)["rerolls"], kept.stderr
    refused = run("export - --to json --out -", edited)
    assert refused.exit_code == 2 and refused.stderr.startswith("undercroft: standard input:1: fingerprint: ")


@pytest.mark.parametrize(
    ("command", "sent", "says"),
    [
        ("check -", b"", "standard input: is empty; send something, or name a file"),
        ("check -", b"\n \n", "standard input: is empty; send something, or name a file"),
        ("show -", b"\xff\xfe", "standard input: is not UTF-8 at byte 0; send UTF-8"),
        ("generate - --to json", b"#" * (1 << 21), "standard input: is larger than 1048576 bytes; send less"),
        ("generate -", dumps(LEVEL), "standard input: is a saved level, not a spec; "),
        ("export -", SPEC.encode(), "standard input: is not JSON"),
        ("export -", b"{" * 99 + b"}\n", "standard input:1: is not JSON"),
        ("reroll - --room 1", dumps_line(LEVEL) * 2, "standard input: has more than one level; send one"),
        ("generate -", b"style = 'isaac'\nstage = 99", "standard input: stage: 99 is out of range (1 to 12)"),
        (
            "generate - --seeds -",
            b"",
            "--seeds: standard input, -, is read for SPEC already; name a file for",
        ),
        (
            "diff - -",
            b"",
            "FILE|FIRST SECOND: standard input, -, is read already; name a file for one of them",
        ),
        (
            "show - --seed 3",
            dumps(LEVEL),
            "standard input: --seed is for a spec, and this level is made already",
        ),
    ],
    ids=[
        "empty",
        "empty lines",
        "utf-8",
        "long",
        "no-spec",
        "no-json",
        "no-line",
        "two",
        "no-range",
        "twice",
        "both",
        "made",
    ],
)
def test_bad_input_is_one_line(command: str, sent: bytes, says: str) -> None:
    done = run(command, sent)
    assert (done.exit_code, done.stdout_bytes, done.stderr.count("\n")) == (2, b"", 1), done.stderr
    assert done.stderr.startswith(f"undercroft: {says}")
    assert entries(Path()) == [Path("seven.level.json")]


def test_a_line_without_an_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.serialise.MAX_LEVEL_BYTES", 100_000)
    told = "standard input:2: is longer than 100000 bytes; give shorter lines\n"
    assert run("check -", dumps_line(LEVEL) + b"{" * 200_000).stderr == f"undercroft: {told}"
    assert run("export -", b"{" * 200_000).stderr.endswith(": is larger than 100000 bytes; send less\n")


def test_a_closed_standard_input() -> None:
    command = [sys.executable, "-m", "generator.cli", "show", "-", "--json"]
    done = subprocess.run(
        command, capture_output=True, check=False, timeout=HANG, preexec_fn=lambda: os.close(0)
    )
    assert done.returncode == 2 and json.loads(done.stdout)["file"] == "standard input", done.stderr


def test_results_flow_while_the_input_goes_on_and_a_reader_may_leave() -> None:
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "generator.cli", "check", "-"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as check:
        assert check.stdin and check.stdout and check.stderr
        check.stdin.write(b"{}\n")
        check.stdin.flush()
        assert check.stdout.readline().startswith(b"standard input:1: format: ")
        check.stdout.close()
        check.stdin.write(b"{}\n")
        check.stdin.flush()
        assert (check.wait(HANG), check.stderr.read()) == (141, b"")
        check.stdin.close()


def test_a_pack_is_printed_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be larger than the memory."""
    Path("levels.ucpack").write_bytes(data := os.urandom(1 << 22))
    pieces: list[bytes] = []
    monkeypatch.setattr(click, "echo", lambda piece, nl: pieces.append(piece))
    streams.print_file(Path("levels.ucpack"))
    assert b"".join(pieces) == data and max(map(len, pieces)) <= 1 << 16
