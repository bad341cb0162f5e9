"""Floorplans of many seeds, as arrays and one by one, and levels; by compiled kernels where there are such.

plans = floorplans("isaac", range(100_000), stage=3)
(plans.kind == plans.kinds.index("library")).any(axis=1).mean()
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, SupportsIndex, TypeVar, Unpack

import numpy as np

from generator import pipeline
from generator.batch.run import usable_range
from generator.compiled.loader import compile_beside, compile_here, compile_now, compiling, is_fast, is_ready
from generator.errors import GenerationFailed, SpecError, shown
from generator.level import Level, RerollRow
from generator.seeds import MAX_SEED, Seed, count_of, plain, read_seed
from generator.spec import LevelSpec, spec_of
from generator.styles.base import Plan
from generator.styles.columns import PlanColumns, columns_of_plans
from generator.styles.registry import style

if TYPE_CHECKING:
    from generator.keywords import SpecKeywords

T = TypeVar("T")

_BLOCK = 4  # times the number that is worth loading kernels: seeds per block if these are compiled
_LASTING = 5  # times that number: seeds that take some seconds without them
_WORTH_WAITING = 30  # times that number: seeds that take longer than to compile the kernels first


def floorplans(
    spec: LevelSpec | str | Path, seeds: Iterable[SupportsIndex], **values: Unpack[SpecKeywords]
) -> PlanColumns:
    """Make the floorplans of these seeds as arrays, the same as from `generate(..., until="floorplan")`.

    `values` replace values of the spec. Styles that can make many at once do so, compiled if numba is
    installed (`pip install 'undercroft[fast]'`). Raises SpecError for a bad spec or seed.
    """
    chosen = spec_of(spec, values)
    numbers = [seed_number(seed) for seed in usable_seeds(chosen, seeds)]
    if len(numbers) >= _WORTH_WAITING * chosen.few and is_fast():
        if not is_ready(chosen.style):
            compile_now(chosen.style, partial(_use_kernels, chosen.style))
        with compiling():
            return many_at_once(chosen, numbers) or _one_by_one(chosen, numbers)
    if len(numbers) >= chosen.few:  # for the next time
        are_compiled(chosen.style, lasts=len(numbers) >= _LASTING * chosen.few)
    return many_at_once(chosen, numbers) or _one_by_one(chosen, numbers)


def usable_seeds(spec: LevelSpec, seeds: Iterable[T]) -> Iterable[T | int]:
    """Return the seeds. Warns if a range begins with one that the spec's style does not have, and skips it.

    Raises SpecError if that is all of the range.
    """
    if not isinstance(seeds, range):
        return seeds
    usable = usable_range(seeds, style(spec.style).read_seed)
    if usable != seeds:
        text = f"seeds: {spec.style} has no seed {seeds[0]}; beginning at {usable[0]}"
        warnings.warn(text, stacklevel=3)
    return usable


def seed_number(seed: SupportsIndex) -> int:
    """Convert a seed to Python's own number. Raises SpecError if it is not a valid seed."""
    number = seed if type(seed) is int else plain(seed)
    if type(number) is not int or not 0 <= number <= MAX_SEED:
        raise SpecError(f"seeds: {shown(seed)} is not a whole number from 0 to {MAX_SEED}")
    return number


def many_at_once(spec: LevelSpec, seeds: Sequence[int]) -> PlanColumns | None:
    """Make the floorplans as arrays, or return None for a spec whose style makes them one by one."""
    chosen = style(spec.style)
    if not chosen.floorplans:
        return None
    if chosen.read_seed is read_seed:
        return chosen.floorplans(spec, seeds)
    plans = chosen.floorplans(spec, [chosen.read_seed(seed)[0] for seed in seeds])
    return plans and replace(plans, seeds=np.array(seeds, np.uint64))


def are_compiled(name: str, *, lasts: bool = False) -> bool:
    """Check whether the kernels of a style are compiled. If not, a process beside begins with it.

    It begins at once for what `lasts`, otherwise when this has been asked for some seconds.
    """
    if not is_fast() or not style(name).floorplans:
        return False
    compile_beside(name, partial(_compile, name), lasts=lasts)
    return is_ready(name)


def _compile(name: str) -> None:
    compile_here(name, partial(_use_kernels, name))


def _use_kernels(name: str) -> None:
    """Call all kernels of a style, with few seeds. Those of all specs get arguments of the same types."""
    chosen = style(name)
    plans = many_at_once(chosen.spec(), range(1, chosen.spec.few + 1))
    if plans is not None:
        assert plans.doors
    if chosen.plans and (plan_of := chosen.plans(chosen.spec())):
        plan_of(1)


def block_size(spec: LevelSpec, seeds: int, size: int) -> int:
    """Return the size of the next block of so many seeds in all: larger as soon as compiled kernels help."""
    is_bulk = seeds >= _BLOCK // 2 * spec.few and are_compiled(spec.style)
    return _BLOCK * spec.few if is_bulk else size


def growing_blocks(spec: LevelSpec, seeds: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Split seeds into blocks of a size, and into larger ones as soon as compiled kernels are there."""
    first, number = 0, count_of(seeds)
    while first < number:
        yield seeds[first : (first := first + block_size(spec, number, size))]


def _one_by_one(spec: LevelSpec, seeds: Sequence[int]) -> PlanColumns:
    plans: list[Plan | GenerationFailed] = []
    for seed in seeds:
        try:
            plans.append(pipeline.generate(spec, seed, until="floorplan"))
        except GenerationFailed as error:
            plans.append(error)
    return columns_of_plans(seeds, plans, spec.load_kit().kinds.secret_doors)


# --- one by one, but many ----------------------------------------------------------------------------


def level_in_turn(spec: LevelSpec, seed: Seed, rerolls: Sequence[RerollRow] = ()) -> Level:
    """Make the level of a seed like `generate`, in a process that makes many."""
    if rerolls or not _has_turns(spec):
        return pipeline.generate(spec, seed, rerolls=rerolls)
    return pipeline.level_of(spec, seed, plan_in_turn)


def plan_in_turn(spec: LevelSpec, seed: int) -> Plan:
    """Make the floorplan of a seed as a style's `plan` does, in a process that makes many.

    After some of a spec, compiled kernels make the others, as soon as there are such.
    """
    if not _has_turns(spec):
        return style(spec.style).plan(spec, seed)
    return _turns(spec, tuple(spec.digests().values())).plan(seed)


def _has_turns(spec: LevelSpec) -> bool:
    return style(spec.style).plans is not None and is_fast()


class _Turns:
    """The floorplans of a spec in this process, with its own files as they are now, by their digests."""

    def __init__(self, spec: LevelSpec, _: tuple[str, ...]) -> None:
        self._spec, self._style = spec, style(spec.style)
        self._made = 0
        self._compiled: Callable[[int], Plan] | None = None

    def plan(self, seed: int) -> Plan:
        if self._compiled:
            return self._compiled(seed)
        if self._style.plans and self._made % _TURNS == _TURNS - 1 and are_compiled(self._spec.style):
            self._compiled = self._style.plans(self._spec)
        self._made += 1
        return self._style.plan(self._spec, seed)


_turns = lru_cache(maxsize=8)(_Turns)
_TURNS = 50  # floorplans, in each of many processes; loading kernels takes the time of as many
