"""The parts of a scene that have no place now, below a hidden, disabled node `Lost edits`."""

from __future__ import annotations

from typing import Any

from exporters.formats.godot.syntax.sections import quoted, references
from exporters.merge.godot_tree import Tree, apart, joined, renamed, split
from exporters.merge.outcome import LOST, Notes

_OFF = "4"  # Node.PROCESS_MODE_DISABLED: scripts do not run, and bodies do not collide
_GROUPS = "metadata/lost_groups"
_STILL = {"collision_enabled": "false", "navigation_enabled": "false", "occlusion_enabled": "false"}


class LostNodes:
    """Collects the paths of nodes without a place, and tiles."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self.paths: dict[str, None] = {}
        self.layers: list[tuple[Tree, str, str]] = []

    def keep(self, before: Any, after: Tree) -> Tree:
        """Keep a node that has no place now: it moves to `Lost edits` with its children."""
        action = "changed" if before else "added"
        self._notes.add(
            f"node {after['path']}: {action}, but the new level has no place for it; kept in {LOST}"
        )
        self.paths[after["path"]] = None
        return after

    def paint(self, node: Tree, key: str, value: str) -> None:
        """Keep tiles of a layer that have no place now."""
        self.layers.append((node, key, value))


def settled(tree: Tree, lost: LostNodes, theirs: set[str], notes: Notes) -> None:
    """Put lost nodes below `Lost edits`, so that each node has a parent, in place."""
    taken = {node["path"] for node in tree["nodes"]}
    kept: dict[str, Tree] = {}
    away: list[Tree] = []
    moved: dict[str, str] = {}
    for node in tree["nodes"]:
        path, (parent, name) = node["path"], split(node["path"])
        orphan = path not in (".", "") and not _has_parent(parent, kept)
        if any(path.startswith(f"{above}/") for above in _above(path) if above in moved):
            away.append(node)
        elif path in lost.paths or (orphan and path in theirs):
            if orphan and path not in lost.paths:
                lost.keep(None, node)
            moved[path] = apart(joined(LOST, name), taken)
            away.append(_silent(node))
        elif not orphan:
            kept[path] = node
    for node in away:
        node["path"] = renamed(node["path"], moved)
    nodes = [*kept.values()]
    if (away or lost.layers) and LOST not in kept:
        nodes.append(
            {
                "path": LOST,
                "class": {"type": quoted("Node2D")},
                "groups": [],
                "properties": {"visible": "false", "process_mode": _OFF},
            }
        )
    nodes += away
    nodes += [_layer(node, key, value, taken) for node, key, value in lost.layers]
    tree["nodes"] = nodes
    _connect(tree, moved, notes)


def _above(path: str) -> list[str]:
    """List the paths of all ancestors of a node."""
    names = path.split("/")
    return ["/".join(names[:count]) for count in range(1, len(names))]


def _has_parent(parent: str, kept: dict[str, Tree]) -> bool:
    """Check whether a parent exists: as a node, or inside an instanced scene, which we cannot check."""
    if parent == ".":
        return True
    root = "instance" in kept.get(".", {}).get("class", {})
    inside = any("instance" in kept[above]["class"] for above in _above(parent) if above in kept)
    return parent in kept or root or inside


def _silent(node: Tree) -> Tree:
    """Move a node's groups to a property, so that no game finds the node."""
    if node["groups"]:
        node["properties"] = {**node["properties"], _GROUPS: f"[{', '.join(node['groups'])}]"}
        node["groups"] = []
    return node


def _layer(node: Tree, key: str, value: str, taken: set[str]) -> Tree:
    """Create a layer of lost tiles like the one they were painted on, but without collisions."""
    shown = {"tile_set", "z_index", "y_sort_enabled", "format", "cell_size"}
    properties = {name: setting for name, setting in node["properties"].items() if name in shown}
    if key == "tile_map_data":
        properties |= _STILL
    elif key != "tile_data":
        properties |= {key.replace("tile_data", "enabled"): "false"}
    else:
        properties |= {"collision_layer": "0", "collision_mask": "0"}
    name = f"Lost {split(node['path'])[1]}"
    path = apart(joined(LOST, name), taken)
    return {
        "path": path,
        "class": {"type": node["class"]["type"]},
        "groups": [],
        "properties": {**properties, key: value},
    }


def keep_needed(tree: Tree, before: Tree) -> None:
    """Add missing resources that a merged scene refers to, in place."""
    present = {(sort, entry["id"]) for sort in ("Ext", "Sub") for entry in tree[sort.lower()]}
    missing = {(sort, entry["id"]): entry for sort in ("Ext", "Sub") for entry in before[sort.lower()]}
    holders = [entry["properties"] for entry in (*tree["nodes"], *tree["sub"])]
    holders += [node["class"] for node in tree["nodes"]]
    while holders:
        wanted = dict.fromkeys(
            key for entry in holders for value in entry.values() for key in references(value)
        )
        added = [key for key in wanted if key in missing and key not in present]
        present |= set(added)
        for sort, id_ in added:
            tree[sort.lower()].insert(0, missing[sort, id_])
        holders = [missing[key]["properties"] for key in added]


def _connect(tree: Tree, moved: dict[str, str], notes: Notes) -> None:
    """Leave out connections from or to missing nodes, because Godot reports errors for them."""
    nodes = {node["path"]: node for node in tree["nodes"]}
    kept = []
    for connection in tree["others"]:
        ends = [connection[key][1:-1] for key in ("from", "to", "path") if key in connection]
        ends = [renamed(end, moved) for end in ends]
        if all(end in nodes or _has_parent(end, nodes) for end in ends):
            for key, end in zip(
                [key for key in ("from", "to", "path") if key in connection], ends, strict=True
            ):
                connection[key] = quoted(end)
            kept.append(connection)
        else:
            notes.add(
                f"{connection['kind']} {' '.join(ends)}: leads to a node that is gone, so it is left out"
            )
    tree["others"] = kept
