"""A folder is renamed in the FileSystem dock: what was drawn on the tiles of its maps stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import godot_server
from tests.godot_addon.conftest import SCRIPTS, AddonProject
from tests.godot_addon.imports.test_tilesets import DRAWN, SCENES, first_tiles, sizes, write_maps

from .conftest import Played, story


@story(anew=False)
def rename(folder: Path) -> str:
    """Maps in a folder, and what draws on their tiles."""
    write_maps(folder / "maps")
    shutil.copytree(SCRIPTS, folder / "probes")
    godot_server.bring(folder)
    return ""


def test_a_folder_that_is_renamed_in_the_dock_keeps_what_was_drawn(rename: Played) -> None:
    before = rename.seen["before"]
    assert not (rename.folder / "maps").exists()
    for boxes, mine in first_tiles(AddonProject(rename.folder), "stages"):
        assert boxes[-1] == DRAWN and mine == '"by hand"'
    (now,) = sizes(rename.folder / "stages")
    assert now.keys() == before.keys() == set(SCENES.values())
    for name, (_, size) in now.items():
        assert size == pytest.approx(before[name], rel=0.05, abs=100)
