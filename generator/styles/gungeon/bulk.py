"""Floorplans of the `gungeon` style for many seeds, made by compiled kernels: as arrays, or one by one."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.algorithms.astar_kernel import PathSearch
from generator.algorithms.separation_kernel import Boxes
from generator.algorithms.triangulation_kernel import TriangleMesh
from generator.compiled.loader import bulk
from generator.errors import GenerationFailed
from generator.geometry import Rect
from generator.kinds import DIFFICULTIES
from generator.kinds.settings import MAX_WEIGHT
from generator.level import MARGIN, MAX_TILES
from generator.named_tuple import NamedTuple
from generator.rng import name_key
from generator.styles.columns import DoorColumns, KnownDoors, PlanColumns, Shorts, fact_column, joined
from generator.styles.gungeon import plan_kernel
from generator.styles.gungeon.connect_kernel import HeapState, RoomGraph
from generator.styles.gungeon.dealing import PoolEntry, keep_apart, tagged
from generator.styles.gungeon.floorplan import floorplan, own_rules
from generator.styles.gungeon.flows.records import LED, WITHOUT_PLAN
from generator.styles.gungeon.furnishing.gungeon_layouts import CONNECTOR, HUB, GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import (
    BOSS,
    NORMAL,
    START,
    GungeonRoomKind,
    enemy_row,
    gungeon_kinds,
    off_the_way,
)
from generator.styles.gungeon.led import STREAM, led_facts, led_rules, new_led_state, rule_names, with_roles
from generator.styles.gungeon.led_seats_kernel import ROW, LedRules
from generator.styles.gungeon.plan import Entrance, Heap, HeapPlan, PlannedHallway, planned_rooms, tiles_of
from generator.styles.gungeon.plan_kernel import MADE, MAX_TRIES, SHORT_OF_SPACE, GungeonColumns
from generator.styles.gungeon.route import SIDES, RoomSide, straights
from generator.styles.gungeon.route_kernel import (
    BESIDE,
    HALLWAYS,
    LINE,
    MAY,
    MIDDLE,
    ROOMS,
    STRIDE,
    Doors,
    Grid,
    LaidHallways,
    RouteState,
)
from generator.styles.gungeon.scatter_kernel import (
    ConnectRules,
    Dropped,
    DropRules,
    GungeonRules,
    KindTable,
    Pools,
)
from generator.styles.gungeon.set_pieces import may_have_pieces
from generator.styles.gungeon.spec import DEAD_ENDS, GungeonSpec

# A spec's rules as arrays for the floorplan kernel, and the kernel's buffers.

_SHAPES = ("strip", "square", "disc")  # as the kernel numbers them
_TAGS = ("", HUB, CONNECTOR)
_LEVELS = sorted(DIFFICULTIES.values())
_HALLWAYS_A_ROOM = 4  # hallways at most: neither a triangulation nor two of the same points have more edges


class HeapTables(NamedTuple):
    """A spec's rules as arrays, with the kinds' names and the layouts' images by number."""

    rules: GungeonRules
    kinds: tuple[str, ...]
    images: tuple[GungeonLayout, ...]
    doors: bytearray
    most_rooms: int


