"""Dressing: from a level's terrain and decor to tile layers in a theme.

Where a theme offers several tiles, the choice depends only on the level's seed and the place. So a change
to one tile changes nothing else on the level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from exporters.blob import PLACES, E, W, masks_of
from exporters.looks import draw_looks
from exporters.objects import starts_shut
from exporters.owners import owners
from exporters.theme import EMPTY, AtlasIndex, Theme
from exporters.theme.districts import look_steps, sheet_steps, theme_of_level, theme_of_levels
from exporters.theme.loader import fitted
from exporters.theme.parts import floor_of_room
from exporters.variants import DECOR_KEY, Tables, dice, first_keys, seed_of, tables_of
from generator.arrays import Mask, numbers_in
from generator.errors import ThemeError, shown
from generator.geometry import Point
from generator.level import Door, Level
from generator.named_tuple import NamedTuple

__all__ = ["EMPTY", "DoorTile", "Layers", "TileLayer", "door_tiles", "dress", "dressed", "dressed_together"]

TileLayer = npt.NDArray[np.int32]


class Layers(NamedTuple):
    """[y, x] atlas indexes, EMPTY where a layer has no tile. Drawn in this order and read-only.

    Characters are drawn between `decor` (which is y-sorted with them) and `overlay`.
    """

    ground: TileLayer
    walls: TileLayer
    doors: TileLayer
    decor: TileLayer
    overlay: TileLayer


class DoorTile(NamedTuple):
    """One tile of a door: its position and the atlas indexes of its states. The overlay may be EMPTY."""

    x: int
    y: int
    open: AtlasIndex
    shut: AtlasIndex
    overlay: AtlasIndex


def dressed(level: Level, theme: Theme) -> tuple[Theme, Layers]:
    """Apply the theme for the level's kinds, in the looks that it has. Return that theme and the layers."""
    look = theme_of_level(fitted(theme, level.kinds), level)
    return look, dress(level, look)


def dressed_together(levels: Sequence[Level], theme: Theme) -> list[Callable[[], tuple[Theme, Layers]]]:
    """Return for each level of one kit a function that dresses it, in one theme with the looks of all."""
    shared = cache(lambda: theme_of_levels(fitted(theme, levels[0].kinds), levels))
    return [cache(partial(_dressed_in, shared, level, theme)) for level in levels]


