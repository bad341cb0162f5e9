"""Edits of everything except tiles: doors, markers, rooms, and facts of the level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from exporters.objects import SHUT_FACTS
from exporters.reading.seen import EditKey, Edits, SeenThing, ShownLevel
from generator.errors import meant, shown
from generator.kinds import Kinds
from generator.kinds.kind_tables import MAX_PRICE
from generator.level import MAX_NAME, Level, Property, Room
from generator.pattern import pattern

_PLACES = ("room", "hallway")  # follow from a marker's place
_ROOMS_OWN = ("kind", "difficulty", "layout", "zone", "name")
_KIND = pattern(r"[a-z][a-z0-9_]{0,63}")
_MAX_KEYS = 12  # per lock


Pairs = list[tuple[SeenThing, SeenThing]]
"""Each thing before and now."""


def paired(
    old_things: Iterable[SeenThing], now: Iterable[SeenThing]
) -> tuple[Pairs, list[SeenThing], list[SeenThing]]:
    """Pair things before with the same things now. Also return things that are gone and things that are new.

    A thing that was cut and pasted has a new key but our number. So has a copy, but then the original is
    still there.
    """
    before = {item.key: item for item in old_things}
    new = [item for item in now if item.key not in before]
    pairs = [(before.pop(item.key), item) for item in now if item.key in before]
    for item in list(new):
        again = next(
            (candidate for candidate in before.values() if candidate.number == item.number != -1), None
        )
        if again is not None:
            pairs.append((before.pop(again.key), item))
            new.remove(item)
    return pairs, list(before.values()), new


# --- markers -----------------------------------------------------------------------------------------


def marker_edits(before: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Find markers that were moved, added or deleted, or got another kind or other properties."""
    edits: Edits = {}
    known = {marker.id for marker in level.markers}
    pairs, gone, new = paired(before.markers, now.markers)
    for old, item in pairs:
        if old.number not in known:
            continue
        if old.tiles[:2] != item.tiles[:2] and _is_inside(item, level, notes):
            edits["marker", old.number, "at"] = item.tiles[:2]
        kind = _kind_of(item) if item.kind == old.kind else item.kind
        x, y = edits.get(("marker", old.number, "at"), old.tiles[:2])
        stays = f"stays as {_kind_of(old)} at {x},{y}"
        if kind != _kind_of(old) and _is_known(kind, level.kinds.markers, item, notes, stays):
            edits["marker", old.number, "kind"] = kind
        notes += [f"{item.name}: {line}" for line in _fixed(old, item)]
        for name in sorted({*old.properties, *item.properties} - {"kind", *_PLACES}):
            if old.properties.get(name) != item.properties.get(name):
                edits["marker", old.number, "property", name] = item.properties.get(name)
    edits |= {("marker", item.number, "gone"): True for item in gone if item.number in known}
    occupied = {(item.kind, item.tiles[:2]) for _, item in pairs}
    for item in new:
        kind = item.kind or _kind_of(item)
        if (kind, item.tiles[:2]) in occupied:
            notes.append(f"{item.name}: left out: the level already has this there: {kind}")
        elif _is_known(kind, level.kinds.markers, item, notes) and _is_inside(item, level, notes):
            own = {key: value for key, value in item.properties.items() if key not in ("kind", *_PLACES)}
            edits[marker_key(item)] = own
    return edits


def _fixed(old: SeenThing, marker: SeenThing) -> Iterator[str]:
    """Report, one line each, values that a person set although they follow from the marker's position."""
    for name in _PLACES:
        if name in marker.properties and old.properties.get(name) != marker.properties[name]:
            value = shown(marker.properties[name])
            yield f"{name}: {value} is ignored: it follows from where the marker is; use another name"


def marker_key(marker: SeenThing) -> EditKey:
    """Return the key of the edit that adds a marker."""
    return "new marker", marker.kind or _kind_of(marker), *marker.tiles[:2]


def _kind_of(marker: SeenThing) -> str:
    return str(marker.properties.get("kind", marker.kind))


def _is_known(
    kind: str,
    kinds: Iterable[str],
    item: SeenThing,
    notes: list[str],
    becomes: str = "stays only in this file",
) -> bool:
    if kind in kinds:
        return True
    reason = f"the level's kit has no kind {shown(kind)}" if kind else "it has no kind"
    near = meant(kind, kinds)
    notes.append(f"{item.name}: {becomes}: {reason}{f'; did you mean {near}?' if near else ''}")
    return False


def _is_inside(item: SeenThing, level: Level, notes: list[str]) -> bool:
    x, y = item.tiles[:2]
    if 0 <= x < level.width and 0 <= y < level.height:
        return True
    notes.append(f"{item.name}: left out: {x},{y} is outside the level, which keeps its size")
    return False


