"""Names of a level's objects, made from kind and place: `Enemy_12_34`, `BossRoom_40_22`.

Ids count through a level: with one enemy fewer, all later ones get other ids. Editors keep a person's
changes by object name, and these must not move to another object. So names are made from facts that
stay the same when something else changes. A second object with the same name is `Enemy_12_34_2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from generator.geometry import Point
from generator.kinds import SHIPPED, Kinds
from generator.level import Level, Marker, Room

_MAX_KIND = 100  # characters
_ALONE = "player_start"  # a level has exactly one, so its name needs no place


class Names(NamedTuple):
    """The names of each sort of object, by id. Those of markers have gaps where rooms were rolled again."""

    rooms: tuple[str, ...]
    hallways: tuple[str, ...]
    doors: tuple[str, ...]
    markers: Mapping[int, str]


def names_of(level: Level) -> Names:
    """Name a level's objects, the same in every format."""
    return Names(
        _distinct(f"{_word(room.kind)}Room{_at(_corner(room))}" for room in level.rooms),
        _distinct(f"Hallway{_at(_first(hallway.tiles))}" for hallway in level.hallways),
        _distinct(f"{_word(door.kind)}Door{_at(_first(door.tiles))}" for door in level.doors),
        dict(
            zip(
                (marker.id for marker in level.markers),
                _distinct(map(_of_marker, level.markers)),
                strict=True,
            )
        ),
    )


def thing_name(kind: str, x: int, y: int) -> str:
    """Name an object of this kind on this tile."""
    return f"{_word(kind)}{_at((x, y))}"


def _of_marker(marker: Marker) -> str:
    return _word(marker.kind) if marker.kind == _ALONE else thing_name(marker.kind, marker.x, marker.y)


@lru_cache(maxsize=1024)
def _word(kind: str) -> str:
    """Write `super_secret` as `SuperSecret`, without characters that have a meaning in node paths."""
    return re.sub(r"\W", "_", kind[:_MAX_KIND]).title().replace("_", "")


def _at(tile: Point) -> str:
    return f"_{tile[0]}_{tile[1]}"


def _corner(room: Room) -> Point:
    """Return a room's first corner in row order, as that of its bounds may be another's (an L's notch)."""
    return _first([corner for ring in room.outline for corner in ring] or [(room.bounds.x, room.bounds.y)])


def _first(tiles: Iterable[Point]) -> Point:
    return min(tiles, key=lambda tile: (tile[1], tile[0]), default=(0, 0))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(_counted(names))


def _counted(names: Iterable[str]) -> Iterator[str]:
    met: dict[str, int] = {}
    for name in names:
        met[name] = times = met.get(name, 0) + 1
        yield name if times == 1 else f"{name}_{times}"


def slug(kinds: Kinds) -> str:
    """Return the kit's name, for names of files that belong to one kit.

    Kits of old levels may have names with unsafe characters; these are replaced.
    """
    if kinds == SHIPPED:
        return "shipped"
    if re.fullmatch(r"[A-Za-z0-9_-]+", kinds.name):
        return kinds.name
    return re.sub(r"[^A-Za-z0-9]+", "-", kinds.name).strip("-")[:40] or kinds.digest[:8]
