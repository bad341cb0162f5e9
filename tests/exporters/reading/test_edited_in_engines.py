"""Levels edited by the real Tiled and the real Godot, with their own brushes, and saved by them: all comes back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import exporters
from exporters.dress import dressed
from exporters.objects import names_of
from exporters.reading.back import bring_back
from exporters.reading.sync import synced
from exporters.theme.loader import load_theme
from exporters.writing import write
from generator.geometry import Point
from generator.level import Level, Marker
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.formats.godot.conftest import SCRIPTS as GODOT_SCRIPTS
from tests.exporters.formats.godot.conftest import Project
from tests.exporters.formats.tiled.conftest import run_tiled
from tests.exporters.formats.tiled.test_in_tiled import differences, that_matter
from tests.exporters.reading.exported import level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles, painted, parts, with_marker

SCRIPTS = Path(__file__).parent / "scripts"
STYLES = ("rebirth", "gungeon")


class Work:
    """The same edits for every program: a block of walls by the brush, a pit, a rock, and four of markers."""

    def __init__(self, style: str) -> None:
        self.level = level = level_of(style)
        self.theme = dressed(level, load_theme(None, level.kinds))[0]
        free = free_tiles(level)
        x, y = next((x, y) for x, y in free if {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= {*free})
        self.walls = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
        others = [tile for tile in free if max(abs(tile[0] - x), abs(tile[1] - y)) > 3]
        self.pit, self.rock, self.chest, self.moved_to = others[0], others[4], others[-1], others[-3]
        self.moved, self.removed, self.changed = (
            next(each for each in level.markers if each.kind == "enemy"),
            next(
                each for each in reversed(level.markers) if each.kind in ("pickup", "ware", "item", "chest")
            ),
            next(each for each in reversed(level.markers) if each.kind == "enemy"),
        )

    def tiles(self) -> list[tuple[str, int, int, int]]:
        pit = self.theme.pits[min(self.theme.pits)].tiles[0]
        rock = self.theme.decor["rock"].variants.tiles[0]
        painted_over = [("Ground", *tile, -1) for tile in self.walls]
        return [("Ground", *self.pit, pit), ("Decor", *self.rock, rock), *painted_over]

    def px(self, tile: Point) -> tuple[float, float]:
        half = self.theme.tile_size / 2
        return tile[0] * self.theme.tile_size + half, tile[1] * self.theme.tile_size + half

    def expected(self, *, without: bool = True) -> Level:
        level = painted(self.level, self.pit, "pit")
        for tile in self.walls:
            level = painted(level, tile, "wall")
        decor = level.decor.copy()
        decor[self.rock[1], self.rock[0]] = [kind.name for kind in level.decor_kinds].index("rock")
        level = replace(level, decor=decor)
        room = room_at(level, self.moved_to)
        x, y = self.moved_to
        level = with_marker(level, replace(self.moved, x=x, y=y, room=room))
        now = next(each for each in level.markers if each.id == self.changed.id)
        level = with_marker(level, replace(now, properties={**now.properties, "wave": 4}))
        left = [each for each in level.markers if not without or each.id != self.removed.id]
        room = room_at(level, self.chest)
        left.append(
            Marker(level.terrain.size + room, "chest", *self.chest, room, properties={"tier": "gold"})
        )
        return replace(level, markers=tuple(left))


def room_at(level: Level, tile: Point) -> int:
    return next(
        room.id for room in level.rooms if any(rect.contains(*tile) for rect in level.room_rects(room))
    )


def tiled_order(work: Work, main: Path, target: Path, format_: str) -> dict[str, object]:
    made = json.loads(main.read_text())

    def object_id(marker: Marker) -> int:
        holders = [each for each in made["layers"] if each["name"] in ("Markers", "Lights")]
        return next(
            int(each["id"])
            for layer in holders
            for each in layer["objects"]
            if any(one["name"].endswith("id") and one["value"] == marker.id for one in each["properties"])
        )

    x, y = icon_px(work, work.moved_to)
    chest_x, chest_y = work.px(work.chest)
    chest = {"layer": "Markers", "point": True, "type": "chest", "x": chest_x, "y": chest_y}
    return {
        "map": str(main),
        "target": str(target),
        "format": format_,
        "tiles": work.tiles(),
        "walls": work.walls,
        "removed": [object_id(work.removed)],
        "added": [{**chest, "properties": {"tier": "gold"}}],
        "changed": [
            {"id": object_id(work.moved), "x": x, "y": y},
            {"id": object_id(work.changed), "properties": {"wave": 4}},
        ],
    }


def icon_px(work: Work, tile: Point) -> Point:
    """Where Tiled has the icon of a marker on a tile: its lower left corner."""
    return tile[0] * work.theme.tile_size, (tile[1] + 1) * work.theme.tile_size


@pytest.mark.engine
@pytest.mark.parametrize("style", STYLES)
def test_edits_in_tiled_come_back(style: str, tmp_path: Path) -> None:
    work = Work(style)
    exporters.export(work.level, ["tiled", "json"], name="cellar").write(tmp_path)
    main, orders = tmp_path / "cellar.tmj", tmp_path / "orders.json"
    targets = {"tmx": tmp_path / "cellar.tmx", "json": main}
    orders.write_text(json.dumps([tiled_order(work, main, targets[each], each) for each in targets]))
    run_tiled("--evaluate", SCRIPTS / "edit.js", orders, project=tmp_path)
    for target in targets.values():
        back = bring_back(target)
        assert back.notes == []
        assert parts(back.level) == parts(work.expected())


@pytest.mark.engine
def test_what_tiled_saves_unedited_is_the_level_itself(tmp_path: Path) -> None:
    level = level_of("isaac")
    exporters.export(level, ["tiled", "json"], name="cellar").write(tmp_path)
    for format_, ending in (("tmx", ".tmx"), ("json", ".tmj")):
        run_tiled(
            "--export-map", format_, tmp_path / "cellar.tmj", tmp_path / f"cellar{ending}", project=tmp_path
        )
        back = bring_back(tmp_path / f"cellar{ending}")
        assert (back.level is back.original.level, back.notes) == (True, [])


def godot_order(work: Work, scene: str, *, removes: bool = True) -> dict[str, object]:
    names = names_of(work.level).markers
    tiles = [
        (layer, x, y, *(work.theme.at(tile) if tile >= 0 else (-1, -1))) for layer, x, y, tile in work.tiles()
    ]
    moved, chest = ("Vector2({:g}, {:g})".format(*work.px(each)) for each in (work.moved_to, work.chest))
    values = {"position": chest, "metadata/kind": '"chest"', "metadata/tier": '"gold"'}
    node = {"parent": "Markers", "name": "Mine", "type": "Marker2D", "groups": [], "values": values}
    return {
        "scene": f"res://levels/{scene}",
        "tiles": tiles,
        "walls": work.walls,
        "set": [
            (f"Markers/{names[work.moved.id]}", "position", moved),
            (f"Markers/{names[work.changed.id]}", "metadata/wave", "4"),
        ],
        "removed": [f"Markers/{names[work.removed.id]}"] if removes else [],
        "renamed": [],
        "added": [node],
    }


@pytest.mark.engine
@pytest.mark.xdist_group("godot")  # whose pictures Godot has imported
def test_edits_in_godot_come_back_and_go_into_tiled_and_ldtk(tmp_path: Path) -> None:
    """Of the level's scene, and of the one to work in, which inherits it; and of scenes that were only saved."""
    project = Project(tmp_path)
    levels = tmp_path / "levels"
    orders = []
    nothing: dict[str, object] = {key: [] for key in ("tiles", "walls", "set", "removed", "renamed", "added")}
    for style in STYLES:
        work = Work(style)
        for name in (style, f"{style}-inherited", f"{style}-saved", f"{style}-rooms"):
            options = {"godot.split": "rooms" if name.endswith("rooms") else "none"}
            exporters.export(work.level, ["godot", "tiled", "ldtk", "json"], options, name=name).write(levels)
        orders += [godot_order(work, f"{style}.tscn")]
        orders += [godot_order(work, f"{style}-inherited_edit.tscn", removes=False)]
        orders += [{"scene": f"res://levels/{style}-{name}.tscn", **nothing} for name in ("saved", "rooms")]
    (tmp_path / "orders.json").write_text(json.dumps(orders))
    (tmp_path / "edit.gd").write_text((SCRIPTS / "edit.gd").read_text())
    assert GODOT_SCRIPTS.is_dir()
    project.begin()
    project.run("--headless", "-s", "edit.gd")
    for style in STYLES:
        work = Work(style)
        for name, without in ((f"{style}.tscn", True), (f"{style}-inherited_edit.tscn", False)):
            back = bring_back(levels / name)
            assert back.notes == []
            assert parts(back.level) == parts(work.expected(without=without))
        for name in ("saved", "rooms"):
            saved = bring_back(levels / f"{style}-{name}.tscn")
            assert (saved.level is saved.original.level, saved.notes) == (True, [])
    for one in synced(levels):
        write(one.bundle, levels, "replace", known=one.is_ours)
    for style in STYLES:
        for suffix in (".tmj", ".ldtk", ".tscn"):
            again = bring_back(levels / f"{style}{suffix}")
            assert parts(again.level) == parts(Work(style).expected())


