"""Facts, seeds, tables and rerolls that are not what they should be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from generator import Level, Memory

from .base import GRID, Breakage, first, found, found_by, markers_of, with_room, with_spec, without


def _with_facts(level: Level, **facts: Any) -> Level:
    return replace(level, facts={**level.facts, **facts})


def curse_wrong(level: Level) -> Level:
    return _with_facts(level, curse="blind" if level.facts["curse"] != "blind" else "none")


def curse_of_the_spec_wrong(level: Level) -> Level:
    return with_spec(level, curse="lost")


def exit_of_a_run_gone(level: Level) -> Level:
    return with_spec(without(level, *markers_of(level, "exit")), memory=Memory(place=1))


def chapter_wrong(level: Level) -> Level:
    return _with_facts(level, chapter="attic")


def stage_of_the_spec_wrong(level: Level) -> Level:
    return with_spec(level, stage=(level.spec.stage + 5) % 10 + 1)  # type: ignore[attr-defined]


def loops_wrong(level: Level) -> Level:
    return _with_facts(level, loops=int(level.facts["loops"]) + 1)


def facts_gone(level: Level) -> Level:
    return replace(level, facts={})


def fact_unknown(level: Level) -> Level:
    return _with_facts(level, weather="fine")


def seed_code_wrong(level: Level) -> Level:
    return _with_facts(level, seed_code="TKMG 13C2")


def generator_seed_wrong(level: Level) -> Level:
    return _with_facts(level, generator_seed=17)


def target_rooms_wrong(level: Level) -> Level:
    return _with_facts(level, target_rooms=int(level.facts["target_rooms"]) - 1)


def edition_wrong(level: Level) -> Level:
    return _with_facts(level, edition="afterbirth")


def seed_of_another_level(level: Level) -> Level:
    return replace(level, seed=level.seed + 1)


def seed_without_low_bits(level: Level) -> Level:
    return replace(level, seed=1 << 32)


def seed_text_of_another_seed(level: Level) -> Level:
    return replace(level, seed_text="winter")


def seed_text_of_nothing(level: Level) -> Level:
    return replace(level, seed_text="\n")


def rerolls_without_a_count(level: Level) -> Level:
    return replace(level, rerolls=({"room": 1},))


def rerolls_of_an_unknown_room(level: Level) -> Level:
    return replace(level, rerolls=({"room": len(level.rooms), "layout": 1},))


def rerolls_of_another_kind(level: Level) -> Level:
    return replace(level, rerolls=({"room": 0, "kind": "shop", "layout": 1},))


def rerolls_out_of_order(level: Level) -> Level:
    return replace(level, rerolls=({"room": 2, "layout": 1}, {"room": 1, "layout": 1}))


def rerolls_of_an_unknown_key(level: Level) -> Level:
    return replace(level, rerolls=({"room": 1, "layout": 1, "wish": 2},))


def terrain_kinds_without_void(level: Level) -> Level:
    wall = level.terrain_kinds[2]
    return replace(level, terrain_kinds=(wall, *level.terrain_kinds[1:]))


def terrain_kind_twice(level: Level) -> Level:
    return replace(level, terrain_kinds=(*level.terrain_kinds, level.terrain_kinds[1]))


def decor_kinds_without_none(level: Level) -> Level:
    return replace(level, decor_kinds=(level.decor_kinds[1], *level.decor_kinds[1:]))


def walls_to_walk_through(level: Level) -> Level:
    """The level's own table says that one walks on walls, so everything opens onto void."""
    kinds = list(level.terrain_kinds)
    kinds[2] = kinds[2]._replace(walk=True)
    return replace(level, terrain_kinds=tuple(kinds))


def floor_that_nobody_walks_on(level: Level) -> Level:
    kinds = list(level.terrain_kinds)
    kinds[1] = kinds[1]._replace(walk=False)
    return replace(level, terrain_kinds=tuple(kinds))


