"""The drawing of the built-in theme: a picture's place on the sheet depends on its name alone."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from exporters.theme import Theme
from exporters.theme.image import atlas_pixels, over
from exporters.theme.loader import all_looks, load_theme
from generator.kinds import DECOR_KINDS

ROOT = Path(__file__).parents[1]
ART = ROOT / "docs" / "art"
PLACES = (ART / "places.txt").read_text(encoding="utf-8")

Picture = npt.NDArray[np.uint8]
Painted = list[tuple[str, int, Picture, tuple[int, int]]]  # name, number, picture, place


@pytest.fixture(scope="module")
def draw() -> Iterator[ModuleType]:
    """The script, imported as when it runs; its modules are forgotten afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(ART))
    try:
        import draw as script  # type: ignore[import-not-found]

        yield script
    finally:
        sys.path.remove(str(ART))
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == ART:
                del sys.modules[name]


@pytest.fixture(scope="module")
def painted(draw: ModuleType) -> Painted:
    """Every picture with its place, in the order in which they are painted."""
    found: Painted = []

    class Watched(draw.Canvas):  # type: ignore[misc, name-defined]
        def add(self, name: str, picture: Picture, number: int = 0) -> tuple[int, int]:
            at: tuple[int, int] = super().add(name, picture, number)
            found.append((name, number, picture, at))
            return at

    draw.draw(Watched(draw.Places(PLACES)))
    return found


def places_after(draw: ModuleType, pictures: Painted) -> list[tuple[int, int]]:
    sheet = draw.Canvas(draw.Places(PLACES))
    return [sheet.add(name, picture, number) for name, number, picture, _ in pictures]


def recoloured(picture: Picture) -> Picture:
    changed = picture.copy()
    changed[7, 7] = ord("h") if picture[7, 7] != ord("h") else ord("i")
    return changed


def test_the_committed_files_are_what_is_drawn(draw: ModuleType) -> None:
    places = draw.Places(PLACES)
    sheet = draw.Canvas(places)
    theme = draw.draw(sheet)
    assert theme.text() == (draw.THEMES / "undercroft.toml").read_text(encoding="utf-8")
    assert places.text() == PLACES
    with Image.open(draw.THEMES / "undercroft.png") as image:
        assert np.array_equal(np.asarray(image.convert("RGBA")), sheet.rgba())
    for look in draw.LOOKS:
        canvas = draw.LookCanvas(places)
        assert draw.draw(canvas, look).text() == theme.text(), "all tiles lie at the same places"
        with Image.open(draw.THEMES / f"undercroft-{look.name}.png") as image:
            assert np.array_equal(np.asarray(image.convert("RGBA")), canvas.rgba(look.palette))


def test_the_pictures_of_the_chapters_are_what_is_drawn(draw: ModuleType) -> None:
    import chapters  # type: ignore[import-not-found]

    for path, looks in chapters.PICTURES.items():
        with Image.open(path) as image:
            assert np.array_equal(np.asarray(image), chapters.picture(looks))


def test_the_pictures_of_the_readme_are_pieces_of_others(draw: ModuleType) -> None:
    import front  # type: ignore[import-not-found]

    for name in front.PIECES:
        with Image.open(front.PICTURES / name) as image:
            assert np.array_equal(np.asarray(image), np.asarray(front.cut(name))), "run docs/art/front.py"


def test_the_picture_of_the_flows_shows_the_shipped_ones(draw: ModuleType) -> None:
    import flows  # type: ignore[import-not-found]

    assert_alike(flows.PICTURE, flows.sheet())


def test_the_pictures_of_procedural_show_its_steps(draw: ModuleType) -> None:
    import procedural  # type: ignore[import-not-found]

    for path, made in procedural.sheets().items():
        assert_alike(path, made)


def assert_alike(path: Path, made: Image.Image) -> None:
    """A picture that was kept and one that was made, from afar: other versions draw letters in other ways."""
    with Image.open(path) as image:
        kept = image.convert("RGB")
    assert kept.size == made.size
    small = [np.asarray(each.resize((120, 112)), np.int16) for each in (kept, made)]
    assert np.abs(small[0] - small[1]).mean() < 1


def test_a_further_look_keeps_to_the_places_of_the_first(draw: ModuleType) -> None:
    """A picture without a place, or one that would change another's, is refused."""
    sheet = draw.LookCanvas(draw.Places(PLACES))
    with pytest.raises(ValueError, match=r"decor\.anvil: the first sheet has no picture 0 of 1 x 1 tiles"):
        sheet.add("decor.anvil", np.full((16, 16), ord("3"), np.uint8))
    sheet.add("floor.clean_bedroom.tiles", np.full((16, 16), ord("3"), np.uint8))
    with pytest.raises(ValueError, match="picture 2 shares its place"):
        sheet.add("floor.clean_bedroom.tiles", np.full((16, 16), ord("4"), np.uint8), 2)


def test_no_place_moves_when_a_tile_is_recoloured(draw: ModuleType, painted: Painted) -> None:
    """Half of them are recoloured at a time, so that of any two one is in some half without the other."""
    places = [at for *_, at in painted]
    index = {at: i for i, at in enumerate(dict.fromkeys(places))}
    for bit in range(len(index).bit_length()):
        for kept in (0, 1):
            changed = [
                (name, number, picture if index[at] >> bit & 1 == kept else recoloured(picture), at)
                for name, number, picture, at in painted
            ]
            assert places_after(draw, changed) == places, (bit, kept)


