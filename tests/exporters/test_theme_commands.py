"""`undercroft theme new` and `theme check`: from a sheet of tiles to levels in every format."""

from __future__ import annotations

import io
import json
import re
import tempfile
import tomllib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import exporters
from exporters.formats.ldtk.check import problems as ldtk_problems
from exporters.formats.png.syntax import png_bytes
from exporters.registry import format_names
from exporters.theme import Theme
from exporters.theme.image import atlas_pixels, decoded
from exporters.theme.loader import check_theme, load_theme
from exporters.theme.new import first_theme, guess
from exporters.theme.showroom import showroom
from generator.checks import problems as problems_of
from generator.cli import main
from generator.kinds import DECOR_KINDS, DOOR_KINDS, MARKER_KINDS, ROOM_KINDS, TERRAIN_KINDS, read_kit
from generator.kinds.signs import sign_table
from generator.pipeline import generate
from tests.combinations import each_once_first
from tests.engines import tmxrasterizer
from tests.exporters import own_sheet, small_theme
from tests.exporters.formats.ldtk.reader import Project

Picture = npt.NDArray[np.uint8]


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def opened(path: Path | bytes) -> Picture:
    with Image.open(io.BytesIO(path) if isinstance(path, bytes) else path) as image:
        return np.asarray(image.convert("RGBA"))


def sheet_of(folder: Path, size: int, columns: int, rows: int, name: str = "sheet.png") -> Path:
    """A sheet of tiles of one colour each, with a frame."""
    numbers = np.arange(columns * rows).reshape(rows, columns)
    tiles = np.stack([numbers * 37 % 256, numbers * 91 % 256, numbers * 13 % 256, numbers * 0 + 255], -1)
    pixels = tiles.astype(np.uint8).repeat(size, axis=0).repeat(size, axis=1)
    (folder / name).write_bytes(png_bytes(columns * size, rows * size, iter([pixels])))
    return folder / name


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A theme of the team's sheet, made with the commands and filled in."""
    assert run("theme", "new", own_sheet.write(tmp_path)).exit_code == 0
    path = tmp_path / "keep.toml"
    path.write_text(own_sheet.filled(path.read_text("utf-8")), "utf-8")
    return path


# ---- new -------------------------------------------------------------------------------------------


def test_a_first_theme_lies_beside_its_sheet(tmp_path: Path) -> None:
    """With a numbered picture; what was guessed is said."""
    done = run("theme", "new", own_sheet.write(tmp_path))
    assert done.exit_code == 0
    assert [Path(line).name for line in done.stdout.splitlines()] == ["keep.toml", "keep-numbers.png"]
    assert "tiles of 24 px, margin 2, spacing 3, guessed from the lines between the tiles" in done.stderr
    text = (tmp_path / "keep.toml").read_text("utf-8")
    assert "tile_size = 24 " in text and "margin = 2 " in text and "spacing = 3 " in text
    assert {f"[decor.{kind.name}]" for kind in DECOR_KINDS[1:]} <= set(re.findall(r"^\[.*?\]", text, re.M))


def test_a_theme_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    """Hours of work may be in it."""
    sheet = own_sheet.write(tmp_path)
    (tmp_path / "keep.toml").write_text("mine")
    done = run("theme", "new", sheet)
    assert done.exit_code == 1 and done.stderr.endswith(
        "keep.toml: already exists, and nothing says that Undercroft wrote it, so nothing was written; "
        "give another name, or --edits keep or replace\n"
    )
    assert (tmp_path / "keep.toml").read_text() == "mine"
    assert run("theme", "new", sheet, "--name", "other").exit_code == 0
    assert json.loads(run("theme", "new", sheet, "--name", "third", "--json").stdout)["tile_size"] == 24


