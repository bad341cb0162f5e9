"""Pictures of flows: one in SVG, or several plans side by side; as PNG too."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from generator.geometry import Point
from generator.kinds import Kinds, shipped_kit
from generator.kinds.signs import keys_in_words, numbered_keys, sign_table
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.styles.gungeon.flows.draw import FlowDrawing, draw
from generator.styles.gungeon.flows.planar import planar_drawing
from generator.styles.gungeon.flows.records import Flow, FlowConnection, FlowRoom

_MAX_DRAWINGS = 40
_BACKGROUND, _PANEL, _ROOM = "#1c1826", "#241f31", "#2a2438"
_TEXT, _LINE, _ARROW, _OPENS = "#f2eefc", "#8d86a6", "#ffb454", "#7bd88f"
_SMOOTH = 2  # pictures are drawn larger, and made smaller with smooth lines


class _PlanLook(NamedTuple):
    """Sizes in pixels: from cell to cell, and of a room. `is_small` leaves names and tags out."""

    column: int
    row: int
    wide: int
    high: int
    is_small: bool


_LARGE = _PlanLook(150, 92, 112, 46, False)
_SMALL = _PlanLook(66, 48, 46, 26, True)


def flow_drawing(flow: Flow) -> FlowDrawing:
    """Draw a flow on a grid a few times, and return the drawing with the shortest connections.

    If no try finds cells for all, it is drawn from a planar embedding.
    """
    number = {room.id: index for index, room in enumerate(flow.rooms)}
    edges = [(number[connection.a], number[connection.b]) for connection in flow.connections]
    tries = [
        draw(len(number), edges, Stream(0, "gungeon.flow.picture", attempt))
        for attempt in range(_MAX_DRAWINGS)
    ]
    drawings = [drawing for drawing in tries if drawing is not None]
    if not drawings:
        streams = Stream.numbered(_MAX_DRAWINGS, 0, "gungeon.flow.picture.planar")
        drawings = [planar_drawing(len(number), edges, stream) for stream in streams]
    return min(drawings, key=lambda drawing: drawing.detours)


class _PlanPicture:
    """A flow drawn on the grid: `size` in pixels, and its parts in SVG at any place."""

    def __init__(self, flow: Flow, look: _PlanLook, kinds: Kinds) -> None:
        self._flow, self._look, self._kinds = flow, look, kinds
        locks = [lock.needs for connection in flow.connections if (lock := flow.lock_of(connection))]
        self._keys = numbered_keys(locks, (key.name for key in flow.keys))
        self._drawing = drawing = flow_drawing(flow)
        cells = [cell for room_cells in drawing.cells for cell in room_cells]
        cells += [cell for passed in drawing.passed.values() for cell in passed]
        self._left, self._top = min(x for x, _ in cells), min(y for _, y in cells)
        width = (max(x for x, _ in cells) - self._left + 1) * look.column
        self.size = width, (max(y for _, y in cells) - self._top + 1) * look.row

    def parts(self, x: float, y: float) -> Iterator[str]:
        """Yield the elements of the picture with its top left corner at a place."""
        number = {room.id: index for index, room in enumerate(self._flow.rooms)}
        cells = self._drawing.cells

        def middle(*at: Point) -> tuple[float, float]:
            column, row = (sum(cell[axis] for cell in at) / len(at) for axis in (0, 1))
            look = self._look
            return x + (column - self._left + 0.5) * look.column, y + (row - self._top + 0.5) * look.row

        for connection in self._flow.connections:
            a, b = number[connection.a], number[connection.b]
            passed = self._drawing.passed[min(a, b), max(a, b)]
            way = [*map(middle, passed if a < b else passed[::-1])]
            yield from self._line(connection, [middle(*cells[a]), *way, middle(*cells[b])])
        for room in self._flow.rooms:
            yield from self._box(room, *middle(*cells[number[room.id]]))

    def _line(self, connection: FlowConnection, points: Sequence[tuple[float, float]]) -> Iterator[str]:
        """Draw a connection: dashed if secret, an arrow if one-way, a box if it must be opened."""
        dash = ' stroke-dasharray="3 5"' if connection.secret else ""
        joined = " ".join(f"{x:g},{y:g}" for x, y in points)
        yield f'<polyline points="{joined}" fill="none" stroke="{_LINE}" stroke-width="3"{dash}/>'
        (ax, ay), (bx, by) = max(pairwise(points), key=lambda pair: _length(*pair))
        x, y = (ax + bx) / 2, (ay + by) / 2
        if connection.one_way:
            side = 6 if self._look.is_small else 9
            dx, dy = (side * ((bx > ax) - (bx < ax)), side * ((by > ay) - (by < ay)))
            corners = f"{x + dx:g},{y + dy:g} {x - dx + dy:g},{y - dy + dx:g} {x - dx - dy:g},{y - dy - dx:g}"
            yield f'<polygon points="{corners}" fill="{_ARROW}"/>'
        lock = self._flow.lock_of(connection)
        asks = f"opens from {connection.opens_from}" if connection.opens_from else ""
        if lock:
            asks = ", ".join(keys_in_words(lock.needs))
        color = self._color_of(lock.needs[0]) if lock else _OPENS if asks else _TEXT
        if asks:
            half = 5 if self._look.is_small else 7
            box = f'x="{x - half:g}" y="{y - half:g}" width="{2 * half}" height="{2 * half}" rx="3"'
            yield f'<rect {box} fill="{color}"/>'
        joins = f"joins {connection.joins}" if connection.joins else ""
        label = ", ".join(filter(None, (asks, joins)))
        if label and not self._look.is_small:
            at, anchor = (f'x="{x:g}" y="{y - 12:g}"', "middle")
            if ax == bx:  # beside a vertical line
                at, anchor = (f'x="{x + 12:g}" y="{y + 4:g}"', "start")
            yield f'<text {at} text-anchor="{anchor}" fill="{color}" font-size="10">{escape(label)}</text>'

    def _box(self, room: FlowRoom, x: float, y: float) -> Iterator[str]:
        """Draw a room: its name, and below that its kind and the keys in it."""
        wide, high = self._look.wide, self._look.high
        color = self._kinds.rooms[room.kind].color
        yield (
            f'<rect x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide}" height="{high}" rx="6" '
            f'fill="{_ROOM}" stroke="{color}" stroke-width="{2 if self._look.is_small else 3}"/>'
        )
        keys = [key.name for key in self._flow.keys if key.room == room.id]
        if self._look.is_small:
            yield from self._small_labels(room, keys, x, y)
            return
        below = ", ".join([room.kind, *sorted(room.tags)])
        yield _label(x, y - 4, room.id, min(12.0, 1.6 * wide / len(room.id)), _TEXT)  # small for a long name
        yield _label(x, y + 12, below, 10, color)
        if keys:
            yield _label(x, y + high / 2 + 12, ", ".join(keys), 10, self._color_of(keys[0]))

    def _color_of(self, key: str) -> str:
        return sign_table().of_key("key", self._keys[key]).color

    def _small_labels(self, room: FlowRoom, keys: Sequence[str], x: float, y: float) -> Iterator[str]:
        """Write a room's kind unless it is a usual one with fights, and a dot for a key."""
        if room.kind != "normal":
            size = min(11.0, 1.6 * self._look.wide / len(room.kind))
            yield _label(x, y + 4, room.kind, size, self._kinds.rooms[room.kind].color)
        if keys:
            at = f'x="{x + self._look.wide / 2 - 8:g}" y="{y - self._look.high / 2 - 5:g}"'
            look = f'width="12" height="12" rx="6" stroke="{_ROOM}" stroke-width="2"'
            yield f'<rect {at} {look} fill="{self._color_of(keys[0])}"/>'


