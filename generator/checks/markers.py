"""The invariants of the markers of a level of any style."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from generator.checks.base import Problem, doorsteps, is_as_generated, owners, problem
from generator.checks.drawn import drawing_of, has_places_only, misdrawn_rooms
from generator.checks.words import (
    KnownValues,
    given_by_own_layouts,
    has_shipped_letters,
    own_drawings,
    values_of_letters,
    values_of_own_layouts,
)
from generator.errors import hint, shown
from generator.geometry import Point
from generator.interiors.interior import BURNS, FIGHTERS, too_near
from generator.interiors.layouts import OWN
from generator.kinds import SHIPPED
from generator.kinds.chapters import INJECTED
from generator.kinds.kind_tables import MANY, PROPERTY_FORMS
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Level, Marker, Property, Room
from generator.links import EXIT, next_place
from generator.things import called


def markers_in_rooms(level: Level) -> Iterator[Problem]:
    """Check that a marker is on a tile of the room, or in or beside the hallway, that it names."""
    owner = owners(level)
    tiles: dict[int, set[Point]] = {}
    for marker in level.markers:
        subject = f"marker {marker.id}"
        if marker.room is None and marker.hallway is None:
            message = f"the {marker.kind} at {marker.x},{marker.y} is in no room and no hallway"
            yield problem(markers_in_rooms, subject, message)
        elif marker.room is not None and marker.hallway is not None:
            yield problem(markers_in_rooms, subject, "names a room and a hallway, but it can be in one only")
        if marker.room is not None and owner[marker.y, marker.x] != marker.room:
            yield problem(markers_in_rooms, subject, f"is outside its room {marker.room}")
        if marker.hallway is not None:
            if marker.hallway not in tiles:
                tiles[marker.hallway] = set(level.hallways[marker.hallway].tiles)
            near = ((marker.x + dx, marker.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
            if tiles[marker.hallway].isdisjoint(near):
                yield problem(markers_in_rooms, subject, f"is far from its hallway {marker.hallway}")


def markers_apart(level: Level) -> Iterator[Problem]:
    """Check that no two markers are on one tile."""
    taken: dict[Point, int] = {}
    for marker in level.markers:
        first = taken.setdefault((marker.x, marker.y), marker.id)
        if first != marker.id:
            message = f"is on the tile of marker {first}, at {marker.x},{marker.y}"
            yield problem(markers_apart, f"marker {marker.id}", message)


def markers_on_ground(level: Level) -> Iterator[Problem]:
    """Check that markers other than lights are where a body can be: on foot, or in the air if it flies.

    No marker is in a door, or on a terrain that the row of its kind does not allow.
    """
    walk, fly = level.passable("walk"), level.passable("fly")
    for marker in level.markers:
        if marker.kind in level.kinds.light_markers:
            continue
        row = level.kinds.markers.get(marker.kind)
        stands_on = row.stands_on if row else ()
        x, y = marker.x, marker.y
        name = level.terrain_kinds[level.terrain[y, x]].name
        is_free = walk[y, x] or (bool(marker.properties.get("flies")) and fly[y, x])
        is_free = (is_free or not level.covered[y, x]) and name in stands_on if stands_on else is_free
        if not is_free or name == "door":
            decor = level.decor_kinds[level.covered[y, x]].name
            message = f"the {marker.kind} at {x},{y} is on {name if decor == 'none' else decor}"
            yield problem(markers_on_ground, f"marker {marker.id}", message)


def lights_where_it_burns(level: Level) -> Iterator[Problem]:
    """Check that each torch and each fire has a light marker, and that there are no others.

    Kits without that marker are exempt."""
    names = [kind.name for kind in level.decor_kinds]
    burns = {light: burning for light, burning in BURNS.items() if light in level.kinds.markers}
    lit = {
        (x, y): names[level.decor[y, x]]
        for number, name in enumerate(names)
        if any(name in burning for burning in burns.values())
        for y, x in zip(*(places.tolist() for places in (level.decor == number).nonzero()), strict=True)
    }
    marked = set()
    for marker in level.markers:
        if marker.kind in burns:
            marked.add((marker.x, marker.y))
            if lit.get((marker.x, marker.y)) not in burns[marker.kind]:
                message = f"is the light of a {marker.kind} at {marker.x},{marker.y}, but nothing burns there"
                yield problem(lights_where_it_burns, f"marker {marker.id}", message)
    for (x, y), name in lit.items():
        if (x, y) not in marked:
            yield problem(lights_where_it_burns, f"tile {x},{y}", f"has a {name} without a marker")


def enemies_away_from_doors(level: Level) -> Iterator[Problem]:
    """Check that no enemy or boss starts within two steps of the tile in front of a door."""
    steps = doorsteps(level)
    for marker in level.markers:
        if marker.kind not in FIGHTERS or marker.room is None:
            continue
        if too_near(marker.kind, (marker.x, marker.y), steps[marker.room]):
            message = f"the {marker.kind} at {marker.x},{marker.y} is within two steps of a door"
            yield problem(enemies_away_from_doors, f"marker {marker.id}", message)


def waves_count_from_one(level: Level) -> Iterator[Problem]:
    """Check that an enemy's wave, if it has one, is a whole number from 1, and that all before it are there.

    Where there is a boss, it is the first wave. A person may take all enemies of a wave out of a level.
    """
    for marker in level.markers:
        wave = _wave(marker)
        if marker.kind in FIGHTERS and (type(wave) is not int or wave < 1):
            message = f"the enemy at {marker.x},{marker.y} is in the wave {shown(wave)}; give 1 or more"
            yield problem(waves_count_from_one, f"marker {marker.id}", message)
    if is_as_generated(level):
        for room, message in _uncounted_waves(level):
            yield problem(waves_count_from_one, f"room {room}", message)


def wave_notes(level: Level) -> Iterator[str]:
    """Yield the rooms in which a person left no first wave, or a gap between two."""
    if not is_as_generated(level):
        for room, message in _uncounted_waves(level):
            place = "outside of rooms" if room is None else called(level, "room", room)
            yield f"{place}: {message}; the lowest comes first, so number them from 1"


def _uncounted_waves(level: Level) -> Iterator[tuple[int | None, str]]:
    """Yield each room whose waves are not 1, 2 and so on, and what they are."""
    waves: dict[int | None, set[Property]] = defaultdict(set)
    for marker in level.markers:
        if marker.kind in FIGHTERS:
            waves[marker.room].add(_wave(marker))
    for room, found in waves.items():
        if set(range(1, len(found) + 1)) != found:
            numbers = ", ".join(map(str, sorted(found, key=str)))
            which = f"waves {numbers}" if len(found) > 1 else f"wave {numbers}"
            yield room, f"has enemies of the {which}, not all from the first on"


def _wave(marker: Marker) -> Property:
    return marker.properties.get("wave", 1) if marker.kind == "enemy" else 1


def markers_are_as_declared(level: Level) -> Iterator[Problem]:
    """Check that properties of markers have the types and ranges that are declared for the marker's kind."""
    for marker in level.markers:
        row, given = level.kinds.markers.get(marker.kind), MARKER_PROPERTIES.get(marker.kind, {})
        for name, value in marker.properties.items():
            form = row.properties.get(name, "") if row else ""
            misfit = _misfit(form, value) if form or name not in given else given[name].misfit(value)
            if misfit:
                message = f"{_called(marker)} has {name} {shown(value)}, which {misfit}"
                yield problem(markers_are_as_declared, f"marker {marker.id}", message)


