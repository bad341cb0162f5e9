"""Layouts as the rooms of a level, so that code for levels can draw and write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from exporters.dress import EMPTY, Layers, dress
from exporters.theme import Theme
from exporters.theme.loader import fitted
from generator.algorithms.outline import close_pinches, outline
from generator.geometry import GridFrame, Point, Rect
from generator.interiors.interior import covered_tiles
from generator.interiors.layouts import Layout
from generator.interiors.named import NamedLayout
from generator.interiors.variations import Variation
from generator.kinds import DIFFICULTIES, DOOR, FLOOR, SHIPPED, VOID, WALL, Glyph, Kinds
from generator.level import MARGIN, Door, Level, Marker, Property, Room, Tiles
from generator.named_tuple import NamedTuple
from generator.spec import LevelSpec


def rooms_level(named: Sequence[NamedLayout], corners: Sequence[Point], size: Point) -> Level:
    """Build a level of `size` tiles with a room per layout. `corners` are the top left tiles of their walls.

    There is a door wherever a layout can have one; it leads nowhere. Variations are left out.
    """
    terrain, decor = np.full((2, size[1], size[0]), VOID, np.uint8)
    rooms: list[Room] = []
    doors: list[Door] = []
    markers: list[tuple[Any, ...]] = []
    for number, (entry, corner) in enumerate(zip(named, corners, strict=True)):
        layout = entry.layout
        bounds = Rect(*corner, *walled_size(layout))
        interior, inside = layout.interior(), bounds.shrunk(1)
        terrain[bounds.slices] = room_terrain(layout)
        decor[inside.slices] = interior.decor
        rooms.append(_room(number, entry, bounds, terrain[bounds.slices]))
        for side, tiles in layout_doors(layout):
            placed = tuple((x + corner[0], y + corner[1]) for x, y in tiles)
            doors.append(Door(len(doors), (number, None), placed, side, "open"))
        markers += [
            (marker.kind, marker.x + inside.x, marker.y + inside.y, number, None, marker.properties)
            for marker in interior.markers
        ]
    kinds = named[0].layout.kinds if named else SHIPPED
    numbered = tuple(Marker(i, *entry) for i, entry in enumerate(markers))
    return Level(0, LevelSpec(), terrain, decor, tuple(rooms), tuple(doors), numbered, kinds=kinds)


def _room(number: int, named: NamedLayout, bounds: Rect, terrain: Tiles) -> Room:
    rings = outline(terrain != VOID, (bounds.x, bounds.y))
    pool = named.name.split("/")[-2] if "/" in named.name else ""
    difficulty = named.layout.difficulty or DIFFICULTIES.get(pool, 0)
    return Room(number, named.kind, named.layout.shape.name, (), bounds, rings, 0, 0, difficulty, named.name)


def walled_size(layout: Layout) -> Point:
    """Width and height of the room in tiles, walls included."""
    width, height = layout.size
    return width + 2, height + 2


def room_terrain(layout: Layout) -> Tiles:
    """Return the terrain [y, x] of the room with its walls and doors, void outside its shape and outline."""
    inside = layout.interior().terrain
    if layout.exits:
        terrain = np.pad(inside, 1, constant_values=VOID)
        _build_walls(terrain)
    else:
        terrain = np.pad(inside, 1, constant_values=WALL)
        terrain[~covered_tiles(layout.shape.cells, layout.pitch)] = VOID
    for _, tiles in layout_doors(layout):
        for x, y in tiles:
            terrain[y, x] = DOOR
    return terrain


def _build_walls(terrain: Tiles) -> None:
    """Put walls on the void tiles around everything else, corners included."""
    framed = np.pad(terrain != VOID, 1)
    near = np.zeros(terrain.shape, bool)
    for dy in range(3):
        for dx in range(3):
            near |= framed[dy : dy + terrain.shape[0], dx : dx + terrain.shape[1]]
    terrain[near & (terrain == VOID)] = WALL
    close_pinches(terrain, VOID, WALL)


def layout_doors(layout: Layout) -> Iterator[tuple[str, list[Point]]]:
    """Yield the possible doors or exits: their sides, and their tiles relative to the room's corner."""
    for exit_ in layout.exits:
        if not exit_.is_any:
            side, tiles = exit_.side, exit_.tiles(layout.size)
            yield side.label, [(x + 1 + side.dx, y + 1 + side.dy) for x, y in tiles]
    frame = GridFrame((0, 0), layout.pitch)
    for cell, side in (layout.shape.slots[name] for name in layout.doors):
        yield side.label, frame.door_tiles(cell, side, 1)[0]