def _label(x: float, y: float, text: str, size: float, color: str, anchor: str = "middle") -> str:
    at = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:.3g}"'
    return f'<text {at} fill="{color}">{escape(text)}</text>'


def _length(a: tuple[float, float], b: tuple[float, float]) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _whole(width: float, height: float, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        'font-family="sans-serif" font-size="12" text-anchor="middle">'
    )
    ground = f'<rect width="{width:g}" height="{height:g}" fill="{_BACKGROUND}"/>'
    return "\n".join([head, ground, *parts, "</svg>", ""])


def svg(flow: Flow, kinds: Kinds | None = None) -> str:
    """Draw a flow as a picture: rooms, arrows for one-way connections, and the names of locks and keys."""
    picture = _PlanPicture(flow, _LARGE, kinds or shipped_kit().kinds)
    return _whole(*picture.size, [*picture.parts(0, 0)])


# --- several plans -----------------------------------------------------------------------------------

_GAP, _TITLE = 14, 34  # px around a panel, and of the line above its plan
_LEGEND = ("lock", "shortcut", "one way", "key", "secret")


def sheet_svg(plans: Sequence[tuple[str, Flow]], kinds: Kinds) -> str:
    """Draw plans side by side, in about as many rows as columns, each below its title."""
    pictures = [_PlanPicture(flow, _SMALL, kinds) for _, flow in plans]
    columns = next(number for number in range(1, len(plans) + 1) if number * number >= len(plans))
    widths = [max(picture.size[0] for picture in pictures[column::columns]) for column in range(columns)]
    widths = [max(width, 240) for width in widths]
    parts: list[str] = []
    y = float(_GAP)
    for first in range(0, len(plans), columns):
        row = pictures[first : first + columns]
        high = max(picture.size[1] for picture in row) + _TITLE + _GAP
        x = float(_GAP)
        for (title, _), picture, width in zip(plans[first : first + columns], row, widths, strict=False):
            box = f'x="{x:g}" y="{y:g}" width="{width}" height="{high}" rx="8"'
            parts.append(f'<rect {box} fill="{_PANEL}"/>')
            parts.append(_label(x + _GAP, y + 22, title, 12, _TEXT, "start"))
            spare = width - picture.size[0], high - _TITLE - _GAP - picture.size[1]
            parts += picture.parts(x + spare[0] / 2, y + _TITLE + spare[1] / 2)
            x += width + _GAP
        y += high + _GAP
    parts += _legend(y + 10)
    return _whole(sum(widths) + _GAP * (columns + 1), y + 28, parts)


