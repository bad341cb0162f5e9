"""Merge a Tiled map: translate it to the numbers and places of the new one, then merge part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from exporters.merge.cells import Carry, agreement, carry, fitted, merged_cells, own_cells
from exporters.merge.matching import Moves
from exporters.merge.outcome import CannotMerge, Merged, Notes
from exporters.merge.painted import unpaint_map
from exporters.merge.taken import NOTHING, Taken, as_exported, kind_of_added, riders_of, with_riders
from exporters.merge.tiled_files import TILED, notation_of
from exporters.merge.tiled_flat import INSIDE, FlatMap, flat, flattened, folded
from exporters.merge.tiled_ids import (
    make_room,
    move,
    moves_between,
    numbered,
    refer,
    renumber,
    tile_of,
    tilesets_of,
)
from exporters.merge.tree import MISSING, merged, name_of, same


def has_only_taken(base: Mapping[str, Any], theirs: Mapping[str, Any], taken: Taken) -> bool:
    """Check whether a person's map, parsed like its base, has no other changes than what is taken of it.

    If tiles were painted, only the new map can tell.
    """
    if taken.painted or taken.looks:
        return False
    try:
        old, mine = (flattened(table, with_tiles=False) for table in (base, theirs))
    except CannotMerge:
        return False
    added = _take(mine, old, taken)
    return old.stored == mine.stored and _unchanged(old, mine) and not any(map(riders_of, added))


def _take(mine: FlatMap, old: FlatMap, taken: Taken) -> list[dict[str, Any]]:
    """Take out of a person's objects what is taken of them. Return the added ones among these.

    Our tileset in the other notation, as after *Save As*, is taken for ours.
    """
    _have_our_tilesets(mine, old)
    added = [object_ for object_ in mine.objects if str(object_["id"]) in taken.added]
    if taken != NOTHING:
        mine.objects = as_exported(mine.objects, old.objects, "id", taken)
    return added


def _have_our_tilesets(mine: FlatMap, old: FlatMap) -> None:
    ours = {_stem(str(each["source"])): each["source"] for each in tilesets_of(old) if "source" in each}
    if isinstance(mine.top.get("tilesets"), list):
        mine.top["tilesets"] = [
            {**each, "source": ours.get(_stem(source), source)}
            if isinstance(each, dict) and isinstance(source := each.get("source"), str)
            else each
            for each in mine.top["tilesets"]
        ]


def _stem(source: str) -> str:
    """Return the path of a tileset without its suffix, if this is one of Tiled's two."""
    return source[:-4] if source.endswith((".tsj", ".tsx")) else source


def merge_map(base: bytes, theirs: bytes, new: bytes, taken: Taken = NOTHING) -> Merged:
    """Merge a map. Return `new` itself if nothing relevant was changed, beside what is taken."""
    notation = notation_of(new)
    old, mine = flat(base, notation), flat(theirs, notation)
    fresh, added = None, _take(mine, old, taken)
    if taken != NOTHING:
        fresh = flat(new, notation)
        unpaint_map(mine, old, fresh, taken)
    if _unchanged(old, mine) and not any(map(riders_of, added)):
        return Merged(new)
    fresh = fresh or flat(new, notation)
    if old.tile_size != fresh.tile_size:
        raise CannotMerge("the size of its tiles is another now")
    notes = Notes()
    moves, carried, added_as = _translate(old, mine, fresh, added, taken)
    ours, layers = {object_["id"] for object_ in old.objects}, {layer["id"] for layer in fresh.layers}

    def lost(before: Any, object_: dict[str, Any]) -> Any:
        action = "changed" if before else "added"
        notes.add(
            f"object {name_of(object_) or object_['id']}: {action}, but the new level has no place for it"
        )
        return MISSING

    for object_ in [*mine.objects]:
        tile, is_added = tile_of(object_, mine.tile_size), object_["id"] not in ours
        if is_added and object_[INSIDE] in layers and tile and moves.is_gone(*tile):
            lost(None, object_)
            mine.objects.remove(object_)
    for side in (old, mine):
        move(side, moves)
    old.objects += [made for _, made in added_as]
    mine.objects += [with_riders(object_, made, made) for object_, made in added_as]
    scheme = replace(TILED, gone={"objects": lost})
    result = replace(fresh, **{
        name: merged(getattr(old, name), getattr(mine, name), getattr(fresh, name), scheme, notes, path)
        for name, path in (("top", ()), ("layers", ("layers",)), ("objects", ("objects",)))
    })  # fmt: skip
    result.tiles = {}
    names = {layer["id"]: str(layer.get("name")) for layer in (*fresh.layers, *mine.layers)}
    agree = agreement(old.tiles, fresh.tiles, carried)
    cells = merged_cells(old.tiles, mine.tiles, fresh.tiles, carried, agree)
    kept = {layer["id"] for layer in result.layers}
    for key in kept & (mine.tiles.keys() | fresh.tiles.keys()):
        if key in cells.layers:
            result.tiles[key] = cells.layers[key]
        elif key in mine.tiles:
            result.tiles[key], outside = own_cells(mine.tiles[key], carried)
            if outside:
                count, (x, y) = len(outside), outside[0]
                notes.add(
                    f"layer {names[key]}: {count} tiles outside the new map are left out, from {x},{y} on"
                )
        else:
            result.tiles[key] = fresh.tiles[key]
    for cell in cells.lost:
        notes.add(cell.said(f"layer {names[cell.layer]}"))
    result.objects = [object_ for object_ in result.objects if object_[INSIDE] in kept]
    return Merged(notation.write(folded(result)), notes.lines())


