"""Remove edits from a person's `NAME_edit.tscn` that were brought back and are now in `NAME.tscn`.

Otherwise markers added there would exist twice, and tiles painted there would hide later changes in other
files. Everything else in the scene stays.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from exporters.dress import dressed
from exporters.formats.godot.read import read_scene
from exporters.formats.godot.syntax.sections import TextSection, plain, written
from exporters.merge.godot_tree import parsed
from exporters.merge.outcome import CannotMerge
from exporters.merge.painted import without_painted
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.exports import Export
from exporters.reading.files import ExportFiles
from exporters.reading.seen import ShownLevel
from generator.level import Level

_HOLDERS = ("Markers", "Doors", "Things", "Rooms")
_TILES = ("tile_map_data", "layer_0/tile_data", "tile_data")
_FACTS = "metadata/facts"
_MERGED = (".tmj", ".ldtk", ".ldtkl", ".tscn")


def taken_out(export: Export, level: Level, edits: PersonsEdits) -> bytes | None:
    """Take the edits `edits` out of an export's scene, since the edited `level` now has them.

    None if they cannot be separated; then the scene stays as it is.
    """
    theme, path, main = export.theme_for(level), export.path, export.main
    files = export.of(level, theme)
    look, data = dressed(level, theme)[0], path.read_bytes()

    def shown(scene: str, data: bytes) -> ShownLevel:
        return read_scene(scene, ExportFiles(path.parent, {**files, scene: data}), look, level)

    before = shown(main, files[main])
    less = _scene_without(data, edits.added, with_changes=False)
    left = changes(before, shown(path.name, less), level, look)
    return less if not left.edits and set(left.notes) <= set(edits.notes) else None


def without_taken(file: Path, change: PersonsEdits, base: bytes | None, new: bytes | None) -> bytes | None:
    """Return a file to merge with its `new` export, without the edits that this one already has.

    `base` is the file as it was exported. None if there is nothing to take out.
    """
    if file.suffix not in _MERGED or new is None:
        return None
    data = file.read_bytes()
    less = _without_added(file, data, change.added)
    if base is not None:
        less = without_painted(file.suffix, less, base, new, change.painted)
    return None if less == data else less


def _without_added(path: Path, data: bytes, added: Collection[str]) -> bytes:
    """Remove markers that a person added from a Tiled, LDtk or Godot file. Unchanged if there are none."""
    if not added:
        return data
    if path.suffix == ".tscn":
        return _scene_without(data, added, with_changes=True)
    ends = tuple(key[key.rindex("#") :] for key in added if "#" in key)
    table = json.loads(data)
    for holder in _holders(table):
        for listed, by in (("objects", "id"), ("entityInstances", "iid")):
            if isinstance(holder.get(listed), list):
                holder[listed] = [
                    entry
                    for entry in holder[listed]
                    if not (f"#{entry.get(by)}" in ends or entry.get(by) in added)
                ]
    return json.dumps(table).encode()


def _holders(value: object) -> Iterator[dict[str, Any]]:
    """Yield every table in a JSON value."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _holders(item)


def _scene_without(data: bytes, added: Collection[str], *, with_changes: bool) -> bytes:
    """Remove added nodes from a scene and, unless `with_changes`, changes that the level now has."""
    try:
        parts = parsed(data)
    except CannotMerge:
        return data
    gone = set(added) - {
        plain(part.attributes.get("parent")) for part in parts
    }  # keep nodes with a person's children
    return written([part for part in parts if not _is_taken(part, gone, with_changes)])


def _is_taken(part: TextSection, gone: set[str], with_changes: bool) -> bool:
    """Remove the taken properties of a part. Return whether nothing is left of it."""
    parent, own = (plain(part.attributes.get(key)) for key in ("parent", "name"))
    if part.kind != "node":
        return False
    if part.attributes.keys() & {"type", "instance"} and parent:
        return f"{parent}/{own}" in gone
    if with_changes:
        return False
    holder = parent.rpartition("/")[2]
    for key in list(part.properties):
        is_taken = key == "position" or key.startswith(("metadata/", "__meta__"))
        if key in _TILES or (key == _FACTS and not parent) or (is_taken and holder in _HOLDERS):
            del part.properties[key]
    return bool(parent) and not part.properties and "groups" not in part.attributes
