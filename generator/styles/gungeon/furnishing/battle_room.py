"""The enemy room: a ragged floor with cover, some broken tiles, and enemies spread over it.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): lazy flood fill, cellular smoothing, walls
round the floor, decor, broken tiles, and Poisson-disc sampling for the enemies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms.bitboard import (
    Bitboard,
    below,
    board_of,
    component4,
    dice,
    dilate8,
    erode8,
    erode_square,
    mask_of,
    rectangle,
    square_hits,
)
from generator.algorithms.board_drawing import (
    blurred_noise,
    disc_at,
    fading,
    fill_lone,
    lazy_flood,
    poisson_disc,
    skipping_flood,
    smooth,
    without_slivers,
)
from generator.encounters.budget import champions_of, stage_of_danger, threat_of_crowd
from generator.encounters.encounter import NEAR, Battleground, encounter, within_steps
from generator.encounters.gangs import RoomTurn, threat_in_turn
from generator.geometry import Point
from generator.interiors.chapters import main_name
from generator.interiors.interior import FurnishedRoom, PlacedMarker
from generator.kinds import BRIDGE, DOOR, FLOOR, PIT, RUBBLE, WALL
from generator.kinds.kind_tables import AFAR
from generator.level import Tiles
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.furnishing.decorate import place_decor
from generator.styles.gungeon.furnishing.decorated_room import Grounds
from generator.styles.gungeon.furnishing.kit_tables import EnemyRow, enemy_row
from generator.styles.gungeon.furnishing.motifs import draw_motif
from generator.styles.gungeon.furnishing.site import Site, footing, paint, path_inwards, reach

if TYPE_CHECKING:
    from generator.styles.gungeon.spec import GungeonSpec


_PLACES = 2  # places for each enemy of the crowd that the table asks for
_AWAY = NEAR + 2  # steps: no enemy waits nearer to an opening
_FEW = 3  # places: so few are all for enemies
_SIGHT = 7  # tiles: within this range no shooter sees an opening


def battle_room(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish an enemy room of 7 × 7 tiles or more."""
    (least_width, _), (least_height, _) = spec.sizes_of(site.row)
    keeps = spec.obstacles > 0 and stream.chance(spec.obstacles, 100)
    flood = Flood(spec.roughness, keeps_obstacles=keeps)
    floor = ragged_floor(site, flood, stream, spec.body, (least_width, least_height))
    doors = site.doors
    if stream.chance(site.kit.rules.gungeon["symmetry"], 100):
        floor = _symmetric(floor, site, stream)
    motif = draw_motif(site, floor, doors, spec.body, stream)
    walls = walls_round((site.width, site.height), floor) & ~doors | motif.walls
    floor &= ~motif.solid
    terrain = paint(
        site, ((WALL, walls), (FLOOR, floor), (DOOR, doors), (PIT, motif.pits), (BRIDGE, motif.bridges))
    )
    break_floor(terrain, spec.rubble, stream)
    large = footing(floor | doors, site, spec.body) if spec.body > 1 else None
    free = floor & ~site.doorsteps(margin=1) & ~motif.bridges
    bare = floor & ~motif.bridges
    grounds = Grounds(floor | doors, free, walls, motif.pits, spec.decor, spec.chapter, bare)
    placed = place_decor(site, grounds, large, stream)
    shots = (floor | doors | motif.pits | motif.bridges) & ~placed.opaque
    places = large.places if large else 0
    arena = Arena(floor & ~motif.bridges, doors, placed.covered, placed.walkable, shots, places)
    markers = place_enemies(site, arena, spec, stream)
    return FurnishedRoom(
        "lazy-flood", enemy_row(site.danger, site.kit).difficulty, terrain, placed.decor, markers
    )


def _symmetric(floor: Bitboard, site: Site, stream: Stream) -> Bitboard:
    """Join a floor with its mirror image, left and right or top and bottom, and fill single holes."""
    mask = mask_of(floor, site.shape)
    both = floor | board_of(mask[:, ::-1] if stream.chance(1, 2) else mask[::-1])
    return fill_lone(both, site.inside, site.stride)


def walls_round(size: Point, floor: Bitboard) -> Bitboard:
    """Return each empty tile next to floor, diagonals included, and all that these walls enclose."""
    width, height = size
    stride = width + 1
    inside = rectangle(1, 1, width - 2, height - 2, stride)
    ring = rectangle(0, 0, width, height, stride) ^ inside
    empty = (inside | ring) & ~floor
    walls = empty & dilate8(floor, stride)
    rest = empty & ~walls
    if rest & inside:
        rest = component4(ring, empty, stride) & rest
    return empty & ~rest


# --- broken tiles ------------------------------------------------------------------------------------


