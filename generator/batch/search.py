"""Searches for seeds whose levels meet a condition."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from generator.batch.column_facts import FactColumn, column
from generator.batch.condition import Condition, parse_condition
from generator.batch.facts import Answer, Subject
from generator.batch.many_seeds import growing_blocks, many_at_once
from generator.batch.run import blocks_of
from generator.errors import BadInput, GenerationFailed
from generator.files import read_bytes
from generator.level import Level
from generator.named_tuple import NamedTuple
from generator.seeds import count_of
from generator.spec import LevelSpec
from generator.styles.columns import PlanColumns
from generator.version import VERSION

_FORMAT = "undercroft-search"
_MAX_BYTES = 1 << 28
_MOST_MADE = 16  # levels kept in memory
FLOORPLANS_A_BLOCK, LEVELS_A_BLOCK = 500, 25  # seeds
ALONE = "counts the levels that meet a condition"  # what the first few do, so that they need one


class Query(NamedTuple):
    """What to look for: a spec and a condition's text."""

    spec: LevelSpec
    where: str

    def condition(self) -> Condition:
        """Return the parsed condition. Raises Slip, and KitError if the spec's kit is bad."""
        return parse_condition(self.where, (self.spec.style,), (self.spec.load_kit().kinds,))


class Hit(NamedTuple):
    """A seed whose level meets the condition, and the facts that the condition names."""

    seed: int
    facts: dict[str, Answer]


class Found(NamedTuple):
    """The result of some seeds: those that meet the condition, and those without a level."""

    seeds: Sequence[int]
    hits: list[Hit]
    failed: list[int]

    def up_to(self, count: int) -> Found:
        """Return what there is up to hit number `count` (from 1), or all if there are fewer."""
        if len(self.hits) < count:
            return self
        seeds = self.seeds[: self.seeds.index(self.hits[count - 1].seed) + 1 if count else 0]
        among = seeds if isinstance(seeds, range) else {*seeds}
        return Found(seeds, self.hits[:count], [seed for seed in self.failed if seed in among])


def search_block(task: tuple[Query, Sequence[int]], made: dict[int, Level] | None = None) -> Found:
    """Try a block of seeds, for a worker. A seed without a level does not meet the condition.

    Levels of hits that the condition needed are put into `made`, as long as it has few.
    """
    query, seeds = task
    condition = query.condition()
    plans = many_at_once(query.spec, seeds) if condition.in_columns and len(seeds) > 1 else None
    if plans is not None:
        return _found_in_columns(plans, condition, seeds)
    hits, failed = [], []
    for seed in seeds:
        subject = Subject(query.spec, seed)
        try:
            if condition.holds(subject):
                hits.append(Hit(seed, {question.name: question.of(subject) for question in condition.facts}))
                if made is not None and len(made) < _MOST_MADE and "level" in vars(subject):
                    made[seed] = subject.level
        except GenerationFailed:
            failed.append(seed)
    return Found(seeds, hits, failed)


def _found_in_columns(plans: PlanColumns, condition: Condition, seeds: Sequence[int]) -> Found:
    """Search floorplans as arrays in the same way. Facts are read only for the hits."""
    assert condition.in_columns
    rows = np.flatnonzero(plans.made & condition.in_columns(plans))
    facts = {question.name: column(plans, question) for question in condition.facts if len(rows)}
    answers = {
        name: FactColumn(fact_column.values[rows], fact_column.known[rows]).answers()
        for name, fact_column in facts.items()
    }
    hits = [
        Hit(seeds[row], {name: values[index] for name, values in answers.items()})
        for index, row in enumerate(rows.tolist())
    ]
    return Found(seeds, hits, [seeds[row] for row in np.flatnonzero(~plans.made).tolist()])