@pytest.mark.parametrize("size", [8, 10, 16, 24, 48, 64])
def test_every_number_can_be_read(size: int, tmp_path: Path) -> None:
    """Each tile is enlarged by a whole number, with its place above it, in glyphs of ten by six pixels."""
    sheet = sheet_of(tmp_path, size, 12, 11)
    first = first_theme(sheet, "x", guessed=guess(opened(sheet), f"tiles {size}px"))
    assert first.geometry.tile_size == size
    page = opened(first.bundle["x-numbers.png"])
    zoom = -(-48 // size)
    pitch_x, pitch_y = size * zoom + 2, size * zoom + 16
    assert page.shape == (11 * pitch_y + 2, 12 * pitch_x + 2, 4)
    atlas = opened(sheet)
    for column, row in ((0, 0), (11, 10), (7, 3)):
        x, y = 2 + column * pitch_x, 2 + row * pitch_y
        assert read_label(page[y : y + 14, x : x + pitch_x]) == f"{column},{row}"
        tile = page[y + 14 : y + 14 + size * zoom, x : x + size * zoom]
        assert np.array_equal(
            tile[::zoom, ::zoom], atlas[row * size : (row + 1) * size, column * size : (column + 1) * size]
        )


def read_label(strip: Picture) -> str:
    """The text that is written in a strip, glyph by glyph."""
    ink = (strip[..., 0] > 200)[2:12:2, ::2]
    letters = {name: sign_table().letters[name] for name in "0123456789,"}
    known = {tuple(dot == "#" for row in rows for dot in row): name for name, rows in letters.items()}
    found = ""
    for x in range(0, ink.shape[1] - 3, 4):
        found += known.get(tuple(ink[:, x : x + 3].ravel().tolist()), "")
    return found


def test_large_sheets_are_numbered_in_pages(tmp_path: Path) -> None:
    """At most 32 by 32 tiles each; one larger still is refused."""
    first = first_theme(
        sheet_of(tmp_path, 8, 40, 33), "x", guessed=guess(np.zeros((8, 8, 4), np.uint8), "8px")
    )
    assert list(first.bundle)[1:] == [f"x-numbers-{x}-{y}.png" for y in (0, 32) for x in (0, 32)]
    last = opened(first.bundle["x-numbers-32-32.png"])
    assert read_label(last[2:16, 2:60]) == "32,32"
    huge = sheet_of(tmp_path, 8, 300, 300)
    done = run("theme", "new", huge, "--tile-size", "8")
    assert done.exit_code == 2 and "has 300 x 300 tiles of 8 px; give at most 65536" in done.stderr


@pytest.mark.parametrize(("name", "size"), [("dungeon_24x24", 24), ("Tiles 48px", 48), ("set-8x8-v2", 8)])
def test_a_name_may_tell_the_size(name: str, size: int) -> None:
    assert guess(np.zeros((96, 96, 4), np.uint8), name)[:3] == (size, 0, 0)


def test_a_size_is_guessed_from_the_picture(tmp_path: Path) -> None:
    """Tiles differ more across their borders than inside; an hour's art and plain squares alike."""
    art = atlas_pixels(load_theme())
    assert guess(art, "art")[:3] == (16, 0, 0)
    for size in (8, 16, 24, 32, 48):
        assert guess(opened(sheet_of(tmp_path, size, 12, 8)), "sheet")[:3] == (size, 0, 0)
    assert guess(opened(own_sheet.sheet()), "sheet")[:3] == (24, 2, 3)
    assert guess(np.zeros((50, 34, 4), np.uint8), "sheet")[:3] == (16, 0, 0)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("none.png",), "none.png: cannot be read: there is no such file"),
        (("text.png",), "text.png: is not a PNG image"),
        (("keep.png", "--margin", "2"), "--margin, --spacing: need --tile-size; give that too"),
        (("keep.png", "--tile-size", "7"), "--tile-size: 7 is not in range; give 8 to 64"),
        (("keep.png", "--name", "../x"), "--name: '../x' is not a valid file name; begin with"),
        (("keep.png", "--name", "CON"), "--name: 'CON' is a device on Windows; give another name"),
        (("keep.png", "--name", "Undercroft"), "--name: Undercroft is the built-in theme; give another name"),
        (("keep.png", "--out", "elsewhere"), "is outside .*elsewhere; a theme must be in a folder that contains its"),
        (("small.png", "--tile-size", "64"), "9 x 9 px have no space for a tile of 64 px; give its --tile-size"),
        (("keep.tsj", "--tile-size", "16"), "keep.tsj: a tileset knows where its tiles lie; leave out --tile-size"),
        (("keep.tsj",), "keep.tsj: is not JSON"),
    ],
)  # fmt: skip
def test_a_wrong_sheet_gets_one_line(
    args: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_sheet.write(tmp_path)
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "keep.tsj").write_text("{")
    sheet_of(tmp_path, 9, 1, 1, "small.png")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run("theme", "new", *args)
    assert done.exit_code == 2
    assert re.search(message, done.stderr) and done.stderr.count("\n") == 1
    assert not list(tmp_path.rglob("*.toml"))


