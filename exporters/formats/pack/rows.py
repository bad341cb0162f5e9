"""A scene's document as rows of small numbers, mostly the differences between one node and the next.

Nodes that differ only in numbers share a *form*: class, name, groups, and the key and kind of each property.
A row names its form and then holds 16-bit numbers in the order of the form, most of them differences from the
previous row of the same form:

    form 3   Marker2D, Enemy%d, groups marker and marker_enemy, position VECTOR2, metadata/kind VALUE ...
    row      3, +1 (Enemy8), +0 (the same parent), +32, -16 (px), +0 (the same value) ...

Anything that does not fit into such numbers (texts, tables, fractions) is a VALUE, which a block holds once.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import sub
from typing import Any

import numpy as np
import numpy.typing as npt

from exporters.formats.godot.syntax.document import Sections
from exporters.formats.godot.syntax.literals import Call, Packed, PackedBytes, Reference, TypedArray, listed
from exporters.formats.godot.syntax.sections import Section
from exporters.formats.pack import MAX_LEVEL_BYTES, MAX_ROWS
from exporters.formats.pack.variant import Int64s, Strings, encode
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

# The kinds of a property. VECTOR2, POINTS and RINGS hold numbers of 1 / 2^n px; n is in the upper four bits.
VALUE, INT, VECTOR2, VECTOR2I, RECT2I, INTS, TILES, POINTS, RINGS, INDEXES, RESOURCE, FILE, CELLS = range(13)
MAX_SHIFT = 4
EXACT = 15  # instead of n: 32-bit floats, two numbers each, without differences
_NUMBER = pattern(r"0|[1-9][0-9]{0,3}")


class TooLargeError(Exception):
    """A scene has more nodes, cells or numbers than a pack can hold."""


class RowForm(NamedTuple):
    """What rows share. `file` is the number, from 1, of the scene a node instances, or 0 for a plain node.

    The name has a `%d` for each of its numbers: `Enemy_%d_%d`. (Node names never contain a `%`.)
    """

    type: str
    file: int
    name: str
    groups: tuple[str, ...]
    keys: tuple[str, ...]
    kinds: bytes

    def table(self) -> list[object]:
        """Return the form as written in a block."""
        texts = Strings(self.groups), Strings(self.keys)
        return [self.type, self.file, self.name, *texts, self.kinds]


Fitted = tuple[int, Sequence[int], bool]
"""A value as numbers: its kind, these, and whether a row holds their differences from the previous row."""


class Rows:
    """Encodes the scenes of a block: shared tables, and a stream per scene."""

    def __init__(self) -> None:
        self._forms: dict[RowForm, int] = {}
        self._values: dict[bytes, int] = {}
        self._plain: list[object] = []
        self._known: dict[object, int] = {}  # texts and truth values
        self._files: dict[tuple[str, str], int] = {}
        self.palettes = Palettes()

    def scene(self, document: Sections) -> tuple[bytes, bytes]:
        """Encode the stream of a scene's rows, and its cells. Raises TooLargeError."""
        if max(len(document.nodes), len(document.sub_resources)) > MAX_ROWS:
            raise TooLargeError
        stream, cells = _Scene(self, document).encode()
        if len(stream) + len(cells) > MAX_LEVEL_BYTES:
            raise TooLargeError
        return stream, cells

    def tables(self) -> dict[str, object]:
        """Return the tables that the streams refer to."""
        return {
            "forms": [form.table() for form in self._forms],
            "values": self._plain,
            "files": Strings(part for file in self._files for part in file),
            "palettes": self.palettes.tables(),
        }

    def form(self, form: RowForm) -> int:
        """Return the index of a form."""
        return self._forms.setdefault(form, len(self._forms))

    def file(self, type_: str, path: str) -> int:
        """Return the index of a file."""
        return self._files.setdefault((type_, path), len(self._files))

    def value(self, value: object) -> int:
        """Return the index of a value. Values with equal bytes share one."""
        if type(value) not in (str, bool):
            return self._index(value)
        known = self._known.get(value)
        if known is None:
            known = self._known[value] = self._index(value)
        return known

    def _index(self, value: object) -> int:
        plain = _plain(value)
        key = encode(plain)
        index = self._values.setdefault(key, len(self._values))
        if index >= 1 << 16:
            raise TooLargeError
        if index == len(self._plain):
            self._plain.append(plain)
        return index


