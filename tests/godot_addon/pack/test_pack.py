"""What a game builds of a pack is what the generator writes as a scene, and a damaged pack is refused."""

from __future__ import annotations

import pytest

from .conftest import FIRST, STYLES, Packs

pytestmark = pytest.mark.xdist_group("godot")


@pytest.mark.parametrize("style", STYLES)
def test_built_scenes_are_those_that_are_written(packs: Packs, style: str) -> None:
    """Every node with its class, name, groups, owner, properties, metadata and cells."""
    scenes = [f"res://{style}-{seed}.tscn" for seed in range(FIRST, FIRST + STYLES[style])]
    told = packs.ask("same.gd", f"res://{style}.ucpack", *scenes)
    assert told["differences"] == []
    assert told["count"] == len(scenes)
    assert told["nodes"] > 50 * len(scenes) and told["cells"] > 1000 * len(scenes)
    assert told["properties"] > 10 * told["nodes"]


def test_scenes_of_the_game_stand_in_packs_too(packs: Packs) -> None:
    told = packs.ask("same.gd", "res://own/scenes.ucpack", "res://own/isaac-5.tscn")
    assert told["differences"] == [] and told["nodes"] > 80
