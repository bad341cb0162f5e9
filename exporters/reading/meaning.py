"""What the tiles of a theme mean in a level: a terrain, a piece of decor, a kind of door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from exporters.dress import EMPTY, DoorTile, door_tiles
from exporters.formats.ldtk import kinds as ldtk_kinds
from exporters.formats.tiled.write_tileset import ICON_PROPERTIES
from exporters.objects import starts_shut
from exporters.theme import AtlasIndex, Theme
from exporters.theme.districts import look_steps
from generator.kinds import Kinds
from generator.level import Door, Level
from generator.named_tuple import NamedTuple


class TopLeft(NamedTuple):
    """Decor, found by its top left tile: its number among the theme's kinds, and its size in tiles."""

    number: int
    name: str
    width: int
    height: int


@lru_cache(maxsize=16)
def things(theme: Theme) -> Mapping[AtlasIndex, tuple[TopLeft, ...]]:
    """Map each tile to the decor whose top left tile it can be, larger pieces first."""
    pieces: dict[AtlasIndex, dict[int, TopLeft]] = {}
    for number, kind in enumerate(theme.kinds.decor):
        piece = TopLeft(number, kind.name, kind.width, kind.height)
        for look in theme.sheets if number else ():
            for tile in look.decor[kind.name].variants.tiles:
                if tile != EMPTY:
                    pieces.setdefault(tile, {})[number] = piece
    return {
        tile: tuple(sorted(by_number.values(), key=lambda piece: (-piece.width * piece.height, piece.number)))
        for tile, by_number in pieces.items()
    }


ShownDoor = Mapping[tuple[int, int], AtlasIndex]
"""The tiles of a door, by place."""


def door_kind(door: Door, shown: ShownDoor, theme: Theme, level: Level) -> str:
    """Return the kind of a door with these tiles: its current kind if that fits, empty if no kind fits.

    A door drawn open although its kind starts shut has become an open door.
    """
    kinds, steps = level.kinds, look_steps(level, theme)
    drawn = {
        kind: list(door_tiles(replace(door, kind=kind), theme, steps)) for kind in (door.kind, *kinds.doors)
    }
    for kind, tiles in drawn.items():
        if shown == _looks(tiles, opened=not starts_shut(replace(door, kind=kind), kinds)):
            return kind
    return "open" if any(shown == _looks(tiles, opened=True) for tiles in drawn.values()) else ""


def _looks(tiles: Iterable[DoorTile], *, opened: bool) -> dict[tuple[int, int], AtlasIndex]:
    return {(tile.x, tile.y): tile.open if opened else tile.shut for tile in tiles}


@lru_cache(maxsize=16)
def grid_terrains(kinds: Kinds) -> Mapping[int, str]:
    """Map each IntGrid value in LDtk to its terrain, except `stone`, because void can look like it."""
    words = ldtk_kinds.grid_words(kinds)
    by_value = {value: name for name, value in words.of_terrain.items()}
    by_value |= dict.fromkeys((*words.of_room.values(), ldtk_kinds.FLOOR), "floor")
    by_value |= dict.fromkeys((ldtk_kinds.WALL, ldtk_kinds.WEST_END, ldtk_kinds.EAST_END), "wall")
    return by_value | {ldtk_kinds.SECRET_DOOR: "door"}


@lru_cache(maxsize=16)
def icon_markers(theme: Theme) -> Mapping[AtlasIndex, tuple[str, Mapping[str, str]]]:
    """Map each icon of the tileset to the kind of marker and the property that it shows."""
    markers: dict[AtlasIndex, tuple[str, Mapping[str, str]]] = {}
    for name, tile in theme.icons.items():
        kind = max((known for known in theme.kinds.markers if f"{name}_".startswith(f"{known}_")), key=len)
        variant = name[len(kind) + 1 :]
        shows = {ICON_PROPERTIES[kind]: variant} if variant and kind in ICON_PROPERTIES else {}
        markers.setdefault(tile, (kind, shows))
    return markers
