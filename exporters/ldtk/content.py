"""What each LDtk level holds: its IntGrid, and the tiles that rules draw or that stand there by themselves.

Where the rules draw what the dressed level shows, the rule's tile is all there is. Where they cannot know
(a wall that bends round a room of another level), the tile stands in a layer that puts the rules aside, so
that nothing is ever drawn twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, Layer, Layers
from exporters.ldtk import kinds
from exporters.ldtk.areas import NOBODY, Area, Owners, Plan
from exporters.ldtk.rules import Drawing, GridValues
from generator.geometry import Rect
from generator.level import Level

_Bools = npt.NDArray[np.bool_]


class Tiles(NamedTuple):
    """Tiles of one layer: `coords` are x + y · width of the level, `indexes` in the atlas; by coordinate,
    and in the order in which those of one place are drawn. `rules` are numbers of the rules that drew
    them, if any did.
    """

    coords: npt.NDArray[np.int32]
    indexes: npt.NDArray[np.int32]
    rules: npt.NDArray[np.int32] | None = None


class Content(NamedTuple):
    """One LDtk level's tiles by layer."""

    values: GridValues
    terrain: Tiles
    fixed: Tiles
    above: Tiles
    below: Tiles
    doors: Tiles
    decor: Tiles
    overlay: Tiles


def grid_values(level: Level, layers: Layers, plan: Plan) -> GridValues:
    """[y, x]: the IntGrid's value of every tile, walls without their ends; 0 where nothing is drawn."""
    by_terrain = [kinds.OF_TERRAIN.get(kind.name, kinds.FLOOR) for kind in level.terrain_kinds]
    values: GridValues = np.array(by_terrain, np.uint8)[level.terrain]
    floor = np.array([kind.name == "floor" for kind in level.terrain_kinds])[level.terrain]
    values[floor] = _floor_values(level, plan)[floor]
    values[(values == 0) & (layers.walls != EMPTY)] = kinds.STONE
    for door in level.doors:
        if door.kind == "secret":
            for x, y in door.tiles:
                values[y, x] = kinds.SECRET_DOOR
    values[(layers.walls == EMPTY) & (layers.ground == EMPTY)] = 0
    return values


def _floor_values(level: Level, plan: Plan) -> GridValues:
    """[y, x]: the value that the floor of each tile's room has; plain floor outside of all rooms."""
    found = np.full(level.terrain.shape, kinds.FLOOR, np.uint8)
    for room in level.rooms:
        parts = [level.grid.cell_rect(cell) for cell in room.cells] if level.grid else [room.bounds]
        for part in parts:
            found[part.slices] = kinds.FLOOR_OF_ROOM[room.kind]
    return found


def contents(level: Level, layers: Layers, plan: Plan, drawing: Drawing) -> Iterator[Content]:
    """The content of each LDtk level, in their order."""
    values = grid_values(level, layers, plan)
    above, below = _Beyond(plan.above, layers, 1), _Beyond(plan.below, layers, -1)
    for number, area in enumerate(plan.areas):
        own = _cut(plan.owners, area.rect, NOBODY) == number
        ground, walls, doors, decor, overlay = (
            np.where(own, _cut(layer, area.rect, EMPTY), EMPTY) for layer in layers
        )
        inner = np.where(own, _cut(values, area.rect, 0), 0).astype(np.uint8)
        inner, terrain, fixed = _terrain(inner, ground, walls, drawing)
        yield Content(
            inner,
            terrain,
            fixed,
            above.tiles(number, area),
            below.tiles(number, area),
            _tiles(doors),
            _tiles(decor),
            _tiles(overlay),
        )


