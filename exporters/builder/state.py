"""What a folder's last builds have written: a small database in the folder itself, and its lock.

    output   a level in a format, by path, and the key that it was last finished with
    file     a file that is ours: its state on disk, its digest, and the digest of what was to be written
    claim    which output needs which file, with which digest; what nobody claims is no longer asked for
    level    saved levels by key, and the digests of their files

It is all that is needed to leave alone what is done, and can be lost: then everything is built again.
Each step is a transaction; SQLite finishes or undoes it when it is opened after a kill.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from exporters.builder.plan import Output
from generator.errors import UndercroftError

_APPLICATION = 0x556E6465  # "Unde", in the file's header
_VERSION = 1
# The checks are those that `quick_check` holds a file from elsewhere to.
_TABLES = """
CREATE TABLE output(id INTEGER PRIMARY KEY, path TEXT NOT NULL CHECK(typeof(path) = 'text'),
    format TEXT NOT NULL CHECK(typeof(format) = 'text'), key BLOB, UNIQUE(path, format));
CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE CHECK(typeof(path) = 'text'),
    folded TEXT NOT NULL, size INTEGER, mtime_ns INTEGER, digest BLOB, pending BLOB);
CREATE INDEX file_folded ON file(folded);
CREATE TABLE claim(output INTEGER, file INTEGER, digest BLOB, once INTEGER, PRIMARY KEY(output, file))
    WITHOUT ROWID;
CREATE INDEX claim_file ON claim(file);
CREATE TABLE level(key BLOB PRIMARY KEY CHECK(typeof(key) = 'blob'), digest BLOB) WITHOUT ROWID
"""


_OURS = "SELECT path, size, mtime_ns, digest, pending FROM file"


class WrittenFile(NamedTuple):
    """A file that an output needs, as it was when it was written."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes
    wanted: bytes
    once: bool


