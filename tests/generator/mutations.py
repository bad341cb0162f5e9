"""Every field of a level.json changed in turn, as a mutator of programs changes operators.

    python -m tests.generator.mutations         # what `problems` and the audit miss, by field

A change counts unless its field is on the list of what is free, each with its reason.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from generator import Level, UndercroftError, generate, problems
from generator.level_audit import odd_values, unknown_keys
from generator.level_file import level_of
from generator.node import LevelNode

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LEVELS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("isaac", {"stage": 3}),
    ("rebirth", {"stage": 3}),
    ("gungeon", {"rooms": 12}),
    ("gungeon", {"flow": "two_keys"}),
    ("isaac", {"kit": str(EXAMPLES / "orbital")}),
    ("gungeon", {"kit": str(EXAMPLES / "garden"), "rooms": 12}),
)

# The fields that nobody can know to be wrong without making the level again (`check --again`), and why.
_MADE_WITH = "other values of the spec can make this level too"
_ALLOWED = "another place or value that the rules allow there: a person could have chosen it"
_OPEN = "what a game adds of its own"
FREE: dict[str, str] = {
    r"spec(\..*)?": _MADE_WITH,
    r"(terrain|decor)_kinds": "a table may lack kinds that no tile has",
    r"(terrain|decor)": _ALLOWED,
    r"markers\[\w+\]\.[xy]": _ALLOWED,
    r"markers\[\w+\]\.kind": _ALLOWED,
    r"markers\[\w+\]\.properties\.\w+": _ALLOWED,
    r"markers\[\w+\]\.properties": _OPEN,
    r"facts": "what a fact of a zone says can be left out: then it has the look of the level",
    r"rooms\.\*\.layout": "says which drawing a room was made from; it changes nothing in it",
    r"rooms\.\*\.zone": "which district a room belongs to is a choice, as long as there is such a district",
    r"doors\.\*\.needs": "which key opens a lock is a choice, as long as nobody gets stuck",
    r"hallways\.\*\.(doors|tiles)": "their order says nothing",
}


class Mutation(NamedTuple):
    """A field of a level, such as `rooms.*.kind`, and the level's table with another value there."""

    field: str
    said: str
    table: dict[str, Any]


def mutations(table: dict[str, Any], dice: random.Random) -> Iterator[Mutation]:
    """Change one of each field of a level's table, in all ways that its type has."""
    places: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    words: dict[str, set[str]] = defaultdict(set)
    for path, value in _values(table, ()):
        field = _field(path, table)
        if path and path[0] not in ("fingerprint", "generator_version"):
            places[field].append(path)
            if isinstance(value, str):
                words[field.rpartition(".")[2]].add(value)
    for field, paths in places.items():
        path = dice.choice(paths)
        old = _at(table, path)
        for new in _others(old, sorted(words[field.rpartition(".")[2]]), dice, field in ("terrain", "decor")):
            yield Mutation(field, f"{path}: {str(old)[:60]} -> {str(new)[:60]}", _put(table, path, new))


def _values(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _values(each, (*path, key))
    elif isinstance(value, list) and path not in (("terrain",), ("decor",)):
        for number, each in enumerate(value):
            yield from _values(each, (*path, number))


def _field(path: tuple[Any, ...], table: dict[str, Any]) -> str:
    parts = ["*" if isinstance(part, int) else part for part in path]
    if path[:1] == ("markers",) and len(path) > 1:
        parts[:2] = [f"markers[{table['markers'][path[1]]['kind']}]"]
    return ".".join(parts)


def _others(old: Any, words: list[str], dice: random.Random, is_array: bool) -> Iterator[Any]:
    """Yield other values for one, of its own type and of none."""
    found: list[Any] = []
    if is_array:
        most = max(old)
        for _ in range(8):
            new = list(old)
            new[dice.choice([number for number, one in enumerate(old) if one])] = dice.randint(0, most)
            found.append(new)
    elif isinstance(old, bool):
        found = [not old, "grue"]
    elif isinstance(old, (int, float)):
        found = [old + 1, old - 1, -5, 9_999_999, 0, "grue"]
    elif isinstance(old, str):
        found = ["grue", *dice.sample(words, min(2, len(words)))]
    elif old is None:
        found = [0, 1]
    elif isinstance(old, list):
        found = [old[1:], old[:-1], [*old, *old[-1:]], old[::-1]]
    else:
        found = [{**old, "unheard_of": 1}, *({k: v for k, v in old.items() if k != gone} for gone in old)]
    yield from (new for new in found if new != old)


def _at(table: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        table = table[part]
    return table


def _put(table: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = dict(table)
    place: Any = changed
    for part in path[:-1]:
        place[part] = place[part].copy()
        place = place[part]
    place[path[-1]] = value
    return changed


def seen_by(table: dict[str, Any], kit: str) -> tuple[str, ...]:
    """The rules that a level with a right fingerprint breaks, with its kit at hand: none if nobody sees it.

    That it cannot be read is `reading`, `keys`, `spec` and `kinds` are what the audit itself finds.
    """
    try:
        level = level_of(LevelNode(table, "level", is_file=True))
        own = [("keys", unknown_keys(table)), ("spec", list(odd_values(table["spec"], level.spec.saved())))]
        level = replace(level, spec=level.spec.replace({"kit": kit})) if kit else level
        own += [("kinds", ["other rows"] * (bool(kit) and level.kinds != level.spec.load_kit().kinds))]
        found = {problem.check for problem in problems(level)}
    except UndercroftError:
        return ("reading",)
    return (*(name for name, lines in own if lines), *sorted(found))


def is_free(field: str) -> bool:
    return any(re.fullmatch(pattern, field) for pattern in FREE)


def missed(level: Level, kit: str, dice: random.Random, step: int = 1) -> tuple[int, list[Mutation]]:
    """How many changes count, and those of them that nobody sees; of free fields only the seen ones count.

    With a `step`, only so many of the changes are tried.
    """
    table = json.loads(json.dumps(level.to_dict()))
    tried = list(mutations(table, dice))[::step]
    unseen = [one for one in tried if not seen_by(one.table, kit)]
    free = sum(is_free(one.field) for one in unseen)
    return len(tried) - free, [one for one in unseen if not is_free(one.field)]


if __name__ == "__main__":
    counted, left = 0, Counter[str]()
    for style, values in LEVELS:
        for seed in (7, 8):
            count, unseen = missed(
                generate(style, seed, **values), values.get("kit", ""), random.Random(seed)
            )
            counted += count
            left.update(one.field for one in unseen)
            print(style, values, seed, count, [one.said for one in unseen])
    print(f"{100 - 100 * left.total() / counted:.2f} % of {counted} seen", left.most_common())
