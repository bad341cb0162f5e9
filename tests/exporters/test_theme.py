"""Themes: what they say, what stands in for what they leave out, and what is refused."""

from __future__ import annotations

import os
import re
import struct
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exporters.blob import MASKS
from exporters.theme import Animation, Theme, Variants
from exporters.theme.image import atlas_pixels
from exporters.theme.loader import load_theme
from generator.cli import main
from generator.errors import ThemeError
from generator.kinds import DECOR_KINDS, DOOR_KINDS, ROOM_KINDS
from tests.exporters import small_theme

SIDES = ("north", "east", "south", "west")


def test_the_built_in_theme_has_a_look_for_everything(built_in: Theme) -> None:
    """Every kind is there, and every tile lies in the sheet."""
    assert built_in.name == "undercroft"
    assert {"default", "hallway", "rubble", "door", "bridge", *ROOM_KINDS} == set(built_in.floors)
    assert set(built_in.walls) == set(built_in.pits) == set(MASKS)
    assert {(kind.name, side) for kind in DOOR_KINDS for side in SIDES} == set(built_in.doors)
    assert {kind.name for kind in DECOR_KINDS[1:]} == set(built_in.decor)
    assert all(0 <= use.tile < built_in.columns * built_in.rows for use in built_in.uses())
    assert load_theme() is built_in


def test_a_theme_in_a_folder_is_read_as_the_built_in_one(built_in: Theme, tmp_path: Path) -> None:
    """A team copies the theme to change it; before the first change it is the same."""
    source = Path(__file__).parents[2] / "exporters/themes"
    images = [f"undercroft{look}.png" for look in ("", *(f"-{name}" for name in built_in.looks))]
    for name in ("undercroft.toml", *images):
        (tmp_path / name).write_bytes((source / name).read_bytes())
    copied = load_theme(tmp_path / "undercroft.toml")
    assert copied.path == tmp_path / "undercroft.toml"
    assert set(copied.sources) == {tmp_path / "undercroft.toml", *(tmp_path / name for name in images)}
    elsewhere = {"path": None, "sources": (), "stand_ins": (), "files": None}
    assert vars(copied) | elsewhere == vars(built_in) | elsewhere
    told = tuple(line.replace(str(copied.path), "undercroft.toml") for line in copied.stand_ins)
    assert told == built_in.stand_ins, "the built-in theme is not checked when it is loaded"


def test_what_is_left_out_has_a_stand_in(plain: Theme) -> None:
    """Floors fall back to the default floor, doors to the open door, shaded floors to plain ones."""
    assert plain.floors["library"] is plain.floors["default"]
    assert plain.floors["boss"].shaded == plain.floors["boss"].plain == Variants((2 * 48 + 5,), (1,))
    assert plain.doors["curse", "west"] is plain.doors["open", "west"]
    assert plain.doors["open", "south"].overlay == ()
    assert "boss" not in plain.icons


def test_locks_and_keys_that_are_not_drawn_look_like_what_is_nearest(tmp_path: Path) -> None:
    """A barred door is a locked one, one that lets nobody back an open one, a key one to pick up."""
    more = "[door.locked.all]\nopen = [[1, 3]]\nshut = [[2, 3]]\n[marker.pickup_key]\nicon = [3, 3]\n"
    theme = load_theme(small_theme.write(tmp_path, ("[marker.enemy]", more + "[marker.enemy]")))
    for side in ("north", "west"):
        assert theme.doors["barred", side] == theme.doors["locked", side] != theme.doors["open", side]
        assert theme.doors["one_way", side] == theme.doors["open", side]
    assert theme.icons["key"] == theme.icons["pickup_key"]


def test_the_built_in_theme_draws_which_way_a_door_leads(built_in: Theme) -> None:
    """From the north, east, south and west into a room: four pictures, shut or open apart from a plain door."""
    looks = {side: built_in.doors["one_way", side] for side in ("north", "east", "south", "west")}
    assert len({look.open for look in looks.values()}) == 4
    for side, look in looks.items():
        assert look.shut != built_in.doors["open", side].shut != built_in.doors["barred", side].shut


