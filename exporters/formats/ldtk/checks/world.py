"""Checks of how the levels of a world fit together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from exporters.formats.ldtk.checks.spot import Spot
from exporters.formats.ldtk.ids import identifier
from exporters.formats.ldtk.touching import PlacedLevel, neighbours_of
from generator.errors import shown
from generator.geometry import Rect

_MAX_LEVELS = 20_000
_MAX_COMPARED = 20_000_000  # pairs of levels


@dataclass
class World:
    """The settings of one world that its levels must fit."""

    layout: str
    grid: tuple[int, int] | None
    iid: object
    pattern: str = ""  # for the names of levels
    name: str = "World"
    levels: list[tuple[Spot, Rect, int]] = field(default_factory=list)


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
