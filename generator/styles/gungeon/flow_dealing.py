"""The sizes and layouts of a flow's rooms, by the sides that their connections lead out of.

Layouts and tags that rooms ask for are checked against those that exist.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from generator.errors import meant, shown
from generator.geometry import Point, Side
from generator.interiors.own_layouts import team_layouts
from generator.kinds import DIFFICULTIES
from generator.rng import Stream
from generator.styles.gungeon.dealing import PoolEntry, pool
from generator.styles.gungeon.flows.records import GAUNTLET, QUIET_TAGS, Flow, FlowRoom
from generator.styles.gungeon.furnishing.gungeon_layouts import CONNECTOR, HUB, OWN, GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import danger_of, enemy_row
from generator.styles.gungeon.spec import GungeonSpec


def requested_layout(spec: GungeonSpec, room: FlowRoom) -> PoolEntry | None:
    """Return the layout that a room asks for by name, or None if there is no such layout."""
    return next((card for card in pool(spec, room.kind) if card.file == room.layout), None)


def suits(layout: GungeonLayout, sides: Mapping[Side, int], spec: GungeonSpec) -> bool:
    """Check whether a layout has enough exits on each side for that side's connections."""
    doors = _most_doors(layout, spec)
    return bool(doors) and all(doors.get(side, 0) >= count for side, count in sides.items())


def _most_doors(layout: GungeonLayout, spec: GungeonSpec) -> dict[Side, int]:
    """Count the doors that the exits on each side can take. Empty if the layout suits no such hallway.

    Between two doors is at least a tile, also if they are in different exits.
    """
    by_side = layout.exits(spec.hallway_width, spec.body) or {}
    doors = {}
    for side, exits in by_side.items():
        doors[side], free = 0, 0
        for offset in sorted({offset for offsets in exits for offset in offsets}):
            if offset >= free:
                doors[side] += 1
                free = offset + spec.hallway_width + 1
    return doors


def layout_problem(flow: Flow, spec: GungeonSpec, *, with_own: bool = True) -> str | None:
    """Report the first room whose layout is unknown or has too few exits. None if all are fine.

    Without `with_own`, rooms that ask for an own layout are skipped.
    """
    joined = Counter(room for connection in flow.connections for room in (connection.a, connection.b))
    for room in flow.rooms:
        if not room.layout or (room.layout.startswith(OWN) and not with_own):
            continue
        card = requested_layout(spec, room)
        if card is None:
            message = f"unknown {room.kind} layout {shown(room.layout)}; {_remedy(spec, room)}"
            return f"room {room.id}: {message}"
        most = max(_most_connections(_most_doors(image, spec), joined[room.id]) for image in card.images)
        if most < joined[room.id]:
            message = (
                f"has {joined[room.id]} connections, but the exits of its layout {room.layout} take only"
            )
            return f"room {room.id}: {message} {most}; give another layout, or fewer connections"
    return None


def _most_connections(doors: Mapping[Side, int], joined: int) -> int:
    """Count how many of a room's `joined` connections its layout's exits can take.

    Each leads out of a side of its own, but a room drawn on two cells has two sides with two connections.
    """
    drawn: list[tuple[Side, ...]] = [()]
    if joined > len(Side):
        drawn = [(Side.NORTH, Side.SOUTH), (Side.EAST, Side.WEST)]
    return max(sum(min(count, 1 + (side in twice)) for side, count in doors.items()) for twice in drawn)


def _remedy(spec: GungeonSpec, room: FlowRoom) -> str:
    """Suggest a remedy: the layout with the nearest name, or else the folders of this kind's layouts."""
    known = [card.file for card in pool(spec, room.kind)]
    if near := meant(room.layout, known):
        return f"did you mean {near}?"
    folders = dict.fromkeys(name.rpartition("/")[0] for name in known)
    has_own = team_layouts(spec.load_kit(), spec.layouts, None).pools
    own = "" if has_own else "; for your own layouts, give their folder as `layouts`"
    return f"choose one of those in {', '.join(folders) or 'no folder'}{own}"


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
        self._used: Counter[str] = Counter()

    def deal(
        self, room: FlowRoom, sides: Mapping[Side, int], danger: int, cells: int
    ) -> tuple[Point, GungeonLayout | None]:
        """Deal a room's size in tiles, walls included, and its layout, or None for a room by procedure.

        `sides` gives the number of connections out of each side. A layout that the room asks for must have
        exits there.
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

    def _layout(self, room: FlowRoom, sides: Mapping[Side, int], danger: int) -> GungeonLayout | None:
        cards = pool(self.spec, room.kind)
        by_procedure = self.stream.chance(self.spec.share_by_procedure(self.spec.row_of(room.kind)), 100)
        roll = self.stream.word()
        if room.layout:
            card = requested_layout(self.spec, room)
            return self._image(card, sides, roll) if card else None
        for card in cards if self.spec.only_layout else ():
            if card.file == self.spec.only_layout and (only := self._image(card, sides, roll)):
                return only
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
        return self._drawn(plain, sides, danger, roll)

    def _drawn(
        self, cards: Sequence[PoolEntry], sides: Mapping[Side, int], danger: int, roll: int
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

    def _image(self, card: PoolEntry, sides: Mapping[Side, int], roll: int) -> GungeonLayout | None:
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
