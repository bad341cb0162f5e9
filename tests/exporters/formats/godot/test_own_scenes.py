"""A team's own scenes stand where markers, doors and decor would, in the real Godots."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image

import exporters
import generator
from exporters.dress import EMPTY, dress
from exporters.theme.loader import load_theme
from generator.kinds import DECOR_IDS, DECOR_KINDS, SHIPPED
from generator.level import Level, Marker

from .conftest import Project, Project3

STARTS_SHUT = SHIPPED.doors_that_start_shut
pytestmark = pytest.mark.xdist_group("godot")

SCENES = {
    "enemy": "res://game/enemy.tscn",
    "enemy.role=shooter": "res://game/shooter.tscn",
    "door": "res://game/door.tscn",
    "door.boss": "res://game/boss door.tscn",
    "decor.rock": "res://game/rock.tscn",
    "decor.torch": "res://game/torch.tscn",
}
PROPERTIES = {"enemy.role": "told", "door.kind": "told"}
OPTIONS = {"godot.scenes": SCENES, "godot.properties": PROPERTIES}
# What a game may have in its scene: a property to be told, and a look at the metadata as soon as it is there.
SCRIPT = """extends Node2D
{export} var told = "nothing"
var seen = ""
func _ready():
	seen = str(get_meta("kind"))
"""
HEADS = {4: "[gd_scene format=3]", 3: "[gd_scene format=2]"}
SCENE = """{head}

[ext_resource path="res://game/thing.gd" type="Script" id={one}]

[node name="Thing" type="Node2D"]
script = ExtResource({one})
"""
OWN_TILESET = {"godot.tileset": "res://art/own.tres", "godot.source": 7}


@cache
def _with_shooters(style: str) -> Level:
    """The first level of a style whose enemies are shooters and others."""
    for seed in count(7):
        level = generator.generate(style, seed)
        if {marker.properties.get("role") for marker in level.markers if marker.kind == "enemy"} > {
            "shooter"
        }:
            return level
    raise AssertionError(style)


LEVELS = {style: partial(_with_shooters, style) for style in ("isaac", "gungeon")}
WAYS = [("isaac", "4.3", "none"), ("gungeon", "4.2", "rooms"), ("isaac", "3.6", "rooms")]


class Told(NamedTuple):
    """A level with scenes, how it was written, and what Godot found."""

    level: Level
    target: str
    split: bool
    instances: list[dict[str, Any]]
    cells: dict[str, list[list[float]]]

    def of(self, above: str) -> list[dict[str, Any]]:
        return [each for each in self.instances if each["above"] == above]


def _game(game: Project) -> Project:
    """A game with a script, and all its scenes the same, which knows them by their names."""
    old = isinstance(game, Project3)
    (game.folder / "game").mkdir()
    script = SCRIPT.format(export="export" if old else "@export")
    (game.folder / "game" / "thing.gd").write_text(script, "utf-8")
    for path in SCENES.values():
        text = SCENE.format(head=HEADS[3 if old else 4], one="1" if old else '"1"')
        (game.folder / path.removeprefix("res://")).write_text(text, "utf-8")
    for way in WAYS:
        style, target, split = way
        if (target == "3.6") is old:
            options = {**OPTIONS, "godot.target": target, "godot.split": split}
            bundle = exporters.export(LEVELS[style](), "godot", options, name="level")
            bundle.write(game.folder / "-".join(way))
    return game


@pytest.fixture(scope="module")
def game_4(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A game that also has a TileSet of its own: that of the theme under another name and number."""
    game = _game(Project(tmp_path_factory.mktemp("game")))
    art = game.folder / "art"
    art.mkdir()
    bundle = exporters.export(LEVELS["isaac"](), "godot")
    text = bundle["undercroft.tres"].decode("utf-8").replace("sources/0 =", "sources/7 =")
    (art / "own.tres").write_text(text.replace("undercroft.png", "own.png"), "utf-8")
    (art / "own.png").write_bytes(bundle["undercroft.png"])
    exporters.export(LEVELS["isaac"](), "godot", OWN_TILESET, name="dressed").write(game.folder)
    game.begin()
    return game


@pytest.fixture(scope="module")
def game_3(tmp_path_factory: pytest.TempPathFactory) -> Project:
    game = _game(Project3(tmp_path_factory.mktemp("game_3")))
    game.begin()
    return game


@pytest.fixture(scope="module", params=WAYS, ids="-".join)
def told(request: pytest.FixtureRequest) -> Told:
    """What Godot finds in a level of the game."""
    style, target, split = request.param
    game: Project = request.getfixturevalue("game_3" if target == "3.6" else "game_4")
    answer = game.ask("instances.gd", f"{'-'.join(request.param)}/level.tscn")
    return Told(LEVELS[style](), target, split == "rooms", answer["instances"], answer["cells"])


