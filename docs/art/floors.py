"""Floors: which pattern and which colours each kind of room and each terrain has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from patterns import (
    PLAIN,
    Pattern,
    bridge,
    carpet,
    checker,
    cobbles,
    earth,
    flagstones,
    parquet,
    planks,
    setts,
    stars,
    threshold,
    trimmed,
)
from pixels import Picture, mirror, over, recolour
from sheet import Canvas, ThemeFile
from sprites import Sprites

LEVELS = "01234"


class FloorDrawing(NamedTuple):
    """How one floor looks: its pattern, the ramp for the five levels, how many looks."""

    pattern: Pattern
    ramp: str
    looks: int = 6


FLOORS: dict[str, FloorDrawing] = {
    "default": FloorDrawing(flagstones, "12345", 8),
    "start": FloorDrawing(flagstones, "23455", 8),
    "boss": FloorDrawing(flagstones, "klmno", 8),
    "mini_boss": FloorDrawing(flagstones, "labQn", 8),
    "shop": FloorDrawing(planks, "bQcRd"),
    "treasure": FloorDrawing(trimmed, "1234h"),
    "chest": FloorDrawing(trimmed, "abQch"),
    "vault": FloorDrawing(trimmed, "1ABC6"),
    "secret": FloorDrawing(earth, "aabQL"),
    "super_secret": FloorDrawing(earth, "0123L"),
    "ultra_secret": FloorDrawing(earth, "klmno"),
    "sacrifice": FloorDrawing(cobbles, "lm34n"),
    "library": FloorDrawing(parquet, "0aQcR"),
    "curse": FloorDrawing(flagstones, "krstu", 8),
    "challenge": FloorDrawing(cobbles, "kAB34"),
    "boss_challenge": FloorDrawing(cobbles, "klmn4"),
    "arcade": FloorDrawing(checker, "rs2BC"),
    "dice": FloorDrawing(checker, "12335"),
    "planetarium": FloorDrawing(stars, "kABCE"),
    "clean_bedroom": FloorDrawing(carpet, "lmnhh"),
    "dirty_bedroom": FloorDrawing(planks, "0abQL"),
    "grave": FloorDrawing(earth, "GGHIL"),
    "red": FloorDrawing(cobbles, "kllmn"),
    "hallway": FloorDrawing(setts, "12234"),
    "bridge": FloorDrawing(bridge, "kbcRd", 2),
    "rubble": FloorDrawing(flagstones, "12345", 3),
    "door": FloorDrawing(threshold, "12234", 2),
}


def shade(picture: Picture) -> Picture:
    """Lay the contact shadow of a wall to the north over a floor that is still in levels."""
    out = picture.copy()
    darker = recolour(picture, LEVELS, "00123")
    out[0:3] = recolour(darker, LEVELS, "00123")[0:3]
    out[3:5] = darker[3:5]
    for y in (5, 6):
        out[y, y % 2 :: 2] = darker[y, y % 2 :: 2]
    return out


def add(sheet: Canvas, theme: ThemeFile, sprites: Sprites, own: Mapping[str, FloorDrawing]) -> None:
    """Place all floors; `own` are those that a look draws in another way."""
    for name, floor in {**FLOORS, **own}.items():
        levels = [floor.pattern(i) for i in range(floor.looks)]
        tiles = [recolour(picture, LEVELS, floor.ramp) for picture in levels]
        shaded = [recolour(shade(picture), LEVELS, floor.ramp) for picture in levels[:PLAIN]]
        weights = [10 if i < PLAIN else 1 for i in range(len(tiles))]
        if name == "rubble":
            tiles = [over(tile, bits) for tile, bits in zip(tiles, sprites["rubble_bits"], strict=True)]
            shaded = [over(tile, bits) for tile, bits in zip(shaded, sprites["rubble_bits"], strict=True)]
        if name == "default":
            for litter in sprites["floor_litter"]:
                tiles += [over(tiles[0], litter), over(tiles[1], mirror(litter))]
                weights += [1, 1]
        theme.table(
            f"[floor.{name}]",
            tiles=sheet.add_all(f"floor.{name}.tiles", tiles),
            weights=weights if len(tiles) > PLAIN else None,
            shaded=sheet.add_all(f"floor.{name}.shaded", shaded),
        )
