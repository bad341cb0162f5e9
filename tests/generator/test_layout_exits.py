"""Layouts with exits: any outline, turned and mirrored, and letters that chance decides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import LayoutError
from generator.geometry import Side
from generator.interiors.layout_file import parse_layout
from generator.interiors.layouts import Exit, Layout, imaged, read_exits
from generator.interiors.own_layouts import own_layouts
from generator.interiors.pool_rules import marker_counts
from generator.kinds import DECOR_IDS, FLOOR, PIT, VOID, WALL, shipped_kit
from generator.rng import Stream

IMAGES = [mirror + turn for turn in ("", "r") for mirror in ("", "h", "v", "hv")]
CROSS = """\
    ....
    ....
............
....~~......
............
    ....
    ...."""


def drawn(rows: str = CROSS, header: str = "exits: N any, S any") -> Layout:
    return parse_layout(f"{header}\nmap:\n{rows}\n", Path("x.txt"))


def test_what_is_not_drawn_lies_outside() -> None:
    terrain = drawn().interior().terrain
    assert terrain.shape == (7, 12)
    assert (terrain[0] == [VOID] * 4 + [FLOOR] * 4 + [VOID] * 4).all()
    assert (terrain == PIT).sum() == 2


def test_exits_count_from_one() -> None:
    layout = drawn(header="exits: N 6-7, E 3-5 joins=wide, S 5, W any joins=low")
    assert layout.exits == (
        Exit(Side.NORTH, 5, 6),
        Exit(Side.EAST, 2, 4, "wide"),
        Exit(Side.SOUTH, 4, 4),
        Exit(Side.WEST, 0, -1, "low"),
    )
    assert layout.exits[1].tiles(layout.size) == [(11, 2), (11, 3), (11, 4)]


@st.composite
def exits(draw: st.DrawFn) -> tuple[Exit, tuple[int, int]]:
    size = draw(st.integers(1, 30)), draw(st.integers(1, 30))
    side = draw(st.sampled_from(list(Side)))
    length = size[0] if side.is_vertical_way else size[1]
    first = draw(st.integers(0, length - 1))
    joins = draw(st.sampled_from(["", "wide"]))
    return Exit(side, first, draw(st.integers(first, length - 1)), joins), size


@given(exits(), st.sampled_from(IMAGES))
def test_an_exit_stays_on_its_tiles_in_every_image(given: tuple[Exit, tuple[int, int]], image: str) -> None:
    exit_, (width, height) = given
    marked = [["."] * width for _ in range(height)]
    for x, y in exit_.tiles((width, height)):
        marked[y][x] = "x"
    rows = imaged(["".join(row) for row in marked], image)
    tiles = exit_.image(image, (width, height)).tiles((len(rows[0]), len(rows)))
    assert sorted(tiles) == sorted(
        (x, y) for y, row in enumerate(rows) for x, glyph in enumerate(row) if glyph == "x"
    )
    assert read_exits(str(exit_), "x") == (exit_,)
    assert exit_.image(image, (width, height)).joins == exit_.joins


def test_a_quarter_turn_goes_clockwise() -> None:
    assert imaged(["ab", "cd", "ef"], "r") == ["eca", "fdb"]
    layout = drawn("....\n~...\n....", "exits: N any\nturn: quarter\nmirror: none")
    assert layout.mirrors == ("", "r")
    assert np.array_equal(layout.interior("r").terrain, np.rot90(layout.interior().terrain, -1))


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        ("exits: Q 4", CROSS, "x.txt:1: exits: 'Q 4' is not an exit"),
        ("exits: N 4 joins=Wide", CROSS, "x.txt:1: exits: 'N 4 joins=Wide' is not an exit; write a side"),
        ("exits: N 4 wide", CROSS, "x.txt:1: exits: 'N 4 wide' is not an exit; write a side and its columns"),
        ("exits: N 7-6", CROSS, "x.txt:1: exits: 'N 7-6': columns and rows count from 1"),
        ("exits: N 0-2", CROSS, "x.txt:1: exits: 'N 0-2': columns and rows count from 1"),
        ("exits: N 40", CROSS, "x.txt: exits: N 40 is outside the map of 12 x 7 tiles"),
        ("exits: N 4-5", CROSS, "x.txt:3: column 4: ` ` is in the exit N 4-5"),
        ("exits: N any", "#~#\n...", "x.txt: exits: N any: there is no free floor in the outermost row"),
        ("exits: N 1, S 1", "...\n###\n...", "x.txt:5: column 1: `.` cannot be reached from the exit N 1"),
        ("exits: N 1, S 1", "...\n^^^\n...", "x.txt:5: column 1: `.` cannot be reached from the exit N 1"),
        ("exits: N any, S any", "...\n###\n...", "x.txt:5: column 1: `.` cannot be reached"),
        (
            "exits: N any",
            "...\n###\n...\n...",
            "x.txt:3: column 1: `.` leads nowhere: 3 tiles can be reached on foot from the exit N any, and 6",
        ),
        ("exits: N 2", "...\n.X.\n...", "x.txt:4: column 2: `X` is an enemy within two steps"),
        ("exits: N 1", "..#C", "x.txt:3: column 4: `C` chest cannot be reached on foot"),
        ("exits: N any\nshape: 2x2", CROSS, "x.txt:2: shape: a layout with `exits:` has any outline"),
        ("turn: quarter", CROSS, "x.txt:1: turn: only layouts with `exits:` have it"),
        ("exits: N any\nturn: half", CROSS, "x.txt:2: turn: 'half' is not one of no, quarter"),
        ("exits: N any\nturn: quarter", "....\n.tt.", "x.txt: turn: table covers 2 x 1 tiles and cannot be"),
        ("exits: N any\ndifficulty: 6", CROSS, "x.txt:2: difficulty: '6' is not one of 1 (easy)"),
        ("exits: N any\ntags: a b!", CROSS, "x.txt:2: tags: 'b!' is not a word"),
        ("exits: N any\nrepeat: always", CROSS, "x.txt:2: repeat: 'always' is not one of freely"),
        ("exits: N any", "." * 64, "x.txt: is 64 x 1 tiles; each side can be at most 63"),
        ("exits: N any\nZ = one_of rock", CROSS, "x.txt:2: one_of: name 2 to 16 things"),
        ("exits: N any\nZ = one_of rock lava", CROSS, "x.txt:2: unknown terrain or decor 'lava'"),
        ("exits: N any\nZ = one_of rock table", CROSS, "x.txt:2: table covers 2 x 1 tiles"),
        ("exits: N any\nZ = group two rock", CROSS, "x.txt:2: group: write how many become what"),
        ("exits: N any\nZ = group 2 rock", CROSS, "x.txt: Z = group 2: the map has 0 of Z"),
        ("exits: N any\nZ = group 2 lava", CROSS, "x.txt:2: unknown marker kind 'lava'"),
        ("exits: N 1, S 1\nZ = one_of rock floor", ".\nZ\n.", "x.txt:6: column 1: `.` cannot be reached"),
    ],
)
def test_bad_layouts_are_refused_in_one_line(header: str, rows: str, message: str) -> None:
    with pytest.raises(LayoutError) as error:
        drawn(rows, header)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


def test_an_exit_may_have_tiles_that_are_cut_off() -> None:
    """A hallway begins where the floor leads on."""
    assert drawn(".#..\n##..\n....\n....", "exits: N any, S any").exits


# --- variation ---------------------------------------------------------------------------------------

VARIED = """\
exits: N any
Z = one_of rock pot pot floor
Y = group 2 enemy shooter

