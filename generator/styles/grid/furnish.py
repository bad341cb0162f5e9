"""Furnishing: every room gets a layout, a mirror image and its variation, from a stream of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from generator.encounters.encounter import encounter
from generator.interiors.doorways import interior_behind
from generator.interiors.interior import FurnishedRoom, PlacedMarker, has_fighters
from generator.interiors.own_layouts import team_layouts
from generator.interiors.passage import Passage
from generator.interiors.pools import Choice
from generator.kinds import Kinds
from generator.level import Tiles
from generator.rng import Stream
from generator.shapes import Slot
from generator.styles.grid.battlegrounds import RoomPlace, battleground, room_places, threat
from generator.styles.grid.boss_rooms import RoomNames, names_in_rooms
from generator.styles.grid.chapters import chapter_of
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.pools import LevelPools
from generator.styles.grid.spec import GridSpec

Chooser = Callable[[Any, Floorplan, LevelPools, list[frozenset[Slot]], int], list[Choice]]


class FurnishedLevel(NamedTuple):
    """All rooms' furnishings in their order, the chapter that they come from, and the digest of the team's
    own layouts, empty if there are none.
    """

    rooms: tuple[FurnishedRoom, ...]
    chapter: str
    own_layouts: str


class ChosenLayouts(NamedTuple):
    """A layout for every room of a floorplan in their order, the doors that each needs, and the pools."""

    choices: list[Choice]
    doors: list[frozenset[Slot]]
    pools: LevelPools


def choose_layouts(spec: GridSpec, plan: Floorplan, seed: int, choose: Chooser) -> ChosenLayouts:
    """Choose a layout for every room. Raises SpecError if there is none, LayoutError for a bad file."""
    kit = spec.load_kit()
    own = team_layouts(kit, spec.layouts, spec.room_size)
    doors = _doors_of(plan)
    passage = Passage(spec.body, spec.door_width)
    pools = LevelPools(chapter_of(spec, seed), spec.room_size, own, passage, spec.only_layout, kit)
    return ChosenLayouts(choose(spec, plan, pools, doors, seed), doors, pools)


class Fight(NamedTuple):
    """What an encounter is made from: the room's place, the names of its bosses, and its stream."""

    place: RoomPlace
    names: RoomNames
    stream: Stream


def furnish(spec: GridSpec, plan: Floorplan, seed: int, choose: Chooser) -> FurnishedLevel:
    """Choose and vary a layout for every room of a floorplan.

    `choose` gives each room its layout; what else chance decides in a room it decides by a stream of the
    room's own. Raises SpecError if there is no layout for a room, LayoutError for a bad file of the team's.
    """
    chosen = choose_layouts(spec, plan, seed, choose)
    chapter = chosen.pools.chapter.name
    names = names_in_rooms(spec, seed, chapter, [room.kind for room in plan.rooms])
    places = room_places([(room.kind, room.distance) for room in plan.rooms], chapter)
    dice = Stream.numbered(len(plan.rooms), seed, "grid.furnish", spec.stage)
    fights = map(Fight, places, names, Stream.numbered(len(plan.rooms), seed, "grid.encounter", spec.stage))
    rooms = tuple(
        furnished_room(spec, choice, slots, stream, fight)
        for choice, slots, stream, fight in zip(chosen.choices, chosen.doors, dice, fights, strict=True)
    )
    return FurnishedLevel(rooms, chapter, chosen.pools.own.digest)


def _doors_of(plan: Floorplan) -> list[frozenset[Slot]]:
    """For each room its doors: cells from its bounding box's corner, and their sides."""
    doors: list[list[Slot]] = [[] for _ in plan.rooms]
    for door in plan.doors:
        (x, y), side = door.cell, door.side
        doors[door.a].append(((x, y), side))
        doors[door.b].append(((x + side.dx, y + side.dy), side.opposite))
    return [
        frozenset(((x - left, y - top), side) for (x, y), side in slots)
        for slots, (left, top) in zip(doors, (room.corner for room in plan.rooms), strict=True)
    ]


def furnished_room(
    spec: GridSpec, choice: Choice, doors: frozenset[Slot], stream: Stream, fight: Fight
) -> FurnishedRoom:
    """One of a layout's mirror images, behind a room's doors, with what chance varies in it."""
    mirror = stream.pick(choice.mirrors)
    layout = choice.layout.varied(stream)
    passage = Passage(spec.body, spec.door_width)
    interior = layout.interior(mirror)
    if spec.door_width > 1:
        interior = interior_behind(layout, mirror, passage, doors)
    markers = interior.markers
    if fight.names:
        left = iter(fight.names)
        markers = tuple(_named(marker, left) for marker in markers)
    if has_fighters(markers):
        ground = battleground(layout, mirror, interior, passage, doors)
        markers = encounter(markers, ground, threat(spec, choice, layout, mirror, fight.place), fight.stream)
    decor = vary_decor(spec, interior.decor, layout.kinds, stream)
    drawn = f"{choice.name}+{mirror}" if mirror else choice.name
    return FurnishedRoom(drawn, choice.difficulty, interior.terrain, decor, markers)


def _named(marker: PlacedMarker, names: Iterator[str]) -> PlacedMarker:
    """A boss with the next name, unless the layout gives it one."""
    name = next(names, "") if marker.kind == "boss" else ""
    return marker._replace(properties={"name": name, **marker.properties}) if name else marker


def vary_decor(spec: GridSpec, decor: Tiles, kinds: Kinds, stream: Stream) -> Tiles:
    """Turn some rocks into tinted ones and some fires into red ones; one word per tile of the room."""
    tiles = decor.tobytes()
    varied: bytearray | None = None
    for plain, other, percent in (
        ("rock", "tinted_rock", spec.tinted_rocks),
        ("fire", "red_fire", spec.red_fires),
    ):
        number, becomes = kinds.decor_ids.get(plain), kinds.decor_ids.get(other)
        if number is None or becomes is None:
            continue
        place = tiles.find(number)
        while place >= 0:
            if stream.below_at(100, place) < percent:
                varied = varied or bytearray(tiles)
                varied[place] = becomes
            place = tiles.find(number, place + 1)
    stream.skip(len(tiles))
    return decor if varied is None else np.frombuffer(varied, np.uint8).reshape(decor.shape)
