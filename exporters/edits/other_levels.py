"""A merge must not leave files of two levels under one name.

A level.json cannot be merged. If a person's work is in it, and the other files would show another level,
nothing is written. Nor is it if another file of a person cannot be merged with one that shows another level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from exporters.edits.changes import EditedFile, held_in
from exporters.edits.digests import digest_of_file, level_as_written
from exporters.edits.places import target_of
from exporters.edits.plan import Wanted
from exporters.edits.store import WrittenStore
from exporters.exported import LEVEL, is_of_level


def other_levels(
    root: Path,
    store: WrittenStore,
    levels: Mapping[str, str],
    files: Sequence[Wanted],
    is_ours: Callable[[str, Path, bytes, bool], bool],
) -> Iterator[EditedFile]:
    """Yield people's level.json files that show another level than the `files` to be written beside them.

    `levels` has the fingerprints of the files' levels by the paths of their level.json files, written or not.
    If the person's level is an edited version of the same one, its files stay together. Raises
    UndercroftError.
    """
    for path, fingerprint in levels.items():
        target, stem = target_of(root, path), path.removesuffix(LEVEL)
        beside = any(file.path != path and is_of_level(file.path, stem) for file in files)
        digest = digest_of_file(target) if beside else None
        if digest is None or is_ours(path, target, digest, True):
            continue
        level = level_as_written(target)
        if level is None or fingerprint not in (level.fingerprint, level.edited.get("base")):
            is_known = store.ours(path).digest is not None
            holds = held_in(target, is_synced=False)
            yield EditedFile(root, path, "refused", is_known=is_known, holds=holds)


def left_apart(root: Path, levels: Mapping[str, str], changes: Sequence[EditedFile]) -> Iterator[EditedFile]:
    """Yield the first file of each level that would stay as a person has it, beside another level's files.

    `levels` is as for `other_levels`. Which level a folder has is known from its level.json. Raises
    UndercroftError.
    """
    for path, fingerprint in levels.items():
        stem = path.removesuffix(LEVEL)
        kept = next(
            (change for change in changes if change.what == "kept" and is_of_level(change.path, stem)), None
        )
        level = level_as_written(target) if kept and (target := target_of(root, path)).is_file() else None
        if kept and level and fingerprint not in (level.fingerprint, level.edited.get("base")):
            yield kept._replace(what="refused", beside="")
