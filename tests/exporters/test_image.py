"""The picture of a level."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from PIL import Image

from exporters import export, image
from exporters import image as stacks
from exporters.dress import EMPTY, Layers, dress
from exporters.formats.png.syntax import png_bytes
from exporters.theme import Theme
from exporters.theme.image import Coloured
from generator.errors import BadInput, ThemeError
from generator.kinds import SHIPPED
from generator.level import Level, Marker
from tests.exporters import small_theme
from tests.exporters.small_level import drawn, fifteen_rooms

Pixel = tuple[int, int, int, int]

LEVEL = drawn(
    """
##########
#........#
#..~~=...#
#..~~.,..#
##########
""",
    decor={(1, 1): "boulder", (6, 2): "statue", (7, 1): "rug", (4, 0): "torch"},
)


def decoded(data: bytes) -> npt.NDArray[np.uint8]:
    """What Pillow reads."""
    with Image.open(io.BytesIO(data)) as picture:
        picture.load()
        return np.asarray(picture.convert("RGBA"))


def png(level: Level, theme: Theme, **options: object) -> npt.NDArray[np.uint8]:
    """The picture that `export` makes."""
    bundle = export(level, "png", {f"png.{key}": value for key, value in options.items()}, theme)
    assert list(bundle) == ["isaac-7.png"]
    return decoded(bundle["isaac-7.png"])


def blended(below: Pixel, above: Pixel) -> Pixel:
    """One pixel over another, in exact fractions, rounded once (halves up)."""
    a, b = Fraction(above[3], 255), Fraction(below[3], 255)
    alpha = a + b * (1 - a)
    if not alpha:
        return 0, 0, 0, 0
    mixed = [(x * a + y * b * (1 - a)) / alpha for x, y in zip(above[:3], below[:3], strict=True)]
    red, green, blue, opacity = (int(value + Fraction(1, 2)) for value in (*mixed, alpha * 255))
    return red, green, blue, opacity


def slowly(layers: Layers, theme: Theme, background: Pixel) -> npt.NDArray[np.uint8]:
    """The reference: pixel by pixel, layer by layer."""
    atlas, size = decoded(theme.image), theme.tile_size
    height, width = layers.ground.shape
    result = np.empty((height * size, width * size, 4), np.uint8)
    for y, x in np.ndindex(height * size, width * size):
        pixel = background
        for layer in layers:
            index = int(layer[y // size, x // size])
            if index != EMPTY:
                left, top = theme.at_px(index)
                red, green, blue, alpha = atlas[top + y % size, left + x % size].tolist()
                pixel = blended(pixel, (red, green, blue, alpha))
        result[y, x] = pixel
    return result


def seen(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Without the colour of pixels that cannot be seen."""
    return picture * (picture[..., 3:] > 0)


@pytest.mark.parametrize("background", ["", "#102030"])
def test_the_picture_is_that_of_a_slow_compositor(background: str, plain: Theme) -> None:
    """With pixels that are see-through, solid and half transparent, on nothing and on a colour."""
    colour = (16, 32, 48, 255) if background else (0, 0, 0, 0)
    picture = png(LEVEL, plain, background=background)
    assert np.array_equal(seen(picture), seen(slowly(dress(LEVEL, plain), plain, colour)))


@given(*[st.tuples(*[st.integers(0, 255)] * 4)] * 2)
def test_over_is_exact(below: Pixel, above: Pixel) -> None:
    """Each result is the nearest whole number."""
    result = stacks.over(np.array([below], np.uint8), np.array([above], np.uint8))
    assert seen(result)[0].tolist() == list(blended(below, above))


def test_void_is_transparent_and_rooms_are_solid(built_in: Theme) -> None:
    """The built-in theme has no half transparent pixels."""
    level = fifteen_rooms()
    alpha = png(level, built_in)[..., 3]
    assert alpha.shape == (level.height * 16, level.width * 16)
    assert (alpha[:16] == 0).all()
    assert set(np.unique(alpha).tolist()) == {0, 255}


def test_few_colours_make_a_palette(built_in: Theme) -> None:
    """The pixels are exactly those of the same picture without a palette, even invisible ones."""
    level = fifteen_rooms()
    data = export(level, "png", {}, built_in, "small")["small.png"]
    layers = dress(level, built_in)
    whole = np.concatenate(list(image.composed(layers, built_in, (0, 0, 0, 0))))
    assert np.array_equal(whole, slowly_stamped(layers, built_in))
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == "P" and len(picture.getcolors() or ()) < 64
    assert np.array_equal(decoded(data), whole)
    height, width = whole.shape[:2]
    assert len(data) < 0.75 * len(png_bytes(width, height, iter([whole])))


