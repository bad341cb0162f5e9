"""A new room is painted with the tops and fronts of its walls, or below the front of another room's wall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import exporters
import generator
from exporters.dress import dressed
from exporters.reading.back import bring_back
from exporters.reading.new_room import map_of_level, new_room
from exporters.theme.loader import load_theme
from generator.geometry import Rect

from .editors import editor_of
from .structure_edits import draw_room

AREA = Rect(32, 20, 15, 9)  # below another room


@pytest.mark.parametrize("is_dressed", [True, False])
def test_a_painted_room_is_itself_and_no_more(is_dressed: bool, tmp_path: Path) -> None:
    """Its tops and fronts are no walls; a front that was there already, and stays, is its wall."""
    level, path = generator.generate("isaac", 7), tmp_path / "cellar.tmj"
    exporters.export(level, "tiled", name="cellar").write(tmp_path)
    made = new_room(map_of_level(path, path.read_bytes()), AREA, "normal")
    edit = editor_of(path, level)
    draw_room(edit, AREA)
    fronts = dressed(level, load_theme())[1].walls
    tiles = [(name, *tile) for name, drawn in made.layers.items() for tile in drawn]
    if not is_dressed:
        tiles = [("walls", x, AREA.y, int(fronts[AREA.y, x])) for x in range(AREA.x, AREA.right)]
    for name, x, y, index in tiles:
        edit.set_tile(name, (x, y), index)
    edit.save()
    seen, wanted = (np.argwhere(one.terrain == 0).tolist() for one in (bring_back(path).level, made.level))
    assert seen == wanted  # where nothing is