def _cut(array: npt.NDArray[np.generic], rect: Rect, fill: int) -> npt.NDArray[np.generic]:
    """A rectangle of an array [y, x], which may reach over its edges."""
    height, width = array.shape
    if rect.x >= 0 and rect.y >= 0 and rect.right <= width and rect.bottom <= height:
        return array[rect.slices]
    cut = np.full((rect.height, rect.width), fill, array.dtype)
    left, top = max(rect.x, 0), max(rect.y, 0)
    right, bottom = min(rect.right, width), min(rect.bottom, height)
    cut[top - rect.y : bottom - rect.y, left - rect.x : right - rect.x] = array[top:bottom, left:right]
    return cut


def _terrain(
    values: GridValues, ground: Layer, walls: Layer, drawing: Drawing
) -> tuple[GridValues, Tiles, Tiles]:
    """The values with the ends of walls, what the rules draw, and what stands in their place."""
    tiles = np.where(walls != EMPTY, walls, ground)
    seen = tiles != EMPTY
    rules = drawing.drawn(values)
    right = _fits(drawing, rules, tiles, seen & ((walls == EMPTY) | (ground == EMPTY)))
    for end in (kinds.WEST_END, kinds.EAST_END):
        wrong = seen & ~right & (values == kinds.WALL)
        if wrong.any():
            # All ends are of the group Walls: no neighbour's rule changes.
            ended = drawing.drawn(np.where(wrong, end, values).astype(np.uint8))
            better = _fits(drawing, ended, tiles, wrong & (ground == EMPTY))
            values = np.where(better, end, values).astype(np.uint8)
            rules = np.where(better, ended, rules)
            right |= better
    ys, xs = np.nonzero(right)
    coords, chosen = (ys * values.shape[1] + xs).astype(np.int32), rules[ys, xs]
    order = np.lexsort((coords, -chosen))  # LDtk lists the last rule first
    drawn = Tiles(coords[order], tiles[ys, xs][order], chosen[order])
    others = seen & ~right
    return values, drawn, _stacked([np.where(others, ground, EMPTY), np.where(others, walls, EMPTY)])


def _fits(
    drawing: Drawing, rules: npt.NDArray[np.int32], tiles: npt.NDArray[np.int32], where: _Bools
) -> _Bools:
    fits = np.zeros(where.shape, bool)
    fits[where] = drawing.holds(rules[where], tiles[where])
    return fits


def _tiles(layer: Layer) -> Tiles:
    coords = np.flatnonzero(layer != EMPTY).astype(np.int32)
    return Tiles(coords, layer.ravel()[coords])


def _stacked(layers: list[Layer]) -> Tiles:
    """The tiles of several layers in one, the first ones lowest."""
    parts = [_tiles(layer) for layer in layers]
    coords = np.concatenate([part.coords for part in parts])
    indexes = np.concatenate([part.indexes for part in parts])
    order = np.argsort(coords, kind="stable")
    return Tiles(coords[order], indexes[order])


class _Beyond:
    """Tiles one row over or under the levels that they belong to, sorted by level."""

    def __init__(self, hosts: Owners, layers: Layers, step: int) -> None:
        ys, xs = np.nonzero(hosts != NOBODY)
        order = np.argsort(hosts[ys, xs], kind="stable")
        self._ys, self._xs = ys[order], xs[order]
        self._hosts = hosts[self._ys, self._xs]
        self._layers = layers
        self._step = step

    def tiles(self, number: int, area: Area) -> Tiles:
        """Those of one level, at the tiles of the wall that they rise or hang from."""
        start, end = np.searchsorted(self._hosts, [number, number + 1])
        ys, xs = self._ys[start:end], self._xs[start:end]
        coords = (ys + self._step - area.rect.y) * area.rect.width + xs - area.rect.x
        stacks = [layer[ys, xs] for layer in self._layers]
        every = np.concatenate([coords] * len(stacks)).astype(np.int32)
        indexes = np.concatenate(stacks)
        order = np.flatnonzero(indexes != EMPTY)
        order = order[np.argsort(every[order], kind="stable")]
        return Tiles(every[order], indexes[order])
