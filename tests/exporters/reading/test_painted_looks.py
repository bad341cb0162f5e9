"""Looks painted on purpose: a tile that means the same and that the rules never draw there comes home."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest

import exporters
import generator
from exporters.dress import dressed
from exporters.reading.back import bring_back
from exporters.theme.loader import load_theme
from generator.geometry import Point
from generator.level import Level, PaintedLook, Room
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters import small_theme
from tests.exporters.formats.tiled.conftest import run_tiled

from .chain_edits import free_tiles
from .editors import Editor, editor_of
from .exported import FORMS, exported, level_of

SCRIPTS = Path(__file__).parent / "scripts"
MAINS = {"tiled": "cellar.tmj", "ldtk": "cellar.ldtk", "godot": "cellar.tscn"}
MADE = ("generate", "isaac", "--seed", "1", "--set", "rooms=6", "--name", "cellar", "--out", ".")
FORMATS = tuple(part for name in ("json", *MAINS) for part in ("--to", name))


class Painting(NamedTuple):
    """A look: where it is, its layer, the tile of the theme, and a variant that the rules do draw there."""

    at: Point
    layer: str
    tile: int
    usual: int


@pytest.fixture(scope="module")
def cellar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a level in all formats, and its record."""
    folder = tmp_path_factory.mktemp("cellar")
    assert undercroft(*MADE, *FORMATS, cwd=folder).returncode == 0
    return folder


@pytest.fixture
def level(cellar: Path, tmp_path: Path) -> Level:
    """The level, whose files and record are in `tmp_path`, too."""
    shutil.copytree(cellar, tmp_path, dirs_exist_ok=True)
    return load_level(tmp_path / "cellar.level.json")


def paintings(level: Level) -> list[Painting]:
    """A boss's floor in a room of another kind, and the picture of a pillar in the middle of a room's wall."""
    theme, layers = dressed(level, load_theme(None, level.kinds))
    start = start_of(level)
    floor = next(
        tile for tile in free_tiles(level) if start.bounds.contains(*tile) and tile[1] > start.bounds.y + 3
    )
    plain = set(theme.floors["default"].plain.tiles) | set(theme.floors["default"].shaded.tiles)
    other = next(
        tile
        for each in theme.floors.values()
        for tile in each.plain.tiles
        if tile not in plain
        if each is theme.floors.get("boss", each)
    )
    x, y = start.bounds.x + 3, start.bounds.y
    drawn = int(layers.walls[y, x])
    pillar = theme.walls[0].tiles[0]
    assert level.terrain_kinds[level.terrain[y, x]].name == "wall" and drawn != pillar
    here = int(layers.ground[floor[1], floor[0]])
    of_room = next(each.plain.tiles for each in theme.floors.values() if here in each.plain.tiles)
    usual = next(tile for tile in of_room if tile != here)
    return [Painting(floor, "ground", other, usual), Painting((x, y), "walls", pillar, drawn)]


def paint(main: Path, level: Level, some: list[Painting], theme: Path | None = None) -> None:
    edit: Editor = editor_of(main, level, theme)
    for each in some:
        edit.set_tile("terrain_fixed" if main.suffix == ".ldtk" else each.layer, each.at, each.tile)
    edit.save()


def looks_of(some: list[Painting]) -> set[PaintedLook]:
    return {PaintedLook("undercroft", each.layer, *each.at, each.tile) for each in some}


def shown_by_all(folder: Path, level: Level) -> bool:
    """Check whether every file is read back as the level, and shows no edit."""
    return all(
        (back := bring_back(folder / main)).level.fingerprint == level.fingerprint and not back.changes.edits
        for main in MAINS.values()
    )


def nothing_to_do(folder: Path) -> bool:
    done = undercroft("sync", ".", cwd=folder)
    return done.returncode == 0 and not done.stdout.count("wrote") and "left out" not in done.stderr


