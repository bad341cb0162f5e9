"""Dealing: which rooms of the heap get a layout, and which are furnished by procedure.

Layouts bring their own size, so they are dealt before the rooms are pushed apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms.graph import neighbours_of
from generator.arrays import Ints
from generator.geometry import Point, Side
from generator.interiors.chapters import level_of_chapter, main_chapter
from generator.interiors.interior import PlacedMarker
from generator.interiors.layouts import OWN, Layout
from generator.interiors.team_layouts import OwnLayouts, team_layouts
from generator.kinds import DIFFICULTIES, FLOOR, Kit
from generator.kinds.chapters import POOL
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.furnishing.gungeon_layouts import (
    CONNECTOR,
    HUB,
    GungeonLayout,
    exits_of,
    own_gungeon_layouts,
    shipped_layouts,
)
from generator.styles.gungeon.furnishing.kit_tables import NORMAL, Range, enemy_row
from generator.styles.gungeon.plan import Heap, PlannedHallway, RoutedHallway, edges_of

if TYPE_CHECKING:
    from generator.styles.gungeon.spec import GungeonSpec

_ONE_IN = {HUB: 8, CONNECTOR: 9}  # enemy rooms that are not furnished by procedure
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
        if spec.only_layout and (only := _only(spec, kind)):
            dealt.append(only[len(dealt) % len(only)])
        elif tag is None:
            dealt.append(None)
        else:
            if (kind, tag) not in decks:
                decks[kind, tag] = _Deck(spec, kind, tag)
            dealt.append(decks[kind, tag].draw(enemy_row(way, kit).difficulty, stream))
    return tuple(dealt)


def _only(spec: GungeonSpec, kind: str) -> tuple[GungeonLayout, ...]:
    """List the images of the spec's `only_layout`, if rooms of the kind can have it."""
    images = (image for card in pool(spec, kind) for image in card.images if card.file == spec.only_layout)
    return tuple(image for image in images if image.exits(spec.hallway_width, spec.body) is not None)


