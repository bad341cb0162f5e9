"""What a designer does in LDtk, saved as LDtk saves it, comes home, and what is written is as LDtk would save it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import exporters
import generator
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters import small_theme
from tests.exporters.formats.ldtk.saved import save, unlike_ldtk

from .chains_in_ldtk import Designer, LdtkChain
from .editors import LdtkEditor
from .structure_table import add_room


@pytest.mark.parametrize("seed", [9, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(8))])
def test_a_chain_of_edits_in_ldtk(seed: int, tmp_path: Path) -> None:
    LdtkChain(seed, tmp_path, steps=1).run()


def test_no_tile_of_a_rule_is_stale_beside_a_room_that_was_drawn(tmp_path: Path) -> None:
    """The person's project has a command of its own, so it is merged; LDtk had drawn rims that the level has not."""
    level = generator.generate("gungeon", 32, rooms=7, roughness=30)
    exporters.export(level, ["json", "ldtk"], name="cellar").write(tmp_path)
    main = tmp_path / "cellar.ldtk"
    edit = LdtkEditor(main, level)
    add_room(edit)
    edit.project["customCommands"].append({"command": "make cellar", "when": "Manual"})
    edit.save()
    save(main)
    undercroft("sync", ".", cwd=tmp_path)
    assert len(load_level(tmp_path / "cellar.level.json").rooms) == len(level.rooms) + 1
    assert json.loads(main.read_bytes())["customCommands"][-1]["command"] == "make cellar"
    assert unlike_ldtk(main) == []


def test_entities_of_a_new_level_have_a_persons_field_and_show_what_they_are(tmp_path: Path) -> None:
    """Made again from another seed, for a theme with another sheet, with a field and an enemy that somebody picked."""
    main, chosen = tmp_path / "cellar.ldtk", small_theme.write(tmp_path)
    level = generator.generate("isaac", 7)
    exporters.export(level, ["json", "ldtk"], name="cellar").write(tmp_path)
    edit = LdtkEditor(main, level)
    designer = Designer(edit, level, random.Random(0), "edit-1-")
    assert designer.own_fields() and designer.pick_enemy()
    edit.save()
    save(main)
    words = (
        "--seed",
        "8",
        "--name",
        "cellar",
        "--theme",
        chosen,
        "--to",
        "json",
        "--to",
        "ldtk",
        "--out",
        ".",
    )
    undercroft("generate", "isaac", *map(str, words), "--edits", "merge", cwd=tmp_path)
    assert unlike_ldtk(main) == []
    (field,) = (
        each
        for entity in json.loads(main.read_bytes())["defs"]["entities"]
        for each in entity["fieldDefs"]
        if each["type"] == "F_Color"
    )
    assert field["doc"] == "edit-1-"
