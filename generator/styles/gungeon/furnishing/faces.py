"""Faces: walls with floor to their south, on which things hang, in even steps about a face's middle.

##b#####b###DD###b###     b  a banner: the parts of a face to both sides of a door have middles of their own
#...................#
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from generator.arrays import Mask
from generator.kinds import FLOOR, PIT, RUBBLE, WALL, Kinds
from generator.level import Tiles

_BELOW_FACES = np.isin(np.arange(256), (FLOOR, RUBBLE, PIT))
_BANNER_STEP = 6  # tiles


def bare_faces(terrain: Tiles, decor: Tiles) -> Mask:
    """Mark the wall tiles [y, x] with floor to their south on which nothing hangs, without the last row."""
    faces: Mask = (terrain[:-1] == WALL) & _BELOW_FACES.take(terrain[1:]) & (decor[:-1] == 0)
    return faces


def evenly(run: Sequence[int], step: int) -> Iterator[int]:
    """Yield columns of a straight stretch in even steps about its middle: symmetric walls stay so."""
    length = len(run)
    many = (length + step // 2) // step
    many += many % 2 > length % 2  # an odd number of columns has one in the middle
    if many <= length // 2:
        yield from (run[(2 * i + 1) * length // (2 * many)] for i in range((many + 1) // 2))
        yield from (run[-1 - (2 * i + 1) * length // (2 * many)] for i in range(many // 2))


def hang_banners(terrain: Tiles, decor: Tiles, kinds: Kinds) -> None:
    """Hang banners on the face of a room's north wall, in even steps, where there is no door."""
    (face,) = bare_faces(terrain[:2], decor[:2])
    columns = np.flatnonzero(face).tolist()
    for _, some in groupby(enumerate(columns), key=lambda at: at[1] - at[0]):
        run = [x for _, x in some]
        places = list(evenly(run, _BANNER_STEP))
        if len(run) * 2 >= _BANNER_STEP * len(places):
            decor[0, places] = kinds.decor_ids.get("banner", 0)
