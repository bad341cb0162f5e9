"""Set pieces: places of several rooms, such as a cathedral, larger than any room.

A set piece is one body while rooms are pushed apart and joined: a room of the heap whose layout has the
piece's outer doorways as its exits. Then it opens into its rooms and the short hallways between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NoReturn

import numpy as np

from generator.errors import KitError, SpecError
from generator.geometry import Point, Rect, Side
from generator.interiors.layouts import Layout
from generator.kinds import Kit, shipped_kit
from generator.kinds.set_pieces import SetPieceRow
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.shapes import SHAPES
from generator.styles.gungeon.dealing import too_narrow
from generator.styles.gungeon.furnishing.gungeon_layouts import HUB, ExitsByClass, GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import NORMAL, off_the_way
from generator.styles.gungeon.piece_drawing import (
    NOTHING,
    SET_PIECE,
    Doorway,
    DrawnPiece,
    PieceRoom,
    drawing_problems,
    drawn_piece,
    mirrored_rect,
)
from generator.styles.gungeon.plan import Entrance, GungeonRoom, Heap, HeapPlan, RoutedHallway
from generator.styles.gungeon.spec import AUTO, GungeonSpec

FEWEST_WITH_PIECES = 24  # rooms of a level that gets set pieces without being told so
_TRIES = 12  # heaps with set pieces; the others have none unless the spec names some
_ROOMS_OF_A_PIECE = 5  # a level has as many rooms for each room of a piece
_ROOMS_OF_ALL = (
    3  # and as many for each room of all its pieces, besides the rooms off the way and one for each
)
_PATIENT = 100  # rooms of a heap up to which more attempts are worth their time
_HUB_DOORWAYS = 3  # with so many outer doorways, hallways meet in a piece


@dataclass(frozen=True, eq=False)
class SetPiece(GungeonLayout):
    """One image of a set piece: a layout as large as all of its rooms."""

    drawn: DrawnPiece = NOTHING

    @property
    def size(self) -> Point:
        """Width and height, with the walls of its rooms."""
        return self.drawn.size

    @property
    def kind(self) -> str:
        """The kind of room as which it is joined: that of its room which is not normal, if it has one."""
        return next((kind for kind in self.drawn.kinds if kind != NORMAL), NORMAL)

    def exits_by_class(self, width: int, body: int) -> ExitsByClass | None:
        """See `GungeonLayout`. None also if a doorway inside has no space for such a hallway."""
        return _exits(self, width, body)


@lru_cache(maxsize=1024)
def _exits(piece: SetPiece, width: int, body: int) -> ExitsByClass | None:
    exits: dict[Side, list[tuple[int, ...]]] = {}
    for doorway in piece.drawn.doorways:
        places = _places(piece.drawn, doorway, width, body)
        if not places:
            return None
        if len(doorway.ends) == 1:
            exits.setdefault(doorway.ends[0][1], []).append(places)
    return {"": {side: tuple(exits[side]) for side in Side if side in exits}}


def _places(drawn: DrawnPiece, doorway: Doorway, width: int, body: int) -> tuple[int, ...]:
    """List where along the walls a door can begin in a doorway, the nearest to its middle first."""
    is_vertical = doorway.ends[0][1].is_vertical_way
    across = doorway.tiles.height if is_vertical else doorway.tiles.width
    if len(doorway.ends) == 2 and across - 2 < width:
        return ()
    shared: set[int] | None = None
    first = doorway.tiles.x if is_vertical else doorway.tiles.y
    last = first + (doorway.tiles.width if is_vertical else doorway.tiles.height) - 1
    for room, side in doorway.ends:
        rect, exits = drawn.rects[room], drawn.rooms[room].exits(width, body) or {}
        start = rect.x if is_vertical else rect.y
        at = {start + offset for offsets in exits.get(side, ()) for offset in offsets}
        shared = at if shared is None else shared & at
    near = [at for at in shared or () if at <= last and at + width > first]
    middle = first + last + 1 - width
    return tuple(sorted(near, key=lambda at: (abs(2 * at - middle), at)))


@lru_cache(maxsize=256)
def set_piece(kit: Kit, name: str, image: str = "") -> SetPiece:
    """Return an image of a kit's set piece: as drawn, or with `h` mirrored. Raises KitError."""
    drawn = drawn_piece(kit, name)
    if image:
        width = drawn.size[0]
        drawn = drawn._replace(
            rects=tuple(mirrored_rect(rect, width) for rect in drawn.rects),
            rooms=tuple(replace(room, image=image) for room in drawn.rooms),
            doorways=tuple(doorway.mirrored(width) for doorway in drawn.doorways),
        )
    is_hub = sum(len(doorway.ends) == 1 for doorway in drawn.doorways) >= _HUB_DOORWAYS
    layout = Layout(Path(name), ("",), 0, {}, 1, ("",), SHAPES["1x1"], (), tags=frozenset([HUB] * is_hub))
    return SetPiece(SET_PIECE + name, layout, image, 0, {}, drawn)


