"""Entities (doors, markers, rooms), and the fields of entities and levels. Second pass.

    { "__identifier": "wave", "__type": "Int", "__value": 2, "__tile": null, "defUid": 31, "realEditorValues":
    [{ "id": "V_Int", "params": [2] }] }

(One line in the file; from LDtk's own sample `Entities.ldtk`. LDtk reads `realEditorValues` only.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from exporters.formats.ldtk.areas import AreaPlan
from exporters.formats.ldtk.definitions import (
    DOOR,
    MARKERS_OWN,
    OTHERS,
    ROOM,
    Definitions,
    EntityDef,
    FieldDef,
    FieldValue,
)
from exporters.formats.ldtk.syntax import Iids, clean, pretty, quoted
from exporters.objects import AlikeMarkers, alike, keys_by_name, keys_of_door, shut_facts
from exporters.theme import Theme
from generator.geometry import Point, Rect
from generator.level import Level, Marker, Property, Room
from generator.named_tuple import NamedTuple

_WRAPPERS = {"Int": "V_Int", "Float": "V_Float", "Bool": "V_Bool"}  # all other types are V_String
_NUMBERS = ("V_Int", "V_Float")
_MAX_KEPT = 32  # cached texts per field
_MAX_FORMS = 1024  # cached sets of properties
_LONG = 80  # characters; from about this length on, LDtk breaks a line


def field_def(field: FieldDef) -> dict[str, object]:
    """Return a field's definition."""
    reference = field.type == "EntityRef"
    mutual = reference and not field.leads_to
    return {
        "identifier": field.name,
        "doc": field.doc,
        "__type": type_name(field),
        "uid": field.uid,
        "type": f"F_Enum({field.enum.uid})" if field.enum else f"F_{field.type}",
        "isArray": field.array,
        "canBeNull": field.null and not field.array,
        "arrayMinLength": None,
        "arrayMaxLength": None,
        "editorDisplayMode": _display_mode(field),
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "CurvedArrow" if reference else "StraightArrow",
        "editorDisplayColor": None,
        "editorAlwaysShow": False,
        "editorShowInWorld": True,
        "editorCutLongValues": True,
        "editorTextSuffix": None,
        "editorTextPrefix": None,
        "useForSmartColor": field.colors,
        "exportToToc": False,
        "searchable": False,
        "min": None,
        "max": None,
        "regex": None,
        "acceptFileTypes": None,
        "defaultOverride": None,
        "textLanguageMode": None,
        "symmetricalRef": mutual,
        "autoChainRef": not mutual,
        "allowOutOfLevelRef": True,
        "allowedRefs": "OnlyTags" if field.leads_to else "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [field.leads_to] if field.leads_to else [],
        "tilesetUid": None,
    }


def _display_mode(field: FieldDef) -> str:
    if field.type == "EntityRef":
        return "RefLinkBetweenCenters"
    return "EntityTile" if field.shows else "Hidden"


def type_name(field: FieldDef) -> str:
    """Return a field's type as written beside its values."""
    element = f"LocalEnum.{field.enum.name}" if field.enum else field.type
    return f"Array<{element}>" if field.array else element


TileRect = dict[str, int]
"""A tile in an image: the uid of its tileset, and x, y, w, h in px."""

EntityTarget = dict[str, str]
"""The target of an EntityRef: the iids of an entity, its layer, its level and the world."""

WrittenValue = FieldValue | EntityTarget | Sequence[EntityTarget]
References = Mapping[str, WrittenValue]
Writer = Callable[[WrittenValue], str]
"""A function that writes a field's value."""