map:
.........
.Z.Z.Z.Z.
.........
.Y..Y..Y.
.........
"""


def test_each_letter_of_one_of_is_decided_by_itself() -> None:
    layout, found = parse_layout(VARIED, Path("x.txt")), Counter[int]()
    for seed in range(300):
        interior = layout.varied(Stream(seed, "test")).interior()
        found.update(interior.decor[1, 1::2].tolist())
    assert found.keys() == {0, DECOR_IDS["rock"], DECOR_IDS["pot"]}
    assert 0.44 < found[DECOR_IDS["pot"]] / found.total() < 0.56
    assert 0.19 < found[DECOR_IDS["rock"]] / found.total() < 0.31


def test_as_many_of_a_group_become_it_as_it_says() -> None:
    layout, found = parse_layout(VARIED, Path("x.txt")), Counter[int]()
    for seed in range(300):
        markers = layout.varied(Stream(seed, "test")).interior().markers
        assert [(marker.kind, dict(marker.properties)) for marker in markers] == [
            ("enemy", {"role": "shooter"})
        ] * 2
        found.update(marker.x for marker in markers)
    assert found.keys() == {1, 4, 7} and min(found.values()) > 150


def test_the_fullest_of_a_layout_has_all_that_may_be_in_the_way() -> None:
    header = "exits: N any\nZ = one_of floor spikes wall rock\nY = group 1 enemy"
    layout = drawn("....\nZYZY", header)
    interior = layout.fullest.interior()
    assert (interior.terrain[1] == [WALL, FLOOR, WALL, FLOOR]).all()
    assert [marker.x for marker in interior.markers] == [1, 3]


def test_rooms_on_a_grid_vary_too() -> None:
    rows = "\n".join([*["." * 13] * 3, "...ZZ...ZZ...", *["." * 13] * 3])
    layout = drawn(rows, "Z = one_of rock floor\ntags: calm\nrepeat: once")
    assert not layout.exits and layout.tags == {"calm"} and layout.repeat == "once"
    numbers = {int((layout.varied(Stream(seed, "t")).interior().decor > 0).sum()) for seed in range(200)}
    assert numbers == {0, 1, 2, 3, 4}


# --- a team's own ------------------------------------------------------------------------------------


def test_the_two_families_of_layouts_keep_to_folders_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "normal" / "caves").mkdir(parents=True)
    file = tmp_path / "normal" / "caves" / "cross.txt"
    file.write_text(f"exits: N any\nmap:\n{CROSS}\n", "utf-8")
    assert [
        layout.name for layout in own_layouts(str(tmp_path), None, shipped_kit()).pools["normal/caves"]
    ] == ["cross"]
    file.write_text(f"map:\n{CROSS.replace(' ', '#')}\n", "utf-8")
    with pytest.raises(LayoutError, match=r"cross\.txt: has no line `exits:`"):
        own_layouts(str(tmp_path), None, shipped_kit())
    (tmp_path / "shop").mkdir()
    file.rename(tmp_path / "shop" / "cross.txt").write_text("exits: N any\nmap:\n..K..\n..W..\n", "utf-8")
    with pytest.raises(LayoutError, match="exits: rooms of this style have no exits"):
        own_layouts(str(tmp_path), (15, 9), shipped_kit())


def test_a_group_counts_as_many_markers_as_come_of_it() -> None:
    layout = drawn("....\nYYYC", "exits: N any\nY = group 2 chest gold")
    assert marker_counts(layout) == {"chest": 3}
