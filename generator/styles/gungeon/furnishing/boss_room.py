"""The boss room: a pit with four islands, bridges between them, and the boss hovering over the middle.

After Boyd van Nobelen, "Procedurally Generated Dungeon" (2023): the islands are lazy floods, and the bridges
follow Bresenham's lines. The boss is out of reach while it attacks, and the islands are where the player
dodges and waits.

    #######++###########
    #  ....==....      #    ++ door, its landing below it, and the bridge to the nearest island
    #  ....  .....     #
    #  ....======.     #    X  the boss, over a plinth in the pit
    #   ==        ==   #    V  the exit, on the island furthest from the doors
    #   ==    X   ==   #
    #  ...         V.. #
    #  ....======..... #
    ####################
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from generator.algorithms.bitboard import (
    Bitboard,
    below,
    component4,
    dice,
    dilate4,
    dilate8,
    erode8,
    mask_of,
    rectangle,
)
from generator.algorithms.board_drawing import bridge, fill_lone, lazy_flood, smooth, without_slivers
from generator.geometry import Point, Rect
from generator.interiors.free_tiles import HeldTiles
from generator.interiors.interior import FurnishedRoom, PlacedMarker
from generator.kinds import BRIDGE, DIFFICULTIES, DOOR, FLOOR, PIT, RUBBLE, WALL
from generator.level import Property, Tiles
from generator.rng import Stream
from generator.styles.gungeon.furnishing.decorate import place_decor
from generator.styles.gungeon.furnishing.decorated_room import Grounds
from generator.styles.gungeon.furnishing.focal import set_round_later
from generator.styles.gungeon.furnishing.site import (
    DOORSTEP,
    Opening,
    Site,
    corners_round,
    footing,
    paint,
)

if TYPE_CHECKING:
    from generator.styles.gungeon.spec import GungeonSpec


_BROKEN = 45  # percent of the rooms have a collapsed bridge
_CRUMBLING = 48  # 256ths of the tiles at an island's edge become rubble
_FLOOD = 170, 70  # 256ths: the chance that a flood spreads in its first step and in its last
_BREADTH = 2  # tiles: the least width of a bridge
_BOSS: Mapping[str, Property] = {"rank": "boss", "flies": True}
_WAY_OUT: Mapping[str, Property] = {"to": "next"}
_SPOILS: Mapping[str, Property] = {"pool": "room"}


def boss_room(site: Site, spec: GungeonSpec, stream: Stream) -> FurnishedRoom:
    """Furnish a boss room of 15 × 15 tiles or more."""
    stride, inside, doors = site.stride, site.inside, site.doors
    broken = stream.below(4) if stream.chance(_BROKEN, 100) else None
    hearts, islands = _islands(site, stream)
    landings = site.doorsteps(margin=1, depth=max(DOORSTEP, spec.body))
    floor = islands | landings
    bridges = _ring(site, hearts, broken, spec.body) | _ways_in(site, hearts, spec.body)
    bridges &= inside & ~floor
    bridges |= _chinks(bridges, floor, inside, stride)
    pit = inside & ~floor & ~bridges
    plinth = _plinth(site, erode8(erode8(pit, stride), stride))
    pit ^= plinth
    (crumbling,) = below(dice(inside.bit_length(), stream), (_CRUMBLING,))
    rubble = islands & dilate4(pit, stride) & crumbling & ~landings
    walls = site.ring & ~doors
    layers = (
        (WALL, walls),
        (DOOR, doors),
        (PIT, pit),
        (FLOOR, floor | plinth),
        (BRIDGE, bridges),
        (RUBBLE, rubble),
    )

    spoils = _spoils(site, hearts, stream)
    kept = landings | dilate4(bridges, stride)
    under_spoils = site.board((marker.x, marker.y) for marker in spoils)
    kept |= dilate8(under_spoils, stride)
    bare = floor & ~bridges & ~under_spoils
    grounds = Grounds(floor | bridges | doors, islands & ~kept, walls, pit, spec.decor, spec.chapter, bare)
    large = footing(grounds.walkable, site, spec.body, spoils) if spec.body > 1 else None
    terrain, decor = paint(site, layers), place_decor(site, grounds, large, stream).decor
    if spec.decor:
        held, (_, spoil) = HeldTiles(terrain, decor, site.kinds), spoils
        decor = set_round_later(site, held, (spoil.kind, (spoil.x, spoil.y)), (), spec.chapter, stream)
        decor[mask_of(plinth, site.shape)] = site.kinds.decor_ids.get("dais", 0)
    _light_way_out(spoils[0], floor & ~landings, decor, site.kinds.decor_ids.get("candle", 0))
    boss = PlacedMarker("boss", site.width // 2, site.height // 2, _BOSS)
    layout = "four-islands" if broken is None else "fallen-bridge"
    return FurnishedRoom(layout, DIFFICULTIES["hard"], terrain, decor, (boss, *spoils))


# --- islands -----------------------------------------------------------------------------------------


def quarters(width: int, height: int) -> tuple[Rect, Rect, Rect, Rect]:
    """Return where islands may lie in a room of this size (walls included), clockwise from the top left.

    A cross-shaped pit, about a fifth of the room wide, keeps them apart and the boss out of reach.
    """
    (left, right, across), (top, bottom, down) = _halves(width), _halves(height)
    return (
        Rect(left, top, across, down),
        Rect(right, top, across, down),
        Rect(right, bottom, across, down),
        Rect(left, bottom, across, down),
    )


def _halves(length: int) -> tuple[int, int, int]:
    """Split a room's length into two equal parts: where each starts, and how long they are."""
    inside = length - 2
    margin = 1 + inside // 24
    part = (inside - max(3, inside // 5)) // 2 - margin
    return 1 + margin, length - 1 - margin - part, part


def _islands(site: Site, stream: Stream) -> tuple[list[Rect], Bitboard]:
    """Put a heart at a random place in each quarter, and grow one lazy flood from all four.

    Returns the hearts of the islands, clockwise from the top left, and the whole floor of all islands.
    """
    stride = site.stride
    within = source = 0
    hearts = []
    for quarter in quarters(site.width, site.height):
        heart = _heart(quarter, stream)
        hearts.append(heart)
        within |= rectangle(*quarter, stride)
        source |= rectangle(*heart, stride)
    steps = (quarter.width + quarter.height) // 3
    first, last = _FLOOD
    chances = [first - (first - last) * step // steps for step in range(steps)]
    flood = lazy_flood(within, source, stride, chances, stream)
    floor = smooth(smooth(flood, stride), stride) | source
    floor = fill_lone(without_slivers(floor, within, stride) | source, within, stride)
    return hearts, component4(source, floor, stride)


def _heart(quarter: Rect, stream: Stream) -> Rect:
    """Choose an island's fixed part: half of its quarter's sides, or more if too small to fight in."""
    width = min(quarter.width, max(5, quarter.width // 2))
    height = min(quarter.height, max(4, quarter.height // 2))
    x = quarter.x + stream.below(quarter.width - width + 1)
    y = quarter.y + stream.below(quarter.height - height + 1)
    return Rect(x, y, width, height)


# --- bridges -----------------------------------------------------------------------------------------


def _ring(site: Site, hearts: Sequence[Rect], broken: int | None, body: int) -> Bitboard:
    """Bridge each island to the next one clockwise. Only the ends of a broken bridge are left."""
    stride = site.stride
    ring, breadth = 0, max(_BREADTH, body)
    for number, heart in enumerate(hearts):
        following = hearts[(number + 1) % 4]
        way = bridge(_centre(heart, breadth), _centre(following, breadth), breadth, stride, body)
        ring |= way & ~_middle(site) if number == broken else way
    return ring


def _middle(site: Site) -> Bitboard:
    """Return the cross of tiles in the middle of every bridge of the ring."""
    stride = site.stride
    reach_x, reach_y = 1 + site.width // 24, 1 + site.height // 24
    x, y = site.width // 2 - reach_x, site.height // 2 - reach_y
    wide, high = 2 * reach_x + site.width % 2, 2 * reach_y + site.height % 2
    return rectangle(x, 0, wide, site.height, stride) | rectangle(0, y, site.width, high, stride)


def _plinth(site: Site, roomy: Bitboard) -> Bitboard:
    """Return the tiles below the boss that rise out of the pit: up to 4 x 4 that are all `roomy`, or none."""
    for least in (3, 1):
        wide, high = least + (site.width + 1) % 2, least + (site.height + 1) % 2
        tiles = rectangle((site.width - wide) // 2, (site.height - high) // 2, wide, high, site.stride)
        if not tiles & ~roomy:
            return tiles
    return 0


def _ways_in(site: Site, hearts: Sequence[Rect], body: int) -> Bitboard:
    """Lay paths as wide as the door from each opening to its islands."""
    ways = 0
    for opening in site.openings:
        breadth = min(max(_BREADTH, len(opening.tiles)), hearts[0].width, hearts[0].height)
        start = _threshold(opening, site, breadth)
        for end in _ends(start, hearts, breadth):
            ways |= bridge(start, end, breadth, site.stride, body)
    return ways


def _ends(start: Point, hearts: Sequence[Rect], breadth: int) -> list[Point]:
    """Find where paths from a door end: on the nearest island, and on another as near if they slant.

    #####++#####    ####++######
    #   ....   #    #  ....    #
    #  ==  ==  #    #   ==     #
    # ...  ... #    #  ....    #
    """
    places = sorted((_nearest(start, heart, breadth) for heart in hearts), key=partial(_steps, start))
    first, second = places[:2]
    aslant = first[0] != start[0] and first[1] != start[1]
    as_near = _steps(start, second) <= _steps(start, first) + breadth
    return [first, second] if aslant and as_near else [first]


def _chinks(bridges: Bitboard, floor: Bitboard, inside: Bitboard, stride: int) -> Bitboard:
    """Find strips of pit beside a bridge that are less than two tiles wide, which only get in the way."""
    filled = without_slivers(floor | bridges, inside, stride)
    return filled & dilate4(bridges, stride) & ~floor & ~bridges


def _threshold(opening: Opening, site: Site, breadth: int) -> Point:
    """Return the top left tile of the square at the inner edge of a doorstep."""
    x, y = opening.tiles[0]
    x, y = x - 2 * opening.side.dx, y - 2 * opening.side.dy
    return min(max(x, 1), site.width - 1 - breadth), min(max(y, 1), site.height - 1 - breadth)


def _nearest(start: Point, heart: Rect, breadth: int) -> Point:
    """Return the top left tile of the square in an island's heart that is nearest to `start`."""
    x = min(max(start[0], heart.x), heart.right - breadth)
    y = min(max(start[1], heart.y), heart.bottom - breadth)
    return x, y


def _centre(heart: Rect, breadth: int) -> Point:
    """Return the top left tile of a square in the middle of an island's heart."""
    return heart.x + (heart.width - breadth) // 2, heart.y + (heart.height - breadth) // 2


def _steps(start: Point, end: Point) -> int:
    return abs(start[0] - end[0]) + abs(start[1] - end[1])


# --- spoils ------------------------------------------------------------------------------------------


def _spoils(site: Site, hearts: Sequence[Rect], stream: Stream) -> tuple[PlacedMarker, PlacedMarker]:
    """Put the exit on the island furthest from the doors, and the reward on the next furthest."""
    first = stream.below(4)
    turned = [_centre(hearts[(first + i) % 4], 1) for i in range(4)]
    doors = [opening.tiles[0] for opening in site.openings]
    turned.sort(key=lambda tile: -min((_steps(tile, door) for door in doors), default=0))
    return PlacedMarker("exit", *turned[0], _WAY_OUT), PlacedMarker("item", *turned[1], _SPOILS)


def _light_way_out(way_out: PlacedMarker, floor: Bitboard, decor: Tiles, candle: int) -> None:
    """Put candles at the four corners round the exit."""
    for x, y in corners_round((way_out.x, way_out.y)):
        if floor >> x + y * (decor.shape[1] + 1) & 1:
            decor[y, x] = candle
