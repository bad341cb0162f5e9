"""What a person's new nodes have that no level can have goes to the nodes that the level's scene has of them.

These are scripts, groups, resources, connections and children.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Mapping, Sequence

from exporters.formats.godot.syntax.sections import numbers, plain
from exporters.merge.godot_tree import Tree, place_of, split
from exporters.merge.matching import Moves
from exporters.merge.taken import Taken, kind_of_added
from generator.geometry import Point
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

_PLAIN = pattern(r"true|false|[-+.\d][-+.\de]*|&?\"(?s:.*)\"")  # metadata that levels have
_CELL = pattern(r"Vector2i?\( ?(-?\d+), (-?\d+) ?\)", re.ASCII)


class AddedNode(NamedTuple):
    """A new node of a person's, what it is of the level (a marker's kind, `door` or `room`), and where."""

    node: Tree
    sort: str
    place: Point


def added_to(tree: Tree, taken: Taken, size: int) -> list[AddedNode]:
    """List the nodes of a person's scene that a level has now."""
    root = next((plain(node["class"].get("rootname")) for node in tree["nodes"] if node["path"] == "."), "")
    edits = {key.removeprefix(f"Rooms/{root}/"): edit for key, edit in taken.added.items()}
    found = []
    for node in tree["nodes"] if edits else ():
        edit = edits.get(node["path"])
        if edit and is_own(node):
            sort = kind_of_added(edit)
            place = _spot(node, size)[1] if edit[0] == "new marker" else _first_cell(node) or edit[1:3]
            found.append(AddedNode(node, sort, place or (0, 0)))
    return found


def counterparts(
    added: Sequence[AddedNode], fresh: Tree, moves: Moves, known: Collection[str], size: int
) -> list[tuple[AddedNode, Tree]]:
    """List the nodes of which the new scene has one at the same place, each with that one."""
    new = {_spot(node, size): node for node in fresh["nodes"] if node["path"] not in known} if added else {}
    pairs = []
    for each in added:
        dx, dy = moves.shift_at(*each.place)
        made = new.pop((each.sort, (each.place[0] + dx, each.place[1] + dy)), None)
        if made:
            pairs.append((each, made))
    return pairs


def _spot(node: Tree, size: int) -> tuple[str, Point | None]:
    """Return what a node is of the level, and where: a marker's tile, or the first of a door or room."""
    facts, holder = node["properties"], split(node["path"])[0].rpartition("/")[2]
    if holder == "Markers":
        return plain(facts.get("metadata/kind", '""')), place_of(node, size)
    if holder == "Doors":
        return "door", _first_cell(node)
    x, y, *_ = (*numbers(facts.get("metadata/bounds"), "Rect2i"), 0, 0)
    return holder and "room", (int(x), int(y))


def _first_cell(node: Tree) -> Point | None:
    """Return the first tile of a door's node, in its scene."""
    cells = _CELL.findall(node["properties"].get("metadata/cells", ""))
    return min(((int(x), int(y)) for x, y in cells), default=None)


def without(tree: Tree, added: Sequence[AddedNode]) -> Tree:
    """Return a scene without added nodes, except for those with a person's children."""
    held = {split(node["path"])[0] for node in tree["nodes"]}
    gone = [id(each.node) for each in added if each.node["path"] not in held]
    return {**tree, "nodes": [node for node in tree["nodes"] if id(node) not in gone]}


def has_riders(added: Sequence[AddedNode], old: Tree) -> bool:
    """Check whether any node has something that no level can have."""
    return any(has_work(each.node, old) or own_properties(each.node) for each in added)


def has_work(node: Tree, old: Tree) -> bool:
    """Check whether a node has a script or group of a person's, or is a scene of theirs."""
    is_theirs = "script" in node["properties"] or "instance" in node["class"]
    return is_theirs or bool(own_groups(node, groups_of(old)))


def give_riders(old: Tree, mine: Tree, fresh: Tree, pairs: Sequence[tuple[AddedNode, Tree]]) -> None:
    """Let a person's nodes be ours with what they have, in place, and the old scene have ours already."""
    mades = {made["path"] for _, made in pairs}
    ours, theirs = groups_of(fresh), {node["path"]: node for node in mine["nodes"]}
    for made in fresh["nodes"] if pairs else ():
        node = theirs.get(made["path"])
        is_top = made["path"] in mades
        if node and (is_top or any(made["path"].startswith(f"{path}/") for path in mades)):
            old["nodes"].append(copy.deepcopy(made))
            own = own_properties(node, made["properties"]) if is_top else node["properties"]
            first, second = (made["properties"], own) if is_top else (own, made["properties"])
            is_other = "instance" in node["class"] or node["class"].get("type") != made["class"].get("type")
            if not is_other:
                node["class"] = dict(made["class"])
            node["groups"] = [*made["groups"], *own_groups(node, ours)]
            node["properties"] = {**first, **second}


def groups_of(tree: Tree) -> set[str]:
    """Return all groups of a scene's nodes."""
    return {group for node in tree["nodes"] for group in node["groups"]}


def own_groups(node: Tree, ours: Collection[str]) -> list[str]:
    """Return the groups of a node that our nodes do not have."""
    return [group for group in node["groups"] if group not in ours]


def own_properties(node: Tree, known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the properties of a new node that no level can have. `known` are those of ours."""
    return {name: text for name, text in node["properties"].items() if is_rider(name, text, known)}


def is_rider(name: str, text: str, known: Mapping[str, str] | None = None) -> bool:
    """Check whether no level can have a property. `known` are those that the node was exported with."""
    return not (is_read(name) and (name in (known or ()) or name == "position" or _PLAIN.fullmatch(text)))


def is_read(name: str) -> bool:
    """Check whether a property is read as an edit."""
    return name == "position" or name.startswith(("metadata/", "__meta__"))


def is_own(node: Tree) -> bool:
    """Check whether a node is new in its scene, and not a change of one in the scene that it inherits."""
    return node["path"] != "." and bool(node["class"].keys() & {"type", "instance"})
