"""The game's own seeds: codes such as `TKMG 13C2`, and the numbers that follow from a start seed.

isaac-facts 4.9. A code is the start seed, less a constant mask, and a checksum: 40 bits in eight characters
of five bits each. Each stage has a seed of its own; from it come, in this order of draws, the curse, the
number of rooms, and the seed that the topology grows from.
"""

from __future__ import annotations

from typing import NamedTuple

from generator.errors import SpecError, shown

_ALPHABET = "ABCDEFGHJKLMNPQRSTWXYZ01234V6789"
_CODE_MASK = 0x0FEF7FFD
_MASK = 0xFFFFFFFF
_STAGE_SHIFTS = 3, 23, 25
_LEVEL_SHIFTS = 5, 9, 7


def start_seed_of(seed: int) -> int:
    """What the game starts from: a seed's low 32 bits."""
    return seed & _MASK


def code_of(start_seed: int) -> str:
    """The code of a start seed, 1 to 2^32 - 1."""
    bits = (start_seed ^ _CODE_MASK) << 8 | _checksum(start_seed)
    text = "".join(_ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{text[:4]} {text[4:]}"


def start_seed_of_code(code: str) -> int:
    """The start seed of a code. Raises SpecError for a character that codes do not have, or a slip."""
    bits = 0
    for character in code.replace(" ", ""):
        if character not in _ALPHABET:
            raise SpecError(
                f"seed: {shown(code)}: codes have no {character}; they are made of {_ALPHABET}. "
                "Type it anew, or in small letters if it is no code"
            )
        bits = bits << 5 | _ALPHABET.index(character)
    start_seed = (bits >> 8 ^ _CODE_MASK) & _MASK
    if len(code.replace(" ", "")) != 8 or _checksum(start_seed) != bits & 0xFF or not start_seed:
        raise SpecError(
            f"seed: {shown(code)} is none of the game's codes, its checksum is wrong; type it anew, or in "
            "small letters if it is no code"
        )
    return start_seed


def _checksum(start_seed: int) -> int:
    total = 0
    while start_seed:
        total = total + (start_seed & 0xFF) & 0xFF
        total = (total << 1 | total >> 7) & 0xFF
        start_seed >>= 5
    return total


# --- what follows from a start seed --------------------------------------------------------------------


class LevelDraws(NamedTuple):
    """What the game draws for a level before it grows."""

    curse: int | None  # its place in the game's list, or None
    more_rooms: int  # 0 or 1
    more_hard_rooms: int  # 0 or 1
    void: int
    generator_seed: int


def stage_seed(start_seed: int, slot: int) -> int:
    """The seed of the stage of that number; an alternate path has the next one's."""
    state = start_seed
    for _ in range(min(slot, 13) + 1):
        state = _xorshift(state, _STAGE_SHIFTS)
    return state


def level_draws(seed_of_stage: int, curse_rate: int, *, void: bool = False) -> LevelDraws:
    """The draws of a level, where 1 level in `curse_rate` is cursed. The Void takes one draw more."""
    rolls = _Rolls(seed_of_stage)
    rolls.next()
    rolls.next()
    aside = _Rolls(rolls.state)  # a copy, for curse and hard mode; it is asked whether they matter or not
    curse = aside.next() % 6 if aside.next() % curse_rate == 0 else None
    return LevelDraws(
        curse=curse,
        more_rooms=rolls.next() & 1,
        more_hard_rooms=aside.next() & 1,
        void=rolls.next() if void else 0,
        generator_seed=rolls.next(),
    )


class _Rolls:
    """The level's generator."""

    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        self.state = _xorshift(self.state, _LEVEL_SHIFTS)
        return self.state


def _xorshift(x: int, shifts: tuple[int, int, int]) -> int:
    """xorshift32 (George Marsaglia, "Xorshift RNGs", 2003)."""
    right, left, again = shifts
    x ^= x >> right
    x ^= x << left & _MASK
    return x ^ x >> again