@pytest.mark.parametrize(
    "name", ["undercroft.png", "con.png", "ÄÖ ü!.png", "....png", "x" * 90 + ".png", "a.png"]
)
def test_any_sheet_gives_a_name_that_can_be_loaded(name: str, tmp_path: Path) -> None:
    sheet_of(tmp_path, 16, 4, 4, name)
    done = run("theme", "new", tmp_path / name)
    assert done.exit_code == 0, done.stderr
    (path,) = tmp_path.glob("*.toml")
    told = f"{tmp_path / name}: the theme is called {path.stem}, as it cannot have this name; --name gives another"
    assert (told in done.stderr) == (path.stem != Path(name).stem)
    assert not [line for line in check_theme(path)[1] if "name:" in line or "image:" in line]


# ---- check -----------------------------------------------------------------------------------------


def test_the_check_lists_everything_at_once(tmp_path: Path) -> None:
    """An empty theme: a line for each thing to do, and a picture in which they glare."""
    run("theme", "new", own_sheet.write(tmp_path))
    done = run("theme", "check", tmp_path / "keep.toml", "--out", tmp_path / "out")
    assert done.exit_code == 1
    lines = [line for line in done.stdout.splitlines() if ": is empty; give at least one" in line]
    told = [line.split(": ")[1] for line in lines]
    assert told == [
        "floor.default.tiles", "wall.tiles", "pit.tiles", "door.open.all.open",
        "decor.rock.tiles", "decor.fire.tiles", "decor.spikes.tiles",
    ]  # fmt: skip
    picture = opened(tmp_path / "out" / "keep-check.png")
    for colour in ((255, 0, 220), (255, 60, 60), (0, 220, 255), (255, 230, 0), (60, 255, 60)):
        assert (picture[..., :3] == colour).all(axis=-1).any()
    assert run("check", tmp_path / "keep.toml").stdout.splitlines() == lines


@pytest.mark.parametrize("suffix", ["png", "tsj", "tres"])
def test_a_sheet_in_the_place_of_a_theme_is_told_what_makes_one(suffix: str, tmp_path: Path) -> None:
    sheet = own_sheet.write(tmp_path).rename(tmp_path / f"sheet.{suffix}")
    said = f"{sheet}: is not a theme; begin one for it with `undercroft theme new {sheet}`"
    assert run("theme", "check", sheet).stdout == f"{said}\n"
    done = run("generate", "isaac", "--theme", sheet, "--out", tmp_path / "out")
    assert (done.exit_code, done.stderr) == (2, f"undercroft: {said}\n")


def test_the_picture_is_named_after_the_file_of_the_theme(filled: Path) -> None:
    """A copy of a theme, with the same name in it, draws beside the picture of the first, not over it."""
    copy = filled.with_name("Größe 2.toml")
    copy.write_bytes(filled.read_bytes())
    for path in (filled, copy):
        assert run("theme", "check", path, "--out", filled.parent).exit_code == 0
    drawn = sorted(path.name for path in filled.parent.glob("*-check.png"))
    assert drawn == ["Größe 2-check.png", "keep-check.png"]


