"""Injections: what a run adds to some of its levels, by the rows `[injection.NAME]` of the kit.

which of them come --floorplan--> rooms and their layouts --plan--> the room of each --build--> markers
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice

from generator.algorithms.graph import steps_from
from generator.errors import GenerationFailed
from generator.geometry import Rect
from generator.interiors.chapters import boss_names, chapter_number, main_chapter
from generator.interiors.free_tiles import HeldTiles, tile_in_sight, tile_near_middle
from generator.interiors.interior import FurnishedRoom, PlacedMarker
from generator.kinds.chapters import INJECTED, InjectionRow
from generator.kinds.conditions import Facts, hold
from generator.rng import Stream
from generator.styles.gungeon.dealing import pool
from generator.styles.gungeon.flows.records import MAX_CONNECTIONS, Flow, FlowConnection, FlowRoom
from generator.styles.gungeon.furnishing.furnishers import usual_properties
from generator.styles.gungeon.furnishing.gungeon_layouts import GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import BOSS, NORMAL, START, gungeon_kind
from generator.styles.gungeon.furnishing.site import Site
from generator.styles.gungeon.plan import HeapPlan
from generator.styles.gungeon.spec import GungeonSpec
from generator.styles.special_rooms import BEGINNING, kit_facts

FACT = "injections"  # of a level: the names of those that it has
_STAGES = 2  # of a chapter


def first_stage(spec: GungeonSpec) -> int:
    """Return the number of the first of the two stages of a spec's chapter, 1 without a chapter."""
    kit = spec.load_kit()
    if spec.chapter not in kit.rules.chapters:
        return 1
    return _STAGES * (chapter_number(spec.chapter, kit) - 1) + 1


def due(spec: GungeonSpec, seed: int) -> list[InjectionRow]:
    """List the injections that come in a level of a run, as far as it has rooms for them."""
    memory = spec.memory
    if not memory.place:
        return []
    rules, facts, seen = spec.load_kit().rules, _facts(spec), Counter(memory.injections)
    chapter = main_chapter(spec.chapter, spec.load_kit())
    rows: dict[str, InjectionRow] = {}
    for row in rules.injections:
        numerator, denominator = row.chance.split("/")
        of = max(0, facts[numerator]) if numerator in facts else int(numerator)
        comes = Stream(seed, f"gungeon.injection.{row.name}").chance(of, int(denominator))
        suits = not row.chapters or not {chapter, spec.chapter}.isdisjoint(row.chapters)
        if row.along_with and row.along_with not in rows:
            continue
        if comes and suits and seen[row.name] < row.most and hold(row.only, facts):
            rows[row.name] = row
    return list(rows.values())


def _facts(spec: GungeonSpec) -> Facts:
    state, kit = spec.state, spec.load_kit()
    own = {name: int(value) for name, value in state.table().items() if name in BEGINNING}
    health = {"full_health": int(state.full_health), "stage": first_stage(spec)}
    return {**BEGINNING, **own, **health, "first_floor": int(first_stage(spec) == 1), **kit_facts(kit, spec)}


# Rooms that an injection adds, in heaps and in flows.


def with_injected_layouts(
    spec: GungeonSpec, kinds: Sequence[str], layouts: tuple[GungeonLayout | None, ...], seed: int
) -> tuple[GungeonLayout | None, ...]:
    """Give the rooms that were added to a heap, the last of their kinds, the layouts that they ask for."""
    dealt = list(layouts)
    for row in due(spec, seed):
        if row.room and row.room.layout and row.kind in kinds:
            room = len(kinds) - 1 - [*reversed(kinds)].index(row.kind)
            dealt[room] = next(_images(spec, row), dealt[room])
    return tuple(dealt)


def _images(spec: GungeonSpec, row: InjectionRow) -> Iterator[GungeonLayout]:
    assert row.room
    for card in pool(spec, row.kind):
        if card.file == row.room.layout:
            yield from (
                image for image in card.images if image.exits(spec.hallway_width, spec.body) is not None
            )


def with_injected_rooms(spec: GungeonSpec, flow: Flow, seed: int) -> Flow:
    """Add the rooms of a level's injections to its flow, each at a room that takes another connection."""
    for row in due(spec, seed):
        if row.room is None:
            continue
        places = _places(flow)
        if not places:
            continue
        place = Stream(seed, f"gungeon.injection.{row.name}.place").pick(places)
        layout = row.room.layout if any(True for _ in _images(spec, row)) else ""
        room = FlowRoom(f"injected_{row.name}", row.kind, layout=layout)
        flow = replace(
            flow,
            rooms=(*flow.rooms, room),
            connections=(*flow.connections, FlowConnection(place.id, room.id)),
        )
    return flow


_FAR = 2  # the least number of connections from the start to a room that gets another


