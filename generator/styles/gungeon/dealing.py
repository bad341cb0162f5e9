"""Dealing: which rooms of the heap get a layout, and which are furnished by procedure.

Layouts bring their own size, so they are dealt before the rooms are pushed apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from generator.arrays import Ints
from generator.interiors.own_layouts import OwnLayouts, team_layouts
from generator.kinds import DIFFICULTIES, Kit
from generator.rng import Stream
from generator.styles.gungeon.furnishing.gungeon_layouts import (
    CONNECTOR,
    HUB,
    GungeonLayout,
    own_gungeon_layouts,
    shipped_layouts,
)
from generator.styles.gungeon.furnishing.kit_tables import enemy_row
from generator.styles.gungeon.furnishing.room_kinds import NORMAL, Range, gungeon_kind
from generator.styles.gungeon.spec import GungeonSpec

_ONE_HUB_IN = 8  # enemy rooms that are not furnished by procedure
_ONE_CONNECTOR_IN = 9
_CLOSENESS = (8, 2, 1, 1, 1)  # weight of a layout whose difficulty is off by 0, 1, 2, ... levels
_LEVELS = sorted(DIFFICULTIES.values())


def deal(
    spec: GungeonSpec, kinds: Sequence[str], places: Ints, seed: int, attempt: int
) -> tuple[GungeonLayout | None, ...]:
    """Deal each room its layout, or None if it is furnished by procedure.

    The layouts of a kind are drawn by weight, and none comes twice before all have come. How far from the
    start a room will lie is not known yet: the further from it a room is dropped (`places` [room, 2]), the
    harder it is. Raises SpecError or LayoutError if the team's layouts are bad.
    """
    kit = spec.load_kit()
    stream = Stream(seed, "gungeon.deal", attempt)
    parts = {kind: iter(_parts(spec, kind, count, stream)) for kind, count in Counter(kinds).items()}
    distances = np.abs(places - places[0]).max(axis=1)
    danger = (100 * distances // max(1, int(distances.max()))).tolist()
    decks: dict[tuple[str, str], _Deck] = {}
    dealt: list[GungeonLayout | None] = []
    for kind, way in zip(kinds, danger, strict=True):
        tag = next(parts[kind])
        only = _only(spec, kind) if spec.only_layout else ()
        if only:
            dealt.append(only[len(dealt) % len(only)])
            continue
        if tag is None:
            dealt.append(None)
            continue
        if (kind, tag) not in decks:
            decks[kind, tag] = _Deck(spec, kind, tag)
        dealt.append(decks[kind, tag].draw(enemy_row(way, kit).difficulty, stream))
    return tuple(dealt)


def _only(spec: GungeonSpec, kind: str) -> tuple[GungeonLayout, ...]:
    """List the images of the spec's `only_layout`, if rooms of the kind can have it."""
    images = (image for card in pool(spec, kind) for image in card.images if image.file == spec.only_layout)
    return tuple(image for image in images if image.exits(spec.hallway_width, spec.body) is not None)


