"""What of a person's `NAME_edit.tscn` no longer fits the scene that it inherits.

    [node name="crypt" instance=ExtResource("1")]                     the root: inherits crypt.tscn
    [node name="Enemy_12_34" parent="Markers" index="3"]              a change: neither a type nor an instance
    [node name="Lamp" type="PointLight2D" parent="Markers/Enemy_12_34"]   an addition, to a node of the level

Godot drops what hangs on a node that is gone, and saves the scene without it. The headings alone are read:
they say where everything hangs, and values may hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

_MOST_NODES = 1 << 18

# A string that does not end goes to the end of the file, so that no text is read twice.
_STRING = r'"(?:[^"\\]++|\\.?)*+(?:"|\Z)'
# Strings come first: what looks like a heading inside a string of many lines is not one. A heading holds
# strings and lists of them.
_TOKEN = re.compile(
    rf'{_STRING}|^\[(?P<kind>\w+)(?P<rest>(?:[^\[\]"]++|{_STRING}|\[(?:[^\[\]"]++|{_STRING})*+\])*+)\]',
    re.MULTILINE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    rf"(?P<key>\w+) *= *(?:(?P<text>{_STRING})|ExtResource\( *(?P<file>[^)]*)\)|(?P<bare>\w*))|{_STRING}",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class _SceneNode(NamedTuple):
    """A heading of a node: its path from the root (`.`), and the file that it is an instance of."""

    path: str
    parent: str
    instance: str
    is_change: bool


def lost(edited: bytes, main: str, files: Mapping[str, bytes]) -> list[str]:
    """The paths of nodes that an edited scene changes or adds to, and that the new scene `main` has not.

    Empty if it does not inherit `main`, or is no scene. `files` are the new ones, by path. Raises ValueError
    for a scene of more nodes than any scene has.
    """
    nodes = list(_nodes(edited))
    if not nodes or nodes[0].path != "." or PurePosixPath(nodes[0].instance).name != PurePosixPath(main).name:
        return []
    known, open_ = _known(main, files)
    missing: dict[str, None] = {}
    for node in nodes[1:]:
        wanted = node.path if node.is_change else node.parent
        if _is_there(wanted, known, open_) and wanted not in missing:
            known.add(node.path)
            if node.instance:
                open_.add(node.path)  # what is in it is not ours to know
        elif not any(_is_below(wanted, one) for one in missing):
            missing[wanted] = None
    return list(missing)


def _known(main: str, files: Mapping[str, bytes]) -> tuple[set[str], set[str]]:
    """The paths of all nodes of a new scene, and of those that are instances of scenes that are not new."""
    known, open_ = set(), set()
    for node in _nodes(files[main]):
        known.add(node.path)
        inside = str(PurePosixPath(main).parent / node.instance) if node.instance else ""
        if inside in files:
            known |= {_joined(node.path, one.path) for one in _nodes(files[inside])}
            open_ |= {_joined(node.path, one.path) for one in _nodes(files[inside]) if one.instance}
        elif inside:
            open_.add(node.path)
    return known, open_


def _is_there(path: str, known: set[str], open_: set[str]) -> bool:
    return path in known or any(_is_below(path, one) for one in open_)


def _is_below(path: str, above: str) -> bool:
    return path == above or path.startswith(f"{above}/")


def _joined(parent: str, name: str) -> str:
    return name if parent == "." else parent if name == "." else f"{parent}/{name}"


def _nodes(scene: bytes) -> Iterator[_SceneNode]:
    """The nodes of a scene in their order. ValueError if there are more than any scene has."""
    resources: dict[str, str] = {}
    count = 0
    for found in _TOKEN.finditer(scene.decode("utf-8", "replace")):
        kind = found["kind"]
        if kind not in ("ext_resource", "node"):
            continue
        count += 1
        if count > _MOST_NODES:
            raise ValueError(f"has more than {_MOST_NODES} nodes")
        given = _attributes(found["rest"])
        if kind == "ext_resource":
            resources[given.get("id", "")] = given.get("path", "")
            continue
        parent = given.get("parent")
        instance = resources.get(given["instance"], "?") if "instance" in given else ""
        is_change = not given.keys() & {"type", "instance", "instance_placeholder"}
        path = "." if parent is None else _joined(parent, given.get("name", ""))
        yield _SceneNode(path, parent or ".", instance, is_change)


def _attributes(rest: str) -> dict[str, str]:
    """Of a heading: texts without their quotes, and of a reference the file's id."""
    found = (each for each in _ATTRIBUTE.finditer(rest) if each["key"])
    return {each["key"]: _plain(each["text"] or each["file"] or each["bare"] or "") for each in found}


def _plain(value: str) -> str:
    return _ESCAPE.sub(r"\1", value.strip().strip('"'))
