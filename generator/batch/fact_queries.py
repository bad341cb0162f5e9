"""Facts as they are requested: by name and word, for levels of some styles and kits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from generator.batch.fact_words import OF_ROOMS, words_of
from generator.batch.facts import FACTS, Answer, Fact, Subject
from generator.errors import hint, shown
from generator.kinds import Kinds
from generator.plugins import guarded
from generator.styles.base import Style
from generator.styles.registry import style


class Asked(NamedTuple):
    """A fact, with its word if it takes one."""

    fact: Fact
    word: str

    @property
    def name(self) -> str:
        """The fact as people write it."""
        return self.fact.written(self.word)

    def of(self, subject: Subject) -> Answer:
        """Return the fact of a level, or None if the level's style does not have it."""
        if self.fact.style not in ("", subject.spec.style):
            return None
        return self.fact.get(subject, self.word)


def facts_of(styles: Iterable[str], kinds: Iterable[Kinds] = ()) -> Mapping[str, Fact]:
    """Return the facts of levels of some styles, by name.

    First those of all levels, whose words include the kinds of the styles and of `kinds`, and then the
    styles' own, which cannot have the name of another fact. Raises SpecError for an unknown style.
    """
    facts = dict(FACTS)
    for kit_kinds in dict.fromkeys(kinds):
        _add_words(facts, words_of(kit_kinds))
    for record in map(style, dict.fromkeys(styles)):
        _add_words(facts, _own_kinds(record))
        for fact in record.facts():
            get = guarded(f"style {record.name}: its fact {fact.name}", fact.get)
            facts.setdefault(fact.name, fact._replace(style=record.name, get=get))
    return facts


def _add_words(facts: dict[str, Fact], words: Mapping[str, tuple[str, ...]]) -> None:
    for name, extra in words.items():
        facts[name] = facts[name]._replace(of=tuple(dict.fromkeys((*facts[name].of, *extra))))


def _own_kinds(record: Style) -> dict[str, tuple[str, ...]]:
    """Return the words that a style adds to each fact."""
    return dict.fromkeys(OF_ROOMS, record.room_kinds) | {
        "doors": record.door_kinds,
        "markers": record.marker_kinds,
    }


def ask(name: str, word: str | None = None, facts: Mapping[str, Fact] = FACTS) -> Asked:
    """Look up the fact of this name, with or without a word. Raises ValueError with the remedy."""
    if name not in facts:
        raise ValueError(f"unknown fact {shown(name)}; {hint(name, tuple(facts))}")
    fact = facts[name]
    if fact.of and word is None:
        raise ValueError(f"{name} needs a word, such as {fact.written(fact.of[0])}")
    if not fact.of and word is not None:
        raise ValueError(f"{name} takes no word; write {name} alone")
    if word is not None and word not in fact.of:
        raise ValueError(f"unknown word {shown(word)} for {name}; {hint(word, fact.of)}")
    return Asked(fact, word or "")
