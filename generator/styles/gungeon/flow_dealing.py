"""The sizes and layouts of a flow's rooms, by the sides that their connections lead out of.

Layouts and tags that rooms ask for are checked against those that exist.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, permutations

from generator.errors import meant, shown
from generator.geometry import Point, Side
from generator.interiors.layouts import OWN
from generator.interiors.team_layouts import team_layouts
from generator.kinds import DIFFICULTIES
from generator.rng import Stream
from generator.styles.gungeon.dealing import PoolEntry, barred_layouts, pool
from generator.styles.gungeon.flows.records import GAUNTLET, QUIET_TAGS, Flow, FlowRoom
from generator.styles.gungeon.furnishing.gungeon_layouts import CONNECTOR, HUB, ExitsByClass, GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import danger_of, enemy_row
from generator.styles.gungeon.spec import GungeonSpec
from generator.value_words import how_many


def requested_layout(spec: GungeonSpec, room: FlowRoom) -> PoolEntry | None:
    """Return the layout that a room asks for by name, or None if there is no such layout."""
    return next((card for card in pool(spec, room.kind) if card.file == room.layout), None)


Sides = Mapping[Side, Sequence[str]]
"""For each side of a room, the classes of the connections that leave by it, from the left or from the top."""


def suits(layout: GungeonLayout, sides: Sides, spec: GungeonSpec) -> bool:
    """Check whether a layout has exits for the connections of each side, in their order.

    Between two doors is at least a tile, also if they are in different exits.
    """
    by_class = layout.exits_by_class(spec.hallway_width, spec.body)
    return by_class is not None and all(
        _take(by_class, side, classes, spec.hallway_width) for side, classes in sides.items()
    )


def _take(by_class: ExitsByClass, side: Side, classes: Sequence[str], width: int) -> bool:
    """Check whether the exits of a side take doors of these classes, in this order."""
    free = 0
    for joins in classes:
        places = (offset for offsets in by_class.get(joins, {}).get(side, ()) for offset in offsets)
        offset = min((offset for offset in places if offset >= free), default=None)
        if offset is None:
            return False
        free = offset + width + 1
    return True


def layout_problem(flow: Flow, spec: GungeonSpec, *, with_own: bool = True) -> str | None:
    """Report the first room whose layout is unknown or has too few exits. None if all are fine.

    Without `with_own`, rooms that ask for an own layout are skipped.
    """
    joined: dict[str, Counter[str]] = {room.id: Counter() for room in flow.rooms}
    for connection in flow.connections:
        for end in (connection.a, connection.b):
            joined[end][connection.joins] += 1
    for room in flow.rooms:
        if not room.layout or (room.layout.startswith(OWN) and not with_own):
            continue
        card = requested_layout(spec, room)
        if card is None:
            message = f"unknown {room.kind} layout {shown(room.layout)}; {_remedy(spec, room)}"
            return f"room {room.id}: {message}"
        if few := _too_few_exits(card, joined[room.id], spec):
            message = f"has {few[0]}, but the exits of its layout {room.layout} take {few[1]}"
            return f"room {room.id}: {message}; give another layout, or fewer connections"
    return None


def _too_few_exits(card: PoolEntry, joined: Counter[str], spec: GungeonSpec) -> tuple[str, str] | None:
    """Name the connections of a room that its layout cannot take, and how many it can. None if it can all.

    `joined` are the numbers of its connections of each class.
    """
    of_classes = {
        f"{joins or 'plain'} connection": Counter({joins: count}) for joins, count in joined.items()
    }
    has_classes = any(joined) or any(exit_.joins for exit_ in card.layout.exits)
    for noun, wanted in {**(of_classes if has_classes else {}), "connection": joined}.items():
        drawn = _two_on_a_side if joined.total() > len(Side) else [()]
        most = max(_most_connections(image, wanted, twice, spec) for image in card.images for twice in drawn)
        if most < wanted.total():
            return how_many(wanted.total(), noun), f"only {most}" if most else "none"
    return None


# Each connection leads out of a side of its own, but a room drawn on two cells has two sides with two.
_two_on_a_side = (Side.NORTH, Side.SOUTH), (Side.EAST, Side.WEST)


def _most_connections(
    image: GungeonLayout, wanted: Counter[str], twice: Collection[Side], spec: GungeonSpec
) -> int:
    """Count how many connections of the `wanted` classes the exits of an image can take.

    Each leads out of a side of its own, except that two may lead out of each side that is in `twice`.
    """
    by_class = image.exits_by_class(spec.hallway_width, spec.body) or {}

    def most(left: Counter[str], sides: Sequence[Side]) -> int:
        if not sides:
            return 0
        side, rest = sides[0], sides[1:]
        orders = {order for count in (0, 1, 2) for order in permutations(left.elements(), count)}
        return max(
            len(order) + most(left - Counter(order), rest)
            for order in orders
            if len(order) <= 1 + (side in twice) and _take(by_class, side, order, spec.hallway_width)
        )

    return most(wanted, [*Side])


def joins_problem(flow: Flow, spec: GungeonSpec) -> str | None:
    """Report the first connection of a class that no layout for its rooms' kinds has. None if all have it."""
    kinds = {room.id: room.kind for room in flow.rooms}
    for connection in flow.connections:
        of_rooms = dict.fromkeys((kinds[connection.a], kinds[connection.b]))
        offered = {
            exit_.joins for kind in of_rooms for card in pool(spec, kind) for exit_ in card.layout.exits
        }
        if connection.joins in {"", *offered}:
            continue
        near = meant(connection.joins, sorted(offered - {""}))
        remedy = f"did you mean {near}?" if near else "draw one, or leave joins out" + _own_folder(spec)
        message = f"no {' or '.join(of_rooms)} layout has an exit with joins={connection.joins}"
        return f"connection {connection.name}: {message}; {remedy}"
    return None


