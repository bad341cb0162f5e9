"""Stamped tiles: whoever paints a wall with any picture of a wall gets a wall, and no word about a conflict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import exporters
from exporters.edits.record import folder_record
from exporters.reading.sync import synced
from exporters.writing import WriteOutcome, write
from generator.cli import main as command_line
from generator.geometry import Point
from generator.level import Level
from generator.level_file import load_level
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.exported import level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles

CASES = {
    "map": ("cellar.tmj", {}),
    "packed": ("cellar.tmj", {"tiled.encoding": "zlib"}),
    "maps of rooms": ("cellar.world", {"tiled.split": "rooms"}),
    "project": ("cellar.ldtk", {}),
    "scene": ("cellar.tscn", {}),
    "scene for 4.2": ("cellar.tscn", {"godot.target": "4.2"}),
    "scene for 3.6": ("cellar.tscn", {"godot.target": "3.6"}),
    "scenes of rooms": ("cellar.tscn", {"godot.split": "rooms"}),
}


@pytest.fixture
def main(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    name, options = CASES[request.param]
    exporters.export(level_of("isaac"), ["json", "tiled", "ldtk", "godot"], options, name="cellar").write(
        tmp_path
    )
    return tmp_path / name


def stamped(main: Path) -> tuple[Level, list[Point]]:
    """Stamp walls on the floor of rooms, each with another picture of a wall; where they are."""
    level = load_level(main.parent / "cellar.level.json")
    edit = editor_of(main, level)
    tiles = free_tiles(level)[::6][:3]
    pictures = sorted({tiles.tiles[0] for tiles in edit.theme.walls.values()})
    for tile, picture in zip(tiles, pictures[5::7], strict=False):
        if main.suffix == ".ldtk":  # its pictures follow from the value in the grid, by rules
            edit.paint(tile, "wall")
        else:
            edit.set_tile("walls", tile, picture)
            edit.set_tile("ground", tile, None)
    edit.save()
    return level, tiles


def sync(folder: Path) -> WriteOutcome:
    with folder_record(folder) as record:
        (one,) = synced(folder, record=record)
    assert not one.conflicts
    return write(one.bundle, folder, "merge", merged=one)


def are_walls(folder: Path, tiles: list[Point]) -> bool:
    level = load_level(folder / "cellar.level.json")
    return {level.terrain_kinds[level.terrain[y, x]].name for x, y in tiles} == {"wall"}


@pytest.mark.parametrize("main", CASES, indirect=True)
def test_a_stamped_wall_is_a_wall_whatever_its_picture(main: Path) -> None:
    _, tiles = stamped(main)
    outcome = sync(main.parent)
    assert [change.conflicts for change in outcome.changes] == [0] * len(outcome.changes)
    assert are_walls(main.parent, tiles)
    assert not list(main.parent.glob("*.conflicts*")) and not list(main.parent.glob("*.mine*"))
    with folder_record(main.parent) as record:
        assert [one.level for one in synced(main.parent, record=record)] == [None]


@pytest.mark.parametrize("main", ["map", "scene"], indirect=True)
def test_import_takes_it_alike(main: Path) -> None:
    _, tiles = stamped(main)
    done = CliRunner().invoke(
        command_line, ["import", str(main), "--out", str(main.parent), "--edits", "merge"]
    )
    assert done.exit_code == 0 and "no place" not in done.stderr
    assert are_walls(main.parent, tiles)


@pytest.mark.parametrize("main", ["map"], indirect=True)
def test_a_tile_of_ones_own_beside_a_stamped_wall_stays(main: Path) -> None:
    """It is not the level's, so nothing has taken it: neither drawn over in silence, nor lost."""
    _, tiles = stamped(main)
    made = json.loads(main.read_text())
    made["tilesets"].append({"firstgid": 5000, "source": "own.tsj"})
    at = (tiles[0][1] - 1) * made["width"] + tiles[0][0]
    walls = next(layer for layer in made["layers"] if layer["name"] == "Walls")
    walls["data"][at] = 5001
    main.write_text(json.dumps(made))
    sync(main.parent)
    layers = json.loads(main.read_text())["layers"]
    assert any(5001 in layer.get("data", ()) for layer in _all(layers))


def _all(layers: list[dict[str, object]]) -> list[dict[str, object]]:
    inside = [each for layer in layers for each in _all(layer.get("layers", []))]  # type: ignore[arg-type]
    return [*layers, *inside]


@pytest.mark.parametrize("main", ["map"], indirect=True)
def test_a_look_that_was_painted_on_purpose_stays_where_the_level_is_as_before(main: Path) -> None:
    level = load_level(main.parent / "cellar.level.json")
    edit = editor_of(main, level)
    walled = free_tiles(level)[::6][:3]
    x, y = next(tile for tile in free_tiles(level) if min(_distance(tile, wall) for wall in walled) > 4)
    ground = json.loads(main.read_text())["layers"][0]["data"][y * level.width + x] - 1
    other = next(tile for tile in edit.theme.floors["default"].plain.tiles if tile != ground)
    edit.set_tile("ground", (x, y), other)
    edit.save()
    _, tiles = stamped(main)
    sync(main.parent)
    layers = {layer["name"]: layer for layer in json.loads(main.read_text())["layers"]}
    assert tiles == walled and are_walls(main.parent, tiles)
    assert layers["Ground"]["data"][y * level.width + x] == other + 1


def _distance(a: Point, b: Point) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


@pytest.mark.parametrize("main", ["map"], indirect=True)
def test_a_wall_that_was_flipped_is_a_wall(main: Path) -> None:
    _, tiles = stamped(main)
    made = json.loads(main.read_text())
    walls = next(layer for layer in made["layers"] if layer["name"] == "Walls")
    for x, y in tiles:
        walls["data"][y * made["width"] + x] |= 0x8000_0000  # Tiled's flag
    main.write_text(json.dumps(made))
    outcome = sync(main.parent)
    assert [change.conflicts for change in outcome.changes] == [0] * len(outcome.changes)
    assert are_walls(main.parent, tiles)
