"""A finished level: the only thing that exporters see. Everything in it is frozen.

Arrays are [y, x] with y downwards, one absolute frame of tiles with the origin at the top left, and at
least `MARGIN` tiles of void all round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from generator.geometry import GridFrame, Point, Rect, Side
from generator.kinds import SHIPPED, DecorKind, Kinds, TerrainKind
from generator.named_tuple import NamedTuple
from generator.serialise import dumps, fingerprint, former_fingerprint, level_to_dict
from generator.styles.registry import DRAWN

if TYPE_CHECKING:
    import networkx

    from generator.data_frames import LevelFrames
    from generator.spec.base import LevelSpec


Tiles = npt.NDArray[np.uint8]
Property = bool | int | float | str
MarkerRow = tuple[str, int, int, int | None, int | None, Mapping[str, Property]]
RerollRow = Mapping[str, Property]  # the rerolls of one room; `generator.rerolls` reads it

MAX_TILES = 1 << 23  # of a level: what fits into the largest level.json that is read
MAX_NAME = 64  # characters of a room's name
LOOK_LAYERS = ("ground", "walls")
MARGIN = 2  # tiles; the three-quarter view draws a wall's top behind its face, and its front below it


class _RoomFields:
    """The fields of a room before it is frozen: setting them on a frozen one is eight times as slow."""

    __slots__ = (
        "bounds", "cells", "depth", "difficulty", "distance", "id", "kind", "layout", "name", "outline",
        "shape", "zone",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Room(_RoomFields):
    """A room whose `outline` and `bounds`, the smallest rectangle round its tiles, include its walls.

    `outline` is an outer ring and its holes, clockwise, tile corners. `distance` counts rooms walked
    from the start without secret and red doors, None where only they lead; `depth` is the depth in the tree
    that grew the floorplan. `difficulty` is 1 (easy), 5 (medium) or 10 (hard), the game's own scale, and 0
    for other rooms. `layout` names what furnished it. Rooms of one `zone` share their looks
    and enemies; it is empty for a room without a zone. `name` is what a person called it: one line of at most
    `MAX_NAME` characters, or empty.
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
    zone: str = ""
    name: str = ""


def new_room(
    id: int,
    kind: str,
    shape: str,
    cells: tuple[Point, ...],
    bounds: Rect,
    outline: tuple[tuple[Point, ...], ...],
    distance: int | None,
    depth: int,
    difficulty: int,
    layout: str,
    zone: str = "",
    name: str = "",
) -> Room:
    """Make a room as `Room` does, faster."""
    room: Any = _RoomFields()
    room.id, room.kind, room.shape, room.cells, room.bounds = id, kind, shape, cells, bounds
    room.outline, room.distance, room.depth = outline, distance, depth
    room.difficulty, room.layout, room.zone, room.name = difficulty, layout, zone, name
    room.__class__ = Room  # from now on it is frozen
    frozen: Room = room
    return frozen


class DoorHalf(NamedTuple):
    """The part of a door in one room's wall, with `side` as seen from that room."""

    room: int
    side: str
    tiles: tuple[Point, ...]


class _DoorFields:
    """The fields of a door before it is frozen."""

    __slots__ = ("id", "joins", "kind", "needs", "one_way", "opens_from", "rooms", "side", "tiles")


@dataclass(frozen=True, slots=True)
class Door(_DoorFields):
    """An opening, stored once.

    Between two rooms of a grid style `side` is seen from rooms[0]; the first half of `tiles` lies in
    rooms[0]'s wall, the second in rooms[1]'s. Between a room and a hallway rooms[1] is None.

    A locked hallway has its lock at one door: `needs` names the keys that open it. `one_way` is true of the
    door by which the player arrives and cannot go back: it falls shut behind the player. `opens_from` is
    the room of the door's own wall: the first time, a shortcut can only be opened from there. `joins` is the
    class of the exits that its connection joins, empty for the plain one.
    """

    id: int
    rooms: tuple[int, int | None]
    tiles: tuple[Point, ...]
    side: str
    kind: str
    needs: tuple[str, ...] = ()
    one_way: bool = False
    opens_from: int | None = None
    joins: str = ""

    @property
    def halves(self) -> tuple[DoorHalf, ...]:
        """One half per room of the door. A door of a single tile is in the walls of both rooms."""
        a, b = self.rooms
        if b is None:
            return (DoorHalf(a, self.side, self.tiles),)
        half = len(self.tiles) // 2
        own, theirs = (self.tiles[:half], self.tiles[half:]) if half else (self.tiles, self.tiles)
        return DoorHalf(a, self.side, own), DoorHalf(b, Side.named(self.side).opposite.label, theirs)