@pytest.mark.parametrize("kind", ["secret", "red"])
def test_a_hidden_door_that_is_not_drawn_looks_like_the_wall(kind: str, plain: Theme) -> None:
    """Or it would give itself away: on each side as a wall with another's behind it."""
    assert plain.doors[kind, "north"].shut == plain.walls[199].tiles * 4
    assert plain.doors[kind, "south"].shut == plain.walls[124].tiles * 4
    assert plain.doors[kind, "east"].shut == plain.walls[31].tiles * 4
    assert plain.doors[kind, "west"].shut == plain.walls[241].tiles * 4
    assert plain.doors[kind, "west"].open == plain.doors["open", "west"].open


def test_a_red_door_has_a_look_of_its_own(built_in: Theme) -> None:
    """Neither that of a secret door nor that of the wall, shut or open, on all sides."""
    for side in ("north", "east", "south", "west"):
        red, secret = built_in.doors["red", side], built_in.doors["secret", side]
        others = {*secret.shut, *secret.open, *built_in.doors["open", side].open}
        assert not others & {*red.shut, red.open[0], red.open[1], red.open[3]}
        walls = {tile for variants in built_in.walls.values() for tile in variants.tiles}
        assert not walls & {*red.shut, *red.open}


def test_a_door_of_one_tile_is_alone_first_middle_and_last(tmp_path: Path) -> None:
    """So that a theme need not draw four."""
    extra = ("[wall]", "[door.boss.east]\nopen = [[1, 3]]\nshut = [[2, 3]]\n[wall]")
    theme = load_theme(small_theme.write(tmp_path, extra))
    assert theme.doors["boss", "east"].open == (3 * 48 + 1,) * 4
    assert theme.doors["boss", "north"] is theme.doors["open", "north"]


def test_tiles_are_found_in_the_image(tmp_path: Path) -> None:
    """With a margin and spaces between, as sheets from other tools have them."""
    spaced = ("tile_size = 8", "tile_size = 8\nmargin = 3\nspacing = 1")
    width, height = 3 + 48 * 9 - 1, 3 + 40 * 9 - 1
    theme = load_theme(small_theme.write(tmp_path, spaced, image=_png(width, height)))
    assert (theme.columns, theme.rows) == (48, 40)
    assert theme.at(49) == (1, 1)
    assert theme.at_px(49) == (12, 12)


def test_variants_join_the_tile_that_they_are_of(tmp_path: Path) -> None:
    """A wall alone has weight 10; a floor of weight 3 shares that with its further looks."""
    walls = "[[variant]]\nof = [0, 0]\ntiles = [[40, 2], [41, 2]]\nweights = [5, 2]\n"
    floors = "[[variant]]\nof = [1, 2]\ntiles = [[42, 2]]\nweights = [20]\n"
    theme = load_theme(small_theme.write(tmp_path, ("[wall]", f"{walls}{floors}[wall]")))
    assert theme.walls[0] == Variants((0, 2 * 48 + 40, 2 * 48 + 41), (10, 5, 2))
    tiles = tuple(2 * 48 + column for column in (0, 1, 42, 2))
    assert theme.floors["default"].plain == Variants(tiles, (6 * 30, 3 * 10, 3 * 20, 1 * 30))


def test_further_looks_of_a_thing_keep_its_top(tmp_path: Path) -> None:
    """A statue with another body has the head of the one it is a variant of."""
    theme = load_theme(small_theme.write(tmp_path))
    tile, top = theme.decor["statue"].variants.tiles[1], theme.decor["statue"].overlay[1]
    extra = f"[[variant]]\nof = {list(theme.at(tile))}\ntiles = [[40, 2]]\n[wall]"
    varied = load_theme(small_theme.write(tmp_path, ("[wall]", extra))).decor["statue"]
    assert varied.variants.tiles[1:] == (tile, 2 * 48 + 40)
    assert varied.overlay[1:] == (top, top)


