"""A room that somebody draws as a rectangle on a level's map: its tiles, and a door to each room beside it.

What the map shows is read as for an import, the room is added by the rules of imports, and both levels are
dressed. So the room looks on the map as it will when the map is brought home.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from exporters.dress import EMPTY, Layers, dress
from exporters.edits.record import exported_before
from exporters.exporting import Before, Given
from exporters.merge.taken import MAPS
from exporters.reading.compared import compared
from exporters.reading.edited import broken, edited, edited_and_told
from exporters.reading.exports import Export, MadeExports, export_at
from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of, stem_of
from exporters.reading.new_room_ways import Ways
from exporters.reading.original import original
from exporters.reading.seen import LAYERS, Edits
from exporters.theme import Theme
from exporters.theme.districts import theme_of_level
from exporters.theme.loader import fitted
from generator.checks.base import owners
from generator.checks.told import causes
from generator.errors import BadInput, unknown
from generator.geometry import Rect
from generator.level import Door, Level
from generator.named_tuple import NamedTuple
from generator.things import called


class MapOfLevel(NamedTuple):
    """A map, the level that it was exported from, what somebody changed on it, and the level with that."""

    export: Export
    original: Level
    edits: Edits
    level: Level

    @property
    def kinds(self) -> list[str]:
        """The kinds of rooms that the level can have."""
        return [*self.level.kinds.rooms]


class NewRoom(NamedTuple):
    """The level with a room; the room's tiles, its doors, and the rules that it breaks.

    `tileset` is that of the map. `layers` has the tiles that change, by the name of the layer: x, y and atlas
    index, or None for no tile.
    """

    level: Level
    bounds: Rect
    doors: list[Door]
    tileset: str
    layers: dict[str, list[tuple[int, int, int | None]]]
    problems: list[str]


def map_of_level(path: Path, data: bytes) -> MapOfLevel:
    """Read a map whose bytes are `data`: it may have changes that are not saved at `path`.

    Raises BadInput for a map that is not one of a whole level, and if the level cannot be found.
    """
    if path.suffix.lower() not in MAPS:
        raise BadInput(f"{path}: is not a map of Tiled; rooms are drawn on a .tmj or .tmx")
    folder, name = path.parent, stem_of(path)
    files = ExportFiles(folder, {path.name: data})
    identity = form_of(path).identity(path.name, files)
    if "level" in identity:
        raise BadInput(f"{path}: is the map of a single room; rooms are drawn on the map of a whole level")
    source = original(path, identity, folder / f"{name}.level.json", None)
    before = Before(folder, name, exported_before(folder, name))
    export = export_at(path, files, Given(), before, MadeExports())
    edits = compared(source.level, export).edits
    return MapOfLevel(export, source.level, edits, edited(source.level, edits))


def new_room(map_: MapOfLevel, area: Rect, kind: str) -> NewRoom:
    """Add a room in an area, on a grid in all cells that the area touches. Raises BadInput if none fits."""
    path, before = map_.export.path, map_.level
    if kind not in before.kinds.rooms:
        raise BadInput(f"{path}: {unknown('room kind', kind, map_.kinds)}")
    bounds = _bounds(before, area)
    room = "new room", *bounds
    edits = map_.edits | _painted(before, bounds, path) | {room: {"kind": kind}}
    without_doors = edited_and_told(map_.original, edits)
    if room in without_doors.refused:
        place = ",".join(map(str, area))
        raise BadInput(f"{path}: no room can be at {place}: {without_doors.refused[room]}")
    alone = without_doors.level
    around = Ways(alone, bounds)
    ways = [around.doors()]
    if not ways[0] and alone.hallways:
        ways = [*around.hallways()] or ways
    levels = [edited(map_.original, edits | way) for way in ways]
    found = ((one, causes(broken(map_.original, one))) for one in levels)
    level, problems = min(found, key=lambda one: len(one[1]))
    old = {door.tiles for door in alone.doors}
    new = [door for door in level.doors if door.tiles not in old]
    theme, before_look = _look(map_, map_.level)
    return NewRoom(level, bounds, new, theme.name, _changed(before_look, _look(map_, level)[1]), problems)


def _bounds(level: Level, area: Rect) -> Rect:
    """Return the tiles of a room, walls included: on a grid whole cells."""
    if level.grid is None:
        return area
    (left, top), (width, height) = level.grid
    ends = (area.x, area.y), (area.right - 1, area.bottom - 1)
    return level.grid.bounds([((x - left) // width, (y - top) // height) for x, y in ends])


def _painted(level: Level, bounds: Rect, path: Path) -> Edits:
    """Paint floor with walls around it. Raises BadInput if that would cover something."""
    if min(bounds.x, bounds.y) < 0 or bounds.right > level.width or bounds.bottom > level.height:
        return {}  # the rules of rooms say why it cannot be there
    taken = int(owners(level)[bounds.slices].max())
    if taken >= 0:
        raise BadInput(f"{path}: {called(level, 'room', taken)} is there; draw the new one beside it")
    walk = np.array([kind.walk for kind in level.terrain_kinds])[level.terrain[bounds.slices]]
    if walk.any():
        y, x = np.argwhere(walk)[0]
        remedy = "draw the room beside it, and they get a door"
        raise BadInput(f"{path}: there is a hallway at {bounds.x + x},{bounds.y + y}; {remedy}")
    inner = bounds.shrunk(1)
    return {
        ("terrain", x, y): "floor" if inner.x <= x < inner.right and inner.y <= y < inner.bottom else "wall"
        for x in range(bounds.x, bounds.right)
        for y in range(bounds.y, bounds.bottom)
    }


def _look(map_: MapOfLevel, level: Level) -> tuple[Theme, Layers]:
    theme = theme_of_level(fitted(map_.export.theme_for(level), level.kinds), level)
    return theme, dress(level, theme)


def _changed(before: Layers, after: Layers) -> dict[str, list[tuple[int, int, int | None]]]:
    """Return by layer the tiles that are drawn differently."""
    changed = {}
    for name, old, new in zip(LAYERS, before, after, strict=True):
        ys, xs = np.nonzero(old != new)
        places = zip(xs.tolist(), ys.tolist(), new[ys, xs].tolist(), strict=True)
        changed[name] = [(x, y, None if tile == EMPTY else tile) for x, y, tile in places]
    return changed
