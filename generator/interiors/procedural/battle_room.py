"""The enemy room: a ragged floor with cover on it, broken here and there, and enemies spread over it.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): lazy flood fill, cellular smoothing, walls
round the floor, decor, broken tiles, and Poisson-disc sampling for the enemies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from generator.interiors.interior import PlacedMarker
from generator.interiors.procedural.boards import Board, deep8, dice, piece4, spread4, spread8
from generator.interiors.procedural.clutter import Grounds, decor_array, strew
from generator.interiors.procedural.footing import footing, reach
from generator.interiors.procedural.poisson import poisson_disc
from generator.interiors.procedural.ragged_floor import ragged_floor
from generator.interiors.procedural.shell import doors_of, doorstep_of, inside_of, paint, ring_of
from generator.interiors.procedural.site import Inside, Site
from generator.interiors.procedural.tables import enemy_row
from generator.kinds import DOOR, FLOOR, RUBBLE, WALL
from generator.level import Tiles
from generator.rng import Stream
from generator.spec import GungeonSpec

_DECOR = "normal"  # the room kind in the tables of decor
_AWAY = 3  # steps from an opening within which no enemy waits


def battle_room(site: Site, spec: GungeonSpec, stream: Stream) -> Inside:
    """Furnish an enemy room of 7 × 7 tiles or more."""
    floor = ragged_floor(site, spec.roughness, stream, spec.body)
    doors = doors_of(site)
    walls = _walls(site, floor) & ~doors
    terrain = paint(site, ((WALL, walls), (FLOOR, floor), (DOOR, doors)))
    _break(terrain, spec.rubble, stream)
    doorsteps = 0
    for opening in site.openings:
        doorsteps |= doorstep_of(opening, site, more=1)
    shape = site.height, site.width
    large = footing(floor | doors, site, spec.body) if spec.body > 1 else None
    strewn = strew(Grounds(shape, floor | doors, floor & ~doorsteps, walls), _DECOR, stream, large)
    markers = who_waits(site, Arena(floor, doors, strewn.covered, strewn.walkable), spec, stream)
    difficulty = enemy_row(site.danger).difficulty
    return Inside("lazy-flood", difficulty, terrain, decor_array(strewn, shape), markers)


def _walls(site: Site, floor: Board) -> Board:
    """Each empty tile with floor on one of its eight sides, and all that such walls shut in."""
    stride = site.width + 1
    empty = (inside_of(site) | ring_of(site)) & ~floor
    walls = empty & spread8(floor, stride)
    rest = empty & ~walls
    if rest & inside_of(site):
        rest = piece4(ring_of(site), empty, stride) & rest
    return empty & ~rest


# --- broken tiles ------------------------------------------------------------------------------------


def _break(terrain: Tiles, percent: int, stream: Stream) -> None:
    """Turn that much of the floor to rubble, in patches: where random noise, blurred, is highest."""
    height, width = terrain.shape
    noise = dice(height * width, stream).reshape(height, width).astype(np.int32)
    noise[:, 1:-1] += noise[:, 2:] + noise[:, :-2]
    noise[1:-1] += noise[2:] + noise[:-2]
    noise *= height * width
    noise += np.arange(height * width, dtype=np.int32).reshape(height, width)  # no two are the same
    noise[terrain != FLOOR] = -1
    broken = np.count_nonzero(noise >= 0) * percent // 100
    if broken:
        terrain[noise >= np.partition(noise, -broken, axis=None)[-broken]] = RUBBLE


# --- enemies -----------------------------------------------------------------------------------------


class Arena(NamedTuple):
    """A finished room as boards: its floor and doors, what things cover, and where one can walk."""

    floor: Board
    doors: Board
    covered: Board
    walkable: Board


def who_waits(site: Site, arena: Arena, spec: GungeonSpec, stream: Stream) -> tuple[PlacedMarker, ...]:
    """Put enemies, and perhaps a pickup, into a room."""
    places = _places(site, arena, spec, stream)
    return tuple(_markers(site, arena.floor, places, spec, stream))


def _places(site: Site, arena: Arena, spec: GungeonSpec, stream: Stream) -> list[int]:
    """Tiles for enemies and the like, in an order that chance gives.

    They have elbow-room on all sides, where the room is large enough for it, and are always far enough
    from every opening: in the smallest rooms nobody waits.
    """
    stride, floor = site.width + 1, arena.floor
    solid = spread8(floor & ~arena.walkable, stride)
    free = floor & reach(arena.walkable, site, spec.body) & ~arena.covered
    free &= ~_near(arena.doors, inside_of(site), stride)
    elbow_room = free & deep8(floor, stride) & ~solid
    middle = site.height // 2 * stride + site.width // 2
    places = poisson_disc(elbow_room or free & ~solid or free, middle, site.width, spec.enemy_spacing, stream)
    stream.shuffle(places)
    return places


def _near(doors: Board, inside: Board, stride: int) -> Board:
    """The tiles few steps from an opening, as if nothing stood in the way."""
    near = doors
    for _ in range(_AWAY):
        near |= spread4(near, stride) & inside
    return near


def _markers(
    site: Site, floor: Board, places: list[int], spec: GungeonSpec, stream: Stream
) -> Iterator[PlacedMarker]:
    """The enemies, and perhaps a pickup, as many as there are places."""
    stride, row = site.width + 1, enemy_row(site.danger)
    crowd = row.crowd(stream.between(*row.enemies), floor.bit_count())
    for number, tile in enumerate(places[:crowd]):
        role = stream.pick(row.roles)
        late = stream.chance(row.second_wave, 100) and number > 0
        champion = stream.chance(spec.champions, 100)
        properties = {"role": role, "wave": 2 if late else 1, "champion": champion, "flies": role == "flyer"}
        yield PlacedMarker("enemy", tile % stride, tile // stride, properties)
    if stream.chance(row.pickup, 100):
        for tile in places[crowd : crowd + 1]:
            yield PlacedMarker("pickup", tile % stride, tile // stride, {"item": "any"})
