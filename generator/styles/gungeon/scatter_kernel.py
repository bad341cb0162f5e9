"""`floorplan.scatter` as a kernel: which rooms there are, which layouts they get, where they are dropped.

Kinds have numbers: the start's is 0 and the boss's 1; the others follow in the order in which they are drawn.
"""

from __future__ import annotations

from array import array

from generator.algorithms.separation_kernel import Boxes
from generator.compiled.primitives import below, square_root, stream_key, with_id
from generator.named_tuple import NamedTuple
from generator.styles.gungeon.led_seats_kernel import LedRules

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


ROOMS, NORMAL, SHAPE, MARGIN = range(4)  # indices of the numbers of `DropRules`


class DropRules(NamedTuple):
    """The values of a spec, and the keys of the streams."""

    numbers: array[int]
    scatter: int
    deal: int


class ConnectRules(NamedTuple):
    """The values of a spec, and the key of the stream."""

    share_least: int
    share_most: int
    length: int
    boss_beside_start: int  # the weight of such an edge
    connect: int


class GungeonRules(NamedTuple):
    """All rules of a spec. `is_led` is whether its levels are led, `led_stream` the key of that stream."""

    drop: DropRules
    connect: ConnectRules
    kinds: KindTable
    pools: Pools
    most_tiles: int
    led: LedRules
    is_led: int
    led_stream: int


class Dropped(NamedTuple):
    """[room]: its kind, the image of its layout or -1, and buffers."""

    kinds: array[int]
    images: array[int]
    at_x: array[int]
    at_y: array[int]
    drawn: array[int]  # [kind]
    parts: array[int]  # [room]


