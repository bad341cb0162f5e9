"""An existing tileset: the places of its tiles, and the terrains on their sides.

The formats of the programs that draw tilesets read them; this module defines the common form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

from exporters.blob import CORNERS, MASKS, SIDES, S, reduce
from exporters.registry import exporter, format_names
from exporters.theme import Animation
from exporters.theme.file import WEIGHT, ThemeFiles
from generator.errors import ThemeError, hint, shown
from generator.named_tuple import NamedTuple

MAX_TILESET_BYTES = 8 << 20

AtlasCoords = tuple[int, int]
"""Column and row of a tile."""


_MAX_PROBABILITY = 10_000_000


class Terrain(NamedTuple):
    """One terrain: the sides and corners of each tile that have it, as mask bits (see `blob`).

    `kind` says what the bits mean. `mixed`: which neighbours have the terrain; `edge`: the same without
    corners; `corner`: the same with corners only; `dual`: the tile lies on a crossing, with a quarter on each
    of four cells.
    """

    kind: str
    tiles: Mapping[AtlasCoords, int]


class TilesetFile(NamedTuple):
    """A tileset of one image. Terrains are called `SET/NAME`."""

    file: str
    images: tuple[
        str, ...
    ]  # possible places of the image, relative to the theme's folder; the first that exists counts
    tile_size: int  # px
    margin: int = 0  # px
    spacing: int = 0  # px
    terrains: Mapping[str, Terrain] = {}
    weights: Mapping[AtlasCoords, int] = {}  # in hundredths; 100 for all others; 0: never
    animations: Mapping[AtlasCoords, Animation] = {}
    classes: Mapping[AtlasCoords, str] = {}  # the class of a tile, such as `rock`

    def terrain(self, name: str, where: str) -> Terrain:
        """Find a terrain by `SET/NAME`, or by NAME if only one set has it. Raises ThemeError at `where`."""
        if name in self.terrains:
            return self.terrains[name]
        names = [full for full in self.terrains if full.rpartition("/")[2] == name]
        if len(names) == 1:
            return self.terrains[names[0]]
        if names:
            raise ThemeError(f"{where}: {shown(name)} is in several sets; give one of {_listed(names)}")
        known = list(self.terrains)
        remedy = (
            hint(name, known[:40]) if known else "it has no terrains; paint them there, or give tiles here"
        )
        raise ThemeError(f"{where}: {shown(name)} is not a terrain of {self.file}; {remedy}")


def _listed(names: list[str]) -> str:
    return ", ".join(shown(name) for name in names[:8])


@cache
def tileset_readers() -> Mapping[str, Callable[[bytes, str, int | None], TilesetFile]]:
    """Return the readers of the built-in formats' tilesets, by the suffix of the file."""
    return {suffix: read for name in format_names() for suffix, read in exporter(name).tilesets.items()}


def load_tileset(name: str, files: ThemeFiles, where: str, source: int | None = None) -> TilesetFile:
    """Load the tileset that a theme names at `where`. `source` picks one in a `.tres`. Raises ThemeError."""
    readers, ending = tileset_readers(), name[name.rfind(".") :].lower()
    if ending not in readers:
        known = ", ".join(readers)
        raise ThemeError(
            f"{where}: {shown(name)} is not a tileset that can be read; give one that ends in {known}"
        )
    return readers[ending](files.read(name, MAX_TILESET_BYTES, "tileset"), name, source)


def fullest(terrain: Terrain, tileset: TilesetFile) -> dict[AtlasCoords, int]:
    """Find the tiles with the most of a terrain, and their weights: the tiles to fill an area with."""
    most = max((bits.bit_count() for bits in terrain.tiles.values()), default=0)
    full = [tile for tile, bits in terrain.tiles.items() if bits.bit_count() == most]
    return weighed(full, tileset)


def by_mask(
    terrain: Terrain, tileset: TilesetFile
) -> tuple[dict[int, dict[AtlasCoords, int]], tuple[int, ...]]:
    """Find the tiles and weights for each of the 47 masks, and the neighbourhoods without a tile.

    Such a neighbourhood gets the tile that differs least: first in the south, which decides between a wall's
    face and top, then in sides, then in corners.
    """
    relevant = {"mixed": SIDES | CORNERS, "edge": SIDES, "corner": CORNERS}[terrain.kind]
    by_bits: dict[int, list[AtlasCoords]] = {}
    for tile, bits in terrain.tiles.items():
        mask = bits & relevant
        by_bits.setdefault(reduce(mask) if terrain.kind == "mixed" else mask, []).append(tile)
    out: dict[int, dict[AtlasCoords, int]] = {}
    missing: dict[int, None] = {}
    for mask in MASKS:
        wanted = mask & relevant
        if wanted not in by_bits:
            missing[wanted] = None
        nearest = min(by_bits, key=lambda candidate: (_distance(wanted, candidate), candidate))
        out[mask] = weighed(by_bits[nearest], tileset)
    return out, tuple(missing)


def _distance(first: int, second: int) -> int:
    differ = first ^ second
    return 64 * bool(differ & S) + 8 * (differ & SIDES).bit_count() + (differ & CORNERS).bit_count()


def weighed(tiles: list[AtlasCoords], tileset: TilesetFile) -> dict[AtlasCoords, int]:
    """Weigh the tiles, with weights as small as possible, and equal weights if all are 0."""
    weights = {tile: tileset.weights.get(tile, 100) for tile in sorted(tiles, key=lambda at: (at[1], at[0]))}
    weights = {tile: weight for tile, weight in weights.items() if weight} or dict.fromkeys(weights, 1)
    common = math.gcd(*weights.values())
    most = max(weights.values()) // common
    if most > WEIGHT[1]:
        return {tile: max(1, weight // common * WEIGHT[1] // most) for tile, weight in weights.items()}
    return {tile: weight // common for tile, weight in weights.items()}


def weight_of(probability: object, where: str) -> int:
    """Convert a probability to hundredths, 1 for a tile without a probability."""
    if isinstance(probability, bool) or not isinstance(probability, (int, float)):
        raise ThemeError(f"{where}: {shown(probability)} is not a probability; give a number")
    if not 0 <= probability <= _MAX_PROBABILITY:  # also false for NaN
        raise ThemeError(f"{where}: {shown(probability)} is not a probability from 0 to {_MAX_PROBABILITY}")
    return max(1, round(probability * 100)) if probability else 0


def beside(file: str, source: str) -> str:
    """Resolve the path of a file that `file` names relative to itself."""
    folder = file.rpartition("/")[0]
    return f"{folder}/{source}" if folder else source
