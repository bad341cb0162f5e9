"""The tables of a kit that are no rows: numbers by key, and names with a number each."""

from __future__ import annotations

from typing import Any, NamedTuple

from generator.errors import shown
from generator.kinds.columns import Column, RowTable, WrongValueError, choice, number, table
from generator.kinds.rooms import DIFFICULTIES
from generator.kinds.style_names import HEAP

_percent = number(0, 1000)


def _numbers(count: int, low: int, high: int) -> Any:
    one = number(low, high)

    def read(given: object) -> tuple[int, ...]:
        if not isinstance(given, list) or len(given) != count:
            raise WrongValueError(f"{shown(given)} is not a list of {count} whole numbers")
        return tuple(one(each) for each in given)

    return read


def _by_difficulty(given: object) -> dict[str, int]:
    found = table(_percent)(given)
    for each in found:
        choice(*DIFFICULTIES)(each)
    return found


ENCOUNTERS = RowTable(
    "encounters",
    "How strong encounters are. Each key that a kit gives takes the place of the shipped kit's.",
    {
        "stage": Column(
            _numbers(12, 0, 10_000), "12 numbers", "points of a medium room with 100 free tiles, a stage"
        ),
        "difficulty": Column(_by_difficulty, "`{ easy = 92 }`", "percent of it by a room's difficulty"),
        "way": Column(
            _numbers(2, 0, 1000), "2 numbers", "percent of it near the start, and furthest from it"
        ),
        "more_floor": Column(number(0, 10_000), "tiles", "what is added to each room's floor"),
        "champions": Column(_numbers(6, 0, 10_000), "6 numbers", "percent of the usual champions, a chapter"),
        "ambush": Column(
            _numbers(6, 0, 100), "6 numbers", "percent of the rooms where some come later, a chapter"
        ),
        "usual_cost": Column(
            _numbers(6, 1, 100), "6 numbers", "the cost of an enemy where heads are counted"
        ),
    },
)
CHANCES = RowTable(
    "chances",
    "What comes by chance in every room, if a spec does not say otherwise.",
    {
        "champions": Column(number(0, 100), "percent", "enemies of the first chapter that are champions"),
        "tinted_rocks": Column(number(0, 100), "percent", "rocks that are tinted"),
        "red_fires": Column(number(0, 100), "percent", "fires that are red"),
    },
)
HEAP_NUMBERS = RowTable(
    HEAP,
    "Rooms of `gungeon` that are furnished by procedure.",
    {
        "symmetry": Column(number(0, 100), "percent", "floors that are the same on both sides"),
        "floor": Column(number(1, 10_000), "tiles", "the floor that crowds are meant for"),
    },
)
SETTING_TABLES: tuple[RowTable, ...] = (ENCOUNTERS, CHANCES, HEAP_NUMBERS)

MOTIFS = ("none", "pillars", "strip", "split", "ring", "mound", "island")
SPOTS = ("any", "north", "corner")


class NumberTable(NamedTuple):
    """A table of names with a value each: `column` reads the value, `names` are those that it may have."""

    key: str
    help: str
    column: Column
    names: tuple[str, ...] = ()  # or else the rows of the table `column.names`


NUMBER_TABLES: tuple[NumberTable, ...] = (
    NumberTable(
        "encounter_share",
        "Room kinds where an encounter is not of the whole budget.",
        Column(number(0, 1000), "percent", "of the budget", names="room"),
    ),
    NumberTable(
        "motif",
        "How often each motif comes in enemy rooms of `gungeon` without a layout.",
        Column(number(0, 1000), "a weight", "of the motif"),
        MOTIFS,
    ),
    NumberTable(
        "decor_place",
        "Where beside a wall a thing stands in rooms of `gungeon`; other things stand anywhere.",
        Column(
            choice(*SPOTS), "`north` or `corner`", "its back to the wall above it, or a corner", names="decor"
        ),
    ),
)
