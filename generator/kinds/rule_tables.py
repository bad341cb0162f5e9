"""The tables of rules of a kit: chapters, difficulties, facts of the game, what rooms give, and more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.errors import shown
from generator.kinds.columns import (
    Column,
    RowTable,
    WrongValueError,
    choice,
    fraction,
    many,
    name,
    number,
    span,
    table,
    text,
)
from generator.kinds.conditions import FactCondition, condition
from generator.kinds.enemies import ROLES
from generator.kinds.rooms import DIFFICULTIES

VARIANTS = ("main", "alternative", "third")  # the chapter itself, and what else its stages may be

_file_name = text


class ChapterRow(NamedTuple):
    """A chapter, or another variant of one, which it `replaces`; see `CHAPTERS`."""

    name: str
    replaces: str = ""
    variant: str = "alternative"
    pools: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    bosses: tuple[str, ...] = ()
    mini_bosses: tuple[str, ...] = ()


CHAPTERS = RowTable(
    "chapter",
    "Two stages that look alike, in the order of the rows.",
    {
        "replaces": Column(name, "a chapter", "it is another variant of that one", "", names="chapter"),
        "variant": Column(
            choice(*VARIANTS[1:]),
            "`alternative` or `third`",
            "which variant; the third is for `rebirth`",
            "alternative",
        ),
        "pools": Column(many(name), "a list of pools", "the pools of normal layouts that it draws from", ()),
        "without": Column(
            many(_file_name, 1000), "a list of layouts", "layouts of these that it leaves out", ()
        ),
        "bosses": Column(many(text), "a list of names", "who waits in its boss rooms", ()),
        "mini_bosses": Column(many(text), "a list of names", "who waits in its mini-boss rooms", ()),
    },
)


class DifficultyRow(NamedTuple):
    """The share of each difficulty, by name, where all of `only` hold."""

    only: tuple[FactCondition, ...]
    shares: Mapping[str, int]


def _shares(given: object) -> dict[str, int]:
    found = table(number(0, 1000))(given)
    for each in found:
        choice(*DIFFICULTIES)(each)
    if not sum(found.values()):
        raise WrongValueError(f"{shown(given)} has no share above 0; write {{ easy = 1 }}")
    return {each: found[each] for each in DIFFICULTIES if found.get(each)}


DIFFICULTY = RowTable(
    "difficulty",
    "The difficulties of normal rooms: of the rows `[[difficulty.STYLE]]` the first that holds.",
    {
        "only": Column(many(condition), '`["second_stage"]`', "the conditions of the row", ()),
        "shares": Column(
            _shares, "`{ easy = 1, medium = 2 }`", "how often each comes: " + ", ".join(DIFFICULTIES)
        ),
    },
)


class FactRow(NamedTuple):
    """A fact of the player's game that specs give as `state.NAME`."""

    name: str
    range: tuple[int, int]
    default: int
    help: str = "a fact of the kit's"
    unit: str = ""


STATE = RowTable(
    "state",
    "A fact of the player's game: a spec gives it as `state.NAME`, conditions may ask for it.",
    {
        "range": Column(span(-1_000_000, 1_000_000), "`[least, most]`", "the numbers that it may be"),
        "default": Column(
            number(-1_000_000, 1_000_000), "a number", "what it is if a spec does not say", "the least"
        ),
        "help": Column(text, "a text", "what it means, for `describe` and the dock", "a fact of the kit's"),
        "unit": Column(text, "a text", "its unit", ""),
    },
)


class Gift(NamedTuple):
    """What each room of a kind gives to the player of a run; see `CARRIED`."""

    stage: int = 1
    chance: str = "1/1"
    needs: Mapping[str, int] = {}
    gives: Mapping[str, int | bool | list[int]] = {}
    sets: Mapping[str, int] = {}


_amount = number(-1_000_000, 1_000_000)
_between = span(-1_000_000, 1_000_000)


def _given(value: object) -> int | bool | list[int]:
    if value is True:
        return True
    return list(_between(value)) if isinstance(value, list) else _amount(value)


