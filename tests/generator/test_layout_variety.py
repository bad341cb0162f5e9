"""The shipped layouts of normal rooms: no two look alike, and their enemies have room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

import generator
from generator.interiors.interior import doorsteps
from generator.interiors.layout_file import load_layout
from generator.interiors.layouts import Layout
from generator.kinds import DECOR_KINDS, DIFFICULTIES, WALL
from generator.level import spread_decor
from generator.shapes import SHAPES

Picture = npt.NDArray[np.int64]  # [y, x]: what one sees on each tile, as a number

NORMAL = Path(generator.__file__).parent / "interiors" / "layouts" / "normal"
LATER = (
    *("depths", "necropolis", "hollow", "pits", "keep", "ruins", "abyss", "gate"),
    *("weir", "diggings", "ossuary", "carrion"),
)


@cache
def normal_layouts() -> tuple[Layout, ...]:
    return tuple(load_layout(path) for path in sorted(NORMAL.rglob("*.txt")))


class Likeness(NamedTuple):
    """How much an image of a layout is like others: tiles that differ, and tiles that are not wall in both."""

    layout: Layout
    others: Sequence[Layout]
    differing: Picture
    inside: Picture


def alike(layouts: Sequence[Layout], picture: Callable[[Layout], Picture], wall: int) -> Iterator[Likeness]:
    """Each layout and mirror image against those after it that have its size and doors on the same sides.

    How many tiles differ, and how many are not wall in both.
    """
    forms: dict[object, list[Layout]] = {}
    for layout in layouts:
        forms.setdefault((layout.size, layout.shape.sides), []).append(layout)
    for of_a_form in forms.values():
        pictures = np.array([picture(layout) for layout in of_a_form])
        for number, layout in enumerate(of_a_form):
            others = pictures[number + 1 :]
            for flip in (np.s_[:], np.s_[::-1], np.s_[:, ::-1], np.s_[::-1, ::-1]):
                image = pictures[number][flip]
                inside = ((others != wall) | (image != wall)).sum((1, 2))
                yield Likeness(layout, of_a_form[number + 1 :], (others != image).sum((1, 2)), inside)


def test_no_two_normal_layouts_are_alike() -> None:
    """Mirrors included, a fifth of the tiles inside differ (18 of a square room's 91)."""
    for one in alike(
        normal_layouts(), lambda layout: np.array([[*map(ord, row)] for row in layout.rows]), ord("#")
    ):
        same = np.argwhere(one.differing * 5 < np.minimum(one.inside, 90))
        assert not same.size, f"{one.layout.path} and {one.others[same[0][0]].path}"


def test_rooms_of_later_chapters_look_like_no_other() -> None:
    """Enemies and pick-ups left aside, and mirrors included, 15 % of the tiles inside differ."""
    layouts = sorted(normal_layouts(), key=lambda layout: layout.path.parts[-3] not in LATER)
    for one in alike(layouts, look, WALL):
        if one.layout.path.parts[-3] in LATER:
            same = np.argwhere(one.differing < 0.15 * one.inside)
            assert not same.size, f"{one.layout.path} and {one.others[same[0][0]].path}"


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_rooms_of_a_shape_do_not_repeat_soon(shape: str, difficulty: str) -> None:
    """There are twelve of each shape and difficulty for all doors. An L has those of its mirror images too."""
    every_door = frozenset(SHAPES[shape].slots.values())
    fitting = [
        layout.name
        for layout in normal_layouts()
        if layout.path.parent.name == difficulty
        and any(
            layout.shape.mirrored(mirror).name == shape and layout.slots(mirror) == every_door
            for mirror in layout.mirrors
        )
    ]
    assert len(fitting) >= 12


def look(layout: Layout) -> Picture:
    """[y, x]: terrain and, in the higher bits, what stands there."""
    interior = layout.fullest.interior()
    return interior.terrain.astype(np.int64) + (
        spread_decor(interior.decor, DECOR_KINDS).astype(np.int64) << 8
    )


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
@pytest.mark.parametrize("chapter", ["depths", "hollow", "keep", "abyss"])
def test_a_chapter_has_rooms_of_every_shape(chapter: str, difficulty: str) -> None:
    """At least two of its own that have all doors, mirror images included; one of each narrow shape."""
    layouts = [load_layout(path) for path in (NORMAL / chapter / difficulty).glob("*.txt")]
    for shape in SHAPES.values():
        every_door = frozenset(shape.slots.values())
        fitting = [
            layout
            for layout in layouts
            if any(
                layout.shape.mirrored(mirror) == shape and layout.slots(mirror) == every_door
                for mirror in layout.mirrors
            )
        ]
        assert len(fitting) >= (2 if len(shape.sides) == 4 else 1), shape.name


@pytest.mark.parametrize("pool", (*LATER, *(f"any/{word}" for word in DIFFICULTIES)))
def test_rooms_have_places_for_an_encounter_away_from_doors(pool: str) -> None:
    """A square room has six places or more for enemies, four of them four steps from all tiles before doors."""
    for path in (NORMAL / pool).rglob("*.txt"):
        layout = load_layout(path)
        places = [marker for marker in layout.interior().markers if marker.kind == "enemy"]
        steps = doorsteps(layout.pitch, layout.slots())
        far = [m for m in places if all(abs(m.x - x) + abs(m.y - y) > 3 for x, y in steps)]
        assert not places or layout.shape.name != "1x1" or (len(places) >= 6 and len(far) >= 4), path
