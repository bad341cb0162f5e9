"""How many rooms of which kind and size there are, and where they are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import isqrt

import numpy as np

from generator.arrays import Ints
from generator.rng import Stream
from generator.styles.gungeon.dealing import deal
from generator.styles.gungeon.own_rooms import OwnRoom, own_kinds, settled_places
from generator.styles.gungeon.plan import Heap
from generator.styles.gungeon.room_kinds import BOSS, NORMAL, START, gungeon_kind, gungeon_kinds
from generator.styles.gungeon.spec import GungeonSpec

# The area that rooms are dropped into, in percent of what they need: with less, the middle of a large heap is
# under more pressure than the limited rounds of pushing can relieve.
_AREA_PERCENT = 180
# Rooms are pushed apart along the axis of least overlap, so a square drop grows into a tower; a strip twice
# as wide as high ends up a little wider than high, as screens are (Boyd van Nobelen, "Procedurally Generated
# Dungeon", drops into a horizontal strip for that reason).
_STRIP_ASPECT = 2
_DISC_TRIES = 8  # points drawn per room; all miss the disc less than once in 200,000 rooms


def scatter(spec: GungeonSpec, margin: int, seed: int, attempt: int) -> Heap:
    """Drop the rooms, which may overlap, into an area that grows with theirs.

    The start lies at one end of the heap and the boss at the other. Rooms with a layout have the layout's
    size.
    """
    stream = Stream(seed, "gungeon.scatter", attempt)
    kinds = count_kinds(spec, stream, own_kinds(spec, seed, attempt))
    width, height = _draw_sizes(spec, kinds, stream)
    area = _area(width, height, margin)
    places = np.column_stack(_SHAPES[spec.drop](len(kinds), area, stream))
    dropped = settled_places(spec, kinds, places[_dealt(kinds, places, stream)], seed, attempt)
    layouts = deal(spec, kinds, dropped, seed, attempt)
    for room, layout in enumerate(layouts):
        if layout is not None:
            width[room], height[room] = layout.size
    stretch = isqrt(_area(width, height, margin) * 1_000_000 // area)  # layouts may need more, or less
    x, y = (dropped * stretch // 1_000).T
    return Heap(kinds, x - width // 2, y - height // 2, width, height, layouts, spec.load_kit().kinds)


def _area(width: Ints, height: Ints, margin: int) -> int:
    """Count the tiles that rooms of these sizes are dropped into."""
    return int(((width + margin) * (height + margin)).sum()) * _AREA_PERCENT // 100


def count_kinds(spec: GungeonSpec, stream: Stream, own: Sequence[OwnRoom] = ()) -> tuple[str, ...]:
    """Draw the rooms' kinds: the start, then bosses, shops, chest rooms, other kinds and enemy rooms.

    The rooms that a kit's rules place come last, unless they go before another kind.

    Each number is drawn from its range. If the spec fixes the total, what the start and the bosses leave
    is shared out in proportion to these numbers.
    """
    rows = gungeon_kinds(spec.load_kit().kinds)
    kinds = [kind for kind in rows.values() if kind.name not in (START, BOSS)]
    bosses = stream.between(*spec.range_of(gungeon_kind(spec.load_kit().kinds, BOSS), "rooms"))
    drawn = [stream.between(*spec.range_of(kind, "rooms")) for kind in kinds]
    if spec.rooms:
        bosses = min(bosses, spec.rooms - 1)
        shares = drawn if any(drawn) else [int(kind.name == NORMAL) for kind in kinds]
        own = own[: spec.rooms - 1 - bosses]
        drawn = _shared_out(spec.rooms - 1 - bosses - len(own), shares)
    names = [kind.name for kind, rooms in zip(kinds, drawn, strict=True) for _ in range(rooms)]
    for room in own:
        names.insert(names.index(room.before) if room.before in names else len(names), room.kind)
    return (START, *[BOSS] * bosses, *names)


def _shared_out(total: int, shares: list[int]) -> list[int]:
    """Share `total` seats by the method of the largest remainder. Of equal ones, the last comes first."""
    everyone = sum(shares)
    seats = [total * share // everyone for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda i: (total * shares[i] % everyone, i), reverse=True)
    for i in by_remainder[: total - sum(seats)]:
        seats[i] += 1
    return seats


def _draw_sizes(spec: GungeonSpec, kinds: tuple[str, ...], stream: Stream) -> tuple[Ints, Ints]:
    """Draw each room's width and height. All sizes in a kind's range are equally likely."""
    rows, sizes = spec.load_kit().kinds, []
    for side in ("width", "height"):
        ranges = {
            kind.name: spec.range_of(kind, side) for kind in map(partial(gungeon_kind, rows), set(kinds))
        }
        least, most = np.array([ranges[kind] for kind in kinds], np.int64).T
        sizes.append(stream.between_block(least, most))
    return sizes[0], sizes[1]


def _strip(count: int, area: int, stream: Stream) -> tuple[Ints, Ints]:
    height = isqrt(area // _STRIP_ASPECT)
    return stream.below_block(area // height, count), stream.below_block(height, count)


def _square(count: int, area: int, stream: Stream) -> tuple[Ints, Ints]:
    side = isqrt(area)
    return stream.below_block(side, count), stream.below_block(side, count)


def _disc(count: int, area: int, stream: Stream) -> tuple[Ints, Ints]:
    """Draw, for each room, points of the square round the disc, and keep the first that lies in the disc."""
    side = isqrt(area * 4 * 113 // 355)  # 355 / 113 for pi: nobody sees a tile of difference
    x = stream.below_block(side, count * _DISC_TRIES).reshape(count, _DISC_TRIES)
    y = stream.below_block(side, count * _DISC_TRIES).reshape(count, _DISC_TRIES)
    inside = (2 * x - side) ** 2 + (2 * y - side) ** 2 <= side * side
    first = inside.argmax(axis=1)
    room = np.arange(count)
    return x[room, first], y[room, first]


_SHAPES = {"strip": _strip, "square": _square, "disc": _disc}


def _dealt(kinds: tuple[str, ...], places: Ints, stream: Stream) -> list[int]:
    """Deal each room its point: the start the outermost on one side, bosses the outermost on the other."""
    left = np.lexsort((places[:, 1], places[:, 0])).tolist()
    if stream.chance(1, 2):
        left.reverse()
    start, bosses = left.pop(0), kinds.count(BOSS)  # they come right after the start
    taken = left[len(left) - bosses :]
    return [start, *reversed(taken), *sorted(left[: len(left) - bosses])]
