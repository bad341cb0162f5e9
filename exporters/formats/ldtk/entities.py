"""Entities: doors, markers, and rooms if a level has several. Second pass.

    {
        "__identifier": "Enemy",
        "__grid": [7,4],
        "__pivot": [0,0],
        "__tags": ["marker"],
        "__tile": { "tilesetUid": 9, "x": 16, "y": 384, "w": 16, "h": 16 },
        "__smartColor": "#94D9B3",
        "iid": "a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11",
        "width": 16,
        "height": 16,
        "defUid": 72,
        "px": [112,64],
        "fieldInstances": [ ... ],
        "__worldX": 352,
        "__worldY": 64
    }

(From LDtk's own sample `WorldMap_GridVania_layout.ldtk`.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exporters.formats.ldtk.areas import AreaPlan
from exporters.formats.ldtk.collect import OTHERS
from exporters.formats.ldtk.fields import TileRect, Writer, WrittenValue, writer
from exporters.formats.ldtk.ids import Iids
from exporters.formats.ldtk.json_text import clean, pretty
from exporters.formats.ldtk.model import DOOR, ROOM, Definitions, EntityDef, FieldDef, FieldValue
from exporters.shut_doors import keys_by_name, keys_of_door, shut_facts
from exporters.theme import Theme
from generator.geometry import Point, Rect
from generator.level import Level, Marker, Room


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
    for marker in level.markers:
        number, (x, y) = _place(plan, (marker.x, marker.y))
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
    }


def _place(plan: AreaPlan, tile: Point) -> tuple[int, Point]:
    """Return the LDtk level of a tile, and the tile, or the nearest one inside that level."""
    x, y = tile
    number = max(int(plan.owners[y, x]), int(plan.above[y, x]), int(plan.below[y, x]), 0)
    rect = plan.areas[number].rect
    return number, (min(max(x, rect.x), rect.right - 1), min(max(y, rect.y), rect.bottom - 1))


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
        values |= shut_facts(door, level.kinds)
        end = ends.get((number, side_number))
        to = (sides[end][0], iids.of("door", *end)) if end in sides and end else None
        theirs = tuple(
            (_place(plan, (key.x, key.y))[0], iids.of("marker", key.id)) for key in keys_of_door(door, keys)
        )
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
        self._heads: dict[tuple[str, int | None], tuple[str, str]] = {}
        self._writers: dict[str, list[tuple[FieldDef, Writer]]] = {
            key: [(field, writer(field, indent + 2, self._tiles(field))) for field in entity.fields]
            for key, entity in definitions.entities.items()
        }

    def _tiles(self, field: FieldDef) -> dict[str, TileRect | None]:
        """Return the tile of each value of a field that shows tiles."""
        icons = field.enum.icons if field.enum and field.shows else {}
        return {name: icon_rect(self._definitions, self._theme, icon) for name, icon in icons.items()}

    def _head(self, key: str, icon: int | None) -> tuple[str, str]:
        """Return the text before and after the position of an entity with an icon."""
        head = self._heads.get((key, icon))
        if head is None:
            head = self._heads[key, icon] = self._new_head(self._definitions.entities[key], icon)
        return head

    def _new_head(self, entity: EntityDef, icon: int | None) -> tuple[str, str]:
        tabs = "\t" * (self._indent + 1)
        tile = icon_rect(self._definitions, self._theme, icon)
        shown = {"__pivot": [0, 0], "__tags": list(entity.tags), "__tile": tile}
        before = f'{{\n{tabs}"__identifier": "{entity.name}",\n{tabs}"__grid": '
        after = "".join(f',\n{tabs}"{key}": {pretty(value)}' for key, value in shown.items())
        return before, f'{after},\n{tabs}"__smartColor": '

    def write(self, instance: Instance, rect: Rect, world: Point, refer: Mapping[str, WrittenValue]) -> str:
        """Write an entity in the level of `rect`, at `world` (px). `refer` has targets of references."""
        entity = self._definitions.entities[instance.key]
        tabs, size = "\t" * (self._indent + 1), self._size
        x, y = instance.rect.x - rect.x, instance.rect.y - rect.y
        values = self._values(instance)
        before, after = self._head(instance.key, _icon(entity, values))
        fields = [
            write((refer if field.type == "EntityRef" else values).get(field.name))
            for field, write in self._writers[instance.key]
        ]
        listed = f",\n{tabs}\t".join(fields)
        return (
            f'{before}[{x},{y}]{after}"{_color(entity, values)}"'
            f',\n{tabs}"iid": "{instance.iid}"'
            f',\n{tabs}"width": {instance.rect.width * size}'
            f',\n{tabs}"height": {instance.rect.height * size}'
            f',\n{tabs}"defUid": {entity.uid}'
            f',\n{tabs}"px": [{x * size},{y * size}]'
            f',\n{tabs}"fieldInstances": [\n{tabs}\t{listed}\n{tabs}]'
            f',\n{tabs}"__worldX": {world[0] + x * size}'
            f',\n{tabs}"__worldY": {world[1] + y * size}\n{tabs[1:]}}}'
        )

    def _values(self, instance: Instance) -> Mapping[str, FieldValue]:
        """Return an entity's values by the names of its fields."""
        if not instance.marker:
            return instance.values
        values = dict(instance.values)
        fields = self._definitions.properties[instance.key]
        rest = []
        for name, value in instance.marker.properties.items():
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
