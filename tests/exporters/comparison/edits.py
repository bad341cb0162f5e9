"""Random edits of a level, each with the difference that it should be found as."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import numpy as np

from exporters.comparison.differences import Difference
from generator.checks.base import owners
from generator.geometry import Point
from generator.level import Level, Marker

Expected = tuple[object, ...]
"""What is compared of a difference: subject, action, what it is about, old and new value, place."""


def seen(differences: tuple[Difference, ...]) -> Iterator[Expected]:
    """The differences in the form of `Expected`, each tile on its own."""
    for each in differences:
        if each.subject in ("terrain", "decor"):
            for tile in each.tiles:
                yield each.subject, each.action, "", each.old, each.new, tile
        elif each.subject == "marker" and each.action in ("added", "removed"):
            yield each.subject, each.action, (each.old or each.new)["kind"], None, None, each.tiles[0]
        elif each.action == "moved" and each.subject == "marker":
            yield each.subject, each.action, "", None, None, (*each.old_tiles, *each.tiles)
        else:
            old, new = (
                ",".join(value) if isinstance(value, list) else value for value in (each.old, each.new)
            )
            yield each.subject, each.action, each.key, old, new, each.ids


class Edits:
    """A level while random edits are made to it. No tile, marker, door or room is edited twice."""

    def __init__(self, level: Level, seed: int) -> None:
        self.level, self.expected, self._random = level, list[Expected](), Random(seed)
        floor = [kind.name for kind in level.terrain_kinds].index("floor")
        occupied = {(marker.x, marker.y) for marker in level.markers}
        self._owners = owners(level)
        free = np.argwhere((level.terrain == floor) & (level.covered == 0) & (self._owners >= 0)).tolist()
        self._free: list[Point] = [(x, y) for y, x in free if (x, y) not in occupied]
        self._markers = [each for each in level.markers if each.kind not in level.kinds.light_markers]
        self._doors, self._rooms = list(level.doors), list(level.rooms)
        for pool in (self._free, self._markers, self._doors, self._rooms):
            self._random.shuffle(pool)

    def some(self, number: int) -> Level:
        """Make some edits, and return the level with them."""
        ways: list[Callable[[], None]] = [self.paint, self.put, self.take, self.move, self.drop, self.add]
        ways += [self.describe, self.change_door, self.change_room, self.set_fact]
        for _ in range(number):
            self._random.choice(ways)()
        return self.level

    def paint(self) -> None:
        x, y = self._free.pop()
        name = self._random.choice(("pit", "rubble", "wall"))
        terrain = self.level.terrain.copy()
        terrain[y, x] = [kind.name for kind in self.level.terrain_kinds].index(name)
        self.level = replace(self.level, terrain=terrain)
        self.expected.append(("terrain", "changed", "", "floor", name, (x, y)))

    def put(self) -> None:
        x, y = self._free.pop()
        self._set_decor((x, y), [kind.name for kind in self.level.decor_kinds].index("rock"))
        self.expected.append(("decor", "added", "", None, "rock", (x, y)))

    def take(self) -> None:
        names = [kind.name for kind in self.level.decor_kinds]
        places = [
            (x, y)
            for y, x in np.argwhere(self.level.decor).tolist()
            if all(("decor", "added", "", None, "rock", (x, y)) != each for each in self.expected)
        ]
        if places:
            x, y = self._random.choice(places)
            self.expected.append(("decor", "removed", "", names[self.level.decor[y, x]], None, (x, y)))
            self._set_decor((x, y), 0)

    def _set_decor(self, tile: Point, number: int) -> None:
        decor = self.level.decor.copy()
        decor[tile[1], tile[0]] = number
        self.level = replace(self.level, decor=decor)

    def move(self) -> None:
        marker, (x, y) = self._markers.pop(), self._free.pop()
        self._set_marker(replace(marker, x=x, y=y, room=int(self._owners[y, x])))
        self.expected.append(("marker", "moved", "", None, None, ((marker.x, marker.y), (x, y))))

    def describe(self) -> None:
        marker = self._markers.pop()
        self._set_marker(replace(marker, properties={**marker.properties, "note": "ours"}))
        ids = marker.id, marker.id
        self.expected.append(("marker", "changed", "properties.note", None, "ours", ids))

    def drop(self) -> None:
        marker = self._markers.pop()
        left = tuple(each for each in self.level.markers if each.id != marker.id)
        self.level = replace(self.level, markers=left)
        self.expected.append(("marker", "removed", marker.kind, None, None, (marker.x, marker.y)))

    def add(self) -> None:
        x, y = self._free.pop()
        number = max((each.id for each in self.level.markers), default=0) + 1
        new = Marker(number, "chest", x, y, int(self._owners[y, x]), properties={"tier": f"new {number}"})
        self.level = replace(self.level, markers=(*self.level.markers, new))
        self.expected.append(("marker", "added", "chest", None, None, (x, y)))

    def _set_marker(self, marker: Marker) -> None:
        markers = tuple(marker if each.id == marker.id else each for each in self.level.markers)
        self.level = replace(self.level, markers=markers)

    def change_door(self) -> None:
        door = self._doors.pop()
        doors = list(self.level.doors)
        doors[door.id] = replace(door, kind="barred", needs=("bone",))
        self.level = replace(self.level, doors=tuple(doors))
        ids = door.id, door.id
        self.expected.append(("door", "changed", "kind", door.kind, "barred", ids))
        self.expected.append(("door", "changed", "needs", ",".join(door.needs), "bone", ids))

    def change_room(self) -> None:
        room = self._rooms.pop()
        rooms = list(self.level.rooms)
        rooms[room.id] = replace(room, kind="arcade", difficulty=7)
        self.level = replace(self.level, rooms=tuple(rooms))
        ids = room.id, room.id
        self.expected.append(("room", "changed", "kind", room.kind, "arcade", ids))
        self.expected.append(("room", "changed", "difficulty", room.difficulty, 7, ids))

    def set_fact(self) -> None:
        name = f"fact_{len(self.expected)}"
        self.level = replace(self.level, facts={**self.level.facts, name: 3})
        self.expected.append(("level", "changed", name, None, 3, (None, None)))
