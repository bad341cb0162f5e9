"""The names of bosses and mini-bosses, by chapter (`chapters.toml` of a kit)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from generator.kinds import Kit
from generator.rng import Stream


def boss_names(chapter: str, rank: str, met: Collection[str], stream: Stream, kit: Kit) -> Iterator[str]:
    """Yield all names of a rank (`bosses` or `mini_bosses`), in the order that a chapter's rooms take them.

    First the chapter's own that were not met, shuffled; then those of the other chapters; last those met
    before. A chapter's own order does not depend on other chapters' names.
    """
    rows = kit.rules.chapters
    own = list(getattr(rows[chapter], rank)) if chapter in rows else []
    stream.shuffle(own)
    yield from (name for name in own if name not in met)
    foreign = [name for owner, row in rows.items() if owner != chapter for name in getattr(row, rank)]
    stream.shuffle(foreign)
    yield from (name for name in foreign if name not in met)
    yield from (name for name in (*own, *foreign) if name in met)
