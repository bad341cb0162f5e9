"""Lists to pick from: which values LDtk offers for a marker's property, and what an entity shows then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import exporters
import generator
from exporters.theme.loader import load_theme
from generator.level import Level

from .reader import Json

PLAIN = generator.generate("isaac", 7)


def definitions(level: Level) -> tuple[dict[str, Json], dict[str, Json], Json]:
    """The enums, the fields of markers by `Entity.field`, and the whole project."""
    project = json.loads(exporters.export(level, "ldtk", name="a")["a.ldtk"])
    fields = {
        f"{entity['identifier']}.{field['identifier']}": field
        for entity in project["defs"]["entities"]
        for field in entity["fieldDefs"]
    }
    return {each["identifier"]: each for each in project["defs"]["enums"]}, fields, project


def with_tier(tier: object) -> Level:
    """The level with a chest of this tier."""
    markers = [
        replace(each, properties={"tier": tier}) if each.kind == "chest" else each for each in PLAIN.markers
    ]
    assert markers != [*PLAIN.markers]
    return replace(PLAIN, markers=tuple(markers))


def test_usual_values_are_in_a_list_with_their_icons() -> None:
    enums, fields, project = definitions(PLAIN)
    theme = load_theme()
    for enum, values in {
        "EnemyRole": ["walker", "shooter", "flyer", "brute", "turret"],
        "ChestTier": ["wood", "gold", "red"],
        "PickupItem": ["any", "bomb", "coin", "heart", "key"],
        "ItemPool": ["room", "book", "planetarium"],
    }.items():
        assert [each["id"] for each in enums[enum]["values"]] == values
    assert fields["Chest.tier"]["type"] == f"F_Enum({enums['ChestTier']['uid']})"
    assert fields["Chest.tier"]["__type"] == "LocalEnum.ChestTier"
    rects = {each["id"]: each["tileRect"] for each in enums["PickupItem"]["values"]}
    assert (rects["coin"]["x"], rects["coin"]["y"]) == theme.at_px(theme.icons["pickup_coin"])
    assert (rects["any"]["x"], rects["any"]["y"]) == theme.at_px(theme.icons["pickup"])
    assert enums["ItemPool"]["iconTilesetUid"] is None  # none of them has an icon
    found = [
        (entity["__tile"], {each["__identifier"]: each["__value"] for each in entity["fieldInstances"]})
        for level in project["levels"]
        for layer in level["layerInstances"]
        for entity in layer["entityInstances"]
        if entity["__identifier"] == "Pickup"
    ]
    assert found and all(tile == rects[values["item"]] for tile, values in found)


@pytest.mark.parametrize(
    ("tier", "type_"), [("silver", "LocalEnum.ChestTier"), ("Gold & red", "String"), (3, "String")]
)
def test_other_values_are_added_if_they_can_be(tier: object, type_: str) -> None:
    enums, fields, _ = definitions(with_tier(tier))
    assert fields["Chest.tier"]["__type"] == type_
    assert [each["id"] for each in enums["ChestTier"]["values"]][3:] == ["silver"] * (tier == "silver")


def test_a_kit_with_pickups_of_its_own_has_texts_for_them() -> None:
    kit = Path(__file__).parents[4] / "docs" / "examples" / "highnoon"
    enums, fields, _ = definitions(generator.generate("gungeon", 5, kit=str(kit), enemy_rooms=(5, 5)))
    assert fields["Pickup.item"]["__type"] == "String" and "PickupItem" not in enums
    assert fields["Enemy.role"]["__type"] == "LocalEnum.EnemyRole"
