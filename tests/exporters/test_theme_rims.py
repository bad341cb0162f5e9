"""Rims and thin walls: all 47 neighbourhoods from about 13 tiles, or from four."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from exporters import blob
from exporters.blob import MASKS
from exporters.dress import dress
from exporters.formats.png.syntax import png_bytes
from exporters.theme import EMPTY, Theme
from exporters.theme.image import atlas_pixels
from exporters.theme.loader import check_theme, load_theme
from generator.errors import ThemeError
from generator.level import Level
from tests.exporters.small_level import drawn

TILE = 16
ROOM = (
    ("inner_south_east", "south", "inner_south_west"),
    ("east", "fill", "west"),
    ("inner_north_east", "north", "inner_north_west"),
)
CORNERS = (("north_west", "north_east"), ("south_west", "south_east"))
FLOOR, STONE, RIM, FRONT, VOID = (200, 160, 90), (110, 60, 50), (190, 200, 220), (90, 90, 120), (0, 0, 0)
Picture = npt.NDArray[np.uint8]
SIDES = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


def piece(name: str) -> Picture:
    """A tile of the rim as a painter would draw it: stone, and a rim of 4 px on the sides with floor."""
    tile = np.empty((TILE, TILE, 4), np.uint8)
    tile[...] = (*(FRONT if name.startswith("face") else STONE), 255)
    bands = {"north": np.s_[:4], "east": np.s_[:, -4:], "south": np.s_[-4:], "west": np.s_[:, :4]}
    words = [word for word in name.split("_") if word in bands]
    if name.startswith("inner"):
        both = np.zeros((2, TILE, TILE), bool)
        for mask, word in zip(both, words, strict=True):
            mask[bands[word]] = True
        tile[both.all(axis=0)] = (*RIM, 255)
        return tile
    for word in words:
        tile[bands[word]] = (*RIM, 255)
    return tile


def flat(colour: tuple[int, int, int]) -> Picture:
    tile = np.empty((TILE, TILE, 4), np.uint8)
    tile[...] = (*colour, 255)
    return tile


def sheet() -> Picture:
    """6 x 4 tiles: a room at 0,0; corners at 3,0; face, floor, door, things; strips on nothing at 0,3; blank."""
    grid = np.zeros((4 * TILE, 6 * TILE, 4), np.uint8)

    def put(x: int, y: int, tile: Picture) -> None:
        grid[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE] = tile

    for y, row in enumerate(ROOM):
        for x, name in enumerate(row):
            put(x, y, piece(name))
    for y, pair in enumerate(CORNERS):
        for x, name in enumerate(pair):
            put(3 + x, y, piece(name))
    put(3, 2, piece("face"))
    put(4, 2, flat(FLOOR))
    put(5, 0, flat((40, 160, 60)))
    put(5, 1, flat((20, 20, 30)))
    for x, name in enumerate(SIDES):
        strip = piece(name)
        strip[(strip[..., :3] == STONE).all(axis=-1)] = 0
        put(x, 3, strip)
    return grid


RIM_LINES = 'set = "rim"\nfill = [[1, 1]]\nroom = [0, 0]\ncorners = [3, 0]'
THIN_LINES = 'set = "thin"\nnorth = [0, 3]\neast = [1, 3]\nsouth = [2, 3]\nwest = [3, 3]'
MORE = "[door.open.all]\nopen = [[5, 0]]\nshut = [[5, 1]]\n[decor.rock]\ntiles = [[5, 0]]\n"


def write(folder: Path, wall: str, more: str = MORE) -> Path:
    pixels = sheet()
    (folder / "rims.png").write_bytes(png_bytes(pixels.shape[1], pixels.shape[0], iter([pixels])))
    head = 'name = "rims"\nimage = "rims.png"\ntile_size = 16\n[floor.default]\ntiles = [[4, 2]]\n'
    path = folder / "rims.toml"
    path.write_text(f"{head}[wall]\n{wall}\n{more}", "utf-8")
    return path


def themed(folder: Path, wall: str) -> Theme:
    return load_theme(write(folder, wall))


def tile_of(theme: Theme, tile: int) -> Picture:
    x, y = theme.at_px(tile)
    return atlas_pixels(theme)[y : y + TILE, x : x + TILE]


def only(theme: Theme, mask: int) -> Picture:
    (tile,) = theme.walls[mask].tiles
    return tile_of(theme, tile)


def is_rim(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = (pixels[..., :3] == RIM).all(axis=-1) & (pixels[..., 3] > 0)
    return found


# ---- a rim -----------------------------------------------------------------------------------------


def expected_rim(mask: int) -> npt.NDArray[np.bool_]:
    """Where a painter's rim lies in a tile of this neighbourhood, from the definition alone."""
    rim = np.zeros((TILE, TILE), bool)
    bands = {blob.N: np.s_[:4], blob.E: np.s_[:, -4:], blob.S: np.s_[-4:], blob.W: np.s_[:, :4]}
    for side, band in bands.items():
        if not mask & side:
            rim[band] = True
    for corner, one, other in ((blob.NE, blob.N, blob.E), (blob.SE, blob.S, blob.E),
                               (blob.SW, blob.S, blob.W), (blob.NW, blob.N, blob.W)):  # fmt: skip
        if mask & one and mask & other and not mask & corner:
            dot = np.zeros((2, TILE, TILE), bool)
            dot[0][bands[one]] = dot[1][bands[other]] = True
            rim |= dot.all(axis=0)
    return rim


