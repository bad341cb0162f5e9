"""Find the problems of any LDtk project: the file, its settings, and everything in it.

LDtk 1.5.3 silently accepts some errors that cause trouble later. These were found by trial: duplicate uids
and iids, a `nextUid` that is already in use, lists of a wrong length, tiles that do not exist, stale `__`
values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from exporters.formats.ldtk.areas import PlacedLevel, neighbours_of
from exporters.formats.ldtk.check_definitions import check_definitions
from exporters.formats.ldtk.check_levels import Levels
from exporters.formats.ldtk.check_values import Enough, Known, Once, Report, Spot, World
from exporters.formats.ldtk.syntax import VERSION, identifier
from exporters.theme.file import inside
from generator.errors import BadInput, not_parsed, shown
from generator.files import read_bytes

MAX_BYTES = 1 << 27  # per file; parsed, it takes at least ten times as much memory
_MAX_ALL_BYTES = 1 << 28  # a project with all its levels
_LAYOUTS = ("Free", "GridVania", "LinearHorizontal", "LinearVertical")
_STYLES = ("Capitalize", "Uppercase", "Lowercase", "Free")
_FLAGS = (
    "DiscardPreCsvIntGrid",
    "ExportOldTableOfContentData",
    "ExportPreCsvIntGridFormat",
    "IgnoreBackupSuggest",
    "PrependIndexToLevelFileNames",
    "MultiWorlds",
    "UseMultilinesType",
)


def problems(path: Path) -> list[str]:
    """List all problems of a project, one per line. Raises BadInput if the file is unreadable or not JSON."""
    report = Report()
    data = _Files(path)
    root = Spot(data.json(path), "", report)
    if not isinstance(root.value, dict):
        raise BadInput(f"{path}: is not an LDtk project; its outermost value is not a table")
    try:
        with suppress(Enough):
            _check(root, data)
    except RecursionError:
        raise BadInput(f"{path}: is nested deeper than any project is") from None
    return report.lines


class _Files:
    """Reads the project's files, with a limit on their total size."""

    def __init__(self, path: Path) -> None:
        self._left = _MAX_ALL_BYTES
        self.folder = path.parent

    def json(self, path: Path) -> Any:
        """Read a file's value. Raises BadInput."""
        data = read_bytes(path, min(MAX_BYTES, self._left), BadInput)
        self._left -= len(data)
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{path}: {not_parsed('JSON', error)}") from None


def _check(root: Spot, files: _Files) -> None:
    _settings(root)
    flags = [flag.value for flag in root["flags"].items()] if root["flags"].there else []
    known = check_definitions(root["defs"], files.folder, "UseMultilinesType" in flags)
    iids = Once("iid")
    iids.take(root["iid"], root["iid"].text())
    levels = Levels(known, iids)
    empty = True
    for world, spots in _worlds(root, "MultiWorlds" in flags, iids):
        for spot in _opened(spots, root["externalLevels"].value is True, files):
            empty = False
            levels.check(spot, world)
        if world.levels:
            check_names(world)
            check_neighbours(world)
    if empty:
        root["levels"].fail("is empty; LDtk cannot open a project without a level")
    levels.entities.check_references()
    _next_uid(root["nextUid"], known)


def _settings(root: Spot) -> None:
    version = root["jsonVersion"].text()
    if version is not None and version != VERSION:
        root["jsonVersion"].fail(
            f"{shown(version)} is not {VERSION}; LDtk {VERSION} will save a different file"
        )
    root["identifierStyle"].one_of(_STYLES)
    for key in ("bgColor", "defaultLevelBgColor"):
        root[key].color()
    for flag in root["flags"].items() if root["flags"].there else ():
        if flag.value not in _FLAGS:
            flag.fail(f"{shown(flag.value)} is not a flag; LDtk drops it")


def _worlds(root: Spot, several: bool, iids: Once) -> Iterator[tuple[World, Spot]]:
    """Yield each world and the list of its levels. In a project with a single world, the root has them."""
    for spot in root["worlds"].tables() if several else [root]:
        iid = spot["iid"] if several else root["dummyWorldIid"]
        iids.take(iid, iid.text())
        layout = spot["worldLayout"].one_of(_LAYOUTS)
        grid = None
        if layout == "GridVania":
            pitch = [spot[key].whole(1, 1 << 20) for key in ("worldGridWidth", "worldGridHeight")]
            for key, side in zip(("defaultLevelWidth", "defaultLevelHeight"), pitch, strict=True):
                default = spot[key].whole(1)
                if default is not None and side is not None and default % side:
                    spot[key].fail(
                        f"{default} is not a multiple of the world's grid of {side} px; LDtk rounds it"
                    )
            grid = (pitch[0] or 1, pitch[1] or 1)
        pattern = root["levelNamePattern"].text(null=True) or "Level_%idx"
        name = str(spot["identifier"].value) if several else "World"
        yield World(layout or "Free", grid, iid.value, pattern, name), spot["levels"]