def _legend(y: float) -> Iterator[str]:
    """Explain the signs in a line."""
    x = float(2 * _GAP)
    key = sign_table().of_key("key", 0).color
    colors = {"shortcut": _OPENS, "one way": _ARROW, "secret": _LINE}
    for word in _LEGEND:
        color = colors.get(word, key)
        if word == "one way":
            corners = f"{x + 8:g},{y:g} {x - 4:g},{y - 6:g} {x - 4:g},{y + 6:g}"
            yield f'<polygon points="{corners}" fill="{color}"/>'
        elif word == "secret":
            points = f'points="{x - 8:g},{y:g} {x + 8:g},{y:g}"'
            yield f'<polyline {points} fill="none" stroke="{color}" stroke-width="3" stroke-dasharray="3 5"/>'
        else:
            radius = 6 if word == "key" else 3
            box = f'x="{x - 5:g}" y="{y - 5:g}" width="11" height="11"'
            yield f'<rect {box} rx="{radius}" fill="{color}"/>'
        yield _label(x + 14, y + 4, word, 11, _TEXT, "start")
        x += 40 + 7 * len(word)


# --- PNG ---------------------------------------------------------------------------------------------


def png(text: str) -> bytes:
    """Paint a picture that `svg` or `sheet_svg` made, as PNG."""
    from PIL import Image, ImageDraw

    root = ElementTree.fromstring(text)
    size = int(root.get("width", "0")), int(root.get("height", "0"))
    picture = Image.new("RGB", (_SMOOTH * size[0], _SMOOTH * size[1]), _BACKGROUND)
    pencil = ImageDraw.Draw(picture)
    for part in root:
        _paint(pencil, part)
    out = io.BytesIO()
    picture.resize(size, Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()


def _paint(pencil: object, part: ElementTree.Element) -> None:
    from PIL import ImageDraw, ImageFont

    assert isinstance(pencil, ImageDraw.ImageDraw)

    def number(key: str) -> float:
        return _SMOOTH * float(part.get(key, "0"))

    fill = part.get("fill")
    numbers = [_SMOOTH * float(one) for one in part.get("points", "").replace(",", " ").split()]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    match part.tag.rpartition("}")[2]:
        case "rect":
            x, y, width = number("x"), number("y"), round(number("stroke-width"))
            corners = (x, y, x + number("width"), y + number("height"))
            pencil.rounded_rectangle(corners, number("rx"), fill, part.get("stroke"), width)
        case "polyline":
            pieces = _dashes(points, _SMOOTH * 3, _SMOOTH * 5) if part.get("stroke-dasharray") else [points]
            for piece in pieces:
                pencil.line(piece, part.get("stroke"), round(number("stroke-width")), "curve")
        case "polygon":
            pencil.polygon(points, fill)
        case "text":
            font = ImageFont.load_default(number("font-size"))
            anchor = "ls" if part.get("text-anchor") == "start" else "ms"
            pencil.text((number("x"), number("y")), part.text or "", fill, font, anchor)


def _dashes(
    points: Sequence[tuple[float, float]], drawn: float, skipped: float
) -> Iterator[list[tuple[float, float]]]:
    """Cut a line into dashes, each corner beginning a new one."""
    for (ax, ay), (bx, by) in pairwise(points):
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        at = 0.0
        while at < length:
            ends = (at / length, min(at + drawn, length) / length)
            yield [(ax + (bx - ax) * end, ay + (by - ay) * end) for end in ends]
            at += drawn + skipped
