"""The `rebirth` style's spec: what is refused, in one line that names the remedy, and what it shares with `isaac`."""

from __future__ import annotations

import pytest

from generator import IsaacSpec, RebirthSpec, SpecError
from generator.spec import describe, spec_from_dict
from generator.styles import registry
from generator.styles.grid.spec import GridSpec


@pytest.mark.parametrize(
    ("values", "key", "remedy"),
    [
        ({"stage": 0}, "stage", "1 to 12"),
        ({"stage": 13}, "stage", "1 to 12"),
        ({"stage": True}, "stage", "whole number"),
        ({"curse": "giant", "edition": "afterbirth_plus"}, "curse", "repentance"),
        ({"curse": "cursed"}, "curse", "labyrinth"),
        ({"alternate_path": True, "edition": "rebirth"}, "alternate_path", "repentance"),
        ({"alternate_path": True, "stage": 9}, "alternate_path", "stage 1 to 8"),
        ({"edition": "repentance+"}, "edition", "afterbirth_plus"),
        ({"rooms": 3}, "rooms", "4 to 63"),
        ({"rooms": 64}, "rooms", "0, or 4 to 63"),
        ({"rooms": -1}, "rooms", "0, or 4 to 63"),
        ({"void_bosses": 0}, "void_bosses", "1 to 7"),
        ({"void_spread": 15}, "void_spread", "1 to 14"),
        ({"large_bosses": 101}, "large_bosses", "0 to 100"),
        ({"late_special_rooms": "both"}, "late_special_rooms", "game, wiki"),
        ({"room_size": [16, 9]}, "room_size", "odd"),
        ({"room_size": [10**30, 9]}, "room_size", "9 to 63"),
        ({"door_width": 7}, "door_width", "1 to 5"),
        ({"state": {"character": "isaac"}}, "state.character", "the_lost"),
        ({"state": {"bone_hearts": 99}}, "state.bone_hearts", "0 to 12"),
        ({"state": {"treasure_rooms_skipped": -1}}, "state.treasure_rooms_skipped", "0 to 12"),
        ({"state": {"planetarium_bonus": 101}}, "state.planetarium_bonus", "0 to 100"),
        ({"state": {"luna": 1}}, "state.luna", "true or false"),
        ({"state": {"lunar": True}}, "state.lunar", "luna"),
        ({"state": 7}, "state", "table"),
        ({"editions": "repentance"}, "editions", "edition"),
    ],
)
def test_what_makes_no_level_is_refused_in_one_line(values: dict[str, object], key: str, remedy: str) -> None:
    with pytest.raises(SpecError) as caught:
        spec_from_dict({"style": "rebirth", **values}, "level.toml")
    message = str(caught.value)
    assert message.startswith("level.toml: ") and key in message and remedy in message and "\n" not in message


def test_the_isaac_style_knows_nothing_of_the_remake() -> None:
    """Its spec is what it was: no further curse, state or key."""
    with pytest.raises(SpecError, match="giant"):
        IsaacSpec(curse="giant")
    for key in ("edition", "alternate_path", "state.luna"):
        with pytest.raises(SpecError, match="unknown key"):
            IsaacSpec().replace({key: True})
    assert "edition" not in IsaacSpec().to_dict() and "luna" not in IsaacSpec().to_dict()["state"]


def test_both_grid_styles_share_their_values() -> None:
    shared = [row["key"] for row in describe(GridSpec)]
    for style in ("isaac", "rebirth"):
        assert set(shared) <= {row["key"] for row in describe(registry.style(style).spec)}


def test_a_spec_goes_through_a_table_and_back() -> None:
    spec = RebirthSpec(stage=5, curse="lost", alternate_path=True, hard=True).replace({"state.luna": True})
    assert spec_from_dict(spec.to_dict()) == spec
    assert spec.state.luna and spec.replace({"state": {"keys": 3}}).state.luna


def test_every_value_says_what_it_is() -> None:
    for row in describe(RebirthSpec):
        assert len(row["help"]) >= 10, row["key"]
        assert row["type"] != "integer" or "low" in row, row["key"]
