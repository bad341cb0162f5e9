"""The hidden group `Lost edits` of a Tiled map: one layer for each layer that lost tiles, one for objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from exporters.formats.tiled.syntax.data import Gids
from exporters.merge.outcome import LOST, Notes
from exporters.merge.tiled_flat import INSIDE, FlatMap

_OBJECTS = "Lost objects"
_PLAIN: dict[str, Any] = {"opacity": 1, "visible": True, "x": 0, "y": 0}
_STILL = [  # importers pass these to Godot's TileMapLayer
    {"name": f"{what}_enabled", "type": "bool", "value": False}
    for what in ("collision", "navigation", "occlusion")
]


class LostLayers:
    """Collects things without a place and reuses the layers of an earlier merge."""

    def __init__(self, mine: FlatMap, fresh: FlatMap, notes: Notes) -> None:
        self._notes = notes
        self._next: int = max(layer["id"] for layer in (*mine.layers, *fresh.layers)) + 1
        groups = [
            layer for layer in mine.layers if layer.get("type") == "group" and layer.get("name") == LOST
        ]
        self._group = groups[0]["id"] if groups else 0
        self._there: dict[tuple[Any, Any], int] = {
            (layer.get("type"), layer.get("name")): layer["id"]
            for layer in mine.layers
            if groups and layer[INSIDE] == self._group
        }
        self._made: list[dict[str, Any]] = []
        self._tiles: dict[int, Gids] = {}

    def keep(self, before: Any, after: dict[str, Any]) -> dict[str, Any]:
        """Keep an object that has no place now, without its class, which would make it part of the level."""
        action = "changed" if before else "added"
        name = after.get("name") or after["id"]
        self._notes.add(f"object {name}: {action}, but the new level has no place for it; kept in {LOST}")
        kept = {**after, INSIDE: self._layer("objectgroup", _OBJECTS)}
        if after.get("type"):
            kept |= {"type": "", "name": f"{after['type']} {after.get('name', '')}".strip()}
        return kept

    def paint(self, name: str, gids: Gids) -> None:
        """Keep tiles of the layer `name` that have no place now, in the new frame."""
        self._tiles[self._layer("tilelayer", f"Lost {name}")] = gids

    def add_to(self, flat: FlatMap) -> None:
        """Add the necessary layers to a merged map."""
        present = {layer["id"] for layer in flat.layers}
        flat.layers += [layer for layer in self._made if layer["id"] not in present]
        for key, gids in self._tiles.items():
            before = flat.tiles.get(key, np.zeros_like(gids))
            flat.tiles[key] = np.where(gids != 0, gids, before)

    def _layer(self, type_: str, name: str) -> int:
        if not self._group:
            self._group = self._new({"name": LOST, "type": "group", **_PLAIN, "visible": False, INSIDE: 0})
        if (type_, name) not in self._there:
            further = {"draworder": "topdown"} if type_ == "objectgroup" else {"properties": _STILL}
            layer = {"name": name, "type": type_, **_PLAIN, **further, INSIDE: self._group}
            self._there[type_, name] = self._new(layer)
        return self._there[type_, name]

    def _new(self, layer: dict[str, Any]) -> int:
        layer["id"], self._next = self._next, self._next + 1
        self._made.append(layer)
        return self._next - 1