def slowly_stamped(layers: Layers, theme: Theme) -> npt.NDArray[np.uint8]:
    """Like `slowly`, tile by tile, for a theme whose pixels are either opaque or transparent."""
    atlas, size = decoded(theme.image), theme.tile_size
    height, width = layers.ground.shape
    result = np.zeros((height * size, width * size, 4), np.uint8)
    for layer in layers:
        for y, x in np.argwhere(layer != EMPTY).tolist():
            left, top = theme.at_px(int(layer[y, x]))
            tile = atlas[top : top + size, left : left + size]
            place = result[y * size : (y + 1) * size, x * size : (x + 1) * size]
            place[tile[..., 3] > 0] = tile[tile[..., 3] > 0]
    return result


def test_many_colours_make_none(plain: Theme) -> None:
    """Every pixel of this theme has a colour of its own."""
    data = export(LEVEL, "png", {}, plain, "noise")["noise.png"]
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == "RGBA"


@pytest.mark.parametrize(
    ("others", "mode"),
    [
        ([], "RGB"),
        ([(0, 0, 0, 0)], "RGB"),
        ([(9, 0, 0, 0)], "RGBA"),
        ([(0, 0, 0, 0), (0, 0, 1, 0)], "RGBA"),
        ([(0, 0, 0, 7)], "RGBA"),
    ],
)
def test_one_of_many_colours_stands_for_what_is_transparent(
    others: list[tuple[int, int, int, int]], mode: str
) -> None:
    """Unless an opaque one is equal."""
    colours = np.array([(9, number % 256, number // 256, 255) for number in range(300)] + others, np.uint8)
    numbers = np.resize(np.arange(len(colours), dtype=np.uint32), (2, 16, 16))
    places = np.array([[0, 1, 1], [1, 0, 0]])
    data = image.png_of(image.Stacks(Coloured(colours, numbers), places), 1)
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == mode
    rows = [np.concatenate(list(colours[numbers[row]]), axis=1) for row in places]
    assert np.array_equal(decoded(data), np.concatenate(rows))


def test_bands_leave_no_seam(plain: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    """One row of tiles at a time gives the same picture as all at once."""
    at_once = png(LEVEL, plain)
    monkeypatch.setattr(image, "_BAND_BYTES", 1)
    assert np.array_equal(png(LEVEL, plain), at_once)


def test_scale_repeats_pixels(plain: Theme) -> None:
    """Nearest neighbour; nothing is smoothed."""
    small, large = png(LEVEL, plain), png(LEVEL, plain, scale=3)
    assert np.array_equal(large[1::3, 2::3], small)
    assert np.array_equal(large, small.repeat(3, axis=0).repeat(3, axis=1))


def test_markers_have_the_icon_of_their_variant(plain: Theme) -> None:
    """By role, item, tier in this order; else by kind; or none. Drawn only if asked for."""
    icons = plain.icons
    wanted: list[tuple[str, dict[str, bool | int | float | str], int]] = [
        ("enemy", {"role": "flyer"}, icons["enemy_flyer"]),
        ("enemy", {"role": "unheard-of", "tier": "flyer"}, icons["enemy_flyer"]),
        ("enemy", {"role": "unheard-of"}, icons["enemy"]),
        ("enemy", {}, icons["enemy"]),
        ("chest", {"tier": "gold"}, icons["chest_gold"]),
        ("chest", {"tier": 3}, EMPTY),
        ("exit", {}, EMPTY),
        ("key", {"opens": "gate"}, EMPTY),
    ]
    markers = [
        Marker(i, kind, 1 + i, 3, 0, None, properties) for i, (kind, properties, _) in enumerate(wanted)
    ]
    level = replace(LEVEL, markers=tuple(markers))
    assert image.icon_layer(level, plain)[3, 1:9].tolist() == [icon for _, _, icon in wanted]
    assert np.array_equal(png(level, plain), png(LEVEL, plain))
    differs = (png(level, plain, markers=True) != png(LEVEL, plain)).any(axis=-1)
    assert differs[3 * 8 : 4 * 8, 8 : 6 * 8].any() and not differs[: 3 * 8].any()


def test_a_key_may_have_an_icon_of_its_own_and_a_lever_has_one(built_in: Theme) -> None:
    icons = {**built_in.icons, "key_gold_key": 1}
    theme = replace(built_in, icons=icons)
    for properties, icon in (({"opens": "gold_key"}, 1), ({"opens": "gate"}, icons["key"])):
        assert image.marker_icon(Marker(0, "key", 1, 1, 0, properties=properties), theme, SHIPPED) == icon
    lever = Marker(0, "key", 1, 1, 0, properties={"opens": "gate", "lever": True})
    assert image.marker_icon(lever, theme, SHIPPED) == icons["key_lever"]


def test_a_picture_of_nothing(plain: Theme) -> None:
    """A level of void only is transparent."""
    assert not png(drawn("    \n    "), plain).any()


@pytest.mark.parametrize("colour", ["red", "#12345", "#1234567", "#12345g", "102030"])
def test_a_colour_must_be_one(colour: str, plain: Theme) -> None:
    with pytest.raises(BadInput, match=r"png.background: .* is not a colour; give #rrggbb"):
        png(LEVEL, plain, background=colour)


def test_a_picture_too_large_is_refused(built_in: Theme) -> None:
    """Before any of it is drawn."""
    wide = drawn("." * 1000)
    with pytest.raises(BadInput, match=r"png.scale: 8 makes 128000 x 128 px.* at most 65535; give 4 or less"):
        png(wide, built_in, scale=8)
    with pytest.raises(
        BadInput, match=r"1 makes 80000 x 16 px.* 65535; make the level smaller, or leave out"
    ):
        png(drawn("." * 5000), built_in, scale=1)


@pytest.mark.parametrize("at", [33, 60, 5000])
def test_an_image_that_cannot_be_decoded_is_the_themes_fault(at: int, plain: Theme) -> None:
    """Its chunks may be sound and what is in them not."""
    broken = bytearray(small_theme.sheet())
    broken[at : at + 8] = b"\xff" * 8
    with pytest.raises(ThemeError, match=r"plain.toml: image: cannot be decoded"):
        png(LEVEL, replace(plain, image=bytes(broken)))


PICTURES = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=9).map(lambda shape: (*shape, 4)))


@given(PICTURES, st.integers(1, 9))
def test_png_files_are_read_as_they_were_written(pixels: npt.NDArray[np.uint8], rows: int) -> None:
    """Band by band, whatever their height."""
    height, width = pixels.shape[:2]
    bands = (pixels[top : top + rows] for top in range(0, height, rows))
    assert np.array_equal(decoded(png_bytes(width, height, bands)), pixels)


@given(
    arrays(np.uint8, (256, 4), unique=False),
    arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=9)),
    st.integers(1, 9),
)
def test_png_files_with_a_palette_are_read_as_they_were_written(
    palette: npt.NDArray[np.uint8], pixels: npt.NDArray[np.uint8], rows: int
) -> None:
    """Whatever is see-through in the palette, and wherever it stands there."""
    height, width = pixels.shape
    bands = (pixels[top : top + rows] for top in range(0, height, rows))
    assert np.array_equal(decoded(png_bytes(width, height, bands, palette)), palette[pixels])


