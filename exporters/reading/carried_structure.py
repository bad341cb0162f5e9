"""Carry edits of a level's structure over to another level: rooms, doors and hallways.

A room that a person drew, with its doors and the hallway that leads to it, is one unit. It goes where its
neighbours are now, if there is void to hold it and the level can still be walked; otherwise it is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import scipy  # its modules are loaded when they are used

from exporters.comparison.matched import Matches
from exporters.reading.edited import edited, edited_and_told
from exporters.reading.restructured import changes_structure, is_structural
from exporters.reading.seen import EditKey, Edits
from generator.arrays import Mask
from generator.checks import REQUIRED, name_of, problems
from generator.checks.base import owners
from generator.geometry import Point, Rect
from generator.level import MARGIN, Level
from generator.named_tuple import NamedTuple

_ALL_ROUND = np.ones((3, 3), bool)
_AT_TILE = ("terrain", "decor")
_RULES = frozenset(map(name_of, REQUIRED))


class StructureUnit(NamedTuple):
    """Edits that belong together, the tiles [y, x] that they concern, and the rooms that they join."""

    edits: Edits
    area: Mask
    rooms: frozenset[int]

    @property
    def name(self) -> EditKey:
        """The edit that it is called after."""
        return next((key for key in self.edits if is_structural(key)), next(iter(self.edits)))


class UnitResult(NamedTuple):
    """The edits of all units in the new level, and the units without a place there, with the reason."""

    edits: Edits
    lost: list[tuple[StructureUnit, str]]


def units_of(edits: Edits, before: Level) -> tuple[list[StructureUnit], Edits]:
    """Divide edits into the units that change the structure, and the rest."""
    if not changes_structure(before, edits):
        return [], edits
    after = edited(before, edits)
    labels, count = scipy.ndimage.label(_touched(edits, before, after), _ALL_ROUND)
    groups: dict[object, Edits] = {number: {} for number in range(1, count + 1)}
    rest: Edits = {}
    places = {marker.id: (marker.x, marker.y) for level in (before, after) for marker in level.markers}
    removed = [number for number, name in _of_rooms(edits) if name == "gone"]
    owner = owners(before)
    for door in before.doors:  # their walls follow from the rooms that are removed
        if not {half.room for half in door.halves}.isdisjoint(removed):
            for x, y in door.tiles:
                owner[y, x] = removed[0]
    for key, value in edits.items():
        place = _place_of(key, before, places)
        label = _label_of(key, place, labels, before, edits)
        match key:
            case ("room", number, "gone"):
                groups["gone", number] = {key: value}
            case _ if label:
                groups[label][key] = value
            case _ if place is None or owner[place[1], place[0]] not in removed:
                rest[key] = value
    old_rooms = set(range(len(before.rooms)))
    units = []
    for name, group in groups.items():
        area = labels == name if isinstance(name, int) else np.zeros(labels.shape, bool)
        near = owner[scipy.ndimage.binary_dilation(area, _ALL_ROUND)]
        if group:
            units.append(StructureUnit(group, area, frozenset(old_rooms & {*near.tolist()})))
    return units, rest


def _touched(edits: Edits, before: Level, after: Level) -> Mask:
    """Return the tiles of rooms that are new or elsewhere, of new doors, and of changed hallways."""
    mask = np.zeros(before.terrain.shape, bool)
    for key, value in edits.items():
        match key:
            case ("new room" | "new door", *bounds):
                mask[Rect(*bounds).slices] = True
            case ("room", _, "bounds"):
                mask[Rect(*value).slices] = True
    if before.grid is None:
        outside = (owners(before) == -1) & (owners(after) == -1)
        mask |= (
            scipy.ndimage.binary_dilation(outside & (before.terrain != after.terrain), _ALL_ROUND) & outside
        )
    return mask


def _place_of(key: EditKey, before: Level, places: Mapping[int, Point]) -> Point | None:
    """Return the tile that an edit is about, if it is about one."""
    match key:
        case ("terrain" | "decor" | "new room" | "new door", x, y, *_) | ("new marker", _, x, y):
            return x, y
        case ("marker", number, *_):
            return places.get(number)
        case ("door", number, *_):
            return before.doors[number].tiles[0]
    return None


def _label_of(key: EditKey, place: Point | None, labels: np.ndarray, before: Level, edits: Edits) -> int:
    """Return the number of the unit that an edit at a place belongs to, 0 for none."""
    match key:
        case ("room", _, "bounds"):
            return _label_at(labels, Rect(*edits[key]))
        case ("door", _, "gone") if place:
            x, y = place
            near = labels[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2]
            return int(near.max())
        case ("door", *_):
            return 0
    if place is None:
        return 0
    label = int(labels[place[1], place[0]])
    if label == 0 and key[0] in _AT_TILE:  # a room that moved has left these
        moved = [number for number, name in _of_rooms(edits) if name == "bounds"]
        left = (number for number in moved if before.rooms[number].bounds.contains(*place))
        return next((_label_at(labels, Rect(*edits["room", number, "bounds"])) for number in left), 0)
    return label


def _of_rooms(edits: Edits) -> Iterator[tuple[int, str]]:
    """Yield the number of the room and the name of the value of each edit of an existing room."""
    return ((key[1], key[2]) for key in edits if key[0] == "room")


def _label_at(labels: np.ndarray, bounds: Rect) -> int:
    return int(labels[bounds.y, bounds.x])


def carried_units(
    units: list[StructureUnit],
    matches: Matches,
    rest: Edits,
    moved_key: Callable[[EditKey, object], tuple[EditKey | None, object]],
    has: Callable[[EditKey, object], bool],
) -> UnitResult:
    """Carry units over to the new level, which gets the edits `rest`, in its own terms, too."""
    result, lost = dict(rest), []
    expected = {problem.check for problem in problems(edited(matches.before, _all_of(units)))}
    base = {problem.check for problem in problems(edited(matches.after, rest))} | expected
    for unit in units:
        subject, number, what, *_ = unit.name
        is_unknown = subject == "room" and number not in matches.rooms.by_old
        if is_unknown and what == "gone":
            continue  # as the person wants it
        made = next(
            (
                new
                for step in _steps(unit, matches)
                if (new := _at(unit, step, matches, moved_key)) is not None
                and _fits(matches.after, {**result, **new}, base)
            ),
            None,
        )
        if made is None:
            lack = "does not have this room" if is_unknown else "has no place for it"
            lost.append((unit, f"the new level {lack}"))
        else:
            result |= {key: value for key, value in made.items() if not has(key, value)}
    return UnitResult(result, lost)


def _all_of(units: list[StructureUnit]) -> Edits:
    return {key: value for unit in units for key, value in unit.edits.items()}


def _steps(unit: StructureUnit, matches: Matches) -> Iterator[Point]:
    """Yield how far a unit may be moved: with its neighbours, with everything, with the grid."""
    steps = [matches.rooms.by_old[room].shift for room in sorted(unit.rooms) if room in matches.rooms.by_old]
    old, new = matches.before.grid, matches.after.grid
    grid = (new.origin[0] - old.origin[0], new.origin[1] - old.origin[1]) if old and new else (0, 0)
    yield from dict.fromkeys((*steps, matches.rooms.shift, grid))


def _at(
    unit: StructureUnit,
    step: Point,
    matches: Matches,
    moved_key: Callable[[EditKey, object], tuple[EditKey | None, object]],
) -> Edits | None:
    """Return the edits of a unit that is moved by some tiles, None if something is in the way."""
    if not _is_free(unit, step, matches):
        return None
    dx, dy = step
    result: Edits = {}
    for key, value in unit.edits.items():
        match key:
            case ("terrain" | "decor" | "new room" | "new door" as subject, x, y, *size):
                result[subject, x + dx, y + dy, *size] = value
            case ("new marker", kind, x, y):
                result["new marker", kind, x + dx, y + dy] = value
            case (subject, *_, name):
                try:
                    new_key, new_value = moved_key(key, value)
                except ValueError:
                    return None
                if name in ("at", "bounds") and subject != "door":
                    x, y, *size = value
                    new_value = (x + dx, y + dy, *size)
                if new_key is not None:
                    result[new_key] = new_value
    return result


def _is_free(unit: StructureUnit, step: Point, matches: Matches) -> bool:
    """Check whether there is void where there was void, or only the wall of a hallway."""
    before, after = matches.before, matches.after
    ys, xs = np.nonzero(unit.area & (before.terrain == 0))
    xs, ys = xs + step[0], ys + step[1]
    if not len(xs):
        return True
    right, bottom = after.width - MARGIN, after.height - MARGIN
    if min(xs.min(), ys.min()) < MARGIN or xs.max() >= right or ys.max() >= bottom:
        return False
    there = after.terrain[ys, xs]
    is_wall = np.array([kind.name in ("void", "wall") for kind in after.terrain_kinds])[there]
    return bool((is_wall & (matches.new_owners[ys, xs] == -1)).all())


def _fits(level: Level, edits: Edits, known: set[str]) -> bool:
    """Check whether a level has all of these edits, and breaks no rule without which it cannot be walked."""
    told = edited_and_told(level, edits)
    if told.refused:
        return False
    return all(problem.check in known or problem.check not in _RULES for problem in problems(told.level))