def alone(named: NamedLayout) -> Level:
    """Build a level with one layout and a margin of void."""
    width, height = walled_size(named.layout)
    return rooms_level([named], [(MARGIN, MARGIN)], (width + 2 * MARGIN, height + 2 * MARGIN))


# --- what all files to draw in share: the rooms, their tiles, and their properties -------------------
#
# Tiles in the void (tops of walls, outer faces) are left out: a drawing has only the room.

_GAP = 4  # tiles between rooms
_NARROW = ("IH", "IV", "IIH", "IIV")  # shapes that a map's size does not reveal


class RoomDrawing(NamedTuple):
    """A level with the rooms side by side, and its dressed layers. `rects` are the rooms, walls included."""

    level: Level
    theme: Theme
    layers: Layers
    rects: tuple[Rect, ...]


class VariedTile(NamedTuple):
    """A tile that chance decides: its class as an object, its properties, and its place inside the room."""

    kind: str
    properties: Mapping[str, Property]
    place: Point


def drawing_of(named: Sequence[NamedLayout], theme: Theme) -> RoomDrawing:
    """Draw the rooms of some layouts in a row. Raises ThemeError."""
    x, rects = MARGIN, []
    for entry in named:
        rects.append(Rect(x, MARGIN, *walled_size(entry.layout)))
        x = rects[-1].right + _GAP
    size = x - _GAP + MARGIN, max(rect.bottom for rect in rects) + MARGIN
    level = rooms_level(named, [(rect.x, rect.y) for rect in rects], size)
    theme = fitted(theme, level.kinds)
    layers = dress(level, theme)
    return RoomDrawing(
        level,
        theme,
        Layers(*(np.where(level.terrain == VOID, EMPTY, layer) for layer in layers)),
        tuple(rects),
    )


def facts_of(named: NamedLayout) -> dict[str, Property]:
    """Return the properties of a room's map or level, named as in a layout's header, and its pool."""
    layout, folders = named.layout, named.name.split("/")[:-1]
    facts: dict[str, Property] = {"kind": named.kind}
    if layout.exits:
        has_classes = any(exit_.joins for exit_ in layout.exits)  # which gaps do not show
        places = [exit_ for exit_ in layout.exits if exit_.is_any or has_classes]
        facts["exits"] = ", ".join([*([] if has_classes else ["gaps"]), *map(str, places)])
        names = {number: name for name, number in DIFFICULTIES.items()}
        facts["difficulty"] = names.get(layout.difficulty, "")
        facts["turn"] = "quarter" if any("r" in image for image in layout.mirrors) else "no"
    elif named.kind == "normal":
        facts["chapter"], facts["difficulty"] = folders[-2:] if len(folders) > 1 else ("any", "easy")
    if layout.shape.name in _NARROW:
        facts["shape"] = layout.shape.name
    mirrors = "".join(image for image in layout.mirrors if image in ("h", "v"))
    facts |= {"weight": layout.weight, "mirror": mirrors or "none", "repeat": layout.repeat}
    return facts | {"tags": " ".join(sorted(layout.tags))}


def varied_tiles(layout: Layout, kinds: Kinds) -> Iterator[VariedTile]:
    """Yield each tile whose letter has a variation."""
    for letter, variation in layout.variations.items():
        properties = _variation(variation, layout.glyphs, kinds)
        for y, row in enumerate(layout.rows):
            for x, glyph in enumerate(row):
                if glyph == letter:
                    yield VariedTile("group" if variation.many else "one_of", properties, (x, y))


def _variation(variation: Variation, glyphs: Mapping[str, Glyph], kinds: Kinds) -> dict[str, Property]:
    if variation.many:
        return {"many": variation.many, "of": _said(glyphs[variation.signs[0]], kinds)}
    return {"of": " ".join(_said(glyphs[sign], kinds) for sign in variation.signs)}


def _said(glyph: Glyph, kinds: Kinds) -> str:
    """Describe a glyph's meaning in the words of a layout's header."""
    if glyph.marker:
        ground = {} if glyph.terrain == FLOOR else {"on": kinds.terrain[glyph.terrain].name}
        pairs = [f"{key}={_plain(value)}" for key, value in {**glyph.properties, **ground}.items()]
        return " ".join([glyph.marker, *pairs])
    return kinds.decor[glyph.decor].name if glyph.decor else kinds.terrain[glyph.terrain].name


def _plain(value: Property) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