CARRIED = RowTable(
    "carried",
    "What a room of a kind leaves the player of a run with: rows `[[carried.KIND]]`, all of them rolled.",
    {
        "stage": Column(number(1, 12), "1 to 12", "from which stage on", 1),
        "chance": Column(fraction, '`"1/2"`', "how likely it is", "1/1"),
        "needs": Column(table(_amount), "`{ keys = 1 }`", "what the player must have at least", {}),
        "gives": Column(
            table(_given),
            "`{ coins = [1, 2] }`",
            "what is added, or a number between; negative: taken away; `true`: it is so from now on",
            {},
        ),
        "sets": Column(table(_amount), "`{ keys = 0 }`", "what a number becomes", {}),
    },
)


class CrowdRow(NamedTuple):
    """Who waits in enemy rooms of the style `gungeon` from a danger on; see `CROWDS`."""

    danger: int
    difficulty: int
    enemies: tuple[int, int]
    roles: Mapping[str, int]
    second_wave: int = 0
    pickup: int = 0


def _roles(given: object) -> dict[str, int]:
    found = table(number(0, 100))(given)
    for each in found:
        choice(*ROLES)(each)
    if not sum(found.values()):
        raise WrongValueError(f"{shown(given)} has no weight above 0; write {{ walker = 1 }}")
    return found


def _difficulty(given: object) -> int:
    if given not in DIFFICULTIES.values() or isinstance(given, bool):
        known = ", ".join(f"{value} ({key})" for key, value in DIFFICULTIES.items())
        raise WrongValueError(f"{shown(given)} is not a difficulty; give {known}")
    assert isinstance(given, int)
    return given


CROWDS = RowTable(
    "crowd",
    "Who waits in enemy rooms: of the rows `[[crowd.gungeon]]` the last that the danger reaches.",
    {
        "danger": Column(number(0, 100), "0 to 100", "from there on; 0 is the start, 100 the furthest room"),
        "difficulty": Column(_difficulty, "1, 5, 10, 15 or 20", "that of the room's layout"),
        "enemies": Column(span(0, 100), "`[least, most]`", "how many wait on `gungeon.floor` tiles of floor"),
        "roles": Column(_roles, "`{ walker = 2 }`", "the roles, and how often each comes"),
        "second_wave": Column(number(0, 100), "percent", "how many come later", 0),
        "pickup": Column(number(0, 100), "percent", "how many rooms have a pickup", 0),
    },
)


def _beside(given: object) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not set(given) <= {"chance", "more", "things"}:
        raise WrongValueError(f"{shown(given)} is not a table of chance, more and things")
    for key in ("chance", "more"):
        number(0, 100)(given.get(key, 0))
    things = table(number(0, 100))(given.get("things", {}))
    return {"chance": given.get("chance", 0), "more": given.get("more", 0), "things": things}


def _pair(given: object) -> tuple[str, str]:
    found = many(name)(given)
    if len(found) != 2:
        raise WrongValueError(f"{shown(given)} is not a list of two pieces of decor")
    return found[0], found[1]


_NOTHING = {"chance": 0, "more": 0, "things": {}}
_FORM = "`{ chance = 9, more = 30, things = { pot = 3 } }`"

DECOR_TABLES = RowTable(
    "decor_table",
    "What stands in rooms of `gungeon` that are furnished by procedure; a room kind's row names its table.",
    {
        "wall": Column(
            _beside,
            _FORM,
            "beside walls: percent of the tiles, percent of another beside it, weights",
            _NOTHING,
        ),
        "middle": Column(_beside, _FORM, "away from walls", _NOTHING),
        "rows": Column(
            many(_pair), '`[["rug", "barrel"]]`', "pairs that take turns in rows round a centrepiece", ()
        ),
    },
)

ROW_TABLES: tuple[RowTable, ...] = (CHAPTERS, DIFFICULTY, STATE, CARRIED, CROWDS, DECOR_TABLES)