def _parts(spec: GungeonSpec, kind: str, count: int, stream: Stream) -> list[str | None]:
    """Draw the tag that each room of a kind is dealt a layout from. None: furnished by procedure."""
    percent = spec.share_by_procedure(spec.row_of(kind))
    drawn = count - (count * percent + stream.below(100)) // 100
    hubs, connectors = (drawn // _ONE_IN[HUB], drawn // _ONE_IN[CONNECTOR]) if kind == NORMAL else (0, 0)
    tags = [HUB] * hubs + [CONNECTOR] * connectors + [""] * (drawn - hubs - connectors)
    parts = [*tags, *[None] * (count - drawn)]
    stream.shuffle(parts)
    return parts


class PoolEntry(NamedTuple):
    """A file of a pool, with those of its images that suit the spec's room sizes.

    `tag` is the part of the pool that it belongs to. `weights` is its weight for each difficulty that may be
    wanted. It may be in a level more than once if it `repeats`.
    """

    images: tuple[GungeonLayout, ...]
    tag: str
    weights: Mapping[int, int]
    repeats: bool

    @property
    def file(self) -> str:
        """The name of the file."""
        return self.images[0].file

    @property
    def layout(self) -> Layout:
        """The layout that the file draws."""
        return self.images[0].layout

    def images_from(self, number: int) -> tuple[GungeonLayout, ...]:
        """List the images in turn, beginning with one of them."""
        return self.images[number:] + self.images[:number]


def pool(spec: GungeonSpec, kind: str) -> tuple[PoolEntry, ...]:
    """List the layouts for rooms of a kind, each with those of its images whose size the spec allows.

    A team's own layouts may have any size.
    """
    kit = spec.load_kit()
    return _pool(kind, spec.sizes_of(spec.row_of(kind)), team_layouts(kit, spec.layouts, None), kit)


def tagged(spec: GungeonSpec, kind: str, tag: str) -> list[PoolEntry]:
    """Select the entries of a pool that have this tag, and that the level may have in its run."""
    cards, barred = [card for card in pool(spec, kind) if card.tag == tag], barred_layouts(spec)
    return [card for card in cards if card.file not in barred] if barred else cards


def barred_layouts(spec: GungeonSpec) -> frozenset[str]:
    """Return the layouts that no room of a level is dealt, because its run keeps them for something else.

    Those in the pools of other chapters, and those of rooms that the run adds.
    """
    return _kept_back(spec.load_kit(), spec.chapter) if spec.memory.place else frozenset()


@lru_cache(maxsize=64)
def _kept_back(kit: Kit, chapter: str) -> frozenset[str]:
    rules = kit.rules
    pools = {row.name: level_of_chapter(kit, row.name).get(POOL, ()) for row in rules.main_chapters}
    kept = {name for pool in pools.values() for name in pool} if chapter in rules.chapters else set()
    own = pools.get(main_chapter(chapter, kit), ())
    added = {row.room.layout for row in rules.injections if row.room and row.room.layout}
    return frozenset(kept - set(own) | added)


@lru_cache(maxsize=256)
def _pool(kind: str, sizes: tuple[Range, Range], own: OwnLayouts, kit: Kit) -> tuple[PoolEntry, ...]:
    files: dict[str, list[GungeonLayout]] = {}
    for image in _images(kind, own, kit):
        if image.file.startswith(OWN) or _is_between(image, sizes):
            files.setdefault(image.file, []).append(image)
    return tuple(_entry(images) for images in files.values())


def _images(kind: str, own: OwnLayouts, kit: Kit) -> Iterator[GungeonLayout]:
    """Yield the images of all layouts for rooms of a kind: shipped ones first, then a team's own."""
    if kit.ships_layouts:
        yield from shipped_layouts(kit.kinds).get(kind, ())
    yield from own_gungeon_layouts(own).get(kind, ())


def _entry(images: Sequence[GungeonLayout]) -> PoolEntry:
    layout, difficulty = images[0].layout, images[0].difficulty
    tag = next((tag for tag in (HUB, CONNECTOR) if tag in layout.tags), "")
    weights = {wanted: layout.weight * _closeness(difficulty, wanted) for wanted in _LEVELS}
    return PoolEntry(tuple(images), tag, weights, layout.repeat != "once")


def _closeness(drawn: int, wanted: int) -> int:
    """Return the factor for a layout of one difficulty where another is wanted."""
    return _CLOSENESS[abs(_LEVELS.index(drawn) - _LEVELS.index(wanted))] if drawn else _CLOSENESS[1]


def has_size(spec: GungeonSpec, kind: str, layout: GungeonLayout) -> bool:
    """Check whether a layout's room has a size that the spec allows for rooms of a kind."""
    return _is_between(layout, spec.sizes_of(spec.row_of(kind)))


def _is_between(layout: GungeonLayout, sizes: tuple[Range, Range]) -> bool:
    """Check whether a layout's sides are in these ranges. Connectors may be smaller."""
    least = 0 if CONNECTOR in layout.layout.tags else 1
    return all(low * least <= side <= high for side, (low, high) in zip(layout.size, sizes, strict=True))


def least_seen(cards: Sequence[PoolEntry], seen: Mapping[str, int]) -> list[PoolEntry]:
    """Select the layouts that a run has shown least."""
    if not seen:
        return list(cards)
    fewest = min(seen.get(card.file, 0) for card in cards)
    return [card for card in cards if seen.get(card.file, 0) == fewest]


class _Deck:
    """The layouts for rooms of a kind while they are dealt."""

    def __init__(self, spec: GungeonSpec, kind: str, tag: str) -> None:
        self._spec = spec
        self._all = tagged(spec, kind, tag)
        self._left: list[PoolEntry] = []
        self._weights: dict[int, list[int]] = {}  # of those that are left, by difficulty
        self._seen = Counter(spec.memory.layouts)  # if empty, it stays so: all would be seen as often

    def draw(self, difficulty: int, stream: Stream) -> GungeonLayout | None:
        """Draw one that is left, by weight and difficulty, in an image that suits. None if none does."""
        while self._left or self._all:
            if not self._left:
                self._left, self._weights = least_seen(self._all, self._seen), {}
                left = {card.file for card in self._left} if self._seen else ()
                self._seen.update(left)
                self._all = [
                    card for card in self._all if card.repeats or (self._seen and card.file not in left)
                ]
            if difficulty not in self._weights:
                self._weights[difficulty] = [card.weights[difficulty] for card in self._left]
            at = stream.weighted(range(len(self._left)), self._weights[difficulty])
            card = self._left.pop(at)
            for weights in self._weights.values():
                del weights[at]
            for image in card.images_from(stream.below(len(card.images))):
                if image.exits(self._spec.hallway_width, self._spec.body) is not None:
                    return image
            # It suits no room of this spec.
            self._all = [entry for entry in self._all if entry is not card]
        return None


# Equal layouts are kept apart: no two rooms near each other have the same layout.

_FAR = 3  # the least number of hallways between two rooms of the same layout


class DoorPlace(NamedTuple):
    """A side of a room, where along it a door begins, and the class of its exit."""

    side: Side
    offset: int
    joins: str = ""


def keep_apart(spec: GungeonSpec, heap: Heap, hallways: Sequence[RoutedHallway | PlannedHallway]) -> Heap:
    """Replace repeated layouts of the heap by others of the same size that allow the same doors.

    If there is none, the room is furnished by procedure. A room that has the size of a team's layout, which
    no room by procedure may have, keeps that layout.
    """
    if not any(heap.layouts):
        return heap
    near = _near(len(heap.kinds), hallways)
    layouts, barred = list(heap.layouts), barred_layouts(spec)
    seen = Counter(spec.memory.layouts)
    seen.update(layout.file for layout in layouts if layout and spec.memory.place)
    rects = heap.rects()
    doors: list[list[DoorPlace]] = [[] for _ in layouts]
    for end in (end for hallway in hallways for end in hallway.ends):
        (x, y), corner = end.tiles[0], rects[end.room]
        doors[end.room].append(door_of(end.side, (x - corner.x, y - corner.y), end.joins))
    for room, layout in enumerate(layouts):
        if layout is None:
            continue
        used = {nearby.file for number in near[room] if (nearby := layouts[number]) is not None}
        if layout.file in used:
            candidates = (
                candidate
                for candidate in fitting(spec, heap.kinds[room], layout.size, doors[room])
                if candidate.file not in used | barred and candidate.layout.repeat != "once"
            )
            other = None if has_size(spec, heap.kinds[room], layout) else layout
            if spec.memory.place:
                layouts[room] = min(candidates, key=lambda candidate: seen[candidate.file], default=other)
                seen.update([chosen.file] if (chosen := layouts[room]) else [])
            else:
                layouts[room] = next(candidates, other)
    return heap._replace(layouts=tuple(layouts))


def fitting(
    spec: GungeonSpec, kind: str, size: tuple[int, int], doors: Collection[DoorPlace]
) -> Iterable[GungeonLayout]:
    """Yield the layouts for a room of this kind and size (walls included) that can have these doors."""
    for card in pool(spec, kind):
        for image in card.images:
            if image.size == size and _has_doors(image, spec, doors):
                yield image


def _has_doors(layout: GungeonLayout, spec: GungeonSpec, doors: Collection[DoorPlace]) -> bool:
    by_class = layout.exits_by_class(spec.hallway_width, spec.body)
    return by_class is not None and all(
        any(offset in offsets for offsets in by_class.get(joins, {}).get(side, ()))
        for side, offset, joins in doors
    )


def door_of(side: Side, tile: Point, joins: str) -> DoorPlace:
    """Return the position of a door in a layout, from its first tile in tiles of the room."""
    return DoorPlace(side, tile[0] if side.is_vertical_way else tile[1], joins)


def _near(rooms: int, hallways: Sequence[RoutedHallway | PlannedHallway]) -> list[set[int]]:
    """List, for each room, the rooms fewer than `_FAR` hallways away."""
    beside = neighbours_of(range(rooms), edges_of(hallways))
    near = []
    for room in range(rooms):
        reached = {room}
        for _ in range(_FAR - 1):
            reached |= {neighbour for current in reached for neighbour in beside[current]}
        near.append(reached - {room})
    return near


# Why no room of a spec can have a layout with exits: its size, or a way too narrow for the spec's body.


def layout_misfit(spec: GungeonSpec, name: str) -> str:
    """Explain why no room of the spec can have this layout. Empty if one can, or if it is unknown."""
    kit, kind = spec.load_kit(), name.removeprefix(OWN).partition("/")[0]
    own = team_layouts(kit, spec.layouts, None)
    images = [image for image in _images(kind, own, kit) if image.file == name]
    if not images:
        return ""
    if not any(card.file == name for card in pool(spec, kind)):
        ranges = spec.sizes_of(spec.row_of(kind))
        sizes = " x ".join(f"{least}" if least == most else f"{least}-{most}" for least, most in ranges)
        width, height = images[0].size
        return f"has {width} x {height} tiles, and the spec asks for {kind} rooms of {sizes}"
    if not spec.only_layout and spec.share_by_procedure(spec.row_of(kind)) == 100:
        remedy = f"give room.{kind}.gungeon a procedural_share below 100"
        return f"all {kind} rooms are furnished by procedure; {remedy}"
    return too_narrow(images, spec.hallway_width, spec.body)


def tag_misfit(tags: Set[str]) -> str:
    """Explain why few rooms have a layout with these tags. Empty if chance alone decides."""
    tag = next((tag for tag in _ONE_IN if tag in tags), "")
    if not tag:
        return ""
    return (
        f"has the tag {tag}, and only one in {_ONE_IN[tag]} drawn rooms of a level without a plan has such a "
        "layout; ask for more rooms, or leave the tag out"
    )


def too_narrow(images: Sequence[GungeonLayout], hallway: int, body: int) -> str:
    """Explain which exit or marker of a layout such a hallway or body cannot use. Empty if it can use all."""
    if any(image.exits(hallway, body) is not None for image in images):
        return ""
    drawn = images[0]
    for less in range(body - 1, 0, -1):
        if drawn.exits(hallway, less) is not None:
            reason = f"a body of {body} x {body} tiles cannot {_barred(drawn, hallway, body)}"
            return f"{reason}; make the way {body} tiles wide, or set body = {less}"
    for less in range(hallway - 1, 0, -1):
        if drawn.exits(less, 1) is not None:
            reason = f"a hallway {hallway} tiles wide cannot {_barred(drawn, hallway, 1)}"
            smaller = f" and body = {less}" if less < body else ""
            return f"{reason}; make the way wider, or set hallway_width = {less}{smaller}"
    return f"nobody can {_barred(drawn, 1, 1)}; clear a path without hazards, at least two tiles deep"


def _barred(drawn: GungeonLayout, hallway: int, body: int) -> str:
    """Describe what cannot be done in a layout: to use an exit, or to get to a marker."""
    layout, markers = drawn.layout, drawn.layout.fullest.interior().markers
    bare = _without(layout, markers)
    closed = [
        str(opening)
        for opening in layout.exits
        if not opening.is_any and _is_closed(drawn, replace(bare, exits=(opening,)), hallway, body)
    ]
    if closed:
        return f"use its exit{'s' * (len(closed) > 1)} {' and '.join(closed)}"
    if not _is_closed(drawn, bare, hallway, body):
        for marker in markers:
            rest = [kept for kept in markers if kept != marker]
            if _is_closed(drawn, _without(layout, rest), hallway, body):
                line, column = layout.first_line + marker.y, marker.x + 1
                aside = " from an exit that is not beside it" if marker.kind == "boss" else ""
                return f"get to its {marker.kind} (line {line}, column {column}){aside}"
    return f"use its exits ({', '.join(map(str, layout.exits))})"


def _is_closed(drawn: GungeonLayout, layout: Layout, hallway: int, body: int) -> bool:
    return exits_of(layout, drawn.image, hallway, body) is None


def _without(layout: Layout, markers: Sequence[PlacedMarker]) -> Layout:
    """Remove some markers from the layout at its fullest."""
    rows = [list(row) for row in layout.fullest.rows]
    signs = {
        glyph.terrain: sign for sign, glyph in layout.glyphs.items() if not (glyph.decor or glyph.marker)
    }
    for marker in markers:
        ground = layout.glyphs[rows[marker.y][marker.x]].terrain
        rows[marker.y][marker.x] = signs.get(ground, signs[FLOOR])
    return replace(layout, rows=tuple(map("".join, rows)), variations={})
