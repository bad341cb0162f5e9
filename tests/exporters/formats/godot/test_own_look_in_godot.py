"""Themes of a team's own sheet in the real Godot: made with the commands, drawn to the pixel, painted with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import exporters
from exporters.blob import CORNERS, SIDES, counted, masks_of
from exporters.theme import Theme, Variants
from exporters.theme.loader import load_theme
from exporters.theme.showroom import showroom
from generator.cli import main
from tests.combinations import usually
from tests.exporters import own_sheet

from .conftest import Project, Project3

pytestmark = pytest.mark.xdist_group("godot")

LEVEL = showroom()
NAMES = tuple(own_sheet.WALLS)


@pytest.fixture(scope="module")
def looks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Theme]:
    """The team's sheet with walls by their sides, on crossings, of one look, as a rim, and thin."""
    return own_sheet.themes(tmp_path_factory.mktemp("looks"))


@pytest.fixture(scope="module")
def own_project(tmp_path_factory: pytest.TempPathFactory, looks: dict[str, Theme]) -> Project:
    """A project with the level of everything in each look."""
    made = Project(tmp_path_factory.mktemp("own"))
    for name, theme in looks.items():
        exporters.export(LEVEL, "godot", theme=theme, name=f"level-{name}").write(made.folder)
    built_in = exporters.export(LEVEL, "godot", name="level")
    built_in.write(made.folder)
    made.begin()
    return made


@pytest.mark.parametrize("name", usually(["crossings", "thin"], NAMES))
def test_godot_draws_a_teams_sheet_as_we_do(
    name: str, own_project: Project, looks: dict[str, Theme], tmp_path: Path
) -> None:
    """With a margin, spacing and half-transparent pixels, which may be rounded apart."""
    exporters.export(LEVEL, "png", theme=looks[name], name="ours").write(tmp_path)
    picture = own_project.shot(f"level-{name}.tscn")
    drawn, ours = (
        np.asarray(Image.open(path).convert("RGBA")).astype(np.int16)
        for path in (picture, tmp_path / "ours.png")
    )
    assert drawn.shape == ours.shape
    assert (ours[..., 3] == 255).mean() > 0.5
    solid = ours[..., 3] == 255
    assert np.abs(drawn[solid] - ours[solid]).max() <= 1
    assert np.array_equal(drawn[..., 3] > 0, ours[..., 3] > 0)


SHAPE = np.zeros((9, 12), bool)
SHAPE[2:7, 2:10] = True
SHAPE[4:7, 5] = False
CELLS: list[list[int]] = np.argwhere(SHAPE)[:, ::-1].tolist()


def check_painted(answer: list[Any], theme: Theme) -> None:
    """Each cell has a tile that the generator could have chosen there."""
    masks = masks_of(SHAPE)
    assert sorted([round(x), round(y)] for (x, y), _ in answer) == sorted(CELLS)
    for (x, y), (column, row) in answer:
        tile = round(row) * theme.columns + round(column)
        assert tile in theme.walls[int(masks[round(y), round(x)])].tiles, (theme.name, x, y)


def test_the_brush_paints_with_each_set(own_project: Project, looks: dict[str, Theme]) -> None:
    """As the generator does: by the sides, by all neighbours, or with the one tile."""
    every = SIDES | CORNERS
    assert [counted(looks[name].walls) for name in NAMES] == [SIDES, every, SIDES, every, every]
    orders = [[{"cells": CELLS, "terrain_set": 0, "terrain": "wall"}]]
    for name, theme in looks.items():
        (answer,) = own_project.ask("paint.gd", f"{name}.tres", orders)
        check_painted(answer, theme)


def test_autotiles_of_godot_3_paint_with_each_set(tmp_path: Path, looks: dict[str, Theme]) -> None:
    """Keys that have no effect there are reported as ignored."""
    old = Project3(tmp_path)
    for theme in looks.values():
        options = {"godot.target": "3.6"}
        exporters.export(LEVEL, "godot", options, theme, f"level-{theme.name}").write(tmp_path)
    old.begin()
    for name, theme in looks.items():
        (answer,) = old.ask("paint.gd", f"{name}.tres", [{"tile": "wall", "cells": CELLS}])
        check_painted(answer, theme)


def test_a_tileset_that_godot_saved_is_a_theme(own_project: Project) -> None:
    """Walls, pits, floors, decor and animations of the built-in theme come back from Godot's own file."""
    folder = own_project.folder
    resave = ("--headless", "-s", "probes/resave.gd", "--", "res://undercroft.tres", "res://saved.tres")
    own_project.run(*resave)
    done = CliRunner().invoke(main, ["theme", "new", str(folder / "saved.tres"), "--name", "again"])
    assert done.exit_code == 0, done.output
    path = folder / "again.toml"
    doors = ("open = []", "open = [[0, 13]]"), ("shut = []", "shut = [[4, 13]]")
    text = path.read_text("utf-8")
    for empty, full in doors:
        text = text.replace(empty, full)
    path.write_text(text, "utf-8")
    again, built_in = load_theme(path), load_theme()
    assert again.image == built_in.image
    for ours, theirs in ((built_in.walls, again.walls), (built_in.pits, again.pits)):
        for mask, look in ours.items():
            assert _shares(look) == _shares(theirs[mask])
    for name, floor in built_in.floors.items():
        assert _shares(floor.plain) == _shares(again.floors[name].plain), name
    for name, thing in built_in.decor.items():
        assert _shares(thing.variants) == _shares(again.decor[name].variants), name
    assert again.animations == built_in.animations


def _shares(look: Variants) -> dict[int, float]:
    """What part of all choices each tile is."""
    shares: dict[int, float] = {}
    for tile, weight in zip(look.tiles, look.weights, strict=True):
        shares[tile] = shares.get(tile, 0) + weight / sum(look.weights)
    return {tile: round(share, 9) for tile, share in shares.items()}