def search_blocks(
    query: Query, seeds: Sequence[int], first: int | None = None
) -> Iterator[tuple[Query, Sequence[int]]]:
    """Split seeds into blocks to search: smaller ones for whole levels, larger ones where kernels help.

    A search that ends with the `first` few hits begins with small blocks, which double.
    """
    condition = query.condition()
    most = LEVELS_A_BLOCK if condition.needs_level else FLOORPLANS_A_BLOCK
    size, at = first or most, 0
    while size < most and seeds[at:]:
        yield query, seeds[at : at + size]
        size, at = 2 * size, at + size
    rest = seeds[at:]
    blocks = growing_blocks(query.spec, rest, most) if condition.in_columns else blocks_of(rest, most)
    yield from ((query, block) for block in blocks)


def _said(seeds: Sequence[int]) -> object:
    """Return what tells the seeds of a search from those of another."""
    if isinstance(seeds, range):
        return [seeds.start, seeds.stop]
    return hashlib.blake2b(json.dumps(seeds).encode(), digest_size=16).hexdigest()


class Search:
    """A search in progress, for all hits or the `first` few: what was found, and where it continues.

    With a `saved` file it begins where the same search stopped. Raises Slip for a condition that cannot be
    read, and BadInput for a file of another search.
    """

    def __init__(
        self, query: Query, seeds: Sequence[int], first: int | None = None, file: Path | None = None
    ) -> None:
        self.query = query
        self.condition = query.condition()
        self.seeds = seeds
        self.first = first
        self.next = 0  # an index of the seeds
        self.hits: list[Hit] = []
        self.failed: list[int] = []
        if file and file.exists():
            self._load(file)

    @property
    def left(self) -> Sequence[int]:
        """The seeds still to be tried."""
        return self.seeds[self.next :]

    @property
    def has_enough(self) -> bool:
        """Whether the first few were found."""
        return self.first is not None and len(self.hits) >= self.first

    def tasks(self) -> Iterator[tuple[Query, Sequence[int]]]:
        """Yield the remaining seeds in blocks."""
        if self.has_enough:
            return iter(())
        return search_blocks(self.query, self.left, self.first and self.first - len(self.hits))

    def add(self, block: Found) -> Sequence[Hit]:
        """Keep a block's result, up to the last hit wanted, and return its hits. Blocks come in order."""
        block = block if self.first is None else block.up_to(self.first - len(self.hits))
        self.next += len(block.seeds)
        self.hits += block.hits
        self.failed += block.failed
        return block.hits

    def saved(self) -> bytes:
        """Return the content of the search's file."""
        table = {**self._identity(), "next": self.next, "failed": self.failed, "hits": self.hits}
        return json.dumps(table).encode()

    def _identity(self) -> dict[str, Any]:
        """Return what identifies the search, for JSON."""
        spec = self.query.spec.saved()
        identity = {
            "format": _FORMAT,
            "generator_version": VERSION,
            "spec": spec,
            "where": self.condition.text,
            "seeds": _said(self.seeds),
        }
        same: dict[str, Any] = json.loads(json.dumps(identity))
        return same

    def _load(self, file: Path) -> None:
        try:
            table = json.loads(read_bytes(file, _MAX_BYTES, BadInput))
            if {key: table.get(key) for key in self._identity()} != self._identity():
                raise BadInput(f"--resume: {file} belongs to another search; name another file, or remove it")
            hits = [Hit(int(seed), dict(facts)) for seed, facts in table["hits"]]
            failed = [int(seed) for seed in table["failed"]]
            self.add(self._possible(int(table["next"]), hits, failed))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise BadInput(
                f"--resume: {file} was not written by a search; name another file, or remove it"
            ) from None

    def _possible(self, tried: int, hits: list[Hit], failed: list[int]) -> Found:
        """Return what was found in so many seeds. Raises ValueError if this search cannot have found that."""
        seeds = self.seeds[: max(0, tried)]
        among = seeds if isinstance(seeds, range) else {*seeds}
        names = {question.name for question in self.condition.facts}
        if count_of(seeds) != tried or any(
            hit.seed not in among or hit.facts.keys() != names for hit in hits
        ):
            raise ValueError
        return Found(seeds, hits, failed)
