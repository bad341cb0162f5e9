"""Looks: the levels of each chapter use their own sheet, in every format, and nothing else changes."""

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner
from PIL import Image

import exporters
from exporters.blob import NE, NW, E, N, W
from exporters.dress import EMPTY, dress, dressed
from exporters.formats.png.syntax import png_bytes
from exporters.image import cut_atlas
from exporters.pages.cards import CardOptions, CardSource, seed_block
from exporters.pages.gallery import gallery
from exporters.theme import Theme, Variants
from exporters.theme.districts import theme_of_level
from exporters.theme.image import atlas_pixels
from exporters.theme.loader import all_looks, check_theme, load_theme, worn
from generator import generate, load_spec
from generator.cli import main
from generator.errors import BadInput, ThemeError
from generator.interiors.chapters import chapter_names, main_chapter
from generator.kinds import read_kit, shipped_kit
from generator.level import Level
from tests.exporters import own_sheet, small_theme
from tests.folders import entries

DOCS = Path(__file__).parents[2] / "docs"
LATER = ("caverns", "depths", "hollow", "keep", "abyss")
ALTERNATE = ("weir", "gutters", "diggings", "ashworks", "ossuary", "furnace", "carrion")
FACE = N | NE | E | W | NW

Colours = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def level() -> Level:
    """One of the fourth chapter."""
    return generate("isaac", 7, stage=7, stage_variant="main")


def of_chapter(level: Level, chapter: str) -> Level:
    return replace(level, facts={**level.facts, "chapter": chapter})


# --- which look a level has ------------------------------------------------------------------------------


def test_every_chapter_has_its_look_and_so_have_its_variants(built_in: Theme) -> None:
    names = {name: worn(built_in, name).name for name in chapter_names(shipped_kit())}
    assert names["cellar"] == names["crypt"] == "undercroft"
    assert {names[name] for name in LATER} == {f"undercroft-{name}" for name in LATER}
    assert {names[name] for name in ALTERNATE} == {f"undercroft-{name}" for name in ALTERNATE}
    others = names.keys() - {*ALTERNATE}
    assert all(names[name] == names[main_chapter(name, shipped_kit())] for name in others)
    assert worn(built_in, "keep") is worn(built_in, "keep"), "tables are made once for each"


