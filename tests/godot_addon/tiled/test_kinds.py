"""What each kind of object, tile and property becomes, in both notations; scenes and scripts of a project."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Features, Nodes
from .handwritten import FAILING

LOOT = '{\n"coins": 5,\n"mood": "calm"\n}'
# Godot's numbers of a cell's neighbours, from the right clockwise; those that a square has.
RIGHT, BOTTOM_RIGHT, BOTTOM, BOTTOM_LEFT, LEFT, TOP_LEFT, TOP, TOP_RIGHT = (
    "0",
    "3",
    "4",
    "7",
    "8",
    "11",
    "12",
    "15",
)
NAMES = [["sand", "ffff00"], ["grass", "00ff00"]]


@pytest.fixture(scope="module")
def nodes(features: Features) -> Nodes:
    return features.trees["res://types/kinds.tmj"]


@pytest.fixture(scope="module")
def tiles(nodes: Nodes) -> dict[str, Any]:
    found: dict[str, Any] = nodes["Tiles"]["tiles"]
    return found


class TestObjects:
    def test_capsules_stand_or_lie(self, nodes: Nodes) -> None:
        pill, lying = nodes["Objects/Pill"], nodes["Objects/Lying"]
        assert (pill["class"], pill["position"]) == ("Area2D", [14, 35])
        assert nodes["Objects/Pill/Shape"]["shape"] == ["capsule", 4, 30]
        assert nodes["Objects/Pill/Shape"]["rotation"] == 0
        assert lying["position"] == pytest.approx([-4, 15])
        assert lying["rotation"] == pytest.approx(90)
        assert nodes["Objects/Lying/Shape"]["shape"] == ["capsule", 4, 30]
        assert nodes["Objects/Lying/Shape"]["rotation"] == pytest.approx(90)

    def test_an_ellipse_is_a_polygon_round_its_middle(self, nodes: Nodes) -> None:
        assert nodes["Objects/Egg"]["position"] == [14, 11]
        points = _points(nodes["Objects/Egg/Outline"]["polygon"])
        assert len(points) == 24
        assert all((x / 10) ** 2 + (y / 5) ** 2 == pytest.approx(1, abs=1e-4) for x, y in points)

    def test_polygons_and_lines_stand_where_tiled_has_them(self, nodes: Nodes) -> None:
        bent, road = nodes["Objects/Bent"], nodes["Objects/Road"]
        assert (bent["class"], bent["position"], bent["rotation"]) == ("Area2D", [7, 8], pytest.approx(45))
        assert _points(nodes["Objects/Bent/Outline"]["polygon"]) == [
            (0, 0), (16, 0), (16, 8), (8, 8), (8, 16), (0, 16),
        ]  # fmt: skip
        assert (road["class"], road["position"]) == ("Path2D", [1, 2])
        assert road["points"] == [[0, 0], [9, 5], [20, -5]]

    def test_text_keeps_its_look(self, nodes: Nodes) -> None:
        words = nodes["Objects/Words"]
        assert words["class"] == "Label"
        assert words["text"] == '"two\nlines"'
        assert words["size"] == "Vector2(50, 60)"
        assert (words["horizontal_alignment"], words["vertical_alignment"]) == ("2", "2")
        assert (words["font_size"], words["font_color"]) == (24, "ff000080")
        assert words["font"] == ["Serif", 700, True]
        assert words["label_position"] == [3, 4]
        assert words["label_rotation"] == pytest.approx(30)

    def test_what_has_no_size_is_a_marker(self, nodes: Nodes) -> None:
        assert (nodes["Objects/Nothing"]["class"], nodes["Objects/Nothing"]["position"]) == (
            "Marker2D",
            [3, 4],
        )
        assert nodes["Objects/Hidden"]["visible"] is False
        assert nodes["Objects/Faint"]["modulate"] == "ffffff80"

    def test_templates_of_both_notations_bring_their_tiles(self, nodes: Nodes) -> None:
        crate, barrel, upright = (nodes[f"Objects/{name}"] for name in ("Crate", "Barrel", "Upright"))
        assert (crate["class"], crate["scale"], crate["flip_h"]) == ("Sprite2D", [2, 1], "true")
        assert crate["region_rect"] == "Rect2(16, 0, 16, 16)"
        assert crate["position"] == [56, 52]
        assert crate["meta"]["from"] == '"template"'
        assert crate["groups"] == ["Chest"]
        assert barrel["region_rect"] == "Rect2(32, 0, 16, 16)"
        assert (barrel["visible"], barrel["rotation"]) == (False, pytest.approx(90))
        assert barrel["position"] == pytest.approx([96, 98])
        assert (upright["visible"], upright["rotation"], upright["position"]) == (True, 0, [9, -14])

    def test_a_solid_tile_is_solid_as_an_object(self, nodes: Nodes) -> None:
        sprite = nodes["Objects/Solid"]
        assert (sprite["class"], sprite["scale"], sprite["flip_h"]) == ("Sprite2D", [2, 1], "true")
        bodies = {path: node for path, node in nodes.items() if path.startswith("Objects/Solid/Body")}
        layers = {node["collision_layer"]: path for path, node in bodies.items() if "Outline" not in path}
        assert sorted(layers) == ["1", "2", "6"]
        assert all(bodies[path]["class"] == "StaticBody2D" for path in layers.values())
        assert all(bodies[path]["scale"] == [0.5, 1] for path in layers.values())
        turned = bodies[f"{layers['2']}/Outline"]  # 16 px to the left of the tile's middle, 4 px high
        corners = _points(turned["polygon"])
        assert min(x for x, _y in corners) == pytest.approx(0)  # mirrored, and twice as wide
        assert max(x for x, _y in corners) == pytest.approx(32)
        assert max(y for _x, y in corners) == pytest.approx(-4)
        assert bodies[f"{layers['1']}/Outline"]["one_way_collision"] == "true"
        assert not [path for path in nodes if path.startswith("Objects/Crate/")]  # its tile is not

    def test_isometric_objects_are_projected(self, features: Features) -> None:
        nodes = features.trees["res://types/diamond.tmj"]
        assert nodes["Objects/Point"]["position"] == [128, 32]
        assert nodes["Objects/Box"]["position"] == [104, 28]
        assert _points(nodes["Objects/Box/Outline"]["polygon"]) == [(-8, -12), (24, 4), (8, 12), (-24, -4)]
        assert nodes["Objects/Road"]["position"] == [96, 32]
        assert nodes["Objects/Road"]["points"] == [[0, 0], [16, 8], [0, 16]]
        assert nodes["Objects/Tile"]["position"] == [96, 24]  # from the middle of its lower edge
        assert nodes["Objects/Words"]["label_position"] == [80, 8]


class TestTiles:
    def test_navigation_is_cut_into_convex_parts(self, tiles: dict[str, Any]) -> None:
        assert tiles["0,0"]["ways"] == [[[-8, -8], [8, -8], [8, 8], [-8, 8]]]
        parts = tiles["1,0"]["ways"]
        assert len(parts) == 2
        assert sum(_area(part) for part in parts) == 16 * 8 + 8 * 8
        assert tiles["0,0"]["one_way"] == tiles["1,0"]["one_way"] == []  # nobody bumps into it

    def test_each_occluder_has_its_layer(self, tiles: dict[str, Any]) -> None:
        assert tiles["2,0"]["shadows"] == [
            [[-8, -8], [8, -8], [8, -4], [-8, -4]],
            [[-8, 0], [8, 0], [0, 8]],
        ]
        assert all(not tile["shadows"] for cell, tile in tiles.items() if cell != "2,0")

    def test_shapes_stop_whom_they_should(self, nodes: Nodes, tiles: dict[str, Any]) -> None:
        solid = sorted(nodes["Tiles"]["cells"]["3,0"][3])
        assert [bits for bits, _box in solid] == [1, 2, 6]
        boxes = dict(solid)
        assert boxes[1] == pytest.approx([-8, -8, 16, 8])
        assert boxes[2] == pytest.approx([-16, -8, 16, 4])  # turned round its corner
        assert boxes[6] == pytest.approx([-8, -8, 4, 16], abs=0.1)
        assert sorted(tiles["3,0"]["one_way"]) == [False, False, True]

    def test_data_has_its_type(self, tiles: dict[str, Any]) -> None:
        assert tiles["3,0"]["data"] == {"rank": "2", "list": '[10, "ten"]'}
        assert tiles["0,0"]["data"] == {"rank": "0", "list": "[]"}

    def test_wang_sets_are_terrains(self, features: Features, tiles: dict[str, Any]) -> None:
        assert any(
            "kinds.tsj: wangsets[2]: tiles that are in several wang sets" in s for s in features.part.said
        )
        corners, edges, both = (tiles[cell]["terrain"] for cell in ("4,0", "5,0", "6,0"))
        assert [one["names"] for one in (corners, edges, both)] == [NAMES] * 3
        assert [one["mode"] for one in (corners, edges, both)] == [1, 2, 0]
        assert len({one["set"] for one in (corners, edges, both)}) == 3
        assert corners["terrain"] == 0
        assert corners["bits"] == {TOP_RIGHT: 0, BOTTOM_RIGHT: 1, BOTTOM_LEFT: 0, TOP_LEFT: -1}
        assert edges["terrain"] == 0
        assert edges["bits"] == {TOP: 0, RIGHT: 1, BOTTOM: 0, LEFT: -1}
        assert both["terrain"] == 0
        assert both["bits"] == {
            TOP: 0, TOP_RIGHT: 0, RIGHT: 0, BOTTOM_RIGHT: 0, BOTTOM: 1, BOTTOM_LEFT: 1, LEFT: 0, TOP_LEFT: -1,
        }  # fmt: skip
        assert "terrain" not in tiles["7,0"]


class TestProperties:
    def test_a_class_gives_the_properties_that_an_object_lacks(self, nodes: Nodes) -> None:
        usual = nodes["Objects/Usual"]["meta"]
        assert usual["loot"] == LOOT.replace("5", "9")
        assert usual["doors"] == 'PackedStringArray("east")'
        assert usual["rank"] == "1"

    def test_classes_enums_and_flags(self, nodes: Nodes) -> None:
        full = nodes["Objects/Full"]["meta"]
        assert full["loot"] == LOOT
        assert full["doors"] == 'PackedStringArray("north", "south")'
        assert full["rank"] == "2"
        assert full["mood"] == '"angry"'
        assert '"coins": 3' in full["inner"]  # as Tiled resolves it: of the class, not of the member
        assert '"mood": "angry"' in full["inner"]
        assert '"doors": PackedStringArray("north")' in full["inner"]

    def test_lists_keep_the_types_of_their_items(self, features: Features, nodes: Nodes) -> None:
        told = nodes["Objects/Lists"]["meta"]["list"]
        loot = LOOT.replace("5", "1")
        assert told == f'[10, "ten", Color(0, 1, 0, 1), NodePath("../Pill"), {loot}, [true]]'
        assert features.trees["res://types/hand.tmx"]["Objects/Lists"]["meta"]["list"] == told

    def test_xml_says_the_same(self, features: Features, nodes: Nodes) -> None:
        hand = features.trees["res://types/hand.tmx"]
        for path in ("Pill", "Pill/Shape", "Lists", "Crate"):
            assert hand[f"Objects/{path}"] == nodes[f"Objects/{path}"]
        ours, theirs = (features.trees[f"res://types/{name}"] for name in ("old.tmj", "xml.tmx"))
        assert list(ours) == list(theirs)
        for path, node in ours.items():
            assert theirs[path] == node, path


class TestScenes:
    def test_an_object_becomes_the_scene_of_its_class(self, features: Features) -> None:
        nodes = features.trees["res://types/mapped.tmj"]
        boss = nodes["Objects/Boss"]
        assert boss["scene"] == "res://spawner.tscn"
        assert boss["class"] == "Node2D"
        assert boss["position"] == pytest.approx([5, 30])  # its middle
        assert sorted(boss["groups"]) == ["enemy", "own"]
        assert boss["exported"] == {
            "count": "7",
            "title": '"Boss"',
            "tint": "Color(1, 0, 0, 1)",
            "friend": 'NodePath("../Wall")',
            "loot": LOOT.replace("5", "4"),
            "doors": 'PackedStringArray("north", "south")',
            "anything": "0.5",  # text does not fit a number
            "secret": "1",  # it is not exported
        }
        assert boss["meta"]["secret"] == "9"
        assert boss["meta"]["anything"] == '"of another type"'
        assert "Objects/Boss/Inside" in nodes
        assert "Objects/Boss/Shape" not in nodes
        assert nodes["Objects/Plain"]["exported"]["count"] == "1"
        assert nodes["Objects/Plain"]["visible"] is False

    def test_or_the_node_that_was_asked_for(self, features: Features) -> None:
        nodes = features.trees["res://types/mapped.tmj"]
        assert nodes["Objects/Wall"]["class"] == "StaticBody2D"
        assert nodes["Objects/Wall/Shape"]["shape"] == ["rectangle", 10, 10]


class TestPostImport:
    def test_the_root_that_it_gives_back_is_used(self, features: Features) -> None:
        wrapped, picked = (features.trees[f"res://types/{name}.tmj"] for name in ("wraps", "picks"))
        assert wrapped["."]["meta"]["was"] == '"wraps"'
        assert "wraps/Objects/Wall/Shape" in wrapped
        assert "Wall/Shape" in picked
        assert "Objects" not in picked

    @pytest.mark.parametrize("name", FAILING)
    def test_one_that_fails_gives_one_line(self, features: Features, name: str) -> None:
        about = [line for line in features.part.said if f"{name}.tmj" in line]
        ours = [line for line in about if "Undercroft: " in line]
        assert len(ours) == 1
        assert ours[0].startswith(
            f"ERROR: Undercroft: res://types/{name}.tmj: option post_import: res://{name}.gd"
        )
        assert len(about) == 2  # the other one is Godot's own
        assert not [line for line in features.part.said if "SCRIPT ERROR" in line or "leaked" in line]


def _points(text: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in text.removeprefix("PackedVector2Array(").rstrip(")").split(",")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _area(corners: list[list[float]]) -> float:
    pairs = zip(corners, corners[1:] + corners[:1], strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)) / 2
