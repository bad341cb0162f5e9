"""Godot's text files: sections with attributes and properties. This module knows nothing about levels.

    [gd_scene format=4]

    [ext_resource type="TileSet" path="undercroft.tres" id="1"]

    [sub_resource type="RectangleShape2D" id="RectangleShape2D_2"]
    size = Vector2(32, 16)

    [node name="BossDoor_40_22" type="StaticBody2D" parent="Doors" groups=["door"]]
    position = Vector2(248, 136)
    metadata/kind = "boss"

(Source: `scene/resources/resource_format_text.cpp`.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

from exporters.formats.godot.syntax import GODOT_4_3, Dialect
from exporters.formats.godot.syntax.literals import (
    Blank,
    Reference,
    fillable,
    is_identifier,
    literal,
    node_name,
    quoted,
)
from exporters.formats.godot.syntax.sections import Section
from generator.named_tuple import NamedTuple

_Alike = tuple[str | Reference, str | Blank | None, tuple[str, ...]]
"""Class or scene, parent and groups of a node. Many nodes share them, so their text is cached."""


class NodeForm(NamedTuple):
    """What many nodes have in common, with a `Blank` for each value that differs. See `Document.node`."""

    text: str  # to be filled in, without a name
    type_: str
    parent: str | Blank
    properties: Mapping[str, object]
    groups: Sequence[str] = ()
    metadata: Mapping[str, object] = {}

    @classmethod
    def of(
        cls,
        dialect: Dialect,
        type_: str,
        parent: str | Blank,
        properties: Mapping[str, object],
        groups: Sequence[str] = (),
        metadata: Mapping[str, object] | None = None,
    ) -> NodeForm:
        """Return the form of some nodes in a dialect."""
        document = Document("gd_scene", dialect)
        document.node("", type_, parent, properties, groups, metadata)
        text = fillable(document.last_node().removeprefix('[node name="_"'))
        return cls(text, type_, parent, properties, groups, metadata or {})


class Document:
    """A scene or resource file: first external resources, then its own resources, then nodes.

    Each section becomes text at once, and only the text is kept. `Sections` keeps the values instead.
    """

    def __init__(self, kind: str, dialect: Dialect = GODOT_4_3, **attributes: object) -> None:
        self.dialect = dialect
        self._heading = Section[object](kind, {**attributes, "format": dialect.format})
        self._files: dict[tuple[str, str], Reference] = {}
        self._count = 0
        self._texts: dict[str, list[str]] = {"ext_resource": [], "sub_resource": [], "node": []}
        self._alike: dict[_Alike, str] = {}

    def _add(self, section: Section[object]) -> None:
        self._texts.get(section.kind, self._texts["node"]).append(self._text(section))

    def ext_resource(self, type_: str, path: str) -> Reference:
        """Refer to another file, by a path in the project or relative to this file. Return the reference."""
        known = self._files.get((type_, path))
        if known:
            return known
        reference = self._numbered("ExtResource", "")
        class_name = self.dialect.classes.get(type_, type_)
        attributes: dict[str, object] = {"type": class_name, "path": path, "id": self._id(reference)}
        self._add(Section("ext_resource", attributes))
        self._files[type_, path] = reference
        return reference

    def sub_resource(self, type_: str, properties: Mapping[str, object]) -> Reference:
        """Define a resource in this file, before anything that uses it. Return the reference."""
        reference = self._numbered("SubResource", f"{type_}_")
        attributes: dict[str, object] = {"type": type_, "id": self._id(reference)}
        self._add(Section("sub_resource", attributes, self._translated(type_, {**properties})))
        return reference

    def resource(self, properties: Mapping[str, object]) -> None:
        """Write the main resource of a resource file."""
        self._add(Section("resource", {}, {**properties}))

    def node(
        self,
        name: str,
        type_: str | Reference,
        parent: str | Blank | None,
        properties: Mapping[str, object] | None = None,
        groups: Sequence[str] = (),
        metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Write a node of a class, or an instance of another scene.

        `parent` is a path from the root, with `.` for the root itself; None for the root node. Raises
        ValueError for metadata whose name is not an identifier.
        """
        values = {**properties} if properties else {}
        node_type = type_
        if isinstance(type_, str):
            dialect = self.dialect
            sorting = values.get("y_sort_enabled") is True and dialect.sorting.get(type_)
            if sorting:
                del values["y_sort_enabled"]
            node_type = sorting or dialect.classes.get(type_, type_)
            values = self._translated(type_, values)
        if metadata:
            named = {_metadata_name(key): value for key, value in metadata.items()}
            values |= {self.dialect.metadata: dict(metadata)} if self.dialect.metadata else named
        self._add_node(node_name(name), (node_type, parent, tuple(groups)), values)

    def fill(self, form: NodeForm, name: str, values: Mapping[str, object]) -> None:
        """Write a node of a form, with a value for each `Blank`."""
        texts = {key: literal(value, self.dialect) for key, value in values.items()}
        self._texts["node"].append(f"[node name={quoted(node_name(name))}{form.text % texts}")

    def last_node(self) -> str:
        """Return the text of the node that was written last."""
        return self._texts["node"][-1]

    def _add_node(self, name: str, alike: _Alike, properties: dict[str, object]) -> None:
        heading = self._alike.get(alike)
        if heading is None:
            heading = self._alike[alike] = self._pairs(_attributes(alike))
        self._texts["node"].append(f"[node name={quoted(name)}{heading}]{self._lines(properties)}")

    def _translated(self, type_: str, properties: dict[str, object]) -> dict[str, object]:
        """Return properties under their names in this dialect, without those that it does not have."""
        if not self.dialect.properties:
            return properties
        names = ((self.dialect.properties.get((type_, key), key), key) for key in properties)
        return {name: properties[key] for name, key in names if name}

    def _numbered(self, name: str, prefix: str) -> Reference:
        self._count += 1
        return Reference(name, f"{'' if self.dialect.numbered else prefix}{self._count}")

    def _id(self, reference: Reference) -> object:
        return int(reference.id) if self.dialect.numbered else reference.id

    def encode(self) -> bytes:
        """Encode the whole file."""
        parts = [self._text(self._heading), *chain.from_iterable(self._texts.values())]
        return ("\n\n".join(parts) + "\n").encode("utf-8")

    def _text(self, section: Section[object]) -> str:
        return f"[{section.kind}{self._pairs(section.attributes)}]{self._lines(section.properties)}"

    def _pairs(self, attributes: Mapping[str, object]) -> str:
        return "".join([f" {key}={literal(value, self.dialect)}" for key, value in attributes.items()])

    def _lines(self, properties: Mapping[str, object]) -> str:
        dialect = self.dialect
        return "".join([f"\n{key} = {literal(value, dialect)}" for key, value in properties.items()])