def test_a_theme_that_is_whole_passes(filled: Path) -> None:
    """Optional parts are listed as notes; nothing is drawn in warning colours."""
    done = run("theme", "check", filled, "--out", filled.parent)
    assert done.exit_code == 0
    notes = [line for line in done.stdout.splitlines() if line.startswith("note: ")]
    assert any("floor: no tiles for start, normal, mini_boss" in note for note in notes)
    assert any("door: no tiles for locked, secret" in note for note in notes)
    picture = opened(filled.parent / "keep-check.png")
    assert not (picture[..., :3] == (255, 60, 60)).all(axis=-1).any()
    lines = run("theme", "check", filled, "--out", filled.parent, "--json").stdout.splitlines()
    *told, end = map(json.loads, lines)
    assert [f"note: {row['note']}" for row in told] == notes
    assert (end["event"], end["problems"]) == ("done", 0) and end["files"]


def test_each_fault_is_reported_and_the_rest_is_drawn(tmp_path: Path) -> None:
    """Not only the first, so that authors of a theme see everything that is left to do."""
    changes = (
        ("tiles = [[5, 2]]", "tiles = [[480, 2]]"),
        ("[floor.shop]", "[floor.shp]"),
        ("weights = [6, 3, 1]", "weights = [6, 3]"),
        ("[decor.rock]\ntiles", "[decor.rock]\ntils"),
        ("[marker.enemy]\nicon = [0, ", "[marker.enemy]\nicon = [999, "),
        ("frames = 1", "frames = 99"),
    )
    theme, problems = check_theme(small_theme.write(tmp_path, *changes))
    told = "\n".join(problems)
    for message in (
        "floor.boss.tiles[0]: [480, 2] is outside", "floor.shp: unknown key; did you mean shop?",
        "floor.default.weights: has 2 weights for 3", "decor.rock.tils: unknown key; did you mean tiles?",
        "marker.enemy.icon: [999, ", "decor.torch.frames: 99 is not a whole number",
    ):  # fmt: skip
        assert message in told
    assert len(problems) == 6
    assert theme is not None and not any("stop different" in note for note in theme.stand_ins)
    assert theme.floors["default"].plain.tiles[0] >= theme.columns * theme.own_rows


def test_tiles_that_would_have_to_be_two_things_are_reported(filled: Path) -> None:
    """In Godot and Tiled a tile stops somebody or not, wherever it lies."""
    text = filled.read_text("utf-8").replace(
        "[decor.spikes]\ntiles = [[5, 3]]", "[decor.spikes]\ntiles = [[3, 3]]"
    )
    filled.write_text(text, "utf-8")
    theme, problems = check_theme(filled)
    assert theme is not None and not problems
    assert any(
        "[3, 3]: is used for decor anvil and decor spikes, which stop different" in note
        for note in theme.stand_ins
    )


def test_a_door_is_named_with_its_state(filled: Path) -> None:
    text = filled.read_text("utf-8") + "\n[door.red.all]\nopen = [[3, 3]]\nshut = [[3, 3]]\n"
    filled.write_text(text, "utf-8")
    (note,) = (note for note in load_theme(filled).stand_ins if "stop different" in note)
    assert "door red open and door red shut" in note


def test_things_that_stop_others_have_copies_of_their_own(filled: Path) -> None:
    """A statue like a rock stops flyers, a rock does not: one tile could not do both."""
    theme = load_theme(filled)
    rock, crate, statue = (theme.decor[name].variants for name in ("rock", "crate", "statue"))
    assert crate == rock and set(statue.tiles).isdisjoint(rock.tiles) and statue.weights == rock.weights
    pixels = atlas_pixels(theme)
    for own, copy in zip(rock.tiles, statue.tiles, strict=True):
        (x, y), (left, top) = theme.at_px(own), theme.at_px(copy)
        assert np.array_equal(pixels[y : y + 24, x : x + 24], pixels[top : top + 24, left : left + 24])
    assert not [note for note in theme.stand_ins if "stop different" in note]


