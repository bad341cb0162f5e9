"""Nodes that a person added in Godot keep their scripts, resources, groups, connections and children."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator.geometry import Point
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.reading.exported import VALUES, exported, level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles

EXT = '[ext_resource type="Script" path="res://guard.gd" id="1_own"]\n\n'
SUB = '[sub_resource type="CircleShape2D" id="CircleShape2D_own"]\nradius = 5.0\n\n'
WORK = 'script = ExtResource("1_own")\narea = SubResource("CircleShape2D_own")\n'
GROUPS = ' groups=["marker", "marker_chest", "loot"]'
CONNECTION = '\n[connection signal="tree_entered" from="{0}" to="{0}/Lamp" method="show"]\n'
LAMP = '\n[node name="Lamp" type="PointLight2D" parent="{}"]\nenergy = 0.5\n'


def with_work(text: str, nodes: str, path: str) -> str:
    """A scene with more nodes, a resource of each sort, and a connection, where Godot saves them."""
    head, rest = text.split("\n\n", 1)
    at = rest.index("[sub_resource") if "[sub_resource" in rest else rest.index("[node")
    return f"{head}\n\n{EXT}{rest[:at]}{SUB}{rest[at:]}\n{nodes}{LAMP.format(path)}{CONNECTION.format(path)}"


def chest(tile: Point, corner: Point) -> str:
    x, y = ((at - left) * 16 + 8 for at, left in zip(tile, corner, strict=True))
    place = f'position = Vector2({x}, {y})\nmetadata/kind = "chest"\n'
    return f'[node name="Mine" type="Marker2D" parent="Markers"{GROUPS}]\n{place}{WORK}'


def sections(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """The sections of each scene: heading and lines."""
    found = {}
    for path in folder.rglob("*.tscn"):
        parts = re.split(r"^\[", path.read_text(), flags=re.MULTILINE)[1:]
        found[path.name] = [(part.split("]\n")[0], part.partition("\n")[2]) for part in parts]
    return found


def assert_whole(folder: Path) -> None:
    """One chest, which has all of the work: each resource that a node has is in its scene."""
    all_scenes = sections(folder)
    chests = [each for some in all_scenes.values() for each in some if '"chest"' in each[1]]
    assert len(chests) == 1
    name = re.findall(r'name="([^"]*)"', chests[0][0])[0]
    (worked,) = (some for some in all_scenes.values() if any("0.5" in each[1] for each in some))
    lamp = next(head for head, lines in worked if "0.5" in lines)
    path = re.findall(r'parent="([^"]*)"', lamp)[0]
    (link,) = (head for head, _ in worked if head.startswith("connection"))
    assert f'from="{path}" to="{path}/Lamp"' in link
    (node,) = (each for each in worked if "script = " in each[1])
    assert ("loot" in node[0]) and path.split("/")[-1] == re.findall(r'name="([^"]*)"', node[0])[0]
    assert name in (path.split("/")[-1], path.split("/")[-2])
    text = "\n".join(head + lines for head, lines in worked)
    for sort, id_ in re.findall(r'(Ext|Sub)Resource\("([^"]*)"\)', text):
        assert re.search(
            rf'^{sort.lower()}_resource .*id="{id_}"', "\n".join(head for head, _ in worked), re.MULTILINE
        )


@pytest.mark.parametrize("form", ["scene", "scenes", "edit"])
def test_a_new_marker_keeps_its_work(form: str, tmp_path: Path) -> None:
    """In the level's scene, in that of a room, and in the scene to work in, and so in a later level."""
    level = level_of("isaac")
    exported(level, "scenes" if form == "scenes" else "scene", tmp_path)
    room = level.rooms[0]
    tile = next(tile for tile in free_tiles(level) if room.bounds.contains(*tile))
    name, corner = {
        "scene": ("cellar.tscn", (0, 0)),
        "scenes": ("cellar/room0.tscn", room.bounds[:2]),
        "edit": ("cellar_edit.tscn", (0, 0)),
    }[form]
    file = tmp_path / name
    file.write_text(with_work(file.read_text(), chest(tile, corner), "Markers/Mine"))
    undercroft("sync", ".", cwd=tmp_path)  # its exit status tells of rules that the chest breaks
    assert_whole(tmp_path)
    assert undercroft("sync", ".", cwd=tmp_path).stdout == ""
    own = (tile[0] * 16 + 3, tile[1] * 16 + 5)
    if form == "edit":  # a node of one's own that is nothing of a level
        node = f'\n[node name="Trap" type="Node2D" parent="."]\nposition = Vector2({own[0]}, {own[1]})\n'
        head, end = file.read_text().split("\n[connection", 1)
        file.write_text(f"{head}{node}\n[connection{end}")
    given = [
        f"--set={key}={value}" for key, value in {**VALUES["isaac"], "rooms": 9}.items() if key != "seed"
    ]
    words = ["isaac", "--seed", "1", *given, "--name", "cellar", "--to", "godot", "--edits", "merge"]
    undercroft("generate", *words, "--out", ".", cwd=tmp_path)
    assert_whole(tmp_path)
    assert undercroft("sync", ".", cwd=tmp_path).stdout == ""
    if form == "edit":
        corner = load_level(tmp_path / "cellar.level.json").rooms[0].bounds[:2]
        dx, dy = (16 * (now - before) for now, before in zip(corner, room.bounds[:2], strict=True))
        assert dx and f'parent="."]\nposition = Vector2({own[0] + dx}, {own[1] + dy})\n' in file.read_text()
