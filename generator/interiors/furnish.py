"""Furnishing: every room gets a layout, a mirror image and its variation, from a stream of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from generator.floorplans.floorplan import Floorplan
from generator.interiors.layouts import PlacedMarker
from generator.interiors.pools import (
    Choice,
    chapter_of,
    check_own_layouts,
    difficulties_of,
    normal_choices,
    special_choices,
)
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
    """All rooms' furnishings in their order, and the chapter that they come from."""

    rooms: tuple[Furnishing, ...]
    chapter: str


def furnish(spec: IsaacSpec, plan: Floorplan, seed: int) -> Furnished:
    """Choose and vary a layout for every room of a floorplan.

    A layout is not drawn twice in a level before its pool is used up. Raises SpecError if a pool has no
    layout of the rooms' size, LayoutError for a bad file of the team's.
    """
    if spec.layouts:
        check_own_layouts(spec.layouts)
    chapter = chapter_of(spec, seed)
    difficulties = difficulties_of(spec, str(plan.facts["curse"]))
    size = spec.room_size[0] - 2, spec.room_size[1] - 2
    used: set[str] = set()
    rooms = []
    for number, room in enumerate(plan.rooms):
        stream = Stream(seed, "isaac.furnish", number)
        if room.kind == "normal":
            choices = normal_choices(chapter, difficulties, size, spec.layouts)
        else:
            choices = special_choices(room.kind, size, spec.layouts)
        rooms.append(_furnished_room(spec, _choose(choices, used, stream), stream))
    return Furnished(tuple(rooms), chapter.name)


def _choose(choices: tuple[Choice, ...], used: set[str], stream: Stream) -> Choice:
    """One of the choices by weight, an unused one if there is any."""
    fresh = [choice for choice in choices if choice.name not in used] or choices
    choice = stream.weighted(fresh, [choice.layout.weight for choice in fresh])
    used.add(choice.name)
    return choice


def _furnished_room(spec: IsaacSpec, choice: Choice, stream: Stream) -> Furnishing:
    mirror = stream.pick(choice.layout.mirrors)
    interior = choice.layout.interior(mirror)
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
