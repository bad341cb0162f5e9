"""Led levels: a heap's plan by the rules of a kit, and what the finished floorplan's rooms get."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from generator.algorithms.graph import Edge, neighbours_of, steps_from
from generator.kinds import Kit
from generator.kinds.heap_tables import LED_PLACES, LedRow
from generator.level import Property
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.connect import Connections, neighbours
from generator.styles.gungeon.furnishing.gungeon_layouts import HUB
from generator.styles.gungeon.furnishing.kit_tables import (
    BOSS,
    NORMAL,
    START,
    gungeon_kind,
    gungeon_kinds,
    off_the_way,
)
from generator.styles.gungeon.led_close_kernel import Spans, draw_together
from generator.styles.gungeon.led_kernel import FEWEST, LED_LOOPS, LED_TRIES, MOST, TREE, lead
from generator.styles.gungeon.led_seats_kernel import NEXT_TO, ROW, LedRules, LedState, count_unmet
from generator.styles.gungeon.led_shape_kernel import BASE
from generator.styles.gungeon.plan import GungeonRoom, Heap, HeapPlan
from generator.styles.gungeon.spec import GungeonSpec

STREAM = "gungeon.led"
LED_FACTS = ("unmet", "unmet_rules", "not_led")


class Led(NamedTuple):
    """A heap that is led: its rooms where they are to lie, which may overlap, and their connections.

    `through` are the rooms off the way that may have more than one door.
    """

    heap: Heap
    connections: Connections
    through: frozenset[int]


def led_heap(spec: GungeonSpec, heap: Heap, seed: int, attempt: int, turn: int) -> Led | None:
    """Plan the way, branches and loops of a heap, and seat its rooms. None if no plan is found.

    Rules are kept in the first turns; see `lead`.
    """
    names = kind_numbers(spec.load_kit())
    rules = led_rules(spec)
    rooms, centres = len(heap.kinds), heap.centres
    state = new_led_state(rooms, len(rules.rows) // ROW)
    kinds = [names[kind] for kind in heap.kinds]
    places = centres[:, 0].tolist(), centres[:, 1].tolist()
    layouts = heap.layouts or (None,) * rooms
    hubs = [int(layout is not None and HUB in layout.layout.tags) for layout in layouts]
    edges = [a * BASE + b for a, b in neighbours(heap)]
    key = Stream(seed, STREAM, attempt).key
    chosen = [
        (edge // BASE, edge % BASE) for edge in lead(key, turn, kinds, places, hubs, edges, rules, state)
    ]
    if not chosen:
        return None
    tree, loops = state.numbers[TREE], state.numbers[TREE] + state.numbers[LED_LOOPS]
    seats = state.seats.tolist()
    x, y = centres[seats].T
    return Led(
        heap._replace(x=(x - heap.width) // 2, y=(y - heap.height) // 2),
        Connections(chosen[:tree], chosen[loops:], chosen[tree:loops], loops - tree),
        frozenset(room for room in range(rooms) if state.through[room]),
    )


def unmet_rules(spec: GungeonSpec, kinds: Sequence[str], hallways: Sequence[Edge]) -> tuple[int, ...]:
    """Count the rooms of a finished floorplan that break each rule of `rule_names`. The tree comes first."""
    names, rules = kind_numbers(spec.load_kit()), led_rules(spec)
    unmet = array("q", bytes(8 * (len(rules.rows) // ROW + 1)))
    edges = [a * BASE + b for a, b in hallways]
    count_unmet(len(kinds), [names[kind] for kind in kinds], edges, rules, unmet)
    return tuple(unmet)


def drawn_together(heap: Heap, connections: Connections, margin: int) -> Heap:
    """Move the rooms of a led heap nearer to those they are joined to, at least `margin` tiles apart."""
    x, y, width, height = (sides.tolist() for sides in (heap.x, heap.y, heap.width, heap.height))
    edges = [a * BASE + b for a, b in connections.tree + connections.loop_candidates]
    draw_together(Spans(x, width, y, height), Spans(y, height, x, width), edges, len(x), margin)
    return heap._replace(x=np.array(x, np.int64), y=np.array(y, np.int64))


def new_led_state(rooms: int, rules: int) -> LedState:
    """Make the arrays that `lead` writes to."""
    zeros = [array("q", bytes(8 * number)) for number in (rooms, rules + 1, 2)]
    return LedState(zeros[0], bytearray(rooms), zeros[1], zeros[2])


# A kit's rules.


@lru_cache(maxsize=64)
def kind_numbers(kit: Kit) -> dict[str, int]:
    """Number the room kinds as the kernels do: the start, the boss, those that the style draws, the rest."""
    drawn = [name for name in gungeon_kinds(kit.kinds) if name not in (START, BOSS)]
    return {
        name: number for number, name in enumerate(dict.fromkeys([START, BOSS, *drawn, *kit.kinds.rooms]))
    }


@lru_cache(maxsize=64)
def rows_of_kind(kit: Kit, kind: str) -> tuple[LedRow, ...]:
    """Return the rules for where rooms of a kind lie: its own rows, or else those of its special rooms.

    Without either, rooms off the way are dead ends and all others lie anywhere.
    """
    if kind in (START, NORMAL):
        return ()
    rows = [row for row in kit.rules.led.get(kind, ()) if row.moves_rooms]
    if not rows:
        places = [
            row.place for row in kit.rules.special_rooms if kind in (row.room, row.other) and row.has_own_dice
        ]
        rows = [LedRow(place) for place in dict.fromkeys(places) if place in LED_PLACES or ":" in place]
    if not rows:
        usual = "far" if kind == BOSS else "dead_end" if kind in off_the_way(kit.kinds) else "anywhere"
        rows = [LedRow(usual)]
    return tuple(rows)


@lru_cache(maxsize=64)
def _rules(kit: Kit, shape: tuple[int, ...]) -> LedRules:
    numbers = kind_numbers(kit)
    rows, begins = list[int](), [0]
    for kind in numbers:
        for row in rows_of_kind(kit, kind):
            place = NEXT_TO if row.beside else LED_PLACES_NUMBERS[row.place]
            rows.extend([place, numbers.get(row.beside, -1), numbers[NORMAL], *row.depth, row.apart])
        begins.append(len(rows) // ROW)
    aside = [int(kind in off_the_way(kit.kinds)) for kind in numbers]
    return LedRules(shape, rows, begins, aside)


LED_PLACES_NUMBERS = {place: number for number, place in enumerate(LED_PLACES)}


def led_rules(spec: GungeonSpec) -> LedRules:
    """Return the rules of a spec for the kernel."""
    kit = spec.load_kit()
    two_ways = kit.rules.gungeon["two_ways"]
    shape = (*spec.linearity, *spec.branching, two_ways, *spec.loop_share, 2 * spec.loop_length)
    return _rules(kit, shape)


@lru_cache(maxsize=64)
def rule_names(kit: Kit) -> tuple[str, ...]:
    """Name the rules of a kit in the kernel's order: `chest on_a_loop`, last that of rooms off the way."""
    names = [f"{kind} {row.place}" for kind in kind_numbers(kit) for row in rows_of_kind(kit, kind)]
    return *names, "off_the_way"


