"""What a merge gives, or why there is none; and the notes that it takes on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

LOST = "Lost edits"
"""The layer or node that holds what has no other place any more."""

_MOST_LINES = 10_000

ReadFile = Callable[[str], bytes | None]
"""Gives the bytes of a file by its path, None if there is none."""


class Merged(NamedTuple):
    """The merged file, and a plain line for each thing that did not fit."""

    data: bytes
    conflicts: tuple[str, ...] = ()


class CannotMerge(ValueError):
    """A file that cannot be merged; `reason` continues a sentence about the file: `is not JSON`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Notes:
    """The lines of conflicts, in the order in which they were found."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._more = 0

    def add(self, line: str) -> None:
        """Note a conflict once. Beyond 10,000 they are only counted."""
        if len(self._lines) < _MOST_LINES:
            self._lines[line.replace("\n", " ").replace("\r", " ")] = None
        else:
            self._more += 1

    def lines(self) -> tuple[str, ...]:
        """All lines."""
        return (*self._lines, *([f"and {self._more} more"] if self._more else []))


def shown(value: object) -> str:
    """A value as a line can hold it."""
    text = "nothing" if value is None else value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
