"""A level as a notebook shows it: its picture, the rooms' colours and signs over it, and below it a legend.

One SVG holds the picture as a PNG, so that it looks the same in a light and in a dark notebook, as a file and
on a page. Its unit is the picture's pixel. What cannot show an SVG gets the map of `exporters.map_picture`.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

from exporters import export
from exporters.map_picture import PlacedSign, signs_of, zones_of
from exporters.pages.overlay import dots_path
from exporters.pages.page import escaped
from exporters.theme.loader import load_theme
from generator.kinds.signs import SIGN_DOTS, Sign, sign_table
from generator.level import Level, Room

_SHOWN = 960, 1440  # px of the widest picture and of the highest, as they are shown
_SCALE = 3  # of the map
_SIGN = 26  # px of a sign on the picture
_SMALL, _TEXT, _ROW = 18, 14, 24  # px of a sign, of letters and of a row of the legend
_LETTER = 0.62  # of the height of a letter: its width, in monospaced fonts
_MOST, _LONGEST = 60, 40  # entries of a legend, and letters of one
_SQUARE = ("#" * SIGN_DOTS,) * SIGN_DOTS  # for a zone


def notebook_png(level: Level) -> bytes:
    """Draw a level as a map. Raises ThemeError for kinds that the theme cannot draw."""
    return export(level, "png", {"png.map": True, "png.legend": True, "png.scale": _SCALE}, name="x")["x.png"]


def notebook_svg(level: Level) -> str:
    """Draw a level as SVG. Raises ThemeError for kinds that the theme cannot draw."""
    png, tile = export(level, "png", name="x")["x.png"], load_theme().tile_size
    width, height = level.width * tile, level.height * tile
    unit = max(1.0, width / _SHOWN[0], height / _SHOWN[1])  # px of the picture in a shown one
    signs = signs_of(level)
    legend, (wide, high) = _legend(_entries(level, signs), (width, height), unit)
    data = base64.b64encode(png).decode("ascii")
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escaped(str(level)[1:-1])}" ',
            f'viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide / unit:.0f}" height="{high / unit:.0f}" ',
            'style="max-width:100%;height:auto">',
            f'<rect width="100%" height="100%" fill="{sign_table().edge}"/>',
            f'<image href="data:image/png;base64,{data}" width="{width}" height="{height}"/>',
            f'<g fill-opacity=".3" stroke-width="{2 * unit:.1f}" fill-rule="evenodd">',
            *_rooms(level, tile),
            "</g>",
            *(_stamp(placed.sign, placed.x * tile, placed.y * tile, _SIGN * unit) for placed in signs),
            *legend,
            "</svg>",
        )
    )


def _rooms(level: Level, tile: int) -> Iterator[str]:
    """Tint rooms in the colours of their zones, and those that have a sign in its colour, as a map does."""
    zones = zones_of(level)
    for room in level.rooms:
        sign = sign_table().of_room(level.kinds.room(room.kind))
        fill = zones.get(room.zone) or (sign.color if sign else None)
        if fill:
            line = sign.color if sign else "none"
            yield f'<path d="{_outline(room, tile)}" fill="{fill}" stroke="{line}"/>'


def _outline(room: Room, tile: int) -> str:
    return "".join("M" + "L".join(f"{x * tile} {y * tile}" for x, y in ring) + "z" for ring in room.outline)


def _stamp(sign: Sign, x: float, y: float, side: float) -> str:
    """Draw a sign around a place, with its dark edge."""
    place = f"translate({x - side / 2:.1f} {y - side / 2:.1f}) scale({side / SIGN_DOTS:.3f})"
    return (
        f'<path d="{dots_path(sign.dots)}" fill="{sign.ink}" stroke="{sign_table().edge}" stroke-width="2" '
        f'paint-order="stroke" transform="{place}"/>'
    )


def _entries(level: Level, signs: Sequence[PlacedSign]) -> dict[str, Sign]:
    """List what the legend explains: kinds of rooms with their number, other signs, then zones."""
    found: dict[str, list[PlacedSign]] = {}
    for placed in sorted(signs, key=lambda placed: (placed.room is None, placed.room or 0)):
        found.setdefault(placed.words, []).append(placed)
    entries = {
        f"{len(group)} {words}" if group[0].room is not None and len(group) > 1 else words: group[0].sign
        for words, group in found.items()
    }
    return entries | {name.replace("_", " "): Sign(_SQUARE, color) for name, color in zones_of(level).items()}


def _legend(
    entries: dict[str, Sign], picture: tuple[int, int], unit: float
) -> tuple[list[str], tuple[float, float]]:
    """Draw the legend below the picture, in columns. Return it with the size of both."""
    (width, height), ink = picture, sign_table().plain
    told = [(_short(words), sign) for words, sign in entries.items()][:_MOST]
    if len(entries) > _MOST:
        told.append((f"and {len(entries) - _MOST} more", Sign((), ink)))
    column = (max((len(words) for words, _ in told), default=0) * _TEXT * _LETTER + 2 * _ROW) * unit
    columns = max(1, int(width // column))
    drawn = []
    for number, (words, sign) in enumerate(told):
        row, place = divmod(number, columns)
        x, y = place * column + _ROW * unit / 2, height + (row + 1) * _ROW * unit
        drawn.append(_stamp(sign, x + _ROW * unit / 2, y, _SMALL * unit))
        drawn.append(
            f'<text x="{x + 1.25 * _ROW * unit:.1f}" y="{y + _TEXT * unit / 3:.1f}" fill="{ink}" '
            f'font-family="monospace" font-size="{_TEXT * unit:.1f}">{escaped(words)}</text>'
        )
    rows = -(-len(told) // columns) + 1
    return drawn, (max(width, column), height + rows * _ROW * unit)


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
