"""The differences of two levels, each as one value: what differs, in which room, and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from exporters.comparison.matched import MarkerPlace, MatchedPairs, Matches, RoomMatch, far_ends, matched
from generator.geometry import Point
from generator.level import Door, Hallway, Level, Marker, PaintedLook, Room
from generator.named_tuple import NamedTuple

Ids = tuple[int | None, int | None]
"""The number of a thing in the first level and in the second, None where it is not."""

_ROOM_VALUES = ("name", "kind", "shape", "layout", "difficulty", "zone", "distance", "depth")
_TELLING = ("name", "role", "item", "tier", "opens")  # properties; the first that a marker has
_FAR = 1 << 20  # tiles; farther than a tile of one level can be from the other level


class Difference(NamedTuple):
    """One difference.

    `subject` is level, room, terrain, decor, look, door, hallway or marker; `action` is added, removed, moved
    or changed. `name` is what it is called, `key` the value that changed from `old` to `new`. `tiles` are its
    tiles in the second level, `old_tiles` where a moved thing was. `leads_to` is the room behind a door,
    or that a marker moved to, by its number in the second level.
    """

    subject: str
    action: str
    rooms: Ids = (None, None)
    ids: Ids = (None, None)
    name: str = ""
    key: str = ""
    old: Any = None
    new: Any = None
    tiles: tuple[Point, ...] = ()
    old_tiles: tuple[Point, ...] = ()
    leads_to: int | None = None


class Comparison(NamedTuple):
    """Two levels, what is the same in them, and what differs: first the level, then room by room."""

    matches: Matches
    differences: tuple[Difference, ...]


def compared(before: Level, after: Level) -> Comparison:
    """Compare two levels."""
    matches = matched(before, after)
    if before.fingerprint == after.fingerprint:
        return Comparison(matches, ())
    parts = (_of_level, _of_rooms, _of_doors, _of_hallways, _of_tiles, _of_looks, _of_markers)
    found = [difference for part in parts for difference in part(matches)]
    return Comparison(matches, tuple(sorted(found, key=_order)))


def _order(difference: Difference) -> tuple[int, int]:
    """Sort by group: the level, rooms as numbered in the second one, removed rooms, what is between rooms."""
    old, new = difference.rooms
    if difference.subject == "level":
        return 0, 0
    if new is not None:
        return 1, new
    return (2, old) if old is not None else (3, 0)


# --- the level ---------------------------------------------------------------------------------------


def _of_level(matches: Matches) -> Iterator[Difference]:
    before, after = matches.before, matches.after
    if matches.rooms.shift != (0, 0):
        yield Difference("level", "moved", key="place", old=[0, 0], new=list(matches.rooms.shift))
    for name, old, new in (
        ("seed", _seed(before), _seed(after)),
        ("style", before.style, after.style),
        ("size", [before.width, before.height], [after.width, after.height]),
        ("spec", *_spec_values(before, after)),
        ("fact", dict(before.facts), dict(after.facts)),
        ("kit", before.kinds.tables, after.kinds.tables),
        ("kind", _terrain_rows(before), _terrain_rows(after)),
    ):
        if name == "kind" and before.kinds != after.kinds:
            continue  # they follow from the kit
        for key, old_value, new_value in _changed_values(old, new):
            yield Difference("level", "changed", name=name, key=key, old=old_value, new=new_value)


def _spec_values(before: Level, after: Level) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values of both specs, and of two styles only those that both have."""
    old, new = before.spec.saved(), after.spec.saved()
    known = old.keys() & new.keys() if before.style != after.style else old.keys() | new.keys()
    old, new = ({key: values[key] for key in values if key in known - {"style"}} for values in (old, new))
    return old, new


def _seed(level: Level) -> str:
    return str(level.seed) if level.seed_text is None else level.seed_text


