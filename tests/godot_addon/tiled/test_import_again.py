"""Project > Tools > "import again" imports what this addon imports, and leaves other importers' files alone."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.godot_addon.conftest import AddonProject

from .maps import a_map, import_with, object_layer, save

OTHER = Path(__file__).parent / "other"
PLUGINS = 'enabled=PackedStringArray("res://addons/undercroft/plugin.cfg"'


def test_only_files_of_this_addon_are_imported_again(project: AddonProject) -> None:
    folder = project.folder
    shutil.copytree(OTHER, folder / "addons" / "other")
    settings = folder / "project.godot"
    text = settings.read_text("utf-8")
    assert PLUGINS in text
    settings.write_text(text.replace(PLUGINS, f'{PLUGINS}, "res://addons/other/plugin.cfg"'), "utf-8")
    for name in ("ours.tmj", "theirs.tmj"):
        save(folder, name, a_map((1, 1), (16, 16), [], object_layer({"name": "Point", "point": True})))
    import_with(folder, "theirs.tmj")
    rule = folder / "theirs.tmj.import"
    rule.write_text(rule.read_text().replace("undercroft.tiled.map", "other.map"))
    assert project.import_all() == []
    imported = folder / "other.txt"
    assert imported.read_text().split() == ["res://theirs.tmj"]
    (ours,) = (folder / ".godot" / "imported").glob("ours.tmj-*.scn")
    ours.write_bytes(b"lost")
    project.quiet("--editor", "--", "choose")
    assert ours.read_bytes().startswith(b"RSCC")
    assert imported.read_text().split() == ["res://theirs.tmj"]
