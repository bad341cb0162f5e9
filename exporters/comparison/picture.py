"""The second level as a picture, with the differences marked.

What is equal is dark. Besides its colour, each sort of mark has its own shape: a tint for what was changed, a
plus at what was added, a cross at the faint image of what was removed, an arrow for what was moved.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from exporters.comparison.differences import Comparison, Difference
from exporters.dress import dressed
from exporters.image import composed, icon_layer
from exporters.theme import Theme
from generator.arrays import Mask
from generator.errors import BadInput
from generator.geometry import Point, Rect
from generator.level import Level, Room
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw as Pen

Rgb = tuple[int, int, int]
_PicturePixels = npt.NDArray[np.uint8]
"""[y, x, 3]."""

# People with any kind of colour blindness can tell them apart: a test computes what they see. Later ones go
# over earlier ones.
COLOURS: dict[str, Rgb] = {
    "removed": (240, 110, 20),
    "changed": (90, 150, 255),
    "added": (60, 230, 160),
    "moved": (240, 228, 66),
}
_BACKGROUND = (13, 11, 20, 255)  # the void in a game
_INK, _SHADE = (236, 232, 244), (0, 0, 0)
_DARK, _LIT = 0.45, 0.8  # brightness of equal rooms, and of those with differences
_GHOST, _TINT = 0.6, 0.3  # opacities
_TEXT_PX = 14
_MIN_WIDTH_PX = 620  # of the legend
_MAX_PIXELS = 1 << 26


class _PictureFrame(NamedTuple):
    """The tiles of the second level that are drawn, and perhaps more, where removed things were."""

    rect: Rect
    tile: int  # px

    def box(self, rect: Rect) -> tuple[int, int, int, int]:
        """Return the px of some tiles: left, top, right, bottom."""
        left, top = (rect.x - self.rect.x) * self.tile, (rect.y - self.rect.y) * self.tile
        return left, top, left + rect.width * self.tile, top + rect.height * self.tile

    def middle(self, rect: Rect) -> Point:
        """Return the px in the middle of some tiles."""
        left, top, right, bottom = self.box(rect)
        return (left + right) // 2, (top + bottom) // 2


class _Mark(NamedTuple):
    """Something to mark: its tiles in the second level. `ghosts` are its tiles in the first, if removed."""

    sort: str  # of COLOURS
    rects: tuple[Rect, ...]
    ghosts: tuple[Rect, ...] = ()
    start: Rect | None = None  # where it was moved from
    is_room: bool = False  # has an outline, and no tint

    @property
    def bounds(self) -> Rect:
        """The smallest rectangle around its tiles."""
        left, top = min(rect.x for rect in self.rects), min(rect.y for rect in self.rects)
        right, bottom = max(rect.right for rect in self.rects), max(rect.bottom for rect in self.rects)
        return Rect(left, top, right - left, bottom - top)


def picture(comparison: Comparison, theme: Theme, scale: int = 1) -> bytes:
    """Draw the second level with the differences as a PNG, `scale` times as large, with a legend below.

    Raises BadInput if the levels are too large, and ThemeError if the theme cannot be drawn.
    """
    from PIL import Image, ImageDraw

    before, after = comparison.matches.before, comparison.matches.after
    marks = [mark for difference in comparison.differences for mark in _marks(difference, comparison)]
    corners = [Rect(0, 0, after.width, after.height), *(mark.bounds for mark in marks)]
    corners += [mark.start for mark in marks if mark.start]
    frame = _PictureFrame(_Mark("", tuple(corners)).bounds, theme.tile_size * scale)
    width, height = frame.rect.width * frame.tile, frame.rect.height * frame.tile
    sizes = [width * height, before.width * before.height * frame.tile**2]
    if max(sizes) > _MAX_PIXELS:
        remedy = "give a smaller --scale" if scale > 1 else "leave it out"
        raise BadInput(f"--png: the levels are too large for a picture of {width} x {height} px; {remedy}")
    whole = max(width, _MIN_WIDTH_PX * scale), height + 3 * _TEXT_PX * scale
    image = Image.new("RGB", whole, _BACKGROUND[:3])
    image.paste(Image.fromarray(_pixels(comparison, marks, theme, frame, scale), "RGB"))
    pen = ImageDraw.Draw(image)
    for mark in marks:
        _draw_symbols(pen, mark, frame)
    _name_rooms(pen, comparison, frame, scale)
    _write_legend(pen, marks, comparison, height, scale)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


# --- what to mark ------------------------------------------------------------------------------------


def _marks(difference: Difference, comparison: Comparison) -> Iterator[_Mark]:
    if difference.key in ("distance", "depth"):
        return  # they are nowhere in a picture
    if difference.subject == "room":
        yield _of_room(difference, comparison)
    elif difference.subject == "hallway" and difference.action == "changed":
        yield _Mark(
            "removed", _tiles(difference.old_tiles), _in_first(difference.old_tiles, difference, comparison)
        )
        yield _Mark("added", _tiles(difference.tiles))
    elif difference.subject != "level":
        size = _size(difference, comparison)
        rects = _tiles(difference.tiles, size)
        if difference.action == "removed":
            yield _Mark("removed", rects, _in_first(difference.tiles, difference, comparison, size))
        elif difference.action == "moved":
            yield _Mark("moved", rects, start=_Mark("", _tiles(difference.old_tiles)).bounds)
        else:
            yield _Mark(difference.action, rects)


def _of_room(difference: Difference, comparison: Comparison) -> _Mark:
    before, after = comparison.matches.before, comparison.matches.after
    old, new = difference.rooms
    if new is None:
        assert old is not None
        rects = before.room_rects(before.rooms[old])
        dx, dy = comparison.matches.rooms.shift
        return _Mark(
            "removed", tuple(rect._replace(x=rect.x + dx, y=rect.y + dy) for rect in rects), rects, None, True
        )
    rects = after.room_rects(after.rooms[new])
    if difference.action == "moved":
        return _Mark(
            "moved",
            rects,
            (),
            after.rooms[new].bounds._replace(x=difference.old[0], y=difference.old[1]),
            True,
        )
    return _Mark(difference.action, rects, (), None, True)


def _size(difference: Difference, comparison: Comparison) -> Point:
    """Return how many tiles a piece of decor covers, 1 x 1 for everything else."""
    if difference.subject != "decor":
        return 1, 1
    level = comparison.matches.before if difference.action == "removed" else comparison.matches.after
    return next((kind.width, kind.height) for kind in level.decor_kinds if kind.name == difference.name)


def _tiles(tiles: Iterable[Point], size: Point = (1, 1)) -> tuple[Rect, ...]:
    return tuple(Rect(*tile, *size) for tile in tiles)


def _in_first(
    tiles: Iterable[Point], difference: Difference, comparison: Comparison, size: Point = (1, 1)
) -> tuple[Rect, ...]:
    """Return where the tiles of something that was removed are in the first level."""
    matches = comparison.matches
    number = difference.ids[0]
    if number is not None and difference.subject == "door":
        return _tiles(matches.before.doors[number].tiles)
    if number is not None and difference.subject == "hallway":
        return _tiles(matches.before.hallways[number].tiles)
    old = difference.rooms[0]
    match = None if old is None else matches.rooms.by_old.get(old)
    dx, dy = match.shift if match else matches.rooms.shift
    return _tiles(((x - dx, y - dy) for x, y in tiles), size)


# --- pixels ------------------------------------------------------------------------------------------


def _pixels(
    comparison: Comparison, marks: Sequence[_Mark], theme: Theme, frame: _PictureFrame, scale: int
) -> _PicturePixels:
    """Draw the level darkly, and over it what differs, brightly and with tints and outlines."""
    before, after = comparison.matches.before, comparison.matches.after
    bright = np.empty((frame.rect.height * frame.tile, frame.rect.width * frame.tile, 3), np.uint8)
    bright[:] = _BACKGROUND[:3]
    left, top, right, bottom = frame.box(Rect(0, 0, after.width, after.height))
    bright[top:bottom, left:right] = _drawn(after, theme, scale)
    light = _mask(frame, (rect for room in _rooms_that_differ(comparison) for rect in after.room_rects(room)))
    shown = _mask(
        frame, (rect for mark in marks if not mark.is_room or mark.sort == "added" for rect in mark.rects)
    )
    pixels = _dimmed(bright, _DARK)
    for tiles, factor in ((light, _LIT), (shown, 1.0)):
        area = _as_pixels(tiles, frame.tile)
        pixels[area] = _dimmed(bright[area], factor)
    if any(mark.ghosts for mark in marks):
        _paste_ghosts(pixels, marks, _drawn(before, theme, scale), comparison, frame)
    line = max(1, frame.tile // 8)
    for sort, colour in COLOURS.items():
        things = [mark for mark in marks if mark.sort == sort and not mark.is_room]
        area = _as_pixels(_mask(frame, (rect for mark in things for rect in mark.rects)), frame.tile)
        if sort != "removed":  # its faint image is enough
            pixels[area] = _mixed(pixels[area], np.array(colour), _TINT)
        pixels[_edges(area, line)] = colour
    order = list(COLOURS)
    for mark in sorted(marks, key=lambda mark: order.index(mark.sort)):
        if mark.is_room:
            left, top, right, bottom = frame.box(mark.bounds)
            area = _as_pixels(_mask(frame._replace(rect=mark.bounds), mark.rects), frame.tile)
            pixels[top:bottom, left:right][_edges(area, line)] = COLOURS[mark.sort]
    return pixels


def _drawn(level: Level, theme: Theme, scale: int) -> _PicturePixels:
    look, layers = dressed(level, theme)
    tile = look.tile_size * scale
    pixels = np.empty((level.height * tile, level.width * tile, 3), np.uint8)
    top = 0
    for band in composed([*layers, icon_layer(level, look)], look, _BACKGROUND):
        bottom = top + len(band) * scale
        pixels[top:bottom] = band[..., :3].repeat(scale, axis=0).repeat(scale, axis=1)
        top = bottom
    return pixels


def _dimmed(pixels: _PicturePixels, factor: float) -> _PicturePixels:
    return np.array([round(value * factor) for value in range(256)], np.uint8)[pixels]


def _mixed(below: _PicturePixels, above: npt.NDArray[Any], opacity: Any) -> _PicturePixels:
    """Draw one picture over another. The opacity is 0 to 1, for all px or for each."""
    mixed: _PicturePixels = (below + (above.astype(np.float32) - below) * opacity).astype(np.uint8)
    return mixed


def _rooms_that_differ(comparison: Comparison) -> Iterator[Room]:
    numbers = {difference.rooms[1] for difference in comparison.differences} - {None}
    yield from (room for room in comparison.matches.after.rooms if room.id in numbers)


def _mask(frame: _PictureFrame, rects: Iterable[Rect]) -> Mask:
    """Return a mask [y, x] of tiles."""
    mask = np.zeros((frame.rect.height, frame.rect.width), bool)
    for rect in rects:
        mask[_within(frame, rect).slices] = True
    return mask


def _within(frame: _PictureFrame, rect: Rect) -> Rect:
    """Return a rectangle of tiles counted from the corner of the picture."""
    return rect._replace(x=rect.x - frame.rect.x, y=rect.y - frame.rect.y)


def _as_pixels(tiles: npt.NDArray[Any], tile: int) -> npt.NDArray[Any]:
    return tiles.repeat(tile, axis=0).repeat(tile, axis=1)


def _edges(mask: Mask, width: int) -> Mask:
    """Return the px of a mask that are less than `width` px from its edge."""
    inner = mask.copy()
    for axis in (0, 1):
        for step in (-width, width):
            moved = np.roll(mask, step, axis)
            beyond = slice(None, step) if step > 0 else slice(step, None)
            moved[(beyond, slice(None)) if axis == 0 else (slice(None), beyond)] = False
            inner &= moved
    return mask & ~inner


def _paste_ghosts(
    pixels: _PicturePixels,
    marks: Sequence[_Mark],
    before: _PicturePixels,
    comparison: Comparison,
    frame: _PictureFrame,
) -> None:
    """Draw what was removed faintly: things on what is there now, rooms only where no room is now."""
    rooms = _mask(frame, (room.bounds for room in comparison.matches.after.rooms))
    tile = frame.tile
    for mark in marks:
        for rect, old in zip(mark.rects, mark.ghosts, strict=False):
            left, top, right, bottom = frame.box(rect)
            ghost = before[old.y * tile : old.bottom * tile, old.x * tile : old.right * tile]
            taken = rooms[_within(frame, rect).slices] & mark.is_room
            opacity = _GHOST * ~_as_pixels(taken, tile)[..., None]
            pixels[top:bottom, left:right] = _mixed(pixels[top:bottom, left:right], ghost, opacity)


# --- symbols and text --------------------------------------------------------------------------------


def _draw_symbols(pen: Pen, mark: _Mark, frame: _PictureFrame) -> None:
    """Draw an arrow, or a plus or a cross in the corner of each thing or room."""
    if mark.start and mark.start[:2] != mark.bounds[:2]:
        if mark.is_room:
            _line_round(pen, frame.box(mark.start), frame.tile)
        _arrow(pen, frame.middle(mark.start), frame.middle(mark.bounds), frame.tile)
    for rect in [mark.bounds] if mark.is_room else mark.rects:
        _, top, right, bottom = frame.box(rect)
        half = frame.tile // 2 if mark.is_room else frame.tile // 5
        y = bottom - half - 1 if mark.is_room and mark.sort == "removed" else top + half + 1
        _sign(pen, mark.sort, (right - half - 1, y), half)


def _sign(pen: Pen, sort: str, middle: Point, half: int) -> None:
    """Draw a plus or a cross."""
    x, y = middle
    if sort == "added":
        strokes = [((x - half, y), (x + half, y)), ((x, y - half), (x, y + half))]
    elif sort == "removed":
        strokes = [((x - half, y - half), (x + half, y + half)), ((x - half, y + half), (x + half, y - half))]
    else:
        return
    _strokes(pen, strokes, COLOURS[sort], half)


def _strokes(pen: Pen, strokes: Sequence[tuple[Point, Point]], colour: Rgb, size: int) -> None:
    """Draw lines with a dark rim, which shows on any ground."""
    width = max(2, size // 4)
    for rim, ink in ((2, _SHADE), (0, colour)):
        for start, end in strokes:
            pen.line((*start, *end), ink, width + rim)


def _arrow(pen: Pen, start: Point, end: Point, tile: int) -> None:
    """Draw an arrow that ends at the edge of a tile, so that one sees what is on it."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    tip = _along(end, angle, -0.55 * tile)
    barbs = [(_along(tip, angle + turn, -0.5 * tile), tip) for turn in (-0.5, 0.5)]
    _strokes(pen, [(start, tip), *barbs], COLOURS["moved"], tile // 2)
    radius = max(2, tile // 6)
    x, y = start
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), COLOURS["moved"], _SHADE)


