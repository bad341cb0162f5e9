"""Edits of everything except tiles: doors, markers, rooms, and facts of the level."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from exporters.gates import SHUT_FACTS
from exporters.reading.seen import EditKey, Edits, SeenThing, ShownLevel
from generator.errors import shown
from generator.kinds import Kinds
from generator.level import Level, Property

_PLACES = ("room", "hallway")  # follow from a marker's place
_ROOMS_OWN = ("kind", "difficulty", "layout", "zone")
_KIND = re.compile(r"[a-z][a-z0-9_]{0,63}")
_MOST_KEYS = 12  # per lock


Pairs = list[tuple[SeenThing, SeenThing]]
"""Each thing before and now."""


def _pairs(
    was: Iterable[SeenThing], now: Iterable[SeenThing]
) -> tuple[Pairs, list[SeenThing], list[SeenThing]]:
    """Pair things before with the same things now. Also return things that are gone and things that are new.

    A thing that was cut and pasted has a new key but our number. So has a copy, but then the original is
    still there.
    """
    before = {thing.key: thing for thing in was}
    new = [thing for thing in now if thing.key not in before]
    found = [(before.pop(thing.key), thing) for thing in now if thing.key in before]
    for thing in list(new):
        again = next((each for each in before.values() if each.number == thing.number != -1), None)
        if again is not None:
            found.append((before.pop(again.key), thing))
            new.remove(thing)
    return found, list(before.values()), new


# --- markers -----------------------------------------------------------------------------------------


def marker_edits(was: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Find markers that were moved, added or deleted, or got another kind or other properties."""
    edits: Edits = {}
    known = {marker.id for marker in level.markers}
    found, gone, new = _pairs(was.markers, now.markers)
    for old, thing in found:
        if old.number not in known:
            continue
        if old.tiles[:2] != thing.tiles[:2] and _is_inside(thing, level, notes):
            edits["marker", old.number, "at"] = thing.tiles[:2]
        kind = _kind_of(thing) if thing.kind == old.kind else thing.kind
        if kind != _kind_of(old) and _is_known(kind, level.kinds.markers, thing, notes):
            edits["marker", old.number, "kind"] = kind
        notes += [f"{thing.name}: {line}" for line in _fixed(old, thing)]
        for name in sorted({*old.properties, *thing.properties} - {"kind", *_PLACES}):
            if old.properties.get(name) != thing.properties.get(name):
                edits["marker", old.number, "property", name] = thing.properties.get(name)
    edits |= {("marker", thing.number, "gone"): True for thing in gone if thing.number in known}
    there = {(thing.kind, thing.tiles[:2]) for _, thing in found}
    for thing in new:
        kind = thing.kind or _kind_of(thing)
        if (kind, thing.tiles[:2]) in there:
            notes.append(f"{thing.name}: left out: the level already has a {kind} there")
        elif _is_known(kind, level.kinds.markers, thing, notes) and _is_inside(thing, level, notes):
            own = {key: value for key, value in thing.properties.items() if key not in ("kind", *_PLACES)}
            edits[marker_key(thing)] = own
    return edits


def _fixed(old: SeenThing, thing: SeenThing) -> Iterator[str]:
    """Report, one line each, values that a person set although they follow from the marker's position."""
    for name in _PLACES:
        if name in thing.properties and old.properties.get(name) != thing.properties[name]:
            given = shown(thing.properties[name])
            yield f"{name}: {given} is ignored: it follows from where the marker is; use another name"


def marker_key(thing: SeenThing) -> EditKey:
    """Return the key of the edit that adds a marker."""
    return "new marker", thing.kind or _kind_of(thing), *thing.tiles[:2]


def _kind_of(thing: SeenThing) -> str:
    return str(thing.properties.get("kind", thing.kind))


def _is_known(kind: str, kinds: Iterable[str], thing: SeenThing, notes: list[str]) -> bool:
    if kind in kinds:
        return True
    what = f"the level's kit has no kind {shown(kind)}" if kind else "it has no kind"
    notes.append(f"{thing.name}: left out: {what}")
    return False


def _is_inside(thing: SeenThing, level: Level, notes: list[str]) -> bool:
    x, y = thing.tiles[:2]
    if 0 <= x < level.width and 0 <= y < level.height:
        return True
    notes.append(f"{thing.name}: left out: {x},{y} is outside the level, which keeps its size")
    return False


