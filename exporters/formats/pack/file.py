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
from typing import TYPE_CHECKING

from exporters.durable import TemporaryFiles, flush
from exporters.formats.pack.variant import Int32s, Int64s, Strings, encode
from generator.errors import BadInput, UndercroftError
from generator.files import why_not_read
from generator.named_tuple import NamedTuple
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.theme.districts import LevelLooks
    from generator.batch.facts import Subject
    from generator.level import Level

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
        self.looks: set[LevelLooks] = set()  # of the levels so far

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
            self.looks.add(entry.looks)
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
        packed = compressed(raw)
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


# --- a block of levels as it lies in a pack, and what the index says of it ---------------------------

LEVELS_A_BLOCK = 16  # more would make packs smaller, but levels slower to read


class PackEntry(NamedTuple):
    """A level's record in the index."""

    seed: int
    fingerprint: bytes
    facts: LevelFacts
    looks: LevelLooks


class Missing(NamedTuple):
    """A level that could not be made."""

    level: str  # its group and its seed or name, as in messages of builds
    reason: str


class Block(NamedTuple):
    """A block as it is in the file, its entries for the index, and the levels that are missing."""

    packed: bytes
    raw_size: int
    entries: list[PackEntry]
    failed: list[Missing]

    @property
    def digest(self) -> bytes:
        """The digest that a reader compares the bytes with."""
        return digest(self.packed)


def compressed(raw: bytes) -> bytes:
    """Compress a block or the index. Level 9 makes packs 2 % smaller, and takes five times as long."""
    return zlib.compress(raw, 7)


def digest(data: bytes) -> bytes:
    """Compute the first half of a SHA-256."""
    return hashlib.sha256(data).digest()[:16]


# --- the facts about levels in the index, so that a game can choose one without reading it -----------
#
# They are named as in `undercroft search --facts`, with the word after a dot: `count.shop`,
# `markers.enemy`, `rooms.boss.distance`.

LevelFacts = Mapping[str, int | str | None]

NONE = -(1 << 31)  # stands for a missing number
_PLAIN = ("rooms", "longest", "dead_ends", "loops", "columns", "rows", "width", "height", "curse", "chapter")


def pack_facts(level: Level, group: str, name: str = "", place: int = 0) -> LevelFacts:
    """Collect all facts of a level. `place` is that in its run. Counts of 0 are left out."""
    from generator.batch.facts import FACTS, SavedSubject
    from generator.links import place_of

    subject, place = SavedSubject(level), place_of(level.spec) or place
    facts: dict[str, int | str | None] = {
        "group": group,
        **({"name": name} if name else {}),
        "style": level.style,
        "stage": getattr(level.spec, "stage", 0),
        **({"place": place} if place else {}),
    }
    for fact in _PLAIN:
        answer = FACTS[fact].get(subject, "")
        assert not isinstance(answer, float)
        facts[fact] = answer
    for kind, count in sorted(subject.kinds.items()):
        facts[f"count.{kind}"] = count
        distance = FACTS["rooms.KIND.distance"].get(subject, kind)
        assert not isinstance(distance, (float, str))
        facts[f"rooms.{kind}.distance"] = distance
    for kind, count in sorted(subject.markers.items()):
        facts[f"markers.{kind}"] = count
    return facts | _own_facts(subject)


def _own_facts(subject: Subject) -> dict[str, int | str | None]:
    """Collect the facts of the level's style: those without a word, if they are texts or whole numbers."""
    from generator.batch.facts import facts_of

    own = [fact for fact in facts_of([subject.spec.style]).values() if fact.style and not fact.of]
    answers = {fact.name: fact.get(subject, "") for fact in own}
    return {name: answer for name, answer in answers.items() if not isinstance(answer, float)}


class Columns:
    """The facts of many levels, one column per fact."""

    def __init__(self) -> None:
        self._count = 0
        self._numbers: dict[str, array[int]] = {}
        self._texts: dict[str, dict[str, int]] = {}  # by fact and text: the text's index

    def add(self, facts: LevelFacts) -> None:
        """Add the facts of the next level."""
        for name, value in facts.items():
            self._column(name).append(self._number(name, value))
        self._count += 1
        for name, column in self._numbers.items():
            if len(column) < self._count:
                column.append(_missing(name))

    def _number(self, name: str, value: int | str | None) -> int:
        if not isinstance(value, str):
            return NONE if value is None else value
        texts = self._texts.setdefault(name, {})
        return texts.setdefault(value, len(texts))

    def _column(self, name: str) -> array[int]:
        column = self._numbers.get(name)
        if column is None:
            column = self._numbers[name] = array("i", [_missing(name)]) * self._count
        return column

    def tables(self) -> dict[str, object]:
        """Return, for the index, `facts` and the `texts` that facts with texts refer to."""
        return {
            "facts": {name: Int32s(column) for name, column in sorted(self._numbers.items())},
            "texts": {name: Strings(texts) for name, texts in sorted(self._texts.items())},
        }


def _missing(name: str) -> int:
    """Return the value of a fact that a level does not have."""
    return 0 if name.startswith(("count.", "markers.")) else NONE
