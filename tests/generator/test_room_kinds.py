"""The rows of room kinds: what they say, and what kinds without a row get."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from generator import generate
from generator.errors import KitError
from generator.kinds import DOOR_KINDS, MARKER_KINDS, ROOM_KINDS, SHIPPED, Kinds, room_kind
from generator.kinds.kind_tables import MANY, RoomKind
from generator.rerolls.draft import next_kind
from generator.rerolls.record import NothingElseError
from generator.styles.gungeon.furnishing.kit_tables import gungeon_kinds
from generator.styles.registry import style_names
from tests.cases import for_each


def garden(text: str = "") -> RoomKind:
    return _rows(f'[room.garden]\nglyph = "&"\n{text}').rooms["garden"]


def _rows(text: str) -> Kinds:
    own = tomllib.loads(text)["room"]
    return Kinds(SHIPPED.tables | {"rare_markers": ["boss", "enemy"], "room": SHIPPED.tables["room"] | own})


def test_the_order_of_the_rows_stays() -> None:
    """Re-rolls draw from it, and LDtk numbers the kinds by it: new ones come at the end."""
    known = "start normal boss mini_boss shop treasure chest secret super_secret ultra_secret sacrifice dice library"
    known += " curse challenge boss_challenge arcade vault planetarium clean_bedroom dirty_bedroom grave red"
    assert ROOM_KINDS[:23] == tuple(known.split())


@for_each(name=ROOM_KINDS)
def test_every_row_names_what_there_is(name: str) -> None:
    row = room_kind(name)
    assert row.name == name and len(row.glyph) == 1
    assert set(row.door or ()) <= {door.name for door in DOOR_KINDS}
    assert set(row.markers) <= set(MARKER_KINDS)
    assert set(row.styles) <= set(style_names())
    assert row.becomes is None or row.becomes <= set(ROOM_KINDS)
    assert (
        row.secret == (name in SHIPPED.secret_rooms) == (set(row.door or ("open",)) <= SHIPPED.secret_doors)
    )
    assert not (row.secret and row.off_the_way)


def test_the_kinds_of_a_heap_come_in_the_order_that_they_are_drawn_in() -> None:
    """Which their levels are made of."""
    known = ["start", "boss", "shop", "chest", "normal"]
    assert [kind for kind in gungeon_kinds(SHIPPED) if kind in known] == known


def test_a_row_has_defaults() -> None:
    row = garden()
    assert row == RoomKind(
        "garden", "&", floor="garden", markers={"boss": (0, 0), "enemy": (0, 0)}, styles={}
    )


def test_markers_are_counted_as_the_rules_say() -> None:
    rules = garden('markers = { enemy = "0..", item = "1..", chest = "0..1", ware = "3" }').markers
    assert rules == {"boss": (0, 0), "enemy": (0, MANY), "item": (1, MANY), "chest": (0, 1), "ware": (3, 3)}


def test_a_door_may_be_another_on_the_first_stage() -> None:
    assert garden('door = "locked"').door == ("locked", "locked")
    assert garden('door = ["open", "locked"]').door == ("open", "locked")


def test_a_table_in_a_row_is_a_style_s() -> None:
    assert garden("[room.garden.gungeon]\nwidth = [1, 2]").styles == {"gungeon": {"width": [1, 2]}}


@pytest.mark.parametrize(
    "row", ['glyph = "&"\ncolour = "red"', 'color = "#ff0000"', 'glyph = "&"\nname = "x"']
)
def test_a_bad_row_is_refused(row: str) -> None:
    with pytest.raises(KitError, match=r"kit: room\.garden\.(colour|glyph|name): (unknown key|is missing)"):
        _rows(f"[room.garden]\n{row}")


@pytest.mark.parametrize(("name", "glyph"), [("aquarium", "a"), ("", "?"), ("#1", "?")])
def test_a_kind_without_a_row_has_no_rules(name: str, glyph: str) -> None:
    assert room_kind(name) == RoomKind(name, glyph)
    assert room_kind(name).floor == "default" and not room_kind(name).markers


class Roller:
    """A roller whose style allows some kinds everywhere."""

    def __init__(self, *kinds: str) -> None:
        self._kinds = set(kinds)

    def other_kinds(self, _: object) -> set[str]:
        return self._kinds


def roll(row: str, *allowed: str) -> str:
    level = generate("gungeon", 3)
    (shop,) = (room for room in level.rooms if room.kind == "shop")
    own = tomllib.loads(f'[room.shop]\nglyph = "$"\n{row}')["room"]
    kinds = Kinds({**SHIPPED.tables, "room": {**SHIPPED.tables["room"], **own}})
    roller: Any = Roller(*allowed)
    return next_kind(roller, 3, shop, kinds)


def test_a_row_says_what_its_rooms_may_become() -> None:
    assert roll('becomes = ["chest"]', "chest", "normal") == "chest"
    with pytest.raises(NothingElseError, match="may only become chest, which the style does not allow here"):
        roll('becomes = ["chest"]', "normal")
    with pytest.raises(NothingElseError, match="stays shop: it is part of the story"):
        roll('stays = "it is part of the story"', "normal")


def test_kinds_without_a_row_take_part_in_rolls() -> None:
    assert roll("", "aquarium") == "aquarium"
