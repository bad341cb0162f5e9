"""Sets of walls: whatever a team has drawn comes to a tile for each of the 47 neighbourhoods."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from exporters import blob, export
from exporters.blob import MASKS
from exporters.dress import dress
from exporters.theme import Theme
from exporters.theme.image import atlas_pixels, decoded
from exporters.theme.loader import load_theme
from generator.errors import BadInput, ThemeError
from tests.exporters import own_sheet, small_theme
from tests.exporters.small_level import drawn

HALF = own_sheet.TILE // 2


def themed(folder: Path, wall: str, name: str = "keep", more: str = "") -> Theme:
    """The team's own sheet with these lines as its `[wall]`."""
    own_sheet.write(folder)
    lines = [f'name = "{name}"', 'image = "keep.png"', "tile_size = 24", "margin = 2", "spacing = 3"]
    lines += ["[floor.default]", "tiles = [[0, 0]]", "[pit]", 'set = "single"', "tiles = [[7, 0]]"]
    lines += ["[wall]", wall, "[door.open.all]", "open = [[0, 3]]", "shut = [[1, 3]]"]
    lines += ["[decor.rock]", "tiles = [[3, 3]]"]
    kinds = [kind for kind in load_theme().decor if kind != "rock"]
    lines += [f'[decor.{kind}]\nlike = "rock"' for kind in kinds]
    path = folder / f"{name}.toml"
    path.write_text("\n".join([*lines, more]), "utf-8")
    return load_theme(path)


def pixels(theme: Theme, tile: int) -> npt.NDArray[np.uint8]:
    x, y = theme.at_px(tile)
    return atlas_pixels(theme)[y : y + theme.tile_size, x : x + theme.tile_size]


def only(theme: Theme, mask: int) -> int:
    (tile,) = theme.walls[mask].tiles
    return tile