class _Scene:
    """Encodes one scene, row by row."""

    def __init__(self, rows: Rows, document: Sections) -> None:
        self._rows, self._document = rows, document
        self._numbers: list[int] = []
        self._last: dict[int, list[int]] = {}  # numbers with steps, by form
        self._cells = bytearray()
        self._name = ""  # of the current node
        self._resources: dict[str, int] = {}
        self._nodes: dict[str, int] = {}
        self._files = {
            str(resource.attributes["id"]): rows.file(
                str(resource.attributes["type"]), str(resource.attributes["path"])
            )
            for resource in document.ext_resources
        }

    def encode(self) -> tuple[bytes, bytes]:
        document = self._document
        self._numbers += [len(document.sub_resources), len(document.nodes)]
        for section in document.sub_resources:
            self._row(str(section.attributes["type"]), 0, "", (), [], section)
            self._resources[str(section.attributes["id"])] = len(self._resources)
        for section in document.nodes:
            self._node(section)
        return np.array(self._numbers).astype("<u2").tobytes(), bytes(self._cells)

    def _node(self, section: Section[object]) -> None:
        about = section.attributes
        name, parent = str(about["name"]), about.get("parent")
        path = name if parent in (None, ".") else f"{parent}/{name}"
        above = 0 if parent is None else self._nodes["." if parent == "." else str(parent)]
        self._nodes["." if parent is None else path] = len(self._nodes)
        instance = about.get("instance")
        file = self._files[instance.id] + 1 if isinstance(instance, Reference) else 0
        groups = about.get("groups", ())
        assert isinstance(groups, (list, tuple))
        pattern, numbers = _numbered(name)
        self._name = name
        self._row(str(about.get("type", "")), file, pattern, tuple(groups), [above, *numbers], section)

    def _row(
        self,
        type_: str,
        file: int,
        name: str,
        groups: tuple[str, ...],
        first: list[int],
        section: Section[object],
    ) -> None:
        fits = list(map(self._fitted, section.properties.values()))
        kinds = bytes([kind for kind, _, _ in fits])
        form = self._rows.form(RowForm(type_, file, name, groups, tuple(section.properties), kinds))
        now = [*first]
        for _, numbers, steps in fits:
            if steps:
                now += numbers
        last = self._last.get(form, now)
        differences = now if last is now else list(map(sub, now, last))
        self._last[form] = now
        end = len(first)
        row = self._numbers
        row.append(form)
        row += differences[:end]
        for _, numbers, steps in fits:
            if steps:
                begin, end = end, end + len(numbers)
                row += differences[begin:end]
            else:
                row += numbers

    # --- values ------------------------------------------------------------------------------------------

    def _fitted(self, value: object) -> Fitted:
        fit = _FITS.get(type(value))
        fitted = fit(self, value) if fit else None
        if fitted is not None:
            numbers = fitted[1]
            if not numbers or (min(numbers) >= -32768 and max(numbers) < 32768):
                return fitted
        return VALUE, [self._rows.value(value)], True

    def _fit_bytes(self, value: PackedBytes) -> Fitted:
        numbers, data = self._rows.palettes.add(self._name, value.data)
        self._cells += data
        return CELLS, numbers, False

    def _fit_reference(self, value: Reference) -> Fitted:
        if value.name == "SubResource":
            return RESOURCE, [self._resources[value.id]], True
        return FILE, [self._files[value.id]], True


@lru_cache(maxsize=4096)
def _numbered(name: str) -> tuple[str, list[int]]:
    """Return a node's name with `%d` for its numbers, and these."""
    return _NUMBER.sub("%d", name), [int(number) for number in _NUMBER.findall(name)]


def _fit_call(_: _Scene, value: Call) -> Fitted | None:
    if value.name == "Vector2":
        return _px(VECTOR2, [], value.args)
    kind = {"Vector2i": VECTOR2I, "Rect2i": RECT2I}.get(value.name)
    return None if kind is None else (kind, value.args, True)


