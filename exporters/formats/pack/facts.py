"""The facts about levels in a pack's index, so that a game can choose a level without reading it.

They are named as in `undercroft search --facts`, with the word after a dot: `count.shop`, `markers.enemy`,
`rooms.boss.distance`.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING

from exporters.formats.pack.variant import Int32s, Strings

if TYPE_CHECKING:
    from generator.batch.facts import Subject
    from generator.level import Level

LevelFacts = Mapping[str, int | str | None]

NONE = -(1 << 31)  # stands for a missing number
_PLAIN = ("rooms", "longest", "dead_ends", "loops", "columns", "rows", "width", "height", "curse", "chapter")


def facts_of(level: Level, group: str, name: str = "") -> LevelFacts:
    """Collect all facts of a level. Counts of 0 are left out."""
    from generator.batch.facts import FACTS, SavedSubject

    subject = SavedSubject(level)
    facts: dict[str, int | str | None] = {
        "group": group,
        **({"name": name} if name else {}),
        "style": level.style,
        "stage": getattr(level.spec, "stage", 0),
    }
    for fact in _PLAIN:
        answer = FACTS[fact].get(subject, "")
        assert not isinstance(answer, float)
        facts[fact] = answer
    for kind, count in sorted(subject.kinds.items()):
        facts[f"count.{kind}"] = count
        distance = FACTS["rooms.KIND.distance"].get(subject, kind)
        assert not isinstance(distance, (float, str))
        facts[f"rooms.{kind}.distance"] = distance
    for kind, count in sorted(subject.markers.items()):
        facts[f"markers.{kind}"] = count
    return facts | _own_facts(subject)


def _own_facts(subject: Subject) -> dict[str, int | str | None]:
    """Collect the facts of the level's style: those without a word, if they are texts or whole numbers."""
    from generator.batch.facts import facts_of

    own = [fact for fact in facts_of([subject.spec.style]).values() if fact.style and not fact.of]
    answers = {fact.name: fact.get(subject, "") for fact in own}
    return {name: answer for name, answer in answers.items() if not isinstance(answer, float)}


class Columns:
    """The facts of many levels, one column per fact."""

    def __init__(self) -> None:
        self._count = 0
        self._numbers: dict[str, array[int]] = {}
        self._texts: dict[str, dict[str, int]] = {}  # by fact and text: the text's index

    def add(self, facts: LevelFacts) -> None:
        """Add the facts of the next level."""
        for name, value in facts.items():
            self._column(name).append(self._number(name, value))
        self._count += 1
        for name, column in self._numbers.items():
            if len(column) < self._count:
                column.append(_missing(name))

    def _number(self, name: str, value: int | str | None) -> int:
        if not isinstance(value, str):
            return NONE if value is None else value
        texts = self._texts.setdefault(name, {})
        return texts.setdefault(value, len(texts))

    def _column(self, name: str) -> array[int]:
        column = self._numbers.get(name)
        if column is None:
            column = self._numbers[name] = array("i", [_missing(name)]) * self._count
        return column

    def tables(self) -> dict[str, object]:
        """Return, for the index, `facts` and the `texts` that facts with texts refer to."""
        return {
            "facts": {name: Int32s(column) for name, column in sorted(self._numbers.items())},
            "texts": {name: Strings(texts) for name, texts in sorted(self._texts.items())},
        }


def _missing(name: str) -> int:
    """Return the value of a fact that a level does not have."""
    return 0 if name.startswith(("count.", "markers.")) else NONE
