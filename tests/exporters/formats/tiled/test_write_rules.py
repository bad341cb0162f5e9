"""Automapping rules in the real Tiled: who paints one layer gets what a level of the theme has there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from click.testing import CliRunner

import exporters
import generator
from exporters.dress import dress, tiles_by_rules
from exporters.formats.tiled.write_rules import DOOR, FLOOR, PIT, TORCH, WALL
from exporters.reading.back import bring_back
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


def names(level: Level, what: str) -> npt.NDArray[np.str_]:
    """The terrain or decor of a level by name, as levels may number them otherwise."""
    kinds = level.terrain_kinds if what == "terrain" else level.decor_kinds
    found: npt.NDArray[np.str_] = np.array([kind.name for kind in kinds])[getattr(level, what)]
    return found


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map of a level on which only the sketch was painted, after AutoMap in the editor."""
    folder, level = tmp_path_factory.mktemp("sketch"), generator.generate("isaac", 7)
    exporters.export(level, ["json", "tiled"], name="a").write(folder)
    done = CliRunner().invoke(main, ["tiled", "rules", str(folder)])
    assert done.exit_code == 0, done.output
    path, project = folder / "a.tmj", folder / "undercroft.tiled-project"
    painted(path, sketch(plainly(level)), load_theme())
    with editor("map.autoMap(); map.save();", project, path, home=folder / "home"):
        return path


def test_a_sketch_becomes_what_a_level_has_there(mapped: Path) -> None:
    """Every tile is one that the theme's rules draw in that place: where these are one, that one."""
    level, theme, map_ = plainly(generator.generate("isaac", 7)), load_theme(), read(mapped)
    wanted = dress(level, theme)
    assert (wanted.decor >= 0).sum() > 9 and len(level.doors) > 5
    for name, ours in wanted._asdict().items():
        theirs = tiles(map_, name.capitalize(), level)
        assert np.array_equal(ours >= 0, theirs >= 0), name
        if name not in ("ground", "walls"):
            assert np.array_equal(ours, theirs), name
            continue
        places = [(int(x), int(y)) for y, x in np.argwhere(ours >= 0)]
        known = tiles_by_rules(level, theme, name, places)
        assert [theirs[y, x] in row for (x, y), row in zip(places, known, strict=True)].count(False) == 0


def test_a_sketch_is_read_as_that_level(mapped: Path) -> None:
    """With the rooms' objects, which AutoMap cannot draw, and the torches' lights, which are elsewhere."""
    made, level = read(mapped), generator.generate("isaac", 7)
    whole = json.loads(exporters.export(level, "tiled", name="a")["a.tmj"])
    for each in made["layers"]:
        if each["name"] in ("Rooms", "Lights"):
            each["objects"] = layer(whole, each["name"])["objects"]
    path = mapped.with_name("b.tmj")
    path.write_text(json.dumps(made), "utf-8")
    back = bring_back(path, level_file=mapped.with_name("a.level.json")).level
    for what in ("terrain", "decor"):
        assert np.array_equal(names(back, what), names(plainly(level), what))
    assert {(frozenset(door.tiles), door.kind) for door in back.doors} == {
        (frozenset(door.tiles), door.kind) for door in level.doors
    }
