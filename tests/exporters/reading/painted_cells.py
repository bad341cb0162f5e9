"""The tiles of a Godot layer as a person paints them."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Mapping

from exporters.formats.godot.write_tileset import tile_table
from exporters.theme import Theme
from generator.geometry import Point


def with_cells(text: str, tiles: Mapping[Point, Point | None], theme: Theme) -> str:
    """The text of a layer, with other tiles at some places: those in the theme's image, or none."""
    if "TileMapLayer" not in text:
        return _with_numbers(text, tiles, theme)
    found = re.search(r'tile_map_data = PackedByteArray\("([^"]*)"\)\n', text)
    data = base64.b64decode(found[1]) if found else b"\0\0"
    cells = {struct.unpack_from("<hh", data, i): data[i : i + 12] for i in range(2, len(data), 12)}
    for place, at in tiles.items():
        cells.pop(place, None)
        if at is not None:
            cells[place] = struct.pack("<hhHHHH", *place, 0, *at, 0)
    packed = base64.b64encode(b"\0\0" + b"".join(cells.values())).decode()
    line = f'tile_map_data = PackedByteArray("{packed}")\n'
    return text.replace(found[0], line) if found else text.replace("tile_set", f"{line}tile_set")


def _with_numbers(text: str, tiles: Mapping[Point, Point | None], theme: Theme) -> str:
    """The same for Godot 3."""
    found = re.search(r"tile_data = (\w+)\(([^)]*)\)", text)
    assert found
    numbers = [int(each) for each in found[2].split(",") if each.strip()]
    cells = {numbers[i]: numbers[i + 1 : i + 3] for i in range(0, len(numbers), 3)}
    for (x, y), at in tiles.items():
        cells.pop(first := (y << 16) | (x & 0xFFFF), None)
        if at is not None and "layer_0" in text:
            cells[first] = [at[0] << 16, at[1]]
        elif at is not None:
            tile = at[1] * theme.columns + at[0]
            cells[first] = [int(tile_table(theme).ids[tile]), at[1] << 16 | at[0]]
    flat = ", ".join(str(each) for cell, two in cells.items() for each in (cell, *two))
    return text.replace(found[0], f"tile_data = {found[1]}({flat})")
