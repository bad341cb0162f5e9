"""Godot's text formats: sections and literals. This module knows no word of dungeons.

    [gd_scene format=4]

    [ext_resource type="TileSet" path="undercroft.tres" id="1"]

    [sub_resource type="RectangleShape2D" id="RectangleShape2D_2"]
    size = Vector2(32, 16)

    [node name="Door3" type="StaticBody2D" parent="Doors" groups=["door"]]
    position = Vector2(248, 136)
    metadata/kind = "boss"

(The form is that of `core/variant/variant_parser.cpp` and `scene/resources/resource_format_text.cpp`.)
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

_SPECIAL = re.compile('[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\\\\"]')
_IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")

FORMAT = 4  # base64 byte arrays; Godot 4.3 and newer


class Call(NamedTuple):
    """A constructor such as `Vector2(1, 2)`; the arguments are literals themselves."""

    name: str
    args: tuple[Any, ...]


class Raw(str):
    """A literal that is written as it stands."""

    __slots__ = ()


def escaped(text: str) -> str:
    """A text as it stands between the quotes of a literal: the one place where text is escaped.

    The backslash and the quote have a meaning there, and controls but tab and newline would make a file
    that editors cannot show. What no Godot string can hold (NUL, lone surrogates) is replaced.
    """
    return _SPECIAL.sub(_escape, text)


def _escape(special: re.Match[str]) -> str:
    character = special[0]
    if character in '\\"':
        return f"\\{character}"
    return f"\\u{ord(character):04x}" if "\0" < character < "\ud800" else "\ufffd"


def literal(value: object) -> str:
    """A Python value as Godot writes it. TypeError for one that has no counterpart."""
    write = _WRITERS.get(type(value))
    if write is None:
        raise TypeError(f"{type(value).__name__} has no Godot literal")
    return write(value)


def _float(value: float) -> str:
    return repr(value) if value % 1 else f"{int(value)}.0"


def _call(value: Call) -> str:
    return f"{value.name}({', '.join(map(_argument, value.args))})"


def _argument(value: object) -> str:
    return _number(value) if isinstance(value, float) else literal(value)


def _number(value: float) -> str:
    """A number in a constructor, written without a needless `.0`."""
    return repr(value) if value % 1 else str(int(value))


def _dictionary(value: dict[object, object]) -> str:
    if not value:
        return "{}"
    return "{\n" + ",\n".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "\n}"


def _array(value: Sequence[object]) -> str:
    return f"[{', '.join(map(literal, value))}]"


# By the exact type: a bool is no int here, and a scene has thousands of values.
_WRITERS: dict[type, Callable[[Any], str]] = {
    Raw: str,
    str: lambda value: f'"{escaped(value)}"',
    bool: lambda value: "true" if value else "false",
    int: str,
    float: _float,
    Call: _call,
    dict: _dictionary,
    list: _array,
    tuple: _array,
}


def vector2(x: float, y: float) -> Call:
    """A Vector2."""
    return Call("Vector2", (x, y))


def vector2i(x: int, y: int) -> Call:
    """A Vector2i."""
    return Call("Vector2i", (x, y))


def packed_vector2(points: Iterable[tuple[float, float]]) -> Raw:
    """A PackedVector2Array."""
    return Raw(f"PackedVector2Array({', '.join(_number(number) for point in points for number in point)})")


def packed_int32(numbers: Iterable[int]) -> Raw:
    """A PackedInt32Array."""
    return Raw(f"PackedInt32Array({', '.join(map(str, numbers))})")


def packed_bytes(data: bytes) -> Call:
    """A PackedByteArray in base64, with its padding: without, Godot refuses the whole scene."""
    return Call("PackedByteArray", (base64.b64encode(data).decode("ascii"),))


def typed_array(element: str, items: Sequence[object]) -> Raw:
    """An `Array[element]`."""
    return Raw(f"Array[{element}]({literal(list(items))})")


@lru_cache(maxsize=1024)
def node_name(text: str) -> str:
    """A name that a node may have: Godot's paths give `. : @ / " %` a meaning."""
    return re.sub(r'[.:@/"%\x00-\x1f]', "_", text)[:200] or "_"


@lru_cache(maxsize=1024)
def is_identifier(text: str) -> bool:
    """Whether metadata may have this name: Godot takes ASCII identifiers only."""
    return bool(_IDENTIFIER.fullmatch(text))


class Document:
    """A scene or resource file that is written from top to bottom."""

    def __init__(self, kind: str, **attributes: object) -> None:
        self._sections = [_heading(kind, {**attributes, "format": FORMAT})]
        self._count = 0

    def ext_resource(self, type_: str, path: str) -> Call:
        """Refer to another file, relative to this one; returns the reference."""
        self._count += 1
        number = str(self._count)
        self._sections.append(_heading("ext_resource", {"type": type_, "path": path, "id": number}))
        return Call("ExtResource", (number,))

    def sub_resource(self, type_: str, properties: Mapping[str, object]) -> Call:
        """Define a resource inside this file, before its first use; returns the reference."""
        self._count += 1
        number = f"{type_}_{self._count}"
        self._add("sub_resource", {"type": type_, "id": number}, properties)
        return Call("SubResource", (number,))

    def resource(self, properties: Mapping[str, object]) -> None:
        """The resource that a resource file is about."""
        self._add("resource", {}, properties)

    def node(
        self,
        name: str,
        type_: str,
        parent: str | None,
        properties: Mapping[str, object] | None = None,
        groups: Sequence[str] = (),
        metadata: Mapping[str, object] | None = None,
    ) -> None:
        """A node; `parent` is a path from the root, `.` the root itself, None for the root.

        ValueError for metadata whose name is no identifier.
        """
        attributes: dict[str, object] = {"name": node_name(name), "type": type_}
        if parent is not None:
            attributes["parent"] = parent
        if groups:
            attributes["groups"] = list(groups)
        given = dict(properties or {})
        for key, value in (metadata or {}).items():
            if not is_identifier(key):
                raise ValueError(f"{key!r} can be no name of metadata")
            given[f"metadata/{key}"] = value
        self._add("node", attributes, given)

    def _add(self, kind: str, attributes: Mapping[str, object], properties: Mapping[str, object]) -> None:
        lines = [_heading(kind, attributes)]
        lines += [f"{key} = {literal(value)}" for key, value in properties.items()]
        self._sections.append("\n".join(lines))

    def encode(self) -> bytes:
        """The whole file."""
        return ("\n\n".join(self._sections) + "\n").encode("utf-8")


def _heading(kind: str, attributes: Mapping[str, object]) -> str:
    return f"[{' '.join([kind, *(f'{key}={literal(value)}' for key, value in attributes.items())])}]"
