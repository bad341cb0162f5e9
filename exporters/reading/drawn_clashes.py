"""Where a drawing and what people changed in its exports contradict each other."""

from __future__ import annotations

from collections.abc import Iterator

from exporters.comparison.matched import matched
from exporters.reading.changes import said
from exporters.reading.edited import DOOR_VALUES
from exporters.reading.folder_level import FolderLevel
from exporters.reading.seen import Edits
from generator.level import Level

_VALUES = {"room": ("kind", "difficulty", "zone", "name"), "door": DOOR_VALUES}


def clashes_with_drawing(files: FolderLevel, edits: Edits, before: Level, new: Level) -> Iterator[str]:
    """Yield one line for each value of a room or a door that both changed, and not to the same.

    `edits` are those between `before`, the level of the former drawing, and the level as people edited it.
    """
    matches = matched(before, new)
    pairs = {
        **{("room", match.old.id): (match.old, match.new) for match in matches.rooms.by_old.values()},
        **{("door", old.id): (old, now) for old, now in matches.doors},
    }
    for key, value in edits.items():
        pair = pairs.get(key[:2])
        if pair is None or key[2] not in _VALUES[key[0]]:
            continue
        old, now = (getattr(each, key[2]) for each in pair)
        if now not in (old, value):
            path = next((path for path, found in files.edits.items() if key in found.edits), files.saved)
            yield f"{path} and the drawing differ about {said(key, before)}; undo the change in one of them"
