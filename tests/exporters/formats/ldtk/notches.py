"""Levels with rooms of several cells: what lies in the notch of an L, and what does not."""

from __future__ import annotations

from dataclasses import replace

from generator.geometry import Point, Side
from generator.level import Level, Marker
from tests.exporters.small_level import Way, built

# The cells of rooms 0 to 6; two Ls that reach into one another's notch, and one with a room in its notch.
#     0 0 3 3
#     0 1 . 3 2
#     4 4 5 2 2
#     . 4 5 5 6
CELLS: tuple[tuple[str, tuple[Point, ...]], ...] = (
    ("start", ((0, 0), (1, 0), (0, 1))),
    ("boss", ((1, 1),)),
    ("normal", ((4, 1), (3, 2), (4, 2))),
    ("treasure", ((2, 0), (3, 0), (3, 1))),
    ("shop", ((0, 2), (1, 2), (1, 3))),
    ("secret", ((2, 2), (2, 3), (3, 3))),
    ("library", ((4, 3),)),
)
WAYS = (
    Way(0, 1, (1, 0), Side.SOUTH),
    Way(0, 1, (0, 1), Side.EAST, "locked", 3),  # a second door between the same rooms
    Way(0, 3, (1, 0), Side.EAST),
    Way(0, 4, (0, 1), Side.SOUTH, "boss"),
    Way(4, 5, (1, 2), Side.EAST, "secret"),
    Way(5, 2, (3, 3), Side.NORTH),
    Way(5, 6, (3, 3), Side.EAST),
)


def full() -> Level:
    """All rooms; the ultra secret one has no door at all."""
    markers = [
        Marker(
            i, kind, 4 + 2 * i, 5, 0, properties={"role": "walker", "wave": i, "share": i / 8, "flies": True}
        )
        for i, kind in enumerate(("player_start", "enemy", "enemy", "chest"))
    ]
    rooms = [*CELLS, ("ultra_secret", ((6, 0),))]
    return built(rooms, WAYS, decor={(5, 4): "rock", (7, 3): "statue", (9, 5): "rug"}, markers=markers)


def empty() -> Level:
    """An L of each kind with nothing in its notch."""
    ells: list[tuple[str, tuple[Point, ...]]] = [
        ("start", ((0, 0), (1, 0), (0, 1))),
        ("normal", ((3, 0), (4, 0), (4, 1))),
        ("normal", ((6, 0), (6, 1), (7, 1))),
        ("normal", ((10, 0), (9, 1), (10, 1))),
    ]
    return replace(built(ells, ()), seed=11)
