"""Changes in NAME_edit.tscn that the new level has no node for are named; whatever the file holds."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import exporters
import generator
from exporters.formats.godot.read_edits import lost, overrides
from exporters.objects import Names, names_of
from exporters.stale_files import stale_files
from generator.cli.group import main
from tests.folders import files_in
from tests.waiting import steps_grow_as_the_input, time_grows_as_the_input

HEAD = '[gd_scene format=4]\n\n[ext_resource type="PackedScene" path="res://levels/crypt.tscn" id="1"]\n\n'
ROOT = '[node name="crypt" instance=ExtResource("1")]\n\n'
NEW = b"""[gd_scene format=4]

[ext_resource type="PackedScene" path="crypt/room0.tscn" id="1"]

[ext_resource type="PackedScene" path="res://door.tscn" id="2"]

[node name="crypt" type="Node2D"]

[node name="Markers" type="Node2D" parent="."]

[node name="Enemy_1_2" type="Marker2D" parent="Markers" groups=["marker", "name=[x]"]]

[node name="Rooms" type="Node2D" parent="."]

[node name="StartRoom_2_2" parent="Rooms" instance=ExtResource("1")]

[node name="Door" parent="." instance=ExtResource("2")]
"""
ROOM = b"""[gd_scene format=4]

[node name="StartRoom_2_2" type="Area2D"]

