"""Bodies follow the navigation of levels that came by way of Tiled and of LDtk, and of other people's maps."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
import shapely.affinity
from PIL import Image

import exporters
import generator
from generator.kinds import SHIPPED
from generator.level import Level
from tests.combinations import usually
from tests.exporters.formats.godot import shut_doors
from tests.exporters.formats.godot.conftest import SCRIPTS
from tests.exporters.formats.godot.shut_doors import questions, wrong
from tests.exporters.formats.godot.test_bodies_in_godot import DEFAULT_DESIRED, asked, left_behind, walks
from tests.exporters.formats.godot.test_walking_in_godot import STARTS_SHUT
from tests.exporters.older_doors import older
from tests.godot_addon.conftest import res
from tests.godot_addon.ldtk.conftest import PRESET, level_table
from tests.godot_addon.ldtk.conftest import import_with as import_project
from tests.godot_addon.pack.conftest import pack
from tests.godot_addon.rounds import Part, imported
from tests.godot_addon.tiled.maps import import_with as import_map

LEVELS = {
    f"{style}-{seed}": (style, seed) for style, seed in (("isaac", 7), ("rebirth", 748), ("gungeon", 12))
}


# Those of `shut_doors.LEVELS` that older versions could write, too.
OLDER = ("isaac", "hedge")


@cache
def shut_levels() -> dict[str, Level]:
    return {name: made() for name, made in shut_doors.LEVELS.items()}


def foreign_map() -> dict[str, Any]:
    """Ten tiles by five of one kind, with a wall from above that leaves the lowest row free."""
    free, wall = 1, 2
    cells = [wall if x == 5 and y < 4 else free for y in range(5) for x in range(10)]
    collision = {
        "draworder": "index",
        "id": 1,
        "name": "",
        "type": "objectgroup",
        "visible": True,
        "x": 0,
        "y": 0,
    }
    box = {
        "id": 1,
        "name": "",
        "type": "",
        "x": 0,
        "y": 0,
        "width": 16,
        "height": 16,
        "rotation": 0,
        "visible": True,
    }
    return {
        "type": "map", "version": "1.10", "orientation": "orthogonal", "renderorder": "right-down", "infinite": False,
        "width": 10, "height": 5, "tilewidth": 16, "tileheight": 16, "nextlayerid": 2, "nextobjectid": 1,
        "layers": [{"type": "tilelayer", "id": 1, "name": "Floor", "width": 10, "height": 5, "x": 0, "y": 0,
                    "opacity": 1, "visible": True, "data": cells}],
        "tilesets": [{"firstgid": 1, "name": "tiles", "image": "two.png", "imagewidth": 32, "imageheight": 16,
                      "tilewidth": 16, "tileheight": 16, "columns": 2, "tilecount": 2, "margin": 0, "spacing": 0,
                      "tiles": [{"id": 1, "objectgroup": {**collision, "objects": [box]}}]}],
    }  # fmt: skip


@imported
def navigation(folder: Path) -> None:
    """Levels by way of Tiled, of LDtk and of a pack; maps of other people."""
    levels = {name: generator.generate(*which) for name, which in LEVELS.items()}
    for name, level in {**levels, **shut_levels()}.items():
        exporters.export(level, ["tiled", "ldtk"], name=name).write(folder)
        for old in ("", *(("old-",) if name in OLDER else ())):
            for suffix in ("tmj", "ldtk") if old else ():
                is_kits = level.kinds != SHIPPED
                text = older((folder / f"{name}.{suffix}").read_text("utf-8"), suffix, is_kits=is_kits)
                (folder / f"{old}{name}.{suffix}").write_text(text, "utf-8")
            import_map(folder, f"{old}{name}.tmj", level_facts=True, scenes="door=StaticBody2D")
            import_project(folder, f"{old}{name}.ldtk", values=level_table(), backgrounds=False, **PRESET)
    pack("isaac", "--set", "stage=4", "--seeds", "3:4", "--out", folder / "isaac.ucpack")
    exporters.export(generator.generate("isaac", 7), ["tiled"], name="off").write(folder)
    import_map(folder, "off.tmj", level_facts=True, navigation_agent_radius=-2.0)
    Image.new("RGB", (32, 16), "gray").save(folder / "two.png")
    for name, options in (("untouched", {}), ("shrunk", {"navigation_agent_radius": 5.0})):
        (folder / f"{name}.tmj").write_text(json.dumps(foreign_map()))
        import_map(folder, f"{name}.tmj", **options)


@pytest.fixture(scope="module")
def project(navigation: Part) -> Part:
    assert navigation.said == []
    shutil.copy(SCRIPTS / "bodies.gd", navigation.project.folder / "probes")
    return navigation


@pytest.mark.parametrize("suffix", usually(["ldtk"], ["tmj", "ldtk"]))
def test_no_body_walks_against_a_shut_door(project: Part, suffix: str) -> None:
    """Of any kind, and in files of versions that said less of a door."""
    levels, every = [], []
    for name, level in shut_levels().items():
        for file in (name, *((f"old-{name}",) if name in OLDER else ())):
            origin = level.grid.origin if level.grid and suffix == "ldtk" else (0, 0)
            levels.append(level)
            every += questions(f"{res(project.folder)}{file}.{suffix}", level, origin)
    assert not walked_wrong(project, levels, every)


def test_no_body_walks_against_a_shut_door_of_a_pack(project: Part) -> None:
    level = shut_doors.LEVELS["isaac"]()
    assert not walked_wrong(project, [level], questions(f"{res(project.folder)}isaac.ucpack#0", level))


def walked(project: Part, every: list[dict[str, Any]]) -> Path:
    """The folder in which the bodies' answers lie."""
    folder = project.project.folder
    project.project.quiet(*asked(folder, every, 5, DEFAULT_DESIRED))
    return folder


