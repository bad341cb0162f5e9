"""Tiled's JSON: values, typed properties, and line breaks. This module knows nothing about levels.

    {"id":9,"name":"BossDoor_40_22","properties":[
      {"name":"kind","propertytype":"DoorKind","type":"string","value":"boss"},
      {"name":"room_a","type":"object","value":4}], ...}

(Sources: Tiled's "JSON Map Format"; for readers, its `varianttomapconverter.cpp`.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from operator import itemgetter
from types import NoneType
from typing import Any

from generator.named_tuple import NamedTuple
from generator.pattern import pattern

VERSION = "1.10"  # of the format, as written by Tiled 1.10 to 1.12
TILED_VERSION = "1.11.0"  # the version whose formatting we follow

_LOW, _HIGH = -(1 << 31), (1 << 31) - 1  # Tiled's int
_EXACT = 1e15  # smaller whole numbers are exact and have no exponent
_ENCODER = json.JSONEncoder(  # without looking for circles: in half of the time
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False
)
_HOLDERS = {"layers", "tilesets", "wangsets"}  # lists of tables whose own lists are long
_LISTS = _HOLDERS | {"colors", "maps", "objects", "propertyTypes", "tiles", "wangtiles"}
_GAP = pattern(r'"\\u0000(\w+)\\u0000"')
_FILLED = pattern(r"%\((\d+)\)s")
_SHORT = 16  # characters of a text worth caching
_UNWRITABLE = pattern("[\0-\x07\x0b\x0e-\x1f\ud800-\udfff]")


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


class Gap(NamedTuple):
    """A property's value, or a field, in an `object_form`: its name there, and its type."""

    name: str
    type: str = ""

    @property
    def mark(self) -> str:
        """What stands for it until the form is made."""
        return f"\0{self.name}\0"


PropertyValue = bool | int | float | str | Ref | FileReference | Colour | EnumChoice | Gap


def text(value: str) -> str:
    """Make a text from outside safe for a file. JSON itself escapes quotes and line breaks.

    Lone surrogates are not valid text, and Tiled would write control characters back unescaped, which is not
    valid JSON. Both are replaced.
    """
    return value if value.isprintable() else _UNWRITABLE.sub("\ufffd", value)


def properties(
    own: Mapping[str, PropertyValue | None], extra: Mapping[str, bool | int | float | str] | None = None
) -> list[dict[str, object]]:
    """List the properties in Tiled's order, as `named_values` names them."""
    named = named_values(own, extra)
    return [_property(name, named[name]) for name in _in_order(tuple(named))]


def named_values(
    own: Mapping[str, PropertyValue | None], extra: Mapping[str, bool | int | float | str] | None = None
) -> dict[str, PropertyValue]:
    """Name the values of properties. Those of `own` that are None are left out.

    `extra` ones come from outside. If one has the name of an own one, or no name, it is called
    `property_NAME`: a second property with the same name would replace the first. A number that Tiled cannot
    hold becomes text.
    """
    named = {name: _fitting(value) for name, value in own.items() if value is not None}
    for name, value in (extra or {}).items():
        free = text(name)
        while free in own or free in named or not free:
            free = f"property_{free}"
        named[free] = _fitting(value)
    return named


def _fitting(value: PropertyValue) -> PropertyValue:
    if isinstance(value, int):
        return value if _LOW <= value <= _HIGH else str(value)
    return str(value) if isinstance(value, float) and value - value != 0 else value  # it is not finite


@lru_cache(maxsize=256)
def _in_order(names: tuple[str, ...]) -> list[str]:
    return sorted(names, key=lambda name: name.encode("utf-16-be"))  # as Qt compares them


def _property(name: str, value: PropertyValue) -> dict[str, object]:
    """Make a property: its value with its type's name."""
    if isinstance(value, str):
        return {"name": name, "type": _TEXTS.get(type(value), "string"), "value": text(value)}
    if isinstance(value, EnumChoice):
        return {"name": name, "propertytype": value.enum, "type": "string", "value": value.value}
    if isinstance(value, Gap):
        return {"name": name, "type": value.type, "value": value.mark}
    usual = "int" if isinstance(value, int) else "float"
    return {"name": name, "type": _NUMBERS.get(type(value), usual), "value": value}


