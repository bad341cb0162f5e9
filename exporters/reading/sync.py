"""`undercroft sync`: copy changes made in one export of a level to its other exports.

It finds the levels of a folder, and merges what people changed in their files (`level_merge`) into the levels
that are there. Nothing is written of a level if two of its files contradict each other.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.base import SeveralLevelsError
from exporters.edits.record import FolderRecord
from exporters.exported import LEVEL
from exporters.exporting import Given
from exporters.reading.forms import main_file, stem_of
from exporters.reading.found import exports_in, folder_with_exports_below
from exporters.reading.merged import MergedLevel, not_merged, not_read, untouched
from exporters.registry import format_names, level_readers
from generator.errors import BadInput, LevelError
from generator.garbage import no_collections

if TYPE_CHECKING:
    from exporters.theme import Theme


def synced(
    path: Path,
    *,
    theme: Theme | str | os.PathLike[str] | None = None,
    options: Mapping[str, object] | None = None,
    record: FolderRecord | None = None,
) -> list[MergedLevel]:
    """Sync a folder. Return the files to write for each level, or for the one level that a file shows.

    `theme` and `options` take precedence over those that the levels were exported with, which the folder's
    `record` and the level.json files know. Files that nobody changed are not read. If there are several
    levels, one whose files cannot be read does not stop the others. Raises BadInput for a folder without
    exports, and for a file of the only level that cannot be read.
    """
    folder, only = folder_of(path)
    record = record or FolderRecord(folder)
    damaged: dict[str, BadInput] = {}
    by_level = exports_in(record, only, damaged)
    names = sorted({*by_level, *damaged})
    if len(names) == 1 and damaged:
        raise damaged[names[0]]
    if not names:
        raise BadInput(_without_exports(folder, only))
    chosen = Given(theme, options or {})
    chosen.check(format_names())
    merges = []
    for name in names:
        try:
            if name in damaged:
                raise damaged[name]
            merges.append(_merged(folder, name, by_level[name], chosen, record))
        except SeveralLevelsError as error:
            merges.append(not_read(name, error))
        except (BadInput, LevelError) as error:
            if len(names) == 1:
                raise
            merges.append(not_merged(name, error))
    return merges


def _merged(folder: Path, name: str, paths: list[Path], chosen: Given, record: FolderRecord) -> MergedLevel:
    same = untouched(name, paths, record) if chosen == Given() else None
    if same is not None:
        return same
    from exporters.reading.folder_level import FolderLevel  # both take long to import
    from exporters.reading.level_merge import merged_in_place

    with no_collections():
        return merged_in_place(FolderLevel(folder, name, paths, chosen, record))


def folder_of(path: Path) -> tuple[Path, str]:
    """Return the folder of the levels to sync, and the name of the only one if `path` is a file of it.

    Raises BadInput if there is no such file or folder.
    """
    if path.is_dir():
        return path, ""
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file or folder; give one that levels were exported to")
    if path.name.endswith(LEVEL):
        return path.parent, path.name.removesuffix(LEVEL)
    main = main_file(path)
    return main.parent, stem_of(main)


def _without_exports(folder: Path, only: str) -> str:
    from exporters.reading.drawings import drawing_among, import_of  # takes long to import

    named = [folder / f"{only}{suffix}" for suffix in level_readers()]
    if drawing := drawing_among(named if only else sorted(folder.iterdir())):
        return f"{drawing}: is a drawing and not an export; {import_of(drawing)}"
    if only:
        return f"{folder / only}: has no export that can be read back; export it again"
    below = folder_with_exports_below(folder)
    remedy = f"a folder in it, such as {below}" if below else "the folder that levels were exported to"
    return f"{folder}: contains no exported level; give {remedy}"
