"""The layouts of the `gungeon` style: rooms of any outline, and where their hallways may begin.

The shipped ones lie in `layouts/ROOM_KIND/` and its subfolders; a team's own have the same tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.algorithms.bitboard import (
    Bitboard,
    board_of,
    component4,
    dilate4,
    dilate_square,
    erode_square,
    mask_of,
    square_hits,
)
from generator.arrays import Mask, framed
from generator.geometry import Point, Side
from generator.interiors.exits import Exit
from generator.interiors.interior import Interior
from generator.interiors.layout_rules import bare_floor
from generator.interiors.layouts import Layout
from generator.interiors.own_layouts import OwnLayouts
from generator.interiors.shipped_layouts import shipped_texts
from generator.kinds import DIFFICULTIES, SHIPPED, Kinds
from generator.shipped_files import shipped_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HUB, CONNECTOR = "hub", "connector"

Exits = Mapping[Side, tuple[tuple[int, ...], ...]]
"""For each side of a room and each exit on it: where along the side a door may begin, in tiles."""

_COVERED = ("player_start", "boss")  # a body must stand on these markers; beside the others is enough
_NEAR_BOSS = 4  # steps from a boss: no door of an `any` exit leads to a tile as near
_INWARDS = 2  # tiles behind a door that must be free


@dataclass(frozen=True, eq=False)
class HeapLayout:
    """One image (mirrored or turned) of a layout. A level knows it by `name`; all images share a `file`."""

    file: str
    layout: Layout
    image: str
    difficulty: int  # 0: any

    @property
    def name(self) -> str:
        """The file, and the image unless it is the drawing itself."""
        return f"{self.file}+{self.image}" if self.image else self.file

    @cached_property
    def size(self) -> Point:
        """Width and height of its room, walls included."""
        width, height = self.layout.size
        return (height + 2, width + 2) if "r" in self.image else (width + 2, height + 2)

    def tile(self, x: int, y: int) -> Point:
        """Where a tile of the drawing lies in its room, counted from the corner of the walls."""
        width, height = self.layout.size
        x = width - 1 - x if "h" in self.image else x
        y = height - 1 - y if "v" in self.image else y
        return (height - y, x + 1) if "r" in self.image else (x + 1, y + 1)

    @cached_property
    def weight(self) -> int:
        """The weight of this image: all images of a file together have the weight the file gives."""
        return self.layout.weight * 16 // len(self.layout.mirrors)

    def exits(self, width: int, body: int) -> Exits | None:
        """Where doors of this width may be; None if a body cannot get from each exit to all others.

        None also if it cannot get to all markers.
        """
        return _exits(self, width, body)


@lru_cache(maxsize=64)
def shipped_layouts(kinds: Kinds = SHIPPED) -> Mapping[str, tuple[HeapLayout, ...]]:
    """All images of the shipped layouts, by room kind; layouts that these kinds cannot show are left out."""
    root = shipped_folder("generator.styles.gungeon") / "layouts"
    folders = sorted((folder for folder in root.iterdir() if folder.is_dir()), key=lambda folder: folder.name)
    return {
        folder.name: tuple(
            image
            for name, file in _files(folder, folder.name)
            for layout in shipped_texts([(Path(str(file)), file.read_text("utf-8"))], folder.name, kinds)
            for image in _images(name, layout)
        )
        for folder in folders
    }


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, Traversable]]:
    """The layout files below a folder, by name."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{above}/{entry.name}")
        elif entry.name.endswith(".txt"):
            yield f"{above}/{entry.name.removesuffix('.txt')}", entry


@lru_cache(maxsize=8)
def own_heap_layouts(own: OwnLayouts) -> Mapping[str, tuple[HeapLayout, ...]]:
    """All images of a team's own layouts, by room kind."""
    by_kind: dict[str, list[HeapLayout]] = {}
    for pool, layouts in own.pools.items():
        for layout in layouts:
            images = _images(f"own/{pool}/{layout.name}", layout)
            by_kind.setdefault(pool.partition("/")[0], []).extend(images)
    return {kind: tuple(images) for kind, images in by_kind.items()}


def _images(name: str, layout: Layout) -> list[HeapLayout]:
    folders = name.split("/")[:-1]
    by_folder = next((DIFFICULTIES[folder] for folder in folders if folder in DIFFICULTIES), 0)
    return [
        HeapLayout(name, layout, image, layout.difficulty or by_folder)
        for image in dict.fromkeys(layout.mirrors)
    ]