def new_door(
    id: int,
    rooms: tuple[int, int | None],
    tiles: tuple[Point, ...],
    side: str,
    kind: str,
    needs: tuple[str, ...] = (),
    one_way: bool = False,
    opens_from: int | None = None,
    joins: str = "",
) -> Door:
    """Make a door as `Door` does, faster."""
    door: Any = _DoorFields()
    door.id, door.rooms, door.tiles, door.side, door.kind = id, rooms, tiles, side, kind
    door.needs, door.one_way, door.opens_from, door.joins = needs, one_way, opens_from, joins
    door.__class__ = Door  # from now on it is frozen
    frozen: Door = door
    return frozen


@dataclass(frozen=True, slots=True)
class Hallway:
    """A path of floor tiles between two doors, outside every room's bounds."""

    id: int
    doors: tuple[int, int]
    tiles: tuple[Point, ...]


class PaintedLook(NamedTuple):
    """A tile that a person painted over one that means the same, such as another floor in a room.

    `theme` is the name of the theme whose atlas index `tile` is; other themes do not draw it. `layer` is one
    of `LOOK_LAYERS`.
    """

    theme: str
    layer: str
    x: int
    y: int
    tile: int


class _MarkerFields:
    """The fields of a marker before it is frozen."""

    __slots__ = ("hallway", "id", "kind", "properties", "room", "x", "y")


@dataclass(frozen=True, slots=True)
class Marker(_MarkerFields):
    """A named point on a tile, with typed properties. A spawn is a kind of marker.

    A `MappingProxyType` given as `properties` is not copied; do not change its contents afterwards.
    """

    id: int
    kind: str
    x: int
    y: int
    room: int | None
    hallway: int | None = None
    properties: Mapping[str, Property] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if type(self.properties) is not MappingProxyType:
            object.__setattr__(self, "properties", _frozen(self.properties))

    def __reduce__(self) -> tuple[object, ...]:  # see Level
        identity = (self.id, self.kind, self.x, self.y, self.room, self.hallway)
        return Marker, (*identity, dict(self.properties))


def numbered_markers(rows: Iterable[MarkerRow]) -> tuple[Marker, ...]:
    """Number markers from 0, each made from its kind, x, y, room, hallway and properties."""
    markers = []
    for number, (kind, x, y, room, hallway, properties) in enumerate(rows):
        marker: Any = _MarkerFields()
        marker.id, marker.kind, marker.x, marker.y = number, kind, x, y
        marker.room, marker.hallway = room, hallway
        marker.properties = properties if type(properties) is MappingProxyType else _frozen(properties)
        marker.__class__ = Marker  # from now on it is frozen
        markers.append(marker)
    return tuple(markers)