def tables_of(spec: GungeonSpec) -> HeapTables | None:
    """Make the tables of a spec.

    None for one with a flow, an `only_layout`, set pieces, a kit with its own rules, a memory, the shortest
    tree, or layouts with classes of exits.
    """
    if spec.tree != DEAD_ENDS:
        return None
    if spec.flow not in WITHOUT_PLAN or spec.only_layout or own_rules(spec) or spec.memory.place:
        return None
    kit = spec.load_kit()
    most = spec.rooms or sum(spec.range_of(kind, "rooms")[1] for kind in gungeon_kinds(kit.kinds).values())
    if may_have_pieces(spec, most, is_led=spec.flow == LED):
        return None
    rest = [kind for kind in gungeon_kinds(kit.kinds).values() if kind.name not in (START, BOSS)]
    kinds = [spec.row_of(START), spec.row_of(BOSS), *rest]
    decks = [tagged(spec, kind.name, tag) for kind in kinds for tag in _TAGS]
    cards = [card for deck in decks for card in deck]
    images = [image for card in cards for image in card.images]
    if any(weight < 1 for card in cards for weight in card.weights.values()):
        return None
    if any(exit_.joins for card in cards for exit_ in card.layout.exits):
        return None
    rules = GungeonRules(
        _drop_rules(spec, kinds),
        ConnectRules(*spec.loop_share, spec.loop_length, 1 + 2 * MAX_WEIGHT, name_key("gungeon.connect")),
        _kind_table(spec, kinds),
        _pools(spec, decks, cards, images),
        MAX_TILES,
        LedRules(*(array("q", numbers) for numbers in led_rules(spec))),
        int(spec.flow == LED),
        name_key(STREAM),
    )
    doors = bytearray().join(_door_lines(spec, image) for image in images)
    ranges = rules.kinds.rooms
    most = spec.rooms or 1 + sum(ranges[2 * kind + 1] for kind in range(1, len(kinds)))
    return HeapTables(rules, tuple(kind.name for kind in kinds), tuple(images), doors, most)


def _drop_rules(spec: GungeonSpec, kinds: Sequence[GungeonRoomKind]) -> DropRules:
    normal = next(number for number, kind in enumerate(kinds) if kind.name == NORMAL)
    numbers = spec.rooms, normal, _SHAPES.index(spec.drop), spec.hallway_width + 2
    return DropRules(array("q", numbers), name_key("gungeon.scatter"), name_key("gungeon.deal"))


def _kind_table(spec: GungeonSpec, kinds: Sequence[GungeonRoomKind]) -> KindTable:
    rows = spec.load_kit().kinds
    rooms = [(1, 1), *(spec.range_of(kind, "rooms") for kind in kinds[1:])]
    return KindTable(
        rooms=_flat(rooms),
        width=_flat(spec.range_of(kind, "width") for kind in kinds),
        height=_flat(spec.range_of(kind, "height") for kind in kinds),
        procedural=array("q", map(spec.share_by_procedure, kinds)),
        weight=array("q", [kind.weight for kind in kinds]),
        aside=array("q", [kind.name in off_the_way(rows) for kind in kinds]),
    )


def _flat(pairs: Iterable[tuple[int, int]]) -> array[int]:
    return array("q", [number for pair in pairs for number in pair])


def _pools(
    spec: GungeonSpec,
    decks: Sequence[Sequence[PoolEntry]],
    cards: Sequence[PoolEntry],
    images: Sequence[GungeonLayout],
) -> Pools:
    kit = spec.load_kit()
    return Pools(
        decks=_sums(map(len, decks)),
        weights=array("q", [card.weights[level] for card in cards for level in _LEVELS]),
        once=bytearray(card.layout.repeat == "once" for card in cards),
        images=_sums(len(card.images) for card in cards),
        sizes=_flat(image.size for image in images),
        suits=bytearray(image.exits(spec.hallway_width, spec.body) is not None for image in images),
        is_hub=bytearray(HUB in image.layout.tags for image in images),
        left=bytearray(len(cards)),
        more=bytearray(len(cards)),
        begun=bytearray(len(decks)),
        levels=bytearray(_LEVELS.index(enemy_row(danger, kit).difficulty) for danger in range(101)),
    )


def _sums(counts: Iterable[int]) -> array[int]:
    """Running sums: where each part begins when they follow each other, and where the last ends."""
    sums = array("q", [0])
    for count in counts:
        sums.append(sums[-1] + count)
    return sums


