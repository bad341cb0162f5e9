"""The seed's dungeon as one would write it from the article in plain Python: the baseline of `gungeon.py`.

Rooms are dropped into a strip, pushed apart pair by pair, triangulated by Bowyer and Watson's method, joined
by Kruskal's tree with some edges more, and linked by A* with four neighbours on a grid of tiles, one tile
wide. No rooms are furnished, no distances are counted, and a hallway that finds no way is left out.
"""

from __future__ import annotations

import heapq
import random
from itertools import combinations

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
    for _ in range(1000):  # some heaps never come to rest
        moved = False
        for a, b in combinations(rooms, 2):
            over_x = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]) + MARGIN
            over_y = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]) + MARGIN
            if over_x > 0 and over_y > 0:
                moved = True
                axis, over = (0, over_x) if over_x < over_y else (1, over_y)
                sign = 1 if a[axis] < b[axis] else -1
                a[axis] -= sign * (over // 2)
                b[axis] += sign * (over - over // 2)
        if not moved:
            return


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
        ends = [
            min(
                entrances(rooms[one], left, top),
                key=lambda at: abs(at[0] - (rooms[two][0] - left)) + abs(at[1] - (rooms[two][1] - top)),
            )
            for one, two in ((a, b), (b, a))
        ]
        way = astar(free, ends[0], ends[1])
        if way:
            hallways.append(way)
            for x, y in way:
                free[y][x] = False
    return hallways


def entrances(room: Room, left: int, top: int) -> list[tuple[int, int]]:
    x, y, width, height = room[0] - left, room[1] - top, room[2], room[3]
    return [
        (x + width // 2, y - 1),
        (x + width // 2, y + height),
        (x - 1, y + height // 2),
        (x + width, y + height // 2),
    ]


def astar(free: list[list[bool]], start: tuple[int, int], goal: tuple[int, int]) -> list[tuple[int, int]]:
    heap = [(0, 0, start)]
    costs = {start: 0}
    before: dict[tuple[int, int], tuple[int, int]] = {}
    while heap:
        _, cost, at = heapq.heappop(heap)
        if at == goal:
            way = [at]
            while at in before:
                at = before[at]
                way.append(at)
            return way
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            x, y = at[0] + dx, at[1] + dy
            inside = 0 <= y < len(free) and 0 <= x < len(free[0]) and free[y][x]
            if inside and cost + 1 < costs.get((x, y), 1 << 30):
                costs[x, y] = cost + 1
                before[x, y] = at
                estimate = abs(x - goal[0]) + abs(y - goal[1])
                heapq.heappush(heap, (cost + 1 + estimate, cost + 1, (x, y)))
    return []
