"""Godot's text formats: sections and literals. This module knows no word of dungeons.

    [gd_scene format=4]

    [ext_resource type="TileSet" path="undercroft.tres" id="1"]

    [sub_resource type="RectangleShape2D" id="RectangleShape2D_2"]
    size = Vector2(32, 16)

    [node name="BossDoor_40_22" type="StaticBody2D" parent="Doors" groups=["door"]]
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

from exporters.godot.dialects import GODOT_4_3, Dialect

_SPECIAL = re.compile('[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\\\\"]')
_IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")


class Call(NamedTuple):
    """A constructor such as `Vector2(1, 2)`; the arguments are literals themselves."""

    name: str
    args: tuple[Any, ...]


class Packed(NamedTuple):
    """A packed array of numbers."""

    name: str
    numbers: Sequence[float]


class PackedBytes(NamedTuple):
    """A PackedByteArray."""

    data: bytes


class TypedArray(NamedTuple):
    """An `Array[element]`, or a plain one where Godot has no such thing."""

    element: str
    items: Sequence[object]


class Reference(NamedTuple):
    """An `ExtResource` or `SubResource` of the document that gave it."""

    name: str
    id: str


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


def literal(value: object, dialect: Dialect = GODOT_4_3) -> str:
    """A Python value as Godot writes it. TypeError for one that has no counterpart."""
    return _WRITERS.get(type(value), _refused)(value, dialect)


def _refused(value: object, dialect: Dialect) -> str:
    raise TypeError(f"{type(value).__name__} has no Godot literal")


def _float(value: float, dialect: Dialect) -> str:
    return repr(value) if value % 1 else f"{int(value)}.0"


def _call(value: Call, dialect: Dialect) -> str:
    args = [_number(each) if isinstance(each, float) else literal(each, dialect) for each in value.args]
    return f"{dialect.constructors.get(value.name, value.name)}({', '.join(args)})"


def _number(value: float) -> str:
    """A number in a constructor, written without a needless `.0`."""
    return str(value) if type(value) is int else repr(value) if value % 1 else str(int(value))


def _packed(value: Packed, dialect: Dialect) -> str:
    numbers = ", ".join([_number(number) for number in value.numbers])
    return f"{dialect.constructors.get(value.name, value.name)}({numbers})"


def _packed_bytes(value: PackedBytes, dialect: Dialect) -> str:
    """In base64, with its padding: without, Godot refuses the whole scene."""
    return f'PackedByteArray("{base64.b64encode(value.data).decode("ascii")}")'


def _typed(value: TypedArray, dialect: Dialect) -> str:
    items = _array(value.items, dialect)
    return f"Array[{value.element}]({items})" if dialect.typed_arrays else items


def _reference(value: Reference, dialect: Dialect) -> str:
    return f"{value.name}({value.id if dialect.numbered else literal(value.id)})"


def _dictionary(value: dict[object, object], dialect: Dialect) -> str:
    if not value:
        return "{}"
    items = (f"{literal(key, dialect)}: {literal(item, dialect)}" for key, item in value.items())
    return "{\n" + ",\n".join(items) + "\n}"


def _array(value: Sequence[object], dialect: Dialect) -> str:
    return f"[{', '.join([literal(item, dialect) for item in value])}]"


# By the exact type: a bool is no int here, and a scene has thousands of values.
_WRITERS: dict[type, Callable[[Any, Dialect], str]] = {
    str: lambda value, dialect: f'"{escaped(value)}"',
    bool: lambda value, dialect: "true" if value else "false",
    int: lambda value, dialect: str(value),
    float: _float,
    Call: _call,
    Packed: _packed,
    PackedBytes: _packed_bytes,
    TypedArray: _typed,
    Reference: _reference,
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


def packed_vector2(points: Iterable[tuple[float, float]]) -> Packed:
    """A PackedVector2Array."""
    return Packed("PackedVector2Array", [number for point in points for number in point])


def packed_int32(numbers: Iterable[int]) -> Packed:
    """A PackedInt32Array."""
    return Packed("PackedInt32Array", list(numbers))


def typed_array(element: str, items: Sequence[object]) -> TypedArray:
    """An `Array[element]`."""
    return TypedArray(element, items)


@lru_cache(maxsize=1024)
def node_name(text: str) -> str:
    """A name that a node may have: Godot's paths give `. : @ / " %` a meaning."""
    return re.sub(r'[.:@/"%\x00-\x1f]', "_", text)[:200] or "_"


