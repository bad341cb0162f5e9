"""The three-way merge of one file by its type, as the record of its format has it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.edits.places import target_of
from exporters.merge.outcome import CannotMerge, Merged
from exporters.merge.taken import NOTHING, Taken
from exporters.registry import exporter, format_names
from generator.errors import UndercroftError
from generator.garbage import no_collections

if TYPE_CHECKING:
    from exporters.base import Merger

__all__ = ["CannotMerge", "Merged", "can_merge", "check_type", "merge", "standing"]

MAX_BYTES = 1 << 28  # of a changed file
_LEVEL_OF_LDTK = "ldtkl"  # see `together`
_REFUSED = {_LEVEL_OF_LDTK: "it is merged together with its project, which is missing"}


class MergedTogether:
    """The result of merging files together, all by path."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}  # contents to write instead of the new file
        self.lines: dict[str, tuple[str, ...]] = {}  # what of a person's file was lost
        self.replaced: set[str] = set()  # a person's files whose place another room has now
        self.left: set[str] = set()  # a person's files that the merged ones no longer name
        self.refused: dict[str, str] = {}  # why a person's file cannot be merged


def merge(name: str, base: bytes, theirs: bytes, new: bytes, taken: Taken = NOTHING) -> Merged:
    """Merge a person's changes to a file into its new version, which has those that are `taken` already.

    `base` is what was written last, `theirs` is the person's version, `new` the generator's new version;
    `name` is the file's name, whose suffix gives the format. The same input gives the same bytes. Raises
    CannotMerge for a file that is damaged, or of a type that cannot be merged.
    """
    if theirs in (base, new):
        return Merged(new)
    check_type(name)
    if taken.is_all:
        return Merged(new)
    merger = _mergers()[_suffix(name)]
    with no_collections():
        merged = merger(base, theirs, new, taken)
    if new == base and taken == NOTHING:  # merged anyway, to report damage
        return Merged(theirs, only_saved=merged.only_saved)
    return merged


def is_changed(name: str, base: bytes, theirs: bytes, taken: Taken = NOTHING) -> bool:
    """Check whether a person changed anything of a file that a merge would keep, beyond what is `taken`."""
    if theirs == base or taken.is_all:
        return False
    try:
        check_type(name)
        with no_collections():
            merged = _mergers()[_suffix(name)](base, theirs, base, taken)
            return not merged.only_saved and merged.data != base
    except CannotMerge:
        return True


def standing(root: Path, path: str) -> bytes | None:
    """Read the file at a path in a folder. None if it is missing or cannot be merged."""
    try:
        target = target_of(root, path)
        return target.read_bytes() if target.stat().st_size <= MAX_BYTES else None
    except (OSError, UndercroftError):
        return None


def can_merge(name: str) -> bool:
    """Return whether files of this type can be merged."""
    return _suffix(name) in (*_mergers(), _LEVEL_OF_LDTK)


def check_type(name: str) -> None:
    """Raise CannotMerge if files of this type cannot be merged by themselves."""
    suffix = _suffix(name)
    if suffix not in _mergers():
        raise CannotMerge(_REFUSED.get(suffix, f"there is no merge for .{suffix} files"))


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower()


@cache
def _mergers() -> Mapping[str, Merger]:
    """Return the merge functions of the built-in formats' files, by suffix without its dot."""
    return {
        suffix.removeprefix("."): merge
        for name in format_names()
        for suffix, merge in exporter(name).mergers.items()
    }