def _with_decor_kind(level: Level, which: str, **values: Any) -> Level:
    kinds = tuple(kind._replace(**values) if kind.name == which else kind for kind in level.decor_kinds)
    return replace(level, decor_kinds=kinds)


def rocks_to_walk_through(level: Level) -> Level:
    """The level's own table says so, and whoever walks it would believe it."""
    return _with_decor_kind(level, "rock", walk=True)


def rocks_with_another_name(level: Level) -> Level:
    return _with_decor_kind(level, "rock", name="grue")


def pits_to_walk_on(level: Level) -> Level:
    kinds = tuple(kind._replace(walk=kind.walk or kind.name == "pit") for kind in level.terrain_kinds)
    return replace(level, terrain_kinds=kinds)


def marker_gone_without_a_trace(level: Level) -> Level:
    return without(level, level.markers[0])


def district_of_nowhere(level: Level) -> Level:
    district = first(room for room in level.rooms if room.zone)
    return with_room(level, district.id, zone="grue")


def look_of_no_chapter(level: Level) -> Level:
    name = first(name for name in level.facts if name.startswith("zone."))
    return _with_facts(level, **{name: "attic"})


def fight_of_no_difficulty(level: Level) -> Level:
    fighters = {marker.room for marker in markers_of(level, "enemy")}
    fight = first(room for room in level.rooms if room.kind == "normal" and room.id in fighters)
    return with_room(level, fight.id, difficulty=0)


def spacing_of_the_spec_wrong(level: Level) -> Level:
    return with_spec(level, enemy_spacing=12)


def earlier_enemies_in_the_spec(level: Level) -> Level:
    return with_spec(level, enemy_stages=(1, 1))


def larger_body_in_the_spec(level: Level) -> Level:
    key = "door_width" if level.grid else "hallway_width"
    return with_spec(level, **{"body": 3, key: 5})


BREAKAGES: tuple[Breakage, ...] = (
    *found("exit-leads-on", exit_of_a_run_gone, styles=GRID),
    *(
        found_by(make, isaac="facts-follow-from-spec", rebirth="facts-follow-from-the-seed")
        for make in (curse_wrong, curse_of_the_spec_wrong, chapter_wrong, stage_of_the_spec_wrong)
    ),
    *(
        found_by(
            make,
            isaac="facts-follow-from-spec",
            rebirth="facts-follow-from-the-seed",
            gungeon="loops-as-facts-say",
        )
        for make in (facts_gone, fact_unknown)
    ),
    *found("loops-as-facts-say", loops_wrong, styles=("gungeon",)),
    *found(
        "facts-follow-from-the-seed",
        seed_code_wrong,
        generator_seed_wrong,
        target_rooms_wrong,
        edition_wrong,
        seed_of_another_level,
        seed_without_low_bits,
        styles=("rebirth",),
    ),
    *found("seed-is-its-texts", seed_text_of_another_seed, seed_text_of_nothing),
    *found(
        "rerolls-can-be-made-again",
        rerolls_without_a_count,
        rerolls_of_an_unknown_room,
        rerolls_of_another_kind,
        rerolls_out_of_order,
        rerolls_of_an_unknown_key,
    ),
    *found(
        "tables-begin-with-nothing", terrain_kinds_without_void, terrain_kind_twice, decor_kinds_without_none
    ),
    *found("tables-are-of-the-kit", rocks_to_walk_through, rocks_with_another_name, pits_to_walk_on),
    *found("fights-have-a-difficulty", fight_of_no_difficulty, styles=("gungeon",)),
    *found("zones-are-of-rooms", district_of_nowhere, look_of_no_chapter, styles=("gungeon",)),
    *found("marker-ids-count-up", marker_gone_without_a_trace),
    *found("closed-walls", walls_to_walk_through),
    *found("reached-on-foot", floor_that_nobody_walks_on),
    *found("enemies-apart", spacing_of_the_spec_wrong, styles=("gungeon",)),
    *found("enemies-of-the-roster", earlier_enemies_in_the_spec, styles=("gungeon",)),
    *found("body-gets-everywhere", larger_body_in_the_spec),
)
