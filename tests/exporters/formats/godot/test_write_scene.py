"""The files themselves: no uid, relative, the same every time, and as Godot counts bytes."""

from __future__ import annotations

import re
import struct
from unittest.mock import Mock

import numpy as np
import pytest

import exporters
import generator
from exporters.dress import EMPTY
from exporters.formats.godot import setting
from exporters.formats.godot.syntax import GODOT_3_6, GODOT_4_2
from exporters.formats.godot.syntax.document import Document
from exporters.formats.godot.syntax.literals import Packed
from exporters.formats.godot.write_layers import LAYER_KINDS, TileSource, layer_nodes, tile_map_data
from exporters.formats.godot.write_lights import stone_of
from exporters.theme import Theme, districts
from generator.level_file import level_from_dict


@pytest.fixture(scope="module")
def bundle() -> exporters.Bundle:
    return exporters.export(generator.generate("isaac", 7), ["godot"])


def test_the_bundle(bundle: exporters.Bundle) -> None:
    assert list(bundle) == ["isaac-7.tscn", "undercroft.tres", "undercroft.png", "isaac-7_edit.tscn"]


def test_two_runs_give_the_same_bytes(bundle: exporters.Bundle) -> None:
    level = generator.generate("isaac", 7)
    assert dict(exporters.export(level, ["godot"])) == dict(bundle)
    assert dict(exporters.export(level_from_dict(level.to_dict()), ["godot"])) == dict(bundle)


def test_every_level_shares_the_tileset(bundle: exporters.Bundle) -> None:
    other = exporters.export(generator.generate("isaac", 3, stage=2), ["godot"])
    assert other["undercroft.tres"] == bundle["undercroft.tres"]


@pytest.mark.parametrize("name", ["isaac-7.tscn", "undercroft.tres"])
def test_references_are_relative_and_there_is_no_uid(bundle: exporters.Bundle, name: str) -> None:
    text = bundle[name].decode("utf-8")
    assert "uid=" not in text and "res://" not in text
    paths = re.findall(r'^\[ext_resource type="\w+" path="([^"]+)"', text, re.MULTILINE)
    assert paths and all(path in bundle for path in paths)
    assert text.splitlines()[0].endswith("format=4]")


def test_cells_are_written_as_godot_reads_them() -> None:
    layer = np.full((3, 4), EMPTY, np.int32)
    layer[2, 1] = 7  # column 2, row 1 of an atlas of 5 columns
    layer[0, 3] = 4
    data = tile_map_data(layer, 5)
    assert data[:2] == b"\0\0"
    assert list(struct.iter_unpack("<hhHHHH", data[2:])) == [(3, 0, 0, 4, 0, 0), (1, 2, 0, 2, 1, 0)]
    assert tile_map_data(np.full((2, 2), EMPTY, np.int32), 5) == b""


def test_the_layers_of_a_tile_map_are_numbers(built_in: Theme) -> None:
    """Three of 32 bits with their sign: what Godot 4.6 read back of such numbers, and what 3.6 writes."""
    assert built_in.columns == 32
    tile_set = Document("gd_scene").ext_resource("TileSet", "x.tres")
    layer = np.array([[1, EMPTY, EMPTY, EMPTY, EMPTY, 32 * 8 + 10]], np.int32)
    (doors,) = (kind for kind in LAYER_KINDS if kind.name == "Doors")
    source = TileSource(built_in, tile_set, 0, own=True)
    ((name, found),) = layer_nodes(doors, layer, (-3, 5), source, GODOT_4_2)
    assert (name, found["format"]) == ("Doors", 2)
    expected = [393213, 65536, 65536, 327682, 655360, 65544]  # (-3, 5) and (2, 5), alternative 1
    assert found["layer_0/tile_data"] == Packed("PackedInt32Array", expected)
    ((_, found),) = layer_nodes(doors, layer, (-3, -4), source._replace(number=2), GODOT_3_6)
    assert (found["format"], found["collision_layer"]) == (1, 0)
    expected = [-196611, 2, 1, -262142, 3, 524298]  # (-3, -4) and (2, -4); the wall's tile has its own number
    assert found["tile_data"] == Packed("PackedInt32Array", expected)


@pytest.mark.parametrize("split", ["none", "rooms"])
@pytest.mark.parametrize(
    ("target", "heading", "unknown"),
    [
        ("4.3", "format=4]", 'TileMap"|Pool|__meta__'),
        ("4.2", "format=3]", "TileMapLayer|PackedByteArray|Pool|__meta__"),
        (
            "3.6",
            "format=2]",
            'Packed[A-Z]\\w+Array|Vector2i|Rect2i|Layer"|metadata/|Array\\[|Region2D|Marker2D|PointLight|id="',
        ),
    ],
)
def test_each_godot_gets_words_that_it_knows(target: str, heading: str, unknown: str, split: str) -> None:
    """It would pass over others without saying so."""
    options = {"godot.target": target, "godot.split": split, "godot.lights": True, "godot.darkness": True}
    made = exporters.export(generator.generate("isaac", 7), "godot", options)
    assert dict(made) == dict(exporters.export(generator.generate("isaac", 7), "godot", options))
    for path, data in made.items():
        if not path.endswith(".png"):
            text = data.decode("utf-8")
            assert text.splitlines()[0].endswith(heading)
            assert not re.search(unknown, text), (path, re.search(unknown, text))


def test_a_scene_a_room(bundle: exporters.Bundle) -> None:
    """In a folder of the level's name; what they share is where it was."""
    level = generator.generate("isaac", 7)
    apart = exporters.export(level, "godot", {"godot.split": "rooms"})
    rooms = [f"isaac-7/room{room.id}.tscn" for room in level.rooms]
    assert list(apart) == ["isaac-7.tscn", *rooms, "undercroft.tres", "undercroft.png", "isaac-7_edit.tscn"]
    assert all(b'path="../undercroft.tres"' in apart[room] for room in rooms)
    assert {path: apart[path] for path in ("undercroft.tres", "isaac-7_edit.tscn")} == {
        path: bundle[path] for path in ("undercroft.tres", "isaac-7_edit.tscn")
    }


def test_a_scene_a_room_looks_at_the_whole_level_as_often_with_many_rooms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else its time grows with the square of the rooms."""
    looks = [Mock(wraps=districts.look_steps), Mock(wraps=districts.light_colour)]
    monkeypatch.setattr(setting, "look_steps", looks[0])
    monkeypatch.setattr(setting, "light_colour", looks[1])
    counts: list[int] = []
    for rooms in (6, 12):
        level = generator.generate("gungeon", 1, rooms=rooms)
        stone_of.cache_clear()
        exporters.export(level, ["godot"], {"godot.split": "rooms", "godot.lights": True})
        counts.append(sum(look.call_count for look in looks) + stone_of.cache_info().misses)
        for look in looks:
            look.reset_mock()
    assert counts[0] == counts[1] > 2
