"""Take what a level has already out of a person's scene: see `taken`."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Mapping

from exporters.formats.godot.syntax.sections import plain, written
from exporters.merge.godot_tree import Tree, parts_of, rename, split, tree_of
from exporters.merge.outcome import CannotMerge
from exporters.merge.taken import Taken

_HOLDERS = ("Markers", "Doors", "Things", "Rooms")
_TILES = ("tile_map_data", "layer_0/tile_data", "tile_data")
_FACTS = "metadata/facts"
_PLAIN = re.compile(r"true|false|[-+.\d][-+.\de]*|&?\"(?s:.*)\"")  # metadata that levels have


def take_out(mine: Tree, old: Tree, taken: Taken) -> None:
    """Leave added nodes out, and have changed and removed ones as they were exported, in place."""
    _remove(mine, taken.added)
    rename(mine, taken.renamed)  # the merge finds nodes by their paths
    _put_back(mine, old, taken)
    _restore(mine, old, taken.changed)


def without_edits(data: bytes, added: Collection[str], paths: Mapping[str, str]) -> bytes:
    """Take added nodes, and all changes that levels have, out of a scene that inherits the level's.

    Nodes get new `paths`. Returns the scene itself if it is damaged.
    """
    try:
        tree = tree_of(data)
    except CannotMerge:
        return data
    _remove(tree, added)
    for node in tree["nodes"]:
        if not _is_own(node):
            holder = split(node["path"])[0].rpartition("/")[2]
            for key in list(node["properties"]):
                is_fact = key == _FACTS and node["path"] == "."
                if key in _TILES or is_fact or (_is_read(key) and holder in _HOLDERS):
                    del node["properties"][key]
    tree["nodes"] = [
        node
        for node in tree["nodes"]
        if node["path"] == "." or _is_own(node) or node["properties"] or node["groups"]
    ]
    rename(tree, paths)
    return written(parts_of(tree))


def with_paths(data: bytes, paths: Mapping[str, str]) -> bytes:
    """Give nodes of a scene and their descendants new paths. Unchanged if it has none of them."""
    try:
        tree = tree_of(data)
    except CannotMerge:
        return data
    before = [node["path"] for node in tree["nodes"]]
    rename(tree, paths)
    return data if before == [node["path"] for node in tree["nodes"]] else written(parts_of(tree))


def _is_own(node: Tree) -> bool:
    """Check whether a node is new in its scene, and not a change of one in the scene that it inherits."""
    return node["path"] != "." and bool(node["class"].keys() & {"type", "instance"})


def _remove(tree: Tree, added: Collection[str]) -> None:
    """Remove added nodes, in place. Those with a person's children stay."""
    if not added:
        return
    root = next((plain(node["class"].get("rootname")) for node in tree["nodes"] if node["path"] == "."), "")
    in_room = {key.split("/", 2)[2] for key in added if key.count("/") > 1 and key.split("/")[1] == root}
    gone = {*added, *in_room} - {split(node["path"])[0] for node in tree["nodes"]}
    tree["nodes"] = [node for node in tree["nodes"] if not (node["path"] in gone and _is_own(node))]


def _put_back(mine: Tree, old: Tree, taken: Taken) -> None:
    """Put removed nodes back, in place, with the resources that Godot leaves out if no node has them."""
    known, markers = {node["path"] for node in mine["nodes"]}, _ends(taken.changed)
    missing = [
        node
        for node in old["nodes"]
        if node["path"] not in known
        and (_end(node) in markers or any(f"{node['path']}/".startswith(f"{key}/") for key in taken.gone))
    ]
    before = {node["path"]: number for number, node in enumerate(old["nodes"])}
    for node in missing:  # each comes after the nearest one that it came after
        places = [
            (before.get(each["path"], len(before)), number) for number, each in enumerate(mine["nodes"])
        ]
        _, place = max((place for place in places if place[0] < before[node["path"]]), default=(0, -1))
        mine["nodes"].insert(place + 1, copy.deepcopy(node))
    for sort in ("ext", "sub") if missing else ():
        held = {resource["id"] for resource in mine[sort]}
        mine[sort] += copy.deepcopy([resource for resource in old[sort] if resource["id"] not in held])


def _restore(mine: Tree, old: Tree, changed: Collection[str]) -> None:
    """Have changed nodes as they were exported, but with what no level can have of them, in place."""
    ends = _ends(changed)
    before = {end: node["properties"] for node in old["nodes"] if (end := _end(node)) in ends}
    for node in mine["nodes"]:
        if (end := _end(node)) in before:
            known = {name: text for name, text in before[end].items() if _is_read(name)}
            own = {
                name: text
                for name, text in node["properties"].items()
                if not (_is_read(name) and (name in known or name == "position" or _PLAIN.fullmatch(text)))
            }
            node["properties"] = known | own


def _ends(keys: Collection[str]) -> set[tuple[str, ...]]:
    """Return the ends of nodes' paths, which in a room's own scene begin at the room."""
    return {tuple(key.split("/")[-2:]) for key in keys}


def _end(node: Tree) -> tuple[str, ...]:
    """Return the names of a node's parent and of the node."""
    parent, name = split(node["path"])
    return parent.rpartition("/")[2], name


def _is_read(name: str) -> bool:
    return name == "position" or name.startswith(("metadata/", "__meta__"))
