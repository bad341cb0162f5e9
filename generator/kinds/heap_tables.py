"""The rule tables of a kit for heaps of rooms: crowds, where rooms of led levels lie, and hallways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.errors import shown
from generator.kinds.columns import (
    IN_CHAPTERS,
    Column,
    RowTable,
    choice,
    name,
    number,
    percent,
    reads,
    record,
    span,
    table,
)
from generator.kinds.kind_tables import DIFFICULTIES, ROLES
from generator.kinds.special_rooms import BESIDE, place_of
from generator.named_tuple import NamedTuple
from generator.node import Node


class CrowdRow(NamedTuple):
    """The enemies in enemy rooms of the `gungeon` style from a danger on. See `CROWDS`."""

    danger: int
    difficulty: int
    enemies: tuple[int, int]
    roles: Mapping[str, int]
    second_wave: int = 0
    pickup: int = 0


_weight_of_each = table(number(0, 100), keys=choice(*ROLES))


@reads(_weight_of_each.schema)
def _roles(node: Node) -> dict[str, int]:
    weights = _weight_of_each(node)
    if not sum(weights.values()):
        node.fail(f"{shown(node.value)} has no weight above 0; write {{ walker = 1 }}")
    return weights


@reads({"type": "integer", "enum": [*DIFFICULTIES.values()]})
def _difficulty(node: Node) -> int:
    if type(node.value) is not int or node.value not in DIFFICULTIES.values():
        known = ", ".join(f"{value} ({key})" for key, value in DIFFICULTIES.items())
        node.fail(f"{shown(node.value)} is not a difficulty; give {known}")
    return node.value


CROWDS = RowTable(
    "crowd",
    "The enemies of enemy rooms. The last row `[[crowd.gungeon]]` that the room's danger reaches counts.",
    {
        "danger": Column(
            number(0, 100), "the danger from which the row applies; 0 is the start, 100 the furthest room"
        ),
        "difficulty": Column(_difficulty, "the difficulty of the room's layout", form="1, 5, 10, 15 or 20"),
        "enemies": Column(span(0, 100), "how many enemies there are per `gungeon.floor` tiles of floor"),
        "roles": Column(_roles, "the roles, and how often each appears", form="`{ walker = 2 }`"),
        "second_wave": Column(percent, "how many of the enemies arrive later", 0),
        "pickup": Column(percent, "how many rooms have a pickup", 0),
    },
)


# --- where the rooms of led levels lie: `[[led.KIND]]` ---------------------------------------------------

LED_PLACES = ("anywhere", "dead_end", "on_the_way", "far", "near", "on_a_loop", "branch")


class LedRow(NamedTuple):
    """Where a room of a kind lies in a led level, or what a room gives that lies there. See `LED`."""

    place: str = "dead_end"
    depth: tuple[int, int] = (0, 100)
    apart: int = 1
    gives: str = ""
    quiet_after: int = 0

    @property
    def beside(self) -> str:
        """The room kind beside which it lies, or an empty text for other places."""
        return self.place.removeprefix(BESIDE) if self.place.startswith(BESIDE) else ""

    @property
    def moves_rooms(self) -> bool:
        """Whether it says where rooms lie, and not what those get that lie there anyway."""
        return not self.gives and not self.quiet_after


LED = RowTable(
    "led",
    'Where the rooms of a kind lie in levels of `gungeon` with `flow = "led"`. With several rows '
    "`[[led.KIND]]`, each room has the next one, and all that are left the last; or another, if it must.",
    {
        "place": Column(
            place_of(LED_PLACES),
            "`anywhere`, `dead_end`, `on_the_way` to the boss, `far` from the start, `near` to it, "
            f"`on_a_loop` beside the way (with two doors), `branch` (beside the way) or `{BESIDE}KIND`",
            "dead_end",
            form="a place",
        ),
        "depth": Column(span(0, 100), "how far from the start, in percent of the furthest room", (0, 100)),
        "apart": Column(
            number(1, 20), "the fewest hallways between two rooms of the kind", 1, form="a number"
        ),
        "gives": Column(
            name,
            "the row moves no room: rooms of the kind that lie there have such a marker",
            "",
            form="a marker kind",
        ),
        "quiet_after": Column(
            number(0, 100),
            "the row moves no room: on the way to the boss, a room after so many fights in a row has none",
            0,
            form="fights",
        ),
    },
)


# --- the kinds of hallways of `gungeon`: `[hallway.NAME]` -------------------------------------------------

LEAST_HALLWAY = 5  # tiles: a shorter one is as good as a doorway
_LONGEST = 9999
NICHE_SIDES = ("one", "both", "turns")
_weights = table(number(0, 100))
_niches = record(
    {"every": span(1, 50), "sides": choice(*NICHE_SIDES), "wide": span(1, 3), "things": _weights},
    ("every", "things"),
)
_landing = record({"length": span(2, 30), "things": _weights}, ("length",))
_posts = record({"things": _weights}, ("things",))
_barricades = record({"every": span(1, 50), "row": span(1, 4), "things": _weights}, ("every", "things"))
_pits = record({"length": span(2, 60), "deep": span(1, 4)}, ("length",))
_runner = record({"least": number(1, 99), "things": _weights}, ("least", "things"))
_litter = record({"chance": percent, "things": _weights}, ("chance", "things"))


class HallwayRow(NamedTuple):
    """A kind of hallway. See `HALLWAYS`."""

    name: str
    length: tuple[int, int] = (LEAST_HALLWAY, _LONGEST)
    weight: int = 1
    chapters: tuple[str, ...] = ()
    niches: Mapping[str, Any] = {}
    landing: Mapping[str, Any] = {}
    posts: Mapping[str, Any] = {}
    barricades: Mapping[str, Any] = {}
    pits: Mapping[str, Any] = {}
    rubble: int = 0
    runner: Mapping[str, Any] = {}
    litter: Mapping[str, Any] = {}
    walls: Mapping[str, Any] = {}
    torches: tuple[int, int] = (6, 10)


HALLWAYS = RowTable(
    "hallway",
    "A kind of hallway in `gungeon`. A level has two or three kinds; hallways of fewer than "
    f"{LEAST_HALLWAY} tiles stay plain. Each part is there only where the hallway has free ground beside it.",
    {
        "length": Column(
            span(LEAST_HALLWAY, _LONGEST),
            "how long hallways of the kind are, in tiles",
            (LEAST_HALLWAY, _LONGEST),
        ),
        "weight": Column(
            number(0, 100), "how often it appears, compared with the others", 1, form="a weight"
        ),
        "chapters": IN_CHAPTERS,
        "niches": Column(
            _niches,
            "niches in its walls: tiles from one to the next (the same number twice for even steps), on "
            "`one` side, on `both` or in `turns`, their width, and what stands in them; `none` is nothing",
            "none",
            form='`{ every = [3, 3], sides = "both", wide = [1, 1], things = { statue = 1 } }`',
        ),
        "landing": Column(
            _landing,
            "stretches that are two tiles wider, one in every 16 tiles, and what stands along their walls",
            "none",
            form="`{ length = [4, 7], things = { crate = 1 } }`",
        ),
        "posts": Column(
            _posts,
            "bends are wider, and have a post in their corner",
            "none",
            form="`{ things = { block = 1 } }`",
        ),
        "barricades": Column(
            _barricades,
            "things at one side of the floor, and how many in a row; the spec's `body` still gets by",
            "none",
            form="`{ every = [4, 7], row = [1, 2], things = { crate = 1 } }`",
        ),
        "pits": Column(
            _pits, "a pit beside it, how long and deep", "none", form="`{ length = [4, 9], deep = [1, 2] }`"
        ),
        "rubble": Column(percent, "how many tiles of its floor are rubble", 0),
        "runner": Column(
            _runner,
            "a strip of one flat thing along each straight part of at least so many tiles",
            "none",
            form="`{ least = 8, things = { carpet = 1 } }`",
        ),
        "litter": Column(
            _litter,
            "flat things on its floor, in twos and threes: percent of the tiles, weights",
            "none",
            form="`{ chance = 9, things = { bones = 1 } }`",
        ),
        "walls": Column(
            _litter,
            "what hangs on the walls to its north: percent of the tiles, weights",
            "none",
            form="`{ chance = 9, things = { banner = 1 } }`",
        ),
        "torches": Column(
            span(0, 99),
            "tiles from torch to torch; `[0, 0]`: only at its doors, bends, niches and landings",
            (6, 10),
        ),
    },
)
