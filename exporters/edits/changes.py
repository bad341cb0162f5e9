"""What happened to a file that a person changed, and the line that reports it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from exporters.edits.digests import level_as_written
from exporters.edits.merging import can_merge
from generator.named_tuple import NamedTuple
from generator.styles.registry import DRAWN

_ROLLED = "rooms that were rolled again"  # a level with these is not merged


def held_in(path: Path, is_synced: bool) -> str:
    """Say what an unchanged file contains of a person's work, for messages, empty if none.

    That is the case for an export of an edited level (`is_synced`), and for a level.json that was drawn, or
    has edits or re-rolls. Raises OSError.
    """
    level = None if is_synced else level_as_written(path)
    if level and level.style == DRAWN:
        return "a level that was drawn by hand"
    if is_synced or (level and level.edited):
        return "edits that were brought back"
    return _ROLLED if level and level.rerolls else ""


class EditedFile(NamedTuple):
    """A file below `root` that a person changed or added. `what` is kept, merged, replaced or refused.

    `holds`: a person's work in a file that is as Undercroft wrote it, such as edits that were brought back;
    empty if somebody changed the file itself. `beside` is the new file if theirs was kept, else the copy of
    theirs, if any. `listing` is the file that lists the `conflicts`: their changes that no longer fit.
    `reason`: why a merge was not possible. `level` is the level whose files all stay because of this one.
    """

    root: Path
    path: str
    what: str
    is_known: bool = True
    holds: str = ""
    beside: str = ""
    conflicts: int = 0
    listing: str = ""
    reason: str = ""
    level: str = ""

    @property
    def file(self) -> Path:
        """The file's path."""
        return self.root / self.path

    def moved_to(self, folder: Path, below: str) -> EditedFile:
        """Return the same as seen from the folder at the end of `below`, the way from `root`."""
        names = (name.removeprefix(below) for name in (self.path, self.beside, self.listing))
        path, beside, listing = names
        return self._replace(root=folder, path=path, beside=beside, listing=listing)

    def message(self) -> str:
        """Write the message: the file, what was done with it, and what to do next."""
        if self.holds:
            who = f"has {self.holds}"
        elif self.is_known:
            who = "was changed by hand"
        else:
            who = "already exists, and nothing says that Undercroft wrote it"
        return f"{self.file}: {who}{getattr(self, f'_{self.what}')()}"

    def facts(self) -> dict[str, object]:
        """Return the facts for JSON."""
        table: dict[str, object] = {"file": str(self.file), "what": self.what}
        if self.beside:
            table["beside"] = str(self.root / self.beside)
        if self.conflicts:
            table |= {"conflicts": self.conflicts, "listing": str(self.root / self.listing)}
        return table | ({"reason": self.reason} if self.reason else {})

    @property
    def _merges(self) -> bool:
        """Whether a merge may be possible."""
        return self.is_known and not self.reason and can_merge(self.path)

    def _kept(self) -> str:
        why = f"; it cannot be merged ({self.reason})" if self.reason else ""
        if self.level:
            can_merge_level = not self.reason and self.holds != _ROLLED
            merge = "--edits merge brings the changes into the new level, " if can_merge_level else ""
            return (
                f", so all files of {self.level} stay{why}; {merge}--edits replace puts changed files aside"
            )
        advice = "--edits merge joins the two, " if self._merges else ""
        new = PurePosixPath(self.beside).name
        return f", so it stays{why}; the new file is {new}; {advice}--edits replace uses the new file"

    def _replaced(self) -> str:
        comma = "" if self.is_known else ","
        return f"{comma} and is replaced; the old file is now {PurePosixPath(self.beside).name}"

    def _merged(self) -> str:
        listing, aside = (PurePosixPath(path).name for path in (self.listing, self.beside))
        if not self.conflicts:
            is_all = "; these changes are also in the new file"
            return f" and is merged; the old file is now {aside}" if aside else is_all
        lost = "1 change has" if self.conflicts == 1 else f"{self.conflicts} changes have"
        return f" and is merged; {lost} no place any more: see {listing}; the old file is now {aside}"

    def _refused(self) -> str:
        words = "keep, merge or replace" if self._merges else "keep or replace"
        why = f"; it cannot be merged ({self.reason})" if self.reason else ""
        return f"{why}, so nothing was written; give another name, or --edits {words}"
