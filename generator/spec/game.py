"""The state of the player's game, and the memory of a run: tables of the specs of styles that have runs."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from generator.errors import SpecError, shown
from generator.seeds import plain
from generator.spec.base import GameState, Values, grouped

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
# last = true                                        left out if another level comes after it
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

    `last` says that it is the last of its run, whose exit leads out.

    A level of a run takes the layouts and bosses that the run has shown least. Raises SpecError for anything
    but short texts, and for lists without a place.
    """

    is_late: ClassVar[bool] = True  # see `LevelSpec.saved`

    place: int = 0
    last: bool = False
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
        if type(self.last) is not bool:
            raise SpecError(f"memory.last: {shown(self.last)} is neither true nor false; give one of them")
        if self.last and not number:
            raise SpecError("memory.last: is for a level of a run; set memory.place too, such as 2")
        for field in dataclasses.fields(self)[2:]:
            texts = _texts(f"memory.{field.name}", getattr(self, field.name))
            if texts and not number:
                raise SpecError(
                    f"memory.{field.name}: is for a level of a run; set memory.place too, such as 2"
                )
            object.__setattr__(self, field.name, texts)

    def table(self) -> dict[str, Any]:
        """Return the values by key; `last` only if it is true, as older levels of runs do not have it."""
        values = super().table()
        return values if self.last else {key: value for key, value in values.items() if key != "last"}

    def with_seen(
        self,
        layouts: Iterable[str],
        bosses: Iterable[str] = (),
        mini_bosses: Iterable[str] = (),
        special_rooms: Iterable[str] = (),
    ) -> Self:
        """Return the memory for the next level, after one that showed these."""
        return dataclasses.replace(
            self,
            place=self.place + 1,
            last=False,
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
