"""Room kinds: the `[room.NAME]` rows of a kit.

A table in a row, such as `[room.garden.gungeon]`, is only for the style of this name; the style reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.kinds.columns import (
    Column,
    RowTable,
    colour,
    count,
    flag,
    glyph,
    many,
    name,
    pair,
    reads,
    table,
    text,
)
from generator.node import Node

MANY = 1 << 16  # more markers than any layout holds

Bounds = tuple[int, int]

# The remake's scale of difficulty (rebirth-wiki, step 12), which `Room.difficulty` uses for all styles.
DIFFICULTIES: dict[str, int] = {"easy": 1, "medium": 5, "hard": 10, "brutal": 15, "deadly": 20}


class RoomKind(NamedTuple):
    """A room kind. `ROOMS` gives the meaning of the keys.

    `door` is the kind of its doors on the first stage and later; None if the room on the other side decides.
    `markers` has the least and most number for each marker kind that has a rule. `becomes` is None if a
    reroll follows only the style. `styles` has a table for each style with settings of its own.
    """

    name: str
    glyph: str
    color: str = "#9aa4c4"
    icon: str = "dot"
    door: tuple[str, str] | None = None
    floor: str = "default"
    off_the_way: bool = False
    secret: bool = False
    markers: Mapping[str, Bounds] = MappingProxyType({})
    has_shapes: bool = False
    stays: str = ""
    becomes: frozenset[str] | None = None
    styles: Mapping[str, Mapping[str, Any]] = MappingProxyType({})

    def needs(self, marker: str) -> bool:
        """Whether a room of this kind must have a marker of a kind."""
        return self.markers.get(marker, (0, 0))[0] > 0


_two_doors = pair(name)


@reads({"anyOf": [name.schema, _two_doors.schema]})
def _door(node: Node) -> tuple[str, str]:
    if isinstance(node.value, list):
        return _two_doors(node)
    return name(node), name(node)


ROOMS = RowTable(
    "room",
    "A kind of room.",
    {
        "glyph": Column(glyph, "a character", "its letter in `show --floorplan`, unique among room kinds"),
        "color": Column(colour, '`"#7bd389"`', "its colour on the gallery's pages", "#9aa4c4"),
        "icon": Column(
            text, "a text", "its icon on the map: an icon of the theme, or a letter; empty for none", "dot"
        ),
        "door": Column(
            _door,
            "a door kind, or two",
            "its doors, on the first stage and later; without it the other room decides; for a secret "
            "room: `secret`",
            None,
            "door",
        ),
        "floor": Column(text, "a text", "the theme's floor for it", "its own name"),
        "off_the_way": Column(flag, "`true` or `false`", "it is a dead end: it has one door", False),
        "secret": Column(flag, "`true` or `false`", "only secret or red doors lead to it", False),
        "markers": Column(
            table(count),
            '`{ item = "1.." }`',
            'how many markers its layouts have: `"1"`, `"0..1"`, `"1.."`',
            {},
            "marker",
        ),
        "has_shapes": Column(
            flag, "`true` or `false`", "its layouts can have other shapes than `1x1`", False
        ),
        "stays": Column(text, "a text", "why a re-roll cannot change its kind", ""),
        "becomes": Column(
            many(name), "a list of room kinds", "the only kinds that a re-roll can change it to", None, "room"
        ),
    },
)


def room_kind_of(
    kind: str, row: Mapping[str, Any], styles: Mapping[str, Any], rare_markers: tuple[str, ...]
) -> RoomKind:
    """Build the kind that a row defines. `styles` are the tables in it.

    `rare_markers` appear only in rooms whose rows name them.
    """
    rules = dict.fromkeys(rare_markers, "0") | row.get("markers", {})
    values = {**row, "markers": {marker: bounds(rule) for marker, rule in rules.items()}}
    if "becomes" in values:
        values["becomes"] = frozenset(values["becomes"])
    return RoomKind(**{"name": kind, "floor": kind, **values, "styles": styles})


def bounds(rule: str) -> Bounds:
    """Parse a count: `"2"` is exactly two, `"0..1"` none or one, `"1.."` one or more."""
    least, dots, most = rule.partition("..")
    return int(least), int(most) if most else MANY if dots else int(least)
