"""The state of the player's game, insofar as levels depend on it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

from generator.spec.base import GameState, grouped

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
