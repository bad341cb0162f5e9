"""A level as text, for terminals, docs and error messages.

One character a tile: terrain below, decor above it, markers on top. The glyphs are those of layout files
where there are such (`docs/layouts.md`), so that what one draws is what one sees.
"""

from __future__ import annotations

import numpy as np

from generator.floorplans.floorplan import Floorplan
from generator.interiors.glyphs import GLYPHS
from generator.level import Level

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


def floorplan_text(plan: Floorplan) -> str:
    """The floorplan, one letter a cell: the room kind's first, `.` for a normal room."""
    cells = {
        cell: "." if room.kind == "normal" else room.kind[0] for room in plan.rooms for cell in room.cells
    }
    columns, rows = zip(*cells, strict=True)
    return "\n".join(
        "".join(cells.get((x, y), " ") for x in range(min(columns), max(columns) + 1)).rstrip()
        for y in range(min(rows), max(rows) + 1)
    )
