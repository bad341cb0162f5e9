"""What was brought back from a person's `NAME_edit.tscn` is in `NAME.tscn`, and needed there alone.

Markers that were added there would stand twice, and tiles painted there would hide what is painted elsewhere
later. So both are taken out of the scene; all else in it stays.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import exporters
from exporters.dress import dressed
from exporters.merge.godot_text import TextPart, parsed, plain, written
from exporters.merge.outcome import CannotMerge
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.files import ExportFiles
from exporters.reading.godot import read_scene
from exporters.reading.seen import ShownLevel
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.level import Level

_HOLDERS = ("Markers", "Doors", "Things", "Rooms")
_TILES = ("tile_map_data", "layer_0/tile_data", "tile_data")
_FACTS = "metadata/facts"


def taken_out(
    path: Path,
    level: Level,
    name: str,
    found: PersonsEdits,
    theme: Theme | str | os.PathLike[str] | None,
    options: Mapping[str, object],
) -> bytes | None:
    """The scene at `path` without what was `found` in it, which the edited `level` has now.

    None if it cannot be told apart: then the scene stays as it is.
    """
    given = theme if isinstance(theme, Theme) else load_theme(theme, level.kinds)
    made = exporters.export(level, "godot", options=options, theme=given, name=name)
    look, data = dressed(level, given)[0], path.read_bytes()

    def shown(scene: str, data: bytes) -> ShownLevel:
        return read_scene(scene, ExportFiles(path.parent, {**made, scene: data}), look, level)

    was = shown(f"{name}.tscn", made[f"{name}.tscn"])
    there = {(marker.kind, marker.tiles[:2]) for marker in was.markers}
    ours = {marker.key for marker in was.markers}
    twice = {
        marker.key
        for marker in shown(path.name, data).markers
        if marker.key not in ours and (marker.kind, marker.tiles[:2]) in there
    }
    try:
        parts = parsed(data)
        twice -= {plain(part.attributes.get("parent")) for part in parts}  # a person's work hangs on it
        less = written([part for part in parts if not _is_taken(part, twice)])
    except CannotMerge:
        return None
    left = changes(was, shown(path.name, less), level, look)
    known = {*found.notes, *(note for note in left.notes if any(f" {key}:" in note for key in twice))}
    return less if not left.edits and known.issuperset(left.notes) else None


def _is_taken(part: TextPart, twice: set[str]) -> bool:
    """Whether nothing of a part is left; what was taken of its properties is removed from it."""
    parent, own = (plain(part.attributes.get(key)) for key in ("parent", "name"))
    if part.kind != "node":
        return False
    if part.attributes.keys() & {"type", "instance"} and parent:
        return f"{parent}/{own}" in twice
    holder = parent.rpartition("/")[2]
    for key in list(part.properties):
        is_taken = key == "position" or key.startswith(("metadata/", "__meta__"))
        if key in _TILES or (key == _FACTS and not parent) or (is_taken and holder in _HOLDERS):
            del part.properties[key]
    return bool(parent) and not part.properties and "groups" not in part.attributes
