"""Whether the rows of a scene can be read to their end, and everything that they refer to is there."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from exporters.pack import rows
from exporters.pack.variant import Int64s, Strings

_FORM = (str, int, str, Strings, Strings, bytes)
# Of each kind the numbers that are differences from the row before.
_STEPS = {
    rows.VALUE: 1,
    rows.INT: 1,
    rows.VECTOR2: 2,
    rows.VECTOR2I: 2,
    rows.RECT2I: 4,
    rows.RESOURCE: 1,
    rows.FILE: 1,
}


class _WrongError(Exception):
    """Why the rows cannot be read."""


def problem_of_scene(block: dict[str, Any], place: int) -> str:
    """What is wrong with a scene of a block; empty if nothing is."""
    try:
        for name in ("forms", "values", "rows", "cells", "palettes"):
            if not isinstance(block.get(name), list):
                return f"its block has no list {name}"
        if not isinstance(block.get("files"), Strings):
            return "its block has no list files"
        if not place < min(len(block["rows"]), len(block["cells"])):
            return "is not in its block"
        _Scan(block, block["rows"][place], block["cells"][place]).run()
    except _WrongError as wrong:
        return str(wrong)
    except IndexError:
        return "its rows end too early"
    return ""


class _Scan:
    """One scene's rows on their way."""

    def __init__(self, block: dict[str, Any], stream: object, cells: object) -> None:
        if not isinstance(stream, bytes) or not isinstance(cells, bytes) or len(stream) % 2:
            raise _WrongError("its rows or cells are no bytes")
        self.block, self.at, self.cells_left = block, 0, len(cells)
        self.numbers = array("h", stream)
        rows.little(self.numbers)
        self.last: dict[int, list[int]] = {}
        self.resources = 0

    def next(self) -> int:
        """The next number."""
        self.at += 1
        return self.numbers[self.at - 1]

    def run(self) -> None:
        """Read all rows. Raises _WrongError, or IndexError where they end too early."""
        resources, nodes = self.next(), self.next()
        if nodes < 1:
            raise _WrongError("has no root")
        for _ in range(resources):
            self.row(None)
            self.resources += 1
        for number in range(nodes):
            self.row(number)
        if self.at != len(self.numbers) or self.cells_left:
            raise _WrongError("has more rows or cells than it says")

    def row(self, node: int | None) -> None:
        """Read a row, of a node by its number or of a resource."""
        number = self.next()
        forms = self.block["forms"]
        if not 0 <= number < len(forms):
            raise _WrongError(f"has a row of form {number}, of {len(forms)}")
        form = forms[number]
        if not isinstance(form, list) or [type(part) for part in form] != list(_FORM):
            raise _WrongError(f"form {number} is none")
        _, file, name, _, keys, kinds = form
        if len(keys) != len(kinds) or not 0 <= file <= len(self.block["files"]) // 2:
            raise _WrongError(f"form {number} does not fit together")
        last = iter(self.last.setdefault(number, []))
        now: list[int] = []

        def step() -> int:
            found = (next(last, 0) + self.next() + 0x8000) % 0x10000 - 0x8000
            now.append(found)
            return found

        if node is not None:
            above = step()
            if node and not 0 <= above < node:
                raise _WrongError(f"node {node} lies below one that is not there")
            for _ in range(name.count("%d")):
                step()
        for kind in kinds:
            self.value(kind & 15, kind >> 4 == rows.EXACT, step)
        self.last[number] = now

    def value(self, kind: int, exact: bool, step: Callable[[], int]) -> None:
        """Read a value."""
        if exact and kind == rows.VECTOR2:
            self.skip(4)
        elif kind in _STEPS:
            numbers = [step() for _ in range(_STEPS[kind])]
            self.refer(kind, numbers[0])
        elif kind == rows.INTS:
            self.skip(self.next())
        elif kind in (rows.TILES, rows.POINTS):
            self.skip(self.next() * (4 if exact else 2))
        elif kind in (rows.RINGS, rows.INDEXES):
            sizes = sum(self.next() for _ in range(self.next()))
            self.skip(sizes * (1 if kind == rows.INDEXES else 4 if exact else 2))
        elif kind == rows.CELLS:
            for _ in range(self.next()):
                self.rectangle()
        else:
            raise _WrongError(f"has a value of kind {kind}")

    def refer(self, kind: int, place: int) -> None:
        """Refuse a place that is not there."""
        counts = {
            rows.VALUE: len(self.block["values"]),
            rows.FILE: len(self.block["files"]) // 2,
            rows.RESOURCE: self.resources,
        }
        if kind in counts and not 0 <= (place & 0xFFFF if kind == rows.VALUE else place) < counts[kind]:
            raise _WrongError("refers to a value, file or resource that is not there")

    def skip(self, numbers: int) -> None:
        """Leave out numbers that are there."""
        if numbers < 0 or self.at + numbers > len(self.numbers):
            raise _WrongError("its rows end too early")
        self.at += numbers

    def rectangle(self) -> None:
        """Read a rectangle of cells."""
        _, _, width, height, palette = (self.next() for _ in range(5))
        palettes = self.block["palettes"]
        if not 0 <= palette < len(palettes) or not isinstance(palettes[palette], Int64s):
            raise _WrongError(f"has a layer of palette {palette}, which is not there")
        if min(width, height) < 1 or width * height > self.cells_left:
            raise _WrongError("has a layer of more cells than there are")
        self.cells_left -= width * height
