"""A dungeon as one would write it from the seed article in plain Python: the baseline of `gungeon.py`.

Rooms are dropped into a strip, pushed apart pair by pair, triangulated by Bowyer and Watson's method, joined
by Kruskal's tree with some edges more, and linked by A* with four neighbours on a grid of tiles, one tile
wide, between those of their four entrances each that are free and nearest to each other. No rooms are
furnished, no distances are counted, bends cost nothing, and a hallway that finds no way is left out.
"""

from __future__ import annotations

import heapq
import random
from itertools import combinations, product

Room = list[int]  # x, y, width, height
MARGIN = 4


def dungeon(count: int, seed: int) -> tuple[list[Room], list[list[tuple[int, int]]]]:
    """Rooms and hallways."""
    chance = random.Random(seed)
    rooms = []
    for _ in range(count):
        width, height = chance.randint(14, 26), chance.randint(12, 20)
        rooms.append([chance.randrange(60 + 8 * count), chance.randrange(30 + count), width, height])
    push_apart(rooms)
    centres = [(x + width // 2, y + height // 2) for x, y, width, height in rooms]
    edges = triangulate(centres)
    tree, rest = kruskal(count, edges, centres)
    chance.shuffle(rest)
    joined = tree + rest[: len(rest) // 10]
    return rooms, link(rooms, joined)


def push_apart(rooms: list[Room]) -> None:
    moved = True
    while moved:
        moved = False
        for a, b in combinations(rooms, 2):
            dx = 2 * b[0] + b[2] - 2 * a[0] - a[2]  # from middle to middle, doubled
            over_x = a[2] + b[2] + 2 * MARGIN - abs(dx)
            if over_x <= 0:
                continue
            dy = 2 * b[1] + b[3] - 2 * a[1] - a[3]
            over_y = a[3] + b[3] + 2 * MARGIN - abs(dy)
            if over_y <= 0:
                continue
            moved = True
            axis, over, away = (0, over_x, dx) if over_x < over_y else (1, over_y, dy)
            half = (over + 3) // 4 * (1 if away >= 0 else -1)
            a[axis] -= half
            b[axis] += half


def triangulate(points: list[tuple[int, int]]) -> set[tuple[int, int]]:
    far = 100_000
    count = len(points)
    points = [*points, (-far, -far), (far, -far), (0, far)]
    triangles = {(count, count + 1, count + 2)}
    for new in range(count):
        bad = {triangle for triangle in triangles if in_circle(points, triangle, new)}
        sides: dict[tuple[int, int], int] = {}
        for a, b, c in bad:
            for side in ((a, b), (b, c), (c, a)):
                key = (min(side), max(side))
                sides[key] = sides.get(key, 0) + 1
        triangles -= bad
        triangles |= {(a, b, new) for (a, b), times in sides.items() if times == 1}
    edges = {(min(p), max(p)) for a, b, c in triangles for p in ((a, b), (b, c), (c, a))}
    return {(a, b) for a, b in edges if b < count}


def in_circle(points: list[tuple[int, int]], triangle: tuple[int, int, int], new: int) -> bool:
    (ax, ay), (bx, by), (cx, cy) = (points[i] for i in triangle)
    px, py = points[new]
    twice = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by))
    if not twice:
        return False
    a2, b2, c2 = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    x = (a2 * (by - cy) + b2 * (cy - ay) + c2 * (ay - by)) / twice
    y = (a2 * (cx - bx) + b2 * (ax - cx) + c2 * (bx - ax)) / twice
    return (px - x) ** 2 + (py - y) ** 2 < (ax - x) ** 2 + (ay - y) ** 2


def kruskal(
    count: int, edges: set[tuple[int, int]], points: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    parents = list(range(count))

    def find(item: int) -> int:
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def length(edge: tuple[int, int]) -> int:
        (ax, ay), (bx, by) = (points[i] for i in edge)
        return (ax - bx) ** 2 + (ay - by) ** 2

    tree, rest = [], []
    for a, b in sorted(edges, key=length):
        if find(a) == find(b):
            rest.append((a, b))
        else:
            parents[find(a)] = find(b)
            tree.append((a, b))
    return tree, rest


def link(rooms: list[Room], edges: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    left, top = min(room[0] for room in rooms) - 8, min(room[1] for room in rooms) - 8
    width = max(room[0] + room[2] for room in rooms) - left + 8
    height = max(room[1] + room[3] for room in rooms) - top + 8
    free = [[True] * width for _ in range(height)]
    for x, y, w, h in rooms:
        for row in range(y - top, y - top + h):
            for column in range(x - left, x - left + w):
                free[row][column] = False
    hallways = []
    for a, b in edges:
        starts, goals = (
            [(x, y) for x, y in entrances(rooms[room], left, top) if free[y][x]] for room in (a, b)
        )
        if starts and goals:
            start, goal = min(product(starts, goals), key=apart)
            way = astar(free, start, goal)
            if way:
                hallways.append(way)
            for x, y in way:
                free[y][x] = False
    return hallways


def apart(ends: tuple[tuple[int, int], tuple[int, int]]) -> int:
    (ax, ay), (bx, by) = ends
    return abs(ax - bx) + abs(ay - by)


def entrances(room: Room, left: int, top: int) -> list[tuple[int, int]]:
    x, y, width, height = room[0] - left, room[1] - top, room[2], room[3]
    return [
        (x + width // 2, y - 1),
        (x + width // 2, y + height),
        (x - 1, y + height // 2),
        (x + width, y + height // 2),
    ]


def astar(free: list[list[bool]], start: tuple[int, int], goal: tuple[int, int]) -> list[tuple[int, int]]:
    """Of places whose ways promise to be as short, the one nearest to the goal comes first."""
    goal_x, goal_y = goal
    heap = [(0, 0, start)]
    costs = {start: 0}
    before: dict[tuple[int, int], tuple[int, int]] = {}
    while heap:
        _, _, at = heapq.heappop(heap)
        if at == goal:
            way = [at]
            while at in before:
                at = before[at]
                way.append(at)
            return way
        cost = costs[at] + 1
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            x, y = place = at[0] + dx, at[1] + dy
            if (
                0 <= y < len(free)
                and 0 <= x < len(free[0])
                and free[y][x]
                and cost < costs.get(place, 1 << 30)
            ):
                costs[place] = cost
                before[place] = at
                left = abs(x - goal_x) + abs(y - goal_y)
                heapq.heappush(heap, (cost + left, left, place))
    return []
