"""Project > Tools > "import again" imports what this addon imports, and leaves other importers' files alone."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.godot_addon.tiled.maps import a_map, import_with, object_layer, save

from .conftest import Played, story

OTHER = Path(__file__).parent / "other"
DRIVER = '"res://addons/driver/plugin.cfg"'


@story(anew=False)
def import_again(folder: Path) -> str:
    """A map that this addon imports, and one that another addon does."""
    shutil.copytree(OTHER, folder / "addons" / "other")
    settings = folder / "project.godot"
    text = settings.read_text("utf-8")
    assert DRIVER in text
    settings.write_text(text.replace(DRIVER, f'{DRIVER}, "res://addons/other/plugin.cfg"'), "utf-8")
    maps = folder / "again"
    maps.mkdir()
    for name in ("ours.tmj", "theirs.tmj"):
        save(maps, name, a_map((1, 1), (16, 16), [], object_layer({"name": "Point", "point": True})))
    import_with(maps, "theirs.tmj")
    rule = maps / "theirs.tmj.import"
    rule.write_text(rule.read_text("utf-8").replace("undercroft.tiled.map", "other.map"), "utf-8")
    return ""


def test_only_files_of_this_addon_are_imported_again(import_again: Played) -> None:
    seen = import_again.seen
    assert seen["ours"] == "RSCC"
    assert seen["before"].split() == seen["after"].split() == ["res://again/theirs.tmj"]
