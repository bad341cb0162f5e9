"""Chapters: two stages each, with the pools of normal layouts that they draw from, and their bosses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from generator.kinds import Kit
from generator.kinds.chapters import VARIANTS, Chapter

if TYPE_CHECKING:  # a spec's choices are listed without numpy
    from generator.rng import Stream

__all__ = ["VARIANTS", "Chapter", "chapter", "chapter_names", "every_pool", "main_chapter"]

NO_CHAPTER = "any"  # the name of the one chapter of a kit without chapters


def chapter_names(kit: Kit) -> tuple[str, ...]:
    """Return every chapter of a kit, and its variants."""
    return tuple(kit.rules.chapters)


def main_chapter(name: str, kit: Kit) -> str:
    """Return the chapter that a variant replaces, or `name` itself if it is not a variant."""
    row = kit.rules.chapters.get(name)
    return row.replaces or name if row else name


def chapter_number(name: str, kit: Kit) -> int:
    """Return the number, from 1, of the chapter that a name belongs to. Raises KeyError if it is unknown."""
    rules = kit.rules
    row = rules.chapters[rules.chapters[name].replaces or name]
    return [main.name for main in rules.main_chapters].index(row.alternate_to or row.name) + 1


def is_on_alternate_path(name: str, kit: Kit) -> bool:
    """Check whether a chapter, or the one that it varies, is on the alternate path."""
    row = kit.rules.chapters.get(main_chapter(name, kit))
    return row is not None and row.alternate_to != ""


def main_name(number: int, kit: Kit) -> str:
    """Return the name of the chapter with this number, counted from 1."""
    return chapter(number - 1, VARIANTS[0], kit).name


@lru_cache(maxsize=256)
def chapter(number: int, variant: str, kit: Kit, *, alternate_path: bool = False) -> Chapter:
    """Return a variant of the chapter with this number, from 0. Greater numbers mean the last chapter.

    If the chapter does not have the variant, the chapter itself; likewise if it is not on the alternate path.
    """
    rules = kit.rules
    if not rules.main_chapters:
        return Chapter(NO_CHAPTER)
    row = rules.main_chapters[min(number, len(rules.main_chapters) - 1)]
    if alternate_path:
        row = next((beside for beside in rules.chapters.values() if beside.alternate_to == row.name), row)
    for candidate in rules.chapters.values():
        if candidate.replaces == row.name and candidate.variant == variant:
            return candidate
    return row


def every_pool(kit: Kit) -> tuple[str, ...]:
    """Return the pools of all chapters, in order."""
    rows = kit.rules.main_chapters
    return tuple(dict.fromkeys(pool for row in rows for pool in row.pools))


def level_of_chapter(kit: Kit, name: str) -> Mapping[str, Any]:
    """Return the row's table for the chapter's level in a run of `gungeon`, empty if it is not in such runs.

    A variant without one has that of the chapter that it replaces.
    """
    row = kit.rules.chapters[name]
    if row.gungeon is None and row.replaces:
        row = kit.rules.chapters[row.replaces]
    return dict(row.gungeon or ())


# --- the names of bosses and mini-bosses, by chapter -------------------------------------------------


def boss_names(
    chapter: str, rank: str, met: Collection[str], stream: Stream, kit: Kit, *, own_again: bool = False
) -> Iterator[str]:
    """Yield all names of a rank (`bosses` or `mini_bosses`), in the order that a chapter's rooms take them.

    First the chapter's own that were not met, shuffled; then those of the other chapters on its path; last
    those met before. A chapter's own order does not depend on other chapters' names. With `own_again` its own
    that were met come before those of others, as in the program of Repentance+: there, a pool whose bosses
    are all gone has them all again.
    """
    chapters, on_alternate = kit.rules.chapters, is_on_alternate_path(chapter, kit)
    own = list(getattr(chapters[chapter], rank)) if chapter in chapters else []
    stream.shuffle(own)
    yield from (name for name in own if name not in met)
    if own_again:
        yield from (name for name in own if name in met)
        own = []
    foreign = [
        name
        for owner, row in chapters.items()
        if owner != chapter and is_on_alternate_path(owner, kit) == on_alternate
        for name in getattr(row, rank)
    ]
    stream.shuffle(foreign)
    yield from (name for name in foreign if name not in met)
    yield from (name for name in (*own, *foreign) if name in met)