def test_animations_are_kept_by_tile(built_in: Theme) -> None:
    """A torch burns in four frames."""
    assert built_in.animations[built_in.decor["torch"].variants.tiles[0]] == Animation(4, 150)


def test_uses_tell_what_each_tile_is_for(plain: Theme) -> None:
    """All tiles of a block, the weight of each variant, and nothing twice."""
    uses = plain.uses()
    assert list(uses) == sorted(uses, key=lambda use: use.tile) and len(uses) == len(set(uses))
    boulder = [use.tile for use in uses if (use.role, use.name) == ("decor", "boulder")]
    first = plain.decor["boulder"].variants.tiles[0]
    assert boulder == [first + dx + dy * 48 for dy in range(2) for dx in range(4)]
    floors = [use for use in uses if (use.role, use.name) == ("floor", "default")]
    assert [use.weight for use in floors if not use.state] == [6, 3, 1]
    assert {use.mask for use in uses if use.role == "pit"} == set(MASKS)
    assert {use.state for use in uses if use.role == "door"} == {"open", "shut"}


BROKEN = [
    ('name = "plain"', 'name = "../x"', r"name: '\.\./x' is not a valid file name; begin with"),
    ('name = "plain"', "name = 3", "name: 3 is not text"),
    *(
        (
            'name = "plain"',
            f'name = "{name}"',
            f"name: '{name[:57]}.* is not a valid file name; begin with a letter or digit, then up to 63 of A-Za-z0-9._-",
        )
        for name in ("", ".", "..", "...", ".hidden", "-rf", "a b", "a/b", "a" * 65)
    ),
    *(
        ('name = "plain"', f'name = "{name}"', f"name: '{name}' is a device on Windows; give another name")
        for name in ("CON", "nul", "Aux.old", "COM1", "lpt9.a.b")
    ),
    *(
        (
            'name = "plain"',
            f'name = "{name}"',
            f"name: '{name}' is the built-in theme's name, so its files would be replaced; give another",
        )
        for name in ("undercroft", "Undercroft")
    ),
    ('image = "plain.png"', "", "image: is missing"),
    ('image = "plain.png"', 'image = "../plain.png"', "image: '../plain.png' is not a file in the"),
    ('image = "plain.png"', 'image = "/etc/passwd"', "image: '/etc/passwd' is not a file in the"),
    ('image = "plain.png"', 'image = "a\\\\b"', "is not a file in the theme's folder; put it there"),
    ('image = "plain.png"', 'image = "a\\u0000b"', "is not a file in the theme's folder; put it there"),
    ('image = "plain.png"', 'image = "."', "is not a file in the theme's folder; put it there"),
    (
        'image = "plain.png"',
        'image = "none.png"',
        r"plain.toml: image: .*none.png: cannot be read: No such file",
    ),
    ("tile_size = 8", "tile_size = 7", "tile_size: 7 is not a whole number from 8 to 64"),
    ("tile_size = 8", "tile_size = true", "tile_size: True is not a whole number from 8 to 64"),
    ("tile_size = 8", "tile_size = 8\nmargin = -1", "margin: -1 is not a whole number from 0 to 7"),
    ("tile_size = 8", "tile_size = 8\ntile_sise = 8", "tile_sise: unknown key; did you mean tile"),
    ("tiles = [[5, 2]]", "tiles = [[48, 2]]", r"floor.boss.tiles\[0\]: \[48, 2\] is outside the sheet of 48"),
    ("tiles = [[5, 2]]", "tiles = [[-1, 2]]", r"floor.boss.tiles\[0\]: \[-1, 2\] is outside the sheet"),
    ("tiles = [[5, 2]]", "tiles = [5, 2]", r"floor.boss.tiles: \[5, 2\] is one tile; give a list of them"),
    ("tiles = [[5, 2]]", "tiles = [[5.0, 2]]", r"floor.boss.tiles\[0\]: .* is not a tile"),
    ("tiles = [[5, 2]]", "tiles = []", "floor.boss.tiles: is empty; give at least one"),
    ("tiles = [[5, 2]]", "", "floor.boss.tiles: is missing"),
    ("tiles = [[5, 2]]", "tils = [[5, 2]]", r"floor.boss.tils: unknown key; did you mean tiles\?"),
    (
        "tiles = [[5, 2]]",
        f"tiles = {[[5, 2]] * 257}",
        "floor.boss.tiles: has 257 entries; at most 256 are allowed",
    ),
    ("tiles = [[5, 2]]", "tiles = [[5, 2]]\nframs = 2", "floor.boss.frams: unknown key"),
    ("[floor.boss]", "[floor.bos]", "floor.bos: unknown key; did you mean boss?"),
    ("[floor.boss]", '[floor."b\\noss"]', r"floor.b\\noss: unknown key"),
    ("weights = [6, 3, 1]", "weights = [6, 3]", "floor.default.weights: has 2 weights for 3 tiles; give 3"),
    (
        "weights = [6, 3, 1]",
        "weights = [6, 3, 0]",
        r"default.weights\[2\]: 0 is not a whole number from 1 to 10000",
    ),
    (
        "weights = [6, 3, 1]",
        "weights = [6, 3, 1.0]",
        r"floor.default.weights\[2\]: 1.0 is not a whole number",
    ),
    ("first = [0, 0]", "first = [2, 0]", r"wall.first: \[2, 0\], which takes 47 x 1 tiles,"),
    ("first = [0, 0]", "first = [0, 0]\nlast = 3", "wall.last: unknown key"),
    (
        '[wall]\nset = "blob47"',
        '[wall]\nset = "wang16"',
        "wall.set: unknown set 'wang16'; choose one of blob47, edge16",
    ),
    ("shut = [[4, 3], [5, 3],", "shut = [[4, 3],", "door.open.north.shut: has 3 tiles; give 1 or 4"),
    ("[door.open.north]", "[door.opne.north]", "incomplete; add door.open.north"),
    ("[wall]", "[door.bos.east]\n[wall]", "door.bos: unknown key; did you mean boss?"),
    ("[wall]", "[door.boss.up]\n[wall]", "door.boss.up: unknown key; choose one of"),
    ("[wall]", "[door.boss.east]\nopen = [[1, 1]]\n[wall]", "door.boss.east.shut: is missing"),
    ("frames = 1", "frames = 65", "decor.torch.frames: 65 is not a whole number from 1 to 64"),
    ("frames = 1", "frames = 48", r"decor.torch.tiles: \[1, \d+\], which takes 48 x 1 tiles, is outside"),
    ("frames = 1", "frames = 2", r"is both a frame of an animation and a tile"),
    ("[decor.table]", "[decor.table]\nframes = 2", "decor.table.frames: only things one tile wide"),
    ("[decor.rock]", "[decor.rock]\noverlay = [[1, 1]]", "decor.rock.overlay: has 1 tiles; give one"),
    ("[decor.rock]", "[decor.rok]", "decor.rok: unknown key; did you mean rock"),
    ("[decor.rock]", "[decor.rok]\n[decor.rock]", "decor.rok: unknown key; did you mean rock"),
    ("[marker.enemy]", "[marker.enmy]", "marker.enmy: unknown key; did you mean enemy?"),
    ("[marker.enemy]\nicon", "[marker.enemy]\nicn", r"marker.enemy.icn: unknown key; did you mean icon\?"),
    ("[wall]", "[[variant]]\nof = [47, 39]\ntiles = [[1, 1]]\n[wall]", r"variant\[0\].of: .* is not a tile"),
    ("[wall]", "[variant]\nof = [0, 0]\n[wall]", "variant: .* is not a list; write"),
    ("[wall]", "[wall]\n[wall]", "wall: is given twice, again in line"),
    ("[wall]", "x = " + "[" * 5000 + "\n[wall]", "lists or tables are nested too deeply"),
    ("[wall]", "x = " + "9" * 5000 + "\n[wall]", "a number has thousands of digits"),
    ("[marker.enemy]", "[marker]\nboss = 3\n[marker.enemy]", "marker.boss: 3 is not a table"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_what_is_wrong_is_said_in_one_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    """The file, the key, what is wrong with the value, and what to do."""
    path = small_theme.write(tmp_path, (old, new))
    with pytest.raises(ThemeError, match=message) as caught:
        load_theme(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_everything_that_is_missing_is_listed_at_once(tmp_path: Path) -> None:
    """Whoever starts a theme from nothing reads what it needs."""
    path = tmp_path / "new.toml"
    path.write_text('name = "new"\nimage = "new.png"\ntile_size = 8\n')
    (tmp_path / "new.png").write_bytes(_png(8, 8))
    with pytest.raises(ThemeError, match=r"is incomplete; add floor.default, wall$"):
        load_theme(path)


def test_links_do_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    """A theme from a stranger must not publish a file from elsewhere as its image."""
    theme, elsewhere = tmp_path / "theme", tmp_path / "elsewhere.png"
    theme.mkdir()
    elsewhere.write_bytes(small_theme.sheet())
    path = small_theme.write(theme)
    (theme / "plain.png").unlink()
    try:
        (theme / "plain.png").symlink_to(elsewhere)
    except OSError:
        pytest.skip("links are not allowed here")
    with pytest.raises(ThemeError, match=r"not a file in the theme's folder"):
        load_theme(path)
    (theme / "plain.png").unlink()
    (theme / "plain.png").symlink_to("plain.png")
    with pytest.raises(ThemeError):
        load_theme(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_an_image(tmp_path: Path) -> None:
    """Reading one would wait for ever."""
    path = small_theme.write(tmp_path)
    (tmp_path / "plain.png").unlink()
    os.mkfifo(tmp_path / "plain.png")
    with pytest.raises(ThemeError, match=r"is not a file"):
        load_theme(path)


def test_the_toml_file_must_be_one(tmp_path: Path) -> None:
    """There, a file, of a sensible size, and text."""
    with pytest.raises(ThemeError, match=r"cannot be read: No such file"):
        load_theme(tmp_path / "none.toml")
    with pytest.raises(ThemeError, match=r"is not a file"):
        load_theme(tmp_path)
    path = tmp_path / "t.toml"
    path.write_bytes(b"#" * (1 << 20) + b"#")
    with pytest.raises(ThemeError, match=r"is larger than 1048576 bytes"):
        load_theme(path)
    path.write_bytes(b'name = "\xff"')
    with pytest.raises(ThemeError, match=r"is not UTF-8 at byte 8"):
        load_theme(path)


def _ihdr(width: int, height: int) -> bytes:
    header = struct.pack(">4sIIBBBBB", b"IHDR", width, height, 8, 6, 0, 0, 0)
    return struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))


def _png(width: int, height: int, further: bytes = b"") -> bytes:
    """A PNG file's chunks without pixels: enough to be measured."""
    end = struct.pack(">I4sI", 0, b"IEND", zlib.crc32(b"IEND"))
    return b"\x89PNG\r\n\x1a\n" + _ihdr(width, height) + further + end


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (b"", "image: is not a PNG image"),
        (b"GIF89a" + bytes(100), "image: is not a PNG image"),
        (_png(48, 40)[:-1], "image: is cut short"),
        (_png(48, 40)[:30], "image: is cut short"),
        (_png(0, 40), "0 x 40 px is not a valid size for a theme"),
        (_png(16385, 8), "16385 x 8 px is not a valid size for a theme"),
        (_png(16384, 16384), "16384 x 16384 px is not a valid size for a theme"),
        (_png(7, 7), "image: 7 x 7 px have space for 0 x 0 tiles of 8 px; give the whole"),
        (_png(56, 48), "is outside the sheet of 7 x 6 tiles; .* or another tile_size"),
        (_png(384, 16), r"floor.default.tiles\[0\]: .* the sheet of 48 x 2 tiles; .* or another tile_size"),
        (_png(48, 40, further=_ihdr(16384, 4096)), "image: has two headers; save it again as PNG"),
    ],
)
def test_the_image_is_measured_before_it_is_trusted(image: bytes, message: str, tmp_path: Path) -> None:
    """Nothing is unpacked for that, so a bomb stays packed."""
    with pytest.raises(ThemeError, match=message):
        load_theme(small_theme.write(tmp_path, image=image))


