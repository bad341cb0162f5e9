"""Carry a person's edits of a level over to another level: the rooms that both have take their edits along.

    base ──── edits_between ────▶ edited level        what a person changed, whichever file it came from
      │                                               and however long ago
    matched
      │
    new  ──── carried, applied ──▶ merged level       the same changes, where the rooms are now

Nothing is taken out of the level's numbers: rooms, doors and markers are matched by what they are.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from exporters.comparison.matched import Matches, matched
from exporters.reading.carried_structure import carried_units, units_of
from exporters.reading.changes import said
from exporters.reading.edited import DOOR_VALUES, edited
from exporters.reading.follows import LOOPS, loops
from exporters.reading.painted_over import painted_over
from exporters.reading.restructured import is_structural
from exporters.reading.seen import EditKey, Edits
from generator.geometry import Point, Rect
from generator.level import Door, Level
from generator.named_tuple import NamedTuple
from generator.rerolls.record import EDITED

_ROOM_VALUES = ("kind", "difficulty", "layout", "zone", "name")
_FIXED = ("door", "void")  # terrain that no edit of another level paints over


def is_edit_of(before: Level, level: Level) -> bool:
    """Check whether a level is another one, as a person edited it, and not made or rolled again."""
    made = [str(each.edited.get("base", each.fingerprint)) for each in (before, level)]
    is_of_one = made[0] == made[1] or before.is_named(made[1]) or level.is_named(made[0])
    rolled = [[row for row in each.rerolls if row != EDITED] for each in (before, level)]
    return is_of_one and rolled[0] == rolled[1]


def edits_between(before: Level, after: Level) -> Edits:
    """Return the edits that turn a level into the level that a person made of it.

    Both are states of one level of the same size. The keys have the numbers of `before`.
    """
    matches = matched(before, after)
    structure = _structure_edits(matches)
    edits = {**structure, **_door_edits(matches, structure), **_marker_edits(before, after)}
    for old, new, _ in matches.rooms.all:
        for name in _ROOM_VALUES:
            if getattr(old, name) != getattr(new, name):
                edits["room", old.id, name] = getattr(new, name)
    for name in sorted({*before.facts, *after.facts}):
        value = after.facts.get(name)
        if before.facts.get(name) != value and not (name == LOOPS and value == loops(after)):
            edits["fact", name] = value
    if any(map(is_structural, edits)):  # the structure follows from the tiles
        return edits | _tile_edits(before, after)
    return edits | _tile_edits(edited(before, edits), after)


def _structure_edits(matches: Matches) -> Edits:
    """Return the edits of rooms that were added, removed, moved or resized, and of doors that were added."""
    before, after = matches.before, matches.after
    edits: Edits = {}
    for room in before.rooms:
        match = matches.rooms.by_old.get(room.id)
        if match is None:
            edits["room", room.id, "gone"] = True
        elif match.new.bounds != room.bounds:
            edits["room", room.id, "bounds"] = tuple(match.new.bounds)
    for room in after.rooms:
        if room.id not in matches.rooms.by_new:
            own = {name: value for name in _ROOM_VALUES if (value := getattr(room, name))}
            edits["new room", *room.bounds] = own
    known = {new.id for _, new in matches.doors}
    for door in after.doors:
        if door.id not in known:
            values = {name: value for name in DOOR_VALUES if (value := getattr(door, name))}
            edits["new door", *Rect.around(door.tiles)] = values
    return edits


def _door_edits(matches: Matches, structure: Edits) -> Edits:
    edits: Edits = {}
    pairs = {old.id: new for old, new in matches.doors}
    for door in matches.before.doors:
        now = pairs.get(door.id)
        if now is None:
            if not any(("room", half.room, "gone") in structure for half in door.halves):
                edits["door", door.id, "gone"] = True
            continue
        if any(("room", half.room, "bounds") in structure for half in door.halves):
            continue
        if now.tiles != door.tiles:
            (x, y), (new_x, new_y) = door.tiles[0], now.tiles[0]
            edits["door", door.id, "at"] = new_x - x, new_y - y
        for name in DOOR_VALUES:
            if getattr(door, name) != getattr(now, name):
                edits["door", door.id, name] = getattr(now, name)
    return edits


def _marker_edits(before: Level, after: Level) -> Edits:
    edits: Edits = {}
    now = {marker.id: marker for marker in after.markers}
    for marker in before.markers:
        other = now.pop(marker.id, None)
        if other is None:
            edits["marker", marker.id, "gone"] = True
            continue
        if (other.x, other.y) != (marker.x, marker.y):
            edits["marker", marker.id, "at"] = other.x, other.y
        if other.kind != marker.kind:
            edits["marker", marker.id, "kind"] = other.kind
        for name in sorted({*marker.properties, *other.properties}):
            if marker.properties.get(name) != other.properties.get(name):
                edits["marker", marker.id, "property", name] = other.properties.get(name)
    return edits | {("new marker", new.kind, new.x, new.y): dict(new.properties) for new in now.values()}


def _tile_edits(before: Level, after: Level) -> Edits:
    edits: Edits = {}
    for y, x in np.argwhere(before.terrain != after.terrain).tolist():
        edits["terrain", x, y] = after.terrain_kinds[after.terrain[y, x]].name
    for y, x in np.argwhere(before.decor != after.decor).tolist():
        number = after.decor[y, x]
        edits["decor", x, y] = after.decor_kinds[number].name if number else ""
    old, new = ({look[:4]: look.tile for look in level.looks} for level in (before, after))
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            edits["look", *key] = new.get(key)
    return edits


class Carried(NamedTuple):
    """Edits with the keys of another level. `lost` has a line for each without a place, by its old key."""

    edits: Edits
    lost: Mapping[EditKey, str]


def carried(edits: Edits, before: Level, new: Level) -> Carried:
    """Carry edits of one level over to another one.

    What the new level has already is left out. A tile that both changed becomes as the person has it.
    """
    matches = matched(before, new)
    carrier = _Carrier(matches)
    result: Edits = {}
    lost = {}
    units, rest = units_of(edits, before)
    for key, value in rest.items():
        try:
            new_key, new_value = carrier.moved(key, value)
        except _LostEditError as error:
            lost[key] = f"{said(key, before)}: {error}"
            continue
        if new_key is not None and not carrier.has(new_key, new_value):
            result[new_key] = new_value
    result |= painted_over(result, new)
    if units:
        structure = carried_units(units, matches, result, carrier.moved, carrier.has)
        result = structure.edits
        lost |= {
            key: f"{said(unit.name, before)}: {why}" for unit, why in structure.lost for key in unit.edits
        }
    return Carried(result, lost)


class _LostEditError(ValueError):
    """An edit has no place in the new level."""


class _Carrier:
    """Moves single edits between two matched levels."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._old, self._new = matches.before, matches.after
        self._doors = {old.id: new.id for old, new in matches.doors}
        self._markers = {old.marker.id: new.marker for old, new in matches.markers}
        self._old_markers = {marker.id: marker for marker in self._old.markers}
        self._by_number = {marker.id: marker for marker in self._new.markers}
        self._walk = {kind.name: kind.walk for kind in self._new.terrain_kinds}
        self._marked = {(marker.x, marker.y): marker for marker in self._new.markers}
        self._stood = {(new.marker.id, old.marker.x, old.marker.y) for old, new in matches.markers}
        self._added: dict[str, set[tuple[object, ...]]] = {
            "new room": {tuple(room.bounds) for room in self._new.rooms},
            "new door": {tuple(Rect.around(door.tiles)) for door in self._new.doors},
            "new marker": {(marker.kind, marker.x, marker.y) for marker in self._new.markers},
        }
        self._hallways = {old.id: frozenset(new.tiles) for old, new in matches.hallways}
        self._is_one_level = is_edit_of(self._old, self._new)
        self._in_hallway = {tile: way.id for way in self._old.hallways for tile in way.tiles}

    def moved(self, key: EditKey, value: object) -> tuple[EditKey | None, object]:
        """Return the edit's key and value in the new level, no key if it has nothing to do there.

        Raises _LostEditError.
        """
        subject = key[0]
        if subject in ("terrain", "decor", "look"):
            return self._look_edit(key, value) if subject == "look" else self._tile_edit(key, value)
        if subject == "new marker":
            return ("new marker", key[1], *self._free_place((key[2], key[3]))), value
        if subject == "marker":
            return self._marker_edit(key, value)
        if subject == "door":
            return self._door_edit(key, value)
        if subject == "room":
            match = self._matches.rooms.by_old.get(key[1])
            if match is None:
                raise _LostEditError("the new level does not have this room")
            return ("room", match.new.id, *key[2:]), value
        return key, value

    def _tile_edit(self, key: EditKey, value: object) -> tuple[EditKey, object]:
        x, y = self._place((key[1], key[2]))
        now = self._new.terrain_kinds[self._new.terrain[y, x]].name
        old = self._old.terrain_kinds[self._old.terrain[key[2], key[1]]].name
        if key[0] == "terrain" and now != old and now in _FIXED:
            raise _LostEditError(f"the new level has {'a door' if now == 'door' else 'nothing'} there")
        known = self._new.terrain_kinds if key[0] == "terrain" else self._new.decor_kinds
        if value and all(kind.name != value for kind in known):
            raise _LostEditError(f"the new level's kit has no {value}")
        marker = self._marked.get((x, y)) if key[0] == "terrain" and not self._walk[str(value)] else None
        if marker and (marker.id, *key[1:]) not in self._stood:  # what the person painted over stays there
            raise _LostEditError(f"the new level has a marker, {marker.kind}, there")
        if key[0] == "decor" and value:
            kind = next(kind for kind in self._new.decor_kinds if kind.name == value)
            if x + kind.width > self._new.width or y + kind.height > self._new.height:
                raise _LostEditError("it would reach over the new level's edge")
        return (key[0], x, y), value

    def _look_edit(self, key: EditKey, value: object) -> tuple[EditKey, object]:
        x, y = self._place((key[3], key[4]))
        old, new = (
            level.terrain_kinds[level.terrain[at[1], at[0]]].name
            for level, at in ((self._old, (key[3], key[4])), (self._new, (x, y)))
        )
        if old != new and value is not None:
            raise _LostEditError(f"the new level has {'nothing' if new == 'void' else new} there")
        return (*key[:3], x, y), value

    def _marker_edit(self, key: EditKey, value: object) -> tuple[EditKey | None, object]:
        marker = self._markers.get(key[1])
        if marker is None:
            if key[2] == "gone":
                return None, value
            raise _LostEditError(f"the new level has no such {self._kind_of(key[1])}")
        if key[2] == "at":
            assert isinstance(value, tuple)
            value = self._free_place((value[0], value[1]))
        return ("marker", marker.id, *key[2:]), value

    def _kind_of(self, number: int) -> str:
        return self._old_markers[number].kind if number in self._old_markers else "marker"

    def _door_edit(self, key: EditKey, value: object) -> tuple[EditKey | None, object]:
        if key[1] in self._doors:
            number = self._doors[key[1]]
            if key[2] == "at":
                value = self._step(self._old.doors[key[1]], self._new.doors[number], value)
            return ("door", number, *key[2:]), value
        if key[2] == "gone":
            return None, value
        raise _LostEditError("the new level has no such door")

    def _step(self, old: Door, new: Door, step: object) -> Point:
        """Return how far a door of the new level is from where a person moved the old one."""
        assert isinstance(step, tuple)
        x, y = self._matches.rooms.moved(old.tiles[0], old.rooms[0])
        return x + step[0] - new.tiles[0][0], y + step[1] - new.tiles[0][1]

    def _place(self, tile: Point) -> Point:
        """Return where a tile is in the new level. Raises _LostEditError."""
        x, y = tile
        owner = int(self._matches.old_owners[y, x])
        if owner >= 0 and owner not in self._matches.rooms.by_old:
            raise _LostEditError("the new level does not have this room")
        hallway = self._in_hallway.get(tile)
        if hallway is not None and hallway not in self._hallways:
            raise _LostEditError("the new level does not have this hallway")
        x, y = self._matches.rooms.moved(tile, owner if owner >= 0 else None)
        if not (0 <= x < self._new.width and 0 <= y < self._new.height):
            raise _LostEditError("it would be outside the new level")
        if owner >= 0 and self._matches.new_owners[y, x] != self._matches.rooms.by_old[owner].new.id:
            raise _LostEditError("its room has another shape in the new level")
        if owner < 0 and not self._is_one_level and self._matches.new_owners[y, x] >= 0:
            raise _LostEditError("the new level has a room there")
        if hallway is not None and (x, y) not in self._hallways[hallway]:
            raise _LostEditError("its hallway takes another way in the new level")
        return x, y

    def _free_place(self, tile: Point) -> Point:
        """Return where a marker is in the new level. Raises _LostEditError where nobody can stand now."""
        x, y = self._place(tile)
        old = self._old.terrain_kinds[self._old.terrain[tile[1], tile[0]]]
        new = self._new.terrain_kinds[self._new.terrain[y, x]]
        if old.walk and not new.walk:
            raise _LostEditError(f"the new level has {new.name} there")
        return x, y

    def has(self, key: EditKey, value: object) -> bool:
        """Check whether the new level is so already."""
        if str(key[0]).startswith("new "):
            return key[1:] in self._added[key[0]]
        now: object = None
        match key:
            case ("room", _, "gone"):
                return False
            case ("terrain", x, y):
                now = self._new.terrain_kinds[self._new.terrain[y, x]].name
            case ("decor", x, y):
                number = self._new.decor[y, x]
                now = self._new.decor_kinds[number].name if number else ""
            case ("look", *place):
                now = next((look.tile for look in self._new.looks if look[:4] == tuple(place)), None)
            case ("fact", name):
                now = self._new.facts.get(name)
            case ("room", number, name):
                now = getattr(self._new.rooms[number], name)
            case ("door", _, "at"):
                now = (0, 0)
            case ("door", number, name) if name in DOOR_VALUES:
                now = getattr(self._new.doors[number], name)
            case ("marker", number, "at"):
                now = self._by_number[number].x, self._by_number[number].y
            case ("marker", number, "kind"):
                now = self._by_number[number].kind
            case ("marker", number, "property", name):
                now = self._by_number[number].properties.get(name)
        return now == value
