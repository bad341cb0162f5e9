"""Merge an LDtk level: its cells one by one, and everything else in it by uid and iid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exporters.merge.cells import MergedCells, agreement, carry, fitted, merged_cells
from exporters.merge.ldtk_cells import AUTO, GRID, INTS, CellNumbers, LayerKey, Piles, cells_of, put_cells
from exporters.merge.ldtk_ids import tables, translated
from exporters.merge.ldtk_places import fit_layer, local_moves, move_entities, move_level, tile_of
from exporters.merge.matching import Moves
from exporters.merge.outcome import Notes
from exporters.merge.tree import ITSELF, MISSING, Scheme, merged, same

_UID, _IID = ("uid",), ("iid",)
LDTK = Scheme(
    identities={
        **dict.fromkeys(("layers", "entities", "tilesets", "enums", "levelFields", "fieldDefs"), _UID),
        **dict.fromkeys(("autoRuleGroups", "rules", "intGridValuesGroups"), _UID),
        **dict.fromkeys(("entityInstances", "worlds"), _IID),
        **dict.fromkeys(("tags", "flags", "requiredTags", "excludedTags", "uiFilterTags"), (ITSELF,)),
        **dict.fromkeys(("tileIds", "allowedRefTags", "optionalRules"), (ITSELF,)),
        "layerInstances": ("layerDefUid",),
        "fieldInstances": ("defUid",),
        "intGridValues": ("value",),
        "values": ("id",),
        "customData": ("tileId",),
        "enumTags": ("enumValueId",),
        "externalEnums": ("identifier",),
        "customCommands": ("command",),
        "toc": ("identifier",),
        "__neighbours": ("levelIid",),
    },
    quiet=frozenset(
        {
            "appVersion",
            "appBuildId",
            "jsonVersion",
            "cachedPixelData",
            "realEditorValues",
            "__tile",
            "__worldX",
            "__worldY",
        }
    ),
)

LevelTable = dict[str, Any]
_CELLS = (INTS, GRID, AUTO)


@dataclass
class LevelMerge:
    """Merges the levels of one project. `size` is the tile size in px."""

    moves: Moves
    uids: Mapping[int, int]
    iids: Mapping[str, str]
    size: int
    notes: Notes
    layers: Mapping[int, str]  # the names of the merged project's layers, by uid

    def pair(self, old: LevelTable, mine: LevelTable, fresh: LevelTable) -> LevelTable:
        """Merge a level that all three sides have."""
        if _unchanged(old, mine):
            return fresh
        moves = local_moves(self.moves, old, fresh, old["iid"], self.size)
        way = fresh["worldX"] - old["worldX"], fresh["worldY"] - old["worldY"]
        old, mine = (translated(side, self.uids, self.iids) for side in (old, mine))
        piles = Piles()
        before, after = (_padded(cells_of(side, piles), (old,)) for side in (old, mine))
        now = _padded(cells_of(fresh, piles), (fresh,))
        carried = carry(_shape(before), _shape(now), moves)
        by_number = [key for key in before if key[1] == INTS]
        agree = agreement(_drop_auto(before), _drop_auto(now), carried, by_number)
        painted = merged_cells(before, after, now, carried, agree)
        name = str(mine.get("identifier"))

        def lost(before: LevelTable | None, entity: LevelTable) -> object:
            x, y = tile_of(entity, self.size)
            where = f"level {name}, entity {entity.get('__identifier')} at {x},{y}"
            action = "changed" if before else "added"
            self.notes.add(f"{where}: {action}, but the new level has no place for it")
            return MISSING

        known = {layer.get("layerDefUid"): layer for layer in tables(old["layerInstances"])}
        ours = {entity["iid"] for layer in known.values() for entity in layer["entityInstances"]}
        for layer in tables(mine["layerInstances"]):
            for entity in [*layer["entityInstances"]] if layer.get("layerDefUid") in known else ():
                if entity["iid"] not in ours and moves.is_gone(*tile_of(entity, self.size)):
                    lost(None, entity)
                    layer["entityInstances"].remove(entity)
        for side in (old, mine):
            move_level(side, way)
            move_entities(side, moves, self.size)
        scheme = replace(LDTK, gone={"entityInstances": lost})
        level: LevelTable = merged(_bare(old), _bare(mine), _bare(fresh), scheme, self.notes, (name,))
        _fill(level, mine, fresh, painted, now, after, piles)
        for cell in painted.lost:
            uid, key = cell.layer
            if key != AUTO:
                self.notes.add(cell.said(f"level {name}, layer {self.layers.get(uid, uid)}"))
        return level

    def added(self, mine: LevelTable) -> LevelTable:
        """Translate a level that a person added."""
        level: LevelTable = translated(mine, self.uids, self.iids)
        move_level(level, (self.moves.shift[0] * self.size, self.moves.shift[1] * self.size))
        return level

    def gone(self, old: LevelTable, mine: LevelTable) -> None:
        """Note a level that the new project lacks, if a person worked on it."""
        if not _unchanged(old, mine):
            self.notes.add(f"level {mine.get('identifier')}: changed, but its room is gone")


def _unchanged(old: LevelTable, mine: LevelTable) -> bool:
    """Check whether a person changed nothing in a level. An added empty layer does not count."""
    known = {layer.get("layerDefUid") for layer in tables(old.get("layerInstances"))}
    layers = mine.get("layerInstances")
    if isinstance(layers, list):
        kept = [layer for layer in layers if layer.get("layerDefUid") in known or not _is_empty(layer)]
        mine = {**mine, "layerInstances": kept}
    return same(old, mine)


def _is_empty(layer: LevelTable) -> bool:
    lists = layer.get(GRID), layer.get(AUTO), layer.get("entityInstances")
    return not any(lists) and not any(layer.get(INTS) or ())


def _bare(level: LevelTable) -> LevelTable:
    """Copy a level without its cells."""
    layers = level.get("layerInstances")
    if not isinstance(layers, list):
        return level
    bare = [{key: value for key, value in layer.items() if key not in _CELLS} for layer in layers]
    return {**level, "layerInstances": bare}


def _drop_auto(cells: dict[LayerKey, CellNumbers]) -> dict[LayerKey, CellNumbers]:
    return {key: layer for key, layer in cells.items() if key[1] != AUTO}


def _padded(cells: dict[LayerKey, CellNumbers], levels: Sequence[LevelTable]) -> dict[LayerKey, CellNumbers]:
    """Pad the arrays to the largest level, since a person may have changed the size."""
    layers = [layer for level in levels for layer in tables(level.get("layerInstances"))]
    height = max((layer["__cHei"] for layer in layers), default=1)
    width = max((layer["__cWid"] for layer in layers), default=1)
    return {key: fitted(layer_cells, (height, width)) for key, layer_cells in cells.items()}


def _shape(cells: dict[LayerKey, CellNumbers]) -> tuple[int, ...]:
    return next(iter(cells.values())).shape if cells else (1, 1)


def _fill(
    level: LevelTable,
    mine: LevelTable,
    fresh: LevelTable,
    painted: MergedCells,
    now: dict[LayerKey, CellNumbers],
    after: dict[LayerKey, CellNumbers],
    piles: Piles,
) -> None:
    """Put the cells back into the layers of a merged level. Unchanged lists stay as they were."""
    is_resized = any(mine[key] != fresh[key] for key in ("pxWid", "pxHei"))
    theirs, ours = (
        {instance.get("layerDefUid"): instance for instance in tables(side.get("layerInstances"))}
        for side in (mine, fresh)
    )
    for layer in tables(level.get("layerInstances")):
        uid = layer["layerDefUid"]
        source = ours.get(uid) or theirs.get(uid) or {}
        if is_resized and uid not in ours:
            fit_layer(layer, level)
        shape = layer["__cHei"], layer["__cWid"]
        for key in _CELLS:
            layer[key] = source.get(key, [])
            cells = painted.layers.get((uid, key))
            if is_resized and uid not in ours:
                cells = after.get((uid, key))
            if cells is None:
                continue
            if uid not in ours or cells.shape != shape or not np.array_equal(cells, now.get((uid, key), ())):
                put_cells(layer, key, fitted(cells, shape), piles)
