"""Definitions that a person's work needs but the new project no longer has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from exporters.merge.ldtk_ids import OWN_COUNT, UIDS, tables

_SORTS = ("entities", "tilesets", "enums", "levelFields")
_ENUM = re.compile(r"F_Enum\((\d{1,12})\)")


def keep_needed(project: dict[str, Any], before: dict[str, Any]) -> None:
    """Add the definitions of `before` that a merged project refers to, in place."""
    defs, old_defs = project.get("defs"), before.get("defs")
    if not isinstance(defs, dict) or not isinstance(old_defs, dict):
        return
    missing = {
        definition["uid"]: (sort, definition)
        for sort in _SORTS
        for definition in tables(old_defs.get(sort))
        if isinstance(definition.get("uid"), int)
    }
    for sort in _SORTS:
        for definition in tables(defs.get(sort)):
            missing.pop(definition.get("uid"), None)
    if not missing:
        return
    looked_at: list[Any] = [project]
    while looked_at:
        added = [missing.pop(uid) for uid in dict.fromkeys(_uids(looked_at)) if uid in missing]
        for sort, definition in added:
            defs[sort].append(definition)
        looked_at = [definition for _, definition in added]  # fields of entities may use an enum


def _uids(value: Any, key: str = "") -> Iterator[int]:
    """Yield all uids that a value refers to."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in OWN_COUNT and name != "autoLayerTiles":
                yield from _uids(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _uids(item, key)
    elif isinstance(value, int):
        if key in UIDS:
            yield value
    elif key == "type" and isinstance(value, str) and (enum := _ENUM.fullmatch(value)):
        yield int(enum[1])
