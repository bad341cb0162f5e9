"""Every layout, written to be drawn in Tiled and LDtk and read again, is the same layout."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporters
from exporters.formats.ldtk.check import problems
from exporters.formats.ldtk.drawn_rooms import ldtk_rooms
from exporters.formats.ldtk.rooms import ldtk_drawing
from exporters.formats.tiled.drawn_rooms import tiled_room
from exporters.formats.tiled.rooms import tiled_drawing
from exporters.theme.loader import load_theme
from generator import generate
from generator.interiors.drawing_text import layout_of, layout_text
from generator.interiors.drawings import DrawnFiles, pool_of_room
from generator.interiors.layout_file import parse_layout
from generator.interiors.layouts import Layout
from generator.interiors.named import NamedLayout, named_layouts, shipped_names
from generator.kinds import shipped_kit
from tests.exporters.formats.ldtk.official_schema import faults

from .same import facts

PLUS = """// A plus with a pit in its middle, which can be turned.
exits: N 6-9 joins=wide, S 6-9, E any joins=wide, W any
difficulty: 5
turn: quarter
tags: hub wide
repeat: never-adjacent
weight: 3
mirror: h
Z = one_of rock pot floor floor
Y = group 2 enemy shooter
Q = enemy role=necromancer on=rubble

map:
    .......
    ..Z.Z..
    o..~..o
....E..~..S....
...Y.......Y...
..o..~~~~~..o..
...Y...Q.......
....S..~..E....
    o..~..o
    .......
    .......
"""


def plus() -> NamedLayout:
    return NamedLayout("normal/plus", "normal", parse_layout(PLUS, Path("plus.txt")))


def alike(layout: Layout) -> dict[str, object]:
    """What a layout says. A narrow gap outside of a room with exits may be of stone: nobody gets there."""
    return facts(replace(layout, rows=tuple(row.replace(" ", "#") for row in layout.rows)))


def pool_of(name: str) -> str:
    return name.rpartition("/")[0]


@pytest.fixture(scope="module")
def shipped() -> list[NamedLayout]:
    return [each for pool in sorted({name.split("/")[0] for name in shipped_names()}) for each in shown(pool)]


def shown(pool: str) -> list[NamedLayout]:
    return named_layouts(pool, pytest.fail, shipped_kit())


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_every_shipped_layout_comes_back_from_tiled(
    step: int, shipped: list[NamedLayout], tmp_path: Path
) -> None:
    """A fifth of them each time, all of them in the soak run."""
    theme, files = load_theme(), DrawnFiles(tmp_path, shipped_kit())
    for number, each in enumerate([*shipped[::step], plus()]):
        bundle = tiled_drawing(each, theme, f"room-{number}")
        path = tmp_path / f"room-{number}.tmj"
        if number:
            path.write_bytes(bundle[path.name])
        else:
            bundle.write(tmp_path)
        room = tiled_room(path, files)
        assert alike(layout_of(room)) == alike(each.layout), each.name
        free = bool(each.layout.exits)
        assert pool_of_room(room, on_grid=not free) == (each.kind if free else pool_of(each.name))


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.soak)])
def test_every_shipped_layout_comes_back_from_ldtk(
    step: int, shipped: list[NamedLayout], tmp_path: Path
) -> None:
    """From one project that LDtk's rules accept, a level for each."""
    every = [*shipped[::step], plus()]
    ldtk_drawing(every, load_theme(), "rooms").write(tmp_path)
    assert problems(tmp_path / "rooms.ldtk") == []
    assert faults(json.loads((tmp_path / "rooms.ldtk").read_bytes())) == []
    rooms = list(ldtk_rooms(tmp_path / "rooms.ldtk", DrawnFiles(tmp_path, shipped_kit())))
    for room, each in zip(rooms, every, strict=True):
        assert alike(layout_of(room)) == alike(each.layout), each.name
        free = bool(each.layout.exits)
        assert pool_of_room(room, on_grid=not free) == (each.kind if free else pool_of(each.name))
        assert room.name.startswith(each.layout.name.replace("_", "-"))


@pytest.mark.parametrize("to", ["tiled", "ldtk"])
def test_rooms_of_a_finished_level_are_layouts_too(to: str, tmp_path: Path) -> None:
    """What is beyond a room's walls is left out, and what was rolled for the level; torches are hung anew."""
    level = generate("isaac", 4)
    options = {"tiled.split": "rooms"} if to == "tiled" else {}
    exporters.export(level, to, options, name="level").write(tmp_path)
    files = DrawnFiles(tmp_path, shipped_kit())
    rooms = (
        [tiled_room(tmp_path / "level" / f"room{room.id}.tmj", files) for room in level.rooms]
        if to == "tiled"
        else list(ldtk_rooms(tmp_path / "level.ldtk", files))
    )
    for room, drawn in zip(level.rooms, rooms, strict=True):
        inside = room.bounds.shrunk(1)
        layout = parse_layout(layout_text(drawn), Path("room.txt"), check=False)
        assert np.array_equal(layout.interior().terrain, level.terrain[inside.slices])
        assert drawn.header["kind"] == room.kind
        enemies = [
            (m.x - inside.x, m.y - inside.y) for m in level.markers if (m.room, m.kind) == (room.id, "enemy")
        ]
        assert sorted(enemies) == sorted((m.x, m.y) for m in layout.interior().markers if m.kind == "enemy")


GLYPHS = ".....#~=,opbcfgsximu%*'ESFBT23CGRI$+!&?ZYQ"
HEADER = "Z = one_of rock pot floor\nY = group 1 enemy brute\nQ = enemy role=mage wave=4\n"


@st.composite
def free_rooms(draw: st.DrawFn) -> str:
    """Rooms of any outline with whatever in them, by the rules or not."""
    width, height = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    rows = [draw(st.text(GLYPHS + "   ", min_size=width, max_size=width)) for _ in range(height)]
    rows[0] = draw(st.text(".,", min_size=width, max_size=width))
    first = draw(st.integers(1, width))
    exits = f"exits: N {first}-{draw(st.integers(first, width))}, {draw(st.sampled_from('ESW'))} any"
    return f"{exits}\n{HEADER}map:\n" + "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the theme's files lie already."""
    made = tmp_path_factory.mktemp("any")
    tiled_drawing(plus(), load_theme(), "plus").write(made)
    return made


@given(text=free_rooms())
@settings(max_examples=25, deadline=None)
def test_rooms_of_any_outline_come_back(folder: Path, text: str) -> None:
    """But for void with walls all round it, which are walls then: nobody gets there."""
    layout = parse_layout(text, Path("any.txt"), check=False)
    bundle = tiled_drawing(NamedLayout("normal/any", "normal", layout), load_theme(), "any")
    (folder / "any.tmj").write_bytes(bundle["any.tmj"])
    again = layout_text(tiled_room(folder / "any.tmj", DrawnFiles(folder, shipped_kit())))
    assert alike(parse_layout(again, Path("any.txt"), check=False)) == alike(layout)