def _own_folder(spec: GungeonSpec) -> str:
    """Say how to name the folder of own layouts, if there are none."""
    has_own = team_layouts(spec.load_kit(), spec.layouts, None).pools
    return "" if has_own else "; for your own layouts, give their folder as `layouts`"


def _remedy(spec: GungeonSpec, room: FlowRoom) -> str:
    """Suggest a remedy: the layout with the nearest name, or else the folders of this kind's layouts."""
    known = [card.file for card in pool(spec, room.kind)]
    if near := meant(room.layout, known):
        return f"did you mean {near}?"
    folders = dict.fromkeys(name.rpartition("/")[0] for name in known)
    return f"choose one of those in {', '.join(folders) or 'no folder'}{_own_folder(spec)}"


def tag_problem(flow: Flow, spec: GungeonSpec) -> str | None:
    """Report the first unknown tag, which no layout of its room's kind has. None if all are known."""
    for room in flow.rooms:
        known = {tag for card in pool(spec, room.kind) for tag in card.layout.tags}
        for tag in sorted(room.tags - known - QUIET_TAGS - {GAUNTLET}):
            remedy = f"give {' or '.join(sorted(known))}" if known else "leave it out"
            return f"room {room.id}: no {room.kind} layout has the tag {shown(tag)}; {remedy}"
    return None


_RESERVED = frozenset({HUB, CONNECTOR})  # layouts with these tags go only to rooms that ask for them
_THIRDS = {"small": 0, "medium": 1, "large": 2}


def difficulty_of(room: FlowRoom) -> int:
    """Return the difficulty that the flow sets: its own, hard for a gauntlet, 0 to go by the distance."""
    return room.difficulty or (DIFFICULTIES["hard"] if GAUNTLET in room.tags else 0)


