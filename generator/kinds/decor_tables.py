"""The decor of rooms in a kit: tables of loose things, and arrangements, which are small drawings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from generator.json_schema import listed
from generator.kinds.columns import (
    IN_CHAPTERS,
    ONE_IN,
    WEIGHT,
    Column,
    RowTable,
    choice,
    glyph,
    many,
    matches,
    name,
    number,
    pair,
    percent,
    reads,
    record,
    span,
    table,
)
from generator.named_tuple import NamedTuple
from generator.node import Node

if TYPE_CHECKING:
    from generator.kinds.kinds import Kinds

_things = table(percent)
_NOTHING = {"chance": 0, "things": {}}
_loose = record({"chance": percent, "things": _things}).into(lambda row: {**_NOTHING, **row})
_TORCHES = {"every": (7, 11), "radius": 3, "dark": 0}
_torches = record({"every": span(3, 60), "radius": number(1, 12), "dark": percent}).into(
    lambda row: {**_TORCHES, **row}
)
_FORM = "`{ chance = 9, things = { pot = 3 } }`"

DECOR_TABLES = RowTable(
    "decor_table",
    "The decor of rooms of `gungeon`. A room kind's row names its table.",
    {
        "share": Column(
            percent, "how much of the floor arrangements take, with the tiles they keep clear", 0
        ),
        "wall": Column(
            _loose, "in patches along walls: percent of the tiles, and weights", _NOTHING, form=_FORM
        ),
        "middle": Column(_loose, "in patches away from walls", _NOTHING, form=_FORM),
        "growth": Column(_loose, "flat things in patches along walls", _NOTHING, form=_FORM),
        "wear": Column(
            _loose, "flat things where people walk, from each door to the middle", _NOTHING, form=_FORM
        ),
        "rows": Column(
            many(pair(name)),
            "pairs that alternate in rows around a centrepiece",
            (),
            form='`[["rug", "barrel"]]`',
        ),
        "torches": Column(
            _torches,
            "tiles from torch to torch along walls, how many tiles they light, and percent of the rooms that "
            "are dark: these have torches only beside doors and what matters",
            _TORCHES,
            form="`{ every = [5, 7], radius = 5, dark = 0 }`",
        ),
        "banners": Column(
            number(0, 60), "tiles from banner to banner along the wall in the north; 0: none", 0, form="tiles"
        ),
    },
)

# --- arrangements of decor: `[arrangement.NAME]` -----------------------------------------------------

ANCHORS = ("corner", "wall", "middle", "doorway", "pillar", "pit", "focus")
BORDER = "border"  # beside the kinds of doors: those between two districts
MIDDLE = "middle"  # beside the kinds of markers: the middle of a room where several ways meet
MAX_DRAWN = 12  # tiles on each side of an arrangement
CLEAR, ANYTHING = ".", " "  # signs of a drawing


class ArrangementRow(NamedTuple):
    """A small drawing of decor, and where it stands. See `ARRANGEMENTS`."""

    drawing: tuple[str, ...]
    decor: tuple[str, ...]
    anchor: str = "wall"
    letters: Mapping[str, str] = {}
    chapters: tuple[str, ...] = ()
    weight: int = 10
    most: int = 1
    one_in: int = 1
    at: tuple[str, ...] = ()
    doors: tuple[str, ...] = ()
    leads: str = ""


_drawn_row = matches(f"[ !-~]{{1,{MAX_DRAWN}}}", f"a row of 1 to {MAX_DRAWN} letters", "letters")


@reads(listed(_drawn_row.schema, 1, MAX_DRAWN), '`["cb.", "c.%"]`')
def _drawing(node: Node) -> tuple[str, ...]:
    rows = tuple(map(_drawn_row, node.items(MAX_DRAWN)))
    if not any(sign not in (CLEAR, ANYTHING) for row in rows for sign in row):
        node.fail('is empty; draw decor by its letters, such as ["cb.", "c.%"]')
    width = max(map(len, rows))
    return tuple(row.ljust(width) for row in rows)


def things_drawn(row: ArrangementRow, kinds: Kinds) -> Iterator[tuple[int, int, int]]:
    """Yield the things of a drawing: their top left tiles (x, y), and their numbers."""
    for y, line in enumerate(row.drawing):
        for x, sign in enumerate(line):
            if sign not in (CLEAR, ANYTHING):
                own = row.letters.get(sign)
                yield x, y, kinds.decor_ids[own] if own else kinds.glyphs[sign].decor


ARRANGEMENTS = RowTable(
    "arrangement",
    "A small drawing of decor that rooms of `gungeon` get as a whole, mirrored and turned. Things of several "
    "tiles are drawn at their top left tile.",
    {
        "drawing": Column(
            _drawing,
            "its rows: letters of decor, `.` for floor that stays clear, a space for anything",
        ),
        "decor": Column(
            many(name),
            "the decor tables of the rooms that it suits",
            form="a list of names",
            names="decor_table",
        ),
        "anchor": Column(
            choice(*ANCHORS),
            "where it stands, drawn as it looks there: `wall`, below a wall to its north; `corner`, in a "
            "north-western corner; `middle`, away from walls; `doorway`, to the right of a door in a north "
            "wall, and mirrored to its left; `pillar`, below a free-standing wall; `pit`, below a pit; "
            "`focus`, round a marker, which is in its middle, as it looks to those who come from below",
            "wall",
            form="a place",
        ),
        "letters": Column(
            table(name, keys=glyph), "what letters of its own mean", {}, form='`{ R = "weapon_rack" }`'
        ),
        "chapters": IN_CHAPTERS,
        "weight": WEIGHT,
        "most": Column(number(1, 20), "how often it may stand in one room", 1, form="a number"),
        "one_in": ONE_IN,
        "at": Column(
            many(name),
            "for `focus`: the markers that it stands round, each of which gets one such arrangement; "
            "`middle`: the middle of a room where three ways or more meet",
            (),
            form="a list of names",
        ),
        "doors": Column(
            many(name),
            "for `doorway`: the kinds of doors close beside which one such arrangement always stands; "
            "`border`: doors between two districts",
            (),
            form="a list of names",
        ),
        "leads": Column(
            name,
            "flat decor that leads there from the door; with `doors`, it lies between the two images",
            "",
            form="a piece of decor",
            names="decor",
        ),
    },
)