def merged_with_another_seed(main: Path, work: Work) -> None:
    """Merge; if a chest has no place, a line says so, and a copy of the file that has it is put aside."""
    levels = main.parent
    words = ("generate", work.level.style, "--seed", "99", "--name", "cellar", "--out", ".")
    done = undercroft(*words, "--edits", "merge", cwd=levels)
    assert done.returncode == 0 or "]" in done.stderr, done.stderr
    level = load_level(levels / "cellar.level.json")
    has_chest = any(each.properties.get("tier") == "gold" for each in level.markers)
    asides = [path for path in levels.glob("cellar*mine*") if path.suffix != ".json"]
    is_told = "a new chest" in done.stderr and any('"gold"' in path.read_text() for path in asides)
    assert has_chest or is_told, done.stderr
    for suffix in (".tmj", ".ldtk", ".tscn"):
        assert bring_back(levels / f"cellar{suffix}").level.fingerprint == level.fingerprint


def assert_settled(levels: Path) -> None:
    """After the program has saved its file again, nothing is edited."""
    done = undercroft("sync", ".", cwd=levels)
    assert "shows another" not in done.stderr and "no place" not in done.stderr, done.stderr
    assert "changed by hand" not in done.stderr
    shown = load_level(levels / "cellar.level.json").fingerprint
    for suffix in (".tmj", ".ldtk", ".tscn"):
        back = bring_back(levels / f"cellar{suffix}")
        assert (back.level.fingerprint, back.changes.edits) == (shown, {})