@pytest.mark.parametrize("stage", range(1, 13))
def test_a_stage_is_dressed_for_its_chapter(stage: int, built_in: Theme) -> None:
    of_stage = generate("isaac", 7, stage=stage, stage_variant="main")
    wanted = ("", *(f"-{name}" for name in LATER))[(stage - 1) // 2]
    assert theme_of_level(built_in, of_stage).name == f"undercroft{wanted}"


def test_a_theme_without_looks_is_the_same_in_every_chapter(plain: Theme, level: Level) -> None:
    assert plain.looks == {} and all_looks(plain) == (plain,)
    assert dressed(level, plain)[0] is plain


def test_a_gungeon_level_has_the_look_of_the_chapter_that_its_spec_names(built_in: Theme) -> None:
    alike, other = (generate("gungeon", 3, districts="none", chapter=name) for name in ("none", "hollow"))
    assert theme_of_level(built_in, alike) is built_in and "chapter" not in alike.facts
    assert "chapter" not in alike.spec.saved(), "levels of specs from before stay as they are"
    assert theme_of_level(built_in, other).look == "hollow"
    assert [room.bounds for room in alike.rooms] == [room.bounds for room in other.rooms]
    assert alike.doors == other.doors


def test_a_look_that_was_chosen_is_kept(level: Level, built_in: Theme) -> None:
    bundle = exporters.export(level, "tiled", theme=worn(built_in, "abyss"))
    assert "undercroft-abyss.tsj" in bundle and "undercroft-hollow.tsj" not in bundle


# --- in every format -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["godot", "tiled", "ldtk"])
def test_a_levels_files_are_those_of_its_look(name: str, level: Level, built_in: Theme) -> None:
    """Whoever paints in it by hand has the look's tiles: the tileset that the level names has its image."""
    bundle = exporters.export(level, name, {"godot.player": True} if name == "godot" else {})
    files = {path for path in bundle if path.startswith("undercroft")}
    assert {path for path in files if "-hollow" not in path} <= {
        "undercroft.tiled-project", "undercroft_player.tscn", "undercroft_player.gd",
    }  # fmt: skip
    assert bundle["undercroft-hollow.png"] == built_in.looks["hollow"].image
    text = b"".join(data for path, data in bundle.items() if not path.endswith(".png"))
    assert b"undercroft-hollow.png" in text and b"undercroft.png" not in text
    first = exporters.export(of_chapter(level, "cellar"), name)
    assert first["undercroft.png"] == built_in.image and not [path for path in first if "-hollow" in path]


@pytest.mark.parametrize("target", ["4.3", "4.2", "3.6"])
def test_the_tile_set_differs_in_its_image_and_light_alone(target: str, level: Level) -> None:
    def lines(chapter: str, look: str) -> list[str]:
        bundle = exporters.export(of_chapter(level, chapter), "godot", {"godot.target": target})
        return (
            bundle[f"undercroft{look}.tres"]
            .decode()
            .replace(f"undercroft{look}.", "undercroft.")
            .splitlines()
        )

    one, other = lines("cellar", ""), lines("keep", "-keep")
    differ = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    assert differ and all("_light" in line for pair in differ for line in pair)


def test_tiled_and_godot_are_reported_the_light(level: Level, built_in: Theme) -> None:
    told = worn(built_in, "hollow").light
    bundle = exporters.export(level, ["tiled", "godot"])
    given = {each["name"]: each for each in json.loads(bundle["undercroft-hollow.tsj"])["properties"]}
    assert given["torch_light"] == {"name": "torch_light", "type": "color", "value": f"#ff{told.torch[1:]}"}
    found = re.search(rb"ambient_light = Color\((.+), 1\)", bundle["undercroft-hollow.tres"])
    assert found
    parts = [round(float(part) * 255) for part in found[1].split(b",")]
    assert parts == [*bytes.fromhex(told.ambient[1:])]


def test_the_picture_is_drawn_with_the_looks_sheet(level: Level, built_in: Theme) -> None:
    def drawn(chapter: str) -> npt.NDArray[np.uint8]:
        data = exporters.export(of_chapter(level, chapter), "png", name="x")["x.png"]
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))

    abyss = worn(built_in, "abyss")
    layers = dress(level, abyss)
    ys, xs = np.nonzero((layers.walls != EMPTY) & (layers.decor == EMPTY) & (layers.overlay == EMPTY))
    picture, cellar = drawn("abyss"), drawn("cellar")
    for y, x in list(zip(ys.tolist(), xs.tolist(), strict=True))[::50]:
        (tile,) = cut_atlas(abyss, [int(layers.walls[y, x])])
        place = np.s_[16 * y : 16 * y + 16, 16 * x : 16 * x + 16]
        assert np.array_equal(picture[place], tile) and not np.array_equal(cellar[place], tile)


def test_a_page_of_several_chapters_shows_each_in_its_look(built_in: Theme) -> None:
    """Its numbers of tiles go on from sheet to sheet."""
    cards = []
    for stage in (1, 11):
        spec = load_spec("isaac").replace({"stage": stage, "stage_variant": "main"})
        task = CardOptions(None, None), CardSource(spec, "isaac", ("undercroft",), str), range(1)
        cards += seed_block(task).cards
    count = built_in.columns * built_in.rows
    assert max(cards[0].used) < count
    assert {tile // count for tile in cards[1].used} == {1 + LATER.index("abyss")}
    page = gallery(cards, built_in, "two").decode()
    data = json.loads(re.findall(r"<script[^>]*json[^>]*>(.*?)</script>", page, re.DOTALL)[0])
    assert set(data["tiles"]) == cards[0].used | cards[1].used


def test_a_pack_comes_with_the_tile_sets_of_all_its_looks(tmp_path: Path) -> None:
    (tmp_path / "late.toml").write_text("style = 'isaac'\nstage = 9\nstage_variant = 'main'", "utf-8")
    words = ["pack", "isaac", str(tmp_path / "late.toml"), "--seeds", "0:2", "--jobs", "1"]
    done = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "two.ucpack")])
    assert done.exit_code == 0, done.output
    made = {path.name for path in tmp_path.glob("undercroft*")}
    assert made == {f"undercroft{look}.{end}" for look in ("", "-keep") for end in ("tres", "png")}


