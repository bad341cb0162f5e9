"""The nodes of a scene and of the scenes that it inherits or instances, as one tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from exporters.formats.godot.setting import CONTAINERS
from exporters.formats.godot.syntax.sections import (
    Built,
    GodotTextError,
    TextSection,
    sections,
    values_in,
    values_of,
)
from exporters.reading.files import ExportFiles, beside
from generator.errors import LayoutError, shown

_MAX_NODES = 1 << 19
_MAX_DEPTH = 8  # nested scenes


@dataclass
class TreeNode:
    """A node, by its path from the root (`.`). References to other files have the file's path as `text`."""

    path: str
    type: str
    groups: list[str] = field(default_factory=list)
    properties: dict[str, object] = field(default_factory=dict)
    instance: str = ""  # the path of the scene that it instances, as written

    @property
    def name(self) -> str:
        """The node's name."""
        return self.path.rpartition("/")[2]

    @property
    def parent(self) -> str:
        """The path of the parent, empty for the root."""
        return "" if self.path == "." else self.path.rpartition("/")[0] or "."

    def metadata(self) -> dict[str, object]:
        """Return the node's metadata: one property each, or all in one property (Godot 3)."""
        own = {key[9:]: value for key, value in self.properties.items() if key.startswith("metadata/")}
        old = self.properties.get("__meta__")
        return {**(old if isinstance(old, dict) else {}), **own}


class SceneTree:
    """All nodes of a scene by path, parents first, or `only_root`."""

    def __init__(self, path: str, files: ExportFiles, *, only_root: bool = False) -> None:
        self.nodes: dict[str, TreeNode] = {}
        self.missing: list[str] = []  # instanced scenes that do not exist
        self._files, self._only_root = files, only_root
        self._load(path, "", 0)
        if "." not in self.nodes:
            raise LayoutError(f"{files.where(path)}: has no nodes; save it again in Godot")

    def place(self, path: str) -> tuple[float, float]:
        """Return the position of a node in the scene, in px, as if no container had been moved."""
        x = y = 0.0
        while path and path != ".":
            position = self.nodes[path].properties.get("position") if path in self.nodes else None
            if isinstance(position, Built) and path.rpartition("/")[2] not in CONTAINERS:
                dx, dy = _two(position)
                x, y = x + dx, y + dy
            path = path.rpartition("/")[0]
        return x, y

    def drop(self, path: str) -> None:
        """Remove a node and its descendants."""
        self.nodes = {
            name: node for name, node in self.nodes.items() if not f"{name}/".startswith(f"{path}/")
        }

    def _load(self, path: str, at: str, depth: int) -> None:
        """Add a scene's nodes. Its root becomes the node `at`."""
        where = self._files.where(path)
        if depth > _MAX_DEPTH:
            raise LayoutError(f"{where}: has scenes nested too deeply; give a smaller level")
        resources: dict[str, str] = {}
        text = self._files.read(path).decode("utf-8", "replace")
        try:
            for section in self._sections(path, text):
                if section.kind == "ext_resource":
                    attributes = values_of(text, section.attributes)
                    resources[str(attributes.get("id"))] = str(attributes.get("path", ""))
                elif section.kind == "node":
                    attributes, properties = values_in(text, section)
                    self._add(attributes, properties, resources, path, at, depth)
                    if len(self.nodes) > _MAX_NODES:
                        raise LayoutError(f"{where}: has more than {_MAX_NODES} nodes; give a smaller level")
                    if self._only_root:
                        return
        except GodotTextError as error:
            message = f"{shown(error.there)} {error.what}; save it again in Godot"
            raise LayoutError(f"{where}:{error.line}: {message}") from None

    def _sections(self, path: str, text: str) -> Iterable[TextSection]:
        if self._only_root:
            return sections(text)
        return self._files.parsed(path, lambda _: list(sections(text, self._files.things)))

    def _add(
        self,
        attributes: Mapping[str, object],
        properties: Mapping[str, object],
        resources: Mapping[str, str],
        path: str,
        at: str,
        depth: int,
    ) -> None:
        parent, name = attributes.get("parent"), str(attributes.get("name", ""))
        inside = "." if parent is None else name if parent == "." else f"{parent}/{name}"
        own = at or "."
        if inside != ".":
            own = f"{at}/{inside}" if at and at != "." else inside
        instance = attributes.get("instance")
        scene = resources.get(_id(instance), "") if isinstance(instance, Built) else ""
        if scene:
            target = self._found(scene, path)
            if target:
                self._load(target, own, depth + 1)
            elif own not in self.nodes:
                self.missing.append(scene)
        groups = attributes.get("groups")
        node = self.nodes.setdefault(own, TreeNode(own, str(attributes.get("type", ""))))
        node.groups += [str(group) for group in groups] if isinstance(groups, list) else []
        node.properties |= {key: _followed(value, resources) for key, value in properties.items()}
        node.instance = scene or node.instance

    def _found(self, scene: str, path: str) -> str:
        """Find one of our scenes below the main one's folder. The path is empty for a scene of the game.

        The editor writes paths relative to the project's root, which may be any parent folder.
        """
        if not scene.startswith("res://"):
            target = beside(path, scene)
            return target if self._files.has(target) else ""
        parts = PurePosixPath(scene.removeprefix("res://")).parts
        for first in range(len(parts)):
            target = "/".join(parts[first:])
            if ".." not in parts and self._files.has(target) and target != path:
                return target
        return ""


def _id(reference: Built) -> str:
    return str(reference.args[0]) if reference.args else reference.text.strip()


def _followed(value: object, resources: Mapping[str, str]) -> object:
    is_file = isinstance(value, Built) and value.name == "ExtResource"
    return Built("ExtResource", resources.get(_id(value), "")) if is_file else value  # type: ignore[arg-type]


def _two(value: Built) -> tuple[float, float]:
    try:
        x, y = value.numbers(2)
    except ValueError:
        return 0.0, 0.0
    return x, y
