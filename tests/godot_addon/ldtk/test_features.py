"""What LDtk knows, each in a project of its own; all are imported in one run of the editor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.godot_addon.conftest import res
from tests.godot_addon.rounds import Part, imported

from .conftest import import_with
from .projects import (
    AREA,
    ICONS,
    POINT,
    ROUND,
    TILES,
    Json,
    entity,
    field,
    layer,
    layer_def,
    level,
    project,
    refer,
    save,
    sheet,
    tile,
    tileset,
)

Nodes = dict[str, Any]
DRAWN = layer_def(1, "Drawn", "Tiles")
THINGS = layer_def(2, "Things", "Entities")
GRID = layer_def(
    3,
    "Grid",
    "IntGrid",
    intGridValues=[
        {"value": 1, "identifier": "wall", "color": "#FF0000", "groupUid": 7},
        {"value": 5, "identifier": "water", "color": "#0000FF", "groupUid": 0},
        {"value": 9, "identifier": None, "color": "#00FF00", "groupUid": 7},
    ],
    intGridValuesGroups=[{"uid": 7, "identifier": "Solid"}],
)
STACKED = [tile(0, 0, 1), tile(0, 0, 2, 1), tile(16, 0, 3, 3, 0.5), tile(24, 8, 4), tile(48, 32, 5, 2)]
CSV = [1, 0, 5, 9, 0, 0, 5, 0, 1, 1, 1, 1]


def _of(*tiles: Json, **facts: object) -> Json:
    return layer(1, "Drawn", "Tiles", gridTiles=list(tiles), **facts)


def _worlds() -> dict[str, Json]:
    drawn = _of(tile(0, 0, 1))
    found = {}
    for layout in ("Free", "GridVania", "LinearHorizontal", "LinearVertical"):
        levels = [
            level("A", [drawn], worldX=64, worldY=-48, worldDepth=1),
            level("B", [drawn], worldX=256, worldY=96, worldDepth=0),
        ]
        found[layout.lower()] = project(levels, [DRAWN], worldLayout=layout)
    several: Json = {
        "worldLayout": None,
        "worlds": [
            {
                "identifier": name,
                "iid": name,
                "worldLayout": "LinearHorizontal",
                "levels": [level("A", [drawn]), level("B", [drawn])],
            }
            for name in ("Over", "Under")
        ],
    }
    found["worlds"] = project([], [DRAWN], **several)
    return found


def _layers() -> dict[str, Json]:
    far = layer_def(5, "Far", "Tiles", parallaxFactorX=0.5, parallaxFactorY=0.25, pxOffsetX=8)
    shown = {"__opacity": 0.5, "visible": False, "__pxTotalOffsetX": 4, "__pxTotalOffsetY": -3}
    grid = layer(3, "Grid", "IntGrid", intGridCsv=CSV, autoLayerTiles=[tile(0, 0, 1)])
    plain = layer(3, "Grid", "IntGrid", intGridCsv=CSV, __tilesetDefUid=None)
    bare = GRID | {"tilesetDefUid": None}
    return {
        "stacked": project([level("L", [_of(*STACKED)])], [DRAWN]),
        "shown": project([level("L", [_of(tile(0, 0, 1), **shown)])], [DRAWN]),
        "sizes": _sizes(),
        "parallax": project([level("L", [layer(5, "Far", "Tiles", gridTiles=[tile(0, 0)])])], [far]),
        "tags": _tags(),
        "icons": _icons(),
        "grid": project([level("L", [grid])], [GRID]),
        "plain": project([level("L", [plain])], [bare]),
        "old": _old(),
    }


def _sizes() -> Json:
    """Tiles that are smaller and larger than a cell."""
    small = layer_def(4, "Small", "AutoLayer", gridSize=8, tilesetDefUid=92)
    fine = tileset(92, relPath="spaced.png", tileGridSize=8, spacing=2, padding=1, pxWid=41, pxHei=31)
    spaced = [tile(8, 0) | {"src": [11, 21]}, tile(16, 8) | {"src": [1, 1], "f": 1}]
    tall = layer_def(6, "Tall", "Tiles", tilesetDefUid=93)
    large = tileset(93, relPath="large.png", tileGridSize=32, pxWid=64, pxHei=64)
    layers = [
        layer(
            4, "Small", "AutoLayer", __gridSize=8, __cWid=8, __cHei=6,
            __tilesetDefUid=92, autoLayerTiles=spaced,
        ),
        layer(
            6, "Tall", "Tiles", __tilesetDefUid=93,
            gridTiles=[tile(0, 0), tile(32, 16) | {"src": [32, 0], "f": 1}],
        ),
    ]  # fmt: skip
    return project([level("L", layers)], [small, tall], more_defs={"tilesets": [fine, large]})


def _tags() -> Json:
    tags = tileset(
        TILES,
        enumTags=[{"enumValueId": "hard", "tileIds": [1, 2]}, {"enumValueId": "wet", "tileIds": [2]}],
        customData=[
            {"tileId": 1, "data": "decor=barrel\nweight=3"},
            {"tileId": 2, "data": '{"weight": 4, "ok": true}'},
            {"tileId": 3, "data": "just words"},
        ],
    )
    tiles = [tile(0, 0, 1), tile(16, 0, 2), tile(32, 0, 3)]
    return project([level("L", [_of(*tiles)])], [DRAWN], more_defs={"tilesets": [tags]})


def _icons() -> Json:
    """Tiles of the image that LDtk has built in."""
    icons = tileset(ICONS, relPath=None, embedAtlas="LdtkIcons", pxWid=512, pxHei=1024)
    drawn = _of(tile(0, 0, 1), overrideTilesetUid=ICONS)
    return project([level("L", [drawn])], [DRAWN], more_defs={"tilesets": [tileset(), icons]})


def _old() -> Json:
    """A project without what version 1.0.0 did not write."""
    old = project(
        [level("L", [{k: v for k, v in _of(tile(16, 16, 6)).items() if k != "visible"}])],
        [{k: v for k, v in DRAWN.items() if k != "type"}],
        jsonVersion="1.0.0",
    )
    for one in old["levels"][0]["layerInstances"][0]["gridTiles"]:
        del one["a"]
    del old["toc"], old["worlds"]
    return old


TILE_RECT = {"tilesetUid": TILES, "x": 16, "y": 0, "w": 32, "h": 16}
FIELDS = [
    field("int", "Int", 7),
    field("float", "Float", 1.5),
    field("bool", "Bool", False),
    field("string", "String", 'a "b"'),
    field("lines", "Multilines", "a\nb"),
    field("color", "Color", "#FF8000"),
    field("point", "Point", {"cx": 2, "cy": 1}),
    field("enum", "LocalEnum.Kind", "Ice"),
    field("path", "FilePath", "tiles.png"),
    field("tile", "Tile", TILE_RECT),
    field("to", "EntityRef", refer("Area-10-20")),
    field("lost", "EntityRef", refer("nobody")),
    field("none", "Int", None),
    field("ints", "Array<Int>", [1, None, 3]),
    field("floats", "Array<Float>", [1, 2.5]),
    field("points", "Array<Point>", [{"cx": 0, "cy": 0}, {"cx": 1, "cy": 2}]),
    field("colors", "Array<Color>", ["#000000"]),
    field("tiles", "Array<Tile>", [TILE_RECT]),
    field("enums", "Array<ExternEnum.Kind>", ["Ice", "Fire"]),
    field("refs", "Array<EntityRef>", [refer("Area-10-20"), None, refer("Point-8-16")]),
]


def _entities() -> dict[str, Json]:
    things = [
        entity(POINT, "Point", 8, 16, FIELDS, __tile=TILE_RECT),
        entity(AREA, "Area", 10, 20, width=30, height=12, __pivot=[0, 0]),
        entity(ROUND, "Round", 40, 20, width=20, height=20),
        entity(POINT, "Point", 40, 40, [field("kind", "String", "boss")]),
    ]
    other = [entity(POINT, "Point", 1, 1, [field("to", "EntityRef", refer("Point-8-16"))])]
    chapter = {"identifier": "Area", "instancesData": [{"iids": refer("Area-10-20"), "fields": {}}]}
    found = project(
        [
            level("L", [layer(2, "Things", "Entities", entityInstances=things)]),
            level(
                "M",
                [layer(2, "Things", "Entities", entityInstances=other)],
                worldX=64,
                fieldInstances=[field("music", "String", "deep"), field("goal", "EntityRef", refer("Area-10-20"))],
                __neighbours=[{"levelIid": "level-L", "dir": "w"}],
            ),
        ],
        [THINGS],
        toc=[chapter],
    )  # fmt: skip
    return {"things": found, "mapped": found}


def _backgrounds() -> dict[str, Json]:
    crop = {"topLeftPx": [4, 2], "scale": [0.5, 2], "cropRect": [8, 0, 32, 16]}
    return {
        "image": project([level("L", [], bgRelPath="tiles.png", bgPos="Cover", __bgPos=crop)], []),
        "repeat": project(
            [level("L", [], pxWid=200, bgRelPath="tiles.png", bgPos="Repeat", bgPivotX=0, bgPivotY=0)], []
        ),
        "missing": project([level("L", [_of(tile(0, 0))], bgRelPath="no.png")], [DRAWN]),
    }


PROJECTS: dict[str, Json] = _worlds() | _layers() | _entities() | _backgrounds()
OPTIONS: dict[str, dict[str, object]] = {
    "grid": {"values": "wall=collision:3\nGrid.water=navigation\nSolid=occlusion\n9=terrain:Moss"},
    "tags": {"values": "hard=collision\ndecor=barrel=one_way:8"},
    "things": {"entity_tiles": True, "level_areas": True, "entity_position": "center"},
    "mapped": {
        "scenes": "Point=res://point.tscn\nPoint.kind=boss=RigidBody2D",
        "post_import": "res://hook.gd",
    },
}
POINT_SCENE = """[gd_scene format=3]

