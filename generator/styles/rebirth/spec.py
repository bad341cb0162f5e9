"""The spec of the `rebirth` style."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from generator.spec.base import grouped
from generator.spec.game import State, of_game
from generator.styles.grid.spec import CURSES, SIZES, GridSpec, of_level, of_rooms
from generator.values import When

_of_special_rooms = grouped("Special rooms")

LATE = 11  # the first stage with few special rooms in the game's code
_VOID = 12  # the stage of the Void
_VOID_SIZES, _VOID_SIZES_OF_GAME = 10, 5
_EDITIONS = ("rebirth", "afterbirth", "afterbirth_plus", "repentance")
_OLDER = _EDITIONS[:-1]
_TWO_VARIANTS = ("main", "alternative", "random")
_NO_THIRD = tuple(range(9, 13))  # stages with only two variants
_LAST_ALTERNATE = 8  # the last stage that has an alternate path
_NO_ALTERNATE = tuple(range(_LAST_ALTERNATE + 1, 13))


@dataclass(frozen=True, kw_only=True)
class RebirthState(State):
    """The state of a game of the remake: `State`, plus the items and trinkets that affect levels."""

    bone_hearts: int = of_game(
        0, "bone hearts; each is a container for one heart", low=0, high=12, unit="hearts"
    )
    character: str = of_game(
        "any",
        "the player's character, for rules that depend on it: for the named ones, bone hearts are not "
        "containers",
        choices=("any", "the_lost", "blue_baby", "the_soul"),
    )
    victory_lap: int = of_game(0, "the victory lap; from the third on there is no shop", low=0, high=99)
    silver_dollar: bool = of_game(False, "the trinket: shops in chapter 4 too")
    bloody_crown: bool = of_game(False, "the trinket: treasure rooms in chapter 4 too")
    fragmented_card: bool = of_game(False, "the trinket: one more secret room (from afterbirth on)")
    luna: bool = of_game(False, "the item: one more secret room and super secret room (repentance)")
    voodoo_head: bool = of_game(False, "the item: one more curse room and dead end (repentance)")
    black_candle: bool = of_game(False, "the item: no random curses")
    treasure_rooms_skipped: int = of_game(
        0,
        "floors left without entering their treasure room; each makes a planetarium 20 % likelier",
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
    instead: ClassVar[Mapping[str, str]] = {
        "plan": "floors of rebirth are the game's own, without locks; use isaac or another style with a plan"
    }

    stage_variant: str = of_level(
        "random",
        "the chapter itself, its alternative, or a third variant (stages 1 to 8, from afterbirth on; on the "
        "alternate path the chapter itself); random: the seed decides",
        choices=("main", "alternative", "third", "random"),
        when=(
            When("edition", _OLDER[:1], {"choices": _TWO_VARIANTS}, "an edition from afterbirth on"),
            When("stage", _NO_THIRD, {"choices": _TWO_VARIANTS}, "stage 1 to 8"),
        ),
    )
    curse: str = of_level(
        "none",
        "the level's curse; labyrinth, lost and giant (repentance) change the level's size; the others "
        "are for the game to act on; random: drawn from the seed, as in the game",
        choices=(*CURSES[:-1], "giant", "random"),
        when=(When("edition", _OLDER, {"choices": CURSES}, "the edition repentance"),),
    )
    rooms: int = of_level(
        0,
        "rooms to grow besides the start, 4 or more; forced dead ends and secret rooms are extra; 0: "
        "the stage and the curse decide",
        low=4,
        high=63,
        off=0,
        unit="rooms",
    )
    state: RebirthState = dataclasses.field(default_factory=RebirthState)
    edition: str = of_level(
        "repentance",
        "the edition of the game whose rules apply; they differ in hard mode, the Void, forced dead ends, "
        "vaults, planetariums and ultra secret rooms",
        choices=_EDITIONS,
    )
    reading: str = of_level(
        "wiki",
        "which source decides where they contradict each other; wiki: the wiki's page; game: the program of "
        "the edition, as others read it (docs/rebirth.md lists what differs)",
        choices=("wiki", "game"),
        is_late=True,
    )
    unlocks: str = of_level(
        "all",
        "how much of the game is unlocked, which makes random curses likelier (repentance)",
        choices=("none", "some", "many", "all"),
        when=(When("edition", _OLDER, {"choices": ("all",)}, "the edition repentance"),),
        is_late=True,
    )
    alternate_path: bool = of_level(
        False,
        "the other path through stages 1 to 8, with chapters of its own (repentance)",
        when=(
            When("edition", _OLDER, {"choices": (False,)}, "the edition repentance"),
            When("stage", _NO_ALTERNATE, {"choices": (False,)}, "stage 1 to 8"),
        ),
    )
    large_bosses: int = _of_special_rooms(
        20, "how many boss rooms have several cells, if there is space", low=0, high=100, unit="percent"
    )
    closets: int = _of_special_rooms(
        20,
        "how many treasure, curse and sacrifice rooms and libraries are narrow, if they fit; none if "
        "room_size is not 15 x 9",
        low=0,
        high=100,
        unit="percent",
    )
    shapes: str = of_rooms(
        "game",
        "which shapes rooms may have; game: all twelve, in the game's own floors, and each needs layouts; "
        "drawn: only those that have layouts, with all their doors (1x1 must), so floors can be others than "
        "the game's",
        choices=("game", "drawn"),
        is_late=True,
    )
    void_bosses: int = _of_special_rooms(6, "how many boss rooms the Void has", low=1, high=7, unit="rooms")
    void_spread: int = _of_special_rooms(
        0,
        "how many sizes the Void can have, from 50 rooms up; 10: 50 to 59 rooms, as the wiki says; 5: 50 to "
        "54 rooms, as Repentance+ does; 0: as reading says",
        low=1,
        high=14,
        off=0,
    )
    late_special_rooms: str = _of_special_rooms(
        "reading",
        "game: from stage 11 on only boss, secret and grave rooms are special (the game's code); wiki: "
        "dice and sacrifice rooms until stage 11, other special rooms on every stage (the wiki's "
        "pseudo-code); reading: as reading says",
        choices=("reading", "game", "wiki"),
    )

    def counted(self) -> dict[str, Any]:
        """Return the spec as `LevelSpec.counted` does: what `reading` decides counts as what it comes to.

        Where that makes no difference, it counts as before there was a `reading`.
        """
        table = self.saved()
        if not self.void_spread:
            table["void_spread"] = self.void_sizes if self.is_void else _VOID_SIZES
        if self.late_special_rooms == "reading":
            is_early = self.stage < LATE or self.ends_special_rooms
            table["late_special_rooms"] = "game" if is_early else "wiki"
        if not self.is_as_repentance_plus:
            table.pop("reading", None)
        return table

    def on_stage(self, stage: int) -> Self:
        """Return the spec of another stage. Where the alternate path ends, the main one continues."""
        alternate_path = self.alternate_path and stage <= _LAST_ALTERNATE
        return dataclasses.replace(self, stage=stage, alternate_path=alternate_path)

    @property
    def is_repentance(self) -> bool:
        """Whether the rules of Repentance apply."""
        return self.edition == "repentance"

    @property
    def knows_afterbirth_plus(self) -> bool:
        """Whether the rules of Afterbirth+ or later apply."""
        return self.edition in ("afterbirth_plus", "repentance")

    @property
    def is_void(self) -> bool:
        """Whether the level is the Void, which came with Afterbirth+."""
        return self.stage == _VOID and self.knows_afterbirth_plus

    @property
    def narrow_rooms(self) -> int:
        """`closets`, or 0 if the team has its own room size."""
        return self.closets if self.room_size in SIZES else 0

    @property
    def seed_slot(self) -> int:
        """The number of the stage whose seed counts. On an alternate path it is the next stage."""
        return self.stage + self.alternate_path

    @property
    def is_as_repentance_plus(self) -> bool:
        """Whether the program of Repentance+ decides."""
        return self.reading == "game" and self.is_repentance

    @property
    def void_sizes(self) -> int:
        """How many sizes the Void can have."""
        return self.void_spread or (_VOID_SIZES_OF_GAME if self.is_as_repentance_plus else _VOID_SIZES)

    @property
    def ends_special_rooms(self) -> bool:
        """Whether only boss, secret and grave rooms are special from stage 11 on, as in the game's code."""
        late = self.reading if self.late_special_rooms == "reading" else self.late_special_rooms
        return late == "game"

    @property
    def is_on_alternate_path(self) -> bool:
        """Whether its chapter is the one of the alternate path."""
        return self.alternate_path

    @property
    def keeps_to_boss_pool(self) -> bool:
        """Whether bosses come from a pool with a memory, and some are fixed, as in Repentance+'s program."""
        return self.is_as_repentance_plus

    @property
    def mixes_chapters(self) -> bool:
        """Whether the stage has rooms of all chapters, as the Void does."""
        return self.is_void

    def random_variant(self, seed: int) -> str:
        """Choose the stage's variant by its own seed: divisible by 2, or else by 3 (isaac-facts 4.9)."""
        from generator.styles.rebirth.growth_kernel import stage_seed
        from generator.styles.rebirth.seeds import start_seed_of

        return self.variant_of(stage_seed(start_seed_of(seed), self.seed_slot))

    def variant_of(self, stage_seed: int) -> str:
        """Return the variant of a stage by its seed: divisibility by 2 and by 3 decides."""
        has_third = self.edition != "rebirth" and self.stage not in _NO_THIRD and not self.alternate_path
        if has_third and stage_seed % 3 == 0:
            return "third"
        return "main" if stage_seed % 2 else "alternative"