def test_the_level_of_everything_has_it_all() -> None:
    """Every kind of room, door on every side, terrain, decor and marker; nothing stands in a wall."""
    level = showroom()
    assert {room.kind for room in level.rooms} == set(ROOM_KINDS)
    sides = {(door.kind, door.side) for door in level.doors}
    assert {kind for kind, _ in sides} == {kind.name for kind in DOOR_KINDS}
    assert len(sides) == 2 * len(DOOR_KINDS)  # each is seen from both of its rooms
    assert set(np.unique(level.terrain).tolist()) == set(range(len(TERRAIN_KINDS)))
    assert set(np.unique(level.decor).tolist()) == set(range(len(DECOR_KINDS)))
    assert {marker.kind for marker in level.markers} == set(MARKER_KINDS)
    assert not [line for line in problems_of(level) if "outline" in line or "bounds" in line]


# ---- every format ----------------------------------------------------------------------------------


def test_every_format_takes_a_theme_of_another_size(filled: Path, tmp_path: Path) -> None:
    """All that are registered, and the picture is the level's size in the team's own pixels."""
    out = tmp_path / "build"
    done = run("generate", "isaac", "--seed", "7", "--theme", filled, "--out", out, "--json")
    assert done.exit_code == 0, done.stderr
    names = {Path(name).name for name in json.loads(done.stdout)["files"]}
    for name in format_names():
        for suffix in exporters.exporter(name).suffixes[:1]:
            assert f"isaac-7{suffix}" in names
    level = json.loads((out / "isaac-7.level.json").read_text("utf-8"))
    picture = opened(out / "isaac-7.png")
    assert picture.shape[:2] == (24 * level["size"]["height"], 24 * level["size"]["width"])
    assert (
        decoded((out / "keep.png").read_bytes(), "keep")[: 2 + 6 * 27 - 3].shape
        == opened(own_sheet.sheet()).shape
    )
    assert not (picture == (255, 0, 255, 255)).all(axis=-1).any()  # nothing from between the tiles


@pytest.mark.parametrize("size", [8, 33, 64])
def test_every_size_goes_through_every_format(size: int, tmp_path: Path) -> None:
    """Odd ones too; a copy of a tile is like it to the pixel."""
    sheet_of(tmp_path, size, 5, 2, "sheet.png")
    parts = [("floor.default", 0), ("pit", 1), ("wall", 2), ("decor.rock", 3), ("decor.fire", 4)]
    lines = ['name = "any"', 'image = "sheet.png"', f"tile_size = {size}"]
    for part, column in parts:
        single = 'set = "single"\n' if part in ("pit", "wall") else ""
        lines.append(f"[{part}]\n{single}tiles = [[{column}, 0]]")
    lines.append("[door.open.all]\nopen = [[0, 1]]\nshut = [[1, 1]]")
    kinds = [kind.name for kind in DECOR_KINDS[1:] if kind.name not in ("rock", "fire")]
    lines += [f'[decor.{kind}]\nlike = "rock"' for kind in kinds]
    (tmp_path / "any.toml").write_text("\n".join(lines), "utf-8")
    theme = load_theme(tmp_path / "any.toml")
    bundle = exporters.export(
        generate("gungeon", 5, rooms=3), list(format_names()), theme=theme, name="level"
    )
    assert {f"level{exporters.exporter(name).suffixes[0]}" for name in format_names()} <= set(bundle)
    picture, pixels = opened(bundle["level.png"]), atlas_pixels(theme)
    assert picture.shape[0] % size == picture.shape[1] % size == 0
    rock, statue = (theme.at_px(theme.decor[name].variants.tiles[0]) for name in ("rock", "statue"))
    assert rock != statue
    one, other = (pixels[y : y + size, x : x + size] for x, y in (rock, statue))
    assert one.any() and np.array_equal(one, other)