def test_the_file_name_of_a_look_is_refused(level: Level) -> None:
    with pytest.raises(BadInput, match="is also the name of the theme's files"):
        exporters.export(level, "godot", name="Undercroft-Caverns")


# --- the built-in art ------------------------------------------------------------------------------------


def mean(theme: Theme, looks: Variants) -> Colours:
    pixels = cut_atlas(theme, looks.tiles)[..., :3].astype(float).mean((1, 2))
    return np.average(pixels, axis=0, weights=looks.weights)


def apart(one: Colours, other: Colours) -> float:
    return float(np.linalg.norm(one - other))


def test_chapters_have_floors_and_walls_of_clearly_different_colours(built_in: Theme) -> None:
    for one, other in combinations(all_looks(built_in), 2):
        floors = [mean(each, each.floors["default"].plain) for each in (one, other)]
        walls = [mean(each, each.walls[FACE]) for each in (one, other)]
        assert apart(*floors) > 25, (one.name, other.name)
        assert apart(*walls) > 25, (one.name, other.name)


def test_looks_differ_in_pattern_and_not_in_hue_alone(built_in: Theme) -> None:
    """Of two chapters' looks, light and dark lie at other places of a floor, a wall and a rock."""
    looks = [each for each in all_looks(built_in) if each.look == main_chapter(each.look, shipped_kit())]
    for one, other in combinations(looks, 2):
        for tile in (
            one.floors["default"].plain.tiles[0],
            one.walls[FACE].tiles[0],
            one.decor["rock"].variants.tiles[0],
        ):
            grey = [
                cut_atlas(each, [tile])[0][..., :3].astype(float).mean(-1).ravel() for each in (one, other)
            ]
            assert np.corrcoef(*grey)[0, 1] < 0.9, (one.name, other.name, one.at(tile))


def test_in_each_look_floors_stand_out_from_walls_and_pits(built_in: Theme) -> None:
    for look in all_looks(built_in):
        floor = mean(look, look.floors["default"].plain)
        assert apart(floor, mean(look, look.walls[255])) > 35, look.name
        assert apart(floor, mean(look, look.walls[FACE])) > 35, look.name
        assert apart(floor, mean(look, look.pits[255])) > 35, look.name


def test_in_each_look_icons_are_seen_on_the_floor(built_in: Theme) -> None:
    """Enough of an icon's pixels are of quite another colour."""
    for look in all_looks(built_in):
        floor = mean(look, look.floors["default"].plain)
        for name, icon in zip(look.icons, cut_atlas(look, list(look.icons.values())), strict=True):
            pixels = icon.reshape(-1, 4)
            seen = pixels[pixels[:, 3] > 0][:, :3].astype(float)
            assert (np.linalg.norm(seen - floor, axis=1) > 50).mean() > 1 / 3, (look.name, name)


def test_icons_are_the_same_in_every_look(built_in: Theme) -> None:
    """But for those of lights, whose flames have the look's colour."""
    still = [tile for name, tile in built_in.icons.items() if name not in ("torch", "fire")]
    for look in all_looks(built_in):
        assert np.array_equal(cut_atlas(look, still), cut_atlas(built_in, still))


# --- themes of a team ------------------------------------------------------------------------------------