WHOLE = small_theme.sheet()
PIXELS = WHOLE.index(b"IDAT") + 8


@pytest.mark.parametrize(
    "image",
    [
        _png(384, 320),  # no pixels at all
        WHOLE[:PIXELS] + bytes(40) + WHOLE[PIXELS + 40 :],
        WHOLE.replace(b"IDAT", b"IDAX"),
        WHOLE[:25] + b"\x07" + WHOLE[26:],  # a kind of colour that there is not
    ],
    ids=["empty", "scratched", "renamed", "colour"],
)
def test_an_image_that_cannot_be_decoded_is_said_in_one_line(image: bytes, tmp_path: Path) -> None:
    """The file and the key, not where in the machine's memory it was."""
    theme = load_theme(small_theme.write(tmp_path, image=image))
    with pytest.raises(ThemeError) as caught:
        atlas_pixels(theme)
    said = str(caught.value)
    assert said.startswith(f"{tmp_path / 'plain.toml'}: image: cannot be decoded")
    assert said.endswith("; save it again as PNG")
    assert "\n" not in said and not re.search(r"0x[0-9a-f]{6}|<", said)


def test_the_pixels_are_those_of_the_image(built_in: Theme) -> None:
    pixels = atlas_pixels(built_in)
    assert pixels.shape == (built_in.rows * 16, built_in.columns * 16, 4)
    assert (pixels[..., 3] > 0).any()


