"""Tiled maps to draw a room in: its tiles, its markers as icons, and a tileset that explains the tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exporters.bundle import Bundle
from exporters.dress import Layers
from exporters.formats.tiled.names import written_name
from exporters.formats.tiled.syntax.text import PropertyValue, properties
from exporters.formats.tiled.write_map import MapFacts, Target, written_map
from exporters.formats.tiled.write_objects import MapPart, Object, marker_shape
from exporters.formats.tiled.write_project import project, project_file
from exporters.formats.tiled.write_tileset import tileset
from exporters.layouts.drawing import RoomDrawing, drawing_of, facts_of, varied_tiles
from exporters.theme import Theme
from generator.geometry import Rect, Side
from generator.interiors.layouts import Exit
from generator.interiors.named import NamedLayout


def tiled_drawing(named: NamedLayout, theme: Theme, name: str) -> Bundle:
    """Write `NAME.tmj`, the theme's tileset and image, and a project with the marker classes."""
    drawing = drawing_of([named], theme)
    theme = drawing.theme
    (rect,) = drawing.rects
    part = MapPart(
        level=drawing.level,
        theme=theme,
        area=rect,
        layers=Layers(*(layer[rect.slices] for layer in drawing.layers)),
        rooms=(),
        doors=(),
        hallways=(),
        markers=drawing.level.markers,
    )
    facts: dict[str, PropertyValue | None] = {**facts_of(named)}
    markers = [*_markers(part), *_varied(named, drawing)]
    exits = list(_exits(named, rect, theme.tile_size))
    for number, item in enumerate((*markers, *exits), 1):
        item["id"] = number
    groups = [("Markers", markers), *([("Exits", exits)] if exits else [])]
    next_id = 1 + len(markers) + len(exits)
    written = written_map(part, groups, Target(name), MapFacts("room", facts), next_id)
    return Bundle(
        {
            f"{name}.tmj": written,
            f"{theme.name}.tsj": tileset(theme),
            f"{theme.name}.png": theme.image,
            project_file(drawing.level.kinds): project(drawing.level.kinds),
        }
    )


def _markers(part: MapPart) -> Iterator[Object]:
    """Yield the markers as in maps of levels, without the properties that only levels have."""
    for marker in part.markers:
        values = {written_name(name, marker.kind): value for name, value in marker.properties.items()}
        yield _object(marker.kind, marker_shape(part, marker), properties({}, values))


def _varied(named: NamedLayout, drawing: RoomDrawing) -> Iterator[Object]:
    """Yield the tiles that chance decides, each a square with the class one_of or group."""
    size = drawing.theme.tile_size
    for tile in varied_tiles(named.layout, drawing.level.kinds):
        x, y = (size * (at + 1) for at in tile.place)
        shape: Object = {"height": size, "width": size, "x": x, "y": y}
        yield _object(tile.kind, shape, properties({**tile.properties}))


def _exits(named: NamedLayout, rect: Rect, size: int) -> Iterator[Object]:
    """Yield the exits, each a rectangle in the wall."""
    for exit_ in named.layout.exits:
        x, y, width, height = _exit_tiles(exit_, rect)
        shape: Object = {"height": height * size, "width": width * size, "x": x * size, "y": y * size}
        yield _object("exit", shape, properties({"any": exit_.is_any or None, "joins": exit_.joins or None}))


def _exit_tiles(exit_: Exit, rect: Rect) -> Rect:
    """Return the wall tiles of an exit, in the room's rectangle."""
    along = rect.width - 2 if exit_.side.is_vertical_way else rect.height - 2
    first, last = (0, along - 1) if exit_.is_any else (exit_.first, exit_.last)
    if exit_.side.is_vertical_way:
        return Rect(1 + first, 0 if exit_.side is Side.NORTH else rect.height - 1, last - first + 1, 1)
    return Rect(0 if exit_.side is Side.WEST else rect.width - 1, 1 + first, 1, last - first + 1)


def _object(class_: str, shape: Mapping[str, object], listed: list[dict[str, object]]) -> Object:
    item: Object = {"id": 0, "name": "", "rotation": 0, "type": class_, "visible": True, **shape}
    return dict(sorted({**item, "properties": listed}.items() if listed else item.items()))
