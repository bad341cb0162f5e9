"""The specs of the grid styles: their values, the state of the player's game, the memory of a run."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from generator.errors import SpecError, shown
from generator.seeds import plain
from generator.spec.base import GameState, LevelSpec, Values, grouped
from generator.values import RANGE, When

# The state of the player's game, insofar as levels depend on it.


of_game = grouped("State of the game")


@dataclass(frozen=True, kw_only=True)
class State(GameState):
    """The state of the player's game, which the chances of some special rooms depend on."""

    is_late: ClassVar[bool] = False

    red_hearts: int = of_game(6, "filled red hearts", low=0, high=48, unit="half hearts")
    heart_containers: int = of_game(6, "containers for red hearts", low=0, high=48, unit="half hearts")
    soul_hearts: int = of_game(0, "soul hearts", low=0, high=48, unit="half hearts")
    keys: int = of_game(0, "keys carried", low=0, high=99)
    coins: int = of_game(0, "coins carried", low=0, high=999)
    devil_room_visited: bool = of_game(False, "whether a devil room was visited in this game")
    book_picked_up: bool = of_game(False, "whether a book was picked up in this game")
    mini_boss_met: bool = of_game(False, "whether this game has already had its mini-boss")

    @property
    def full_health(self) -> bool:
        """Red and soul hearts together at least fill the containers (`rebirth-wiki`, sacrifice)."""
        return self.red_hearts + self.soul_hearts >= self.heart_containers

    def _label(self, field: dataclasses.Field[Any]) -> str:
        return f"state.{field.name}"


# What a run has shown before a level. It is part of the level's spec, so each level can be made alone.
#
# [memory]
# place = 3                                          the third level of its run
# layouts = ["boss/colosseum", "start/well", …]      seen, sorted; one that was seen twice is listed twice
# bosses = ["The Sunken Prior"]
# mini_bosses = []
# special_rooms = ["boss", "shop", "shop", …]        kinds


MAX_SEEN = 1000  # entries of a list: enough for a run of 60 levels
_MAX_PLACES = 10_000
_MAX_TEXT = 256  # characters

Texts = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Memory(Values):
    """The level's place in its run, from 1 (0: it is not in a run), and what came before it, sorted.

    A level of a run takes the layouts and bosses that the run has shown least. Raises SpecError for anything
    but short texts, and for lists without a place.
    """

    is_late: ClassVar[bool] = True  # see `LevelSpec.saved`

    place: int = 0
    layouts: Texts = ()
    bosses: Texts = ()
    mini_bosses: Texts = ()
    special_rooms: Texts = ()

    def __post_init__(self) -> None:
        number = plain(self.place)
        if type(number) is not int or not 0 <= number <= _MAX_PLACES:
            message = f"{shown(self.place)} is not a whole number from 0 to {_MAX_PLACES}"
            raise SpecError(f"memory.place: {message}; give the number of the level in its run, or 0")
        object.__setattr__(self, "place", number)
        for field in dataclasses.fields(self)[1:]:
            texts = _texts(f"memory.{field.name}", getattr(self, field.name))
            if texts and not number:
                raise SpecError(
                    f"memory.{field.name}: is for a level of a run; set memory.place too, such as 2"
                )
            object.__setattr__(self, field.name, texts)

    def with_seen(
        self,
        layouts: Iterable[str],
        bosses: Iterable[str] = (),
        mini_bosses: Iterable[str] = (),
        special_rooms: Iterable[str] = (),
    ) -> Memory:
        """Return the memory for the next level, after one that showed these."""
        return Memory(
            place=self.place + 1,
            layouts=_bounded((*self.layouts, *layouts)),
            bosses=_bounded((*self.bosses, *bosses)),
            mini_bosses=_bounded((*self.mini_bosses, *mini_bosses)),
            special_rooms=_bounded((*self.special_rooms, *special_rooms)),
        )


def _texts(where: str, value: object) -> Texts:
    if not isinstance(value, (list, tuple)):
        raise SpecError(f"{where}: {shown(value)} is not a list of texts, such as []; give one")
    if len(value) > MAX_SEEN:
        raise SpecError(f"{where}: has {len(value)} texts; give at most {MAX_SEEN}")
    for text in value:
        if not isinstance(text, str) or not 0 < len(text) <= _MAX_TEXT or not text.isprintable():
            raise SpecError(
                f"{where}: {shown(text)} is not text of 1 to {_MAX_TEXT} characters; copy it from the "
                "earlier levels of the run"
            )
    return tuple(sorted(value))


def _bounded(texts: Iterable[str]) -> Texts:
    """Sort the texts, and while there are too many, remove each once, so that the rarest stay rare."""
    seen = Counter(texts)
    while seen.total() > MAX_SEEN:
        seen -= Counter(dict.fromkeys(seen, 1))
    return tuple(sorted(seen.elements()))


of_plan = grouped("Locks and keys")


