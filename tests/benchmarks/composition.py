"""How rooms of `gungeon` are composed: focal points in sight of a door, decor in groups, symmetry, space for a body.

    python tests/benchmarks/composition.py [LEVELS] [FLOW]

A room of meaning has a start, boss, chest, shopkeeper or key, or three doors. Its focal point counts if that
thing lies on a raised floor or carpet and a straight line from a tile inside of one of its doors meets nothing
that stops a shot. In a room with three doors, something upright or raised near the middle counts.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from generator import generate
from generator.geometry import Side
from generator.kinds import DECOR_IDS, DECOR_KINDS, DOOR, FLOOR, RUBBLE
from generator.level import Level, Room, passable, spread_decor

Mask = npt.NDArray[np.bool_]

SUBJECTS = ("player_start", "boss", "chest", "shopkeeper", "key")
RAISED = tuple(DECOR_IDS[name] for name in ("dais", "carpet", "rug"))
UPRIGHT = tuple(DECOR_IDS[name] for name in ("statue", "pillar", "brazier", "fountain", "altar", "dais"))
MEETING = 3  # doors
NEAR = 6  # tiles from the middle


def main(levels: int, flow: str) -> None:
    told: Counter[str] = Counter()
    for seed in range(levels):
        level = generate("gungeon", seed=seed, **({"flow": flow} if flow else {}))
        told.update(figures(level))
    for kind in sorted(key.partition(" ")[2] for key in told if key.startswith("has ")):
        print(
            f"focal points of {kind}: {told['has ' + kind]} of {told['of ' + kind]}, seen {told['seen ' + kind]}"
        )
    meaning = [kind for kind in (*SUBJECTS, "meeting") if told[f"of {kind}"]]
    seen, of = (sum(told[f"{what} {kind}"] for kind in meaning) for what in ("seen", "of"))
    print(f"seen from a door: {100 * seen / of:.1f} % of {of}")
    print(f"pair correlation at distance 1: {told['beside'] / told['by chance'] * 1000:.2f}")
    print(f"symmetric decor: {told['symmetric decor']} of {told['symmetric floors']} symmetric floors")
    print(f"floor that a body of 2 covers: {told['covered'] / told['floor']:.4f}")


def figures(level: Level) -> Counter[str]:
    """The counts of one level."""
    told: Counter[str] = Counter()
    things = spread_decor(level.decor, DECOR_KINDS)
    clear = passable(level.terrain, things, "shoot")
    doors: dict[int, list[tuple[int, int]]] = {room.id: [] for room in level.rooms}
    for door in level.doors:
        side = Side.named(door.side)
        doors[door.rooms[0] or 0] += [(x - side.dx, y - side.dy) for x, y in door.tiles]
    told_rooms = set()
    for marker in level.markers:
        if marker.kind in SUBJECTS and marker.room is not None and not marker.properties.get("lever"):
            told_rooms.add(marker.room)
            is_raised = int(things[marker.y, marker.x]) in RAISED
            is_seen = any(sees(clear, door, (marker.x, marker.y)) for door in doors[marker.room])
            told.update(
                {
                    f"of {marker.kind}": 1,
                    f"has {marker.kind}": is_raised,
                    f"seen {marker.kind}": is_raised and is_seen,
                }
            )
    for room in level.rooms:
        ways = sum(door.rooms[0] == room.id for door in level.doors)
        if room.id not in told_rooms and room.kind == "normal" and ways >= MEETING:
            spots = middles(things, room)
            is_seen = any(sees(clear, door, spot) for door in doors[room.id] for spot in spots)
            told.update({"of meeting": 1, "has meeting": bool(spots), "seen meeting": is_seen})
        told.update(grouping(things, level, room))
    told.update(body(level, things))
    return told


def sees(clear: Mask, door: tuple[int, int], thing: tuple[int, int]) -> bool:
    """Whether the straight line between the middles of two tiles meets only clear ones; the last may be any."""
    (x, y), (end_x, end_y) = door, thing
    steps = 2 * max(abs(end_x - x), abs(end_y - y), 1)
    for step in range(steps + 1):
        column, row = round(x + (end_x - x) * step / steps), round(y + (end_y - y) * step / steps)
        if (column, row) != thing and not clear[row, column]:
            return False
    return True


def middles(things: npt.NDArray[np.uint8], room: Room) -> list[tuple[int, int]]:
    """The tiles near a room's middle with something upright or raised."""
    x, y = room.bounds.x + room.bounds.width // 2, room.bounds.y + room.bounds.height // 2
    part = np.isin(things[y - NEAR : y + NEAR + 1, x - NEAR : x + NEAR + 1], UPRIGHT)
    return [(x - NEAR + int(i), y - NEAR + int(j)) for j, i in np.argwhere(part)]


def grouping(things: npt.NDArray[np.uint8], level: Level, room: Room) -> Counter[str]:
    """Pairs of covered tiles beside each other, those that chance would give, and whether a room is symmetric."""
    floor = np.isin(level.terrain[room.bounds.slices], (FLOOR, RUBBLE))
    covered = (things[room.bounds.slices] > 0) & floor
    told: Counter[str] = Counter()
    pairs = sum(int((floor[a] & floor[b]).sum()) for a, b in BESIDE)
    share = covered.sum() / max(floor.sum(), 1)
    told["beside"] = 1000 * sum(int((covered[a] & covered[b]).sum()) for a, b in BESIDE)
    told["by chance"] = round(1_000_000 * pairs * share * share)
    if room.kind == "normal" and (floor == floor[:, ::-1]).all():
        told["symmetric floors"] = 1
        told["symmetric decor"] = int((covered == covered[:, ::-1]).mean() > 0.97)
    return told


BESIDE = (
    (np.s_[:, 1:], np.s_[:, :-1]),
    (np.s_[1:], np.s_[:-1]),
)


def body(level: Level, things: npt.NDArray[np.uint8]) -> Counter[str]:
    """The walkable tiles of floor, and those that a body of 2 × 2 tiles covers that comes from the start."""
    hazard = np.array([kind.hazard for kind in DECOR_KINDS])[things]
    free = passable(level.terrain, things, "walk") & ~hazard
    places = free[:-1, :-1] & free[1:, :-1] & free[:-1, 1:] & free[1:, 1:]
    labels, count = ndimage.label(places)
    largest = 1 + int(np.argmax(ndimage.sum(places, labels, range(1, count + 1))))
    mine = np.zeros_like(free)
    mine[:-1, :-1] = labels == largest
    mine = ndimage.binary_dilation(mine, np.ones((2, 2)), origin=(-1, -1)) | mine
    floor = free & np.isin(level.terrain, (FLOOR, RUBBLE, DOOR))
    return Counter({"floor": int(floor.sum()), "covered": int((mine & floor).sum())})


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 120, sys.argv[2] if len(sys.argv) > 2 else "")