def walked_wrong(project: Part, levels: list[Level], every: list[dict[str, Any]]) -> list[Any]:
    return wrong(levels, walked(project, every) / "walked.json")


def left(project: Part, every: list[dict[str, Any]]) -> list[Any]:
    return left_behind(walked(project, every), every)


def test_bodies_arrive_in_levels_of_tiled(project: Part) -> None:
    """With all doors open, secret ones too."""
    levels = {name: generator.generate(*which) for name, which in LEVELS.items()}
    assert not left(
        project, [walks(f"{res(project.folder)}{name}.tmj", level) for name, level in levels.items()]
    )


def test_bodies_arrive_in_levels_of_ldtk(project: Part) -> None:
    """With all doors open, secret ones too."""
    every = []
    for name, which in LEVELS.items():
        level = generator.generate(*which)
        origin = level.grid.origin if level.grid else (0, 0)
        every.append(walks(f"{res(project.folder)}{name}.ldtk", level, origin=origin))
    assert not left(project, every)


@pytest.fixture(scope="module")
def told(project: Part) -> dict[str, list[dict[str, Any]]]:
    """The regions of imported scenes by their path: name, layers, and polygons in px."""
    names = [
        f"res://{name}" for name in ("untouched.tmj", "shrunk.tmj", "off.tmj", "isaac-7.tmj", "isaac-7.ldtk")
    ]
    answer: dict[str, list[dict[str, Any]]] = project.ask("regions.gd", *names)
    return answer


def covered(regions: list[dict[str, Any]], name: str) -> shapely.Geometry:
    rings = [ring for region in regions if region["path"] == name for ring in region["rings"]]
    return shapely.union_all([shapely.Polygon(ring) for ring in rings])


def test_other_maps_are_left_alone_unless_a_radius_is_given(told: dict[str, Any]) -> None:
    assert told["res://untouched.tmj"] == []


def test_it_can_be_turned_off_for_levels_of_ours(told: dict[str, Any]) -> None:
    assert told["res://off.tmj"] == []


def test_a_radius_keeps_navigation_off_what_collides(told: dict[str, Any]) -> None:
    regions = told["res://shrunk.tmj"]
    assert [(region["path"], region["layers"]) for region in regions] == [("Navigation", 1)]
    free = shapely.box(0, 0, 160, 80).difference(shapely.box(80, 0, 96, 64)).buffer(-5, join_style="mitre")
    assert covered(regions, "Navigation").symmetric_difference(free).area < 1


@pytest.mark.parametrize("suffix", ["tmj", "ldtk"])
def test_navigation_is_that_of_the_written_scene(told: dict[str, Any], suffix: str) -> None:
    """Of an LDtk project, where all levels lie in one world, with a region for each half of a door."""
    level = generator.generate("isaac", 7)
    x, y = level.grid.origin if suffix == "ldtk" and level.grid else (0, 0)
    spaces = {}
    for way in ("walk", "fly"):
        tiles = level.passable(way).copy()
        for door in level.doors:
            for column, row in door.tiles:
                tiles[row, column] = False
        boxes = [shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(tiles).tolist()]
        whole = shapely.affinity.translate(shapely.union_all(boxes), -x, -y)
        spaces[way] = shapely.affinity.scale(whole, 16, 16, origin=(0, 0)).buffer(-6, join_style="mitre")
    regions = told[f"res://isaac-7.{suffix}"]
    assert covered(regions, "Navigation").symmetric_difference(spaces["walk"]).area < 5
    flyers = spaces["fly"].difference(spaces["walk"])
    assert covered(regions, "NavigationFly").symmetric_difference(flyers).area < 5
    ways = [region for region in regions if region["path"].endswith("/Way")]
    halves = 1 if suffix == "tmj" else 2
    assert len(ways) == halves * len(level.doors)
    shut = sum(door.kind in STARTS_SHUT for door in level.doors)
    assert sum(not way["enabled"] for way in ways) == halves * shut
