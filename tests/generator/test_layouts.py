"""Layout files: the shipped ones are sound and varied, bad ones are refused with file, line and remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import generator
from generator import LayoutError, SpecError, generate
from generator.checks import problems
from generator.geometry import Side
from generator.interiors.interior import inside_tiles
from generator.interiors.layout_file import Headers, load_layout, parse_layout
from generator.interiors.layout_rules import check_rules
from generator.interiors.layouts import Layout
from generator.interiors.pool_rules import check_layout
from generator.interiors.pools import Form, normal_choices, special_choices
from generator.kinds import ROOM_KINDS, SHIPPED, shipped_kit
from generator.kinds.chapters import Chapter
from generator.shapes import LARGE_BOSSES, SHAPES
from generator.styles.isaac.special_rooms import difficulties_of
from tests.cases import for_each

FOLDER = Path(generator.__file__).parent / "interiors" / "layouts"
FILES = sorted(FOLDER.rglob("*.txt"))
SPECIAL = ("shop", "treasure", "boss", "secret", "sacrifice", "curse", "arcade", "vault", "library",
           "mini_boss", "challenge", "boss_challenge", "start")  # fmt: skip
MARKS = {"start": "P", "boss": "X", "mini_boss": "M", "boss_challenge": "X", "challenge": "E", "shop": "W",
         "treasure": "I", "arcade": "A", "vault": "C", "chest": "C"}  # fmt: skip
EMPTY = "\n".join(["." * 13] * 7)


def drawn(rows: str, header: str = "") -> Layout:
    return parse_layout(f"{header}\nmap:\n{rows}\n", Path("x.txt"))


def changed(x: int, y: int, glyphs: str) -> str:
    rows = EMPTY.splitlines()
    rows[y] = rows[y][:x] + glyphs + rows[y][x + len(glyphs) :]
    return "\n".join(rows)


# --- the shipped ones --------------------------------------------------------------------------------


def test_every_layout_keeps_the_rules() -> None:
    """Doors, enemies and pick-ups can be reached on foot, and each pool holds what its rooms need."""
    assert len(FILES) > 900
    assert [wrong for path in FILES for wrong in _faults_of(path)] == []


def _faults_of(path: Path) -> Iterator[str]:
    """What is wrong with a shipped layout, or with one of its mirror images."""
    try:
        check_layout(path, shipped_kit())
        layout = load_layout(path)
        for mirror in layout.mirrors:
            layout.interior(mirror)
    except LayoutError as error:
        yield str(error)
        return
    if layout.pitch != (15, 9):
        yield f"{path}: its pitch is {layout.pitch}"
    if not path.read_text("utf-8").startswith("// "):
        yield f"{path}: does not begin with the idea behind it"


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
@pytest.mark.parametrize("chapter", ["cellar", "caverns", "depths", "hollow", "keep", "abyss"])
def test_every_chapter_has_twelve_layouts_a_pool(chapter: str, difficulty: str) -> None:
    assert len(list((FOLDER / "normal" / chapter / difficulty).glob("*.txt"))) >= 12


@for_each(kind=[kind for kind in ROOM_KINDS if kind != "normal"])
def test_every_special_room_has_some(kind: str) -> None:
    assert len(special_choices(kind, (15, 9))) >= (6 if kind == "red" else 12)


@pytest.mark.parametrize("shape", LARGE_BOSSES)
def test_large_boss_rooms_have_layouts(shape: str) -> None:
    every_door = frozenset(SHAPES[shape].slots.values())
    assert len(special_choices("boss", (15, 9), form=Form(shape, frozenset()))) >= 3
    assert special_choices("boss", (15, 9), form=Form(shape, every_door))


def test_harder_pools_are_harder() -> None:
    """On average more enemies, and turrets and brutes mostly in hard ones."""
    means = []
    for difficulty in ("easy", "medium", "hard"):
        layouts = [load_layout(path) for path in FILES if path.parent.name == difficulty]
        enemies = [sum(marker.kind == "enemy" for marker in layout.interior().markers) for layout in layouts]
        means.append(sum(enemies) / len(enemies))
    assert means == sorted(means) and means[2] > means[0] + 1


def test_chapters_name_pools_and_layouts_that_exist() -> None:
    rules = shipped_kit().rules
    assert len(rules.main_chapters) == 6 and len(rules.chapters) == 23
    for row in rules.chapters.values():
        for pool in row.pools:
            assert (FOLDER / "normal" / pool).is_dir()
        names = {path.stem for pool in row.pools for path in (FOLDER / "normal" / pool).rglob("*.txt")}
        assert set(row.without) <= names


def test_an_alternative_chapter_differs_a_little() -> None:
    for difficulty in ("easy", "medium", "hard"):
        pools = [
            {choice.name for choice in normal_choices(chapter, (difficulty,), (15, 9))}
            for chapter in (
                Chapter("cellar", pools=("cellar",)),
                Chapter(
                    "crypt", pools=("cellar", "crypt"), without=("barrel-store", "sandwich", "barricade")
                ),
            )
        ]
        assert pools[0] - pools[1] and pools[1] - pools[0] and len(pools[0] & pools[1]) >= 10


@pytest.mark.parametrize(
    ("stage", "curse", "pools"),
    [(1, "none", {1, 5}), (2, "none", {5, 10}), (3, "none", {1, 5}), (3, "labyrinth", {1, 5, 10})],
)
def test_stages_draw_from_their_pools(stage: int, curse: str, pools: set[int]) -> None:
    """First stage of a chapter: easy and medium; second: medium and hard; the labyrinth: all three."""
    found = set()
    for seed in range(25):
        level = generate("isaac", seed, stage=stage, curse=curse)
        found |= {room.difficulty for room in level.rooms if room.kind == "normal"}
        assert {room.difficulty for room in level.rooms if room.kind != "normal"} == {0}
    assert found == pools
    assert len(difficulties_of(generator.IsaacSpec(stage=stage), curse)) == len(pools)


def test_no_layout_comes_twice_while_others_are_left() -> None:
    for seed in range(30):
        names = [
            room.layout.split("+")[0]
            for room in generate("isaac", seed, stage=5).rooms
            if room.kind == "normal"
        ]
        assert len(set(names)) == len(names)


def test_champions_tinted_rocks_and_red_fires_come_by_their_share() -> None:
    spec = generator.IsaacSpec(stage=6, champions=30, tinted_rocks=20, red_fires=40)
    counts = dict.fromkeys(("enemy", "champion", "rock", "tinted_rock", "fire", "red_fire"), 0)
    for seed in range(60):
        level = generate(spec, seed)
        enemies = [marker for marker in level.markers if marker.kind == "enemy"]
        counts["enemy"] += len(enemies)
        counts["champion"] += sum(bool(marker.properties["champion"]) for marker in enemies)
        for i, kind in enumerate(level.decor_kinds):
            if kind.name in counts:
                counts[kind.name] += int((level.decor == i).sum())
    assert counts["champion"] / counts["enemy"] == pytest.approx(0.3 * 1.6, abs=0.03)  # the third chapter
    assert counts["tinted_rock"] / (counts["tinted_rock"] + counts["rock"]) == pytest.approx(0.2, abs=0.03)
    fires = counts["red_fire"] + counts["fire"]  # few and far between
    assert counts["red_fire"] / fires == pytest.approx(0.4, abs=0.1)


# --- the parser --------------------------------------------------------------------------------------


def test_mirrors_and_large_things() -> None:
    layout = drawn(_boulder())
    plain, mirrored = layout.interior(), layout.interior("hv")
    assert [tuple(place) for place in np.argwhere(plain.decor)] == [(1, 1), (1, 4)]
    assert [tuple(place) for place in np.argwhere(mirrored.decor)] == [(4, 10), (5, 7)]
    assert layout.mirrors == ("", "h", "v", "hv")


def _boulder() -> str:
    rows = EMPTY.splitlines()
    rows[1] = ".qq.tt......."
    rows[2] = ".qq.........."
    return "\n".join(rows)


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        (EMPTY, "weight: 0", r"x.txt:1: weight: '0' is not a whole number from 1 to 1000"),
        (EMPTY, "mirror: x", r"x.txt:1: mirror: 'x' is not one of none, h, v, hv"),
        (EMPTY, "hello", r"x.txt:1: 'hello' is not a header line"),
        (EMPTY, "Z = dragon", r"x.txt:1: unknown marker kind 'dragon'; choose one of player_start"),
        (EMPTY, "Z = enemy role", r"x.txt:1: 'role' is not NAME=VALUE"),
        (EMPTY, "Z = enemy on=pit", r"x.txt:1: on=pit: nothing can be on that"),
        (EMPTY, "weight: 2\nweight: 3", r"x.txt:2: weight: is already in line 1; remove one of them"),
        (EMPTY, "Z = one_of rock pot\nZ = chest", r"x.txt:2: Z: is already in line 1; remove one of them"),
        (EMPTY, "Z = enemy role=shooterr", r"x.txt:1: role=shooterr: unknown role; did you mean shooter\?"),
        (EMPTY, "Z = group 1 chest glod", r"x.txt:1: tier=glod: unknown tier; did you mean gold\?"),
        (EMPTY, "Z = enemy waves=2", r"x.txt:1: 'waves' is not a property of enemy; did you mean wave\?"),
        (EMPTY, "Z = enemy of_ours=2 name=slug2 role=walker2", None),
        (
            EMPTY + "\n..",
            "",
            r"x.txt:10: is 2 tiles wide, but the first row is 13; make all rows equally wide",
        ),
        (changed(3, 3, "@"), "", r"x.txt:6: column 4: '@' means nothing; see docs/layouts.md"),
        (changed(6, 0, "o"), "", r"x.txt:3: column 7: `o` is in front of a door; leave free floor there"),
        (changed(0, 3, "^"), "", r"x.txt:6: column 1: `\^` is in front of a door"),
        (changed(5, 0, "#"), "", None),
        (changed(2, 1, "q"), "", r"x.txt:4: boulder covers 2 x 2 tiles; draw `q` on each"),
        (changed(12, 1, "t"), "", r"x.txt:4: table covers 2 x 1 tiles; draw `t` on each"),
        (
            changed(6, 2, "E"),
            "",
            r"x.txt:5: column 7: `E` is an enemy within two steps of a door; move it away",
        ),
        (
            "\n".join(["......~......"] * 7).replace("~", ".", 1),
            "",
            r"x.txt:9: column 7: `~` is in front",
        ),
        (
            "\n".join([".............", "#############", *["." * 13] * 5]),
            "",
            r"x.txt:3: column 7: `.` cannot be reached from door W without a hazard; clear a path",
        ),
        (
            "\n".join([".............", "^^^^^^^^^^^^^", *["." * 13] * 5]),
            "",
            r"x.txt:3: column 7: `.` cannot be reached from door W without a hazard; clear a path",
        ),
        ("\n".join(["." * 13] * 3 + [".oooooooooo.."] + ["." * 13] * 3), "", None),
        (
            "\n".join(["....##.##....", ".....###.....", *["." * 13] * 5]),
            "doors: N",
            r"x.txt:3: column 7: `.` leads nowhere: 1 tile can be reached on foot from door N, and 83 tiles ",
        ),
        ("\n".join(["....##.##....", ".....#.#.....", *["." * 13] * 5]), "doors: N", None),
        ("....\n....", "", r"x.txt: is 4 x 2 tiles; a door needs odd sides of at least 5"),
        ("", "", r"x.txt: has nothing below `map:`"),
        ("\n".join(["." * 65] * 7), "", r"x.txt: is 65 x 7 tiles; each side can be at most 63 per cell"),
    ],
)
def test_bad_layouts(rows: str, header: str, message: str | None) -> None:
    if message is None:
        assert drawn(rows, header).size == (13, 7)
        return
    with pytest.raises(LayoutError, match=f"^{message}"):
        drawn(rows, header)


def test_what_stands_in_a_door_is_no_enemy_for_that() -> None:
    """Each problem is told once: a chest in front of a door is in the way, but does not fight."""
    layout = parse_layout("map:\n" + changed(6, 0, "C"), Path("x.txt"), shipped_kit().kinds, check=False)
    told: list[str] = []
    check_rules(layout, told.append)
    assert [line.partition("; ")[0] for line in told] == ["x.txt:2: column 7: `C` is in front of a door"]


def block(shape: str, *changes: tuple[int, int, str]) -> str:
    """The bare floor of a shape in the usual size, its notch walled up."""
    columns, rows = SHAPES[shape].size
    tiles = [["."] * (columns * 15 - 2) for _ in range(rows * 9 - 2)]
    for y, x in np.argwhere(~inside_tiles(SHAPES[shape].cells, (15, 9))).tolist():
        tiles[y][x] = "#"
    for x, y, glyph in changes:
        tiles[y][x] = glyph
    return "\n".join("".join(row) for row in tiles)


@pytest.mark.parametrize("shape", SHAPES)
def test_layouts_of_every_shape(shape: str) -> None:
    """A bare room of each; its mirror images have its doors, in their places, and are rooms themselves."""
    layout = drawn(block(shape), f"shape: {shape}")
    assert layout.pitch == (15, 9) and layout.doors == tuple(SHAPES[shape].slots)
    for mirror in layout.mirrors:
        image = layout.shape.mirrored(mirror)
        assert layout.slots(mirror) == frozenset(image.slots.values())
        assert np.array_equal(
            layout.interior(mirror).terrain != generator.kinds.WALL, inside_tiles(image.cells, (15, 9))
        )


def test_a_layout_may_lack_doors() -> None:
    """Nobody needs to come to a door that there is not; its mirror image lacks the mirrored one."""
    sealed = block("2x2", *((x, 0, "#") for x in range(13, 28)))
    with pytest.raises(LayoutError, match=r"column 22: `#` is in front of a door"):
        drawn(sealed, "shape: 2x2")
    layout = drawn(sealed, "shape: 2x2\ndoors: W N E S W2 E2 S2")
    assert ((1, 0), Side.NORTH) not in layout.slots() and ((1, 0), Side.NORTH) in layout.slots("h")
    assert ((0, 1), Side.SOUTH) not in layout.slots("hv") and len(layout.slots("hv")) == 7


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        (EMPTY, "shape: 3x3", r"x.txt:1: shape: '3x3' is not one of 1x1, IH, IV"),
        (EMPTY, "doors: N W2", r"x.txt:1: doors: 'W2' is not a door of a 1x1; it has W, N, E, S"),
        (EMPTY, "doors:", r"x.txt:1: doors: is empty; a room needs at least one door"),
        (EMPTY, "shape: 2x1", r"x.txt: is 13 x 7 tiles; 2 cells of odd width W are 2 x W - 2 tiles"),
        (block("2x2"), "shape: LTL", r"x.txt:3: column 1: `.` is outside the shape LTL; draw `#` there"),
        (block("LTL", (14, 8, ".")), "shape: LTL", r"x.txt:11: column 15: `.` is outside the shape LTL"),
        (
            block("LBR", (27, 15, "P")),
            "shape: LBR",
            r"x.txt:18: column 28: `P` is outside the shape LBR",
        ),
        (block("LTL", (15, 3, "o")), "shape: LTL", r"x.txt:6: column 16: `o` is in front of a door"),
        (block("IIV", (6, 2, "E")), "shape: IIV", r"x.txt:5: column 7: `E` is an enemy within two steps"),
    ],
)
def test_bad_layouts_of_other_shapes(rows: str, header: str, message: str) -> None:
    with pytest.raises(LayoutError, match=f"^{message}"):
        drawn(rows, header)


def test_a_marker_must_be_reached_on_foot() -> None:
    cage = EMPTY.splitlines()
    cage[1], cage[2], cage[3] = "..ooo........", "..o$o........", "..ooo........"
    with pytest.raises(
        LayoutError, match=r"x.txt:5: column 4: `\$` pickup cannot be reached on foot; clear a path"
    ):
        drawn("\n".join(cage))
    cage[3] = "..o^o........"
    assert drawn("\n".join(cage)).interior().markers[0].kind == "pickup"  # over spikes it can


def test_own_letters() -> None:
    layout = drawn(changed(3, 3, "Z"), "Z = enemy role=ghost hp=12 flies=true on=rubble  // a ghost")
    (marker,) = layout.interior().markers
    assert marker.properties == {"role": "ghost", "hp": 12, "flies": True}
    assert layout.interior().terrain[3, 3] == generator.kinds.RUBBLE


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"map:\n" + b"." * (1 << 17), b"\0" * 100, b"map:\n\0\0\0\n"]
)
def test_hostile_files(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(data)
    with pytest.raises(LayoutError, match=r"x.txt"):
        load_layout(path)


@given(st.text("".join(SHIPPED.glyphs) + "\n :=/map", max_size=200))
def test_any_text_is_a_layout_or_a_layout_error(text: str) -> None:
    try:
        parse_layout(text, Path("x.txt"))
    except LayoutError as error:
        assert "\n" not in str(error)


# --- a team's own ------------------------------------------------------------------------------------


def test_a_teams_layouts_join_the_pools(tmp_path: Path) -> None:
    folder = tmp_path / "normal" / "any" / "easy"
    folder.mkdir(parents=True)
    (folder / "ours.txt").write_text(f"weight: 1000\nmap:\n{changed(3, 3, 'E')}\n", "utf-8")
    layouts = {room.layout.split("+")[0] for room in generate("isaac", 1, layouts=str(tmp_path)).rooms}
    assert "own/normal/any/easy/ours" in layouts
    assert len(layouts) > 3


def test_misplaced_and_missing_layouts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"layouts: .* is not a folder"):
        generate("isaac", layouts=str(tmp_path / "none"))
    with pytest.raises(SpecError, match=r"layouts: .* contains no layouts \(\.txt.*\); give the folder"):
        generate("isaac", layouts=str(tmp_path))
    (tmp_path / "room.txt").write_text("map:\n" + EMPTY, "utf-8")
    with pytest.raises(
        LayoutError, match=re.escape(str(tmp_path / "room.txt")) + ": is not in a pool; move it into"
    ):
        generate("isaac", layouts=str(tmp_path))


def test_a_start_needs_a_players_start(tmp_path: Path) -> None:
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "bare.txt").write_text("map:\n" + EMPTY, "utf-8")
    with pytest.raises(
        LayoutError, match=r"bare.txt: has 0 player_start markers; start rooms take at least 1"
    ):
        generate("isaac", layouts=str(tmp_path))


def test_a_layout_by_itself_needs_what_the_rooms_of_its_pool_need(tmp_path: Path) -> None:
    """`undercroft check FILE` tells it, whether the pool is a folder or three."""
    for pool in ("start", "normal/any/easy"):
        (tmp_path / pool).mkdir(parents=True)
        (tmp_path / pool / "room.txt").write_text("map:\n" + EMPTY, "utf-8")
    with pytest.raises(
        LayoutError, match=r"room.txt: has 0 player_start markers; start rooms take at least 1"
    ):
        check_layout(tmp_path / "start" / "room.txt", shipped_kit())
    check_layout(tmp_path / "normal" / "any" / "easy" / "room.txt", shipped_kit())
    with_start = "map:\n" + changed(3, 3, "P") + "\n"
    (tmp_path / "normal" / "any" / "easy" / "room.txt").write_text(with_start, "utf-8")
    with pytest.raises(LayoutError, match=r"room.txt: has 1 player_start markers; normal rooms take none"):
        check_layout(tmp_path / "normal" / "any" / "easy" / "room.txt", shipped_kit())


def test_a_room_size_without_layouts_is_refused_and_with_them_works(tmp_path: Path) -> None:
    with pytest.raises(
        SpecError, match=r"^room_size: \[11, 11\] cannot be used with layouts = \"\"; choose \[15, 9\]"
    ):
        generate("isaac", room_size=(11, 11))
    rows = "\n".join(["." * 9] * 9)
    for pool in ("normal/any/easy", "normal/any/medium", *SPECIAL):
        folder = tmp_path / pool
        folder.mkdir(parents=True)
        mark = MARKS.get(pool, ".")
        text = rows.splitlines()
        text[4] = "...." + mark + "...."
        (folder / "plain.txt").write_text("map:\n" + "\n".join(text), "utf-8")
    level = generate("isaac", 3, room_size=(11, 11), layouts=str(tmp_path))
    assert problems(level) == []
    assert all(room.bounds[2:] == (11, 11) for room in level.rooms)


def test_files_with_the_same_header_share_only_what_it_says() -> None:
    headers = Headers(SHIPPED, SHIPPED.glyphs)
    texts = (
        "// one\nweight: 3\nX = enemy turret\nmap:\nX..\n",
        "weight: 3 // two\nX = enemy turret\nmap:\n..X.\n",
    )
    one, two = (
        parse_layout(text, Path(f"{number}.txt"), check=False, headers=headers)
        for number, text in enumerate(texts)
    )
    assert one.glyphs is two.glyphs
    assert [(each.weight, each.path.name, each.rows, each.first_line) for each in (one, two)] == [
        (3, "0.txt", ("X..",), 5),
        (3, "1.txt", ("..X.",), 4),
    ]
    plain = parse_layout("map:\n...\n", Path("x.txt"), check=False, headers=headers)
    assert plain.glyphs == SHIPPED.glyphs != one.glyphs


def test_a_bad_header_is_told_of_each_file_that_has_it() -> None:
    headers = Headers(SHIPPED, SHIPPED.glyphs)
    for name in ("a.txt", "b.txt"):
        with pytest.raises(LayoutError, match=rf"^{name}:1: weight: '0' is not"):
            parse_layout("weight: 0\nmap:\n...\n", Path(name), headers=headers)