# --- exits -------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _exits(heap_layout: HeapLayout, width: int, body: int) -> Exits | None:
    layout, image = heap_layout.layout, heap_layout.image
    interior = layout.fullest.interior(image)
    room = _Walker(interior, body)
    exits: dict[Side, list[tuple[int, ...]]] = {}
    for drawn in layout.exits:
        each = drawn.image(image, layout.size)
        offsets = _offsets(each, room.doors(each.side, width, off_bosses=each.is_any), width)
        if offsets:
            exits.setdefault(each.side, []).append(offsets)
        elif not drawn.is_any:
            return None
    if not exits or not room.reaches_markers(interior):
        return None
    return {side: tuple(exits[side]) for side in Side if side in exits}


def _offsets(each: Exit, doors: list[bool], width: int) -> tuple[int, ...]:
    """The offsets along its side, in tiles of the room, at which a door lies in an exit, or spans it."""
    first, last = (0, len(doors) + width - 2) if each.is_any else (each.first, each.last)
    narrow = last - first + 1 < width
    start, end = (last - width + 1, first) if narrow else (first, last - width + 1)
    along = range(max(start, 0), min(end + 1, len(doors)))
    return tuple([offset + 1 for offset in along if doors[offset]])


class _Walker:
    """Where a body can walk in a layout; tiles count from the corner of the room's walls."""

    def __init__(self, interior: Interior, body: int) -> None:
        height, width = interior.terrain.shape
        self._bare = bare_floor(interior)
        self._bosses = [(each.x + 1, each.y + 1) for each in interior.markers if each.kind == "boss"]
        self._stride = width + 3
        self._body = body
        places = erode_square(board_of(framed(interior.safe())), body, self._stride)
        self._places = _largest(places, self._stride)
        shape = height + 2, width + 2
        covered = dilate_square(self._places, body, self._stride)
        self._covered, self._steps = mask_of(covered, shape), mask_of(self._places, shape)

    def doors(self, side: Side, width: int, *, off_bosses: bool) -> list[bool]:
        """For each tile of a side, whether a door of this width may begin there.

        It must lead to bare floor, and a body that enters by it must be able to get everywhere. With
        `off_bosses`, no boss may stand near the door.
        """
        bare, covered, steps = (_from_side(each, side) for each in (self._bare, self._covered, self._steps))
        deep, rows, is_first = max(self._body, _INWARDS), len(bare), side in (Side.NORTH, Side.WEST)
        begin = 1 if is_first else 1 + max(deep - rows, 0)
        lane = bare[0] & covered[begin : begin + min(deep, rows), 1:-1].all(axis=0)
        step = steps[1 if is_first else self._body]
        found = _runs(lane, width)
        found &= _runs(step[1:-1], width + 1 - self._body)[: len(found)]
        doors: list[bool] = found.tolist()
        if off_bosses and self._bosses:
            return [each and not self._is_near_boss(side, i + 1, width) for i, each in enumerate(doors)]
        return doors

    def _is_near_boss(self, side: Side, offset: int, width: int) -> bool:
        """Whether a boss stands within a few steps of a body that enters by a door."""
        rows, columns = self._bare.shape
        edge = {Side.NORTH: 1, Side.WEST: 1, Side.SOUTH: rows, Side.EAST: columns}[side]
        along = range(offset, offset + width)
        tiles = [(i, edge) for i in along] if side.is_vertical_way else [(edge, i) for i in along]
        return any(abs(x - i) + abs(y - j) <= _NEAR_BOSS for x, y in self._bosses for i, j in tiles)

    def reaches_markers(self, interior: Interior) -> bool:
        """Whether the body can cover each marker's tile, or a tile beside it where that is enough."""
        for marker in interior.markers:
            tile = 1 << marker.x + 1 + (marker.y + 1) * self._stride
            ground = interior.kinds.terrain[interior.terrain[marker.y, marker.x]]
            flies = marker.properties.get("flies") is True or marker.properties.get("role") == "flyer"
            flies |= not ground.walk  # nobody walks to what stands in water
            near = tile if marker.kind in _COVERED and not flies else dilate4(tile, self._stride)
            if not flies and not square_hits(near, self._body, self._stride) & self._places:
                return False
        return True


def _from_side(mask: Mask, side: Side) -> Mask:
    """A mask [y, x] seen from a side: row 0 lies along that side, from the left or from the top."""
    mask = mask if side.is_vertical_way else mask.T
    return mask if side in (Side.NORTH, Side.WEST) else mask[::-1]


def _runs(line: Mask, length: int) -> Mask:
    """Where runs of `length` tiles begin that are all True in a line."""
    count = max(len(line) + 1 - length, 0)
    found = line[:count].copy()
    for i in range(1, length):
        found &= line[i : i + count]
    return found


def _largest(board: Bitboard, stride: int) -> Bitboard:
    """The largest connected component of a board."""
    largest = 0
    while board:
        piece = component4(board & -board, board, stride)
        board &= ~piece
        largest = max(largest, piece, key=int.bit_count)
    return largest
