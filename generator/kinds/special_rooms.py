"""Special rooms: the `[special_room.NAME]` rows of a kit; `[[special_room.NAME]]` for several of a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from generator.errors import shown
from generator.json_schema import matching
from generator.kinds.columns import (
    NAME,
    Column,
    ColumnReader,
    RowTable,
    choice,
    flag,
    fraction,
    many,
    name,
    number,
    numbers,
    reads,
    record,
)
from generator.kinds.conditions import FactCondition, condition
from generator.kinds.style_names import ISAAC, REBIRTH, STYLES
from generator.named_tuple import NamedTuple
from generator.node import Node

PLACES = ("dead_end", "on_the_way", "far", "near", "secret", "super_secret", "ultra_secret")
BESIDE = "beside:"
HIDDEN_PLACES = frozenset({"secret", "super_secret", "ultra_secret"})
_BESIDE = BESIDE + NAME


class SecondRoll(NamedTuple):
    """A second chance, and its condition."""

    chance: str
    when: FactCondition


class OtherRoom(NamedTuple):
    """The kind that a special room can turn into. `needs` is None if it needs the same as the first kind."""

    room: str
    chance: str = "1/1"
    again: SecondRoll | None = None
    needs: tuple[FactCondition, ...] | None = None


class SpecialRoomRow(NamedTuple):
    """A row. `SPECIAL_ROOMS` gives the meaning of the keys."""

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
        """The room kind beside which it is placed, or an empty text for other places."""
        return self.place.removeprefix(BESIDE) if self.place.startswith(BESIDE) else ""

    @property
    def other(self) -> str:
        """The room kind that it can turn into, or an empty text."""
        return self.becomes.room if self.becomes else ""

    @property
    def is_hidden(self) -> bool:
        """Whether only secret doors lead to it."""
        return self.place in HIDDEN_PLACES

    @property
    def has_own_dice(self) -> bool:
        """Whether it is placed after the style's own rows, with its own dice."""
        return self.dice == "own"


_again = record({"chance": fraction, "when": condition}, ("chance", "when")).into(
    lambda row: SecondRoll(**row)
)
_becomes = record(
    {"room": name, "chance": fraction, "again": _again, "needs": many(condition)}, ("room",)
).into(lambda row: OtherRoom(**row))


def place_of(places: Sequence[str]) -> ColumnReader[str]:
    """Return a reader of one of these places, or of `beside:KIND`."""

    @reads({"anyOf": [{"enum": list(places)}, matching(_BESIDE)]})
    def place(node: Node) -> str:
        value = node.value
        if not isinstance(value, str) or not (value in places or re.fullmatch(_BESIDE, value)):
            node.fail(f"{shown(value)} is not a place; give {', '.join(places)}, or {BESIDE}KIND")
        return value

    return place


_count = number(0, 100)
_game_draws: dict[str, ColumnReader[Any]] = {
    "first": record({"miss": _count, "hit": _count, "chance": number(1, 1000)}),
    "then": _count,
    "own": numbers(3, 1, 31),
    **dict.fromkeys(("fades", "aside", "share"), flag),
}
_draws = record({**_game_draws, "repentance": record(_game_draws)})


_WHEN = '`["stage >= 2"]`'

SPECIAL_ROOMS = RowTable(
    "special_room",
    "A rule that places a room. For several rules with one name, write several tables "
    "`[[special_room.NAME]]`.",
    {
        "room": Column(name, "the kind of room to place", "the row's name", form="a room kind", names="room"),
        "styles": Column(
            many(name), "the styles that use the rule", "all that have its `place`", form="a list of styles"
        ),
        "only": Column(many(condition), "conditions for the row to be used at all", (), form=_WHEN),
        "chance": Column(fraction, "how likely it is", "1/1"),
        "again": Column(
            _again,
            "a second roll if its condition holds",
            None,
            form='`{ chance = "1/4", when = "full_health" }`',
        ),
        "becomes": Column(
            _becomes,
            "the kind that it turns into, with its own `chance`, `again` and `needs`",
            None,
            form='`{ room = "vault", chance = "1/10" }`',
        ),
        "needs": Column(
            many(condition), "conditions for it to be placed; it is rolled in any case", (), form=_WHEN
        ),
        "place": Column(
            place_of(PLACES),
            f"{', '.join(f'`{each}`' for each in PLACES)} (only `rebirth`) or `{BESIDE}KIND`",
            "dead_end",
            form="a place",
        ),
        "before": Column(
            name,
            "the rule before which it is placed (`gungeon`; in `isaac` a rule with a chance)",
            "",
            form="a special room",
        ),
        "must": Column(
            flag, "it always comes if `only` and `needs` hold; cannot be used with `chance`", False
        ),
        "in_labyrinth": Column(
            number(0, 4), "how many there are under the curse of the labyrinth; only for shipped rules", 1
        ),
        "dice": Column(
            choice("own", "style"),
            "whose random numbers it uses; `style` is only for shipped rules",
            "own",
            form="`own` or `style`",
        ),
        "passes": Column(
            condition,
            "if it holds, the row is drawn but places nothing; only for shipped rules (`rebirth`)",
            None,
        ),
        "draws": Column(
            _draws, "the game's extra draws; only for shipped rules (`rebirth`)", {}, form="a table"
        ),
    },
)


def special_room_of(row_name: str, row: Mapping[str, Any]) -> SpecialRoomRow:
    """Build the rule that a row defines."""
    values = {"room": row_name, **row}
    if "styles" not in values:
        place = values.get("place", "")
        on_a_grid = STYLES[:2] if place in HIDDEN_PLACES else STYLES
        values["styles"] = (REBIRTH,) if place == "ultra_secret" else on_a_grid
    return SpecialRoomRow(row_name, **values)


# --- the order in which rules of `isaac` take dead ends, where one can come `before` another ---------

ChanceTurn = tuple[str, str]  # a rule's name, and the rule that it comes before; "" for the style's own rules


def chance_order(rows: Iterable[SpecialRoomRow]) -> list[ChanceTurn]:
    """List the rules of `isaac` rolled at dead ends, by name: the style's own, and those put before them.

    Whether a rule applies does not matter, so that each keeps its place even if the next one is left out. A
    rule that comes before one without a place here is always left out.
    """
    candidates = [row for row in rows if ISAAC in row.styles and not row.must and row.place == "dead_end"]
    order = list(dict.fromkeys((row.name, "") for row in candidates if not row.has_own_dice))
    left = list(
        dict.fromkeys((row.name, row.before) for row in candidates if row.has_own_dice and row.before)
    )
    placed = True
    while placed:
        placed = False
        for turn in left.copy():
            names = [name for name, _ in order]
            if turn[1] in names:
                order.insert(names.index(turn[1]), turn)
                left.remove(turn)
                placed = True
    return order


def turn_of(row: SpecialRoomRow) -> ChanceTurn:
    """Return a rule's entry in `chance_order`."""
    return row.name, row.before if row.has_own_dice else ""
