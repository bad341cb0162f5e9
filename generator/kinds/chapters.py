"""Chapters in a kit: their look, pools and bosses, their level in a run, and what a run may add to levels."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from generator.kinds.columns import (
    IN_CHAPTERS,
    Column,
    ColumnReader,
    RowTable,
    choice,
    fraction,
    many,
    name,
    number,
    percent,
    record,
    span,
    table,
    text,
)
from generator.kinds.conditions import FactCondition, condition
from generator.kinds.kind_tables import a_property
from generator.kinds.style_names import GUNGEON
from generator.named_tuple import NamedTuple

VARIANTS = ("main", "alternative", "third")  # the chapter itself, and what may replace it
MOST_ROOMS = 9_000
STAGES = 12
MAX_CHAPTERS = STAGES // 2  # two stages each
MOST_TIMES = 100
OWN_WEIGHT = 3
_LAYOUTS = 1000

_file_name = text


def chapter_of_stage(stage: int) -> int:
    """Return the chapter, 1 to 6, of a stage, 1 to 12."""
    return (stage + 1) // 2


# The level of a chapter in a run of `gungeon`: values of the level's spec, by their names, and its pool.
POOL = "pool"
_LEVEL: Mapping[str, ColumnReader[Any]] = {
    "flow": text,
    **dict.fromkeys(("enemy_rooms", "chest_rooms", "shop_rooms", "boss_rooms"), span(0, MOST_ROOMS)),
    "enemy_stages": span(1, STAGES),
    "champions": percent,
    POOL: many(_file_name, _LAYOUTS),
}


class Chapter(NamedTuple):
    """A chapter, or a variant that `replaces` one. See `CHAPTERS`."""

    name: str
    replaces: str = ""
    variant: str = "alternative"
    alternate_to: str = ""
    pools: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    bosses: tuple[str, ...] = ()
    mini_bosses: tuple[str, ...] = ()
    last_boss: str = ""
    districts: tuple[str, ...] = ()
    gungeon: tuple[tuple[str, Any], ...] | None = None
    dark: int = 0
    own_weight: int = OWN_WEIGHT


CHAPTERS = RowTable(
    "chapter",
    "Two stages with one look, in the order of the rows. In a run of `gungeon`, a chapter is one level.",
    {
        "replaces": Column(
            name, "the chapter of which this is a variant", "", form="a chapter", names="chapter"
        ),
        "variant": Column(
            choice(*VARIANTS[1:]),
            "which variant it is; only `rebirth` has a third",
            "alternative",
            form="`alternative` or `third`",
        ),
        "alternate_to": Column(
            name,
            "the chapter in whose place it is on the alternate path of `rebirth`",
            "",
            form="a chapter",
            names="chapter",
        ),
        "pools": Column(
            many(name), "the pools from which it draws normal layouts", (), form="a list of pools"
        ),
        "without": Column(
            many(_file_name, _LAYOUTS),
            "layouts of these pools that it does not use",
            (),
            form="a list of layouts",
        ),
        "bosses": Column(many(text), "the bosses in its boss rooms", (), form="a list of names"),
        "mini_bosses": Column(many(text), "the bosses in its mini-boss rooms", (), form="a list of names"),
        "last_boss": Column(
            text,
            "the boss of its second stage in `rebirth` where the game's program decides; its variants have "
            "it too",
            "",
            form="a name",
        ),
        "districts": Column(
            many(name),
            "the chapters in whose looks districts of its levels are drawn; default: all others",
            (),
            form="a list of chapters",
            names="chapter",
        ),
        GUNGEON: Column(
            record(_LEVEL).into(lambda values: tuple(values.items())),
            "its level in a run of `gungeon`: values of the spec (`flow`, `enemy_rooms`, `chest_rooms`, "
            "`shop_rooms`, `boss_rooms`, `enemy_stages`, `champions`), and `pool`, the layouts that only "
            "chapters which list them have; a chapter without it is not in such runs",
            "none",
            form='`{ flow = "led 3, hub", enemy_rooms = [9, 11], enemy_stages = [1, 2] }`',
        ),
        "dark": Column(
            percent,
            "how many rooms of `gungeon` are dark in it, at least, where the decor table has any dark ones",
            0,
        ),
        "own_weight": Column(
            number(1, 100),
            "how much more often its `pools` come than the layouts of the pool `any`, on grids",
            OWN_WEIGHT,
        ),
    },
)


INJECTED = "injection"  # the property of a marker that an injection adds, with the row's name


class InjectedRoom(NamedTuple):
    """A room that an injection adds: its kind, and its layout, empty for any."""

    kind: str
    layout: str = ""


class InjectionRow(NamedTuple):
    """What a run adds to some of its levels. See `INJECTIONS`."""

    name: str
    room: InjectedRoom | None = None
    into: str = ""
    marker: str = ""
    properties: Mapping[str, Any] = MappingProxyType({})
    chapters: tuple[str, ...] = ()
    only: tuple[FactCondition, ...] = ()
    along_with: str = ""
    chance: str = "1/1"
    most: int = 1

    @property
    def kind(self) -> str:
        """The kind of the room that it adds, or puts its marker into."""
        return self.room.kind if self.room else self.into


_injected_room = record({"kind": name, "layout": _file_name}, ("kind",)).into(lambda row: InjectedRoom(**row))

INJECTIONS = RowTable(
    "injection",
    "What a run of `gungeon` adds to some of its levels: a room, a marker in a room, or both.",
    {
        "room": Column(
            _injected_room,
            "the room that it adds: its kind, and its layout if it must have a certain one",
            "none",
            form='`{ kind = "chest", layout = "chest/the-cell" }`',
        ),
        "into": Column(
            name,
            "the kind of the room that gets its marker, if it adds no room; without such a room it does not "
            "come",
            "",
            form="a room kind",
            names="room",
        ),
        "marker": Column(name, "the marker that it adds", "", form="a marker kind", names="marker"),
        "properties": Column(
            table(a_property, 20), "the properties of its marker", {}, form="`{ captive = true }`"
        ),
        "chapters": IN_CHAPTERS,
        "only": Column(many(condition), "what it needs", (), form='`["coins >= 5"]`'),
        "along_with": Column(
            name,
            "another injection, above it: it comes in the levels in which that one comes",
            "",
            form="an injection",
            names="injection",
        ),
        "chance": Column(
            fraction, "how likely it is in each level whose conditions hold", "1/1", form='`"1/2"`'
        ),
        "most": Column(number(1, MOST_TIMES), "how often it comes in a run, at most", 1, form="a number"),
    },
)
