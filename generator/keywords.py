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

Whole: TypeAlias = int | np.integer[Any]
Pair: TypeAlias = tuple[Whole, Whole] | list[int]
Range: TypeAlias = Whole | Pair
Texts: TypeAlias = tuple[str, ...] | list[str]


class MemoryKeywords(TypedDict, total=False):
    """The table `memory` of a spec."""

    bosses: Texts
    injections: Texts
    last: bool
    layouts: Texts
    mini_bosses: Texts
    place: Whole
    special_rooms: Texts


class GatePlanKeywords(TypedDict, total=False):
    """The table `plan` of a spec."""

    in_sequence: bool
    keys: Literal["own", "alike"]
    locks: Range
    one_way: Range
    shortcuts: Range


class SharesByProcedureKeywords(TypedDict, total=False):
    """The table `procedural` of a spec."""

    boss: Whole
    chest: Whole
    normal: Whole
    shop: Whole
    start: Whole


class StateKeywords(TypedDict, total=False):
    """The table `state` of a spec."""

    black_candle: bool
    bloody_crown: bool
    bone_hearts: Whole
    book_picked_up: bool
    character: Literal["any", "the_lost", "blue_baby", "the_soul"]
    coins: Whole
    devil_room_visited: bool
    fragmented_card: bool
    heart_containers: Whole
    keys: Whole
    luna: bool
    mini_boss_met: bool
    planetarium_bonus: Whole
    red_hearts: Whole
    silver_dollar: bool
    soul_hearts: Whole
    treasure_rooms_skipped: Whole
    victory_lap: Whole
    voodoo_head: bool


class SpecKeywords(TypedDict, total=False):
    """The values of the built-in styles: what a function takes as `**values: Unpack[SpecKeywords]`.

    `undercroft describe STYLE` lists those of a style, with what they mean.
    """

    alternate_path: bool
    body: Whole
    boss_height: Range
    boss_rooms: Range
    boss_width: Range
    branching: Range
    champions: Whole
    chapter: str
    chest_height: Range
    chest_rooms: Range
    chest_width: Range
    closets: Whole
    curse: Literal["none", "labyrinth", "lost", "darkness", "unknown", "maze", "blind", "random", "giant"]
    decor: Whole
    districts: Literal["led", "every", "none"]
    door_width: Whole
    drop: Literal["strip", "square", "disc"]
    edition: Literal["rebirth", "afterbirth", "afterbirth_plus", "repentance"]
    enemy_height: Range
    enemy_rooms: Range
    enemy_spacing: Whole
    enemy_stages: Pair
    enemy_width: Range
    flow: str
    hallway_torches: Whole
    hallway_width: Whole
    hard: bool
    kit: str | PathLike[str]
    large_bosses: Whole
    late_special_rooms: Literal["reading", "game", "wiki"]
    layouts: str | PathLike[str]
    linearity: Range
    loop_length: Whole
    loop_share: Range
    memory: Memory | MemoryKeywords
    obstacles: Whole
    only_layout: str
    plan: GatePlan | GatePlanKeywords
    procedural: SharesByProcedure | SharesByProcedureKeywords
    procedural_share: Whole
    reading: Literal["wiki", "game"]
    red_fires: Whole
    room_size: Pair
    rooms: Whole
    roughness: Whole
    rubble: Whole
    secret_room: Literal["article", "demo"]
    set_pieces: str
    shapes: Literal["game", "drawn"]
    shop_height: Range
    shop_rooms: Range
    shop_width: Range
    stage: Whole
    stage_variant: Literal["main", "alternative", "random", "third"]
    start_height: Range
    start_width: Range
    state: State | StateKeywords
    tinted_rocks: Whole
    tree: Literal["dead_ends", "shortest"]
    unlocks: Literal["none", "some", "many", "all"]
    void_bosses: Whole
    void_spread: Whole
