"""Automapping rules in the real Tiled: who paints one layer gets what a level of the theme has there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from click.testing import CliRunner

import exporters
import generator
from exporters.dress import Layers, dress, tiles_by_rules
from exporters.formats.tiled.write_rules import DOOR, FLOOR, PIT, TORCH, WALL
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.cli.group import main
from generator.level import Level

from .conftest import layer, read
from .editor import editor

_PAINTED = {"floor": FLOOR, "wall": WALL, "pit": PIT, "door": DOOR}


def plainly(level: Level) -> Level:
    """The level with what a sketch can say: one kind of rooms, doors and floors, pits and torches."""
    terrain = {kind.name: number for number, kind in enumerate(level.terrain_kinds)}
    torch = next(number for number, kind in enumerate(level.decor_kinds) if kind.name == "torch")
    return replace(
        level,
        terrain=np.where(np.isin(level.terrain, [terrain["bridge"], terrain["rubble"]]), terrain["floor"], level.terrain),
        decor=np.where(level.decor == torch, torch, 0).astype(level.decor.dtype),
        rooms=tuple(replace(room, kind="normal", zone="") for room in level.rooms),
        doors=tuple(replace(door, kind="open") for door in level.doors),
        markers=(),
    )  # fmt: skip


def sketch(level: Level) -> npt.NDArray[np.intp]:
    """What is painted [y, x], 0 for nothing, else 1 + the tile of the sketch."""
    numbers = [1 + _PAINTED.get(kind.name, -1) for kind in level.terrain_kinds]
    return np.where(level.decor > 0, 1 + TORCH, np.array(numbers)[level.terrain])


def painted(path: Path, cells: npt.NDArray[np.intp], theme: Theme) -> None:
    """A map in which only the sketch is painted."""
    map_ = read(path)
    for each in map_["layers"]:
        each.update({"data": [0] * cells.size} if each["type"] == "tilelayer" else {"objects": []})
    first = 1 + theme.columns * theme.rows
    map_["tilesets"].append({"firstgid": first, "source": f"rules/{theme.name}-sketch.tsj"})
    gids = np.where(cells > 0, cells - 1 + first, 0)
    map_["layers"].append(
        {**map_["layers"][0], "data": gids.ravel().tolist(), "id": map_["nextlayerid"], "name": "Sketch"}
    )
    map_["nextlayerid"] += 1
    path.write_text(json.dumps(map_), "utf-8")


def tiles(map_: dict[str, Any], name: str, level: Level) -> npt.NDArray[np.intp]:
    cells: npt.NDArray[np.intp] = np.array(layer(map_, name)["data"]).reshape(level.terrain.shape) - 1
    return cells


def test_a_sketch_becomes_what_a_level_has_there(tmp_path: Path) -> None:
    """Every tile is one that the theme's rules draw in that place: where these are one, that one."""
    level, theme = plainly(generator.generate("isaac", 7)), load_theme()
    exporters.export(generator.generate("isaac", 7), ["json", "tiled"], name="a").write(tmp_path)
    done = CliRunner().invoke(main, ["tiled", "rules", str(tmp_path)])
    assert done.exit_code == 0, done.output
    path, wanted = tmp_path / "a.tmj", dress(level, theme)
    painted(path, sketch(level), theme)
    with editor(
        "map.autoMap(); map.save();", tmp_path / "undercroft.tiled-project", path, home=tmp_path / "home"
    ):
        map_ = read(path)
    seen = Layers(*(tiles(map_, name.capitalize(), level) for name in Layers._fields))
    for name, ours, theirs in zip(Layers._fields, wanted, seen, strict=True):
        assert np.array_equal(ours >= 0, theirs >= 0), name
        if name not in ("ground", "walls"):
            assert np.array_equal(ours, theirs), name
            continue
        places = [(int(x), int(y)) for y, x in np.argwhere(ours >= 0)]
        known = tiles_by_rules(level, theme, name, places)
        assert [theirs[y, x] in row for (x, y), row in zip(places, known, strict=True)].count(False) == 0
    assert (wanted.decor >= 0).sum() > 9 and len(level.doors) > 5
    size = theme.tile_size
    doors = {
        (each["x"] // size, each["y"] // size, each["width"] // size, each["height"] // size)
        for each in layer(map_, "DoorObjects")["objects"]
        if each["type"] == "door"
    }
    rects = [
        (*map(min, zip(*door.tiles, strict=True)), *map(max, zip(*door.tiles, strict=True)))
        for door in level.doors
    ]
    assert doors == {(x, y, right - x + 1, bottom - y + 1) for x, y, right, bottom in rects}