def test_light_is_that_of_a_slow_lamp(built_in: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ambient light where no torch reaches, the full colour beside one, in whatever bands it is drawn."""
    torch = Marker(0, "torch", 4, 0, 0, None, {"color": "orange", "light_radius_tiles": 2})
    level = replace(LEVEL, markers=(torch, Marker(1, "chest", 7, 3, 0, None, {})))
    plain, shown = png(level, built_in), png(level, built_in, light=True)
    ambient, lamp = ([int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in built_in.light[::-1])
    x, y = (torch.x + 0.5) * 16, (torch.y + 0.5) * 16
    for row, column in np.ndindex(*plain.shape[:2]):
        near = max(0.0, 1 - ((column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2) / 32**2)
        pool = near * near * (3 - 2 * near)
        for part in range(3):
            exact = plain[row, column, part] * min(1.0, (ambient[part] + lamp[part] * pool) / 255)
            assert abs(float(shown[row, column, part]) - exact) < 0.51
    assert np.array_equal(plain[..., 3], shown[..., 3])
    monkeypatch.setattr(stacks, "_BAND_BYTES", 1)
    assert np.array_equal(png(level, built_in, light=True), shown)
    assert np.array_equal(png(level, built_in, light=True, scale=2)[1::2, 1::2], shown)
