"""Scatter: how many rooms of which kind and size there are, and where they are dropped."""

from __future__ import annotations

from math import isqrt

import numpy as np

from generator.floorplans.gungeon.plan import Heap, Ints
from generator.rng import Stream
from generator.spec import GungeonSpec

# The dropped rooms have that much more room than they need: with less, the middle of a large heap is under
# more pressure than the counted rounds of pushing can let out.
_AREA_PERCENT = 180
# Rooms are pushed apart over their short side, so a square drop grows into a tower; a strip twice as wide
# as high ends up a little wider than high, as screens are (Boyd van Nobelen, "Procedurally Generated
# Dungeon", drops into a horizontal strip for that reason).
_STRIP_ASPECT = 2
_DISC_TRIES = 8  # points drawn a room; all miss the disc less than once in 200,000 rooms


def scatter(spec: GungeonSpec, margin: int, seed: int, attempt: int) -> Heap:
    """Drop the rooms, overlapping as chance has it, into an area that grows with theirs.

    The start comes to lie at one end of the heap and the boss at the other.
    """
    stream = Stream(seed, "gungeon.scatter", attempt)
    kinds = count_kinds(spec, stream)
    width, height = _draw_sizes(spec, kinds, stream)
    area = int(((width + margin) * (height + margin)).sum()) * _AREA_PERCENT // 100
    places = np.column_stack(_SHAPES[spec.drop](len(kinds), area, stream))
    x, y = places[_dealt(kinds, places, stream)].T
    return Heap(kinds, x - width // 2, y - height // 2, width, height)


def count_kinds(spec: GungeonSpec, stream: Stream) -> tuple[str, ...]:
    """The rooms' kinds: the start, then bosses, shops, chest rooms and enemy rooms.

    Each number is drawn from its range. If the spec fixes the total, what the start and the bosses leave
    is shared out as these numbers are to each other.
    """
    bosses = stream.between(*spec.boss_rooms)
    drawn = [stream.between(*most) for most in (spec.shop_rooms, spec.chest_rooms, spec.enemy_rooms)]
    if spec.rooms:
        bosses = min(bosses, spec.rooms - 1)
        drawn = _shared_out(spec.rooms - 1 - bosses, drawn if any(drawn) else [0, 0, 1])
    shops, chests, enemies = drawn
    return ("start", *["boss"] * bosses, *["shop"] * shops, *["chest"] * chests, *["normal"] * enemies)


def _shared_out(total: int, shares: list[int]) -> list[int]:
    """`total` seats by the method of the largest remainder; of equal remainders the last comes first."""
    everyone = sum(shares)
    seats = [total * share // everyone for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda i: (total * shares[i] % everyone, i), reverse=True)
    for i in by_remainder[: total - sum(seats)]:
        seats[i] += 1
    return seats


def _draw_sizes(spec: GungeonSpec, kinds: tuple[str, ...], stream: Stream) -> tuple[Ints, Ints]:
    """[room] widths and heights, each size of a kind's range as likely."""
    sizes = []
    for ranges in (
        {
            "start": spec.start_width,
            "normal": spec.enemy_width,
            "chest": spec.chest_width,
            "shop": spec.shop_width,
            "boss": spec.boss_width,
        },
        {
            "start": spec.start_height,
            "normal": spec.enemy_height,
            "chest": spec.chest_height,
            "shop": spec.shop_height,
            "boss": spec.boss_height,
        },
    ):
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
    """Points of the square round the disc, the first of several that lies within."""
    side = isqrt(area * 4 * 113 // 355)  # 355 / 113 for pi: nobody sees a tile of difference
    x = stream.below_block(side, count * _DISC_TRIES).reshape(count, _DISC_TRIES)
    y = stream.below_block(side, count * _DISC_TRIES).reshape(count, _DISC_TRIES)
    inside = (2 * x - side) ** 2 + (2 * y - side) ** 2 <= side * side
    first = inside.argmax(axis=1)
    room = np.arange(count)
    return x[room, first], y[room, first]


_SHAPES = {"strip": _strip, "square": _square, "disc": _disc}


def _dealt(kinds: tuple[str, ...], places: Ints, stream: Stream) -> list[int]:
    """[room]: the place it takes: the start the first from one side, bosses the first from the other."""
    left = np.lexsort((places[:, 1], places[:, 0])).tolist()
    if stream.chance(1, 2):
        left.reverse()
    start, bosses = left.pop(0), kinds.count("boss")  # who come right after the start
    taken = left[len(left) - bosses :]
    return [start, *reversed(taken), *sorted(left[: len(left) - bosses])]