[node name="Walls" type="TileMapLayer" parent="."]
"""
FILES = {"crypt.tscn": NEW, "crypt/room0.tscn": ROOM}


def lost_of(text: str) -> list[str]:
    return lost((HEAD + ROOT + text).encode(), "crypt.tscn", FILES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ('[node name="Enemy_1_2" parent="Markers" index="0"]\nposition = Vector2(1, 2)\n', []),
        ('[node name="Enemy_3_4" parent="Markers" index="0"]\n', ["Markers/Enemy_3_4"]),
        ('[node name="Lamp" type="PointLight2D" parent="Markers"]\n', []),
        ('[node name="Lamp" type="PointLight2D" parent="Markers/Enemy_3_4"]\n', ["Markers/Enemy_3_4"]),
        ('[node name="A" type="Node" parent="."]\n[node name="B" type="Node" parent="A"]\n', []),
        ('[node name="A" parent="." instance=ExtResource("9")]\n[node name="B" parent="A"]\n', []),
        ('[node name="Walls" parent="Rooms/StartRoom_2_2" index="0"]\n', []),
        ('[node name="Pits" parent="Rooms/StartRoom_2_2" index="0"]\n', ["Rooms/StartRoom_2_2/Pits"]),
        ('[node name="Sprite" parent="Door" index="0"]\n', []),  # what the game's own scene has is its affair
        ('[node name="X" parent="Gone"]\n[node name="Y" parent="Gone/X"]\n', ["Gone/X"]),
        ('[node name="N" type="Label" parent="."]\ntext = "\n[node name=\\"A\\" parent=\\"B\\"]\n"\n', []),
        ('[node name="E_1" groups=["parent=\\"x\\"", "]"] parent="Markers"]\n', ["Markers/E_1"]),
        ('[connection signal="a" from="." to="." method="b"]\n[editable path="Gone"]\n', []),
    ],
)
def test_what_hangs_on_nothing_is_named(text: str, expected: list[str]) -> None:
    assert lost_of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", False),
        ('[node name="Enemy_1_2" parent="Markers" index="0"]\nposition = Vector2(1, 2)\n', True),
        ('[node name="Enemy_1_2" parent="Markers" groups=["mine"]]\n', True),
        ('[node name="Walls" parent="Rooms/StartRoom_2_2" index="0"]\n', True),
        ('[node name="Lamp" type="PointLight2D" parent="Markers/Enemy_1_2"]\n', False),
        ('[node name="Mine" type="TileMapLayer" parent="."]\ntile_map_data = PackedByteArray("AA")\n', False),
        ('[node name="A" parent="." instance=ExtResource("9")]\n[node name="B" parent="A"]\n', False),
        ('[node name="A" type="Node" parent="."]\n[node name="B" parent="Markers"]\n', True),
        ('[connection signal="a" from="." to="." method="b"]\n[editable path="Door"]\n', False),
    ],
)
def test_what_a_level_has_is_told_from_what_is_added(text: str, *, expected: bool) -> None:
    assert overrides((HEAD + ROOT + "script = null\n" + text).encode()) is expected


def test_godot_3_writes_references_in_another_way() -> None:
    head = (
        '[gd_scene load_steps=2 format=2]\n\n[ext_resource path="res://crypt.tscn" type="PackedScene" id=1]\n'
    )
    scene = (
        head
        + '\n[node name="crypt" instance=ExtResource( 1 )]\n\n[node name="E" parent="Markers" index="0"]\n'
    )
    assert lost(scene.encode(), "crypt.tscn", FILES) == ["Markers/E"]


def test_a_scene_of_another_kind_is_passed_over() -> None:
    other = (HEAD + ROOT).replace("crypt.tscn", "other.tscn") + '[node name="E" parent="Markers"]\n'
    assert lost(other.encode(), "crypt.tscn", FILES) == []
    for text in (b"", b"mine", b"[node]", b'[node name="a" parent="b"]', b"\xff\xfe[node]"):
        assert lost(text, "crypt.tscn", FILES) == []


@pytest.mark.parametrize(
    "piece",
    [
        *('\\"', "[a ", '[a "', '"[', '[node name="\\"', "[a [", '[a ["', "\n[", '"\n['),
        '[node name="A" parent="Gone#"]\n',
        '[node name="A#" parent="." instance=ExtResource("9")]\n[node name="B" parent="A#"]\n',
        '[node name="#" type="Node" parent="."]\n',
        '[ext_resource path="res://#.tscn" id="#"]\n',
    ],
)
def test_a_hostile_scene_takes_no_longer_than_its_size(piece: str) -> None:
    """Each piece over and over, `#` a number: read again and again, a large file would take hours."""
    head, *rest = piece.split("#")

    def lost_of_many(n: int) -> list[str]:
        return lost_of("".join(head + "".join(f"{i}{each}" for each in rest) for i in range(n)))

    assert steps_grow_as_the_input(lost_of_many)
    assert time_grows_as_the_input(lost_of_many)


def test_a_node_that_hangs_deep_takes_no_longer_than_its_path() -> None:
    assert steps_grow_as_the_input(lambda n: lost_of(f'[node name="A" parent="{"A/" * n}"]\n'))


def test_damaged_scenes_are_never_an_error() -> None:
    whole = (HEAD + ROOT + '[node name="E" parent="Markers" index="0"]\nposition = Vector2(1, 2)\n').encode()
    chance = random.Random(5)
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(chance.randrange(1, 6)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        lost(bytes(broken[: chance.randrange(len(broken))]), "crypt.tscn", FILES)


@pytest.mark.parametrize("split", ["none", "rooms"])
@pytest.mark.parametrize("target", ["4.3", "4.2", "3.6"])
def test_every_node_of_a_level_can_be_changed(split: str, target: str) -> None:
    """A scene that changes them all has lost nothing, with a scene for each room too."""
    level = generator.generate("gungeon", 7)
    options = {"godot.split": split, "godot.target": target}
    made = exporters.export(level, "godot", options, name="crypt")
    scenes = {path: data for path, data in made.items() if path.endswith(".tscn")}
    edited = scenes.pop("crypt_edit.tscn")
    for marker in ("Enemy_1_1", "PlayerStart"):
        more = f'\n[node name="{marker}" parent="Markers" index="0"]\n'.encode()
        there = split == "none" and marker == "PlayerStart"
        assert lost(edited + more, "crypt.tscn", scenes) == ([] if there else [f"Markers/{marker}"])
    nodes = list(nodes_of(level, split))
    every = "".join(f'\n[node name="{name}" parent="{parent}"]\n' for parent, name in nodes)
    assert len(nodes) == sum(map(len, names_of(level)))
    assert lost(edited + every.encode(), "crypt.tscn", scenes) == []


def nodes_of(level: generator.Level, split: str) -> Iterator[tuple[str, str]]:
    """The parent and the name of each room, hallway, door and marker; of a door its first room's."""
    names = names_of(level)
    yield from (("Rooms", name) for name in names.rooms)
    yield from (("Hallways", name) for name in names.hallways)
    for door in level.doors:
        yield f"{scene_of(names, split, door.rooms[0], None)}Doors", names.doors[door.id]
    for marker in level.markers:
        yield f"{scene_of(names, split, marker.room, marker.hallway)}Markers", names.markers[marker.id]


