"""Operations on whole buffers, for kernels: one call in Python, a loop when compiled.

`COMPILED` names the compiled form of each.
"""

from __future__ import annotations


def copy(target: bytearray, source: bytes | bytearray) -> None:
    """Copy `source` into `target`, which has the same length."""
    target[:] = source


def _copy_64(target: bytearray, source: bytes | bytearray) -> None:
    for i in range(len(source)):
        target[i] = source[i]


def put(target: bytearray, start: int, source: bytes) -> None:
    """Copy `source` into `target`, from `start` on."""
    target[start : start + len(source)] = source


def _put_64(target: bytearray, start: int, source: bytes) -> None:
    for i in range(len(source)):
        target[start + i] = source[i]


def translate(target: bytearray, source: bytearray, table: bytes) -> None:
    """Set `target` to `source`, with each byte replaced by its entry in `table` (256 bytes)."""
    target[:] = source.translate(table)


def _translate_64(target: bytearray, source: bytearray, table: bytes) -> None:
    for i in range(len(source)):
        target[i] = table[source[i]]


def find(buffer: bytearray, byte: int) -> int:
    """Find the first index of a byte. Returns -1 if it is not there."""
    return buffer.find(byte)


def _find_64(buffer: bytearray, byte: int) -> int:
    for i in range(len(buffer)):
        if buffer[i] == byte:
            return i
    return -1


def pop(buffer: bytearray, count: int, index: int) -> int:
    """Remove and return the byte at an index of the first `count`. Those after it move up by one."""
    byte = buffer[index]
    buffer[index : count - 1] = buffer[index + 1 : count]
    return byte


def _pop_64(buffer: bytearray, count: int, index: int) -> int:
    byte = buffer[index]
    for i in range(index, count - 1):
        buffer[i] = buffer[i + 1]
    return byte


COMPILED = {"copy": _copy_64, "find": _find_64, "pop": _pop_64, "put": _put_64, "translate": _translate_64}
