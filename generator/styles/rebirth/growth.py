"""How far a level of the remake grows, and its topology: which rooms of which shapes stand where.

isaac-facts 4.4: rooms grow from a double-ended queue; each tries a cell beside each of its doors, as a single
cell or as a large room if chance allows; large rooms may close loops. The game's own generator, xorshift32,
and the order of its draws are kept, so that a generator seed gives the game's own layout.

The work is done in `growth_kernel.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.errors import GenerationFailed
from generator.geometry import Point
from generator.named_tuple import NamedTuple
from generator.styles.grid.spec import CURSES
from generator.styles.rebirth import board
from generator.styles.rebirth.board import SIZE, cell_at
from generator.styles.rebirth.growth_kernel import grow_floor, level_draws, stage_seed
from generator.styles.rebirth.spec import RebirthSpec

__all__ = ["ALL_SHAPES", "MAX_ROOMS", "MAX_TRIES", "SIZE", "START", "Topology", "topology"]

START: Point = (6, 6)
ALL_SHAPES = 0x1FFE
MAX_ROOMS = 64
_MASK = 0xFFFFFFFF
_LESS_PATIENT = 100  # tries, before Repentance
MAX_TRIES = 1000


class Topology(NamedTuple):
    """Rooms as (column, row, shape id) in placing order, the start first. All are lists of plain ints.

    `distances` are depths in the tree that the rooms grew in, `dead_ends` the numbers of the dead ends in the
    order in which special rooms take them. `entries` are the cells by which rooms are entered, `parents` the
    rooms that they grew from (for the start, both are its own). `state` is the generator's state after the
    last draw, `tries` how many tries were made, and `target` how many rooms the last one asked for.
    """

    rooms: list[tuple[int, int, int]]
    distances: list[int]
    dead_ends: list[int]
    entries: list[Point]
    parents: list[int]
    state: int
    tries: int
    target: int


def topology(
    generator_seed: int,
    target: int,
    dead_ends: int,
    *,
    xl: bool = False,
    shape_mask: int = ALL_SHAPES,
    blocked: Sequence[Point] = (),
    patient: bool = True,
    tries_before: int = 0,
) -> Topology:
    """Grow the topology of a seed: `target` rooms besides the start, at least `dead_ends` dead ends.

    `shape_mask` has bit i set if shape i is allowed; `xl` is a labyrinth's or the Void's looser rule for
    cells with two neighbours; nothing is built on `blocked` cells. Missing dead ends are forced, five at
    most. Repentance is `patient`: it forces until there are enough, and goes on trying, from the tenth try on
    with one more room every five tries; earlier editions force only until there are five, and give up after
    100 tries. The generator is not reset between tries; `tries_before` are tries for this floor that were
    rejected later. Raises ValueError for a seed, a mask or numbers out of range, and GenerationFailed if no
    try succeeds.
    """
    if not 0 < generator_seed <= _MASK:
        raise ValueError(f"generator_seed: {generator_seed} is out of range (1 to {_MASK})")
    if not (0 < target < MAX_ROOMS and 0 <= dead_ends < MAX_ROOMS):
        raise ValueError(f"{target} rooms with {dead_ends} dead ends: give at most {MAX_ROOMS - 1} of each")
    if not 0 <= shape_mask <= ALL_SHAPES | 1:
        raise ValueError(f"shape_mask: {shape_mask} has bits without a shape; give at most {ALL_SHAPES}")
    floor = board.new_floor()
    for cell in blocked:
        floor[board.BARRED + board.place_of(cell)] = 1
    most = MAX_TRIES if patient else tries_before + _LESS_PATIENT
    grown = grow_floor(floor, generator_seed, target, dead_ends, shape_mask, xl, patient, tries_before, most)
    state, rooms, ends, tries, final_target = grown
    if not rooms:
        reason = f"{target} rooms with {dead_ends} dead ends did not grow; ask for another number of rooms"
        raise GenerationFailed("topology", most, reason, generator_seed)
    return Topology(
        rooms=[(*cell_at(floor[board.ANCHOR + room]), floor[board.SHAPE + room]) for room in range(rooms)],
        distances=list(floor[board.DEPTH : board.DEPTH + rooms]),
        dead_ends=list(floor[board.END : board.END + ends]),
        entries=[cell_at(position) for position in floor[board.ENTRY : board.ENTRY + rooms]],
        parents=list(floor[board.PARENT : board.PARENT + rooms]),
        state=state,
        tries=tries,
        target=final_target,
    )


# The size of a level: its curse, its numbers of rooms and dead ends, its shapes (isaac-facts 4.3, wiki).


_GIANT_SHAPES = 0x1FF0  # no rooms of one cell
_BLOCKED_STAGE = 11  # the game has a door above the start that we do not have


class LevelDraws(NamedTuple):
    """What the game draws for a level before it grows: see `growth_kernel.level_draws`."""

    curse: int  # its index in the game's list, or -1
    more_rooms: int  # 0 or 1
    more_hard_rooms: int  # 0 or 1
    void: int
    generator_seed: int


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
    return counts_of(spec, LevelDraws(*level_draws(seed, curse_rate(spec), spec.is_void)))


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


# One level in so many is cursed, in normal and in hard mode, by what is unlocked (Repentance+).
_CURSE_RATES = {"none": (80, 40), "some": (30, 20), "many": (10, 6), "all": (5, 3)}
_CURSE_RATES_BEFORE = 5, 2


def curse_rate(spec: RebirthSpec) -> int:
    """Return the rate of curses: one level in this many is cursed."""
    rates = _CURSE_RATES[spec.unlocks] if spec.is_repentance else _CURSE_RATES_BEFORE
    return rates[spec.hard]


def _curse(spec: RebirthSpec, draws: LevelDraws) -> str:
    """Return the spec's or the drawn curse. A labyrinth needs a chapter's first stage before stage 8."""
    if spec.curse != "random":
        return spec.curse
    curse = CURSES[1 + draws.curse]  # "none" is the first
    if spec.state.black_candle or (curse == "labyrinth" and (spec.stage % 2 == 0 or spec.stage >= 8)):
        return "none"
    return curse


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
        rooms = 50 + draws.void % spec.void_sizes
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