def scene_of(names: Names, split: str, room: int | None, hallway: int | None) -> str:
    """The path of the scene that holds what is in a room or a hallway, with a slash; empty for the level's."""
    if split == "none":
        return ""
    if room is not None:
        return f"Rooms/{names.rooms[room]}/"
    assert hallway is not None
    return f"Hallways/{names.hallways[hallway]}/"


def run(folder: Path, *args: str) -> Result:
    fixed = ["generate", "isaac", "--to", "godot", "--name", "crypt", "--out", str(folder)]
    return CliRunner().invoke(main, [*fixed, *args])


def test_json_has_the_misfits_and_the_list_is_bounded(tmp_path: Path) -> None:
    run(tmp_path)
    edit = tmp_path / "crypt_edit.tscn"
    edit.write_text(
        edit.read_text() + "".join(f'[node name="N" type="Node" parent="N{i}"]\n' for i in range(500))
    )
    (told,) = json.loads(run(tmp_path, "--json", "--quiet").stdout)["misfits"]
    assert (told["file"], told["count"], len(told["nodes"])) == (str(edit), 500, 100)
    line = run(tmp_path).stderr.splitlines()[-1]
    names = ", ".join(f"N{i}" for i in range(5))
    assert f"changes nodes that no longer exist: {names} and 495 more; Godot drops" in line


def test_a_build_tells_it_too(tmp_path: Path) -> None:
    manifest = tmp_path / "undercroft.toml"
    manifest.write_text('formats = ["godot"]\n[group.crypt]\nspec = "isaac"\nseeds = "7:8"\n', "utf-8")
    assert CliRunner().invoke(main, ["build", str(manifest), "--jobs", "1"]).exit_code == 0
    (edit,) = tmp_path.rglob("*_edit.tscn")
    edit.write_text(edit.read_text() + '[node name="Gone" parent="Markers"]\n')
    done = CliRunner().invoke(main, ["build", str(manifest), "--jobs", "1", "--force"])
    assert f"{edit.name}: changes nodes that no longer exist: Markers/Gone" in done.stderr


def test_a_file_that_cannot_be_compared_gives_one_line(tmp_path: Path) -> None:
    (tmp_path / "folder_edit.tscn").mkdir()
    (tmp_path / "huge_edit.tscn").touch()
    os.truncate(tmp_path / "huge_edit.tscn", (1 << 25) + 1)
    (tmp_path / "link_edit.tscn").symlink_to("/etc/hostname")
    said = {
        each.file.name: each.message()
        for each in stale_files(tmp_path, ["folder_edit.tscn", "huge_edit.tscn", "link_edit.tscn"], {})
    }
    assert said["folder_edit.tscn"].startswith("is not a file, so its changes were not compared")
    assert said["huge_edit.tscn"].startswith("has more than 32 MB")
    assert said["link_edit.tscn"].startswith("is a link to a place outside the folder")


@pytest.mark.parametrize("edits", ["keep", "replace"])
def test_a_build_treats_a_moved_marker_like_a_painted_tile(edits: str, tmp_path: Path) -> None:
    manifest = tmp_path / "undercroft.toml"
    text = 'formats = ["godot"]\n[group.crypt]\nspec = "isaac"\nseeds = "7:8"\n'
    manifest.write_text(text, "utf-8")
    assert CliRunner().invoke(main, ["build", str(manifest), "--jobs", "1"]).exit_code == 0
    (edit,) = tmp_path.rglob("*_edit.tscn")
    edit.write_text(edit.read_text() + '[node name="Enemy_1_1" parent="Markers"]\nposition = Vector2(1, 2)\n')
    before = files_in(edit.parent)
    manifest.write_text(f"{text}set.stage = 3\n", "utf-8")
    done = CliRunner().invoke(main, ["build", str(manifest), "--jobs", "1", "--edits", edits])
    assert done.exit_code == 0 and "no longer exist" not in done.stderr
    if edits == "keep":
        assert "was changed by hand, so all files of isaac-7 stay" in done.stderr
        assert files_in(edit.parent) == before
    else:
        assert edit.with_name(f"{edit.name}.mine").read_bytes() == before[edit.name]
        assert b"Enemy_1_1" not in edit.read_bytes()
