"""A pack as a file: a header, the blocks, and an index at the end.

    55 43 50 41 43 4b 0d 0a     UCPACK and a line end, which a transfer as text would change
    01 00 00 00                 format version
    e8 03 00 00                 levels
    .. .. .. .. .. .. .. ..     where the index begins
    .. .. .. ..  .. .. .. ..    its size, packed and unpacked
    (32 bytes)                  its SHA-256, packed

Little endian. Blocks and the index are zlib streams; unpacked, each is one value of `variant`.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from exporters.durable import flush
from exporters.formats.pack.block import Block, digest
from exporters.formats.pack.facts import Columns
from exporters.formats.pack.variant import Int32s, Int64s, encode
from exporters.temporary_files import TemporaryFiles
from generator.errors import BadInput, UndercroftError
from generator.files import why_not_read
from generator.version import VERSION

MAGIC = b"UCPACK\r\n"
FORMAT_VERSION = 1
HEADER = struct.Struct("<8sIIQII32s")
SUFFIX = ".ucpack"


class PackWriter:
    """A pack that is written block by block to a temporary file, which is moved to its path when finished.

    With the caller's `begun`, the finished file stays there, at `ready`, for the caller to move.
    Raises BadInput if another file exists there, UndercroftError if it cannot be written.
    """

    def __init__(self, path: Path, begun: TemporaryFiles | None = None) -> None:
        self._path = path
        self._is_moved = begun is None
        self._begun = begun or TemporaryFiles()
        self._columns = Columns()
        self._offsets, self._seeds = array("q"), array("q")
        self._sizes, self._raw_sizes = array("i"), array("i")
        self._blocks, self._places = array("i"), array("i")
        self._digests, self._fingerprints = bytearray(), bytearray()
        self._at = HEADER.size
        self.chapters: set[str] = set()  # of the levels so far; empty for levels without one

    def __enter__(self) -> PackWriter:
        refuse_other(self._path)
        try:
            self.ready = self._begun.path(self._path.parent)
            self._file = self.ready.open("xb")
            self._write_header(bytes(HEADER.size))
        except OSError as error:
            self._close()
            raise self._failed(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, trace: TracebackType | None) -> None:
        try:
            self._file.close()
            if kind is None and self._is_moved:
                flush([self.ready])
                self.ready.replace(self._path)
        except OSError as error:
            raise self._failed(error) from None
        finally:
            self._close()

    def _close(self) -> None:
        if self._is_moved:
            self._begun.close()

    @property
    def count(self) -> int:
        """The number of levels so far."""
        return len(self._seeds)

    def add(self, block: Block) -> None:
        """Write the next block. Blocks without levels are left out."""
        if not block.entries:
            return
        for index, entry in enumerate(block.entries):
            self._blocks.append(len(self._offsets))
            self._places.append(index)
            self._seeds.append(entry.seed - (1 << 64) if entry.seed >> 63 else entry.seed)
            self._fingerprints += entry.fingerprint
            self._columns.add(entry.facts)
            self.chapters.add(str(entry.facts.get("chapter") or ""))
        self._offsets.append(self._at)
        self._sizes.append(len(block.packed))
        self._raw_sizes.append(block.raw_size)
        self._digests += block.digest
        self._write(block.packed)

    def finish(self, beside: Mapping[str, bytes] | None = None) -> None:
        """Write the index and the header. `beside` has the theme's files, whose digests go into the index."""
        raw = encode(
            {
                "generator_version": VERSION,
                "block_offsets": Int64s(self._offsets),
                "block_sizes": Int32s(self._sizes),
                "block_raw_sizes": Int32s(self._raw_sizes),
                "block_digests": bytes(self._digests),
                "blocks": Int32s(self._blocks),
                "places": Int32s(self._places),
                "seeds": Int64s(self._seeds),
                "fingerprints": bytes(self._fingerprints),
                "theme_files": {name: digest(data) for name, data in (beside or {}).items()},
                **self._columns.tables(),
            }
        )
        packed = zlib.compress(raw, 9)
        start = self._at
        self._write(packed)
        checksum = hashlib.sha256(packed).digest()
        header = HEADER.pack(MAGIC, FORMAT_VERSION, self.count, start, len(packed), len(raw), checksum)
        try:
            self._file.seek(0)
            self._file.write(header)
        except OSError as error:
            raise self._failed(error) from None

    def _write_header(self, header: bytes) -> None:
        try:
            self._file.write(header)
        except OSError:
            self._file.close()
            raise

    def _write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise self._failed(error) from None
        self._at += len(data)

    def _failed(self, error: OSError) -> UndercroftError:
        return UndercroftError(f"{self._path}: cannot be written: {error.strerror}")


def refuse_other(path: Path) -> None:
    """Refuse to replace a file that is not a pack. Raises BadInput."""
    try:
        if not path.exists():
            return
        if path.is_file():
            with path.open("rb") as file:
                if file.read(len(MAGIC)) == MAGIC:
                    return
    except OSError as error:
        raise UndercroftError(f"{path}: cannot be read: {why_not_read(error, path)}") from None
    raise BadInput(f"{path}: exists and is not a pack; choose another name or delete it")
