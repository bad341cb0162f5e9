"""The cells of Godot tile layers as arrays of numbers, and back.

    tile_map_data = PackedByteArray("AAAYAAoA...")      Godot 4.3: 2 bytes of format, then 12 per cell
    layer_0/tile_data = PackedInt32Array(65537, ...)    Godot 4.2: three numbers per cell
    tile_data = PoolIntArray( 65537, ... )              Godot 3: likewise

A cell's number is the data after its place, plus 1, so that 0 means no tile.
"""

from __future__ import annotations

import base64
import binascii

import numpy as np
import numpy.typing as npt

from exporters.merge.outcome import CannotMerge
from generator.geometry import Point
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

KEY = pattern(r"tile_map_data|layer_\d+/tile_data|tile_data")
_BYTES = pattern(r'PackedByteArray\(\s*(?:"([A-Za-z0-9+/=]*)"|([-0-9, ]*))\s*\)')
_INTS = pattern(r"(PackedInt32Array|PoolIntArray)\(([-0-9, ]*)\)")
_MAX_CELLS = 1 << 24

Codes = npt.NDArray[np.uint64]


class Sparse(NamedTuple):
    """The cells of a layer: places and numbers."""

    xs: npt.NDArray[np.int64]
    ys: npt.NDArray[np.int64]
    codes: Codes


class Frame(NamedTuple):
    """The part of the plane that arrays cover: the place of the first cell, and the rows and columns."""

    origin: Point
    shape: tuple[int, int]


def sparse(value: str) -> Sparse:
    """Parse the cells of a property's value. Raises CannotMerge if it is damaged."""
    try:
        if match := _BYTES.fullmatch(value):
            data = base64.b64decode(match[1]) if match[1] is not None else _listed(match[2])
            cells = np.frombuffer(data[2:], np.dtype([("x", "<i2"), ("y", "<i2"), ("code", "<u8")]))
            return Sparse(
                cells["x"].astype(np.int64), cells["y"].astype(np.int64), cells["code"] + np.uint64(1)
            )
        if match := _INTS.fullmatch(value):
            triples = np.array([int(number) for number in match[2].split(",") if number.strip()], np.int64)
            first, second, third = triples.reshape(-1, 3).T
            packed = first.astype(np.uint32).astype(np.int64)
            xs, ys = (packed & 0xFFFF).astype(np.int16), (packed >> 16).astype(np.int16)
            codes = second.astype(np.uint32).astype(np.uint64) << np.uint64(32) | third.astype(np.uint32)
            return Sparse(xs.astype(np.int64), ys.astype(np.int64), codes.astype(np.uint64) + np.uint64(1))
    except (ValueError, binascii.Error, OverflowError):
        pass
    raise CannotMerge("a tile layer has damaged tiles")


def _listed(text: str) -> bytes:
    return bytes(int(number) for number in text.split(",") if number.strip())


def frame_of(layers: list[Sparse], shift: Point) -> Frame:
    """Compute a frame with room for all cells, even after the shift."""
    xs = np.concatenate([np.zeros(1, np.int64), *(layer.xs for layer in layers)])
    ys = np.concatenate([np.zeros(1, np.int64), *(layer.ys for layer in layers)])
    left, top = int(xs.min()) - abs(shift[0]), int(ys.min()) - abs(shift[1])
    width = int(xs.max()) + abs(shift[0]) + 1 - left
    height = int(ys.max()) + abs(shift[1]) + 1 - top
    if width * height > _MAX_CELLS:
        raise CannotMerge("has tiles too far from each other")
    return Frame((left, top), (height, width))


def dense(cells: Sparse, frame: Frame) -> Codes:
    """Return the numbers of a layer in a frame, [y, x]."""
    codes = np.zeros(frame.shape, np.uint64)
    codes[cells.ys - frame.origin[1], cells.xs - frame.origin[0]] = cells.codes
    return codes


def written(codes: Codes, frame: Frame, like: str) -> str | None:
    """Write a property's value in the form of `like`. Return None if there are no cells."""
    ys, xs = np.nonzero(codes)
    if not len(xs):
        return None
    values = codes[ys, xs] - np.uint64(1)
    xs, ys = xs + frame.origin[0], ys + frame.origin[1]
    if like.startswith("PackedByteArray"):
        cells = np.zeros(len(xs), np.dtype([("x", "<i2"), ("y", "<i2"), ("code", "<u8")]))
        cells["x"], cells["y"], cells["code"] = xs, ys, values
        return f'PackedByteArray("{base64.b64encode(bytes(2) + cells.tobytes()).decode()}")'
    first = ((ys & 0xFFFF) << 16 | (xs & 0xFFFF)).astype(np.uint32).astype(np.int32)
    second = (values >> np.uint64(32)).astype(np.uint32).astype(np.int32)
    third = (values & np.uint64(0xFFFFFFFF)).astype(np.uint32).astype(np.int32)
    listed = ", ".join(map(str, np.stack([first, second, third], axis=1).ravel().tolist()))
    name = like.partition("(")[0]
    return f"{name}( {listed} )" if "( " in like else f"{name}({listed})"
