"""Merge a Godot scene or resource: translate it to the new names and ids, then merge node by node."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from exporters.formats.godot.syntax.sections import TextSection, written
from exporters.merge import godot_cells
from exporters.merge.cells import Carry, agreement, carry, merged_cells, own_cells
from exporters.merge.godot_added import (
    AddedNode,
    added_to,
    counterparts,
    give_riders,
    has_riders,
    has_work,
    without,
)
from exporters.merge.godot_cells import Codes, Frame, Sparse
from exporters.merge.godot_needed import keep_needed, settled
from exporters.merge.godot_saved import conform, with_uid
from exporters.merge.godot_taken import take_out
from exporters.merge.godot_tree import (
    Tree,
    apart,
    move,
    moves_between,
    parts_of,
    place_of,
    rename,
    renumber,
    split,
    tile_size,
    tree_from,
    tree_of,
)
from exporters.merge.matching import Moves, RoomFact, RoomPair
from exporters.merge.outcome import CannotMerge, Merged, Notes
from exporters.merge.painted import unpaint_scene
from exporters.merge.taken import NOTHING, Taken
from exporters.merge.tree import ITSELF, MISSING, Scheme, merged, same
from generator.geometry import Point, Rect

SCENE = Scheme(
    identities={"ext": ("id",), "sub": ("id",), "nodes": ("path",), "groups": (ITSELF,), "others": (ITSELF,)},
    quiet=frozenset({"uid", "format", "unique_id", "index"}),
)

_LayerProperty = tuple[str, str]  # a node's path and the property that holds its tiles


def has_only_taken(base: Sequence[TextSection], theirs: Sequence[TextSection], taken: Taken) -> bool:
    """Check whether a person's scene, parsed like its base, has no other changes than what is taken of it.

    If tiles were painted or things added, only the new scene can tell.
    """
    if taken.painted or taken.looks or taken.added:
        return False
    if len(base) == len(theirs):  # then only the heading and what differs has to be looked at
        pairs = [*zip(base, theirs, strict=True)]
        base, theirs = zip(
            *(pair for pair in pairs if pair[0] is not pair[1] or pair is pairs[0]), strict=True
        )
    old, mine = tree_from(base), tree_from(theirs)
    take_out(mine, old, taken)
    conform(old, mine)
    return same(old, mine)


def merge_scene(base: bytes, theirs: bytes, new: bytes, taken: Taken = NOTHING) -> Merged:
    """Merge a scene or resource. Return `new` itself if a person changed nothing, beside what is taken."""
    known: dict[Hashable, tuple[Any, Any]] = {}
    old, mine, fresh = (tree_of(data, known) for data in (base, theirs, new))
    added = added_to(mine, taken, tile_size(old))
    if taken != NOTHING:
        take_out(mine, old, taken)
        unpaint_scene(mine, old, fresh, taken)
    uid = conform(old, mine)
    if same(old, without(mine, added)) and not has_riders(added, old):
        return Merged(with_uid(new, uid) if uid else new, only_saved=taken == NOTHING)
    size = tile_size(fresh)
    if size != tile_size(old):
        raise CannotMerge("the size of its tiles is another now")
    notes = Notes()
    moves, paths = moves_between(old, fresh)
    pairs = counterparts(
        added, fresh, moves, {paths.get(node["path"], node["path"]) for node in old["nodes"]}, size
    )
    mine = _without_homeless(mine, old, added, [each for each, _ in pairs], notes)
    _rename(old, mine, fresh, paths, {each.node["path"]: made["path"] for each, made in pairs})
    renumber(old, mine, fresh)
    cells = [_cells(side) for side in (old, mine, fresh)]
    frame = godot_cells.frame_of([layer for side in cells for layer in side.values()], _farthest(moves))
    arrays = [{key: godot_cells.dense(layer, frame) for key, layer in side.items()} for side in cells]
    carried = carry(frame.shape, frame.shape, _framed(moves, frame))
    _leave_out_homeless(old, mine, moves, size, notes, {made["path"] for _, made in pairs})
    for side in (old, mine):
        move(side, moves, size)
    give_riders(old, mine, fresh, pairs)
    texts = _texts(mine) | _texts(fresh)
    for side in (old, mine, fresh):
        for node in side["nodes"]:
            node["properties"] = {k: "" if _is_cells(k) else v for k, v in node["properties"].items()}

    def lost(before: Tree, node: Tree) -> object:
        notes.add(f"node {node['path']}: changed, but the new level has no place for it")
        return MISSING

    tree: Tree = merged(old, mine, fresh, replace(SCENE, gone={"nodes": lost}), notes)
    _paint(tree, arrays, carried, frame, texts, notes)
    settled(tree, {node["path"] for node in mine["nodes"]}, notes)
    keep_needed(tree, mine)
    if uid:
        tree["heading"].setdefault("uid", uid)
    return Merged(written(parts_of(tree)), notes.lines())


def _without_homeless(
    mine: Tree, old: Tree, added: Sequence[AddedNode], placed: Collection[AddedNode], notes: Notes
) -> Tree:
    """Return a person's scene without added nodes that the new one lacks, unless they have children."""
    homeless = [each for each in added if each not in placed]
    less = without(mine, homeless)
    left = {node["path"] for node in less["nodes"]}
    for path in (each.node["path"] for each in homeless if has_work(each.node, old)):
        if path not in left:
            notes.add(f"node {path}: added, but the new level has no place for it")
    return less


