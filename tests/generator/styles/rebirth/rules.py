"""Every rule that a finished floorplan of the remake keeps, written again from the wiki and the facts."""

from __future__ import annotations

from collections import Counter, deque

from generator import RebirthSpec
from generator.styles.grid.floorplan import Floorplan

from .oracle import NAMES, SHAPES, WAYS, Cell, plus

SECRET = {"secret", "super_secret", "ultra_secret", "red"}
SHUNNED = {"boss", "secret", "super_secret"}
IDS = {name: number for number, name in NAMES.items()}
SIDES = {"west": 0, "north": 1, "east": 2, "south": 3}
AT_MOST_ONE = {"planetarium", "library", "mini_boss", "grave", "ultra_secret"}
ONE_OF = (
    {"dice", "sacrifice"},
    {"challenge", "boss_challenge"},
    {"vault", "arcade"},
    {"clean_bedroom", "dirty_bedroom"},
)
NARROW = {"treasure", "sacrifice", "library", "curse"}
LATE = {"boss", "super_secret", "secret", "ultra_secret", "grave", "start", "normal", "red"}


def facing(plan: Floorplan) -> dict[tuple[int, Cell, int], Cell]:
    """Each door slot of each room: the room, its own cell, the way, and the cell that it leads to."""
    found = {}
    for number, room in enumerate(plan.rooms):
        cells, slots = SHAPES[IDS[room.shape]]
        anchor = plus(room.cells[0], cells[0], -1)
        for slot, target in slots.items():
            there = plus(anchor, target)
            found[number, plus(there, WAYS[slot % 4], -1), slot % 4] = there
    return found


def meetings(plan: Floorplan) -> set[tuple[int, int, Cell, int]]:
    """(room, other, cell of the first, way) wherever slots of two rooms meet, seen from both."""
    owners = {cell: number for number, room in enumerate(plan.rooms) for cell in room.cells}
    slots = facing(plan)
    return {
        (number, owners[there], here, way)
        for (number, here, way), there in slots.items()
        if there in owners and (owners[there], there, (way + 2) % 4) in slots
    }


def distances(plan: Floorplan) -> dict[int, int]:
    beside: dict[int, set[int]] = {}
    for a, b, _, _ in meetings(plan):
        if plan.rooms[a].kind not in SECRET and plan.rooms[b].kind not in SECRET:
            beside.setdefault(a, set()).add(b)
    found, queue = {0: 0}, deque([0])
    while queue:
        room = queue.popleft()
        for other in sorted(beside.get(room, ())):
            if other not in found:
                found[other] = found[room] + 1
                queue.append(other)
    return found


def least_and_most(spec: RebirthSpec, curse: str) -> dict[str, tuple[int, int]]:
    """How many rooms of a kind there may be."""
    labyrinth, repentance = curse == "labyrinth", spec.edition == "repentance"
    plus_or_later = spec.edition in ("afterbirth_plus", "repentance")
    state, stage = spec.state, spec.stage
    bosses = spec.void_bosses if stage == 12 and plus_or_later else 1
    bosses += labyrinth
    shop = int((stage < 7 or (stage < 9 and state.silver_dollar)) and state.victory_lap < 3)
    treasure = int(stage < 7 or (stage < 9 and state.bloody_crown)) * (1 + labyrinth)
    late = stage >= 11 and spec.late_special_rooms == "game"
    grave = stage == 11 and plus_or_later and spec.stage_variant != "alternative"
    return {
        "start": (1, 1),
        "boss": (bosses, bosses),
        "super_secret": (1, 1 + (repentance and state.luna)),
        "shop": (shop, shop),
        "treasure": (treasure, treasure),
        "secret": (0, 1 + (plus_or_later and state.fragmented_card) + (repentance and state.luna)),
        "ultra_secret": (0, int(repentance)),
        "red": (0, 4 * int(repentance)),
        "planetarium": (0, int(repentance and stage < 7)),
        "mini_boss": (0, int(not state.mini_boss_met and not late)),
        "curse": (0, 0 if late else 1 + (repentance and state.voodoo_head)),
        "grave": (int(grave and spec.stage_variant == "main"), int(grave)),
        "chest": (0, 0),
        "normal": (1, 64),
    }