def _dressed_in(shared: Callable[[], Theme], level: Level, theme: Theme) -> tuple[Theme, Layers]:
    own, layers = dressed(level, theme)
    steps = np.array(sheet_steps(own, shared()), np.int32)
    if not steps.any():
        return shared(), layers
    sheets = [np.where(layer == EMPTY, 0, layer) // own.sheet_tiles for layer in layers]
    moved = [
        np.where(layer == EMPTY, EMPTY, layer + steps[sheet])
        for layer, sheet in zip(layers, sheets, strict=True)
    ]
    return shared(), Layers(*moved)


def dress(level: Level, theme: Theme) -> Layers:
    """Choose a tile for everything visible in `level`.

    A room of a kind that the theme does not know gets the default floor; such a door looks like an open one.
    Looks that a person painted for the theme are drawn in place of its choice. Raises ThemeError for unknown
    terrain or decor; `loader.fitted` returns a theme for a level's kinds.
    """
    _refuse_unknown_terrain(level, theme)
    rows = _rows_of_rules(level, theme)
    doors, overlay = _doors(level, theme)
    steps = _steps(level, theme, rows, doors)
    ground, walls = (_chosen(level, theme, rows[layer], steps) for layer in ("ground", "walls"))
    draw_looks(level, theme, {"ground": ground, "walls": walls})
    if steps is not None:
        for layer in (ground, walls, doors, overlay):
            np.add(layer, steps, out=layer, where=layer != EMPTY)
    decor = _decor(level, theme, overlay, steps)
    layers = Layers(ground, walls, doors, decor, overlay)
    for layer in layers:
        layer.setflags(write=False)
    return layers


def _steps(level: Level, theme: Theme, rows: Mapping[str, TileLayer], doors: TileLayer) -> TileLayer | None:
    """Return how much greater each tile [y, x] is in the look of its owner; None if there is one look."""
    steps = look_steps(level, theme)
    if not any(steps):
        return None
    return np.array([*steps, 0], np.int32).take(
        owners(level, (*rows.values(), doors))
    )  # the last is nobody's


def steps_of(level: Level, theme: Theme) -> TileLayer:
    """Return how much greater each tile [y, x] of a dressed level is than the same tile of the first look."""
    steps = _steps(level, theme, _rows_of_rules(level, theme), _doors(level, theme)[0])
    return np.zeros(level.terrain.shape, np.int32) if steps is None else steps


def tiles_by_rules(level: Level, theme: Theme, layer: str, tiles: Iterable[Point]) -> list[set[AtlasIndex]]:
    """Return for each place all tiles that the theme's rules can draw there in `ground` or `walls`."""
    rows, table = _rows_of_rules(level, theme)[layer], tables_of(theme).terrain
    return [table.of_row(rows[y, x]) if rows[y, x] != EMPTY else set() for x, y in tiles]


def _rows_of_rules(level: Level, theme: Theme) -> dict[str, TileLayer]:
    """Return by layer the rows [y, x] of the theme's table from which a tile is chosen, EMPTY for no tile."""
    hidden = _hidden(level)
    stone = _is(level, "wall") | hidden  # a gap beside a hidden door would give it away
    return {
        "ground": _ground_rows(level, theme, stone, hidden),
        "walls": _wall_rows(level, theme, stone),
    }


def _chosen(level: Level, theme: Theme, rows: npt.NDArray[np.int32], steps: TileLayer | None) -> TileLayer:
    """Choose a tile of each place's row, as one of the first look."""
    tiles = np.full(rows.shape, EMPTY, np.int32)
    where = np.flatnonzero(rows != EMPTY)
    ys, xs = np.divmod(where, level.width)
    drawn, table = rows.take(where), tables_of(theme).terrain
    looks = 0 if steps is None else steps.take(where) // theme.sheet_tiles
    keys = drawn + np.array(first_keys(theme)).take(looks)
    chosen = table.choose(drawn, dice(seed_of(level.seed), keys, xs, ys))
    tiles.put(where, table.tiles.take(chosen))
    return tiles


def _refuse_unknown_terrain(level: Level, theme: Theme) -> None:
    for number in numbers_in(level.terrain):
        name = level.terrain_kinds[number].name
        known = theme.kinds.terrain_ids
        if name not in known:
            raise ThemeError(
                f"{theme.name}: the level's kit has no terrain {shown(name)}; use {', '.join(known)}"
            )


def _is(level: Level, name: str) -> Mask:
    """Find where the terrain has this kind, [y, x]."""
    numbers = [number for number, kind in enumerate(level.terrain_kinds) if kind.name == name]
    result = np.zeros(level.terrain.shape, bool)
    for number in numbers:
        result |= level.terrain == number
    return result


def _above(mask: Mask) -> Mask:
    """Check for each tile [y, x] whether the tile to the north is set in the mask."""
    moved = np.zeros_like(mask)
    moved[1:] = mask[:-1]
    return moved


def _hidden(level: Level) -> Mask:
    """Find the doors that look like walls while shut: secret and red ones, [y, x]."""
    hidden = np.zeros(level.terrain.shape, bool)
    for door in level.doors:
        if door.kind in level.kinds.secret_doors:
            xs, ys = np.array(door.tiles).T
            hidden[ys, xs] = True
    return hidden


def _wall_rows(level: Level, theme: Theme, stone: Mask) -> npt.NDArray[np.int32]:
    """Find the rows of walls, their tops, and the outer faces.

        . . .        void
        t t t t      void above a wall: its top
        # # # #      wall: a face, because there is floor to the south
        . . . .      floor
        # # # #      wall: a top, because there is stone to the south
        f f f f      void below a wall: the outer face

    The mask tells tops from faces: a face has no stone to its south. If the outside is solid, the masks treat
    all void as stone, and everything beyond the level too. Stone in the void and the ends of walls have rows
    of their own because LDtk, in which a room is a level, draws them by other rules.
    """
    tables, is_solid = tables_of(theme), theme.is_solid
    below = np.zeros_like(stone)
    below[:-1] = stone[1:]
    void = _is(level, "void")
    mass = stone | (void & (below | _above(stone)))
    like = np.pad(stone | void if is_solid else mass, 1, constant_values=is_solid)
    masks = masks_of(like)[1:-1, 1:-1]
    first = np.where(void, tables.stone, tables.walls)
    west, east = _room_sides(level)
    first[west & stone & (masks & W == 0)] = tables.west_ends
    first[east & stone & (masks & E == 0)] = tables.east_ends
    drawn = mass & ~_is(level, "door")  # doors are drawn on their own layer, so that they can be opened
    return np.where(drawn, first + PLACES.take(masks), EMPTY).astype(np.int32)


def _room_sides(level: Level) -> tuple[Mask, Mask]:
    """Find the tiles [y, x] at the west and the east side of a room on a grid."""
    west, east = np.zeros((2, *level.terrain.shape), bool)
    for room in level.rooms if level.grid else ():
        rects = level.room_rects(room)
        left, right = min(rect.x for rect in rects), max(rect.right for rect in rects)
        for rect in rects:
            rows, _ = rect.slices
            west[rows, left] |= rect.x == left
            east[rows, right - 1] |= rect.right == right
    return west, east


def _ground_rows(level: Level, theme: Theme, stone: Mask, hidden: Mask) -> npt.NDArray[np.int32]:
    """Find the rows of floors and pits, but of nothing under walls."""
    tables = tables_of(theme)
    rows = np.where(hidden, tables.secret, _floor_rows(level, theme, tables))
    rows += _above(stone)  # each plain row is followed by its shaded row
    pit = _is(level, "pit")
    rows[pit] = tables.pits + PLACES[masks_of(pit | _is(level, "bridge"))[pit]]
    rows[_is(level, "void") | _is(level, "wall")] = EMPTY
    return rows


def _floor_rows(level: Level, theme: Theme, tables: Tables) -> npt.NDArray[np.int32]:
    """Find the row of the plain floor [y, x]: by room kind where the terrain is `floor`, else by terrain.

    A room whose kind has no floor of its own has that of its zone, if the theme knows it.
    """
    floors, default, usual = tables.floors, tables.floors["default"], theme.floors["default"]
    rows = np.full(level.terrain.shape, default, np.int32)
    for room in level.rooms:
        row = tables.rooms.get(room.kind, default)
        if room.zone and theme.floors.get(floor_of_room(level.kinds, room.kind), usual) == usual:
            row = floors.get(level.floor_of_zone(room.zone), row)
        for rect in level.room_rects(room):
            rows[rect.slices] = row
    by_terrain = np.array([floors.get(kind.name, default) for kind in level.terrain_kinds], np.int32)
    return np.where(_is(level, "floor"), rows, by_terrain.take(level.terrain))


def _doors(level: Level, theme: Theme) -> tuple[TileLayer, TileLayer]:
    """Draw the layer of the doors, and a layer with the parts of them that are drawn over characters."""
    placed: list[tuple[int, int, int]] = []  # x, y, tile
    above: list[tuple[int, int, int]] = []
    for door in level.doors:
        is_shut = starts_shut(door, level.kinds)
        for tile in door_tiles(door, theme):
            placed.append((tile.x, tile.y, tile.shut if is_shut else tile.open))
            if tile.overlay != EMPTY:
                above.append((tile.x, tile.y, tile.overlay))
    layers = []
    for cells in (placed, above):
        layer = np.full(level.terrain.shape, EMPTY, np.int32)
        xs, ys, indexes = np.array(cells, np.int32).reshape(-1, 3).T
        layer[ys, xs] = indexes
        layers.append(layer)
    return layers[0], layers[1]


def door_tiles(door: Door, theme: Theme, steps: Sequence[int] = ()) -> Iterator[DoorTile]:
    """Yield the tiles of a door, open and shut. `steps` are those of the level's `look_steps`.

    The arrow of a one-way door points into a room, so only the half in that room's wall has one.
    """
    for half in door.halves:
        own = theme.sheets[steps[half.room] // theme.sheet_tiles] if steps else theme
        kind = "open" if door.kind == "one_way" and half.room != door.rooms[0] else door.kind
        look = own.doors.get((kind, half.side)) or own.doors["open", half.side]
        for (x, y), part in zip(sorted(half.tiles), _parts(len(half.tiles)), strict=True):
            yield DoorTile(
                x, y, look.open[part], look.shut[part], look.overlay[part] if look.overlay else EMPTY
            )


def _parts(width: int) -> list[int]:
    """Choose for each tile of a door one of the look's four tiles: single, or first, middle ..., last."""
    return [0] if width == 1 else [1, *[2] * (width - 2), 3]


def _decor(level: Level, theme: Theme, overlay: TileLayer, steps: TileLayer | None) -> TileLayer:
    """Draw decor, each piece a block of the atlas of its own size. Tops go to `overlay`, one tile higher.

    A piece has the look of its top left tile.
    """
    tables = tables_of(theme)
    decor = np.full(level.decor.shape, EMPTY, np.int32)
    numbers = _decor_numbers(level, theme)[level.decor]
    ys, xs = np.nonzero(numbers)
    chosen = tables.decor.choose(numbers[ys, xs], dice(seed_of(level.seed), DECOR_KEY, xs, ys))
    drawn = tables.decor.tiles[chosen] != EMPTY
    ys, xs, chosen = ys[drawn], xs[drawn], chosen[drawn]
    kinds = numbers[ys, xs]
    tiles, tops = tables.decor.tiles[chosen], tables.tops[chosen]
    if steps is not None:
        tiles, tops = tiles + steps[ys, xs], np.where(tops == EMPTY, EMPTY, tops + steps[ys, xs])
    widths, heights = (
        np.array(sides)[kinds] for sides in zip(*(kind[-2:] for kind in theme.kinds.decor), strict=True)
    )
    for dy in range(int(heights.max(initial=0))):
        for dx in range(int(widths.max(initial=0))):
            part = (heights > dy) & (widths > dx)
            _put(decor, ys[part] + dy, xs[part] + dx, tiles[part] + dy * theme.columns + dx)
            if dy == 0:
                part &= tops != EMPTY
                _put(overlay, ys[part] - 1, xs[part] + dx, tops[part] + dx)
    return decor


def _put(
    layer: TileLayer, ys: npt.NDArray[np.intp], xs: npt.NDArray[np.intp], tiles: npt.NDArray[np.integer]
) -> None:
    """Set tiles, except those outside the level."""
    inside = (ys >= 0) & (ys < layer.shape[0]) & (xs < layer.shape[1])
    layer[ys[inside], xs[inside]] = tiles[inside]


def _decor_numbers(level: Level, theme: Theme) -> npt.NDArray[np.intp]:
    """Map each decor number of the level to the index of its kind in the theme."""
    known, ids = theme.kinds.decor, theme.kinds.decor_ids
    numbers = np.zeros(len(level.decor_kinds), np.intp)
    if level.decor_kinds is known:
        return np.arange(len(numbers))
    for i in numbers_in(level.decor):
        if not i:
            continue
        kind = level.decor_kinds[i]
        number = ids.get(kind.name, 0)
        if not number or known[number][-2:] != kind[-2:]:
            size = f"{kind.width} x {kind.height}"
            raise ThemeError(f"{theme.name}: themes cannot draw the decor {shown(kind.name)} of {size} tiles")
        numbers[i] = number
    return numbers
