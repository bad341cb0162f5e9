"""The layouts of the `gungeon` style: rooms of any outline, and where their hallways may begin.

The shipped ones lie in `layouts/ROOM_KIND/` and its subfolders; a team's own have the same tree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from generator.algorithms.bitboard import (
    board_of,
    dilate4,
    dilate_square,
    erode_square,
    largest4,
    mask_of,
    square_hits,
)
from generator.arrays import Mask, framed
from generator.geometry import Point, Side
from generator.interiors.interior import Interior
from generator.interiors.layout_rules import bare_floor
from generator.interiors.layouts import OWN, Exit, Layout
from generator.interiors.pools import shipped_texts
from generator.interiors.team_layouts import OwnLayouts
from generator.kinds import DIFFICULTIES, SHIPPED, Kinds
from generator.shipped_files import copy_text, fitting_copy, shipped_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


HUB, CONNECTOR = "hub", "connector"


@dataclass(frozen=True, eq=False)
class GungeonLayout:
    """One image (mirrored or turned) of a layout. A level stores its `name`, and all images share a `file`.

    `copy` has exits that need not be computed: for each pair of widths, those of each image by its name.
    """

    file: str
    layout: Layout
    image: str
    difficulty: int  # 0: any
    copy: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)

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
        """Locate a tile of the drawing in its room, counted from the corner of the walls."""
        width, height = self.layout.size
        x = width - 1 - x if "h" in self.image else x
        y = height - 1 - y if "v" in self.image else y
        return (height - y, x + 1) if "r" in self.image else (x + 1, y + 1)

    @cached_property
    def weight(self) -> int:
        """The weight of this image: all images of a file together have the weight the file gives."""
        return self.layout.weight * 16 // len(self.layout.mirrors)

    def exits(self, width: int, body: int, joins: str = "") -> Exits | None:
        """Find where doors of this width and class may be.

        None if a body cannot get from each exit of any class to all others, or not to all markers.
        """
        by_class = self.exits_by_class(width, body)
        return None if by_class is None else by_class.get(joins, {})

    def exits_by_class(self, width: int, body: int) -> ExitsByClass | None:
        """Find where doors of this width may be. None as of `exits`."""
        return _exits(self, width, body)


@lru_cache(maxsize=4096)
def _exits(gungeon_layout: GungeonLayout, width: int, body: int) -> ExitsByClass | None:
    copied = gungeon_layout.copy.get(_key(width, body))
    if copied is not None:
        return unpacked(copied[gungeon_layout.name])
    return exits_of(gungeon_layout.layout, gungeon_layout.image, width, body)


def _key(width: int, body: int) -> str:
    return f"width {width} body {body}"


# --- the shipped ones --------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def shipped_layouts(kinds: Kinds = SHIPPED) -> Mapping[str, tuple[GungeonLayout, ...]]:
    """List all images of the shipped layouts that these kinds can show, by room kind."""
    root, files = shipped_layouts_folder(), _shipped_files()
    copy = fitting_copy(root, _made_from(files, kinds)) or {}
    by_kind: dict[str, list[GungeonLayout]] = {}
    for path, data in files.items():
        kind = path.partition("/")[0]
        images = by_kind.setdefault(kind, [])
        for layout in shipped_texts([(Path(str(root), path), data.decode("utf-8"))], kind, kinds):
            images.extend(images_of(layout, path.removesuffix(".txt"), copy))
    return {kind: tuple(images) for kind, images in by_kind.items()}


def copy_of_exits() -> str:
    """Write the text that the copy of the shipped layouts' exits must have, for `GungeonLayout.copy`."""
    images = [replace(image, copy={}) for group in shipped_layouts().values() for image in group]
    exits = {
        _key(width, body): {image.name: packed(image.exits_by_class(width, body)) for image in images}
        for width, body in SHIPPED_FOR
    }
    return copy_text(_made_from(_shipped_files(), SHIPPED), exits)


def shipped_layouts_folder() -> Traversable:
    """Return the folder of the shipped layouts, and of the copy of their exits."""
    return shipped_folder("generator.styles.gungeon") / "layouts"


