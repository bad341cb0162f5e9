"""The meaning of tiles in Tiled's tilesets: by their properties `terrain` and `decor`, or by their class.

{"firstgid": 1, "source": "undercroft.tsj"}        in a map; or the tileset itself
{"id": 700, "type": "decor", "properties": [{"name": "decor", "type": "string", "value": "rock"}]}
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from exporters.formats.tiled.syntax.reader import tiled_table
from generator.errors import LayoutError
from generator.interiors.drawings import DrawnFiles
from generator.interiors.editor_room import NOTHING, TileMeaning, class_of, meaning_of, objects_of
from generator.kinds import Kinds
from generator.node import LayoutNode

_MAX_TILESETS = 64
_MAX_TILES = 1 << 18
_MAX_PROPERTIES = 256
_MAX_GID = (1 << 28) - 1


class TileMarker(NamedTuple):
    """The marker that a tile stands for: the icons of an exported tileset."""

    kind: str
    properties: Mapping[str, object]


class MapTileset(NamedTuple):
    """A tileset of a map: the number of its first tile there, and the meaning of each of its tiles."""

    first: int
    name: str
    tiles: Mapping[int, TileMeaning]
    markers: Mapping[int, TileMarker]


class MapTiles:
    """All tiles that a map can use."""

    def __init__(self, tilesets: list[MapTileset]) -> None:
        self._tilesets = sorted(tilesets, reverse=True, key=lambda tileset: tileset.first)

    def meaning(self, number: int) -> TileMeaning:
        """Return what a tile means, by its number in the map."""
        tileset = self._of(number)
        return tileset.tiles.get(number - tileset.first, NOTHING) if tileset else NOTHING

    def marker(self, number: int) -> TileMarker | None:
        """Return the marker that a tile stands for."""
        tileset = self._of(number)
        return tileset.markers.get(number - tileset.first) if tileset else None

    def called(self, number: int) -> str:
        """Return a tile's name for messages."""
        tileset = self._of(number)
        return f"tile {number - tileset.first} of {tileset.name}" if tileset else f"tile {number}"

    def _of(self, number: int) -> MapTileset | None:
        return next((tileset for tileset in self._tilesets if number >= tileset.first), None)


def map_tiles(root: LayoutNode, path: Path, files: DrawnFiles) -> MapTiles:
    """Read the tiles of a map that was read from `path`. Raises LayoutError."""
    return MapTiles([_map_tileset(node, path, files) for node in root.list("tilesets", _MAX_TILESETS)])


def _map_tileset(node: LayoutNode, path: Path, files: DrawnFiles) -> MapTileset:
    first, source = node["firstgid"].number(1, _MAX_GID), node.word("source")
    if not source:
        return _tileset(node, files.kinds)._replace(first=first)
    outer = files.beside(path, source, node["source"].place)
    tileset = files.tilesets.get(outer)
    if not isinstance(tileset, MapTileset):
        tileset = files.tilesets[outer] = _tileset(read_tiled(outer, files, "tileset"), files.kinds)
    return tileset._replace(first=first, name=tileset.name or source)


def _tileset(tileset: LayoutNode, kinds: Kinds) -> MapTileset:
    meanings, markers, objects = {}, {}, objects_of(kinds)
    for tile in tileset.list("tiles", _MAX_TILES):
        number, own = tile["id"].number(0, _MAX_GID), properties(tile)
        class_ = tile.word("type") or tile.word("class")
        kind = class_of(class_)
        if kind in objects:
            markers[number] = TileMarker(kind, own)
            meanings[number] = TileMeaning(known=True)
        else:
            named = [own.get(key) for key in ("terrain", "decor")]
            meanings[number] = meaning_of(kinds, class_, *(word for word in named if isinstance(word, str)))
    return MapTileset(1, tileset.word("name"), meanings, markers)


def properties(node: LayoutNode) -> dict[str, object]:
    """Read the properties of anything in Tiled, by name."""
    listed = node.list("properties", _MAX_PROPERTIES)
    return {item["name"].text(): item["value"].value for item in listed}


def read_tiled(path: Path, files: DrawnFiles, tag: str) -> LayoutNode:
    """Read a map, tileset or template of Tiled, as JSON or XML by its suffix. Raises LayoutError."""
    return LayoutNode(tiled_table(files.read(path), str(path), tag, LayoutError), str(path), is_file=True)