def _places(flow: Flow) -> list[FlowRoom]:
    """List the normal rooms of a flow that take another connection."""
    beside: dict[str, list[str]] = {room.id: [] for room in flow.rooms}
    for connection in flow.connections:
        if not connection.secret:
            beside[connection.a].append(connection.b)
            beside[connection.b].append(connection.a)
    start = next(room.id for room in flow.rooms if room.kind == START)
    steps = steps_from(start, beside)
    return [
        room
        for room in flow.rooms
        if room.kind == NORMAL
        and not room.layout
        and len(beside[room.id]) < min(4, MAX_CONNECTIONS)
        and steps.get(room.id, 0) >= _FAR
    ]


# Which room of the plan takes an injection, and the markers in it.


def with_injections(spec: GungeonSpec, plan: HeapPlan, seed: int) -> HeapPlan:
    """Tell the rooms of a plan which injections they take. One for which there is no room does not come."""
    rooms, names = list(plan.rooms), []
    for row in due(spec, seed):
        places = _rooms_for(spec, plan, row)
        if not places or (row.along_with and row.along_with not in names):
            continue
        free = [number for number in places if not rooms[number].injected] or places
        number = free[-1] if row.room else Stream(seed, f"gungeon.injection.{row.name}.room").pick(free)
        rooms[number] = rooms[number]._replace(injected=(*rooms[number].injected, row.name))
        names.append(row.name)
    if not names:
        return plan
    return replace(plan, rooms=tuple(rooms), facts={**plan.facts, FACT: ", ".join(names)})


def _rooms_for(spec: GungeonSpec, plan: HeapPlan, row: InjectionRow) -> list[int]:
    """List the rooms that can take an injection: of its kind, and where fights may be, one with a fight."""
    of_kind = [number for number, room in enumerate(plan.rooms) if room.kind == row.kind]
    if row.room:
        drawn = [
            number
            for number in of_kind
            if (layout := plan.rooms[number].layout) and layout.file == row.room.layout
        ]
        return drawn or of_kind
    has_fights = gungeon_kind(spec.load_kit().kinds, row.kind).has_fights
    return [
        number
        for number in of_kind
        if not plan.rooms[number].is_hidden and not (has_fights and plan.rooms[number].is_quiet)
    ]


def met_bosses(spec: GungeonSpec, plan: HeapPlan, seed: int) -> list[str]:
    """Name the bosses in the boss rooms of a level of a run, in the order of the rooms."""
    count = sum(room.kind == BOSS for room in plan.rooms)
    stream = Stream(seed, "gungeon.bosses")
    names = boss_names(spec.chapter, "bosses", spec.memory.bosses, stream, spec.load_kit())
    return list(islice(cycle(names), count))


def with_run_markers(
    spec: GungeonSpec, plan: HeapPlan, sites: Sequence[Site], insides: Sequence[FurnishedRoom], seed: int
) -> list[FurnishedRoom]:
    """Name the bosses, and add the markers of injections. Raises GenerationFailed if a room is too full."""
    names = iter(met_bosses(spec, plan, seed))
    furnished = []
    for number, (site, inside) in enumerate(zip(sites, insides, strict=True)):
        room = plan.rooms[number]
        name = next(names, "") if room.kind == BOSS else ""
        markers = [_named(marker, name) if name else marker for marker in inside.markers]
        furnished.append(inside._replace(markers=tuple(markers)))
        for injection in room.injected:
            added = _added(injection, spec, site, furnished[-1])
            if added is None:
                reason = f"room {number} has no free tile for the injection {injection}"
                raise GenerationFailed("place for an injection", 1, reason, seed)
            furnished[-1] = added
    return furnished


def _named(marker: PlacedMarker, name: str) -> PlacedMarker:
    if marker.kind != "boss":
        return marker
    return marker._replace(properties={"rank": "boss", **marker.properties, "name": name})


def _added(name: str, spec: GungeonSpec, site: Site, inside: FurnishedRoom) -> FurnishedRoom | None:
    """Add the marker of an injection, in sight of the doors, or else near the middle. None without space."""
    row = next(row for row in spec.load_kit().rules.injections if row.name == name)
    if not row.marker:
        return inside
    held = HeldTiles(inside.terrain, inside.decor, site.kinds)
    taken = [(marker.x, marker.y) for marker in inside.markers]
    bounds = Rect(0, 0, site.width, site.height)
    doorsteps = [opening.doorstep for opening in site.openings]
    tile = tile_in_sight(bounds, held, taken, spec.body, doorsteps)
    tile = tile or tile_near_middle(bounds, held, taken, spec.body)
    if tile is None:
        return None
    properties = {**usual_properties(site.kinds, row.marker), **row.properties, INJECTED: row.name}
    return inside._replace(markers=(*inside.markers, PlacedMarker(row.marker, *tile, properties)))
