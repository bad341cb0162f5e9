"""JSON files: read safely, merged with their lists by item, and written as Tiled does."""

from __future__ import annotations

import json
from typing import Any

from exporters.digest import KEY as DIGEST
from exporters.formats.tiled.syntax.text import formatted
from exporters.merge.outcome import CannotMerge, Merged, Notes
from exporters.merge.taken import NOTHING, Taken
from exporters.merge.tree import ITSELF, Scheme, merged, same

MAX_BYTES = 1 << 28

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
    # A person's name stays. Ours is only a label, such as Enemy_12_34, and changes with the place.
    quiet=frozenset({"name", "tiledversion", "version", "compatibilityVersion"}),
)


def read(data: bytes) -> dict[str, Any]:
    """Parse a table from JSON. Raises CannotMerge if it is damaged or huge."""
    if len(data) > MAX_BYTES:
        raise CannotMerge(f"has more than {MAX_BYTES >> 20} MB")
    try:
        table = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise CannotMerge(f"is not JSON: line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise CannotMerge("is not JSON") from None
    if not isinstance(table, dict):
        raise CannotMerge("does not contain a JSON object")
    return table


def merge_plain(base: bytes, theirs: bytes, new: bytes, taken: Taken = NOTHING) -> Merged:
    """Merge a tileset, template, project or world."""
    notes = Notes()
    old, mine, fresh = (read(data) for data in (base, theirs, new))
    for side in (old, mine, fresh):
        side.pop(DIGEST, None)  # the merged file is not purely ours
    if "maps" in old:
        mine["maps"] = _with_maps(mine.get("maps", []), old["maps"], taken)
    if same(mine, old):
        return Merged(new)
    table = merged(old, mine, fresh, TILED, notes)
    if isinstance(table.get("propertyTypes"), list):
        _number(table["propertyTypes"], {repr(type_) for type_ in fresh.get("propertyTypes", ())})
    return Merged(formatted(table), notes.lines())


def _with_maps(mine: list[Any], before: list[Any], taken: Taken) -> list[Any]:
    """Return a person's maps of a world with those of rooms as exported that they removed or moved.

    Maps of new rooms are left out: the level has these.
    """
    gone, moved, added = (
        {key.partition("#")[0] for key in keys} for keys in (taken.gone, taken.changed, taken.added)
    )
    old = {entry["fileName"]: entry for entry in before}
    kept = [
        old.get(name, entry) if _part_of(name := entry["fileName"]) in moved else entry
        for entry in mine
        if entry["fileName"] in old or _part_of(entry["fileName"]) not in added
    ]
    known = {entry["fileName"] for entry in kept}
    return kept + [entry for name, entry in old.items() if name not in known and _part_of(name) in gone]


def _part_of(name: str) -> str:
    """Return the part that a map is, by its name in a world."""
    return name.rpartition("/")[2]


def _number(types: list[Any], fresh: set[str]) -> None:
    """Make the ids of a project's types unique. Types from the generator keep theirs."""
    used = {type_.get("id") for type_ in types if isinstance(type_, dict) and repr(type_) in fresh}
    top = max((type_ for type_ in used if isinstance(type_, int)), default=0)
    for type_ in types:
        if isinstance(type_, dict) and repr(type_) not in fresh:
            if type_.get("id") in used or not isinstance(type_.get("id"), int):
                top = max([top, *(number for number in used if isinstance(number, int))]) + 1
                type_["id"] = top
            used.add(type_["id"])
