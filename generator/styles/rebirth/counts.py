"""The size of a level: its curse, its numbers of rooms and dead ends, its shapes (isaac-facts 4.3, wiki)."""

from __future__ import annotations

from typing import NamedTuple

from generator.geometry import Point
from generator.styles.rebirth.growth import ALL_SHAPES, MAX_ROOMS, START
from generator.styles.rebirth.seeds import LevelDraws, level_draws, stage_seed
from generator.styles.rebirth.spec import RebirthSpec

_CURSES = "labyrinth", "lost", "darkness", "unknown", "maze", "blind"  # in the game's order
_GIANT_SHAPES = 0x1FF0  # no rooms of one cell
_BLOCKED_STAGE = 11  # the game has a door above the start that we do not have


class Counts(NamedTuple):
    """What a level grows to: `rooms` besides the start, and at least `dead_ends` dead ends.

    `is_large` is the looser rule of growth in a labyrinth and in the Void.
    """

    curse: str
    rooms: int
    dead_ends: int
    is_large: bool
    shape_mask: int
    blocked: tuple[Point, ...]
    generator_seed: int

    @property
    def is_labyrinth(self) -> bool:
        """Whether boss and treasure rooms come twice."""
        return self.curse == "labyrinth"


def counts(spec: RebirthSpec, start_seed: int) -> Counts:
    """Return the counts of a spec and a start seed, 1 to 2^32 - 1."""
    seed = stage_seed(start_seed, spec.seed_slot)
    return counts_of(spec, level_draws(seed, curse_rate(spec), void=spec.is_void))


def counts_of(spec: RebirthSpec, draws: LevelDraws) -> Counts:
    """Compute the counts of a spec from what the game draws for the level."""
    curse = _curse(spec, draws)
    return Counts(
        curse=curse,
        rooms=min(_rooms(spec, curse, draws), MAX_ROOMS - 1),
        dead_ends=_dead_ends(spec, curse),
        is_large=spec.is_void or curse == "labyrinth",
        shape_mask=_GIANT_SHAPES if curse == "giant" else ALL_SHAPES,
        blocked=((START[0], START[1] - 1),) if spec.stage == _BLOCKED_STAGE else (),
        generator_seed=draws.generator_seed,
    )


def curse_rate(spec: RebirthSpec) -> int:
    """Return the rate of curses: one level in this many is cursed."""
    if spec.hard:
        return 3 if spec.is_repentance else 2
    return 5


def _curse(spec: RebirthSpec, draws: LevelDraws) -> str:
    """Return the spec's or the drawn curse. A labyrinth needs a chapter's first stage before stage 8."""
    if spec.curse != "random":
        return spec.curse
    if draws.curse is None or spec.state.black_candle:
        return "none"
    if _CURSES[draws.curse] == "labyrinth" and (spec.stage % 2 == 0 or spec.stage >= 8):
        return "none"
    return _CURSES[draws.curse]


def _rooms(spec: RebirthSpec, curse: str, draws: LevelDraws) -> int:
    if spec.rooms:
        return spec.rooms
    rooms = min(20, draws.more_rooms + 5 + spec.stage * 10 // 3)
    if _is_off_the_path(spec, curse):
        rooms -= 3
    if curse == "labyrinth":
        rooms = min(45, rooms * 18 // 10)
    elif curse == "lost":
        rooms += 4
    if spec.is_void:
        rooms = 50 + draws.void % spec.void_spread
    if spec.hard:
        rooms += 2 + draws.more_hard_rooms
    return max(4, rooms * 3 // 5) if curse == "giant" else rooms


def _dead_ends(spec: RebirthSpec, curse: str) -> int:
    ends = 5 + (spec.stage != 1) + (curse == "labyrinth") + 2 * spec.is_void
    voodoo = spec.is_repentance and spec.state.voodoo_head
    return ends + voodoo + _is_off_the_path(spec, curse)


def _is_off_the_path(spec: RebirthSpec, curse: str) -> bool:
    """Alternate paths are smaller on the second stage of a chapter, and in a labyrinth on the first."""
    return spec.alternate_path and (spec.stage in (2, 4) or (curse == "labyrinth" and spec.stage in (1, 3)))
