"""`--seeds` as a file or from standard input: a seed a line, or what `search` and others print."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Thread

import click
import pytest
from click.testing import CliRunner, Result

from generator import generate
from generator.cli import main, runs
from generator.serialise import dumps, dumps_line
from tests.engines import HANG

WHERE = ["--where", "rooms.boss.distance >= 4", "--jobs", "1"]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("seeds.txt").write_text("\ufeff3\n\n12\n 5 \n12\n", "utf-8")


def run(line: str, *more: str, sent: str | bytes = b"") -> Result:
    return CliRunner().invoke(main, [*line.split(), *more], input=sent)


def test_seeds_of_a_file_come_in_its_order_and_once() -> None:
    done = run("generate isaac --seeds seeds.txt --to json --out -")
    assert done.stdout_bytes == b"".join(dumps_line(generate("isaac", seed)) for seed in (3, 12, 5))
    assert done.stderr == "undercroft: seeds.txt: 1 seed came again; each counts once\n"


def test_lines_that_begin_with_a_hash_are_comments() -> None:
    plain = run("generate isaac --seeds - --to json --out -", sent="12\n3\n")
    for sent in ("# the best\n12\n  # 7\n3\n#", "# of a table\nseed,rooms\n12,9\n# 7,9\n3,9\n"):
        assert run("generate isaac --seeds - --to json --out -", sent=sent).stdout == plain.stdout
    for sent in ('seed\n"#1"\n', '{"event": "hit", "seed": "#1"}\n'):
        done = run("generate isaac --seeds - --to json --out -", sent=sent)
        assert json.loads(done.stdout)["seed_text"] == "#1"


def test_texts_and_codes_stay_as_they_are() -> None:
    assert run("generate isaac --to json --seeds -", sent="my game\n7\n").exit_code == 0
    (named,) = Path().glob("isaac-my_game-*")
    assert named.read_bytes() == dumps(generate("isaac", "my game"))
    assert run("generate rebirth --to json --seeds - --name run", sent="TKMG 13C2\n").exit_code == 0
    (coded,) = Path().glob("run-TKMG*")
    assert coded.read_bytes() == dumps(generate("rebirth", "TKMG 13C2"))


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
def test_what_search_prints_are_seeds(form: list[str]) -> None:
    found = run("search isaac --seeds 0:20", *WHERE, *form)
    told = [json.loads(line) for line in run("search isaac --seeds 0:20 --json", *WHERE).stdout.splitlines()]
    seeds = [event["seed"] for event in told if event["event"] == "hit"]
    assert 1 < len(seeds) < 20
    again = run("search isaac --seeds - --json", *WHERE, sent=found.stdout)
    assert [json.loads(line).get("seed") for line in again.stdout.splitlines()] == [*seeds, None]
    assert json.loads(again.stdout.splitlines()[-1])["seeds"] == len(seeds)


def test_a_table_that_a_spreadsheet_saved_is_one_of_seeds() -> None:
    table = '"seed";"rooms"\r\n7;9\r\n"a; ""b""";8\r\n"seed";"rooms"\r\n8;9\r\n'
    made = run("generate isaac --to json --out - --seeds -", sent=table)
    assert made.stdout_bytes == b"".join(dumps_line(generate("isaac", seed)) for seed in (7, 'a; "b"', 8))
    one_column = run("generate isaac --to json --out - --seeds -", sent='seed\n7\n"a; ""b"""\n8\n')
    assert one_column.stdout_bytes == made.stdout_bytes
    commas = run("generate isaac --to json --out - --seeds -", sent="one, two\nseed, three\n")
    seeds = ("one, two", "seed, three")
    assert commas.stdout_bytes == b"".join(dumps_line(generate("isaac", seed)) for seed in seeds)


@pytest.mark.parametrize(
    "command", ["stats isaac --fact rooms", "pack isaac --out x.ucpack", "gallery isaac"]
)
def test_a_file_of_a_range_does_what_the_range_does(command: str) -> None:
    Path("range.txt").write_text("4\n5\n", "utf-8")
    ranged, listed, piped = (
        run(f"{command} --json --jobs 1 --seeds", seeds, sent="4\n5\n") for seeds in ("4:6", "range.txt", "-")
    )
    assert ranged.exit_code == listed.exit_code == piped.exit_code == 0, listed.stderr
    first, *others = ([_told(line) for line in done.stdout.splitlines()] for done in (ranged, listed, piped))
    assert first and others == [first, first]


def _told(line: str) -> dict[str, object]:
    """An event, but for the size of a page, which names the seeds."""
    return {key: value for key, value in json.loads(line).items() if key != "bytes"}


