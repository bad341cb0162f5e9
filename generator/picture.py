"""A level as text, for terminals, docs and error messages.

One character a tile: terrain below, decor above it, markers on top. The glyphs are those of layout files
where there are such (`docs/layouts.md`), so that what one draws is what one sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from generator.floorplans.floorplan import Floorplan
from generator.interiors.glyphs import GLYPHS
from generator.level import Level

if TYPE_CHECKING:
    from generator.pipeline import AnyPlan

_TERRAIN_GLYPHS = {"void": " ", "hallway": ":", "door": "+"}
_DECOR_GLYPHS = {"tinted_rock": "O", "red_fire": "f", "torch": '"', "banner": "|"}
_DOOR_GLYPHS = {"open": "+", "secret": "?", "locked": "L"}
_LIGHTS = ("torch", "fire")  # their decor is drawn


def level_text(level: Level) -> str:
    """The level, a line a row of tiles, and a legend of its rooms."""
    terrain = {
        glyph.terrain: character
        for character, glyph in GLYPHS.items()
        if not glyph.decor and not glyph.marker
    }
    decor = {glyph.decor: character for character, glyph in GLYPHS.items() if glyph.decor}
    names = [
        _TERRAIN_GLYPHS.get(kind.name, terrain.get(i, "?")) for i, kind in enumerate(level.terrain_kinds)
    ]
    picture = np.array(names)[level.terrain]
    things = np.array(
        [
            "" if i == 0 else _DECOR_GLYPHS.get(kind.name, decor.get(i, "?"))
            for i, kind in enumerate(level.decor_kinds)
        ]
    )[level.covered]
    picture = np.where(things == "", picture, things)
    for door in level.doors:
        for x, y in door.tiles:
            picture[y, x] = _DOOR_GLYPHS.get(door.kind, door.kind[:1] or "?")
    markers = {
        (glyph.marker, frozenset(glyph.properties.items())): character
        for character, glyph in GLYPHS.items()
        if glyph.marker
    }
    plain = {kind: character for (kind, _), character in reversed(markers.items())}
    for marker in level.markers:
        if marker.kind not in _LIGHTS:
            properties = frozenset(marker.properties.items())
            exact = [
                (len(some), character)  # of those that fit, the one that says most
                for (kind, some), character in markers.items()
                if kind == marker.kind and some <= properties
            ]
            picture[marker.y, marker.x] = max(exact)[1] if exact else plain.get(marker.kind, "?")
    lines = ["".join(row).rstrip() for row in picture]
    return "\n".join([*lines, _legend(level)])


def _legend(level: Level) -> str:
    facts = ", ".join(f"{key} {fact}" for key, fact in level.facts.items())
    lines = [f"{level.style}, seed {level.seed_text or level.seed}: {facts}"]
    for room in level.rooms:
        distance = "-" if room.distance is None else room.distance
        lines.append(f"{room.id:3} {room.kind:14} distance {distance:>2}  {room.layout}")
    return "\n".join(lines)


def floorplan_text(plan: AnyPlan) -> str:
    """The floorplan as text: of a grid one letter a cell, of a heap one a tile.

    The letter is the room kind's first, `.` for a normal room; hallways are `:`.
    """
    if isinstance(plan, Floorplan):
        picture = {cell: _letter(room.kind) for room in plan.rooms for cell in room.cells}
    else:
        picture = {tile: ":" for hallway in plan.hallways for tile in hallway.tiles}
        for room in plan.rooms:
            x, y, width, height = room.bounds
            inside = room.bounds.shrunk(1)
            for at in ((i, j) for i in range(x, x + width) for j in range(y, y + height)):
                picture[at] = _letter(room.kind) if inside.contains(*at) else "#"
        picture |= {tile: "+" for hallway in plan.hallways for end in hallway.ends for tile in end.tiles}
    columns, rows = zip(*picture, strict=True)
    return "\n".join(
        "".join(picture.get((x, y), " ") for x in range(min(columns), max(columns) + 1)).rstrip()
        for y in range(min(rows), max(rows) + 1)
    )


def _letter(kind: str) -> str:
    return "." if kind == "normal" else kind[0]