def _misfit(form: str, value: Property) -> str:
    return f"is not a {form}" if form and type(value) is not PROPERTY_FORMS[form] else ""


def _called(marker: Marker) -> str:
    return f"the {marker.kind} at {marker.x},{marker.y}"


def markers_are_known(level: Level) -> Iterator[Problem]:
    """Check that markers are of kinds of the kit, have all that the generator gives, and only known words.

    Known are the words of the generator, of the kit's letters, and of the kit's layouts, as far as they are
    at hand. This is for styles whose rooms we furnish, and for levels that nobody edited.
    """
    if not is_as_generated(level):
        return
    usual, drawn = values_of_letters(level.kinds), values_of_own_layouts(level) or {}
    for marker in level.markers:
        if INJECTED in marker.properties:
            continue
        is_own = marker.room is not None and level.rooms[marker.room].layout.startswith(OWN)
        for message in _unknowns(level, marker, is_own, drawn if is_own else usual):
            yield problem(markers_are_known, f"marker {marker.id}", message)


def _unknowns(level: Level, marker: Marker, is_own: bool, words: KnownValues) -> Iterator[str]:
    row, given = level.kinds.markers.get(marker.kind), MARKER_PROPERTIES.get(marker.kind, {})
    if row is None:
        known = hint(marker.kind, list(level.kinds.markers))
        yield f"its kit has no marker kind {shown(marker.kind)}; {known}"
        return
    closed = [name for name in marker.properties if name not in given or given[name].usual]
    for name in closed if marker.kind != EXIT or not next_place(level.spec) else ():
        known_ones = words.get((marker.kind, name), ())
        if known_ones and name not in row.properties and marker.properties[name] not in known_ones:
            one_of = ", ".join(sorted(map(str, known_ones)))
            yield f"{_called(marker)} has {name} {shown(marker.properties[name])}, which is none of {one_of}"
    if marker.properties.get("champion") and not getattr(level.spec, "champions", True):
        yield f"{_called(marker)} is a champion, but the spec has champions = 0"
    least = frozenset[str]()  # a kit's letters may leave out others
    if is_own and marker.properties.get("name") in level.kinds.enemies and _is_of_the_roster(level, marker):
        least = frozenset(given)
    elif is_own:
        least = given_by_own_layouts(level).get(marker.kind, least)
    elif marker.kind == "enemy" or _is_shipped(level, marker):
        least = frozenset(given)
    for name, declared in given.items():
        if declared.always and name in least and name not in marker.properties:
            yield f"{_called(marker)} has no {name}"