@dataclass(frozen=True, kw_only=True)
class GatePlan(Values):
    """What a finished floorplan gets: locks and their keys, one-way doors and shortcuts.

    A style whose floorplans take them has a table `plan` of these, and calls `gates.with_gates`.
    """

    is_late: ClassVar[bool] = True

    locks: tuple[int, int] = of_plan(
        (0, 0),
        "how many doors are locked; one of them is on the way to the boss",
        low=0,
        high=6,
        unit="doors",
        parts=RANGE,
        ordered=True,
    )
    keys: str = of_plan(
        "own",
        "own: each lock has a key of its own, which the player keeps; alike: any key fits any lock, which "
        "uses it up",
        choices=("own", "alike"),
    )
    in_sequence: bool = of_plan(False, "whether each key but the first lies behind the lock before it")
    one_way: tuple[int, int] = of_plan(
        (0, 0),
        "how many rooms are added that lead from a far room back to a near one and shut behind the player",
        low=0,
        high=3,
        unit="rooms",
        parts=RANGE,
        ordered=True,
    )
    shortcuts: tuple[int, int] = of_plan(
        (0, 0),
        "how many rooms are added between a far room and a near one, with a door to the near one that is "
        "barred until the player opens it from the added room",
        low=0,
        high=3,
        unit="rooms",
        parts=RANGE,
        ordered=True,
    )

    @property
    def asks(self) -> bool:
        """Whether it changes any floorplan."""
        return any(most for _, most in (self.locks, self.one_way, self.shortcuts))

    def _label(self, field: dataclasses.Field[Any]) -> str:
        return f"plan.{field.name}"


of_level = grouped("Level")
of_rooms = grouped("Rooms")

CURSES = ("none", "labyrinth", "lost", "darkness", "unknown", "maze", "blind", "random")

# The sizes of rooms that the shipped layouts are drawn for.
SIZES = ((15, 9),)


@dataclass(frozen=True, kw_only=True)
class GridSpec(LevelSpec):
    """Levels on a grid of cells, of the game and of its remake. Both redefine `curse` and `rooms`."""

    stage: int = of_level(1, "how deep the level is; two stages make a chapter", low=1, high=12)
    stage_variant: str = of_level(
        "random",
        "the chapter itself, its alternative, or one of the two at random",
        choices=("main", "alternative", "random"),
    )
    curse: str = of_level(
        "none",
        "the level's curse; labyrinth makes the level larger; the others are for the game to act on",
        choices=CURSES,
    )
    hard: bool = of_level(False, "hard mode: curses are more likely, and there are twice as many champions")
    rooms: int = of_level(
        0, "how many; 0: the stage and the curse decide", low=4, high=63, off=0, unit="rooms"
    )
    room_size: tuple[int, int] = of_rooms(
        (15, 9),
        "width and height of a room with its walls, both odd; other sizes need your own layouts",
        low=9,
        high=63,
        step=2,
        unit="tiles",
        parts=("width", "height"),
        when=(When("layouts", ("",), {"sizes": SIZES}, "a folder of layouts of that size"),),
    )
    door_width: int = of_rooms(
        1,
        "width of a door; odd",
        low=1,
        high=5,
        step=2,
        unit="tiles",
        when=(When("body", (2, 3), {"low": 3}, "a smaller body"),),
    )
    champions: int = of_rooms(
        10,
        "how many enemies are champions in the first chapter; later chapters have more",
        low=0,
        high=100,
        unit="percent",
    )
    tinted_rocks: int = of_rooms(3, "how many rocks are tinted", low=0, high=100, unit="percent")
    red_fires: int = of_rooms(15, "how many fires are red", low=0, high=100, unit="percent")
    layouts: str = of_rooms(
        "",
        "a folder of your own layouts, or a drawing (.tmj, .tmx, .ldtk); the shipped layouts are still used",
        form="folder",
    )
    only_layout: str = of_rooms(
        "",
        "a layout to try out, such as boss/colosseum: every room that it fits gets it",
        is_late=True,
    )
    state: State = dataclasses.field(default_factory=State)
    memory: Memory = dataclasses.field(default_factory=Memory)

    @property
    def mixes_chapters(self) -> bool:
        """Whether the stage has rooms of all chapters."""
        return False

    def on_stage(self, stage: int) -> Self:
        """Return the spec of another stage of its run."""
        return dataclasses.replace(self, stage=stage)

    def variant(self, seed: int) -> str:
        """Return the variant of its chapter that the stage is: the spec's, or one drawn by the style."""
        return self.random_variant(seed) if self.stage_variant == "random" else self.stage_variant

    def random_variant(self, seed: int) -> str:
        """Draw the stage's variant if the spec leaves it to chance. Both stages of a chapter share it."""
        from generator.rng import Stream  # listing a spec's values must not import numpy

        return Stream(seed, "grid.chapter", (self.stage - 1) // 2).pick(("main", "alternative"))

    def files_digest(self) -> str:
        """Compute the digest of the team's own layouts. Raises SpecError or LayoutError for bad ones."""
        from generator.interiors.own_layouts import own_layouts

        return own_layouts(self.layouts, self.room_size, self.load_kit()).digest
