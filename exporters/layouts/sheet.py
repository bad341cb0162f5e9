"""Pictures of layouts: a single one, or a contact sheet of many with their names."""

from __future__ import annotations

import io
from collections.abc import Sequence

from exporters.dress import dress
from exporters.image import composed, icon_layer
from exporters.layouts.drawing import rooms_level, walled_size
from exporters.theme import Theme
from exporters.theme.loader import fitted, worn
from generator.errors import BadInput
from generator.geometry import Point
from generator.interiors.named import NamedLayout
from generator.level import MAX_TILES
from generator.named_tuple import NamedTuple
from generator.rng import Stream

_BACKGROUND = (13, 11, 20, 255)  # the void in a game
_INK, _PALE = (236, 232, 244, 255), (150, 144, 172, 255)
_TEXT_PX = 13
_GAP_TILES = 2  # between two rooms: one tile for the outer face of each
_MIN_WIDTH_PX = 1000
_MAX_PIXELS = 1 << 27


class _Label(NamedTuple):
    place: Point  # px, top left
    width: int  # px available
    text: str
    is_heading: bool


def sheet(named: Sequence[NamedLayout], theme: Theme, scale: int = 1) -> bytes:
    """Draw a PNG with all layouts side by side, pool by pool, each with its name below it.

    If all rooms belong to one chapter, they are shown in its look.
    Raises BadInput for too many layouts, and ThemeError if the theme cannot be drawn.
    """
    from PIL import Image

    named = sorted((_as_it_may_be(entry) for entry in named), key=lambda entry: entry.name.rpartition("/")[0])
    corners, labels, size = _places(named, theme.tile_size)
    pixels = size[0] * size[1] * (theme.tile_size * scale) ** 2
    if size[0] * size[1] > MAX_TILES or pixels > _MAX_PIXELS:
        raise BadInput(f"{len(named)} layouts are too many for one picture; give a smaller folder or pool")
    level = rooms_level(named, corners, size)
    theme = worn(fitted(theme, level.kinds), _chapter(named))
    layers = [*dress(level, theme), icon_layer(level, theme)]
    picture = Image.new("RGBA", (size[0] * theme.tile_size * scale, size[1] * theme.tile_size * scale))
    top = 0
    for band in composed(layers, theme, _BACKGROUND):
        scaled = band.repeat(scale, axis=0).repeat(scale, axis=1)
        picture.paste(Image.fromarray(scaled, "RGBA"), (0, top))
        top += len(scaled)
    _write(picture, labels, scale)
    out = io.BytesIO()
    picture.convert("RGB").save(out, "PNG")
    return out.getvalue()


def _chapter(named: Sequence[NamedLayout]) -> str:
    """Return the chapter of the pools (`normal/CHAPTER/DIFFICULTY`) that all layouts share, or empty text."""
    chapters = set()
    for entry in named:
        match entry.layout.path.parts:
            case (*_, "normal", chapter, _, _):
                chapters.add(chapter)
            case _:
                return ""
    return chapters.pop() if len(chapters) == 1 else ""


def _places(named: Sequence[NamedLayout], tile_px: int) -> tuple[list[Point], list[_Label], Point]:
    """Place the rooms in rows (shelves). Returns each room's corner in tiles, the labels and the total size.

    Each pool starts a new shelf, with its name above it.
    """
    sizes = [walled_size(entry.layout) for entry in named]
    widest = max(width for width, _ in sizes)
    area = sum((width + _GAP_TILES) * (height + _GAP_TILES + 1) for width, height in sizes)
    limit = max(widest, min(-(-_MIN_WIDTH_PX // tile_px), area), round((1.6 * area) ** 0.5))
    lines = -(-(_TEXT_PX + 4) // tile_px)  # tiles per line of text
    corners: list[Point] = []
    labels: list[_Label] = []
    x, y, shelf, right, pool = _GAP_TILES, _GAP_TILES, 0, 0, ""
    for entry, (width, height) in zip(named, sizes, strict=True):
        own_pool, _, name = entry.name.rpartition("/")
        if shelf and (x + width > limit + _GAP_TILES or own_pool != pool):
            x, y, shelf = _GAP_TILES, y + shelf + 1 + lines + _GAP_TILES, 0
        if own_pool != pool:
            labels.append(_Label((x * tile_px, (y - 1) * tile_px), limit * tile_px, own_pool, True))
            y, pool = y + lines, own_pool
        corners.append((x, y))
        position = x * tile_px, (y + height + 1) * tile_px + 2
        labels.append(_Label(position, (width + 1) * tile_px, _caption(entry, name), False))
        x, shelf, right = x + width + _GAP_TILES, max(shelf, height), max(right, x + width)
    return corners, labels, (right + _GAP_TILES, y + shelf + 1 + lines + 1)


def _caption(named: NamedLayout, name: str) -> str:
    """Write the name, and the layout's unusual facts."""
    layout = named.layout
    facts = [layout.shape.name] if layout.shape.name != "1x1" else []
    if layout.exits:
        unusual = (str(exit_) for exit_ in layout.exits if exit_.is_any or exit_.joins)
        facts = [" ".join(sorted(layout.tags)), *unusual]
    elif len(layout.doors) < len(layout.shape.slots):
        facts.append(f"doors {' '.join(layout.doors)}")
    facts += [f"weight {layout.weight}"] if layout.weight != 1 else []
    return "  ".join([name, *filter(None, facts)])


def _as_it_may_be(named: NamedLayout) -> NamedLayout:
    """Return the layout with one possible result of its variations."""
    return named._replace(layout=named.layout.varied(Stream(0, "sheet", 0)))


def _write(picture: object, labels: Sequence[_Label], scale: int) -> None:
    from PIL import Image, ImageDraw, ImageFont

    assert isinstance(picture, Image.Image)
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(_TEXT_PX * scale)
    for label in labels:
        text, room = label.text, label.width * scale
        while text and pen.textlength(text, font) > room:
            text = text[:-2] + "…" if len(text) > 1 else ""
        position = label.place[0] * scale, label.place[1] * scale
        pen.text(position, text, _INK if label.is_heading else _PALE, font)
