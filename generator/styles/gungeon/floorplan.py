"""The floorplan of the `gungeon` style: a heap of rooms, pushed apart and linked by hallways.

After Boyd van Nobelen, "Procedurally Generated Dungeon", who took the idea from A. Adonaac, "Procedural
Dungeon Generation" (2015).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isqrt

import numpy as np

from generator.algorithms.separation import separate
from generator.arrays import Ints
from generator.errors import GenerationFailed, SpecError
from generator.named_tuple import NamedTuple
from generator.reasons import came
from generator.rng import Stream
from generator.stages import enter_stage
from generator.styles.gungeon.connect import Connections, connect
from generator.styles.gungeon.dealing import deal, has_size, keep_apart
from generator.styles.gungeon.flows.records import LED, RANDOM
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import BOSS, NORMAL, START, gungeon_kinds
from generator.styles.gungeon.injections import due, with_injected_layouts, with_injected_rooms
from generator.styles.gungeon.led import drawn_together, led_heap, unmet_rules, with_roles
from generator.styles.gungeon.led_kernel import breaks_too_many, can_lead
from generator.styles.gungeon.plan import (
    Heap,
    HeapPlan,
    RoutedHallway,
    edges_of,
    finished_plan,
    has_long_walks,
    longest_walk,
    walked,
)
from generator.styles.gungeon.plan_kernel import (
    LED_TRIES_FOR_SHORT_HALLWAYS,
    LONG_HALLWAY,
    LONG_LED_HALLWAY,
    MAX_TRIES,
    ROOMS_FOR_LOOPS,
    TRIES_FOR_SHORT_HALLWAYS,
)
from generator.styles.gungeon.route import NEAREST, border, route
from generator.styles.gungeon.set_pieces import (
    OpenedHeap,
    chosen_pieces,
    opened,
    patience,
    with_names,
    with_pieces,
)
from generator.styles.gungeon.spec import GungeonSpec
from generator.styles.special_rooms import BEGINNING, SpecialRoom, kit_facts, rows_of

_TRIES_WITH_CLASSES = 12  # of `MAX_TRIES`: in the rest, some layouts with classes of exits are left out


def floorplan(spec: GungeonSpec, seed: int) -> HeapPlan:
    """Make a floorplan: rooms, and the hallways that lead to each of them.

    Raises GenerationFailed if no try succeeds, and SpecError if there are more or larger rooms than a level
    has tiles for, or if no room can have its `only_layout`.

    A try fails if a room cannot be reached, or if the furthest boss room is less than two thirds as far as
    the furthest room of all. The first few also fail if hallways are too long, or if no loop was found. Last,
    a try fails if a hallway joins the start to a boss room, unless there are no other rooms. Later tries do
    not consider such hallways.

    With `flow = "led"` rooms are joined and seated by `led_heap`, and a try also fails if that finds no plan.
    The first few also fail if more than one room in a hundred breaks its rule in the end. The last tries, and
    heaps of too few or too many rooms, are joined as with `random`, and the plan's facts say so. A flow has
    its own rooms and connections, and none of these rules.
    """
    if spec.only_layout and (misfit := spec.layout_misfit(spec.only_layout)):
        raise SpecError(f"only_layout: {spec.only_layout}: {misfit}")
    chosen = spec.flow
    if chosen not in (LED, RANDOM):
        from generator.styles.gungeon.flow_floor import flow_plan  # few levels have a flow
        from generator.styles.gungeon.flows.library import chosen_flow, chosen_name

        chosen = chosen_name(spec.flow, seed)
        if flow := chosen_flow(spec.flow, seed, spec.load_kit()):
            return flow_plan(spec, with_injected_rooms(spec, flow, seed), seed)
    spec.load_kit().need(spec.style, rooms=(START, NORMAL, BOSS))
    margin = spec.hallway_width + 2  # a hallway with its walls passes between any two rooms
    reason, bosses_apart = "", False
    for attempt in range(MAX_TRIES):
        enter_stage("pushing rooms apart")
        heap = scatter(spec, margin, seed, attempt, is_led=chosen == LED)
        heap = _pushed_apart(spec, heap, margin, seed, attempt)
        enter_stage("connecting rooms")
        led, turn = None, patience(heap, attempt)
        if chosen == LED and can_lead(len(heap.kinds), attempt):
            led = led_heap(spec, heap, seed, attempt, turn)
            if led is None:
                reason = "the rooms have no places"
                continue
            connections = led.connections
            heap = drawn_together(separate_rooms(led.heap, margin), connections, margin).on_grid(
                border(spec.hallway_width), "rooms"
            )
        else:
            connections = connect(spec, heap, seed, attempt, bosses_apart=bosses_apart)
        enter_stage("routing hallways")
        through, nearest = (led.through, NEAREST) if led else (frozenset(), ())
        is_early = attempt < (LED_TRIES_FOR_SHORT_HALLWAYS if led else TRIES_FOR_SHORT_HALLWAYS)
        halves = LONG_LED_HALLWAY if led else LONG_HALLWAY
        inside = opened(heap, spec.hallway_width, spec.body)
        longest = _longest_walk(connections, inside, halves) if is_early else 0
        hallways = route(heap, connections, spec.hallway_width, spec.body, through, nearest, longest)
        if hallways is None:
            reason = "a room could not be reached" + _class_hint(heap)
            continue
        heap, hallways = inside.heap, inside.joined(hallways)
        distances = walked(len(heap.kinds), hallways)
        bosses = [distances[room] for room, kind in enumerate(heap.kinds) if kind == BOSS]
        if bosses and 3 * max(bosses) < 2 * max(distances):
            reason = "the boss is too near to the start"
            continue
        unmet = unmet_rules(spec, heap.kinds, edges_of(hallways)) if led else ()
        if breaks_too_many(len(heap.kinds), turn, unmet) or (
            is_early and (has_long_walks(heap, hallways, halves) or _lacks_loops(heap, hallways, connections))
        ):
            continue
        if _has_boss_beside_start(heap, hallways):
            reason, bosses_apart = "a boss is beside the start", True
            continue
        plan = with_names(finished_plan(keep_apart(spec, heap, hallways), hallways, distances, attempt + 1))
        return with_roles(spec, plan, unmet) if chosen == LED else plan
    raise GenerationFailed("gungeon floorplan", MAX_TRIES, reason, seed)


def _pushed_apart(spec: GungeonSpec, heap: Heap, margin: int, seed: int, attempt: int) -> Heap:
    """Push the rooms of a dropped heap apart, and move it to the top left of its grid."""
    if attempt >= _TRIES_WITH_CLASSES:
        heap = _without_some_classes(spec, heap, Stream(seed, "gungeon.classes", attempt))
    return separate_rooms(heap, margin).on_grid(border(spec.hallway_width), "rooms")


def _without_some_classes(spec: GungeonSpec, heap: Heap, stream: Stream) -> Heap:
    """Leave half of the rooms whose layouts have classes of exits to procedure: these join all classes.

    Layouts of a size that no other room may have stay, and so does an `only_layout`.
    """

    def stays(kind: str, layout: GungeonLayout) -> bool:
        is_plain = not any(exit_.joins for exit_ in layout.layout.exits)
        is_needed = layout.file == spec.only_layout or not has_size(spec, kind, layout)
        return is_plain or is_needed or stream.chance(1, 2)

    layouts = [
        layout if layout and stays(kind, layout) else None
        for kind, layout in zip(heap.kinds, heap.layouts, strict=True)
    ]
    return heap._replace(layouts=tuple(layouts))


def _class_hint(heap: Heap) -> str:
    """Tell what else to do if a room cannot be reached in a heap with exits of several classes."""
    exits = (exit_ for layout in heap.layouts if layout for exit_ in layout.layout.exits)
    return (
        "; give layouts whose exits have joins= plain exits, too"
        if any(exit_.joins for exit_ in exits)
        else ""
    )


def _longest_walk(connections: Connections, inside: OpenedHeap, halves: int) -> int:
    """Return what no path may be longer than. 0 for a hundred hallways or more: one of them may be."""
    is_small = len(connections.tree) + connections.loops + len(inside.inner) < 100
    return longest_walk(inside.heap, halves) if is_small else 0


def _lacks_loops(heap: Heap, hallways: Sequence[RoutedHallway], connections: Connections) -> bool:
    """Check whether loops are wanted but missing, in a heap that has enough rooms for one."""
    return bool(connections.loops) and len(heap.kinds) >= ROOMS_FOR_LOOPS and not hallways[-1].is_loop


def _has_boss_beside_start(heap: Heap, hallways: Sequence[RoutedHallway]) -> bool:
    """Check whether a hallway joins start and boss although there are rooms that are neither."""
    if {START, BOSS}.issuperset(heap.kinds):
        return False
    return any({heap.kinds[a], heap.kinds[b]} == {START, BOSS} for a, b in edges_of(hallways))


# How many rooms of which kind and size there are, and where they are dropped.

# The area that rooms are dropped into, in percent of what they need: with less, the middle of a large heap is
# under more pressure than the limited rounds of pushing can relieve.
_AREA_PERCENT = 180
# Rooms are pushed apart along the axis of least overlap, so a square drop grows into a tower; a strip twice
# as wide as high ends up a little wider than high, as screens are (Boyd van Nobelen, "Procedurally Generated
# Dungeon", drops into a horizontal strip for that reason).
_STRIP_ASPECT = 2
_DISC_TRIES = 8  # points drawn per room; all miss the disc less than once in 200,000 rooms


def scatter(spec: GungeonSpec, margin: int, seed: int, attempt: int, *, is_led: bool = False) -> Heap:
    """Drop the rooms, which may overlap, into an area that grows with theirs.

    The start lies at one end of the heap and the boss at the other. Rooms with a layout have the layout's
    size. Set pieces come last.
    """
    stream = Stream(seed, "gungeon.scatter", attempt)
    kinds = count_kinds(spec, stream, own_kinds(spec, seed, attempt))
    pieces = chosen_pieces(spec, kinds, seed, attempt, is_led=is_led)
    kinds, plain = with_pieces(kinds, pieces), len(kinds) - sum(len(piece.drawn.kinds) for piece in pieces)
    width, height = _draw_sizes(spec, kinds, stream)
    area = _area(width, height, margin)
    places = np.column_stack(_SHAPES[spec.drop](len(kinds), area, stream))
    dropped = settled_places(spec, kinds, places[_dealt(kinds, places, stream)], seed, attempt)
    layouts = (*deal(spec, kinds[:plain], dropped[:plain], seed, attempt), *pieces)
    layouts = with_injected_layouts(spec, kinds[:plain], layouts, seed)
    for room, layout in enumerate(layouts):
        if layout is not None:
            width[room], height[room] = layout.size
    stretch = isqrt(_area(width, height, margin) * 1_000_000 // area)  # layouts may need more, or less
    x, y = (dropped * stretch // 1_000).T
    return Heap(kinds, x - width // 2, y - height // 2, width, height, layouts, spec.load_kit().kinds)


def _area(width: Ints, height: Ints, margin: int) -> int:
    """Count the tiles that rooms of these sizes are dropped into."""
    return int(((width + margin) * (height + margin)).sum()) * _AREA_PERCENT // 100


def count_kinds(spec: GungeonSpec, stream: Stream, own: Sequence[OwnRoom] = ()) -> tuple[str, ...]:
    """Draw the rooms' kinds: the start, then bosses, shops, chest rooms, other kinds and enemy rooms.

    The rooms that a kit's rules place come last, unless they go before another kind.

    Each number is drawn from its range. If the spec fixes the total, what the start and the bosses leave
    is shared out in proportion to these numbers.
    """
    rows = gungeon_kinds(spec.load_kit().kinds)
    kinds = [kind for kind in rows.values() if kind.name not in (START, BOSS)]
    bosses = stream.between(*spec.range_of(spec.row_of(BOSS), "rooms"))
    drawn = [stream.between(*spec.range_of(kind, "rooms")) for kind in kinds]
    if spec.rooms:
        bosses = min(bosses, spec.rooms - 1)
        shares = drawn if any(drawn) else [int(kind.name == NORMAL) for kind in kinds]
        own = own[: spec.rooms - 1 - bosses]
        drawn = _shared_out(spec.rooms - 1 - bosses - len(own), shares)
    names = [kind.name for kind, rooms in zip(kinds, drawn, strict=True) for _ in range(rooms)]
    for room in own:
        names.insert(names.index(room.before) if room.before in names else len(names), room.kind)
    return (START, *[BOSS] * bosses, *names)


def _shared_out(total: int, shares: list[int]) -> list[int]:
    """Share `total` seats by the method of the largest remainder. Of equal ones, the last comes first."""
    everyone = sum(shares)
    seats = [total * share // everyone for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda i: (total * shares[i] % everyone, i), reverse=True)
    for i in by_remainder[: total - sum(seats)]:
        seats[i] += 1
    return seats


def _draw_sizes(spec: GungeonSpec, kinds: tuple[str, ...], stream: Stream) -> tuple[Ints, Ints]:
    """Draw each room's width and height. All sizes in a kind's range are equally likely."""
    sizes = {kind: spec.sizes_of(spec.row_of(kind)) for kind in set(kinds)}
    widths, heights = np.array([sizes[kind] for kind in kinds], np.int64).transpose(1, 2, 0)
    return stream.between_block(*widths), stream.between_block(*heights)


def _strip(count: int, area: int, stream: Stream) -> tuple[Ints, Ints]:
    height = isqrt(area // _STRIP_ASPECT)
    return stream.below_block(area // height, count), stream.below_block(height, count)


def _square(count: int, area: int, stream: Stream) -> tuple[Ints, Ints]:
    side = isqrt(area)
    return stream.below_block(side, count), stream.below_block(side, count)


def _disc(count: int, area: int, stream: Stream) -> tuple[Ints, Ints]:
    """Draw, for each room, points of the square round the disc, and keep the first that lies in the disc."""
    side = isqrt(area * 4 * 113 // 355)  # 355 / 113 for pi: nobody sees a tile of difference
    x = stream.below_block(side, count * _DISC_TRIES).reshape(count, _DISC_TRIES)
    y = stream.below_block(side, count * _DISC_TRIES).reshape(count, _DISC_TRIES)
    inside = (2 * x - side) ** 2 + (2 * y - side) ** 2 <= side * side
    first = inside.argmax(axis=1)
    room = np.arange(count)
    return x[room, first], y[room, first]


_SHAPES = {"strip": _strip, "square": _square, "disc": _disc}


def _dealt(kinds: tuple[str, ...], places: Ints, stream: Stream) -> list[int]:
    """Deal each room its point: the start the outermost on one side, bosses the outermost on the other."""
    left = np.lexsort((places[:, 1], places[:, 0])).tolist()
    if stream.chance(1, 2):
        left.reverse()
    start, bosses = left.pop(0), kinds.count(BOSS)  # they come right after the start
    taken = left[len(left) - bosses :]
    return [start, *reversed(taken), *sorted(left[: len(left) - bosses])]


# Separate: the rooms of a heap push each other apart until none overlap.


def separate_rooms(heap: Heap, margin: int) -> Heap:
    """Move the heap's rooms at least `margin` tiles apart."""
    x, y = separate(heap.x, heap.y, heap.width, heap.height, margin)
    return heap._replace(x=x, y=y)


