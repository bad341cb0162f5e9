from __future__ import annotations

from pathlib import Path

import pytest

from exporters.formats.godot.read_nodes import SceneTree
from exporters.reading.files import ExportFiles
from generator.errors import LayoutError


def nested(scenes: int) -> ExportFiles:
    """Scenes, each in the next one, which all move what they hold by one pixel to the right and two down."""
    held = {}
    for number in range(scenes):
        inner = f'[ext_resource type="PackedScene" path="{number + 1}.tscn" id="1"]\n'
        node = '[node name="Inner" parent="." instance=ExtResource("1")]\nposition = Vector2(1, 2)\n'
        parts = ("[gd_scene format=3]\n", inner, '[node name="Root" type="Node2D"]\n', node)
        last = "[gd_scene format=3]\n", '[node name="Root" type="Node2D"]\nmetadata/room = 7\n'
        held[f"{number}.tscn"] = "".join(parts if number < scenes - 1 else last).encode()
    return ExportFiles(Path("levels"), held)


def test_nested_scenes_are_one_tree() -> None:
    tree = SceneTree("0.tscn", nested(4))
    innermost = "Inner/Inner/Inner"
    assert [*tree.nodes] == [".", "Inner", "Inner/Inner", innermost]
    assert tree.place(innermost) == (3, 6)
    assert tree.nodes[innermost].metadata() == {"room": 7}


def test_scenes_nest_eight_deep_and_no_deeper() -> None:
    assert len(SceneTree("0.tscn", nested(9)).nodes) == 9
    with pytest.raises(LayoutError, match="nested too deeply"):
        SceneTree("0.tscn", nested(10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[gd_scene]\n[node name="A"]\nrubbish and more of it',
            "levels/0.tscn:3: 'rubbish and more of ' is not a property",
        ),
        ('[gd_scene]\nkaputt\n[node name="A"]', "levels/0.tscn:2: 'kaputt' is not a property"),
        ('[gd_scene]\n[node name="A"]\na = 1\nb = !x', "levels/0.tscn:4: '!x' is not a value"),
    ],
)
def test_a_damaged_scene_is_told_with_its_line_and_what_stands_there(text: str, message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        SceneTree("0.tscn", ExportFiles(Path("levels"), {"0.tscn": text.encode()}))
    assert str(caught.value) == f"{message}; save it again in Godot"