@dataclass(frozen=True, eq=False, repr=False)
class Level:
    """Everything generated from one spec and seed.

    The id of a room, door or hallway is its index. Markers are sorted by id, with gaps
    where rooms were rolled again: the markers of other rooms keep their ids. `kinds` are the rows of the kit
    that the level was made with; `terrain_kinds` and `decor_kinds`, the tables of its arrays, come from them
    if not given. `edited` lists what a person changed in an exported file that was read back, and `looks` are
    tiles painted there that mean what the level has anyway, in the order of rows.
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
    terrain_kinds: tuple[TerrainKind, ...] = ()
    decor_kinds: tuple[DecorKind, ...] = ()
    rerolls: tuple[RerollRow, ...] = ()
    kinds: Kinds = SHIPPED
    edited: Mapping[str, Property] = field(default_factory=dict)
    looks: tuple[PaintedLook, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "terrain_kinds", self.terrain_kinds or self.kinds.terrain)
        object.__setattr__(self, "decor_kinds", self.decor_kinds or self.kinds.decor)
        for array in (self.terrain, self.decor):
            array.setflags(write=False)
        object.__setattr__(self, "facts", _frozen(self.facts))
        object.__setattr__(self, "rerolls", tuple(map(_frozen, self.rerolls)))
        object.__setattr__(self, "edited", _frozen(self.edited))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arguments: arrays would forget that they are read-only, and frozen tables refuse."""
        parts = {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}
        parts |= {"facts": dict(self.facts), "rerolls": tuple(map(dict, self.rerolls))}
        parts |= {"edited": dict(self.edited)}
        return Level, tuple(parts.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Level) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        seed = self.seed if self.seed_text is None else repr(self.seed_text)
        size = f"{len(self.rooms)} rooms, {self.width} x {self.height} tiles"
        return f"<Level: {self.style}, seed {seed}, {size}, {self.fingerprint[:8]}>"

    @property
    def style(self) -> str:
        """The spec's style."""
        return self.spec.style

    @property
    def is_by_hand(self) -> bool:
        """Whether a person's work is in it: somebody drew it, or edited it since it was generated."""
        return bool(self.edited) or self.style == DRAWN

    @property
    def ids_from(self) -> str:
        """The fingerprint that the ids in its files are made from: that before edits were brought back."""
        return str(self.edited.get("ids", self.fingerprint))

    @property
    def width(self) -> int:
        """The level's width in tiles."""
        return int(self.terrain.shape[1])

    @property
    def height(self) -> int:
        """The level's height in tiles."""
        return int(self.terrain.shape[0])

    @cached_property
    def covered(self) -> Tiles:
        """Like `decor`, but with every tile that a thing covers, not only its top left one."""
        return spread_decor(self.decor, self.decor_kinds)

    def room_rects(self, room: Room) -> tuple[Rect, ...]:
        """Return the rectangles of tiles that make up a room, walls included: its cells, or else its bounds.

        The bounds of a room that is not a rectangle may cover tiles of other rooms; its cells do not, nor do
        the parts of a drawn room.
        """
        if self.grid and room.cells:
            return tuple(self.grid.cell_rect(cell) for cell in room.cells)
        if self.style == DRAWN:
            from generator.algorithms.outline import strips  # few rooms have an outline

            return strips(room.outline) or (room.bounds,)
        return (room.bounds,)

    def look_of_zone(self, zone: str) -> str:
        """Return the chapter in whose look a zone is drawn; empty if it looks like the rest of the level."""
        return str(self.facts.get(f"zone.{zone}.look", ""))

    def floor_of_zone(self, zone: str) -> str:
        """Return the theme's floor for rooms of a zone whose kind has none; empty for the usual one."""
        return str(self.facts.get(f"zone.{zone}.floor", ""))

    def passable(self, way: str) -> npt.NDArray[np.bool_]:
        """Return where a body that can `walk`, `fly` or `shoot` may be [y, x], decor considered."""
        terrain = np.array([getattr(kind, way) for kind in self.terrain_kinds])
        decor = np.array([getattr(kind, way) for kind in self.decor_kinds])
        result: npt.NDArray[np.bool_] = terrain[self.terrain] & decor[self.covered]
        return result

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the level. The same level has the same digest, whichever version made it."""
        return fingerprint(self)

    @cached_property
    def former_fingerprint(self) -> str:
        """The fingerprint that versions gave the level in which kinds counted that it does not have."""
        return former_fingerprint(self)

    def is_named(self, fingerprint: str) -> bool:
        """Return whether a fingerprint, perhaps from a file of an older version, is the level's."""
        is_current = fingerprint == self.fingerprint
        return is_current or fingerprint == self.former_fingerprint

    @cached_property
    def text(self) -> bytes:
        """The text of level.json."""
        return dumps(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the contents of level.json."""
        return level_to_dict(self)

    def graph(self) -> networkx.MultiGraph[int]:
        """Return the level as a graph of networkx: each room is a node, each connection is an edge.

            graph = level.graph()
            networkx.shortest_path(graph, 0, boss.id)
            def is_open(a, b, key): return not graph[a][b][key]["secret"]
            networkx.subgraph_view(graph, filter_edge=is_open)

        Nodes are the rooms' ids, in order, with attributes from `Room`: `kind`, `shape`, `distance`, `depth`,
        `difficulty`, `layout`, `cells`, `bounds`.

        An edge is a connection: a door between two rooms, or a hallway with its two doors. The graph is a
        multigraph, because two large rooms may share more than one door. An edge's key is the id of its first
        door. It has `kind` (of the door; for a hallway, of its first door that is not plainly open), `secret`
        (one of its doors is secret or red), `doors` (their ids), `hallway` (its id, or None) and `tiles` (how
        long the hallway is, 0 for a door).

        """
        return _graph(self)

    def to_pandas(self) -> LevelFrames:
        """Return tables of pandas: `levels`, of one row, and `rooms`, `doors` and `markers`, a row for each.

        All begin with the level's seed, so that those of many levels can be put together. A marker's
        properties are the columns `property_NAME`, the level's facts `fact_NAME`. Sizes and places are in
        tiles; what is missing, such as the name of a room or the second room of a door to a hallway, is
        `<NA>`. Raises UndercroftError if pandas is not installed (`pip install 'undercroft[pandas]'`).
        """
        from generator.data_frames import level_frames

        return level_frames(self)

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows, or None for a level that is too large for one."""
        from generator.notebook import svg  # rarely needed

        return svg(self)

    def _repr_png_(self) -> bytes | None:
        """Return the picture for where no SVG can be shown, or None as `_repr_svg_`."""
        from generator.notebook import png  # rarely needed

        return png(self)


def _frozen(table: Mapping[str, Property]) -> Mapping[str, Property]:
    return MappingProxyType(dict(table))


def spread_decor(decor: Tiles, kinds: tuple[DecorKind, ...]) -> Tiles:
    """Copy each thing's number from its top left tile to every tile that it covers."""
    covered = decor.copy()
    tiles = decor.tobytes()
    for number, kind in enumerate(kinds):
        if kind.width * kind.height > 1 and number in tiles:  # a fast test, as most rooms have few
            ys, xs = np.nonzero(decor == number)
            for dy in range(kind.height):
                for dx in range(kind.width):
                    covered[ys + dy, xs + dx] = number
    covered.setflags(write=False)
    return covered


def passable(terrain: Tiles, covered: Tiles, way: str, kinds: Kinds = SHIPPED) -> npt.NDArray[np.bool_]:
    """Return where a body that can `walk`, `fly` or `shoot` may be [y, x], by the numbers of `kinds`.

    The way `safe` is that of a body that walks without touching a hazard.
    """
    result: npt.NDArray[np.bool_] = kinds.terrain_where(way).take(terrain)
    result &= kinds.decor_where(way).take(covered)
    return result


_OF_ROOMS = ("kind", "shape", "distance", "depth", "difficulty", "layout", "cells", "bounds")


def _graph(level: Level) -> networkx.MultiGraph[int]:
    import networkx  # takes long

    result: networkx.MultiGraph[int] = networkx.MultiGraph(style=level.style, seed=level.seed)
    for room in level.rooms:
        result.add_node(room.id, **{name: getattr(room, name) for name in _OF_ROOMS})
    for door in level.doors:
        if door.rooms[1] is not None:
            _join(result, level, door.rooms[0], door.rooms[1], (door.id,))
    for hallway in level.hallways:
        first, second = (level.doors[number].rooms[0] for number in hallway.doors)
        _join(result, level, first, second, hallway)
    return result


def _join(
    graph: networkx.MultiGraph[int], level: Level, first: int, second: int, by: tuple[int, ...] | Hallway
) -> None:
    """Add a connection of two rooms, by a door with this id or by a hallway."""
    hallway, doors = (by, by.doors) if isinstance(by, Hallway) else (None, by)
    kinds = [level.doors[number].kind for number in doors]
    graph.add_edge(
        first,
        second,
        key=doors[0],
        kind=next((kind for kind in kinds if kind != "open"), "open"),
        secret=not level.kinds.secret_doors.isdisjoint(kinds),
        doors=doors,
        hallway=hallway and hallway.id,
        tiles=len(hallway.tiles) if hallway else 0,
    )
