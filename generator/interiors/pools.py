"""Pools of layouts, the shipped ones and a team's own: what the rooms of a kind are dealt from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from generator.errors import SpecError
from generator.geometry import Point
from generator.interiors.chapters import Chapter
from generator.interiors.layout_file import parse_layout
from generator.interiors.layouts import Layout
from generator.interiors.own_layouts import NO_OWN, OwnLayouts
from generator.interiors.passage import ONE_TILE, Passage, with_passage, with_way_cut
from generator.kinds import DIFFICULTIES
from generator.rng import Stream
from generator.shapes import SHAPES, Slot

_SHIPPED = resources.files("generator") / "interiors" / "layouts"


class Choice(NamedTuple):
    """A layout that a room may get: its name in the level, its difficulty, and the images that fit."""

    name: str
    layout: Layout
    difficulty: int
    mirrors: tuple[str, ...]


class Form(NamedTuple):
    """What a floorplan asks of a room: its shape, and the doors that it needs, from its corner."""

    shape: str
    doors: frozenset[Slot]


SQUARE = Form("1x1", frozenset(SHAPES["1x1"].slots.values()))  # with all of its doors


@lru_cache(maxsize=1024)
def normal_choices(
    chapter: Chapter,
    difficulties: tuple[str, ...],
    pitch: Point,
    own: OwnLayouts = NO_OWN,
    form: Form = SQUARE,
    passage: Passage = ONE_TILE,
) -> tuple[Choice, ...]:
    """The layouts of normal rooms with cells of `pitch` tiles. Raises SpecError if there are none."""
    choices = []
    for difficulty in difficulties:
        for pool in dict.fromkeys((*chapter.pools, chapter.name, "any")):  # a team may add to any chapter
            choices += _choices(f"normal/{pool}/{difficulty}", pitch, form.shape, own, chapter.without)
    what = f"normal rooms of {chapter.name} ({' and '.join(difficulties)})"
    return _fitting(choices, what, pitch, form, passage)


@lru_cache(maxsize=1024)
def special_choices(
    kind: str,
    pitch: Point,
    own: OwnLayouts = NO_OWN,
    form: Form = SQUARE,
    passage: Passage = ONE_TILE,
) -> tuple[Choice, ...]:
    """The layouts of a room kind with cells of `pitch` tiles. Raises SpecError if there are none."""
    return _fitting(_choices(kind, pitch, form.shape, own), f"{kind} rooms", pitch, form, passage)


def deal(choices: Sequence[Choice], count: int, stream: Stream) -> list[Choice]:
    """`count` of the choices: drawn by weight and not put back, until all are used up and it starts again.

    A draw takes one word, so the first ones are the same however many follow.
    """
    dealt: list[Choice] = []
    left: list[Choice] = []
    for _ in range(count):
        left = left or list(choices)
        place = stream.weighted(range(len(left)), [choice.layout.weight for choice in left])
        dealt.append(left.pop(place))
    return dealt


def _choices(
    pool: str, pitch: Point, shape: str, own: OwnLayouts, without: frozenset[str] = frozenset()
) -> list[Choice]:
    """Of one pool those with an image that fits, the shipped ones first; chapters go `without` some."""
    difficulty = DIFFICULTIES.get(pool.rpartition("/")[2], 0)
    named = [
        *((f"{pool}/{layout.name}", layout) for layout in _shipped(pool) if layout.name not in without),
        *((f"own/{pool}/{layout.name}", layout) for layout in own.pools.get(pool, ())),
    ]
    choices = []
    for name, layout in named:
        mirrors = tuple(m for m in layout.mirrors if layout.shape.mirrored(m).name == shape)
        if mirrors and layout.pitch == pitch:
            choices.append(Choice(name, layout, difficulty, mirrors))
    return choices


@cache
def _shipped(pool: str) -> tuple[Layout, ...]:
    """The shipped layouts of a pool, by name. They may lie in a zip file, so they are no paths."""
    folder = _SHIPPED / pool
    if not folder.is_dir():
        return ()
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".txt")), key=lambda file: file.name
    )
    return tuple(parse_layout(file.read_text("utf-8"), Path(str(file)), check=False) for file in files)


def _fitting(
    choices: Sequence[Choice], what: str, pitch: Point, form: Form, passage: Passage
) -> tuple[Choice, ...]:
    """The choices that have the doors and let the body through; SpecError if none has the doors.

    Each has those of its images that have the doors, and nothing that stands in the body's way. If walls and
    pits keep the body out of all of them, a way is cut through each.
    """
    slots = SHAPES[form.shape].slots
    if not choices:
        columns, rows = SHAPES[form.shape].size
        size = f"shape {form.shape}, {pitch[0] * columns} x {pitch[1] * rows} tiles"
        raise SpecError(
            f"room_size: there are no layouts for {what} of {size}; "
            "draw some and name their folder with layouts, or use 15 x 9"
        )
    found = []
    for choice in choices:
        mirrors = tuple(each for each in choice.mirrors if form.doors <= choice.layout.slots(each))
        if mirrors:
            found.append(choice._replace(mirrors=mirrors))
    if not found:
        doors = " ".join(name for name, slot in slots.items() if slot in form.doors)
        raise SpecError(
            f"layouts: none for {what} of shape {form.shape} has the doors {doors}; draw one that has all"
        )
    passed = [
        choice._replace(layout=layout)
        for choice in found
        if (layout := with_passage(choice.layout, passage)) is not None
    ]
    if not passed:
        passed = [choice._replace(layout=with_way_cut(choice.layout, passage)) for choice in found]
    return tuple(passed)
