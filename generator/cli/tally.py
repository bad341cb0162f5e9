"""What `undercroft stats` counts and prints: facts of all levels, and beside each other those of a sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from generator.batch import expressive_range, stats
from generator.batch.facts import Asked
from generator.cli import common, runs, tables
from generator.cli.progress import echo
from generator.errors import BadInput, shown
from generator.named_tuple import NamedTuple
from generator.seeds import count_of
from generator.value_words import toml

if TYPE_CHECKING:
    from generator.batch.expressive_range import ExpressiveRange, FactPairs
    from generator.batch.facts import Answer
    from generator.batch.stats import Stats
    from generator.spec import LevelSpec

_BAR = 30  # characters
_MAX_SPECS = 10_000  # of a sweep
_MAX_ROWS = 24  # of one fact; with more, only the summary is printed
_MAX_COLUMNS = 6  # of a sweep; with more, only the summaries are printed


class SweptSpec(NamedTuple):
    """A spec, and which values of a sweep it has."""

    spec: LevelSpec
    values: Mapping[str, Any] = {}

    @property
    def label(self) -> str:
        """The values as people write them: `rooms=8 loops=2`."""
        return " ".join(f"{key}={toml(value)}" for key, value in self.values.items())


class SweptPart(NamedTuple):
    """What was counted of one variant. `pairs` are those of the two facts of a range."""

    variant: SweptSpec
    stats: Stats
    pairs: FactPairs | None = None

    def told(self) -> dict[str, Any]:
        """Return what programs are told of it."""
        return {"values": self.variant.values, **self.stats.counts()}


class Tally(NamedTuple):
    """What was counted of all levels, and of each variant by itself."""

    whole: Stats
    parts: list[SweptPart]
    cells: ExpressiveRange | None = None

    def told(self) -> dict[str, Any]:
        """Return what programs are told besides the facts of all levels."""
        told: dict[str, Any] = {"range": self.cells.to_dict()} if self.cells else {}
        return told | ({"sweep": [part.told() for part in self.parts]} if self.is_swept else {})

    @property
    def is_swept(self) -> bool:
        """Whether there are values to compare."""
        return bool(self.parts[0].variant.values)


def swept(spec: LevelSpec, sweeps: Sequence[str]) -> list[SweptSpec]:
    """Return the spec with each combination of the values that are listed. Raises BadInput."""
    lists: dict[str, list[Any]] = {}
    for key, text in common.key_values(sweeps, "--sweep").items():
        listed = common.toml_value(text)
        lists[key] = listed if isinstance(listed, list) else []
        if not lists[key]:
            raise BadInput(f"--sweep {key}: {shown(text)} is not a list; write for example {key}=[1, 2]")
        usual = getattr(spec, key, None)
        if isinstance(usual, tuple) and not isinstance(lists[key][0], list):
            raise BadInput(
                f"--sweep {key}: each value is itself a list; write for example {key}=[{list(usual)}]"
            )
    combinations = prod(map(len, lists.values()))
    if combinations > _MAX_SPECS:
        raise BadInput(f"--sweep: {combinations:,} combinations are too many; give at most {_MAX_SPECS:,}")
    chosen = (dict(zip(lists, values, strict=True)) for values in product(*lists.values()))
    return [SweptSpec(spec.replace(values, "--sweep") if values else spec, values) for values in chosen]


# --- counting ----------------------------------------------------------------------------------------


def counted_apart(
    variants: Sequence[SweptSpec],
    names: Sequence[str],
    questions: Sequence[Asked],
    seeds: Sequence[int],
    workers: runs.Workers,
    *,
    usual: bool,
) -> Tally:
    """Count the facts of these names. All that are not the `usual` ones stay, even if no level has them."""
    sums = [stats.Stats(0, {}) for _ in variants]
    for part, block in _blocks(stats.count_block, variants, names, questions, seeds, workers):
        sums[part] = stats.added(sums[part], block)
    whole = stats.merged(sums, () if usual else names)
    return Tally(whole, [SweptPart(*pair) for pair in zip(variants, _alike(sums, whole), strict=True)])


def counted_together(
    variants: Sequence[SweptSpec], axes: Sequence[Asked], seeds: Sequence[int], workers: runs.Workers
) -> Tally:
    """Count two facts, and how often they come together."""
    names = [axis.name for axis in axes]
    pairs: list[FactPairs] = [Counter() for _ in variants]
    failed: Counter[int] = Counter()
    every: FactPairs = Counter()
    work = expressive_range.pairs_block
    for part, (more, without) in _blocks(work, variants, names, axes, seeds, workers):
        pairs[part].update(more)
        every.update(more)
        failed[part] += without
    sums = [expressive_range.each(own, failed[part], names) for part, own in enumerate(pairs)]
    whole = stats.merged(sums, names)
    parts = zip(variants, _alike(sums, whole), pairs, strict=True)
    return Tally(whole, [SweptPart(*one) for one in parts], expressive_range.range_of(every, names))


def _blocks(
    work: Callable[[Any], Any],
    variants: Sequence[SweptSpec],
    names: Sequence[str],
    questions: Sequence[Asked],
    seeds: Sequence[int],
    workers: runs.Workers,
) -> Iterator[tuple[int, Any]]:
    """Yield the result of each block of seeds, with the place of its variant."""
    tasks = (
        (variant.spec, tuple(names), block)
        for variant in variants
        for block in stats.blocks(variant.spec, questions, seeds)
    )
    places = {id(variant.spec): place for place, variant in enumerate(variants)}
    total = count_of(seeds) * len(variants)
    for task, block in runs.over_tasks(work, tasks, total, workers, "counting"):
        yield places[id(task[0])], block


def _alike(sums: Sequence[Stats], whole: Stats) -> Iterator[Stats]:
    """Yield each sum with the facts of all of them."""
    for one in sums:
        yield stats.Stats(one.levels, {name: one.facts.get(name, Counter()) for name in whole.facts})


# --- for people --------------------------------------------------------------------------------------


def print_table(listed: Stats, tally: Tally) -> None:
    """Print each fact: of a spec its answers, their shares of the levels and bars, then a range's cells.

    The variants of a sweep stand beside each other.
    """
    for name, counts in listed.facts.items():
        echo(f"{name}: {stats.summary(counts)}")
        rows = _compared(name, counts, tally.parts) if tally.is_swept else _rows(counts)
        for row in rows:
            echo(row)
    for line in tally.cells.rows() if tally.cells else ():
        echo(line)


def _rows(counts: Counter[Answer]) -> Iterator[str]:
    if len(counts) > _MAX_ROWS:
        return
    total, most = sum(counts.values()), max(counts.values(), default=1)
    for answer, count in stats.ordered(counts):
        bar = "#" * round(_BAR * count / most)
        yield f"  {_said(answer):>12} {count / total:7.2%} {bar}"


def _compared(name: str, counts: Counter[Answer], parts: Sequence[SweptPart]) -> Iterator[str]:
    """Yield the shares of each answer in all parts, or what sums up each part if these are too many."""
    labels = [part.variant.label for part in parts]
    of_parts = [part.stats.facts[name] for part in parts]
    if len(parts) > _MAX_COLUMNS or len(counts) > _MAX_ROWS:
        rows = [[label, stats.summary(own)] for label, own in zip(labels, of_parts, strict=True)]
        yield from (f"  {line}" for line in tables.columns(rows, "<"))
        return
    rows = [["", *labels]]
    if any(isinstance(answer, int | float) for answer in counts):
        rows.append(["mean", *(_said(stats.mean(own), ".2f") for own in of_parts)])
    for answer, _ in stats.ordered(counts):
        rows.append([_said(answer), *(f"{own[answer] / max(1, own.total()):.2%}" for own in of_parts)])
    yield from (f"  {line}" for line in tables.columns(rows, ">"))


def _said(answer: Answer, form: str = "") -> str:
    return "-" if answer is None else f"{answer:{form}}"


# --- as CSV ------------------------------------------------------------------------------------------


def print_csv(listed: Stats, tally: Tally) -> None:
    """Print each answer of each fact, or each pair of a range: how many levels have it, and their share.

    The values of a sweep are the first columns.
    """
    keys = [f"set.{key}" for key in tally.parts[0].variant.values]  # facts have some of their names
    axes = [tally.cells.x.fact, tally.cells.y.fact] if tally.cells else ["fact", "answer"]
    tables.print_csv([*keys, *axes, "count", "share"], _csv_rows(listed, tally.parts))


def _csv_rows(listed: Stats, parts: Sequence[SweptPart]) -> Iterator[list[object]]:
    for part in parts:
        values = [*part.variant.values.values()]
        if part.pairs is not None:
            total = part.pairs.total()
            places = {pair: [stats.place_of(answer) for answer in pair] for pair in part.pairs}
            for pair in sorted(part.pairs, key=lambda pair: places[pair]):
                yield [*values, *pair, part.pairs[pair], part.pairs[pair] / total]
            continue
        for name in listed.facts:
            counts = part.stats.facts[name]
            for answer, count in stats.ordered(counts):
                yield [*values, name, answer, count, count / counts.total()]
