"""The example of a kit that extends nothing: a space station, by data alone."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from exporters.theme.loader import check_theme
from generator.kinds import Kit, read_kit
from generator.kinds.kind_tables import RUBBLE
from tests.commands import undercroft_line

ROOT = Path(__file__).parents[2]
ORBITAL = ROOT / "docs" / "examples" / "orbital"
THEME = ORBITAL / "theme" / "orbital.toml"


@pytest.fixture(scope="module")
def kit() -> Kit:
    return read_kit(ORBITAL)


def test_it_is_another_game(kit: Kit) -> None:
    """Eight kinds of rooms, none of our things, twenty layouts."""
    assert not kit.ships_layouts and len(kit.kinds.rooms) == 8
    assert {kind.name for kind in kit.kinds.terrain[RUBBLE + 1 :]} == {"coolant", "grating"}
    assert {"crate", "vent", "reactor"} < set(kit.kinds.decor_ids) and "rock" not in kit.kinds.decor_ids
    assert {kind.role for kind in kit.kinds.enemies.values()} == {
        "walker",
        "shooter",
        "flyer",
        "brute",
        "turret",
    }
    assert len(list((ORBITAL / "layouts").rglob("*.txt"))) == 20


def test_its_theme_draws_all_of_it(kit: Kit) -> None:
    theme, problems = check_theme(THEME, kit.kinds)
    assert problems == [] and theme is not None
    assert theme.name == "orbital" and theme.labelled == ()
    rooms = {row.icon for row in kit.kinds.rooms.values()}
    assert rooms - {"", "what"} == set(theme.map_icons)


@pytest.mark.parametrize("name", ["orbital", "highnoon"])
def test_the_picture_of_its_page_shows_the_level_of_the_first_command(name: str, tmp_path: Path) -> None:
    page = ORBITAL.parent / name
    text = (page / "README.md").read_text("utf-8")
    line = next(line for line in text.splitlines() if line.startswith("undercroft generate"))
    done = undercroft_line(f"{line} --to png --out {tmp_path}", cwd=ROOT)
    made = Path(done.stdout.splitlines()[0])
    (picture,) = page.glob("*.png")
    assert f"]({picture.name})" in text
    with Image.open(made) as level, Image.open(picture) as shown:
        assert np.array_equal(np.asarray(level.convert("RGBA")), np.asarray(shown.convert("RGBA")))


@pytest.mark.parametrize("name", ["orbital", "highnoon"])
def test_its_sheet_is_what_is_drawn(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theme = ORBITAL.parent / name / "theme" / f"{name}.toml"
    before = set(sys.modules)
    monkeypatch.syspath_prepend(theme.parent)
    spec = importlib.util.spec_from_file_location(f"{name}_draw", theme.parent / "draw.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "HERE", tmp_path)
    module.main()
    for module_name in set(sys.modules) - before:  # `pixels` and the like are names of other drawings too
        if str(theme.parent) in str(getattr(sys.modules[module_name], "__file__", "")):
            del sys.modules[module_name]
    assert (tmp_path / theme.name).read_bytes() == theme.read_bytes()
    drawn, committed = (
        np.asarray(Image.open(path)) for path in (tmp_path / f"{name}.png", theme.with_suffix(".png"))
    )
    assert np.array_equal(drawn, committed)
