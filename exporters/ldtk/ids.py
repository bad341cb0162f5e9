"""The names by which the parts of an LDtk project know each other: uids, iids and identifiers."""

from __future__ import annotations

import hashlib
import re

_NOT_IN_IDENTIFIERS = re.compile(r"[^A-Za-z0-9]+")
_MOST_IDENTIFIER = 60  # characters


class Uids:
    """One counter for definitions, rules, groups, fields and levels alike, as LDtk has it."""

    def __init__(self) -> None:
        self.next = 1

    def take(self) -> int:
        """A uid that nothing else has."""
        self.next += 1
        return self.next - 1


class Iids:
    """Ids that are the same whenever the same level is exported: made of its fingerprint and a place."""

    def __init__(self, fingerprint: str) -> None:
        self._seed = hashlib.sha256(f"undercroft.ldtk\0{fingerprint}\0".encode())

    def of(self, *place: object) -> str:
        """The iid of a place, such as `"room", 3, "layer", 5`.

            a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11

        The form of a UUID of version 5 (RFC 9562). It begins with a letter: LDtk would take one of digits
        only, with an `f` behind them, for a number.
        """
        digest = self._seed.copy()
        digest.update("\0".join(map(str, place)).encode())
        text = digest.hexdigest()
        variant = "89ab"[int(text[16], 16) % 4]
        return f"a{text[1:8]}-{text[8:12]}-5{text[13:16]}-{variant}{text[17:20]}-{text[20:32]}"


def identifier(text: str, taken: set[str] | None = None) -> str:
    """A text as LDtk would correct it: ASCII letters, digits, single `_`, no digit in front.

    With `taken` it is made another than those, and added to them.
    """
    base = _NOT_IN_IDENTIFIERS.sub("_", text)[:_MOST_IDENTIFIER]
    base = base.strip("_") or "Unnamed"
    if base[0].isdigit():
        base = f"_{base}"
    found, number = base, 2
    while taken is not None and found in taken:
        found, number = f"{base}_{number}", number + 1
    if taken is not None:
        taken.add(found)
    return found
