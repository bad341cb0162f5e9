"""Distributions of facts over many levels, and which of them have moved since a baseline."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate
from pathlib import Path
from typing import Any

from generator.batch.column_facts import FactColumn, column, is_columnar
from generator.batch.facts import Answer, Asked, Fact, Subject, ask, facts_of
from generator.batch.many_seeds import growing_blocks, many_at_once
from generator.batch.run import blocks_of
from generator.errors import BadInput, GenerationFailed, hint, meant, shown
from generator.files import read_bytes
from generator.kinds import Kinds
from generator.named_tuple import NamedTuple
from generator.seeds import MAX_SEED
from generator.spec import LevelSpec
from generator.styles.columns import PlanColumns
from generator.value_words import how_many

FORMAT, FORMAT_VERSION = "undercroft-stats", 1
BLOCK = 50  # seeds
_MAX_BYTES = 1 << 26
FAILED = "failed"  # beside the facts: whether a level could not be made

# The facts of all styles that are counted by default; those with words for every word that occurred.
USUAL = ("rooms", "count", "dead_ends", "dead_end_share", "linearity", "loops", "longest", "columns",
         "rows", "shapes", "tries", "rooms.KIND.distance", "width", "height", "markers", "enemies",
         "champions", "enemy_cost", "enemies_per_cell", "cost_per_cell", "doors")  # fmt: skip
_NEVER_0 = {"rooms", "tries", "width", "height"}  # of the usual ones


class Stats(NamedTuple):
    """Distributions over some levels: for each fact, as it is written, how often it had each value.

    Over all levels, facts that were 0 or missing in every level are left out, unless they were asked for as
    they are written.
    """

    levels: int
    facts: dict[str, Counter[Answer]]

    @property
    def failed(self) -> int:
        """How many levels could not be made."""
        return self.facts[FAILED]["yes"] if FAILED in self.facts else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the content of a baseline's file: answers in order, with how often they came."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            **self.counts(),
        }

    def counts(self) -> dict[str, Any]:
        """Return what was counted: the levels, and for each fact its answers and how often they came."""
        facts = {name: [list(row) for row in ordered(counts)] for name, counts in self.facts.items()}
        return {"levels": self.levels, "facts": facts}


def usual_facts(styles: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the facts that are counted for these styles by default."""
    return (*USUAL, *(name for name, fact in facts_of(styles).items() if fact.style))


def asked_for(
    names: Sequence[str], styles: Iterable[str] = (), kinds: Iterable[Kinds] = ()
) -> tuple[Asked, ...]:
    """Look up these facts, each by its name, with every word that it takes, or as conditions write it.

    The words of `kinds` are known too. Raises BadInput.
    """
    questions: list[Asked] = []
    facts = facts_of(styles, kinds)
    for name in names:
        questions += asked_with_words(name, facts) if name in facts else [as_written(name, facts, "--fact")]
    return tuple(questions)


def asked_with_words(name: str, facts: Mapping[str, Fact]) -> list[Asked]:
    """Ask a fact with every word that it takes."""
    return [ask(name, word, facts) for word in facts[name].of or (None,)]


def as_written(text: str, facts: Mapping[str, Fact], flag: str) -> Asked:
    """Look up a fact as conditions write it, such as `loops` or `count("shop")`. Raises BadInput."""
    known = {asked.name: asked for name in facts for asked in asked_with_words(name, facts)}
    asked = known.get(text.replace("'", '"'))
    if asked is None:
        near = meant(text, (*facts, *known))
        remedy = f"did you mean {near}?" if near else hint(text, tuple(facts))
        raise BadInput(f"{flag}: unknown fact {shown(text)}; {remedy}")
    return asked


def questions_of(spec: LevelSpec, names: Sequence[str]) -> tuple[Asked, ...]:
    """Look up these facts of a spec's levels, with the words of its kit too. Raises BadInput."""
    return asked_for(names, [spec.style], [spec.load_kit().kinds])


def count_block(task: tuple[LevelSpec, tuple[str, ...], Sequence[int]]) -> Stats:
    """Count the facts of a block of seeds. Runs in a worker."""
    spec, names, seeds = task
    questions = questions_of(spec, names)
    plans = many_at_once(spec, seeds) if is_in_columns(questions) else None
    if plans is not None:
        return _counted_in_columns(plans, questions)
    facts: dict[str, Counter[Answer]] = {question.name: Counter() for question in questions}
    facts[FAILED] = Counter()
    for seed in seeds:
        subject = Subject(spec, seed)
        try:
            answers = {question.name: question.of(subject) for question in questions}
        except GenerationFailed:
            facts[FAILED]["yes"] += 1
            continue
        facts[FAILED]["no"] += 1
        for name, answer in answers.items():
            facts[name][answer] += 1
    return Stats(len(seeds), facts)


def _counted_in_columns(plans: PlanColumns, questions: Sequence[Asked]) -> Stats:
    """Count in the same way from floorplans as arrays."""
    is_made = plans.made
    facts: dict[str, Counter[Answer]] = {}
    for question in questions:
        values, known = column(plans, question)
        facts[question.name] = Counter(FactColumn(values[is_made], known[is_made]).answers())
    failed = int((~is_made).sum())
    counts: dict[Answer, int] = {"yes": failed, "no": len(plans) - failed}
    facts[FAILED] = Counter({answer: count for answer, count in counts.items() if count})
    return Stats(len(plans), facts)


