"""Several looks in one level: their sheets as one sheet, one below the other.

    rows 0 to n - 1       the level's own look, with all tiles at their usual places
    rows n to 2 n - 1     the next look: each tile's index is n * columns greater
    ...

So a dressed level is drawn as in one look; then the tiles of each room and hallway are moved by as many
sheets as its look lies lower. A zone has the look that the level's fact `zone.NAME.look` names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from exporters.formats.png.syntax import png_bytes
from exporters.theme import EMPTY, AtlasIndex, DecorLook, DoorLook, Floor, Theme, Variants
from exporters.theme.file import MAX_AREA_PX, MAX_SIDE_PX, any_png_size
from exporters.theme.image import atlas_pixels
from exporters.theme.loader import in_look, look_name, worn
from generator.level import Hallway, Level, Marker, Room
from generator.named_tuple import NamedTuple


class LevelLooks(NamedTuple):
    """The looks of a level: its chapter, if it has one, and the chapters in whose looks zones are drawn."""

    chapter: str
    zones: tuple[str, ...]


def looks_of(level: Level) -> LevelLooks:
    """Return the looks that a level names, those of zones without repeats."""
    chapter = level.facts.get("chapter")
    zones = {room.zone for room in level.rooms} - {""}
    looks = {level.look_of_zone(zone) for zone in zones} - {""}
    return LevelLooks(chapter if isinstance(chapter, str) else "", tuple(sorted(looks)))


def theme_in(theme: Theme, looks: LevelLooks) -> Theme:
    """Return the theme in the look of a chapter, with the looks of zones on the same sheet.

    A theme that was given in one look, or with several, is returned unchanged.
    """
    if theme.look or theme.below:
        return theme
    own = worn(theme, looks.chapter)
    names = {look_name(theme, look) for look in looks.zones} - {own.look}
    below = tuple(name for name in ("", *theme.looks) if name in names)
    return _together(theme, own.look, below) if below else own


def theme_of_level(theme: Theme, level: Level) -> Theme:
    """Return the theme in the looks of a level, as `theme_in` does."""
    return theme_in(theme, looks_of(level)) if theme.looks else theme


def theme_of_levels(theme: Theme, levels: Sequence[Level]) -> Theme:
    """Return the theme in all looks of some levels, the first level's own look first: see `theme_in`."""
    looks = [looks_of(level) for level in levels]
    others = {name for own in looks for name in (own.chapter, *own.zones)} - {""}
    return theme_in(theme, LevelLooks(looks[0].chapter, tuple(sorted(others)))) if theme.looks else theme


def sheet_steps(own: Theme, shared: Theme) -> list[int]:
    """Return for each sheet of a theme how much greater its tiles are in a theme with all of its looks."""
    places = {look.look: number for number, look in enumerate(shared.sheets)}
    return [
        (places.get(look.look, number) - number) * own.sheet_tiles for number, look in enumerate(own.sheets)
    ]


def look_steps(level: Level, theme: Theme) -> list[int]:
    """Return how much greater the tiles of each room, then each hallway, are than those of the first look.

    Empty if the theme has one look. A hallway has the look of the nearer one of its rooms, as seen from the
    start: so a district begins at its door.
    """
    if not theme.below:
        return []
    places = {look.look: number * theme.sheet_tiles for number, look in enumerate(theme.sheets)}
    zones = {zone: look_name(theme, level.look_of_zone(zone)) for zone in {room.zone for room in level.rooms}}
    named = {zone: places.get(zones[zone], 0) for zone in zones if level.look_of_zone(zone)}
    rooms = [named.get(room.zone, 0) for room in level.rooms]
    return rooms + [rooms[_nearer(level, hallway).id] for hallway in level.hallways]


