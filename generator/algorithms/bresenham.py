"""Bresenham's line between two tiles, and a bridge along it.

Jack Bresenham: "Algorithm for computer control of a digital plotter", IBM Systems Journal 4 (1965).
"""

from __future__ import annotations

from generator.algorithms.bitboard import Bitboard
from generator.geometry import Point


def line(start: Point, end: Point) -> list[Point]:
    """Return the tiles from `start` to `end`, both included, each one of the eight neighbours of the last.

    Whole numbers only: `error` is how far the line has strayed from the true one, times both spans.
    """
    (x, y), (end_x, end_y) = start, end
    span_x, span_y = abs(end_x - x), -abs(end_y - y)
    step_x, step_y = 1 if x < end_x else -1, 1 if y < end_y else -1
    error = span_x + span_y
    tiles = [start]
    while (x, y) != end:
        doubled = 2 * error
        if doubled >= span_y:
            error += span_y
            x += step_x
        if doubled <= span_x:
            error += span_x
            y += step_y
        tiles.append((x, y))
    return tiles


def bridge(start: Point, end: Point, breadth: int, stride: int, body: int = 1) -> Bitboard:
    """Draw a line with a square of `breadth` tiles whose top left moves from `start` to `end`.

    A square of `body` tiles, no larger, can walk along it in steps to its four neighbours.

    A square and the next one diagonal to it share a square one tile smaller; for a body as large as they are,
    the bridge goes round the corner (o):

        11             11
        1##2           11oo
         #22            22o
          22            22      breadth 3 and 2: # is shared
    """
    board = 0
    before = start
    for x, y in line(start, end):
        board |= 1 << x + y * stride
        if body == breadth:
            board |= 1 << x + before[1] * stride
        before = x, y
    across = board
    for step in range(1, breadth):
        across |= board << step
    drawn = across
    for step in range(1, breadth):
        drawn |= across << step * stride
    return drawn
