"""Furnishing: every room gets a layout, a mirror image and its variation, from a stream of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from generator.floorplans.floorplan import Floorplan
from generator.interiors.chapters import chapter_of
from generator.interiors.dealing import Pools
from generator.interiors.doorways import interior_behind
from generator.interiors.interior import PlacedMarker
from generator.interiors.own_layouts import own_layouts
from generator.interiors.passage import Passage
from generator.interiors.pools import Choice
from generator.kinds import DECOR_IDS
from generator.level import Property, Tiles
from generator.rng import Stream
from generator.shapes import Slot
from generator.spec import GridSpec


class Furnishing(NamedTuple):
    """What one room gets: arrays [y, x] of its inside, and markers in tiles of its inside."""

    layout: str
    difficulty: int
    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]


Chooser = Callable[[Any, Floorplan, Pools, list[frozenset[Slot]], int], list[Choice]]


class Furnished(NamedTuple):
    """All rooms' furnishings in their order, the chapter that they come from, and the digest of the team's
    own layouts, empty if there are none.
    """

    rooms: tuple[Furnishing, ...]
    chapter: str
    own_layouts: str


def furnish(spec: GridSpec, plan: Floorplan, seed: int, choose: Chooser) -> Furnished:
    """Choose and vary a layout for every room of a floorplan.

    `choose` gives each room its layout; what else chance decides in a room it decides by a stream of the
    room's own. Raises SpecError if there is no layout for a room, LayoutError for a bad file of the team's.
    """
    own = own_layouts(spec)
    chapter = chapter_of(spec, seed)
    doors = _doors_of(plan)
    pools = Pools(chapter, spec.room_size, own, Passage(spec.body, spec.door_width))
    choices = choose(spec, plan, pools, doors, seed)
    rooms = tuple(
        furnished_room(spec, choice, slots, Stream(seed, "isaac.furnish", number))
        for number, (choice, slots) in enumerate(zip(choices, doors, strict=True))
    )
    return Furnished(rooms, chapter.name, own.digest)


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


def furnished_room(spec: GridSpec, choice: Choice, doors: frozenset[Slot], stream: Stream) -> Furnishing:
    """One of a layout's mirror images, behind a room's doors, with what chance varies in it."""
    mirror = stream.pick(choice.mirrors)
    interior = choice.layout.interior(mirror)
    if spec.door_width > 1:
        interior = interior_behind(choice.layout, mirror, Passage(spec.body, spec.door_width), doors)
    decor = vary_decor(spec, interior.decor, stream)
    markers = tuple(vary_marker(spec, marker, stream) for marker in interior.markers)
    name = f"{choice.name}+{mirror}" if mirror else choice.name
    return Furnishing(name, choice.difficulty, interior.terrain, decor, markers)


def vary_decor(spec: GridSpec, decor: Tiles, stream: Stream) -> Tiles:
    """Turn some rocks into tinted ones and some fires into red ones; a word a tile of the room."""
    rolls = stream.below_block(100, decor.size).reshape(decor.shape)
    varied = decor.copy()
    for plain, other, percent in (
        ("rock", "tinted_rock", spec.tinted_rocks),
        ("fire", "red_fire", spec.red_fires),
    ):
        varied[(decor == DECOR_IDS[plain]) & (rolls < percent)] = DECOR_IDS[other]
    return varied


def vary_marker(spec: GridSpec, marker: PlacedMarker, stream: Stream) -> PlacedMarker:
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
