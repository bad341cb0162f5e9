"""`scatter.scatter` as a kernel: which rooms there are, and where they are dropped.

Kinds have numbers: the start's is 0 and the boss's 1; the others follow in the order in which they are drawn.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from generator.algorithms.separation_kernel import Boxes
from generator.compiled.primitives import below, stream_key, with_id
from generator.styles.gungeon.deal_kernel import Dropped, KindTable, Pools, deal

START, BOSS = 0, 1
STRIP, SQUARE, DISC = range(3)
_AREA_PERCENT = 180
_DISC_TRIES = 8


class DropRules(NamedTuple):
    """The values of a spec, and the keys of the streams."""

    numbers: array[int]  # as below
    scatter: int
    deal: int


ROOMS, NORMAL, SHAPE, MARGIN = range(4)


def drop(
    seed: int, attempt: int, rules: DropRules, kinds: KindTable, pools: Pools, boxes: Boxes, out: Dropped
) -> int:
    """Drop the rooms of an attempt. Returns how many there are."""
    key = with_id(stream_key(seed, rules.scatter), attempt)
    rooms = _count(key, rules, kinds, out)
    position = len(kinds.weight) - 1  # a word for each kind but the start
    for room in range(rooms):
        kind = out.kinds[room]
        boxes.width[room] = _between(key, position + room, kinds.width, kind)
        boxes.height[room] = _between(key, position + rooms + room, kinds.height, kind)
    area = _area(boxes, rooms, rules.numbers[MARGIN])
    position = _points(key, position + 2 * rooms, rules.numbers[SHAPE], area, rooms, boxes)
    _settle(below(key, position, 2), rooms, boxes, out)
    normal = rules.numbers[NORMAL]
    deal(with_id(stream_key(seed, rules.deal), attempt), rooms, normal, kinds, pools, out)
    for room in range(rooms):
        image = out.images[room]
        if image >= 0:
            boxes.width[room], boxes.height[room] = pools.sizes[2 * image], pools.sizes[2 * image + 1]
    stretch = _square_root(_area(boxes, rooms, rules.numbers[MARGIN]) * 1_000_000 // area)
    for room in range(rooms):
        boxes.x[room] = out.at_x[room] * stretch // 1_000 - boxes.width[room] // 2
        boxes.y[room] = out.at_y[room] * stretch // 1_000 - boxes.height[room] // 2
    return rooms


def _between(key: int, position: int, ranges: array[int], kind: int) -> int:
    least = ranges[2 * kind]
    return least + below(key, position, ranges[2 * kind + 1] - least + 1)


def _count(key: int, rules: DropRules, kinds: KindTable, out: Dropped) -> int:
    """Set the rooms' kinds: the start, the bosses, then the others. Returns how many rooms there are."""
    number, drawn = len(kinds.weight), out.drawn
    for kind in range(1, number):
        drawn[kind] = _between(key, kind - 1, kinds.rooms, kind)
    wanted = rules.numbers[ROOMS]
    if wanted:
        drawn[BOSS] = min(drawn[BOSS], wanted - 1)
        _share_out(wanted - 1 - drawn[BOSS], rules.numbers[NORMAL], number, drawn)
    out.kinds[0] = START
    rooms = 1
    for kind in range(1, number):
        for _ in range(drawn[kind]):
            out.kinds[rooms] = kind
            rooms += 1
    return rooms


def _share_out(total: int, normal: int, number: int, drawn: array[int]) -> None:
    """Share seats among the kinds after the boss by the largest remainder. Of equal ones the last wins."""
    everyone = 0
    for kind in range(BOSS + 1, number):
        everyone += drawn[kind]
    if everyone == 0:
        drawn[normal] = everyone = 1
    rests, left = [0] * number, total
    for kind in range(BOSS + 1, number):
        rests[kind] = total * drawn[kind] % everyone
        drawn[kind] = total * drawn[kind] // everyone
        left -= drawn[kind]
    for _ in range(left):
        best = number - 1
        for kind in range(BOSS + 1, number):
            if rests[kind] >= rests[best]:
                best = kind
        rests[best] = -1
        drawn[best] += 1


def _area(boxes: Boxes, rooms: int, margin: int) -> int:
    total = 0
    for room in range(rooms):
        total += (boxes.width[room] + margin) * (boxes.height[room] + margin)
    return total * _AREA_PERCENT // 100


def _square_root(number: int) -> int:
    """Find the largest whole number whose square is at most `number`, by Heron's method."""
    if number < 2:
        return number
    root = 1
    while root * root <= number:
        root *= 2
    while True:
        better = (root + number // root) // 2
        if better >= root:
            return root
        root = better


# --- places ------------------------------------------------------------------------------------------


def _points(key: int, position: int, shape: int, area: int, rooms: int, boxes: Boxes) -> int:
    """Draw points in the shape as x and y of the boxes. Returns the stream's position after them."""
    if shape == DISC:
        return _points_of_disc(key, position, _square_root(area * 4 * 113 // 355), rooms, boxes)
    high = _square_root(area // 2) if shape == STRIP else _square_root(area)
    wide = area // high if shape == STRIP else high
    for room in range(rooms):
        boxes.x[room] = below(key, position + room, wide)
        boxes.y[room] = below(key, position + rooms + room, high)
    return position + 2 * rooms


def _points_of_disc(key: int, position: int, side: int, rooms: int, boxes: Boxes) -> int:
    tries = rooms * _DISC_TRIES
    for room in range(rooms):
        chosen = first = position + room * _DISC_TRIES
        for at in range(first, first + _DISC_TRIES):
            x, y = below(key, at, side), below(key, at + tries, side)
            if (2 * x - side) ** 2 + (2 * y - side) ** 2 <= side * side:
                chosen = at
                break
        boxes.x[room], boxes.y[room] = below(key, chosen, side), below(key, chosen + tries, side)
    return position + 2 * tries


def _settle(is_turned: int, rooms: int, boxes: Boxes, out: Dropped) -> None:
    """Give the start the outermost point on one side, and the bosses the outermost ones on the other."""
    order = [(boxes.x[i] << 36) + (boxes.y[i] << 16) + i for i in range(rooms)]
    order.sort()
    for i in range(rooms):
        order[i] &= 0xFFFF
    if is_turned == 0:
        order.reverse()
    bosses = 0
    while 1 + bosses < rooms and out.kinds[1 + bosses] == BOSS:
        bosses += 1
    rest = order[1 : rooms - bosses]
    rest.sort()
    for room in range(rooms):
        point = order[0] if room == 0 else order[rooms - room] if room <= bosses else rest[room - 1 - bosses]
        out.at_x[room], out.at_y[room] = boxes.x[point], boxes.y[point]