def _unchanged(old: FlatMap, mine: FlatMap) -> bool:
    if old.shape != mine.shape or old.tiles.keys() != mine.tiles.keys():
        return False
    parts = all(same(getattr(old, name), getattr(mine, name)) for name in ("top", "layers", "objects"))
    return parts and all(np.array_equal(old.tiles[key], mine.tiles[key]) for key in old.tiles)


def _translate(
    old: FlatMap, mine: FlatMap, fresh: FlatMap, added: Sequence[dict[str, Any]], taken: Taken
) -> tuple[Moves, Carry, list[tuple[dict[str, Any], dict[str, Any]]]]:
    """Give the old map and the person's the ids of the new one, and bring their arrays into one frame.

    Also returns the `added` objects that the new map has, each with the one there.
    """
    moves, objects = moves_between(old, fresh)
    added_as = [*_counterparts(added, fresh, moves, {*objects.values()}, taken)]
    objects |= {object_["id"]: made["id"] for object_, made in added_as}
    ids = {(layer.get("type"), layer.get("name")): layer["id"] for layer in fresh.layers}
    pairs = [(layer["id"], ids.get((layer.get("type"), layer.get("name")))) for layer in old.layers]
    layers = {key: id_ for key, id_ in pairs if id_ is not None}
    by_layer = numbered(layers, *([layer["id"] for layer in side.layers] for side in (old, mine, fresh)))
    by_object = numbered(
        objects, *([object_["id"] for object_ in side.objects] for side in (old, mine, fresh))
    )
    make_room(mine, old, fresh)
    for side in (old, mine):
        renumber(side, by_layer, by_object)
    for object_, _ in added_as:
        refer(object_, by_object)
    if mine.shape != old.shape:  # resized by the person: use at least that size
        fresh.shape = max(fresh.shape[0], mine.shape[0]), max(fresh.shape[1], mine.shape[1])
        fresh.tiles = {key: fitted(tiles, fresh.shape) for key, tiles in fresh.tiles.items()}
    shape = max(old.shape[0], mine.shape[0]), max(old.shape[1], mine.shape[1])
    for side in (old, mine):
        side.tiles = {key: fitted(tiles, shape) for key, tiles in side.tiles.items()}
    return moves, carry(shape, fresh.shape, moves), added_as


def _counterparts(
    added: Sequence[dict[str, Any]], fresh: FlatMap, moves: Moves, known: set[int], taken: Taken
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield those of the added objects that the new map has, each with the one there."""
    new = {
        (made.get("type"), tile_of(made, fresh.tile_size)): made
        for made in fresh.objects
        if made["id"] not in known
    }
    for object_ in added:
        if tile := tile_of(object_, fresh.tile_size):
            dx, dy = moves.shift_at(*tile)
            place = kind_of_added(taken.added[str(object_["id"])]), (tile[0] + dx, tile[1] + dy)
            if place in new:
                yield object_, new.pop(place)