@settings(max_examples=60)
@given(st.text(max_size=30), st.text(max_size=30))
def test_no_name_in_a_tileset_can_change_the_theme(set_name: str, name: str) -> None:
    """What is begun is a TOML file with the keys that it should have, whatever terrains are called."""
    tileset = {
        "image": "keep.png", "tilewidth": 24, "tileheight": 24, "margin": 2, "spacing": 3, "columns": 9,
        "wangsets": [{"name": set_name, "type": "edge", "colors": [{"name": f"{name}wall"}, {"name": name}],
                      "wangtiles": [{"tileid": i, "wangid": [i] * 8} for i in (1, 2)]}],
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        own_sheet.write(Path(folder))
        (Path(folder) / "keep.tsj").write_text(json.dumps(tileset), "utf-8")
        text = first_theme(Path(folder) / "keep.tsj", "keep").bundle["keep.toml"].decode("utf-8")
    table = tomllib.loads(text)
    assert set(table) == {"name", "tileset", "floor", "wall", "pit", "door", "decor"}
    if "wall" in table["wall"].get("terrain", ""):
        assert table["wall"]["terrain"] in (f"{set_name}/{name}wall", f"{set_name}/{name}")


@pytest.fixture(scope="module")
def looks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Theme]:
    """The team's sheet with walls by their sides, on crossings, and of one look."""
    return own_sheet.themes(tmp_path_factory.mktemp("looks"))


DOCS = Path(__file__).parents[2] / "docs"
LEVELS = {"everything": showroom(), "gungeon": generate("gungeon", 3, rooms=6)}


def assert_alike(theirs: Picture, ours: Picture) -> None:
    """Half transparent pixels may be rounded otherwise."""
    seen, wanted = (picture.astype(np.int16) for picture in (theirs, ours))
    assert seen.shape == wanted.shape
    for picture in (seen, wanted):
        picture[..., :3] = picture[..., :3] * (picture[..., 3:] > 0)
    assert (wanted[..., 3] == 255).mean() > 0.3
    assert np.abs(seen - wanted)[wanted[..., 3] == 255].max() <= 1
    assert np.abs(seen[..., 3] - wanted[..., 3]).max() <= 1


@pytest.mark.parametrize(("level", "name"), each_once_first(LEVELS, own_sheet.WALLS))
def test_the_real_tiled_draws_it_as_we_do(
    level: str, name: str, looks: dict[str, Theme], tmp_path: Path
) -> None:
    """With margin and spacing, to the pixel where nothing is half transparent."""
    bundle = exporters.export(LEVELS[level], ["tiled", "png"], theme=looks[name], name="all")
    bundle.write(tmp_path)
    out = tmp_path / "tiled.png"
    done = tmxrasterizer().run("--hide-object-layers", str(tmp_path / "all.tmj"), str(out))
    assert out.is_file(), done.stderr
    assert_alike(opened(out), opened(tmp_path / "all.png"))


@pytest.mark.parametrize(("name", "level"), each_once_first(own_sheet.WALLS, LEVELS))
def test_a_reader_of_ldtk_draws_it_as_we_do(
    level: str, name: str, looks: dict[str, Theme], tmp_path: Path
) -> None:
    """From the project alone, in which no check finds a fault."""
    exporters.export(LEVELS[level], ["ldtk", "png"], theme=looks[name], name="all").write(tmp_path)
    assert list(ldtk_problems(tmp_path / "all.ldtk")) == []
    project, ours = Project(tmp_path / "all.ldtk"), opened(tmp_path / "all.png")
    grid = LEVELS[level].grid
    left, top = (-24 * side for side in grid.origin) if grid else (0, 0)
    drawn = project.picture(ours.shape[1], ours.shape[0], left, top)
    assert_alike(np.asarray(drawn.convert("RGBA")), ours)


