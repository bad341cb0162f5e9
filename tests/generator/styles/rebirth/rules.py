"""Every rule that a finished floorplan of the remake keeps, written again from the wiki and the facts."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection

from generator import RebirthSpec
from generator.styles.grid.floorplan import Floorplan

from .oracle import NAMES, SHAPES, WAYS, Cell, plus

SECRET = {"secret", "super_secret", "ultra_secret", "red"}
SHUNNED = {"boss", "secret", "super_secret"}
IDS = {name: number for number, name in NAMES.items()}
SIDES = {"west": 0, "north": 1, "east": 2, "south": 3}
AT_MAX_ONE = {"planetarium", "library", "mini_boss", "grave", "ultra_secret"}
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


def distances(plan: Floorplan, met: set[tuple[int, int, Cell, int]]) -> dict[int, int]:
    beside: dict[int, set[int]] = {}
    for a, b, _, _ in met:
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


def ends_early(spec: RebirthSpec) -> bool:
    """Whether few rooms are special from stage 11 on."""
    return (spec.reading if spec.late_special_rooms == "reading" else spec.late_special_rooms) == "game"


def least_and_most(spec: RebirthSpec, curse: str) -> dict[str, tuple[int, int]]:
    """How many rooms of a kind there may be."""
    labyrinth, repentance = curse == "labyrinth", spec.edition == "repentance"
    plus_or_later = spec.edition in ("afterbirth_plus", "repentance")
    state, stage = spec.state, spec.stage
    bosses = spec.void_bosses if stage == 12 and plus_or_later else 1
    bosses += labyrinth
    shop = int((stage < 7 or (stage < 9 and state.silver_dollar)) and state.victory_lap < 3)
    treasure = int(stage < 7 or (stage < 9 and state.bloody_crown)) * (1 + labyrinth)
    late = stage >= 11 and ends_early(spec)
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
        "mirror": (0, int(spec.alternate_path and (stage == 2 or (stage == 1 and labyrinth)))),
        "normal": (1, 64),
    }


class Seen:
    """What rules look at: a floorplan and what follows from it."""

    def __init__(self, plan: Floorplan, spec: RebirthSpec) -> None:
        self.plan, self.spec, self.rooms, self.curse = plan, spec, plan.rooms, str(plan.facts["curse"])
        self.kind = [room.kind for room in plan.rooms]
        self.kinds = Counter(self.kind)
        self.owners = {cell: number for number, room in enumerate(plan.rooms) for cell in room.cells}
        self.slots, self.met = facing(plan), meetings(plan)
        self.pairs = {(a, b) for a, b, _, _ in self.met}
        self.walked = distances(plan, self.met)
        self.touching = {
            (number, self.owners[there])
            for cell, number in self.owners.items()
            for way in WAYS
            if (there := plus(cell, way)) in self.owners and self.owners[there] != number
        }
        doors = {(door.a, door.b, door.cell, SIDES[door.side.label]) for door in plan.doors}
        self.doors = doors | {(b, a, plus(cell, WAYS[way]), (way + 2) % 4) for a, b, cell, way in doors}

    def of(self, *kinds: str) -> list[int]:
        """The numbers of the rooms of some kinds."""
        return [number for number, kind in enumerate(self.kind) if kind in kinds]

    def joined(self, number: int) -> list[int]:
        """The rooms at the other ends of a room's doors, one for each door."""
        return [b for a, b, _, _ in self.met if a == number]

    def beside(self, number: int) -> set[int]:
        """The rooms that a room touches, by a door or not."""
        return {b for a, b in self.touching if a == number}

    def none_beside(self, kind: str, shunned: Collection[str]) -> bool:
        return not any(self.kind[a] == kind and self.kind[b] in shunned for a, b in self.touching)

    def cells_about(self, number: int, steps: int) -> set[Cell]:
        """The cells some steps away from a room of one cell."""
        offsets = ((dx, dy) for dx in range(-steps, steps + 1) for dy in (steps - abs(dx), abs(dx) - steps))
        return {plus(self.rooms[number].cells[0], offset) for offset in offsets}

    def red_cells(self) -> set[Cell]:
        """Those beside an ultra secret room that touch another room."""
        ultra = {cell: number for number in self.of("ultra_secret") for cell in self.cells_about(number, 1)}
        return {
            cell
            for cell, number in ultra.items()
            if any(self.owners.get(plus(cell, way), number) != number for way in WAYS)
        }


