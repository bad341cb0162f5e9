"""The commands that LDtk's menu offers: each does its work, run in the project's folder as LDtk runs it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import exporters
import generator
from exporters.formats.ldtk import kinds
from generator.level_file import load_level
from tests.commands import undercroft_line

NAME = "first-floor"


def commands(folder: Path, when: str) -> dict[str, str]:
    """The commands with this trigger by the name of what they do."""
    listed = json.loads((folder / f"{NAME}.ldtk").read_bytes())["customCommands"]
    return {shlex.split(row["command"])[1]: row["command"] for row in listed if row["when"] == when}


def paint(folder: Path) -> None:
    """A tile of the first room becomes rubble, and LDtk saves."""
    path = folder / f"{NAME}.ldtk"
    project = json.loads(path.read_bytes())
    (layer,) = (row for row in project["levels"][0]["layerInstances"] if row["__type"] == "IntGrid")
    layer["intGridCsv"][layer["__cWid"] * 4 + 4] = kinds.RUBBLE
    path.write_text(json.dumps(project, indent="\t"), encoding="utf-8")


def test_edits_come_home_are_checked_and_taken_back(tmp_path: Path) -> None:
    def terrain() -> bytes:
        return load_level(tmp_path / f"{NAME}.level.json").terrain.tobytes()

    undercroft_line(f"undercroft generate isaac --seed 7 --name {NAME} --to json --to ldtk --out .", tmp_path)
    offered, before = commands(tmp_path, "Manual"), terrain()
    assert list(offered) == ["sync", "check", "undo"] and not commands(tmp_path, "AfterSave")
    paint(tmp_path)
    synced = undercroft_line(offered["sync"], tmp_path)
    assert synced.returncode == 0 and "1 tile painted" in synced.stderr
    assert sum(a != b for a, b in zip(terrain(), before, strict=True)) == 1
    assert undercroft_line(offered["check"], tmp_path).returncode == 0
    assert undercroft_line(offered["undo"], tmp_path).returncode == 0
    assert terrain() == before


def test_a_project_can_sync_whenever_it_is_saved(tmp_path: Path) -> None:
    level = generator.generate("isaac", 7)
    exporters.export(level, "ldtk", {"ldtk.sync_on_save": True}, name=NAME).write(tmp_path)
    assert list(commands(tmp_path, "AfterSave")) == ["sync"]
    assert list(commands(tmp_path, "Manual")) == ["check", "undo"]
