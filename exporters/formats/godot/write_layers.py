"""Tile layers: their nodes, and how each Godot version packs the cells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from exporters.dress import EMPTY, TileLayer
from exporters.formats.godot.syntax import Dialect
from exporters.formats.godot.syntax.literals import Packed, PackedBytes, Reference, packed_int32, vector2
from exporters.formats.godot.write_tileset import EVERYONE, SHOTS, UNTOUCHED, WALKERS, tile_table
from exporters.theme import Theme
from generator.geometry import Point
from generator.named_tuple import NamedTuple


class LayerKind(NamedTuple):
    """What a layer does, and how it is drawn among the others."""

    name: str
    z_index: int
    stops: int  # collision bits of most of its tiles; 0: nothing collides
    shades: bool = False
    sorts: bool = False


# The layer of doors does not collide: each door has its own body, which can be switched off.
LAYER_KINDS = (
    LayerKind("Ground", -3, WALKERS),
    LayerKind("Walls", -2, EVERYONE, shades=True),
    LayerKind("Doors", -1, 0),
    LayerKind("Decor", 0, WALKERS | SHOTS, sorts=True),
    LayerKind("Overlay", 1, 0),
)
# A Godot 3 TileMap has one collision layer, so tiles with other collision bits get a separate TileMap.
_SUFFIXES = {WALKERS: "Low", WALKERS | SHOTS: "Middle", EVERYONE: "High"}


class TileSource(NamedTuple):
    """The TileSet of a scene's layers: a resource, and its source with the theme's tiles."""

    theme: Theme
    tile_set: Reference
    number: int
    own: bool  # whether it is the TileSet written beside the scene, not the game's own


def layer_nodes(
    kind: LayerKind, layer: TileLayer, offset: Point, source: TileSource, dialect: Dialect
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield name and properties of a layer's nodes. `offset` is the place of its first tile."""
    if dialect.version == "3.6":
        yield from _godot_3_nodes(kind, layer, offset, source)
    elif dialect.layer == "TileMap":
        yield kind.name, _tile_map(kind, layer, offset, source)
    else:
        yield kind.name, _tile_map_layer(kind, layer, offset, source)


def _z_index(kind: LayerKind) -> dict[str, object]:
    return {"z_index": kind.z_index} if kind.z_index else {}


# --- Godot 4.3 ---------------------------------------------------------------------------------------

CELL = np.dtype(
    [("x", "<i2"), ("y", "<i2"), ("source", "<u2"), ("column", "<u2"), ("row", "<u2"), ("alt", "<u2")]
)


def _tile_map_layer(
    kind: LayerKind, layer: TileLayer, offset: Point, source: TileSource
) -> dict[str, object]:
    """Return a TileMapLayer. Its own navigation is off, or it would overlap the region."""
    data = tile_map_data(layer, source.theme.columns, offset, source.number)
    return {
        **_z_index(kind),
        **({"y_sort_enabled": True} if kind.sorts else {}),
        **({} if kind.stops else {"collision_enabled": False}),
        **({} if kind.shades else {"occlusion_enabled": False}),
        **({"tile_map_data": PackedBytes(data)} if data else {}),
        "tile_set": source.tile_set,
        "navigation_enabled": False,
    }


def tile_map_data(layer: TileLayer, columns: int, offset: Point = (0, 0), source: int = 0) -> bytes:
    """Encode a layer's cells by row: u16 format 0, then 12 bytes per cell (`tile_map_layer.cpp`).

    i16 x, i16 y, u16 source, u16 atlas column, u16 atlas row, u16 alternative; little endian. Empty for an
    empty layer, which does not have this property.
    """
    ys, xs = np.nonzero(layer != EMPTY)
    if not len(xs):
        return b""
    cells = np.zeros(len(xs), CELL)
    cells["x"], cells["y"], cells["source"] = xs + offset[0], ys + offset[1], source
    cells["row"], cells["column"] = np.divmod(layer[ys, xs], columns)
    return b"\0\0" + cells.tobytes()


# --- Godot 4.2 ---------------------------------------------------------------------------------------


def _tile_map(kind: LayerKind, layer: TileLayer, offset: Point, source: TileSource) -> dict[str, object]:
    """Return a TileMap with one layer, so that nodes have the same paths in every Godot version.

    It cannot turn collisions off, so door tiles are alternatives without collision.
    """
    ys, xs = np.nonzero(layer != EMPTY)
    rows, columns = np.divmod(layer[ys, xs].astype(np.int64), source.theme.columns)
    alternative = UNTOUCHED if source.own and not kind.stops else 0
    cells = _ints(xs, ys, offset, columns << 16 | source.number, alternative << 16 | rows)
    return {
        **_z_index(kind),
        **({"y_sort_enabled": True} if kind.sorts else {}),
        "tile_set": source.tile_set,
        "format": 2,
        "layer_0/name": kind.name,
        **({"layer_0/y_sort_enabled": True} if kind.sorts else {}),
        "layer_0/navigation_enabled": False,
        "layer_0/tile_data": cells,
    }


def _ints(
    xs: npt.NDArray[np.intp],
    ys: npt.NDArray[np.intp],
    offset: Point,
    second: npt.NDArray[np.int64],
    third: npt.NDArray[np.int64],
) -> Packed:
    """Pack three 32-bit numbers per cell. The first is `y << 16 | x` with 16-bit x and y."""
    first = (ys + offset[1]) << 16 | ((xs + offset[0]) & 0xFFFF)
    numbers = np.stack([first, second, third], axis=1)
    return packed_int32(numbers.astype(np.int32).ravel().tolist())


# --- Godot 3.6 ---------------------------------------------------------------------------------------


def _godot_3_nodes(
    kind: LayerKind, layer: TileLayer, offset: Point, source: TileSource
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield a TileMap, and additional ones for tiles with other collision bits."""
    if not kind.stops:
        yield kind.name, _godot_3_map(kind, 0, layer, offset, source)
        return
    stopped = np.where(layer == EMPTY, 0, tile_table(source.theme).stops[np.maximum(layer, 0)])
    other_bits = sorted(set(np.unique(stopped).tolist()) - {0, kind.stops})
    for bits in (kind.stops, *other_bits):
        selected = stopped == bits if bits in other_bits else (stopped == 0) | (stopped == bits)
        name = f"{kind.name}{_SUFFIXES.get(bits, bits)}" if bits in other_bits else kind.name
        yield name, _godot_3_map(kind, bits, np.where(selected, layer, EMPTY), offset, source)


def _godot_3_map(
    kind: LayerKind, bits: int, layer: TileLayer, offset: Point, source: TileSource
) -> dict[str, object]:
    ys, xs = np.nonzero(layer != EMPTY)
    tiles = layer[ys, xs].astype(np.int64)
    rows, columns = np.divmod(tiles, source.theme.columns)
    ids = tile_table(source.theme).ids[tiles] + source.number
    size = source.theme.tile_size
    return {
        **_z_index(kind),
        "tile_set": source.tile_set,
        "cell_size": vector2(size, size),
        **({"cell_y_sort": True} if kind.sorts else {}),
        "collision_layer": bits,
        "collision_mask": 0,
        "occluder_light_mask": 1 if kind.shades else 0,
        "format": 1,
        "tile_data": _ints(xs, ys, offset, ids, rows << 16 | columns),
    }
