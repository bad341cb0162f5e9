"""Seeds: the number that a level is made from, and the texts that stand for such numbers."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from typing import SupportsIndex, TypeAlias

from generator.errors import SpecError, shown

MAX_SEED = (1 << 64) - 1
MAX_TEXT = 256  # characters

Seed: TypeAlias = SupportsIndex | str | None  # also numpy's whole numbers
ReadSeed: TypeAlias = Callable[[Seed], tuple[int, str | None]]


def seed_from_text(text: str) -> int:
    """Compute the unsigned 64-bit seed that a text stands for."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def read_seed(
    seed: Seed, *, default: int = 0, number_of: Callable[[str], int] = seed_from_text
) -> tuple[int, str | None]:
    """Read a seed's number, and the text that was typed, or None if it was a number.

    None means `default`; `number_of` gives the number of a text. Raises SpecError if a seed is out of range,
    empty, too long, or contains control characters.
    """
    value = plain(seed)
    if value is None:
        return default, None
    text: str | None = None
    if isinstance(value, str):
        if not value.strip() or len(value) > MAX_TEXT or not value.isprintable():
            remedy = f"give 0 to {MAX_SEED}, or a text of 1 to {MAX_TEXT} characters"
            raise SpecError(f"seed: {shown(value)} cannot be a seed; {remedy}")
        if value.isascii() and value.removeprefix("-").isdigit():
            value = int(value)
        else:
            text, value = value, number_of(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise SpecError(f"seed: {shown(value)} is neither a whole number nor a text; give one of them")
    if not 0 <= value <= MAX_SEED:
        raise SpecError(f"seed: {shown(value)} is out of range (0 to {MAX_SEED}, or a text)")
    return value, text


def count_of(seeds: Sequence[object]) -> int:
    """Count the seeds, even where `len` fails, which is for ranges above 2^63."""
    return max(0, seeds.stop - seeds.start) if isinstance(seeds, range) else len(seeds)


def plain(value: object) -> object:
    """Convert numpy's number, boolean or array to Python's int, bool or list. Anything else stays as it is.

    A seed, a room or a value of a spec often comes from an array.
    It does not import numpy: a value of numpy means that somebody has done so.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        return value.tolist()
    return value