def thing_edits(before: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Find decor, as scenes of the game, that was moved, added or removed."""
    pairs, gone, new = paired(before.things, now.things)
    moved = [(old, piece) for old, piece in pairs if old.tiles[:2] != piece.tiles[:2]]
    edits: Edits = {("decor", *piece.tiles[:2]): "" for piece in (*gone, *(old for old, _ in moved))}
    for piece in (*new, *(piece for _, piece in moved)):
        names = [kind.name for kind in level.decor_kinds[1:]]
        if _is_known(piece.kind, names, piece, notes) and _is_inside(piece, level, notes):
            edits["decor", *piece.tiles[:2]] = piece.kind
    return edits


# --- doors -------------------------------------------------------------------------------------------


def door_edits(before: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Find doors that were moved, removed, or given another kind or keys. Sides can be separate objects."""
    edits: Edits = {}
    matches, gone, new = paired(before.doors, now.doors)
    halves: dict[int, list[tuple[SeenThing, SeenThing]]] = {}
    for old, half in matches:
        halves.setdefault(old.number, []).append((old, half))
    for half in gone:
        if 0 <= half.number < len(level.doors):
            edits["door", half.number, "gone"] = True
            if halves.pop(half.number, None):
                notes.append(f"{half.name}: was removed, so its other side is, too: a door has both")
    for number, pairs in halves.items():
        if 0 <= number < len(level.doors):
            edits |= _door_edits(number, pairs, level.kinds, notes)
    return edits | new_door_edits(new, level.kinds, notes)


def new_door_edits(new: Iterable[SeenThing], kinds: Kinds, notes: list[str]) -> Edits:
    """Return the edits that add doors. A door without a kind gets the usual one of its rooms."""
    edits: Edits = {}
    for door in new:
        kind = str(door.properties.get("kind", ""))
        needs = _keys(door.properties.get("needs"), door, notes, "left out: needs")
        if needs is not None and (not kind or _is_known(kind, kinds.doors, door, notes)):
            own: dict[str, object] = {"kind": kind} if kind else {}
            own |= {"needs": needs} if needs else {}
            own |= {"one_way": True} if door.properties.get("one_way") is True else {}
            own |= {"joins": joins} if (joins := _class(door.properties.get("joins"), door, notes)) else {}
            edits[structure_key("door", door)] = own
    return edits


def structure_key(sort: str, item: SeenThing) -> EditKey:
    """Return the key of the edit that adds a `room` or a `door`."""
    return f"new {sort}", *item.tiles


def unusable_parts(before: ShownLevel, now: ShownLevel, level: Level) -> set[str]:
    """Return the parts that were added and are no rooms inside the level."""
    inside = {
        room.part
        for room in now.rooms
        if room.tiles.x >= 0
        and room.tiles.y >= 0
        and room.tiles.right <= level.width
        and room.tiles.bottom <= level.height
    }
    return {name for name in now.parts if name not in before.parts and name not in inside}


def _door_edits(number: int, pairs: Pairs, kinds: Kinds, notes: list[str]) -> Edits:
    edits: Edits = {}
    name = pairs[0][1].name
    steps = {(now.tiles.x - old.tiles.x, now.tiles.y - old.tiles.y) for old, now in pairs} - {(0, 0)}
    if len(steps) == 1:
        edits["door", number, "at"] = steps.pop()
    elif steps:
        notes.append(f"{name}: its sides were moved apart; it stays where it was")
    sides = [_side_edits(number, old, now, kinds, notes) for old, now in pairs]
    for side, (_, now) in zip(sides, pairs, strict=True):
        apart = [key for key in side if edits.setdefault(key, side[key]) != side[key]]
        for key in apart:
            del edits[key]
            about = f"differ about the {key[2]} of their door; undo the change in one of them"
            notes.append(f"{name} and {now.name} {about}")
    return edits


def _side_edits(number: int, old: SeenThing, now: SeenThing, kinds: Kinds, notes: list[str]) -> Edits:
    edits: Edits = {}
    before, after = old.properties, now.properties
    if old.tiles[2:] != now.tiles[2:]:
        notes.append(f"{now.name}: its size was changed; doors keep theirs")
    for key in sorted(before.keys() | after.keys()):
        value = after.get(key)
        if before.get(key) == value or (key in SHUT_FACTS and not (key in before and key in after)):
            continue  # the facts of another version's file are other ones
        stays = f"stays {before.get('kind')}"
        if key == "kind" and _is_known(str(value), kinds.doors, now, notes, stays):
            edits["door", number, "kind"] = value
        elif key == "one_way":
            edits["door", number, "one_way"] = value is True
        elif key == "needs":
            if (needs := _keys(value, now, notes, "needs stays as it was")) is not None:
                edits["door", number, "needs"] = needs
        elif key == "joins":
            edits["door", number, "joins"] = _class(value, now, notes)
        elif key != "kind":
            notes.append(f"{now.name}: {key} follows from the level, so it stays as it was")
    return edits


def _class(value: Property | None, door: SeenThing, notes: list[str]) -> str:
    """Read a class of exits. Empty for the plain one."""
    joins = str(value or "").strip()
    if joins and not _KIND.fullmatch(joins):
        notes.append(
            f"{door.name}: joins: {shown(value)} is not a class of exits; use up to 64 of a-z, 0-9 and _"
        )
        return ""
    return joins


def _keys(value: Property | None, door: SeenThing, notes: list[str], remains: str) -> tuple[str, ...] | None:
    """Read the keys that a door needs: none without a text.

    None if it is no list of keys, so that no door is free by mistake; a note begins with what `remains`.
    """
    if value is None or value == "":
        return ()
    names = tuple(name.strip() for name in value.split(",")) if isinstance(value, str) else ()
    count = Counter(names)
    if not names or not all(map(_KIND.fullmatch, names)):
        wrong = "is not a list of keys; give names of a-z, 0-9 and _ with commas between"
    elif len(count) > _MAX_KEYS or max(count.values()) > MAX_PRICE:
        wrong = f"are too many keys; give up to {_MAX_KEYS} names, each up to {MAX_PRICE} times"
    else:
        return names
    notes.append(f"{door.name}: {remains}: {shown(value)} {wrong}, or no text if it needs none")
    return None


# --- rooms and facts ---------------------------------------------------------------------------------


def room_edits(before: ShownLevel, now: ShownLevel, level: Level, notes: list[str]) -> Edits:
    """Find rooms that were added, removed, moved or resized, or got another name, kind, layout and so on."""
    edits: Edits = {}
    pairs, gone, new = paired(before.rooms, now.rooms)
    for old, room in pairs:
        if not 0 <= old.number < len(level.rooms):
            continue
        if old.tiles != room.tiles:
            edits["room", old.number, "bounds"] = _changed_bounds(level.rooms[old.number], old, room)
        edits |= _name_edit(old, room, level.rooms[old.number], notes)
        for key in sorted(old.properties.keys() | room.properties.keys()):
            value = room.properties.get(key)
            if old.properties.get(key) == value or key == "name":
                continue
            if key in _ROOMS_OWN and _fits_room(key, value, level.kinds):
                edits["room", old.number, key] = "" if value is None else value
            else:
                notes.append(
                    f"{room.name}: {key}: {shown(value)} is ignored; only {', '.join(_ROOMS_OWN)} can change"
                )
    for room in gone:
        if room.part in before.parts and room.part not in now.parts and now.is_incomplete:
            notes.append(f"{room.name}: is not shown, but stays: its file is missing; remove it elsewhere")
        elif 0 <= room.number < len(level.rooms):
            edits["room", room.number, "gone"] = True
    return edits | new_room_edits(new, level.kinds, notes)


def new_room_edits(new: Iterable[SeenThing], kinds: Kinds, notes: list[str]) -> Edits:
    """Return the edits that add rooms. Those without a kind are normal."""
    edits: Edits = {}
    for room in new:
        values = {name: room.properties.get(name) for name in _ROOMS_OWN}
        own = {"kind": "normal", **{name: value for name, value in values.items() if value is not None}}
        named = [name for name in own if name != "name"]
        wrong = [name for name in named if not _fits_room(name, own[name], kinds)]
        if wrong:
            value = shown(own[wrong[0]])
            notes.append(f"{room.name}: left out: {wrong[0]}: {value} is not one of the level's")
        else:
            edits[structure_key("room", room)] = own
    return edits


def _changed_bounds(room: Room, old: SeenThing, now: SeenThing) -> tuple[int, ...]:
    """Return a room's new rectangle."""
    return tuple(
        place + after - before for place, before, after in zip(room.bounds, old.tiles, now.tiles, strict=True)
    )


def _name_edit(old: SeenThing, now: SeenThing, room: Room, notes: list[str]) -> Edits:
    """Find a room's new name: its property, or else what the program calls it."""
    name: Property = now.properties.get("name", "")
    if old.properties.get("name", "") == name:
        if old.title == now.title:
            return {}
        name = now.title
    if not isinstance(name, str) or len(name.strip()) > MAX_NAME or not name.strip().isprintable():
        rule = f"a name is one line of at most {MAX_NAME} characters"
        notes.append(f"{now.name}: its new name is left out: {rule}; give it such a name")
        return {}
    return {} if name.strip() == room.name else {("room", room.id, "name"): name.strip()}


def _fits_room(key: str, value: Property | None, kinds: Kinds) -> bool:
    if key == "difficulty":
        return type(value) is int and 0 <= value <= 1000
    if key == "kind":
        return value in kinds.rooms
    if key == "zone":
        return value in (None, "") or _KIND.fullmatch(str(value)) is not None
    return isinstance(value, str) and value.isprintable() and len(value) <= 4096


def fact_edits(exported: ShownLevel, now: ShownLevel) -> Edits:
    """Find changes to the level's own properties, with None for a removed one."""
    before: Mapping[str, Property] = exported.facts
    names = sorted({*before, *now.facts})
    return {("fact", name): now.facts.get(name) for name in names if before.get(name) != now.facts.get(name)}
