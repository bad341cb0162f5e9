"""`where` in a group: only levels that meet the condition are built, and a build with nothing to do makes none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from exporters.builder.chosen import FoundSeeds
from exporters.formats.pack.reader import load_pack
from generator import load_level
from generator.batch.condition import parse_condition
from generator.batch.facts import SavedSubject, Subject
from generator.cli import main, runs
from generator.spec import load_spec
from tests.exporters.builder.games import Game

MANIFEST = """
out = "levels"
formats = ["json"]
[group.far]
spec = "isaac"
seeds = "0:40"
where = "rooms.boss.distance >= 4"
first = 2
[group.named]
spec = "isaac"
seeds = ["a text", 3, "other", 8]
where = "rooms == 9"
"""


def seeds_of(where: str, seeds: range = range(40)) -> list[int]:
    spec, condition = load_spec("isaac"), parse_condition(where)
    return [seed for seed in seeds if condition.holds(Subject(spec, seed))]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path, MANIFEST)


def test_only_levels_that_meet_it_are_built(game: Game) -> None:
    game.change("first = 2", 'first = 2\npath = "{group}/{number}"\nformats = ["json", "pack"]')
    told = game.build()
    expected = seeds_of("rooms.boss.distance >= 4")[:2]
    levels = [load_level(game.levels / f"far/{number}.level.json") for number in (1, 2)]
    assert [level.seed for level in levels] == expected
    pack = load_pack(game.levels / "far.ucpack")
    assert [pack.seed(index) for index in range(pack.count)] == expected
    nine = parse_condition("rooms == 9")
    named = [load_level(path) for path in (game.levels / "named").iterdir()]
    assert named and all(nine.holds(SavedSubject(level)) for level in named)
    texts = {level.seed_text for level in named if level.seed_text}
    assert texts == {"a text", "other"} & {event["level"].partition("seed ")[2] for event in told.of("built")}


def test_what_was_found_is_not_searched_for_again(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    chosen = runs.chosen
    monkeypatch.setattr(
        "generator.cli.runs.chosen",
        lambda query, *rest, **words: searched.append(query.where) or chosen(query, *rest, **words),
    )
    before = game.build("--dry-run").counts
    assert len(searched) == 2 and not game.levels.exists()
    assert game.build().counts == before and len(searched) == 4
    assert set(game.build().counts) == {"unchanged"} and len(searched) == 4
    game.build("--check")
    assert len(searched) == 6, "a check trusts nothing that lies in the folder"
    game.build("--force")
    assert len(searched) == 8
    game.change(">= 4", "> 3")
    game.build()
    assert searched[8:] == ["rooms.boss.distance > 3"]
    (game.levels / ".undercroft/found.json").write_text('{"x": [1, 2], "y": 3}', "utf-8")
    assert set(game.build().counts) == {"unchanged"} and len(searched) == 11


def test_another_condition_builds_other_levels_and_names_those_left_over(game: Game) -> None:
    game.change("first = 2", 'first = 2\nformats = ["json", "pack"]')
    game.build()
    before = seeds_of("rooms.boss.distance >= 4")[:2]
    game.change(">= 4", ">= 5")
    after = seeds_of("rooms.boss.distance >= 5")[:2]
    checked = game.build("--check", status=1)
    gone = {f"far/isaac-{seed}.level.json" for seed in {*before} - {*after}}
    assert gone and set(checked.files("unasked")) == gone
    assert {f"far/isaac-{seed}.level.json" for seed in {*after} - {*before}} == set(checked.files("missing"))
    built = game.build("--prune")
    assert set(built.files("removed")) == gone and built.of("packed")[0]["why"] == "seeds changed"
    game.build("--check")
    game.change("first = 2", "first = 1")
    game.build("--prune")
    assert len(list((game.levels / "far").iterdir())) == 1


def test_a_group_that_finds_nothing_ends_the_build_in_one_line(game: Game) -> None:
    game.build()
    files = game.files()
    game.change(">= 4", ">= 44")
    done = game.run()
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "undercroft.toml: group.far.where: none of 40 seeds has a level that meets it" in done.stderr
    assert game.files() == files
    assert CliRunner().invoke(main, ["check", str(game.folder / "undercroft.toml")]).exit_code == 0


def test_a_path_for_one_level_is_refused_before_the_search(game: Game) -> None:
    game.change("first = 2", "path = '{group}/x'")
    done = CliRunner().invoke(main, ["check", str(game.folder / "undercroft.toml")])
    assert done.exit_code == 1 and "would both be 'far/x'" in done.output


def test_kept_levels_keep_their_seeds(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    game.build()
    kept = json.loads((game.levels / ".undercroft/found.json").read_bytes())
    changed = {key: ["0.0.1", seeds[-1:]] for key, (_, seeds) in kept.items()}
    (game.levels / ".undercroft/found.json").write_text(json.dumps(changed), "utf-8")
    found = FoundSeeds(game.levels, is_trusted=True, any_version=True)
    assert game.build("--keep-levels", "--dry-run").events[-1]["levels"] == 2
    assert found and game.build("--dry-run").events[-1]["levels"] > 2


def test_seeds_that_cannot_have_been_found_are_searched_for_again(game: Game) -> None:
    game.build()
    file = game.levels / ".undercroft/found.json"
    written = file.read_bytes()
    for wrong in ([-1], [40], ["b text"], ["3"], [0, 0], [0, 5, 10]):
        kept = {key: [version, wrong] for key, (version, _) in json.loads(written).items()}
        file.write_text(json.dumps(kept), "utf-8")
        assert set(game.build().counts) == {"unchanged"}, wrong
        assert file.read_bytes() == written, wrong


def test_packs_take_the_condition_of_the_manifest(game: Game, tmp_path: Path) -> None:
    words = [
        "pack",
        str(game.folder / "undercroft.toml"),
        "--out",
        str(tmp_path / "all.ucpack"),
        "--jobs",
        "1",
    ]
    assert CliRunner().invoke(main, words).exit_code == 0
    pack = load_pack(tmp_path / "all.ucpack")
    assert {pack.facts(index)["rooms"] for index in range(2, pack.count)} == {9}
    done = CliRunner().invoke(main, [*words, "--where", "rooms == 9"])
    assert done.exit_code == 2 and "--where does not go with a manifest" in done.stderr
