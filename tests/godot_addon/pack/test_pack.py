"""What a game builds of a pack is what the generator writes as a scene, and a damaged pack is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.engines import godot

from .conftest import FAR, FIRST, STYLES, Packs

pytestmark = pytest.mark.xdist_group("pack")


@pytest.mark.parametrize("style", STYLES)
def test_built_scenes_are_those_that_are_written(packs: Packs, style: str) -> None:
    """Every node with its class, name, groups, owner, properties, metadata and cells."""
    packs.compare(style, FIRST, STYLES[style])


def test_scenes_of_the_game_stand_in_packs_too(packs: Packs) -> None:
    told = packs.ask("same.gd", "res://own/scenes.ucpack", "res://own/isaac-5.tscn")
    assert told["differences"] == [] and told["nodes"] > 80


def test_the_addon_adds_the_lights_that_the_generator_writes(packs: Packs) -> None:
    told = packs.ask("same.gd", "res://own/lit.ucpack", "res://own/gungeon-5.tscn")
    assert told["differences"] == [] and told["nodes"] > 300


def test_levels_are_found_picked_and_built_in_threads(packs: Packs) -> None:
    told = packs.run("choose.gd", "res://isaac.ucpack")
    rooms, count = told["rooms"], STYLES["isaac"]
    assert told["some"] == [index for index in range(count) if 8 <= rooms[index] <= 9]
    assert told["one"] == [index for index in range(count) if rooms[index] == rooms[0]]
    assert (told["none"], told["all"], told["nobody"]) == ([], count, -1)
    assert (told["without"], told["with"], told["nowhere"]) == (count, 0, 0)
    assert told["parsed"] == told["some"]
    assert told["seeds"] == [str(seed) for seed in range(FIRST, FIRST + count)]
    assert told["same"] == 7 - FIRST and told["back"] == 3 and told["among"] in told["some"]
    assert told["large"] == [str(FAR), str(FAR - (1 << 64)), 0]
    assert told["far"][0] == told["far"][1] and 0 <= told["far"][0] < count
    assert told["spread"] == count
    assert told["threads"] == 8


def test_what_a_pack_does_not_have_is_one_line(packs: Packs) -> None:
    told, said = packs.hear("wrong.gd", "res://isaac.ucpack")
    count = STYLES["isaac"]
    lines = [line.partition(": res://isaac.ucpack: ")[2] for line in said if "ERROR" in line]
    assert lines[:5] == [f"has no level {at}, only {count} levels" for at in (count, -1, count, count, -1)]
    assert lines[5:8] == [
        "style: 0 is not a text",
        "rooms: 8.5 is not a whole number or [min, max]",
        "rooms: [1, 2, 3] is not a whole number or [min, max]",
    ]
    assert lines[8].startswith("unknown fact room; known facts: ") and len(lines) == 9
    assert told == {
        "levels": [True, True],
        "of": ["", {}, ""],
        **{wish: [] for wish in ("text", "fraction", "three", "fact")},
    }


def test_exported_games_hold_their_packs(packs: Packs, tmp_path: Path) -> None:
    """Without a filter; the game reads the pack, the theme and the scripts from its own file alone."""
    shutil.copy(packs.folder / "probes" / "choose.gd", tmp_path)
    answer = tmp_path / "answer.json"
    done = godot().run(
        "--headless",
        "--main-pack",
        packs.game,
        "-s",
        tmp_path / "choose.gd",
        "--",
        "res://isaac.ucpack",
        answer,
        cwd=tmp_path,
    )
    assert not done.stderr.strip(), done.stderr
    assert json.loads(answer.read_text("utf-8"))["threads"] == 8
