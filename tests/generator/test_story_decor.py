"""Decor without a glyph: a layout's header gives it a letter, and rooms that are drawn in an editor have it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from generator.errors import LayoutError
from generator.geometry import Rect
from generator.interiors.drawing_text import layout_of
from generator.interiors.editor_room import DrawnObject, EditorRoom, meaning_of
from generator.interiors.interior import fire_markers
from generator.interiors.layout_file import parse_layout
from generator.kinds import DECOR_IDS, FLOOR, SHIPPED, WALL, shipped_kit
from generator.kinds.kind_tables import HUNG

ROWS = """
.............
.............
..DDD....BB..
..DDD........
......Z......
..11.........
............."""


def test_a_header_gives_decor_a_letter() -> None:
    """A bed takes the two tiles that are drawn, and a brazier has the light of a fire."""
    header = "mirror: none\nD = dirt\nB = bed\nZ = brazier\n1 = stool\n\nmap:"
    inside = parse_layout(header + ROWS, Path("x.txt")).interior()
    names = [SHIPPED.decor[number].name for number in inside.decor[inside.decor > 0].tolist()]
    assert names == ["dirt"] * 3 + ["bed"] + ["dirt"] * 3 + ["brazier"] + ["stool"] * 2
    (light,) = fire_markers(inside.decor, (0, 0), SHIPPED)
    assert (light.kind, light.x, light.y, light.properties["color"]) == ("fire", 6, 4, "orange")


@pytest.mark.parametrize("word", ["chains", "none", "dirt on=pit"])
def test_only_decor_that_stands_is_drawn(word: str) -> None:
    with pytest.raises(LayoutError, match=r"x.txt:1: unknown marker kind"):
        parse_layout(
            f"D = {word}\n\nmap:{ROWS.replace('B', '.').replace('Z', '.').replace('1', '.')}", Path("x.txt")
        )


def test_rooms_drawn_in_an_editor_have_all_decor_that_stands() -> None:
    """The tiles of a theme's tileset say what they are; each kind gets a letter that nothing else has."""
    meanings = {name: meaning_of(SHIPPED, name) for name in DECOR_IDS if name != "none"}
    assert {name for name, meaning in meanings.items() if not meaning.decor} == set(HUNG)
    decor = np.zeros((9, 15), np.uint8)
    for x, name in enumerate(("dirt", "stool", "rock", "crystal", "dirt"), 3):
        decor[2, x] = meanings[name].decor
    decor[4, 6:8] = meanings["weapon_rack"].decor
    terrain = np.full((9, 15), WALL, np.uint8)
    terrain[1:-1, 1:-1] = FLOOR
    terrain[[0, -1], 7] = terrain[4, [0, -1]] = FLOOR
    enemy = DrawnObject("enemy", Rect(11, 6, 1, 1), {"role": "walker"}, "an enemy")
    room = EditorRoom("den", Path("den.tmj"), "den.tmj", (0, 0), terrain, decor, (enemy,), {}, shipped_kit())
    layout = layout_of(room)
    inside = layout.interior()
    assert inside.decor[1, 2:7].tolist() == decor[2, 3:8].tolist()
    assert [SHIPPED.decor[number].name for number in inside.decor[3][inside.decor[3] > 0].tolist()] == [
        "weapon_rack"
    ]
    assert [marker.kind for marker in inside.markers] == ["enemy"]
