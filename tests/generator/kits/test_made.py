"""Levels of a team's own rows are held against all rules before they are written, and the row is named once."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import pytest

import generator
from generator import GenerationFailed, Level, checks
from generator.checks.crossing import rooms_can_be_crossed
from generator.checks.crossing_tiles import are_surely_crossed
from generator.kinds import FLOOR, WALL
from generator.spec import LevelSpec
from generator.spec.read import spec_of
from tests.commands import undercroft
from tests.generator.kits.base import write_kit

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
SALOON = """
[decor.bottle]
glyph = "`"
walk = true
fly = true
shoot = true

[decor_table.normal.wall]
chance = 20
things = { bottle = 3, crate = 3 }
"""


def saloon(folder: Path) -> tuple[Level, LevelSpec]:
    spec = spec_of("gungeon", {"kit": str(write_kit(folder, SALOON))})
    return generator.generate(spec, 1), spec


def told(level: Level, spec: LevelSpec) -> str:
    with pytest.raises(GenerationFailed) as error:
        checks.check_made(level, spec)
    return str(error.value)


def with_bottles_hung(level: Level) -> tuple[Level, int]:
    """A level whose bottles stand on walls, and how many they are."""
    bottle = next(number for number, kind in enumerate(level.decor_kinds) if kind.name == "bottle")
    terrain = level.terrain.copy()
    terrain[level.decor == bottle] = WALL
    return dataclasses.replace(level, terrain=terrain), int((level.decor == bottle).sum())


def test_a_row_is_named_once_with_the_number_of_places(tmp_path: Path) -> None:
    level, spec = saloon(tmp_path)
    checks.check_made(level, spec)
    hung, count = with_bottles_hung(level)
    said = told(hung, spec)
    row = f"{tmp_path / 'kit.toml'}: [decor_table.normal] wall = bottle: there is a bottle on wall; "
    assert count > 1 and said.count(row) == 1
    assert "[things-on-ground]" in said and "\n" not in said


def test_a_gang_is_named_by_its_enemies(tmp_path: Path) -> None:
    """Where one of them breaks a rule, in rooms that it suits."""
    rows = "[gang.posse]\nwaves = [{ walker = [2, 4] }]\n[gang.flock]\nwaves = [{ flyer = [2, 9] }]\n"
    spec = spec_of("gungeon", {"kit": str(write_kit(tmp_path, rows))})
    level = generator.generate(spec, 1)
    checks.check_made(level, spec)
    walker = next(each for each in level.markers if each.properties.get("role") == "walker")
    badly = dataclasses.replace(walker, properties={**walker.properties, "wave": 0})
    markers = tuple(badly if each is walker else each for each in level.markers)
    said = told(dataclasses.replace(level, markers=markers), spec)
    assert (
        f"{tmp_path / 'kit.toml'}: [gang.posse]: the enemy at {walker.x},{walker.y} is in the wave 0" in said
    )


def test_rules_may_be_allowed(tmp_path: Path) -> None:
    level, spec = saloon(tmp_path)
    hung, _ = with_bottles_hung(level)
    allowed = ["things-on-ground", "body-gets-everywhere", "rooms-can-be-crossed", "nobody-is-shut-off"]
    checks.check_made(hung, spec, allowed)


def test_a_level_of_shipped_rows_is_not_looked_at() -> None:
    spec = spec_of("isaac", {})
    level = generator.generate(spec, 1)
    checks.check_made(dataclasses.replace(level, markers=()), spec)


def test_a_layout_is_named_by_its_file() -> None:
    spec = spec_of("isaac", {"kit": str(EXAMPLES / "orbital")})
    level = generator.generate(spec, 3)
    marker = next(
        marker
        for marker in level.markers
        if marker.kind in ("enemy", "supply", "locker")
        and marker.room is not None
        and level.rooms[marker.room].layout.startswith("own/")
    )
    room = level.rooms[marker.room or 0]
    moved = dataclasses.replace(marker, x=room.bounds.x, y=room.bounds.y)
    markers = tuple(moved if each is marker else each for each in level.markers)
    name = room.layout.partition("+")[0].removeprefix("own/")
    assert f"layouts/{name}.txt: the {marker.kind} at" in told(
        dataclasses.replace(level, markers=markers), spec
    )


@pytest.mark.parametrize(
    ("style", "values"),
    [
        ("isaac", {"kit": str(EXAMPLES / "orbital")}),
        ("gungeon", {"kit": str(EXAMPLES / "garden")}),
    ],
)
def test_the_quick_proof_says_nothing_that_polygons_deny(style: str, values: dict[str, Any]) -> None:
    dice = random.Random(style)
    level = generator.generate(style, 5, **values)
    assert are_surely_crossed(level)
    shut = 0
    for ground in (WALL, FLOOR, WALL, WALL, WALL):
        terrain = level.terrain.copy()
        bounds = dice.choice(level.rooms).bounds
        across = bounds.x + bounds.width // 2
        terrain[bounds.y + 1 : bounds.bottom - 1, across] = ground
        broken = dataclasses.replace(level, terrain=terrain)
        found = list(rooms_can_be_crossed(broken))
        shut += bool(found)
        assert not (found and are_surely_crossed(broken)), found[0]
    assert shut


def test_a_bad_level_is_not_written_and_the_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_kit(tmp_path / "west", SALOON)
    made = checks.check_made

    def second_is_bad(level: Level, spec: LevelSpec, allowed: tuple[str, ...] = ()) -> None:
        made(with_bottles_hung(level)[0] if level.seed == 2 else level, spec, allowed)

    monkeypatch.setattr(checks, "check_made", second_is_bad)
    words = ["generate", "gungeon", "--seeds", "1:4", "--set", "kit=west", "--to", "json", "--name", "a"]
    done = undercroft(*words, "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("undercroft: seed 2: ") and done.stderr.count("\n") == 1
    folder = tmp_path / "out"
    assert sorted(path.name for path in folder.iterdir() if path.suffix == ".json") == [
        "a-1.level.json", "a-3.level.json",
    ]  # fmt: skip
    assert undercroft(*words, "--no-check", "--out", "out", cwd=tmp_path).returncode == 0
    assert (folder / "a-2.level.json").exists()
