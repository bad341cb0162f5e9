"""Damaged files are refused with a line each: no crash, no hang, no script error, nothing lost."""

from __future__ import annotations

import re

from tests.godot_addon.conftest import AddonProject

from .damage import write_damaged

# Godot's own words for a file that an importer refused.
_REFUSED = "Error importing"
# Ours, Godot's for the same file, where they come from, and what Godot says of a broken zlib stream.
_EXPECTED = re.compile(
    r"(ERROR|WARNING): Undercroft: res://.{10,700}$|ERROR: Error importing|\s+(at: |GDScript|\[\d+\])"
    r"|ERROR: Condition \"err != (1|Z_STREAM_END)\" is true. Returning: -1"
)


def test_damaged_files_are_refused_one_line_each(project: AddonProject) -> None:
    names = write_damaged(project.folder)
    assert len(names) >= 150
    said = project.godot("--import", timeout=240)
    for line in said:
        assert _EXPECTED.match(line), line
    refused = {re.sub(r".*res://([^']*)'.*", r"\1", line) for line in said if _REFUSED in line}
    lines = [line for line in said if line.startswith("ERROR: Undercroft: ")]
    assert len(lines) == len(refused)
    assert len(refused) > 100
    assert refused <= set(names)
    for name in (
        "huge.tmj",
        "circle.tmj",
        "outside.tmj",
        "deep.tmj",
        "brackets.tmj",
        "elements.tmx",
        "self.tmj",
    ):
        assert name in refused
    project.quiet("-s", "probes/tree.gd", "--", "res://features.tmj", str(project.folder / "answer.json"))


def test_a_failed_import_leaves_the_last_good_one(project: AddonProject) -> None:
    write_damaged(project.folder)
    for path in (*project.folder.glob("[dxp]*.t*"), *project.folder.glob("*.world")):
        if path.name != "project.godot":
            path.unlink()
    sound = (project.folder / "features.tmj").read_bytes()
    project.godot("--import")
    before = project.ask("tree.gd", "res://features.tmj")
    (project.folder / "features.tmj").write_bytes(sound[: len(sound) // 2])
    said = [line for line in project.godot("--import") if "features.tmj" in line]
    assert len(said) == 1
    assert "line" in said[0]
    assert project.ask("tree.gd", "res://features.tmj") == before
