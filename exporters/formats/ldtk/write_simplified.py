"""The "super simple export" that LDtk writes beside a project, for engines without an importer.

    NAME/simplified/LEVEL/data.json        the level's place, fields, and entities by kind
                          _composite.png   all layers over the background
                          _bg.png          the background
                          LAYER.png        a layer's tiles
                          Terrain.csv      the IntGrid
                          Terrain-int.png  the same, one pixel per cell in its value's colour

It is made from the project and has the same content. (Sources: `ProjectSaver.hx` and `Level.hx` of LDtk.)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from exporters.formats.png.syntax import png_bytes
from exporters.theme import Theme
from exporters.theme.image import Pixels, atlas_pixels
from generator.errors import BadInput

LdtkTable = Mapping[str, Any]
_MAX_PX = 1 << 26  # of all levels together; each is drawn a dozen times


def simplified(project: LdtkTable, theme: Theme, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a project with internal levels, by path. Raises BadInput if they are too large."""
    pixels = sum(level["pxWid"] * level["pxHei"] for level in project["levels"])
    if pixels > _MAX_PX:
        raise BadInput(f"ldtk.simplified: {pixels:,} px per layer are too many; leave the option out")
    sheet = atlas_pixels(theme)
    layers = {layer["uid"]: layer for layer in project["defs"]["layers"]}
    for level in project["levels"]:
        folder = f"{name}/simplified/{level['identifier']}"
        text = json.dumps(_data(level), ensure_ascii=False, indent="\t")
        yield f"{folder}/data.json", text.encode("utf-8")
        shape = level["pxHei"], level["pxWid"]
        composite = np.empty((*shape, 4), np.uint8)
        composite[...] = (*_rgb(level["__bgColor"]), 255)
        yield f"{folder}/_bg.png", _png(composite)
        for instance in reversed(level["layerInstances"]):  # lowest first
            if instance["__type"] == "Entities":
                continue
            drawn = _drawn(instance, sheet, shape, theme.tile_size)
            _lay_over(composite, drawn)
            yield f"{folder}/{instance['__identifier']}.png", _png(drawn)
            if instance["__type"] == "IntGrid":
                yield from _grid_files(f"{folder}/{instance['__identifier']}", instance, layers)
        yield f"{folder}/_composite.png", _png(composite)


def _data(level: LdtkTable) -> dict[str, object]:
    entities: dict[str, list[object]] = {}
    for instance in level["layerInstances"]:
        for entity in instance["entityInstances"]:
            entities.setdefault(entity["__identifier"], []).append(_entity(entity, instance))
    drawn = [
        layer["__identifier"] for layer in reversed(level["layerInstances"]) if layer["__type"] != "Entities"
    ]
    return {
        "identifier": level["identifier"],
        "uniqueIdentifer": level["iid"],  # LDtk's own spelling
        "x": level["worldX"],
        "y": level["worldY"],
        "width": level["pxWid"],
        "height": level["pxHei"],
        "bgColor": level["__bgColor"],
        "neighbourLevels": level["__neighbours"],
        "customFields": _fields(level),
        "layers": [f"{name}.png" for name in drawn],
        "entities": entities,
    }


def _fields(owner: LdtkTable) -> dict[str, object]:
    return {field["__identifier"]: field["__value"] for field in owner["fieldInstances"]}


def _entity(entity: LdtkTable, instance: LdtkTable) -> dict[str, object]:
    x, y = entity["px"]
    return {
        "id": entity["__identifier"],
        "iid": entity["iid"],
        "layer": instance["__identifier"],
        "x": x,
        "y": y,
        "width": entity["width"],
        "height": entity["height"],
        "color": int(entity["__smartColor"][1:], 16),
        "customFields": _fields(entity),
    }


def _drawn(instance: LdtkTable, sheet: Pixels, shape: tuple[int, int], size: int) -> Pixels:
    """Draw a layer's tiles as [y, x, 4], clipped at the level's edges."""
    picture = np.zeros((*shape, 4), np.uint8)
    left, top = instance["__pxTotalOffsetX"], instance["__pxTotalOffsetY"]
    for tile in (*instance["autoLayerTiles"], *instance["gridTiles"]):
        (x, y), (from_x, from_y) = tile["px"], tile["src"]
        target = picture[max(0, y + top) : max(0, y + top + size), max(0, x + left) : max(0, x + left + size)]
        skipped_y, skipped_x = max(0, -y - top), max(0, -x - left)
        cut = sheet[from_y + skipped_y : from_y + size, from_x + skipped_x : from_x + size]
        _lay_over(target, cut[: target.shape[0], : target.shape[1]])
    return picture


def _lay_over(below: Pixels, above: Pixels) -> None:
    """Draw one picture over another, in place."""
    solid = above[..., 3] == 255
    below[solid] = above[solid]
    part = (above[..., 3] > 0) & ~solid
    if part.any():
        source, target = above[part] / 255.0, below[part] / 255.0
        alpha = source[:, 3:] + target[:, 3:] * (1 - source[:, 3:])
        colour = source[:, :3] * source[:, 3:] + target[:, :3] * target[:, 3:] * (1 - source[:, 3:])
        below[part] = np.rint(np.concatenate([colour / alpha, alpha], axis=1) * 255)


def _grid_files(path: str, instance: LdtkTable, layers: LdtkTable) -> Iterator[tuple[str, bytes]]:
    """Yield an IntGrid as a CSV table, whose rows except the last end with a comma, and as a small image."""
    width, height = instance["__cWid"], instance["__cHei"]
    values = np.array(instance["intGridCsv"], np.intp).reshape(height, width)
    yield f"{path}.csv", (",\n".join(",".join(map(str, row)) for row in values.tolist()) + "\n").encode()
    colours = np.zeros((values.max(initial=0) + 1, 4), np.uint8)
    for grid_value in layers[instance["layerDefUid"]]["intGridValues"]:
        if grid_value["value"] < len(colours):
            colours[grid_value["value"]] = (*_rgb(grid_value["color"]), 255)
    yield f"{path}-int.png", _png(colours[values])


def _rgb(color: str) -> bytes:
    return bytes.fromhex(color[1:])


def _png(pixels: Pixels) -> bytes:
    return png_bytes(pixels.shape[1], pixels.shape[0], iter([pixels]))
