"""Tiled's files as tables: read safely from JSON and XML, merged, and written as Tiled does.

From both notations comes the table of the JSON, so both are merged alike. Lists are merged by their items.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from exporters.digest import KEY as DIGEST
from exporters.formats.tiled.syntax.reader import tiled_table
from exporters.formats.tiled.syntax.text import formatted
from exporters.formats.tiled.syntax.xml import map_xml, tileset_xml
from exporters.merge.json_files import check_size
from exporters.merge.json_files import read as read_json
from exporters.merge.outcome import CannotMerge, Merged, Notes
from exporters.merge.taken import NOTHING, Taken
from exporters.merge.tree import ITSELF, Scheme, merged, same
from generator.errors import BadInput
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

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


class Notation(NamedTuple):
    """How a table is read, and written. `read` raises CannotMerge for a file that is damaged or huge."""

    read: Callable[[bytes], dict[str, Any]]
    write: Callable[[dict[str, Any]], bytes]


def _read_xml(tag: str, data: bytes) -> dict[str, Any]:
    """Read a map or a tileset, as `tag` says, from XML. Raises CannotMerge if it is damaged or huge."""
    check_size(data)
    try:
        table: dict[str, Any] = tiled_table(data, "", tag, BadInput)
    except BadInput as error:
        reason = re.sub(r"^:(\d+): is not XML", r"is not XML: line \1", str(error))
        raise CannotMerge(reason.removeprefix(": ")) from None
    return table


_JSON = Notation(read_json, formatted)
_MAP = Notation(partial(_read_xml, "map"), map_xml)
_TILESET = Notation(partial(_read_xml, "tileset"), tileset_xml)
_ROOT = pattern(rb"<(map|tileset)\b")


def notation_of(new: bytes) -> Notation:
    """Return the notation of the new version of a file, and so of its other versions."""
    if not new.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _JSON
    root = _ROOT.search(new)
    return _TILESET if root and root[1] == b"tileset" else _MAP


def merge_plain(base: bytes, theirs: bytes, new: bytes, taken: Taken = NOTHING) -> Merged:
    """Merge a tileset, template, project or world."""
    notes, notation = Notes(), notation_of(new)
    old, mine, fresh = (notation.read(data) for data in (base, theirs, new))
    for side in (old, mine, fresh):
        side.pop(DIGEST, None)  # the merged file is not purely ours
    if "maps" in old:
        mine["maps"] = _with_maps(mine.get("maps", []), old["maps"], taken)
    if same(mine, old):
        return Merged(new)
    table = merged(old, mine, fresh, TILED, notes)
    if isinstance(table.get("propertyTypes"), list):
        _number(table["propertyTypes"], {repr(type_) for type_ in fresh.get("propertyTypes", ())})
    return Merged(notation.write(table), notes.lines())


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