def test_our_own_tileset_for_tiled_is_a_theme_again(tmp_path: Path) -> None:
    """What is exported says enough to be read back: walls, pits and floors, tile for tile."""
    exporters.export(showroom(), "tiled", name="all").write(tmp_path)
    done = run("theme", "new", tmp_path / "undercroft.tsj", "--name", "again")
    assert done.exit_code == 0, done.stderr
    text = (tmp_path / "again.toml").read_text("utf-8")
    doors = text.replace("open = []", "open = [[0, 13]]").replace("shut = []", "shut = [[4, 13]]")
    (tmp_path / "again.toml").write_text(doors, "utf-8")
    again, built_in = load_theme(tmp_path / "again.toml"), load_theme()
    for ours, theirs in ((built_in.walls, again.walls), (built_in.pits, again.pits)):
        assert all(set(look.tiles) == set(theirs[mask].tiles) for mask, look in ours.items() if mask)
    for name, floor in built_in.floors.items():
        assert set(floor.plain.tiles) == set(again.floors[name].plain.tiles)
    for name, thing in built_in.decor.items():
        assert thing.variants == again.decor[name].variants
    assert again.animations == built_in.animations and again.image == built_in.image


def test_the_examples_of_the_docs_are_themes(tmp_path: Path) -> None:
    """Every key of them is one; what they leave to the reader has stand-ins."""
    docs = (DOCS / "themes.md").read_text("utf-8")
    plain, of_a_kit, look, rim, thin, based = re.findall(
        r"^```toml\n(.*?)^```$", docs, re.MULTILINE | re.DOTALL
    )
    sheet_of(tmp_path, 16, 32, 32, "crypt.png")
    sheet_of(tmp_path, 16, 32, 32, "crypt-caverns.png")
    (light, section) = look.split("[look", 1)
    (tmp_path / "crypt.toml").write_text(f"{light}{plain}[look{section}", "utf-8")
    theme, problems = check_theme(tmp_path / "crypt.toml")
    assert theme and not problems
    assert "decor: no tiles for tinted_rock, block" in "".join(theme.stand_ins)
    before, _, after = plain.partition("[wall]")
    for wall in (rim, thin):
        text = f"{before}{wall}\n[door{after.partition('[door')[2]}"
        (tmp_path / "crypt.toml").write_text(text, "utf-8")
        assert check_theme(tmp_path / "crypt.toml")[1] == []
    head, section = of_a_kit.split("[", 1)
    (tmp_path / "crypt.toml").write_text(f"{head}{plain}[{section}", "utf-8")
    garden = read_kit(DOCS / "examples" / "garden").kinds
    to_draw = check_theme(tmp_path / "crypt.toml", garden)[1]
    assert "floor.water" in to_draw[0] and all("is still to be drawn" in each for each in to_draw)
    assert not re.search(r"garden|hedge|fern|lever|leaf", "".join(to_draw))
    tileset = {
        "image": "crypt.png", "tilewidth": 16, "tileheight": 16, "columns": 32,
        "wangsets": [
            {"name": name, "type": "mixed", "colors": [{"name": one} for one in colors],
             "wangtiles": [{"tileid": i, "wangid": [i] * 8} for i in range(1, len(colors) + 1)]}
            for name, colors in (("Floors", ["dirt"]), ("Walls", ["stone", "chasm"]))
        ],
    }  # fmt: skip
    (tmp_path / "crypt.tsj").write_text(json.dumps(tileset), "utf-8")
    (tmp_path / "crypt.toml").write_text(
        based.replace("crypt.tsx", "crypt.tsj").replace("source = 0", ""), "utf-8"
    )
    theme, problems = check_theme(tmp_path / "crypt.toml")
    assert theme and not problems
    assert "door.open: is not given" in "".join(theme.stand_ins)
