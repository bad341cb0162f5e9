"""The `rerolls` of a level: how often each room was rolled, so that the level can be generated again.

    "rerolls": [
    {"room": 4, "kind": "library", "layout": 1},      became a library, in the first of its layouts
    {"room": 7, "layout": 3, "markers": 2}            its third roll, and two of its markers since
    ]

A room's state depends only on its own row, so rows are in the order of the rooms: rolling rooms in another
order gives the same file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from generator.errors import RerollError
from generator.json_schema import matching
from generator.kinds.columns import Column, ColumnReader, RowTable, matches, number
from generator.level import Level, Property, RerollRow
from generator.named_tuple import NamedTuple
from generator.node import KIND, LevelNode, Node

MAX_ROLLS = 1000  # of a room; then another seed is needed
EDITED: Mapping[str, Property] = {"edited": True}
MAX_ROOMS = 100_000  # no level has as many


_seed = ColumnReader(Node.seed, matching("[0-9]{1,20}"))
_count = number(1, MAX_ROLLS)
ROW = RowTable(
    "rerolls",
    "A room of a level, and how often it was rolled.",
    {
        "room": Column(number(0, MAX_ROOMS - 1), "the room's id", form="the room's id"),
        "kind": Column(
            matches(KIND, "the name of a kind; use up to 64 of a-z, 0-9 and _"),
            "the kind that the room became, if that changed",
            None,
            form="a room kind",
        ),
        "seed": Column(
            _seed, "the seed that it was rolled from, if not the level's own", None, form="a seed as text"
        ),
        "layout": Column(
            _count, "how many times its inside was rolled, with that kind and seed", None, form="a number"
        ),
        "markers": Column(_count, "how many times its markers were rolled after that", None, form="a number"),
    },
)


class NothingElseError(RerollError):
    """A room can only be what it is: there is nothing else to roll."""


class Rolls(NamedTuple):
    """The rolls of a room: the kind that it became, the seed if it is not the level's, and counts.

    `layout` counts since `kind` and `seed` are what they are, `markers` since `layout` is.
    """

    room: int
    kind: str | None = None
    seed: int | None = None
    layout: int = 0
    markers: int = 0

    @property
    def is_first_of_its_own(self) -> bool:
        """Whether the first layout of another kind or seed is about to be rolled."""
        return self.layout == 1 and (self.kind is not None or self.seed is not None)

    def next_layout(self) -> Rolls:
        """Return the rolls with one more of the inside. Raises RerollError if there were too many."""
        if self.layout == MAX_ROLLS:
            raise RerollError(
                f"room {self.room}: was rolled {MAX_ROLLS} times; continue with another seed, with --seed"
            )
        return self._replace(layout=self.layout + 1, markers=0)

    def next_markers(self) -> Rolls:
        """Return the rolls with one more of the markers. Raises RerollError if there were too many."""
        if self.markers == MAX_ROLLS:
            raise RerollError(
                f"room {self.room}: its markers were rolled {MAX_ROLLS} times; roll its layout first"
            )
        return self._replace(markers=self.markers + 1)

    def row(self) -> RerollRow:
        """Return the row as stored in the level."""
        seed = None if self.seed is None else str(self.seed)
        counts = {"layout": self.layout or None, "markers": self.markers or None}
        row = {"room": self.room, "kind": self.kind, "seed": seed, **counts}
        return {key: value for key, value in row.items() if value is not None}


def read_rows(
    rows: Iterable[RerollRow], rooms: int, kinds: Collection[str] = ()
) -> tuple[dict[int, Rolls], bool]:
    """Read the rolls of each room, and whether the level was also changed by hand. Raises LevelError.

    `kinds` are the room kinds of the level's style; without them any name is accepted.
    """
    rolls: dict[int, Rolls] = {}
    is_edited = False
    for index, row in enumerate(rows):
        node = LevelNode(dict(row), f"rerolls[{index}]")
        if row == EDITED:
            is_edited = True
            continue
        entry = _rolls(node, rooms, kinds)
        if entry.room in rolls:
            node.fail(f"room {entry.room} already has a row; each room has one")
        rolls[entry.room] = entry
    return rolls, is_edited


def _rolls(node: LevelNode, rooms: int, kinds: Collection[str]) -> Rolls:
    rolls = Rolls(**ROW.read(node))
    node["room"].number(0, rooms - 1)
    if not rolls.layout and (rolls.markers == 0 or rolls.kind or rolls.seed is not None):
        node.fail("has no layout, but a row counts the rolls of a room; add it")
    if rolls.kind and kinds:
        node["kind"].one_of(kinds)
    return rolls


def rows_of(rolls: Mapping[int, Rolls], *, is_edited: bool) -> tuple[RerollRow, ...]:
    """Return the rows as stored in the level: first the mark of a change by hand, then the rooms in order."""
    rows = tuple(rolls[room].row() for room in sorted(rolls) if rolls[room].layout or rolls[room].markers)
    return (EDITED, *rows) if is_edited else rows


def changed_by_hand(level: Level) -> Level:
    """Return the level with a note that it cannot be generated again."""
    return level if EDITED in level.rerolls else replace(level, rerolls=(EDITED, *level.rerolls))
