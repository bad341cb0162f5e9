"""Floors: which pattern and which colours each kind of room and each terrain has."""

from __future__ import annotations

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
from sheet import Sheet, ThemeFile
from sprites import Sprites

LEVELS = "01234"


class Floor(NamedTuple):
    """How one floor looks: its pattern, the ramp for the five levels, how many looks."""

    pattern: Pattern
    ramp: str
    looks: int = 6


FLOORS: dict[str, Floor] = {
    "default": Floor(flagstones, "12345", 8),
    "start": Floor(flagstones, "23455", 8),
    "boss": Floor(flagstones, "klmno", 8),
    "mini_boss": Floor(flagstones, "labQn", 8),
    "shop": Floor(planks, "bQcRd"),
    "treasure": Floor(trimmed, "1234h"),
    "chest": Floor(trimmed, "abQch"),
    "vault": Floor(trimmed, "1ABC6"),
    "secret": Floor(earth, "aabQL"),
    "super_secret": Floor(earth, "0123L"),
    "ultra_secret": Floor(earth, "klmno"),
    "sacrifice": Floor(cobbles, "lm34n"),
    "library": Floor(parquet, "0aQcR"),
    "curse": Floor(flagstones, "krstu", 8),
    "challenge": Floor(cobbles, "kAB34"),
    "boss_challenge": Floor(cobbles, "klmn4"),
    "arcade": Floor(checker, "rs2BC"),
    "dice": Floor(checker, "12335"),
    "planetarium": Floor(stars, "kABCE"),
    "clean_bedroom": Floor(carpet, "lmnhh"),
    "dirty_bedroom": Floor(planks, "0abQL"),
    "grave": Floor(earth, "GGHIL"),
    "hallway": Floor(setts, "12234"),
    "bridge": Floor(bridge, "kbcRd", 2),
    "rubble": Floor(flagstones, "12345", 3),
    "door": Floor(threshold, "12234", 2),
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


def add(sheet: Sheet, theme: ThemeFile, sprites: Sprites) -> None:
    """Place all floors."""
    for name, floor in FLOORS.items():
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
            tiles=sheet.add_all(tiles),
            weights=weights if len(tiles) > PLAIN else None,
            shaded=sheet.add_all(shaded),
        )
