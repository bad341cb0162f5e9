"""Re-rolled rooms in a manifest: `build` makes them, and notices when they change."""

from __future__ import annotations

from pathlib import Path

import pytest

import exporters
from exporters.formats.pack.reader import load_pack
from generator import Level, generate, reroll
from generator.level_file import load_level
from generator.value_words import toml
from tests.exporters.builder.games import Game

SEED = 7


def manifest(level: Level, **more: object) -> str:
    """A manifest that asks for a level with its rerolls, and for two of the same spec without any."""
    own = {"spec": "isaac", "seeds": [SEED], "rerolls": [dict(row) for row in level.rerolls], **more}
    lines = [f"{key} = {toml(value)}" for key, value in own.items()]
    rest = f"[group.rest]\nspec = 'isaac'\nseeds = [{SEED}, 8]"
    return "\n".join(["out = 'levels'", "formats = ['json', 'tiled']", "[group.own]", *lines, rest])


@pytest.fixture(scope="module")
def rolled() -> Level:
    return reroll(reroll(generate("isaac", SEED), room=2, times=2), room=[1, 3], what="markers", times=3)


def test_the_files_are_those_of_the_level_with_its_rerolls(rolled: Level, tmp_path: Path) -> None:
    game = Game(tmp_path / "game", manifest(rolled))
    assert game.build().counts == {"built": 3, "generated": 3}
    files = game.files()
    expected = exporters.export(rolled, ["json", "tiled"], name=f"isaac-{SEED}")
    assert {name: files[f"own/{name}"] for name in expected} == dict(expected)
    assert load_level(game.levels / "rest" / f"isaac-{SEED}.level.json") == generate("isaac", SEED)
    assert game.build().counts == {"unchanged": 3}
    assert game.run("--check").exit_code == 0


def test_a_changed_row_is_another_level_and_another_order_is_not(rolled: Level, tmp_path: Path) -> None:
    game = Game(tmp_path / "game", manifest(rolled))
    game.build()
    rows = [dict(row) for row in rolled.rerolls]
    game.write(manifest(rolled, rerolls=rows[::-1]))
    assert game.build().counts == {"unchanged": 3}
    game.write(manifest(rolled, rerolls=[rows[0] | {"markers": 1}, *rows[1:]]))
    assert game.run("--check").exit_code == 1
    told = game.build()
    assert told.counts == {"built": 1, "unchanged": 2, "generated": 1}
    assert told.written() == {f"own/isaac-{SEED}.level.json", f"own/isaac-{SEED}.tmj"}
    game.write(manifest(rolled, rerolls=[]))
    game.build()
    assert load_level(game.levels / "own" / f"isaac-{SEED}.level.json") == generate("isaac", SEED)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"room": 500, "layout": 1}, "rerolls[0].room: 500 is not a whole number from 0 to "),
        ({"room": 2, "kind": "throne", "layout": 1}, "rerolls[0].kind: 'throne' is not one of "),
        ({"room": 2, "layout": 1, "markers": 1}, ""),
    ],
)
def test_rows_that_do_not_fit_the_level_stop_no_other_level(
    row: dict[str, object], reason: str, rolled: Level, tmp_path: Path
) -> None:
    game = Game(tmp_path / "game", manifest(rolled, rerolls=[row], formats=["json", "pack"]))
    told = game.build(status=int(bool(reason)))
    failed = [(event["level"], reason in event["reason"]) for event in told.of("failed")]
    whole = f"own, seed {SEED}"
    assert failed == ([(whole, True), (whole, True), ("own.ucpack", False)] if reason else [])
    assert f"rest/isaac-{SEED}.level.json" in game.files()


def test_a_pack_has_the_level_too(rolled: Level, tmp_path: Path) -> None:
    game = Game(tmp_path / "game", manifest(rolled, formats=["pack"]))
    game.build()
    pack = load_pack(game.levels / "own.ucpack")
    assert (pack.count, pack.fingerprint(0)) == (1, rolled.fingerprint)
    assert game.build().counts == {"unchanged": 3}