@pytest.mark.parametrize("format_", MAINS)
def test_a_look_is_in_the_level_and_in_all_formats(format_: str, level: Level, tmp_path: Path) -> None:
    painted = paintings(level)
    paint(tmp_path / MAINS[format_], level, painted)
    done = undercroft("sync", ".", cwd=tmp_path)
    assert done.returncode == 0 and "2 looks changed" in done.stdout + done.stderr, done
    after = load_level(tmp_path / "cellar.level.json")
    assert set(after.looks) == looks_of(painted)
    assert after.fingerprint != level.fingerprint
    assert (after.terrain == level.terrain).all() and (after.decor == level.decor).all()
    assert shown_by_all(tmp_path, after)
    layers = dressed(after, load_theme(None, after.kinds))[1]
    assert [getattr(layers, each.layer)[each.at[1], each.at[0]] for each in painted] == [
        each.tile for each in painted
    ]
    assert nothing_to_do(tmp_path)
    assert not list(tmp_path.glob("*.conflicts*")) and not list(tmp_path.glob("*.mine*"))


@pytest.mark.parametrize("format_", ["tiled", "godot"])
def test_a_tile_that_the_rules_can_draw_there_is_no_look(format_: str, level: Level, tmp_path: Path) -> None:
    painted = [each._replace(tile=each.usual) for each in paintings(level)[:1]]
    paint(tmp_path / MAINS[format_], level, painted)
    done = undercroft("sync", ".", cwd=tmp_path)
    assert done.returncode == 0 and "a tile left out" in done.stderr
    assert load_level(tmp_path / "cellar.level.json").looks == ()


@pytest.mark.parametrize("format_", ["ldtk", "godot"])
def test_a_look_is_taken_back_by_what_the_rules_draw(format_: str, level: Level, tmp_path: Path) -> None:
    painted = paintings(level)
    paint(tmp_path / "cellar.tmj", level, painted)
    undercroft("sync", ".", cwd=tmp_path)
    edit = editor_of(tmp_path / MAINS[format_], level)
    layers = dressed(level, edit.theme)[1]
    for each in painted:
        before = int(getattr(layers, each.layer)[each.at[1], each.at[0]])
        if format_ == "ldtk":
            edit.set_tile("terrain_fixed", each.at, None)
        else:
            edit.set_tile(each.layer, each.at, before)
    edit.save()
    assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
    after = load_level(tmp_path / "cellar.level.json")
    assert after.looks == () and shown_by_all(tmp_path, after)
    assert nothing_to_do(tmp_path)


@pytest.fixture(scope="module")
def elsewhere(cellar: Path) -> int:
    """A seed whose level has the cellar's start room, elsewhere."""
    mine = start_of(load_level(cellar / "cellar.level.json"))
    return next(
        seed
        for seed in range(2, 100)
        if (other := start_of(generator.generate("isaac", seed, rooms=6))).bounds[:2] != mine.bounds[:2]
        and (other.layout, other.shape) == (mine.layout, mine.shape)
    )


def start_of(level: Level) -> Room:
    return next(room for room in level.rooms if room.kind == "start")


@pytest.mark.parametrize(("format_", "is_synced"), [("tiled", True), ("ldtk", False)])
def test_looks_stay_when_the_level_is_made_again(
    format_: str, is_synced: bool, level: Level, tmp_path: Path
) -> None:
    painted = paintings(level)
    paint(tmp_path / MAINS[format_], level, painted)
    if is_synced:
        undercroft("sync", ".", cwd=tmp_path)
    done = undercroft(*MADE, *FORMATS, "--edits", "merge", cwd=tmp_path)
    after = load_level(tmp_path / "cellar.level.json")
    assert done.returncode == 0 and set(after.looks) == looks_of(painted)
    assert shown_by_all(tmp_path, after) and nothing_to_do(tmp_path)


@pytest.mark.parametrize(("format_", "is_synced"), [("tiled", False), ("ldtk", True), ("godot", False)])
def test_looks_move_with_their_room_to_another_level(
    format_: str, is_synced: bool, level: Level, elsewhere: int, tmp_path: Path
) -> None:
    """The start room is in every level; so the looks in it are as far from its corner as before."""
    painted = paintings(level)
    paint(tmp_path / MAINS[format_], level, painted)
    if is_synced:
        undercroft("sync", ".", cwd=tmp_path)
    again = (*MADE[:3], str(elsewhere), *MADE[4:])
    done = undercroft(*again, *FORMATS, "--edits", "merge", cwd=tmp_path)
    after = load_level(tmp_path / "cellar.level.json")
    old, new = map(start_of, (level, after))
    step = new.bounds.x - old.bounds.x, new.bounds.y - old.bounds.y
    moved = {each._replace(x=each.x + step[0], y=each.y + step[1]) for each in looks_of(painted)}
    assert after.seed != level.seed and done.returncode == 0, done
    assert {(each.x, each.y, each.tile) for each in after.looks} == {
        (each.x, each.y, each.tile) for each in moved
    }
    assert shown_by_all(tmp_path, after) and nothing_to_do(tmp_path)
    assert not list(tmp_path.glob("*.conflicts*")) and not list(tmp_path.glob("*.mine*"))