def blocks(spec: LevelSpec, questions: Sequence[Asked], seeds: Sequence[int]) -> Iterator[Sequence[int]]:
    """Split the seeds of a spec into blocks to count, into larger ones where compiled kernels help."""
    return growing_blocks(spec, seeds, BLOCK) if is_in_columns(questions) else blocks_of(seeds, BLOCK)


def is_in_columns(questions: Sequence[Asked]) -> bool:
    """Check whether floorplans as arrays answer all of them."""
    return all(map(is_columnar, questions))


def added(total: Stats, block: Stats) -> Stats:
    """Add a block's distributions to those of others, which change."""
    for name, counts in block.facts.items():
        total.facts.setdefault(name, Counter()).update(counts)
    return total._replace(levels=total.levels + block.levels)


def merged(blocks: Iterable[Stats], asked: Collection[str] = ()) -> Stats:
    """Sum the distributions of all blocks, and keep those of the facts that were `asked` for as they are."""
    levels, facts = reduce(added, blocks, Stats(0, {}))
    stay = {FAILED, *(name.replace("'", '"') for name in asked)}
    return Stats(levels, {name: facts[name] for name in facts if name in stay or _says_much(facts[name])})


def _says_much(counts: Mapping[Answer, int]) -> bool:
    """Check whether a fact was ever other than 0 or missing."""
    return bool(set(counts) - {0, None})


def only(stats: Stats, questions: Iterable[Asked]) -> Stats:
    """Return the distributions of some facts, and how many levels failed."""
    names = {FAILED, *(question.name for question in questions)}
    return stats._replace(facts={name: counts for name, counts in stats.facts.items() if name in names})


def compared(stats: Stats, baseline: Stats) -> Stats:
    """Return the distributions that a baseline can be compared with: those that it counted too.

    One of the usual facts leaves out those that were 0 in all levels; one of other facts lacks the rest.
    """
    if baseline.facts.keys() >= _NEVER_0:
        return stats
    return stats._replace(facts={name: stats.facts[name] for name in stats.facts if name in baseline.facts})


def without_failed(stats: Stats) -> Stats:
    """Return the distributions without the failures."""
    return stats._replace(facts={name: counts for name, counts in stats.facts.items() if name != FAILED})


def ordered(counts: Mapping[Answer, int]) -> list[tuple[Answer, int]]:
    """Sort answers in ascending order, numbers before texts, None last."""

    return sorted(counts.items(), key=lambda row: place_of(row[0]))


def place_of(answer: Answer) -> tuple[bool, bool, Any]:
    """Return what answers are sorted by."""
    return answer is None, isinstance(answer, str), 0 if answer is None else answer


def summary(counts: Mapping[Answer, int]) -> str:
    """Summarise the least, greatest, median and mean of the numbers in words."""
    numbers = _numbers(counts)
    if not numbers:
        return how_many(sum(counts.values()), "level")
    total = sum(count for _, count in numbers)
    seen = accumulate(count for _, count in numbers)
    median = next(answer for (answer, _), until in zip(numbers, seen, strict=True) if 2 * until >= total)
    return f"{numbers[0][0]} to {numbers[-1][0]}, median {median}, mean {mean(counts):.2f}"


def mean(counts: Mapping[Answer, int]) -> float | None:
    """Compute the mean of the numbers, None if there are none."""
    numbers = _numbers(counts)
    total = sum(count for _, count in numbers)
    return sum(answer * count for answer, count in numbers) / total if total else None


def _numbers(counts: Mapping[Answer, int]) -> list[tuple[float, int]]:
    return [(answer, count) for answer, count in ordered(counts) if isinstance(answer, (int, float))]


def load_stats(path: Path) -> Stats:
    """Load a baseline's distributions. Raises BadInput with the file and what is wrong."""
    try:
        table = json.loads(read_bytes(path, _MAX_BYTES, BadInput))
        if table["format"] != FORMAT or table["format_version"] != FORMAT_VERSION:
            raise ValueError
        facts = {name: Counter(dict(map(_row, rows))) for name, rows in table["facts"].items()}
        levels = int(table["levels"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadInput(f"{path}: is not a file from `undercroft stats --json`; make one with it") from None
    return Stats(levels, facts)


def _row(row: Any) -> tuple[Answer, int]:
    answer, count = row
    if not (answer is None or isinstance(answer, (int, float, str))) or type(count) is not int or count < 0:
        raise ValueError
    if isinstance(answer, (int, float)) and not abs(answer) <= MAX_SEED:  # NaN fails this too
        raise ValueError
    return answer, count


def distance(first: Mapping[Answer, int], second: Mapping[Answer, int]) -> float:
    """Compute how far two distributions are apart, 0 to 1: half the sum of the differences of shares."""
    totals = sum(first.values()) or 1, sum(second.values()) or 1
    answers = {**first, **second}
    return (
        sum(abs(first.get(answer, 0) / totals[0] - second.get(answer, 0) / totals[1]) for answer in answers)
        / 2
    )


def moved(stats: Stats, baseline: Stats, threshold: float) -> list[tuple[str, float]]:
    """List the facts whose distributions are further apart than the threshold, furthest first."""
    pairs: dict[str, tuple[Mapping[Answer, int], Mapping[Answer, int]]] = {
        name: (stats.facts.get(name, {}), baseline.facts.get(name, {}))
        for name in {**stats.facts, **baseline.facts}
    }
    apart = [(name, distance(*pair)) for name, pair in pairs.items() if any(map(_says_much, pair))]
    return sorted((row for row in apart if row[1] > threshold), key=lambda row: (-row[1], row[0]))