def test_markers_with_a_scene_are_instances_of_it(told: Told) -> None:
    """The most specific one, with the property to set, and everything that it can ask for."""
    enemies = [marker for marker in told.level.markers if marker.kind == "enemy"]
    found = sorted(told.of("Markers"), key=lambda each: int(each["meta"]["id"]))
    assert {marker.properties["role"] for marker in enemies} > {"shooter"}
    for marker, each in zip(enemies, found, strict=True):
        shooter = marker.properties["role"] == "shooter"
        assert each["scene"] == SCENES["enemy.role=shooter" if shooter else "enemy"]
        assert each["name"] == f"Enemy_{marker.x}_{marker.y}"
        assert each["position"] == [(marker.x + 0.5) * 16, (marker.y + 0.5) * 16]
        assert {"marker", "marker_enemy"} == set(each["groups"])
        assert each["told"] == each["meta"]["role"] == marker.properties["role"]
        assert each["seen"] == "enemy"  # metadata is there when a scene is ready
        assert each["meta"]["room"] == marker.room


def test_doors_with_a_scene_are_instances_of_it(told: Told) -> None:
    """One for each side of a wall where rooms are apart; the way through a shut door is there still."""
    expected = []
    for door in told.level.doors:
        halves = 2 if told.split and door.rooms[1] is not None else 1
        expected += [(door.id, door.kind)] * halves
    found = told.of("Doors")
    assert sorted((int(each["meta"]["id"]), each["meta"]["kind"]) for each in found) == sorted(expected)
    for each in found:
        kind = each["meta"]["kind"]
        assert each["scene"] == SCENES["door.boss" if kind == "boss" else "door"]
        assert each["told"] == each["seen"] == kind
        assert {"door", f"door_{kind}"} == set(each["groups"])
        assert each["way"] is (kind in STARTS_SHUT)
        assert each["shape"] is False  # it brings its own
        left, top = min(told.level.doors[int(each["meta"]["id"])].tiles)
        assert abs(each["position"][0] / 16 - left) <= 2 and abs(each["position"][1] / 16 - top) <= 2


def test_decor_with_a_scene_is_not_drawn_as_well(told: Told) -> None:
    level = told.level
    expected = {}
    for name in ("rock", "torch"):
        for y, x in np.argwhere(level.decor == DECOR_IDS[name]).tolist():
            expected[x, y] = SCENES[f"decor.{name}"]
    found = {tuple(v / 16 - 0.5 for v in each["position"]): each["scene"] for each in told.of("Things")}
    assert found == expected and set(expected.values()) == {SCENES["decor.rock"], SCENES["decor.torch"]}
    assert all(
        set(each["groups"]) == {"decor", f"decor_{each['meta']['kind']}"} for each in told.of("Things")
    )
    layers = dress(level, load_theme())
    kinds = np.array([kind.name for kind in DECOR_KINDS])[level.covered]
    left = (layers.decor != EMPTY) & ~np.isin(kinds, ["rock", "torch"])
    cells = sorted((round(x), round(y)) for x, y in told.cells["Decor"])
    assert cells == sorted((x, y) for y, x in np.argwhere(left).tolist())


def test_doors_with_a_scene_are_not_drawn_as_well(told: Told) -> None:
    assert told.cells["Doors"] == []
    doors = {tile for door in told.level.doors for tile in door.tiles}
    assert not doors & {(round(x), round(y)) for x, y in told.cells["Overlay"]}
    assert told.cells["Overlay"] or told.level.style == "isaac"


def test_a_tileset_of_the_games_own_is_used_as_it_is(game_4: Project, tmp_path: Path) -> None:
    """Nothing of the theme is written then; cells name the source that has its image."""
    made = exporters.export(LEVELS["isaac"](), ["godot", "png"], OWN_TILESET, name="dressed")
    assert list(made) == ["dressed.tscn", "dressed_edit.tscn", "dressed.png"]
    assert b'path="res://art/own.tres"' in made["dressed.tscn"]
    made.write(tmp_path)
    assert same_pixels(game_4.shot("dressed.tscn"), tmp_path / "dressed.png")


def same_pixels(one: Path, other: Path) -> bool:
    images = [np.asarray(Image.open(path).convert("RGBA")) for path in (one, other)]
    visible = images[1][..., 3] > 0
    return np.array_equal(images[0][visible], images[1][visible]) and bool(visible.any())


def test_a_scene_stands_for_markers_of_no_room_too() -> None:
    """Such a marker is in the master scene."""
    level = generator.generate("isaac", 7)
    alone = Marker(len(level.markers), "enemy", 3, 3, None, properties={"role": "flyer"})
    level = replace(level, markers=(*level.markers, alone))
    bundle = exporters.export(level, "godot", {**OPTIONS, "godot.split": "rooms"}, name="level")
    assert '[node name="Enemy_3_3" parent="Markers"' in bundle["level.tscn"].decode("utf-8")