def test_a_look_in_a_room_that_is_gone_is_told_as_lost(level: Level, tmp_path: Path) -> None:
    theme, layers = dressed(level, load_theme(None, level.kinds))
    other = theme.floors["boss"].plain.tiles[0]
    shop = next(room for room in level.rooms if room.kind == "shop")
    x, y = next(tile for tile in free_tiles(level) if shop.bounds.contains(*tile))
    assert layers.ground[y, x] != other
    paint(tmp_path / "cellar.tmj", level, [Painting((x, y), "ground", other, 0)])
    again = ("generate", "gungeon", *MADE[2:4], *MADE[6:])
    done = undercroft(*again, *FORMATS, "--edits", "merge", cwd=tmp_path)
    assert f"the look of ground at {x},{y}: the new level does not have this room" in done.stderr
    assert load_level(tmp_path / "cellar.level.json").looks == ()
    assert (tmp_path / "cellar.mine.tmj").is_file()


def test_diff_lists_a_look_and_undo_takes_it_back(level: Level, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    painted = paintings(level)
    paint(tmp_path / "cellar.tmj", level, painted)
    theirs = (tmp_path / "cellar.tmj").read_bytes()
    assert "look" in undercroft("diff", "cellar.tmj", cwd=tmp_path).stdout
    undercroft("sync", ".", cwd=tmp_path)
    (tmp_path / "older.level.json").write_bytes(before["cellar.level.json"])
    listed = undercroft("diff", "older.level.json", "cellar.level.json", cwd=tmp_path).stdout
    assert [line for line in listed.splitlines() if "look" in line and str(painted[0].tile) in line]
    (tmp_path / "older.level.json").unlink()
    assert undercroft("undo", ".", cwd=tmp_path).returncode == 0
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert after == before | {"cellar.tmj": theirs}


def test_another_theme_lists_the_looks_and_leaves_them_out(level: Level, tmp_path: Path) -> None:
    painted = paintings(level)
    paint(tmp_path / "cellar.tmj", level, painted)
    undercroft("sync", ".", cwd=tmp_path)
    (tmp_path / "look").mkdir()
    toml = str(small_theme.write(tmp_path / "look").relative_to(tmp_path))
    looked = undercroft(*MADE, "--to", "tiled", "--theme", toml, "--edits", "merge", cwd=tmp_path)
    lines = [line for line in looked.stderr.splitlines() if "2 looks of the theme undercroft" in line]
    assert looked.returncode == 0 and len(lines) == 1, looked
    assert all(f"{x},{y}" in lines[0] for (x, y), *_ in painted)
    assert set(load_level(tmp_path / "cellar.level.json").looks) == looks_of(painted)
    assert nothing_to_do(tmp_path)
    plain = undercroft("export", "cellar.level.json", "--to", "tiled", "--out", "same", cwd=tmp_path)
    assert "look" not in plain.stderr


def test_a_wall_over_a_look_takes_it_away(level: Level, tmp_path: Path) -> None:
    painted = paintings(level)
    paint(tmp_path / "cellar.tmj", level, painted)
    undercroft("sync", ".", cwd=tmp_path)
    edit = editor_of(tmp_path / "cellar.tscn", level)
    edit.paint(painted[0].at, "wall")
    edit.save()
    assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
    after = load_level(tmp_path / "cellar.level.json")
    assert set(after.looks) == looks_of(painted[1:]) and shown_by_all(tmp_path, after)
    assert nothing_to_do(tmp_path)


def test_a_look_beside_a_tile_of_other_terrain_is_taken(level: Level, tmp_path: Path) -> None:
    (painted, _), main = paintings(level), tmp_path / "cellar.ldtk"
    paint(main, level, [painted])
    edit = editor_of(main, level)
    taken = {(marker.x, marker.y) for marker in level.markers}
    (left, top), walk = painted.at, level.passable("walk")
    beside = [(left + dx, top + dy) for dx in (-1, 0, 1) for dy in (-1, 1)]
    x, y = next(
        at for at in beside if at not in taken and walk[at[1], at[0]] and not level.decor[at[1], at[0]]
    )
    edit.paint((x, y), "pit")
    edit.save()
    undercroft("sync", ".", cwd=tmp_path)
    after = load_level(tmp_path / "cellar.level.json")
    assert after.terrain_kinds[after.terrain[y, x]].name == "pit"
    assert set(after.looks) == looks_of([painted]) and nothing_to_do(tmp_path)


def test_two_files_with_other_looks_of_one_tile_contradict_each_other(level: Level, tmp_path: Path) -> None:
    one = paintings(level)[0]
    theme = dressed(level, load_theme(None, level.kinds))[0]
    paint(tmp_path / "cellar.tmj", level, [one])
    paint(tmp_path / "cellar.tscn", level, [one._replace(tile=theme.floors["treasure"].plain.tiles[0])])
    done = undercroft("sync", ".", cwd=tmp_path)
    x, y = one.at
    assert done.returncode == 1 and f"differ about the look of ground at {x},{y}" in done.stderr
    assert load_level(tmp_path / "cellar.level.json").looks == ()


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("layer", "decor", "not one of ground, walls"),
        ("x", 1 << 20, "not a whole number from 0 to"),
        ("tile", -1, "not a whole number from 0 to"),
        ("theme", "", "theme"),
    ],
)
def test_a_look_that_makes_no_sense_is_refused(key: str, value: object, words: str, tmp_path: Path) -> None:
    table = level_of("isaac").to_dict()
    look = {"theme": "undercroft", "layer": "ground", "x": 5, "y": 5, "tile": 3}
    with pytest.raises(generator.LevelError, match=rf"looks\[0\].*{words}"):
        generator.level_from_dict(table | {"looks": [look | {key: value}]})
    with pytest.raises(generator.LevelError, match="second look of ground at 5,5"):
        generator.level_from_dict(table | {"looks": [look, look]})


