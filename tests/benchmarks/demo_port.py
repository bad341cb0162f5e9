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
    count = 0
    queue: list[int] = []
    ends: list[int] = []

    def neighbours(i: int) -> int:
        return floor[i - 10] + floor[i - 1] + floor[i + 1] + floor[i + 10]

    def visit(i: int) -> bool:
        nonlocal count
        if floor[i]:
            return False
        if neighbours(i) > 1:
            return False
        if count >= rooms:
            return False
        if roll() < 0.5 and i != 45:
            return False
        queue.append(i)
        floor[i] = 1
        count += 1
        return True

    visit(45)
    head = 0
    while head < len(queue):
        i = queue[head]
        head += 1
        x = i % 10
        created = False
        if x > 1:
            created = visit(i - 1) | created
        if x < 9:
            created = visit(i + 1) | created
        if i > 20:
            created = visit(i - 10) | created
        if i < 70:
            created = visit(i + 10) | created
        if not created:
            ends.append(i)
    if count < rooms or len(ends) < 3:
        return None
    kinds = dict.fromkeys(queue, "normal")
    boss = ends.pop()
    kinds[boss] = "boss"
    kinds[ends.pop(int(roll() * len(ends)))] = "treasure"
    kinds[ends.pop(int(roll() * len(ends)))] = "coin"
    for e in range(900):
        i = (int(roll() * 8) + 2) * 10 + int(roll() * 9) + 1
        if i > 98 or floor[i] or boss in (i - 1, i + 1, i - 10, i + 10):
            continue
        beside = neighbours(i)
        if beside >= 3 or (e > 300 and beside >= 2) or (e > 600 and beside >= 1):
            kinds[i] = "secret"
            return kinds
    return None
