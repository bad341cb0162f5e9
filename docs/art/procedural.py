"""Draws how a level of the preset `procedural` is made: its plan, then its rooms and hallways.

    python docs/art/procedural.py

The plan's steps are those of the level of seed `SEED`; the rooms and the hallway are pieces of its picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from exporters import export
from generator import Level, generate
from generator.algorithms.graph import Edge
from generator.geometry import Rect
from generator.spec import load_spec
from generator.styles.gungeon.connect import connect, neighbours
from generator.styles.gungeon.floorplan import floorplan, scatter, separate_rooms
from generator.styles.gungeon.plan import Heap
from generator.styles.gungeon.spec import GungeonSpec

_FOLDER = Path(__file__).resolve().parents[1] / "pictures"
SEED = 32
FLOODED = 12  # the room of this level that shows what a flood leaves
BOX = 340, 212  # px that a step gets, without its caption
COLUMNS, GAP, CAPTION = 2, 12, 24  # steps a row, px between them, px of a caption
FINER = 3  # times as fine as it is kept
TILE = 16  # px of a tile in the level's picture
AROUND = 1  # tiles round a piece of the level, at least
BACKGROUND, INK, FAINT, LOOP = "#14111c", "#f2eefc", "#6f6689", "#ffb45a"
COLOURS = {"start": "#5fae6b", "normal": "#463f5c", "boss": "#a8434d", "shop": "#b7923c", "chest": "#4f83b5"}
KEPT_COLOURS = 128


class DungeonInSteps(NamedTuple):
    """The level, its heap as dropped and as pushed apart, and the edges between its rooms."""

    level: Level
    dropped: Heap
    apart: Heap
    triangles: list[Edge]
    tree: list[Edge]
    loops: list[Edge]


def steps() -> DungeonInSteps:
    """Make the level again, and all that comes before it."""
    spec = load_spec("procedural")
    if not isinstance(spec, GungeonSpec):
        raise TypeError(f"procedural is a preset of the style {spec.style}")
    plan = floorplan(spec, SEED)
    if plan.tries != 1:
        raise ValueError(f"seed {SEED} needs {plan.tries} tries; choose one that needs 1")
    margin = spec.hallway_width + 2
    dropped = scatter(spec, margin, SEED, 0)
    apart = separate_rooms(dropped, margin)
    loops = [edge for edge, hallway in zip(plan.connections, plan.hallways, strict=True) if hallway.is_loop]
    tree = connect(spec, apart, SEED, 0).tree
    return DungeonInSteps(generate(spec, SEED), dropped, apart, neighbours(apart), tree, loops)


class Sketch:
    """A step drawn with rectangles and lines, in tiles; `heaps` are those that it must have space for."""

    def __init__(self, *heaps: Heap) -> None:
        self._image = Image.new("RGB", (BOX[0] * FINER, BOX[1] * FINER), BACKGROUND)
        self._pencil = ImageDraw.Draw(self._image)
        rooms = [room for heap in heaps for room in heap.rects()]
        corners = np.array([(room.x, room.y, room.right, room.bottom) for room in rooms])
        (left, top), (right, bottom) = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
        self._scale = 0.94 * FINER * min(BOX[0] / (right - left), BOX[1] / (bottom - top))
        self._middle = np.array([(left + right) / 2, (top + bottom) / 2])

    def _at(self, x: float, y: float) -> tuple[float, float]:
        placed = (np.array([x, y]) - self._middle) * self._scale + np.array(self._image.size) / 2
        return float(placed[0]), float(placed[1])

    def rooms(self, heap: Heap) -> None:
        """Draw rooms in the colours of their kinds."""
        for kind, room in zip(heap.kinds, heap.rects(), strict=True):
            box = (*self._at(room.x, room.y), *self._at(room.right, room.bottom))
            self._pencil.rectangle(box, COLOURS[kind], INK, FINER)

    def edges(self, heap: Heap, edges: Iterable[Edge], colour: str, width: int = 1) -> None:
        """Draw lines between the middles of rooms."""
        for edge in edges:
            ends = [self._at(*(heap.centres[room] / 2)) for room in edge]
            self._pencil.line([*ends[0], *ends[1]], colour, width * FINER)

    def done(self) -> Image.Image:
        """Return the drawing as small as it is kept."""
        return self._image.resize(BOX, Image.Resampling.LANCZOS)


def sketches(made: DungeonInSteps) -> Iterable[Image.Image]:
    """Draw the heap, the rooms pushed apart, their triangulation, and the tree with its loops."""
    for heap, lines in (
        (made.dropped, []),
        (made.apart, []),
        (made.apart, [(made.triangles, INK, 1)]),
        (made.apart, [(made.triangles, FAINT, 1), (made.loops, LOOP, 2), (made.tree, INK, 2)]),
    ):
        sketch = Sketch(made.dropped, made.apart)
        sketch.rooms(heap)
        for edges, colour, width in lines:
            sketch.edges(heap, edges, colour, width)
        yield sketch.done()


def pieces(level: Level) -> Iterable[Image.Image]:
    """Cut out the level's picture: all of it, a room with obstacles, a hallway with torches, a boss room."""
    bundle = export(level, ["png"], {"png.markers": True, "png.background": BACKGROUND}, name="level")
    with Image.open(BytesIO(bundle["level.png"])) as picture:
        whole = picture.convert("RGB")
    bosses = [room.bounds for room in level.rooms if room.kind == "boss"]
    for piece in (
        Rect(0, 0, *level.terrain.shape[::-1]),
        level.rooms[FLOODED].bounds,
        lit_hallway(level),
        bosses[0],
    ):
        yield fitted(whole, piece)


