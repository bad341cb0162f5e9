"""Floorplans and levels as tables of pandas, held against the rooms, doors and markers that they come from."""

from __future__ import annotations

import sys
from itertools import chain
from typing import Any

import numpy as np
import pandas
import pytest

from generator import GenerationFailed, UndercroftError, floorplans, generate
from generator.styles.columns import columns_of_plans

STYLES = ("isaac", "rebirth", "gungeon")
SEEDS = (3, 2**64 - 1, 4)


def rows(frame: pandas.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    """The rows of some columns, with None for what is missing."""
    columns = (frame[name].astype(object).where(frame[name].notna(), None) for name in names)
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("style", STYLES)
def test_floorplans_are_a_row_for_each_room_and_door(style: str) -> None:
    frames = floorplans(style, SEEDS).to_pandas()
    plans = [(seed, generate(style, seed, until="floorplan")) for seed in SEEDS]
    assert rows(frames.levels, "seed", "rooms", "columns", "rows") == [
        (seed, len(plan.rooms), *plan.extent) for seed, plan in plans
    ]
    rooms = [(seed, i, room) for seed, plan in plans for i, room in enumerate(plan.rooms)]
    assert rows(frames.rooms, "seed", "room", "kind", "distance", "depth") == [
        (seed, i, room.kind, room.distance, room.depth) for seed, i, room in rooms
    ]
    if style == "gungeon":
        sizes = [room.bounds for _, _, room in rooms]
        assert rows(frames.rooms, "x", "y", "width", "height") == sizes
    else:
        assert list(frames.rooms.cells) == [len(room.cells) for _, _, room in rooms]
        doors = [(seed, door.a, door.b, door.kind) for seed, plan in plans for door in plan.doors]
        assert rows(frames.doors, "seed", "room_a", "room_b", "kind") == doors
    facts = {f"fact_{name}" for _, plan in plans for name in plan.facts}
    assert facts == {name for name in frames.levels if name.startswith("fact_")}


def test_a_seed_without_a_floorplan_has_no_rooms() -> None:
    failed = GenerationFailed("floorplan", 9, "no space", 4)
    plans = columns_of_plans([3, 4], [generate("isaac", 3, until="floorplan"), failed], frozenset())
    levels, rooms, doors = plans.to_pandas()
    assert list(levels.made) == [True, False] and list(levels.rooms.isna()) == [False, True]
    assert set(rooms.seed) == set(doors.seed) == {3}
    nothing = floorplans("isaac", []).to_pandas()
    assert [len(frame) for frame in nothing] == [0, 0, 0]


def test_a_fact_that_a_level_does_not_have_is_missing() -> None:
    seeds = (212, 213, 214)
    whole = floorplans("gungeon", seeds).to_pandas().levels
    for seed, row in zip(seeds, whole.to_dict("records"), strict=True):
        facts = {f"fact_{k}": v for k, v in generate("gungeon", seed, until="floorplan").facts.items()}
        assert {k: v for k, v in row.items() if k.startswith("fact_") and not pandas.isna(v)} == facts
    assert whole.fact_unmet.isna().sum() == whole.fact_unmet_rules.isna().sum() == len(seeds) - 1


@pytest.mark.parametrize("style", STYLES)
def test_a_level_is_a_row_for_each_of_its_parts(style: str) -> None:
    level = generate(style, 3)
    frames = level.to_pandas()
    (whole,) = rows(frames.levels, "seed", "style", "width", "height", "rooms", "fingerprint")
    assert whole == (3, style, level.width, level.height, len(level.rooms), level.fingerprint)
    for name, fact in level.facts.items():
        assert list(frames.levels[f"fact_{name}"]) == [fact]
    names = ("kind", "distance", "difficulty")
    texts = ("layout", "zone", "name")
    assert rows(frames.rooms, "room", *names, *texts, "cells", "x", "y", "width", "height") == [
        (
            *(room.id, *(getattr(room, name) for name in names)),
            *(getattr(room, name) or None for name in texts),
            *(len(room.cells) or None, *room.bounds),
        )
        for room in level.rooms
    ]
    assert rows(frames.doors, "door", "room_a", "room_b", "kind", "side") == [
        (door.id, *door.rooms, door.kind, door.side) for door in level.doors
    ]
    by_hallway = dict(chain.from_iterable(((d, h.id) for d in h.doors) for h in level.hallways))
    assert rows(frames.doors, "hallway") == [(by_hallway.get(door.id),) for door in level.doors]
    for place, marker in enumerate(level.markers):
        row = frames.markers.iloc[place]
        assert (row.marker, row.kind, row.x, row.y) == (marker.id, marker.kind, marker.x, marker.y)
        properties = {name: row[name] for name in frames.markers if name.startswith("property_")}
        found = {name: value for name, value in properties.items() if value is not pandas.NA}
        assert found == {f"property_{name}": value for name, value in marker.properties.items()}


@pytest.mark.parametrize("values", [{}, {"rooms": 1}], ids=["many-rooms", "one-room"])
def test_tables_of_levels_fit_together(values: dict[str, int]) -> None:
    """A column has one type, also where a level has no value of it."""
    first, second = (generate("gungeon", seed, **values).to_pandas() for seed in (3, 4))
    isaac = generate("isaac", "my game").to_pandas()
    for one, two, three in zip(first, second, isaac, strict=True):
        whole = pandas.concat([one, two, three], ignore_index=True)
        assert len(whole) == len(one) + len(two) + len(three)
        assert whole.dtypes.seed == np.uint64 and object not in set(whole.dtypes)


def test_without_pandas_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for made in (generate("isaac", 3), floorplans("isaac", [3])):
        with pytest.raises(UndercroftError, match=r"^to_pandas: needs pandas; run .* install .*\[pandas\]"):
            made.to_pandas()