# Special rooms by the rules of a team's kit: more rooms of the heap, each with its own stream.


class OwnRoom(NamedTuple):
    """A room to add: its kind, where it is to lie, and the kind that it goes before."""

    kind: str
    place: str
    beside: str
    before: str


def own_rules(spec: GungeonSpec) -> tuple[SpecialRoom, ...]:
    """Return the rules of the spec's kit that apply.

    Conditions get the kit's facts, and those that a game of another style begins with.
    """
    kit = spec.load_kit()
    facts = {**BEGINNING, **kit_facts(kit, spec)}
    return () if kit.is_shipped else rows_of(kit, spec.style, facts, own_dice=True)


def own_kinds(spec: GungeonSpec, seed: int, attempt: int) -> list[OwnRoom]:
    """List the rooms that the rules place in an attempt at a heap, in their order, and those of its run."""
    turns: Counter[str] = Counter()
    rooms_of = {row.name: row.room for row in spec.load_kit().rules.special_rooms}
    rooms = []
    for rule in own_rules(spec):
        name = rule.row.name
        stream = Stream(seed, f"kit.special_room.{name}", turns[name], attempt)
        turns[name] += 1
        if kind := rule.roll(stream):
            came("special_room", name)
            rooms.append(OwnRoom(kind, rule.place, rule.row.beside, rooms_of.get(rule.row.before, "")))
    return rooms + [OwnRoom(row.kind, "", "", "") for row in due(spec, seed) if row.room]


def settled_places(spec: GungeonSpec, kinds: tuple[str, ...], places: Ints, seed: int, attempt: int) -> Ints:
    """Return where rooms are dropped [room, 2], once rooms whose rule has a place have swapped points.

    `far` is as far from the start as can be, `near` as near, and `beside:KIND` beside a room of the kind.
    """
    settled = places.copy()
    moved: set[int] = set()
    for room in own_kinds(spec, seed, attempt):
        index = next((i for i, kind in enumerate(kinds) if kind == room.kind and i not in moved), None)
        if index is None or (room.place not in ("far", "near") and not room.beside):
            continue
        moved.add(index)
        free = [i for i, kind in enumerate(kinds) if kind not in (START, BOSS) and i not in moved]
        targets = [i for i, kind in enumerate(kinds) if kind == (room.beside or START) and i != index]
        if free and targets:
            apart = np.abs(settled[free] - settled[targets[0]]).max(axis=1)
            partner = free[int(apart.argmax() if room.place == "far" else apart.argmin())]
            settled[[index, partner]] = settled[[partner, index]]
    return settled
