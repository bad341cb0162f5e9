"""Find what a person's `NAME_edit.tscn` changes in the scene that it inherits, and what of it no longer fits.

    [node name="crypt" instance=ExtResource("1")]                         the root: inherits crypt.tscn
    [node name="Enemy_12_34" parent="Markers" index="3"]                  a change: no type, no instance
    [node name="Lamp" type="PointLight2D" parent="Markers/Enemy_12_34"]   an addition to a node

Godot drops everything below a missing node when it saves the scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from exporters.formats.godot.syntax.sections import GodotTextError, plain, references, sections
from generator.named_tuple import NamedTuple

_MAX_NODES = 1 << 18


class _SceneNode(NamedTuple):
    """The heading of a node: its path from the root (`.`), and the file that it instances."""

    path: str
    parent: str
    instance: str
    is_change: bool


def lost(edited: bytes, main: str, files: Mapping[str, bytes]) -> list[str]:
    """List the paths of nodes that an edited scene changes or extends and that the new `main` does not have.

    Empty if the edited file is not a scene or does not inherit `main`. `files` are the new files, by path.
    Raises ValueError for a scene with too many nodes.
    """
    nodes = list(_nodes(edited))
    if not nodes or nodes[0].path != "." or PurePosixPath(nodes[0].instance).name != PurePosixPath(main).name:
        return []
    if len(nodes) == 1:  # nobody has worked in it, so the new scene need not be read
        return []
    known, open_ = _known(main, files)
    missing, lacking = dict[str, None](), _Branches()
    for node in nodes[1:]:
        wanted = node.path if node.is_change else node.parent
        if (wanted in known or open_.hold(wanted)) and wanted not in missing:
            known.add(node.path)
            if node.instance:
                open_.add(node.path)  # its contents are unknown
        elif not lacking.hold(wanted):
            lacking.add(wanted)
            missing[wanted] = None
    return list(missing)


def overrides(edited: bytes) -> bool:
    """Check whether an edited scene changes nodes that it inherits, rather than only adding its own.

    So it does if somebody painted in a layer of the level: Godot saves a copy of the layer. Raises ValueError
    for a scene with too many nodes.
    """
    nodes, own = _nodes(edited), _Branches()
    next(nodes, None)  # the root is the person's
    for node in nodes:
        if not node.is_change:
            own.add(node.path)
        elif not own.hold(node.path):
            return True
    return False


class _Branches:
    """Nodes of a tree with everything below them. A look-up costs no more than its path."""

    def __init__(self) -> None:
        self._tree: dict[str, Any] = {}  # a node's children by their names; a branch has none

    def add(self, path: str) -> None:
        """Add a node, unless it is there already."""
        if self.hold(path):
            return
        *above, name = path.split("/")
        branch = self._tree
        for part in above:
            branch = branch.setdefault(part, {})
        branch[name] = {}

    def hold(self, path: str) -> bool:
        """Return whether a node is one of them, or below one."""
        branch = self._tree
        for part in path.split("/"):
            if part not in branch:
                return False
            branch = branch[part]
            if not branch:
                return True
        return False


def _known(main: str, files: Mapping[str, bytes]) -> tuple[set[str], _Branches]:
    """Return the paths of all nodes of a new scene, and the nodes that instance scenes not in `files`."""
    known, open_ = set[str](), _Branches()
    for node in _nodes(files[main]):
        known.add(node.path)
        inside = str(PurePosixPath(main).parent / node.instance) if node.instance else ""
        if inside in files:
            for inner in _nodes(files[inside]):
                known.add(_joined(node.path, inner.path))
                if inner.instance:
                    open_.add(_joined(node.path, inner.path))
        elif inside:
            open_.add(node.path)
    return known, open_


def _joined(parent: str, name: str) -> str:
    return name if parent == "." else parent if name == "." else f"{parent}/{name}"


def _nodes(scene: bytes) -> Iterator[_SceneNode]:
    """Yield the nodes of a scene in order, up to a damaged place. Raises ValueError if there are too many."""
    resources: dict[str, str] = {}
    count = 0
    with suppress(GodotTextError):
        for section in sections(scene.decode("utf-8", "replace")):
            if section.kind not in ("ext_resource", "node"):
                continue
            count += 1
            if count > _MAX_NODES:
                raise ValueError(f"has more than {_MAX_NODES} nodes")
            attributes = {key: plain(value) for key, value in section.attributes.items()}
            if section.kind == "ext_resource":
                resources[attributes.get("id", "")] = attributes.get("path", "")
                continue
            parent = attributes.get("parent")
            instance = next(
                (resources.get(id_, "?") for _, id_ in references(attributes.get("instance", ""))), ""
            )
            is_change = not attributes.keys() & {"type", "instance", "instance_placeholder"}
            path = "." if parent is None else _joined(parent, attributes.get("name", ""))
            yield _SceneNode(path, parent or ".", instance, is_change)
