"""What a person changed: the differences between what two files show, in terms of a level.

Every edit has a key that says what it is about. So the edits of two files can be combined, and two edits of
the same thing are detected:

    ("terrain", 12, 7): "wall"                      ("decor", 4, 5): "rock"       "" if removed
    ("marker", 3, "at"): (9, 6)                     ("marker", 3, "gone"): True
    ("marker", 3, "kind"): "chest"                  ("marker", 3, "property", "tier"): "gold"   None: removed
    ("new marker", "enemy", 8, 8): {"wave": 2}
    ("door", 5, "at"): (0, 2)   moved by tiles      ("door", 5, "kind"): "open"   ("door", 5, "gone"): True
    ("look", "crypt", "ground", 7, 3): 41   a tile of the theme `crypt`; None: as the theme's rules draw it
    ("room", 2, "kind"): "shop"                     ("fact", "curse"): "darkness"
    ("room", 2, "gone"): True                       ("room", 2, "bounds"): (17, 2, 15, 9)   moved or resized
    ("new room", 17, 2, 15, 9): {"kind": "shop"}    ("new door", 31, 6, 2, 1): {"kind": "open"}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from exporters.merge.matching import step_of_world
from exporters.merge.taken import NOTHING, Taken
from exporters.reading.cells import cell_edits
from exporters.reading.edited import edited_and_told
from exporters.reading.lights import with_lights
from exporters.reading.objects import (
    door_edits,
    fact_edits,
    marker_edits,
    marker_key,
    paired,
    room_edits,
    structure_key,
    thing_edits,
    unusable_parts,
)
from exporters.reading.painted_over import painted_over
from exporters.reading.restructured import changes_structure, is_structural
from exporters.reading.seen import EditKey, Edits, SeenPart, SeenThing, ShownLevel
from exporters.theme import Theme
from generator.geometry import Point, Rect
from generator.level import Level
from generator.named_tuple import NamedTuple
from generator.things import called, the_marker

_PAINTED = ("terrain", "decor")


class PersonsEdits(NamedTuple):
    """The edits, one line for each change that a level cannot have, and what the edits take of the file.

    `followed` are edits that the person did not make, but that follow from those: the light of a torch.
    `names` has what the file calls the markers that were changed or added, by the first parts of their keys.
    """

    edits: Edits
    notes: list[str]
    taken: Taken = NOTHING
    followed: Collection[EditKey] = ()
    names: Mapping[EditKey, str] = MappingProxyType({})

    def without(self, keys: Collection[EditKey]) -> PersonsEdits:
        """Return the same without some of the edits."""
        gone = {key[:2] for key in keys}
        taken = self.taken
        return self._replace(
            edits={key: value for key, value in self.edits.items() if key not in keys},
            taken=taken._replace(
                added={name: key for name, key in taken.added.items() if key not in keys},
                changed={name: key for name, key in taken.changed.items() if key not in gone},
                painted=taken.painted - {key[1:] for key in keys if key[0] in _PAINTED},
                is_all=taken.is_all and not keys,
                looks=taken.looks - {key[3:] for key in keys if key[0] == "look"},
            ),
        )


def changes(
    before: ShownLevel, now: ShownLevel, level: Level, theme: Theme, stuck: Collection[str] = ()
) -> PersonsEdits:
    """Compare the file as exported from `level`, in a theme for its kinds, with the file now.

    The parts in `stuck` are read where they were.
    """
    as_shown = now = _world_in_place(before, now)
    now, notes = _in_place(before, _with_missing(before, _with_parts_of(before, now)), stuck)
    now = _without_parts(now, unusable_parts(before, now, level))
    for name, part in now.parts.items():  # a missing layer counts as unchanged
        if name in before.parts and part[:2] == before.parts[name][:2]:
            now.parts[name] = part._replace(layers={**before.parts[name].layers, **part.layers})
    notes = [*(note for note in now.notes if note not in before.notes), *notes]
    edits: Edits = {}
    for new_edits in (
        cell_edits(before, now, level, theme, notes),
        door_edits(before, now, level, notes),
        marker_edits(before, now, level, notes),
        room_edits(before, now, level, notes),
        fact_edits(before, now),
    ):
        edits |= new_edits
    _add_things(edits, thing_edits(before, now, level, notes), level)
    made = edits | _painted_over(edits, level, notes)
    edits = with_lights(made, level)
    followed = edits.keys() - made.keys()
    edits, refused = _fitting(edits, now, level, notes)
    away = _refused_parts(now, refused)
    held = (away & _moved_parts(before, now)).difference(stuck)
    odd = away - before.parts.keys()
    if held or odd:
        names = tuple(f"{room.name}:" for room in now.rooms if room.part in held | odd)
        told = [note for note in notes if note.startswith(names)]
        rest = changes(before, _without_rooms(as_shown, odd), level, theme, {*stuck, *held})
        return rest._replace(notes=[*rest.notes, *told])
    known = {marker.key for marker in before.markers}
    new = (marker for marker in now.markers if marker.key not in known)
    edited = {key[:2] for key in edits}
    rooms = paired(before.rooms, now.rooms)[0]
    taken = Taken(
        added={
            **{marker.key: marker_key(marker) for marker in new if marker_key(marker) in edits},
            **{room.key: key for room in now.rooms if (key := structure_key("room", room)) in edits},
            **{door.key: key for door in now.doors if (key := structure_key("door", door)) in edits},
        },
        changed={
            **{
                marker.key: key
                for marker in (*before.markers, *now.markers)
                if (key := ("marker", marker.number)) in edited
            },
            **{door.key: key for door in now.doors if (key := ("door", door.number)) in edited},
            **{
                room.key: ("room", old.number)
                for old, room in rooms
                if ("room", old.number, "bounds") in edits
            },
        },
        painted=frozenset((key[1], key[2]) for key in edits if key[0] in _PAINTED)
        | _tiles_of_moved(edits, level),
        looks=frozenset((key[3], key[4]) for key in edits if key[0] == "look"),
        corners={name: (part.x, part.y) for name, part in before.parts.items()},
        renamed={room.key: old.key for old, room in rooms if room.key != old.key},
        gone=_gone(before.rooms, now.rooms) | _gone(before.doors, now.doors),
    )
    in_file = {
        key: marker.name
        for marker in now.markers
        if (key := marker_key(marker)) in edits or (key := ("marker", marker.number)) in edited
    }
    return PersonsEdits(edits, notes, taken, followed, in_file)


def _tiles_of_moved(edits: Edits, level: Level) -> frozenset[Point]:
    """Return all tiles where rooms that moved were and are: another variant of their floor is drawn there."""
    moved = [key for key in edits if key[0] == "room" and key[2] == "bounds"]
    rects = [*(level.rooms[key[1]].bounds for key in moved), *(Rect(*edits[key]) for key in moved)]
    return frozenset(
        (x, y) for rect in rects for y in range(rect.y, rect.bottom) for x in range(rect.x, rect.right)
    )


def _gone(before: Sequence[SeenThing], now: Sequence[SeenThing]) -> frozenset[str]:
    return frozenset(item.key for item in paired(before, now)[1])


def _painted_over(edits: Edits, level: Level, notes: list[str]) -> Edits:
    """Take away decor that was painted over, with a note for each piece. A changed room moves its own."""
    if any(map(is_structural, edits)):
        return {}
    gone = painted_over(edits, level)
    for _, x, y in gone:
        name = level.decor_kinds[level.decor[y, x]].name
        notes.append(f"the {name} at {x},{y}: left out, because nothing can stand on what was painted there")
    return gone


def _fitting(
    edits: Edits, now: ShownLevel, level: Level, notes: list[str]
) -> tuple[Edits, Collection[EditKey]]:
    """Leave out edits of the structure that do not fit the level, with a note for each. Return these, too."""
    if not changes_structure(level, edits):
        return edits, ()
    told = edited_and_told(level, edits)
    names = {structure_key("room", room): room.name for room in now.rooms}
    names |= {structure_key("door", door): door.name for door in now.doors}
    names |= {("room", room.number, "bounds"): room.name for room in now.rooms}
    notes += [f"{names.get(key, said(key, level))}: left out: {why}" for key, why in told.refused.items()]
    notes += told.notes
    return {key: value for key, value in edits.items() if key not in told.refused}, told.refused


def _refused_parts(now: ShownLevel, refused: Collection[EditKey]) -> set[str]:
    """Return the parts of rooms that are refused, or whose new places are."""
    return {
        room.part
        for room in now.rooms
        if structure_key("room", room) in refused or ("room", room.number, "bounds") in refused
    }


def _without_parts(now: ShownLevel, names: Collection[str]) -> ShownLevel:
    """Leave out what stands in some parts, such as LDtk levels that are no rooms of the level."""
    if not names:
        return now
    doors, markers, decor = (
        [item for item in items if item.part not in names] for items in (now.doors, now.markers, now.things)
    )
    return replace(now, doors=doors, markers=markers, things=decor)


def _without_rooms(now: ShownLevel, parts: Collection[str]) -> ShownLevel:
    """Leave out some parts, such as LDtk levels and maps, with their rooms and all that is in them."""
    return replace(
        _without_parts(now, parts),
        rooms=[room for room in now.rooms if room.part not in parts],
        parts={name: part for name, part in now.parts.items() if name not in parts},
    )


def _add_things(edits: Edits, added: Edits, level: Level) -> None:
    """Add edits of decor that is not a tile. If the level already has the thing there, it is not an edit."""
    for key, name in added.items():
        _, x, y = key
        if name == level.decor_kinds[level.decor[y, x]].name:
            edits.pop(key, None)
        else:
            edits[key] = name


def conflicts(first: Mapping[EditKey, object], second: Mapping[EditKey, object]) -> list[EditKey]:
    """Find the keys with different values in two sets of edits, or whose thing one of them removed."""
    gone = {key[:2] for edits in (first, second) for key in edits if key[-1] == "gone"}
    keys = [key for key in first if key in second and first[key] != second[key]]
    for mine, theirs in ((first, second), (second, first)):
        keys += [
            key for key in mine if key[:2] in gone and key[-1] != "gone" and (*key[:2], "gone") in theirs
        ]
    return keys


def said(key: EditKey, level: Level) -> str:
    """Name the subject of an edit of a level, for messages."""
    subject, *rest = key
    if subject in ("terrain", "decor", "new room", "new door"):
        article = "the" if subject in ("terrain", "decor") else "a"
        return f"{article} {subject} at {rest[0]},{rest[1]}"
    if subject in ("look", "new marker"):
        name = f"the look of {rest[1]}" if subject == "look" else f"a new {rest[0]}"
        return f"{name} at {rest[-2]},{rest[-1]}"
    if subject == "fact":
        return f"the level's property {rest[0]}"
    thing = the_marker(level, rest[0]) if subject == "marker" else called(level, subject, rest[0])
    if rest[-1] == "gone":
        return thing
    return f"the {'place' if rest[-1] in ('at', 'bounds') else rest[-1]} of {thing}"


def _with_parts_of(before: ShownLevel, now: ShownLevel) -> ShownLevel:
    """Give parts the keys that they had. In Godot, a renamed room's part has another one."""
    keys = {
        room.part: old.part
        for old, room in paired(before.rooms, now.rooms)[0]
        if room.part != old.part and old.part in before.parts and old.part not in now.parts
    }
    if not keys:
        return now
    rooms, doors, markers, decor = (
        [item._replace(part=keys.get(item.part, item.part)) for item in items]
        for items in (now.rooms, now.doors, now.markers, now.things)
    )
    parts = {keys.get(name, name): part for name, part in now.parts.items()}
    return ShownLevel(now.fingerprint, parts, rooms, doors, markers, decor, now.facts, now.notes)


