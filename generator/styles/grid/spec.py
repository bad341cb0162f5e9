"""The specs of the grid styles: their values."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

from generator.spec.base import LevelSpec, Values, grouped
from generator.spec.game import Memory, State
from generator.values import RANGE, When

of_plan = grouped("Locks and keys")
_how_many = partial(of_plan, (0, 0), low=0, parts=RANGE, ordered=True)


@dataclass(frozen=True, kw_only=True)
class GatePlan(Values):
    """What a finished floorplan gets: locks and their keys, one-way doors and shortcuts.

    A style whose floorplans take them has a table `plan` of these, and calls `gates.with_gates`.
    """

    is_late: ClassVar[bool] = True

    locks: tuple[int, int] = _how_many(
        "how many doors are locked; one of them is on the way to the boss",
        high=6,
        unit="doors",
    )
    keys: str = of_plan(
        "own",
        "own: each lock has a key of its own, which the player keeps; alike: any key fits any lock, which "
        "uses it up",
        choices=("own", "alike"),
    )
    in_sequence: bool = of_plan(False, "whether each key but the first lies behind the lock before it")
    one_way: tuple[int, int] = _how_many(
        "how many rooms are added that lead from a far room back to a near one and shut behind the player",
        high=3,
        unit="rooms",
    )
    shortcuts: tuple[int, int] = _how_many(
        "how many rooms are added between a far room and a near one, with a door to the near one that is "
        "barred until the player opens it from the added room",
        high=3,
        unit="rooms",
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
        holds="layouts",
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

    @property
    def is_on_alternate_path(self) -> bool:
        """Whether its chapter is the one of the alternate path."""
        return False

    @property
    def keeps_to_boss_pool(self) -> bool:
        """Whether a chapter's bosses come again before others' do, and its second stage has its last boss."""
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