def _parts(spec: GungeonSpec, kind: str, count: int, stream: Stream) -> list[str | None]:
    """Draw the tag that each room of a kind is dealt a layout from. None: furnished by procedure."""
    percent = (
        spec.procedural_share
        if kind == NORMAL
        else gungeon_kind(spec.load_kit().kinds, kind).procedural_share
    )
    drawn = count - (count * percent + stream.below(100)) // 100
    hubs, connectors = (drawn // _ONE_HUB_IN, drawn // _ONE_CONNECTOR_IN) if kind == NORMAL else (0, 0)
    tags = [HUB] * hubs + [CONNECTOR] * connectors + [""] * (drawn - hubs - connectors)
    parts = [*tags, *[None] * (count - drawn)]
    stream.shuffle(parts)
    return parts


class PoolEntry(NamedTuple):
    """A file of a pool, with those of its images that suit the spec's room sizes.

    `weights` is its weight for each difficulty that may be wanted.
    """

    weights: Mapping[int, int]
    images: tuple[GungeonLayout, ...]


def pool(spec: GungeonSpec, kind: str) -> tuple[PoolEntry, ...]:
    """List the layouts for rooms of a kind, each with those of its images whose size the spec allows.

    A team's own layouts may have any size.
    """
    return _pool(*_key(spec, kind))


def tagged(spec: GungeonSpec, kind: str, tag: str) -> tuple[PoolEntry, ...]:
    """Select the entries of a pool that have this tag."""
    return _tagged_pool(tag, *_key(spec, kind))


def _key(spec: GungeonSpec, kind: str) -> tuple[str, Range, Range, OwnLayouts, Kit]:
    """Return what a pool depends on."""
    kit = spec.load_kit()
    row, own = gungeon_kind(kit.kinds, kind), team_layouts(kit, spec.layouts, None)
    return kind, spec.range_of(row, "width"), spec.range_of(row, "height"), own, kit


@lru_cache(maxsize=256)
def _pool(kind: str, width: Range, height: Range, own: OwnLayouts, kit: Kit) -> tuple[PoolEntry, ...]:
    files: dict[str, list[GungeonLayout]] = {}
    for image in shipped_layouts(kit.kinds).get(kind, ()) if kit.ships_layouts else ():
        if _is_between(image, width, height):
            files.setdefault(image.file, []).append(image)
    for image in own_gungeon_layouts(own).get(kind, ()):
        files.setdefault(image.file, []).append(image)
    return tuple(PoolEntry(_weights(images[0]), tuple(images)) for images in files.values())


def has_size(spec: GungeonSpec, kind: str, layout: GungeonLayout) -> bool:
    """Check whether a layout's room has a size that the spec allows for rooms of a kind."""
    row = gungeon_kind(spec.load_kit().kinds, kind)
    return _is_between(layout, spec.range_of(row, "width"), spec.range_of(row, "height"))


def _is_between(layout: GungeonLayout, width: Range, height: Range) -> bool:
    """Check whether a layout's sides are in these ranges. Connectors may be smaller."""
    least = 0 if CONNECTOR in layout.layout.tags else 1
    return all(
        low * least <= side <= high for side, (low, high) in zip(layout.size, (width, height), strict=True)
    )


@lru_cache(maxsize=256)
def _tagged_pool(
    tag: str, kind: str, width: Range, height: Range, own: OwnLayouts, kit: Kit
) -> tuple[PoolEntry, ...]:
    return tuple(card for card in _pool(kind, width, height, own, kit) if _tag(card) == tag)


def _tag(card: PoolEntry) -> str:
    """Return the tag of a layout: the part of its pool that it belongs to."""
    tags = card.images[0].layout.tags
    return next((tag for tag in (HUB, CONNECTOR) if tag in tags), "")


class _Deck:
    """The layouts for rooms of a kind while they are dealt."""

    def __init__(self, spec: GungeonSpec, kind: str, tag: str) -> None:
        self._spec = spec
        self._all = list(tagged(spec, kind, tag))
        self._left: list[PoolEntry] = []
        self._weights: dict[int, list[int]] = {}  # by difficulty, of the entries that are left

    def draw(self, difficulty: int, stream: Stream) -> GungeonLayout | None:
        """Draw one that is left, by weight and difficulty, in an image that suits. None if none does."""
        while True:
            if not self._left:
                if not self._all:
                    return None
                self._left = self._all.copy()
                self._weights.clear()
                self._all = [card for card in self._all if card.images[0].layout.repeat != "once"]
            weights = self._weights_left(difficulty)
            sums = list(accumulate(weights))
            index = bisect_right(sums, stream.below(sums[-1]))
            card = self._left.pop(index)
            for each_weights in self._weights.values():
                del each_weights[index]
            first = stream.below(len(card.images))
            for image in card.images[first:] + card.images[:first]:
                if image.exits(self._spec.hallway_width, self._spec.body) is not None:
                    return image
            # It suits no room of this spec.
            self._all = [entry for entry in self._all if entry is not card]

    def _weights_left(self, difficulty: int) -> list[int]:
        """Weigh the entries that are left, for the difficulty that is wanted."""
        if difficulty not in self._weights:
            self._weights[difficulty] = [card.weights[difficulty] for card in self._left]
        return self._weights[difficulty]


def _weights(layout: GungeonLayout) -> dict[int, int]:
    """Compute, for each wanted difficulty, the file's weight, which rises the closer its own is to it."""
    return {wanted: layout.layout.weight * _closeness(layout.difficulty, wanted) for wanted in _LEVELS}


def _closeness(drawn: int, wanted: int) -> int:
    """Return the factor for a layout of one difficulty where another is wanted."""
    return _CLOSENESS[abs(_LEVELS.index(drawn) - _LEVELS.index(wanted))] if drawn else _CLOSENESS[1]
