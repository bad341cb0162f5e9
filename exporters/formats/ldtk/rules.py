"""The rules of the auto-layer, which draw the theme's tiles when somebody paints terrain.

    pattern of a rule (3 x 3, row by row)          2000: in the group Walls, -2000: not in it
        -2000  2000  2000
            0  2000  2000      a wall with walls to the north, north-east, east and south-east, but
        -2000 -2000  2000      not to the west ...; 0 is ignored

The first rule that matches a tile draws it (`breakOnMatch`). Cells outside the level count as
`outOfBoundsValue`. (Matching as in LDtk 1.5.3.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters import blob
from exporters.formats.ldtk import kinds
from exporters.theme import Theme, Variants

GridValues = npt.NDArray[np.uint8]
"""[y, x]: the IntGrid of one level."""

RuleKey = tuple[str, int, int]
"""The key of a rule: `("wall", mask, 0)`, `("floor", value, 1 if shaded)` ..."""

NOTHING = -1  # where no rule matches

_BITS = (
    blob.NW,
    blob.N,
    blob.NE,
    blob.W,
    0,
    blob.E,
    blob.SW,
    blob.S,
    blob.SE,
)
_EAST = blob.NE | blob.E | blob.SE
_WEST = blob.NW | blob.W | blob.SW
_CORNERS = {blob.NE: blob.N | blob.E, blob.SE: blob.S | blob.E, blob.SW: blob.S | blob.W}
_CORNERS |= {blob.NW: blob.N | blob.W}


class Rule(NamedTuple):
    """One rule. `beyond` is the value that counts outside the level."""

    group: str
    place: RuleKey
    pattern: tuple[int, ...]
    tiles: Variants
    beyond: int | None


def rules_of(theme: Theme) -> tuple[Rule, ...]:
    """Return all rules in the order in which LDtk tries them, grouped."""
    floors = kinds.grid_words(theme.kinds).floors
    return (
        *_floors(theme, "Secret doors", [kinds.SECRET_DOOR], kinds.STONE),
        *_blobs(theme, "West ends of walls", "west_end", kinds.WEST_END, kinds.WALLS, _WEST),
        *_blobs(theme, "East ends of walls", "east_end", kinds.EAST_END, kinds.WALLS, _EAST),
        *_blobs(theme, "Walls", "wall", kinds.WALLS.pattern, kinds.WALLS, 0),
        *_blobs(theme, "Pits", "pit", kinds.PIT, kinds.PITS, 0),
        *_floors(theme, "Floors", [value for value in floors if value != kinds.SECRET_DOOR], 0),
    )


def _blobs(
    theme: Theme, group: str, name: str, centre: int, like: kinds.GridGroup, ignored: int
) -> Iterator[Rule]:
    """Yield one rule per mask. The neighbours in the mask `ignored` do not matter."""
    by_mask, beyond = (theme.pits, 0) if name == "pit" else (theme.walls, kinds.STONE)
    for mask in blob.MASKS:
        if mask & ignored:
            continue
        pattern = [0] * 9
        for i, bit in enumerate(_BITS):
            sides = _CORNERS.get(bit, 0)
            if bit and not bit & ignored and mask & sides == sides:
                pattern[i] = like.pattern if mask & bit else -like.pattern
        pattern[4] = centre
        yield Rule(group, (name, mask, 0), tuple(pattern), by_mask[mask], beyond)


def _floors(theme: Theme, group: str, values: list[int], beyond: int) -> Iterator[Rule]:
    """Yield for each value the floor shaded by a wall to the north, then the plain floor."""
    names = kinds.grid_words(theme.kinds).floors
    for value in values:
        floor = theme.floors[names[value]]
        if floor.shaded != floor.plain:
            pattern = (0, kinds.WALLS.pattern, 0, 0, value, 0, 0, 0, 0)
            yield Rule(group, ("floor", value, 1), pattern, floor.shaded, beyond)
        yield Rule(group, ("floor", value, 0), (value,), floor.plain, None)


class Drawing:
    """Finds the matching rules, for whole levels at once."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        places = {rule.place: number for number, rule in enumerate(rules)}
        self._by_mask = {
            name: np.array([places.get((name, mask, 0), NOTHING) for mask in blob.MASKS], np.int32)
            for name in ("wall", "west_end", "east_end", "pit")
        }
        values = np.arange(256)
        self._floors = np.array(
            [
                [places.get(("floor", value, shaded), places.get(("floor", value, 0), NOTHING))]
                for shaded in (0, 1)
                for value in values.tolist()
            ],
            np.int32,
        ).reshape(2, 256)
        self._walls, self._pits = (
            np.isin(
                values, [grid_value.value for grid_value in kinds.USUAL_VALUES if grid_value.group == group]
            )
            for group in (kinds.WALLS, kinds.PITS)
        )
        pairs = {(number, tile) for number, rule in enumerate(rules) for tile in rule.tiles.tiles}
        self._pairs = np.sort(np.array([number << 32 | tile for number, tile in pairs], np.int64))

    def drawn(self, values: GridValues) -> npt.NDArray[np.int32]:
        """Find the number of the rule that draws each tile, or NOTHING. `values` are [n, y, x] or [y, x]."""
        stone = _framed(self._walls[values], True)
        wall_masks = _masks(stone)
        numbers = self._floor_rules(values, stone)
        pit = values == kinds.PIT
        if pit.any():
            numbers[pit] = self._by_mask["pit"][blob.PLACES[_masks(_framed(self._pits[values], False))[pit]]]
        for value, name, ignored in (
            (kinds.WALL, "wall", 0),
            (kinds.STONE, "wall", 0),
            (kinds.WEST_END, "west_end", _WEST),
            (kinds.EAST_END, "east_end", _EAST),
        ):
            where = values == value
            numbers[where] = self._by_mask[name][blob.PLACES[wall_masks[where] & (255 - ignored)]]
        return numbers

    def _floor_rules(self, values: GridValues, stone: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
        shaded = stone[..., :-2, 1:-1].copy()
        # All other rules treat the outside as empty.
        shaded[..., 0, :] = values[..., 0, :] == kinds.SECRET_DOOR
        return self._floors[shaded.astype(np.intp), values]

    def holds(self, numbers: npt.NDArray[np.int32], tiles: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Return whether each rule of `numbers` can draw the tile of `tiles` at the same index."""
        wanted = numbers.astype(np.int64) << 32 | tiles
        places = np.searchsorted(self._pairs, wanted)
        result: npt.NDArray[np.bool_] = self._pairs[np.minimum(places, len(self._pairs) - 1)] == wanted
        return result


@lru_cache(maxsize=8)
def drawing_of(theme: Theme) -> Drawing:
    """Return the drawing of a theme, made once."""
    return Drawing(rules_of(theme))


def _framed(mask: npt.NDArray[np.bool_], beyond: bool) -> npt.NDArray[np.bool_]:
    """Extend a mask by one tile on each side with the value `beyond`."""
    *count, height, width = mask.shape
    framed = np.full((*count, height + 2, width + 2), beyond, np.bool_)
    framed[..., 1:-1, 1:-1] = mask
    return framed


def _masks(framed: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return the mask of each tile inside a frame."""
    return blob.masks_of(framed)[..., 1:-1, 1:-1]