def thing_edits(was: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Decor that is a scene of the game: moved, added or removed."""
    found, gone, new = _pairs(was.things, now.things)
    moved = [(old, thing) for old, thing in found if old.tiles[:2] != thing.tiles[:2]]
    edits: Edits = {("decor", *thing.tiles[:2]): "" for thing in (*gone, *(old for old, _ in moved))}
    for thing in (*new, *(thing for _, thing in moved)):
        names = [kind.name for kind in level.decor_kinds[1:]]
        if _is_known(thing.kind, names, thing, notes) and _is_inside(thing, level, notes):
            edits["decor", *thing.tiles[:2]] = thing.kind
    return edits


# --- doors -------------------------------------------------------------------------------------------


def door_edits(was: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Find doors that were moved, removed, or given another kind or keys. Sides can be separate objects."""
    edits: Edits = {}
    found, gone, new = _pairs(was.doors, now.doors)
    halves: dict[int, list[tuple[SeenThing, SeenThing]]] = {}
    for old, thing in found:
        halves.setdefault(old.number, []).append((old, thing))
    in_hallways = {door for hallway in level.hallways for door in hallway.doors}
    for thing in gone:
        if thing.number in halves:
            notes.append(f"{thing.name}: is gone, but its other side is not; remove both to remove the door")
        elif thing.number in in_hallways:
            notes.append(f"{thing.name}: was removed, but stays: its hallway would end in a wall")
        elif 0 <= thing.number < len(level.doors):
            edits["door", thing.number, "gone"] = True
    for number, pairs in halves.items():
        if 0 <= number < len(level.doors):
            edits |= _door_edits(number, pairs, level.kinds, notes)
    notes += [
        f"{thing.name}: left out: doors cannot be added; move a door, or change the spec" for thing in new
    ]
    return edits


def _door_edits(number: int, pairs: Pairs, kinds: Kinds, notes: list[str]) -> Edits:
    edits: Edits = {}
    name = pairs[0][1].name
    steps = {(now.tiles.x - old.tiles.x, now.tiles.y - old.tiles.y) for old, now in pairs} - {(0, 0)}
    if len(steps) == 1:
        edits["door", number, "at"] = steps.pop()
    elif steps:
        notes.append(f"{name}: its sides were moved apart; it stays where it was")
    for old, now in pairs:
        before, after = old.properties, now.properties
        if old.tiles[2:] != now.tiles[2:]:
            notes.append(f"{now.name}: its size was changed; doors keep theirs")
        for key in sorted(before.keys() | after.keys()):
            value = after.get(key)
            if before.get(key) == value or (key in SHUT_FACTS and not (key in before and key in after)):
                continue  # the facts of another version's file are other ones
            if key == "kind" and _is_known(str(value), kinds.doors, now, notes):
                edits["door", number, "kind"] = value
            elif key == "one_way":
                edits["door", number, "one_way"] = value is True
            elif key == "needs":
                edits["door", number, "needs"] = _keys(value, now, notes)
            elif key != "kind":
                notes.append(f"{now.name}: {key} follows from the level, so it stays as it was")
    return edits


def _keys(value: Property | None, thing: SeenThing, notes: list[str]) -> tuple[str, ...]:
    names = [name.strip() for name in str(value or "").split(",") if name.strip()]
    fitting = [name for name in dict.fromkeys(names) if _KIND.fullmatch(name)][:_MOST_KEYS]
    if fitting != names:
        known = ", ".join(fitting) or "nothing"
        notes.append(f"{thing.name}: needs: {shown(value)}: only {known} of it can name keys")
    return tuple(fitting)


# --- rooms and facts ---------------------------------------------------------------------------------


def room_edits(was: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Find changes to a room's kind, difficulty, layout and zone. Rooms stay where they are."""
    edits: Edits = {}
    found, gone, new = _pairs(was.rooms, now.rooms)
    for old, thing in found:
        if not 0 <= old.number < len(level.rooms):
            continue
        if old.tiles != thing.tiles:
            notes.append(f"{thing.name}: was moved or reshaped; rooms stay as they were")
        if old.title != thing.title:
            notes.append(f"{thing.name}: its new name is left out: a level has no names of rooms")
        for key in sorted(old.properties.keys() | thing.properties.keys()):
            value = thing.properties.get(key)
            if old.properties.get(key) == value:
                continue
            if key in _ROOMS_OWN and _fits_room(key, value, level.kinds):
                edits["room", old.number, key] = "" if value is None else value
            else:
                notes.append(
                    f"{thing.name}: {key}: {shown(value)} is ignored; only {', '.join(_ROOMS_OWN)} can change"
                )
    notes += [f"{thing.name}: was removed, but stays: rooms cannot be removed" for thing in gone]
    notes += [f"{thing.name}: left out: rooms cannot be added" for thing in new]
    return edits


def _fits_room(key: str, value: Property | None, kinds: Kinds) -> bool:
    if key == "difficulty":
        return type(value) is int and 0 <= value <= 1000
    if key == "kind":
        return value in kinds.rooms
    if key == "zone":
        return value in (None, "") or _KIND.fullmatch(str(value)) is not None
    return isinstance(value, str) and value.isprintable() and len(value) <= 4096


def fact_edits(was: ShownLevel, now: ShownLevel) -> Edits:
    """Find changes to the level's own properties, with None for a removed one."""
    before: Mapping[str, Property] = was.facts
    names = sorted({*before, *now.facts})
    return {("fact", name): now.facts.get(name) for name in names if before.get(name) != now.facts.get(name)}