def _with_missing(before: ShownLevel, now: ShownLevel) -> ShownLevel:
    """Put back what stood in parts that are gone, such as a room's file: it stays as it was."""
    shown = {item.part for items in (now.doors, now.markers, now.things) for item in items}
    missing = before.parts.keys() - now.parts.keys() - shown
    doors, markers, decor = (
        [*items, *(item for item in old if item.part in missing)]
        for items, old in (
            (now.doors, before.doors),
            (now.markers, before.markers),
            (now.things, before.things),
        )
    )
    return replace(now, doors=doors, markers=markers, things=decor)


def _moved_parts(before: ShownLevel, now: ShownLevel) -> set[str]:
    """Return the parts of single rooms that were moved, and took their rooms along."""
    return {
        room.part
        for room in now.rooms
        if room.part
        and room.key.partition("#")[0] == room.part in before.parts
        and _step(before, now, room.part) != (0, 0)
    }


def _in_place(
    before: ShownLevel, now: ShownLevel, stuck: Collection[str] = ()
) -> tuple[ShownLevel, list[str]]:
    """Put moved parts that are no single rooms, or are `stuck`, back. Also return a note for each."""
    steps = {name: _step(before, now, name) for name in now.parts if name in before.parts}
    moved = {name: step for name, step in steps.items() if step != (0, 0)}
    of_rooms = _moved_parts(before, now).difference(stuck)
    if of_rooms:  # the rooms are moved; the doors that they had are looked for where they were
        known = {door.key for door in before.doors}
        doors = [
            _moved(door, steps[door.part]) if door.part in of_rooms and door.key in known else door
            for door in now.doors
        ]
        now = replace(now, doors=doors)
        moved = {name: step for name, step in moved.items() if name not in of_rooms}
    notes = [
        f"{now.parts[name].name or 'the map'}: was moved as a whole, by {dx},{dy} tiles; it is read in place"
        for name, (dx, dy) in moved.items()
    ]
    return _put_back(now, moved), notes