def theme_with_look(folder: Path, lines: str, image: bytes | None = None) -> Path:
    """The small theme with a section for a look, whose sheet is the theme's upside down."""
    (folder / "deep.png").write_bytes(image or flipped(small_theme.sheet()))
    return small_theme.write(folder, ("[floor.default]", f"{lines}\n[floor.default]"))


def flipped(data: bytes) -> bytes:
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))[::-1]
    return png_bytes(pixels.shape[1], pixels.shape[0], iter([pixels]))


def test_a_teams_theme_may_have_looks(tmp_path: Path, level: Level) -> None:
    """Of a chapter and of one of its variants; the others have the plain one."""
    lines = '[look.hollow]\nimage = "deep.png"\ntorch_light = "#00ff80"\n[look.ruins]\nimage = "deep.png"'
    theme = load_theme(theme_with_look(tmp_path, lines))
    assert [worn(theme, name).name for name in ("hollow", "pits", "ruins", "keep", "cellar")] == [
        "plain-hollow", "plain-hollow", "plain-ruins", "plain", "plain",
    ]  # fmt: skip
    hollow = worn(theme, "hollow")
    assert hollow.light == ("#00ff80", "") and theme.light == ("", "")
    assert np.array_equal(atlas_pixels(hollow), atlas_pixels(theme)[::-1])
    assert hollow.uses() == theme.uses() and tmp_path / "deep.png" in theme.sources
    bundle = exporters.export(level, "tiled", theme=theme)
    assert {path for path in bundle if path.startswith("plain")} == {"plain-hollow.png", "plain-hollow.tsj"}


def test_a_kits_own_chapter_has_its_look_in_every_format(tmp_path: Path, level: Level) -> None:
    lines = '[look.keep]\nimage = "deep.png"\n[look.inner_ward]\nimage = "deep.png"'
    path = theme_with_look(tmp_path, lines)
    for name in ("tiled", "godot", "ldtk", "png"):
        bundle = exporters.export(of_chapter(level, "inner_ward"), name, theme=load_theme(path), name="x")
        assert name == "png" or "plain-inner_ward.png" in bundle
    rooms = (replace(level.rooms[0], zone="ward"), *level.rooms[1:])
    zoned = replace(level, rooms=rooms, facts={**level.facts, "zone.ward.look": "inner_ward"})
    wanted = "plain-keep-with-inner_ward"
    assert theme_of_level(load_theme(path), of_chapter(zoned, "keep")).name == wanted


def test_check_reads_a_theme_in_a_kits_folder_with_the_kit(tmp_path: Path) -> None:
    kit = Path(shutil.copytree(DOCS / "examples" / "garden", tmp_path / "garden"))
    (kit / "theme").mkdir()
    path = theme_with_look(kit / "theme", "[decor.fren]\ntiles = [[0, 0]]")
    done = CliRunner().invoke(main, ["check", str(path)])
    assert done.exit_code == 1
    assert "decor.fren: unknown key; did you mean fern?" in done.output


def test_a_floor_that_no_kit_asks_for_says_what_to_do(tmp_path: Path) -> None:
    """Such as that of a zone: a room or a terrain of the kit must have it."""
    garden = read_kit(DOCS / "examples" / "garden")
    lines = ("[floor.default]", "[floor.crypt]\ntiles = [[0, 0]]\n[floor.default]")
    path = small_theme.write(tmp_path, ("tile_size", f'kit = "{garden.kinds.name}"\ntile_size'), lines)
    theme, told = check_theme(path, garden.kinds, garden.rules.chapters)
    says = f"{path}: floor: the kit has no crypt, so that is not drawn; give a room or a terrain of the kit that floor"
    assert theme and any(line.startswith(says) for line in theme.stand_ins), told


def test_a_slip_in_a_kits_own_chapter_is_told(tmp_path: Path) -> None:
    path = theme_with_look(tmp_path, '[look.inner_wrad]\nimage = "deep.png"')
    theme, told = check_theme(path, chapters=["inner_ward", "gate"])
    assert told == [f"{path}: look.inner_wrad: unknown chapter; did you mean inner_ward?"]
    theme, told = check_theme(path)
    assert theme and told == []
    assert theme.stand_ins[-1].startswith(f"{path}: look.inner_wrad: the kit has no such chapter")
    (tmp_path / "b").mkdir()
    path = theme_with_look(tmp_path / "b", '[look.plain]\nimage = "deep.png"')
    assert "look.plain: is a word in names of files" in check_theme(path)[1][0]