def test_sixteen_tiles_are_chosen_by_the_sides(tmp_path: Path) -> None:
    """Every tile is the team's own, and shows an edge on just the sides where nothing is alike."""
    theme = themed(tmp_path, 'set = "edge16"\nfirst = [0, 1]\ncolumns = 8')
    for mask in MASKS:
        sides = (blob.N, blob.E, blob.S, blob.W)
        number = sum(1 << i for i, side in enumerate(sides) if mask & side)
        assert theme.at(only(theme, mask)) == (number % 8, 1 + number // 8)
        tile = pixels(theme, only(theme, mask))
        for side, line in zip(sides, (tile[0], tile[:, -1], tile[-1], tile[:, 0]), strict=True):
            assert (line[4:-4] == own_sheet.EDGE).all() == (not mask & side)


def test_corners_choose_among_sixteen(tmp_path: Path) -> None:
    """A corner counts where both sides beside it do: the sides alone change nothing."""
    theme = themed(tmp_path, 'set = "corner16"\nfirst = [0, 4]\ncolumns = 8')
    corners = (blob.NW, blob.NE, blob.SW, blob.SE)
    for mask in MASKS:
        number = sum(1 << i for i, corner in enumerate(corners) if mask & corner)
        assert theme.at(only(theme, mask)) == (number % 8, 4 + number // 8)


def test_a_single_look_serves_for_all(tmp_path: Path) -> None:
    theme = themed(tmp_path, 'set = "single"\ntiles = [[0, 1], [7, 2]]\nweights = [1, 3]')
    assert {look.weights for look in theme.walls.values()} == {(1, 3)}
    assert {tuple(map(theme.at, look.tiles)) for look in theme.walls.values()} == {((0, 1), (7, 2))}


def test_two_looks_are_face_and_top(tmp_path: Path) -> None:
    """The front is seen where no wall follows to the south."""
    theme = themed(tmp_path, 'set = "faced"\nface = [[3, 2]]\ntop = [[7, 2], [7, 1]]\ntop_weights = [2, 1]')
    for mask, look in theme.walls.items():
        expected = [(7, 2), (7, 1)] if mask & blob.S else [(3, 2)]
        assert [theme.at(tile) for tile in look.tiles] == expected


def test_a_set_may_be_listed_tile_by_tile(tmp_path: Path) -> None:
    """For sheets that have it in another order."""
    tiles = [[i % 8, 1 + i // 8] for i in range(16)]
    listed = themed(tmp_path, f'set = "edge16"\ntiles = {tiles}')
    assert listed.walls == themed(tmp_path, 'set = "edge16"\nfirst = [0, 1]\ncolumns = 8').walls


def test_tiles_on_crossings_are_put_together_from_quarters(tmp_path: Path) -> None:
    """On any level the picture is that of the crossings' tiles laid half a tile off, cut off beside walls."""
    theme = themed(tmp_path, 'set = "dual16"\nfirst = [0, 4]\ncolumns = 8')
    level = drawn(
        """
.........
.#.###.#.
...#.#..#
.###.##..
.#.####..
...##.#..
.........
"""
    )
    walls = dress(level, theme).walls
    like = np.pad(walls >= 0, 1)
    size = own_sheet.TILE
    laid = np.zeros(((level.height + 1) * size, (level.width + 1) * size, 4), np.uint8)
    for y, x in np.ndindex(level.height + 1, level.width + 1):
        corners = like[y, x], like[y, x + 1], like[y + 1, x], like[y + 1, x + 1]
        number = sum(1 << i for i, there in enumerate(corners) if there)
        laid[y * size : (y + 1) * size, x * size : (x + 1) * size] = own_sheet.crossing(number)
    expected = laid[HALF:-HALF, HALF:-HALF]
    for y, x in np.ndindex(level.height, level.width):
        if walls[y, x] >= 0:
            cell = expected[y * size : (y + 1) * size, x * size : (x + 1) * size]
            assert np.array_equal(pixels(theme, int(walls[y, x])), cell), (x, y)


def test_tiles_are_added_below_the_teams_own(tmp_path: Path) -> None:
    """Each of its own keeps its place and its pixels, so that the sheet may be edited on."""
    theme = themed(tmp_path, 'set = "dual16"\nfirst = [0, 4]\ncolumns = 8')
    before, after = decoded(own_sheet.sheet(), "sheet"), atlas_pixels(theme)
    assert theme.own_rows == own_sheet.ROWS < theme.rows
    assert np.array_equal(after[: before.shape[0]], before)
    assert {only(theme, mask) // theme.columns >= theme.own_rows for mask in MASKS} == {True}
    assert len({only(theme, mask) for mask in MASKS}) == len(MASKS)
    assert len(theme.image) < 4 * len(own_sheet.sheet())


def test_a_theme_of_whole_tiles_keeps_the_image_to_the_byte(tmp_path: Path) -> None:
    path = small_theme.write(tmp_path)
    theme = load_theme(path)
    assert theme.image == (tmp_path / "plain.png").read_bytes()
    assert theme.own_rows == theme.rows


def test_the_teams_sheet_is_never_replaced(tmp_path: Path) -> None:
    """A sheet with tiles added would have its name, if theme and sheet are called alike."""

    theme = themed(tmp_path, 'set = "dual16"\nfirst = [0, 4]\ncolumns = 8')
    bundle = export(drawn("###"), "godot", theme=theme, name="level")
    with pytest.raises(
        BadInput, match=r"keep.png: would be replaced, but is the file from which these files are made"
    ):
        bundle.write(tmp_path)
    assert (tmp_path / "keep.png").read_bytes() == own_sheet.sheet()
    assert not (tmp_path / "level.tscn").exists()
    bundle.write(tmp_path / "build")
    assert (tmp_path / "build" / "keep.png").read_bytes() == theme.image


def test_large_things_may_repeat_the_look_of_a_small_one(tmp_path: Path) -> None:
    """A boulder like a rock is four rocks; a bookshelf two."""
    theme = themed(tmp_path, 'set = "single"\ntiles = [[0, 1]]')
    rock = pixels(theme, theme.decor["rock"].variants.tiles[0])
    layers = dress(drawn("....\n....\n....", decor={(1, 1): "boulder"}), theme)
    drawn_tiles = layers.decor[layers.decor >= 0]
    assert len(drawn_tiles) == 4
    assert all(np.array_equal(pixels(theme, int(tile)), rock) for tile in drawn_tiles)
    assert theme.decor["crate"] is theme.decor["rock"]


def test_hidden_things_are_not_drawn(tmp_path: Path) -> None:
    """A game may have scenes of its own for them."""
    plain = load_theme(small_theme.write(tmp_path))
    text = (tmp_path / "plain.toml").read_text("utf-8")
    start = text.index("[decor.boulder]")
    end = text.index("[decor.", start + 1)
    (tmp_path / "plain.toml").write_text(text[:start] + "[decor.boulder]\nhidden = true\n" + text[end:])
    theme = load_theme(tmp_path / "plain.toml")
    level = drawn("....\n....\n....", decor={(1, 0): "boulder", (0, 2): "rock"})
    assert (dress(level, plain).decor >= 0).sum() == 5
    assert np.argwhere(dress(level, theme).decor >= 0).tolist() == [[2, 0]]
    assert not [use for use in theme.uses() if use.name == "boulder" or use.tile < 0]


@pytest.mark.parametrize(
    ("wall", "message"),
    [
        (
            'set = "edge16"\nfirst = [2, 1]\ncolumns = 8',
            r"wall.first: \[2, 1\], which takes 8 x 2 tiles, is outside",
        ),
        ('set = "edge16"\ntiles = [[0, 1]]', "wall.tiles: has 1 tiles; give 16, or `first`"),
        ('set = "faced"\nface = [[0, 1]]', "wall.top: is missing"),
        ('set = "single"', "wall.tiles: is missing"),
        ('set = "single"\ntiles = [[0, 1]]\nfirst = [0, 0]', "wall.first: unknown key"),
        (
            'terrain = "Walls/stone"',
            "wall.terrain: 'Walls/stone' needs a tileset; give `tileset` at the file's",
        ),
        (
            'set = "dual16"\nfirst = [0, 4]\ncolumns = 8\nframes = 2',
            "tiles put together from parts cannot be",
        ),
        ('set = "dual16"\nfirst = [0, 4]\ncolumns = 8\nlast = 2', "wall.last: unknown key"),
    ],
)
def test_a_wrong_set_gets_one_line(wall: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ThemeError, match=message) as caught:
        themed(tmp_path, wall)
    assert "\n" not in str(caught.value)


def test_quarters_need_an_even_size(tmp_path: Path) -> None:
    """The middle pixel of an odd tile would belong to two."""
    path = small_theme.write(tmp_path, ("tile_size = 8", "tile_size = 9"), ("columns = 47", "columns = 16"))
    path.write_text(
        path.read_text().replace('set = "blob47"\nfirst = [0, 0]', 'set = "dual16"\nfirst = [0, 0]')
    )
    with pytest.raises(
        ThemeError, match=r"image: tiles of 9 px cannot be divided into quarters; draw them with an even size"
    ):
        load_theme(path)


LIKE = [
    ("[decor.crate]\nlike = \"rok\"", r"crate.like: 'rok' has no tiles; did you mean rock\?"),
    ("[decor.crate]\nlike = \"pot\"", "crate.like: 'pot' has no tiles; choose one of rock"),
    ("[decor.crate]\nlike = \"crate\"", "crate.like: 'crate' has no tiles"),
    ("[decor.crate]\nlike = 3", "crate.like: 3 is not text"),
    ("[decor.crate]\nlike = \"rock\"\ntiles = [[0, 0]]", "crate.tiles: unknown key"),
    ("[decor.crate]\nhidden = false", "crate.hidden: False is not true; give true, or leave it out"),
    ("[decor.crate]\nhidden = true\ntiles = [[0, 0]]", "crate.tiles: unknown key"),
]  # fmt: skip


@pytest.mark.parametrize(("crate", "message"), LIKE)
def test_a_wrong_likeness_gets_one_line(crate: str, message: str, tmp_path: Path) -> None:
    themed(tmp_path, 'set = "single"\ntiles = [[0, 1]]')
    path = tmp_path / "keep.toml"
    path.write_text(path.read_text("utf-8").replace('[decor.crate]\nlike = "rock"', crate))
    with pytest.raises(ThemeError, match=message):
        load_theme(path)


def test_walls_floors_and_doors_can_be_animated(tmp_path: Path) -> None:
    """Frames follow to the right of each tile."""
    wall = 'set = "single"\ntiles = [[0, 1]]\nframes = 3\nframe_ms = 80'
    theme = themed(tmp_path, wall, more="[floor.boss]\ntiles = [[4, 0]]\nshaded = [[4, 4]]\nframes = 2\n")
    found = {theme.at(tile): tuple(animation) for tile, animation in theme.animations.items()}
    assert found == {(0, 1): (3, 80), (4, 0): (2, 100), (4, 4): (2, 100)}
