"""A reader of packs that was written from `format.md` of packs and shares no code with the exporter."""

from __future__ import annotations

import struct
import zlib
from hashlib import sha256
from typing import Any


class Variant:
    """Godot's binary form of a value, as far as packs need it."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, form: str) -> Any:
        found = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return found if len(found) > 1 else found[0]

    def filled(self) -> bytes:
        size = self.take("I")
        data = self.take(f"{size}s")
        self.at += -size % 4
        return bytes(data)

    def value(self) -> Any:
        found: Any
        header = self.take("I")
        kind, wide = header & 0xFFFF, header >> 16
        if kind in (0, 1):
            found = bool(self.take("I")) if kind else None
        elif kind in (2, 3):
            found = self.take(("iq", "fd")[kind - 2][wide])
        elif kind in (4, 29):
            found = self.filled().decode() if kind == 4 else self.filled()
        elif kind == 27:
            found = {self.value(): self.value() for _ in range(self.take("I"))}
        elif kind == 28:
            found = [self.value() for _ in range(self.take("I"))]
        elif kind in (30, 31):
            found = [self.take("iq"[kind - 30]) for _ in range(self.take("I"))]
        else:
            assert kind == 34
            found = [self.filled().rstrip(b"\0").decode() for _ in range(self.take("I"))]
        return found


class Scene:
    """A level's rows, read by the table of kinds."""

    def __init__(self, block: dict[str, Any], place: int) -> None:
        self.block, self.cells = block, list(block["cells"][place])
        stream = block["rows"][place]
        self.numbers = list(struct.unpack(f"<{len(stream) // 2}h", stream))
        self.last: dict[tuple[int, int], int] = {}
        self.resources: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        resources, nodes = self.next(), self.next()
        self.resources += [self.row(False) for _ in range(resources)]
        self.nodes += [self.row(True) for _ in range(nodes)]
        assert not self.numbers and not self.cells

    def next(self) -> int:
        return self.numbers.pop(0)

    def row(self, is_node: bool) -> dict[str, Any]:
        self.form, self.slot = self.next(), 0
        class_, _, name, groups, keys, kinds = self.block["forms"][self.form]
        row = {"class": class_, "groups": groups}
        if is_node:
            row["parent"] = self.step()
            row["name"] = name % tuple(self.step() for _ in range(name.count("%d")))
        return {
            **row,
            **{key: self.value(kind & 15, kind >> 4) for key, kind in zip(keys, kinds, strict=True)},
        }

    def step(self) -> int:
        key = self.form, self.slot
        self.last[key] = (self.last.get(key, 0) + self.next() + 0x8000) % 0x10000 - 0x8000
        self.slot += 1
        return self.last[key]

    def value(self, kind: int, unit: int) -> Any:
        assert unit <= 4
        if kind in (0, 10, 11):
            return [self.block["values"], *[None] * 9, self.resources, self.block["files"]][kind][self.step()]
        if kind < 5:
            steps = [self.step() / 2**unit for _ in range((1, 1, 2, 2, 4)[kind])]
            return steps[0] if kind == 1 else steps
        return self.listed(kind, unit, self.next())

    def listed(self, kind: int, unit: int, count: int) -> Any:
        if kind == 5:
            return [self.next() for _ in range(count)]
        if kind in (6, 7):
            return self.points([count], unit)[0]
        if kind == 12:
            return [self.rectangle() for _ in range(count)]
        sizes = [self.next() for _ in range(count)]
        if kind == 8:
            return self.points(sizes, unit)
        number = 0
        return [[number := number + self.next() for _ in range(size)] for size in sizes]

    def points(self, sizes: list[int], unit: int) -> list[list[tuple[float, float]]]:
        x = y = 0
        found: list[list[tuple[float, float]]] = [[] for _ in sizes]
        for ring, size in zip(found, sizes, strict=True):
            for _ in range(size):
                x, y = x + self.next(), y + self.next()
                ring.append((x / 2**unit, y / 2**unit))
        return found

    def rectangle(self) -> list[tuple[int, int, int]]:
        """x, y and the tile of each cell."""
        left, top, width, height, palette = (self.next() for _ in range(5))
        found = []
        for y in range(top, top + height):
            for x in range(left, left + width):
                place = self.cells.pop(0)
                if place:
                    found.append((x, y, self.block["palettes"][palette][place - 1]))
        return found


def first_block(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Index and first block, read by the documentation."""
    magic, version, _, start, size, raw_size, digest = struct.unpack_from("<8sIIQII32s", data)
    assert (magic, version, start + size) == (b"UCPACK\r\n", 1, len(data))
    assert sha256(data[start:]).digest() == digest
    raw = zlib.decompress(data[start:])
    assert len(raw) == raw_size
    index = Variant(raw).value()
    packed = data[index["block_offsets"][0] :][: index["block_sizes"][0]]
    assert sha256(packed).digest()[:16] == index["block_digests"][:16]
    return index, Variant(zlib.decompress(packed)).value()
