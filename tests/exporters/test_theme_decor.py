"""Decor in themes that were made before a kind existed, and in the level that `theme check` draws."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from exporters.theme import EMPTY
from exporters.theme.loader import load_theme
from exporters.theme.new import first_theme
from exporters.theme.showroom import showroom
from generator.kinds import SHIPPED
from generator.kinds.kind_tables import HUNG
from generator.kinds.kit import read_kit
from tests.exporters import own_sheet, small_theme

# What stands in for each kind in a theme that does not know it.
STAND_INS = {
    "brazier": "fire",
    "stool": "crate",
    "anvil": "block",
    "crystal": "tinted_rock",
    "sack": "crate",
    "pillar": "statue",
    "weapon_rack": "bookshelf",
    "bed": "table",
    "workbench": "table",
}
HIDDEN = (
    "dirt",
    "dais",
    "carpet",
    "puddle",
    "roots",
    "cracks",
    "blood",
    "straw",
    "books",
    "moss",
    "chains",
    "vines",
)


def test_a_theme_without_a_kind_draws_what_is_most_similar(tmp_path: Path) -> None:
    """With the pixels of the other kind; flat things and those on walls are not drawn."""
    path = small_theme.write(tmp_path)
    text = path.read_text("utf-8")
    for name in (*STAND_INS, *HIDDEN):
        text = re.sub(rf"\[decor\.{name}\]\n(\w+ = .*\n)+", "", text)
    path.write_text(text, "utf-8")
    theme = load_theme(path)
    notes = "\n".join(theme.stand_ins)
    for name, other in STAND_INS.items():
        assert re.search(rf"no tiles for [\w, ]*\b{name}\b[\w, ]*; {other} is used instead", notes), name
        assert len(theme.decor[name].variants.tiles) == len(theme.decor[other].variants.tiles)
    assert len(theme.decor["pillar"].overlay) == len(theme.decor["statue"].overlay) == 2
    assert all(theme.decor[name].variants.tiles == (EMPTY,) for name in HIDDEN)


def test_a_first_theme_has_a_line_for_each_kind(tmp_path: Path) -> None:
    """What burns looks like fire, what stops somebody like a rock, and the rest is hidden."""
    made = first_theme(own_sheet.write(tmp_path), "keep")
    text = made.bundle["keep.toml"].decode("utf-8")
    lines = dict(re.findall(r"^\[decor\.(\w+)\].*\n(.*)$", text, re.M))
    assert {kind.name for kind in SHIPPED.decor[1:]} == set(lines)
    assert lines["brazier"].startswith('like = "fire"') and lines["anvil"].startswith('like = "rock"')
    assert all(lines[name].startswith("hidden = true") for name in HIDDEN)


def test_the_level_of_theme_check_has_every_kind(tmp_path: Path) -> None:
    """Also if a kit has more kinds of decor than there is space for in rooms of all kinds."""
    rows = "".join(f"[decor.thing_{i}]\nwalk = true\nfly = true\nshoot = true\n" for i in range(40))
    (tmp_path / "kit.toml").write_text(f'name = "things"\n{rows}', "utf-8")
    for kinds in (SHIPPED, read_kit(tmp_path).kinds):
        level = showroom(0, kinds)
        assert set(np.unique(level.decor).tolist()) == set(range(len(kinds.decor)))
        hung = {kinds.decor[number].name for number in np.unique(level.decor[level.terrain == 2]).tolist()}
        assert hung == {"none", *HUNG}
