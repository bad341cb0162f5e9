"""Scenes of each Godot that we write for, and what their programs change by themselves."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

import exporters
import generator
from exporters.edits.merging import is_changed, merge
from exporters.formats.godot.syntax.sections import sections
from exporters.merge import godot_cells
from exporters.merge.godot import has_only_taken, merge_scene
from exporters.merge.godot_tree import tree_of
from exporters.merge.outcome import Merged
from exporters.merge.taken import NOTHING, Taken

from .conftest import exported, gone_enemy


def scene(target: str, **values: object) -> bytes:
    level = generator.generate("isaac", 7, **values)
    return exporters.export(level, "godot", {"godot.target": target}, name="level")["level.tscn"]


@pytest.mark.parametrize("target", ["4.3", "4.2", "3.6"])
def test_cells_are_read_and_written_as_they_are(target: str) -> None:
    found = 0
    for node in tree_of(scene(target))["nodes"]:
        for key, value in node["properties"].items():
            if godot_cells.KEY.fullmatch(key):
                cells = godot_cells.sparse(value)
                frame = godot_cells.frame_of([cells], (3, 4))
                assert godot_cells.written(godot_cells.dense(cells, frame), frame, value) == value
                found += len(cells.xs)
    assert found > 1500


def test_cells_left_of_the_level_are_cells_too() -> None:
    value = 'PackedByteArray("AAD//wAAAAABAAIAAwA=")'
    cells = godot_cells.sparse(value)
    assert (cells.xs.tolist(), cells.ys.tolist()) == ([-1], [0])
    frame = godot_cells.frame_of([cells], (0, 0))
    assert np.count_nonzero(godot_cells.dense(cells, frame)) == 1
    assert godot_cells.written(godot_cells.dense(cells, frame), frame, value) == value


@pytest.mark.parametrize("target", ["4.3", "4.2", "3.6"])
def test_a_node_and_a_tile_stay_in_each_godot(target: str) -> None:
    """The first cell of the start's floor, which becomes the second's tile."""
    base, new = scene(target), scene(target, hard=True)
    tree = tree_of(base)
    ground = next(node for node in tree["nodes"] if node["path"] == "Ground")
    key, value = next((k, v) for k, v in ground["properties"].items() if godot_cells.KEY.fullmatch(k))
    cells = godot_cells.sparse(value)
    frame = godot_cells.frame_of([cells], (0, 0))
    codes = godot_cells.dense(cells, frame)
    codes[cells.ys[5], cells.xs[5]] += np.uint64(12345)
    painted = godot_cells.written(codes, frame, value)
    assert painted is not None
    theirs = base.decode().replace(value, painted) + '\n[node name="Mine" type="Node2D" parent="."]\n'
    found = merge("level.tscn", base, theirs.encode(), new)
    after = next(node for node in tree_of(found.data)["nodes"] if node["path"] == "Ground")
    now = godot_cells.dense(godot_cells.sparse(after["properties"][key]), frame)
    assert now[cells.ys[5], cells.xs[5]] == codes[cells.ys[5], cells.xs[5]]
    assert b'[node name="Mine"' in found.data and found.conflicts == ()


def test_changes_that_godot_makes_when_it_saves_are_not_edits() -> None:
    base, new = exported("isaac", 7)["tscn"], exported("isaac", 7, rooms=14)["tscn"]
    saved = base.replace(b'path="undercroft.tres"', b'uid="uid://abc" path="res://levels/undercroft.tres"')
    saved = saved.replace(b'[node name="Ground" type="TileMapLayer" parent="."', b'[node name="Ground" type="TileMapLayer" parent="." unique_id=7')  # fmt: skip
    saved = saved.replace(b"collision_mask = 1\n", b"").replace(b"[gd_scene format=4]", b"[gd_scene load_steps=9 format=4]")  # fmt: skip
    saved = saved.replace(b'{\n"curse": "none",\n"chapter": "cellar"\n}', b'{\n"chapter": "cellar",\n"curse": "none"\n}')  # fmt: skip
    assert saved.count(b"unique_id") == 1 and saved.count(b"cellar") == base.count(b"cellar")
    assert merge_scene(base, saved, new).data == new
    named = saved.replace(b"[gd_scene load_steps=9 format=4]", b'[gd_scene format=3 uid="uid://def"]')
    assert merge_scene(base, named, new) == Merged(
        new.replace(b"format=4]", b'format=4 uid="uid://def"]', 1), only_saved=True
    )


def test_a_tileset_that_godot_saved_again_is_not_changed() -> None:
    base = exported("isaac", 7)["tres"]
    saved = base.replace(b'path="undercroft.png"', b'path="res://levels/undercroft.png"')
    for usual in (
        b"margins = Vector2i(0, 0)\n",
        b"separation = Vector2i(0, 0)\n",
        b"tile_size = Vector2i(16, 16)\n",
    ):
        assert usual in saved
        saved = saved.replace(usual, b"")
    saved = saved.replace(b"format=4]", b'format=3 uid="uid://abc"]', 1)
    saved = saved.replace(b"occlusion_layer_0/polygon =", b"occlusion_layer_0/polygon_0/polygon =")
    assert not is_changed("undercroft.tres", base, saved)
    assert is_changed(
        "undercroft.tres", base, saved.replace(b"0:0/0/probability = 10.0", b"0:0/0/probability = 2.0")
    )
    other = saved.replace(
        b"occlusion_layer_0/polygon_0/polygon =", b"occlusion_layer_0/polygon_1/polygon =", 1
    )
    assert is_changed("undercroft.tres", base, other)


def test_the_resources_of_a_persons_work_stay() -> None:
    """A layer of one's own keeps its TileSet, though the level has another look now."""
    base, new = exported("isaac", 7)["tscn"], exported("isaac", 7, stage=3)["tscn"]
    assert b"undercroft.tres" in base and b"undercroft.tres" not in new
    mine = '\n[node name="Mine" type="TileMapLayer" parent="."]\ntile_set = ExtResource("1")\n'
    found = tree_of(merge("level.tscn", base, base + mine.encode(), new).data)
    files = {each["id"]: each["class"]["path"] for each in found["ext"]}
    node = next(node for node in found["nodes"] if node["path"] == "Mine")
    id_ = node["properties"]["tile_set"].split('"')[1]
    assert files[id_] == '"undercroft.tres"'
    assert '"undercroft-caverns.tres"' in files.values()