def _cells_of_shape(seen: Seen) -> bool:
    for room in seen.rooms:
        cells = SHAPES[IDS[room.shape]][0]
        if [plus(cell, room.cells[0], -1) for cell in room.cells] != [
            plus(cell, cells[0], -1) for cell in cells
        ]:
            return False
    return True


def _dead_ends(seen: Seen) -> bool:
    for number in set(range(len(seen.rooms))) - {
        *seen.of("start", "normal", "secret", "ultra_secret", "red")
    }:
        kinds = [seen.kind[other] for other in seen.joined(number) if seen.kind[other] not in SECRET]
        if len([kind for kind in kinds if not kind == seen.kind[number] == "boss"]) > 1:
            return False
    return True


def _secret_doors(seen: Seen) -> bool:
    for door in seen.plan.doors:
        around = {seen.kind[door.a], seen.kind[door.b]}
        wanted = "red" if "red" in around else "secret" if around & SECRET else ""
        if door.kind != wanted and (wanted or door.kind in ("red", "secret")):
            return False
    return True


def _challenges(seen: Seen) -> bool:
    if not seen.of("challenge", "boss_challenge"):
        return True
    other = "challenge" if seen.spec.stage % 2 == 0 else "boss_challenge"
    counted = seen.spec.stage + seen.spec.alternate_path
    return seen.spec.state.full_health and counted > 1 and not seen.kinds[other]


Rules = dict[str, Callable[[Seen], bool]]

CELLS_AND_DOORS: Rules = {
    "all cells lie on the 13 x 13 grid": lambda seen: all(0 <= x < 13 and 0 <= y < 13 for x, y in seen.owners),
    "no cell is used twice": lambda seen: len(seen.owners) == sum(len(room.cells) for room in seen.rooms),
    "cells are those of the shape": _cells_of_shape,
    "the start is the middle, and first": lambda seen: (seen.kind[0], seen.rooms[0].cells, seen.rooms[0].shape) == ("start", ((6, 6),), "1x1"),
    "as many rooms as asked for, and more": lambda seen: len(seen.rooms) - len(seen.of("secret", "ultra_secret", "red")) > int(seen.plan.facts["target_rooms"]),
    "every room is reached, but the secret ones": lambda seen: set(seen.walked) == set(range(len(seen.rooms))) - {*seen.of(*SECRET)},
    "distances are walked": lambda seen: all(room.distance == seen.walked.get(number) for number, room in enumerate(seen.rooms)),
    "no way is longer than the tree that grew": lambda seen: all(room.distance <= room.depth for room in seen.rooms if room.distance is not None),
    "a door wherever two slots meet, and nowhere else": lambda seen: seen.doors == seen.met and len(seen.plan.doors) == len(seen.met) // 2,
    "doors are legal for both shapes": lambda seen: all(
        (a, cell, way) in seen.slots and (b, plus(cell, WAYS[way]), (way + 2) % 4) in seen.slots for a, b, cell, way in seen.doors
    ),
    "two rooms that touch have a door": lambda seen: seen.touching <= seen.pairs,
    "special rooms are dead ends, but a pair of bosses": _dead_ends,
    "special rooms are single cells, but bosses": lambda seen: all(
        room.shape == "1x1" or (room.shape in ("IH", "IV") and room.kind in NARROW and seen.spec.closets)
        for room in seen.rooms
        if room.kind not in ("normal", "boss")
    ),
    "nothing above the start of stage 11": lambda seen: seen.spec.stage != 11 or (6, 5) not in seen.owners,
}  # fmt: skip

