"""JSON files: read safely, merged with their lists by item, and written as Tiled does."""

from __future__ import annotations

import json
from typing import Any

from exporters.digest import KEY as DIGEST
from exporters.merge.outcome import CannotMerge, Merged, Notes
from exporters.merge.tree import ITSELF, Scheme, merged, same
from exporters.tiled.text import Lines, document

MOST_BYTES = 1 << 28

TILED = Scheme(
    identities={
        "properties": ("name",),
        "objects": ("id",),
        "layers": ("id",),
        "tilesets": ("firstgid",),
        "tiles": ("id",),
        "wangsets": ("name",),
        "wangtiles": ("tileid",),
        "propertyTypes": ("name",),
        "members": ("name",),
        "commands": ("name",),
        "maps": ("fileName",),
        "patterns": ("regexp",),
        "folders": (ITSELF,),
        "values": (ITSELF,),
    },
    quiet=frozenset({"tiledversion", "version", "compatibilityVersion"}),
)


def read(data: bytes) -> dict[str, Any]:
    """Parse a table from JSON. Raises CannotMerge if it is damaged or huge."""
    if len(data) > MOST_BYTES:
        raise CannotMerge(f"has more than {MOST_BYTES >> 20} MB")
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise CannotMerge(f"is not JSON: line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise CannotMerge("is not JSON") from None
    if not isinstance(found, dict):
        raise CannotMerge("does not contain a JSON object")
    return found


def merge_plain(base: bytes, theirs: bytes, new: bytes) -> Merged:
    """Merge a tileset, template, project or world."""
    notes = Notes()
    old, mine, fresh = (read(data) for data in (base, theirs, new))
    for side in (old, mine, fresh):
        side.pop(DIGEST, None)  # the merged file is not purely ours
    if same(mine, old):
        return Merged(new)
    made = merged(old, mine, fresh, TILED, notes)
    if isinstance(made.get("propertyTypes"), list):
        _number(made["propertyTypes"], {repr(each) for each in fresh.get("propertyTypes", ())})
    return Merged(written(made), notes.lines())


def _number(types: list[Any], fresh: set[str]) -> None:
    """Make the ids of a project's types unique. Types from the generator keep theirs."""
    used = {each.get("id") for each in types if isinstance(each, dict) and repr(each) in fresh}
    top = max((each for each in used if isinstance(each, int)), default=0)
    for each in types:
        if isinstance(each, dict) and repr(each) not in fresh:
            if each.get("id") in used or not isinstance(each.get("id"), int):
                top = max([top, *(number for number in used if isinstance(number, int))]) + 1
                each["id"] = top
            used.add(each["id"])


def written(made: dict[str, Any]) -> bytes:
    """Format the file as our exporter does: long lists have one line per item."""
    return document({key: _lines(value) for key, value in made.items()})


def _lines(value: object) -> object:
    if isinstance(value, list) and value and isinstance(value[0], (dict, Lines)):
        return Lines(value)
    return value