def test_pictures_that_become_the_same_keep_their_places(draw: ModuleType, painted: Painted) -> None:
    changed = [(name, number, np.zeros_like(picture), at) for name, number, picture, at in painted]
    assert places_after(draw, changed) == [at for *_, at in painted]


def test_a_picture_that_no_longer_equals_the_one_it_shared_a_place_with_goes_to_the_end(
    draw: ModuleType, painted: Painted
) -> None:
    sharing = defaultdict(list)
    for i, (*_, at) in enumerate(painted):
        sharing[at].append(i)
    last_row = max(y for _, y in sharing)
    for at, several in sharing.items():
        for i in several[1:]:
            name, number, picture, _ = painted[i]
            changed = [*painted]
            changed[i] = name, number, recoloured(picture), at
            after = places_after(draw, changed)
            assert after[i] not in sharing
            assert after[i][1] >= last_row
            assert after[:i] + after[i + 1 :] == [at for j, (*_, at) in enumerate(painted) if j != i]


def test_a_new_picture_goes_to_the_end(draw: ModuleType, painted: Painted) -> None:
    new = np.full((32, 16), ord("3"), np.uint8)
    places = draw.Places(PLACES)
    sheet = draw.Canvas(places)
    added = [sheet.add("decor.anvil.tiles", new), sheet.add("decor.anvil.tiles", new + 1, 1)]
    after = [sheet.add(name, picture, number) for name, number, picture, _ in painted]
    assert after == [at for *_, at in painted]
    assert places.text() == PLACES + "decor.anvil.tiles 1x2 {},{} {},{}\n".format(*added[0], *added[1])
    free = draw.Places(PLACES)
    assert added[0] == free.free((1, 2))
    assert draw.Places(places.text()).of("decor.anvil.tiles", 1, (1, 2)) == added[1]


QUIET = ("dirt", "puddle", "roots", "cracks", "blood", "straw", "moss")  # what levels have by the hundred
MOST_LIGHT = 25  # of 255: how far a tile of it may be from the bare floor, on average


def test_every_kind_of_decor_is_drawn(painted: Painted) -> None:
    """What there is much of has several pictures, so that a field of it does not repeat."""
    parts = [name.split(".") for name, *_ in painted]
    pictures = Counter(part[1] for part in parts if part[0] == "decor" and part[2] in ("tiles", "frames"))
    assert set(pictures) == {kind.name for kind in DECOR_KINDS[1:]}
    assert pictures["dirt"] >= 4 and all(pictures[name] >= 2 for name in QUIET)


def test_what_lies_on_the_ground_is_quiet() -> None:
    """In every look its tiles are nearly as light as the floor, and those of other things are not."""
    for theme in all_looks(load_theme()):
        sheet = atlas_pixels(theme)

        def tile_at(tile: int, theme: Theme = theme, sheet: Picture = sheet) -> Picture:
            x, y = theme.at_px(tile)
            return sheet[y : y + 16, x : x + 16]

        floor = tile_at(theme.floors["default"].plain.tiles[0])
        for name in (*QUIET, "sack", "bones"):
            for tile in theme.decor[name].variants.tiles:
                changed = over(floor, tile_at(tile)).astype(float) - floor
                is_quiet = np.abs(changed[..., :3] @ [0.299, 0.587, 0.114]).mean() < MOST_LIGHT
                assert is_quiet == (name in QUIET), (theme.name, name)


def test_a_field_of_ground_shows_no_border(painted: Painted) -> None:
    """No outline, no hole in what covers the floor, and a carpet whose last column goes on in its first."""
    pictures = [(name.split(".")[1], picture) for name, _, picture, _ in painted if name.startswith("decor.")]
    ground = [(name, picture) for name, picture in pictures if name in (*QUIET, "dais", "carpet")]
    assert not [name for name, picture in ground if (picture == ord("k")).any()]
    assert not [
        name for name, picture in ground if name in ("dais", "carpet") and (picture == ord(".")).any()
    ]
    (carpet,) = (picture for name, picture in ground if name == "carpet")
    for side in (carpet, carpet.T):
        changes = [int((side[i] != side[i - 1]).sum()) for i in range(16)]
        assert changes[0] <= max(changes[1:])


def test_the_place_of_a_picture_that_is_gone_stays_taken(draw: ModuleType, painted: Painted) -> None:
    places = draw.Places(PLACES)
    sheet = draw.Canvas(places)
    kept = [each for each in painted if each[0] != "decor.web.tiles"]
    for name, number, picture, _ in kept:
        sheet.add(name, picture, number)
    assert places.text() == PLACES


def test_a_picture_of_another_size_gets_another_place(draw: ModuleType) -> None:
    places = draw.Places(PLACES)
    sheet = draw.Canvas(places)
    larger = sheet.add("decor.web.tiles", np.full((32, 32), ord("3"), np.uint8))
    assert places.text() == PLACES + "decor.web.tiles 2x2 {},{}\n".format(*larger)
    assert places.of("decor.web.tiles", 0, (1, 1)) == (13, 21)