def _terrain_rows(level: Level) -> dict[str, Any]:
    return {
        "terrain": {kind.name: kind._asdict() for kind in level.terrain_kinds},
        "decor": {kind.name: kind._asdict() for kind in level.decor_kinds},
    }


def _changed_values(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the dotted key of each value that differs in two tables, and both values; None where missing."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys((*old, *new)):
            yield from _changed_values(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
    elif old != new or isinstance(old, bool) is not isinstance(new, bool):
        yield path, old, new


# --- rooms -------------------------------------------------------------------------------------------


def _of_rooms(matches: Matches) -> Iterator[Difference]:
    for old in matches.before.rooms:
        if old.id not in matches.rooms.by_old:
            x, y = matches.rooms.moved(old.bounds[:2], None)
            yield Difference(
                "room", "removed", (old.id, None), (old.id, None), name=old.kind, old=[x, y, *old.bounds[2:]]
            )
    for new in matches.after.rooms:
        match = matches.rooms.by_new.get(new.id)
        if match is None:
            yield Difference(
                "room", "added", (None, new.id), (None, new.id), name=new.kind, new=list(new.bounds)
            )
        else:
            yield from _of_room(match, matches)


def _of_room(match: RoomMatch, matches: Matches) -> Iterator[Difference]:
    old, new = match.old, match.new
    ids = old.id, new.id
    here = Difference("room", "changed", ids, ids, name=new.kind)
    was_at = matches.rooms.moved(old.bounds[:2], None)
    if was_at != new.bounds[:2]:
        yield here._replace(action="moved", key="place", old=list(was_at), new=list(new.bounds[:2]))
    if old.bounds[2:] != new.bounds[2:]:
        yield here._replace(key="size", old=list(old.bounds[2:]), new=list(new.bounds[2:]))
    elif _outline(old) != _outline(new):
        yield here._replace(key="outline", old=_outline(old), new=_outline(new))
    changed = [key for key in _ROOM_VALUES if getattr(old, key) != getattr(new, key)]
    for key in changed:
        if key != "depth" or "distance" not in changed:  # mostly they say the same
            yield here._replace(key=key, old=getattr(old, key), new=getattr(new, key))


def _outline(room: Room) -> list[list[list[int]]]:
    """Return the outline from the room's top left corner."""
    return [[[x - room.bounds.x, y - room.bounds.y] for x, y in ring] for ring in room.outline]


# --- doors and hallways ------------------------------------------------------------------------------


def _of_doors(matches: Matches) -> Iterator[Difference]:
    old_ends, new_ends = far_ends(matches.before), far_ends(matches.after)
    rooms = matches.rooms
    for old, new in matches.doors:
        yield from _of_door(old, new, new_ends.get(new.id), matches)
    removed, added = _unmatched(matches.doors, matches.before.doors, matches.after.doors)
    for door in removed:
        far = old_ends.get(door.id)
        if door.rooms[0] in rooms.by_old and (far is None or far in rooms.by_old):
            yield Difference(
                "door",
                "removed",
                (door.rooms[0], rooms.by_old[door.rooms[0]].new.id),
                (door.id, None),
                name=door.kind,
                tiles=_door_tiles(door, matches),
                leads_to=None if far is None else rooms.by_old[far].new.id,
            )
    for door in added:
        far = new_ends.get(door.id)
        if door.rooms[0] in rooms.by_new and (far is None or far in rooms.by_new):
            ids = _room_ids(matches, door.rooms[0])
            yield Difference(
                "door", "added", ids, (None, door.id), name=door.kind, tiles=door.tiles, leads_to=far
            )


T = TypeVar("T", Door, Hallway)


def _unmatched(pairs: MatchedPairs[T], before: Iterable[T], after: Iterable[T]) -> tuple[list[T], list[T]]:
    """Return what went and what came, where `pairs` are the same in both levels."""
    kept_old, kept_new = ({pair[side].id for pair in pairs} for side in (0, 1))
    return (
        [item for item in before if item.id not in kept_old],
        [item for item in after if item.id not in kept_new],
    )


def _of_door(old: Door, new: Door, leads_to: int | None, matches: Matches) -> Iterator[Difference]:
    here = Difference(
        "door",
        "changed",
        _room_ids(matches, new.rooms[0]),
        (old.id, new.id),
        name=new.kind,
        tiles=new.tiles,
        leads_to=leads_to,
    )
    was_at = _door_tiles(old, matches)
    if set(was_at) != set(new.tiles):
        yield here._replace(action="moved", key="place", old_tiles=was_at)
    for key in ("kind", "needs", "one_way", "joins"):
        values = getattr(old, key), getattr(new, key)
        if values[0] != values[1]:
            lists = [list(value) if isinstance(value, tuple) else value for value in values]
            yield here._replace(key=key, old=lists[0], new=lists[1])
    opened_from = None if old.opens_from is None else matches.rooms.by_old[old.opens_from].new.id
    if opened_from != new.opens_from:
        yield here._replace(key="opens_from", old=opened_from, new=new.opens_from)


def _room_ids(matches: Matches, new_room: int | None) -> Ids:
    match = None if new_room is None else matches.rooms.by_new.get(new_room)
    return (match.old.id if match else None), new_room


def _door_tiles(door: Door, matches: Matches) -> tuple[Point, ...]:
    """Return where the tiles of a door of the first level are in the second one."""
    tiles = (matches.rooms.moved(tile, half.room) for half in door.halves for tile in half.tiles)
    return tuple(dict.fromkeys(tiles))


def _of_hallways(matches: Matches) -> Iterator[Difference]:
    removed, added = _unmatched(matches.hallways, matches.before.hallways, matches.after.hallways)
    rooms = matches.rooms
    for old, new in matches.hallways:
        if not _same_path(old, new, matches):
            yield Difference(
                "hallway",
                "changed",
                ids=(old.id, new.id),
                name=_hallway_name(new, matches.after),
                key="path",
                old=len(old.tiles),
                new=len(new.tiles),
                tiles=new.tiles,
                old_tiles=_hallway_tiles(old, matches),
            )
    for hallway in removed:
        ends = [matches.before.doors[door].rooms[0] for door in hallway.doors]
        if all(end in rooms.by_old for end in ends):
            first, last = (rooms.by_old[end].new.id for end in ends)
            yield Difference(
                "hallway",
                "removed",
                ids=(hallway.id, None),
                name=_between(first, last),
                tiles=_hallway_tiles(hallway, matches),
            )
    for hallway in added:
        ends = [matches.after.doors[door].rooms[0] for door in hallway.doors]
        if all(end in rooms.by_new for end in ends):
            name = _hallway_name(hallway, matches.after)
            yield Difference("hallway", "added", ids=(None, hallway.id), name=name, tiles=hallway.tiles)


def _same_path(old: Hallway, new: Hallway, matches: Matches) -> bool:
    """Check whether a hallway has the same path, or went with one of its rooms."""
    ends = (matches.before.doors[door].rooms[0] for door in old.doors)
    return any(
        {matches.rooms.moved(tile, end) for tile in old.tiles} == set(new.tiles) for end in (None, *ends)
    )


def _hallway_tiles(hallway: Hallway, matches: Matches) -> tuple[Point, ...]:
    return tuple(matches.rooms.moved(tile, None) for tile in hallway.tiles)


def _hallway_name(hallway: Hallway, level: Level) -> str:
    first, last = (level.doors[door].rooms[0] for door in hallway.doors)
    return _between(first, last)


def _between(first: int, last: int) -> str:
    return f"from room {min(first, last)} to room {max(first, last)}"


# --- tiles -------------------------------------------------------------------------------------------


def _of_tiles(matches: Matches) -> Iterator[Difference]:
    places: dict[tuple[str, Ids, str, str], list[Point]] = defaultdict(list)
    by_doors, by_hallways = _painted_by_doors(matches), _painted_by_hallways(matches)
    for ids, old, new in _compared_places(matches):
        for layer, tiles in (("terrain", matches.terrain), ("decor", matches.decor)):
            before, after = _at(tiles.before, old, 0), _at(tiles.after, new, 0)
            for index in np.flatnonzero(before != after).tolist():
                x, y = new[index].tolist()
                was, now = tiles.names[before[index]], tiles.names[after[index]]
                of_hallway = ids == (None, None) and (x, y) in by_hallways
                if not of_hallway and (layer == "decor" or ((x, y), was, now) not in by_doors):
                    places[layer, ids, was, now].append((x, y))
    nothing = matches.decor.names[0]
    for (layer, ids, was, now), points in places.items():
        tiles_of_change = tuple(sorted(points, key=lambda tile: (tile[1], tile[0])))
        change = Difference(layer, "changed", ids, name=now, old=was, new=now, tiles=tiles_of_change)
        if layer == "decor" and was == nothing:
            change = change._replace(action="added", old=None)
        elif layer == "decor" and now == nothing:
            change = change._replace(action="removed", name=was, new=None)
        yield change


def _of_looks(matches: Matches) -> Iterator[Difference]:
    """Yield the looks that were painted or taken back, by theme, layer and tile; `name` is the layer."""
    sides = (
        {
            (
                look.theme,
                look.layer,
                *matches.rooms.moved((look.x, look.y), _owner(matches.old_owners, look)),
            ): look
            for look in matches.before.looks
        },
        {look[:4]: look for look in matches.after.looks},
    )
    places: dict[tuple[Any, ...], list[Point]] = defaultdict(list)
    for key in sorted({*sides[0], *sides[1]}):
        old, new = (side.get(key) for side in sides)
        if (old and old.tile) != (new and new.tile):
            room = _owner(matches.new_owners, PaintedLook(*key, 0))
            match = matches.rooms.by_new.get(-1 if room is None else room)
            ids = match.old.id if match else None, room
            places[ids, *key[:2], old and old.tile, new and new.tile].append(key[2:])
    for (ids, theme, layer, was, now), tiles in places.items():
        action = "added" if was is None else "removed" if now is None else "changed"
        yield Difference("look", action, ids, name=layer, key=theme, old=was, new=now, tiles=tuple(tiles))


def _owner(owners: npt.NDArray[np.integer], look: PaintedLook) -> int | None:
    """Return the room of a look's tile, None outside of all rooms and of the level."""
    height, width = owners.shape
    number = int(owners[look.y, look.x]) if 0 <= look.x < width and 0 <= look.y < height else -1
    return number if number >= 0 else None


_TilePlaces = npt.NDArray[np.int64]
"""[n, 2]: x and y of tiles."""


def _compared_places(matches: Matches) -> Iterator[tuple[Ids, _TilePlaces, _TilePlaces]]:
    """Yield the tiles of each room, in both levels, and those outside of all rooms that are not void in both.

    If only one level has a tile in the room, that follows from the room: it was moved or resized, or is new.
    """
    for match in matches.rooms.all:
        inside = matches.old_owners[match.old.bounds.slices] == match.old.id
        old = np.argwhere(inside)[:, ::-1] + np.array(match.old.bounds[:2])
        new = old + np.array(match.shift)
        both = _at(matches.new_owners, new, -1) == match.new.id
        yield (match.old.id, match.new.id), old[both], new[both]
    shift = np.array(matches.rooms.shift)
    drawn = [_drawn(matches.before) + shift, _drawn(matches.after)]
    numbers = np.unique(np.concatenate([(places + _FAR) @ (2 * _FAR, 1) for places in drawn]))
    new = np.stack(np.divmod(numbers, 2 * _FAR), axis=1) - _FAR
    both = (_at(matches.old_owners, new - shift, -1) == -1) & (_at(matches.new_owners, new, -1) == -1)
    yield (None, None), new[both] - shift, new[both]


def _drawn(level: Level) -> _TilePlaces:
    return np.argwhere((level.terrain != 0) | (level.decor != 0))[:, ::-1]


def _at(array: npt.NDArray[Any], places: _TilePlaces, beyond: int) -> npt.NDArray[Any]:
    """Return the values at some places, and `beyond` for those outside of the array."""
    xs, ys = places.T
    inside = (xs >= 0) & (ys >= 0) & (xs < array.shape[1]) & (ys < array.shape[0])
    values = np.full(len(places), beyond, array.dtype)
    values[inside] = array[ys[inside], xs[inside]]
    return values


def _painted_by_doors(matches: Matches) -> set[tuple[Point, str, str]]:
    """Return the tiles where a door went and left a wall, or came, with the terrain before and now."""
    kept = [pair for pair in matches.doors if set(_door_tiles(pair[0], matches)) == set(pair[1].tiles)]
    removed, added = _unmatched(kept, matches.before.doors, matches.after.doors)
    went = {(tile, "door", "wall") for door in removed for tile in _door_tiles(door, matches)}
    return went | {(tile, "wall", "door") for door in added for tile in door.tiles}


def _painted_by_hallways(matches: Matches) -> set[Point]:
    """Return the tiles of hallways that came, went, moved or take another path, with their walls."""
    kept = [pair for pair in matches.hallways if set(_hallway_tiles(pair[0], matches)) == set(pair[1].tiles)]
    removed, added = _unmatched(kept, matches.before.hallways, matches.after.hallways)
    tiles = [tile for hallway in removed for tile in _hallway_tiles(hallway, matches)]
    tiles += [tile for hallway in added for tile in hallway.tiles]
    return {(x + dx, y + dy) for x, y in tiles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


# --- markers -----------------------------------------------------------------------------------------


def _of_markers(matches: Matches) -> Iterator[Difference]:
    for old, new in matches.markers:
        yield from _of_marker(old, new, matches)
    kept_old, kept_new = ({pair[side].marker.id for pair in matches.markers} for side in (0, 1))
    for placed in matches.old_markers:
        if placed.marker.id not in kept_old:
            yield _of_lone_marker(placed, "removed", matches)._replace(old=_facts(placed.marker))
    for placed in matches.new_markers:
        if placed.marker.id not in kept_new:
            yield _of_lone_marker(placed, "added", matches)._replace(new=_facts(placed.marker))


def _of_lone_marker(placed: MarkerPlace, action: str, matches: Matches) -> Difference:
    marker = placed.marker
    ids = (marker.id, None) if action == "removed" else (None, marker.id)
    rooms = _room_ids(matches, placed.room)
    return Difference("marker", action, rooms, ids, name=marker_name(marker), tiles=(placed.place,))


def _of_marker(old: MarkerPlace, new: MarkerPlace, matches: Matches) -> Iterator[Difference]:
    here = Difference(
        "marker",
        "changed",
        _room_ids(matches, old.room),
        (old.marker.id, new.marker.id),
        name=marker_name(new.marker),
        tiles=(new.place,),
    )
    if old.place != new.place or old.room != new.room:
        leads_to = None if old.room == new.room else new.room
        yield here._replace(action="moved", key="place", old_tiles=(old.place,), leads_to=leads_to)
    if old.marker.kind != new.marker.kind:
        yield here._replace(key="kind", old=old.marker.kind, new=new.marker.kind)
    for key, was, now in _changed_values(old.marker.properties, new.marker.properties):
        yield here._replace(key=f"properties.{key}", old=was, new=now)


def marker_name(marker: Marker) -> str:
    """Name a marker by its kind and by the property that tells it from others of the kind."""
    telling = next((marker.properties[key] for key in _TELLING if key in marker.properties), "")
    return f"{marker.kind} {telling}".rstrip()


def _facts(marker: Marker) -> dict[str, Any]:
    return {"kind": marker.kind, "properties": dict(marker.properties)}
