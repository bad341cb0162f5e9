"""`--where` of commands that write levels: only those that meet it, or the first one from a seed on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exporters.formats.pack.reader import load_pack
from generator import generate, load_level, pipeline
from generator.batch.condition import parse_condition
from generator.batch.facts import SavedSubject
from generator.cli import main
from generator.serialise import dumps

FAR = "rooms.boss.distance >= 4"


def run(*words: str, status: int = 0) -> Result:
    done = CliRunner().invoke(main, [*words])
    assert done.exit_code == status, done.output
    return done


def found(*words: str) -> list[int]:
    lines = run("search", *words, "--json", "--jobs", "1").stdout.splitlines()
    return [int(event["seed"]) for event in map(json.loads, lines) if event["event"] == "hit"]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.level.json")}


@pytest.mark.parametrize("where", [FAR, "width > 60 and markers('chest') > 0"])
def test_of_many_seeds_only_those_that_meet_it(where: str, tmp_path: Path) -> None:
    run("generate", "isaac", "--seeds", "0:12", "--where", where, "--to", "json", "--out", str(tmp_path))
    seeds = found("isaac", "--seeds", "0:12", "--where", where)
    assert names(tmp_path) == {f"isaac-{seed}.level.json" for seed in seeds} and 0 < len(seeds) < 12
    for name in names(tmp_path):
        assert parse_condition(where).holds(SavedSubject(load_level(tmp_path / name)))
    few = tmp_path / "few"
    words = ("--seeds", "0:12", "--where", where, "--first", "2", "--name", "x", "--to", "json")
    run("generate", "isaac", *words, "--out", str(few))
    assert names(few) == {f"x-{seed}.level.json" for seed in seeds[:2]}


def test_a_level_that_was_made_to_find_it_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    built = pipeline.built
    monkeypatch.setattr(pipeline, "built", lambda *args: [made.append(args[2]), built(*args)][1])
    words = ("--where", "markers('chest') > 0", "--to", "json", "--out", str(tmp_path))
    run("generate", "isaac", *words)
    run("generate", "isaac", *words, "--seeds", "40:60", "--first", "5")
    assert len({*made}) == len(made) > 6
    for path in tmp_path.glob("*.level.json"):
        assert path.read_bytes() == dumps(generate("isaac", load_level(path).seed))


def test_without_seeds_the_first_from_a_seed_on(tmp_path: Path) -> None:
    words = ("generate", "rebirth", "--where", "rooms.boss.distance >= 6", "--to", "json", "--out")
    (first, second, *_) = found("rebirth", "--seeds", "1:30", "--where", "rooms.boss.distance >= 6")
    run(*words, str(tmp_path / "a"))
    assert names(tmp_path / "a") == {f"rebirth-{first}.level.json"}
    run(*words, str(tmp_path / "b"), "--seed", str(first + 1), "--name", "mine")
    assert load_level(tmp_path / "b/mine.level.json").seed == second
    run(*words, str(tmp_path / "c"), "--first", "2")
    assert names(tmp_path / "c") == {f"rebirth-{seed}.level.json" for seed in (first, second)}
    printed = json.loads(run(*words, "-").stdout)
    assert printed["seed"] == str(first)


def test_a_text_that_meets_it_stays_a_text(tmp_path: Path) -> None:
    words = ("generate", "isaac", "--seed", "a text", "--to", "json", "--out", str(tmp_path))
    run(*words)
    (path,) = tmp_path.glob("*.level.json")
    before = path.read_bytes()
    run(*words, "--where", "rooms > 1")
    assert path.read_bytes() == before and names(tmp_path) == {path.name}


def test_a_pack_of_levels_that_meet_it(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "far.ucpack"), "--jobs", "1")
    run("pack", "isaac", "labyrinth", "--seeds", "0:40", "--where", FAR, "--first", "2", *out)
    pack = load_pack(tmp_path / "far.ucpack")
    expected = [
        seed for spec in ("isaac", "labyrinth") for seed in found(spec, "--seeds", "0:40", "--where", FAR)[:2]
    ]
    assert [pack.seed(index) for index in range(pack.count)] == expected


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--seeds", "0:9", "--where", "rooms > 99"), 1, "--where: none of 9 seeds has a level that meets it; give"),
        (("--seeds", "0:9", "--where", "rooms > 99", "--first", "1"), 1, "--where: none of 9 seeds"),
        (("--first", "2"), 2, "--first: counts the levels that meet a condition; give --where too"),
    ],
)  # fmt: skip
def test_one_line_where_there_is_nothing_to_write(
    words: tuple[str, ...], status: int, told: str, tmp_path: Path
) -> None:
    for command in (("generate", "isaac"), ("pack", "isaac", "--seeds", "0:9")):
        asked = words if command[0] == "generate" else words[words[0] == "--seeds" and 2 :]
        out = tmp_path / ("made" if command[0] == "generate" else "made.ucpack")
        done = run(*command, *asked, "--out", str(out), status=status)
        assert told.replace("--where:", "--where: isaac:") in done.stderr or told in done.stderr
        assert done.stderr.count("\n") == 1 and not out.exists()


def test_what_does_not_go_with_it(tmp_path: Path) -> None:
    out = str(tmp_path / "x.ucpack")
    pack = ("pack", "isaac", "--seeds", "1:9", "--where", "rooms > 1", "--out", out)
    assert "--where: does not go with --run" in run(*pack, "--run", status=2).stderr
    assert "--seeds: is given several times" in run(*pack, "--seeds", "20:30", status=2).stderr
    words = ("generate", "isaac", "--seeds", "0:9", "--where", "rooms > 1", "--to", "json", "--out", "-")
    assert run(*words).stdout.count("\n") == 9  # one a line
    assert "--out: - prints several levels only as JSON" in run(*words, "--to", "png", status=2).stderr
    run(*words, "--first", "1")
    slip = run("generate", "isaac", "--where", "rooms >> 3", status=2).stderr.splitlines()
    assert slip[1].strip() == "^" and "--where: column " in slip[2]


def test_fewer_than_wanted_are_written_and_told(tmp_path: Path) -> None:
    words = ("generate", "isaac", "--seeds", "0:3", "--where", "rooms > 1", "--first", "9", "--to", "json")
    done = run(*words, "--out", str(tmp_path))
    assert done.stderr == "undercroft: --where: 3 levels found of 9; no other seed has one\n"
    assert len(names(tmp_path)) == 3
