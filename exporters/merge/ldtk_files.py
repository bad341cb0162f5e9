"""Merge an LDtk project whose levels are separate files (`ldtk.external`) as a whole.

    NAME.ldtk               "levels": [{"identifier": "Room_0_start", "layerInstances": null,
                                        "externalRelPath": "NAME/Room_0_start.ldtkl", ...}, ...]
    NAME/Room_0_start.ldtkl {"__header__": {...}, "identifier": "Room_0_start", "layerInstances": [...], ...}

Only the whole project shows which room is which, and has the definitions that lost edits need.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from exporters.merge.json_files import read
from exporters.merge.ldtk import merge_tables
from exporters.merge.ldtk_ids import tables
from exporters.merge.ldtk_text import written
from exporters.merge.outcome import CannotMerge, ReadFile
from exporters.merge.taken import NOTHING, Taken
from exporters.merge.tree import same
from generator.pattern import pattern

_PATH = "externalRelPath"
_NAME = pattern(r"\w{1,200}", re.ASCII)


def is_apart(data: bytes) -> bool:
    """Check whether the levels of a project are separate files."""
    try:
        return bool(read(data).get("externalLevels"))
    except CannotMerge:
        return False


def merge_apart(
    name: str, base: ReadFile, theirs: ReadFile, new: ReadFile, taken: Taken = NOTHING
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Merge a project's files. Return those that differ from the new ones, and the lines about lost edits.

    `name` is the name of the project's file without its suffix. Each side returns the bytes of a file by its
    path relative to the project. Raises CannotMerge, also if a level's file is missing.
    """
    old, mine, fresh = (_joined(name, side) for side in (base, theirs, new))
    known = {level["iid"]: copy.deepcopy(level) for level in fresh["levels"]}
    project, lines = merge_tables(old, mine, fresh, taken)
    if project is None:
        return {}, lines
    files: dict[str, bytes] = {}
    apart: list[dict[str, Any]] = []
    for level in project["levels"]:
        if not _NAME.fullmatch(str(level["identifier"])):
            raise CannotMerge("has a level whose name LDtk would not write")
        path = f"{name}/{level['identifier']}.ldtkl"
        if path in (entry[_PATH] for entry in apart):
            raise CannotMerge(f"has two levels named {level['identifier']}")
        apart.append({**level, "layerInstances": None, _PATH: path})
        if not same({**level, _PATH: path}, known.get(level["iid"])):
            files[path] = written({"__header__": project["__header__"], **level, _PATH: None})
    return {f"{name}.ldtk": written({**project, "levels": apart}), **files}, lines


def _joined(name: str, side: ReadFile) -> dict[str, Any]:
    """Read a project and include the layers of its levels."""
    project = _read(f"{name}.ldtk", side)
    levels = tables(project.get("levels"))
    project["levels"] = [
        {**_read(str(level[_PATH]), side), _PATH: level[_PATH]} if level.get(_PATH) else level
        for level in levels
    ]
    for level in project["levels"]:
        level.pop("__header__", None)
    return project


def _read(path: str, side: ReadFile) -> dict[str, Any]:
    data = side(path)
    if data is None:
        raise CannotMerge(f"{path} is missing")
    return read(data)
