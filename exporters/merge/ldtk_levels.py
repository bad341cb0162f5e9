"""Merge an LDtk level: its cells one by one, and everything else in it by uid and iid."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exporters.merge.cells import MergedCells, agreement, carry, fitted, has_place, merged_cells
from exporters.merge.ldtk_cells import AUTO, GRID, INTS, CellNumbers, LayerKey, Piles, cells_of, put_cells
from exporters.merge.ldtk_ids import tables, translated
from exporters.merge.ldtk_lost import NAME, LostDefinitions, iid_of
from exporters.merge.ldtk_places import local_moves, move_entities, move_level, tile_of
from exporters.merge.matching import Moves
from exporters.merge.outcome import LOST, Notes
from exporters.merge.tree import ITSELF, MISSING, Scheme, merged, same
from generator.arrays import Mask

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
        {"appVersion", "appBuildId", "jsonVersion", "cachedPixelData", "realEditorValues", "__tile"}
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
    lost: LostDefinitions
    taken: set[str]  # the iids of all levels

    def pair(self, old: LevelTable, mine: LevelTable, fresh: LevelTable) -> LevelTable:
        """Merge a level that all three sides have."""
        if _unchanged(old, mine):
            return fresh
        moves = local_moves(self.moves, old, fresh, old["iid"], self.size)
        way = fresh["worldX"] - old["worldX"], fresh["worldY"] - old["worldY"]
        old, mine = (translated(side, self.uids, self.iids) for side in (old, mine))
        piles = Piles()
        before, after = (_padded(cells_of(side, piles), (old, mine)) for side in (old, mine))
        resized = (mine["pxWid"], mine["pxHei"]) != (old["pxWid"], old["pxHei"])
        now = _padded(cells_of(fresh, piles), (fresh, mine) if resized else (fresh,))
        carried = carry(_shape(before), _shape(now), moves)
        by_number = [key for key in before if key[1] == INTS]
        agree, alike = agreement(_drop_auto(before), _drop_auto(now), carried, by_number)
        homeless = self._homeless(old, mine, moves, (agree, alike))
        for side in (old, mine):
            move_level(side, way)
            move_entities(side, moves, self.size)
        painted = merged_cells(before, after, now, carried, agree)
        lost: list[LevelTable] = []
        name = str(mine.get("identifier"))
        scheme = self._scheme(name, lost)
        made: LevelTable = merged(_bare(old), _bare(mine), _bare(fresh), scheme, self.notes, (name,))
        _fill(made, mine, fresh, painted, now, piles)
        for layer in tables(made.get("layerInstances")):
            moved = [each for each in tables(layer.get("entityInstances")) if each["iid"] in homeless]
            for each in moved:
                self._note_entity(name, each, "added", lost)
                layer["entityInstances"].remove(each)
        self._put_away(made, name, painted, piles, lost)
        return made

    def added(self, mine: LevelTable) -> LevelTable:
        """Translate a level that a person added."""
        made: LevelTable = translated(mine, self.uids, self.iids)
        move_level(made, (self.moves.shift[0] * self.size, self.moves.shift[1] * self.size))
        return made

    def gone(self, old: LevelTable, mine: LevelTable) -> LevelTable | None:
        """Make the level of lost edits for a level that the new project lacks, or None without edits."""
        if _unchanged(old, mine):
            return None
        name = str(mine.get("identifier"))
        old, mine = (translated(side, self.uids, self.iids) for side in (old, mine))
        piles, lost = Piles(), list[LevelTable]()
        before, after = (_padded(cells_of(side, piles), (old, mine)) for side in (old, mine))
        made = {**copy.deepcopy(_bare(mine)), "iid": self._lost_iid(mine["iid"]), "layerInstances": []}
        made |= {"identifier": f"{NAME}_{name}", "__neighbours": []}
        made["fieldInstances"] = self.lost.blank(made["fieldInstances"])
        self.lost.next_uid += 1
        made["uid"] = self.lost.next_uid - 1
        self.notes.add(f"level {name}: changed, but its room is gone; see {made['identifier']}")
        known = {e["iid"]: e for layer in tables(old["layerInstances"]) for e in layer["entityInstances"]}
        lost += [
            each
            for layer in tables(mine["layerInstances"])
            for each in tables(layer["entityInstances"])
            if not same(each, known.get(each["iid"]))
        ]
        painted = MergedCells({}, {}, {}, [])
        for key, there in after.items():
            changed = there != before.get(key, np.zeros_like(there))
            painted.lost[key], painted.lost_at[key] = np.where(changed, there, 0), changed
        self._put_away(made, name, painted, piles, lost)
        return made

    def _lost_iid(self, iid: str) -> str:
        """Make a new iid, since a room may go, come back and go again."""
        found = iid_of(iid, "lost")
        while found in self.taken:
            found = iid_of(found, "lost")
        self.taken.add(found)
        return found

    def _scheme(self, name: str, lost: list[LevelTable]) -> Scheme:
        def keep(before: Any, after: Any) -> Any:
            self._note_entity(name, after, "changed", lost)
            return MISSING

        return replace(LDTK, gone={"entityInstances": keep})

    def _note_entity(self, name: str, each: LevelTable, what: str, lost: list[LevelTable]) -> None:
        x, y = tile_of(each, self.size)
        where = f"level {name}, entity {each.get('__identifier')} at {x},{y}"
        self.notes.add(f"{where}: {what}, but the new level has no place for it; kept in {LOST}")
        lost.append(each)

    def _homeless(
        self, old: LevelTable, mine: LevelTable, moves: Moves, masks: tuple[Mask, Mask]
    ) -> set[str]:
        """Find the entities that a person added at positions where the new level is different."""
        ours = {each["iid"] for layer in tables(old["layerInstances"]) for each in layer["entityInstances"]}
        known = {layer.get("layerDefUid") for layer in tables(old["layerInstances"])}
        found = set()
        for layer in tables(mine["layerInstances"]):
            for each in tables(layer["entityInstances"]):
                if each["iid"] in ours or layer.get("layerDefUid") not in known:
                    continue
                if not has_place(tile_of(each, self.size), moves, masks):
                    found.add(str(each["iid"]))
        return found

    def _put_away(
        self, made: LevelTable, name: str, painted: MergedCells, piles: Piles, lost: list[LevelTable]
    ) -> None:
        """Note painted cells that have no place now, and keep them in the layers of lost edits."""
        layers = {each["uid"]: each["identifier"] for each in self.lost.layers()}
        for (uid, key), where in painted.lost_at.items():
            if key == AUTO:
                continue
            there = painted.lost[uid, key]
            for y, x in np.argwhere(where).tolist():
                what, then = ("painted", f"; kept in {LOST}") if there[y, x] else ("erased", "")
                line = f"level {name}, layer {layers.get(uid, uid)}, {x},{y}: {what}"
                self.notes.add(f"{line}, but the new level is different there{then}")
            if key == INTS and there.any():
                self.lost.put(made, "IntGrid", INTS, there.ravel().tolist())
            elif there.any():
                layer: LevelTable = {"__gridSize": self.size}
                put_cells(layer, GRID, there, piles)
                tiles = [{**tile, "d": tile["d"][-1:]} for tile in layer[GRID]]
                self.lost.put(made, "Tiles", GRID, tiles)
        for (uid, key), (x, y) in painted.homeless:
            if key != AUTO:
                self.notes.add(
                    f"level {name}, layer {layers.get(uid, uid)}, {x},{y}: is outside the new level"
                )
        if lost:
            entities = [self.lost.entity(each, made) for each in lost]
            self.lost.put(made, "Entities", "entityInstances", entities)


def _unchanged(old: LevelTable, mine: LevelTable) -> bool:
    """Check whether a person changed nothing in a level. An added empty layer does not count."""
    there = {each.get("layerDefUid") for each in tables(old.get("layerInstances"))}
    layers = mine.get("layerInstances")
    if isinstance(layers, list):
        some = [each for each in layers if each.get("layerDefUid") in there or not _is_empty(each)]
        mine = {**mine, "layerInstances": some}
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
    return {key: each for key, each in cells.items() if key[1] != AUTO}


def _padded(cells: dict[LayerKey, CellNumbers], levels: Sequence[LevelTable]) -> dict[LayerKey, CellNumbers]:
    """Pad the arrays to the largest level, since a person may have changed the size."""
    layers = [layer for level in levels for layer in tables(level.get("layerInstances"))]
    height = max((layer["__cHei"] for layer in layers), default=1)
    width = max((layer["__cWid"] for layer in layers), default=1)
    return {key: fitted(each, (height, width)) for key, each in cells.items()}


def _shape(cells: dict[LayerKey, CellNumbers]) -> tuple[int, ...]:
    return next(iter(cells.values())).shape if cells else (1, 1)


def _fill(
    made: LevelTable,
    mine: LevelTable,
    fresh: LevelTable,
    painted: MergedCells,
    now: dict[LayerKey, CellNumbers],
    piles: Piles,
) -> None:
    """Put the cells back into the layers of a merged level. Unchanged lists stay as they were."""
    theirs, ours = (
        {each.get("layerDefUid"): each for each in tables(side.get("layerInstances"))}
        for side in (mine, fresh)
    )
    for layer in tables(made.get("layerInstances")):
        uid = layer["layerDefUid"]
        source = ours.get(uid) or theirs.get(uid) or {}
        for key in _CELLS:
            layer[key] = source.get(key, [])
            found = painted.layers.get((uid, key))
            if found is None:
                continue
            shape = layer["__cHei"], layer["__cWid"]
            if found.shape != shape or not np.array_equal(found, now[uid, key]):
                put_cells(layer, key, fitted(found, shape), piles)