@lru_cache(maxsize=1024)
def is_identifier(text: str) -> bool:
    """Whether metadata may have this name: Godot takes ASCII identifiers only."""
    return bool(_IDENTIFIER.fullmatch(text))


class Section(NamedTuple):
    """A part of a document; of its attributes and properties, the values as Python has them."""

    kind: str
    attributes: Mapping[str, object]
    properties: Mapping[str, object] = {}


class Document:
    """A scene or resource file: first what it refers to, then what it defines, then nodes.

    `encode` makes the text. Whoever writes the same content in another form reads the sections.
    """

    def __init__(self, kind: str, dialect: Dialect = GODOT_4_3, **attributes: object) -> None:
        self.dialect = dialect
        self._heading = Section(kind, {**attributes, "format": dialect.format})
        self._files: dict[tuple[str, str], Reference] = {}
        self._count = 0
        self.ext_resources: list[Section] = []
        self.sub_resources: list[Section] = []
        self.nodes: list[Section] = []

    def ext_resource(self, type_: str, path: str) -> Reference:
        """Refer to another file: one of the project, or relative to this one; returns the reference."""
        known = self._files.get((type_, path))
        if known:
            return known
        reference = self._numbered("ExtResource", "")
        here = self.dialect.classes.get(type_, type_)
        attributes = {"type": here, "path": path, "id": self._id(reference)}
        self.ext_resources.append(Section("ext_resource", attributes))
        self._files[type_, path] = reference
        return reference

    def sub_resource(self, type_: str, properties: Mapping[str, object]) -> Reference:
        """Define a resource inside this file, before those that use it; returns the reference."""
        reference = self._numbered("SubResource", f"{type_}_")
        attributes = {"type": type_, "id": self._id(reference)}
        self.sub_resources.append(Section("sub_resource", attributes, self._translated(type_, properties)))
        return reference

    def resource(self, properties: Mapping[str, object]) -> None:
        """The resource that a resource file is about."""
        self.nodes.append(Section("resource", {}, properties))

    def node(
        self,
        name: str,
        type_: str | Reference,
        parent: str | None,
        properties: Mapping[str, object] | None = None,
        groups: Sequence[str] = (),
        metadata: Mapping[str, object] | None = None,
    ) -> None:
        """A node of a class, or an instance of another scene.

        `parent` is a path from the root, `.` the root itself, None for the root. ValueError for metadata
        whose name is no identifier.
        """
        given = dict(properties or {})
        attributes: dict[str, object] = {"name": node_name(name)}
        if isinstance(type_, str):
            sorting = given.get("y_sort_enabled") is True and self.dialect.sorting.get(type_)
            if sorting:
                del given["y_sort_enabled"]
            attributes["type"] = sorting or self.dialect.classes.get(type_, type_)
            given = self._translated(type_, given)
        if parent is not None:
            attributes["parent"] = parent
        if groups:
            attributes["groups"] = list(groups)
        if isinstance(type_, Reference):
            attributes["instance"] = type_
        self.nodes.append(Section("node", attributes, {**given, **self._metadata(metadata or {})}))

    def _metadata(self, metadata: Mapping[str, object]) -> dict[str, object]:
        for key in metadata:
            if not is_identifier(key):
                raise ValueError(f"{key!r} can be no name of metadata")
        if self.dialect.metadata:
            return {self.dialect.metadata: dict(metadata)} if metadata else {}
        return {f"metadata/{key}": value for key, value in metadata.items()}

    def _translated(self, type_: str, properties: Mapping[str, object]) -> dict[str, object]:
        """Properties under the names that they have in this dialect, without those it has not."""
        if not self.dialect.properties:
            return dict(properties)
        names = ((self.dialect.properties.get((type_, key), key), key) for key in properties)
        return {name: properties[key] for name, key in names if name}

    def _numbered(self, name: str, prefix: str) -> Reference:
        self._count += 1
        return Reference(name, f"{'' if self.dialect.numbered else prefix}{self._count}")

    def _id(self, reference: Reference) -> object:
        return int(reference.id) if self.dialect.numbered else reference.id

    def encode(self) -> bytes:
        """The whole file."""
        sections = [self._heading, *self.ext_resources, *self.sub_resources, *self.nodes]
        return ("\n\n".join([self._text(section) for section in sections]) + "\n").encode("utf-8")

    def _text(self, section: Section) -> str:
        pairs = [f"{key}={literal(value, self.dialect)}" for key, value in section.attributes.items()]
        lines = [f"[{' '.join([section.kind, *pairs])}]"]
        lines += [f"{key} = {literal(value, self.dialect)}" for key, value in section.properties.items()]
        return "\n".join(lines)
