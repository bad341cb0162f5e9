"""Godot's binary form of values, as in `var_to_bytes` and `bytes_to_var`, without objects.

    02 00 00 00  07 00 00 00                             7
    04 00 00 00  03 00 00 00  61 62 63 00                "abc", padded to four bytes
    1c 00 00 00  01 00 00 00  02 00 00 00  07 00 00 00   [7]

Little endian. (Godot's manual, "Binary serialization API"; `core/io/marshalls.cpp`.)
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

_NIL, _BOOL, _INT, _FLOAT, _STRING = range(5)
_DICTIONARY, _ARRAY, _BYTES, _INT32S, _INT64S = range(27, 32)
_STRINGS = 34
_WIDE = 1 << 16  # flag of a 64-bit number
_MAX_DEPTH = 32


class VariantError(ValueError):
    """Bytes that are not a value, or a value of a type that packs do not use."""


class Int32s(tuple[int, ...]):
    """A PackedInt32Array."""


class Int64s(tuple[int, ...]):
    """A PackedInt64Array."""


class Strings(tuple[str, ...]):
    """A PackedStringArray."""


def encode(value: object) -> bytes:
    """Encode a value. Raises TypeError for a type that packs do not use."""
    out = bytearray()
    _put(out, value)
    return bytes(out)


def _put(out: bytearray, value: object) -> None:
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise TypeError(f"{type(value).__name__} cannot be stored in a pack")
    writer(out, value)


def _put_int(out: bytearray, value: int) -> None:
    narrow = -(1 << 31) <= value < 1 << 31
    out += struct.pack("<Ii", _INT, value) if narrow else struct.pack("<Iq", _INT | _WIDE, value)


def _put_text(out: bytearray, text: str) -> None:
    data = text.encode("utf-8", "replace")
    out += struct.pack("<I", len(data)) + data + b"\0" * (-len(data) % 4)


def _put_string(out: bytearray, text: str) -> None:
    out += struct.pack("<I", _STRING)
    _put_text(out, text)


def _put_strings(out: bytearray, texts: Strings) -> None:
    out += struct.pack("<II", _STRINGS, len(texts))
    for text in texts:  # here, unlike in a single text, Godot counts the NUL at the end
        data = text.encode("utf-8", "replace") + b"\0"
        out += struct.pack("<I", len(data)) + data + b"\0" * (-len(data) % 4)


def _put_bytes(out: bytearray, data: bytes) -> None:
    out += struct.pack("<II", _BYTES, len(data)) + data + b"\0" * (-len(data) % 4)


def _put_list(out: bytearray, items: Sequence[object]) -> None:
    out += struct.pack("<II", _ARRAY, len(items))
    for item in items:
        _put(out, item)


def _put_table(out: bytearray, table: Mapping[object, object]) -> None:
    out += struct.pack("<II", _DICTIONARY, len(table))
    for key, item in table.items():
        _put(out, key)
        _put(out, item)


def _put_numbers(kind: int, form: str) -> Callable[[bytearray, Sequence[int]], None]:
    def put(out: bytearray, numbers: Sequence[int]) -> None:
        out += struct.pack(f"<II{len(numbers)}{form}", kind, len(numbers), *numbers)

    return put


_WRITERS: dict[type, Callable[[bytearray, Any], None]] = {
    type(None): lambda out, _: out.extend(struct.pack("<I", _NIL)),
    bool: lambda out, value: out.extend(struct.pack("<II", _BOOL, value)),
    int: _put_int,
    float: lambda out, value: out.extend(struct.pack("<Id", _FLOAT | _WIDE, value)),
    str: _put_string,
    bytes: _put_bytes,
    list: _put_list,
    tuple: _put_list,
    dict: _put_table,
    Int32s: _put_numbers(_INT32S, "i"),
    Int64s: _put_numbers(_INT64S, "q"),
    Strings: _put_strings,
}


def decode(data: bytes) -> object:
    """Decode the value of all the bytes. Raises VariantError, also for a count beyond the remaining bytes."""
    reader = _VariantReader(data)
    try:
        value = reader.value(0)
    except (struct.error, UnicodeDecodeError):
        reader.fail("ends too early or is not text")
    if reader.at != len(data):
        reader.fail("continues after its value")
    return value


class _VariantReader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def fail(self, problem: str) -> NoReturn:
        raise VariantError(f"byte {self.at}: {problem}")

    def _number(self, form: str) -> Any:
        (number,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return number

    def _count(self, least: int) -> int:
        """Read how many items of at least `least` bytes each follow."""
        count: int = self._number("<I")
        if count * least > len(self.data) - self.at:
            self.fail(f"counts {count} items, more than there are bytes for")
        return count

    def _bytes(self) -> bytes:
        size = self._count(1)
        data = self.data[self.at : self.at + size]
        self.at += size + -size % 4
        return data

    def value(self, depth: int) -> object:
        if depth > _MAX_DEPTH:
            self.fail(f"is nested more than {_MAX_DEPTH} deep")
        header = self._number("<I")
        reader = _READERS.get(header)
        if reader is None:
            self.fail(f"header {header:#x} is not of a kind that packs have")
        return reader(self, depth)

    def table(self, depth: int) -> dict[Any, object]:
        table: dict[Any, object] = {}
        for _ in range(self._count(8)):
            key = self.value(depth + 1)
            if not isinstance(key, (str, int)):
                self.fail("a key is neither a text nor a number")
            table[key] = self.value(depth + 1)
        return table

    def numbers(self, form: str, size: int) -> array[int]:
        count = self._count(size)
        numbers = array(form, struct.unpack_from(f"<{count}{form}", self.data, self.at))
        self.at += count * size
        return numbers


def _strings(reader: _VariantReader) -> Strings:
    count = reader._count(4)
    return Strings(reader._bytes().removesuffix(b"\0").decode("utf-8") for _ in range(count))


_READERS: dict[int, Callable[[_VariantReader, int], object]] = {
    _NIL: lambda reader, _: None,
    _BOOL: lambda reader, _: bool(reader._number("<I")),
    _INT: lambda reader, _: reader._number("<i"),
    _INT | _WIDE: lambda reader, _: reader._number("<q"),
    _FLOAT | _WIDE: lambda reader, _: reader._number("<d"),
    _STRING: lambda reader, _: reader._bytes().decode("utf-8"),
    _BYTES: lambda reader, _: reader._bytes(),
    _ARRAY: lambda reader, depth: [reader.value(depth + 1) for _ in range(reader._count(4))],
    _DICTIONARY: lambda reader, depth: reader.table(depth),
    _INT32S: lambda reader, _: Int32s(reader.numbers("i", 4)),
    _INT64S: lambda reader, _: Int64s(reader.numbers("q", 8)),
    _STRINGS: lambda reader, _: _strings(reader),
}
