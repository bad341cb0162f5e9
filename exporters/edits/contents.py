"""The bytes of the files written last, compressed, for merges: a second database, which can be deleted.

It is separate because the state must be valid before anything is written, and small enough to be checked
each time. Contents are used only if they match the digest in the state. So it is never flushed to disk: what
a power cut leaves of it is used if it is whole.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from exporters.edits.digests import digest_of_bytes
from exporters.edits.state import is_damage

_APPLICATION = 0x556E6463  # "Undc", in the file's header
_TABLE = (
    "CREATE TABLE content(number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest BLOB NOT NULL, "
    "size INTEGER NOT NULL, packed BLOB NOT NULL)"
)
_MAX_FILES = 100_000
_MAX_BYTES = 1 << 28  # size of the database; the oldest contents are dropped first
_MAX_CONTENT = 1 << 26  # of one file, unpacked
_UNMERGED = (".png", ".ucpack")  # pictures and packs are large and never merged
_ASIDE = "undo:"  # before a step's number and a path; paths never contain a colon
_LEVEL = 1  # of zlib: five times as fast as the default, with 20 % more bytes


def step_of(path: str) -> int | None:
    """Return the step that contents were set aside in, None for those in use."""
    number = path.removeprefix(_ASIDE).partition(":")[0] if path.startswith(_ASIDE) else ""
    return int(number) if number.isdecimal() else None


class Contents:
    """The contents written last into one folder, by path. If this fails, only merges are impossible."""

    def __init__(self, file: Path, *, most_files: int = _MAX_FILES, most_bytes: int = _MAX_BYTES) -> None:
        """Set the limits. The database is opened when it is first needed."""
        self._file = file
        self._most_files, self._most_bytes = most_files, most_bytes
        self._db: sqlite3.Connection | None = None
        self._is_usable = True

    def put(self, path: str, digest: bytes, data: bytes) -> None:
        """Keep a file's bytes instead of those kept before."""
        if path.endswith(_UNMERGED) or len(data) > _MAX_CONTENT:
            return
        db = self._opened()
        if db:
            with self._trouble():
                self._begin(db)
                db.execute(
                    "INSERT OR REPLACE INTO content(path, digest, size, packed) VALUES (?, ?, ?, ?)",
                    (path, digest, len(data), zlib.compress(data, _LEVEL)),
                )

    def set_aside(self, path: str, step: int, unless: bytes | None) -> None:
        """Keep a file's bytes for the undo of a step, unless they have the digest of the file that it kept.

        Call this before `put`. Only the first call of a step counts.
        """
        db = self._opened() if self._file.exists() else None
        if db:
            with self._trouble():
                self._begin(db)
                db.execute(
                    "UPDATE OR IGNORE content SET path = ? WHERE path = ? AND digest != ?",
                    (f"{_ASIDE}{step}:{path}", path, unless or b""),
                )
                if unless is None:  # there may be none to go back to
                    db.execute(
                        "INSERT OR IGNORE INTO content(path, digest, size, packed) VALUES (?, x'', 0, x'')",
                        (f"{_ASIDE}{step}:{path}",),
                    )

    def restore(self, step: int) -> None:
        """Bring back what was set aside in a step."""
        db = self._opened() if self._file.exists() else None
        if db:
            with self._trouble():
                self._begin(db)
                prefix = f"{_ASIDE}{step}:"
                names = [
                    row[0]
                    for row in db.execute(
                        "SELECT path FROM content WHERE substr(path, 1, ?) = ?", (len(prefix), prefix)
                    )
                ]
                for name in names:
                    path = name.removeprefix(prefix)
                    db.execute("DELETE FROM content WHERE path = ?", (path,))
                    db.execute("UPDATE content SET path = ? WHERE path = ?", (path, name))
                    db.execute("DELETE FROM content WHERE path = ? AND digest = x''", (path,))

    def get(self, path: str, digest: bytes | None = None) -> bytes | None:
        """Return the kept bytes of a file if they have this digest, by default that of the row."""
        db = self._opened() if self._file.exists() else None
        row = None
        if db:
            with self._trouble():
                row = db.execute(
                    "SELECT size, packed, digest FROM content WHERE path = ?", (path,)
                ).fetchone()
        if not row or not isinstance(row[0], int) or not 0 <= row[0] <= _MAX_CONTENT:
            return None
        try:
            data = zlib.decompressobj().decompress(row[1], row[0] + 1)
        except (zlib.error, TypeError):
            return None
        return data if digest_of_bytes(data) == (digest or row[2]) else None

    def drop(self, is_gone: Callable[[str], bool]) -> None:
        """Drop the contents of files that are gone, and the oldest ones if there are too many."""
        db = self._opened() if self._file.exists() else None
        if not db:
            return
        with self._trouble():
            paths = [row[0] for row in db.execute("SELECT path FROM content")]
            gone = [(path,) for path in paths if not isinstance(path, str) or is_gone(path)]
            db.executemany("DELETE FROM content WHERE path = ?", gone)
            while (excess := self._excess(db)) > 0:
                db.execute(
                    "DELETE FROM content WHERE number IN "
                    "(SELECT number FROM content ORDER BY number LIMIT ?)",
                    (excess,),
                )

    def _begin(self, db: sqlite3.Connection) -> None:
        if not db.in_transaction:
            db.execute("BEGIN")

    def _excess(self, db: sqlite3.Connection) -> int:
        """Count the contents to drop: those above the limit, or an eighth if the database is too large."""
        count = int(db.execute("SELECT count(*) FROM content").fetchone()[0])
        pages, free, size = (
            int(db.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        if count and (pages - free) * size > self._most_bytes:
            return max(1, count // 8)
        return max(0, count - self._most_files)

    def close(self) -> None:
        """Commit the last changes and close the database."""
        if self._db:
            with self._trouble():
                if self._db.in_transaction:
                    self._db.execute("COMMIT")
        if self._db:
            self._db.close()
            self._db = None

    def _trouble(self) -> suppress:
        """Ignore errors of the database: without it, there is just no base for a merge."""
        return suppress(sqlite3.Error)

    def _opened(self) -> sqlite3.Connection | None:
        """Open the database. A damaged one is replaced once."""
        for _ in range(2 if self._db is None and self._is_usable else 0):
            try:
                self._db = _open(self._file)
                return self._db
            except (sqlite3.Error, OSError) as error:
                if isinstance(error, sqlite3.DatabaseError) and not is_damage(error):
                    break
                with suppress(OSError):
                    for suffix in ("", "-wal", "-shm", "-journal"):
                        self._file.with_name(self._file.name + suffix).unlink(missing_ok=True)
        self._is_usable = self._db is not None
        return self._db


def _open(file: Path) -> sqlite3.Connection:
    """Open the database. Raises sqlite3.Error for a file that is not ours, and OSError for a link."""
    if file.is_symlink():
        raise OSError("is a link")
    db = sqlite3.connect(file, timeout=0, isolation_level=None)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA journal_mode = WAL")
        statements = [row[0] for row in db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")]
        if not statements:
            db.execute(_TABLE)
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
        elif statements != [_TABLE] or db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise sqlite3.DatabaseError("of another version")
    except BaseException:
        db.close()
        raise
    return db
