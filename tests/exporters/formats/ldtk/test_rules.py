"""Rules: what is baked is what they draw, and who paints gets right tiles."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exporters
from exporters.dress import EMPTY, dress
from exporters.formats.ldtk import kinds
from exporters.formats.ldtk.kinds import NOTHING, Rule, drawing_of
from exporters.theme import Theme, Variants
from exporters.theme.loader import load_theme
from exporters.variants import shares
from generator.kinds import SHIPPED
from tests.exporters.small_level import drawn

from . import notches
from .conftest import Case
from .reader import Json, Project, tile_drawn

WORDS = kinds.grid_words(SHIPPED)
GROUPS = {each.value: each.group.uid for each in WORDS.values}
VALUES = [0, *GROUPS]


def terrain(level: Json) -> Json:
    (instance,) = (each for each in level["layerInstances"] if each["__type"] == "IntGrid")
    assert isinstance(instance, dict)
    return instance


def test_baked_tiles_are_what_the_rules_draw(case: Case) -> None:
    """Everywhere: the same rule at the same place, and its tile; and nothing where no rule fits."""
    for level in case.project.levels:
        instance = terrain(level)
        wanted = case.project.applied(level, instance)
        baked = {tile["d"][1]: tile for tile in instance["autoLayerTiles"]}
        assert len(baked) == len(instance["autoLayerTiles"])
        assert {coord: tile["d"][0] for coord, tile in baked.items()} == {
            coord: rule["uid"] for coord, rule in wanted.items()
        }
        for coord, rule in wanted.items():
            assert baked[coord]["t"] == tile_drawn(rule, instance, coord)


def test_baked_tiles_stand_in_ldtks_order(case: Case) -> None:
    """The last rule first, and by place: so LDtk lists them when it saves."""
    layer = next(each for each in case.project.layers.values() if each["type"] == "IntGrid")
    order = {rule["uid"]: number for number, rule in enumerate(case.project.rules(layer))}
    for level in case.project.levels:
        keys = [(-order[tile["d"][0]], tile["d"][1]) for tile in terrain(level)["autoLayerTiles"]]
        assert keys == sorted(keys)


def test_every_rule_is_one_that_ldtk_leaves_alone(make: Callable[[str], Case]) -> None:
    """Its pattern has no empty border, its tiles exist; all break on match, so no place gets two."""
    project = make("isaac").project
    layer = next(each for each in project.layers.values() if each["type"] == "IntGrid")
    tileset = project.tilesets[layer["tilesetDefUid"]]
    for rule in project.rules(layer):
        size, pattern = rule["size"], rule["pattern"]
        assert rule["breakOnMatch"] and rule["chance"] == 1 and len(pattern) == size * size
        edge = [pattern[i] for i in range(size * size) if {i % size, i // size} & {0, size - 1}]
        assert any(edge)
        assert rule["tileRectsIds"]
        for (tile,) in rule["tileRectsIds"]:
            assert 0 <= tile < tileset["__cWid"] * tileset["__cHei"]


@settings(max_examples=60)
@given(st.data(), st.integers(1, 7), st.integers(1, 7))
def test_whatever_is_painted_the_fast_rules_are_the_slow_ones(
    data: st.DataObject, width: int, height: int
) -> None:
    """The exporter's arrays and the reader's patterns agree on every grid, sensible or not."""
    drawing = drawing_of(load_theme())
    values = data.draw(st.lists(st.sampled_from(VALUES), min_size=width * height, max_size=width * height))
    grid = np.array(values, np.uint8).reshape(height, width)
    found = drawing.drawn(grid).ravel().tolist()
    project = _rules_only(drawing.rules)
    instance = {"layerDefUid": 1, "intGridCsv": values, "__cWid": width, "__cHei": height}
    slow = project.applied({"layerInstances": []}, instance)
    assert found == [slow[coord]["uid"] if coord in slow else NOTHING for coord in range(width * height)]


def _rules_only(rules: tuple[Rule, ...]) -> Project:
    """A project of nothing but rules, whose uids are their numbers."""
    project = object.__new__(Project)
    listed = [
        {
            "uid": number,
            "size": 1 if len(rule.pattern) == 1 else 3,
            "pattern": rule.pattern,
            "outOfBoundsValue": rule.beyond,
            "active": True,
        }
        for number, rule in enumerate(rules)
    ]
    layer = {
        "autoRuleGroups": [{"active": True, "isOptional": False, "rules": listed}],
        "intGridValues": [{"value": value, "groupUid": group} for value, group in GROUPS.items()],
        "autoTilesKilledByOtherLayerUid": None,
    }
    project.layers = {1: layer}
    return project


ROOM = """

  ######
  ######
  #....#
  #.~~.#
  #.~=.#
  #....#
  ######

