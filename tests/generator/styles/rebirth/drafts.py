"""Floors as objects: what lies in the kernels' buffers, to look at and to change, and back into buffers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from generator import RebirthSpec
from generator.geometry import Point, Side
from generator.shapes import SHAPES, SHAPES_BY_ID, Shape
from generator.styles.rebirth import Topology, topology
from generator.styles.rebirth.board import (
    ANCHOR,
    BARRED,
    DEPTH,
    ENTRY,
    NUMBERED_SIDES,
    OWNER,
    PICKED,
    PICKED_DOORS,
    ROOM_KIND,
    SHAPE,
    SPECIAL,
    WAY,
    cell_at,
    new_floor,
    place_of,
)
from generator.styles.rebirth.draft_kernel import add_red_rooms as add_red
from generator.styles.rebirth.draft_kernel import begin_draft, find_secret_place, find_ultra_secret_place
from generator.styles.rebirth.floorplan import begun
from generator.styles.rebirth.growth import Counts, counts
from generator.styles.rebirth.growth_kernel import grow_floor
from generator.styles.rebirth.rule_table import RuleTable, rule_table
from generator.styles.rebirth.stage_kernel import (
    DEAD_ENDS,
    ENDS_LEFT,
    IS_LARGE,
    IS_PATIENT,
    NORMAL_KIND,
    PLACED,
    RED_KIND,
    ROOMS,
    SHAPE_MASK,
    START_KIND,
    STATE,
    TARGET,
    TRIES,
    ULTRA_KIND,
    X,
    place,
)


@dataclass
class DraftRoom:
    """A room: `entry` is the cell where one enters it, `way` the number of the side that one enters over."""

    kind: str
    shape: Shape
    anchor: Point
    entry: Point
    way: int
    depth: int

    def cells(self) -> list[Point]:
        x, y = self.anchor
        return [(x + dx, y + dy) for dx, dy in self.shape.cells]


@dataclass
class FloorDraft:
    """The rooms, whose cells are whose, and the bits of the door slots of picked rooms, by number."""

    rooms: list[DraftRoom]
    owners: dict[Point, int]
    masks: dict[int, int]
    blocked: frozenset[Point]
    generator_state: int
    stage_state: int

    def beside(self, cell: Point) -> Iterator[tuple[Side, int]]:
        for side in NUMBERED_SIDES:
            owner = self.owners.get((cell[0] + side.dx, cell[1] + side.dy))
            if owner is not None:
                yield side, owner

    def reshape(self, number: int, shape: Shape, anchor: Point) -> None:
        room = self.rooms[number]
        for cell in room.cells():
            del self.owners[cell]
        room.shape, room.anchor = shape, anchor
        self.owners |= dict.fromkeys(room.cells(), number)


class DrawnFloor(NamedTuple):
    """A floor that has all its rooms: as it grew, as it is, and which rooms became what, in their order."""

    grown: Topology
    draft: FloorDraft
    placed: list[tuple[str, int]]


def assign(spec: RebirthSpec, seed: int) -> DrawnFloor:
    """The first floor on which all rooms find their places."""
    numbers = counts(spec, seed)
    return drawn_floor(numbers, rule_table(spec, numbers, spec_variant(spec, seed)))


def spec_variant(spec: RebirthSpec, seed: int) -> int:
    from generator.styles.rebirth.special_rooms import stage_variant_number

    return stage_variant_number(spec, seed)


def drawn_floor(numbers: Counts, table: RuleTable) -> DrawnFloor:
    """As `stage_kernel.make_floor`, step by step, with the topology of the floor that came to something."""
    floor, luck, (rules, _) = drawn = begun(numbers, table)
    patient, most = rules[IS_PATIENT] != 0, 1000
    while True:
        grown = topology(
            luck[X],
            luck[TARGET],
            rules[DEAD_ENDS],
            xl=rules[IS_LARGE] != 0,
            shape_mask=rules[SHAPE_MASK],
            blocked=numbers.blocked,
            patient=patient,
            tries_before=luck[TRIES],
        )
        asked = (rules[DEAD_ENDS], rules[SHAPE_MASK], rules[IS_LARGE] != 0, patient, luck[TRIES], most)
        luck[X], luck[ROOMS], luck[ENDS_LEFT], luck[TRIES], target = grow_floor(
            floor, luck[X], luck[TARGET], *asked
        )
        luck[TARGET] = min(target, 63)
        begin_draft(floor, luck[ROOMS], rules[START_KIND], rules[NORMAL_KIND])
        if place(floor, rules, luck) == 0:
            draft = _read(floor, luck, table, numbers)
            special = floor[SPECIAL : SPECIAL + luck[PLACED]]
            return DrawnFloor(grown, draft, [(draft.rooms[number].kind, number) for number in special])
        assert drawn.luck[TRIES] < most


def _read(floor: bytearray, luck: array[int], table: RuleTable, numbers: Counts) -> FloorDraft:
    every = range(luck[ROOMS])
    rooms = [
        DraftRoom(
            table.kinds[floor[ROOM_KIND + room]],
            SHAPES_BY_ID[floor[SHAPE + room]],
            cell_at(floor[ANCHOR + room]),
            cell_at(floor[ENTRY + room]),
            floor[WAY + room],
            floor[DEPTH + room],
        )
        for room in every
    ]
    owners = {cell: number for number, room in enumerate(rooms) for cell in room.cells()}
    masks = {room: floor[PICKED_DOORS + room] for room in every if floor[PICKED + room]}
    return FloorDraft(rooms, owners, masks, frozenset(numbers.blocked), luck[X], luck[STATE])


def _written(draft: FloorDraft) -> tuple[bytearray, RuleTable]:
    spec = RebirthSpec()
    table, floor = rule_table(spec, counts(spec, 1), 0), new_floor()
    for cell, owner in draft.owners.items():
        floor[OWNER + place_of(cell)] = owner + 1
    for cell in draft.blocked:
        floor[BARRED + place_of(cell)] = 1
    for number, room in enumerate(draft.rooms):
        floor[ROOM_KIND + number] = table.kinds.index(room.kind)
        floor[SHAPE + number], floor[ANCHOR + number] = room.shape.id, place_of(room.anchor)
        floor[ENTRY + number], floor[WAY + number] = place_of(room.entry), room.way
        floor[DEPTH + number] = room.depth
        if number in draft.masks:
            floor[PICKED + number], floor[PICKED_DOORS + number] = 1, draft.masks[number]
    return floor, table


def find_secret_cell(draft: FloorDraft, stage: int) -> Point | None:
    """The cell for a secret room; the draft's generator goes on."""
    floor, (rules, _) = _written(draft)
    found = find_secret_place(floor, rules, draft.generator_state, len(draft.rooms), stage)
    draft.generator_state = found[0]
    return cell_at(found[1]) if found[1] else None


def find_ultra_secret_cell(draft: FloorDraft, stage: int) -> Point | None:
    """The same for an ultra secret room."""
    floor, (rules, _) = _written(draft)
    found = find_ultra_secret_place(floor, rules, draft.generator_state, len(draft.rooms), stage)
    draft.generator_state = found[0]
    return cell_at(found[1]) if found[1] else None


def add_red_rooms(draft: FloorDraft) -> None:
    """Add the red rooms to a draft."""
    floor, (rules, _) = _written(draft)
    before = len(draft.rooms)
    for number in range(before, add_red(floor, before, rules[ULTRA_KIND], rules[RED_KIND])):
        cell, depth = cell_at(floor[ANCHOR + number]), floor[DEPTH + number]
        draft.rooms.append(DraftRoom("red", SHAPES["1x1"], cell, cell, floor[WAY + number], depth))
        draft.owners[cell] = number
