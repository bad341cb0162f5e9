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
from generator.interiors.layouts import Layout, parse_layout
from generator.interiors.own_layouts import NO_OWN, OwnLayouts
from generator.kinds import DIFFICULTIES
from generator.rng import Stream

_SHIPPED = resources.files("generator") / "interiors" / "layouts"


class Choice(NamedTuple):
    """A layout that a room may get: its name in the level, and its difficulty."""

    name: str
    layout: Layout
    difficulty: int


@lru_cache(maxsize=64)
def normal_choices(
    chapter: Chapter, difficulties: tuple[str, ...], size: Point, own: OwnLayouts = NO_OWN
) -> tuple[Choice, ...]:
    """The layouts of normal rooms, `size` tiles inside. Raises SpecError if there are none."""
    choices = []
    for difficulty in difficulties:
        for pool in dict.fromkeys((*chapter.pools, chapter.name, "any")):  # a team may add to any chapter
            choices += _choices(f"normal/{pool}/{difficulty}", size, own, chapter.without)
    return _some(choices, f"normal rooms of {chapter.name} ({' and '.join(difficulties)})", size)


@lru_cache(maxsize=64)
def special_choices(kind: str, size: Point, own: OwnLayouts = NO_OWN) -> tuple[Choice, ...]:
    """The layouts of a room kind, `size` tiles inside. Raises SpecError if there are none."""
    return _some(_choices(kind, size, own), f"{kind} rooms", size)


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


def _choices(pool: str, size: Point, own: OwnLayouts, without: frozenset[str] = frozenset()) -> list[Choice]:
    """One pool, the shipped layouts first; chapters go `without` some of these."""
    difficulty = DIFFICULTIES.get(pool.rpartition("/")[2], 0)
    shipped = [layout for layout in _shipped(pool) if layout.size == size and layout.name not in without]
    return [
        *(Choice(f"{pool}/{layout.name}", layout, difficulty) for layout in shipped),
        *(Choice(f"own/{pool}/{layout.name}", layout, difficulty) for layout in own.pools.get(pool, ())),
    ]


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


def _some(choices: Sequence[Choice], what: str, size: Point) -> tuple[Choice, ...]:
    if not choices:
        raise SpecError(
            f"room_size: there are no layouts for {what} of {size[0] + 2} x {size[1] + 2} tiles; "
            "draw some and name their folder with layouts, or use 15 x 9"
        )
    return tuple(choices)
