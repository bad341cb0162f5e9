"""The names of bosses and mini-bosses, by chapter (`chapters.toml` of a kit)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from generator.kinds import Kit, shipped_kit
from generator.kinds.rule_tables import ChapterRow
from generator.rng import Stream

RANKS = ("bosses", "mini_bosses")


def named_chapters(kit: Kit | None = None) -> tuple[str, ...]:
    """The chapters that have names of their own."""
    return tuple(name for name, row in _rows(kit).items() if row.bosses or row.mini_bosses)


def boss_names(
    chapter: str, rank: str, met: Collection[str], stream: Stream, kit: Kit | None = None
) -> Iterator[str]:
    """All names of a rank (`bosses` or `mini_bosses`) in the order in which a chapter's rooms take them.

    First the chapter's own that were not met, shuffled; then those of the other chapters; last whom one met
    before. A chapter's own order does not depend on the names of others.
    """
    rows = _rows(kit)
    own = list(getattr(rows[chapter], rank)) if chapter in rows else []
    stream.shuffle(own)
    yield from (name for name in own if name not in met)
    others = [name for each, row in rows.items() if each != chapter for name in getattr(row, rank)]
    stream.shuffle(others)
    yield from (name for name in others if name not in met)
    yield from (name for name in (*own, *others) if name in met)


def _rows(kit: Kit | None) -> dict[str, ChapterRow]:
    return dict((kit or shipped_kit()).rules.chapters)