BOSSES: Rules = {
    "bosses are 1x1, 2x1, 1x2 or 2x2": lambda seen: {seen.rooms[n].shape for n in seen.of("boss")} <= {"1x1", "2x1", "1x2", "2x2"},
    "no boss beside the start": lambda seen: seen.none_beside("boss", {"start"}),
    "a boss is more than one step deep": lambda seen: all(seen.rooms[n].depth > 1 for n in seen.of("boss")),
    "a boss touches one room, but another boss": lambda seen: all(
        len(seen.beside(n) - {*seen.of("boss", *SECRET)}) <= 1 for n in seen.of("boss")
    ),
    "a labyrinth's bosses are back to back": lambda seen: seen.curse != "labyrinth" or any(seen.kind[a] == seen.kind[b] == "boss" for a, b in seen.pairs),
}  # fmt: skip

SECRETS: Rules = {
    "super secret rooms touch one room": lambda seen: all(len(seen.beside(n)) == 1 for n in seen.of("super_secret")),
    "no secret room beside a boss or another one": lambda seen: seen.none_beside("secret", SHUNNED),
    "no secret room beside the start of stage 11": lambda seen: seen.spec.stage != 11 or seen.none_beside("secret", {"start"}),
    "a secret room has a door to all that it touches": lambda seen: all(
        seen.joined(n) and seen.beside(n) <= {*seen.joined(n)} for n in seen.of("secret")
    ),
    "an ultra secret room touches red rooms alone": lambda seen: all(seen.beside(n) <= {*seen.of("red")} for n in seen.of("ultra_secret")),
    "red rooms are the cells beside an ultra secret room that touch a room": lambda seen: {seen.rooms[n].cells[0] for n in seen.of("red")} == seen.red_cells(),
    "an ultra secret room has a red one": lambda seen: seen.kinds["red"] >= seen.kinds["ultra_secret"],
    "a red room has a door to all that it touches": lambda seen: all(seen.beside(n) <= {*seen.joined(n)} for n in seen.of("red")),
    "no red room beside a boss, a curse or a secret room": lambda seen: seen.none_beside("red", SHUNNED | {"curse"}),
    "no red room beside the start of stage 11": lambda seen: seen.spec.stage != 11 or seen.none_beside("red", {"start"}),
    "an ultra secret room has a room two steps away": lambda seen: all(seen.cells_about(n, 2) & seen.owners.keys() for n in seen.of("ultra_secret")),
    "secret rooms are behind secret doors, but where a red room is": _secret_doors,
}  # fmt: skip

KINDS: Rules = {
    "at most one of a kind or of two that share a place": lambda seen: all(
        len(seen.of(*group)) <= 1 for group in (*ONE_OF, *({one} for one in AT_MAX_ONE))
    ),
    "from stage 11 on only boss, secret and grave rooms": lambda seen: seen.spec.stage < 11 or not ends_early(seen.spec) or set(seen.kinds) <= LATE,
    "arcades and vaults on second stages below 9": lambda seen: not seen.of("arcade", "vault") or seen.spec.stage + seen.spec.alternate_path in (2, 4, 6, 8),
    "bedrooms below stage 7": lambda seen: not seen.of("clean_bedroom", "dirty_bedroom") or seen.spec.stage < (9 if seen.spec.reading == "game" else 7),
    "challenges from stage 2 on at full health, the boss's on second stages": _challenges,
}  # fmt: skip


def broken_rules(plan: Floorplan, spec: RebirthSpec) -> list[str]:
    """Every rule that a floorplan of the `rebirth` style breaks."""
    seen = Seen(plan, spec)
    rules = CELLS_AND_DOORS | BOSSES | SECRETS | KINDS
    return [rule for rule, holds in rules.items() if not holds(seen)] + [
        f"{least} to {most} rooms of kind {kind}"
        for kind, (least, most) in least_and_most(spec, seen.curse).items()
        if not least <= seen.kinds[kind] <= most
    ]
