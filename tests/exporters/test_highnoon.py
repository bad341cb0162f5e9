"""The example of a western town: what its rows promise, its theme, its flow and Main Street."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from exporters.theme.loader import check_theme
from generator.checks import problems
from generator.kinds import read_kit
from generator.kinds.kit_problems import kit_problems
from generator.level import Level
from generator.pipeline import generate
from generator.spec import load_spec
from tests.commands import undercroft

TOWN = Path(__file__).parents[2] / "docs" / "examples" / "highnoon"
FLOW = TOWN / "flows" / "high_noon.toml"


def town(seed: int, **values: Any) -> Level:
    return generate(replace(load_spec("gungeon"), kit=str(TOWN), **values), seed)


def test_it_is_sound_and_its_theme_draws_all_of_it() -> None:
    assert kit_problems(TOWN) == []
    kit = read_kit(TOWN)
    assert not kit.ships_layouts and {"saloon", "jail", "bank", "sheriff"} < set(kit.kinds.rooms)
    theme, found = check_theme(TOWN / "theme" / "highnoon.toml", kit.kinds)
    assert found == [] and theme is not None and theme.labelled == ()
    assert {row.icon for row in kit.kinds.rooms.values()} - {""} == set(theme.map_icons)


def test_a_town_has_its_houses_and_people() -> None:
    """Around Main Street, which is a place of four rooms."""
    level = town(4, set_pieces="main_street", enemy_rooms=(14, 16))
    assert problems(level) == []
    assert {"start", "boss", "saloon", "jail", "bank", "sheriff"} <= {room.kind for room in level.rooms}
    assert {"Main Street", "Barber", "Hotel", "Assay Office"} <= {room.name for room in level.rooms}
    markers = {marker.kind for marker in level.markers}
    assert {"badge", "prisoner", "bartender", "ware", "strongbox", "boss"} <= markers
    (jail,) = (room.layout for room in level.rooms if room.kind == "jail")
    assert jail and jail.startswith("own/jail/"), "a body of two tiles gets into the cells"


def test_its_flow_is_read_with_the_kit_that_it_is_in() -> None:
    """Nobody duels without the deputy, whose cell the sheriff's key opens."""
    assert undercroft("check", "high_noon.toml", cwd=FLOW.parent).stdout == ""
    level = town(1, flow=str(FLOW))
    assert problems(level) == []
    kinds = {room.id: room.kind for room in level.rooms}
    keys = [marker for marker in level.markers if marker.kind == "key"]
    opens = {str(key.properties["opens"]): kinds[key.room] for key in keys if key.room is not None}
    assert opens == {"cell_key": "sheriff", "deputy": "jail", "dynamite": "normal"}
    assert [door.needs for door in level.doors if door.kind == "vault" and door.needs] == [("dynamite",) * 2]


def test_its_bank_is_opened_with_dynamite_that_lies_in_town() -> None:
    level = town(4)
    assert problems(level) == []
    sticks = [key for key in level.markers if key.properties.get("opens") == "dynamite"]
    banks = [room.id for room in level.rooms if room.kind == "bank"]
    assert len(sticks) == 2 * len(banks) > 0
    assert {level.rooms[key.room].kind for key in sticks if key.room is not None} <= {
        "normal",
        "saloon",
        "store",
        "sheriff",
        "jail",
        "chapel",
    }