@pytest.mark.parametrize("image", [_png(384, 320), WHOLE], ids=["empty", "whole"])
def test_check_decodes_the_image(image: bytes, tmp_path: Path) -> None:
    path = small_theme.write(tmp_path, image=image)
    done = CliRunner().invoke(main, ["check", str(path)])
    if image == WHOLE:
        assert (done.exit_code, done.stdout) == (0, "")
    else:
        assert done.exit_code == 1
        assert done.output.startswith(f"{path}: image: cannot be decoded")


TEXT = small_theme.text()
SNIPPETS = st.sampled_from([*'[]"\n=.\0é', "", "[[", "-1", "9" * 20, "1e400", "true", "inf", "{}"])
EDITS = st.tuples(st.integers(0, len(TEXT)), st.integers(0, 12), SNIPPETS)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(EDITS, min_size=1, max_size=3))
def test_no_damage_gets_further_than_a_theme_error(edits: list[tuple[int, int, str]], tmp_path: Path) -> None:
    """Whatever happens to the text, it is a theme still, or refused in one line."""
    damaged = TEXT
    for at, length, snippet in edits:
        damaged = damaged[:at] + snippet + damaged[at + length :]
    path = small_theme.write(tmp_path)
    path.write_text(damaged, "utf-8")
    try:
        theme = load_theme(path)
    except ThemeError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert all(0 <= use.tile < theme.columns * theme.rows for use in theme.uses())


@given(st.binary(max_size=200))
def test_no_image_is_trusted_for_its_name(data: bytes) -> None:
    """Bytes that begin like a PNG file are measured or refused."""
    from exporters.theme.file import png_size

    for image in (data, _png(8, 8)[:16] + data, _png(8, 8)[:-12] + data):
        try:
            width, height = png_size(image, "x")
        except ThemeError:
            continue
        assert 0 < width <= 16384 and 0 < height <= 16384
