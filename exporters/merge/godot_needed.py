"""What a merged scene needs so that Godot loads it: parents, resources, and the ends of connections."""

from __future__ import annotations

from collections.abc import Collection

from exporters.formats.godot.syntax.sections import references
from exporters.merge.godot_tree import Tree, split
from exporters.merge.outcome import Notes


def settled(tree: Tree, theirs: Collection[str], notes: Notes) -> None:
    """Leave out the nodes without a parent, in place, with a note for each that is a person's."""
    kept: dict[str, Tree] = {}
    for node in tree["nodes"]:
        path, (parent, _) = node["path"], split(node["path"])
        if path in (".", "") or _has_parent(parent, kept):
            kept[path] = node
        elif path in theirs:
            notes.add(f"node {path}: added, but the new level has no place for it")
    tree["nodes"] = [*kept.values()]
    _connect(tree, notes)


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


def _connect(tree: Tree, notes: Notes) -> None:
    """Leave out connections from or to missing nodes, because Godot reports errors for them."""
    nodes = {node["path"]: node for node in tree["nodes"]}
    kept = []
    for connection in tree["others"]:
        ends = [connection[key][1:-1] for key in ("from", "to", "path") if key in connection]
        if all(end in nodes or _has_parent(end, nodes) for end in ends):
            kept.append(connection)
        else:
            notes.add(
                f"{connection['kind']} {' '.join(ends)}: leads to a node that is gone, so it is left out"
            )
    tree["others"] = kept
