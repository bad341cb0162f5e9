"""The sizes and layouts of a flow's rooms, by the sides that their connections lead out of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from generator.geometry import Point, Side
from generator.kinds import DIFFICULTIES
from generator.rng import Stream
from generator.styles.gungeon.dealing import PoolEntry, pool
from generator.styles.gungeon.flows.records import GAUNTLET, FlowRoom
from generator.styles.gungeon.furnishing.gungeon_layouts import CONNECTOR, HUB, GungeonLayout
from generator.styles.gungeon.furnishing.kit_tables import danger_of, enemy_row
from generator.styles.gungeon.furnishing.room_kinds import NORMAL, GungeonRoomKind, gungeon_kind
from generator.styles.gungeon.layout_checks import requested_layout, suits
from generator.styles.gungeon.spec import GungeonSpec

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
        kind = self._row(room)
        wide, high = (
            self._length(self.spec.range_of(kind, side), room.size or ("large" if cells > 1 else ""))
            for side in ("width", "height")
        )
        return (wide, high), None

    def _row(self, room: FlowRoom) -> GungeonRoomKind:
        return gungeon_kind(self.spec.load_kit().kinds, room.kind)

    def _length(self, length: tuple[int, int], size: str) -> int:
        least, most = length
        if size:
            third = _THIRDS[size]
            least, most = (least + (most - least) * i // 3 for i in (third, third + 1))
        return self.stream.between(least, most)

    def _layout(self, room: FlowRoom, sides: Mapping[Side, int], danger: int) -> GungeonLayout | None:
        cards = pool(self.spec, room.kind)
        percent = self.spec.procedural_share if room.kind == NORMAL else self._row(room).procedural_share
        by_procedure = self.stream.chance(percent, 100)
        roll = self.stream.word()
        if room.layout:
            card = requested_layout(self.spec, room)
            return self._image(card, sides, roll) if card else None
        for card in cards if self.spec.only_layout else ():
            if card.images[0].file == self.spec.only_layout and (only := self._image(card, sides, roll)):
                return only
        danger = danger_of(danger, difficulty_of(room), self.spec.load_kit())
        tagged = tuple(card for card in cards if room.tags & card.images[0].layout.tags)
        if tagged:
            drawn = self._drawn(tagged, sides, danger, roll)
            if drawn is not None:
                return drawn
        if by_procedure:
            return None
        plain = tuple(card for card in cards if _RESERVED.isdisjoint(card.images[0].layout.tags))
        plain = tuple(card for card in plain if _has_size(card, room, self.spec))
        return self._drawn(plain, sides, danger, roll)

    def _drawn(
        self, cards: Sequence[PoolEntry], sides: Mapping[Side, int], danger: int, roll: int
    ) -> GungeonLayout | None:
        """Draw one of the layouts with enough exits on those sides, by weight and difficulty."""
        left = [
            card
            for card in cards
            if card.images[0].layout.repeat != "once" or not self._used[card.images[0].file]
        ]
        difficulty = enemy_row(danger, self.spec.load_kit()).difficulty
        while left:
            fewest = min(self._used[card.images[0].file] for card in left)
            fresh = [card for card in left if self._used[card.images[0].file] == fewest]
            weights = [card.weights[difficulty] for card in fresh]
            remainder = (roll >> 32) * sum(weights) >> 32
            card = fresh[-1]
            for candidate, weight in zip(fresh, weights, strict=True):
                remainder -= weight
                if remainder < 0:
                    card = candidate
                    break
            image = self._image(card, sides, roll)
            if image is not None:
                return image
            left.remove(card)
        return None

    def _image(self, card: PoolEntry, sides: Mapping[Side, int], roll: int) -> GungeonLayout | None:
        """Choose an image of a layout with enough exits on those sides. None if none has."""
        first = (roll & 0xFFFF) % len(card.images)
        for image in card.images[first:] + card.images[:first]:
            if suits(image, sides, self.spec):
                self._used[card.images[0].file] += 1
                return image
        return None


def _has_size(card: PoolEntry, room: FlowRoom, spec: GungeonSpec) -> bool:
    """Check whether a layout is small, medium or large, as the room asks."""
    if not room.size:
        return True
    kind = gungeon_kind(spec.load_kit().kinds, room.kind)
    (low, high), (top, bottom) = spec.range_of(kind, "width"), spec.range_of(kind, "height")
    width, height = card.images[0].size
    share = (width * height - low * top) * 3 // max(1, high * bottom - low * top)
    return min(max(share, 0), 2) == _THIRDS[room.size]
