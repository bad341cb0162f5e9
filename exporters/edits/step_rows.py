"""The rows of steps in a folder's state: what a write changed, so that it can be taken back.

    step        a write, by the command that made it; `undoing` while it is taken back
    step_file   a file that it wrote or removed: digests of what was there before (NULL: nothing; empty: not
                kept) and of what it put there (16 zeros: nothing), one after the other
    step_row    a row of the record as it was before; `is_there` is 0 if there was none
    unfinished  the first row of `step_file` of a write that is under way

Triggers fill `step_row`, so that no other statement has to know of steps. Only the first change of a row
counts. They last as long as the connection, and are made when its first step begins.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from generator.named_tuple import NamedTuple

TABLES = """
CREATE TABLE step(id INTEGER PRIMARY KEY, command BLOB, undoing INTEGER NOT NULL);
CREATE TABLE step_file(id INTEGER PRIMARY KEY, step INTEGER NOT NULL,
    path TEXT NOT NULL CHECK(typeof(path) = 'text'), before BLOB,
    after BLOB NOT NULL CHECK(typeof(after) = 'blob'), size INTEGER NOT NULL, UNIQUE(step, path));
CREATE TABLE step_row(step INTEGER, place TEXT, key TEXT, is_there INTEGER, a, b, c, d, e, f, g,
    PRIMARY KEY(step, place, key)) WITHOUT ROWID;
