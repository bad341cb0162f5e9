"""`separation.separate` as a kernel (after A. Adonaac, 2015): the same pushes, pair by pair.

Rooms are kept in the order of their left sides, so that each is compared only with those that begin before it
ends.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

_MAX_PUSHES = 60
_FAR_LEFT = -(1 << 60)


class Boxes(NamedTuple):
    """Rectangles [room], and buffers. Sides include the margin while rectangles are moved."""

    x: array[int]
    y: array[int]
    width: array[int]
    height: array[int]
    x_moves: array[int]
    y_moves: array[int]
    order: array[int]
    goal: array[int]
    mirrored: array[int]


def separate(boxes: Boxes, rooms: int, margin: int) -> None:
    """Move the first `rooms` rectangles until none overlap, at least `margin` tiles between any two."""
    for i in range(rooms):
        boxes.width[i] += margin
        boxes.height[i] += margin
    if _push(boxes, rooms):
        for i in range(rooms):
            boxes.goal[i] = boxes.x[i]
        _sweep(boxes.x, boxes.goal, boxes.y, boxes.width, boxes.height, boxes.order, rooms)
    _gather(boxes.x, boxes.y, boxes.width, boxes.height, boxes, rooms)
    _gather(boxes.y, boxes.x, boxes.height, boxes.width, boxes, rooms)
    for i in range(rooms):
        boxes.width[i] -= margin
        boxes.height[i] -= margin


def _push(boxes: Boxes, rooms: int) -> int:
    """Push in rounds. Returns 1 if overlaps may be left."""
    x, y, width, height = boxes.x, boxes.y, boxes.width, boxes.height
    for i in range(rooms):
        boxes.order[i] = i
        x[i] = 2 * x[i] + width[i]  # middles, doubled
        y[i] = 2 * y[i] + height[i]
    left = 1
    for _ in range(_MAX_PUSHES):
        if not _one_round(boxes, rooms):
            left = 0
            break
        for i in range(rooms):
            x[i] += 2 * min(max(boxes.x_moves[i], -width[i]), width[i])
            y[i] += 2 * min(max(boxes.y_moves[i], -height[i]), height[i])
    for i in range(rooms):
        x[i] = (x[i] - width[i]) // 2
        y[i] = (y[i] - height[i]) // 2
    return left


def _one_round(boxes: Boxes, rooms: int) -> int:
    """Sum up how far each room is pushed, and return how many pairs overlap."""
    x, width, order, overlaps = boxes.x, boxes.width, boxes.order, 0
    for index in range(rooms):
        boxes.x_moves[index] = 0
        boxes.y_moves[index] = 0
        room = order[index]
        begin = x[room] - width[room]
        at = index
        while at > 0 and x[order[at - 1]] - width[order[at - 1]] > begin:
            order[at] = order[at - 1]
            at -= 1
        order[at] = room
    for index in range(rooms):
        room = order[index]
        end = x[room] + width[room]
        for next_index in range(index + 1, rooms):
            neighbour = order[next_index]
            if x[neighbour] - width[neighbour] >= end:
                break
            overlaps += _part(boxes, min(room, neighbour), max(room, neighbour))
    return overlaps


def _part(boxes: Boxes, first: int, second: int) -> int:
    """Push two rooms apart, the later one forward and the earlier one back. Returns 1 if they overlap."""
    dx, dy = boxes.x[second] - boxes.x[first], boxes.y[second] - boxes.y[first]
    over_x = boxes.width[first] + boxes.width[second] - abs(dx)
    over_y = boxes.height[first] + boxes.height[second] - abs(dy)
    if min(over_x, over_y) <= 0:
        return 0
    tiles = (min(over_x, over_y) + 3) >> 2
    if over_x < over_y or (over_x == over_y and (first + second) & 1 == 0):
        if dx < 0:
            tiles = -tiles
        boxes.x_moves[second] += tiles
        boxes.x_moves[first] -= tiles
    else:
        if dy < 0:
            tiles = -tiles
        boxes.y_moves[second] += tiles
        boxes.y_moves[first] -= tiles
    return 1


def _sweep(
    x: array[int],
    goal: array[int],
    y: array[int],
    width: array[int],
    height: array[int],
    order: array[int],
    rooms: int,
) -> None:
    """Move each room, from left to right, to its goal, or as near as those before it allow."""
    top, bottom = y[0], y[0]
    for room in range(rooms):
        top, bottom = min(top, y[room]), max(bottom, y[room] + height[room])
        at = room
        while at > 0 and x[order[at - 1]] > x[room]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = room
    ends = [_FAR_LEFT] * (bottom - top)
    for index in range(rooms):
        room = order[index]
        first = y[room] - top
        at = goal[room]
        for row in range(first, first + height[room]):
            at = max(at, ends[row])
        x[room] = at
        for row in range(first, first + height[room]):
            ends[row] = at + width[room]


def _gather(
    x: array[int], y: array[int], width: array[int], height: array[int], boxes: Boxes, rooms: int
) -> None:
    """Close the gaps on one axis: the right half moves left as far as it can, then the left half right."""
    total = 0
    for i in range(rooms):
        total += 2 * x[i] + width[i]
    middle = total // (2 * rooms)
    _aim(x, width, boxes.goal, middle, rooms)
    _sweep(x, boxes.goal, y, width, height, boxes.order, rooms)
    for i in range(rooms):
        boxes.mirrored[i] = 2 * middle - x[i] - width[i]
    _aim(boxes.mirrored, width, boxes.goal, middle, rooms)
    _sweep(boxes.mirrored, boxes.goal, y, width, height, boxes.order, rooms)
    for i in range(rooms):
        x[i] = 2 * middle - width[i] - boxes.mirrored[i]


def _aim(x: array[int], width: array[int], goal: array[int], middle: int, rooms: int) -> None:
    """Set the goals of rooms right of the middle."""
    for i in range(rooms):
        goal[i] = x[i]
        if 2 * x[i] + width[i] > 2 * middle:
            goal[i] = min(x[i], middle - width[i] // 2)
