"""Packs for tests: made small, taken apart, and put together again with something changed."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from exporters.builder.pack_sources import make_block, source_of, tasks
from exporters.formats.pack.file import HEADER, MAGIC, PackWriter
from exporters.formats.pack.rows import CELLS, EXACT, INDEXES, POINTS, VALUE, VECTOR2
from exporters.formats.pack.variant import Int32s, Int64s, Strings, decode, encode
from exporters.registry import exporter, options_of
from generator.spec import load_spec


@cache
def small_pack(folder: Path, spec: str = "isaac", seeds: range = range(5, 8)) -> Path:
    """A pack of few levels of a preset, or of a spec's file."""
    options = options_of([exporter("godot")], {})["godot"]
    source = source_of(Path(spec).stem, load_spec(spec), seeds, None, options)
    path = folder / f"{Path(spec).stem}.ucpack"
    with PackWriter(path) as writer:
        for task in tasks([source]):
            writer.add(make_block(task))
        writer.finish()
    return path


class Parts(NamedTuple):
    """A pack of one block, taken apart."""

    index: dict[str, Any]
    block: dict[str, Any]


def parts_of(data: bytes) -> Parts:
    """Index and block, as tables."""
    _, _, _, start, size, _, _ = HEADER.unpack_from(data)
    index: Any = decode(zlib.decompress(data[start : start + size]))
    at, packed = index["block_offsets"][0], index["block_sizes"][0]
    block: Any = decode(zlib.decompress(data[at : at + packed]))
    return Parts(index, block)


