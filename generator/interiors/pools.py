"""Pools of layouts, shipped and a team's own, from which the rooms of a kind are dealt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType

from generator.errors import KitError, LayoutError, SpecError
from generator.geometry import Point
from generator.interiors.chapters import Chapter
from generator.interiors.layout_file import Headers, parse_layout
from generator.interiors.layout_rules import check_map, check_rules
from generator.interiors.layouts import OWN, Layout
from generator.interiors.passage import ONE_TILE, Passage, with_passage, with_way_cut
from generator.interiors.team_layouts import NO_OWN, OwnLayouts
from generator.kinds import DIFFICULTIES, SHIPPED, Glyph, Kinds, Kit, shipped_kit
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.shapes import SHAPES, Slot
from generator.shipped_files import shipped_folder

USUAL_PITCH = 15, 9  # the size of cells that layouts ship for
SHIPPED_KIT = shipped_kit()
_SHIPPED = shipped_folder("generator") / "interiors" / "layouts"


class Choice(NamedTuple):
    """A layout that a room may get: name in the level, difficulty, the images that fit, and weight."""

    name: str
    layout: Layout
    difficulty: int
    mirrors: tuple[str, ...]
    weight: int


class ChoicePool(tuple[Choice, ...]):
    """The layouts that a room may get, and what draws from them use, computed once."""

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weight of each."""
        return tuple(choice.weight for choice in self)

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The running totals of the weights."""
        return tuple(accumulate(self.weights))

    @cached_property
    def by_difficulty(self) -> Mapping[int, ChoicePool]:
        """Those of each difficulty."""
        parts: dict[int, list[Choice]] = {}
        for choice in self:
            parts.setdefault(choice.difficulty, []).append(choice)
        return {difficulty: ChoicePool(part) for difficulty, part in parts.items()}


class ChoiceDeck:
    """A pool's layouts to draw from by weight, each once. A draw takes one word."""

    def __init__(self, pool: ChoicePool) -> None:
        self._pool, self._left = pool, len(pool)
        self._weights: list[int] = []  # 0 for those that were drawn; empty before the first draw

    def __len__(self) -> int:
        return self._left

    def draw(self, stream: Stream) -> Choice:
        """Draw one of the layouts left."""
        totals = tuple(accumulate(self._weights)) if self._weights else self._pool.totals
        index = stream.drawn_place(totals)
        self._weights = self._weights or list(self._pool.weights)
        self._weights[index] = 0
        self._left -= 1
        return self._pool[index]


class Form(NamedTuple):
    """What a floorplan asks of a room: its shape, and the doors that it needs, counted from its corner."""

    shape: str
    doors: frozenset[Slot]


SQUARE = Form("1x1", frozenset(SHAPES["1x1"].slots.values()))  # with all doors


@lru_cache(maxsize=1024)
def normal_choices(
    chapter: Chapter,
    difficulties: tuple[str, ...],
    pitch: Point,
    own: OwnLayouts = NO_OWN,
    form: Form = SQUARE,
    passage: Passage = ONE_TILE,
    kit: Kit = SHIPPED_KIT,
) -> ChoicePool:
    """Return the layouts of normal rooms with cells of `pitch` tiles. Raises SpecError if there are none."""
    choices: list[Choice] = []
    for difficulty in difficulties:
        for pool in dict.fromkeys((*chapter.pools, chapter.name, "any")):  # a team may add to any chapter
            found = _choices(f"normal/{pool}/{difficulty}", pitch, form.shape, own, kit, chapter.without)
            times = 1 if pool == "any" else chapter.own_weight
            choices += [choice._replace(weight=choice.weight * times) for choice in found]
    label = f"normal rooms of {chapter.name} ({' and '.join(difficulties)})"
    return _fitting(choices, label, pitch, form, passage)


@lru_cache(maxsize=1024)
def special_choices(
    kind: str,
    pitch: Point,
    own: OwnLayouts = NO_OWN,
    form: Form = SQUARE,
    passage: Passage = ONE_TILE,
    kit: Kit = SHIPPED_KIT,
) -> ChoicePool:
    """Return the layouts of a room kind with cells of `pitch` tiles. Raises SpecError if there are none.

    Raises KitError if a kit's kind has no layouts of any size.
    """
    choices = _choices(kind, pitch, form.shape, own, kit)
    if not choices and not kit.is_shipped and not own.pools.get(kind) and not shipped_of(kit, kind):
        raise KitError(
            f"{kit.file_of(f'room.{kind}')}: room.{kind}: no layout fits the row; draw some in "
            f"layouts/{kind}/, or give a shipped kind's row the markers and has_shapes of the shipped row"
        )
    return _fitting(choices, f"{kind} rooms", pitch, form, passage)


