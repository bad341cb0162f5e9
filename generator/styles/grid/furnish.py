"""Furnishing: every room gets a layout, a mirror image and its variations, from its own stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, cycle, islice, repeat
from typing import Any

import numpy as np

from generator.algorithms.bitboard import Bitboard, board_of, component4, dilate8
from generator.encounters.budget import Threat, champions_of, threat_of
from generator.encounters.encounter import Battleground, DrawnMarkers, drawn_by, encounter_of
from generator.encounters.gangs import RoomTurn, threat_in_turn
from generator.geometry import Point
from generator.interiors.chapters import boss_names, main_chapter
from generator.interiors.interior import FurnishedRoom, Interior, PlacedMarker, doorsteps, places_of
from generator.interiors.layouts import Layout
from generator.interiors.passage import ONE_TILE, Passage, covered_by_body, interior_behind
from generator.interiors.pools import Choice
from generator.kinds import FLOOR, RUBBLE, Kinds, Kit
from generator.level import Tiles, passable
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.shapes import Slot
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.pools import LevelPools, chapter_of, level_pools
from generator.styles.grid.spec import GridSpec

# --- encounters: where enemies may stand, and how strong they are ------------------------------------------


class RoomPlace(NamedTuple):
    """What counts of a room's place in the level for its encounter: its kind, and how far it is.

    `way` is its distance in percent of the furthest room's: 0 at the start. `chapter` is the level's.
    """

    kind: str
    way: int
    chapter: str = ""


def room_places(rooms: list[tuple[str, int | None]], chapter: str) -> list[RoomPlace]:
    """Place a level's rooms by their kinds, their distances from the start, and the chapter."""
    furthest = max((distance or 0 for _, distance in rooms), default=0) or 1
    fields = [(kind, 100 * (distance or 0) // furthest, chapter) for kind, distance in rooms]
    return list(map(tuple.__new__, repeat(RoomPlace), fields))


class Ground(NamedTuple):
    """The part of a battleground that does not depend on the doors, and its number of walkable tiles."""

    free: Bitboard
    shots: Bitboard
    unwalled: Bitboard
    open_floor: int


@lru_cache(maxsize=4096)
def ground_of(layout: Layout, mirror: str) -> Ground:
    """Return the ground of a layout's mirror image."""
    interior = layout.interior(mirror)
    covered, kinds = interior.covered, layout.kinds
    bare = ((interior.terrain == FLOOR) | (interior.terrain == RUBBLE)) & (covered == 0)
    walk, safe = (passable(interior.terrain, covered, way, kinds) for way in ("walk", "safe"))
    stride = layout.size[0] + 1
    x, y = doorsteps(layout.pitch, layout.slots(mirror))[0]  # any will do: all doors are connected
    return Ground(
        free=board_of(bare) & component4(1 << x + y * stride, board_of(safe), stride),
        shots=board_of(passable(interior.terrain, covered, "shoot", kinds)),
        unwalled=board_of(kinds.terrain_where("shoot").take(interior.terrain)),
        open_floor=int(np.count_nonzero(walk)),
    )


def _board(tiles: set[Point], stride: int) -> Bitboard:
    """Make a board of tiles, without the door tiles outside the room."""
    return sum(1 << x + y * stride for x, y in tiles if 0 <= x < stride - 1 and y >= 0)


def battleground(
    ground: Ground, layout: Layout, interior: Interior, passage: Passage, doors: frozenset[Slot]
) -> Battleground:
    """Return the battleground of a layout with a room's doors. `interior` is its inside with these doors."""
    width, height = layout.size
    free, shots, unwalled, _ = ground
    if passage.body > 1:
        free &= _board(covered_by_body(interior, layout, doors, passage), width + 1)
    steps = _ways_in(layout.pitch, doors, passage.door_width)
    if passage.door_width > 1:  # wide doors remove things of up to two tiles
        front = _board(set(steps), width + 1)
        shots |= front | (dilate8(front, width + 1) & unwalled)
    return Battleground(width, height, free, shots, steps, layout.kinds)


@lru_cache(maxsize=1024)
def _ways_in(pitch: Point, doors: frozenset[Slot], door_width: int) -> tuple[Point, ...]:
    return tuple(doorsteps(pitch, doors, door_width))


@lru_cache(maxsize=4096)
def threat_in(
    room: RoomPlace, stage: int, difficulty: int, open_floor: int, champions: int, kit: Kit
) -> Threat:
    """Rate how strong the encounter of a room is. `champions` is in percent of its enemies."""
    threat = threat_of(room.kind, stage, difficulty, room.way, open_floor, champions, kit.rules)
    return threat._replace(name=room.chapter, must=kit.kinds.room(room.kind).needs("enemy"))


def champions(spec: GridSpec) -> int:
    """Return the percentage of champions among a level's enemies, doubled in hard mode."""
    return champions_of(spec.stage, spec.champions * (2 if spec.hard else 1), spec.load_kit().rules)


# --- names of bosses, by chapter: a run does not repeat those already met ----------------------------------


class _Turn(NamedTuple):
    """Which names the rooms of a kind take: from every `each` names of a rank, those from `first` to `last`.

    So the names in a room do not depend on rooms of other kinds, which a reroll may change.
    """

    rank: str
    first: int
    last: int
    each: int


_TURNS = {
    "boss": _Turn("bosses", 0, 0, 1),
    "mini_boss": _Turn("mini_bosses", 0, 0, 3),
    "boss_challenge": _Turn("mini_bosses", 1, 2, 3),
}

RoomNames = tuple[str, ...]


def names_in_rooms(spec: GridSpec, seed: int, chapter: str, kinds: Sequence[str]) -> list[RoomNames]:
    """Choose the names of the bosses in each room of a level, given the rooms' kinds."""
    names: list[RoomNames] = [()] * len(kinds)
    for kind, turn in _TURNS.items():
        rooms = [number for number, room_kind in enumerate(kinds) if room_kind == kind]
        if rooms:
            stream = Stream(seed, f"grid.{turn.rank}", spec.stage)
            order = cycle(_names_for(spec, chapter, kind, turn.rank, stream))
            for number in rooms:
                names[number] = tuple(islice(order, turn.each))[turn.first : turn.last + 1]
    return names


def _names_for(spec: GridSpec, chapter: str, kind: str, rank: str, stream: Stream) -> Iterator[str]:
    """Yield the names for rooms of a kind, in order.

    Under `keeps_to_boss_pool`, the second stage of a chapter begins with its last boss: the program of
    Repentance+ has a fixed one on stages 6, 8, 10 and 12, and does not look at the pool.
    """
    kit, met = spec.load_kit(), {"bosses": spec.memory.bosses, "mini_bosses": spec.memory.mini_bosses}[rank]
    row = kit.rules.chapters.get(main_chapter(chapter, kit))
    if spec.keeps_to_boss_pool and kind == "boss" and spec.stage % 2 == 0 and row and row.last_boss:
        yield row.last_boss
    yield from boss_names(chapter, rank, met, stream, kit, own_again=spec.keeps_to_boss_pool)


def names_of_rank(names: Sequence[RoomNames], kinds: Sequence[str], rank: str) -> list[str]:
    """List the names of a rank (`bosses` or `mini_bosses`) among those in the rooms of these kinds."""
    return [
        name
        for room_names, kind in zip(names, kinds, strict=True)
        if kind in _TURNS and _TURNS[kind].rank == rank
        for name in room_names
    ]


# --- layouts and their variations --------------------------------------------------------------------------

Chooser = Callable[[Any, Floorplan, LevelPools, list[frozenset[Slot]], int], list[Choice]]


class FurnishedLevel(NamedTuple):
    """The furnishings of all rooms in order, their chapter, and the digest of the team's own layouts."""

    rooms: tuple[FurnishedRoom, ...]
    chapter: str
    own_layouts: str


class ChosenLayouts(NamedTuple):
    """A layout for every room of a floorplan, in order, the doors that each needs, and the pools."""

    choices: list[Choice]
    doors: list[frozenset[Slot]]
    pools: LevelPools


def choose_layouts(spec: GridSpec, plan: Floorplan, seed: int, choose: Chooser) -> ChosenLayouts:
    """Choose a layout for every room. Raises SpecError if a room has none, LayoutError for a bad file."""
    pools = level_pools(spec, chapter_of(spec, seed))
    doors = _doors_of(plan)
    return ChosenLayouts(choose(spec, plan, pools, doors, seed), doors, pools)


class Fight(NamedTuple):
    """What an encounter is made from: the room's place, the names of its bosses, and its stream.

    `turn` counts up from room to room.
    """

    place: RoomPlace
    names: RoomNames
    stream: Stream
    turn: int


class RoomTerms(NamedTuple):
    """The values of a spec for every room. `tinted_rocks`, `red_fires` and `champions` are percentages."""

    passage: Passage
    stage: int
    tinted_rocks: int
    red_fires: int
    champions: int
    kit: Kit


def room_terms(spec: GridSpec) -> RoomTerms:
    """Return the room terms of a spec."""
    passage = Passage(spec.body, spec.door_width)
    return RoomTerms(passage, spec.stage, spec.tinted_rocks, spec.red_fires, champions(spec), spec.load_kit())


def first_turn(spec: GridSpec, seed: int) -> int:
    """Return the turn of a level's first room; the others follow. Seeds and stages begin differently."""
    return seed + spec.stage


def furnish(spec: GridSpec, plan: Floorplan, seed: int, choose: Chooser) -> FurnishedLevel:
    """Choose and vary a layout for every room of a floorplan.

    `choose` gives each room its layout; everything else that chance decides in a room comes from the room's
    own stream. Raises SpecError if there is no layout for a room, LayoutError for a bad file of the team's.
    """
    chosen = choose_layouts(spec, plan, seed, choose)
    chapter = chosen.pools.chapter.name
    names = names_in_rooms(spec, seed, chapter, [room.kind for room in plan.rooms])
    places = room_places([(room.kind, room.distance) for room in plan.rooms], chapter)
    streams = Stream.numbered(len(plan.rooms), seed, "grid.furnish", spec.stage)
    fighting = Stream.numbered(len(plan.rooms), seed, "grid.encounter", spec.stage)
    fights = map(
        tuple.__new__,
        repeat(Fight),
        zip(places, names, fighting, count(first_turn(spec, seed)), strict=False),
    )
    terms = room_terms(spec)
    rooms = [
        furnished_room(terms, choice, slots, stream, fight)
        for choice, slots, stream, fight in zip(chosen.choices, chosen.doors, streams, fights, strict=True)
    ]
    return FurnishedLevel(tuple(rooms), chapter, chosen.pools.own.digest)


def _doors_of(plan: Floorplan) -> list[frozenset[Slot]]:
    """Return each room's doors: cells, counted from the corner of its bounding box, and their sides."""
    corners = [room.corner for room in plan.rooms]
    doors: list[list[Slot]] = [[] for _ in corners]
    for a, b, (x, y), side, _ in plan.doors:
        left, top = corners[a]
        doors[a].append(((x - left, y - top), side))
        left, top = corners[b]
        doors[b].append(((x + side.dx - left, y + side.dy - top), side.opposite))
    return list(map(frozenset, doors))


def furnished_room(
    terms: RoomTerms, choice: Choice, doors: frozenset[Slot], stream: Stream, fight: Fight
) -> FurnishedRoom:
    """Furnish a room with one of a layout's mirror images, its doors, and what chance varies."""
    name, layout, difficulty, mirrors, _ = choice
    mirror = stream.pick(mirrors)
    if layout.variations:
        layout = layout.varied(stream)
    if terms.passage.door_width > 1:
        interior, drawn, changeable = _inside(layout, mirror, terms.passage, doors)
    else:
        interior, drawn, changeable = _inside(layout, mirror)
    markers, decor = interior.markers, interior.decor
    if fight.names:
        left = iter(fight.names)
        markers = tuple([_named(marker, left) for marker in markers])
        drawn = drawn_by(markers, layout.size[0] + 1)
    if drawn.places or drawn.bosses:
        ground = ground_of(layout, mirror)
        field = battleground(ground, layout, interior, terms.passage, doors)
        threat = threat_in(
            fight.place, terms.stage, difficulty, ground.open_floor, terms.champions, terms.kit
        )
        threat = threat_in_turn(threat, RoomTurn(fight.place.kind, terms.stage, fight.turn), terms.kit)
        markers = encounter_of(drawn, field, threat, fight.stream)
    if changeable:
        decor = vary_decor(terms, decor, changeable, stream)
    return FurnishedRoom(f"{name}+{mirror}" if mirror else name, difficulty, interior.terrain, decor, markers)


class _Inside(NamedTuple):
    """An image of a layout: its content, its ground for encounters, and what chance may change."""

    interior: Interior
    drawn: DrawnMarkers
    changeable: tuple[Changeable, ...]


@lru_cache(maxsize=4096)
def _inside(
    layout: Layout, mirror: str, passage: Passage = ONE_TILE, doors: frozenset[Slot] = frozenset()
) -> _Inside:
    """Return the inside of a room. `doors` matter only if they are wider than a tile."""
    interior = interior_behind(layout, mirror, passage, doors) if doors else layout.interior(mirror)
    drawn = drawn_by(interior.markers, layout.size[0] + 1)
    return _Inside(interior, drawn, changeable_decor(interior.decor, layout.kinds))


def _named(marker: PlacedMarker, names: Iterator[str]) -> PlacedMarker:
    """Give a boss the next name, unless the layout names it."""
    name = next(names, "") if marker.kind == "boss" else ""
    return marker._replace(properties={"name": name, **marker.properties}) if name else marker


class Changeable(NamedTuple):
    """A thing that chance may turn into another: its tile, counted row by row, and the other's number."""

    place: int
    becomes: int
    is_fire: bool


def changeable_decor(decor: Tiles, kinds: Kinds) -> tuple[Changeable, ...]:
    """List the rocks in `decor` [y, x], which may become tinted, and then the fires, which may become red."""
    changeable, things = [], decor.tobytes()
    for plain, variant in (("rock", "tinted_rock"), ("fire", "red_fire")):
        number, becomes = kinds.decor_ids.get(plain), kinds.decor_ids.get(variant)
        if number is not None and becomes is not None:
            changeable += [Changeable(tile, becomes, plain == "fire") for tile in places_of(number, things)]
    return tuple(changeable)


def vary_decor(terms: RoomTerms, decor: Tiles, changeable: Iterable[Changeable], stream: Stream) -> Tiles:
    """Turn some rocks into tinted ones and some fires into red ones. Each tile of the room has its word."""
    percent, below_at = (terms.tinted_rocks, terms.red_fires), stream.below_at
    changes = [
        (tile, becomes) for tile, becomes, is_fire in changeable if below_at(100, tile) < percent[is_fire]
    ]
    if not changes:
        return decor
    varied = decor.copy()
    for tile, becomes in changes:
        varied.flat[tile] = becomes
    return varied
