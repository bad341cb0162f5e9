"""A drawn room as the text of a layout file.

drawn                               layout
# # # D # # #   the ring of walls   doors: N
# . . . . . #   belongs to the      map:
# . o E . . #   room, not to the    .....
# # # # # # #   layout              .oE..
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from generator.arrays import Mask, around, beside
from generator.errors import LayoutError, shown
from generator.geometry import GridFrame, Point, Rect, Side
from generator.interiors.drawing_letters import Letters
from generator.interiors.editor_room import DrawnObject, EditorRoom
from generator.interiors.interior import covered_tiles, inside_tiles
from generator.interiors.layout_file import nearest, parse_layout
from generator.interiors.layouts import Exit, Layout
from generator.kinds import DOOR, FLOOR, HALLWAY, VOID, WALL, Kinds
from generator.level import Tiles
from generator.named_tuple import NamedTuple
from generator.shapes import SHAPES, Shape

_MAX_SIDE = 2 * 63 + 2
_HEADER = ("weight", "mirror", "tags", "repeat")  # what a map may set; the rest follows from the drawing
_USUAL = {"repeat": "freely", "turn": "no"}  # defaults that a header leaves out
_FREE_HEADER = (*_HEADER, "turn", "difficulty")
_SIGNS = {"hallway": ".", "door": ".", "void": "#"}  # terrain that a layout has no sign of its own for
_SAID = (*_FREE_HEADER, "kind", "chapter", "shape", "exits")


def layout_of(room: EditorRoom, *, check: bool = True) -> Layout:
    """Return the drawn layout, checked unless `check` is False. Raises LayoutError with its position."""
    text = layout_text(room)
    try:
        return parse_layout(text, room.path, room.kinds, check=check)
    except LayoutError as error:
        raise drawing_error(room, str(error), text) from None


def layout_text(room: EditorRoom) -> str:
    """Write the text of the layout that was drawn. Raises LayoutError with its position in the drawing."""
    bounds = _bounds(room)
    terrain = room.terrain[bounds.slices]
    corner = bounds.x, bounds.y
    free = is_free(room, bounds)
    outline = free_outline(room, bounds) if free else _grid_outline(room, terrain, corner)
    keys = _FREE_HEADER if free else _HEADER
    letters = Letters(room.kinds)
    inside = bounds.shrunk(1)
    rows = _tiles(room, inside, outline, letters)
    for item in room.objects:
        if item not in outline.exits:
            _place(room, item, inside, rows, letters)
    lines = [f"{key}: {value}" for key, value in (*_header(room, keys), *outline.header) if value]
    lines += [f"{letter} = {definition}" for definition, letter in letters.own.items()]
    return "\n".join([*lines, "", "map:", *("".join(row).rstrip() for row in rows), ""]).lstrip("\n")


def _bounds(room: EditorRoom) -> Rect:
    """Return the rectangle of all that is drawn, walls included."""
    ys, xs = np.nonzero((room.terrain != VOID) | (room.decor != 0))
    if not len(ys):
        raise room.fail("is empty; draw the room with its walls")
    x, y = int(xs.min()), int(ys.min())
    bounds = Rect(x, y, int(xs.max()) - x + 1, int(ys.max()) - y + 1)
    if min(bounds.width, bounds.height) < 3 or max(bounds.width, bounds.height) > _MAX_SIDE:
        size = f"{bounds.width} x {bounds.height} tiles"
        raise room.fail(f"is {size} with its walls; each side must be 3 to {_MAX_SIDE}", (x, y))
    return bounds


def _header(room: EditorRoom, keys: Sequence[str]) -> list[tuple[str, str]]:
    """Return the header lines of the layout, from the properties of the map or level."""
    for key in room.header:
        if near := nearest(key, _SAID):
            raise room.fail(f"{shown(key)} is not a property of a room; did you mean {near}?")
    header = []
    for key in keys:
        text = room.said(key)
        if text == _USUAL.get(key):
            continue
        if not text.isprintable() or "//" in text:
            raise room.fail(f"{key}: {shown(text)} cannot be written in a layout's header")
        header.append((key, text))
    return header


def _sign(kinds: Kinds, terrain: int) -> str | None:
    """Return the sign of a terrain, by number."""
    name = kinds.terrain[terrain].name
    return _SIGNS.get(name) or kinds.terrain_signs.get(name)


def _tiles(room: EditorRoom, inside: Rect, outline: Outline, letters: Letters) -> list[list[str]]:
    """Return the glyphs of terrain and decor, row by row."""
    rows = []
    for y in range(inside.y, inside.bottom):
        row = []
        for x in range(inside.x, inside.right):
            if outline.void[y - inside.y, x - inside.x]:
                row.append(outline.outside)
                continue
            terrain, decor = int(room.terrain[y, x]), int(room.decor[y, x])
            if decor and terrain not in (FLOOR, HALLWAY, VOID):
                name, ground = room.kinds.decor[decor].name, room.kinds.terrain[terrain].name
                raise room.fail(f"{name} is on {ground}; put floor there", (x, y))
            if decor:
                row.append(letters.of_decor(room.kinds.decor[decor].name, room.place))
            elif sign := _sign(room.kinds, terrain):
                row.append(sign)
            else:
                name = room.kinds.terrain[terrain].name
                raise room.fail(f"{name} has no glyph in the kit; add one to terrain.{name}", (x, y))
        rows.append(row)
    return rows


def _place(
    room: EditorRoom, item: DrawnObject, inside: Rect, rows: list[list[str]], letters: Letters
) -> None:
    """Set an object's glyph on each tile that it covers: one for a marker, any number for a variation."""
    covered = item.tiles
    if item.kind not in ("one_of", "group"):
        covered = Rect(covered.x + covered.width // 2, covered.y + covered.height // 2, 1, 1)
    for y in range(covered.y, covered.bottom):
        for x in range(covered.x, covered.right):
            if not inside.contains(x, y):
                raise room.fail(f"{item.place.rpartition(': ')[2]} is outside the room", (x, y))
            terrain = int(room.terrain[y, x])
            terrain = FLOOR if terrain in (HALLWAY, DOOR) else terrain
            if not _may_stand(room, item.kind, terrain) or room.decor[y, x]:
                decor, ground = room.kinds.decor[room.decor[y, x]], room.kinds.terrain[terrain]
                obstacle = decor.name if room.decor[y, x] else ground.name
                label = item.place.rpartition(": ")[2]
                raise room.fail(f"{label} is on {obstacle}; put it on free floor", (x, y))
            if rows[y - inside.y][x - inside.x] != _sign(room.kinds, terrain):
                raise room.fail(f"two objects are here; {item.kind} is the second", (x, y))
            rows[y - inside.y][x - inside.x] = letters.glyph(item, terrain)


def _may_stand(room: EditorRoom, kind: str, terrain: int) -> bool:
    """Check whether an object of a class may be on a terrain. Variations may be on anything walkable."""
    marker, ground = room.kinds.markers.get(kind), room.kinds.terrain[terrain]
    return ground.name in room.kinds.grounds_of(marker) if marker else ground.walk


# --- rooms of a grid ---------------------------------------------------------------------------------


def _grid_outline(room: EditorRoom, terrain: Tiles, corner: Point) -> Outline:
    """Return the shape, the doors, and the part of the inside that is a notch."""
    shape = _shape(room, terrain)
    _check_holes(room, terrain, corner, shape)
    height, width = terrain.shape
    pitch = width // shape.size[0], height // shape.size[1]
    doors = _doors(room, terrain, corner, shape, pitch)
    header = [("shape", "" if shape.name == "1x1" else shape.name)]
    header.append(("doors", "" if len(doors) == len(shape.slots) else " ".join(doors)))
    void = np.zeros((height - 2, width - 2), bool)
    inside = inside_tiles(shape.cells, pitch)
    if inside.shape == void.shape:  # otherwise the size is wrong, which the layout's own rules report
        void = ~inside & ~_walkable(room, terrain)[1:-1, 1:-1]
        void |= ~inside & (terrain[1:-1, 1:-1] == DOOR)
    return Outline(tuple(header), void, "#", ())


def _check_holes(room: EditorRoom, terrain: Tiles, corner: Point, shape: Shape) -> None:
    """Raise LayoutError for an empty tile beside floor, as it is unclear what was meant.

    Empty tiles among walls are wall, like the inside of a thick wall.
    """
    pitch = terrain.shape[1] // shape.size[0], terrain.shape[0] // shape.size[1]
    covered = covered_tiles(shape.cells, pitch)
    if covered.shape != terrain.shape:
        return
    is_open = (terrain != VOID) & (terrain != WALL) & covered
    for y, x in np.argwhere((terrain == VOID) & covered & beside(is_open))[:1].tolist():
        raise room.fail("is empty on all layers; draw floor or a wall there", (x + corner[0], y + corner[1]))


def _walkable(room: EditorRoom, terrain: Tiles) -> Mask:
    walkable: Mask = room.kinds.terrain_where("walk")[terrain]
    return walkable


def _shape(room: EditorRoom, terrain: Tiles) -> Shape:
    """Return the shape that the map names, or the one that follows from its size and its notch."""
    named = room.header.get("shape")
    if named:
        if str(named) not in SHAPES:
            raise room.fail(f"shape: {shown(named)} is not one of {', '.join(SHAPES)}")
        return SHAPES[str(named)]
    height, width = terrain.shape
    columns, rows = (1 if side % 2 else 2 for side in (width, height))
    if (columns, rows) != (2, 2):
        return SHAPES[f"{columns}x{rows}"]
    for name in ("LTL", "LTR", "LBL", "LBR"):
        (gone,) = {(x, y) for x in (0, 1) for y in (0, 1)} - set(SHAPES[name].cells)
        cell = terrain[GridFrame((0, 0), (width // 2, height // 2)).cell_rect(gone).slices]
        if (cell == VOID).any() and not _walkable(room, cell).any():
            return SHAPES[name]
    return SHAPES["2x2"]


def _doors(room: EditorRoom, terrain: Tiles, corner: Point, shape: Shape, pitch: Point) -> list[str]:
    """Return the shape's slots where there is a gap in the wall. Raises LayoutError for any other gap."""
    frame = GridFrame((0, 0), pitch)
    covered = covered_tiles(shape.cells, pitch)
    if covered.shape != terrain.shape:
        return list(shape.slots)
    ring = covered.copy()
    ring[1:-1, 1:-1] &= ~inside_tiles(shape.cells, pitch)
    gaps = {(x, y) for y, x in np.argwhere(ring & _walkable(room, terrain)).tolist()}
    doors = []
    for name, (cell, side) in shape.slots.items():
        widest = frame.door_tiles(cell, side, 5)[0]
        if widest[2] in gaps:
            doors.append(name)
            gaps -= set(widest)
    if gaps:
        x, y = min(gaps, key=lambda tile: (tile[1], tile[0]))
        raise room.fail(
            f"there is a gap in the wall where a {shape.name} has no door; put doors in the middle of a "
            "cell's side; for a room of any outline, draw an object of the class exit there",
            (x + corner[0], y + corner[1]),
        )
    if not doors:
        raise room.fail("has no door; leave a gap in the middle of a side of the wall, or draw a door there")
    return doors


# --- messages ----------------------------------------------------------------------------------------


def drawing_error(room: EditorRoom, message: str, text: str) -> LayoutError:
    """Rewrite a message about the text of a room's layout for the drawing."""
    rest = message.removeprefix(str(room.path))
    bounds = _bounds(room)
    first = text.splitlines().index("map:") + 2
    match = re.match(r":([0-9]+): (?:column ([0-9]+): )?", rest)
    if not match:
        return room.fail(rest.removeprefix(": "))
    reason = rest[match.end() :]
    if not match[2]:
        return room.fail(reason)
    tile = bounds.x + int(match[2]), bounds.y + 1 + int(match[1]) - first
    return room.fail(reason, tile)


# Rooms of any outline: which part of a drawing is outside, and where its exits are.
#
# # # # D D # #      the ring round everything and the walls along the outline belong to the room:
# # # # . . # #      exits: N 3-4
#   # . . . # #      map:
#   # # # # #          ..
#                    ...

_GAPS = "gaps"  # in a list of exits: the gaps in the wall


class Outline(NamedTuple):
    """What follows from a drawing's walls: header lines, the area outside [y, x], and its glyph."""

    header: tuple[tuple[str, str], ...]
    void: Mask
    outside: str
    exits: tuple[DrawnObject, ...]


def is_free(room: EditorRoom, bounds: Rect) -> bool:
    """Check whether a room has a free outline with exits: it says so, or has an exit object."""
    return bool(room.header.get("exits")) or bool(_exit_objects(room, bounds))


def free_outline(room: EditorRoom, bounds: Rect) -> Outline:
    """Return the exits, and the area outside the walls. Raises LayoutError."""
    terrain = room.terrain[bounds.slices]
    objects = _exit_objects(room, bounds)
    header_exits = room.header.get("exits")
    if objects:
        exits = ", ".join(str(_exit(room, item, bounds)) for item in objects)
    else:
        requested = [part.strip() for part in str(header_exits).split(",")]
        gaps = [str(gap) for gap in openings(terrain, room.kinds)] if _GAPS in requested else []
        exits = ", ".join([*gaps, *(part for part in requested if part != _GAPS)])
    if not exits:
        raise room.fail("has no exit; draw an object of the class exit on the wall, or leave a gap there")
    near = around(np.pad(terrain == VOID, 1, constant_values=True))[1:-1, 1:-1]
    void = (terrain == VOID) | ((terrain == WALL) & near)
    return Outline((("exits", exits),), void[1:-1, 1:-1], " ", objects)


def _exit_objects(room: EditorRoom, bounds: Rect) -> tuple[DrawnObject, ...]:
    """Return the exit objects that touch the outermost ring, as any others lead to the next level."""
    inside = bounds.shrunk(1)
    return tuple(
        item
        for item in room.objects
        if item.kind == "exit"
        and (
            item.tiles.x < inside.x
            or item.tiles.y < inside.y
            or item.tiles.right > inside.right
            or item.tiles.bottom > inside.bottom
        )
    )


def _exit(room: EditorRoom, item: DrawnObject, bounds: Rect) -> Exit:
    """Return the exit that an object stands for, on the side where most of it is in the wall."""
    for key in item.properties:
        if near := nearest(key, ("any", "joins")):
            raise room.fail(
                f"{shown(key)} is not a property of an exit; did you mean {near}?", item.tiles[:2]
            )
    tiles, inside = item.tiles, bounds.shrunk(1)
    beyond = {
        Side.NORTH: inside.y - tiles.y,
        Side.SOUTH: tiles.bottom - inside.bottom,
        Side.WEST: inside.x - tiles.x,
        Side.EAST: tiles.right - inside.right,
    }
    wide = max(tiles.width, 1) >= max(tiles.height, 1)
    sides = [side for side, depth in beyond.items() if depth > 0]
    side = min(sides, key=lambda candidate: candidate.is_vertical_way is not wide)
    joins = str(item.properties.get("joins") or "")
    if item.properties.get("any"):
        return Exit(side, 0, -1, joins)
    if side.is_vertical_way:
        low, high, start, length = tiles.x, tiles.right, inside.x, inside.width
    else:
        low, high, start, length = tiles.y, tiles.bottom, inside.y, inside.height
    first, last = max(low - start, 0), min(high - start, length) - 1
    return Exit(side, first, max(first, last), joins)


def openings(terrain: Tiles, kinds: Kinds) -> Iterable[Exit]:
    """Find the gaps in the outermost ring [y, x], side by side."""
    walk = kinds.terrain_where("walk")[terrain]
    for side, line in (
        (Side.NORTH, walk[0, 1:-1]),
        (Side.EAST, walk[1:-1, -1]),
        (Side.SOUTH, walk[-1, 1:-1]),
        (Side.WEST, walk[1:-1, 0]),
    ):
        padded = np.concatenate([[False], line, [False]])
        edges = np.flatnonzero(padded[1:] != padded[:-1]).tolist()
        for first, end in zip(edges[::2], edges[1::2], strict=True):
            yield Exit(side, first, end - 1)