def break_floor(terrain: Tiles, percent: int, stream: Stream) -> None:
    """Turn `percent` of the floor to rubble, in patches: where blurred random noise is highest."""
    (noise,) = blurred_noise(1, terrain.shape, stream)
    floor = (terrain == FLOOR).ravel().nonzero()[0]
    broken = len(floor) * percent // 100
    if not broken:
        return
    ranks = noise.ravel().take(floor).astype(np.int64) * terrain.size + floor  # all different
    terrain.flat[floor[ranks.argpartition(-broken)[-broken:]]] = RUBBLE


# --- enemies -----------------------------------------------------------------------------------------


class Arena(NamedTuple):
    """A finished room as boards: floor, doors, covered tiles, walkable tiles, tiles that shots pass.

    `places` are connected places of a large body.
    """

    floor: Bitboard
    doors: Bitboard
    covered: Bitboard
    walkable: Bitboard
    shots: Bitboard
    places: Bitboard = 0


def place_enemies(
    site: Site, arena: Arena, spec: GungeonSpec, stream: Stream, drawn: Sequence[PlacedMarker] = ()
) -> tuple[PlacedMarker, ...]:
    """Put enemies, and perhaps a pickup, into a room: on drawn places first, then wherever there is room."""
    row = enemy_row(site.danger, site.kit)
    crowd = row.crowd(stream.between(*row.enemies), arena.floor.bit_count())
    places = _places(site, arena, spec, crowd, stream, drawn)
    ways_in = tuple((x - way.side.dx, y - way.side.dy) for way in site.openings for x, y in way.tiles)
    free = site.board((place.x, place.y) for place in places)  # where members of gangs may stand
    ground = Battleground(site.width, site.height, free, arena.shots, ways_in, site.kinds)
    markers = [_on_foot_in_sight(marker, ground) for marker in _markers(row, crowd, places, stream)]
    stage = stage_of_danger(site.danger, site.stages or spec.enemy_stages)
    rules = site.kit.rules
    threat = threat_of_crowd(crowd, stage, champions_of(stage, spec.champions, rules), rules)
    name = main_name(threat.chapter, site.kit) if spec.chapter == "none" else spec.chapter
    threat = threat._replace(name=name)
    if not site.is_quiet:
        threat = threat_in_turn(threat, RoomTurn(site.kind, stage, site.turn), site.kit)
    return encounter(markers, ground, threat, stream)