def _attributes(alike: _Alike) -> dict[str, object]:
    """Return the attributes of a node after its name."""
    type_, parent, groups = alike
    return {
        **({"type": type_} if isinstance(type_, str) else {}),
        **({} if parent is None else {"parent": parent}),
        **({"groups": list(groups)} if groups else {}),
        **({} if isinstance(type_, str) else {"instance": type_}),
    }


@lru_cache(maxsize=1024)
def _metadata_name(key: str) -> str:
    if not is_identifier(key):
        raise ValueError(f"{key!r} cannot be the name of metadata")
    return f"metadata/{key}"


class Sections(Document):
    """A document that keeps its sections as values, not as text."""

    def __init__(self, kind: str, dialect: Dialect = GODOT_4_3, **attributes: object) -> None:
        super().__init__(kind, dialect, **attributes)
        self.ext_resources: list[Section[object]] = []
        self.sub_resources: list[Section[object]] = []
        self.nodes: list[Section[object]] = []

    def _add(self, section: Section[object]) -> None:
        kept = {"ext_resource": self.ext_resources, "sub_resource": self.sub_resources}
        kept.get(section.kind, self.nodes).append(section)

    def _add_node(self, name: str, alike: _Alike, properties: dict[str, object]) -> None:
        self._add(Section("node", {"name": name, **_attributes(alike)}, properties))

    def fill(self, form: NodeForm, name: str, values: Mapping[str, object]) -> None:
        """Write a node of a form, with a value for each `Blank`."""

        def filled(table: Mapping[str, object]) -> dict[str, object]:
            return {
                key: values[value.name] if isinstance(value, Blank) else value for key, value in table.items()
            }

        parent = str(values[form.parent.name]) if isinstance(form.parent, Blank) else form.parent
        self.node(name, form.type_, parent, filled(form.properties), form.groups, filled(form.metadata))