def writer(field: FieldDef, indent: int, tiles: Mapping[str, TileRect | None] | None = None) -> Writer:
    """Return a writer for values of a field, indented by `indent` tabs, made once per field for speed.

    `tiles` are the pictures of the values, for fields that show them.
    """
    if field.array:
        return _array_writer(field, indent)
    if field.shows:
        return _picture_writer(field, indent, tiles or {})
    head = f'{{ "__identifier": {quoted(field.name)}, "__type": {quoted(type_name(field))}, "__value": '
    middle = f', "__tile": null, "defUid": {field.uid}, "realEditorValues": '
    nothing = f"{head}null{middle}[] }}"
    wrapper = _WRAPPERS.get(field.type, "V_String")
    tabs = "\t" * indent

    @lru_cache(maxsize=_MAX_KEPT, typed=True)
    def plain(value: FieldValue) -> str:
        shown, held = _shown(value, wrapper)
        return f"{head}{shown}{middle}{_real(wrapper, held, tabs)} }}"

    def write(value: WrittenValue) -> str:
        if value is None:
            return nothing
        if wrapper == "V_Int" and type(value) is int:
            return f'{head}{value}{middle}[{{ "id": "V_Int", "params": [{value}] }}] }}'
        if isinstance(value, dict):
            real = _real(wrapper, quoted(value["entityIid"]), tabs)
            return f"{head}{_target(value, tabs)}{middle}{real} }}"
        assert not isinstance(value, list)
        return plain(value)

    return write


def _target(value: EntityTarget, tabs: str) -> str:
    """Write the target of a reference: four iids never fit on one line."""
    lines = f",\n{tabs}\t".join([f'"{name}": {quoted(iid)}' for name, iid in value.items()])
    return f"{{\n{tabs}\t{lines}\n{tabs}}}"


def _shown(value: FieldValue, wrapper: str) -> tuple[str, str]:
    """Return a value as written in `__value`, and in `realEditorValues`."""
    if wrapper == "V_String":
        text = quoted(_text(value))
        return text, text
    return pretty(_rounded(value)), pretty(value)


def _real(wrapper: str, held: str, tabs: str) -> str:
    """Write the `realEditorValues` of one value."""
    if wrapper in _NUMBERS:
        return f'[{{ "id": "{wrapper}", "params": [{held}] }}]'
    # LDtk breaks tables that contain lists of anything but numbers, and lists with long texts.
    params = f"[ {held} ]" if wrapper == "V_Bool" else f"[{held}]"
    if len(held) > _LONG:
        params = pretty([json.loads(held)], len(tabs) + 1)
    return f'[{{\n{tabs}\t"id": "{wrapper}",\n{tabs}\t"params": {params}\n{tabs}}}]'


def _picture_writer(field: FieldDef, indent: int, tiles: Mapping[str, TileRect | None]) -> Writer:
    """Return a writer for values of an enum with their tiles."""

    @lru_cache(maxsize=_MAX_KEPT)
    def plain(shown: str | None) -> str:
        if shown is None:
            return pretty(_table(field, None, None, ()), indent)
        return pretty(_table(field, shown, tiles.get(shown), [shown]), indent)

    return lambda value: plain(None if value is None else _text(value))


def _array_writer(field: FieldDef, indent: int) -> Writer:
    """Return a writer for arrays of texts or references. None is an empty array."""

    def written(values: Sequence[object]) -> str:
        shown = [item if isinstance(item, dict) else clean(str(item)) for item in values]
        held = [item["entityIid"] if isinstance(item, dict) else item for item in shown]
        return pretty(_table(field, shown, None, held), indent)

    nothing = written(())

    def write(value: WrittenValue) -> str:
        assert value is None or isinstance(value, Sequence)
        return written(value) if value else nothing

    return write


def _table(field: FieldDef, shown: object, tile: TileRect | None, held: Sequence[str]) -> dict[str, object]:
    return {
        "__identifier": field.name,
        "__type": type_name(field),
        "__value": shown,
        "__tile": tile,
        "defUid": field.uid,
        "realEditorValues": [{"id": "V_String", "params": [item]} for item in held],
    }


