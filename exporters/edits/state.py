"""The record of what was written into a folder: a small database in that folder, and its lock.

    file     a file that we wrote: its state on disk, its digest, and the digest of a write under way
    output   for builds: a level in a format, by path, and the key that it was last finished with
    claim    which output needs which file, with which digest; files without a claim are no longer needed
    level    for builds: saved levels by key, and the digests of their files
    exported what a level's files were exported with, by their path without suffix, and what its level.json
             said of that then
    made     for builds: what an output was made from, and its level's fingerprint
    step     a write that can be taken back, and its rows (`step_rows.py`)
    stay     for builds: what stood in place of a file when its output was finished, because of a person's
             edits (no digest: nothing), and whether those were merged into the wanted file

The output with the empty path claims what commands other than `build` have written.

A file written from an edited level is recorded under `edited:PATH`, separately from what the generator
itself wrote last to that path.

The database can be deleted. Then it is not known which files are ours, and builds make everything again. Each
step is a transaction; after a kill, SQLite completes it or rolls it back when the database is opened.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from exporters.durable import flush
from exporters.edits.step_rows import TABLES as _STEP_TABLES
from exporters.edits.step_rows import StepRows
from generator.errors import UndercroftError
from generator.named_tuple import NamedTuple

DATABASES = ("state.db", "last.db")  # in the store's folder
_APPLICATION = 0x556E6465  # "Unde", in the file's header
_VERSION = 1
# `quick_check` tests these CHECKs on a file from elsewhere.
_TABLES = (
    """
CREATE TABLE output(id INTEGER PRIMARY KEY, path TEXT NOT NULL CHECK(typeof(path) = 'text'),
    format TEXT NOT NULL CHECK(typeof(format) = 'text'), key BLOB, UNIQUE(path, format));
CREATE TABLE file(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE CHECK(typeof(path) = 'text'),
    folded TEXT NOT NULL, size INTEGER, mtime_ns INTEGER, digest BLOB, pending BLOB);
CREATE INDEX file_folded ON file(folded);
CREATE TABLE claim(output INTEGER, file INTEGER, digest BLOB, once INTEGER, PRIMARY KEY(output, file))
    WITHOUT ROWID;
CREATE INDEX claim_file ON claim(file);
CREATE TABLE level(key BLOB PRIMARY KEY CHECK(typeof(key) = 'blob'), digest BLOB) WITHOUT ROWID;
CREATE TABLE exported(path TEXT PRIMARY KEY CHECK(typeof(path) = 'text'),
    formats TEXT NOT NULL CHECK(typeof(formats) = 'text'), said TEXT NOT NULL CHECK(typeof(said) = 'text'))
    WITHOUT ROWID;
CREATE TABLE made(output INTEGER PRIMARY KEY, parts TEXT NOT NULL CHECK(typeof(parts) = 'text'),
    fingerprint TEXT NOT NULL CHECK(typeof(fingerprint) = 'text'))
;"""
    + _STEP_TABLES
    + """;
CREATE TABLE stay(path TEXT PRIMARY KEY CHECK(typeof(path) = 'text'), wanted BLOB, digest BLOB,
    merged INTEGER NOT NULL) WITHOUT ROWID
"""
)
OURS = "SELECT path, size, mtime_ns, digest, pending FROM file"
BY_COMMANDS = "claim.output IN (SELECT id FROM output WHERE path = '')"
_NO_SIZE = -1
_PAUSE_S = 0.02  # between two attempts to open it
_KEPT_LOG = "-kept"  # a second name of the database's log while it is closed
_MOST_LOG = 1 << 20  # bytes of a log that stays
_EDITED = "edited:"  # paths never contain a colon


def key_of(path: str, edited: bool) -> str:
    """Return the key of a file. A file written from an edited level has a separate one."""
    return f"{_EDITED}{path}" if edited else path


def path_of(key: str) -> str:
    """Return the path of the file with this key."""
    return key.removeprefix(_EDITED)


class Ours(NamedTuple):
    """A file that we have written (`digest`), or were about to write (`pending`)."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes | None
    pending: bytes | None


class BusyFolderError(UndercroftError):
    """Another process is writing into the folder."""


class UnusableStoreError(UndercroftError):
    """The store cannot be used: it is a link, or not writable."""


