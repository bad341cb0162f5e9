"""What a designer does in LDtk, saved as LDtk saves it, comes home, and what is written is as LDtk would save it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import exporters
import generator
from generator.level_file import load_level
from tests.commands import undercroft
from tests.exporters.formats.ldtk.saved import Saved, save

from .chains_in_ldtk import LdtkChain, differences
from .editors import LdtkEditor
from .structure_table import add_room


@pytest.mark.parametrize(
    "seed", [9, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(8))]
)
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
    made = Saved(main).files()[main]
    ours = {**json.loads(main.read_bytes()), "__header__": made["__header__"]}
    assert made["customCommands"][-1]["command"] == "make cellar"
    assert [*differences(ours, made)] == []
