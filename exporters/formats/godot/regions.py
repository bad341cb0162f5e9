"""The navigation regions of a level's scenes: who can walk or fly where, per scene and shut door.

A door that starts shut has regions of its own. A one-way door has none; a link leads through it in one
direction.

Meshes of two regions must not overlap, or Godot does not know which edges to join. So walkers and flyers
share one region, on both navigation layers, wherever both can be. Where only flyers can be, over pits and
low decor, a second region adjoins it.

All regions of a level are cut from one mesh. Neighbours have the same vertices along their border, so they
join along whole edges, even between the scenes of two rooms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from exporters.formats.godot.setting import ScenePart
from exporters.formats.godot.shapes import FlatMesh, Rings, mesh, outlines, rectangles
from exporters.formats.godot.write_tileset import FLYERS, WALKERS
from exporters.objects import starts_shut
from exporters.owners import common
from generator.arrays import Ints, Mask
from generator.geometry import Point, Rect
from generator.kinds import Kinds
from generator.level import Level
from generator.named_tuple import NamedTuple

# The name of a region's node by its navigation layers. `Way` belongs to a shut door.
EVERYONE = WALKERS | FLYERS
SUFFIXES = {EVERYONE: "", WALKERS: "Walk", FLYERS: "Fly"}


class Region(NamedTuple):
    """A mesh and its outlines, in px of the level. Baking the outlines with the radius gives the mesh."""

    layers: int
    mesh: FlatMesh
    outlines: Rings
    agent_radius: int


class PartRegions(NamedTuple):
    """The regions of a part. Those of shut doors are separate, by door id."""

    always: Sequence[Region]
    behind: Mapping[int, Sequence[Region]]


def regions(
    level: Level, parts: Sequence[ScenePart], tile_size: int, radius: int, links: bool = True
) -> list[PartRegions]:
    """Compute the regions of each part of a level.

    Without `links`, one-way doors are open in both directions.
    """
    grid = fine_grid(level.width, level.height, tile_size, radius)
    who = np.zeros((len(grid.ys) - 1, len(grid.xs) - 1), np.uint8)
    for way, bit in (("walk", WALKERS), ("fly", FLYERS)):
        who |= grid.eroded(level.passable(way)) * np.uint8(bit)
    cuts = [list(_cuts(grid, who, part, links, level.kinds)) for part in parts]
    rects = [[rectangles(cut.mask, cut.corner) for cut in group] for group in cuts]
    full_mesh = mesh(np.concatenate([own for group in rects for own in group]))
    done = 0
    result = []
    for group, theirs in zip(cuts, rects, strict=True):
        always: list[Region] = []
        behind: dict[int, list[Region]] = {}
        for cut, own in zip(group, theirs, strict=True):
            region = _region(cut, grid, full_mesh.cut(done, done + len(own)))
            done += len(own)
            (always if cut.door is None else behind.setdefault(cut.door, [])).append(region)
        result.append(PartRegions(always, behind))
    return result


class _Cut(NamedTuple):
    """The area of a region: a mask [y, x] on the fine grid of some tiles. `corner` is the first tile."""

    door: int | None
    layers: int
    mask: Mask
    grid: FineGrid
    corner: Point


def _cuts(
    grid: FineGrid, who: npt.NDArray[np.uint8], part: ScenePart, links: bool, kinds: Kinds
) -> Iterator[_Cut]:
    """Yield first the areas at doors, which are closed while the doors are shut, then the rest.

    The area at a hallway's door also covers the end of the hallway, where a body would touch the door. It is
    taken out of `who`, so that the hallway's own part, which comes later, does not have it again.
    """
    whole = Rect(0, 0, who.shape[1] // grid.per_tile, who.shape[0] // grid.per_tile)
    rect = common(part.rect.shrunk(-1 - grid.radius // grid.tile_size), whole)
    own = np.zeros((rect.height, rect.width), np.bool_)
    left, top = part.rect.x - rect.x, part.rect.y - rect.y
    own[top : top + part.rect.height, left : left + part.rect.width] = part.own
    around, lines = who[grid.slices(rect)], grid.within(rect)
    inside = around * grid.refined(own)
    corner = rect.x * grid.per_tile, rect.y * grid.per_tile
    for door_part in part.doors:
        door = door_part.door
        linked = links and door.one_way
        if linked or starts_shut(door, kinds):
            near = lines.near(door_part.rect)
            area = inside if door.rooms[1] is not None else around
            for layers in () if linked else SUFFIXES:
                mask = near & (area == layers)
                if mask.any():
                    yield _Cut(door.id, layers, mask, lines, corner)
            inside[near] = 0
            area[near] = 0
    for layers in SUFFIXES:
        mask = inside == layers
        if layers == EVERYONE or mask.any():
            yield _Cut(None, layers, mask, lines, corner)


def _region(cut: _Cut, grid: FineGrid, mesh: FlatMesh) -> Region:
    """Make the region of a cut from a mesh whose vertices are corners of the grid.

    The outlines of the main region enclose everything that bodies cover. Other regions end at their
    neighbours, so their outlines are their own borders.
    """
    main = cut.door is None and cut.layers == EVERYONE
    rings = outlines(cut.grid.dilated(cut.mask) if main else cut.mask, cut.corner)
    return Region(
        cut.layers,
        mesh._replace(vertices=grid.px(mesh.vertices)),
        rings._replace(points=grid.px(rings.points)),
        grid.radius if main else 0,
    )


# --- where the centre of a body may be: the free tiles, eroded by the body's radius ------------------
#
# The borders of the eroded area are edges of tiles, or lines one radius away from them. These lines cut
# each tile into at most three columns and rows. On this finer, uneven grid the area is again a plain mask.
# With tiles of 16 px and a radius of 6, next to a wall:
#
#       0     6    10    16    22    26    32
#     ##|#####|#####|#####|     |     |     |
#     ##|#####|#####|#####|     |.....|.....|      . the centre of a body may be here

CutLines = npt.NDArray[np.int64]  # ascending, in px


class FineGrid(NamedTuple):
    """The lines that cut tiles for a `radius` in px: `per_tile` lines for each tile, and the last edge."""

    tile_size: int
    radius: int
    per_tile: int
    xs: CutLines
    ys: CutLines

    def refined(self, tiles: Mask) -> Mask:
        """Refine a mask [y, x] of tiles to this grid."""
        return np.repeat(np.repeat(tiles, self.per_tile, 0), self.per_tile, 1)

    def within(self, rect: Rect) -> FineGrid:
        """Return the grid of some of the tiles."""
        ys, xs = self.slices(rect)
        return self._replace(xs=self.xs[xs.start : xs.stop + 1], ys=self.ys[ys.start : ys.stop + 1])

    def slices(self, rect: Rect) -> tuple[slice, slice]:
        """Return the slices [y, x] of some tiles in a mask."""
        ys, xs = (slice(side.start * self.per_tile, side.stop * self.per_tile) for side in rect.slices)
        return ys, xs

    def eroded(self, tiles: Mask) -> Mask:
        """Return where on this grid the centre of a square, twice the radius wide, may be.

        The whole square must lie on `tiles`, a mask [y, x] of whole tiles.
        """
        reach = [(low // self.tile_size, -(-high // self.tile_size)) for low, high in self._reach()]
        for _ in "xy":
            tiles = _joined(np.ascontiguousarray(tiles.T), 1, reach, np.logical_and)
        return tiles

    def dilated(self, mask: Mask) -> Mask:
        """Return the area covered by squares whose centres are in a mask of this grid."""
        reach = [(self._column(low), self._column(high - 1) + 1) for low, high in self._reach()]
        for _ in "xy":
            mask = _joined(np.ascontiguousarray(mask.T), self.per_tile, reach, np.logical_or)
        return mask

    def _reach(self) -> list[tuple[int, int]]:
        """Return the edges of each column of a tile, moved out by the radius, in px from the tile's edge."""
        lines = [*_tile_cuts(self.tile_size, self.radius), self.tile_size]
        return [(low - self.radius, high + self.radius) for low, high in pairwise(lines)]

    def _column(self, px: int) -> int:
        """Return the column that contains a px. Both are relative to a tile's edge."""
        tile, inside = divmod(px, self.tile_size)
        return tile * self.per_tile + bisect_right(_tile_cuts(self.tile_size, self.radius), inside) - 1

    def near(self, rect: Rect) -> Mask:
        """Return a mask [y, x] of the area less than a radius away from some of the tiles."""
        xs, ys = (
            (low * self.tile_size - self.radius, high * self.tile_size + self.radius)
            for low, high in ((rect.x, rect.right), (rect.y, rect.bottom))
        )
        across, down = (
            (low <= lines[:-1]) & (lines[1:] <= high) for lines, (low, high) in ((self.xs, xs), (self.ys, ys))
        )
        result: Mask = down[:, np.newaxis] & across
        return result

    def px(self, corners: Ints) -> Ints:
        """Convert corners [corner, 2] of this grid to px."""
        x, y = corners.T
        return np.stack([self.xs[x], self.ys[y]], axis=1)


