"""Check that the rows of a scene can be read to the end, and that everything they refer to exists.

Only Godot knows its classes and properties. They are checked when Godot reads the pack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from exporters.formats.pack import (
    MAX_BLOCK_LEVELS,
    MAX_FORMS,
    MAX_KEYS,
    MAX_LEVEL_BYTES,
    MAX_NAME,
    MAX_NAME_NUMBERS,
    MAX_PALETTES,
    MAX_ROWS,
    MAX_VALUE_BYTES,
    rows,
)
from exporters.formats.pack.variant import Int64s, Strings, encode
from generator.errors import shown
from generator.pattern import pattern

_FORM = (str, int, str, Strings, Strings, bytes)
# For each kind, the numbers that are differences from the previous row.
_STEPS = {
    rows.VALUE: 1,
    rows.INT: 1,
    rows.VECTOR2: 2,
    rows.VECTOR2I: 2,
    rows.RECT2I: 4,
    rows.RESOURCE: 1,
    rows.FILE: 1,
}


_TYPES = ("TileSet", "PackedScene")  # of files
_PATH = pattern(r"(res://)?[^:]+")
_KEY = pattern(r"[A-Za-z_][A-Za-z0-9_/]*")
_SCALED = (rows.VECTOR2, rows.POINTS, rows.RINGS)  # kinds that have a unit
_UNITS = (*range(rows.MAX_SHIFT + 1), rows.EXACT)
_MAX_OF_BLOCK = {
    "forms": MAX_FORMS,
    "palettes": MAX_PALETTES,
    "rows": MAX_BLOCK_LEVELS,
    "cells": MAX_BLOCK_LEVELS,
}


class _WrongError(Exception):
    """Why the rows cannot be read."""


def problem_of_scene(block: dict[str, Any], index: int) -> str:
    """Describe the first problem of a scene in a block. The text is empty if the scene is valid."""
    try:
        _check_block(block)
        if not index < min(len(block["rows"]), len(block["cells"])):
            return "is not in its block"
        _Scan(block, block["rows"][index], block["cells"][index]).run()
    except _WrongError as wrong:
        return str(wrong)
    except IndexError:
        return "its rows end too early"
    return ""


def _check_block(block: dict[str, Any]) -> None:
    for name in ("forms", "values", "rows", "cells", "palettes"):
        if not isinstance(block.get(name), list):
            raise _WrongError(f"its block has no list {name}")
        if len(block[name]) > _MAX_OF_BLOCK.get(name, len(block[name])):
            raise _WrongError(f"its block has {len(block[name])} {name}, more than {_MAX_OF_BLOCK[name]}")
    if not isinstance(block.get("files"), Strings):
        raise _WrongError("its block has no list files")
    _check_files(block["files"])


def _check_files(files: Sequence[str]) -> None:
    if len(files) % 2:
        raise _WrongError("its block's files are not pairs of type and path")
    for type_, path in zip(files[::2], files[1::2], strict=True):
        if type_ not in _TYPES:
            raise _WrongError(f"needs a file of type {shown(type_)}; packs have {' and '.join(_TYPES)}")
        parts = path.removeprefix("res://").split("/")
        if not _PATH.fullmatch(path) or "\\" in path or not {"", ".", ".."}.isdisjoint(parts):
            raise _WrongError(f"needs {shown(path)}, which is neither in res:// nor beside the pack")


def _check_form(number: int, form: object, files: int) -> None:
    """Refuse a form that is inconsistent or has an impossible property key."""
    if not isinstance(form, list) or [type(part) for part in form] != list(_FORM):
        raise _WrongError(f"form {number} is not a form")
    _, file, name, groups, keys, kinds = form
    fits = len(keys) == len(kinds) <= MAX_KEYS and 0 <= file <= files
    fits = fits and len(groups) <= MAX_KEYS and len(name) <= MAX_NAME
    if not fits or not name.count("%") == name.count("%d") <= MAX_NAME_NUMBERS:
        raise _WrongError(f"form {number} is inconsistent")
    for kind in kinds:
        if kind >> 4 not in (_UNITS if kind & 15 in _SCALED else (0,)):
            raise _WrongError(f"form {number}: kind {kind & 15} cannot have the unit {kind >> 4}")
    for key in keys:
        meta = key.removeprefix("metadata/")
        if not (meta.isidentifier() if meta != key or file else _KEY.fullmatch(key)) or key == "script":
            raise _WrongError(f"form {number}: {shown(key)} is not a property that a pack can set")


class _Scan:
    """Reads the rows of one scene."""

    def __init__(self, block: dict[str, Any], stream: object, cells: object) -> None:
        if not isinstance(stream, bytes) or not isinstance(cells, bytes) or len(stream) % 2:
            raise _WrongError("its rows or cells are not bytes")
        if len(stream) + len(cells) > MAX_LEVEL_BYTES:
            raise _WrongError(f"takes more than {MAX_LEVEL_BYTES} bytes")
        self.block, self.at, self.cells_left = block, 0, len(cells)
        self.numbers: list[int] = np.frombuffer(stream, "<i2").tolist()
        self.last: dict[int, list[int]] = {}
        self.resources = 0
        self.value_sizes: dict[int, int] = {}  # by index, for values that rows refer to
        self.values_left = MAX_VALUE_BYTES
        self.points, self.corners = 0, range(0)  # of the current row

    def next(self) -> int:
        """Read the next number."""
        self.at += 1
        return self.numbers[self.at - 1]

    def run(self) -> None:
        """Read all rows. Raises _WrongError, or IndexError if they end too early."""
        resources, nodes = self.next(), self.next()
        if nodes < 1:
            raise _WrongError("has no root")
        if max(resources, nodes) > MAX_ROWS:
            raise _WrongError(f"has more than {MAX_ROWS} nodes or resources")
        for _ in range(resources):
            self.row(None)
            self.resources += 1
        for number in range(nodes):
            self.row(number)
        if self.at != len(self.numbers) or self.cells_left:
            raise _WrongError("has more rows or cells than it says")

    def row(self, node: int | None) -> None:
        """Read the row of a node, given its number, or of a resource."""
        number = self.next()
        forms = self.block["forms"]
        if not 0 <= number < len(forms):
            raise _WrongError(f"has a row of form {number}, of {len(forms)}")
        if number not in self.last:
            _check_form(number, forms[number], len(self.block["files"]) // 2)
        _, _, name, _, keys, kinds = forms[number]
        self.points, self.corners = 0, range(0)
        last = iter(self.last.setdefault(number, []))
        now: list[int] = []

        def step() -> int:
            value = (next(last, 0) + self.next() + 0x8000) % 0x10000 - 0x8000
            now.append(value)
            return value

        if node is not None:
            above = step()
            if node and not 0 <= above < node:
                raise _WrongError(f"the parent of node {node} does not exist")
            for _ in range(name.count("%d")):
                step()
        for key, kind in zip(keys, kinds, strict=True):
            self.value(key, kind & 15, kind >> 4 == rows.EXACT, step)
        if self.corners.start < 0 or self.corners.stop > self.points:
            raise _WrongError("has polygons with corners that do not exist")
        self.last[number] = now

    def value(self, key: str, kind: int, exact: bool, step: Callable[[], int]) -> None:
        """Read the value of a property."""
        if exact and kind == rows.VECTOR2:
            self.skip(4)
        elif kind in _STEPS:
            numbers = [step() for _ in range(_STEPS[kind])]
            self.refer(kind, numbers[0])
        elif kind == rows.INTS:
            self.skip(self.next())
        elif kind in (rows.TILES, rows.POINTS):
            points = self.next()
            self.skip(points * (4 if exact else 2))
            self.points = points if key == "vertices" else self.points
        elif kind == rows.RINGS:
            self.skip(self.sizes() * (4 if exact else 2))
        elif kind == rows.INDEXES:
            indexes = self.sizes()
            begin = self.at
            self.skip(indexes)
            if key == "polygons":
                corners = [0, *accumulate(self.numbers[begin : self.at])]
                self.corners = range(min(corners), max(corners[1:], default=-1) + 1)
        elif kind == rows.CELLS:
            for _ in range(self.next()):
                self.rectangle()
        else:
            raise _WrongError(f"has a value of kind {kind}")

    def sizes(self) -> int:
        """Read the total number of items of several lists."""
        sizes = [self.next() for _ in range(self.next())]
        if min(sizes, default=0) < 0:
            raise _WrongError("has a list of negative length")
        return sum(sizes)

    def refer(self, kind: int, index: int) -> None:
        """Refuse an index that is out of range."""
        counts = {
            rows.VALUE: len(self.block["values"]),
            rows.FILE: len(self.block["files"]) // 2,
            rows.RESOURCE: self.resources,
        }
        if kind in counts and not 0 <= (index & 0xFFFF if kind == rows.VALUE else index) < counts[kind]:
            raise _WrongError("refers to a value, file or resource that does not exist")
        if kind == rows.VALUE:
            self.spend(index & 0xFFFF)

    def spend(self, index: int) -> None:
        """Count the bytes of a table or list, since each row that refers to it gets a copy."""
        if index not in self.value_sizes:
            value = self.block["values"][index]
            self.value_sizes[index] = len(encode(value)) if isinstance(value, (list, dict)) else 0
        self.values_left -= self.value_sizes[index]
        if self.values_left < 0:
            raise _WrongError(f"repeats values of more than {MAX_VALUE_BYTES} bytes")

    def skip(self, numbers: int) -> None:
        """Skip some numbers."""
        if numbers < 0 or self.at + numbers > len(self.numbers):
            raise _WrongError("its rows end too early")
        self.at += numbers

    def rectangle(self) -> None:
        """Read a rectangle of cells."""
        _, _, width, height, palette = (self.next() for _ in range(5))
        palettes = self.block["palettes"]
        if not 0 <= palette < len(palettes) or not isinstance(palettes[palette], Int64s):
            raise _WrongError(f"has a layer of palette {palette}, which does not exist")
        if min(width, height) < 1 or width * height > self.cells_left:
            raise _WrongError("has a layer with more cells than there are")
        self.cells_left -= width * height
