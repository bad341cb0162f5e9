"""Special rooms: the rows `[special_room.NAME]` of a kit, or several of a name, `[[special_room.NAME]]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.errors import shown
from generator.kinds.columns import (
    Column,
    RowTable,
    WrongValueError,
    choice,
    flag,
    fraction,
    many,
    name,
    number,
)
from generator.kinds.conditions import FactCondition, condition
from generator.kinds.style_names import REMAKE, STYLES

PLACES = ("dead_end", "on_the_way", "far", "near", "secret", "super_secret", "ultra_secret")
BESIDE = "beside:"
HIDDEN_PLACES = frozenset({"secret", "super_secret", "ultra_secret"})
_BESIDE = re.compile(r"beside:[a-z][a-z0-9_]{0,39}")


class SecondRoll(NamedTuple):
    """A chance that is rolled too, and what must hold for it."""

    chance: str
    when: FactCondition


class OtherRoom(NamedTuple):
    """The kind that a special room may turn into; `needs` is None where it needs what the first kind does."""

    room: str
    chance: str = "1/1"
    again: SecondRoll | None = None
    needs: tuple[FactCondition, ...] | None = None


class SpecialRoomRow(NamedTuple):
    """A row; see `SPECIAL_ROOMS` for what the keys mean."""

    name: str
    room: str
    styles: tuple[str, ...] = STYLES
    only: tuple[FactCondition, ...] = ()
    chance: str = "1/1"
    again: SecondRoll | None = None
    becomes: OtherRoom | None = None
    needs: tuple[FactCondition, ...] = ()
    place: str = "dead_end"
    before: str = ""
    must: bool = False
    in_labyrinth: int = 1
    dice: str = "own"
    passes: FactCondition | None = None
    draws: Mapping[str, Any] = MappingProxyType({})

    @property
    def beside(self) -> str:
        """The room kind that it stands beside; empty for other places."""
        return self.place.removeprefix(BESIDE) if self.place.startswith(BESIDE) else ""

    @property
    def is_hidden(self) -> bool:
        """Whether only secret doors lead to it."""
        return self.place in HIDDEN_PLACES

    @property
    def has_own_dice(self) -> bool:
        """Whether it is placed after the style's own rows, with dice of its own."""
        return self.dice == "own"


def _table(given: object, known: tuple[str, ...], example: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping) or not set(given) <= set(known):
        raise WrongValueError(f"{shown(given)} is not a table of {', '.join(known)}; write {example}")
    return given


def _again(given: object) -> SecondRoll:
    example = '{ chance = "1/4", when = "full_health" }'
    found = _table(given, ("chance", "when"), example)
    if len(found) < 2:
        raise WrongValueError(f"{shown(given)} needs both chance and when; write {example}")
    return SecondRoll(fraction(found["chance"]), condition(found["when"]))


def _becomes(given: object) -> OtherRoom:
    example = '{ room = "vault", chance = "1/10" }'
    found = _table(given, ("room", "chance", "again", "needs"), example)
    if "room" not in found:
        raise WrongValueError(f"{shown(given)} names no room; write {example}")
    return OtherRoom(
        name(found["room"]),
        fraction(found.get("chance", "1/1")),
        _again(found["again"]) if "again" in found else None,
        many(condition)(found["needs"]) if "needs" in found else None,
    )


def _place(given: object) -> str:
    if isinstance(given, str) and (given in PLACES or _BESIDE.fullmatch(given)):
        return given
    raise WrongValueError(f"{shown(given)} is not a place; give {', '.join(PLACES)}, or {BESIDE}KIND")


_DRAWS = ("first", "then", "own", "fades", "aside", "share", "repentance")
_count = number(0, 100)


def _draws(given: object) -> Mapping[str, Any]:
    found = _table(given, _DRAWS, "{ then = 1 }")
    first = _table(found.get("first", {}), ("miss", "hit", "chance"), "{ miss = 1 }")
    for key, value in first.items():
        number(1, 1000)(value) if key == "chance" else _count(value)
    _count(found.get("then", 0))
    shifts = many(number(1, 31))(found.get("own", [1, 1, 1]))
    if len(shifts) != 3:
        raise WrongValueError(f"own: {shown(found['own'])} is not a list of three shifts")
    for key in ("fades", "aside", "share"):
        flag(found.get(key, False))
    if "repentance" in found:
        _draws(found["repentance"])
    return MappingProxyType(dict(found))


_WHEN = '`["stage >= 2"]`'

SPECIAL_ROOMS = RowTable(
    "special_room",
    "A rule by which a room is placed. Several rules of a name are several tables, `[[special_room.NAME]]`.",
    {
        "room": Column(name, "a room kind", "what is placed", "the row's name", names="room"),
        "styles": Column(
            many(name), "a list of styles", "the styles that place it", "all that know its place"
        ),
        "only": Column(many(condition), _WHEN, "conditions without which the row does not count at all", ()),
        "chance": Column(fraction, '`"1/3"`', "how likely it is", "1/1"),
        "again": Column(
            _again,
            '`{ chance = "1/4", when = "full_health" }`',
            "a second roll, if its condition holds",
            None,
        ),
        "becomes": Column(
            _becomes,
            '`{ room = "vault", chance = "1/10" }`',
            "the kind that it turns into, with `chance`, `again` and `needs` of its own",
            None,
        ),
        "needs": Column(many(condition), _WHEN, "conditions without which it is rolled, but not placed", ()),
        "place": Column(
            _place,
            "a place",
            f"{', '.join(f'`{each}`' for each in PLACES)} (`rebirth` alone) or `{BESIDE}KIND`",
            "dead_end",
        ),
        "before": Column(
            name,
            "a special room",
            "the rule that it is placed before (`gungeon`; in `isaac` one that comes by chance)",
            "",
        ),
        "must": Column(
            flag, "`true` or `false`", "it comes wherever `only` and `needs` hold; takes no `chance`", False
        ),
        "in_labyrinth": Column(
            number(0, 4), "0 to 4", "how many there are under that curse; for shipped rules alone", 1
        ),
        "dice": Column(
            choice("own", "style"),
            "`own` or `style`",
            "whose dice it takes; `style` is for shipped rules alone",
            "own",
        ),
        "passes": Column(
            condition,
            "a condition",
            "where it holds, the row only takes its draw; for shipped rules alone (`rebirth`)",
            None,
        ),
        "draws": Column(
            _draws, "a table", "what the game draws besides; for shipped rules alone (`rebirth`)", {}
        ),
    },
)


def special_room_of(row_name: str, row: Mapping[str, Any]) -> SpecialRoomRow:
    """The rule of a row that was read."""
    given = {"room": row_name, **row}
    if "styles" not in given:
        place = given.get("place", "")
        on_a_grid = STYLES[:2] if place in HIDDEN_PLACES else STYLES
        given["styles"] = (REMAKE,) if place == "ultra_secret" else on_a_grid
    return SpecialRoomRow(row_name, **given)