def fine_grid(width: int, height: int, tile_size: int, radius: int) -> FineGrid:
    """Build the grid of `width` by `height` tiles."""
    cuts = _tile_cuts(tile_size, radius)
    xs, ys = (
        np.append(np.add.outer(np.arange(count) * tile_size, cuts), count * tile_size)
        for count in (width, height)
    )
    return FineGrid(tile_size, radius, len(cuts), xs, ys)


def _tile_cuts(tile_size: int, radius: int) -> list[int]:
    """Return where the columns of a tile begin, in px."""
    return sorted({0, radius % tile_size, -radius % tile_size})


def _joined(mask: Mask, per_tile: int, reach: Sequence[tuple[int, int]], join: np.ufunc) -> Mask:
    """Combine nearby rows of a mask into the rows of a new one: for each tile, one row per item of `reach`.

    The mask has `per_tile` rows per tile. An item is the half-open range of rows to combine, counted from the
    tile's first row. Outside the mask everything counts as False.
    """
    before, after = -min(first for first, _ in reach), max(end for _, end in reach)
    height, width = mask.shape
    framed = np.zeros((before + height + after, width), np.bool_)
    framed[before : before + height] = mask
    joined = np.empty((height // per_tile, len(reach), width), np.bool_)
    for number, (first, end) in enumerate(reach):
        rows = [framed[before + row : before + row + height : per_tile] for row in range(first, end)]
        joined[:, number] = rows[0]
        for shifted in rows[1:]:
            join(joined[:, number], shifted, out=joined[:, number])
    return joined.reshape(-1, width)
