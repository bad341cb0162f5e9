"""Files that are merged together: those of a level with one file per room.

NAME.world  NAME/room0.tmj    NAME/room1.tmj ...     a person's work moves with its room
NAME.tscn   NAME/room0.tscn   NAME/room1.tscn ...    likewise
NAME.ldtk   NAME/Room_0.ldtkl NAME/Room_1.ldtkl ...  merged as one project
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from exporters.edits.merging import CannotMerge, MergedTogether, merge
from exporters.merge.outcome import ReadFile
from exporters.merge.taken import MAPS, NOTHING, Taken
from generator.garbage import no_collections

_LEVELS_OF_LDTK = (".ldtkl",)
_PARTS = {".world": MAPS, ".tscn": (".tscn",), ".ldtk": _LEVELS_OF_LDTK}
_MAX_LISTED = 100_000


def together(
    new: Mapping[str, bytes],
    base: ReadFile,
    theirs: ReadFile,
    is_edited: Callable[[str], bool],
    taken: Mapping[str, Taken],
) -> MergedTogether:
    """Merge those `new` files that belong together, by path.

    `base` returns what was written last to a path, `theirs` what is there now, and `is_edited` whether a
    person changed it; `taken` is what of that the new files have. Files that can be merged separately are not
    in the result.
    """
    merged = MergedTogether()
    for main in new:
        endings = _PARTS.get(PurePosixPath(main).suffix)
        if endings is None:
            continue
        now = list(_parts(new, main, endings))
        before = _parts_before(base(main), main, endings) if now else []
        edited = [path for path in dict.fromkeys((main, *before, *now)) if is_edited(path)]
        if not now or not edited:
            continue
        if endings is _LEVELS_OF_LDTK:
            _project(merged, main, edited, new, base, theirs, taken.get(main, NOTHING))
        else:
            rooms = [path for path in edited if path != main]
            _rooms(merged, rooms, before or now, now, new, base, theirs, taken)
    return merged


def _parts(paths: Mapping[str, bytes], main: str, endings: tuple[str, ...]) -> Iterator[str]:
    """Yield the room files in the folder named after the level."""
    folder = str(PurePosixPath(main).with_suffix(""))
    return (path for path in paths if path.startswith(f"{folder}/") and path.endswith(endings))


def _parts_before(main_data: bytes | None, main: str, endings: tuple[str, ...]) -> list[str]:
    """Return the paths of the room files that the level had when it was last written."""
    above = PurePosixPath(main).parent
    name = re.escape(PurePosixPath(main).stem)
    ending = "|".join(map(re.escape, endings))
    listed = re.compile(rf'"({name}/[^"/\\]{{1,200}}(?:{ending}))"'.encode())
    paths = dict.fromkeys(listed.findall(main_data or b"")[:_MAX_LISTED])
    return [str(above / path.decode("utf-8", "replace")) for path in paths]


def _rooms(
    merged: MergedTogether,
    edited: list[str],
    before: list[str],
    now: list[str],
    new: Mapping[str, bytes],
    base: ReadFile,
    theirs: ReadFile,
    taken: Mapping[str, Taken],
) -> None:
    """Find the room of each changed file in the new level. Rooms still in the same file are ignored."""
    from exporters.merge.room_files import rooms_between

    old = {path: data for path in before if (data := base(path)) is not None}
    goes = rooms_between(old, {path: new[path] for path in now})
    for path in edited:
        new_path, old_data, mine = goes.get(path, ""), old.get(path), theirs(path)
        if new_path == path or mine is None or (old_data is None and base(path) is None):
            continue
        lines: tuple[str, ...] = ("the room that you worked on is not in the new level",)
        if new_path and old_data is not None:
            room = f"its room is now in {PurePosixPath(new_path).name}"
            try:
                moved = merge(new_path, old_data, mine, new[new_path], taken.get(path, NOTHING))
                merged.data[new_path] = moved.data
                lines = tuple(f"{room}: {line}" for line in moved.conflicts)
            except CannotMerge as error:
                lines = (f"{room}, but this cannot be merged: {error}",)
        merged.lines[path] = lines
        merged.replaced.add(path)


def _project(
    merged: MergedTogether,
    main: str,
    edited: list[str],
    new: Mapping[str, bytes],
    base: ReadFile,
    theirs: ReadFile,
    taken: Taken,
) -> None:
    from exporters.merge.ldtk_files import is_apart, merge_apart

    above, name = PurePosixPath(main).parent, PurePosixPath(main).stem
    if not is_apart(new[main]):
        return

    def below(side: ReadFile) -> ReadFile:
        return lambda path: side(str(above / path))

    # What LDtk wrote of levels that a person added or renamed.
    named = _parts_before(theirs(main), main, _LEVELS_OF_LDTK)
    added = [path for path in named if base(path) is None and theirs(path) is not None]
    edited = [*dict.fromkeys((*edited, *added))]
    try:
        with no_collections():
            files, lines = merge_apart(name, below(base), below(theirs), below(new.get), taken)
    except CannotMerge as error:
        merged.refused |= dict.fromkeys(edited, str(error))
        return
    merged.data |= {str(above / path): data for path, data in files.items()}
    merged.lines |= dict.fromkeys(edited, ())
    merged.lines[edited[0]] = lines
    merged.replaced |= set(edited if lines else ())  # to be put aside
    merged.left |= set(added) - new.keys()