def _places(
    site: Site, arena: Arena, spec: GungeonSpec, crowd: int, stream: Stream, drawn: Sequence[PlacedMarker]
) -> list[PlacedMarker]:
    """Find positions for enemies and pickups, in random order.

    Drawn ones come first. The others have free space all round, if the room is large enough. All keep their
    distance from every opening, so the smallest rooms have no enemies.
    """
    stride, floor = site.stride, arena.floor
    free = floor & reach(arena.walkable, site, spec.body, arena.places) & ~arena.covered
    free &= ~within_steps(arena.doors, _AWAY, site.inside, stride)
    places = []
    order = list(drawn)
    stream.shuffle(order)
    near = spec.enemy_spacing**2 - 1
    for marker in order:
        tile = marker.x + marker.y * stride
        if free >> tile & 1:
            places.append(marker)
            free &= ~disc_at(tile, near, site.width)
    if len(places) <= crowd:
        solid = dilate8(floor & ~arena.walkable, stride)
        elbow_room = free & erode8(floor, stride) & ~solid
        middle = site.height // 2 * stride + site.width // 2
        allowed = elbow_room or (0 if drawn else free & ~solid or free)
        tiles = poisson_disc(allowed, middle, site.width, spec.enemy_spacing, stream)
        stream.shuffle(tiles)
        places += [PlacedMarker("enemy", tile % stride, tile // stride, {}) for tile in tiles]
    return places


def _on_foot_in_sight(marker: PlacedMarker, ground: Battleground) -> PlacedMarker:
    """Turn a shooter that sees an entrance into a walker. Other markers are returned unchanged."""
    if marker.properties.get("role") not in AFAR:
        return marker
    tile = x, y = marker.x, marker.y
    for way in ground.ways_in:
        is_near = -_SIGHT <= way[0] - x <= _SIGHT and -_SIGHT <= way[1] - y <= _SIGHT
        if is_near and ground.is_clear(tile, way):
            return PlacedMarker(marker.kind, x, y, {**marker.properties, "role": "walker"})
    return marker


def _markers(row: EnemyRow, crowd: int, places: list[PlacedMarker], stream: Stream) -> Iterator[PlacedMarker]:
    """More enemies than the budget will pay for, and perhaps a pickup, as far as there are places."""
    if stream.chance(row.pickup, 100) and len(places) > _FEW:
        marker = places.pop()
        yield PlacedMarker("pickup", marker.x, marker.y, {"item": "any"})
    for number, marker in enumerate(places[: crowd * _PLACES]):
        role = stream.pick(row.roles)
        late = stream.chance(row.second_wave, 100) and number > 0
        properties = {"role": role, "wave": 2 if late else 1, **marker.properties}
        yield PlacedMarker(marker.kind, marker.x, marker.y, properties)


# The ragged floor of an enemy room: a lazy flood from its middle, smoothed, joined to every opening.

_MIN_FLOOR = 45  # percent of the inside: less is too small to fight in
_FADE = 430  # 256ths that the chance to spread loses from the middle to the corners, at roughness 100
_FADE_OF_GAPS = 170  # the same where the flood leaves gaps
_FRINGE = 160  # 256ths of the tiles beside a path become floor too
_ROUNDS = 2  # of smoothing


class Flood(NamedTuple):
    """How a floor is flooded: how ragged, and whether the obstacles and narrow slots in it stay.

    They are what the document calls an unintended but welcome effect; only single tiles are filled there.
    """

    roughness: int
    keeps_obstacles: bool = False


def ragged_floor(
    site: Site, flood: Flood, stream: Stream, body: int = 1, least: tuple[int, int] = (0, 0)
) -> Bitboard:
    """Make the floor of a site, without its openings: connected, and touching the tiles of every opening.

    A body `body` tiles wide, no wider than the openings, can walk on it from each of them to all others. A
    floor that is too small to fight in, or with its walls smaller than `least` tiles (width and height), is
    drawn again, less ragged. `roughness` 0 is the whole inside.
    """
    inside, roughness = site.inside, flood.roughness
    while roughness:
        floor = _one_floor(site, flood._replace(roughness=roughness), stream)
        if body > 1:
            floor = _widened(floor, site, body)
        is_large = floor.bit_count() * 100 >= inside.bit_count() * _MIN_FLOOR
        if is_large and _has_extent(floor, site, least):
            return floor
        roughness = roughness * 4 // 5
    return inside


def _has_extent(floor: Bitboard, site: Site, least: tuple[int, int]) -> bool:
    """Check whether a floor and its walls are as wide and as high as `least`, or as the site allows."""
    taken = mask_of(floor | site.doors, site.shape)
    for axis, (length, side) in enumerate(zip(least, (site.width, site.height), strict=True)):
        (places,) = np.nonzero(taken.any(axis=axis))
        first, last = max(int(places[0]) - 1, 0), min(int(places[-1]) + 1, side - 1)
        if last - first + 1 < min(length, side):
            return False
    return True


def _one_floor(site: Site, way: Flood, stream: Stream) -> Bitboard:
    """Flood, join, smooth. The paths that join the openings survive the smoothing."""
    stride, middle, inside = site.stride, _middle(site), site.inside
    fade, spread = (_FADE_OF_GAPS, skipping_flood) if way.keeps_obstacles else (_FADE, lazy_flood)
    chances = fading(site.width // 2 + site.height // 2, 256 - fade * way.roughness // 100)
    flood = spread(inside, middle, stride, chances, stream)
    (fringe,) = below(dice(inside.bit_length(), stream), (_FRINGE,))
    ways = _ways(site, flood)
    floor = flood | ways | dilate8(ways, stride) & fringe & inside
    for _ in range(_ROUNDS):
        floor = smooth(floor, stride)
    if not way.keeps_obstacles:
        floor = without_slivers(floor, inside, stride)
    # Smoothing may have removed the floor at the end of a path, which then goes on to what is left in the
    # middle.
    ways |= _ways(site, component4(middle, floor, stride))
    floor = fill_lone(floor | middle | ways, inside, stride)
    return component4(middle, floor, stride)


def _widened(floor: Bitboard, site: Site, body: int) -> Bitboard:
    """Add straight paths to the middle from the openings that were too narrow for a body."""
    stride = site.stride
    middle = rectangle((site.width - body) // 2, (site.height - body) // 2, body, body, stride)
    floor |= middle
    places = erode_square(floor | site.doors, body, stride)
    joined = component4(middle & -middle, places, stride)
    for opening in site.openings:
        if not square_hits(site.board(opening.tiles), body, stride) & joined:
            floor |= path_inwards(opening, site)
    return fill_lone(floor, site.inside, stride)


def _middle(site: Site) -> Bitboard:
    """Return the tile in the middle, or the two or four there."""
    left, top = (site.width - 1) // 2, (site.height - 1) // 2
    return rectangle(left, top, 2 - site.width % 2, 2 - site.height % 2, site.stride)


def _ways(site: Site, floor: Bitboard) -> Bitboard:
    ways = 0
    for opening in site.openings:
        ways |= path_inwards(opening, site, floor)
    return ways
