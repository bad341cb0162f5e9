"""Furnishing: every room gets a layout, a mirror image and its variation, from a stream of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from generator.floorplans.floorplan import Floorplan
from generator.geometry import Point, Rect
from generator.interiors.layouts import PlacedMarker
from generator.interiors.pools import (
    Choice,
    check_own_layouts,
    chapter_of,
    difficulties_of,
    normal_choices,
    special_choices,
)
from generator.kinds import DECOR_IDS, DECOR_KINDS, SECRET_ROOM_KINDS
from generator.level import Property, Tiles
from generator.rng import Stream
from generator.spec import IsaacSpec

_TORCH_INSET = 3  # tiles from a room's outer edge to its torches, on the face of the north wall


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


def torch_places(kind: str, bounds: Rect, door_tiles: set[Point]) -> list[Point]:
    """Tiles of a room's north wall where torches hang; secret rooms stay dark."""
    if kind in SECRET_ROOM_KINDS:
        return []
    places = [(bounds.x + _TORCH_INSET, bounds.y), (bounds.right - 1 - _TORCH_INSET, bounds.y)]
    return [place for place in places if place not in door_tiles]


def light_markers(decor: Tiles, origin: Point) -> list[PlacedMarker]:
    """A `fire` marker for each fire of a room's decor, whose inside begins at `origin`."""
    markers = []
    for name, color in (("fire", "orange"), ("red_fire", "red")):
        for y, x in np.argwhere(decor == DECOR_IDS[name]).tolist():
            properties: Mapping[str, Property] = {"color": color, "light_radius_tiles": 3}
            markers.append(PlacedMarker("fire", origin[0] + x, origin[1] + y, properties))
    return markers


def clear_doorsteps(covered: Tiles, decor: Tiles, steps: list[Point]) -> None:
    """Take away what stands in front of a wide door and blocks the way; changes `decor` in place."""
    for x, y in steps:
        kind = DECOR_KINDS[covered[y, x]]
        if not kind.walk or kind.hazard:
            left, top = x, y
            while decor[top, left] != covered[y, x]:  # the thing's top left tile
                raise NotImplementedError
            decor[top, left] = 0
