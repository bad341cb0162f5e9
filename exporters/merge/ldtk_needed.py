"""Definitions that a person's work needs but the new project no longer has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from exporters.merge.ldtk_ids import OWN_COUNT, UIDS, tables

_SORTS = ("entities", "tilesets", "enums", "levelFields")
_ENUM = re.compile(r"F_Enum\((\d{1,12})\)")


def keep_needed(made: dict[str, Any], before: dict[str, Any]) -> None:
    """Add the definitions of `before` that a merged project refers to, in place."""
    defs, others = made.get("defs"), before.get("defs")
    if not isinstance(defs, dict) or not isinstance(others, dict):
        return
    missing = {
        each["uid"]: (sort, each)
        for sort in _SORTS
        for each in tables(others.get(sort))
        if isinstance(each.get("uid"), int)
    }
    for sort in _SORTS:
        for each in tables(defs.get(sort)):
            missing.pop(each.get("uid"), None)
    if not missing:
        return
    looked_at: list[Any] = [made]
    while looked_at:
        found = [missing.pop(uid) for uid in dict.fromkeys(_uids(looked_at)) if uid in missing]
        for sort, each in found:
            defs[sort].append(each)
        looked_at = [each for _, each in found]  # fields of entities may use an enum


def _uids(value: Any, key: str = "") -> Iterator[int]:
    """Yield all uids that a value refers to."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in OWN_COUNT and name != "autoLayerTiles":
                yield from _uids(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _uids(each, key)
    elif isinstance(value, int):
        if key in UIDS:
            yield value
    elif key == "type" and isinstance(value, str) and (enum := _ENUM.fullmatch(value)):
        yield int(enum[1])