def test_what_hangs_on_a_node_that_is_gone_is_listed_and_left_out() -> None:
    """With all below it; and a connection of it that leads nowhere is left out, too."""
    base, new = exported("isaac", 7, rooms=14)["tscn"], exported("isaac", 7)["tscn"]
    enemy = gone_enemy()
    assert f'"{enemy}"'.encode() in base
    hung = (
        f'\n[node name="Sword" type="Node2D" parent="Markers/{enemy}" groups=["weapon"]]\n'
        f'\n[node name="Hilt" type="Node2D" parent="Markers/{enemy}/Sword"]\n'
        f'\n[connection signal="ready" from="Markers/{enemy}" to="." method="hide"]\n'
    )
    theirs = base + hung.encode()
    found = merge("level.tscn", base, theirs, new)
    assert not {"Sword", "Hilt"} & {node["path"].rpartition("/")[2] for node in tree_of(found.data)["nodes"]}
    assert tree_of(found.data)["others"] == []
    assert [line.partition(":")[0] for line in found.conflicts] == [
        f"node Markers/{enemy}/Sword",
        f"node Markers/{enemy}/Sword/Hilt",
        f"connection Markers/{enemy} .",
    ]


def test_a_scene_with_nothing_but_a_moved_marker_need_not_be_merged() -> None:
    """With anything else of a person's it has to be; to say so must never be wrong."""
    base = exported("isaac", 7)["tscn"].decode()
    at = re.search(r'\[node name="(Enemy_\w+)"[^\n]*\nposition = Vector2\((\d+), ', base)
    assert at
    moved = base.replace(at[0], at[0].replace(f"({at[2]}, ", f"({int(at[2]) + 16}, "))
    taken = Taken(changed={f"Markers/{at[1]}": ("marker", 0)})
    node = '\n[node name="Lamp" type="Node2D" parent="."]\n'
    script = moved.replace(at[0].split("\n")[0], f"{at[0].splitlines()[0]}\nscript = null", 1)
    for theirs, wanted in ((moved, True), (base, True), (moved + node, False), (script, False)):
        known: dict[Hashable, tuple[Any, Any]] = {}
        both = [list(sections(text, known)) for text in (base, theirs)]
        assert has_only_taken(both[0], both[1], taken) is wanted
        is_new = merge_scene(base.encode(), theirs.encode(), base.encode(), taken).data == base.encode()
        assert is_new is wanted
    assert not has_only_taken(*(list(sections(text)) for text in (base, moved)), NOTHING)
