"""A level's table that is damaged on purpose, and helpers to find what can be damaged in it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from typing import Any

from generator import Level
from generator.checks.base import owners
from generator.geometry import Point, Side
from generator.interiors.interior import BURNS
from generator.kinds.kind_tables import HUNG
from tests.generator.breakages.base import Unfit, first

Row = dict[str, Any]
_LIT = {name for burning in BURNS.values() for name in burning}


class Draft:
    """The table of one level, and dice for where to damage it."""

    def __init__(self, level: Level, seed: int) -> None:
        self.level, self.dice = level, random.Random(seed)
        self.table: Row = json.loads(json.dumps(level.to_dict()))
        self.width = level.width
        self.owner, self.covered = owners(level), level.covered
        self._walk = level.passable("walk")

    def one(self, things: Iterable[Any]) -> Any:
        """One of some things. Raises Unfit if there are none."""
        found = list(things)
        return first([self.dice.choice(found)] if found else [])

    def rooms(self, *kinds: str) -> list[Row]:
        return [row for row in self.table["rooms"] if not kinds or row["kind"] in kinds]

    def room(self, *kinds: str) -> Row:
        row: Row = self.one(self.rooms(*kinds))
        return row

    def markers(self, *kinds: str, room: Row | None = None) -> list[Row]:
        rows = [row for row in self.table["markers"] if not kinds or row["kind"] in kinds]
        return rows if room is None else [row for row in rows if row["room"] == room["id"]]

    def marker(self, *kinds: str) -> Row:
        row: Row = self.one(self.markers(*kinds))
        return row

    def door(self, *kinds: str) -> Row:
        row: Row = self.one(row for row in self.table["doors"] if not kinds or row["kind"] in kinds)
        return row

    def doors(self, room: Row) -> list[Row]:
        return [row for row in self.table["doors"] if room["id"] in row["rooms"]]

    def hallway(self) -> Row:
        row: Row = self.one(self.table["hallways"])
        return row

    def remove(self, gone: Iterable[Row]) -> None:
        """Remove markers, and number the others anew."""
        numbers = {row["id"] for row in gone}
        if not numbers:
            raise Unfit
        self.table["markers"] = [row for row in self.table["markers"] if row["id"] not in numbers]
        for number, row in enumerate(self.table["markers"]):
            row["id"] = number

    def add(self, kind: str, tile: Point, room: int | None, **properties: Any) -> Row:
        """Add a marker, with the properties of another one of its kind."""
        usual: Row = next((row["properties"] for row in self.markers(kind)), {})
        row = {"id": len(self.table["markers"]), "kind": kind, "x": tile[0], "y": tile[1]}
        row |= {"room": room, "hallway": None, "properties": {**usual, **properties}}
        self.table["markers"].append(row)
        return row

    # --- tiles -------------------------------------------------------------------------------------------

    def number(self, name: str, table: str = "terrain") -> int:
        """The number of a kind in a table. Raises Unfit if the level's kit has none of the name."""
        kinds = self.table[f"{table}_kinds"]
        return first(number for number, row in enumerate(kinds) if row["name"] == name)

    def name(self, tile: Point) -> str:
        number = self.table["terrain"][tile[1] * self.width + tile[0]]
        return str(self.table["terrain_kinds"][number]["name"])

    def paint(self, tiles: Iterable[Point], name: str, table: str = "terrain") -> None:
        """Give tiles another terrain or decor. Raises Unfit if there are none."""
        number, places = self.number(name, table), list(tiles)
        if not places:
            raise Unfit
        for x, y in places:
            self.table[table][y * self.width + x] = number

    def tiles(self, *names: str, room: Row | None = None) -> list[Point]:
        """The tiles of some terrain, row by row, of a room or of the level."""
        numbers = {number for number, row in enumerate(self.table["terrain_kinds"]) if row["name"] in names}
        found = (
            divmod(place, self.width)[::-1]
            for place, number in enumerate(self.table["terrain"])
            if number in numbers
        )
        return [(x, y) for x, y in found if room is None or self.owner[y, x] == room["id"]]

    def floor(self, room: Row | None = None, away: int = 0) -> list[Point]:
        """Bare floor without a marker, so many steps away from the doors of all rooms."""
        taken = {(row["x"], row["y"]) for row in self.table["markers"]}
        doors = [tile for row in self.table["doors"] for tile in row["tiles"]] if away else []
        return [
            (x, y)
            for x, y in self.tiles("floor", room=room)
            if not self.covered[y, x]
            and (x, y) not in taken
            and all(abs(x - a) + abs(y - b) > away for a, b in doors)
        ]

    def is_free(self, tile: Point) -> bool:
        """Whether one can walk there."""
        return bool(self._walk[tile[1], tile[0]])

    def thing(self) -> str:
        """The name of a thing of one tile that stands, and does not burn."""
        name: str = self.one(
            row["name"]
            for row in self.table["decor_kinds"][1:]
            if row["size"] == [1, 1] and not row["hazard"] and row["name"] not in (*HUNG, *_LIT)
        )
        return name

    def ground(self, room: Row) -> list[Point]:
        """All tiles of a room that are neither wall nor door nor void."""
        inside = ("floor", "pit", "bridge", "rubble")
        return self.tiles(*inside, room=room)

    def walls(self) -> list[Point]:
        """Walls of rooms between two others, with floor on one side and what is not floor on the other."""
        return [
            (x, y)
            for x, y in self.tiles("wall")
            if self.owner[y, x] >= 0
            and self.name((x, y + 1)) == "floor"
            and self.name((x, y - 1)) in ("wall", "void")
            and self.name((x - 1, y)) == self.name((x + 1, y)) == "wall"
        ]


def beyond(row: Row, step: int = 1) -> list[Point]:
    """The tiles before a door, in its first room."""
    side = Side.named(row["side"])
    half = row["tiles"][: len(row["tiles"]) // (1 if row["rooms"][1] is None else 2)]
    return [(x - step * side.dx, y - step * side.dy) for x, y in half]


Damage = Callable[[Draft], None]