def put_together(parts: Parts, count: int = 3, version: int = 1, raw_size: int = 0) -> bytes:
    """The pack of the parts, whose sizes and digests are right, or `raw_size` for a block that lies."""
    raw = encode(parts.block)
    packed = zlib.compress(raw)
    index = {
        **parts.index,
        "block_offsets": Int64s([HEADER.size]),
        "block_sizes": Int32s([len(packed)]),
        "block_raw_sizes": Int32s([raw_size or len(raw)]),
        "block_digests": hashlib.sha256(packed).digest()[:16],
    }
    raw_index = encode(index)
    packed_index = zlib.compress(raw_index)
    start, digest = HEADER.size + len(packed), hashlib.sha256(packed_index).digest()
    header = HEADER.pack(MAGIC, version, count, start, len(packed_index), len(raw_index), digest)
    return header + packed + packed_index


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    """A pack with a byte changed somewhere, or cut off, by name."""
    for number in range(24):
        at = len(data) * number // 24 + number % 7
        yield f"byte-{number}", data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
    for at in range(8, 64, 4):
        if at != 8:
            yield f"header-{at}", data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
    for number in range(6):
        yield f"cut-{number}", data[: len(data) * number // 6]
    yield "longer", data + b"more"


Change = Callable[[Parts], None]


def _of_form(place: int, value: object) -> Change:
    def change(parts: Parts) -> None:
        _markers(parts)[place] = value

    return change


def _of_key(key: str) -> Change:
    def change(parts: Parts) -> None:
        form = _markers(parts)
        form[4] = Strings([key, *form[4][1:]])

    return change


def _markers(parts: Parts) -> Any:
    """The first form of markers."""
    return next(each for each in parts.block["forms"] if each[0] == "Marker2D")


def _of_file(type_: str, path: str) -> Change:
    return lambda parts: parts.block.update(files=Strings([type_, path]))


def _of_block(name: str, value: object) -> Change:
    return lambda parts: parts.block.update({name: value})


def _of_index(name: str, value: object) -> Change:
    return lambda parts: parts.index.update({name: value})


def _of_rows(change_rows: Callable[[list[int]], list[int]]) -> Change:
    def change(parts: Parts) -> None:
        for place, stream in enumerate(parts.block["rows"]):
            numbers = change_rows(list(struct.unpack(f"<{len(stream) // 2}h", stream)))
            parts.block["rows"][place] = struct.pack(f"<{len(numbers)}h", *numbers)

    return change


def _swapped(parts: Parts) -> None:
    """Polygons come before the vertices that they name."""
    form = next(each for each in parts.block["forms"] if INDEXES in each[5])
    other = {"vertices": "polygons", "polygons": "vertices"}
    form[4] = Strings(other.get(key, key) for key in form[4])


def _of_kinds(change_kind: Callable[[int], int]) -> Change:
    """Of all forms."""

    def change(parts: Parts) -> None:
        for form in parts.block["forms"]:
            form[5] = bytes(change_kind(kind) for kind in form[5])

    return change


def _of_levels(form: list[object], numbers: list[int], cells: bytes = b"", **block: object) -> Change:
    """Every level has these rows: form 0 is a bare root, form 1 the given one."""

    def change(parts: Parts) -> None:
        root = ["Node2D", 0, "Root", Strings(), Strings(), b""]
        rows = struct.pack(f"<{len(numbers)}h", *numbers)
        parts.block.update(forms=[root, form], rows=[rows] * 3, cells=[cells] * 3, **block)

    return change


def form_of(class_: str, keys: dict[str, int], name: str = "", groups: int = 0) -> list[object]:
    """A form of rows: a class, its properties with their kinds, its name, and some groups."""
    of_groups = Strings(f"g{number}" for number in range(groups))
    return [class_, 0, name, of_groups, Strings(keys), bytes(keys.values())]


_ROOT = [0, 0]  # form and parent
_MESH = [3, 0, 0, 16, 0, 0, 16]  # three vertices
_BAD_MESH = {"vertices": POINTS, "polygons": INDEXES, "metadata/a": INDEXES}
_CHANGES: dict[str, Change] = {
    "exact": _of_kinds(lambda kind: kind | EXACT << 4 if kind & 15 == VALUE else kind),
    "unit": _of_kinds(lambda kind: kind | 5 << 4 if kind & 15 == VECTOR2 else kind),
    "unit-of-int": _of_kinds(lambda kind: kind | 1 << 4 if kind & 15 == VALUE else kind),
    "corners": _of_levels(
        form_of("NavigationPolygon", _BAD_MESH), [1, 1, 1, *_MESH, 1, 3, 0, 1, 2, 1, 1, 0, *_ROOT]
    ),
    "cells": _of_levels(
        form_of("TileMapLayer", {"tile_map_data": CELLS}, "Ground"),
        [0, 2, *_ROOT, 1, 0, 4, *[0, 0, 500, 500, 0] * 4],
        bytes([1]) * 1_000_000,
    ),
    "nodes": _of_levels(form_of("Node2D", {}, "Node"), [0, 8193, *_ROOT, *[1, 0] * 8192]),
    "values": _of_levels(
        form_of("Node2D", {"metadata/a": VALUE}, "Node"),
        [0, 3001, *_ROOT, *[1, 0, 0] * 3000],
        values=[[0] * 1000],
    ),
    "groups": _of_levels(form_of("Node2D", {}, "Node", 65), [0, 2, *_ROOT, 1, 0]),
    "long-name": _of_levels(form_of("Node2D", {}, "N" * 257), [0, 2, *_ROOT, 1, 0]),
    "many-palettes": _of_block("palettes", [Int64s()] * 1025),
    "many-levels": _of_block("rows", [b""] * 1025),
    "class": _of_form(0, "HTTPRequest"),
    "no-class": _of_form(0, "Nothing"),
    "object": _of_form(0, "Object"),
    "type": _of_form(0, 7),
    "name": _of_form(2, "%s%d"),
    "file": _of_form(1, 9),
    "kinds": _of_form(5, bytes([CELLS + 2])),
    "script": _of_key("script"),
    "no-key": _of_key("position:x"),
    "unknown": _of_key("no_property"),
    "other-type": _of_key("editor_description"),
    "meta": _of_key("metadata/a b"),
    "outside": _of_file("TileSet", "user://undercroft.tres"),
    "elsewhere": _of_file("TileSet", "https://a.b/undercroft.tres"),
    "inside": _of_file("TileSet", "res://a/../../undercroft.tres"),
    "above": _of_file("TileSet", "../undercroft.tres"),
    "missing": _of_file("TileSet", "missing.tres"),
    "code": _of_file("Script", "res://probes/same.gd"),
    "shapes": _swapped,
    "short": _of_rows(lambda numbers: numbers[:-5]),
    "long": _of_rows(lambda numbers: [*numbers, 0, 0, 0, 0, 0]),
    "empty": _of_rows(lambda numbers: []),
    "many": _of_rows(lambda numbers: [32767, *numbers[1:]]),
    "more-nodes": _of_rows(lambda numbers: [numbers[0], 32767, *numbers[2:]]),
    "no-form": _of_rows(lambda numbers: [*numbers[:2], -1, *numbers[3:]]),
    "no-cells": _of_block("cells", [b""] * 3),
    "no-palettes": _of_block("palettes", []),
    "no-values": _of_block("values", []),
    "no-forms": _of_block("forms", []),
    "no-rows": _of_block("rows", [7]),
    "places": _of_index("places", Int32s([9, 9, 9])),
    "blocks": _of_index("blocks", Int32s([0, 1, 0])),
    "facts": _of_index("facts", {"rooms": Int32s([1])}),
    "texts": lambda parts: parts.index["texts"].update(style=Strings([])),
}


def hostile(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Packs whose digests are right, and that lie."""
    yield "version", put_together(parts_of(data), version=2)
    yield "counts", put_together(parts_of(data), count=99_999)
    yield "none", put_together(parts_of(data), count=0)
    yield "huge", put_together(parts_of(data), raw_size=(1 << 31) - 1)
    yield "larger-block", put_together(parts_of(data), raw_size=(1 << 24) + 1)
    yield "larger", put_together(parts_of(data), raw_size=1 << 18)
    for name, change in _CHANGES.items():
        parts = parts_of(data)
        change(parts)
        yield name, put_together(parts)
