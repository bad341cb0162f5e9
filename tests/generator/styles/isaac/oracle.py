"""The article's rules, written again without a thought for speed, to hold the generator against."""

from __future__ import annotations

from collections import Counter, deque

from generator.styles.grid.floorplan import Floorplan, PlannedRoom

Cell = tuple[int, int]
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))  # the order in which a cell's neighbours are tried


def grow(rooms: int, coins: int) -> tuple[list[Cell], list[Cell]]:
    """ "The Core Algorithm", sentence by sentence: rooms in placing order, and end rooms."""
    start = (5, 3)
    placed = [start]
    queue = deque([start])
    ends = []
    while queue:
        x, y = queue.popleft()
        flips = [coins >> i & 1 for i in range(4)]
        coins >>= 4
        added = False
        for (dx, dy), give_up in zip(SIDES, flips, strict=True):
            neighbour = (x + dx, y + dy)
            if not (1 <= neighbour[0] <= 9 and 0 <= neighbour[1] <= 7):
                continue
            if neighbour in placed:
                continue
            if len(beside(neighbour, placed)) > 1:
                continue
            if len(placed) >= rooms:
                continue
            if give_up:
                continue
            placed.append(neighbour)
            queue.append(neighbour)
            added = True
            if rooms > 16 and len(placed) % 10 == 0:
                queue.append(start)
        if not added and (x, y) != start:
            ends.append((x, y))
    return placed, ends


def beside(cell: Cell, cells: object) -> list[Cell]:
    return [other for dx, dy in SIDES if (other := (cell[0] + dx, cell[1] + dy)) in cells]  # type: ignore[operator]


def by_cell(plan: Floorplan) -> dict[Cell, PlannedRoom]:
    return {room.cells[0]: room for room in plan.rooms}


def secret_cells(plan: Floorplan) -> list[Cell]:
    return [room.cells[0] for room in plan.rooms if room.kind == "secret"]


def walked(plan: Floorplan) -> dict[Cell, PlannedRoom]:
    """The rooms but the secret ones."""
    return {cell: room for cell, room in by_cell(plan).items() if room.kind != "secret"}


def broken_rules(plan: Floorplan, *, stage: int, labyrinth: bool) -> list[str]:
    """Every rule of the article that a floorplan of the `isaac` style breaks."""
    rooms, kinds = walked(plan), Counter(room.kind for room in plan.rooms)
    secrets = secret_cells(plan)
    number = [int(chance + 5 + stage * 2.6 + 1e-9) for chance in (0, 1)]
    allowed = [min(45, int(one * 1.8 + 1e-9)) for one in number] if labyrinth else number
    edges = {frozenset((a, b)) for a in rooms for b in beside(a, rooms)}
    dead_ends = [cell for cell in rooms if len(beside(cell, rooms)) == 1]
    doubled = 2 if labyrinth else 1
    rules = {
        "all cells lie on the 9 x 8 grid": all(1 <= x <= 9 and 0 <= y <= 7 for x, y in by_cell(plan)),
        "no cell is used twice": len(by_cell(plan)) == len(plan.rooms),
        "the start is cell 35, and first": plan.rooms[0].kind == "start" and plan.rooms[0].cells == ((5, 3),),
        "random(2) + 5 + level * 2.6 rooms": len(rooms) in allowed,
        "no loops but the secret room's": labyrinth or len(edges) == len(rooms) - 1,
        "all rooms hang together": len(_flood((5, 3), rooms)) == len(rooms),
        "the boss is not beside the start": all(
            plan_room.kind != "boss" for cell in beside((5, 3), rooms) for plan_room in [rooms[cell]]
        ),
        "boss, shop, treasure and secret room are there": all(
            kinds[kind] == doubled for kind in ("boss", "shop", "treasure", "secret")
        ),
        "special rooms are dead ends": all(
            len([1 for one in beside(cell, rooms) if not rooms[one].kind == room.kind == "boss"]) <= 1
            for cell, room in rooms.items()
            if room.kind not in ("normal", "start")
        ),
        "a secret room touches a room": all(beside(cell, rooms) for cell in secrets),
        "no secret room beside a dead end": not any(beside(cell, dead_ends) for cell in secrets),
        "no two secret rooms touch": not any(beside(cell, secrets) for cell in secrets),
        "a door where rooms touch": len(plan.doors)
        == len(edges) + sum(len(beside(cell, rooms)) for cell in secrets),
        "secret doors lead to secret rooms": all(
            (door.kind == "secret") == ("secret" in (plan.rooms[door.a].kind, plan.rooms[door.b].kind))
            for door in plan.doors
        ),
        "distances are walked": all(room.distance == distance for room, distance in _distances(plan, rooms))
        and all(room.distance is None for room in plan.rooms if room.kind == "secret"),
    }
    return [rule for rule, holds in rules.items() if not holds]


def _flood(start: Cell, cells: object) -> dict[Cell, int]:
    steps = {start: 0}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        for other in beside(cell, cells):
            if other not in steps:
                steps[other] = steps[cell] + 1
                queue.append(other)
    return steps


def _distances(plan: Floorplan, rooms: dict[Cell, PlannedRoom]) -> list[tuple[PlannedRoom, int]]:
    return [(rooms[cell], steps) for cell, steps in _flood((5, 3), rooms).items()]