"""


def test_painting_a_room_draws_what_the_generator_would(plain: Theme) -> None:
    """Floor, pit and bridge in a ring of wall, stone above and below: by hand, and as a level of ours."""
    lines = [line.ljust(10) for line in ROOM.split("\n")]
    layers = dress(drawn("\n".join(lines)), plain)
    letters = {"#": kinds.WALL, ".": WORDS.of_room["normal"], "~": kinds.PIT, "=": kinds.BRIDGE, " ": 0}
    painted = np.array([[letters[letter] for letter in line] for line in lines], np.uint8)
    painted[1, 2:8] = painted[9, 2:8] = kinds.STONE
    drawing = drawing_of(plain)
    numbers = drawing.drawn(painted)
    tiles = np.where(layers.walls != EMPTY, layers.walls, layers.ground)
    assert ((numbers == NOTHING) == (tiles == EMPTY)).all()
    seen = tiles != EMPTY
    assert drawing.holds(numbers[seen], tiles[seen]).all()


@pytest.mark.parametrize("weights", [[1], [10, 10, 1], [9000, 1, 500], [1] * 200])
def test_weights_become_repeated_tiles(weights: list[int], plain: Theme) -> None:
    """In about their proportion, each once at least, and not thousands of them."""
    found = shares(Variants(tuple(range(len(weights))), tuple(weights)))
    assert len(found) == len(weights) and min(found) >= 1 and sum(found) <= 96 + len(weights)
    assert sum(weights) > 96 or list(found) == weights


def test_the_terrain_is_in_the_grid(make: Callable[[str], Case]) -> None:
    """Each value is that of its tile's terrain: the room's floor, a secret door, stone in the void."""
    case = make("gungeon")
    (level,) = case.project.levels
    grid = np.array(terrain(level)["intGridCsv"]).reshape(case.level.terrain.shape)
    first = kinds.first_look(case.theme)
    names = {each.value: each.name for each in WORDS.values}
    secret = {tile for door in case.level.doors if door.kind in ("secret", "red") for tile in door.tiles}
    for (y, x), value in np.ndenumerate(grid):
        kind = case.level.terrain_kinds[case.level.terrain[y, x]].name
        name = names.get(int(first[value]), "void")
        if (x, y) in secret:
            assert name == "door_secret"
        elif kind == "void":
            assert name in ("void", "stone")
        elif kind == "floor":
            assert name.startswith("floor")
        else:
            assert name == kind
    for room in case.level.rooms:
        floor = case.level.terrain[room.bounds.slices] == 1
        assert (first[grid[room.bounds.slices][floor]] == WORDS.of_room[room.kind]).all()


def test_a_theme_of_one_wall_tile_needs_no_fixed_walls(plain: Theme) -> None:
    """Whatever stands beside a wall of it, the rule's tile is right, and no wall needs an end."""
    one = replace(plain, walls=dict.fromkeys(plain.walls, plain.walls[0]))
    data = exporters.export(notches.empty(), "ldtk", theme=one, name="a")["a.ldtk"]
    for level in json.loads(data)["levels"]:
        layers = {each["__identifier"]: each for each in level["layerInstances"]}
        assert layers["Terrain_fixed"]["gridTiles"] == []
        assert not {kinds.WEST_END, kinds.EAST_END} & set(layers["Terrain"]["intGridCsv"])