def light_colour(level: Level, theme: Theme) -> Callable[[Marker], str]:
    """Return a function that gives the colour of a light, `#rrggbb`, in the look of its room or hallway."""
    steps = look_steps(level, theme)
    colours = [theme.sheets[step // theme.sheet_tiles].light.torch for step in steps or ()]

    def colour(marker: Marker) -> str:
        if not colours or (marker.room is None and marker.hallway is None):
            return theme.light.torch
        owner = marker.room if marker.hallway is None else len(level.rooms) + marker.hallway
        return colours[owner or 0] or theme.light.torch

    return colour


def _nearer(level: Level, hallway: Hallway) -> Room:
    """Return the room at a hallway's end from which a player comes who explores the level."""
    ends = [level.rooms[level.doors[door].rooms[0]] for door in hallway.doors]
    return min(ends, key=lambda room: (room.distance is None, room.distance or 0, room.id))


@lru_cache(maxsize=32)
def _together(theme: Theme, own: str, below: tuple[str, ...]) -> Theme:
    """Put looks of a theme on one sheet. Looks for which it has no space are left out, and a line says so."""
    pitch = theme.tile_size + theme.spacing
    width, _ = any_png_size(theme.image, theme.name)
    space = (min(MAX_SIDE_PX, MAX_AREA_PX // width) - theme.margin) // (pitch * theme.rows)
    names, left_out = below[: max(space - 1, 0)], below[max(space - 1, 0) :]
    first = in_look(theme, own)
    step = theme.columns * theme.rows
    moved = tuple(_moved(in_look(theme, name), n * step) for n, name in enumerate(names, 1))
    lines = tuple(
        f"{theme.path or theme.name}: look.{name}: has no space on a sheet of at most {MAX_SIDE_PX} px with "
        "the others; the first look is used instead"
        for name in left_out
    )
    together = replace(
        first,
        name="-".join((first.name, "with", *(name or "plain" for name in names))) if names else first.name,
        image=_stacked([first, *(in_look(theme, name) for name in names)]) if names else first.image,
        rows=theme.rows * (1 + len(names)),
        animations={tile: frames for look in (first, *moved) for tile, frames in look.animations.items()},
        stand_ins=(*first.stand_ins, *lines),
        left_out=lines,
    )
    return replace(together, below=tuple(replace(look, rows=together.rows) for look in moved))


def _stacked(looks: Sequence[Theme]) -> bytes:
    """Draw the tiles of all looks in one image."""
    theme = looks[0]
    height = theme.rows * (theme.tile_size + theme.spacing)
    sheets = [atlas_pixels(look) for look in looks]
    width = sheets[0].shape[1]
    image = np.zeros((theme.margin + height * len(looks), width, 4), np.uint8)
    for number, sheet in enumerate(sheets):
        tiles = sheet[theme.margin : theme.margin + height]
        top = theme.margin + number * height
        image[top : top + len(tiles)] = tiles
    return png_bytes(width, len(image), iter([image]))


def _moved(look: Theme, step: int) -> Theme:
    """Return a look whose tiles are `step` greater. Icons are only those of the first look."""

    def tiles(some: tuple[AtlasIndex, ...]) -> tuple[AtlasIndex, ...]:
        return tuple(tile if tile == EMPTY else tile + step for tile in some)

    def variants(some: Variants) -> Variants:
        return Variants(tiles(some.tiles), some.weights)

    def by_mask(some: Mapping[int, Variants]) -> dict[int, Variants]:
        return {mask: variants(of_mask) for mask, of_mask in some.items()}

    floors = {
        name: Floor(variants(floor.plain), variants(floor.shaded)) for name, floor in look.floors.items()
    }
    decor = {name: DecorLook(variants(own.variants), tiles(own.overlay)) for name, own in look.decor.items()}
    return replace(
        look,
        floors=floors,
        walls=by_mask(look.walls),
        pits=by_mask(look.pits),
        doors={key: DoorLook(*map(tiles, door)) for key, door in look.doors.items()},
        decor=decor,
        icons={},
        map_icons={},
        named={},
        animations={tile + step: frames for tile, frames in look.animations.items()},
    )
