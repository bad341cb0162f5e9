"""The words that facts about kinds take: the names of the kinds."""

from __future__ import annotations

from generator.kinds import SHIPPED, Kinds

OF_ROOMS = "count", "rooms.KIND.distance", "rooms.KIND.depth"
"""The facts about a room kind."""


def words_of(kinds: Kinds) -> dict[str, tuple[str, ...]]:
    """Return the words of each fact about kinds, by the fact's name."""
    return {
        **dict.fromkeys(OF_ROOMS, tuple(kinds.rooms)),
        "doors": tuple(kinds.doors),
        "markers": tuple(kinds.markers),
        "enemies": tuple(kinds.enemies),
        "tiles": tuple(kind.name for kind in kinds.terrain),
        "things": tuple(kind.name for kind in kinds.decor[1:]),
    }


SHIPPED_WORDS = words_of(SHIPPED)
