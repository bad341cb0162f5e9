"""The floorplan of a flow: its rooms, one hallway per connection, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from generator.algorithms.graph import Edge, kruskal
from generator.errors import GenerationFailed, SpecError
from generator.geometry import Rect, Side
from generator.rng import Stream
from generator.styles.gates import shortcut_fact
from generator.styles.gungeon.flow_dealing import (
    RoomDealer,
    Sides,
    difficulty_of,
    joins_problem,
    layout_problem,
    requested_layout,
    suits,
)
from generator.styles.gungeon.flow_lanes import along_drawing, ends_of, laid_tight
from generator.styles.gungeon.flow_place import Push, place
from generator.styles.gungeon.flows.draw import FlowDrawing, draw, edge_of
from generator.styles.gungeon.flows.planar import crossing_edges, planar_drawing
from generator.styles.gungeon.flows.proof import all_keys, hidden_rooms
from generator.styles.gungeon.flows.records import MAX_CONNECTIONS, QUIET_TAGS, Flow, distances
from generator.styles.gungeon.flows.relations import Relation, broken, hopeless, remedies
from generator.styles.gungeon.plan import (
    Heap,
    HeapPlan,
    PlannedGate,
    PlannedKey,
    RoutedHallway,
    finished_plan,
    has_long_walks,
    length_for,
)
from generator.styles.gungeon.route import NEAR, Limit, Router, border
from generator.styles.gungeon.spec import GungeonSpec

_MAX_TRIES = 40
_SIDES = 4  # of a room, for a connection each
_TRIES_FOR_SHORT_HALLWAYS = 5  # of these; after them, the plan with the shortest longest hallway is taken
_ROOMS_FOR_SHORT_HALLWAYS = 400  # in these tries together: so large flows have fewer of them
_MAX_DRAWINGS = 40  # in one try
_MAX_WITHOUT_CELLS = 80  # drawings in all tries that have no cells for something, at 4 ms of CPU time each
_MAX_WITHOUT_WAY = 4  # layouts of drawings in all tries in which a hallway finds no way
_DRAWINGS, _MANY = 4, 30  # drawings to choose from; just one if there are more than 30 rooms
_GOOD_SHARE = 5  # good enough: at most one connection in this many passes a cell
_MAX_ORDERS = 8  # of laying the hallways of one drawing
_FAR = Limit(6, 120, 300)  # if no short path is left; other orders of laying are tried before longer paths
_EMBEDDINGS = 10  # to choose from, if there are many rooms
_LAID = 2  # of the drawings from an embedding: as many are laid out, if the first one has long hallways
_TRIES_WITHOUT = 3  # for each relation that is left out to find the one that contradicts
_MAX_PUSHES = 12  # times that rooms are pushed to where they are to be
_MAX_PUSHED = 2  # times the width and height that the level has without that
_WIDER = 2  # tiles that the gaps grow by before a flow is drawn anew


_Rated = tuple[tuple[int, int], int, FlowDrawing]
"""A drawing, with its relations that can never hold there and those that do not yet, and its detours."""


class FlowFloor:
    """Makes the floorplan of one flow, seed and spec."""

    def __init__(self, spec: GungeonSpec, flow: Flow, seed: int) -> None:
        self.spec, self.flow, self.seed = spec, flow, seed
        self.number = {room.id: number for number, room in enumerate(flow.rooms)}
        self.edges: list[Edge] = [
            (self.number[connection.a], self.number[connection.b]) for connection in flow.connections
        ]
        self.joins = [connection.joins for connection in flow.connections]
        self.far = self._distances()
        self.named_layouts = {
            self.number[room.id]: card
            for room in flow.rooms
            if room.layout and (card := requested_layout(spec, room))
        }
        self.asked = {room.id: room.relations for room in flow.rooms if room.relations}
        self.beside = self._beside()
        self.failed = ""  # why the last try failed: a connection or a room
        self.misses: Counter[tuple[str, Relation]] = Counter()  # how often a room's relation did not hold
        self.without_cells = self.without_way = 0  # drawings that failed, and layouts of drawings

    def _distances(self) -> list[int]:
        """Count hallways from the start to each room. Secret ones count only if there is no other path."""
        known = distances(self.flow)
        far = [known.get(room.id, -1) for room in self.flow.rooms]
        while -1 in far:
            reached = {b: far[a] + 1 for a, b in self.edges if far[a] >= 0 > far[b]}
            reached |= {a: far[b] + 1 for a, b in self.edges if far[b] >= 0 > far[a]}
            if not reached:
                unreached = self.flow.rooms[far.index(-1)].id
                raise SpecError(
                    f"{self.flow.where}: room {unreached} cannot be reached from the start; connect it"
                )
            for room, distance in reached.items():
                far[room] = distance
        return far

    def _beside(self) -> list[Edge]:
        """Pair the rooms that are to be beside each other and have no connection.

        They are drawn as if they had one. Empty if that would need crossings, or a room with five sides.
        """
        joined = {edge_of(*edge) for edge in self.edges}
        pairs = {
            edge_of(self.number[room], self.number[other])
            for room, relations in self.asked.items()
            for relation in relations
            for other in (relation.to if relation.word == "beside" else ())
        }
        together = [*self.edges, *sorted(pairs - joined)]
        count = Counter(room for edge in together for room in edge)
        fits = all(count[room] <= _SIDES for edge in pairs - joined for room in edge)
        return together[len(self.edges) :] if fits and not crossing_edges(together) else []

    def make(self) -> tuple[Heap, list[RoutedHallway], int]:
        """Make the rooms and the hallways in the order of the flow's connections, and count the tries.

        Raises GenerationFailed, and SpecError for a layout that is unknown or has too few exits, and for
        a class that no layout has.
        """
        self._check_connections()
        if problem := joins_problem(self.flow, self.spec) or layout_problem(self.flow, self.spec):
            raise SpecError(f"{self.flow.where}: {problem}")
        best: tuple[Heap, list[RoutedHallway]] | None = None
        tries, enough = 0, min(_TRIES_FOR_SHORT_HALLWAYS, -(-_ROOMS_FOR_SHORT_HALLWAYS // len(self.number)))
        while tries < _MAX_TRIES and not self._is_hopeless():
            result = self._try(tries)
            tries += 1
            if result and not has_long_walks(*result):
                return *result, tries
            if result and (best is None or _longest(result[1]) < _longest(best[1])):
                best = result
            if best and tries >= enough:
                break
        if found := best or self._from_embedding():
            return *found, tries + (best is None)
        reason = self._what_contradicts() or self.failed
        raise GenerationFailed(f"gungeon flow {self.flow.name!r}", tries, reason, self.seed)

    def _what_contradicts(self) -> str:
        """Describe the relation that held least often, and if one is found another that contradicts it.

        Empty if the relations are not what failed.
        """
        if not self.misses:
            return ""
        missed = max(self.misses, key=lambda wish: (self.misses[wish], wish))
        of_others = ((room, wish) for room in self.asked for wish in self.asked[room])
        for room, wish in of_others:
            if (room, wish) != missed and self._without(room, wish).is_arranged():
                return f"{_told(*missed)} together with {wish.text} of room {room}; leave one of them out"
        return f"{_told(*missed)}; leave it out, or ask for less"

    def _without(self, room: str, wish: Relation) -> FlowFloor:
        """Return the floor of the same flow, where a room does not have one of its relations."""
        rooms = tuple(
            one._replace(relations=tuple(other for other in one.relations if (one.id, other) != (room, wish)))
            for one in self.flow.rooms
        )
        return FlowFloor(self.spec, replace(self.flow, rooms=rooms), self.seed)

    def is_arranged(self) -> bool:
        """Check whether all relations hold in one of a few drawings, whose hallways are not laid."""
        margin = self.spec.hallway_width + 2
        drawings = filter(None, map(self._drawing, range(_TRIES_WITHOUT)))
        return any(self._keeps_relations(self._heap(drawing, margin, 0)) for drawing in drawings)

    def _is_hopeless(self) -> bool:
        """Check whether the free search failed so often that an embedding is the quicker way to a level."""
        return self.without_cells >= _MAX_WITHOUT_CELLS or self.without_way >= _MAX_WITHOUT_WAY

    def _try(self, attempt: int) -> tuple[Heap, list[RoutedHallway]] | None:
        """Lay out one drawing, with wider gaps if hallways have no path. None if that fails."""
        drawing = self._drawing(attempt)
        if drawing is None:
            return None
        margin = self.spec.hallway_width + 2
        for gap in (margin, margin + _WIDER):
            heap = self._heap(drawing, gap, attempt)
            if not self._keeps_relations(heap):
                continue
            hallways = self._hallways(heap, drawing)
            if hallways is not None:
                return heap, hallways
            self.without_way += 1
        return None

    def _from_embedding(self) -> tuple[Heap, list[RoutedHallway]] | None:
        """Lay out the best of a few drawings from a planar embedding, whose hallways all have space.

        None if rooms ask for layouts that suit no drawing.
        """
        is_large = len(self.number) > 2 * _MANY
        rated: list[_Rated] = []
        suitable = 0
        for stream in Stream.numbered(_MAX_DRAWINGS, self.seed, "gungeon.flow.planar"):
            beside = self.beside[: None if len(rated) % 2 else 0]
            drawing = planar_drawing(len(self.number), [*self.edges, *beside], stream)
            fitting = self._fitting(drawing.without(beside))
            rated += fitting
            suitable += any(broken_relations[0] == 0 for broken_relations, *_ in fitting)
            if is_large and suitable == _EMBEDDINGS:
                break
        found: list[tuple[Heap, list[RoutedHallway]]] = []
        for attempt, (_, _, drawing) in enumerate(sorted(rated, key=lambda rated: rated[:2])[:_MAX_DRAWINGS]):
            if laid := self._laid_along(drawing, attempt):
                found.append(laid)
                if len(found) == _LAID or is_large or not has_long_walks(*laid):
                    break
        return min(found, key=lambda laid: _longest(laid[1]), default=None)

    def _laid_along(self, drawing: FlowDrawing, attempt: int) -> tuple[Heap, list[RoutedHallway]] | None:
        """Lay out a drawing, each hallway along its cells. None if a layout has its exits elsewhere."""
        heap = self._with_space_for_doors(
            self._dealt(drawing, Stream(self.seed, "gungeon.flow.planar.deal", attempt)), drawing
        )
        exits = heap.exits(self.spec.hallway_width, self.spec.body)
        sizes = [(rect.width, rect.height) for rect in heap.rects()]
        lanes = along_drawing(drawing, sizes, self.edges, self.spec.hallway_width, exits, self.joins)
        if not lanes.is_valid():
            return None
        hallways = laid_tight(lanes, exits, self.joins)
        x, y, *_ = np.array(lanes.rects, np.int64).T
        heap = heap._replace(x=x, y=y)
        return (heap, hallways) if self._keeps_relations(heap) else None

    def _with_space_for_doors(self, heap: Heap, drawing: FlowDrawing) -> Heap:
        """Enlarge the rooms without a layout whose doors have no space on their sides."""
        width, height = heap.width.copy(), heap.height.copy()
        for room, (sides, layout) in enumerate(zip(self._sides(drawing), heap.layouts, strict=True)):
            for side, classes in sides.items() if layout is None else ():
                lengths = width if side.is_vertical_way else height
                lengths[room] = max(lengths[room], length_for(len(classes), self.spec.hallway_width))
        return heap._replace(width=width, height=height)

    def _check_connections(self) -> None:
        for room, number in self.number.items():
            joined = sum(number in edge for edge in self.edges)
            if joined > MAX_CONNECTIONS:
                raise SpecError(
                    f"{self.flow.where}: room {room} has {joined} connections; at most {MAX_CONNECTIONS} "
                    "are allowed"
                )

    def _drawing(self, attempt: int) -> FlowDrawing | None:
        """Choose the best of a few drawings: the one whose connections pass the fewest cells.

        In each, the layouts that rooms ask for have exits where connections leave.
        """
        best: list[_Rated] = []
        self.failed = ""
        suitable, enough = 0, 1 if len(self.number) > _MANY else _DRAWINGS
        for again in range(_MAX_DRAWINGS):
            stream = Stream(self.seed, "gungeon.flow.draw", attempt, again)
            beside = self.beside[: None if again % 2 else 0]
            drawing = draw(len(self.number), [*self.edges, *beside], stream)
            if drawing is None:
                self.without_cells += 1
                if self.without_cells >= _MAX_WITHOUT_CELLS:
                    break
                continue
            fitting = self._fitting(drawing.without(beside))
            if not fitting:
                continue
            suitable += 1
            best = [min([*best, *fitting], key=lambda rated: rated[:2])]
            broken_relations, detours, _ = best[0]
            if broken_relations[0] == 0 and (suitable >= enough or detours <= len(self.edges) // _GOOD_SHARE):
                break
        return best[0][2] if best else None

    def _fitting(self, drawing: FlowDrawing) -> list[_Rated]:
        """Rate a drawing if the layouts of rooms suit it: relations that do not hold, then its detours.

        If rooms say where they are to be, the drawing is turned and mirrored in all ways.
        """
        turned = [drawing.turned(turn) for turn in range(8)] if self.asked else [drawing]
        return [(self._broken_in(one), one.detours, one) for one in turned if self._suits_layouts(one)]

    def _broken_in(self, drawing: FlowDrawing) -> tuple[int, int]:
        """Count the relations that can never hold in a drawing, and those that do not on its grid."""
        if not self.asked:
            return 0, 0
        rects = dict(zip(self.number, (Rect.around(cells) for cells in drawing.cells), strict=True))
        return hopeless(self.asked, rects), sum(1 for _ in broken(self.asked, rects, near=0))

    def _keeps_relations(self, heap: Heap) -> bool:
        """Check that rooms are where they are to be. Counts in `misses` what does not hold."""
        rects = dict(zip(self.number, heap.rects(), strict=True))
        missed = [*broken(self.asked, rects)]
        self.misses.update(missed)
        return not missed

    def _suits_layouts(self, drawing: FlowDrawing) -> bool:
        """Check that connections leave by the sides where the rooms' own layouts have exits."""
        sides = self._sides(drawing) if self.named_layouts else []
        for room, card in self.named_layouts.items():
            if not any(suits(image, sides[room], self.spec) for image in card.images):
                flow_room = self.flow.rooms[room]
                message = "never had its connections where the layout has exits"
                self.failed = f"room {flow_room.id} with the layout {flow_room.layout} {message}"
                return False
        return True

    def _heap(self, drawing: FlowDrawing, gap: int, attempt: int) -> Heap:
        heap = self._dealt(drawing, Stream(self.seed, "gungeon.flow.deal", attempt))
        sizes = [(rect.width, rect.height) for rect in heap.rects()]
        edges = [*self.edges, *self.beside]
        x, y = place(drawing, sizes, edges, gap)
        heap = heap._replace(x=np.array(x, np.int64), y=np.array(y, np.int64))
        most = _MAX_PUSHED * _extent(heap)
        pushes: dict[tuple[int, int, int], Push] = {}
        for _ in range(_MAX_PUSHES if self.asked else 0):
            rects = dict(zip(self.number, heap.rects(), strict=True))
            found = [
                Push(axis, self.number[before], self.number[after], apart)
                for axis, before, after, apart in remedies(self.asked, rects)
            ]
            if not found:
                break
            pushes |= {push[:3]: push for push in found}
            x, y = place(drawing, sizes, edges, gap, pushes.values())
            heap = heap._replace(x=np.array(x, np.int64), y=np.array(y, np.int64))
            if _extent(heap) > most:
                break
        return heap.on_grid(border(self.spec.hallway_width), "flow")

    def _dealt(self, drawing: FlowDrawing, stream: Stream) -> Heap:
        """Deal the sizes and layouts of the rooms, which have no places yet."""
        dealer = RoomDealer(self.spec, stream)
        sides = self._sides(drawing)
        furthest = max(self.far) or 1
        dealt = [
            dealer.deal(room, sides[number], 100 * self.far[number] // furthest, len(drawing.cells[number]))
            for number, room in enumerate(self.flow.rooms)
        ]
        width, height = np.array([size for size, _ in dealt], np.int64).T
        return Heap(
            tuple(room.kind for room in self.flow.rooms),
            np.zeros_like(width),
            np.zeros_like(height),
            width,
            height,
            tuple(layout for _, layout in dealt),
            self.spec.load_kit().kinds,
        )

    def _sides(self, drawing: FlowDrawing) -> list[Sides]:
        """List, for each room, the classes of the connections that leave by each side in the drawing."""
        sides: list[dict[Side, list[str]]] = [{} for _ in self.number]
        leaving = [
            (cell, side, room, joins)
            for edge, joins in zip(self.edges, self.joins, strict=True)
            for room, (cell, side) in zip(edge, ends_of(drawing, edge), strict=True)
        ]
        for _, side, room, joins in sorted(leaving, key=lambda end: end[0]):
            sides[room].setdefault(side, []).append(joins)
        return [*sides]

    def _hallways(self, heap: Heap, drawing: FlowDrawing) -> list[RoutedHallway] | None:
        """Lay a hallway for each connection, shortest first. One that finds no path goes first next time."""
        a, b = np.array(self.edges, np.int64).reshape(-1, 2).T
        direct = np.abs(heap.centres[a] - heap.centres[b]).sum(axis=1)
        order: list[int] = direct.argsort(kind="stable").tolist()
        exits, rects = heap.exits(self.spec.hallway_width, self.spec.body), heap.rects()
        for _ in range(_MAX_ORDERS):
            router = Router(rects, self.spec.hallway_width, exits)
            for at, i in enumerate(order):
                if not any(router.lay(self.edges[i], limit, self.joins[i]) for limit in (NEAR, _FAR)):
                    self.failed = f"connection {self.flow.connections[i].name} found no way for its hallway"
                    if at == 0:
                        return None
                    order.insert(0, order.pop(at))
                    break
            else:
                laid = dict(zip(order, router.hallways, strict=True))
                return [laid[i] for i in range(len(self.edges))]
        return None


def _told(room: str, wish: Relation) -> str:
    return f"room {room}: {wish.text} did not hold in any arrangement"


def _extent(heap: Heap) -> int:
    """Return the width and the height of the rectangle around all rooms, added up."""
    rects = heap.rects()
    return sum(
        max(rect[axis] + rect[2 + axis] for rect in rects) - min(rect[axis] for rect in rects)
        for axis in (0, 1)
    )


def _longest(hallways: Sequence[RoutedHallway]) -> int:
    return max(len(hallway.path) for hallway in hallways)


# The finished floorplan of a flow: what its rooms, keys and locks are, on the floor that was laid.


def flow_plan(spec: GungeonSpec, flow: Flow, seed: int) -> HeapPlan:
    """Make the floorplan of a flow. Raises GenerationFailed, and SpecError for an impossible flow."""
    floor = FlowFloor(spec, flow, seed)
    heap, hallways, tries = floor.make()
    order = _tree_first(floor)
    tree = len(heap.kinds) - 1
    laid = [hallways[i]._replace(is_loop=index >= tree) for index, i in enumerate(order)]
    plan = finished_plan(heap, laid, floor.far, tries)
    hidden = hidden_rooms(flow)
    rooms = tuple(
        heap_room._replace(
            zone=room.zone,
            chapter=flow.zones[room.zone].chapter if room.zone else "",
            difficulty=difficulty_of(room),
            is_quiet=not QUIET_TAGS.isdisjoint(room.tags),
            is_hidden=room.id in hidden,
        )
        for heap_room, room in zip(plan.rooms, flow.rooms, strict=True)
    )
    keys = tuple(
        PlannedKey(key.name, floor.number[key.room], key.consumed, key.lever, key.room, key.must)
        for key in all_keys(flow.keys)
    )
    gates = tuple(_gate(flow, i) for i in order)
    facts = {
        **plan.facts,
        "flow": flow.name,
        "keys": len(keys),
        "locks": sum(bool(gate.needs) for gate in gates),
        "one_ways": sum(gate.one_way for gate in gates),
        **shortcut_fact(sum(gate.opens_end is not None for gate in gates)),
        **{name: value for zone in flow.zones.values() for name, value in zone.facts.items()},
    }
    return replace(plan, rooms=rooms, gates=gates, keys=keys, facts=facts)


def _tree_first(floor: FlowFloor) -> list[int]:
    """Order the connections: first those of a tree of shortest paths to all rooms, then the loops."""
    far = floor.far
    by_distance = sorted(
        range(len(floor.edges)), key=lambda i: (max(far[room] for room in floor.edges[i]), i)
    )
    tree, _ = kruskal(len(floor.number), [floor.edges[i] for i in by_distance])
    first = [i for i in by_distance if floor.edges[i] in tree]
    return [*first, *(i for i in range(len(floor.edges)) if i not in first)]


def _gate(flow: Flow, number: int) -> PlannedGate:
    """Describe what a connection asks of the player."""
    connection = flow.connections[number]
    lock = flow.lock_of(connection)
    return PlannedGate(
        needs=lock.needs if lock else (),
        lock_end=int(lock is not None and lock.on[0] == connection.b),
        one_way=connection.one_way,
        opens_end=None if not connection.opens_from else int(connection.opens_from == connection.b),
        is_secret=connection.secret,
    )
