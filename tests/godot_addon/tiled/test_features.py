"""What objects, properties and tiles become; the same from JSON and from the XML that Tiled makes of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.godot_addon.rounds import Part, Turns, in_rounds

from .conftest import Features, Nodes
from .features import rich_tileset, write_features
from .maps import save


@pytest.fixture(scope="module")
def trees(features: Features) -> dict[str, Nodes]:
    return features.trees


@pytest.fixture(scope="module")
def nodes(trees: dict[str, Nodes]) -> Nodes:
    return trees["res://features.tmj"]


def test_shapes_become_nodes(nodes: Nodes) -> None:
    point, box, ring = (nodes[f"Objects/{name}"] for name in ("Point", "Box", "Ring"))
    assert (point["class"], point["position"]) == ("Marker2D", [5, 6])
    assert box["class"] == "Area2D"
    assert box["position"] == pytest.approx([5, 35])  # turned round its corner, held by its middle
    assert box["rotation"] == pytest.approx(90)
    assert nodes["Objects/Box/Shape"]["shape"] == ["rectangle", 30, 10]
    assert ring["position"] == [6, 6]
    assert nodes["Objects/Ring/Shape"]["shape"] == ["circle", 6]
    assert nodes["Objects/Poly/Outline"]["polygon"] == "PackedVector2Array(0, 0, 9, 0, 9, 9)"
    assert nodes["Objects/Line"]["class"] == "Path2D"
    assert nodes["Objects/Words"]["text"] == json.dumps('Hello <you> & "me"')
    assert nodes["Objects/Words"]["horizontal_alignment"] == "1"


def test_a_polygon_that_crosses_itself_is_cut(nodes: Nodes) -> None:
    parts = [path for path in nodes if path.startswith("Objects/Bow/")]
    assert all(nodes[part]["class"] == "CollisionPolygon2D" for part in parts)


def test_tile_objects_are_sprites(nodes: Nodes) -> None:
    still, moving = nodes["Objects/Tile"], nodes["Objects/Moving"]
    assert still["class"] == "Sprite2D"
    assert still["position"] == [32, 40]
    assert still["scale"] == [2, 1]
    assert (still["flip_h"], still["flip_v"]) == ("true", "false")
    assert still["region_rect"] == "Rect2(32, 0, 16, 16)"
    assert (moving["class"], moving["autoplay"]) == ("AnimatedSprite2D", '"default"')


def test_properties_keep_their_types(nodes: Nodes) -> None:
    guard = nodes["Objects/Guard"]
    meta = guard["meta"]
    assert guard["groups"] == ["guard"]
    assert meta["mood"] == '"angry"'
    assert meta["speed"] == "1.5"  # as its class says
    assert meta["keys"] == 'PackedStringArray("red", "gold")'
    assert meta["tint"] == "Color(1, 0, 0, 0.5019608)"
    assert meta["picture"] == '"res://rich.png"'
    assert meta["friend"] == 'NodePath("../Box")'
    assert meta["big"] == "2000000000"
    assert '"coins": 7' in meta["loot"]
    assert 'NodePath("")' in meta["loot"]
    assert nodes["."]["meta"]["music"] == '"a\nb"'
    assert nodes["."]["groups"] == ["world"]


def test_templates_give_the_properties_that_an_object_lacks(nodes: Nodes) -> None:
    plain, own = nodes["Objects/Sentry"], nodes["Objects/Own"]
    assert plain["position"] == [110, 55]
    assert nodes["Objects/Sentry/Shape"]["shape"] == ["rectangle", 20, 10]
    assert (plain["meta"]["speed"], plain["meta"]["mood"]) == ("4.0", '"calm"')
    assert plain["meta"]["from_template"] == "true"
    assert nodes["Objects/Own/Shape"]["shape"] == ["rectangle", 4, 10]
    assert own["groups"] == ["guard"]


def test_tiles_have_animations_and_collisions(nodes: Nodes) -> None:
    cells = nodes["Ground"]["cells"]
    assert nodes["Ground"]["z_index"] == 3
    assert nodes["Ground"]["groups"] == ["floor"]
    assert len(cells) == 12
    assert cells["0,0"][3] == [[1, [-8, -8, 16, 8]]]
    assert cells["3,0"][3] == [[1, [-8, -8, 16, 16]]]
    assert cells["0,1"][4] == 3  # beside each other: played in place
    assert cells["1,1"][:2] == ["rich.png", [16, 16, 16, 16]]  # a frame that is laid out for itself
    assert cells["1,1"][4] == 1
    assert cells["3,1"][4] == 4  # strewn: put together


def test_parallax_and_repeating(nodes: Nodes) -> None:
    # The group moves half as far as the camera, what is in it a quarter: the rest is Godot's own sum.
    assert nodes["Far"]["class"] == "Parallax2D"
    assert nodes["Far"]["scroll_scale"] == "Vector2(0.5, 1)"
    assert nodes["Far/Far/Sky"]["scroll_scale"] == "Vector2(0.75, 0.25)"
    assert nodes["Far/Far/Sky"]["repeat_size"] == "Vector2(64, 0)"


def test_json_and_xml_are_one_model(trees: dict[str, Nodes]) -> None:
    ours, theirs = trees["res://features.tmj"], trees["res://xml.tmx"]
    assert list(ours) == list(theirs)
    for path, node in ours.items():
        assert theirs[path] == node, path


def test_a_world_holds_its_maps(trees: dict[str, Nodes]) -> None:
    world = trees["res://all.world"]
    places = {path: node["position"] for path, node in world.items() if "scene" in node}
    assert places.pop("many0") == [0, 0]
    assert places.pop("xml") == [64, -48]
    assert places == {f"many1{n}": [105, 48 * n] for n in range(10)}


def test_many_maps_share_one_tileset(features: Features, trees: dict[str, Nodes]) -> None:
    folder = features.part.folder
    shared = (folder / "many.tileset.tres").read_text()
    assert len(re.findall(r'type="TileSetAtlasSource"', shared)) == 3
    assert trees["res://many7.tmj"]["Ground"] == trees["res://features.tmj"]["Ground"]
    assert not list(folder.glob("many*.tmj.tileset.tres"))


def saved_tiles(path: Path) -> list[str]:
    """What a TileSet holds of its tiles, in no order: lines such as `3:1/0 = 0`."""
    return sorted(re.findall(r"(?m)^\d+:\d+/.*$", path.read_text("utf-8")))


@in_rounds
def test_what_a_person_added_to_the_tileset_stays(part: Part) -> Turns:
    """A person moves one polygon, adds another, an own layer and a source; then the tileset changes."""
    write_features(part.folder)
    path, scene = part.folder / "rich.tsj.tileset.tres", "res://features.tmj"
    yield
    made = saved_tiles(path)
    part.ask("edit_tileset.gd", "res://rich.tsj.tileset.tres")
    assert made
    assert saved_tiles(path.with_name("rich.tsj.tileset.copy.tres")) == made  # as Godot saves it
    before = path.read_bytes()
    changed = rich_tileset()
    changed["tiles"][0]["objectgroup"]["objects"][0]["height"] = 4  # the person has changed this one
    changed["tiles"][3]["objectgroup"]["objects"][0]["polygon"][1]["y"] = 8  # and not this one
    save(part.folder, "rich.tsj", changed)
    yield
    cells = part.ask("tree.gd", scene)[scene]["Ground"]["cells"]
    text = path.read_text(encoding="utf-8")
    assert path.read_bytes() != before
    assert cells["0,0"][3] == [[1, [-8, -8, 4, 4]]]
    assert cells["1,0"][3] == [[1, [0, 0, 8, 8]]]
    assert cells["3,0"][3] == [[1, [-8, -8, 16, 16]]]
    assert 'custom_data_layer_1/name = "mine"' in text or '"mine"' in text
    assert "sources/900" in text
    again = path.read_bytes()
    (part.folder / "features.tmj").write_bytes((part.folder / "features.tmj").read_bytes() + b"\n")
    yield
    assert path.read_bytes() == again  # nothing new: not even saved
