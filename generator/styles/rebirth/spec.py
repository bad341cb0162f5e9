"""The spec of the `rebirth` style."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

from generator.spec.base import grouped
from generator.styles.grid.spec import CURSES, SIZES, GridSpec, of_level
from generator.styles.grid.state import State, of_game
from generator.values import When

_of_special_rooms = grouped("Special rooms")

_VOID = 12  # its stage
_EDITIONS = ("rebirth", "afterbirth", "afterbirth_plus", "repentance")
_OLDER = _EDITIONS[:-1]
_TWO_VARIANTS = ("main", "alternative", "random")
_NO_THIRD = tuple(range(9, 13))  # stages of which there are two variants
LAST_ALTERNATE = 6  # the last stage that has an alternate path
_NO_ALTERNATE = tuple(range(LAST_ALTERNATE + 1, 13))


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

    stage_variant: str = of_level(
        "random",
        "the chapter itself, its alternative, a third (stages 1 to 8, from afterbirth on); random: as the "
        "seed says",
        choices=("main", "alternative", "third", "random"),
        when=(
            When("edition", _OLDER[:1], {"choices": _TWO_VARIANTS}, "an edition from afterbirth on"),
            When("stage", _NO_THIRD, {"choices": _TWO_VARIANTS}, "stage 1 to 8"),
        ),
    )
    curse: str = of_level(
        "none",
        "the level's curse; labyrinth, lost and giant (repentance) change its size, the others are for the "
        "game to act on; random: as the game draws it from the seed",
        choices=(*CURSES[:-1], "giant", "random"),
        when=(When("edition", _OLDER, {"choices": CURSES}, "the edition repentance"),),
    )
    rooms: int = of_level(
        0,
        "rooms to grow besides the start, 4 or more; dead ends that are forced and secret rooms come on top; "
        "0: as many as the stage and the curse ask for",
        low=4,
        high=63,
        off=0,
        unit="rooms",
    )
    state: RebirthState = dataclasses.field(default_factory=RebirthState)
    edition: str = of_level(
        "repentance",
        "whose rules: hard mode, the Void, forced dead ends, vaults, planetariums, ultra secret rooms differ",
        choices=_EDITIONS,
    )
    alternate_path: bool = of_level(
        False,
        "the other path through stages 1 to 6 (repentance)",
        when=(
            When("edition", _OLDER, {"choices": (False,)}, "the edition repentance"),
            When("stage", _NO_ALTERNATE, {"choices": (False,)}, "stage 1 to 6"),
        ),
    )
    large_bosses: int = _of_special_rooms(
        20, "how many boss rooms are of several cells, where there is place", low=0, high=100, unit="percent"
    )
    closets: int = _of_special_rooms(
        20,
        "how many treasure, curse and sacrifice rooms and libraries are narrow, where there is place; none "
        "if room_size is another than 15 x 9",
        low=0,
        high=100,
        unit="percent",
    )
    void_bosses: int = _of_special_rooms(6, "boss rooms of the Void", low=1, high=7, unit="rooms")
    void_spread: int = _of_special_rooms(
        10,
        "the Void has 50 rooms and up to this many less one more; 10: as the wiki says; 5: as one reads "
        "Repentance+",
        low=1,
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

    @property
    def narrow_rooms(self) -> int:
        """`closets`; none for a team's own size of rooms."""
        return self.closets if self.room_size in SIZES else 0

    @property
    def seed_slot(self) -> int:
        """The number of the stage whose seed counts: an alternate path has the next one's."""
        return self.stage + self.alternate_path

    @property
    def mixes_chapters(self) -> bool:
        """Whether the stage has rooms of all chapters: the Void has."""
        return self.is_void

    def random_variant(self, seed: int) -> str:
        """The stage's variant by its own seed: an even one, then one that 3 divides (isaac-facts 4.9)."""
        from generator.styles.rebirth.seeds import stage_seed, start_seed_of

        return self.variant_of(stage_seed(start_seed_of(seed), self.seed_slot))

    def variant_of(self, stage_seed: int) -> str:
        """The variant of a stage of that seed: what is left of it by 2 and by 3 decides."""
        if stage_seed % 3 == 0 and self.edition != "rebirth" and self.stage not in _NO_THIRD:
            return "third"
        return "main" if stage_seed % 2 else "alternative"
