"""Write many integers as text at once. A level's navigation has hundreds of thousands.

Each number becomes two machine words, taken from tables; at the end, blank bytes are dropped:

    7        " . . ."  ". . 7 ,"
    12345    " . 1 2"  "3 4 5 ,"         a dot is a blank byte
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from generator.arrays import Ints

_MAX = 1_000_000


def are_writable(numbers: Ints) -> bool:
    """Return whether `joined` can write the numbers: at least one, all non-negative with up to six digits."""
    return numbers.size > 0 and int(numbers.min()) >= 0 and int(numbers.max()) < _MAX


def joined(numbers: Ints, starts: Ints, between: str) -> str:
    """Join the numbers [number] with `, `, or with `between` before those at `starts`.

    `starts` must not contain the first number.
    """
    high, low = np.divmod(numbers, 1000)
    upper, lower = _words()
    words = np.stack([upper[high], lower[low + 1000 * (high > 0)]], axis=1)
    characters = words.view(np.uint8).ravel()
    characters[starts * 8] = 1
    return characters.tobytes().translate(None, b"\0")[1:-1].decode("ascii").replace(",\1", between)


@lru_cache(maxsize=1)
def _words() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Return the first word of a number by [thousands, below 1000].

    And [rest, below 2000]: the second word; from 1000 on with leading zeros.
    """
    plain = [str(number or "").encode().rjust(3, b"\0") for number in range(1000)]
    upper = b"".join(b" " + digits for digits in plain)
    short = b"".join(str(number).encode().rjust(3, b"\0") + b"," for number in range(1000))
    full = b"".join(b"%03d," % number for number in range(1000))
    return np.frombuffer(upper, np.uint32), np.frombuffer(short + full, np.uint32)
