"""A kind that a level does not have leaves its fingerprint as it was, and files of older versions are read."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import exporters
from exporters.edits.digests import level_as_written
from generator import Level, generate, load_level
from generator.cli import main
from generator.kinds import SHIPPED, Kinds, late_rows, read_kit
from generator.level_file import level_from_dict
from generator.serialise import dumps
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.test_edits_brought_back import free_tiles
from tests.generator.kits.base import GARDEN, write_kit

# What version 0.2.0 gave levels whose normal rooms all have one layout, since there are more layouts now.
EARLIER = {
    ("isaac", 7, 1, "normal/cellar/easy/parlour"): "144fbdea5ca1e6f09c66b5b42f51cba9",
    ("isaac", 33, 4, "normal/cellar/medium/cave-in"): "c3b16f04cf31a3e4fa3124b4501d53e1",
    ("rebirth", 5, 1, "normal/cellar/medium/archive"): "ce952ed3405e35448cab21ed84bc8b80",
}


@pytest.mark.parametrize(("made", "fingerprint"), EARLIER.items(), ids=str)
def test_levels_keep_their_fingerprints(made: tuple[str, int, int, str], fingerprint: str) -> None:
    style, seed, stage, layout = made
    assert generate(style, seed=seed, stage=stage, only_layout=layout).fingerprint == fingerprint


def without(level: Level, gone: frozenset[str]) -> Level:
    """The level as it was before these kinds of decor existed."""
    kept = [number for number, kind in enumerate(level.decor_kinds) if kind.name not in gone]
    numbers = np.zeros(len(level.decor_kinds), np.uint8)
    numbers[kept] = range(len(kept))
    tables = level.kinds.tables
    rows = {name: row for name, row in tables["decor"].items() if name not in gone}
    return dataclasses.replace(
        level,
        decor=numbers[level.decor],
        decor_kinds=tuple(level.decor_kinds[number] for number in kept),
        kinds=level.kinds if level.kinds == SHIPPED else Kinds({**tables, "decor": rows}),
    )


@pytest.mark.parametrize("is_own", [False, True], ids=["shipped", "kit"])
def test_only_the_kinds_that_it_has_count(is_own: bool, tmp_path: Path) -> None:
    level = generate("isaac", seed=1, rooms=6)
    if is_own:
        level = dataclasses.replace(level, kinds=read_kit(write_kit(tmp_path, GARDEN)).kinds)
    late, crate, sack = late_rows("decor"), SHIPPED.decor_ids["crate"], SHIPPED.decor_ids["sack"]
    assert without(level, late).fingerprint == level.fingerprint != level.former_fingerprint
    with_sacks = dataclasses.replace(level, decor=np.where(level.decor == crate, sack, level.decor))
    assert without(with_sacks, late - {"sack"}).fingerprint == with_sacks.fingerprint
    assert with_sacks.fingerprint != level.fingerprint
    older = level_from_dict({**level.to_dict(), "fingerprint": level.former_fingerprint})
    assert older == level
    file = tmp_path / "x.level.json"
    file.write_bytes(dumps(level).replace(level.fingerprint.encode(), level.former_fingerprint.encode()))
    assert level_as_written(file) == level


def test_edits_in_a_folder_whose_levels_count_all_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = generate("isaac", seed=1, rooms=6)
    with monkeypatch.context() as earlier:
        earlier.setattr(Level, "fingerprint", Level.former_fingerprint)
        exporters.export(level, ["json", "tiled", "ldtk"], name="cellar").write(tmp_path)
    edit = editor_of(tmp_path / "cellar.tmj", level)
    edit.paint(tile := free_tiles(level)[0], "pit")
    edit.save()
    done = CliRunner().invoke(main, ["sync", str(tmp_path)])
    assert done.exit_code == 0, done.output
    synced = load_level(tmp_path / "cellar.level.json")
    assert synced.terrain[tile[::-1]] == SHIPPED.terrain_ids["pit"] and synced.edited["terrain"] == 1
    assert synced.fingerprint in (tmp_path / "cellar.ldtk").read_text("utf-8")
