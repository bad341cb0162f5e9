"""Damage of the tables of kinds, the spec, the facts and the level's own numbers."""

from __future__ import annotations

from typing import Any

from tests.generator.breakages.base import Unfit

from .draft import Damage, Draft

# A table, a kind in it, a field, and its value.
KINDS: dict[str, tuple[str, str, str, Any]] = {
    "pits_to_walk_on": ("terrain_kinds", "pit", "walk", True),
    "walls_to_walk_through": ("terrain_kinds", "wall", "walk", True),
    "void_to_fly_over": ("terrain_kinds", "void", "fly", True),
    "floor_that_hurts": ("terrain_kinds", "floor", "hazard", True),
    "floor_that_nobody_walks": ("terrain_kinds", "floor", "walk", False),
    "doors_that_nobody_walks": ("terrain_kinds", "door", "walk", False),
    "bridge_called_walkway": ("terrain_kinds", "bridge", "name", "walkway"),
    "two_kinds_called_floor": ("terrain_kinds", "hallway", "name", "floor"),
    "rocks_to_walk_through": ("decor_kinds", "rock", "walk", True),
    "rocks_to_shoot_through": ("decor_kinds", "rock", "shoot", True),
    "rocks_of_four_tiles": ("decor_kinds", "rock", "size", [2, 2]),
    "fire_that_is_harmless": ("decor_kinds", "fire", "hazard", False),
    "rock_called_boulder": ("decor_kinds", "rock", "name", "boulder"),
}


def _kind(table: str, name: str, field: str, value: Any) -> Damage:
    def damage(draft: Draft) -> None:
        draft.one(row for row in draft.table[table] if row["name"] == name)[field] = value

    return damage


def floor_and_wall_change_names(draft: Draft) -> None:
    rows = draft.table["terrain_kinds"]
    one, other = draft.number("floor"), draft.number("wall")
    rows[one], rows[other] = rows[other], rows[one]


def table_without_its_last_used_row(draft: Draft) -> None:
    draft.table["decor_kinds"] = draft.table["decor_kinds"][: max(draft.table["decor"])]


def table_without_nothing(draft: Draft) -> None:
    draft.table["decor_kinds"] = draft.table["decor_kinds"][1:]


# A part of the level, a key in it, and its value; numbers are added where the key says so.
SPEC: dict[str, tuple[str, str, Any]] = {
    "spec_of_another_stage": ("spec", "stage", 9),
    "spec_of_stage_99": ("spec", "stage", 99),
    "spec_of_another_style": ("spec", "style", "drawn"),
    "spec_of_larger_rooms": ("spec", "room_size", [21, 13]),
    "spec_of_wider_doors": ("spec", "door_width", 5),
    "spec_of_another_curse": ("spec", "curse", "labyrinth"),
    "spec_of_another_edition": ("spec", "edition", "afterbirth"),
    "spec_of_five_rooms": ("spec", "rooms", 5),
    "spec_of_99_fights": ("spec", "enemy_rooms", [99, 99]),
    "spec_of_99_shops": ("spec", "shop_rooms", [99, 99]),
    "spec_of_tiny_bosses": ("spec", "boss_width", [8, 9]),
    "spec_of_huge_chests": ("spec", "chest_height", [40, 41]),
    "spec_of_a_giant": ("spec", "body", 9),
    "spec_of_enemies_far_apart": ("spec", "enemy_spacing", 60),
    "spec_of_a_flow_that_is_not_there": ("spec", "flow", "no_such_flow"),
    "spec_of_a_kit_that_is_none": ("spec", "kit", "no-kit"),
    "spec_with_a_strange_key": ("spec", "unicorn", 1),
    "spec_with_a_misspelt_champion": ("spec", "champions", "many"),
    "fact_of_hell": ("facts", "chapter", "hell"),
    "fact_of_another_curse": ("facts", "curse", "grue"),
    "fact_of_more_loops": ("facts", "loops", "+1"),
    "fact_of_more_keys": ("facts", "keys", "+1"),
    "fact_of_fewer_locks": ("facts", "locks", "-1"),
    "fact_of_more_one_ways": ("facts", "one_ways", "+1"),
    "fact_of_another_flow": ("facts", "flow", "a river"),
    "fact_of_another_seed_code": ("facts", "seed_code", "AAAA AAAA"),
    "fact_of_another_generator_seed": ("facts", "generator_seed", "+1"),
    "fact_of_more_rooms": ("facts", "target_rooms", "+1"),
    "fact_that_is_strange": ("facts", "unicorns", 1),
    "origin_a_tile_off": ("grid", "origin", [0, 0]),
    "cells_of_another_size": ("grid", "cell_size", [13, 9]),
    "level_a_tile_wider": ("size", "width", "+1"),
}

# Facts and values of the spec that are strange even where a level has none of the name.
_ANYWHERE = {"unicorn", "unicorns", "chapter", "kit"}


def _part(part: str, key: str, value: Any) -> Damage:
    def damage(draft: Draft) -> None:
        table = draft.table[part]
        if table is None or (key not in table and key not in _ANYWHERE):
            raise Unfit
        table[key] = table[key] + int(value) if value in ("+1", "-1") else value

    return damage


def state_of_debts(draft: Draft) -> None:
    if "state" not in draft.table["spec"]:
        raise Unfit
    draft.table["spec"]["state"]["coins"] = -5


def another_style(draft: Draft) -> None:
    draft.table["style"] = "gungeon" if draft.table["style"] != "gungeon" else "isaac"


def seed_of_another_level(draft: Draft) -> None:
    """Only in `rebirth` do the facts tell of the seed; elsewhere `check --again` does."""
    if draft.table["style"] != "rebirth":
        raise Unfit
    draft.table["seed"] = "8"


def seed_of_another_text(draft: Draft) -> None:
    draft.table["seed_text"] = "grue"


def format_of_the_future(draft: Draft) -> None:
    draft.table["format_version"] = 99


def strange_part(draft: Draft) -> None:
    draft.table["unicorns"] = []


def room_rolled_again_that_is_not_there(draft: Draft) -> None:
    draft.table["rerolls"] = [{"room": 999, "nonce": 1}]


def room_of_strange_keys(draft: Draft) -> None:
    draft.room()["unicorn"] = True


def rooms_in_another_order(draft: Draft) -> None:
    """Numbered anew; what names them does not know of it."""
    draft.table["rooms"].reverse()
    for number, row in enumerate(draft.table["rooms"]):
        row["id"] = number


def last_room_gone(draft: Draft) -> None:
    draft.table["rooms"].pop()


def kinds_without_an_enemy(draft: Draft) -> None:
    """That is met in the level."""
    rows = draft.table.get("kinds", {}).get("enemies")
    met = {row["properties"].get("name") for row in draft.markers("enemy")}
    if not rows or not met.intersection(rows):
        raise Unfit
    del rows[draft.one(sorted(met.intersection(rows)))]


FACTS: dict[str, Damage] = {
    **{name: _kind(*row) for name, row in KINDS.items()},
    **{name: _part(*row) for name, row in SPEC.items()},
    **{
        damage.__name__: damage
        for damage in (
            floor_and_wall_change_names,
            table_without_its_last_used_row,
            table_without_nothing,
            state_of_debts,
            another_style,
            seed_of_another_level,
            seed_of_another_text,
            format_of_the_future,
            strange_part,
            room_rolled_again_that_is_not_there,
            room_of_strange_keys,
            rooms_in_another_order,
            last_room_gone,
            kinds_without_an_enemy,
        )
    },
}
