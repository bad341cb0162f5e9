"""The expressive range of a spec: how often levels have two facts together, in a grid of cells.

After G. Smith and J. Whitehead, "Analyzing the expressive range of a level generator" (2010).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from generator.batch.column_facts import column, is_columnar
from generator.batch.facts import Answer, Asked, Subject, facts_of
from generator.batch.many_seeds import many_at_once
from generator.batch.stats import FAILED, Stats, as_written
from generator.errors import BadInput, GenerationFailed
from generator.named_tuple import NamedTuple
from generator.spec import LevelSpec

CELLS = 20
"""How many cells there are along each axis."""

FactPairs: TypeAlias = Counter[tuple[Answer, Answer]]


class RangeAxis(NamedTuple):
    """A fact, and the numbers at which its first cell begins and its last one ends."""

    fact: str
    least: float
    most: float

    def cell(self, value: float) -> int:
        """Return the cell of a value, 0 to 19. The last one includes its end."""
        place = CELLS * (value - self.least) / (self.most - self.least)
        return min(CELLS - 1, max(0, math.floor(place + 1e-9)))  # 0.15 of 1 begins the fourth cell

    def labels(self) -> list[str]:
        """Return the number at which each cell begins."""
        return [f"{self.least + place * (self.most - self.least) / CELLS:.4g}" for place in range(CELLS)]


class ExpressiveRange(NamedTuple):
    """How many levels are in each cell (x, y). `outside` counts levels that lack one of the facts."""

    x: RangeAxis
    y: RangeAxis
    cells: Mapping[tuple[int, int], int]
    outside: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON: the axes, how many cells are filled, and the levels in each of them."""
        return {
            "axes": [self.x._asdict(), self.y._asdict()],
            "filled": len(self.cells),
            "of": CELLS * CELLS,
            "cells": [[x, y, count] for (x, y), count in sorted(self.cells.items())],
            "outside": self.outside,
        }

    def rows(self) -> Iterator[str]:
        """Yield it as a table, with the greatest values of y on top."""
        yield f"{len(self.cells)} of {CELLS * CELLS} cells: {self.x.fact} to the right, {self.y.fact} upwards"
        left, below = self.y.labels(), self.x.labels()
        wide = 1 + max(4, *map(len, below), *(len(str(count)) for count in self.cells.values()))
        margin = max(map(len, left))
        for y in reversed(range(CELLS)):
            counts = (self.cells.get((x, y), ".") for x in range(CELLS))
            yield f"{left[y]:>{margin}}" + "".join(f"{count:>{wide}}" for count in counts)
        yield " " * margin + "".join(f"{label:>{wide}}" for label in below)


def axes_of(spec: LevelSpec, names: Sequence[str]) -> tuple[Asked, ...]:
    """Look up two facts as they are written, such as `linearity` or `count("shop")`. Raises BadInput."""
    facts = facts_of([spec.style], [spec.load_kit().kinds])
    axes = tuple(as_written(name, facts, "--range") for name in names)
    for axis in axes:
        if axis.fact.is_text:
            raise BadInput(f"--range: {axis.name} is a text; give facts that are numbers")
    if len(set(axes)) < len(axes):
        raise BadInput(f"--range: {names[0]} is given twice; give two facts")
    return axes


def pairs_block(task: tuple[LevelSpec, tuple[str, ...], Sequence[int]]) -> tuple[FactPairs, int]:
    """Count the pairs of two facts in a block of seeds, and the seeds without a level. Runs in a worker."""
    spec, names, seeds = task
    axes = axes_of(spec, names)
    plans = many_at_once(spec, seeds) if all(map(is_columnar, axes)) else None
    if plans is not None:
        first, second = (column(plans, axis).answers() for axis in axes)
        made = plans.made.tolist()
        rows = zip(first, second, made, strict=True)
        return Counter((x, y) for x, y, is_made in rows if is_made), made.count(False)
    pairs: FactPairs = Counter()
    failed = 0
    for seed in seeds:
        subject = Subject(spec, seed)
        try:
            x, y = (axis.of(subject) for axis in axes)
        except GenerationFailed:
            failed += 1
            continue
        pairs[x, y] += 1
    return pairs, failed


def each(pairs: FactPairs, failed: int, names: Sequence[str]) -> Stats:
    """Return the distribution of each of the two facts, with the seeds that gave no level."""
    facts: dict[str, Counter[Answer]] = {name: Counter() for name in names}
    for answers, count in pairs.items():
        for name, answer in zip(names, answers, strict=True):
            facts[name][answer] += count
    levels = pairs.total()
    facts[FAILED] = Counter({"yes": failed, "no": levels}) if failed else Counter({"no": levels})
    return Stats(levels + failed, facts)


def range_of(pairs: Mapping[tuple[Answer, Answer], int], names: Sequence[str]) -> ExpressiveRange:
    """Sort pairs into cells. An axis goes from 0 to 1 if all its values do, otherwise from least to most."""
    inside = {
        (float(x), float(y)): count
        for (x, y), count in pairs.items()
        if isinstance(x, int | float) and isinstance(y, int | float)
    }
    x, y = (_axis(name, [pair[place] for pair in inside]) for place, name in enumerate(names))
    cells: Counter[tuple[int, int]] = Counter()
    for pair, count in inside.items():
        cells[x.cell(pair[0]), y.cell(pair[1])] += count
    return ExpressiveRange(x, y, cells, sum(pairs.values()) - cells.total())


def _axis(name: str, values: Sequence[float]) -> RangeAxis:
    least, most = min(values, default=0.0), max(values, default=1.0)
    if least >= 0 and most <= 1:
        return RangeAxis(name, 0.0, 1.0)
    if all(value.is_integer() for value in values):
        # Cells of the same whole width hold as many numbers each.
        return RangeAxis(name, least, least + CELLS * math.ceil((most - least + 1) / CELLS))
    return RangeAxis(name, least, max(most, least + 1))
