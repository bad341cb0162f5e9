"""What builds record in a folder's state: outputs, the files that they claim, and saved levels."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterable
from contextlib import closing
from pathlib import Path

from exporters.builder.plan import Output
from exporters.edits.state import BY_COMMANDS, OURS, FolderState, Ours
from exporters.exported import Formats, formats_in_text, is_usual, text_of
from generator.named_tuple import NamedTuple

_BUILT = f"{OURS} WHERE id NOT IN (SELECT file FROM claim WHERE {BY_COMMANDS}) ORDER BY path"


class WrittenFile(NamedTuple):
    """A file that an output needs, as it was written."""

    path: str
    size: int
    mtime_ns: int
    digest: bytes
    wanted: bytes | None
    once: bool
    pending: bytes | None


class Numbers:
    """A set of small numbers, one byte each."""

    def __init__(self) -> None:
        self._flags = bytearray()

    def add(self, number: int) -> None:
        """Add a number."""
        if number >= len(self._flags):
            self._flags.extend(bytes(number + 1024 - len(self._flags)))
        self._flags[number] = 1

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number < len(self._flags) and bool(self._flags[number])


class BuildState(FolderState):
    """The state of one folder. One build at a time can open it."""

    # --- outputs -----------------------------------------------------------------------------------------

    def output(self, output: Output) -> tuple[int, bytes | None] | None:
        """Return an output's number, and the key that it was last finished with, if any. None if unknown."""
        row: tuple[int, bytes | None] | None = self._db.execute(
            "SELECT id, key FROM output WHERE path = ? AND format = ?", (output.path, output.format)
        ).fetchone()
        return row

    def files_of(self, number: int) -> list[WrittenFile]:
        """Return the files that an output needs."""
        rows = self._db.execute(
            "SELECT path, size, mtime_ns, file.digest, claim.digest, once, pending "
            "FROM claim JOIN file ON file.id = file WHERE output = ?",
            (number,),
        )
        return [WrittenFile(*row) for row in rows]

    def rivals(self, path: str) -> list[tuple[int, str, bytes | None]]:
        """List the outputs that need a file with this name, ignoring case: number, file name, digest."""
        return self._db.execute(
            "SELECT output, path, claim.digest FROM file JOIN claim ON file.id = file WHERE folded = ?",
            (path.casefold(),),
        ).fetchall()

    def name_of(self, number: int) -> str:
        """Return an output's path and format, for messages."""
        row = self._db.execute("SELECT path, format FROM output WHERE id = ?", (number,)).fetchone()
        return f"{row[0]} ({row[1]})"

    def made(self, number: int) -> tuple[str, str]:
        """Return what an output was made from, and its level's fingerprint, both empty if not known."""
        row: tuple[str, str] | None = self._db.execute(
            "SELECT parts, fingerprint FROM made WHERE output = ?", (number,)
        ).fetchone()
        return row or ("", "")

    def finish(
        self,
        output: Output,
        needs: Iterable[tuple[str, bytes, bool]],
        fingerprint: str = "",
        used: Iterable[str] = (),
    ) -> int:
        """Record that an output is done, and its files (path, digest, once). Returns its number.

        `fingerprint` is that of its level. `used` are files that only need to be there, whatever is in them.
        """
        self._db.execute(
            "INSERT INTO output(path, format, key) VALUES (?, ?, ?) "
            "ON CONFLICT(path, format) DO UPDATE SET key = excluded.key",
            (output.path, output.format, output.key),
        )
        known = self.output(output)
        assert known
        made = (known[0], output.parts, fingerprint)
        self._db.execute("INSERT OR REPLACE INTO made VALUES (?, ?, ?)", made)
        self._db.execute("DELETE FROM claim WHERE output = ?", known[:1])
        self._db.executemany(
            "INSERT OR REPLACE INTO claim SELECT ?, id, ?, ? FROM file WHERE path = ?",
            [
                (known[0], wanted, once, path)
                for path, wanted, once in (*((it, None, True) for it in used), *needs)
            ],
        )
        return known[0]

    def note_output(self, output: Output, stated: Formats | None) -> None:
        """Record what the files beside an output are exported with.

        `stated` is what the level.json beside them says of that; None: what it says if this build wrote it.
        """
        new = formats_in_text(output.exported)
        if stated is None:
            stated = {} if is_usual(new) else new
        before, _ = self.exported(output.path)
        self.note_exported(output.path, text_of(formats_in_text(before) | new), text_of(stated))

    def stay(self, path: str) -> tuple[bytes, bytes | None, bool] | None:
        """Return the wanted digest, that of what stood there instead, and whether it was merged."""
        row = self._db.execute("SELECT wanted, digest, merged FROM stay WHERE path = ?", (path,)).fetchone()
        return (row[0], row[1], bool(row[2])) if row else None

    def note_stay(self, path: str, wanted: bytes, digest: bytes | None, *, is_merged: bool) -> None:
        """Record what stands in place of a wanted file, which becomes a known one."""
        self._db.execute("INSERT OR IGNORE INTO file(path, folded) VALUES (?, ?)", (path, path.casefold()))
        self._db.execute("INSERT OR REPLACE INTO stay VALUES (?, ?, ?, ?)", (path, wanted, digest, is_merged))

    def forget(self, seen: Container[int]) -> None:
        """Forget outputs that are not in `seen`. Their files stay known, but unclaimed."""
        known = self._db.execute("SELECT id FROM output WHERE path != ''").fetchall()
        unseen = [row for row in known if row[0] not in seen]
        with self.step():
            self._db.executemany("DELETE FROM claim WHERE output = ?", unseen)
            self._db.executemany("DELETE FROM made WHERE output = ?", unseen)
            self._db.executemany("DELETE FROM output WHERE id = ?", unseen)
            claimed = "SELECT path FROM file WHERE id IN (SELECT file FROM claim)"
            self._db.execute(f"DELETE FROM stay WHERE path NOT IN ({claimed})")

    def unclaimed(self) -> list[Ours]:
        """List the files that no output needs now."""
        rows = self._db.execute(f"{OURS} WHERE id NOT IN (SELECT file FROM claim) ORDER BY path")
        return [Ours(*row) for row in rows]

    def compared(self, output: Output) -> list[Ours]:
        """List the files of an output that must stay as written: all but those that are written once."""
        known = self.output(output)
        needed = "SELECT file FROM claim WHERE NOT once AND output = ?"
        rows = self._db.execute(
            f"{OURS} WHERE id IN ({needed}) AND digest NOT NULL ORDER BY path",
            known[:1] if known else (None,),
        )
        return [Ours(*row) for row in rows]

    # --- saved levels ------------------------------------------------------------------------------------

    def level(self, key: bytes) -> bytes | None:
        """Return the digest of a saved level's file."""
        row = self._db.execute("SELECT digest FROM level WHERE key = ?", (key,)).fetchone()
        return row and row[0]  # type: ignore[no-any-return]

    def levels(self) -> list[bytes]:
        """Return the keys of all saved levels."""
        return [row[0] for row in self._db.execute("SELECT key FROM level")]

    def keep_level(self, key: bytes, digest: bytes) -> None:
        """Record a saved level."""
        self._db.execute("INSERT OR REPLACE INTO level VALUES (?, ?)", (key, digest))

    def drop_level(self, key: bytes) -> None:
        """Forget a saved level."""
        self._db.execute("DELETE FROM level WHERE key = ?", (key,))


def known_files(file: Path) -> list[Ours]:
    """List all files that a folder's builds have written, read without a lock or a write."""
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", timeout=0, uri=True)
        ) as db:
            return [Ours(*row) for row in db.execute(_BUILT)]
    except sqlite3.Error:
        return []
