"""The iids in an LDtk project stay what they are when the level is edited, and name nothing else by mistake."""

from __future__ import annotations

import difflib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import exporters
from exporters.merge.ldtk import merge_project
from exporters.reading.edited import edited
from generator.level import Level
from tests.commands import undercroft
from tests.exporters.reading.editors import LdtkEditor
from tests.exporters.reading.exported import exported, level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles

REMOVED = 2


def project(level: Level) -> bytes:
    return exporters.export(level, ["ldtk"], name="cellar")["cellar.ldtk"]


def fields(holder: Any) -> dict[str, Any]:
    return {field["__identifier"]: field["__value"] for field in holder["fieldInstances"]}


def test_a_painted_tile_changes_few_lines(tmp_path: Path) -> None:
    level = level_of("isaac")
    main = exported(level, "ldtk", tmp_path)
    before = main.read_text().splitlines()
    for number in (0, 1):  # the second edit is one of an edited level
        edit = LdtkEditor(main, level)
        edit.paint(free_tiles(level)[number], "pit")
        edit.save()
        undercroft("sync", ".", cwd=tmp_path)
        after = main.read_text().splitlines()
        changed = [line for line in difflib.unified_diff(before, after, n=0, lineterm="") if line[0] in "+-"]
        named = [line for line in changed if "fingerprint" in line or '"params"' in line]
        assert len(named) == 4 * len(level.rooms), "each level has the fingerprint, in two lines"
        assert 2 < len(changed) - len(named) < 20
        before = after


def test_the_number_of_a_room_that_is_gone_does_not_give_another_room_its_work() -> None:
    """The level after it has its number, and so its iid; somebody coloured both."""
    base = level_of("isaac")
    level = edited(base, {("room", REMOVED, "gone"): True})
    assert len(level.rooms) == len(base.rooms) - 1
    theirs = json.loads(project(base))
    for colour, number in (("#AA0000", REMOVED), ("#00BB00", REMOVED + 1)):
        (found,) = (each for each in theirs["levels"] if fields(each)["room"] == number)
        found["bgColor"] = found["__bgColor"] = colour
    merged = merge_project(project(base), json.dumps(theirs).encode(), project(level))
    colours = {fields(each)["room"]: each["bgColor"] for each in json.loads(merged.data)["levels"]}
    assert {number: colour for number, colour in colours.items() if colour} == {REMOVED: "#00BB00"}
    assert len(merged.conflicts) == 1 and "its room is gone" in merged.conflicts[0]


def test_a_level_that_an_older_version_edited_keeps_its_iids() -> None:
    """It made them from the level's own fingerprint."""
    (x, y), level = free_tiles(level_of("isaac"))[0], level_of("isaac")
    older = replace(level, edited={"base": level.fingerprint, "terrain": 1})
    assert older.ids_from == older.fingerprint
    newer = edited(older, {("terrain", x, y): "pit"})
    assert newer.ids_from == older.fingerprint != newer.fingerprint
    iids = [[each["iid"] for each in json.loads(project(made))["levels"]] for made in (older, newer)]
    assert iids[0] == iids[1]