def _text(value: WrittenValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(str(value))


def _rounded(value: WrittenValue) -> WrittenValue:
    """Round a float as LDtk does in `__value`: to thousandths, halves away from zero."""
    if not isinstance(value, float):
        return value
    thousandths = int(value * 1000 + (0.5 if value > 0 else -0.5))
    return thousandths / 1000


# --- entities: doors, markers, and rooms if a level has several --------------------------------------
#
#     {
#         "__identifier": "Enemy",
#         "__grid": [7,4],
#         "__pivot": [0,0],
#         "__tags": ["marker"],
#         "__tile": { "tilesetUid": 9, "x": 16, "y": 384, "w": 16, "h": 16 },
#         "__smartColor": "#94D9B3",
#         "iid": "a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11",
#         "width": 16,
#         "height": 16,
#         "defUid": 72,
#         "px": [112,64],
#         "fieldInstances": [ ... ],
#         "__worldX": 352,
#         "__worldY": 64
#     }
#
# (From LDtk's own sample `WorldMap_GridVania_layout.ldtk`.)


class Instance(NamedTuple):
    """An entity in a level: its definition's key, and its rectangle in tiles of our level."""

    key: str
    iid: str
    rect: Rect
    values: Mapping[str, FieldValue]  # by field name
    to: tuple[int, str] | None = None  # level index and iid of the door that it leads to
    keys: tuple[tuple[int, str], ...] = ()  # level index and iid of each key that it needs
    marker: Marker | None = None


def instances(level: Level, plan: AreaPlan, iids: Iids) -> list[list[Instance]]:
    """List for each LDtk level its entities: rooms, doors, markers, each by id."""
    by_area: list[list[Instance]] = [[] for _ in plan.areas]
    if not any(area.room for area in plan.areas):
        for room in level.rooms:
            by_area[0].append(Instance(ROOM, iids.of("room", room.id), room.bounds, room_values(room)))
    for number, door in _doors(level, plan, iids):
        by_area[number].append(door)
    for marker, (number, (x, y)) in zip(level.markers, _places(plan, level.markers), strict=True):
        own = {"id": marker.id, "room": marker.room, "hallway": marker.hallway}
        iid = iids.of("marker", marker.id)
        by_area[number].append(Instance(marker.kind, iid, Rect(x, y, 1, 1), own, marker=marker))
    return by_area


def room_values(room: Room) -> dict[str, FieldValue]:
    """Return a room's fields, for a level or an entity."""
    return {
        "kind": room.kind,
        "room": room.id,
        "shape": room.shape,
        "distance": room.distance,
        "depth": room.depth,
        "difficulty": room.difficulty,
        "layout": room.layout,
        "zone": room.zone or None,
        "name": room.name or None,
    }


def marker_target(plan: AreaPlan, marker: Marker, iids: Iids) -> tuple[int, str]:
    """Return the LDtk level of a marker, and the iid of its entity."""
    return _place(plan, (marker.x, marker.y))[0], iids.of("marker", marker.id)


def _places(plan: AreaPlan, markers: Sequence[Marker]) -> Iterator[tuple[int, Point]]:
    """Yield the LDtk level of each marker, and its tile, or the nearest one inside that level."""
    at = [marker.y for marker in markers], [marker.x for marker in markers]
    numbers = np.max([plan.owners[at], plan.above[at], plan.below[at], np.zeros(len(markers), int)], axis=0)
    for number, y, x in zip(numbers.tolist(), *at, strict=True):
        yield number, _nearest(plan.areas[number].rect, x, y)


def _place(plan: AreaPlan, tile: Point) -> tuple[int, Point]:
    """Return the LDtk level of a tile, and the tile, or the nearest one inside that level."""
    x, y = tile
    number = max(int(plan.owners[y, x]), int(plan.above[y, x]), int(plan.below[y, x]), 0)
    return number, _nearest(plan.areas[number].rect, x, y)


def _nearest(rect: Rect, x: int, y: int) -> Point:
    return min(max(x, rect.x), rect.right - 1), min(max(y, rect.y), rect.bottom - 1)


def _doors(level: Level, plan: AreaPlan, iids: Iids) -> list[tuple[int, Instance]]:
    """List the sides of each door with their level indexes: two between rooms, one towards a hallway."""
    hallways: dict[int, int] = {}
    ends: dict[tuple[int, int], tuple[int, int]] = {}  # from a side to the side that it leads to
    for hallway in level.hallways:
        a, b = hallway.doors
        if a != b and a not in hallways and b not in hallways:
            hallways |= {a: hallway.id, b: hallway.id}
            ends |= {(a, 0): (b, 0), (b, 0): (a, 0)}
    sides: dict[tuple[int, int], tuple[int, Rect, str, int | None]] = {}
    for door in level.doors:
        for side_number, half in enumerate(door.halves):
            area_number, rect = _bounds(plan, half.tiles)
            sides[door.id, side_number] = area_number, rect, half.side, half.room
        if (door.id, 1) in sides:
            ends |= {(door.id, 0): (door.id, 1), (door.id, 1): (door.id, 0)}
    result, keys = [], keys_by_name(level)
    for (number, side_number), (area_number, rect, side, room) in sides.items():
        door = level.doors[number]
        values: dict[str, FieldValue] = {"kind": door.kind, "id": number, "side": side}
        values |= {"room": room, "hallway": hallways.get(number)}
        values |= {"needs": door.needs, "one_way": door.one_way, "opens_from": door.opens_from}
        values |= {"joins": door.joins or None, **shut_facts(door, level.kinds)}
        end = ends.get((number, side_number))
        to = (sides[end][0], iids.of("door", *end)) if end in sides and end else None
        theirs = tuple(marker_target(plan, key, iids) for key in keys_of_door(door, keys))
        result.append(
            (area_number, Instance(DOOR, iids.of("door", number, side_number), rect, values, to, theirs))
        )
    return result


def _bounds(plan: AreaPlan, tiles: Sequence[Point]) -> tuple[int, Rect]:
    """Return the level of a door's tiles, and their rectangle."""
    number, (x, y) = _place(plan, tiles[0])
    inside = [tile for tile in tiles if plan.areas[number].rect.contains(*tile)] or [(x, y)]
    return number, Rect.around(inside)


class EntityWriter:
    """Writes entities, indented by `indent` tabs."""

    def __init__(self, definitions: Definitions, theme: Theme, indent: int) -> None:
        self._definitions = definitions
        self._theme = theme
        self._size = theme.tile_size
        self._indent = indent
        self._tabs = "\t" * (indent + 1)
        self._heads: dict[tuple[str, int | None, str], tuple[str, str]] = {}
        self._writers: dict[str, list[tuple[FieldDef, Writer]]] = {
            key: [(field, writer(field, indent + 2, self._tiles(field))) for field in entity.fields]
            for key, entity in definitions.entities.items()
        }
        self._refer = {
            key
            for key, entity in definitions.entities.items()
            if any(field.type == "EntityRef" for field in entity.fields)
        }
        self._of_alike = lru_cache(maxsize=_MAX_FORMS)(self._new_of_alike)

    def _tiles(self, field: FieldDef) -> dict[str, TileRect | None]:
        """Return the tile of each value of a field that shows tiles."""
        icons = field.enum.icons if field.enum and field.shows else {}
        return {name: icon_rect(self._definitions, self._theme, icon) for name, icon in icons.items()}

    def _head(self, key: str, values: Mapping[str, FieldValue]) -> tuple[str, str]:
        """Return the text of an entity before its position, and that from there to its iid."""
        entity = self._definitions.entities[key]
        looks = key, _icon(entity, values), _color(entity, values)
        if looks not in self._heads:
            self._heads[looks] = self._new_head(entity, *looks[1:])
        return self._heads[looks]

    def _new_head(self, entity: EntityDef, icon: int | None, color: str) -> tuple[str, str]:
        tabs = self._tabs
        tile = icon_rect(self._definitions, self._theme, icon)
        shown = {"__pivot": [0, 0], "__tags": list(entity.tags), "__tile": tile, "__smartColor": color}
        before = f'{{\n{tabs}"__identifier": "{entity.name}",\n{tabs}"__grid": '
        after = "".join(f',\n{tabs}"{key}": {pretty(value)}' for key, value in shown.items())
        return before, f'{after},\n{tabs}"iid": '

    def _new_of_alike(self, key: str, markers: AlikeMarkers) -> tuple[tuple[str, str], list[str]]:
        """Return the `_head` of some markers, and the text of the fields that they have in common."""
        _, names, values, _ = markers
        named = self._named(key, dict(zip(names, values, strict=True)))
        fields = self._writers[key][len(MARKERS_OWN) :]
        return self._head(key, named), [write(named.get(field.name)) for field, write in fields]

    def write(
        self, instance: Instance, rect: Rect, world: Point, refer: Callable[[Instance], References]
    ) -> str:
        """Write an entity in the level of `rect`, at `world` (px). `refer` gives its targets."""
        key, tabs, size = instance.key, self._tabs, self._size
        x, y = instance.rect.x - rect.x, instance.rect.y - rect.y
        values = instance.values
        if instance.marker and key not in self._refer:
            own = [write(values[field.name]) for field, write in self._writers[key][: len(MARKERS_OWN)]]
            head, others = self._of_alike(key, alike(instance.marker))
            fields = own + others
        else:
            if instance.marker:
                values = {**values, **self._named(key, instance.marker.properties)}
            head, targets = self._head(key, values), refer(instance)
            fields = [
                write((targets if field.type == "EntityRef" else values).get(field.name))
                for field, write in self._writers[key]
            ]
        listed = f",\n{tabs}\t".join(fields)
        return (
            f'{head[0]}[{x},{y}]{head[1]}"{instance.iid}"'
            f',\n{tabs}"width": {instance.rect.width * size}'
            f',\n{tabs}"height": {instance.rect.height * size}'
            f',\n{tabs}"defUid": {self._definitions.entities[key].uid}'
            f',\n{tabs}"px": [{x * size},{y * size}]'
            f',\n{tabs}"fieldInstances": [\n{tabs}\t{listed}\n{tabs}]'
            f',\n{tabs}"__worldX": {world[0] + x * size}'
            f',\n{tabs}"__worldY": {world[1] + y * size}\n{tabs[1:]}}}'
        )

    def _named(self, key: str, properties: Mapping[str, Property]) -> dict[str, FieldValue]:
        """Return a marker's properties by the names of its fields."""
        values: dict[str, FieldValue] = {}
        fields = self._definitions.properties[key]
        rest = []
        for name, value in properties.items():
            field = fields[name]
            if field.name == OTHERS and name != OTHERS:
                rest.append(f"{clean(name)}={value}")
            else:
                values[field.name] = value
        if rest:
            values[OTHERS] = "; ".join(rest)
        return values


def icon_rect(definitions: Definitions, theme: Theme, icon: int | None) -> TileRect | None:
    """Return the place of an entity's icon in the tileset's image."""
    if icon is None:
        return None
    x, y = theme.at_px(icon)
    return {"tilesetUid": definitions.tileset, "x": x, "y": y, "w": theme.tile_size, "h": theme.tile_size}


def _icon(entity: EntityDef, values: Mapping[str, FieldValue]) -> int | None:
    """Return an entity's icon: that of its first value with an icon, or its own."""
    for field in entity.fields:
        if field.shows and field.enum and str(values.get(field.name)) in field.enum.icons:
            return field.enum.icons[str(values[field.name])]
    return entity.icon


def _color(entity: EntityDef, values: Mapping[str, FieldValue]) -> str:
    """Return an entity's colour: that of its first enum field with colours, or its own."""
    for field in entity.fields:
        if field.colors and field.enum and values.get(field.name) is not None:
            return field.enum.values[str(values[field.name])]
    return entity.color
