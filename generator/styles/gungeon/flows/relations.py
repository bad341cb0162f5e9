"""Where rooms of a flow lie: on a side of the level, beside another room, between two, or far from one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.geometry import Rect
from generator.named_tuple import NamedTuple

PLACES: Mapping[str, tuple[int, int]] = {
    f"{north}{'_' * bool(north and east)}{east}" or "middle": (x, y)
    for y, north in enumerate(("north", "", "south"))
    for x, east in enumerate(("west", "", "east"))
}
"""The thirds of the level, across and down, of each place. A side means one axis, a corner both."""

NEAR = 12  # tiles between two rooms that are beside each other, both axes together
RELATIONS = ("beside", "not_beside", "between", "far_from")
"""The relations to other rooms. Each takes one room or several, `between` takes two."""


class Relation(NamedTuple):
    """What a room asks for: `at` a place, or one of `RELATIONS` to rooms, by their ids."""

    word: str
    to: tuple[str, ...]

    @property
    def text(self) -> str:
        """The relation as a file writes it."""
        listed = ", ".join(f'"{name}"' for name in self.to)
        return f"{self.word} = {listed if len(self.to) == 1 else f'[{listed}]'}"


def contradiction(asked: Mapping[str, Sequence[Relation]]) -> str | None:
    """Report two relations of which at most one can hold in any level, in a line. None if there are none."""
    said = {
        word: {(room, other) for room in asked for own in asked[room] if own.word == word for other in own.to}
        for word in ("at", *RELATIONS)
    }
    for a, b in sorted(said["not_beside"]):
        for pair in ((a, b), (b, a)):
            if pair in said["beside"]:
                return f"{_text(pair, 'beside')} and {_text((a, b), 'not_beside')}; leave one of them out"
    of_places = dict(said["at"])
    for a, b in sorted(said["far_from"]):
        place = of_places.get(a, "")
        if place == of_places.get(b) and (place == "middle" or "_" in place):
            return f"{_text((a, b), 'far_from')}, but both are at {place}; leave one of them out"
    for room in asked:
        between = sorted(other for one, other in said["between"] if one == room)
        if between and all((room, other) in said["far_from"] for other in between):
            both = " and ".join(between)
            return f"{room} is between {both} and far_from both; leave one of them out"
    return None


def _text(pair: tuple[str, str], word: str) -> str:
    return f"{pair[0]} is {word} {pair[1]}"


def broken(
    asked: Mapping[str, Sequence[Relation]], rects: Mapping[str, Rect], near: int = NEAR
) -> Iterator[tuple[str, Relation]]:
    """Yield the relations that do not hold, with their rooms. Rooms up to `near` apart are side by side."""
    level = _around([*rects.values()])
    for room, relations in asked.items():
        for relation in relations:
            others = [rects[other] for other in relation.to if relation.word != "at"]
            if not _holds(relation, rects[room], others, level, near):
                yield room, relation


def _holds(relation: Relation, rect: Rect, others: Sequence[Rect], level: Rect, near: int) -> bool:
    if relation.word == "at":
        return all(_is_at(place, rect, level) for place in relation.to)
    if relation.word == "beside":
        return all(_apart(rect, other) <= near for other in others)
    if relation.word == "not_beside":
        return all(_apart(rect, other) > near for other in others)
    if relation.word == "between":
        x, y = _middle(rect)
        (ax, ay), (bx, by) = map(_middle, others)
        return min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)
    x, y = _middle(rect)
    return all(
        abs(x - other_x) + abs(y - other_y) >= level.width + level.height
        for other_x, other_y in map(_middle, others)
    )


def _is_at(place: str, rect: Rect, level: Rect) -> bool:
    """Check whether the middle of a room is in a third of the level, or in one of each axis."""
    return all(_is_in_third(axis, third, rect, level) for axis, third in _thirds(place))


def _is_in_third(axis: int, third: int, rect: Rect, level: Rect) -> bool:
    at, length = _middle(rect)[axis] - 2 * level[axis], 2 * level[2 + axis]
    return third * length <= 3 * at <= (third + 1) * length


def _thirds(place: str) -> Iterator[tuple[int, int]]:
    """Yield the axes that a place names, each with the number of its third."""
    for axis, third in enumerate(PLACES[place]):
        if third != 1 or place == "middle":
            yield axis, third


# What makes relations hold: hallways that grow. No more than that: rooms do not come closer by it.

Remedy = tuple[int, str, str, int]
"""Along an axis, the second room begins at least so many tiles after the first one."""


def remedies(asked: Mapping[str, Sequence[Relation]], rects: Mapping[str, Rect]) -> Iterator[Remedy]:
    """Yield what brings rooms nearer to where they are to be. Several rounds may be needed."""
    level = _around([*rects.values()])
    for room, relation in broken(asked, rects):
        if relation.word == "at":
            for axis, third in _thirds(relation.to[0]):
                yield from _into_third(room, axis, third, rects)
        elif relation.word == "between":
            for axis in (0, 1):
                yield from _in_order(room, relation.to, rects, axis)
        for other in relation.to if relation.word in ("not_beside", "far_from") else ():
            far = [a - b for a, b in zip(_middle(rects[room]), _middle(rects[other]), strict=True)]
            if relation.word == "not_beside":
                more = NEAR + 1 - _apart(rects[room], rects[other])
            else:  # the level grows as well, by half of that
                more = level.width + level.height - abs(far[0]) - abs(far[1])
            axis = int(abs(far[1]) > abs(far[0]))
            first, last = (other, room) if far[axis] > 0 else (room, other)
            if more > 0:
                yield axis, first, last, rects[last][axis] - rects[first][axis] + more


def hopeless(asked: Mapping[str, Sequence[Relation]], cells: Mapping[str, Rect]) -> int:
    """Count the relations that do not hold on the grid of a drawing, and for which there is no remedy."""
    grid = _around([*cells.values()])
    count = 0
    for room, relation in broken(asked, cells, near=0):
        if relation.word == "at":
            count += any(
                not _is_in_third(axis, third, cells[room], grid)
                and not [*_into_third(room, axis, third, cells)]
                for axis, third in _thirds(relation.to[0])
            )
        else:
            count += relation.word in ("beside", "between")
    return count


def _into_third(room: str, axis: int, third: int, rects: Mapping[str, Rect]) -> Iterator[Remedy]:
    """Move a room away from the first one along an axis, or the last one away from it."""
    level = _around([*rects.values()])
    at, length = _middle(rects[room])[axis] - 2 * level[axis], 2 * level[2 + axis]
    first = min(rects, key=lambda name: rects[name][axis])
    last = max(rects, key=lambda name: rects[name][axis] + rects[name][2 + axis])
    if (more := third * length - 3 * at) > 0 and room != first:
        tiles = -(-more // (6 - 2 * third))  # if the level grows by as much
        yield axis, first, room, rects[room][axis] - rects[first][axis] + tiles
    if (more := 3 * at - (third + 1) * length) > 0 and room != last:
        tiles = -(-more // (2 + 2 * third))
        yield axis, room, last, rects[last][axis] - rects[room][axis] + tiles


def _in_order(room: str, others: Sequence[str], rects: Mapping[str, Rect], axis: int) -> Iterator[Remedy]:
    """Bring the middle of a room between those of two others along an axis."""
    low, high = sorted(others, key=lambda name: _middle(rects[name])[axis])
    for first, last in ((low, room), (room, high)):
        yield axis, first, last, -((rects[last][2 + axis] - rects[first][2 + axis]) // 2)


def _middle(rect: Rect) -> tuple[int, int]:
    """Return the middle of a rectangle, doubled so that it is a whole number."""
    return 2 * rect.x + rect.width, 2 * rect.y + rect.height


def _apart(a: Rect, b: Rect) -> int:
    """Count the tiles between two rectangles, on both axes together."""
    gap_x = max(a.x - b.right, b.x - a.right, 0)
    return gap_x + max(a.y - b.bottom, b.y - a.bottom, 0)


def _around(rects: Sequence[Rect]) -> Rect:
    """Return the smallest rectangle around all rooms."""
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(left, top, right - left, bottom - top)
