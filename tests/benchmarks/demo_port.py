"""A plain Python port of the article's demo, the peer that floorplans are measured against.

The demo is the one beside "Dungeon Generation in Binding of Isaac": four special rooms, no doors, no
distances, no table of chances, the start at 45, seven rows. Its slip of counting the neighbours of
nothing in the search for a secret room is mended, as it would make the peer slower.
"""

from __future__ import annotations

import random
from collections.abc import Callable


def floorplan(rooms: int, chance: random.Random) -> tuple[dict[int, str], int]:
    """Cells by their kind, and the number of tries; exactly `rooms` rooms and a secret one."""
    tries = 0
    while True:
        tries += 1
        plan = _try(rooms, chance.random)
        if plan is not None:
            return plan, tries


def _try(rooms: int, roll: Callable[[], float]) -> dict[int, str] | None:
    floor = [0] * 110
    queue, ends = _grown(floor, rooms, roll)
    if len(queue) < rooms or len(ends) < 3:
        return None
    kinds = dict.fromkeys(queue, "normal")
    boss = ends.pop()
    kinds[boss] = "boss"
    kinds[ends.pop(int(roll() * len(ends)))] = "treasure"
    kinds[ends.pop(int(roll() * len(ends)))] = "coin"
    secret = _secret(floor, boss, roll)
    if secret is None:
        return None
    kinds[secret] = "secret"
    return kinds


def _grown(floor: list[int], rooms: int, roll: Callable[[], float]) -> tuple[list[int], list[int]]:
    """The cells of rooms, in their order, and the end rooms among them."""
    queue: list[int] = []
    ends: list[int] = []

    def visit(i: int) -> bool:
        if floor[i] or _beside(floor, i) > 1 or len(queue) >= rooms:
            return False
        if roll() < 0.5 and i != 45:
            return False
        queue.append(i)
        floor[i] = 1
        return True

    visit(45)
    for i in queue:  # which grows meanwhile
        created = False
        if i % 10 > 1:
            created = visit(i - 1) | created
        if i % 10 < 9:
            created = visit(i + 1) | created
        if i > 20:
            created = visit(i - 10) | created
        if i < 70:
            created = visit(i + 10) | created
        if not created:
            ends.append(i)
    return queue, ends


def _secret(floor: list[int], boss: int, roll: Callable[[], float]) -> int | None:
    for e in range(900):
        i = (int(roll() * 8) + 2) * 10 + int(roll() * 9) + 1
        if i > 98 or floor[i] or boss in (i - 1, i + 1, i - 10, i + 10):
            continue
        beside = _beside(floor, i)
        if beside >= 3 or (e > 300 and beside >= 2) or (e > 600 and beside >= 1):
            return i
    return None


def _beside(floor: list[int], i: int) -> int:
    return floor[i - 10] + floor[i - 1] + floor[i + 1] + floor[i + 10]