GIVEN = {"search": WHERE, "pack": ["--out", "x.ucpack"]}


def test_every_command_over_seeds_reads_them() -> None:
    Path("none.txt").touch()
    takes = [
        words
        for words, command in _commands(main, ())
        if any("--seeds" in each.opts for each in command.params)
    ]
    assert len(takes) >= 9
    for words in takes:
        source = "hub" if "flow" in words else "isaac"
        done = run(" ".join(words), source, *GIVEN.get(words[0], ()), "--seeds", "none.txt")
        is_number = words == ("flow", "check")  # of seeds
        said = (
            "none.txt' is not a whole number"
            if is_number
            else "none.txt: has no seeds; give one a line, or a"
        )
        assert done.exit_code == 2 and said in done.stderr, words


def _commands(group: click.Command, words: tuple[str, ...]) -> list[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(group, click.Group):
        return [(words, group)]
    ctx = click.Context(group)
    found = []
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command
        found += _commands(command, (*words, name))
    return found


def test_several_specs_have_the_seeds_of_one_stream() -> None:
    done = run("gallery isaac rebirth --jobs 1 --json --seeds -", sent="1\n2\n2\n")
    assert json.loads(done.stdout)["levels"] == 4
    assert done.stderr.count("came again") == 1


def test_a_search_goes_on_only_with_the_same_seeds() -> None:
    command = ["--resume", "found.json", *WHERE]
    first = run("search isaac --seeds seeds.txt", *command)
    assert run("search isaac --seeds seeds.txt", *command).stdout == first.stdout
    Path("seeds.txt").write_text("3\n", "utf-8")
    other = run("search isaac --seeds seeds.txt", *command)
    assert other.exit_code == 2 and "belongs to another search" in other.stderr


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ("{}\n\n", "standard input: has no seeds; give one a line, or a range such as 0:1000"),
        ("1\n-4\n", "standard input:2: seed: -4 is out of range (0 to 18446744073709551615, or a text)"),
        (b"1\n\xff", "standard input:2: is not UTF-8 at byte 0; give UTF-8"),
        ('{"seed": [1]}', "standard input:1: seed: [1] is not a seed; give a number or a text"),
        ("{", "standard input:1: is not JSON"),
        ("1" * (1 << 17), "standard input:1: is longer than 65536 bytes; give shorter lines"),
        (
            f"1\n{'x' * 257}",
            f"standard input:2: seed: '{'x' * 58}… is longer than 256 characters; give a shorter one",
        ),
        ("1\n" * 9, "standard input: has more than 5 lines; give fewer, or a range"),
        (
            '{"event": "error", "message": "no"}',
            "standard input:1: is of a command that failed, with 'no'; mend",
        ),
    ],
    ids=["empty", "range", "utf-8", "list", "json", "long", "long text", "many", "error"],
)
def test_bad_seeds_are_one_line(sent: str | bytes, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_MAX_LINES", 5)
    done = run("stats isaac --jobs 1 --seeds -", sent=sent)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(f"undercroft: {says}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_with_a_name_is_a_file_of_seeds() -> None:
    os.mkfifo("pipe")
    writer = Thread(target=Path("pipe").write_text, args=("6\n9\n", "utf-8"), daemon=True)
    writer.start()
    made = run("generate isaac --to json --out - --seeds pipe")
    assert made.stdout_bytes == b"".join(dumps_line(generate("isaac", seed)) for seed in (6, 9)), made.stderr
    writer.join(HANG)
    assert not writer.is_alive()
    assert run("stats isaac --seeds /dev/null").stderr.startswith("undercroft: /dev/null: has no seeds; ")


def test_neither_a_range_nor_a_file() -> None:
    said = run("stats isaac --seeds 0-9").stderr
    assert said.startswith(
        "undercroft: --seeds: '0-9' is neither a range nor a file; give the first and one past"
    )
    if os.name != "nt":  # which has no such names
        Path("3:5").write_text("7\n", "utf-8")
    assert run("generate isaac --to json --quiet --seeds 3:5").exit_code == 0
    assert {path.name for path in Path().glob("*.json")} == {"isaac-3.level.json", "isaac-4.level.json"}
    Path("folder").mkdir()
    assert run("stats isaac --seeds folder").stderr == "undercroft: folder: is not a file; name one\n"
    twice = run("pack isaac --seeds 3:5 --seeds seeds.txt --out x.ucpack")
    assert "--seeds: 3 is given twice; give each seed once" in twice.stderr
