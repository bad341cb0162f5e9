"""Differences as lines for people, and as facts for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from exporters.comparison.differences import Comparison, Difference
from generator.errors import one_line, shown
from generator.geometry import Point

_MAX_TILES = 8  # of a line
_MAX_LINES = 40  # of a group
_MORE = "--json lists all"


def lines(comparison: Comparison) -> Iterator[str]:
    """Yield the differences with the group first, each on a line; of long groups and lists, the first ones.

    Markers of one name that were all added, or all removed, share a line, as do the values of a marker.
    """
    for group, in_group in groupby(comparison.differences, lambda difference: _group(difference, comparison)):
        texts = ["; ".join(shared) for shared in _shared_lines(in_group)]
        for text in texts[:_MAX_LINES]:
            yield one_line(f"{group}: {text}")
        if len(texts) > _MAX_LINES:
            yield f"{group}: and {len(texts) - _MAX_LINES} more; {_MORE}"


def _shared_lines(differences: Iterable[Difference]) -> Iterator[list[str]]:
    """Yield the texts that share a line."""
    by_line: dict[object, list[Difference]] = {}
    for difference in differences:
        key: object = len(by_line)
        if difference.subject == "marker" and difference.action != "moved":
            is_changed = difference.action == "changed"
            key = difference.action, difference.ids if is_changed else difference.name
        by_line.setdefault(key, []).append(difference)
    for first, *more in by_line.values():
        if first.action == "changed":
            values = [_changed(_property(difference), difference) for difference in more]
            yield [_line(first, _MAX_TILES), *values]
        else:
            tiles = (*first.tiles, *(tile for difference in more for tile in difference.tiles))
            yield [_line(first._replace(tiles=tiles), _MAX_TILES)]


def facts(difference: Difference, comparison: Comparison) -> dict[str, Any]:
    """Return a difference as JSON's types. `docs/json.md` says what each key means."""
    table: dict[str, Any] = {
        "of": difference.subject,
        "what": difference.action,
        "room": list(difference.rooms),
        "id": list(difference.ids),
        "name": difference.name,
        "key": difference.key,
        "from": difference.old,
        "to": difference.new,
        "tiles": [list(tile) for tile in difference.tiles],
        "tiles_before": [list(tile) for tile in difference.old_tiles],
        "leads_to": difference.leads_to,
    }
    table["line"] = one_line(f"{_group(difference, comparison)}: {_line(difference, len(difference.tiles))}")
    return table


def _group(difference: Difference, comparison: Comparison) -> str:
    """Name the room of a difference, by its kind and number in the second level if that has it."""
    if difference.subject == "level":
        return "level"
    old, new = difference.rooms
    if new is not None:
        before = f", room {old} before" if old not in (None, new) else ""
        return f"room {new} ({comparison.matches.after.rooms[new].kind}{before})"
    if old is not None:
        return f"room {old} ({comparison.matches.before.rooms[old].kind}) of the first level"
    return "outside of rooms"


def _line(difference: Difference, most: int) -> str:
    if difference.subject in ("terrain", "decor", "look"):
        return _tiles(difference, most)
    if difference.subject == "marker":
        return _marker(difference, most)
    return _WORDINGS[difference.subject](difference)


def _level(difference: Difference) -> str:
    if difference.action == "moved":
        return f"everything moved by {_place(difference.new)}"
    if difference.name == "size":
        (width, height), (new_width, new_height) = difference.old, difference.new
        return f"size: {width} x {height} became {new_width} x {new_height} tiles"
    return _changed(f"{difference.name} {difference.key}".rstrip(), difference)


def _room(difference: Difference) -> str:
    if difference.action in ("added", "removed"):
        x, y, width, height = difference.new or difference.old
        return f"{difference.action}: {width} x {height} tiles at {x},{y}"
    if difference.action == "moved":
        return f"moved from {_place(difference.old)} to {_place(difference.new)}"
    if difference.key == "size":
        (width, height), (new_width, new_height) = difference.old, difference.new
        return f"resized from {width} x {height} to {new_width} x {new_height} tiles"
    if difference.key == "outline":
        return "has another outline"
    return _changed(difference.key, difference)


def _door(difference: Difference) -> str:
    far = "a hallway" if difference.leads_to is None else f"room {difference.leads_to}"
    kind = "" if difference.name == "open" or difference.key == "kind" else f"{difference.name} "
    subject = f"{kind}door to {far}"
    if difference.action in ("added", "removed"):
        return f"{subject} {difference.action} at {_place(difference.tiles[0])}"
    if difference.action == "moved":
        return f"{subject} moved from {_place(difference.old_tiles[0])} to {_place(difference.tiles[0])}"
    return _changed(f"{subject} at {_place(difference.tiles[0])}: {difference.key}", difference)


def _hallway(difference: Difference) -> str:
    if difference.action in ("added", "removed"):
        return f"hallway {difference.name} {difference.action}, {len(difference.tiles)} tiles"
    return f"hallway {difference.name} takes another path: {difference.old} tiles became {difference.new}"


_WORDINGS = {"level": _level, "room": _room, "door": _door, "hallway": _hallway}


def _marker(difference: Difference, most: int) -> str:
    place = _place(difference.tiles[0])
    if difference.action in ("added", "removed"):
        return f"{difference.name} {difference.action} at {_places(difference.tiles, most)}"
    if difference.action == "moved":
        where = "" if difference.leads_to is None else f" in room {difference.leads_to}"
        return f"{difference.name} moved from {_place(difference.old_tiles[0])} to {place}{where}"
    return _changed(f"{difference.name} at {place}: {_property(difference)}", difference)


def _property(difference: Difference) -> str:
    return difference.key.removeprefix("properties.")


def _tiles(difference: Difference, most: int) -> str:
    places = _places(difference.tiles, most)
    if difference.subject == "terrain":
        number = len(difference.tiles)
        tiles = "1 tile" if number == 1 else f"{number} tiles"
        return f"{tiles} of {difference.old} became {difference.new}: {places}"
    if difference.subject == "look":
        tile = difference.old if difference.new is None else difference.new
        return f"look of {difference.name} {difference.action}, tile {tile} of {difference.key}: {places}"
    if difference.action == "changed":
        return f"{difference.old} became {difference.new} at {places}"
    return f"{difference.name} {difference.action} at {places}"


def _changed(subject: str, difference: Difference) -> str:
    return f"{subject}: {_value(difference.old)} became {_value(difference.new)}"


def _value(value: object) -> str:
    """Write a value as a person would: names without quotes, nothing for a missing one."""
    if value is None or value in ("", []):
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return shown(value)[1:-1]
    return shown(value)


def _places(tiles: Iterable[Point], most: int) -> str:
    points = list(tiles)
    listed = " ".join(_place(tile) for tile in points[:most])
    return listed if len(points) <= most else f"{listed} and {len(points) - most} more; {_MORE}"


def _place(tile: Sequence[int]) -> str:
    return f"{tile[0]},{tile[1]}"
