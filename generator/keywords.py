"""The values of specs as keyword arguments, for type checkers and editors.

Written by `python -m tests.keywords` from what the specs declare.
"""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np

from generator.spec.game import Memory, State
from generator.styles.grid.spec import GatePlan
from generator.styles.gungeon.spec import SharesByProcedure

Int: TypeAlias = int | np.integer[Any]
IntPair: TypeAlias = tuple[Int, Int] | list[int]
IntRange: TypeAlias = Int | IntPair
TextList: TypeAlias = tuple[str, ...] | list[str]


class MemoryKeywords(TypedDict, total=False):
    """The table `memory` of a spec."""

    bosses: TextList
    injections: TextList
    last: bool
    layouts: TextList
    mini_bosses: TextList
    place: Int
    special_rooms: TextList


class GatePlanKeywords(TypedDict, total=False):
    """The table `plan` of a spec."""

    in_sequence: bool
    keys: Literal["own", "alike"]
    locks: IntRange
    one_way: IntRange
    shortcuts: IntRange


class SharesByProcedureKeywords(TypedDict, total=False):
    """The table `procedural` of a spec."""

    boss: Int
    chest: Int
    normal: Int
    shop: Int
    start: Int


class StateKeywords(TypedDict, total=False):
    """The table `state` of a spec."""

    black_candle: bool
    bloody_crown: bool
    bone_hearts: Int
    book_picked_up: bool
    character: Literal["any", "the_lost", "blue_baby", "the_soul"]
    coins: Int
    devil_room_visited: bool
    fragmented_card: bool
    heart_containers: Int
    keys: Int
    luna: bool
    mini_boss_met: bool
    planetarium_bonus: Int
    red_hearts: Int
    silver_dollar: bool
    soul_hearts: Int
    treasure_rooms_skipped: Int
    victory_lap: Int
    voodoo_head: bool


class SpecKeywords(TypedDict, total=False):
    """The values of the built-in styles: what a function takes as `**values: Unpack[SpecKeywords]`.

    `undercroft describe STYLE` lists those of a style, with what they mean.
    """

    alternate_path: bool
    body: Int
    boss_height: IntRange
    boss_rooms: IntRange
    boss_width: IntRange
    branching: IntRange
    champions: Int
    chapter: str
    chest_height: IntRange
    chest_rooms: IntRange
    chest_width: IntRange
    closets: Int
    curse: Literal["none", "labyrinth", "lost", "darkness", "unknown", "maze", "blind", "random", "giant"]
    decor: Int
    districts: Literal["led", "every", "none"]
    door_width: Int
    drop: Literal["strip", "square", "disc"]
    edition: Literal["rebirth", "afterbirth", "afterbirth_plus", "repentance"]
    enemy_height: IntRange
    enemy_rooms: IntRange
    enemy_spacing: Int
    enemy_stages: IntPair
    enemy_width: IntRange
    flow: str
    hallway_torches: Int
    hallway_width: Int
    hard: bool
    kit: str | PathLike[str]
    large_bosses: Int
    late_special_rooms: Literal["reading", "game", "wiki"]
    layouts: str | PathLike[str]
    linearity: IntRange
    loop_length: Int
    loop_share: IntRange
    memory: Memory | MemoryKeywords
    obstacles: Int
    only_layout: str
    plan: GatePlan | GatePlanKeywords
    procedural: SharesByProcedure | SharesByProcedureKeywords
    procedural_share: Int
    reading: Literal["wiki", "game"]
    red_fires: Int
    room_size: IntPair
    rooms: Int
    roughness: Int
    rubble: Int
    secret_room: Literal["article", "demo"]
    set_pieces: str
    shapes: Literal["game", "drawn"]
    shop_height: IntRange
    shop_rooms: IntRange
    shop_width: IntRange
    stage: Int
    stage_variant: Literal["main", "alternative", "random", "third"]
    start_height: IntRange
    start_width: IntRange
    state: State | StateKeywords
    tinted_rocks: Int
    tree: Literal["dead_ends", "shortest"]
    unlocks: Literal["none", "some", "many", "all"]
    void_bosses: Int
    void_spread: Int
