"""Translate an LDtk project of an old level to the numbers of a new one: uids, iids, and px in the world.

Definitions are matched by their identifiers, levels and entities by what they are. iids count through a
level, so those of two levels may be the same and name different things.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from exporters.merge.matching import Moves, RoomFact, ThingFact, moves_of, things_of
from exporters.merge.outcome import CannotMerge
from exporters.merge.tiled_ids import numbered
from generator.geometry import Point, Rect
from generator.pattern import pattern

UIDS = frozenset(
    [
        "uid",
        "defUid",
        "layerDefUid",
        "levelId",
        "tilesetUid",
        "tilesetDefUid",
        "__tilesetDefUid",
        "tilesetId",
        "iconTilesetUid",
        "autoSourceLayerDefUid",
        "autoTilesKilledByOtherLayerUid",
        "biomeFieldUid",
        "tagsSourceEnumUid",
        "allowedRefsEntityUid",
        "overrideTilesetUid",
        "optionalRules",
    ]
)
OWN_COUNT = frozenset({"intGridValuesGroups", "intGridCsv", "gridTiles"})  # no uids of the project in them
_ENUM = pattern(r"F_Enum\((\d{1,12})\)")


def tables(value: object) -> list[dict[str, Any]]:
    """Return the tables of a list, or an empty list for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def uids_between(
    old: dict[str, Any], mine: dict[str, Any], new: dict[str, Any], iids: Mapping[str, str]
) -> dict[int, int]:
    """Find the new uid for each uid of the old project or the person's that has changed."""
    new_uids = dict(_named(new))
    matched = {uid: new_uids[name] for name, uid in _named(mine) if name in new_uids}
    matched |= {uid: new_uids[name] for name, uid in _named(old) if name in new_uids}
    matched |= _tilesets(old, new)
    levels = {level["iid"]: level.get("uid") for level in tables(new.get("levels"))}
    for level in tables(old.get("levels")):
        uid = levels.get(iids.get(level["iid"], ""))
        if isinstance(uid, int) and isinstance(level.get("uid"), int):
            matched[level["uid"]] = uid
    changed = numbered(matched, *(uids_of(side) for side in (old, mine, new)))
    return {uid: number for uid, number in changed.items() if uid != number}