def deal(key: int, rooms: int, rules: GungeonRules, out: Dropped) -> None:
    """Give each room the image of its layout, or -1 if it is furnished by procedure.

    Some enemy rooms are hubs and connectors.
    """
    pools = rules.pools
    position = first = furthest = 0
    while first < rooms:
        last = first
        while last < rooms and out.kinds[last] == out.kinds[first]:
            last += 1
        position = _tag(key, position, first, last, rules, out)
        first = last
    for room in range(rooms):
        furthest = max(furthest, _off(room, out))
    for deck in range(len(pools.begun)):
        pools.begun[deck] = 0
    for room in range(rooms):
        out.images[room] = -1
        if out.parts[room] != _PROCEDURAL:
            level = pools.levels[100 * _off(room, out) // max(1, furthest)]
            position = _draw(key, position, room, level, pools, out)


def _off(room: int, out: Dropped) -> int:
    """Return how far from the start a room is dropped."""
    return max(abs(out.at_x[room] - out.at_x[0]), abs(out.at_y[room] - out.at_y[0]))


def _tag(key: int, position: int, first: int, last: int, rules: GungeonRules, out: Dropped) -> int:
    """Draw the layout tags of a kind's rooms, `first` to `last`. Returns the stream's position."""
    kind, count = out.kinds[first], last - first
    drawn = count - (count * rules.kinds.procedural[kind] + below(key, position, 100)) // 100
    hubs = connectors = 0
    if kind == rules.drop.numbers[NORMAL]:
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


def _draw(key: int, position: int, room: int, level: int, pools: Pools, out: Dropped) -> int:
    """Deal a room a layout, if one suits it. Returns the stream's position after that."""
    deck = TAGS * out.kinds[room] + out.parts[room]
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


# The rooms and the points that they are dropped at.

START, BOSS = 0, 1
STRIP, SQUARE, DISC = range(3)
_AREA_PERCENT = 180
_DISC_TRIES = 8


def drop(seed: int, attempt: int, rules: GungeonRules, boxes: Boxes, out: Dropped) -> int:
    """Drop the rooms of an attempt. Returns how many there are."""
    numbers, kinds, pools = rules.drop.numbers, rules.kinds, rules.pools
    key = with_id(stream_key(seed, rules.drop.scatter), attempt)
    rooms = _count(key, numbers, kinds, out)
    position = len(kinds.weight) - 1  # a word for each kind but the start
    for room in range(rooms):
        kind = out.kinds[room]
        boxes.width[room] = _between(key, position + room, kinds.width, kind)
        boxes.height[room] = _between(key, position + rooms + room, kinds.height, kind)
    area = _area(boxes, rooms, numbers[MARGIN])
    position = _points(key, position + 2 * rooms, numbers[SHAPE], area, rooms, boxes)
    _settle(below(key, position, 2), rooms, boxes, out)
    deal(with_id(stream_key(seed, rules.drop.deal), attempt), rooms, rules, out)
    for room in range(rooms):
        image = out.images[room]
        if image >= 0:
            boxes.width[room], boxes.height[room] = pools.sizes[2 * image], pools.sizes[2 * image + 1]
    stretch = square_root(_area(boxes, rooms, numbers[MARGIN]) * 1_000_000 // area)
    for room in range(rooms):
        boxes.x[room] = out.at_x[room] * stretch // 1_000 - boxes.width[room] // 2
        boxes.y[room] = out.at_y[room] * stretch // 1_000 - boxes.height[room] // 2
    return rooms


def _between(key: int, position: int, ranges: array[int], kind: int) -> int:
    least = ranges[2 * kind]
    return least + below(key, position, ranges[2 * kind + 1] - least + 1)


def _count(key: int, numbers: array[int], kinds: KindTable, out: Dropped) -> int:
    """Set the rooms' kinds: the start, the bosses, then the others. Returns how many rooms there are."""
    number, drawn = len(kinds.weight), out.drawn
    for kind in range(1, number):
        drawn[kind] = _between(key, kind - 1, kinds.rooms, kind)
    wanted = numbers[ROOMS]
    if wanted:
        drawn[BOSS] = min(drawn[BOSS], wanted - 1)
        _share_out(wanted - 1 - drawn[BOSS], numbers[NORMAL], number, drawn)
    out.kinds[0] = START
    rooms = 1
    for kind in range(1, number):
        for _ in range(drawn[kind]):
            out.kinds[rooms] = kind
            rooms += 1
    return rooms


def _share_out(total: int, normal: int, number: int, drawn: array[int]) -> None:
    """Share seats among the kinds after the boss by the largest remainder. Of equal ones the last wins."""
    everyone = 0
    for kind in range(BOSS + 1, number):
        everyone += drawn[kind]
    if everyone == 0:
        drawn[normal] = everyone = 1
    rests, left = [0] * number, total
    for kind in range(BOSS + 1, number):
        rests[kind] = total * drawn[kind] % everyone
        drawn[kind] = total * drawn[kind] // everyone
        left -= drawn[kind]
    for _ in range(left):
        best = number - 1
        for kind in range(BOSS + 1, number):
            if rests[kind] >= rests[best]:
                best = kind
        rests[best] = -1
        drawn[best] += 1


def _area(boxes: Boxes, rooms: int, margin: int) -> int:
    total = 0
    for room in range(rooms):
        total += (boxes.width[room] + margin) * (boxes.height[room] + margin)
    return total * _AREA_PERCENT // 100


# --- places ------------------------------------------------------------------------------------------


def _points(key: int, position: int, shape: int, area: int, rooms: int, boxes: Boxes) -> int:
    """Draw points in the shape as x and y of the boxes. Returns the stream's position after them."""
    if shape == DISC:
        return _points_of_disc(key, position, square_root(area * 4 * 113 // 355), rooms, boxes)
    high = square_root(area // 2) if shape == STRIP else square_root(area)
    wide = area // high if shape == STRIP else high
    for room in range(rooms):
        boxes.x[room] = below(key, position + room, wide)
        boxes.y[room] = below(key, position + rooms + room, high)
    return position + 2 * rooms


def _points_of_disc(key: int, position: int, side: int, rooms: int, boxes: Boxes) -> int:
    tries = rooms * _DISC_TRIES
    for room in range(rooms):
        chosen = first = position + room * _DISC_TRIES
        for at in range(first, first + _DISC_TRIES):
            x, y = below(key, at, side), below(key, at + tries, side)
            if (2 * x - side) ** 2 + (2 * y - side) ** 2 <= side * side:
                chosen = at
                break
        boxes.x[room], boxes.y[room] = below(key, chosen, side), below(key, chosen + tries, side)
    return position + 2 * tries


def _settle(is_turned: int, rooms: int, boxes: Boxes, out: Dropped) -> None:
    """Give the start the outermost point on one side, and the bosses the outermost ones on the other."""
    order = [(boxes.x[i] << 36) + (boxes.y[i] << 16) + i for i in range(rooms)]
    order.sort()
    for i in range(rooms):
        order[i] &= 0xFFFF
    if is_turned == 0:
        order.reverse()
    bosses = 0
    while 1 + bosses < rooms and out.kinds[1 + bosses] == BOSS:
        bosses += 1
    rest = order[1 : rooms - bosses]
    rest.sort()
    for room in range(rooms):
        point = order[0] if room == 0 else order[rooms - room] if room <= bosses else rest[room - 1 - bosses]
        out.at_x[room], out.at_y[room] = boxes.x[point], boxes.y[point]