def _along(point: Point, angle: float, px: float) -> Point:
    return round(point[0] + px * math.cos(angle)), round(point[1] + px * math.sin(angle))


def _line_round(pen: Pen, box: tuple[int, int, int, int], tile: int) -> None:
    """Draw a dashed rectangle: where a room was."""
    (left, top, right, bottom), colour = box, COLOURS["moved"]
    for x in range(left, right, tile):
        pen.line((x, top, x + tile // 2, top), colour, 2)
        pen.line((x, bottom - 1, x + tile // 2, bottom - 1), colour, 2)
    for y in range(top, bottom, tile):
        pen.line((left, y, left, y + tile // 2), colour, 2)
        pen.line((right - 1, y, right - 1, y + tile // 2), colour, 2)


def _name_rooms(pen: Pen, comparison: Comparison, frame: _PictureFrame, scale: int) -> None:
    """Write the number of each room with differences into its corner, as in the list."""
    from PIL import ImageFont

    font = ImageFont.load_default(_TEXT_PX * scale)
    for room in _rooms_that_differ(comparison):
        left, top, *_ = frame.box(room.bounds)
        text = f"room {room.id}"
        pen.rectangle((left, top, left + pen.textlength(text, font) + 6 * scale, top + 17 * scale), _SHADE)
        pen.text((left + 3 * scale, top), text, _INK, font)


def _write_legend(pen: Pen, marks: Sequence[_Mark], comparison: Comparison, top: int, scale: int) -> None:
    from PIL import ImageFont

    font = ImageFont.load_default(_TEXT_PX * scale)
    side = 16 * scale
    x, y = side // 2, top + side
    for sort, colour in COLOURS.items():
        count = sum(1 if mark.is_room else len(mark.rects) for mark in marks if mark.sort == sort)
        if not count:
            continue
        pen.rectangle((x, y, x + side, y + side), tuple(value // 4 for value in colour), colour)
        _sign(pen, sort, (x + side // 2, y + side // 2), side // 4)
        if sort == "moved":
            _arrow(pen, (x, y + side // 2), (x + side * 3 // 2, y + side // 2), side)
        pen.text((x + side * 3 // 2, y), f"{count} {sort}", _INK, font)
        x += side * 3 + round(pen.textlength(f"{count} {sort}", font))
    undrawn = [difference for difference in comparison.differences if not [*_marks(difference, comparison)]]
    text = f"and {len(undrawn)} more, in the list only" if undrawn else ""
    pen.text((x, y), text if comparison.differences else "no differences", _INK, font)
