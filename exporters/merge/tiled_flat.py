"""A Tiled map as flat lists, whose parts can be compared one by one, and back.

Layers can be in groups, and objects are in layers. In the flat form each has the id of its parent, so a move
changes a single value. Tiles are separate, as arrays.

    {"layers": [{"id": 1, "inside": 0, ...}, ...], "objects": [{"id": 7, "inside": 6, ...}, ...]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from exporters.digest import KEY as DIGEST
from exporters.formats.tiled.syntax.data import Gids, TileDataError, decoded, encoded
from exporters.merge.outcome import CannotMerge
from exporters.merge.tiled_files import Notation

INSIDE = "inside"
_DEEPEST = 32
_MAX_TILES = 1 << 26
_COUNTED = ("height", "nextlayerid", "nextobjectid", "width", DIGEST)  # follow from the rest


@dataclass
class FlatMap:
    """A map in parts. `tiles` are the gids of each tile layer by id, `shape` is rows and columns.

    `stored` has the tiles as the file has them, where nobody decoded these.
    """

    top: dict[str, Any]
    layers: list[dict[str, Any]]
    objects: list[dict[str, Any]]
    tiles: dict[int, Gids]
    shape: tuple[int, int]
    tile_size: tuple[int, int]
    stored: dict[int, object] = field(default_factory=dict)


def flat(data: bytes, notation: Notation) -> FlatMap:
    """Split a map into parts. Raises CannotMerge if it is damaged, or not of the kind that we write."""
    return flattened(notation.read(data))


def flattened(table: Mapping[str, Any], *, with_tiles: bool = True) -> FlatMap:
    """Split the table of a map, which stays as it is, perhaps `with_tiles` decoded.

    Raises CannotMerge like `flat`.
    """
    top = {**table}
    if top.get("type") != "map" or top.get("orientation") != "orthogonal":
        raise CannotMerge("is not an orthogonal map of Tiled")
    if top.get("infinite"):
        raise CannotMerge("the map was made infinite; clear Infinite in its properties")
    sizes = [top.get(key) for key in ("height", "width", "tileheight", "tilewidth")]
    if not all(isinstance(size, int) and 0 < size < 1 << 24 for size in sizes):
        raise CannotMerge("has no valid size")
    parts = FlatMap(top, [], [], {}, (top["height"], top["width"]), (top["tilewidth"], top["tileheight"]))
    for layer in _unfolded(top.pop("layers", None), 0, 0):
        for item in _tables(layer.pop("objects", [])):
            parts.objects.append({**item, "id": _id(item), INSIDE: layer["id"]})
        if layer.get("type") == "tilelayer" and not with_tiles:
            parts.stored[layer["id"]] = layer.pop("data", None)
        elif layer.get("type") == "tilelayer":
            parts.tiles[layer["id"]] = _tiles(layer)
            for key in ("data", "width", "height", "startx", "starty"):
                layer.pop(key, None)
        parts.layers.append(layer)
    for key in _COUNTED:
        top.pop(key, None)
    return parts


def _unfolded(layers: object, inside: int, depth: int) -> Iterator[dict[str, Any]]:
    if depth > _DEEPEST:
        raise CannotMerge("has groups nested too deeply")
    for stored in _tables(layers):
        layer = {**stored, "id": _id(stored), INSIDE: inside}
        below = layer.pop("layers", None)
        yield layer
        if below is not None:
            yield from _unfolded(below, layer["id"], depth + 1)


def _tables(listed: object) -> list[dict[str, Any]]:
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise CannotMerge("has damaged layers or objects")
    return listed


def _tiles(layer: dict[str, Any]) -> Gids:
    """[y, x]: the gids of a tile layer."""
    height: Any = layer.get("height")
    width: Any = layer.get("width")
    name = f"layer {str(layer.get('name', ''))[:60]}"
    if not (_is_size(width) and _is_size(height)) or width * height > _MAX_TILES:
        raise CannotMerge(f"{name} has no valid size")
    if "chunks" in layer:
        raise CannotMerge("the map was made infinite; clear Infinite in its properties")
    try:
        return decoded(layer.get("data"), *_packing(layer), width * height).reshape(height, width)
    except TileDataError as error:
        raise CannotMerge(f"{name}: {error}") from None


def _packing(layer: dict[str, Any]) -> tuple[str, str]:
    """The encoding and the compression of a layer."""
    return str(layer.get("encoding") or "csv"), str(layer.get("compression") or "")


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MAX_TILES


def _id(item: dict[str, Any]) -> int:
    id_ = item.get("id")
    if not isinstance(id_, int) or isinstance(id_, bool) or not 0 < id_ < 1 << 31:
        raise CannotMerge("has a layer or an object without a valid id")
    return id_


def folded(parts: FlatMap) -> dict[str, Any]:
    """Make the table of a map again. The tiles are bytes, as the writers want them."""
    objects: dict[int, list[dict[str, Any]]] = {}
    for object_ in parts.objects:
        objects.setdefault(object_[INSIDE], []).append(_sorted({**object_}))
    known = {layer["id"]: layer for layer in parts.layers}
    below: dict[int, list[dict[str, Any]]] = {}
    for layer in parts.layers:
        below.setdefault(_parent(layer, known), []).append(layer)
    height, width = parts.shape

    def built(inside: int) -> list[dict[str, Any]]:
        layers = []
        for layer in below.get(inside, []):
            item = {**layer}
            if layer["id"] in parts.tiles:
                data = encoded(parts.tiles[layer["id"]], *_packing(layer))
                item |= {"data": data, "height": height, "width": width}
            elif layer.get("type") == "objectgroup":
                item["objects"] = objects.get(layer["id"], [])
            elif layer.get("type") == "group":
                item["layers"] = built(layer["id"])
            layers.append(_sorted(item))
        return layers

    top = {
        **parts.top,
        "height": height,
        "layers": built(0),
        "nextlayerid": max(known, default=0) + 1,
        "nextobjectid": max((object_["id"] for object_ in parts.objects), default=0) + 1,
        "width": width,
    }
    return _sorted(top)


def _parent(layer: dict[str, Any], known: dict[int, dict[str, Any]]) -> int:
    """Return the id of a layer's group: 0 for the map, also if the group is gone or no longer a group."""
    above, steps = layer, 0
    while above[INSIDE] and steps <= _DEEPEST:
        above, steps = known.get(above[INSIDE], {}), steps + 1
        if above.get("type") != "group":
            return 0
    return int(layer[INSIDE]) if steps <= _DEEPEST else 0


def _sorted(item: dict[str, Any]) -> dict[str, Any]:
    """Sort keys in the order in which Tiled writes them."""
    item.pop(INSIDE, None)
    return dict(sorted(item.items()))
