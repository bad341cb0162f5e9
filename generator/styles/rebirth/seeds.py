"""The game's own seeds, and codes for them such as `TKMG 13C2`.

isaac-facts 4.9. A code is the start seed, combined with a constant mask, and a checksum: 40 bits in eight
characters of five bits each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.errors import SpecError, shown
from generator.pattern import pattern
from generator.seeds import Seed, read_seed, seed_from_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_CODE = pattern(r"[A-Z0-9]{4} [A-Z0-9]{4}\Z")
_ALPHABET = "ABCDEFGHJKLMNPQRSTWXYZ01234V6789"
_CODE_MASK = 0x0FEF7FFD
_MASK = 0xFFFFFFFF


def read_run_seed(seed: Seed) -> tuple[int, str | None]:
    """Read a seed as `read_seed` does. A text such as `TKMG 13C2` is one of the game's codes. None is 1.

    Raises SpecError also for a code with a slip, and for a seed whose low 32 bits are 0.
    """
    number, text = read_seed(seed, default=1, number_of=_number_of)
    if not start_seed_of(number):
        raise SpecError(
            f"seed: {shown(text or number)} cannot be used: its low 32 bits, which the game starts from, "
            "are 0; give another, such as 1"
        )
    return number, text


def _number_of(text: str) -> int:
    return start_seed_of_code(text) if _CODE.match(text) else seed_from_text(text)


def start_seed_of(seed: int) -> int:
    """Return the game's start seed: a seed's low 32 bits."""
    return seed & _MASK


def code_of(start_seed: int) -> str:
    """Write the code of a start seed, 1 to 2^32 - 1."""
    bits = (start_seed ^ _CODE_MASK) << 8 | _checksum(start_seed)
    text = "".join(_ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5))
    return f"{text[:4]} {text[4:]}"


def codes_of(start_seeds: npt.NDArray[np.int64]) -> npt.NDArray[np.str_]:
    """Write the codes of many start seeds [n], the same as from `code_of`."""
    import numpy as np  # reading one seed must not import numpy

    total, rest = np.zeros_like(start_seeds), start_seeds.copy()
    while rest.any():
        added = total + (rest & 0xFF) & 0xFF
        total = np.where(rest > 0, (added << 1 | added >> 7) & 0xFF, total)
        rest >>= 5
    bits = (start_seeds ^ _CODE_MASK) << 8 | total
    signs = np.full((len(start_seeds), 9), " ")
    for column, shift in zip((0, 1, 2, 3, 5, 6, 7, 8), range(35, -1, -5), strict=True):
        signs[:, column] = np.array(list(_ALPHABET))[bits >> shift & 31]
    return signs.view("U9").reshape(len(start_seeds))


def start_seed_of_code(code: str) -> int:
    """Read the start seed of a code. Raises SpecError for an invalid character or a wrong checksum."""
    bits = 0
    for character in code.replace(" ", ""):
        if character not in _ALPHABET:
            raise SpecError(
                f"seed: {shown(code)}: the game's codes have no {character}, only {_ALPHABET}; type it "
                "again, or in lower case if it is not a code"
            )
        bits = bits << 5 | _ALPHABET.index(character)
    start_seed = (bits >> 8 ^ _CODE_MASK) & _MASK
    if len(code.replace(" ", "")) != 8 or _checksum(start_seed) != bits & 0xFF or not start_seed:
        raise SpecError(
            f"seed: {shown(code)} is not one of the game's codes: its checksum is wrong; type it again, or "
            "in lower case if it is not a code"
        )
    return start_seed


def _checksum(start_seed: int) -> int:
    total = 0
    while start_seed:
        total = total + (start_seed & 0xFF) & 0xFF
        total = (total << 1 | total >> 7) & 0xFF
        start_seed >>= 5
    return total
