"""A level's objects as all formats write them: their names and colours, and which doors are shut.

Names are made from kind and place: `Enemy_12_34`, `BossRoom_40_22`. Ids count through a level: with one enemy
fewer, all later ones get other ids. Editors keep a person's changes by object name, and these must not move
to another object. So names are made from facts that stay the same when something else changes. A second
object with the same name is `Enemy_12_34_2`.
"""

from __future__ import annotations

import colorsys
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from generator.geometry import Point
from generator.kinds import SHIPPED, Kinds
from generator.level import Door, Level, Marker, Property, Room
from generator.named_tuple import NamedTuple
from generator.things import corner, first

_MAX_KIND = 100  # characters
_ALONE = "player_start"  # a level has exactly one, so its name needs no place


AlikeMarkers = tuple[str, tuple[str, ...], tuple[Property, ...], tuple[type | str, ...]]
"""The kind of a marker, and its properties: also their types, or of zeros the text: True equals 1."""


class Names(NamedTuple):
    """The names of each sort of object, by id. Those of markers have gaps where rooms were rolled again."""

    rooms: tuple[str, ...]
    hallways: tuple[str, ...]
    doors: tuple[str, ...]
    markers: Mapping[int, str]


def names_of(level: Level) -> Names:
    """Name a level's objects, the same in every format."""
    return Names(
        distinct(f"{_word(room.kind)}Room{_at(corner(room))}" for room in level.rooms),
        distinct(f"Hallway{_at(first(hallway.tiles))}" for hallway in level.hallways),
        distinct(f"{_word(door.kind)}Door{_at(first(door.tiles))}" for door in level.doors),
        dict(
            zip(
                (marker.id for marker in level.markers),
                distinct(map(_of_marker, level.markers)),
                strict=True,
            )
        ),
    )


def room_names(
    rooms: Sequence[Room], usual: Sequence[str], valid: Callable[[str], str], taken: Iterable[str] = ()
) -> tuple[str, ...]:
    """Name rooms in a format: as people called them, or as `usual`.

    `valid` makes a name fit for the format, or empty if nothing of it is left. The names are distinct, and
    none is `taken`, whatever their case, because some are names of files.
    """
    own = [valid(room.name) if room.name else "" for room in rooms]
    met = {name.casefold() for name in taken}
    met |= {name.casefold() for name, called in zip(usual, own, strict=True) if not called}
    names, numbers = [], Counter[str]()
    for name, called in zip(usual, own, strict=True):
        result = called or name
        while called and result.casefold() in met:
            numbers[called] += 1
            result = f"{called}_{numbers[called] + 1}"
        met.add(result.casefold())
        names.append(result)
    return tuple(names)


def object_name(kind: str, x: int, y: int) -> str:
    """Name an object of this kind on this tile."""
    return f"{_word(kind)}{_at((x, y))}"


def alike(marker: Marker) -> AlikeMarkers:
    """Return what a marker has in common with many others. Their text in a format is made once."""
    values = tuple(marker.properties.values())
    written = tuple([type(value) if value else repr(value) for value in values])  # -0.0 equals 0.0
    return marker.kind, tuple(marker.properties), values, written


def _of_marker(marker: Marker) -> str:
    return _word(marker.kind) if marker.kind == _ALONE else object_name(marker.kind, marker.x, marker.y)


@lru_cache(maxsize=1024)
def _word(kind: str) -> str:
    """Write `super_secret` as `SuperSecret`, without characters that have a meaning in node paths."""
    return re.sub(r"\W", "_", kind[:_MAX_KIND]).title().replace("_", "")


def _at(tile: Point) -> str:
    return f"_{tile[0]}_{tile[1]}"


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Number all names after the first that are equal."""
    distinct: list[str] = []
    met: dict[str, int] = {}
    for name in names:
        number = met[name] = met.get(name, 0) + 1
        distinct.append(name if number == 1 else f"{name}_{number}")
    return tuple(distinct)


def slug(kinds: Kinds) -> str:
    """Return the kit's name, for names of files that belong to one kit.

    Kits of old levels may have names with unsafe characters; these are replaced.
    """
    if kinds == SHIPPED:
        return "shipped"
    if re.fullmatch(r"[A-Za-z0-9_-]+", kinds.name):
        return kinds.name
    return re.sub(r"[^A-Za-z0-9]+", "-", kinds.name).strip("-")[:40] or kinds.digest[:8]


# --- the colour of each marker kind in editors: fitting, and easy to tell from the others ------------

_GOLDEN = 0.618_034  # of a turn: steps of this size keep any number of hues apart


def marker_colors(names: Iterable[str], kinds: Kinds = SHIPPED) -> dict[str, str]:
    """Return the colour of each marker kind as `#RRGGBB`. Those whose rows give none get theirs in order."""
    colours, own_count = {}, 0
    for name in names:
        rows = (kinds.markers.get(name), SHIPPED.markers.get(name))
        colour = next((row.color for row in rows if row and row.color), "")
        own_count += not colour
        colours[name] = colour.upper() or _nth(own_count)
    return colours


def _nth(number: int) -> str:
    """Return the colour of a kit's own kind by its number, from 1."""
    rgb = colorsys.hsv_to_rgb(number * _GOLDEN % 1, 0.45 + 0.3 * (number % 2), 0.9)
    return "#" + "".join(f"{round(part * 255):02X}" for part in rgb)


# --- which doors are shut, locks and keys, shortcuts and one-way doors -------------------------------

NEEDS_BETWEEN = ", "  # the keys of a lock, where a format has no lists


# The facts about every door in every file. Files of older versions have neither, or `shut`.
SHUT_FACTS = ("starts_shut", "secret", "shut")


def starts_shut(door: Door, kinds: Kinds) -> bool:
    """Check whether a door starts shut: because of its kind, its lock, or as a shortcut.

    Looks, bodies, navigation and the facts in all files follow from this.
    """
    return kind_starts_shut(door.kind, kinds) or bool(door.needs) or door.opens_from is not None


def kind_starts_shut(kind: str, kinds: Kinds) -> bool:
    """Check whether all doors of a kind start shut. Hidden ones do, or they would not be hidden."""
    return kind in kinds.doors_that_start_shut or kind in kinds.secret_doors


def shut_facts(door: Door, kinds: Kinds) -> dict[str, bool]:
    """Return what every file says about every door, so that no reader has to know its kind."""
    return {"starts_shut": starts_shut(door, kinds), "secret": door.kind in kinds.secret_doors}


def needs_text(needs: Sequence[str]) -> str:
    """Join the keys of a lock to one text. Their names contain no commas or spaces. A cost repeats one."""
    return NEEDS_BETWEEN.join(needs)


def keys_by_name(level: Level) -> dict[str, list[Marker]]:
    """Group the markers of keys and levers, in order of id, by the name that locks use."""
    by_name: dict[str, list[Marker]] = {}
    for marker in level.markers:
        if marker.kind == "key":
            by_name.setdefault(str(marker.properties.get("opens", "")), []).append(marker)
    return by_name


def keys_of_door(door: Door, keys: Mapping[str, list[Marker]]) -> list[Marker]:
    """Find the markers of all keys that a door needs. `keys` comes from `keys_by_name`."""
    return [marker for name in dict.fromkeys(door.needs) for marker in keys.get(name, ())]