class RoomDealer:
    """Deals the rooms of one level. No layout comes twice before all that fit have come."""

    def __init__(self, spec: GungeonSpec, stream: Stream) -> None:
        self.spec, self.stream = spec, stream
        self._used: Counter[str] = Counter(spec.memory.layouts)
        self._barred = barred_layouts(spec)

    def deal(
        self, room: FlowRoom, sides: Sides, danger: int, cells: int
    ) -> tuple[Point, GungeonLayout | None]:
        """Deal a room's size in tiles, walls included, and its layout, or None for a room by procedure.

        A layout that the room asks for must have exits for the connections of all `sides`.
        """
        layout = self._layout(room, sides, danger)
        if layout is not None:
            return layout.size, layout
        size = room.size or ("large" if cells > 1 else "")
        wide, high = (self._length(sides, size) for sides in self.spec.sizes_of(self.spec.row_of(room.kind)))
        return (wide, high), None

    def _length(self, length: tuple[int, int], size: str) -> int:
        least, most = length
        if size:
            third = _THIRDS[size]
            least, most = (least + (most - least) * i // 3 for i in (third, third + 1))
        return self.stream.between(least, most)

    def _layout(self, room: FlowRoom, sides: Sides, danger: int) -> GungeonLayout | None:
        cards = pool(self.spec, room.kind)
        share = self.spec.share_by_procedure(self.spec.row_of(room.kind))
        by_procedure = self.stream.chance(share, 100)
        roll = self.stream.word()
        if room.layout:
            card = requested_layout(self.spec, room)
            return self._image(card, sides, roll) if card else None
        for card in cards if self.spec.only_layout else ():
            if card.file == self.spec.only_layout and (only := self._image(card, sides, roll)):
                return only
        cards = tuple(card for card in cards if card.file not in self._barred)
        danger = danger_of(danger, difficulty_of(room), self.spec.load_kit())
        tagged = tuple(card for card in cards if room.tags & card.layout.tags)
        if tagged:
            drawn = self._drawn(tagged, sides, danger, roll)
            if drawn is not None:
                return drawn
        if by_procedure:
            return None
        plain = tuple(card for card in cards if _RESERVED.isdisjoint(card.layout.tags))
        plain = tuple(card for card in plain if _has_size(card, room, self.spec))
        if room.size and share and self._has_seen_all(plain):
            return None  # few layouts are small: one by procedure is new to the run
        return self._drawn(plain, sides, danger, roll)

    def _has_seen_all(self, cards: Sequence[PoolEntry]) -> bool:
        return bool(self.spec.memory.place) and all(self._used[card.file] for card in cards)

    def _drawn(
        self, cards: Sequence[PoolEntry], sides: Sides, danger: int, roll: int
    ) -> GungeonLayout | None:
        """Draw one of the layouts with enough exits on those sides, by weight and difficulty."""
        left = [card for card in cards if card.layout.repeat != "once" or not self._used[card.file]]
        difficulty = enemy_row(danger, self.spec.load_kit()).difficulty
        while left:
            fewest = min(self._used[card.file] for card in left)
            fresh = [card for card in left if self._used[card.file] == fewest]
            weights = [card.weights[difficulty] for card in fresh]
            card = fresh[bisect_right([*accumulate(weights)], (roll >> 32) * sum(weights) >> 32)]
            image = self._image(card, sides, roll)
            if image is not None:
                return image
            left.remove(card)
        return None

    def _image(self, card: PoolEntry, sides: Sides, roll: int) -> GungeonLayout | None:
        """Choose an image of a layout with enough exits on those sides. None if none has."""
        for image in card.images_from((roll & 0xFFFF) % len(card.images)):
            if suits(image, sides, self.spec):
                self._used[card.file] += 1
                return image
        return None


def _has_size(card: PoolEntry, room: FlowRoom, spec: GungeonSpec) -> bool:
    """Check whether a layout is small, medium or large, as the room asks."""
    if not room.size:
        return True
    (low, high), (top, bottom) = spec.sizes_of(spec.row_of(room.kind))
    width, height = card.images[0].size
    share = (width * height - low * top) * 3 // max(1, high * bottom - low * top)
    return min(max(share, 0), 2) == _THIRDS[room.size]