class FolderState:
    """The state of one folder, for one process at a time."""

    def __init__(self, file: Path, wait_s: float = 0) -> None:
        """Open the state. If it is damaged or of another version, a new one is made and `lost` is set.

        `is_new` is true if it was made now, for any reason.

        Raises BusyFolderError if another process has it open for longer than `wait_s`, and UndercroftError
        if it cannot be written.
        """
        self.lost = self.is_new = False
        self._file, self._wait_s = file, wait_s
        try:
            self._db = self._wait_and_open()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise _reported(file, error) from None
            self.lost = True
            self._db = self._begun_anew()

    def _wait_and_open(self) -> sqlite3.Connection:
        """Try until no other process has it open: SQLite does not wait if both set the journal mode."""
        end = time.monotonic() + self._wait_s
        while True:
            try:
                return self._open()
            except sqlite3.DatabaseError as error:
                if not _is_busy(error) or time.monotonic() >= end:
                    raise
                time.sleep(_PAUSE_S)

    def _open(self) -> sqlite3.Connection:
        is_new = not self._file.exists()
        db = sqlite3.connect(self._file, timeout=0, isolation_level=None)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")  # held until close(): one writer at a time
            db.execute(f"PRAGMA synchronous = {'OFF' if is_new else 'NORMAL'}")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA temp_store = MEMORY")  # for the triggers of steps
            db.execute("PRAGMA recursive_triggers = ON")  # which also see what REPLACE removes
            db.execute("BEGIN EXCLUSIVE")
            self._with(_KEPT_LOG).unlink(missing_ok=True)
            self._log_before = _seen(self._with("-wal"))
            header = [
                db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            ]
            tables = [statement.strip() for statement in _TABLES.split(";")]
            statements = [
                row[0]
                for row in db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")
            ]
            if not statements:
                self.is_new = True
                db.execute(f"PRAGMA application_id = {_APPLICATION}")
                db.execute(f"PRAGMA user_version = {_VERSION}")
            elif header != [_APPLICATION, _VERSION] or statements != tables[: len(statements)]:
                raise sqlite3.DatabaseError("of another version")
            elif db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("damaged")
            for statement in tables[len(statements) :]:  # of an older version: its record stays valid
                db.execute(statement)
            db.execute("COMMIT")
            db.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            db.close()
            raise
        return db

    def _begun_anew(self) -> sqlite3.Connection:
        try:
            for suffix in ("", "-wal", _KEPT_LOG, "-shm", "-journal"):
                self._with(suffix).unlink(missing_ok=True)
            return self._open()
        except (sqlite3.Error, OSError) as error:
            raise _reported(self._file, error) from None

    @property
    def steps(self) -> StepRows:
        """The rows of the writes that can be taken back."""
        return StepRows(self._db)

    def close(self) -> None:
        """Close the database, so that others can write. Its log stays, so that one flush is enough.

        SQLite would flush the log and the database, remove the log, and flush the next one and its folder.
        Instead, the log is flushed, and gets its name back after SQLite has removed it. What a power cut
        leaves of the database is then completed from the log. SQLite flushes the database before it
        begins the log again.

        Another run may open the database as soon as it is closed. It removes the second name first, so that
        an older log never comes back; and a log that it has begun is not replaced.
        """
        log, kept = self._with("-wal"), self._with(_KEPT_LOG)
        with suppress(OSError, sqlite3.Error):  # then SQLite closes it as usual
            if log.stat().st_size <= _MOST_LOG:
                if _seen(log) != self._log_before:
                    flush([log, self._file] if self.is_new else [log])
                os.link(log, kept)
                self._db.execute("PRAGMA synchronous = OFF")
        self._db.close()
        with suppress(OSError):
            os.link(kept, log)
        with suppress(OSError):
            kept.unlink()

    def _with(self, suffix: str) -> Path:
        return self._file.with_name(f"{self._file.name}{suffix}")

    @contextmanager
    def step(self) -> Iterator[None]:
        """Run a transaction, or a part of the one that runs: everything in it is recorded, or nothing."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite itself rolls back after some errors
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            raise

    # --- files -------------------------------------------------------------------------------------------

    def ours(self, path: str) -> Ours:
        """Return the record of a file, by its path."""
        row = self._db.execute(f"{OURS} WHERE path = ?", (path,)).fetchone()
        return Ours(*row) if row else Ours(path, 0, 0, None, None)

    def by_commands(self) -> list[str]:
        """List the paths of files that no build needs and another command has written."""
        return [
            row[0]
            for row in self._db.execute(
                f"SELECT path FROM file WHERE id IN (SELECT file FROM claim WHERE {BY_COMMANDS}) "
                f"AND id NOT IN (SELECT file FROM claim WHERE NOT {BY_COMMANDS})"
            )
        ]

    def is_of_another(self, path: str, stem: str) -> bool:
        """Return whether a build needs a file for another output than those at the path `stem`."""
        row = self._db.execute(
            "SELECT 1 FROM file JOIN claim ON file.id = file JOIN output ON output.id = output "
            "WHERE file.path = ? AND output.path NOT IN ('', ?)",
            (path, stem),
        ).fetchone()
        return row is not None

    def intend(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Record files before they are written, so that a kill leaves no unknown file."""
        self._db.executemany(
            "INSERT INTO file(path, folded, pending) VALUES (?, ?, ?) "
            "ON CONFLICT(path) DO UPDATE SET pending = excluded.pending",
            [(path, path.casefold(), digest) for path, digest in files],
        )

    def settle(self, path: str, size: int, mtime_ns: int, digest: bytes) -> None:
        """Record a file as it is now."""
        self._db.execute(
            "INSERT INTO file(path, folded, size, mtime_ns, digest) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT(path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns, "
            "digest = excluded.digest, pending = NULL",
            (path, path.casefold(), size, mtime_ns, digest),
        )

    def settle_merged(self, path: str, digest: bytes) -> None:
        """Record our version of a file that has a person's changes merged into it."""
        self.settle(path, _NO_SIZE, 0, digest)

    def claim_for_commands(self, paths: Iterable[str]) -> None:
        """Record that a command wrote known files, so that no build treats them as left over."""
        self._db.execute("INSERT OR IGNORE INTO output(path, format) VALUES ('', '')")
        self._db.executemany(
            "INSERT OR IGNORE INTO claim(output, file) "
            "SELECT output.id, file.id FROM output, file WHERE output.path = '' AND file.path = ?",
            [(path,) for path in paths],
        )

    def drop(self, path: str) -> None:
        """Forget a file."""
        self._db.execute(
            f"DELETE FROM claim WHERE {BY_COMMANDS} AND file IN (SELECT id FROM file WHERE path = ?)",
            (path,),
        )
        self._db.execute("DELETE FROM file WHERE path = ?", (path,))

    # --- what files were exported with -------------------------------------------------------------------

    def exported(self, path: str) -> tuple[str, str]:
        """Return what a level's files were exported with, and what its level.json said of that, if known."""
        row: tuple[str, str] | None = self._db.execute(
            "SELECT formats, said FROM exported WHERE path = ?", (path,)
        ).fetchone()
        return row or ("", "")

    def note_exported(self, path: str, formats: str, stated: str) -> None:
        """Record the two, as texts."""
        self._db.execute("INSERT OR REPLACE INTO exported VALUES (?, ?, ?)", (path, formats, stated))

    def drop_exported(self, is_gone: Callable[[str], bool]) -> None:
        """Forget levels without files, except those of builds."""
        rows = self._db.execute("SELECT path FROM exported WHERE path NOT IN (SELECT path FROM output)")
        gone = [row for row in rows.fetchall() if is_gone(row[0])]
        self._db.executemany("DELETE FROM exported WHERE path = ?", gone)


def _seen(log: Path) -> tuple[int, int]:
    """Return the size and the time of a log, if it is there."""
    try:
        status = log.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def refuse_read_only(file: Path) -> None:
    """Raise UnusableStoreError if a database or its folder cannot be written to."""
    if any(os.path.lexists(path) and not os.access(path, os.W_OK) for path in (file.parent, file)):
        raise UnusableStoreError(f"{file}: is read-only")


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Return whether the contents of the file are damaged, not just locked, missing or read-only."""
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in damage


def _is_busy(error: Exception) -> bool:
    busy = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL)
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in busy


def _reported(file: Path, error: Exception) -> UndercroftError:
    if _is_busy(error):
        return BusyFolderError(
            f"{file.parent.parent}: another run of undercroft is using this folder; wait until it ends"
        )
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    try:
        refuse_read_only(file)  # SQLite reports "disk I/O error"
    except UnusableStoreError as read_only:
        return read_only
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return UnusableStoreError(f"{file}: cannot be used: {error}")
    return UndercroftError(f"{file}: cannot be used: {error}")