def lit_hallway(level: Level) -> Rect:
    """The rectangle round the hallway with the most torches."""
    torches = Counter(
        each.hallway for each in level.markers if each.kind == "torch" and each.hallway is not None
    )
    hallway = level.hallways[torches.most_common(1)[0][0]]
    x, y = np.array(hallway.tiles).T
    return Rect(int(x.min()), int(y.min()), int(np.ptp(x)) + 1, int(np.ptp(y)) + 1)


def fitted(whole: Image.Image, piece: Rect) -> Image.Image:
    """Cut a rectangle of tiles out of a level's picture, with what is round it, as large as a step."""
    tile = min(BOX[0] / (piece.width + 2 * AROUND), BOX[1] / (piece.height + 2 * AROUND))  # px
    across, down = (length / tile * TILE for length in BOX)
    left = (piece.x + piece.width / 2) * TILE - across / 2
    top = (piece.y + piece.height / 2) * TILE - down / 2
    framed = Image.new("RGB", (round(across), round(down)), BACKGROUND)
    framed.paste(whole, (-round(left), -round(top)))
    return framed.resize(BOX, Image.Resampling.LANCZOS)


PICTURES = {  # with the captions of their steps
    _FOLDER / "procedural-plan.png": (
        "1  Rooms fall into a strip",
        "2  They push each other apart",
        "3  Triangulation of their middles",
        "4  Shortest tree, and some edges more",
    ),
    _FOLDER / "procedural-rooms.png": (
        "5  Hallways, four openings a room",
        "6  A flood leaves obstacles",
        "7  A torch at each third tile",
        "8  A boss on islands in a pit",
    ),
}


def sheets() -> dict[Path, Image.Image]:
    """All pictures: their steps with captions, in rows."""
    made = steps()
    drawn = iter((*sketches(made), *pieces(made.level)))
    across, down = BOX[0] + GAP, BOX[1] + CAPTION + GAP
    found = {}
    for path, captions in PICTURES.items():
        size = COLUMNS * across + GAP, -(-len(captions) // COLUMNS) * down + GAP
        whole = found[path] = Image.new("RGB", size, BACKGROUND)
        pencil = ImageDraw.Draw(whole)
        for place, caption in enumerate(captions):
            left, top = place % COLUMNS * across + GAP, place // COLUMNS * down + GAP
            pencil.text((left, top + CAPTION - 7), caption, INK, ImageFont.load_default(15), "ls")
            whole.paste(next(drawn), (left, top + CAPTION))
    return found


if __name__ == "__main__":
    for path, picture in sheets().items():
        picture.quantize(KEPT_COLOURS, Image.Quantize.FASTOCTREE).save(path, optimize=True)
