"""Read packs: the index at once, blocks one by one. Nothing is used before its digest is checked."""

from __future__ import annotations

import hashlib
import os
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from exporters.formats.pack import MAX_BLOCK_BYTES, MAX_INDEX_BYTES, MAX_LEVELS
from exporters.formats.pack.file import FORMAT_VERSION, HEADER, MAGIC, NONE, digest
from exporters.formats.pack.scan import problem_of_scene
from exporters.formats.pack.variant import Int32s, Int64s, Strings, VariantError, decode
from generator.errors import BadInput
from generator.files import why_not_read

_MAX_RATIO = 1032  # of zlib
_COLUMNS = {"blocks": Int32s, "places": Int32s, "seeds": Int64s}
_BLOCKS = {"block_offsets": Int64s, "block_sizes": Int32s, "block_raw_sizes": Int32s}


class DamageError(Exception):
    """A part of a pack is damaged."""


@dataclass(frozen=True)
class Pack:
    """The index of a pack. `format.md` describes the keys of `index`."""

    path: Path
    count: int
    index: dict[str, Any]

    def facts(self, level: int) -> dict[str, int | str]:
        """Return the record of a level in the index."""
        record: dict[str, int | str] = {}
        for name, column in self.index["facts"].items():
            texts = self.index["texts"].get(name)
            if column[level] != NONE:
                record[name] = texts[column[level]] if texts else column[level]
        return record

    def seed(self, level: int) -> int:
        """Return the seed of a level."""
        seed: int = self.index["seeds"][level]
        return seed % (1 << 64)

    def fingerprint(self, level: int) -> str:
        """Return the fingerprint of a level."""
        data: bytes = self.index["fingerprints"][16 * level : 16 * level + 16]
        return data.hex()


def load_pack(path: Path) -> Pack:
    """Read a pack's index. Raises BadInput."""
    with opened(path) as file:
        try:
            return _indexed(path, file)
        except DamageError as damage:
            raise BadInput(f"{path}: {damage}") from None


def problems(path: Path) -> list[str]:
    """List all problems of a pack: of its index, or of its blocks and levels."""
    with opened(path) as file:
        try:
            pack = _indexed(path, file)
        except DamageError as damage:
            return [str(damage)]
        return list(_problems(pack, file))


def raw_block(pack: Pack, file: BinaryIO, number: int) -> bytes:
    """Unpack a block. Raises DamageError."""
    where, index = f"block {number}", pack.index
    file.seek(index["block_offsets"][number])
    packed = file.read(index["block_sizes"][number])
    if digest(packed) != index["block_digests"][16 * number : 16 * number + 16]:
        raise DamageError(f"{where}: is damaged; copy the pack again, or rebuild it")
    return _inflated(packed, index["block_raw_sizes"][number], MAX_BLOCK_BYTES, where)


