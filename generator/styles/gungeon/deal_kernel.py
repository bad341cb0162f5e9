"""`dealing.deal` as a kernel: which layouts the rooms of a heap get."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from generator.compiled.primitives import below

TAGS = 3  # of layouts: plain, hubs, connectors
LEVELS = 5  # of difficulty
_PLAIN, _HUB, _CONNECTOR, _PROCEDURAL = 0, 1, 2, 3
_ONE_HUB_IN, _ONE_CONNECTOR_IN = 8, 9


class KindTable(NamedTuple):
    """[kind]: the spec's ranges, each its least and its most, and the values of the kind's row."""

    rooms: array[int]
    width: array[int]
    height: array[int]
    procedural: array[int]  # percent of them that get no layout
    weight: array[int]
    aside: array[int]  # whether it is off the way


class Pools(NamedTuple):
    """The layouts: `decks` has the first card of each kind and tag, and the end of the last.

    A card is a file; `weights` are its weights by difficulty, `images` the number of its first image, and the
    end of the last; `once` is whether it comes at most once. An image has a size, and may suit no room of the
    spec.
    """

    decks: array[int]  # [TAGS * kind + tag]
    weights: array[int]  # [LEVELS * card + level]
    once: bytearray  # [card]
    images: array[int]  # [card]
    sizes: array[int]  # [2 * image]: width and height
    suits: bytearray  # [image]
    is_hub: bytearray  # [image]
    left: bytearray  # [card]: whether it is still to be drawn
    more: bytearray  # [card]: whether it comes again
    begun: bytearray  # [TAGS * kind + tag]
    levels: bytearray  # [danger in percent]: the index of its difficulty


class Dropped(NamedTuple):
    """[room]: its kind, the image of its layout or -1, and buffers."""

    kinds: array[int]
    images: array[int]
    at_x: array[int]
    at_y: array[int]
    drawn: array[int]  # [kind]
    parts: array[int]  # [room]


def deal(key: int, rooms: int, normal: int, kinds: KindTable, pools: Pools, out: Dropped) -> None:
    """Give each room the image of its layout, or -1 if it is furnished by procedure.

    `normal` is the kind of the enemy rooms, some of which are hubs and connectors.
    """
    position = first = furthest = 0
    while first < rooms:
        last = first
        while last < rooms and out.kinds[last] == out.kinds[first]:
            last += 1
        position = _tag(key, position, first, last, normal, kinds, out)
        first = last
    for room in range(rooms):
        furthest = max(furthest, _off(room, out))
    for deck in range(len(pools.begun)):
        pools.begun[deck] = 0
    for room in range(rooms):
        out.images[room] = -1
        tag = out.parts[room]
        if tag != _PROCEDURAL:
            level = pools.levels[100 * _off(room, out) // max(1, furthest)]
            position = _draw(key, position, TAGS * out.kinds[room] + tag, level, pools, room, out)


def _off(room: int, out: Dropped) -> int:
    """Return how far from the start a room is dropped."""
    return max(abs(out.at_x[room] - out.at_x[0]), abs(out.at_y[room] - out.at_y[0]))


def _tag(key: int, position: int, first: int, last: int, normal: int, kinds: KindTable, out: Dropped) -> int:
    """Draw the layout tags of a kind's rooms, `first` to `last`. Returns the stream's position."""
    kind, count = out.kinds[first], last - first
    drawn = count - (count * kinds.procedural[kind] + below(key, position, 100)) // 100
    hubs = connectors = 0
    if kind == normal:
        hubs, connectors = drawn // _ONE_HUB_IN, drawn // _ONE_CONNECTOR_IN
    for i in range(count):
        tag = _HUB if i < hubs else _CONNECTOR if i < hubs + connectors else _PLAIN
        out.parts[first + i] = tag if i < drawn else _PROCEDURAL
    position += 1
    for i in range(count - 1, 0, -1):
        j = first + below(key, position, i + 1)
        out.parts[first + i], out.parts[j] = out.parts[j], out.parts[first + i]
        position += 1
    return position


def _draw(key: int, position: int, deck: int, level: int, pools: Pools, room: int, out: Dropped) -> int:
    """Deal a room a layout, if one suits it. Returns the stream's position after that."""
    first, last = pools.decks[deck], pools.decks[deck + 1]
    if not pools.begun[deck]:
        pools.begun[deck] = 1
        for card in range(first, last):
            pools.left[card], pools.more[card] = 0, 1
    while True:
        total = _weight_left(first, last, level, pools)
        if total == 0:
            for card in range(first, last):
                pools.left[card] = pools.more[card]
                if pools.once[card]:
                    pools.more[card] = 0
            total = _weight_left(first, last, level, pools)
            if total == 0:
                return position
        rest, card = below(key, position, total), first
        while True:
            if pools.left[card]:
                rest -= pools.weights[LEVELS * card + level]
                if rest < 0:
                    break
            card += 1
        pools.left[card] = 0
        begin, count = pools.images[card], pools.images[card + 1] - pools.images[card]
        turn = below(key, position + 1, count)
        position += 2
        for i in range(count):
            image = begin + (turn + i) % count
            if pools.suits[image]:
                out.images[room] = image
                return position
        pools.more[card] = 0  # it suits no room of this spec


def _weight_left(first: int, last: int, level: int, pools: Pools) -> int:
    total = 0
    for card in range(first, last):
        if pools.left[card]:
            total += pools.weights[LEVELS * card + level]
    return total