def broken_rules(plan: Floorplan, spec: RebirthSpec) -> list[str]:
    """Every rule that a floorplan of the `rebirth` style breaks."""
    curse = str(plan.facts["curse"])
    rooms, kinds = plan.rooms, Counter(room.kind for room in plan.rooms)
    owners = {cell: number for number, room in enumerate(rooms) for cell in room.cells}
    met, walked = meetings(plan), distances(plan)
    touching = {
        (number, owners[there])
        for cell, number in owners.items()
        for way in WAYS
        if (there := plus(cell, way)) in owners and owners[there] != number
    }
    joined: dict[int, list[int]] = {number: [] for number in range(len(rooms))}
    for a, b, _, _ in sorted(met):
        joined[a].append(b)
    kind = [room.kind for room in rooms]
    doors = {(door.a, door.b, door.cell, SIDES[door.side.label]) for door in plan.doors}
    doors |= {(b, a, plus(cell, WAYS[way]), (way + 2) % 4) for a, b, cell, way in doors}
    secrets = [number for number in range(len(rooms)) if kind[number] == "secret"]
    ultra = [number for number in range(len(rooms)) if kind[number] == "ultra_secret"]
    red = [number for number in range(len(rooms)) if kind[number] == "red"]
    grown = len(rooms) - len(secrets) - len(ultra) - len(red)
    beside_ultra = {plus(rooms[n].cells[0], way): n for n in ultra for way in WAYS}
    rules = {
        "all cells lie on the 13 x 13 grid": all(0 <= x < 13 and 0 <= y < 13 for x, y in owners),
        "no cell is used twice": len(owners) == sum(len(room.cells) for room in rooms),
        "cells are those of the shape": all(
            [plus(cell, room.cells[0], -1) for cell in room.cells]
            == [plus(cell, SHAPES[IDS[room.shape]][0][0], -1) for cell in SHAPES[IDS[room.shape]][0]]
            for room in rooms
        ),
        "the start is the middle, and first": rooms[0].kind == "start" and rooms[0].cells == ((6, 6),) and rooms[0].shape == "1x1",
        "as many rooms as asked for, and more": grown >= int(plan.facts["target_rooms"]) + 1,
        "every room is reached, but the secret ones": set(walked) == {n for n in range(len(rooms)) if kind[n] not in SECRET},
        "distances are walked": all(room.distance == walked.get(number) for number, room in enumerate(rooms)),
        "no way is longer than the tree that grew": all(room.distance <= room.depth for room in rooms if room.distance is not None),
        "a door wherever two slots meet, and nowhere else": doors == met and len(plan.doors) == len(met) // 2,
        "doors are legal for both shapes": all(
            (a, cell, way) in facing(plan) and (b, plus(cell, WAYS[way]), (way + 2) % 4) in facing(plan)
            for a, b, cell, way in doors
        ),
        "special rooms are dead ends, but a pair of bosses": all(
            len([other for other in joined[n] if kind[other] not in SECRET and not kind[n] == kind[other] == "boss"]) <= 1
            for n in range(len(rooms)) if kind[n] not in {"start", "normal", "secret", "ultra_secret", "red"}
        ),
        "special rooms are single cells, but bosses": all(
            room.shape == "1x1" or (room.shape in ("IH", "IV") and room.kind in NARROW and spec.closets)
            for room in rooms
            if room.kind not in ("normal", "boss")
        ),
        "bosses are 1x1, 2x1, 1x2 or 2x2": {room.shape for room in rooms if room.kind == "boss"} <= {"1x1", "2x1", "1x2", "2x2"},
        "no boss beside the start": not any({kind[a], kind[b]} == {"boss", "start"} for a, b in touching),
        "a boss is more than one step deep": all(room.depth > 1 for room in rooms if room.kind == "boss"),
        "a boss touches one room, but another boss": all(
            len({b for a, b in touching if a == n and kind[b] not in ("boss", *SECRET)}) <= 1
            for n in range(len(rooms)) if kind[n] == "boss"
        ),
        "a labyrinth's bosses are back to back": curse != "labyrinth" or any(kind[a] == kind[b] == "boss" for a, b, _, _ in met),
        "super secret rooms touch one room": all(
            len({b for a, b in touching if a == n}) == 1 for n in range(len(rooms)) if kind[n] == "super_secret"
        ),
        "no secret room beside a boss or another one": not any(
            kind[a] == "secret" and kind[b] in SHUNNED for a, b in touching
        ),
        "no secret room beside the start of stage 11": spec.stage != 11 or not any({kind[a], kind[b]} == {"secret", "start"} for a, b in touching),
        "a secret room has a door to all that it touches": all(
            (a, b) in {(one, other) for one, other, _, _ in met} for a, b in touching if kind[a] == "secret"
        ) and all(joined[n] for n in secrets),
        "two rooms that touch have a door": touching <= {(a, b) for a, b, _, _ in met},
        "an ultra secret room touches red rooms alone": all(kind[b] == "red" for a, b in touching if a in ultra),
        "red rooms are the cells beside an ultra secret room that touch a room": {rooms[n].cells[0] for n in red}
        == {cell for cell, n in beside_ultra.items() if any(owners.get(plus(cell, way), n) != n for way in WAYS)},
        "an ultra secret room has a red one": len(red) >= len(ultra),
        "a red room has a door to all that it touches": all(
            (a, b) in {(one, other) for one, other, _, _ in met} for a, b in touching if kind[a] == "red"
        ),
        "no red room beside a boss, a curse or a secret room": not any(
            kind[a] == "red" and kind[b] in SHUNNED | {"curse"} for a, b in touching
        ),
        "no red room beside the start of stage 11": spec.stage != 11 or not any({kind[a], kind[b]} == {"red", "start"} for a, b in touching),
        "an ultra secret room has a room two steps away": all(
            any(plus(rooms[n].cells[0], (dx, dy)) in owners for dx in range(-2, 3) for dy in range(-2, 3) if abs(dx) + abs(dy) == 2)
            for n in ultra
        ),
        "nothing above the start of stage 11": spec.stage != 11 or (6, 5) not in owners,
        "secret rooms are behind secret doors, but where a red room is": all(
            door.kind == ("red" if "red" in around else "secret") if around & SECRET else door.kind not in ("red", "secret")
            for door in plan.doors
            for around in [{kind[door.a], kind[door.b]}]
        ),
        "at most one of a kind or of two that share a place": all(kinds[one] <= 1 for one in AT_MOST_ONE)
        and all(sum(kinds[one] for one in group) <= 1 for group in ONE_OF),
        "from stage 11 on only boss, secret and grave rooms": spec.stage < 11 or spec.late_special_rooms == "wiki" or set(kinds) <= LATE,
        "arcades and vaults on second stages below 9": not (kinds["arcade"] or kinds["vault"]) or spec.stage in (2, 4, 6, 8),
        "bedrooms below stage 7": spec.stage < 7 or not (kinds["clean_bedroom"] or kinds["dirty_bedroom"]),
        "challenges from stage 2 on at full health, the boss's on second stages": not (kinds["challenge"] or kinds["boss_challenge"])
        or (spec.state.full_health and spec.stage > 1 and not kinds["challenge" if spec.stage % 2 == 0 else "boss_challenge"]),
    }  # fmt: skip
    for one, (least, most) in least_and_most(spec, curse).items():
        rules[f"{least} to {most} rooms of kind {one}"] = least <= kinds[one] <= most
    return [rule for rule, holds in rules.items() if not holds]