def piece_problems(kit: Kit) -> Iterator[str]:
    """Find what is wrong with the drawings of a kit's set pieces."""
    for name in kit.rules.set_pieces:
        try:
            piece = set_piece(kit, name)
        except KitError:
            if not _is_of_parent(kit, name):
                yield from drawing_problems(kit, name)
            continue
        where = f"{kit.file_of(f'set_piece.{name}')}: set_piece.{name}"
        misfits = [
            f"{room.title}: {misfit}" for room in piece.drawn.rooms if (misfit := too_narrow([room], 1, 1))
        ]
        yield from (f"{where}.drawing: {misfit}" for misfit in misfits)
        if not misfits and piece.exits_by_class(1, 1) is None:
            yield f"{where}.drawing: a hallway inside is shorter than it is wide; move its rooms apart"


def _is_of_parent(kit: Kit, name: str) -> bool:
    """Check whether a set piece is the shipped one. A kit that cannot show it does without."""
    return kit.rules.set_pieces[name] == shipped_kit().rules.set_pieces.get(name)


def layout_of(kit: Kit, name: str) -> PieceRoom | None:
    """Return the room of a set piece whose layout has this name. None if there is none."""
    piece = piece_of(name)
    if piece not in kit.rules.set_pieces:
        return None
    images = (room for image in ("", "h") for room in set_piece(kit, piece, image).drawn.rooms)
    return next((room for room in images if room.name == name), None)


def piece_of(layout: str) -> str:
    """Return the set piece that a layout belongs to. Empty for other layouts."""
    return layout.split("/")[1] if layout.startswith(SET_PIECE) else ""


# Which set pieces a level has.


def may_have_pieces(spec: GungeonSpec, most: int, *, is_led: bool) -> bool:
    """Check whether levels of a spec, of so many rooms at most, may have set pieces."""
    if spec.set_pieces == AUTO:
        return is_led and most >= FEWEST_WITH_PIECES and bool(spec.load_kit().rules.set_pieces)
    return bool(spec.named_pieces)


def chosen_pieces(
    spec: GungeonSpec, kinds: Sequence[str], seed: int, attempt: int, *, is_led: bool
) -> list[SetPiece]:
    """Choose the set pieces of a heap with rooms of these kinds, none of them twice.

    Each room of a piece is one of the level's rooms: it takes the place of one of its kind. Raises SpecError
    for a named piece that cannot be had.
    """
    if not may_have_pieces(spec, len(kinds), is_led=is_led):
        return []
    stream, kit = Stream(seed, "gungeon.set_pieces", attempt), spec.load_kit()
    left, chosen = Counter(kinds), list[SetPiece]()
    if spec.named_pieces:
        for name in spec.named_pieces:
            chosen.append(_named(spec, name, left, stream))
            left -= kit.rules.set_pieces[name].needs
        return chosen
    rows = [row for row in kit.rules.set_pieces.values() if _suits(row, spec, len(kinds))]
    count = (len(kinds) + 20 + stream.below(30)) // 60 if attempt < _TRIES else 0
    aside = sum(kind in off_the_way(kit.kinds) for kind in kinds)
    spare = (len(kinds) - 2 * aside) // _ROOMS_OF_ALL
    seen = Counter(spec.memory.layouts)
    while rows and len(chosen) < count:
        fewest = min(seen[SET_PIECE + row.name] for row in rows)
        fresh = [row for row in rows if seen[SET_PIECE + row.name] == fewest]
        row = stream.weighted(fresh, [row.weight for row in fresh])
        rows.remove(row)
        try:
            piece = set_piece(kit, row.name, stream.pick(("", "h")))
        except KitError:
            if not _is_of_parent(kit, row.name):
                raise
            continue
        has_space = piece.exits_by_class(spec.hallway_width, spec.body) is not None
        if has_space and row.needs <= left and len(row.rooms) <= spare:
            chosen.append(piece)
            left -= row.needs
            spare -= len(row.rooms)
    return chosen


