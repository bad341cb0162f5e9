"""Remove edits from a scene to work in that were brought back, because the level's scene has them already.

Otherwise markers added there would exist twice, and tiles painted there would hide later changes in
`NAME.tscn`. Everything else in the scene stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporters.comparison.matched import Matches, matched
from exporters.dress import dressed
from exporters.formats.godot.read import read_scene
from exporters.formats.godot.setting import node_names
from exporters.merge.godot_taken import without_edits
from exporters.merge.matching import Moves, RoomFact, RoomPair
from exporters.objects import Names
from exporters.reading.changes import PersonsEdits, changes
from exporters.reading.exports import Export
from exporters.reading.files import ExportFiles
from exporters.reading.seen import ShownLevel
from generator.geometry import Rect
from generator.level import Level, Marker


def taken_out(export: Export, before_edits: Level, level: Level, edits: PersonsEdits) -> bytes | None:
    """Take the edits `edits` out of an export's scene, since the edited `level` now has them.

    What a person put on nodes that are elsewhere now, or called otherwise, goes along.
    None if they cannot be separated; then the scene stays as it is.
    """
    theme, path, main = export.theme_for(level), export.path, export.main
    files = export.of(level)
    look, data = dressed(level, theme)[0], path.read_bytes()

    added, paths = _paths_of_added(export, level, edits.taken.added), node_paths(matched(before_edits, level))

    def shown(scene: str, data: bytes) -> ShownLevel:
        return read_scene(scene, ExportFiles(path.parent, {**files, scene: data}), look, level)

    before = shown(main, files[main])
    less = without_edits(data, added, paths, files[main])
    left = changes(before, shown(path.name, less), level, look)
    return less if not left.edits and set(left.notes) <= set(edits.notes) else None


def moves_in(same: Matches) -> Moves:
    """Return where the rooms of a level are in another one."""
    facts = (
        (RoomFact(match.old.id, match.old.bounds, ()), RoomFact(match.new.id, match.new.bounds, ()))
        for match in same.rooms.all
    )
    return Moves(tuple(RoomPair(old, new, same=True) for old, new in facts), (), same.rooms.shift)


def node_paths(same: Matches) -> dict[str, str]:
    """Return the new paths of nodes that have others in the scene of another level, by the former ones."""
    old, new = _paths(same.before), _paths(same.after)
    pairs = [
        *((old.rooms[match.old.id], new.rooms[match.new.id]) for match in same.rooms.all),
        *((old.doors[one.id], new.doors[other.id]) for one, other in same.doors),
        *((old.hallways[one.id], new.hallways[other.id]) for one, other in same.hallways),
        *(
            pair
            for one, other in same.markers
            for pair in zip(_of_marker(old, one.marker), _of_marker(new, other.marker), strict=True)
        ),
    ]
    return {one: other for one, other in pairs if one != other}


def _paths(level: Level) -> Names:
    """Return the paths of all nodes in the scene of a level, in place of their names."""
    names = node_names(level)
    return names._replace(
        rooms=tuple(f"Rooms/{name}" for name in names.rooms),
        doors=tuple(f"Doors/{name}" for name in names.doors),
        hallways=tuple(f"Hallways/{name}" for name in names.hallways),
        markers={id_: f"Markers/{name}" for id_, name in names.markers.items()},
    )


def _of_marker(paths: Names, marker: Marker) -> tuple[str, str]:
    """Return the path of a marker's node in the scene of a whole level, and in that of one split by rooms."""
    path = paths.markers[marker.id]
    return path, path if marker.room is None else f"{paths.rooms[marker.room]}/{path}"


def _paths_of_added(export: Export, level: Level, added: Mapping[str, tuple[Any, ...]]) -> dict[str, str]:
    """Return the paths that added nodes have in the scene of the level that has them now, by their own."""
    if not added:
        return {}
    paths, is_split = _paths(level), export.options.get("godot.split", "none") != "none"
    places: dict[tuple[Any, ...], str] = {
        **{("new room", *room.bounds): paths.rooms[room.id] for room in level.rooms},
        **{("new door", *Rect.around(door.tiles)): paths.doors[door.id] for door in level.doors},
        **{
            ("new marker", each.kind, each.x, each.y): _of_marker(paths, each)[is_split]
            for each in level.markers
        },
    }
    return {key: places.get(edit, "") for key, edit in added.items()}