def opened(path: Path) -> BinaryIO:
    """Open the file of a pack. Raises BadInput."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInput(f"{path}: is not a file; name one")
        return path.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise BadInput(f"{path}: cannot be read: {why_not_read(error, path)}") from None


def _indexed(path: Path, file: BinaryIO) -> Pack:
    size = os.fstat(file.fileno()).st_size
    header = file.read(HEADER.size)
    if len(header) < HEADER.size or not header.startswith(MAGIC):
        raise DamageError("not an Undercroft pack; make one with `undercroft pack`")
    _, version, count, start, packed_size, raw_size, expected = HEADER.unpack(header)
    if version != FORMAT_VERSION:
        raise DamageError(f"format version is {version}, and this program reads {FORMAT_VERSION}")
    if not 1 <= count <= MAX_LEVELS:
        raise DamageError(f"level count {count} is out of range (1 to {MAX_LEVELS})")
    if start < HEADER.size or start + packed_size != size:
        raise DamageError("the file is truncated; copy it again")
    file.seek(start)
    packed = file.read(packed_size)
    if hashlib.sha256(packed).digest() != expected:
        raise DamageError("index: is damaged; copy the pack again, or rebuild it")
    index = _decoded(_inflated(packed, raw_size, MAX_INDEX_BYTES, "index"), "index")
    wrong = _wrong_with(index, count, start)
    if wrong:
        raise DamageError(f"index: {wrong}")
    return Pack(path, count, index)


def _inflated(packed: bytes, size: int, most: int, where: str) -> bytes:
    if not 1 <= size <= min(most, len(packed) * _MAX_RATIO):
        raise DamageError(f"{where}: claims an impossible unpacked size of {size} bytes")
    try:
        raw = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        raise DamageError(f"{where}: {error}") from None
    if len(raw) != size:
        raise DamageError(f"{where}: does not contain {size} bytes")
    return raw


def _decoded(raw: bytes, where: str) -> dict[str, Any]:
    try:
        value = decode(raw)
    except VariantError as error:
        raise DamageError(f"{where}: {error}") from None
    if not isinstance(value, dict):
        raise DamageError(f"{where}: does not contain a table")
    return value


def _wrong_with(index: dict[str, Any], count: int, end: int) -> str:
    """Describe the first inconsistency of an index. The text is empty if there is none."""
    digests = index.get("block_digests")
    blocks = len(digests) // 16 if isinstance(digests, bytes) else 0
    for names, length in ((_COLUMNS, count), (_BLOCKS, blocks)):
        for name, type_ in names.items():
            column = index.get(name)
            if not isinstance(column, type_) or len(column) != length:
                return f"{name}: is not a list of {length} numbers"
    fingerprints = index.get("fingerprints")
    if not isinstance(fingerprints, bytes) or len(fingerprints) != 16 * count:
        return f"fingerprints: are not 16 bytes for each of {count} levels"
    for number, (at, size) in enumerate(zip(index["block_offsets"], index["block_sizes"], strict=True)):
        if size < 1 or at < HEADER.size or at + size > end:
            return f"block {number} is outside the file"
    if not all(0 <= block < blocks for block in index["blocks"]) or min(index["places"]) < 0:
        return "a level is in a block that does not exist"
    return _wrong_with_facts(index, count)


def _wrong_with_facts(index: dict[str, Any], count: int) -> str:
    facts, texts = index.get("facts"), index.get("texts")
    if not isinstance(facts, dict) or not isinstance(texts, dict):
        return "facts: are not tables"
    for name, column in facts.items():
        if not isinstance(name, str) or not isinstance(column, Int32s) or len(column) != count:
            return f"facts: {name} is not a list of {count} numbers"
    for name, known in texts.items():
        if name not in facts or not isinstance(known, Strings):
            return f"texts: {name} is not a list of texts for a fact"
        if any(number != NONE and not 0 <= number < len(known) for number in facts[name]):
            return f"facts: {name} names a text that does not exist"
    return ""


def _problems(pack: Pack, file: BinaryIO) -> Iterator[str]:
    index = pack.index
    levels: dict[int, list[tuple[int, int]]] = {}
    for level, (block, index_in_block) in enumerate(zip(index["blocks"], index["places"], strict=True)):
        levels.setdefault(block, []).append((level, index_in_block))
    for number, entries in sorted(levels.items()):
        try:
            block = _decoded(raw_block(pack, file, number), f"block {number}")
        except DamageError as damage:
            yield str(damage)
            continue
        for level, index_in_block in entries:
            wrong = problem_of_scene(block, index_in_block)
            if wrong:
                yield f"level {level}: {wrong}"


# --- whether two packs contain the same levels, even if zlib compressed them differently -------------

_OF_STREAMS = {"block_offsets", "block_sizes", "block_digests"}


def other_levels(new: Path, old: Path) -> tuple[list[str], int]:
    """Compare the levels that two packs have by the same names.

    Returns the names of those that differ, and the number of the others. Raises BadInput.
    """
    before = dict(_levels(load_pack(old)))
    both = [(name, print_ == before[name]) for name, print_ in _levels(load_pack(new)) if name in before]
    return [name for name, is_same in both if not is_same], sum(is_same for _, is_same in both)


def _levels(pack: Pack) -> Iterator[tuple[str, str]]:
    for number in range(pack.count):
        facts = pack.facts(number)
        yield (
            f"{facts.get('group')}, {facts.get('name', f'seed {pack.seed(number)}')}",
            pack.fingerprint(number),
        )


def same_packs(ours: Path, theirs: Path) -> bool:
    """Check whether index and blocks are equal when unpacked. One block of each is in memory at a time."""
    try:
        packs = load_pack(ours), load_pack(theirs)
        first, second = (
            {name: column for name, column in pack.index.items() if name not in _OF_STREAMS} for pack in packs
        )
        if first != second:
            return False
        with opened(ours) as our_file, opened(theirs) as their_file:
            return all(
                raw_block(packs[0], our_file, number) == raw_block(packs[1], their_file, number)
                for number in range(len(packs[0].index["block_sizes"]))
            )
    except (BadInput, DamageError, OSError):
        return False