@lru_cache(maxsize=1024)
def only_choices(
    name: str, kind: str, pitch: Point, own: OwnLayouts, form: Form, passage: Passage, kit: Kit = SHIPPED_KIT
) -> ChoicePool:
    """Return the layout of this name, of any chapter and difficulty, if it suits a kind and a form."""
    pool = name.removeprefix(OWN).rpartition("/")[0]
    if pool.partition("/")[0] != kind:
        return ChoicePool()
    choices = [choice for choice in _choices(pool, pitch, form.shape, own, kit) if choice.name == name]
    try:
        return _fitting(choices, f"{kind} rooms", pitch, form, passage)
    except SpecError:
        return ChoicePool()


def in_place(layout: Layout, body: int, door_width: int) -> bool:
    """Check whether a body of this size can pass through a layout as it is, with all doors."""
    return with_passage(layout, Passage(body, door_width)) is not None


def deal(
    pool: ChoicePool, count: int, stream: Stream, seen: Mapping[str, int] = MappingProxyType({})
) -> list[Choice]:
    """Draw `count` of a pool, by weight, each from those that were dealt and `seen` least.

    If none was seen before, no choice is repeated before all were drawn. A draw takes one word, so the first
    ones are the same however many follow.
    """
    deck, counts = ChoiceDeck(least_seen(pool, seen)), dict(seen)
    dealt: list[Choice] = []
    while len(dealt) < count:
        deck = deck or ChoiceDeck(least_seen(pool, counts))
        choice = deck.draw(stream)
        counts[choice.name] = counts.get(choice.name, 0) + 1
        dealt.append(choice)
    return dealt


def drawn_difficulty(found: Collection[int], shares: Mapping[str, int], stream: Stream) -> int:
    """Draw one of the difficulties that were found, by the shares of their names. Takes one word.

    If none of them has a share, as may be with `only_layout`, all are as likely.
    """
    weights = {DIFFICULTIES[name]: share for name, share in shares.items() if DIFFICULTIES[name] in found}
    weights = weights or dict.fromkeys(sorted(found), 1)
    return tuple(weights)[stream.drawn_place(tuple(accumulate(weights.values())))]


def least_seen(pool: ChoicePool, seen: Mapping[str, int]) -> ChoicePool:
    """Return the layouts of a pool that were seen least, in their order. `seen` counts by name."""
    return by_times_seen(pool, seen)[-1]


def by_times_seen(pool: ChoicePool, seen: Mapping[str, int]) -> list[ChoicePool]:
    """Sort the layouts of a pool by how often they were seen: those seen least are the last pool."""
    if not seen:
        return [pool]
    parts: dict[int, list[Choice]] = {}
    for choice in pool:
        parts.setdefault(seen.get(choice.name, 0), []).append(choice)
    return [ChoicePool(parts[times]) for times in sorted(parts, reverse=True)]


@lru_cache(maxsize=1024)  # rooms of one form need different doors
def _choices(
    pool: str, pitch: Point, shape: str, own: OwnLayouts, kit: Kit, without: tuple[str, ...] = ()
) -> tuple[Choice, ...]:
    """Return the choices of a pool with an image that fits, shipped ones first, except those in `without`."""
    difficulty = DIFFICULTIES.get(pool.rpartition("/")[2], 0)
    named = [
        *(
            (f"{pool}/{layout.name}", layout)
            for layout in shipped_of(kit, pool)
            if layout.name not in without
        ),
        *((f"{OWN}{pool}/{layout.name}", layout) for layout in own.pools.get(pool, ())),
    ]
    choices = []
    for name, layout in named:
        mirrors = tuple(m for m in layout.mirrors if layout.shape.mirrored(m).name == shape)
        if mirrors and layout.pitch == pitch:
            choices.append(Choice(name, layout, difficulty, mirrors, layout.weight))
    return tuple(choices)


def shipped_of(kit: Kit, pool: str) -> tuple[Layout, ...]:
    """Return the shipped layouts of a pool, by name, if the kit extends the shipped one."""
    return shipped(pool, kit.kinds) if kit.ships_layouts else ()


@lru_cache(maxsize=4096)
def shipped(pool: str, kinds: Kinds = SHIPPED) -> tuple[Layout, ...]:
    """Return the shipped layouts of a pool, by name. They can be in a zip file, so they are not paths.

    Layouts that need kinds which are missing from `kinds` are left out.
    """
    folder = _SHIPPED / pool
    if not folder.is_dir():
        return ()
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name
    )
    texts = (
        (file if isinstance(file, Path) else Path(str(file)), file.read_bytes().decode()) for file in files
    )
    return shipped_texts(texts, pool.partition("/")[0], kinds)