def _fit_packed(_: _Scene, value: Packed) -> Fitted | None:
    if value.name == "PackedVector2Array":
        return _px(POINTS, [len(value.numbers) // 2], listed(value.numbers))
    return None


def _fit_typed(_: _Scene, value: TypedArray) -> Fitted | None:
    numbers: Any = listed(value.numbers)
    count = len(value.counts)
    if value.element == "Vector2i":
        return TILES, [count, *_steps(numbers)], False
    if value.element == "PackedInt32Array":
        return INDEXES, [count, *value.counts, *map(sub, numbers, [0, *numbers])], False
    if value.element == "PackedVector2Array":
        return _px(RINGS, [count, *(size // 2 for size in value.counts)], numbers)
    return None


def _fit_list(_: _Scene, value: Sequence[object]) -> Fitted | None:
    if all(type(item) is int for item in value):
        return INTS, [len(value), *value], False  # type: ignore[list-item]
    return None


_FITS: dict[type, Callable[[_Scene, Any], Fitted | None]] = {
    int: lambda _, value: (INT, [value], True),
    Call: _fit_call,
    Packed: _fit_packed,
    PackedBytes: _Scene._fit_bytes,
    TypedArray: _fit_typed,
    Reference: _Scene._fit_reference,
    list: _fit_list,
}


def _px(kind: int, counts: Sequence[int], numbers: Sequence[float]) -> Fitted:
    """Encode counts, followed by points in px, in the coarsest unit that fits all, or else exactly."""
    for shift in range(MAX_SHIFT + 1):
        scaled = [number * (1 << shift) for number in numbers]
        fractions = [number % 1 for number in scaled]
        if not any(fractions):
            points = [int(number) for number in scaled]
            if kind == VECTOR2:
                return kind | shift << 4, points, True
            return kind | shift << 4, [*counts, *_steps(points)], False
    halves = struct.unpack(f"<{2 * len(numbers)}h", struct.pack(f"<{len(numbers)}f", *numbers))
    return kind | EXACT << 4, [*counts, *halves], False


def _steps(numbers: Sequence[int]) -> list[int]:
    """Convert points to differences from the previous point, the first from (0, 0)."""
    return list(map(sub, numbers, [0, 0, *numbers]))


def _plain(value: object) -> object:
    """Return a value without Godot's types. TooLargeError for values that only a row's numbers can hold."""
    if isinstance(value, (Call, Packed, TypedArray, Reference, PackedBytes)):
        raise TooLargeError
    return value


# Tile layers with one byte per cell: a palette stores once what `tile_map_data` repeats in 12 bytes.
#
#     0 0 0 1 2 0        a rectangle of cells; 0 is empty, 1 the palette's first tile
#     0 0 0 3 2 0
#
# A palette has up to 255 tiles of 64 bits: from the lowest, 16 each for source, column, row and
# alternative. Layers with the same name share palettes. If a layer uses several palettes, it has a
# rectangle for each.

_MAX_TILES = 255  # per palette
_WHOLE_CELL = np.dtype([("x", "<i2"), ("y", "<i2"), ("tile", "<i8")])  # `CELL`, its tile as one number


class Palettes:
    """The tiles of a block's layers, in order of appearance."""

    def __init__(self) -> None:
        self._tiles: list[list[int]] = []
        self._places: dict[str, dict[int, tuple[int, int]]] = {}  # by layer and tile: palette, place
        self._open: dict[str, int] = {}  # each layer's palette for new tiles

    def tables(self) -> list[Int64s]:
        """Return the tiles of each palette."""
        return [Int64s(tiles) for tiles in self._tiles]

    def add(self, layer: str, data: bytes) -> tuple[list[int], bytes]:
        """Encode a layer's `tile_map_data` as numbers, and its cells.

        The numbers are the count of rectangles, and for each x, y, width, height and palette.
        """
        cells = np.frombuffer(data, _WHOLE_CELL, offset=2)
        distinct, inverse = np.unique(cells["tile"], return_inverse=True)
        places = [self._place(layer, tile) for tile in distinct.tolist()]
        owners, indices = np.array(places, np.int64).reshape(-1, 2).T[:, inverse]
        numbers, parts = [0], []
        for palette in sorted({palette for palette, _ in places}):
            mask = owners == palette
            rect, part = _rectangle(cells["x"][mask], cells["y"][mask], indices[mask])
            numbers += [*rect, palette]
            parts.append(part)
        numbers[0] = len(parts)
        return numbers, b"".join(parts)

    def _place(self, layer: str, tile: int) -> tuple[int, int]:
        known = self._places.setdefault(layer, {})
        if tile not in known:
            palette = self._open.get(layer, -1)
            if palette < 0 or len(self._tiles[palette]) == _MAX_TILES:
                palette = self._open[layer] = len(self._tiles)
                self._tiles.append([])
            self._tiles[palette].append(tile)
            known[tile] = palette, len(self._tiles[palette])
        return known[tile]


def _rectangle(
    xs: npt.NDArray[np.int16], ys: npt.NDArray[np.int16], places: npt.NDArray[np.int64]
) -> tuple[list[int], bytes]:
    """Find the rectangle around some cells, and return it with all bytes in it."""
    left, top = int(xs.min()), int(ys.min())
    grid = np.zeros((int(ys.max()) - top + 1, int(xs.max()) - left + 1), np.uint8)
    grid[ys - top, xs - left] = places
    return [left, top, grid.shape[1], grid.shape[0]], grid.tobytes()
