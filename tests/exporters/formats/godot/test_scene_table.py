"""Which scene stands for what, and that no path, key or text gets out of its place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exporters
from exporters.formats.godot.setting import SceneTable, project_path, scene_table
from generator.errors import BadInput
from generator.kinds import DECOR_KINDS, DOOR_KINDS, MARKER_KINDS
from generator.level import Level, Marker
from tests.exporters import small_level
from tests.exporters.formats.godot.test_text import TEXTS, unquoted

A, B, C, D = (f"res://{letter}.tscn" for letter in "abcd")


def test_the_most_specific_key_wins() -> None:
    table = scene_table({"enemy": A, "enemy.role=shooter": B, "enemy.champion=true": C, "chest": D}, {})
    assert table.scene(["enemy"], {"role": "flyer"}) == A
    assert table.scene(["enemy"], {"role": "shooter"}) == B
    assert table.scene(["enemy"], {"role": "shooter", "champion": True}) == B  # the first of both
    assert table.scene(["enemy"], {"role": "flyer", "champion": True}) == C
    assert table.scene(["item"], {"role": "shooter"}) is None


def test_a_door_is_known_by_its_kind_and_its_side() -> None:
    table = scene_table({"door": A, "door.boss": B, "door.side=north": C, "door.boss.side=north": D}, {})
    boss, shop = ["door.boss", "door"], ["door.open", "door"]
    assert table.scene(shop, {"side": "east"}) == A
    assert table.scene(boss, {"side": "east"}) == B
    assert table.scene(shop, {"side": "north"}) == C
    assert table.scene(boss, {"side": "north"}) == D


@pytest.mark.parametrize(("value", "text"), [(3, "3"), (True, "true"), (1.5, "1.5"), ("a=b", "a=b")])
def test_values_are_written_as_in_the_level(value: object, text: str) -> None:
    assert scene_table({f"ware.price={text}": A}, {}).scene(["ware"], {"price": value}) == A


def test_every_kind_can_have_a_scene() -> None:
    keys = [*MARKER_KINDS, *(f"door.{kind.name}" for kind in DOOR_KINDS)]
    keys += [f"decor.{kind.name}" for kind in DECOR_KINDS[1:]]
    table = scene_table(dict.fromkeys(keys, A), {})
    assert all(table.scene([key], {}) == A for key in keys)
    assert SceneTable().scene(["enemy"], {}) is None


def test_properties_are_those_asked_for() -> None:
    table = scene_table(
        {}, {"enemy.role": "kind_of_enemy", "door.kind": "kind", "door.boss.kind": "boss_kind"}
    )
    assert table.properties(["enemy"], {"role": "flyer", "id": 3}) == {"kind_of_enemy": "flyer"}
    assert table.properties(["enemy"], {"id": 3}) == {}
    assert table.properties(["door.boss", "door"], {"kind": "boss"}) == {"kind": "boss", "boss_kind": "boss"}


@pytest.mark.parametrize(
    ("scenes", "message"),
    [
        ({"enmey": A}, "godot.scenes.enmey: is not a kind of marker, door or decor; did you mean enemy?"),
        ({"decor": A}, "godot.scenes.decor: is not a kind of"),
        ({"decor.barel": A}, "did you mean decor.barrel?"),
        ({"door.bos": A}, "did you mean door.boss?"),
        ({"enemy.role": A}, "godot.scenes.enemy.role: is not a kind of"),
        ({"enemy=shooter": A}, "godot.scenes.enemy=shooter: is not a kind of"),
        ({"": A}, "is not a kind of"),
        ({"enemy\n[node]": A}, r"godot.scenes.enemy\\n\[node\]: is not a kind of"),
        (
            {"enemy": "slime.tscn"},
            "godot.scenes.enemy: 'slime.tscn' is not a path in a project; give one such as",
        ),
        ({"enemy": "res://../slime.tscn"}, "is not a path in a project"),
        ({"enemy": "res://a//b.tscn"}, "is not a path in a project"),
        ({"enemy": "res://a/ .. /b.tscn"}, "is not a path in a project"),
        ({"enemy": "res://"}, "is not a path in a project"),
        ({"enemy": "uid://c4u3cu1n8t5vk"}, "is not a path in a project"),
        ({"enemy": 'res://a"]\n[node name="x"].tscn'}, "is not a path in a project"),
        ({"enemy": "res://a.gd"}, "godot.scenes.enemy: 'res://a.gd' does not end in .tscn or .scn"),
        ({"enemy": f"res://{'a' * 4000}.tscn"}, "is not a path in a project"),
    ],
)
def test_what_means_nothing_gets_one_line(scenes: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        scene_table(scenes, {})
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"enmey.role": "x"}, "godot.properties.enmey.role: is not a kind of marker, door or decor"),
        ({"enemy": "x"}, "godot.properties.enemy: is not a property of a marker or a fact"),
        (
            {"enemy.role": "script"},
            "godot.properties.enemy.role: 'script' is not the name of an exported property",
        ),
        ({"enemy.role": "a b"}, "is not the name of an exported property"),
        ({"enemy.role": "metadata/x"}, "is not the name of an exported property"),
        ({"enemy.role": "x = 1\ny"}, "is not the name of an exported property"),
    ],
)
def test_an_invalid_property_gets_one_line(properties: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        scene_table({}, properties)
    assert "\n" not in str(caught.value)


@given(TEXTS.map("res://{}.tscn".format) | TEXTS)
def test_no_path_leaves_the_project(path: str) -> None:
    """Either it is refused, or it can be written in quotes unchanged and does not leave the folder."""
    try:
        taken = project_path("x", path, (".tscn",))
    except BadInput:
        return
    assert taken == path and not re.search(r'["\\\x00-\x1f]', path)
    assert ".." not in path.removeprefix("res://").split("/")


def test_the_options_of_the_docs_are_some(tmp_path: Path) -> None:
    docs = (Path(__file__).parents[4] / "docs" / "godot.md").read_text("utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", docs, re.MULTILINE | re.DOTALL)
    (tmp_path / "options.toml").write_text(text)
    options = exporters.load_options(tmp_path / "options.toml", ["godot"])
    assert {f"godot.{name}" for name in ("agent_radius", "properties", "scenes", "split", "target")} == set(
        options
    )
    bundle = exporters.export(level_of(["shooter", "b", "c"]), "godot", options)
    (room,) = (data.decode("utf-8") for path, data in bundle.items() if path.endswith("room0.tscn"))
    assert 'path="res://enemies/archer.tscn"' in room and 'kind_of_enemy = "shooter"' in room


# --- whole scenes ------------------------------------------------------------------------------------


def sections(text: str) -> list[str]:
    """The kind of each section; what stands between quotes is none."""
    found = []
    at_line_start = True
    while text:
        if text[0] == '"':
            _, text = unquoted(text)
            at_line_start = False
            continue
        if at_line_start and text[0] == "[":
            found.append(re.split("[ \\]]", text[1:60])[0])
        at_line_start = text[0] == "\n"
        text = text[1:]
    return found


def level_of(texts: list[str]) -> Level:
    """A level that says something everywhere it can."""
    first, second, third = texts
    markers = [
        Marker(0, "enemy", 2, 1, 0, properties={"role": first, second or "x": third, "n": 1}),
        Marker(1, "item", 3, 1, 0, properties={"item": second}),
    ]
    return small_level.drawn("######\n#....#\n######", markers=markers)


@pytest.mark.parametrize("target", ["4.3", "4.2", "3.6"])
@given(texts=st.lists(TEXTS, min_size=3, max_size=3))
def test_no_text_of_a_level_changes_a_scene(target: str, texts: list[str]) -> None:
    """Whatever markers say, the scene has the sections that it would have had, and no reference more."""
    options: dict[str, Any] = {
        "godot.target": target,
        "godot.split": "rooms",
        "godot.scenes": {"enemy": A, "item": B},
        "godot.properties": {"enemy.role": "told"},
    }
    made, plain = (exporters.export(level_of(some), "godot", options) for some in (texts, ["a", "b", "c"]))
    assert list(made) == list(plain)
    for path in made:
        if path.endswith(".tscn"):
            assert sections(made[path].decode("utf-8")) == sections(plain[path].decode("utf-8"))


def test_a_huge_text_is_only_long(plain_level: Level) -> None:
    text = '"]\n[sub_resource type="GDScript"]\n' * 300_000  # 10 MB
    made = exporters.export(level_of([text, "b", "c"]), "godot")["isaac-7.tscn"].decode("utf-8")
    usual = exporters.export(plain_level, "godot")["isaac-7.tscn"].decode("utf-8")
    assert len(made) > 10_000_000
    assert made.count("\n[node ") == usual.count("\n[node ")
    assert made.count('\n[sub_resource type=\\"GDScript\\"]') == 300_000  # inside of its quotes still


@pytest.fixture
def plain_level() -> Level:
    return level_of(["a", "b", "c"])
