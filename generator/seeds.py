"""Seeds: the number that a level is made from, and the texts that stand for one."""

from __future__ import annotations

import re

from generator.errors import SpecError, shown
from generator.rng import seed_from_text

MOST_SEED = (1 << 64) - 1
_MOST_TEXT = 256
_CODE = re.compile(r"[A-Z0-9]{4} [A-Z0-9]{4}\Z")  # the form of the game's own
_START_SEED = (1 << 32) - 1  # the bits of a seed that the remake's own generator starts from


def as_seed(seed: int | str | None, style: str) -> tuple[int, str | None]:
    """A seed's number, and the text that it was typed as unless that was a number.

    None stands for 0; in the `rebirth` style, whose game has no seed 0, for 1. There a text such as
    `TKMG 13C2` is one of the game's codes, and the low 32 bits must not be 0. Raises SpecError if a seed is
    out of range, empty, too long, holds control characters, or is a code with a slip.
    """
    if seed is None:
        return int(style == "rebirth"), None
    text: str | None = None
    if isinstance(seed, str):
        if not seed.strip() or len(seed) > _MOST_TEXT or not seed.isprintable():
            raise SpecError(
                f"seed: {shown(seed)} is none; give 0 to {MOST_SEED}, or a text of 1 to 256 characters"
            )
        if seed.isascii() and seed.removeprefix("-").isdigit():
            seed = int(seed)
        else:
            text = seed
            seed = _number_of(text, style)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
        raise SpecError(f"seed: {shown(seed)} is out of range; give 0 to {MOST_SEED}, or a text")
    if style == "rebirth" and not seed & _START_SEED:
        raise SpecError(f"seed: {shown(text or seed)} has no low 32 bits, which the game starts from; give 1")
    return seed, text


def _number_of(text: str, style: str) -> int:
    if style == "rebirth" and _CODE.match(text):
        from generator.floorplans.rebirth.seeds import start_seed_of_code

        return start_seed_of_code(text)
    return seed_from_text(text)