def test_tiles_that_are_put_together_are_so_in_every_look(tmp_path: Path) -> None:
    """From the look's own tiles, at the same places."""
    folder = own_sheet.write(tmp_path).parent
    run = CliRunner().invoke(main, ["theme", "new", str(folder / "keep.png"), "--tile-size", "24"])
    assert run.exit_code == 0, run.output
    path = folder / "keep.toml"
    assert "# [look." in path.read_text("utf-8")
    text = own_sheet.filled(path.read_text("utf-8"))
    (folder / "dark.png").write_bytes(darker((folder / "keep.png").read_bytes()))
    path.write_text(
        text.replace("[floor.default]", '[look.abyss]\nimage = "dark.png"\n[floor.default]', 1), "utf-8"
    )
    theme = load_theme(path)
    assert theme.rows > theme.own_rows
    plain, dark = atlas_pixels(theme), atlas_pixels(worn(theme, "abyss"))
    assert np.array_equal(dark[..., :3], plain[..., :3] // 2)


def darker(data: bytes) -> bytes:
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")).copy()
    pixels[..., :3] //= 2
    return png_bytes(pixels.shape[1], pixels.shape[0], iter([pixels]))


SMALL = png_bytes(16, 16, iter([np.zeros((16, 16, 4), np.uint8)]))


@pytest.mark.parametrize(
    ("lines", "image", "message"),
    [
        ('[look.cavern]\nimage = "deep.png"', None, r"look.cavern: unknown key; did you mean caverns\?"),
        ("[look.caverns]", None, r"look.caverns.image: is missing"),
        ('[look.caverns]\nimage = "no.png"', None, r"look.caverns.image: .*no.png: cannot be read"),
        ('[look.caverns]\nimage = "../deep.png"', None, r"look.caverns.image: '../deep.png' is not a file in"),
        ('[look.caverns]\nimage = "deep.png"', SMALL, r"caverns.image: is 16 x 16 px; give a sheet of 384 x 320"),
        ('[look.caverns]\nimage = "deep.png"', b"text", r"look.caverns.image: is not a PNG image"),
        ('[look.caverns]\nimage = "deep.png"\ntiles = []', None, r"look.caverns.tiles: unknown key"),
        ('[look.caverns]\nimage = "deep.png"\ntorch_light = "red"', None, r"torch_light: 'red' is not a colour; give"),
        ("[[look]]\n", None, r"look: .* is not a table"),
    ],
)  # fmt: skip
def test_a_bad_look_gets_one_line(lines: str, image: bytes | None, message: str, tmp_path: Path) -> None:
    path = theme_with_look(tmp_path, lines, image)
    with pytest.raises(ThemeError, match=message) as raised:
        load_theme(path)
    assert "\n" not in str(raised.value)
    _, told = check_theme(path)
    assert len(told) == 1 and re.search(message, told[0])


def test_the_check_draws_every_look_and_finds_a_damaged_sheet(tmp_path: Path) -> None:
    path = theme_with_look(tmp_path, '[look.keep]\nimage = "deep.png"')
    done = CliRunner().invoke(main, ["theme", "check", str(path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    pictures = entries(tmp_path / "out")
    assert [each.name for each in pictures] == ["plain-check.png", "plain-keep-check.png"]
    assert pictures[0].read_bytes() != pictures[1].read_bytes()
    whole = (tmp_path / "deep.png").read_bytes()
    (tmp_path / "deep.png").write_bytes(whole[:60] + bytes(20) + whole[80:])
    _, told = check_theme(path)
    assert len(told) == 1 and "look.keep.image: cannot be decoded" in told[0]