def _opened(levels: Spot, external: bool, files: _Files) -> Iterator[Spot]:
    """Yield each level, read from its separate file if it has one."""
    for spot in levels.tables():
        relative = spot["externalRelPath"].text(null=True)
        if not external:
            if relative is not None:
                spot["externalRelPath"].fail("names a file, but the project has no external levels")
            yield spot
            continue
        opened = _external(spot, relative, files)
        if opened:
            yield opened


def _external(spot: Spot, relative: str | None, files: _Files) -> Spot | None:
    """Read the level in a separate file."""
    path = inside(files.folder, relative) if relative is not None else None
    if relative is None or path is None or not relative.endswith(".ldtkl"):
        spot["externalRelPath"].fail(f"{shown(relative)} is not a .ldtkl file in the project's folder")
        return None
    if spot["layerInstances"].there:
        spot["layerInstances"].fail("are in the project, but are read from the level's file")
    try:
        level = Spot(files.json(path), relative, spot.report)
    except BadInput as error:
        spot["externalRelPath"].fail(f"{error}; LDtk puts an empty level in its place")
        return None
    if not isinstance(level.value, dict):
        level.fail("is not a table")
        return None
    for key in ("iid", "uid", "identifier", "worldX", "worldY", "worldDepth", "pxWid", "pxHei"):
        if level[key].value != spot[key].value:
            level[key].fail(f"{shown(level[key].value)} is {shown(spot[key].value)} in the project")
    return level


def _next_uid(spot: Spot, known: Known) -> None:
    number, highest = spot.whole(0), max(known.uids, default=-1)
    if number is not None and number <= highest:
        spot.fail(f"{number} is not above the highest uid {highest}; LDtk will use a uid twice")


# --- how the levels of a world fit together ----------------------------------------------------------

_MAX_LEVELS = 20_000
_MAX_COMPARED = 20_000_000  # pairs of levels


def check_names(world: World) -> None:
    """Check that automatic level names are those that LDtk would make."""
    left, top = (min(rect[i] for _, rect, _ in world.levels) for i in (0, 1))
    on_grid, placed = world.layout == "GridVania", world.layout in ("GridVania", "Free")
    for number, (spot, rect, depth) in enumerate(world.levels):
        if spot["useAutoIdentifier"].value is not True:
            continue
        name = world.pattern[:1000]
        width, height = world.grid or (1, 1)
        for mark, value in (
            ("%world", world.name),
            ("%idx1", number + 1),
            ("%idx", number),
            ("%gx", (rect.x - left) // width if on_grid else ""),
            ("%gy", (rect.y - top) // height if on_grid else ""),
            ("%x", rect.x if placed else ""),
            ("%y", rect.y if placed else ""),
            ("%d", depth),
        ):
            name = name.replace(mark, str(value))
        stated = str(spot["identifier"].value)
        # A number after it may make it unique.
        if not stated.casefold().startswith(identifier(name).casefold()):
            problem = f"{shown(stated)} does not follow `levelNamePattern`; LDtk will rename the level"
            spot["identifier"].fail(f"{problem} after it, or set useAutoIdentifier to false")


def check_neighbours(world: World) -> None:
    """Check lists of neighbours, and that on a grid no levels of the same depth overlap."""
    levels = world.levels
    placed = [PlacedLevel(rect, depth) for _, rect, depth in levels]
    wide = sum(rect.width * rect.height for _, rect, _ in levels)
    large = sum(rect.width * rect.height * 64 > wide for _, rect, _ in levels)
    if len(levels) > _MAX_LEVELS or large * len(levels) > _MAX_COMPARED:
        levels[0][0].report.add("", f"{len(levels)} levels are too many to compare")
        return
    free = world.layout in ("Free", "GridVania")
    neighbours = neighbours_of(placed) if free else [[] for _ in levels]
    iids = [spot["iid"].value for spot, _, _ in levels]
    for number, near in enumerate(neighbours):
        spot = levels[number][0]
        wanted = [(iids[entry.place], entry.direction) for entry in near]
        stated = [(entry["levelIid"].value, entry["dir"].value) for entry in spot["__neighbours"].tables()]
        if _sorted(stated) != _sorted(wanted):
            spot["__neighbours"].fail(_difference(stated, wanted))
        for entry in near if world.layout == "GridVania" else ():
            if entry.direction == "o" and entry.place < number:
                overlapped = levels[entry.place][0].place
                spot.fail(f"overlaps {overlapped} at the same depth; give one of them another worldDepth")


def _sorted(pairs: Sequence[tuple[object, object]]) -> list[str]:
    return sorted(f"{shown(iid)[1:-1]} {shown(direction)[1:-1]}" for iid, direction in pairs)


def _difference(stated: Sequence[tuple[object, object]], wanted: Sequence[tuple[object, object]]) -> str:
    listed, right = set(_sorted(stated)), set(_sorted(wanted))
    lacking, stale = sorted(right - listed), sorted(listed - right)
    parts = [f"do not contain {shown(lacking[0])}"] if lacking else []
    parts += [f"contain {shown(stale[0])}"] if stale else []
    return f"{' and '.join(parts) or 'contain one twice'}; LDtk keeps a stale list"
