"""Take what a level has already out of a person's scene: see `taken`."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping

from exporters.formats.godot.syntax.sections import references, written
from exporters.merge.godot_added import (
    groups_of,
    is_own,
    is_read,
    is_rider,
    own_groups,
    own_properties,
)
from exporters.merge.godot_tree import Tree, move, parts_of, rename, split, tree_of
from exporters.merge.matching import Moves
from exporters.merge.outcome import CannotMerge
from exporters.merge.taken import Taken

_HOLDERS = ("Markers", "Doors", "Things", "Rooms")
_TILES = ("tile_map_data", "layer_0/tile_data", "tile_data")
_FACTS = "metadata/facts"


def take_out(mine: Tree, old: Tree, taken: Taken) -> None:
    """Have changed and removed nodes as they were exported, in place."""
    rename(mine, taken.renamed)  # the merge finds nodes by their paths
    _put_back(mine, old, taken)
    _restore(mine, old, taken.changed)


def without_edits(data: bytes, added: Mapping[str, str], paths: Mapping[str, str], ours: bytes) -> bytes:
    """Take all changes that levels have out of a scene that inherits the level's, which is now `ours`.

    Nodes get new `paths`. The `added` ones are in `ours` at the paths given with them: what else they have
    becomes a change of these. Returns the scene itself if it is damaged.
    """
    try:
        tree = tree_of(data)
    except CannotMerge:
        return data
    renamed = _as_changes(tree, added, tree_of(ours)) if added else {}
    for node in tree["nodes"]:
        if not is_own(node):
            holder = split(node["path"])[0].rpartition("/")[2]
            for key in list(node["properties"]):
                is_fact = key == _FACTS and node["path"] == "."
                if key in _TILES or is_fact or (is_read(key) and holder in _HOLDERS):
                    del node["properties"][key]
    tree["nodes"] = [
        node
        for node in tree["nodes"]
        if node["path"] == "." or is_own(node) or node["properties"] or node["groups"]
    ]
    rename(tree, {**paths, **renamed})
    return written(parts_of(tree))


def _as_changes(tree: Tree, added: Mapping[str, str], ours: Tree) -> dict[str, str]:
    """Make added nodes changes of ours, in place. Return their new paths.

    One that instances a scene, as ours at that place does not, becomes a child of ours.
    """
    known = groups_of(ours)
    paths: dict[str, str] = {}
    made = {node["path"]: _scene_of(node, ours) for node in ours["nodes"]}
    for node in tree["nodes"]:
        path = added.get(node["path"], "")
        if path in made and is_own(node):
            node["properties"], node["groups"] = own_properties(node), own_groups(node, known)
            if _scene_of(node, tree) in ("", made[path]):
                paths[node["path"]], node["class"] = path, {}
            else:
                paths[node["path"]] = f"{path}/{split(node['path'])[1]}"
    return paths


def _scene_of(node: Tree, tree: Tree) -> str:
    """Return the file of the scene that a node instances, if it does."""
    ids = [id_ for _, id_ in references(node["class"].get("instance", ""))]
    return next((str(each["class"].get("path")) for each in tree["ext"] if each["id"] in ids), "")


def following(data: bytes, paths: Mapping[str, str], moves: Moves, size: int) -> bytes:
    """Give nodes of a scene to work in new paths, and move a person's own with their rooms.

    `size` is that of a tile, in px. Unchanged if there is nothing to do.
    """
    try:
        tree, before = tree_of(data), tree_of(data)
    except CannotMerge:
        return data
    holders, own = {".", "Hallways", *_HOLDERS}, []
    for node in tree["nodes"]:  # not those below our nodes, which are where these are
        if is_own(node) and split(node["path"])[0] in holders:
            holders.add(node["path"])
            own.append(node)
    move({"nodes": own}, moves, size)
    rename(tree, paths)
    return data if tree == before else written(parts_of(tree))


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
            known = {name: text for name, text in before[end].items() if is_read(name)}
            own = {name: text for name, text in node["properties"].items() if is_rider(name, text, known)}
            node["properties"] = known | own


def _ends(keys: Collection[str]) -> set[tuple[str, ...]]:
    """Return the ends of nodes' paths, which in a room's own scene begin at the room."""
    return {tuple(key.split("/")[-2:]) for key in keys}


def _end(node: Tree) -> tuple[str, ...]:
    """Return the names of a node's parent and of the node."""
    parent, name = split(node["path"])
    return parent.rpartition("/")[2], name
