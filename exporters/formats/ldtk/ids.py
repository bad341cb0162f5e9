"""The ids by which the parts of an LDtk project refer to each other: uids, iids and identifiers."""

from __future__ import annotations

import hashlib
import re

_NOT_IN_IDENTIFIERS = re.compile(r"[^A-Za-z0-9]+")
_MAX_IDENTIFIER = 60  # characters


class Uids:
    """One counter for definitions, rules, groups, fields and levels, as in LDtk."""

    def __init__(self) -> None:
        self.next = 1

    def take(self) -> int:
        """Return a new uid."""
        self.next += 1
        return self.next - 1


class Iids:
    """Deterministic ids, made from a level's fingerprint and a place."""

    def __init__(self, fingerprint: str) -> None:
        self._seed = hashlib.sha256(f"undercroft.ldtk\0{fingerprint}\0".encode())

    def of(self, *parts: object) -> str:
        """Return the iid of a place, such as `"room", 3, "layer", 5`.

            a0c5ab2e-6a1d-5f6b-93c1-8d2b5c0f9a11

        It has the form of a version 5 UUID (RFC 9562). It begins with a letter, because LDtk would read
        digits followed by an `f` as a number.
        """
        digest = self._seed.copy()
        digest.update("\0".join(map(str, parts)).encode())
        text = digest.hexdigest()
        variant = "89ab"[int(text[16], 16) % 4]
        return f"a{text[1:8]}-{text[8:12]}-5{text[13:16]}-{variant}{text[17:20]}-{text[20:32]}"


def identifier(text: str, taken: set[str] | None = None) -> str:
    """Correct a text as LDtk would: ASCII letters, digits and single `_`, not starting with a digit.

    With `taken`, the result differs from all of those and is added to them.
    """
    base = _NOT_IN_IDENTIFIERS.sub("_", text)[:_MAX_IDENTIFIER]
    base = base.strip("_") or "Unnamed"
    if base[0].isdigit():
        base = f"_{base}"
    name, number = base, 2
    while taken is not None and name in taken:
        name, number = f"{base}_{number}", number + 1
    if taken is not None:
        taken.add(name)
    return name