def _is_of_the_roster(level: Level, marker: Marker) -> bool:
    """Check whether a marker is an enemy in a drawing at hand that leaves all enemies to the roster."""
    if marker.kind != "enemy" or marker.room is None:
        return False
    return has_places_only(drawing_of(level.rooms[marker.room], own_drawings(level)))


def _is_shipped(level: Level, marker: Marker) -> bool:
    """Check whether a marker, and its room, are of kinds that a kit took as they are."""
    if level.kinds == SHIPPED:
        return True
    kind = "" if marker.room is None else level.rooms[marker.room].kind
    is_shipped = kind in SHIPPED.rooms and level.kinds.room(kind) == SHIPPED.room(kind)
    return is_shipped and has_shipped_letters(level.kinds, marker.kind)


# The markers that a hallway may not hold, and those that rooms of a kind must hold.
_IN_ROOMS = {"player_start", "boss", "exit", "enemy", "shopkeeper", "ware"}
_MUST = {
    "start": ("player_start",),
    "boss": ("boss", "exit"),
    "mini_boss": ("boss",),
    "boss_challenge": ("boss",),
    "shop": ("shopkeeper", "ware"),
}


def markers_suit_rooms(level: Level) -> Iterator[Problem]:
    """Check that rooms have as many markers of each kind as theirs allows, hallways only lights and finds.

    This is for styles whose rooms we furnish. A room with a drawing of the team's kit holds what is drawn, as
    far as the kit is at hand and nobody edited the level.
    """
    for marker in level.markers:
        if marker.room is None and marker.kind in _IN_ROOMS:
            message = f"no {marker.kind} belongs in a hallway"
            yield problem(markers_suit_rooms, f"marker {marker.id}", message)
    for room, message in (*unsuited_rooms(level), *misdrawn_rooms(level)):
        yield problem(markers_suit_rooms, f"room {room.id}", f"this {room.kind} room has {message}")


def unsuited_rooms(level: Level) -> Iterator[tuple[Room, str]]:
    """Yield rooms with more or fewer markers of a kind than their own kind allows, and their number.

    What a run has injected into a room does not count.
    """
    held: list[Counter[str]] = [Counter() for _ in level.rooms]
    for marker in level.markers:
        if marker.room is not None and INJECTED not in marker.properties:
            held[marker.room][marker.kind] += 1
    for room in level.rooms:
        if room.layout.startswith(OWN):
            continue
        if next_place(level.spec):  # its exit is where the run wants it
            del held[room.id][EXIT]
        rules = level.kinds.room(room.kind).markers
        needed = {kind: 1 for kind in _MUST.get(room.kind, ()) if _is_meant(level, room.kind, kind)}
        for kind in {**held[room.id], **rules, **needed}:
            least, most = rules.get(kind, (0, MANY))
            least, count = max(least, needed.get(kind, 0)), held[room.id][kind]
            if not least <= count <= most:
                yield room, f"{count} {kind} markers, not {_range(least, most)}"


def _is_meant(level: Level, room: str, marker: str) -> bool:
    """Check whether the level's kit has the marker, and uses the room kind as the shipped kit does."""
    same = level.kinds.room(room) == SHIPPED.room(room)
    if marker == EXIT and next_place(level.spec):
        return False
    return same and marker in level.kinds.markers


def _range(least: int, most: int) -> str:
    return f"{least} or more" if most >= MANY else f"{least}" if least == most else f"{least} to {most}"
