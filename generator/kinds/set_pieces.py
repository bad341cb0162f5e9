"""Set pieces in a kit: places of several rooms, such as a cathedral, each drawn as one picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from generator.errors import shown
from generator.json_schema import listed
from generator.kinds.columns import (
    IN_CHAPTERS,
    MAX_TEXT,
    WEIGHT,
    Column,
    ColumnReader,
    RowTable,
    matches,
    name,
    reads,
    record,
    table,
    text,
)
from generator.named_tuple import NamedTuple
from generator.node import Node

MAX_PIECE = 63  # tiles on each side of a set piece
WALL_SIGN, DOORWAY, OUTSIDE_SIGN = "#", "+", " "
LABELS = "123456789"  # of a set piece's rooms


class SetPieceRow(NamedTuple):
    """A place of several rooms. See `SET_PIECES`."""

    name: str
    drawing: tuple[str, ...]
    rooms: Mapping[str, Mapping[str, Any]]
    letters: Mapping[str, str] = {}
    chapters: tuple[str, ...] = ()
    weight: int = 10

    @property
    def needs(self) -> Counter[str]:
        """How many rooms of each kind it takes from a level."""
        return Counter(room["kind"] for room in self.rooms.values())


_drawn_row = matches(f"[ -~]{{0,{MAX_PIECE}}}", f"a row of up to {MAX_PIECE} signs", "signs")


@reads(listed(_drawn_row.schema, 1, MAX_PIECE), '`["#####", "#.1.#"]`')
def _drawing(node: Node) -> tuple[str, ...]:
    rows = tuple(map(_drawn_row, node.items(MAX_PIECE, 1)))
    width = max(map(len, rows))
    return tuple(row.ljust(width) for row in rows)


_title = ColumnReader(lambda node: node.line(MAX_TEXT, 1), {**text.schema, "minLength": 1}, "a text")
_room = record({"name": _title, "kind": name}, ("name",)).into(lambda row: {"kind": "normal", **row})
_rooms_by_label = table(_room, len(LABELS), keys=matches(f"[{LABELS}]", "a number of a room, 1 to 9"))


@reads(_rooms_by_label.schema)
def _rooms(node: Node) -> dict[str, dict[str, Any]]:
    rooms = _rooms_by_label(node)
    if len(rooms) < 2:
        node.fail(f"{shown(node.value)} is one room; give two or more, or draw a layout")
    return rooms


SET_PIECES = RowTable(
    "set_piece",
    "A place of several rooms, such as a cathedral. Levels of `gungeon` get it as a whole, as drawn or "
    "mirrored.",
    {
        "drawing": Column(
            _drawing,
            "its rows, with all walls: the glyphs of layouts, `#` for wall, `+` for doorways and the short "
            "hallways behind them, a number from 1 to 9 once in each room, spaces outside",
        ),
        "rooms": Column(
            _rooms,
            "the rooms by their numbers: a name each, and a room kind, if it is not `normal`",
            form='`{ 1 = { name = "Nave" }, 2 = { name = "Vestry", kind = "chest" } }`',
        ),
        "letters": Column(
            table(text, keys=matches("[A-Z]", "a capital letter")),
            "what capital letters mean, as in the header of a layout",
            {},
            form='`{ C = "carpet" }`',
        ),
        "chapters": IN_CHAPTERS,
        "weight": WEIGHT,
    },
)
