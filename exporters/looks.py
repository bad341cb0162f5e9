"""Looks that a person painted: which a theme draws, and which tiles mean the same in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from exporters.theme import EMPTY, AtlasIndex, Theme, terrain_of
from generator.level import Level, PaintedLook

_MAX_PLACES = 8  # of a line


@lru_cache(maxsize=16)
def terrains(theme: Theme) -> Mapping[AtlasIndex, tuple[str, ...]]:
    """Map each tile to the terrains it can mean, most likely first, since some terrains look the same."""
    order = {name: index for index, name in enumerate(theme.floors)}
    meanings: dict[AtlasIndex, dict[str, int]] = {}
    for use in theme.uses():
        name = terrain_of(use, theme.kinds) if use.role in ("floor", "wall", "pit") else None
        if name is not None:
            rank = order.get(use.name, 0) if use.role == "floor" else -1
            known = meanings.setdefault(use.tile, {})
            known[name] = min(known.get(name, rank), rank)
    return {
        tile: tuple(sorted(names, key=lambda name: (names[name], name))) for tile, names in meanings.items()
    }


def is_of(look: PaintedLook, level: Level, theme: Theme) -> bool:
    """Check whether a look is one of this theme, and means what its tile is.

    Where a wall's top or front lies in the void, that is a wall.
    """
    terrain = level.terrain_kinds[level.terrain[look.y, look.x]].name
    meaning = "wall" if look.layer == "walls" else terrain
    return look.theme == theme.given_name and meaning in terrains(theme).get(look.tile, ())


def draw_looks(level: Level, theme: Theme, drawn: Mapping[str, npt.NDArray[np.int32]]) -> None:
    """Draw a level's looks in place of the theme's own choice, where it has one. `drawn` is by layer.

    A painted tile is one of the first look; in a district, it is drawn as the same tile of the look there.
    """
    for look in level.looks:
        layer = drawn[look.layer]
        if layer[look.y, look.x] != EMPTY and is_of(look, level, theme):
            layer[look.y, look.x] = look.tile


def looks_left_out(level: Level, theme: Theme, drawn: Mapping[str, npt.NDArray[np.int32]]) -> Iterator[str]:
    """Yield a line if some of the level's looks are not in the layers that were drawn with this theme."""
    name = theme.given_name
    left = [
        look
        for look in level.looks
        if look.theme != name or drawn[look.layer][look.y, look.x] % theme.sheet_tiles != look.tile
    ]
    if left:
        themes = ", ".join(sorted({look.theme for look in left}))
        places = ", ".join(f"{look.x},{look.y}" for look in left[:_MAX_PLACES])
        more = f" and {len(left) - _MAX_PLACES} more" if len(left) > _MAX_PLACES else ""
        looks = "a look" if len(left) == 1 else f"{len(left)} looks"
        yield f"{looks} of the theme {themes} left out in the theme {name}: at {places}{more}"