CREATE TABLE unfinished(first INTEGER PRIMARY KEY)
"""
GONE = bytes(16)  # in place of a digest
_COLUMNS = {
    "output": ("id", "path", "format", "key"),
    "file": ("id", "path", "folded", "size", "mtime_ns", "digest", "pending"),
    "claim": ("output", "file", "digest", "once"),
    "exported": ("path", "formats", "said"),
    "made": ("output", "parts", "fingerprint"),
}
_KEYS = {"claim": ("output", "file")}  # of the others, the first column
_WIDTH = 7
_MOST_STEPS = 10
_MOST_ROWS = 20_000  # of all steps but the last one


class StepFile(NamedTuple):
    """A file that a step changed. `size` is that of what was there before, 0 if that was not kept."""

    number: int
    path: str
    before: bytes | None
    after: bytes
    size: int

    @property
    def given(self) -> set[bytes | None]:
        """The digests of all that the step put there; None for nothing."""
        digests = [self.after[place : place + 16] for place in range(0, len(self.after), 16)]
        return {None if digest == GONE else digest for digest in digests}


class StepRows:
    """The rows of steps, in the database of a folder's state. Its callers run the transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def begin(self, command: bytes) -> tuple[int, bool]:
        """Begin a step, or go on with the last one if the same command made it. True if it is new."""
        last = self._db.execute("SELECT id, command, undoing FROM step ORDER BY id DESC LIMIT 1").fetchone()
        is_new = not last or last[1] != command or bool(last[2])
        number = (last[0] + 1 if last else 1) if is_new else last[0]
        if is_new:
            self._db.execute("INSERT INTO step VALUES (?, ?, 0)", (number, command))
        for table, columns in _COLUMNS.items():
            for event, side, is_there in (("INSERT", "NEW", 0), ("UPDATE", "OLD", 1), ("DELETE", "OLD", 1)):
                self._db.execute(_trigger(number, table, columns, event, side, is_there))
        return number, is_new

    def note(self, step: int, path: str, before: bytes | None, after: bytes, size: int) -> int | None:
        """Record what a step does with a file. Returns the file's number if this is its first change."""
        known = self._db.execute(
            "SELECT id, after FROM step_file WHERE step = ? AND path = ?", (step, path)
        ).fetchone()
        if known:  # SQL's || would make a text of two blobs
            self._db.execute("UPDATE step_file SET after = ? WHERE id = ?", (known[1] + after, known[0]))
            return None
        return self._db.execute(
            "INSERT INTO step_file(step, path, before, after, size) VALUES (?, ?, ?, ?, ?)",
            (step, path, before, after, size),
        ).lastrowid

    def begin_write(self) -> None:
        """Record that a write is under way: all files noted from now on are its."""
        self._db.execute("INSERT OR IGNORE INTO unfinished SELECT coalesce(max(id), 0) + 1 FROM step_file")

    def finish_write(self) -> None:
        """Record that no write is under way."""
        self._db.execute("DELETE FROM unfinished")

    def unfinished(self) -> tuple[int, list[StepFile]] | None:
        """Return the step and the files of a write that is under way, or was when its process ended."""
        row = self._db.execute("SELECT min(first) FROM unfinished").fetchone()
        files = [] if row[0] is None else self._files("id >= ?", row[0])
        step = self._db.execute("SELECT max(id) FROM step").fetchone()[0]
        return (step, files) if files else None

    def last(self) -> tuple[int, bool] | None:
        """Return the last step, and whether it is being taken back."""
        row = self._db.execute("SELECT id, undoing FROM step ORDER BY id DESC LIMIT 1").fetchone()
        return (row[0], bool(row[1])) if row else None

    def files(self, step: int) -> list[StepFile]:
        """List the files of a step."""
        return self._files("step = ?", step)

    def _files(self, condition: str, number: int) -> list[StepFile]:
        rows = self._db.execute(
            f"SELECT id, path, before, after, size FROM step_file WHERE {condition} ORDER BY path", (number,)
        )
        return [StepFile(*row) for row in rows]

    def before(self, step: int, path: str) -> bytes | None:
        """Return the digest of a file before a step."""
        row = self._db.execute(
            "SELECT before FROM step_file WHERE step = ? AND path = ?", (step, path)
        ).fetchone()
        return row[0] if row else None

    def sizes(self) -> dict[int, int]:
        """Return how many bytes each step keeps, from the first step to the last."""
        return dict(
            self._db.execute(
                "SELECT step.id, coalesce(sum(size), 0) FROM step LEFT JOIN step_file ON step = step.id "
                "GROUP BY step.id ORDER BY step.id"
            )
        )

    def former_digests(self, step: int, key: str) -> tuple[bytes | None, bytes | None]:
        """Return the digest and the pending digest that the record of a file had before a step."""
        row = self._db.execute(
            "SELECT f, g FROM step_row WHERE step = ? AND place = 'file' AND b = ? AND is_there", (step, key)
        ).fetchone()
        return (row[0], row[1]) if row else (None, None)

    def mark(self, step: int) -> None:
        """Record that a step is being taken back."""
        self._db.execute("UPDATE step SET undoing = 1 WHERE id = ?", (step,))

    def restore(self, step: int) -> None:
        """Put all rows of the record back as they were before a step, and forget the step."""
        letters = ", ".join("abcdefg")
        for table, columns in _COLUMNS.items():
            keys = _KEYS.get(table, columns[:1])
            rows = self._db.execute(
                f"SELECT is_there, {letters} FROM step_row WHERE step = ? AND place = ?", (step, table)
            ).fetchall()
            matches = " AND ".join(f"{key} = ?" for key in keys)
            self._db.executemany(
                f"DELETE FROM {table} WHERE {matches}", [row[1 : 1 + len(keys)] for row in rows]
            )
            places = ", ".join("?" * len(columns))
            self._db.executemany(
                f"INSERT OR REPLACE INTO {table} VALUES ({places})",
                [row[1 : 1 + len(columns)] for row in rows if row[0]],
            )
        self.forget([step])

    def forget(self, steps: Iterable[int]) -> None:
        """Forget steps, which can no longer be taken back."""
        for step in steps:
            for table, column in (("step_row", "step"), ("step_file", "step"), ("step", "id")):
                self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (step,))

    def too_many(self, most_bytes: int) -> list[int]:
        """List the oldest steps if there are too many, or if they keep too much."""
        sizes = self.sizes()
        rows = dict(self._db.execute("SELECT step, count(*) FROM step_row GROUP BY step"))
        number, total, total_rows = 0, 0, 0
        for number, step in enumerate(reversed(sizes)):
            total += sizes[step]
            total_rows += rows.get(step, 0) if number else 0
            if number and (number >= _MOST_STEPS or total > most_bytes or total_rows > _MOST_ROWS):
                return [old for old in sizes if old <= step]
        return []


def _trigger(step: int, table: str, columns: tuple[str, ...], event: str, side: str, is_there: int) -> str:
    keys = " || ' ' || ".join(f"{side}.{key}" for key in _KEYS.get(table, columns[:1]))
    values = [f"{side}.{column}" for column in columns] + ["NULL"] * (_WIDTH - len(columns))
    return (
        f"CREATE TEMP TRIGGER {table}_{event} AFTER {event} ON main.{table} BEGIN "
        f"INSERT INTO step_row SELECT {step}, '{table}', {keys}, {is_there}, {', '.join(values)} "
        f"WHERE NOT EXISTS (SELECT 1 FROM step_row WHERE step = {step} AND place = '{table}' "
        f"AND key = CAST({keys} AS TEXT)); END"
    )