TiledTable = Mapping[str, Any]
"""A map, a layer, an object ... as JSON values, for other formats."""


class RawJson(str):
    """JSON in a form or a table: it is written unchanged."""

    __slots__ = ()


class ObjectText(NamedTuple):
    """An object as JSON.

    A map has thousands in a few forms. The text of a form is made once, and filled with the values.
    """

    text: str

    @classmethod
    def of(cls, fields: Mapping[str, object], own: Mapping[str, PropertyValue | None]) -> ObjectText:
        """Write an object with some properties, as `named_values` names them; none is an `EnumChoice`."""
        given = tuple(own.values())
        values = [*fields.values(), *given]
        form, order, texts, numbers = _form(tuple(fields), tuple(own), tuple(map(type, values)))
        if any((number := given[at]) is not None and _fitting(number) is not number for at in numbers):
            return cls.of(fields, named_values(own))
        for at in texts:
            value = values[at]
            values[at] = _JSON.get(type(value), _compact)(value)
        return cls(form % order(values))

    def table(self) -> dict[str, object]:
        """Return the object as any other table."""
        table: dict[str, object] = json.loads(self.text)
        return table


@lru_cache(maxsize=1024)
def _form(
    fields: Sequence[str], names: Sequence[str], types: Sequence[type]
) -> tuple[str, Callable[[Sequence[object]], tuple[object, ...]], list[int], list[int]]:
    """Return the text of objects with `%s` for each value, and what puts their values in its order.

    Also the places of values that have to be written as JSON, and which properties are numbers that Tiled may
    not hold.
    """
    gaps = [Gap(str(number)) for number in range(len(types))]
    first = len(fields)
    named = {
        name: gap._replace(type=str(_property(name, type_())["type"]))
        for name, gap, type_ in zip(names, gaps[first:], types[first:], strict=True)
        if type_ is not NoneType
    }
    form = object_form(dict(zip(fields, gaps, strict=False)), named)
    texts = [at for at, type_ in enumerate(types) if type_ not in _AS_THEY_ARE]
    numbers = [at for at, type_ in enumerate(types[first:]) if type_ in (int, Ref, float)]
    return _FILLED.sub("%s", form), itemgetter(*map(int, _FILLED.findall(form))), texts, numbers


def object_form(fields: Mapping[str, object], values: Mapping[str, PropertyValue]) -> str:
    """Return the JSON of an object with `%(name)s` for the JSON of each `Gap`."""
    listed = [_property(name, values[name]) for name in _in_order(tuple(values))]
    plain = {key: value.mark if isinstance(value, Gap) else value for key, value in fields.items()}
    text = _ENCODER.encode(_sorted({**plain, "properties": listed})).replace("%", "%%")
    return _GAP.sub(r"%(\1)s", text)


def _sorted(table: Mapping[str, object]) -> dict[str, object]:
    return dict(sorted(table.items()))


def unwrapped(value: Any) -> Any:
    """Return the content of `Lines`, with items as a list, and anything else unchanged."""
    items = value.items if isinstance(value, Lines) else value
    if isinstance(items, Mapping):
        return items
    return [item.table() if isinstance(item, ObjectText) else item for item in items]


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
    elif isinstance(value, ObjectText):
        pieces.append(value.text.encode("utf-8"))
    elif not isinstance(value, Lines):
        pieces.append(_compact(value).encode("utf-8"))
    elif isinstance(value.items, Mapping):
        start = b"{\n"
        for key, item in value.items.items():
            pieces += start, _compact(key).encode("utf-8"), b": "
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


def _compact(value: object) -> str:
    return _ENCODER.encode(value)


def quoted(value: str) -> str:
    """Write a text as JSON."""
    return _short(value) if len(value) <= _SHORT else encode_basestring(text(value))


@lru_cache(maxsize=1024)
def _short(value: str) -> str:
    """Quote a short text, cached because kinds and classes repeat often."""
    return encode_basestring(text(value))


# The JSON of the commonest values, by exact type: here a bool must not count as an int.
_AS_THEY_ARE = frozenset((int, Ref, RawJson, type(None)))  # `%s` writes them as JSON does; None is left out
_JSON: dict[type, Callable[[Any], str]] = {
    bool: lambda value: "true" if value else "false",
    str: quoted,
    FileReference: quoted,
}