def _suits(row: SetPieceRow, spec: GungeonSpec, rooms: int) -> bool:
    """Check whether a level of so many rooms may have a set piece."""
    return _ROOMS_OF_A_PIECE * len(row.rooms) <= rooms and (not row.chapters or spec.chapter in row.chapters)


def _named(spec: GungeonSpec, name: str, left: Counter[str], stream: Stream) -> SetPiece:
    kit = spec.load_kit()

    def refuse(what: str) -> NoReturn:
        raise SpecError(f"set_pieces: {what}")

    needs = kit.rules.set_pieces[name].needs
    for kind, rooms in needs.items():
        if rooms > left[kind]:
            refuse(f"{name} needs {rooms} {kind} rooms, but {left[kind]} are left; ask for more rooms")
    piece = set_piece(kit, name, stream.pick(("", "h")))
    if piece.exits_by_class(spec.hallway_width, spec.body) is None:
        width, body = spec.hallway_width, spec.body
        refuse(f"{name} has no space for hallways of {width} tiles and a body of {body}; give less")
    return piece


def with_pieces(kinds: Sequence[str], pieces: Sequence[SetPiece]) -> tuple[str, ...]:
    """Return the kinds of a heap's rooms when set pieces, which come last, take the place of some."""
    left = list(kinds)
    for kind in (kind for piece in pieces for kind in piece.drawn.kinds):
        left.reverse()
        left.remove(kind)
        left.reverse()
    return (*left, *(piece.kind for piece in pieces))


def patience(heap: Heap, attempt: int) -> int:
    """Return the turn of an attempt: rules are kept for twice as long in a small heap with set pieces.

    These are one room when rules are kept, and several when they are judged.
    """
    is_small = len(heap.kinds) <= _PATIENT
    return attempt // 2 if is_small and has_pieces(heap) else attempt


def has_pieces(heap: Heap) -> bool:
    """Check whether a heap has set pieces, which are not opened yet."""
    return any(isinstance(layout, SetPiece) for layout in heap.layouts)


# How set pieces open into their rooms.


class OpenedHeap(NamedTuple):
    """A heap with the rooms of its set pieces, the first of each piece, and the hallways inside them."""

    heap: Heap
    firsts: Sequence[int] = ()
    inner: Sequence[RoutedHallway] = ()

    def joined(self, hallways: Sequence[RoutedHallway]) -> list[RoutedHallway]:
        """Add the hallways inside the pieces to those between the rooms and pieces of the heap."""
        if not self.firsts:
            return list(hallways)
        outer = [way._replace(ends=(self._moved(way.ends[0]), self._moved(way.ends[1]))) for way in hallways]
        tree = sum(not way.is_loop for way in outer)
        return [*outer[:tree], *self.inner, *outer[tree:]]

    def _moved(self, end: Entrance) -> Entrance:
        plain, (x, y) = self.firsts[0], end.tiles[0]
        if end.room < plain:
            return end
        room, heap = self.firsts[end.room - plain], self.heap
        while not Rect(*(int(sides[room]) for sides in heap[1:5])).contains(x, y):
            room += 1
        return end._replace(room=room)


