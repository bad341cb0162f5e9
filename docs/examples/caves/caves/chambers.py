"""Chambers: the inside of a room, by a cellular automaton, and what stands in it.

Random rock is smoothed by the rule of caves: a tile is rock if at least five of the nine tiles round it
and under it are (Johnson, Yannakakis, Togelius: "Cellular automata for real-time generation of infinite
cave levels", 2010). Ways from all doors to the middle stay free, so that every chamber is in one piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from caves.spec import CavesSpec
from caves.tunnels import End
from generator.algorithms.board_drawing import line
from generator.algorithms.outline import close_pinches
from generator.geometry import Point
from generator.interiors.interior import PlacedMarker, too_near, torch_marker
from generator.kinds import DECOR_IDS, DOOR, FLOOR, RUBBLE, VOID, WALL
from generator.level import Property, Tiles
from generator.rng import Stream

Mask = npt.NDArray[np.bool_]

_APART = 3  # tiles between two enemies
_TORCHES = 7  # tiles between two torches
_ROLES = ("walker", "walker", "flyer", "shooter", "charger")
_RUBBLE = 8  # percent of a chamber's floor
_DECOR = {  # percent of the free tiles; a grotto is full of mushrooms
    "grotto": (("mushroom", 18), ("grass", 12)),
    "boss": (("bones", 6),),
    "chest": (("coins", 5), ("web", 4)),
    "": (("grass", 3), ("mushroom", 2), ("bones", 2), ("web", 1)),
}
_ROCKS = 2  # percent


class Inside(NamedTuple):
    """A finished chamber: arrays [y, x] over its bounds, void outside its walls, markers in its tiles."""

    terrain: Tiles
    decor: Tiles
    markers: tuple[PlacedMarker, ...]
    difficulty: int


def furnish(
    spec: CavesSpec, kind: str, size: Point, doors: Sequence[End], danger: int, stream: Stream
) -> Inside:
    """The inside of a chamber of that width and height. `doors` are in its tiles, `danger` is in percent."""
    width, height = size
    steps = [(x - side.dx, y - side.dy) for side, tiles in doors for x, y in tiles]
    ways = _ways(size, doors, spec.tunnel_width)
    floor = _floor(ways, spec, stream)
    terrain = np.full((height, width), VOID, np.uint8)
    door = np.zeros(floor.shape, bool)
    for _, tiles in doors:
        door[tuple(np.array(tiles).T[::-1])] = True
    terrain[ndimage.binary_dilation(floor | door, np.ones((3, 3), bool))] = WALL
    terrain[floor], terrain[door] = FLOOR, DOOR
    close_pinches(terrain, VOID, WALL)
    broken = ndimage.uniform_filter(_noise(size, stream), 3) < 100 * _RUBBLE // 50
    terrain[broken & floor & (kind != "grotto")] = RUBBLE
    safe = _safe(floor, ways, spec.tunnel_width)
    markers = list(_markers(spec, kind, _middle(size, spec.tunnel_width), safe, steps, danger, stream))
    decor = np.zeros(terrain.shape, np.uint8)
    _scatter(kind, floor, [*steps, *((marker.x, marker.y) for marker in markers)], spec, decor, stream)
    markers += _torches(terrain, decor)
    difficulty = {"boss": 10, "normal": 1 if danger < 40 else 5 if danger < 80 else 10}.get(kind, 0)
    return Inside(terrain, decor, tuple(markers), difficulty)


# --- the floor --------------------------------------------------------------------------------------------


def _ways(size: Point, doors: Sequence[End], breadth: int) -> Mask:
    """A square of `breadth` tiles in the middle, and its ways to all doors."""
    free = np.zeros(size[::-1], bool)
    middle = _middle(size, breadth)
    for side, tiles in doors:
        x, y = tiles[0]  # the square stands before the door
        start = (
            x - side.dx * (breadth if side.dx > 0 else 1),
            y - side.dy * (breadth if side.dy > 0 else 1),
        )
        path = line(start, middle)
        bends = [(after[0], before[1]) for before, after in pairwise(path)]  # no step goes aslant
        for x, y in (*path, *bends):
            free[y : y + breadth, x : x + breadth] = True
    return free


def _middle(size: Point, breadth: int) -> Point:
    """The top left tile of the square in the middle."""
    return (size[0] - breadth) // 2, (size[1] - breadth) // 2


def _floor(ways: Mask, spec: CavesSpec, stream: Stream) -> Mask:
    """The floor: of smoothed rock, what hangs together with the ways, and is as wide as a tunnel."""
    height, width = ways.shape
    inside = np.zeros(ways.shape, bool)
    inside[1:-1, 1:-1] = True
    floor = (_noise((width, height), stream) >= spec.rock) & inside & _round(ways.shape) | ways
    for _ in range(spec.smoothing):
        near = ndimage.convolve((~floor).astype(np.int8), np.ones((3, 3), np.int8), mode="constant", cval=1)
        floor = (near < 5) & inside | ways
    rock = ndimage.binary_opening(~floor, np.ones((2, 2), bool)) | ~inside  # no pillars of one tile
    return _safe(~rock | ways, ways, spec.tunnel_width)


def _safe(floor: Mask, ways: Mask, breadth: int) -> Mask:
    """The floor that a square of `breadth` tiles covers when it walks on from the ways."""
    square = np.ones((breadth, breadth), bool)
    places = ndimage.binary_erosion(floor, square)
    pieces, _ = ndimage.label(places)
    home = np.isin(pieces, np.unique(pieces[places & ndimage.binary_erosion(ways, square)]))
    result: Mask = ndimage.binary_dilation(home, square)
    return result


def _round(shape: tuple[int, int]) -> Mask:
    """An ellipse in a rectangle, in whole numbers: chambers have no corners."""
    height, width = shape
    y, x = np.ogrid[:height, :width]
    across, along = (2 * x + 1 - width) * height, (2 * y + 1 - height) * width
    result: Mask = across * across + along * along < (width * height) ** 2
    return result


def _noise(size: Point, stream: Stream) -> npt.NDArray[np.int64]:
    """[y, x]: numbers from 0 to 99."""
    return stream.below_block(100, size[0] * size[1]).reshape(size[::-1])


# --- what stands there ------------------------------------------------------------------------------------


def _markers(
    spec: CavesSpec, kind: str, middle: Point, safe: Mask, steps: Sequence[Point], danger: int, stream: Stream
) -> Iterator[PlacedMarker]:
    """What the chamber is for, in its middle; enemies on free tiles, not near a door, and apart."""
    free = [(x, y) for y, x in np.argwhere(safe).tolist() if (x, y) != middle]
    stream.shuffle(free)
    main: dict[str, tuple[str, dict[str, Property]]] = {
        "start": ("player_start", {}),
        "boss": ("boss", {"rank": "boss", "flies": False}),
        "chest": ("chest", {"tier": "gold" if stream.chance(danger, 200) else "wood"}),
        "grotto": ("pickup", {"item": "heart"}),
    }
    if kind in main:
        yield PlacedMarker(main[kind][0], *middle, main[kind][1])
    if kind == "boss":
        away = sorted(free, key=lambda at: -abs(at[0] - middle[0]) - abs(at[1] - middle[1]))
        places = [at for at in away if not too_near("exit", at, steps)][:2]
        for place, (name, properties) in zip(
            places, (("exit", {"to": "next"}), ("item", {"pool": "boss"})), strict=False
        ):
            yield PlacedMarker(name, *place, properties)
    if kind != "normal":
        return
    left = [at for at in free if not too_near("enemy", at, steps)]
    for _ in range(stream.between((spec.enemies + 1) // 2, spec.enemies)):
        role, champion = stream.pick(_ROLES), stream.chance(danger, 800)
        if left:
            x, y = left[0]
            left = [at for at in left if abs(at[0] - x) + abs(at[1] - y) >= _APART]
            about: dict[str, Property] = {"role": role, "wave": 1, "champion": champion}
            yield PlacedMarker("enemy", x, y, about | {"flies": role == "flyer"})


def _scatter(
    kind: str, floor: Mask, taken: Sequence[Point], spec: CavesSpec, decor: Tiles, stream: Stream
) -> None:
    """Put things on the floor: flat ones anywhere, rocks only where one walks round them on all sides."""
    height, width = floor.shape
    noise = _noise((width, height), stream)
    free = floor.copy()
    free[tuple(np.array(taken).T[::-1])] = False
    reach = 2 * spec.tunnel_width + 1
    wide = ndimage.binary_erosion(free, np.ones((reach, reach), bool))
    for y, x in np.argwhere(wide & (noise >= 100 - _ROCKS)).tolist():
        around = slice(max(y - reach, 0), y + reach + 1), slice(max(x - reach, 0), x + reach + 1)
        if not (decor[around] == DECOR_IDS["rock"]).any():
            decor[y, x] = DECOR_IDS["rock"]
    least = 0
    for name, percent in _DECOR.get(kind, _DECOR[""]):
        decor[free & (decor == 0) & (noise >= least) & (noise < least + percent)] = DECOR_IDS[name]
        least += percent


def _torches(terrain: Tiles, decor: Tiles) -> Iterator[PlacedMarker]:
    """Hang torches on faces of rock that look south over the floor."""
    last = -_TORCHES
    faces = (terrain[:-1] == WALL) & np.isin(terrain[1:], (FLOOR, RUBBLE))
    for x, y in np.argwhere(faces.T).tolist():  # from left to right
        if x - last >= _TORCHES:
            last = x
            decor[y, x] = DECOR_IDS["torch"]
            yield torch_marker((x, y))