@cache
def _shipped_files() -> Mapping[str, bytes]:
    """Read the files of the shipped layouts by their paths, those of a room kind together."""
    return dict(_files_in(shipped_layouts_folder(), ""))


def _files_in(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files_in(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".txt"):
            yield above + entry.name, entry.read_bytes()


def _made_from(files: Mapping[str, bytes], kinds: Kinds) -> Mapping[str, bytes]:
    """Return what exits depend on: the layouts' files, and the rows of what is drawn in them."""
    rows = [kinds.tables.get(key) for key in ("terrain", "decor", "marker")]
    return {**files, "rows": json.dumps(rows).encode()}


@lru_cache(maxsize=8)
def own_gungeon_layouts(own: OwnLayouts) -> Mapping[str, tuple[GungeonLayout, ...]]:
    """List all images of a team's own layouts, by room kind."""
    by_kind: dict[str, list[GungeonLayout]] = {}
    for pool, layouts in own.pools.items():
        for layout in layouts:
            images = images_of(layout, f"{OWN}{pool}/{layout.name}")
            by_kind.setdefault(pool.partition("/")[0], []).extend(images)
    return {kind: tuple(images) for kind, images in by_kind.items()}


def images_of(
    layout: Layout, name: str = "", copy: Mapping[str, Mapping[str, str | None]] = MappingProxyType({})
) -> list[GungeonLayout]:
    """List all images of a layout. A folder in its `name` may give its difficulty."""
    folders = name.split("/")[:-1]
    by_folder = next((DIFFICULTIES[folder] for folder in folders if folder in DIFFICULTIES), 0)
    return [
        GungeonLayout(name, layout, image, layout.difficulty or by_folder, copy)
        for image in dict.fromkeys(layout.mirrors)
    ]


# Exits of layouts: where along the sides of a room the doors of its hallways may be.
#
# Those of the shipped layouts are computed once, for the bodies of the shipped presets, and shipped as a
# copy (`generator/shipped_files.py`): to compute them takes longer than to plan a level.

Exits = Mapping[Side, tuple[tuple[int, ...], ...]]
"""For each side of a room and each exit on it: where along the side a door may begin, in tiles."""

ExitsByClass = Mapping[str, Exits]
"""The exits of each class that a room has exits of. The plain class is empty text."""

SHIPPED_FOR = ((2, 1), (2, 2))
"""The widths of hallways and bodies that the exits of shipped layouts are shipped for."""

_COVERED = ("player_start", "boss")  # a body must stand on these markers; beside the others is enough
_NEAR_BOSS = 4  # steps from a boss: no door of an `any` exit leads to a tile as near
_INWARDS = 2  # tiles behind a door that must be free


def exits_of(layout: Layout, image: str, width: int, body: int) -> ExitsByClass | None:
    """Find where doors of this width may be in an image of a layout.

    None if a body cannot get from each exit to all others, or not to all markers.
    """
    interior = layout.fullest.interior(image)
    room = _Walker(interior, body)
    exits: dict[str, dict[Side, list[tuple[int, ...]]]] = {}
    for drawn in layout.exits:
        opening = drawn.image(image, layout.size)
        offsets = _offsets(opening, room.doors(opening.side, width, off_bosses=opening.is_any), width)
        if offsets:
            exits.setdefault(opening.joins, {}).setdefault(opening.side, []).append(offsets)
        elif not drawn.is_any:
            return None
    if not exits or not room.reaches_markers(interior):
        return None
    return {
        joins: {side: tuple(of_class[side]) for side in Side if side in of_class}
        for joins, of_class in exits.items()
    }


def _offsets(opening: Exit, doors: list[bool], width: int) -> tuple[int, ...]:
    """List the offsets along its side, in tiles of the room, at which a door lies in an exit, or spans it."""
    first, last = (0, len(doors) + width - 2) if opening.is_any else (opening.first, opening.last)
    narrow = last - first + 1 < width
    start, end = (last - width + 1, first) if narrow else (first, last - width + 1)
    along = range(max(start, 0), min(end + 1, len(doors)))
    return tuple([offset + 1 for offset in along if doors[offset]])


class _Walker:
    """Where a body can walk in a layout. Tiles count from the corner of the room's walls."""

    def __init__(self, interior: Interior, body: int) -> None:
        height, width = interior.terrain.shape
        self._bare = bare_floor(interior)
        self._bosses = [(marker.x + 1, marker.y + 1) for marker in interior.markers if marker.kind == "boss"]
        self._stride = width + 3
        self._body = body
        places = erode_square(board_of(framed(interior.safe())), body, self._stride)
        self._places = largest4(places, self._stride)
        shape = height + 2, width + 2
        covered = dilate_square(self._places, body, self._stride)
        self._covered, self._steps = mask_of(covered, shape), mask_of(self._places, shape)

    def doors(self, side: Side, width: int, *, off_bosses: bool) -> list[bool]:
        """Return whether a door of this width may begin at each tile of a side.

        It must lead to bare floor, and a body that enters by it must be able to get everywhere. With
        `off_bosses`, no boss may stand near the door.
        """
        bare, covered, steps = (_from_side(mask, side) for mask in (self._bare, self._covered, self._steps))
        deep, rows, is_first = max(self._body, _INWARDS), len(bare), side in (Side.NORTH, Side.WEST)
        begin = 1 if is_first else 1 + max(deep - rows, 0)
        lane = bare[0] & covered[begin : begin + min(deep, rows), 1:-1].all(axis=0)
        step = steps[1 if is_first else self._body]
        fits = _runs(lane, width)
        fits &= _runs(step[1:-1], width + 1 - self._body)[: len(fits)]
        doors: list[bool] = fits.tolist()
        if off_bosses and self._bosses:
            return [fit and not self._is_near_boss(side, i + 1, width) for i, fit in enumerate(doors)]
        return doors

    def _is_near_boss(self, side: Side, offset: int, width: int) -> bool:
        """Check whether a boss stands within a few steps of a body that enters by a door."""
        rows, columns = self._bare.shape
        edge = {Side.NORTH: 1, Side.WEST: 1, Side.SOUTH: rows, Side.EAST: columns}[side]
        along = range(offset, offset + width)
        tiles = [(i, edge) for i in along] if side.is_vertical_way else [(edge, i) for i in along]
        return any(abs(x - i) + abs(y - j) <= _NEAR_BOSS for x, y in self._bosses for i, j in tiles)

    def reaches_markers(self, interior: Interior) -> bool:
        """Check whether the body can cover each marker's tile, or one beside it where that is enough."""
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
    """Turn a mask [y, x] to a side: row 0 lies along that side, from the left or from the top."""
    mask = mask if side.is_vertical_way else mask.T
    return mask if side in (Side.NORTH, Side.WEST) else mask[::-1]


def _runs(line: Mask, length: int) -> Mask:
    """Mark where runs of `length` tiles begin that are all True in a line."""
    count = max(len(line) + 1 - length, 0)
    runs = line[:count].copy()
    for i in range(1, length):
        runs &= line[i : i + count]
    return runs


# --- the copy ----------------------------------------------------------------------------------------

_SIDES = {side.name[0]: side for side in Side}


def packed(by_class: ExitsByClass | None) -> str | None:
    """Encode exits for the copy, such as `N3c.f00 S18`: the sides, and a bit per tile of each exit.

    Shipped layouts have plain exits only.
    """
    if by_class is None:
        return None
    (exits,) = by_class.values()
    masks = {side: [sum(1 << tile for tile in tiles) for tiles in entries] for side, entries in exits.items()}
    return " ".join(
        side.name[0] + ".".join(f"{mask:x}" for mask in entries) for side, entries in masks.items()
    )


@cache
def unpacked(words: str | None) -> ExitsByClass | None:
    """Decode the exits that `packed` encoded."""
    if words is None:
        return None
    masks = {_SIDES[word[0]]: [int(mask, 16) for mask in word[1:].split(".")] for word in words.split()}
    exits = {
        side: tuple(tuple(i for i in range(mask.bit_length()) if mask >> i & 1) for mask in entries)
        for side, entries in masks.items()
    }
    return {"": exits}
