"""Tiled's JSON: values, typed properties, and line breaks. This module knows nothing about levels.

    {"id":9,"name":"BossDoor_40_22","properties":[
      {"name":"kind","propertytype":"DoorKind","type":"string","value":"boss"},
      {"name":"room_a","type":"object","value":4}], ...}

(Sources: Tiled's "JSON Map Format"; for readers, its `varianttomapconverter.cpp`.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

VERSION = "1.10"  # of the format, as written by Tiled 1.10 to 1.12
TILED_VERSION = "1.11.0"  # the version whose formatting we follow

_LOW, _HIGH = -(1 << 31), (1 << 31) - 1  # Tiled's int
_EXACT = 1e15  # smaller whole numbers are exact and have no exponent
_ENCODER = json.JSONEncoder(  # without looking for circles: in half of the time
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False
)
_HOLDERS = {"layers", "tilesets", "wangsets"}  # lists of tables whose own lists are long
_LISTS = _HOLDERS | {"colors", "maps", "objects", "propertyTypes", "tiles", "wangtiles"}
_UNWRITABLE = re.compile("[\0-\x07\x0b\x0e-\x1f\ud800-\udfff]")


class Lines(NamedTuple):
    """A dict or a list that is written with one line per item. A list may be an iterator."""

    items: Mapping[str, object] | Iterable[object]


class Ref(int):
    """A property's value: the id of an object in the same map."""

    __slots__ = ()


class FileReference(str):
    """A property's value: a file's path, relative to the file with the property."""

    __slots__ = ()


class Colour(str):
    """A property's value: a colour, `#aarrggbb`."""

    __slots__ = ()


_TEXTS: dict[type, str] = {FileReference: "file", Colour: "color"}  # types of texts other than "string"
_NUMBERS: dict[type, str] = {bool: "bool", Ref: "object"}  # types of whole numbers other than "int"


class EnumChoice(NamedTuple):
    """A property's value: a value of an enum that the project declares."""

    enum: str
    value: str


PropertyValue = bool | int | float | str | Ref | FileReference | Colour | EnumChoice


def text(value: str) -> str:
    """Make a text from outside safe for a file. JSON itself escapes quotes and line breaks.

    Lone surrogates are not valid text, and Tiled would write control characters back unescaped, which is not
    valid JSON. Both are replaced.
    """
    return value if value.isprintable() else _UNWRITABLE.sub("\ufffd", value)


def properties(
    own: Mapping[str, PropertyValue | None], extra: Mapping[str, bool | int | float | str] | None = None
) -> list[dict[str, object]]:
    """List the properties in Tiled's order. Those of `own` that are None are left out.

    `extra` ones come from outside. If one has the name of an own one, or no name, it is called
    `property_NAME`: a second property with the same name would replace the first.
    """
    named: dict[str, PropertyValue] = {name: value for name, value in own.items() if value is not None}
    for name, value in (extra or {}).items():
        free = text(name)
        while free in own or free in named or not free:
            free = f"property_{free}"
        named[free] = value
    return [_property(name, named[name]) for name in _in_order(tuple(named))]


@lru_cache(maxsize=256)
def _in_order(names: tuple[str, ...]) -> list[str]:
    return sorted(names, key=lambda name: name.encode("utf-16-be"))  # as Qt compares them


def _property(name: str, value: PropertyValue) -> dict[str, object]:
    """Make a property: its value with its type's name. A number too large for Tiled's int becomes text."""
    if isinstance(value, str):
        return {"name": name, "type": _TEXTS.get(type(value), "string"), "value": text(value)}
    if isinstance(value, EnumChoice):
        return {"name": name, "propertytype": value.enum, "type": "string", "value": value.value}
    if isinstance(value, int):
        if _LOW <= value <= _HIGH:
            return {"name": name, "type": _NUMBERS.get(type(value), "int"), "value": value}
    elif value - value == 0:  # it is finite
        return {"name": name, "type": "float", "value": value}
    return {"name": name, "type": "string", "value": str(value)}


TiledTable = Mapping[str, Any]
"""A map, a layer, an object ... as JSON values, for other formats."""


def unwrapped(value: Any) -> Any:
    """Return the content of `Lines`, with items as a list, and anything else unchanged."""
    items = value.items if isinstance(value, Lines) else value
    return items if isinstance(items, Mapping) else list(items)


def plain_number(value: object) -> str:
    """Format a number as Tiled writes it outside JSON: 8 for 8.0, and `1e+300`."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    return str(value)


def document(top: Mapping[str, object]) -> bytes:
    """Write a whole file: one line per key of `top`, and per item of any `Lines`.

    Bytes are already JSON and are written unchanged.
    """
    pieces: list[bytes] = []
    _add(Lines(top), pieces)
    return b"".join((*pieces, b"\n"))


def formatted(table: TiledTable) -> bytes:
    """The file of a table that was read, in the lines in which `document` wrote it: then the bytes are equal.

    The tiles of layers are bytes, as for `document`.
    """
    return document(_in_lines(table))


def _in_lines(table: TiledTable) -> TiledTable:
    return {key: _lines(key, value) for key, value in table.items()}


def _lines(key: str, value: object) -> object:
    if not isinstance(value, list) or not (key in _LISTS or (value and isinstance(value[0], dict))):
        return value
    if key not in _HOLDERS:
        return Lines(value)
    return Lines([
        Lines(_in_lines(item)) if isinstance(item, dict) and "source" not in item else item for item in value
    ])  # fmt: skip


def _add(value: object, pieces: list[bytes]) -> None:
    """Add the text of a value to the pieces of a document."""
    if isinstance(value, bytes):
        pieces.append(value)
    elif not isinstance(value, Lines):
        pieces.append(_compact(value))
    elif isinstance(value.items, Mapping):
        start = b"{\n"
        for key, item in value.items.items():
            pieces += start, _compact(key), b": "
            _add(item, pieces)
            start = b",\n"
        pieces.append(b"\n}" if value.items else b"{\n}")
    else:
        start = b"[\n"
        for item in value.items:
            pieces.append(start)
            _add(item, pieces)
            start = b",\n"
        pieces.append(b"\n]" if start == b",\n" else b"[\n]")


def _compact(value: object) -> bytes:
    return _ENCODER.encode(value).encode("utf-8")
