"""Furnishing: every room gets a layout, a mirror image and its variation, from a stream of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from generator.floorplans.floorplan import Floorplan
from generator.geometry import Side
from generator.interiors.chapters import chapter_of, difficulties_of
from generator.interiors.doorways import interior_behind
from generator.interiors.layouts import PlacedMarker
from generator.interiors.own_layouts import own_layouts
from generator.interiors.pools import Choice, deal, normal_choices, special_choices
from generator.kinds import DECOR_IDS
from generator.level import Property, Tiles
from generator.rng import Stream
from generator.spec import IsaacSpec


class Furnishing(NamedTuple):
    """What one room gets: arrays [y, x] of its inside, and markers in tiles of its inside."""

    layout: str
    difficulty: int
    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]


class Furnished(NamedTuple):
    """All rooms' furnishings in their order, the chapter that they come from, and the digest of the team's
    own layouts, empty if there are none.
    """

    rooms: tuple[Furnishing, ...]
    chapter: str
    own_layouts: str


def furnish(spec: IsaacSpec, plan: Floorplan, seed: int) -> Furnished:
    """Choose and vary a layout for every room of a floorplan.

    The rooms of a kind are dealt their layouts in their order, so that none comes twice before all have
    come. What else chance decides in a room it decides by a stream of the room's own. Raises SpecError if
    there is no layout of the rooms' size, LayoutError for a bad file of the team's.
    """
    own = own_layouts(spec)
    chapter = chapter_of(spec, seed)
    difficulties = difficulties_of(spec, str(plan.facts["curse"]))
    size = spec.room_size[0] - 2, spec.room_size[1] - 2
    sides = _door_sides(plan)
    dealt = {}
    for kind, count in Counter(room.kind for room in plan.rooms).items():
        if kind == "normal":
            choices = normal_choices(chapter, difficulties, size, own)
        else:
            choices = special_choices(kind, size, own)
        dealt[kind] = iter(deal(choices, count, Stream(seed, f"isaac.deal.{kind}")))
    rooms = tuple(
        _furnished_room(spec, next(dealt[room.kind]), sides[number], Stream(seed, "isaac.furnish", number))
        for number, room in enumerate(plan.rooms)
    )
    return Furnished(rooms, chapter.name, own.digest)


def _door_sides(plan: Floorplan) -> list[frozenset[Side]]:
    """For each room the sides that have a door."""
    sides: list[set[Side]] = [set() for _ in plan.rooms]
    for door in plan.doors:
        sides[door.a].add(door.side)
        sides[door.b].add(door.side.opposite)
    return [frozenset(some) for some in sides]


def _furnished_room(
    spec: IsaacSpec, choice: Choice, door_sides: frozenset[Side], stream: Stream
) -> Furnishing:
    mirror = stream.pick(choice.layout.mirrors)
    interior = choice.layout.interior(mirror)
    if spec.door_width > 1:
        interior = interior_behind(choice.layout, mirror, spec.door_width, door_sides)
    decor = vary_decor(spec, interior.decor, stream)
    markers = tuple(vary_marker(spec, marker, stream) for marker in interior.markers)
    name = f"{choice.name}+{mirror}" if mirror else choice.name
    return Furnishing(name, choice.difficulty, interior.terrain, decor, markers)


def vary_decor(spec: IsaacSpec, decor: Tiles, stream: Stream) -> Tiles:
    """Turn some rocks into tinted ones and some fires into red ones; a word a tile of the room."""
    rolls = stream.below_block(100, decor.size).reshape(decor.shape)
    varied = decor.copy()
    for plain, other, percent in (
        ("rock", "tinted_rock", spec.tinted_rocks),
        ("fire", "red_fire", spec.red_fires),
    ):
        varied[(decor == DECOR_IDS[plain]) & (rolls < percent)] = DECOR_IDS[other]
    return varied


def vary_marker(spec: IsaacSpec, marker: PlacedMarker, stream: Stream) -> PlacedMarker:
    """Make some enemies champions, in hard mode twice as many; a word a marker."""
    percent = min(100, spec.champions * (2 if spec.hard else 1))
    champion = stream.chance(percent, 100)
    if marker.kind != "enemy":
        return marker
    role = marker.properties.get("role", "walker")
    properties: Mapping[str, Property] = {
        "wave": 1,
        **marker.properties,
        "champion": champion,
        "flies": role == "flyer",
    }
    return marker._replace(properties=properties)
