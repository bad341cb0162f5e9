"""Locks, keys, one-way doors and shortcuts on grids: each lock has its effect, each key is on this side of it."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest

from exporters.dress import door_tiles
from exporters.reading.back import bring_back
from exporters.reading.restructured import restructured
from exporters.theme.loader import load_theme
from generator import GenerationFailed, Level, SpecError, generate, reroll, search
from generator.checks import problems
from generator.geometry import Rect, Side
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.gates import PlanDice, with_gates
from generator.styles.grid.own_rooms import NoPlaceError
from generator.styles.grid.spec import GatePlan
from generator.styles.isaac import floorplan
from generator.styles.isaac.spec import IsaacSpec
from tests.exporters.reading.exported import exported
from tests.other_packages import fake, installed_here

PLANS: dict[str, dict[str, Any]] = {
    "a lock": {"locks": 1},
    "a sequence": {"locks": [3, 4], "in_sequence": True},
    "keys alike": {"locks": [2, 3], "keys": "alike"},
    "all": {"locks": [1, 3], "one_way": 1, "shortcuts": 1},
}
COMB = Path(__file__).with_name("comb_style.py")


def reached(level: Level, held: set[str]) -> set[int]:
    """The rooms that somebody gets to who has these keys, opens shortcuts, and finds no secret."""
    found, queue = {0}, deque([0])
    while queue:
        here = queue.popleft()
        for door in level.doors:
            a, b = door.rooms
            there = b if here == a else a
            if here not in (a, b) or there is None or door.kind in level.kinds.secret_doors:
                continue
            shut = not held.issuperset(door.needs) or door.opens_from not in (None, here)
            if not (shut or (door.one_way and here == a) or there in found):
                found.add(there)
                queue.append(there)
    return found


@pytest.mark.parametrize("plan", PLANS)
def test_each_lock_keeps_somebody_out_and_its_key_does_not_lie_behind_it(plan: str) -> None:
    for seed, stage in enumerate((3, 4, 7, 10)):
        level = generate("isaac", seed, stage=stage, plan=PLANS[plan])
        assert problems(level) == []
        names = {need for door in level.doors for need in door.needs}
        assert reached(level, names) >= {room.id for room in level.rooms if room.distance is not None}
        for door in level.doors:
            if not door.needs:
                continue
            without = reached(level, names - {*door.needs})
            assert not without.issuperset(door.rooms)
            keys = [mark for mark in level.markers if mark.properties.get("opens") in door.needs]
            assert any(key.room in without for key in keys)
            assert len(keys) > 1 or keys[0].room not in without.intersection(door.rooms)
        boss = {room.id for room in level.rooms if room.kind == "boss"}
        assert boss.isdisjoint(reached(level, set()))


def test_in_a_sequence_each_key_leads_to_the_next() -> None:
    """One more lock can be opened with one more key, never two."""
    level = generate("isaac", 5, stage=7, plan={"locks": 4, "in_sequence": True})
    at = {str(key.properties["opens"]): key.room for key in level.markers if key.kind == "key"}
    held: set[str] = set()
    while len(held) < 4:
        new = {name for name, room in at.items() if room in reached(level, held)} - held
        assert len(new) == 1
        held |= new


def test_a_way_back_saves_a_walk_and_spoils_no_distance() -> None:
    level = generate("isaac", 2, stage=6, plan={"shortcuts": 1})
    door = next(door for door in level.doors if door.opens_from is not None)
    near, added = sorted(door.rooms, key=lambda room: level.rooms[room or 0].distance or 0)
    assert (added, door.rooms[0]) == (door.opens_from, door.opens_from) and door.kind == "barred"
    assert (level.rooms[added or 0].distance or 0) - (level.rooms[near or 0].distance or 0) >= 3
    assert added == len(level.rooms) - 1  # the other rooms are those of the same floorplan without it


def test_a_spec_without_a_plan_is_saved_as_ever() -> None:
    level = generate("isaac", 1, plan={"locks": 0})
    assert "plan" not in level.to_dict()["spec"] and "locks" not in level.facts
    assert level.fingerprint == generate("isaac", 1).fingerprint


def test_what_cannot_be_placed_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floorplan, "_MAX_TRIES", 100)
    with pytest.raises(GenerationFailed, match=r"no place for 4 locks with .* ask for less in plan, or for"):
        generate("isaac", 0, rooms=5, plan={"locks": 4})
    with pytest.raises(
        GenerationFailed, match="ask for fewer one-way doors and shortcuts in plan, or for another"
    ):
        generate("isaac", 0, stage=1, plan={"one_way": 2})
    with pytest.raises(SpecError, match=r"plan.locks: 9 is out of range \(0 to 6\)"):
        IsaacSpec().replace({"plan.locks": 9})
    with pytest.raises(SpecError, match="plan"):
        generate("rebirth", 1, plan={"locks": 1})


def test_search_knows_locks_and_keys() -> None:
    where = "locks == 2 and keys == 2 and backtracking >= 2"
    hit = next(search("isaac", where, range(30), plan={"locks": [1, 3]}, stage=4))
    level = generate("isaac", hit.seed, plan={"locks": [1, 3]}, stage=4)
    assert sum(bool(door.needs) for door in level.doors) == 2


@pytest.mark.parametrize("what", ["layout", "markers"])
def test_a_room_rolled_again_keeps_its_key_and_its_doors(what: str) -> None:
    level = generate("isaac", 3, stage=4, plan=PLANS["all"])
    key = next(marker for marker in level.markers if marker.kind == "key")
    assert key.room is not None
    again = reroll(level, room=key.room, what=what)
    assert problems(again) == [] and again.doors == level.doors
    assert [mark.properties for mark in again.markers if mark.kind == "key" and mark.room == key.room] == [
        key.properties
    ]
    assert generate(level.spec, level.seed, rerolls=again.rerolls) == again


@pytest.mark.parametrize("form", ["map", "ldtk", "scene"])
def test_every_format_holds_the_locks(form: str, tmp_path: Path) -> None:
    """The files name keys and locks, and give the same level again."""
    level = generate("isaac", 3, stage=4, plan=PLANS["all"])
    main = exported(level, form, tmp_path)
    text = main.read_text("utf-8")
    assert all(word in text for word in ("boss_key", "locked", "barred", "one_way"))
    back = bring_back(main)
    assert back.level == level and back.notes == back.problems == []


def test_a_door_that_is_put_back_begins_where_it_began() -> None:
    """As when rooms are moved in an editor: here each to its own place."""
    level = generate("isaac", 3, stage=4, plan=PLANS["all"])
    moved = {("room", room.id, "bounds"): tuple(room.bounds) for room in level.rooms}
    assert restructured(level, level, moved).level.doors == level.doors


def test_the_arrow_of_a_one_way_door_is_in_the_wall_of_the_room_that_it_leads_into() -> None:
    level, theme = generate("isaac", 2, stage=6, plan={"one_way": 1}), load_theme()
    door = next(door for door in level.doors if door.one_way)
    into, out = door.halves
    shown = {(tile.x, tile.y): tile.open for tile in door_tiles(door, theme)}
    assert shown[into.tiles[0]] == theme.doors["one_way", into.side].open[0]
    assert shown[out.tiles[0]] == theme.doors["open", out.side].open[0]


def test_levels_that_are_too_small_for_ways_back_are_refused_without_a_search() -> None:
    """Seed 2 has 8 rooms on stage 1 with the boss, a shop and a treasure among them, seed 3 has 7."""
    for seed, plan, why in (
        (
            2,
            {"one_way": 1, "shortcuts": 1},
            "2 one-way doors and shortcuts cannot have a place among 5 normal",
        ),
        (
            3,
            {"shortcuts": 1},
            "a one-way door or a shortcut cannot have a place among 4 normal rooms; ask for",
        ),
    ):
        with pytest.raises(GenerationFailed, match=f"^seed {seed}: no floorplan: {why}") as failed:
            generate("isaac", seed, stage=1, plan=plan)
        assert failed.value.attempts == 0
    assert generate("isaac", 2, stage=1, plan={"shortcuts": 1}, until="floorplan").facts["shortcuts"] > 0


@pytest.mark.parametrize(
    ("rooms", "asked", "found"), [(4, 1, 0), (5, 1, 1), pytest.param(6, 2, 1, marks=pytest.mark.soak)]
)
def test_no_tree_is_too_small_for_ways_back_but_has_a_place_for_them(
    rooms: int, asked: int, found: int
) -> None:
    """All trees of so many rooms, with each of their rooms as the start."""
    plans = (tree_plan(cells, start) for cells in trees(rooms) for start in cells)
    assert max(ways_back(plan, asked) for plan in plans) == found


Cells = frozenset[tuple[int, int]]


def beside(cell: tuple[int, int]) -> list[tuple[int, int]]:
    return [(cell[0] + side.dx, cell[1] + side.dy) for side in Side]


def trees(rooms: int) -> set[Cells]:
    """All trees of rooms on a grid, at one place each."""
    found: set[Cells] = {frozenset([(0, 0)])}
    for _ in range(rooms - 1):
        grown = {
            cells | {cell}
            for cells in found
            for cell in {new for old in cells for new in beside(old)} - cells
            if sum(other in cells for other in beside(cell)) == 1
        }
        corners = {cells: (min(x for x, _ in cells), min(y for _, y in cells)) for cells in grown}
        found = {frozenset((x - left, y - top) for x, y in cells) for cells, (left, top) in corners.items()}
    return found


def tree_plan(cells: Cells, start: tuple[int, int]) -> Floorplan:
    steps = {start: 0}
    for cell in (order := [start]):
        for other in beside(cell):
            if other in cells and other not in steps:
                steps[other] = steps[cell] + 1
                order.append(other)
    rooms = (
        PlannedRoom("normal" if steps[cell] else "start", "1x1", (cell,), steps[cell], steps[cell])
        for cell in order
    )
    return Floorplan(tuple(rooms), {}, {})


def ways_back(plan: Floorplan, most: int) -> int:
    """How many one-way doors a floorplan can have, up to `most`, wherever each of them is."""
    rules, board, found = GatePlan(one_way=(1, 1)), Rect(-9, -9, 30, 30), 0
    for attempt in range(4):  # each draws one of the few places
        try:
            more = with_gates(plan, rules, PlanDice(0, 1, attempt), board)
        except NoPlaceError:
            break
        found = max(found, 1 + (ways_back(more, most - 1) if most > 1 else 0))
    return found


def test_a_style_of_another_package_takes_a_plan(tmp_path: Path) -> None:
    entry = "comb = comb_style:STYLE"
    packages = fake(tmp_path, "comb_style", COMB.read_text("utf-8"), "undercroft.styles", entry)
    with installed_here(packages):
        from generator.spec.read import spec_from_dict

        spec = spec_from_dict({"style": "comb", "plan": {"locks": 2, "one_way": 1}})
        level = generate(spec, 4)
        assert problems(level) == []
        assert level.facts["locks"] == 2 and level.facts["one_ways"] in (1, 2)
        with pytest.raises(GenerationFailed, match="no place for a shortcut"):
            generate(spec, 4, plan={"shortcuts": 3})