def opened(heap: Heap, width: int, body: int) -> OpenedHeap:
    """Replace the set pieces of a heap, which come last, by their rooms."""
    pieces = [layout for layout in heap.layouts if isinstance(layout, SetPiece)]
    if not pieces:
        return OpenedHeap(heap)
    plain = len(heap.kinds) - len(pieces)
    kinds, layouts, rects = list(heap.kinds[:plain]), list(heap.layouts[:plain]), heap.rects()
    opened_rects, firsts, inner = rects[:plain], list[int](), list[RoutedHallway]()
    for piece, (x, y, *_) in zip(pieces, rects[plain:], strict=True):
        firsts.append(len(kinds))
        inner += _inner_hallways(piece.drawn, len(kinds), (x, y), width, body)
        kinds += piece.drawn.kinds
        layouts += piece.drawn.rooms
        opened_rects += [rect._replace(x=rect.x + x, y=rect.y + y) for rect in piece.drawn.rects]
    x, y, wide, high = np.array(opened_rects, np.int64).T
    return OpenedHeap(Heap(tuple(kinds), x, y, wide, high, tuple(layouts), heap.rows), firsts, inner)


def _inner_hallways(
    drawn: DrawnPiece, first_room: int, corner: Point, width: int, body: int
) -> Iterator[RoutedHallway]:
    """Yield the hallways between the rooms of a piece, which are straight."""
    for doorway in drawn.doorways:
        if len(doorway.ends) < 2:
            continue
        at = _places(drawn, doorway, width, body)[0]
        x, y, wide, high = doorway.tiles
        if doorway.ends[0][1].is_vertical_way:
            floor = Rect(corner[0] + at, corner[1] + y + 1, width, high - 2)
            path = [(floor.x, floor.y + step) for step in range(floor.height - width + 1)]
        else:
            floor = Rect(corner[0] + x + 1, corner[1] + at, wide - 2, width)
            path = [(floor.x + step, floor.y) for step in range(floor.width - width + 1)]
        first, last = (_entrance(first_room + room, side, floor) for room, side in doorway.ends)
        is_forward = first.side in (Side.SOUTH, Side.EAST)
        yield RoutedHallway((first, last), tuple(path if is_forward else path[::-1]), (floor,))


def _entrance(room: int, side: Side, floor: Rect) -> Entrance:
    """Return the door at the end of a hallway's floor that lies on this side of its room."""
    x, y, width, height = floor
    if side.is_vertical_way:
        row = y - 1 if side is Side.SOUTH else y + height
        return Entrance(room, side, tuple((column, row) for column in range(x, x + width)))
    column = x - 1 if side is Side.EAST else x + width
    return Entrance(room, side, tuple((column, row) for row in range(y, y + height)))


# What the finished plan says about them.


def with_names(plan: HeapPlan) -> HeapPlan:
    """Give rooms of set pieces their names and their quiet, and the plan the fact about them."""
    fact = told(rooms_by_piece([room.layout.name if room.layout else "" for room in plan.rooms]))
    if not fact:
        return plan
    rooms = tuple(
        room._replace(name=room.layout.title, is_quiet=room.kind == NORMAL and room.layout.is_quiet)
        if isinstance(room.layout, PieceRoom)
        else room
        for room in plan.rooms
    )
    return replace(plan, rooms=rooms, facts={**plan.facts, **fact})


def places_of(rooms: Sequence[GungeonRoom]) -> list[int]:
    """Number the rooms from 0 so that all rooms of a set piece, which come last, have one number."""
    numbers: dict[str | int, int] = {}
    names = [piece_of(room.layout.name) if room.layout else "" for room in rooms]
    return [numbers.setdefault(name or room, len(numbers)) for room, name in enumerate(names)]


def rooms_by_piece(layouts: Sequence[str]) -> Mapping[str, list[int]]:
    """List the rooms of each set piece, from the names of all rooms' layouts."""
    found: dict[str, list[int]] = {}
    for room, layout in enumerate(layouts):
        if name := piece_of(layout):
            found.setdefault(name, []).append(room)
    return found


def told(pieces: Mapping[str, Sequence[int]]) -> Mapping[str, str]:
    """Return the fact about set pieces: such as `cathedral 31-36, market 37-40`."""
    text = ", ".join(f"{name} {rooms[0]}-{rooms[-1]}" for name, rooms in pieces.items())
    return {"set_pieces": text} if text else {}
