"""Small maps of every kind that Tiled draws, written by hand so that each thing is there on purpose."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from backports import zstd
from PIL import Image, ImageDraw

from tests.godot_addon.conftest import res

H, V, D, HEX = 0x80000000, 0x40000000, 0x20000000, 0x10000000

IMPORTER = "undercroft.tiled.map"

Map = dict[str, Any]
Gids = npt.NDArray[np.uint32]


def sheet(columns: int, rows: int, size: tuple[int, int], margin: int = 0, spacing: int = 0) -> Image.Image:
    """Tiles without any symmetry, no two alike, with see-through corners."""
    width, height = size
    whole = Image.new(
        "RGBA",
        (
            2 * margin + columns * (width + spacing) - spacing,
            2 * margin + rows * (height + spacing) - spacing,
        ),
    )
    for number in range(columns * rows):
        row, column = divmod(number, columns)
        tile = Image.new("RGBA", size)
        pen = ImageDraw.Draw(tile)
        pen.rectangle((1, 0, width - 1, height - 2), (40 + number * 23 % 200, number * 71 % 256, 90, 255))
        pen.rectangle((0, height // 2, width // 3, height - 1), (250, 240, number * 37 % 256, 255))
        pen.line((width // 2, 1, width - 2, height // 3), (0, 0, 0, 255))
        pen.point((width - 1, height - 1), (255, 0, 0, 255))
        whole.paste(tile, (margin + column * (width + spacing), margin + row * (height + spacing)))
    return whole


def tileset(image: str, count: int, columns: int, size: tuple[int, int], **more: Any) -> Map:
    """A tileset of one image; its margin and spacing are in `more`."""
    margin, spacing = more.get("margin", 0), more.get("spacing", 0)
    rows = -(-count // columns)
    return {
        "columns": columns,
        "image": image,
        "imageheight": 2 * margin + rows * (size[1] + spacing) - spacing,
        "imagewidth": 2 * margin + columns * (size[0] + spacing) - spacing,
        "margin": 0,
        "name": Path(image).stem,
        "spacing": 0,
        "tilecount": count,
        "tileheight": size[1],
        "tilewidth": size[0],
        "type": "tileset",
        "version": "1.10",
        **more,
    }


def tile_layer(gids: Gids, packing: str = "csv", **more: Any) -> Map:
    """A layer with its tiles packed in one of Tiled's ways."""
    raw = gids.astype("<u4").tobytes()
    pack: dict[str, Callable[[bytes], bytes]] = {
        "": bytes,
        "zlib": zlib.compress,
        "gzip": gzip.compress,
        "zstd": zstd.compress,
    }
    packed: Map = {"data": gids.ravel().tolist()}
    if packing != "csv":
        compression = packing.removeprefix("base64")
        data = base64.b64encode(pack[compression](raw)).decode()
        packed = {"data": data, "encoding": "base64", "compression": compression}
    height, width = gids.shape
    return {
        "type": "tilelayer",
        "name": packing,
        "width": width,
        "height": height,
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        **packed,
        **more,
    }


def object_layer(*objects: Map, **more: Any) -> Map:
    """An object layer; objects get ids and what every object has."""
    usual = {"name": "", "type": "", "rotation": 0, "visible": True, "width": 0, "height": 0, "x": 0, "y": 0}
    listed = [{"id": number, **usual, **each} for number, each in enumerate(objects, 1)]
    return {
        "type": "objectgroup",
        "name": "Objects",
        "draworder": "topdown",
        "opacity": 1,
        "visible": True,
        "x": 0,
        "y": 0,
        "objects": listed,
        **more,
    }


def a_map(
    size: tuple[int, int], cell: tuple[int, int], tilesets: list[Map], *layers: Map, **more: Any
) -> Map:
    """A map; layers get ids."""
    for number, layer in enumerate(layers, 1):
        layer.setdefault("id", number)
        layer.setdefault("name", f"Layer{number}")
    return {
        "type": "map",
        "version": "1.10",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": False,
        "width": size[0],
        "height": size[1],
        "tilewidth": cell[0],
        "tileheight": cell[1],
        "nextlayerid": 100,
        "nextobjectid": 1000,
        "layers": list(layers),
        "tilesets": tilesets,
        **more,
    }


def strewn(
    size: tuple[int, int], count: int, seed: int, turns: tuple[int, ...] = (0,), holes: float = 0.2
) -> Gids:
    """[y, x]: gids from 1 to `count` without any order, turned in the given ways, with holes."""
    chance = np.random.default_rng(seed)
    shape = size[1], size[0]
    gids = chance.integers(1, count + 1, shape).astype(np.uint32)
    gids |= np.array(turns, np.uint32)[chance.integers(0, len(turns), shape)]
    return np.where(chance.random(shape) < holes, np.uint32(0), gids)


def save(folder: Path, name: str, content: Map) -> None:
    """Write a JSON file, as Tiled does it."""
    (folder / name).write_text(json.dumps(content, indent=1), encoding="utf-8")


def import_with(folder: Path, name: str, **options: object) -> None:
    """Write the `.import` file that the Import dock would write: the options that are not as usual.

    In them, `res://` is the folder.
    """
    here = res(folder)
    digest = hashlib.md5(f"{here}{name}".encode()).hexdigest()
    lines = "".join(f"{key}={json.dumps(value)}\n" for key, value in options.items())
    lines = lines.replace("res://", here)
    (folder / f"{name}.import").write_text(
        f'[remap]\n\nimporter="{IMPORTER}"\ntype="PackedScene"\n'
        f'path="res://.godot/imported/{Path(name).name}-{digest}.scn"\n\n'
        f'[deps]\n\nsource_file="{here}{name}"\n\n[params]\n\n{lines}',
        encoding="utf-8",
    )