def _door_lines(spec: GungeonSpec, image: GungeonLayout) -> bytearray:
    """Mark where doors may be on the four sides of an image."""
    lines, width = bytearray(4 * LINE), spec.hallway_width
    for number, side in enumerate(SIDES):
        line = memoryview(lines)[number * LINE : (number + 1) * LINE]
        for offsets in (image.exits(width, spec.body) or {}).get(side, ()):
            for offset in offsets:
                line[offset] |= MAY
            for offset in offsets[:: width + 1]:
                line[offset] |= BESIDE
            line[offsets[len(offsets) // 2]] |= MIDDLE
    return lines


def new_state(tables: HeapTables, width: int, tiles: int) -> HeapState:
    """Make buffers for a floorplan of a spec, on a grid of `tiles` tiles, with hallways of this width."""
    rooms = tables.most_rooms + 1

    def zeros(number: int) -> array[int]:
        return array("q", bytes(8 * number))

    boxes = Boxes(*(zeros(rooms) for _ in Boxes._fields))
    dropped = Dropped(*(zeros(max(rooms, len(tables.kinds))) for _ in Dropped._fields))
    hallways, numbers = 2 * _HALLWAYS_A_ROOM * rooms, array("i", bytes(16 * tiles))
    ends = (zeros(2 * hallways) for _ in range(3))
    return HeapState(
        rooms=dropped,
        graph=RoomGraph(*(zeros(2 * hallways) for _ in RoomGraph._fields)),
        mesh=TriangleMesh(*(zeros(6 * rooms) for _ in TriangleMesh._fields)),
        route=RouteState(
            boxes,
            Doors(tables.doors or bytearray(1), dropped.images, width),
            Grid(
                PathSearch(bytearray(tiles), numbers, numbers[:], numbers[:], numbers[:]),
                bytearray(4 * rooms),
                zeros(8),
            ),
            LaidHallways(
                next(ends), next(ends), next(ends), zeros(hallways), zeros(hallways + 1), zeros(tiles)
            ),
        ),
        distances=zeros(rooms),
        depths=zeros(rooms),
        tries=zeros(1),
        laid=bytearray(3 * hallways),
        doors=zeros(rooms),
        led=new_led_state(rooms, len(tables.rules.led.rows) // ROW),
    )


_TILES = 1 << 16  # of the first grid; a grid that is too small is doubled
_BLOCK_NUMBERS = 1 << 20  # size of the arrays before they are cut to what they hold


class Maker:
    """Makes the floorplans of a spec with kernels, compiled or interpreted, and reuses its buffers."""

    def __init__(self, spec: GungeonSpec, tables: HeapTables, kernel: Any) -> None:
        self.spec = spec
        self.tables = tables
        self.kernel = kernel
        self._tiles = _TILES
        self._state = self._new_state()
        self._box = array("q", bytes(32))

    def _new_state(self) -> HeapState:
        return new_state(self.tables, self.spec.hallway_width, self._tiles)

    def plan(self, seed: int) -> HeapPlan:
        """Make the same plan as `floorplan`, which handles what kernels cannot. Raises what it raises."""
        while (outcome := self._made(seed)) == SHORT_OF_SPACE:
            self._grow()
        return self._finished() if outcome == MADE else floorplan(self.spec, seed)

    def _made(self, seed: int) -> int:
        outcome: int = self.kernel.make_one(array("Q", (seed,)), self.tables.rules, self._state)
        return outcome

    def _grow(self) -> None:
        self._tiles *= 2
        self._state = self._new_state()

    def write_down(self, seeds: array[int], out: GungeonColumns) -> list[int]:
        """Write the floorplans of these seeds to `out`. Returns the rows that are left to `floorplan`."""
        row, left = 0, []
        rules = self.tables.rules
        while (row := self.kernel.make_plans(seeds, row, rules, self._state, out)) < len(seeds):
            if self._made(seeds[row]) == SHORT_OF_SPACE:
                self._grow()
            else:
                left.append(row)
                row += 1
        return left

    def _finished(self) -> HeapPlan:
        """Return the floorplan in the state, in tiles of the level."""
        state, tables = self._state, self.tables
        self.kernel.frame(state, self._box)
        dx, dy, right, bottom = self._box[0] - MARGIN, self._box[1] - MARGIN, self._box[2], self._box[3]
        rooms, count = state.route.grid.numbers[ROOMS], state.route.grid.numbers[HALLWAYS]
        x, y, width, height = (np.array(side[:rooms]) for side in state.route.boxes[:4])
        layouts = tuple(
            [tables.images[image] if image >= 0 else None for image in state.rooms.images[:rooms]]
        )
        kinds = tuple([tables.kinds[kind] for kind in state.rooms.kinds[:rooms]])
        heap = Heap(kinds, x - dx, y - dy, width, height, layouts, self.spec.load_kit().kinds)
        rects = heap.rects()
        hallways = tuple([self._hallway(hallway, rects, dx, dy) for hallway in range(count)])
        heap = keep_apart(self.spec, heap, hallways)
        placed = planned_rooms(heap, rects, state.distances[:rooms], state.depths[:rooms])
        size = right + MARGIN - dx, bottom + MARGIN - dy
        plan = HeapPlan(
            size, placed, hallways, {"loops": sum(state.route.hallways.loops[:count])}, state.tries[0]
        )
        return with_roles(self.spec, plan, state.led.unmet) if tables.rules.is_led else plan

    def _hallway(self, hallway: int, rects: Sequence[Rect], dx: int, dy: int) -> PlannedHallway:
        hallways, stride = self._state.route.hallways, self._state.route.grid.numbers[STRIDE]
        positions = hallways.paths[hallways.begins[hallway] : hallways.begins[hallway + 1]]
        path = tuple([(position % stride - dx, position // stride - dy) for position in positions])
        first, last = (self._entrance(end, rects, dx, dy) for end in (2 * hallway, 2 * hallway + 1))
        tiles = tiles_of(list(straights(path, self.spec.hallway_width)))
        return PlannedHallway((first, last), path, tiles, bool(hallways.loops[hallway]))

    def _entrance(self, end: int, rects: Sequence[Rect], dx: int, dy: int) -> Entrance:
        hallways, stride = self._state.route.hallways, self._state.route.grid.numbers[STRIDE]
        room = hallways.rooms[end]
        side = RoomSide(room, hallways.sides[end], rects[room], None, self.spec.hallway_width, stride)
        return side.entrance(hallways.places[end] - dy * stride - dx)


def maker(spec: GungeonSpec, seeds: int) -> Maker | None:
    """Prepare a maker for this many floorplans. None if nothing is compiled or kernels cannot make them.

    Interpreted kernels run at 0.6 of the speed of `floorplan` with 15 rooms, 0.4 with 50 and 0.2 with 500, as
    they look at one number at a time where that has numpy and dictionaries. So both forms are kept.
    """
    spec.load_kit().need(spec.style, rooms=(START, NORMAL, BOSS))
    kernel = bulk(plan_kernel, spec.style, pays=seeds >= spec.few)
    if kernel is plan_kernel:
        return None
    tables = tables_of(spec)
    return Maker(spec, tables, kernel) if tables else None


def plans(spec: GungeonSpec) -> Callable[[int], HeapPlan] | None:
    """See `Style.plans`."""
    plan_maker = maker(spec, spec.few)
    return plan_maker.plan if plan_maker else None


def floorplans(spec: GungeonSpec, seeds: Sequence[int]) -> PlanColumns | None:
    """Make the floorplans of these seeds. None for a spec with a flow, or if nothing is compiled."""
    plan_maker = maker(spec, len(seeds))
    return columns(plan_maker, seeds) if plan_maker else None


def columns(plan_maker: Maker, seeds: Sequence[int]) -> PlanColumns:
    """Make the floorplans of these seeds as arrays."""
    most = plan_maker.tables.most_rooms
    size = max(1, _BLOCK_NUMBERS // (10 * most))
    blocks = [_block(plan_maker, seeds[first : first + size]) for first in range(0, len(seeds), size)]

    def whole(name: str) -> Shorts:
        return joined([getattr(block, name) for block in blocks])

    rooms, hallways = whole("rooms"), whole("hallways")
    connections, is_made = whole("connections"), rooms > 0
    facts = _led_columns(plan_maker, rooms, whole("tries"), whole("unmet"))
    is_laid = np.arange(connections.shape[1]) < hallways[:, None]
    doors = DoorColumns(
        connections,
        np.full(is_laid.shape, -1, np.int16),
        np.full(is_laid.shape, -1, np.int16),
        np.where(is_laid, 0, -1).astype(np.int16),
        ("connection",),
    )
    kinds = whole("kinds")
    return PlanColumns(
        seeds=np.array(seeds, np.uint64),
        made=is_made,
        tries=np.where(is_made, whole("tries"), MAX_TRIES).astype(np.int32),
        rooms=rooms,
        kind=kinds,
        shape=np.minimum(kinds, 0),
        distance=whole("distances"),
        depth=whole("depths"),
        bounds=whole("bounds"),
        cells=np.full((len(seeds), 0, 2), -1, np.int16),
        cell_room=np.full((len(seeds), 0), -1, np.int16),
        extent=whole("extent"),
        facts={"loops": whole("loops").astype(np.int64), **facts},
        kinds=plan_maker.tables.kinds,
        shapes=("rectangle",),
        secret_doors=plan_maker.spec.load_kit().kinds.secret_doors,
        find_doors=KnownDoors(doors),
    )


def _led_columns(
    plan_maker: Maker, rooms: Shorts, tries: Shorts, unmet: Shorts
) -> dict[str, npt.NDArray[Any]]:
    """Return the facts that led levels have, without those that none of them has."""
    if not plan_maker.tables.rules.is_led:
        return {}
    kit = plan_maker.spec.load_kit()
    levels = zip(rooms.tolist(), tries.tolist(), unmet.tolist(), strict=True)
    facts = [led_facts(kit, *level) if level[0] > 0 else {} for level in levels]
    names = dict.fromkeys(name for level in facts for name in level)
    return {name: fact_column([level.get(name) for level in facts]) for name in names}


def _block(plan_maker: Maker, seeds: Sequence[int]) -> GungeonColumns:
    """Make the floorplans of some seeds, in arrays cut to the width they need."""
    rooms, many, kit = plan_maker.tables.most_rooms, len(seeds), plan_maker.spec.load_kit()

    def nothing(*shape: int) -> Shorts:
        return np.full((many, *shape), -1, np.int16)

    out = GungeonColumns(
        nothing(), nothing(), nothing(rooms), nothing(rooms), nothing(rooms), nothing(rooms, 4),
        nothing(), nothing(4 * rooms, 2), nothing(), nothing(2), nothing(len(rule_names(kit))),
    )  # fmt: skip
    for row in plan_maker.write_down(array("Q", seeds), out):
        _write_plan(plan_maker, seeds[row], row, out)
    most, hallways = (max(0, int(count.max(initial=0))) for count in (out.rooms, out.hallways))
    by_room = {
        name: getattr(out, name)[:, :most].copy() for name in ("kinds", "distances", "depths", "bounds")
    }
    return out._replace(**by_room, connections=out.connections[:, :hallways].copy())


def _write_plan(plan_maker: Maker, seed: int, row: int, out: GungeonColumns) -> None:
    """Write a floorplan that kernels cannot make to `out`."""
    try:
        plan = floorplan(plan_maker.spec, seed)
    except GenerationFailed:
        return
    rooms, hallways = len(plan.rooms), len(plan.hallways)
    out.tries[row] = plan.tries
    out.rooms[row], out.hallways[row], out.loops[row] = rooms, hallways, plan.facts["loops"]
    out.kinds[row, :rooms] = [plan_maker.tables.kinds.index(room.kind) for room in plan.rooms]
    out.distances[row, :rooms] = [room.distance for room in plan.rooms]
    out.depths[row, :rooms] = [room.depth for room in plan.rooms]
    out.bounds[row, :rooms] = [room.bounds for room in plan.rooms]
    out.connections[row, :hallways] = np.array(plan.connections, np.int16).reshape(-1, 2)
    out.extent[row] = plan.extent
    out.unmet[row] = plan.unmet or 0