@pytest.mark.parametrize("mask", MASKS)
def test_a_rim_lies_wherever_floor_does(mask: int, tmp_path: Path) -> None:
    """Without a face each tile is the one that a painter would draw for its neighbourhood, to the pixel."""
    tile = only(themed(tmp_path, RIM_LINES), mask)
    assert (tile[..., 3] == 255).all()
    assert np.array_equal(is_rim(tile), expected_rim(mask))


def test_each_neighbourhood_has_tiles_of_its_own(tmp_path: Path) -> None:
    """So that a terrain brush can tell them apart: no tile serves two masks."""
    for wall in (RIM_LINES, RIM_LINES + "\nface = [[3, 2]]", THIN_LINES):
        theme = themed(tmp_path, wall)
        for one, other in itertools.combinations(MASKS, 2):
            assert not set(theme.walls[one].tiles) & set(theme.walls[other].tiles)
        assert blob.counted(theme.walls) == blob.SIDES | blob.CORNERS


def test_whole_tiles_stay_at_their_places(tmp_path: Path) -> None:
    theme = themed(tmp_path, RIM_LINES)
    for y, row in enumerate(ROOM):
        for x, name in enumerate(row):
            mask = blob.reduce(255 & ~sum(bits for word, bits in FLOORS.items() if word in name.split("_")))
            if name.startswith("inner"):
                first, second = (FLOORS[word] for word in name.split("_")[1:])
                mask = 255 & ~(first & second)
            assert theme.walls[mask].tiles == (y * 6 + x,), name


FLOORS = {
    "north": blob.N | blob.NE | blob.NW,
    "east": blob.E | blob.NE | blob.SE,
    "south": blob.S | blob.SE | blob.SW,
    "west": blob.W | blob.NW | blob.SW,
}


