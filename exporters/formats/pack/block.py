"""A block of levels as it lies in a pack, and what the index says of it."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from exporters.formats.pack.facts import LevelFacts

LEVELS_A_BLOCK = 16  # more would make packs smaller, but levels slower to read


class PackEntry(NamedTuple):
    """A level's record in the index."""

    seed: int
    fingerprint: bytes
    facts: LevelFacts


class Missing(NamedTuple):
    """A level that could not be made."""

    level: str  # its group and its seed or name, as in messages of builds
    reason: str


class Block(NamedTuple):
    """A block as it is in the file, its entries for the index, and the levels that are missing."""

    packed: bytes
    raw_size: int
    entries: list[PackEntry]
    failed: list[Missing]

    @property
    def digest(self) -> bytes:
        """The digest that a reader compares the bytes with."""
        return digest(self.packed)


def digest(data: bytes) -> bytes:
    """Compute the first half of a SHA-256."""
    return hashlib.sha256(data).digest()[:16]
