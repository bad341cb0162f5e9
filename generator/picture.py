"""A level as text, for terminals, docs and error messages.

One character a tile: terrain below, decor above it, markers on top. The glyphs are those of layout files
where there are such (`docs/layouts.md`), so that what one draws is what one sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from generator.errors import one_line
from generator.floorplans.floorplan import Floorplan
from generator.interiors.glyphs import GLYPHS
from generator.kinds import LIGHT_MARKER_KINDS
from generator.level import Level, Marker

if TYPE_CHECKING:
    from generator.pipeline import AnyPlan

_TERRAIN_GLYPHS = {"void": " ", "hallway": ":", "door": "/"}
_DECOR_GLYPHS = {"tinted_rock": "O", "red_fire": "f", "torch": '"', "banner": "|"}
_DOOR_GLYPHS = {  # none of these may stand in a layout
    "open": "/",
    "locked": "L",
    "secret": "_",
    "boss": "@",
    "curse": ";",
    "treasure": "{",
    "challenge": "<",
    "arcade": "(",
}
_UNKNOWN = "?"


def level_rows(level: Level) -> tuple[list[str], dict[str, str]]:
    """The level, a line a row of tiles, and what each glyph there stands for."""
    terrain, decor = _ground_glyphs(level), _decor_glyphs(level)
    covered = level.covered
    things = np.array(decor)[covered]
    picture = np.where(things == "", np.array(terrain)[level.terrain], things)
    drawn = [(terrain[i], level.terrain_kinds[i].name) for i in np.unique(level.terrain).tolist()]
    drawn += [(decor[i], level.decor_kinds[i].name) for i in np.unique(covered).tolist()]
    for door in level.doors:
        glyph = _DOOR_GLYPHS.get(door.kind, _UNKNOWN)
        drawn.append((glyph, "door" if door.kind == "open" else f"{door.kind} door"))
        for x, y in door.tiles:
            picture[y, x] = glyph
    for marker in level.markers:
        if marker.kind not in LIGHT_MARKER_KINDS:
            glyph, name = _marker_glyph(marker)
            drawn.append((glyph, name))
            picture[marker.y, marker.x] = glyph
    rows = ["".join(row).rstrip() for row in picture]
    return rows, _legend(drawn, rows)


def _legend(drawn: Iterable[tuple[str, str]], rows: list[str]) -> dict[str, str]:
    """The names of each glyph, `/` between them, of those that can still be seen in the rows."""
    names: dict[str, dict[str, None]] = {}
    for glyph, name in drawn:
        names.setdefault(glyph, {})[name] = None
    seen = set("".join(rows)) - {" "}
    return {glyph: "/".join(some) for glyph, some in names.items() if glyph in seen}


def _ground_glyphs(level: Level) -> list[str]:
    """The glyph of each kind of terrain."""
    glyphs = {each.terrain: glyph for glyph, each in GLYPHS.items() if not each.decor and not each.marker}
    return [
        _TERRAIN_GLYPHS.get(kind.name, glyphs.get(i, _UNKNOWN)) for i, kind in enumerate(level.terrain_kinds)
    ]


def _decor_glyphs(level: Level) -> list[str]:
    """The glyph of each kind of decor, empty for none."""
    glyphs = {each.decor: glyph for glyph, each in GLYPHS.items() if each.decor}
    return [
        _DECOR_GLYPHS.get(kind.name, glyphs.get(i, _UNKNOWN)) if i else ""
        for i, kind in enumerate(level.decor_kinds)
    ]


def _marker_glyph(marker: Marker) -> tuple[str, str]:
    """The glyph that says most of what a marker is, and what it says."""
    of_kind = [(glyph, each.properties) for glyph, each in GLYPHS.items() if each.marker == marker.kind]
    fitting = [
        (len(properties), glyph, properties)
        for glyph, properties in of_kind
        if properties.items() <= marker.properties.items()
    ]
    if not fitting:
        return of_kind[0][0] if of_kind else _UNKNOWN, marker.kind
    _, glyph, properties = max(fitting, key=lambda each: each[:2])
    said = [each if isinstance(each, str) else f"{key} {each}" for key, each in properties.items()]
    return glyph, " ".join([marker.kind, *said])


def room_lines(level: Level) -> list[str]:
    """What the level is, and a line a room."""
    facts = ", ".join(f"{key} {fact}" for key, fact in level.facts.items())
    lines = [f"{level.style}, seed {level.seed_text or level.seed}: {facts}"]
    for room in level.rooms:
        distance = "-" if room.distance is None else room.distance
        lines.append(f"{room.id:3} {room.kind:14} distance {distance:>2}  {room.layout}")
    return [one_line(line) for line in lines]


def floorplan_rows(plan: AnyPlan) -> tuple[list[str], dict[str, str]]:
    """The floorplan, a line a row of cells (a heap's: of tiles), and what each glyph there stands for.

    A room's letter is its kind's first, `.` for a normal room; hallways are `:`.
    """
    door = _TERRAIN_GLYPHS["door"]
    drawn = [(_letter(room.kind), room.kind) for room in plan.rooms]
    if isinstance(plan, Floorplan):
        picture = {cell: _letter(room.kind) for room in plan.rooms for cell in room.cells}
    else:
        picture = {tile: ":" for hallway in plan.hallways for tile in hallway.tiles}
        for room in plan.rooms:
            x, y, width, height = room.bounds
            inside = room.bounds.shrunk(1)
            for at in ((i, j) for i in range(x, x + width) for j in range(y, y + height)):
                picture[at] = _letter(room.kind) if inside.contains(*at) else "#"
        picture |= {tile: door for hallway in plan.hallways for end in hallway.ends for tile in end.tiles}
        drawn += [("#", "wall"), (":", "hallway"), (door, "door")]
    columns, rows = zip(*picture, strict=True)
    lines = [
        "".join(picture.get((x, y), " ") for x in range(min(columns), max(columns) + 1)).rstrip()
        for y in range(min(rows), max(rows) + 1)
    ]
    return lines, _legend(drawn, lines)


def _letter(kind: str) -> str:
    return "." if kind == "normal" else kind[0]
