"""What hallways hold, by the rows `[hallway.NAME]` of a kit: dug beside them from free ground, in nobody's way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from generator import GungeonSpec, generate, problems
from generator.errors import KitError
from generator.geometry import Point
from generator.kinds import PIT, RUBBLE, read_kit, shipped_kit
from generator.level import Level
from generator.styles.gungeon import STYLE
from generator.styles.gungeon.plan import HeapPlan, PlannedHallway
from tests.generator.kits.base import write_kit

WITHOUT = ", ".join(f'"hallway.{row.name}"' for row in shipped_kit().rules.hallways)


def kit_with(folder: Path, *rows: str) -> str:
    """A kit with these rows of hallways only."""
    kit = write_kit(folder, "\n".join(rows))
    file = kit / "kit.toml"
    file.write_text(f"without = [{WITHOUT}]\n{file.read_text()}")
    return str(kit)


def ways(kit: str, seeds: range, **values: int) -> list[tuple[Level, PlannedHallway, set[Point]]]:
    """The hallways of some levels without problems: as planned, and the tiles that they got more."""
    found = []
    for seed in seeds:
        spec = GungeonSpec(kit=kit, **values)
        level, plan = generate(spec, seed), generate(spec, seed, until="floorplan")
        assert isinstance(plan, HeapPlan)
        assert problems(level) == []
        for hallway, way in zip(level.hallways, plan.hallways, strict=True):
            assert set(hallway.tiles) >= set(way.tiles)
            assert list(hallway.tiles) == sorted(hallway.tiles, key=lambda tile: tile[::-1])
            found.append((level, way, {*hallway.tiles} - {*way.tiles}))
    return found


def names_on(level: Level, tiles: set[Point]) -> Counter[str]:
    return Counter(level.decor_kinds[level.decor[y, x]].name for x, y in tiles if level.decor[y, x])


def test_niches_are_one_tile_deep_and_hold_what_the_row_says(tmp_path: Path) -> None:
    kit = kit_with(
        tmp_path, "[hallway.rows]", "niches = { every = [3, 3], sides = 'both', things = { grave = 1 } }"
    )
    dug = 0
    for level, way, more in ways(kit, range(4)):
        assert len(way.path) >= 5 or not more
        assert names_on(level, more) == Counter({"grave": len(more)} if more else {})
        beside = {(x + i, y + j) for x, y in way.tiles for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        assert more <= beside
        dug += len(more)
    assert dug > 20


def test_a_landing_is_two_tiles_wider_and_a_barricade_leaves_the_body_its_lane(tmp_path: Path) -> None:
    row = "landing = { length = [5, 6], things = { crate = 1 } }\nbarricades = { every = [3, 4], things = { rock = 1 } }"
    kit = kit_with(tmp_path, "[hallway.store]", row)
    for values in ({}, {"body": 1}, {"body": 3, "hallway_width": 4}):
        held = Counter[str]()
        for level, way, more in ways(kit, range(2), **values):
            assert len(more) in (0, 10, 12)
            held += names_on(level, {*way.tiles, *more})
        assert held["crate"] > 3 and held["rock"] > 1, values


def test_pits_rubble_posts_and_what_lies_and_hangs_about(tmp_path: Path) -> None:
    row = (
        "pits = { length = [3, 9], deep = [1, 2] }",
        "posts = { things = { pillar = 1 } }",
        "rubble = 30",
        "runner = { least = 12, things = { carpet = 1 } }",
        "litter = { chance = 20, things = { bones = 1 } }",
        "walls = { chance = 40, things = { chains = 1 } }",
    )
    terrain, held = Counter[int](), Counter[str]()
    for level, way, more in ways(kit_with(tmp_path, "[hallway.ruin]", *row), range(4)):
        terrain += Counter(int(level.terrain[y, x]) for x, y in more | {*way.tiles})
        held += names_on(level, more | {*way.tiles})
        assert {level.terrain[y, x] for x, y in way.tiles}.isdisjoint({PIT})
        held += names_on(level, {(x, y - 1) for x, y in way.tiles})
    assert (
        terrain[PIT] > 10
        and terrain[RUBBLE] > 10
        and all(held[thing] for thing in ("pillar", "carpet", "bones", "chains"))
    )


def test_a_level_has_two_or_three_kinds_and_a_zone_has_one(tmp_path: Path) -> None:
    """Each kind has one sort of thing in its niches, so that the things tell the kinds."""
    things = ("grave", "statue", "crate", "barrel", "pot", "rock")
    rows = [
        f"[hallway.a_{thing}]\nniches = {{ every = [2, 2], sides = 'both', things = {{ {thing} = 1 }} }}"
        for thing in things
    ]
    kit = kit_with(tmp_path, *rows)
    per_level = [
        {name for level, way, more in ways(kit, range(seed, seed + 1)) for name in names_on(level, more)}
        for seed in range(4)
    ]
    assert all(1 <= len(kinds) <= 3 for kinds in per_level)
    assert len(set.union(*per_level)) > 3
    spec, found = GungeonSpec(kit=kit), []
    for seed in range(3):
        plan = generate(spec, seed, until="floorplan")
        assert isinstance(plan, HeapPlan)
        rooms = tuple(
            room._replace(zone=("west", "east")[2 * room.bounds.x > plan.size[0]]) for room in plan.rooms
        )
        level = STYLE.build(spec, seed, None, replace(plan, rooms=rooms))
        for zone in ("west", "east"):
            names = set[str]()
            for hallway, way in zip(level.hallways, plan.hallways, strict=True):
                nearer = min((rooms[end.room] for end in way.ends), key=lambda room: room.distance)
                names |= {*names_on(level, {*hallway.tiles})} if nearer.zone == zone else set()
            found.append(len(names))
    assert max(found) == 1 and sum(found) > 3


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "niches = { every = [3, 3], things = { grav = 1 } }",
            "hallway.odd.niches.things: unknown piece of decor 'grav'",
        ),
        (
            "landing = { length = [3, 4], things = { torch = 1 } }",
            "hallway.odd.landing.things: torch hangs on walls",
        ),
        ("litter = { chance = 9, things = { crate = 1 } }", "hallway.odd.litter.things: crate is in the way"),
        (
            "runner = { least = 9, things = { rug = 1 } }",
            "hallway.odd.runner.things: rug takes more than one tile",
        ),
        ("barricades = { every = [3, 3], things = { altar = 1 } }", "altar takes more than one tile"),
        ("walls = { chance = 9, things = { bones = 1 } }", "bones does not hang on walls"),
        ("chapters = ['attic']", "hallway.odd.chapters: unknown chapter 'attic'"),
        ("length = [2, 4]", "hallway.odd.length"),
    ],
)
def test_a_row_that_cannot_be_kept_is_refused_in_a_line(row: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(KitError) as error:
        read_kit(write_kit(tmp_path, f"[hallway.odd]\n{row}"))
    assert message in str(error.value)


def test_shipped_hallways_are_places() -> None:
    """At least six kinds; most long hallways have more than their plan."""
    assert len(shipped_kit().rules.hallways) >= 6
    long = more = 0
    for seed in range(6):
        level, plan = generate("gungeon", seed), generate("gungeon", seed, until="floorplan")
        assert isinstance(plan, HeapPlan)
        for hallway, way in zip(level.hallways, plan.hallways, strict=True):
            if len(way.path) >= 7:
                long += 1
                more += len(hallway.tiles) > len(way.tiles) or bool(names_on(level, {*hallway.tiles}))
    assert more > 0.7 * long, (more, long)


def test_what_is_dug_stays_a_wall_apart_from_all_else() -> None:
    for seed in range(3):
        level = generate("gungeon", seed)
        owner = np.full(level.terrain.shape, -1)
        for hallway in level.hallways:
            for x, y in hallway.tiles:
                near = owner[y - 1 : y + 2, x - 1 : x + 2]
                assert set(near.ravel().tolist()) <= {-1, hallway.id}
                owner[y, x] = hallway.id