def _world_in_place(before: ShownLevel, now: ShownLevel) -> ShownLevel:
    """Put all parts back by the step by which the whole world was moved.

    Only where they are to each other is the level's; where all of them are in the program's world is not.
    """
    step = step_of_world(
        (new.anchor[0] - old.anchor[0], new.anchor[1] - old.anchor[1])
        for name, old in before.parts.items()
        if (new := now.parts.get(name)) and new.size == old.size != (0, 0)
    )
    return _put_back(now, dict.fromkeys(now.parts, step))


def _put_back(now: ShownLevel, steps: Mapping[str, Point]) -> ShownLevel:
    """Return a level whose parts, with all that is in them, were not moved by these steps."""
    if not any(step != (0, 0) for step in steps.values()):
        return now
    parts = {name: _part_moved(part, steps.get(name, (0, 0))) for name, part in now.parts.items()}
    rooms, doors, markers, decor = (
        [_moved(item, steps.get(item.part, (0, 0))) for item in objects]
        for objects in (now.rooms, now.doors, now.markers, now.things)
    )
    return replace(now, parts=parts, rooms=rooms, doors=doors, markers=markers, things=decor)


def _step(exported: ShownLevel, now: ShownLevel, name: str) -> Point:
    """Find how far a part was moved. Tiled moves a map's whole content if rows are added at its top."""
    old, new = exported.parts[name], now.parts[name]
    if old.size == new.size:
        return new.anchor[0] - old.anchor[0], new.anchor[1] - old.anchor[1]
    if old.anchor != new.anchor:  # it grew on that side; its content was not moved
        return (0, 0)
    before = {room.key: room.tiles for room in exported.rooms if room.part == name}
    steps = Counter(
        (room.tiles.x - before[room.key].x, room.tiles.y - before[room.key].y)
        for room in now.rooms
        if room.key in before
    )
    step, count = steps.most_common(1)[0] if steps else ((0, 0), 0)
    return step if count == len(before) else (0, 0)


def _part_moved(part: SeenPart, step: Point) -> SeenPart:
    anchor = part.anchor[0] - step[0], part.anchor[1] - step[1]
    return part._replace(x=part.x - step[0], y=part.y - step[1], anchor=anchor)


def _moved(item: SeenThing, step: Point) -> SeenThing:
    tiles = item.tiles
    return item._replace(tiles=tiles._replace(x=tiles.x - step[0], y=tiles.y - step[1]))