def test_a_look_of_a_tile_that_the_theme_does_not_have_is_told_and_not_drawn() -> None:
    level = level_of("isaac")
    x, y = free_tiles(level)[0]
    looks = (PaintedLook("undercroft", "ground", x, y, 1 << 20), PaintedLook("undercroft", "walls", x, y, 3))
    bundle = exporters.export(replace(level, looks=looks), ["json", "tiled"], name="cellar")
    assert len(bundle.notes) == 1 and "2 looks of the theme undercroft" in bundle.notes[0]
    table = json.loads(bundle["cellar.level.json"])
    schema = json.loads((Path(generator.__file__).parent / "level.schema.json").read_text())
    jsonschema.validate(table, schema)
    assert generator.level_from_dict(table).looks == looks


@pytest.mark.engine
def test_looks_painted_and_saved_by_tiled_are_shown_by_all(level: Level, tmp_path: Path) -> None:
    """After Tiled has saved the new map, too, nothing is edited."""
    painted, main, orders = paintings(level), tmp_path / "cellar.tmj", tmp_path / "orders.json"
    tiles = [(each.layer.capitalize(), *each.at, each.tile) for each in painted]
    nothing: dict[str, list[int]] = {key: [] for key in ("walls", "changed", "removed", "added")}
    file = {"map": str(main), "target": str(main), "format": "json"}
    orders.write_text(json.dumps([{**file, "tiles": tiles, **nothing}]))
    run_tiled("--evaluate", SCRIPTS / "edit.js", orders, project=tmp_path)
    orders.unlink()
    assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
    after = load_level(tmp_path / "cellar.level.json")
    assert set(after.looks) == looks_of(painted) and shown_by_all(tmp_path, after)
    run_tiled("--export-map", "json", main, tmp_path / "saved.json", project=tmp_path)
    (tmp_path / "saved.json").rename(main)
    assert nothing_to_do(tmp_path) and shown_by_all(tmp_path, after)


@pytest.mark.parametrize("form", sorted({*FORMS} - {"map", "scene", "ldtk"}))
def test_a_look_is_read_from_every_form_of_a_format(form: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    painted = paintings(level)[:1]
    main = exported(level, form, tmp_path)
    paint(main, level, painted)
    after = bring_back(main).level
    assert set(after.looks) == looks_of(painted)
    again = exported(after, form, tmp_path / "again")
    assert bring_back(again).level.fingerprint == after.fingerprint
