"""The result of a merge with its notes, or why a merge was not possible."""

from __future__ import annotations

from collections.abc import Callable

from generator.named_tuple import NamedTuple

LOST, LOST_IN_LDTK = "Lost edits", "Lost_edits"
"""Layers, nodes and levels in which earlier versions kept edits without a place: no parts of the level."""

_MAX_LINES = 10_000

ReadFile = Callable[[str], bytes | None]
"""Returns the bytes of a file by its path; None if it is missing."""


class Merged(NamedTuple):
    """The merged file, and a line for each change that did not fit.

    `only_saved`: a program saved the old version in its own way, and nobody changed it.
    """

    data: bytes
    conflicts: tuple[str, ...] = ()
    only_saved: bool = False


class CannotMerge(ValueError):
    """A file cannot be merged. `reason` continues a sentence about the file: `is not JSON`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Notes:
    """The lines about conflicts, in the order found."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}
        self._more = 0

    def add(self, line: str) -> None:
        """Note a conflict once. Beyond 10,000 they are only counted."""
        line = line.replace("\n", " ").replace("\r", " ")
        if line in self._lines or len(self._lines) < _MAX_LINES:
            self._lines[line] = None
        else:
            self._more += 1

    def lines(self) -> tuple[str, ...]:
        """Return all lines."""
        return (*self._lines, *([f"and {self._more} more"] if self._more else []))


def shown(value: object) -> str:
    """Format a value for one line."""
    text = "nothing" if value is None else value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
