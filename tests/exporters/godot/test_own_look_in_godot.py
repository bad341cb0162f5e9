"""Themes of a team's own sheet in the real Godot: made with the commands, drawn to the pixel, painted with."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import exporters
from exporters.blob import CORNERS, SIDES, counted, masks_of
from exporters.theme import Theme, Variants
from exporters.theme_loader import load_theme
from exporters.theme_showroom import showroom
from generator.cli import main
from tests.exporters import own_sheet

from .conftest import SCRIPTS, Project

pytestmark = pytest.mark.xdist_group("godot")

LEVEL = showroom()
NAMES = ("keep", "crossings", "simple")


@pytest.fixture(scope="module")
def looks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Theme]:
    """The first theme filled in, the same with walls of crossings, and with one look for all walls."""
    folder = tmp_path_factory.mktemp("looks")
    done = CliRunner().invoke(main, ["theme", "new", str(own_sheet.write(folder))])
    assert done.exit_code == 0, done.output
    text = own_sheet.filled((folder / "keep.toml").read_text("utf-8"))
    wall = 'set = "edge16"\nfirst = [0, 1]\ncolumns = 8'
    assert wall in text
    walls = (wall, 'set = "dual16"\nfirst = [0, 4]\ncolumns = 8', 'set = "single"\ntiles = [[0, 1]]')
    for name, instead in zip(NAMES, walls, strict=True):
        path = folder / f"{name}.toml"
        path.write_text(text.replace('name = "keep"', f'name = "{name}"').replace(wall, instead), "utf-8")
    return {name: load_theme(folder / f"{name}.toml") for name in NAMES}


@pytest.fixture(scope="module")
def own_project(tmp_path_factory: pytest.TempPathFactory, looks: dict[str, Theme]) -> Project:
    """A project with the level of everything in each look."""
    made = Project(tmp_path_factory.mktemp("own"))
    shutil.copytree(SCRIPTS, made.folder / "probes")
    for name, theme in looks.items():
        exporters.export(LEVEL, ["godot", "png"], theme=theme, name=f"level-{name}").write(made.folder)
    built_in = exporters.export(LEVEL, "godot", name="level")
    built_in.write(made.folder)
    made.run("--headless", "--import")
    return made


@pytest.mark.parametrize("name", NAMES)
def test_godot_draws_a_teams_sheet_as_we_do(name: str, own_project: Project) -> None:
    """With a margin, spacing and half-transparent pixels, which may be rounded apart."""
    picture = own_project.folder / "shot.png"
    picture.unlink(missing_ok=True)
    scene = f"res://level-{name}.tscn"
    own_project.run("-s", "probes/shot.gd", "--", scene, str(picture), display=True)
    drawn, ours = (
        np.asarray(Image.open(path).convert("RGBA")).astype(np.int16)
        for path in (picture, own_project.folder / f"level-{name}.png")
    )
    assert drawn.shape == ours.shape
    assert (ours[..., 3] == 255).mean() > 0.5
    solid = ours[..., 3] == 255
    assert np.abs(drawn[solid] - ours[solid]).max() <= 1
    assert np.array_equal(drawn[..., 3] > 0, ours[..., 3] > 0)


def test_the_brush_paints_with_each_set(own_project: Project, looks: dict[str, Theme]) -> None:
    """As the generator does: by the sides, by all neighbours, or with the one tile."""
    assert [counted(looks[name].walls) for name in NAMES] == [SIDES, SIDES | CORNERS, SIDES]
    shape = np.zeros((9, 12), bool)
    shape[2:7, 2:10] = True
    shape[4:7, 5] = False
    cells = np.argwhere(shape)[:, ::-1].tolist()
    masks = masks_of(shape)
    for name, theme in looks.items():
        answer = own_project.folder / "answer.json"
        orders = own_project.folder / "questions.json"
        orders.write_text(f'[[{{"cells": {cells}, "terrain_set": 0, "terrain": "wall"}}]]')
        paint = ("--headless", "-s", "probes/paint.gd", "--", f"res://{name}.tres", str(orders), str(answer))
        own_project.run(*paint)
        painted = {
            (x, y): row * theme.columns + column
            for (x, y), (column, row) in json.loads(answer.read_bytes())[0]
        }
        assert set(painted) == set(map(tuple, cells))
        for (x, y), tile in painted.items():
            assert tile in theme.walls[int(masks[y, x])].tiles, (name, x, y)


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