def led_facts(kit: Kit, rooms: int, tries: int, unmet: Sequence[int]) -> dict[str, Property]:
    """Return those of `LED_FACTS` that a floorplan of so many rooms and tries has.

    `not_led` is why it is joined by chance; `unmet` is how many rooms do not lie where a rule asks, and
    `unmet_rules` names these rules. What does not apply is left out.
    """
    if rooms < FEWEST:
        return {"not_led": f"fewer than {FEWEST} rooms"}
    if rooms > MOST:
        return {"not_led": f"more than {MOST} rooms"}
    if tries > LED_TRIES:
        return {"not_led": f"no plan in {LED_TRIES} tries"}
    if not any(unmet):
        return {}
    names = dict.fromkeys(name for name, number in zip(rule_names(kit), unmet, strict=True) if number)
    return {"unmet": sum(unmet), "unmet_rules": ", ".join(names)}


# What rooms of the finished floorplan get: quiet rooms after fights, and prizes at dead ends.


def with_roles(spec: GungeonSpec, plan: HeapPlan, unmet: Sequence[int]) -> HeapPlan:
    """Give the rooms of a led floorplan their roles, by the rules of the spec's kit."""
    kit = spec.load_kit()
    beside = neighbours_of(range(len(plan.rooms)), plan.connections)
    quiet = quiet_rooms(kit, plan.rooms, beside)
    rooms = tuple(
        room._replace(is_quiet=True)
        if number in quiet
        else room._replace(gives=prize_of(kit, room.kind))
        if len(beside[number]) == 1
        else room
        for number, room in enumerate(plan.rooms)
    )
    facts = {**plan.facts, **led_facts(kit, len(rooms), plan.tries, unmet)}
    return replace(plan, rooms=rooms, facts=facts, unmet=tuple(unmet) if any(unmet) else ())


def prize_of(kit: Kit, kind: str) -> str:
    """Return the marker that a room of a kind has at a dead end. Empty for none."""
    rows = kit.rules.led.get(kind, ())
    if not rows and gungeon_kind(kit.kinds, kind).has_fights:
        rows = kit.rules.led.get(NORMAL, ())
    return next((row.gives for row in rows if row.gives), "")


def quiet_rooms(kit: Kit, rooms: Sequence[GungeonRoom], beside: dict[int, list[int]]) -> set[int]:
    """Choose the rooms without fights: on no shortest path to the furthest boss do more fights follow one
    another than the kit allows. Without a boss, the furthest room counts.
    """
    most = max((row.quiet_after for row in kit.rules.led.get(NORMAL, ())), default=0)
    if not most:
        return set()
    from_start = steps_from(0, beside)
    bosses = [number for number, room in enumerate(rooms) if room.kind == BOSS] or range(len(rooms))
    boss = max(bosses, key=lambda number: from_start[number])
    from_boss = steps_from(boss, beside)
    quiet: set[int] = set()
    in_a_row: dict[int, int] = {}
    for number, steps in from_start.items():  # the nearest first
        if steps + from_boss[number] != from_start[boss]:
            continue
        before = [in_a_row[other] for other in beside[number] if from_start[other] == steps - 1]
        has_fights = gungeon_kind(kit.kinds, rooms[number].kind).has_fights and not rooms[number].is_quiet
        in_a_row[number] = max(before, default=0) + 1 if has_fights else 0
        if in_a_row[number] > most:
            quiet.add(number)
            in_a_row[number] = 0
    return quiet
