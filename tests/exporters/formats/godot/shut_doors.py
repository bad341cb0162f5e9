"""What shut doors do to bodies that follow the navigation of a level: a second account, and the questions to ask."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import generator
from generator.geometry import Point
from generator.level import Door, Level
from tests.exporters import kit_level, locked_level

from .test_bodies_in_godot import NEAR, spots
from .test_walking_in_godot import connections, reached

EXAMPLES = Path(__file__).parents[4] / "docs" / "examples"
FLOWS = ("descent", "gauntlet", "hub", "lock_and_key", "one_way_reward", "rings", "shortcut", "two_keys")
KITS = ("garden", "orbital")


def of_kit(kit: str, style: str, seed: int) -> Level:
    return generator.generate(style, seed, kit=str(EXAMPLES / kit))


def of_flow(flow: str, seed: int) -> Level:
    return generator.generate("gungeon", seed, flow=flow)


# Every reason for which a door is shut: kinds, kits, hidden doors, locks, shortcuts, one-way doors with a lock.
LEVELS: dict[str, Callable[[], Level]] = {
    "isaac": partial(generator.generate, "isaac", 3, stage=4),
    "rebirth": partial(generator.generate, "rebirth", 10, stage=5),
    "flow": partial(of_flow, "shortcut", 2),
    "secret": partial(of_flow, "descent", 1),
    "station": partial(of_kit, "orbital", "gungeon", 1),
    "hull": partial(of_kit, "orbital", "isaac", 2),
    "hedge": kit_level.level,
    "drop": partial(locked_level.locked_drop, "gold_key"),
}


class Walk(NamedTuple):
    """A leg: from the start to a room, or through a door or hallway; `room` is where it leads, if from the start."""

    room: int | None
    start: list[int]
    end: list[int]
    flies: bool


def legs(level: Level) -> Iterator[Walk]:
    """Walkers and flyers from the start to every room, and walkers both ways through every door and hallway."""
    spot = spots(level)
    (start,) = (room.id for room in level.rooms if room.kind == "start")
    for room in level.rooms:
        yield Walk(room.id, spot[start], spot[room.id], flies=False)
        yield Walk(None, spot[start], spot[room.id], flies=True)
    for one, other in connections(level, lambda _: True):
        yield Walk(None, spot[one], spot[other], flies=False)


def starts_open(level: Level, door: Door) -> bool:
    row = level.kinds.doors.get(door.kind)
    is_shut = row is not None and (row.starts_shut or row.is_secret)
    return not is_shut and not door.needs and door.opens_from is None


def questions(scene: str, level: Level, origin: Point = (0, 0)) -> list[dict[str, Any]]:
    """For `bodies.gd`: the legs with the doors as they are at the start, and again with all doors open."""

    def here(tile: Sequence[int]) -> list[int]:
        return [tile[0] - origin[0], tile[1] - origin[1]]

    walks = [{"from": here(one.start), "to": here(one.end), "flies": one.flies} for one in legs(level)]
    return [{"scene": scene, "legs": walks, "shut": is_shut} for is_shut in (True, False)]


def wrong(levels: Sequence[Level], answered: Path) -> list[Any]:
    """Bodies that got stuck, paths through shut doors, and rooms that are reached or not against the account."""
    answers = iter(json.loads(answered.read_bytes()))
    found: list[Any] = []
    for number, level in enumerate(levels):
        for is_open in (partial(starts_open, level), lambda _: True):
            rooms = reached(level, is_open)
            for leg, ended in zip(legs(level), next(answers), strict=True):
                is_right = leg.room is None or (ended["rest"] <= NEAR) is (leg.room in rooms)
                if ended["stuck"] or ended["crossed"] or not is_right:
                    found.append((number, leg, ended))
    return found
