"""Faces: walls with floor to their south, on which things hang, in even steps about a face's middle.

##b#####b###DD###b###     b  a banner: the parts of a face to both sides of a door have middles of their own
#...................#
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from generator.arrays import Mask
from generator.kinds import FLOOR, PIT, RUBBLE, WALL, Kit
from generator.level import Tiles
from generator.styles.gungeon.furnishing.kit_tables import tall_decor

_BELOW_FACES = np.isin(np.arange(256), (FLOOR, RUBBLE, PIT))


def bare_faces(terrain: Tiles, decor: Tiles, kit: Kit) -> Mask:
    """Mark the wall tiles [y, x] with floor to their south, without the last row, on which nothing hangs.

    Those behind tall things do not count.
    """
    faces: Mask = (terrain[:-1] == WALL) & _BELOW_FACES.take(terrain[1:]) & (decor[:-1] == 0)
    return faces & ~behind_tall(decor, kit)


def behind_tall(decor: Tiles, kit: Kit) -> Mask:
    """Mark the tiles [y, x] of decor, without the last row, that the upper parts of tall things hide."""
    first, *wider = _tall(kit)
    hidden: Mask = first.take(decor[1:])
    if hidden.any():
        for dx, tall in enumerate(wider, 1):
            hidden[:, dx:] |= tall.take(decor[1:, : decor.shape[1] - dx])
    return hidden


@lru_cache(maxsize=16)
def _tall(kit: Kit) -> tuple[Mask, ...]:
    """Mark the tall decor [number] that is at least 1 tile wide, 2 tiles and so on."""
    widths = np.array(tall_decor(kit))
    return tuple(widths > dx for dx in range(max(widths.max(), 1)))


def evenly(run: Sequence[int], step: int) -> Iterator[int]:
    """Yield columns of a straight stretch in even steps about its middle: symmetric walls stay so."""
    length = len(run)
    many = (length + step // 2) // step
    many += many % 2 > length % 2  # an odd number of columns has one in the middle
    if many <= length // 2:
        yield from (run[(2 * i + 1) * length // (2 * many)] for i in range((many + 1) // 2))
        yield from (run[-1 - (2 * i + 1) * length // (2 * many)] for i in range(many // 2))


def hang_banners(terrain: Tiles, decor: Tiles, kit: Kit, step: int) -> None:
    """Hang banners on the face of a room's north wall, one to `step` tiles, where there is no door."""
    (face,) = bare_faces(terrain[:2], decor[:2], kit)
    columns = np.flatnonzero(face).tolist()
    for _, some in groupby(enumerate(columns), key=lambda at: at[1] - at[0]):
        run = [x for _, x in some]
        places = list(evenly(run, step))
        if len(run) * 2 >= step * len(places):
            decor[0, places] = kit.kinds.decor_ids.get("banner", 0)