[ext_resource type="Script" path="res://point.gd" id="1"]

[node name="Point" type="CharacterBody2D"]
script = ExtResource("1")
"""
POINT_SCRIPT = """extends CharacterBody2D

@export var int: int = 0
@export var to: NodePath
"""
HOOK = """@tool
extends RefCounted


func post_import(root: Node) -> Node:
\troot.set_meta("hooked", root.get_child_count())
\treturn root
"""


@imported
def ldtk_features(folder: Path) -> None:
    """A project for each thing that LDtk knows."""
    sheet(folder)
    sheet(folder, "large.png", 2, 2, 32)
    Image.new("RGBA", (41, 31), "white").save(folder / "spaced.png")
    (folder / "point.tscn").write_text(POINT_SCENE.replace("res://", res(folder)))
    (folder / "point.gd").write_text(POINT_SCRIPT.replace("var int", "var int_"))
    (folder / "hook.gd").write_text(HOOK)
    for name, content in PROJECTS.items():
        save(folder, f"{name}.ldtk", content)
    for name, options in OPTIONS.items():
        import_with(folder, f"{name}.ldtk", **options)
    outer = project([level("L", [_of(tile(0, 0, 3))]) | {"externalRelPath": "outer/L.ldtkl"}], [DRAWN])
    save(folder, "outer/L.ldtkl", outer["levels"][0])
    outer["levels"][0] = outer["levels"][0] | {"layerInstances": None}
    save(folder, "outer.ldtk", outer | {"externalLevels": True})
    import_with(folder, "outer.ldtk", level_scenes=True)


@pytest.fixture(scope="module")
def scenes(ldtk_features: Part) -> Callable[[str], Nodes]:
    paths = [f"res://{name}.ldtk" for name in (*PROJECTS, "outer")]
    answer = ldtk_features.ask("tree.gd", *paths, "res://outer/L.ldtkl")

    def scene(name: str) -> Nodes:
        found: Nodes = answer[f"res://{name}"]
        return found

    return scene


class TestFeatures:
    def test_only_what_is_missing_is_said(self, ldtk_features: Part) -> None:
        said = [line for line in ldtk_features.said if "Undercroft" in line]
        assert len(said) == 1, said
        assert "missing.ldtk: the image no.png is missing" in said[0]

    def test_levels_lie_as_the_layout_says(self, scenes: Callable[[str], Nodes]) -> None:
        want = {
            "free": ([64, -48], [256, 96]),
            "gridvania": ([64, -48], [256, 96]),
            "linearhorizontal": ([0, 0], [112, 0]),
            "linearvertical": ([0, 0], [0, 96]),
        }
        for name, (a, b) in want.items():
            nodes = scenes(f"{name}.ldtk")
            assert (nodes["A"]["position"], nodes["B"]["position"]) == (a, b)

    def test_worlds_do_not_lie_over_each_other(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("worlds.ldtk")
        assert nodes["Over"]["position"] == [0, 0]
        assert nodes["Under"]["position"] == [0, 96]
        assert nodes["Under/B"]["position"] == [112, 0]
        assert nodes["Under/B/Drawn"]["cells"]

    def test_a_level_in_a_file_of_its_own(self, scenes: Callable[[str], Nodes]) -> None:
        alone, whole = scenes("outer/L.ldtkl"), scenes("outer.ldtk")
        assert whole["L"]["scene"] == "res://outer.ldtk.levels/L.scn"
        assert alone["Drawn"]["cells"] == whole["L/Drawn"]["cells"] != {}

    def test_tiles_over_each_other(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("stacked.ldtk")
        cells = {path: node["cells"] for path, node in nodes.items() if node.get("cells")}
        pictures = {
            path: {at: (cell[1][:2], cell[2]) for at, cell in own.items()} for path, own in cells.items()
        }
        assert pictures == {
            "L/Drawn": {"0,0": ([16, 0], 0), "3,2": ([16, 16], 2)},
            "L/Drawn/Above1": {"0,0": ([32, 0], 1)},
            "L/Drawn/Above2": {"1,0": ([48, 0], 3)},
            "L/Drawn/Above3": {"1,0": ([0, 16], 0)},
        }
        assert nodes["L/Drawn/Above2"]["modulate"][-2:] == "80"
        assert nodes["L/Drawn/Above3"]["position"] == [8, 8]

    def test_how_a_layer_is_shown(self, scenes: Callable[[str], Nodes]) -> None:
        drawn = scenes("shown.ldtk")["L/Drawn"]
        assert (drawn["visible"], drawn["modulate"][-2:], drawn["position"]) == (False, "80", [4, -3])
        moving = scenes("parallax.ldtk")["L/Far"]
        assert (moving["class"], moving["scroll_scale"]) == ("Parallax2D", "Vector2(0.5, 0.75)")

    def test_grids_and_tiles_of_all_sizes(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("sizes.ldtk")
        cells = {at: (cell[1], cell[2]) for at, cell in nodes["L/Small"]["cells"].items()}
        assert cells == {"1,0": ([11, 21, 8, 8], 0), "2,1": ([1, 1, 8, 8], 1)}
        assert nodes["L/Tall"]["cells"]["0,0"][1] == [0, 0, 32, 32]
        assert nodes["L/Tall/Above1"]["cells"]["2,1"][1] == [32, 0, 32, 32]

    def test_values_do_what_the_table_says(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("grid.ldtk")
        cells = nodes["L/Grid/Values"]["cells"]
        assert len(cells) == sum(1 for value in CSV if value)
        assert cells["0,0"][3] == [[3, [-8, -8, 16, 16]]]
        assert cells["2,0"][3] == cells["3,0"][3] == []
        assert "L/Grid/Terrains" in nodes
        assert len(scenes("plain.ldtk")["L/Grid"]["cells"]) == len(cells)

    def test_tags_and_data_of_tiles(self, ldtk_features: Part, scenes: Callable[[str], Nodes]) -> None:
        cells = scenes("tags.ldtk")["L/Drawn"]["cells"]
        box = [-8, -8, 16, 16]
        assert [cells[at][3] for at in ("0,0", "1,0", "2,0")] == [[[1, box], [8, box]], [[1, box]], []]
        own = ldtk_features.folder / "tags.ldtk.tileset.tres"
        shared = own.with_name("tiles.png.tileset.tres")  # of the project that Godot imports first
        text = (own if own.exists() else shared).read_text()
        for line in ('name = "tags"', 'name = "decor"', 'name = "weight"', 'name = "ok"', 'name = "data"'):
            assert line in text
        assert 'PackedStringArray("hard", "wet")' in text
        assert '"just words"' in text

    def test_icons_of_the_program_and_older_files(self, scenes: Callable[[str], Nodes]) -> None:
        assert scenes("icons.ldtk")["L/Drawn"]["cells"] == {}
        assert scenes("old.ldtk")["L/Drawn"]["cells"]["1,1"][1] == [32, 16, 16, 16]

    def test_fields_have_their_types(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("things.ldtk")
        meta = nodes["L/Things/Point"]["meta"]
        expected = {
            "int": "7",
            "float": "1.5",
            "bool": "false",
            "string": '"a \\"b\\""',
            "lines": '"a\nb"',
            "color": "Color(1, 0.5019608, 0, 1)",
            "point": "Vector2(40, 24)",
            "enum": '"Ice"',
            "path": '"res://tiles.png"',
            "to": 'NodePath("../Area")',
            "lost": '"nobody"',
            "ints": "[1, null, 3]",
            "floats": "[1.0, 2.5]",
            "points": "[Vector2(8, 8), Vector2(24, 40)]",
            "colors": "[Color(0, 0, 0, 1)]",
            "enums": '["Ice", "Fire"]',
            "refs": '[NodePath("../Area"), null, NodePath(".")]',
        }
        assert {name: meta.get(name) for name in expected} == expected
        assert "none" not in meta
        assert "AtlasTexture" in meta["tile"]
        assert "AtlasTexture" in meta["tiles"]

    def test_entities_stand_where_they_stood(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("things.ldtk")
        point, area = nodes["L/Things/Point"], nodes["L/Things/Area"]
        assert (point["class"], sorted(point["groups"])) == ("Marker2D", ["Point", "tagged"])
        assert point["position"] == [8, 8]
        assert nodes["L/Things/Point/Tile"]["class"] == "Sprite2D"
        assert (area["class"], area["position"]) == ("Area2D", [25, 26])
        assert nodes["L/Things/Area/Shape"]["shape"] == ["rectangle", 30, 12]
        assert nodes["L/Things/Round/Shape"]["shape"] == ["circle", 10]
        assert nodes["L/Area"]["class"] == "Area2D"
        assert nodes["M/Things/Point"]["meta"]["to"] == 'NodePath("../../../L/Things/Point")'

    def test_levels_know_their_facts(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("things.ldtk")
        assert nodes["M"]["meta"]["music"] == '"deep"'
        assert nodes["M"]["meta"]["goal"] == 'NodePath("../L/Things/Area")'
        assert 'NodePath("../L")' in nodes["M"]["meta"]["neighbours"]
        assert nodes["."]["meta"]["contents"].replace("\n", "") == '{"Area": [NodePath("L/Things/Area")]}'

    def test_entities_become_scenes(self, scenes: Callable[[str], Nodes]) -> None:
        nodes = scenes("mapped.ldtk")
        first, boss = nodes["L/Things/Point"], nodes["L/Things/Point2"]
        assert (first["class"], first["scene"]) == ("CharacterBody2D", "res://point.tscn")
        assert boss["class"] == "RigidBody2D"
        assert "L/Things/Point2/Shape" in nodes
        assert nodes["."]["meta"]["hooked"] == "2"

    def test_backgrounds(self, scenes: Callable[[str], Nodes]) -> None:
        image, repeat = scenes("image.ldtk")["L/Background"], scenes("repeat.ldtk")["L/Background"]
        assert (image["position"], image["scale"]) == ([4, 2], [0.5, 2])
        assert image["region_rect"] == "Rect2(8, 0, 32, 16)"
        assert repeat["region_rect"] == "Rect2(0, 0, 200, 48)"
        assert "L/Background" not in scenes("missing.ldtk")

    def test_all_tiles_are_drawn_where_ldtk_draws_them(self, ldtk_features: Part) -> None:
        names = ("stacked", "sizes")
        drawn = ldtk_features.draw([(f"res://{name}.ldtk", (64, 48)) for name in names])
        for name, picture in zip(names, drawn, strict=True):
            got = np.asarray(Image.open(picture).convert("RGB"), np.int32)
            want = np.asarray(_drawn(ldtk_features.folder, PROJECTS[name]).convert("RGB"), np.int32)
            assert np.abs(got - want).max() <= 2, name


def _drawn(folder: Path, content: Json) -> Image.Image:
    """A level of 64 x 48 px as LDtk draws it: flipped tiles hang from the far edge of their cell."""
    shown = Image.new("RGBA", (64, 48), content["levels"][0]["__bgColor"])
    sets = {one["uid"]: one for one in content["defs"]["tilesets"]}
    for one in reversed(content["levels"][0]["layerInstances"]):
        used = sets[one["__tilesetDefUid"]]
        image, size = Image.open(folder / used["relPath"]).convert("RGBA"), used["tileGridSize"]
        for each in one["gridTiles"] + one["autoLayerTiles"]:
            x, y = each["src"]
            piece = image.crop((x, y, x + size, y + size))
            left, top = each["px"]
            if each["f"] & 1:
                piece = piece.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
                left += one["__gridSize"] - size
            if each["f"] & 2:
                piece = piece.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
                top += one["__gridSize"] - size
            piece.putalpha(piece.getchannel("A").point(lambda a, by=each["a"]: round(a * by)))
            whole = Image.new("RGBA", shown.size)
            whole.paste(piece, (left, top))
            shown = Image.alpha_composite(shown, whole)
    return shown