def _fitting(choices: Sequence[Choice], label: str, pitch: Point, form: Form, passage: Passage) -> ChoicePool:
    """Return the choices with the doors and a way for the body. Raises SpecError if none has the doors.

    Each keeps the images that have the doors, with obstacles to the body removed. If walls and pits block the
    body in all of them, a path is cut through each.
    """
    slots = SHAPES[form.shape].slots
    if not choices:
        columns, rows = SHAPES[form.shape].size
        size = f"shape {form.shape}, {pitch[0] * columns} x {pitch[1] * rows} tiles"
        other = "" if pitch == USUAL_PITCH else f", or use {USUAL_PITCH[0]} x {USUAL_PITCH[1]}"
        raise SpecError(
            f"room_size: there are no layouts for {label} of {size}; draw some and give their folder as "
            f"`layouts`{other}"
        )
    with_doors = []
    for choice in choices:
        layout = choice.layout
        if len(layout.doors) == len(slots):  # which all its images have
            with_doors.append(choice)
        elif mirrors := tuple([mirror for mirror in choice.mirrors if form.doors <= layout.slots(mirror)]):
            with_doors.append(choice._replace(mirrors=mirrors))
    if not with_doors:
        doors = " ".join(name for name, slot in slots.items() if slot in form.doors)
        raise SpecError(
            f"layouts: no layout for {label} of shape {form.shape} has the doors {doors}; draw one that has "
            "them all"
        )
    if passage.body == 1:
        return ChoicePool(with_doors)
    passed = [
        choice._replace(layout=cleared)
        for choice in with_doors
        if (cleared := with_passage(choice.layout, passage)) is not None
    ]
    if not passed:
        passed = [choice._replace(layout=with_way_cut(choice.layout, passage)) for choice in with_doors]
    return ChoicePool(passed)


# --- shipped layouts with the kinds of a kit, which may have other glyphs or lack some ---------------


def shipped_texts(texts: Iterable[tuple[Path, str]], kind: str, kinds: Kinds) -> tuple[Layout, ...]:
    """Parse the layouts of shipped files for rooms of a kind, each a path and its text.

    A drawn thing or marker that a kit lacks becomes floor. Layouts that then break a rule are left out. With
    the shipped kinds, and kits that only add to them, the tests have checked them all.
    """
    same_rules = kinds.room(kind).markers == SHIPPED.room(kind).markers
    if _adds_to_shipped(kinds) and same_rules:
        return tuple(_read(text, path, kinds) for path, text in texts)
    from generator.interiors.pool_rules import check_markers

    layouts = []
    for layout in kept_texts(texts, kinds):
        try:
            check_map(layout)
            check_rules(layout)
            check_markers(layout, kind)
        except LayoutError:
            continue
        layouts.append(layout)
    return tuple(layouts)


def kept_texts(texts: Iterable[tuple[Path, str]], kinds: Kinds) -> Iterator[Layout]:
    """Parse the layouts of shipped files, whether or not they would do as rooms.

    Those whose headers name a kind that a kit lacks are left out.
    """
    for path, text in texts:
        try:
            yield _read(text, path, kinds)
        except LayoutError:
            if kinds == SHIPPED:
                raise


def _read(text: str, path: Path, kinds: Kinds) -> Layout:
    return parse_layout(text, path, kinds, check=False, headers=_headers(kinds))


@lru_cache(maxsize=64)
def _headers(kinds: Kinds) -> Headers:
    return Headers(kinds, _glyphs(kinds))


def _glyphs(kinds: Kinds) -> Mapping[str, Glyph]:
    """Return the meanings of the shipped kit's glyphs, with the numbers of another kit.

    Decor of a name or a size that the other kit does not have is left out.
    """
    if kinds == SHIPPED:
        return SHIPPED.glyphs
    glyphs = {}
    for sign, glyph in SHIPPED.glyphs.items():
        thing = SHIPPED.decor[glyph.decor]
        decor = kinds.decor_ids.get(thing.name, 0)
        if kinds.decor[decor][-2:] != thing[-2:]:
            decor = 0
        marker = glyph.marker if glyph.marker in kinds.markers else None
        glyphs[sign] = Glyph(glyph.terrain, decor, marker, glyph.properties if marker else {})
    return glyphs


@lru_cache(maxsize=64)
def _adds_to_shipped(kinds: Kinds) -> bool:
    """Check whether these kinds contain the shipped ones unchanged."""
    return kinds == SHIPPED or (
        kinds.decor[: len(SHIPPED.decor)] == SHIPPED.decor
        and all(kinds.markers.get(name) == row for name, row in SHIPPED.markers.items())
    )
