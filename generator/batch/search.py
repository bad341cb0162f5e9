"""Searching seeds: those whose levels meet a condition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from generator.batch.condition import parse_condition
from generator.batch.facts import Answer, Subject
from generator.batch.run import blocks_of
from generator.errors import BadInput, GenerationFailed
from generator.files import read_bytes
from generator.spec import LevelSpec
from generator.version import VERSION

_FORMAT = "undercroft-search"
_MOST_BYTES = 1 << 28
FLOORPLANS_A_BLOCK, LEVELS_A_BLOCK = 500, 25


class Query(NamedTuple):
    """What is looked for: a spec and a condition's text."""

    spec: LevelSpec
    where: str


class Hit(NamedTuple):
    """A seed whose level meets the condition, and the facts that the condition names."""

    seed: int
    facts: dict[str, Answer]


class Found(NamedTuple):
    """What a block of seeds gave: those that meet the condition, and how many could not be made."""

    seeds: range
    hits: list[Hit]
    failed: int


def search_block(task: tuple[Query, range]) -> Found:
    """Try a block of seeds; for a worker. A seed without a level meets nothing."""
    query, seeds = task
    condition = parse_condition(query.where)
    hits, failed = [], 0
    for seed in seeds:
        subject = Subject(query.spec, seed)
        try:
            if condition.holds(subject):
                hits.append(Hit(seed, {asked.name: asked.of(subject) for asked in condition.facts}))
        except GenerationFailed:
            failed += 1
    return Found(seeds, hits, failed)


class Search:
    """A search on its way: what was found, and from where it goes on.

    With a file that was `saved` it begins where the same search stopped. Raises Slip for a condition that
    cannot be read, and BadInput for a file of another search.
    """

    def __init__(self, query: Query, seeds: range, file: Path | None = None) -> None:
        self.query = query
        self.condition = parse_condition(query.where)
        self.seeds = seeds
        self.next = 0  # of the range
        self.hits: list[Hit] = []
        self.failed = 0
        if file and file.exists():
            self._load(file)

    @property
    def left(self) -> range:
        """The seeds that are left to try."""
        return range(self.seeds.start + self.next, self.seeds.stop)

    def tasks(self) -> Iterator[tuple[Query, range]]:
        """They in blocks, smaller ones where whole levels must be made."""
        size = LEVELS_A_BLOCK if self.condition.needs_level else FLOORPLANS_A_BLOCK
        return ((self.query, block) for block in blocks_of(self.left, size))

    def add(self, found: Found) -> None:
        """Keep what a block gave; blocks come in order."""
        self.next += len(found.seeds)
        self.hits += found.hits
        self.failed += found.failed

    def saved(self) -> bytes:
        """What a file keeps of it."""
        table = {**self._identity(), "next": self.next, "failed": self.failed, "hits": self.hits}
        return json.dumps(table).encode()

    def _identity(self) -> dict[str, Any]:
        """What makes it the same search, as JSON has it."""
        spec = self.query.spec.saved()
        identity = {
            "format": _FORMAT,
            "generator_version": VERSION,
            "spec": spec,
            "where": self.condition.text,
            "seeds": [self.seeds.start, self.seeds.stop],
        }
        same: dict[str, Any] = json.loads(json.dumps(identity))
        return same

    def _load(self, file: Path) -> None:
        try:
            table = json.loads(read_bytes(file, _MOST_BYTES, BadInput))
            if {key: table.get(key) for key in self._identity()} != self._identity():
                raise BadInput(f"--resume: {file} belongs to another search; name another file, or remove it")
            self.next, self.failed = int(table["next"]), int(table["failed"])
            self.hits = [Hit(int(seed), dict(facts)) for seed, facts in table["hits"]]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise BadInput(f"--resume: {file} is no file of a search; name another, or remove it") from None