def _tilesets(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[int, int]:
    """Match the tilesets of both projects by position, because their identifiers have the theme's name."""
    uids = [
        [tileset["uid"] for tileset in tables(side["defs"].get("tilesets"))] if "defs" in side else []
        for side in (old, new)
    ]
    return dict(zip(*uids, strict=True)) if len(uids[0]) == len(uids[1]) else {}


def uids_of(project: Mapping[str, Any]) -> list[int]:
    """List the uids of all definitions and levels."""
    levels = (level.get("uid") for level in tables(project.get("levels")))
    return [*dict(_named(project)).values(), *(uid for uid in levels if isinstance(uid, int))]


def _named(project: Mapping[str, Any]) -> Iterator[tuple[Hashable, int]]:
    """Yield the name that identifies each definition in both projects, and its uid."""
    defs = project.get("defs")
    for sort, listed in defs.items() if isinstance(defs, dict) else ():
        for definition in tables(listed):
            name = (sort, definition.get("identifier"))
            yield from _uid(name, definition)
            for field in tables(definition.get("fieldDefs")):
                yield from _uid((*name, field.get("identifier")), field)
            for group_number, group in enumerate(tables(definition.get("autoRuleGroups"))):
                group_name = (*name, group_number, group.get("name"))
                yield from _uid(group_name, group)
                for number, rule in enumerate(tables(group.get("rules"))):
                    yield from _uid((*group_name, number), rule)


def _uid(name: tuple[object, ...], definition: Mapping[str, Any]) -> Iterator[tuple[Hashable, int]]:
    uid = definition.get("uid")
    if isinstance(uid, int) and not isinstance(uid, bool):
        yield tuple(map(str, name)), uid


def facts(project: Mapping[str, Any]) -> tuple[list[RoomFact], list[ThingFact]]:
    """Collect the rooms of a project (levels or entities), and its doors and markers, in world tiles."""
    size, rooms, objects = grid(project), [], []
    for level in tables(project.get("levels")):
        corner = _number(level, "worldX"), _number(level, "worldY")
        fields = _fields(level)
        if fields.get("room") is not None:
            rooms.append(_room(level["iid"], fields, _rect(*corner, level, ("pxWid", "pxHei"), size)))
        for layer in tables(level.get("layerInstances")):
            for entity in tables(layer.get("entityInstances")):
                own, name = _fields(entity), entity.get("__identifier")
                x, y = _px(entity)
                position = corner[0] + x, corner[1] + y
                if name == "Room" and "layout" in own:
                    rooms.append(
                        _room(entity["iid"], own, _rect(*position, entity, ("width", "height"), size))
                    )
                elif "id" in own:
                    sort = "door" if name == "Door" else "marker"
                    tile = position[0] // size, position[1] // size
                    number = str(own["id"]) if sort == "marker" else ""
                    objects.append(ThingFact(entity["iid"], sort, f"{name} {own.get('kind')}", tile, number))
    return rooms, objects


def _room(key: str, fields: Mapping[str, Any], rect: Rect) -> RoomFact:
    return RoomFact(key, rect, tuple(str(fields.get(name) or "") for name in ("kind", "shape", "layout")))


def _rect(x: int, y: int, table: Mapping[str, Any], keys: tuple[str, str], size: int) -> Rect:
    width, height = (min(max(_number(table, key), 0), size << 12) // size for key in keys)
    return Rect(x // size, y // size, width, height)


def grid(project: Mapping[str, Any]) -> int:
    """Return the size of a tile in px."""
    return max(1, _number(project, "defaultGridSize"))


def _number(table: Mapping[str, Any], key: str) -> int:
    value = table.get(key)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1 << 40:
        return int(value)
    raise CannotMerge(f"has no valid {key}")


def _px(entity: Mapping[str, Any]) -> Point:
    px = entity.get("px")
    if isinstance(px, list) and len(px) == 2 and all(isinstance(number, (int, float)) for number in px):
        return int(px[0]), int(px[1])
    raise CannotMerge("has an entity without a valid place")


def _fields(holder: Mapping[str, Any]) -> dict[str, Any]:
    return {
        str(field.get("__identifier")): field.get("__value") for field in tables(holder.get("fieldInstances"))
    }


def iids_between(
    old: Mapping[str, Any], mine: Mapping[str, Any], new: Mapping[str, Any]
) -> tuple[Moves, dict[str, str]]:
    """Find where the rooms moved to, and the new iid of everything that both projects have.

    Likewise the new fingerprint of the level, which names it as an iid does. `mine` may be the main file of
    an older export, with other iids of the project and its world. What the new project does not have gets an
    iid that nothing in it has.
    """
    (rooms, objects), (new_rooms, new_things) = facts(old), facts(new)
    moves = moves_of(rooms, new_rooms)
    iids: dict[Any, Any] = {pair.old.key: pair.new.key for pair in moves.pairs}
    iids |= things_of(objects, new_things, moves)
    for key in ("iid", "dummyWorldIid"):
        if key in new:
            iids |= {side[key]: new[key] for side in (old, mine) if isinstance(side.get(key), str)}
    before, after = (tables(side.get("levels")) for side in (old, new))
    if len(before) == len(after) == 1:
        iids[before[0]["iid"]] = after[0]["iid"]
    new_levels = {level["iid"]: level for level in after}
    for level in before:
        match = new_levels.get(iids.get(level["iid"]), {})
        prints = [_fields(item).get("fingerprint") for item in (level, match)]
        if all(isinstance(item, str) for item in prints):
            iids[prints[0]] = prints[1]
        layers = {item.get("__identifier"): item for item in tables(match.get("layerInstances"))}
        for layer in tables(level.get("layerInstances")):
            if layer.get("__identifier") in layers:
                iids[layer["iid"]] = layers[layer["__identifier"]]["iid"]
    used = {*_iids(new)}
    unmatched = {iid for side in (old, mine) for iid in _iids(side) if iid in used and iid not in iids}
    return moves, iids | {iid: f"gone-{iid}" for iid in unmatched}


def _iids(project: Mapping[str, Any]) -> Iterator[str]:
    """Yield the iids of all levels, layers and entities."""
    for level in tables(project.get("levels")):
        yield level["iid"]
        for layer in tables(level.get("layerInstances")):
            yield layer["iid"]
            yield from (entity["iid"] for entity in tables(layer.get("entityInstances")))


def translated(value: Any, uids: Mapping[int, int], iids: Mapping[str, str], key: str = "") -> Any:
    """Replace the old uids and iids in a value by the new ones."""
    if isinstance(value, dict):
        return {name: translated(item, uids, iids, name) for name, item in value.items()}
    if isinstance(value, list):
        drawn = key == "autoLayerTiles"
        own = key in OWN_COUNT or (drawn and not uids)
        return value if own else [(_drawn if drawn else translated)(item, uids, iids, key) for item in value]
    if isinstance(value, str):
        enum = _ENUM.fullmatch(value) if key == "type" else None
        return f"F_Enum({uids.get(int(enum[1]), enum[1])})" if enum else iids.get(value, value)
    return uids.get(value, value) if key in UIDS and isinstance(value, int) else value


def _drawn(tile: Any, uids: Mapping[int, int], iids: Mapping[str, str], key: str) -> Any:
    """Translate a tile drawn by a rule: `d` has the rule's uid and the cell."""
    drawn = tile.get("d") if isinstance(tile, dict) else None
    if isinstance(drawn, list) and len(drawn) == 2 and isinstance(drawn[0], int):
        return {**tile, "d": [uids.get(drawn[0], drawn[0]), drawn[1]]}
    return tile
