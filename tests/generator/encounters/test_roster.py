"""The roster: rows that say enough, bad ones refused, and an icon for each."""

from __future__ import annotations

import re
import tomllib

import pytest

from exporters.image import icon_layer
from exporters.theme.loader import load_theme
from generator import generate
from generator.errors import KitError
from generator.kinds import ROSTER, SHIPPED, Kinds
from generator.kinds.kind_tables import HABITS, ROLES


def test_every_chapter_has_new_kinds_and_every_role_some_from_the_first_on() -> None:
    assert len(ROSTER) >= 24
    assert {kind.chapter for kind in ROSTER.values()} == set(range(1, 7))
    for role in ROLES:
        assert SHIPPED.enemies_of(role, 1)
    assert {habit for kind in ROSTER.values() for habit in kind.habits} == set(HABITS)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ('role = "walker"\ncost = 2\nchapter = 1\nsize = 3', ".size: unknown key"),
        ('role = "ghost"\ncost = 2\nchapter = 1', ".role: unknown word 'ghost'; choose one of walker"),
        ('role = "walker"\ncost = 2\nchapter = 1\nhabits = ["sings"]', ".habits[0]: unknown word 'sings'"),
        ('role = "walker"\ncost = 0\nchapter = 1', ".cost: 0 is not a whole number from 1 to 12"),
        ('role = "walker"\ncost = 2\nchapter = 7', ".chapter: 7 is not a whole number from 1 to 6"),
        ('role = "walker"\ncost = 2\nchapter = 1\nhabits = ["flies"]', ".habits: only flyers fly"),
        ('role = "walker"\ncost = 2\nchapter = 1\nhabits = ["splits"]', ".makes: belongs to the habits"),
    ],
)
def test_a_bad_row_is_refused(row: str, told: str) -> None:
    with pytest.raises(KitError, match=re.escape(f"kit: enemy.x{told}")):
        Kinds(SHIPPED.tables | tomllib.loads(f"[enemy.x]\n{row}"))


def test_every_kind_has_an_icon_of_its_own_and_shows_it() -> None:
    theme = load_theme()
    icons = [theme.icons[f"enemy_{name}"] for name in ROSTER]
    assert len(set(icons)) == len(ROSTER)
    level = generate("isaac", 3, stage=6)
    layer = icon_layer(level, theme)
    for marker in level.markers:
        if marker.kind == "enemy":
            assert layer[marker.y, marker.x] == theme.icons[f"enemy_{marker.properties['name']}"]
