"""Floorplans of the remake: the game's own topology, then special rooms, repeated until all have a place."""

from __future__ import annotations

from array import array
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from generator.errors import GenerationFailed
from generator.geometry import Point, Rect
from generator.named_tuple import NamedTuple
from generator.shapes import SHAPES_BY_ID
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.own_rooms import NoPlaceError, own_streams, with_own_rooms, with_turns
from generator.styles.grid.special_rooms import door_kinds
from generator.styles.rebirth import board, stage_kernel
from generator.styles.rebirth.board import SIZE, cell_at, new_floor
from generator.styles.rebirth.drawn_shapes import drawn_shapes
from generator.styles.rebirth.growth import Counts, counts
from generator.styles.rebirth.rule_table import RuleTable, rule_table
from generator.styles.rebirth.seeds import code_of, start_seed_of
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.rebirth.special_rooms import own_rules, stage_variant_number

if TYPE_CHECKING:
    from generator.level import Property

_BOARD = Rect(0, 0, SIZE, SIZE)
_WHY = {
    stage_kernel.TOUCHES: "a forced dead end touches a room without a door",
    stage_kernel.NO_BOSS: "no dead end for a boss room",
    stage_kernel.NO_SECOND_BOSS: "no place for a second boss room",
    stage_kernel.NO_DEAD_END: "no dead end for a {kind} room",
    stage_kernel.NO_DOOR: "the {kind} leaves a secret room without a door",
    stage_kernel.NO_PLACE: "no place for a {kind} room",
}


class DrawnFloor(NamedTuple):
    """A floor on which every room of the game has its place, and its rules."""

    floor: bytearray  # see `board.py`
    luck: array[int]  # see `stage_kernel.py`
    table: RuleTable


def floorplan(spec: RebirthSpec, seed: int) -> Floorplan:
    """Make a floorplan that has all rooms that it must have. Raises GenerationFailed.

    The low 32 bits of `seed` are the game's start seed.
    """
    kit = spec.load_kit()
    kit.need(spec.style, ("start", "normal", "boss"))
    numbers = counts(spec, start_seed_of(seed))
    rules = with_turns(own_rules(spec, numbers.is_labyrinth, seed))
    variant = stage_variant_number(spec, seed)
    layouts = drawn_shapes(spec, numbers.curse, variant)
    drawn = begun(numbers, rule_table(spec, numbers, variant, layouts))
    reasons: Counter[str] = Counter()
    while True:
        draw_floor(drawn, seed, numbers.dead_ends, reasons)
        plan = _finished(spec, drawn, numbers, seed)
        if not rules:
            return plan
        streams = own_streams(rules, seed, spec.stage, plan.tries)
        try:
            return with_own_rooms(plan, streams, _BOARD, layouts.has if layouts else None)
        except NoPlaceError as reason:
            reasons[_with_remedy(str(reason))] += 1


def begun(numbers: Counts, table: RuleTable) -> DrawnFloor:
    """New buffers of a level, before its first floor."""
    rules = table.rules
    drawn = DrawnFloor(new_floor(), new_luck(rules), table)
    stage_kernel.begin(drawn.luck, rules, numbers.generator_seed, numbers.rooms)
    if rules[stage_kernel.BLOCKED]:
        drawn.floor[board.BARRED + rules[stage_kernel.BLOCKED]] = 1
    return drawn


def new_luck(rules: array[int]) -> array[int]:
    """Make a buffer for the state of a level's generators and tries, for one level after another."""
    return array("q", bytes(8 * (stage_kernel.WEIGHT + len(rules) - rules[stage_kernel.WEIGHTS_AT])))


def draw_floor(drawn: DrawnFloor, seed: int, dead_ends: int, reasons: Counter[str]) -> None:
    """Make the next floor on which every required room of the game has its place.

    `reasons` counts why floors were rejected. Raises GenerationFailed after a counted number.
    """
    floor, luck, table = drawn
    outcome = stage_kernel.make_floor(floor, table.rules, luck)
    for i in range(stage_kernel.REASON, stage_kernel.OWN_STATE, 2):
        if not luck[i]:
            break
        kind, why = divmod(luck[i], stage_kernel.REASONS)
        reasons[_with_remedy(_WHY[why].format(kind=table.kinds[kind]))] += luck[i + 1]
        luck[i] = luck[i + 1] = 0
    if outcome == 0:
        return
    if outcome == 1:
        target = luck[stage_kernel.TARGET]
        message = f"{target} rooms with {dead_ends} dead ends did not grow"
        reasons[f"{message}; ask for another number of rooms"] += 1
    why_not = "; ".join(f"{reason} ({count} times)" for reason, count in reasons.most_common(1))
    raise GenerationFailed("floorplan", luck[stage_kernel.TRIES], why_not, seed)


def _with_remedy(reason: str) -> str:
    return f"{reason}; ask for more rooms or another stage"


def _finished(spec: RebirthSpec, drawn: DrawnFloor, numbers: Counts, seed: int) -> Floorplan:
    floor, luck, (rules, names) = drawn
    count = stage_kernel.finish_floor(floor, rules, luck[stage_kernel.ROOMS])
    rooms = tuple(
        PlannedRoom(
            names[floor[board.ROOM_KIND + room]],
            SHAPES_BY_ID[floor[board.SHAPE + room]].name,
            cells_at(floor[board.SHAPE + room], floor[board.ANCHOR + room]),
            None if floor[board.DISTANCE + room] == board.NO_DISTANCE else floor[board.DISTANCE + room],
            floor[board.DEPTH + room],
        )
        for room in range(count)
    )
    facts: dict[str, Property] = {
        "curse": numbers.curse,
        "edition": spec.edition,
        "seed_code": code_of(start_seed_of(seed)),
        "generator_seed": numbers.generator_seed,
        "target_rooms": numbers.rooms,
    }
    kinds = spec.load_kit().kinds
    return Floorplan(rooms, door_kinds(spec.stage, kinds), facts, luck[stage_kernel.TRIES], kinds)


@lru_cache(maxsize=4096)
def cells_at(shape: int, anchor: int) -> tuple[Point, ...]:
    """List the cells of a shape, given by id, with its corner at a position."""
    x, y = cell_at(anchor)
    return tuple((x + dx, y + dy) for dx, dy in SHAPES_BY_ID[shape].cells)
