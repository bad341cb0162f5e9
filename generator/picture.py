"""A level as text, for terminals, docs and error messages.

One character per tile: terrain below, decor above it, markers on top. The glyphs are those of layout files if
they have one there (`docs/layouts.md`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from generator.errors import one_line
from generator.kinds import SHIPPED, Kinds
from generator.kinds.signs import keys_in_words

if TYPE_CHECKING:
    from generator.level import Level, Marker
    from generator.styles.base import Plan

_TERRAIN_GLYPHS = {"void": " ", "hallway": ":", "door": "/"}
_DECOR_GLYPHS = {  # decor that layouts do not draw
    "tinted_rock": "O",
    "red_fire": "f",
    "torch": '"',
    "banner": "|",
    "dirt": "-",
    "dais": "d",
    "carpet": "[",
    "puddle": "w",
    "roots": "j",
    "cracks": "\\",
    "blood": "`",
    "straw": "h",
    "books": "]",
    "moss": "e",
    "brazier": "Y",
    "stool": "4",
    "anvil": "7",
    "crystal": "Z",
    "sack": "8",
    "pillar": "0",
    "weapon_rack": "H",
    "bed": "z",
    "workbench": "N",
    "chains": "J",
    "vines": "v",
}
_DOOR_GLYPHS = {  # layouts cannot have any of these
    "open": "/",
    "locked": "L",
    "secret": "_",
    "boss": "@",
    "curse": ";",
    "treasure": "{",
    "challenge": "<",
    "arcade": "(",
    "red": ")",
    "one_way": ">",
    "barred": "}",
}
_MARKER_GLYPHS = {"key": "k"}  # markers that layouts do not draw
_MORE_DOORS = "\\`^%[]*0456789HJNOQUYZDL"  # for a kit's door kinds
_UNKNOWN = "?"


def level_rows(level: Level) -> tuple[list[str], dict[str, str]]:
    """Draw the level, one line per row of tiles, and return the meaning of each glyph."""
    import numpy as np  # a floorplan needs none

    terrain, decor = _ground_glyphs(level), _decor_glyphs(level)
    door_glyphs = _door_glyphs(level.kinds)
    covered = level.covered
    glyphs = np.array(decor)[covered]
    picture = np.where(glyphs == "", np.array(terrain)[level.terrain], glyphs)
    drawn = [(terrain[i], level.terrain_kinds[i].name) for i in np.unique(level.terrain).tolist()]
    drawn += [(decor[i], level.decor_kinds[i].name) for i in np.unique(covered).tolist()]
    for door in level.doors:
        glyph = door_glyphs.get(door.kind, _UNKNOWN)
        drawn.append((glyph, "door" if door.kind == "open" else f"{door.kind} door"))
        for x, y in door.tiles:
            picture[y, x] = glyph
    for marker in level.markers:
        if marker.kind not in level.kinds.light_markers:
            glyph, name = _marker_glyph(marker, level.kinds)
            drawn.append((glyph, name))
            picture[marker.y, marker.x] = glyph
    rows = ["".join(row).rstrip() for row in picture]
    return rows, _legend(drawn, rows)


def _legend(drawn: Iterable[tuple[str, str]], rows: list[str]) -> dict[str, str]:
    """Return the names of each glyph that is visible in the rows, separated by `/`."""
    names: dict[str, dict[str, None]] = {}
    for glyph, name in drawn:
        names.setdefault(glyph, {})[name] = None
    seen = set("".join(rows)) - {" "}
    return {glyph: "/".join(names_of_glyph) for glyph, names_of_glyph in names.items() if glyph in seen}


def _ground_glyphs(level: Level) -> list[str]:
    """Return the glyph of each kind of terrain."""
    glyphs = level.kinds.terrain_signs
    return [_TERRAIN_GLYPHS.get(kind.name, glyphs.get(kind.name, _UNKNOWN)) for kind in level.terrain_kinds]


def _decor_glyphs(level: Level) -> list[str]:
    """Return the glyph of each kind of decor, empty for none."""
    glyphs = level.kinds.decor_signs
    return [
        glyphs.get(kind.name, _DECOR_GLYPHS.get(kind.name, _UNKNOWN)) if i else ""
        for i, kind in enumerate(level.decor_kinds)
    ]


def _door_glyphs(kinds: Kinds) -> dict[str, str]:
    """Choose the glyph of each door kind: its usual one, or else one that is unused or only means decor."""
    taken = {*kinds.glyphs, *_MARKER_GLYPHS.values(), *_TERRAIN_GLYPHS.values()} - {_DOOR_GLYPHS["open"]}
    signs = [sign for sign in _MORE_DOORS if sign not in taken | set(_DOOR_GLYPHS.values())]
    free = sorted(signs, key=lambda sign: sign in _DECOR_GLYPHS.values())
    usual = {kind: sign for kind, sign in _DOOR_GLYPHS.items() if sign not in taken}
    rest = [kind for kind in dict.fromkeys((*_DOOR_GLYPHS, *kinds.doors)) if kind not in usual]
    return usual | dict(zip(rest, free, strict=False))


def _marker_glyph(marker: Marker, kinds: Kinds) -> tuple[str, str]:
    """Choose the glyph that says most about a marker, and its meaning."""
    of_kind = [(glyph, item.properties) for glyph, item in kinds.glyphs.items() if item.marker == marker.kind]
    if marker.kind in _MARKER_GLYPHS and not of_kind:
        return _MARKER_GLYPHS[marker.kind], f"{marker.kind} {marker.properties.get('opens', '')}".rstrip()
    fitting = [
        (len(properties), glyph, properties)
        for glyph, properties in of_kind
        if properties.items() <= marker.properties.items()
    ]
    if not fitting:
        return of_kind[0][0] if of_kind else _UNKNOWN, marker.kind
    _, glyph, properties = max(fitting, key=lambda item: item[:2])
    words = [item if isinstance(item, str) else f"{key} {item}" for key, item in properties.items()]
    return glyph, " ".join([marker.kind, *words])


def room_lines(level: Level) -> list[str]:
    """Summarise the level: a line per room, per key, per door that needs something, and per note."""
    from generator.checks.record import notes  # a floorplan has none

    facts = ", ".join(f"{key} {fact}" for key, fact in level.facts.items())
    lines = [f"{level.style}, seed {level.seed_text or level.seed}{f': {facts}' if facts else ''}"]
    for room in level.rooms:
        distance = "-" if room.distance is None else room.distance
        lines.append(f"{room.id:3} {room.kind:14} distance {distance:>2}  {room.layout}".rstrip())
    return [one_line(line) for line in [*lines, *_gate_lines(level), *notes(level)]]


def _gate_lines(level: Level) -> list[str]:
    """Tell where the keys of a level lie, and what its locks, shortcuts and one-way doors ask for."""
    lines = []
    for marker in level.markers:
        if marker.kind == "key":
            noun = "lever" if marker.properties.get("lever") is True else "key"
            used_up = ", used up" if marker.properties.get("consumed") is True else ""
            must = ", must be taken" if marker.properties.get("must") is True else ""
            lines.append(f"{noun} {marker.properties.get('opens', '')}: {_place(marker)}{used_up}{must}")
    for door in level.doors:
        where = f"door {door.id} of room {door.rooms[0]}"
        if door.needs:
            lines.append(f"{where}: needs {', '.join(keys_in_words(door.needs))}")
        if door.one_way:
            lines.append(f"{where}: shuts behind the player")
        if door.opens_from is not None:
            lines.append(f"{where}: opens from room {door.opens_from} the first time")
        if door.joins:
            lines.append(f"{where}: joins {door.joins}")
    return lines


def _place(marker: Marker) -> str:
    return f"room {marker.room}" if marker.room is not None else f"tile {marker.x},{marker.y}"


def floorplan_rows(plan: Plan, kinds: Kinds = SHIPPED) -> tuple[list[str], dict[str, str]]:
    """Draw the floorplan, a line per row of cells (in a heap: of tiles), with the meaning of each glyph.

    A room is drawn with its kind's glyph in `kinds`, `.` for a normal room; hallways are `:`.
    """
    picture = plan.picture()
    columns, rows = zip(*picture, strict=True)
    lines = [
        "".join(
            _plan_glyph(picture[x, y], kinds) if (x, y) in picture else " "
            for x in range(min(columns), max(columns) + 1)
        ).rstrip()
        for y in range(min(rows), max(rows) + 1)
    ]
    names = [room.kind for room in plan.rooms] + [name for name in _PLAN_GLYPHS if name in picture.values()]
    return lines, _legend([(_plan_glyph(name, kinds), name) for name in names], lines)


_PLAN_GLYPHS = {"wall": "#", "hallway": ":", "door": "/"}


def _plan_glyph(name: str, kinds: Kinds) -> str:
    return _PLAN_GLYPHS.get(name) or kinds.room(name).glyph