class Ours(NamedTuple):
    """A file that we have written, or were about to write."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes | None
    pending: bytes | None


class BuildState:
    """The state of one folder, for one build at a time."""

    def __init__(self, file: Path) -> None:
        """Open it; one that is damaged or of another version is begun anew, and `lost` says so.

        `is_new` is true of one that was begun now, for whichever reason.

        Raises UndercroftError if another build has it open, or if it cannot be written.
        """
        self.lost = self.is_new = False
        self._file = file
        try:
            self._db = self._open()
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise _told(file, error) from None
            self.lost = True
            self._db = self._begun_anew()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._file, timeout=0, isolation_level=None)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")  # kept until it is closed: one build at a time
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("BEGIN EXCLUSIVE")
            header = [
                db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            ]
            tables = [statement.strip() for statement in _TABLES.split(";")]
            found = [
                row[0]
                for row in db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")
            ]
            if not found:
                self.is_new = True
                for statement in tables:
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {_APPLICATION}")
                db.execute(f"PRAGMA user_version = {_VERSION}")
            elif header != [_APPLICATION, _VERSION] or found != tables:
                raise sqlite3.DatabaseError("of another version")
            elif db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("damaged")
            db.execute("COMMIT")
        except BaseException:
            db.close()
            raise
        return db

    def _begun_anew(self) -> sqlite3.Connection:
        try:
            for suffix in ("", "-wal", "-shm", "-journal"):
                self._file.with_name(self._file.name + suffix).unlink(missing_ok=True)
            return self._open()
        except (sqlite3.Error, OSError) as error:
            raise _told(self._file, error) from None

    def close(self) -> None:
        """Let others build here."""
        self._db.close()

    @contextmanager
    def step(self) -> Iterator[None]:
        """A transaction: all that is noted in it, or nothing."""
        self._db.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # --- outputs -----------------------------------------------------------------------------------------

    def output(self, output: Output) -> tuple[int, bytes | None] | None:
        """The number of an output, if it has one, and the key that it was finished with, if it ever was."""
        row: tuple[int, bytes | None] | None = self._db.execute(
            "SELECT id, key FROM output WHERE path = ? AND format = ?", (output.path, output.format)
        ).fetchone()
        return row

    def files_of(self, number: int) -> list[WrittenFile]:
        """The files that an output needs."""
        rows = self._db.execute(
            "SELECT path, size, mtime_ns, file.digest, claim.digest, once "
            "FROM claim JOIN file ON file.id = file WHERE output = ?",
            (number,),
        )
        return [WrittenFile(*row) for row in rows]

    def rivals(self, path: str) -> list[tuple[int, str, bytes]]:
        """The outputs that need a file of this name, in any case: number, the file's name, its digest."""
        return self._db.execute(
            "SELECT output, path, claim.digest FROM file JOIN claim ON file.id = file WHERE folded = ?",
            (path.casefold(),),
        ).fetchall()

    def name_of(self, number: int) -> str:
        """An output's path and format, for messages."""
        row = self._db.execute("SELECT path, format FROM output WHERE id = ?", (number,)).fetchone()
        return f"{row[0]} ({row[1]})"

    def finish(self, output: Output, needs: Iterable[tuple[str, bytes, bool]]) -> int:
        """Note that an output is done, and which known files it needs (path, digest, once); its number."""
        self._db.execute(
            "INSERT INTO output(path, format, key) VALUES (?, ?, ?) "
            "ON CONFLICT(path, format) DO UPDATE SET key = excluded.key",
            (output.path, output.format, output.key),
        )
        found = self.output(output)
        assert found
        self._db.execute("DELETE FROM claim WHERE output = ?", found[:1])
        self._db.executemany(
            "INSERT INTO claim SELECT ?, id, ?, ? FROM file WHERE path = ?",
            [(found[0], wanted, once, path) for path, wanted, once in needs],
        )
        return found[0]

    def forget(self, seen: Container[int]) -> None:
        """Forget outputs that are not among `seen`; their files stay known, and nobody's."""
        unseen = [row for row in self._db.execute("SELECT id FROM output").fetchall() if row[0] not in seen]
        with self.step():
            self._db.executemany("DELETE FROM claim WHERE output = ?", unseen)
            self._db.executemany("DELETE FROM output WHERE id = ?", unseen)

    # --- files -------------------------------------------------------------------------------------------

    def ours(self, path: str) -> Ours:
        """What is known of a file by its path."""
        row = self._db.execute(f"{_OURS} WHERE path = ?", (path,)).fetchone()
        return Ours(*row) if row else Ours(path, 0, 0, None, None)

    def nobodys(self) -> list[Ours]:
        """The files that no output needs any more."""
        rows = self._db.execute(f"{_OURS} WHERE id NOT IN (SELECT file FROM claim) ORDER BY path")
        return [Ours(*row) for row in rows]

    def intend(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Note what is going to be written, so that a kill leaves no file that nobody knows."""
        self._db.executemany(
            "INSERT INTO file(path, folded, pending) VALUES (?, ?, ?) "
            "ON CONFLICT(path) DO UPDATE SET pending = excluded.pending",
            [(path, path.casefold(), digest) for path, digest in files],
        )

    def settle(self, path: str, size: int, mtime_ns: int, digest: bytes) -> None:
        """Note a file as it is now."""
        self._db.execute(
            "INSERT INTO file(path, folded, size, mtime_ns, digest) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT(path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns, "
            "digest = excluded.digest, pending = NULL",
            (path, path.casefold(), size, mtime_ns, digest),
        )

    def drop(self, path: str) -> None:
        """Forget a file."""
        self._db.execute("DELETE FROM file WHERE path = ?", (path,))

    # --- saved levels ------------------------------------------------------------------------------------

    def level(self, key: bytes) -> bytes | None:
        """The digest of a saved level's file."""
        row = self._db.execute("SELECT digest FROM level WHERE key = ?", (key,)).fetchone()
        return row and row[0]  # type: ignore[no-any-return]

    def levels(self) -> list[bytes]:
        """The keys of all saved levels."""
        return [row[0] for row in self._db.execute("SELECT key FROM level")]

    def keep_level(self, key: bytes, digest: bytes) -> None:
        """Note a saved level."""
        self._db.execute("INSERT OR REPLACE INTO level VALUES (?, ?)", (key, digest))

    def drop_level(self, key: bytes) -> None:
        """Forget a saved level."""
        self._db.execute("DELETE FROM level WHERE key = ?", (key,))


def known_files(file: Path) -> list[str]:
    """The paths of all files that a folder's builds have written; nothing is locked or written to ask."""
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", timeout=0, uri=True)
        ) as db:
            return [str(row[0]) for row in db.execute("SELECT path FROM file ORDER BY path")]
    except sqlite3.Error:
        return []


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Not a file that is locked, missing or read-only, but one that holds what it should not."""
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in damage


def _told(file: Path, error: Exception) -> UndercroftError:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
        return UndercroftError(f"{file.parent.parent}: another build is at work here; wait for its end")
    return UndercroftError(f"{file}: cannot be used: {error}")
