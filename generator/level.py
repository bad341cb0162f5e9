"""A finished level: the only thing that exporters see. Everything in it is frozen.

Arrays are [y, x] with y downwards, one absolute frame of tiles with the origin at the top left, and at
least `MARGIN` tiles of void all round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.geometry import GridFrame, Point, Rect
from generator.kinds import DECOR_KINDS, TERRAIN_KINDS, DecorKind, TerrainKind
from generator.serialise import fingerprint, level_to_dict
from generator.spec import LevelSpec

Tiles = npt.NDArray[np.uint8]
Property = bool | int | float | str

MOST_TILES = 1 << 23  # of a level: what a level.json of a size that is read has place for
MARGIN = 2  # tiles; the three-quarter view draws a wall's top behind its face, and its front below it


@dataclass(frozen=True, slots=True)
class Room:
    """A room; `bounds` and `outline` include its walls.

    `outline` is an outer ring and its holes, clockwise, tile corners. `distance` counts rooms walked
    from the start without secret doors, None where only they lead; `depth` is the depth in the tree that
    grew the floorplan. `difficulty` is 1 (easy), 5 (medium) or 10 (hard), the game's own scale, and 0
    for rooms that have none. `layout` names what furnished it.
    """

    id: int
    kind: str
    shape: str
    cells: tuple[Point, ...]
    bounds: Rect
    outline: tuple[tuple[Point, ...], ...]
    distance: int | None
    depth: int
    difficulty: int
    layout: str


@dataclass(frozen=True, slots=True)
class Door:
    """An opening, stored once.

    Between two rooms of a grid style `side` is seen from rooms[0]; the first half of `tiles` lies in
    rooms[0]'s wall, the second in rooms[1]'s. Between a room and a hallway rooms[1] is None.
    """

    id: int
    rooms: tuple[int, int | None]
    tiles: tuple[Point, ...]
    side: str
    kind: str


@dataclass(frozen=True, slots=True)
class Hallway:
    """A path of floor tiles between two doors, outside every room's bounds."""

    id: int
    doors: tuple[int, int]
    tiles: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Marker:
    """A named point on a tile, with typed properties; a spawn is a kind of marker."""

    id: int
    kind: str
    x: int
    y: int
    room: int | None
    hallway: int | None = None
    properties: Mapping[str, Property] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "properties", _frozen(self.properties))

    def __reduce__(self) -> tuple[object, ...]:  # see Level
        place = (self.id, self.kind, self.x, self.y, self.room, self.hallway)
        return Marker, (*place, dict(self.properties))


@dataclass(frozen=True, eq=False)
class Level:
    """Everything generated from one spec and seed.

    Rooms, doors and hallways stand at their ids. Markers come in the order of theirs, which has gaps
    where rooms were rolled again: those of the other rooms keep their ids.
    """

    seed: int
    spec: LevelSpec
    terrain: Tiles
    decor: Tiles
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    markers: tuple[Marker, ...]
    hallways: tuple[Hallway, ...] = ()
    grid: GridFrame | None = None
    seed_text: str | None = None
    facts: Mapping[str, Property] = field(default_factory=dict)
    terrain_kinds: tuple[TerrainKind, ...] = TERRAIN_KINDS
    decor_kinds: tuple[DecorKind, ...] = DECOR_KINDS
    rerolls: tuple[Mapping[str, Property], ...] = ()

    def __post_init__(self) -> None:
        for array in (self.terrain, self.decor):
            array.setflags(write=False)
        object.__setattr__(self, "facts", _frozen(self.facts))
        object.__setattr__(self, "rerolls", tuple(map(_frozen, self.rerolls)))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as what it was made of: arrays forget that they are read-only, frozen tables refuse."""
        parts = {one.name: getattr(self, one.name) for one in fields(self)}
        parts |= {"facts": dict(self.facts), "rerolls": tuple(map(dict, self.rerolls))}
        return Level, tuple(parts.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Level) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @property
    def style(self) -> str:
        """The spec's style."""
        return self.spec.style

    @property
    def width(self) -> int:
        """In tiles."""
        return int(self.terrain.shape[1])

    @property
    def height(self) -> int:
        """In tiles."""
        return int(self.terrain.shape[0])

    @cached_property
    def covered(self) -> Tiles:
        """As `decor`, but with every tile that a thing covers, not only its top left one."""
        return spread_decor(self.decor, self.decor_kinds)

    def passable(self, way: str) -> npt.NDArray[np.bool_]:
        """[y, x]: where a body that can `walk`, `fly` or `shoot` may be, decor considered."""
        return passable(self.terrain, self.covered, way, self.terrain_kinds, self.decor_kinds)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the level, the same for the same level whichever version made it."""
        return fingerprint(self)

    def to_dict(self) -> dict[str, Any]:
        """What level.json holds."""
        return level_to_dict(self)


def _frozen(table: Mapping[str, Property]) -> Mapping[str, Property]:
    return MappingProxyType(dict(table))


def spread_decor(decor: Tiles, kinds: tuple[DecorKind, ...]) -> Tiles:
    """Copy each thing's number from its top left tile to every tile that it covers."""
    covered = decor.copy()
    for number, kind in enumerate(kinds):
        if kind.width * kind.height > 1:
            ys, xs = np.nonzero(decor == number)
            for dy in range(kind.height):
                for dx in range(kind.width):
                    covered[ys + dy, xs + dx] = number
    covered.setflags(write=False)
    return covered


def passable(
    terrain: Tiles,
    covered: Tiles,
    way: str,
    terrain_kinds: tuple[TerrainKind, ...] = TERRAIN_KINDS,
    decor_kinds: tuple[DecorKind, ...] = DECOR_KINDS,
) -> npt.NDArray[np.bool_]:
    """[y, x]: where a body that can `walk`, `fly` or `shoot` may be."""
    terrain_lets = np.array([getattr(kind, way) for kind in terrain_kinds])
    decor_lets = np.array([getattr(kind, way) for kind in decor_kinds])
    result: npt.NDArray[np.bool_] = terrain_lets[terrain] & decor_lets[covered]
    return result