def _rename(old: Tree, mine: Tree, fresh: Tree, paths: Mapping[str, str], added: Mapping[str, str]) -> None:
    """Give nodes the paths of the new scene, in place, or a person's of which it has none, unused ones."""
    used = {node["path"] for side in (old, fresh) for node in side["nodes"]}
    clashing = {node["path"] for node in fresh["nodes"]} - {node["path"] for node in old["nodes"]}
    own = {
        path: apart(path, used)
        for path in [node["path"] for node in mine["nodes"]]
        if path in clashing and not any(f"{path}/".startswith(f"{each}/") for each in added)
    }
    rename(old, paths)
    rename(mine, {**paths, **own, **added})


def _is_cells(key: str) -> bool:
    return godot_cells.KEY.fullmatch(key) is not None


def _texts(tree: Tree) -> dict[_LayerProperty, str]:
    return {
        (node["path"], key): value
        for node in tree["nodes"]
        for key, value in node["properties"].items()
        if _is_cells(key)
    }


def _cells(tree: Tree) -> dict[_LayerProperty, Sparse]:
    return {key: godot_cells.sparse(value) for key, value in _texts(tree).items()}


def _farthest(moves: Moves) -> Point:
    shifts = [moves.shift, *(pair.shift for pair in moves.pairs)]
    return max(abs(x) for x, _ in shifts), max(abs(y) for _, y in shifts)


def _framed(moves: Moves, frame: Frame) -> Moves:
    """Convert the moves to the coordinates of a frame."""
    left, top = frame.origin

    def by(room: RoomFact) -> RoomFact:
        x, y, width, height = room.rect
        return room._replace(rect=Rect(x - left, y - top, width, height))

    pairs = tuple(RoomPair(by(pair.old), by(pair.new), pair.same) for pair in moves.pairs)
    return Moves(pairs, tuple(map(by, moves.gone)), moves.shift)


def _leave_out_homeless(
    old: Tree, mine: Tree, moves: Moves, size: int, notes: Notes, has_place: Collection[str]
) -> None:
    """Leave out nodes that a person added to our containers in rooms that the new level does not have."""
    known = {node["path"] for node in old["nodes"]}.union(has_place)
    for node in [*mine["nodes"]]:
        tile, (parent, _) = place_of(node, size), split(node["path"])
        is_in_ours = parent != "." and parent in known and "/" not in parent
        if node["path"] not in known and is_in_ours and tile and moves.is_gone(*tile):
            notes.add(f"node {node['path']}: added, but the new level has no place for it")
            mine["nodes"].remove(node)


def _paint(
    tree: Tree,
    arrays: list[dict[_LayerProperty, Codes]],
    carried: Carry,
    frame: Frame,
    texts: dict[_LayerProperty, str],
    notes: Notes,
) -> None:
    """Merge the cells, and write them into the existing nodes."""
    old, mine, fresh = arrays
    empty = np.zeros(frame.shape, np.uint64)
    keys = old.keys() | mine.keys() | fresh.keys()
    ours = {key for key in keys if key in old or key in fresh}
    old, fresh = ({key: side.get(key, empty) for key in ours} for side in (old, fresh))
    agree = agreement(old, fresh, carried)
    nodes = {node["path"]: node for node in tree["nodes"]}
    theirs = {key: mine.get(key, empty) for key in ours if key[0] in nodes}
    painted = merged_cells(old, theirs, fresh, carried, agree)
    for key in sorted(keys):
        if key[0] not in nodes:
            continue
        codes = painted.layers[key] if key in ours else own_cells(mine[key], carried)[0]
        value = godot_cells.written(codes, frame, texts[key])
        if value is not None:
            nodes[key[0]]["properties"][key[1]] = value
        else:
            nodes[key[0]]["properties"].pop(key[1], None)
    for cell in painted.lost:
        notes.add(cell.said(f"node {cell.layer[0]}", frame.origin))
