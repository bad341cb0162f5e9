"""What a tileset that a team has says of its tiles: where they lie, and which terrain is on which side.

`theme.tiled` reads Tiled's (`.tsx`, `.tsj`), `theme.godot` Godot's (`.tres`); here is what both come to.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from exporters.blob import CORNERS, MASKS, SIDES, S, reduce
from exporters.theme import Animation
from exporters.theme.file import ThemeFiles
from generator.errors import ThemeError, hint, shown

MOST_TILESET_BYTES = 8 << 20
ENDINGS = (".tsx", ".tsj", ".tres")

AtlasCoords = tuple[int, int]
"""Column and row of a tile."""


_MOST_WEIGHT = 10_000  # what a weight in a theme may be
_MOST_PROBABILITY = 10_000_000


class Terrain(NamedTuple):
    """One terrain: on which sides and corners each tile has it, as the bits of a mask (see `blob`).

    `kind` says what the bits tell. `mixed`: which neighbours are alike; `edge`: the same, without corners;
    `corner`: the same by the corners only; `dual`: the tile lies on a crossing, with a quarter on each of
    four cells.
    """

    kind: str
    tiles: Mapping[AtlasCoords, int]


@dataclass(frozen=True)
class TilesetFile:
    """A tileset of one image. Terrains are called `SET/NAME`."""

    file: str
    images: tuple[
        str, ...
    ]  # where the image may lie, from the theme's folder; the first that is there counts
    tile_size: int  # px
    margin: int = 0  # px
    spacing: int = 0  # px
    terrains: Mapping[str, Terrain] = field(default_factory=dict)
    weights: Mapping[AtlasCoords, int] = field(
        default_factory=dict
    )  # in hundredths; 100 for the rest; 0: never
    animations: Mapping[AtlasCoords, Animation] = field(default_factory=dict)
    classes: Mapping[AtlasCoords, str] = field(
        default_factory=dict
    )  # what a tile is said to be, such as `rock`

    def terrain(self, name: str, where: str) -> Terrain:
        """A terrain by `SET/NAME`, or by NAME alone if only one set has it. ThemeError at `where`."""
        if name in self.terrains:
            return self.terrains[name]
        found = [full for full in self.terrains if full.rpartition("/")[2] == name]
        if len(found) == 1:
            return self.terrains[found[0]]
        if found:
            raise ThemeError(f"{where}: {shown(name)} is in several sets; give one of {_listed(found)}")
        known = list(self.terrains)
        remedy = hint(name, known[:40]) if known else "it has none; paint them there, or give tiles here"
        raise ThemeError(f"{where}: {shown(name)} is no terrain of {self.file}; {remedy}")


def _listed(names: list[str]) -> str:
    return ", ".join(shown(name) for name in names[:8])


def load_tileset(name: str, files: ThemeFiles, where: str, source: int | None = None) -> TilesetFile:
    """The tileset that a theme names at `where`; `source` chooses one of several in a `.tres`. ThemeError."""
    ending = name[name.rfind(".") :].lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise ThemeError(
            f"{where}: {shown(name)} is no tileset that can be read; give one that ends in {known}"
        )
    data = files.read(name, MOST_TILESET_BYTES, "tileset")
    if ending == ".tres":
        from exporters.theme.godot import godot_tileset  # each of these is seldom needed

        return godot_tileset(data, name, source)
    from exporters.theme.tiled import tiled_tileset

    return tiled_tileset(data, name, ending)


def fullest(terrain: Terrain, tileset: TilesetFile) -> dict[AtlasCoords, int]:
    """The tiles with the most of a terrain, and their weights: what an area is filled with."""
    most = max((bits.bit_count() for bits in terrain.tiles.values()), default=0)
    full = [tile for tile, bits in terrain.tiles.items() if bits.bit_count() == most]
    return weighed(full, tileset)


def by_mask(
    terrain: Terrain, tileset: TilesetFile
) -> tuple[dict[int, dict[AtlasCoords, int]], tuple[int, ...]]:
    """For each of the 47 masks its tiles with their weights, and the neighbourhoods that have no tile.

    What stands in is the tile that differs least: in the south first, which tells a wall's face from its top,
    then in sides, then in corners.
    """
    relevant = {"mixed": SIDES | CORNERS, "edge": SIDES, "corner": CORNERS}[terrain.kind]
    found: dict[int, list[AtlasCoords]] = {}
    for tile, bits in terrain.tiles.items():
        mask = bits & relevant
        found.setdefault(reduce(mask) if terrain.kind == "mixed" else mask, []).append(tile)
    out: dict[int, dict[AtlasCoords, int]] = {}
    missing: dict[int, None] = {}
    for mask in MASKS:
        wanted = mask & relevant
        if wanted not in found:
            missing[wanted] = None
        nearest = min(found, key=lambda other: (_distance(wanted, other), other))
        out[mask] = weighed(found[nearest], tileset)
    return out, tuple(missing)


def _distance(one: int, other: int) -> int:
    differ = one ^ other
    return 64 * bool(differ & S) + 8 * (differ & SIDES).bit_count() + (differ & CORNERS).bit_count()


def weighed(tiles: list[AtlasCoords], tileset: TilesetFile) -> dict[AtlasCoords, int]:
    """Tiles and their weights, which are as small as can be; if none is ever chosen, all of them alike."""
    weights = {tile: tileset.weights.get(tile, 100) for tile in sorted(tiles, key=lambda at: (at[1], at[0]))}
    weights = {tile: weight for tile, weight in weights.items() if weight} or dict.fromkeys(weights, 1)
    common = math.gcd(*weights.values())
    most = max(weights.values()) // common
    if most > _MOST_WEIGHT:
        return {tile: max(1, weight // common * _MOST_WEIGHT // most) for tile, weight in weights.items()}
    return {tile: weight // common for tile, weight in weights.items()}


def weight_of(probability: object, where: str) -> int:
    """A probability, which is 1 for a tile without one, in hundredths."""
    if isinstance(probability, bool) or not isinstance(probability, (int, float)):
        raise ThemeError(f"{where}: {shown(probability)} is no probability; give a number")
    if not 0 <= probability <= _MOST_PROBABILITY:  # nor is it a NaN
        raise ThemeError(f"{where}: {shown(probability)} is no probability from 0 to {_MOST_PROBABILITY}")
    return max(1, round(probability * 100)) if probability else 0


def beside(file: str, source: str) -> str:
    """The path of a file that `file` names relative to itself."""
    folder = file.rpartition("/")[0]
    return f"{folder}/{source}" if folder else source
