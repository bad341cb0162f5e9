"""Names of properties in files of Tiled: none that is taken, and each leads back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exporters.formats.tiled.names import TAKEN, plain_name, written_name

ADDON = Path(__file__).parents[4] / "godot_addon" / "addons" / "undercroft"
OWNERS = st.sampled_from(["enemy", "level", "marker", "key", "x_", ""]) | st.text("abi_d", max_size=6)
PARTS = st.lists(st.sampled_from(["enemy_", "marker_", "id", "name", "_", "x", "kind"]), max_size=4)
NAMES = PARTS.map("".join) | st.text(max_size=8)


@given(NAMES, OWNERS)
@example("id", "marker")
@example("enemy_enemy_name", "enemy")
def test_a_written_name_is_free_and_leads_back(name: str, owner: str) -> None:
    written = written_name(name, owner)
    assert written not in TAKEN
    assert plain_name(written, owner) == name


@given(NAMES, NAMES, OWNERS)
def test_two_names_stay_two(one: str, other: str, owner: str) -> None:
    assert (written_name(one, owner) == written_name(other, owner)) == (one == other)


@pytest.mark.parametrize("name", ["role", "wave", "enemy_kin", "light_radius_tiles"])
def test_most_names_stay(name: str) -> None:
    assert written_name(name, "enemy") == plain_name(name, "enemy") == name


def test_people_read_the_usual_ones() -> None:
    assert written_name("name", "enemy") == "enemy_name" and written_name("name", "boss") == "boss_name"


def test_the_addon_knows_the_same_names() -> None:
    text = (ADDON / "tiled" / "level_names.gd").read_text("utf-8")
    (listed,) = re.findall(r'const _TAKEN := """(.*?)"""', text, re.DOTALL)
    assert set(listed.split()) == TAKEN - {""}