def test_the_edge_above_a_face_shares_its_tile(tmp_path: Path) -> None:
    """The lower half of each; the corners beside it move up, so that the edge goes on through them."""
    theme = themed(tmp_path, RIM_LINES + "\nface = [[3, 2]]")
    face = only(theme, blob.reduce(255 & ~FLOORS["south"]))
    edge, front = piece("south"), piece("face")
    assert np.array_equal(face[: TILE // 2], edge[TILE // 2 :])
    assert np.array_equal(face[TILE // 2 :], front[TILE // 2 :])
    corner = only(theme, 255 & ~blob.SE)
    rim = is_rim(corner)
    assert rim[: TILE // 2, -1].tolist() == is_rim(face)[: TILE // 2, 0].tolist()
    assert rim[TILE // 2 :, -4:].all() and not rim[:, : TILE // 2].any()


def test_a_face_without_an_edge_of_its_own_is_whole(tmp_path: Path) -> None:
    sides = 'set = "rim"\nfill = [[1, 1]]\nnorth = [[1, 2]]\neast = [[0, 1]]\nwest = [[2, 1]]\nface = [[3, 2], [5, 0]]'
    theme = themed(tmp_path, sides + "\nface_weights = [3, 1]")
    face = theme.walls[blob.reduce(255 & ~FLOORS["south"])]
    assert (face.tiles, face.weights) == ((15, 5), (3, 1))
    assert any(
        "inner_south_east" in note and "nearest tiles are used instead" in note for note in theme.stand_ins
    )
    for mask in MASKS:
        front = (only(theme, mask)[..., :3] == FRONT).all() if len(theme.walls[mask].tiles) == 1 else True
        assert front == (not mask & blob.S) or len(theme.walls[mask].tiles) > 1


def test_what_shows_through_a_rim_lies_below_it(tmp_path: Path) -> None:
    """In the tile itself, so that every format and every brush has it; below some tiles only if asked."""
    strips = (
        'set = "rim"\nnorth = [[0, 3]]\neast = [[1, 3]]\nsouth = [[2, 3]]\nwest = [[3, 3]]\nunder = [4, 2]'
    )
    everywhere = themed(tmp_path, strips)
    for mask in MASKS[:-1]:
        tile = only(everywhere, mask)
        assert (is_rim(tile) | (tile[..., :3] == FLOOR).all(axis=-1) | (tile[..., 3] == 0)).all()
    north = 255 & ~FLOORS["north"]
    assert (only(everywhere, north)[..., 3] == 255).all()
    some = themed(tmp_path, strips + '\nunder_of = ["north"]')
    assert (only(some, north)[..., 3] == 255).all()
    assert not (only(some, 255 & ~FLOORS["west"])[..., 3] == 255).all()
    assert (only(some, 255)[..., 3] == 0).all()


# ---- thin walls ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mask", MASKS)
def test_thin_walls_are_their_edges(mask: int, tmp_path: Path) -> None:
    """Four strips, and where two of them meet round a corner the piece that they share."""
    tile = only(themed(tmp_path, THIN_LINES), mask)
    assert np.array_equal(tile[..., 3] > 0, expected_rim(mask))


def test_any_set_may_have_a_floor_below(tmp_path: Path) -> None:
    theme = themed(tmp_path, THIN_LINES + "\nunder = [4, 2]")
    for mask in MASKS:
        tile = only(theme, mask)
        assert np.array_equal(is_rim(tile), expected_rim(mask))
        assert (tile[..., 3] == 255).all()


# ---- a solid outside -------------------------------------------------------------------------------

ROWS = ("", "", "  #####", "  #...#", "  #...#", "  #####", "", "")


def small() -> Level:
    return drawn("\n".join(row.ljust(9) for row in ROWS))


def test_a_solid_outside_has_neither_edge_nor_face(tmp_path: Path) -> None:
    """A wall's tile looks only at the floor; with an open outside walls are seen from there as well."""
    solid, opened = (
        themed(tmp_path, f'{RIM_LINES}\nface = [[3, 2]]\noutside = "{outside}"')
        for outside in ("solid", "open")
    )
    walls = dress(small(), solid).walls
    full, faces = (
        solid.walls[255].tiles[0],
        {t for m, v in solid.walls.items() if not m & blob.S for t in v.tiles},
    )
    assert (walls[1, 2:7] == full).all() and (walls[6, 2:7] == full).all()
    assert {int(tile) for tile in walls.ravel()} & faces == {int(tile) for tile in walls[2, 3:6]}
    assert walls[3, 2] == solid.walls[255 & ~FLOORS["east"]].tiles[0]
    outer = dress(small(), opened).walls
    assert ((outer != EMPTY) == (walls != EMPTY)).all()
    assert {int(tile) for tile in outer[6, 2:7]} <= {
        t for m, v in opened.walls.items() if not m & blob.S for t in v.tiles
    }


# ---- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wall", "message"),
    [
        ('set = "rim"', "wall.set: a rim needs north, east, west, face; give them, or `room`"),
        ('set = "rim"\nroom = [4, 0]', r"wall.room: \[4, 0\], which takes 3 x 3 tiles, is outside the sheet"),
        ('set = "rim"\nroom = [0, 0]\nnorht = [[0, 0]]', "wall.norht: unknown key; did you mean north"),
        (RIM_LINES + "\nunder_of = [\"nroth\"]\nunder = [0, 0]", r"under_of\[0\]: unknown tile of the rim 'nroth'; did you mean"),
        (RIM_LINES + "\nunder_of = [3]\nunder = [0, 0]", r"under_of\[0\]: 3 is not text"),
        (RIM_LINES + "\nunder_of = [[\"north\"]]\nunder = [0, 0]", r"under_of\[0\]: \['north'\] is not text"),
        (RIM_LINES + '\nunder_of = ["north"]', "wall.under_of: needs `under`"),
        (RIM_LINES + "\nnorth_weights = [1]", "wall.north_weights: needs `north`, a list of tiles"),
        (RIM_LINES + "\nface = [3, 2]", r"wall.face: \[3, 2\] is one tile; give a list of them, \[\[3, 2\]\]"),
        (RIM_LINES + '\noutside = "black"', "wall.outside: 'black' is not one of open, solid; choose one"),
        (RIM_LINES + "\nframes = 2", "tiles put together from parts cannot be animated"),
        ('set = "thin"\nnorth = [0, 3]', "wall.west: is missing"),
        (THIN_LINES + "\nunder = [9, 9]", r"wall.under: \[9, 9\] is outside the sheet"),
    ],
)  # fmt: skip
def test_a_wrong_rim_gets_one_line(wall: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ThemeError, match=message) as caught:
        themed(tmp_path, wall)
    assert "\n" not in str(caught.value)


def test_a_narrow_sheet_is_reported_once(tmp_path: Path) -> None:
    """Stand-ins for wide things have no place in it."""
    path = write(tmp_path, 'set = "single"\ntiles = [[0, 0]]', "")
    (tmp_path / "rims.png").write_bytes(png_bytes(TILE, 4 * TILE, iter([sheet()[:, :TILE]])))
    text = path.read_text("utf-8").replace("[4, 2]", "[0, 2]")
    path.write_text(text, "utf-8")
    _, problems = check_theme(path)
    assert problems == [f"{tmp_path / 'rims.toml'}: image: is too narrow for 2 tiles in a row; widen it"]


# ---- what a sheet lacks ----------------------------------------------------------------------------


def test_what_a_sheet_lacks_has_stand_ins(tmp_path: Path) -> None:
    """Floor and walls are enough; the check tells what stands in for what."""
    theme, problems = check_theme(write(tmp_path, RIM_LINES, ""))
    assert theme and not problems
    told = "\n".join(theme.stand_ins)
    assert "pit: is not given; a darker floor.default is used instead" in told
    assert "door.open: is not given; floor.default is used instead, and a darker wall for a shut door" in told
    assert "decor: no tiles for rock, tinted_rock" in told and "a block of the wall is used instead" in told
    assert "fire, red_fire, spikes; a label is shown instead" in told
    assert "bones" in told and "nothing is drawn" in told
    floor = tile_of(theme, theme.floors["default"].plain.tiles[0])
    pit = tile_of(theme, theme.pits[0].tiles[0])
    assert np.array_equal(pit[..., :3], floor[..., :3] // 3)
    for side in SIDES:
        look = theme.doors["open", side]
        assert np.array_equal(tile_of(theme, look.open[0]), floor)
        assert not np.array_equal(tile_of(theme, look.shut[0]), floor)
    for kind in theme.kinds.decor[1:]:
        shown = theme.decor[kind.name].variants.tiles != (EMPTY,)
        assert shown == (not kind.walk or kind.hazard), kind.name


def test_the_nearest_thing_stands_in(tmp_path: Path) -> None:
    more = MORE + "[decor.torch]\ntiles = [[5, 1]]\n"
    theme, problems = check_theme(write(tmp_path, RIM_LINES, more))
    assert theme and not problems
    told = "\n".join(theme.stand_ins)
    assert "fire" in told and "torch is used instead" in told
    assert np.array_equal(tile_of(theme, theme.decor["fire"].variants.tiles[0]), flat((20, 20, 30)))
    assert np.array_equal(tile_of(theme, theme.decor["crate"].variants.tiles[0]), flat((40, 160, 60)))
    assert "decor.rock" not in told


def test_tiles_that_stop_others_are_copies(tmp_path: Path) -> None:
    """A stand-in stops whom its row says, never whom the other thing stops."""
    theme, _ = check_theme(write(tmp_path, RIM_LINES, ""))
    assert theme and not any("stop different bodies" in note for note in theme.stand_ins)


# ---- blank tiles -----------------------------------------------------------------------------------


def test_a_blank_tile_is_reported(tmp_path: Path) -> None:
    """Transparent all over: nearly always a slip in a number. A block counts as a whole."""
    more = MORE + "[decor.crate]\ntiles = [[4, 3]]\n[decor.table]\ntiles = [[3, 3]]\n"
    theme, problems = check_theme(write(tmp_path, RIM_LINES, more))
    assert theme and not problems
    blank = [note for note in theme.stand_ins if "is blank" in note]
    assert blank == [
        f"{tmp_path / 'rims.toml'}: decor.crate.tiles[0]: [4, 3] is blank; nothing is drawn there"
    ]
