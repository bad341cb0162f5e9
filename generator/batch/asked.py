"""Facts as they are asked for: by name and word, of levels of some styles and kits."""

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
    """A fact, and the word that it is asked for with, if it takes one."""

    fact: Fact
    word: str

    @property
    def name(self) -> str:
        """As it is written."""
        return self.fact.written(self.word)

    def of(self, subject: Subject) -> Answer:
        """What it is of a level; None of a level of a style that does not have it."""
        if self.fact.style not in ("", subject.spec.style):
            return None
        return self.fact.get(subject, self.word)


def facts_of(styles: Iterable[str], kinds: Iterable[Kinds] = ()) -> Mapping[str, Fact]:
    """The facts of levels of some styles, by name: those of all levels, with the styles' own kinds and those
    of their kits among the words, and then the styles' own facts, which cannot take the name of another one.

    Raises SpecError for an unknown style.
    """
    facts = dict(FACTS)
    for each in dict.fromkeys(kinds):
        _add_words(facts, words_of(each))
    for one in map(style, dict.fromkeys(styles)):
        _add_words(facts, _own_kinds(one))
        for fact in one.facts():
            get = guarded(f"style {one.name}: its fact {fact.name}", fact.get)
            facts.setdefault(fact.name, fact._replace(style=one.name, get=get))
    return facts


def _add_words(facts: dict[str, Fact], words: Mapping[str, tuple[str, ...]]) -> None:
    for name, more in words.items():
        facts[name] = facts[name]._replace(of=tuple(dict.fromkeys((*facts[name].of, *more))))


def _own_kinds(one: Style) -> dict[str, tuple[str, ...]]:
    """The words that a style adds to those of each fact."""
    return dict.fromkeys(OF_ROOMS, one.room_kinds) | {"doors": one.door_kinds, "markers": one.marker_kinds}


def ask(name: str, word: str | None = None, facts: Mapping[str, Fact] = FACTS) -> Asked:
    """The fact of that name, with a word or without. Raises ValueError with the remedy."""
    if name not in facts:
        raise ValueError(f"{shown(name)} is no fact; {hint(name, tuple(facts))}")
    fact = facts[name]
    if fact.of and word is None:
        raise ValueError(f"{name} needs a word, such as {fact.written(fact.of[0])}")
    if not fact.of and word is not None:
        raise ValueError(f"{name} takes no word; write {name} alone")
    if word is not None and word not in fact.of:
        raise ValueError(f"{shown(word)} is none for {name}; {hint(word, fact.of)}")
    return Asked(fact, word or "")
