"""The spec of the `rebirth` style."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from generator.errors import SpecError
from generator.spec.base import grouped
from generator.spec.grid import CURSES, GridSpec, of_level
from generator.spec.state import State, of_game

_of_special_rooms = grouped("Special rooms")

_LEAST_ROOMS = 4
_VOID = 12  # its stage
_ALTERNATE = 6  # the last stage that has an alternate path


@dataclass(frozen=True, kw_only=True)
class RebirthState(State):
    """The state of a game of the remake: what `State` has, and items and trinkets that matter to levels."""

    bone_hearts: int = of_game(0, "bone hearts, each a container for a heart", low=0, high=12, unit="hearts")
    character: str = of_game(
        "any",
        "the character, where one counts: bone hearts are no containers for those named",
        choices=("any", "the_lost", "blue_baby", "the_soul"),
    )
    victory_lap: int = of_game(0, "the victory lap; from the third on there is no shop", low=0, high=99)
    silver_dollar: bool = of_game(False, "the trinket: shops in chapter 4 too")
    bloody_crown: bool = of_game(False, "the trinket: treasure rooms in chapter 4 too")
    fragmented_card: bool = of_game(False, "the trinket: a secret room more (from afterbirth on)")
    luna: bool = of_game(False, "the item: a secret and a super secret room more (repentance)")
    voodoo_head: bool = of_game(False, "the item: a curse room and a dead end more (repentance)")
    black_candle: bool = of_game(False, "the item: no random curse comes")
    treasure_rooms_skipped: int = of_game(
        0,
        "floors left without entering their treasure room, each 20 % more for a planetarium",
        low=0,
        high=12,
    )
    planetarium_bonus: int = of_game(
        0, "what items add to the chance of a planetarium", low=0, high=100, unit="percent"
    )


@dataclass(frozen=True, kw_only=True)
class RebirthSpec(GridSpec):
    """The remake's levels: rooms of twelve shapes on a grid of 13 x 13 cells, with loops."""

    style: ClassVar[str] = "rebirth"
    summary: ClassVar[str] = "the remake's floorplans: rooms of twelve shapes on a 13 x 13 grid, its seeds"

    curse: str = of_level(
        "none",
        "the level's curse; labyrinth, lost and giant (repentance) change its size, the others are for the "
        "game to act on; random: as the game draws it from the seed",
        choices=(*CURSES[:-1], "giant", "random"),
    )
    rooms: int = of_level(
        0,
        "rooms to grow besides the start, 4 or more; dead ends that are forced and secret rooms come on top; "
        "0: as many as the stage and the curse ask for",
        low=0,
        high=63,
        unit="rooms",
    )
    state: RebirthState = dataclasses.field(default_factory=RebirthState)
    edition: str = of_level(
        "repentance",
        "whose rules: hard mode, the Void, forced dead ends, vaults, planetariums, ultra secret rooms differ",
        choices=("rebirth", "afterbirth", "afterbirth_plus", "repentance"),
    )
    alternate_path: bool = of_level(False, "the other path through stages 1 to 6 (repentance)")
    large_bosses: int = _of_special_rooms(
        20, "how many boss rooms are of several cells, where there is place", low=0, high=100, unit="percent"
    )
    void_bosses: int = _of_special_rooms(6, "boss rooms of the Void", low=1, high=7, unit="rooms")
    void_spread: int = _of_special_rooms(
        0,
        "the Void has 50 rooms and up to this many less one more; 0: 10, as the wiki says, in repentance 5, "
        "as the game's code reads",
        low=0,
        high=14,
        unit="rooms",
    )
    late_special_rooms: str = _of_special_rooms(
        "game",
        "game: from stage 11 on only boss, secret and grave rooms are special (the game's code); wiki: dice "
        "and sacrifice rooms until stage 11, others on every stage (the wiki's pseudo-code)",
        choices=("game", "wiki"),
    )

    @property
    def is_repentance(self) -> bool:
        """Whether the rules are those of Repentance."""
        return self.edition == "repentance"

    @property
    def knows_afterbirth_plus(self) -> bool:
        """Whether the rules are those of Afterbirth+ or later."""
        return self.edition in ("afterbirth_plus", "repentance")

    @property
    def is_void(self) -> bool:
        """Whether the level is the Void, which came with Afterbirth+."""
        return self.stage == _VOID and self.knows_afterbirth_plus

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rooms and self.rooms < _LEAST_ROOMS:
            raise SpecError(f"rooms: {self.rooms} do not make a level; give {_LEAST_ROOMS} to 63, or 0")
        if not self.is_repentance:
            if self.curse == "giant":
                raise SpecError(f"curse: giant: {self.edition} has none; set edition to repentance")
            if self.alternate_path:
                raise SpecError(f"alternate_path: {self.edition} has none; set edition to repentance")
        if self.alternate_path and self.stage > _ALTERNATE:
            raise SpecError(f"alternate_path: stage {self.stage} has none; give stage 1 to {_ALTERNATE}")
