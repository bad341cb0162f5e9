"""What became of a file that a person changed, and the line that tells it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple

_MERGED = (".tmj", ".tsj", ".tiled-project", ".world", ".ldtk", ".ldtkl", ".tscn", ".tres")


class EditedFile(NamedTuple):
    """A file below `root` that a person changed, or put there. `what` is kept, merged, replaced or refused.

    `beside` is the new file if theirs was kept, else where theirs was put, if anywhere. `listing` has the
    `conflicts`: those of their changes that have no place any more. `reason`: why a merge was not possible.
    """

    root: Path
    path: str
    what: str
    is_known: bool = True
    beside: str = ""
    conflicts: int = 0
    listing: str = ""
    reason: str = ""

    @property
    def file(self) -> Path:
        """Where it is."""
        return self.root / self.path

    def said(self) -> str:
        """What is to be told: the file, what was done with it, and what can be done next."""
        who = "was changed by hand" if self.is_known else "was there already and is not known to be ours"
        return f"{self.file}: {who}{getattr(self, f'_{self.what}')()}"

    def facts(self) -> dict[str, object]:
        """For JSON."""
        told: dict[str, object] = {"file": str(self.file), "what": self.what}
        if self.beside:
            told["beside"] = str(self.root / self.beside)
        if self.conflicts:
            told |= {"conflicts": self.conflicts, "listing": str(self.root / self.listing)}
        return told | ({"reason": self.reason} if self.reason else {})

    @property
    def _merges(self) -> bool:
        """Whether there is hope that a merge joins the two."""
        return self.is_known and not self.reason and self.path.endswith(_MERGED)

    def _kept(self) -> str:
        why = f"; it cannot be merged ({self.reason})" if self.reason else ""
        more = "--edits merge joins the two, " if self._merges else ""
        new = PurePosixPath(self.beside).name
        return f", so it stays{why}; the new one is {new}; {more}--edits replace takes the new one"

    def _replaced(self) -> str:
        comma = "" if self.is_known else ","
        return f"{comma} and is replaced; what it was is in {PurePosixPath(self.beside).name}"

    def _merged(self) -> str:
        if not self.conflicts:
            return "; these changes are in the new one too"
        lost = "1 change has" if self.conflicts == 1 else f"{self.conflicts} changes have"
        listing, aside = (PurePosixPath(path).name for path in (self.listing, self.beside))
        return f" and is merged; {lost} no place any more: see {listing}; what it was is in {aside}"

    def _refused(self) -> str:
        words = "keep, merge or replace" if self._merges else "keep or replace"
        return f", so nothing was written; give another name, or --edits {words}"