@pytest.mark.engine
def test_work_in_tiled_goes_into_another_level_which_tiled_opens(tmp_path: Path) -> None:
    work = Work("rebirth")
    exporters.export(work.level, ["tiled", "ldtk", "godot", "json"], name="cellar").write(tmp_path)
    main, orders = tmp_path / "cellar.tmj", tmp_path / "orders.json"
    orders.write_text(json.dumps([tiled_order(work, main, main, "json")]))
    run_tiled("--evaluate", SCRIPTS / "edit.js", orders, project=tmp_path)
    merged_with_another_seed(main, work)
    saved = tmp_path / "saved.json"
    run_tiled("--export-map", "json", main, saved, project=tmp_path)
    assert that_matter(differences(json.loads(main.read_text()), json.loads(saved.read_text()))) == []
    saved.rename(main)
    assert_settled(tmp_path)


@pytest.mark.engine
@pytest.mark.xdist_group("godot")  # whose pictures Godot has imported
def test_work_in_godot_goes_into_another_level_which_godot_opens(tmp_path: Path) -> None:
    project, work, levels = Project(tmp_path), Work("rebirth"), tmp_path / "levels"
    exporters.export(work.level, ["tiled", "ldtk", "godot", "json"], name="cellar").write(levels)
    order = godot_order(work, "cellar.tscn")
    nothing = {key: value if key == "scene" else [] for key, value in order.items()}
    (tmp_path / "edit.gd").write_text((SCRIPTS / "edit.gd").read_text())
    (tmp_path / "orders.json").write_text(json.dumps([order]))
    project.begin()
    project.run("--headless", "-s", "edit.gd")
    merged_with_another_seed(levels / "cellar.tscn", work)
    (tmp_path / "orders.json").write_text(json.dumps([nothing]))
    project.run("--headless", "-s", "edit.gd")
    assert_settled(levels)
