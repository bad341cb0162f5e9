"""Shows a flow: as text, as a graph in DOT, as a picture in SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from generator.geometry import Point
from generator.kinds import DIFFICULTIES, room_kind
from generator.rng import Stream
from generator.styles.gungeon.flows.draw import FlowDrawing, draw
from generator.styles.gungeon.flows.planar import planar_drawing
from generator.styles.gungeon.flows.proof import all_keys
from generator.styles.gungeon.flows.records import Flow, FlowConnection, FlowRoom, distances
from generator.value_words import how_many

_COLUMN, _ROW = 150, 92  # pixels of the picture from cell to cell
_WIDE, _HIGH = 112, 46  # pixels of a room
_MAX_DRAWINGS = 40


def rows(flow: Flow) -> Iterator[str]:
    """Yield a line for each room, each connection and each rule that is still to be applied."""
    far = distances(flow)
    loops = len(flow.connections) - len(flow.rooms) + 1
    parts = {"room": len(flow.rooms), "connection": len(flow.connections), "loop": loops}
    yield f"{flow.name}: {', '.join(how_many(count, noun) for noun, count in parts.items())}"
    for room in flow.rooms:
        keys = [key.name + ", which must be taken" * key.must for key in flow.keys if key.room == room.id]
        notes = [
            *sorted(room.tags),
            *(f"zone {room.zone}" for _ in room.zone[:1]),
            *(f"key {key}" for key in keys),
            *(relation.text for relation in room.relations),
        ]
        yield f"  {room.id:24} {room.kind:8} distance {far.get(room.id, '-'):>2}  {', '.join(notes)}".rstrip()
    for connection in flow.connections:
        lock = flow.lock_of(connection)
        needs = f"  needs {' and '.join(lock.needs)}, at {lock.on[0]}" if lock else ""
        opens = f"  opens from {connection.opens_from}" if connection.opens_from else ""
        arrow = ">" if connection.one_way else "-"
        secret = "  secret" * connection.secret
        yield f"  {connection.a} {arrow} {connection.b}{secret}{opens}{needs}"
    for key in flow.keys:
        if not key.room:
            yield f"  key {key.name}: hidden in a room where the player must fetch it"
    for use in flow.uses:
        yield f"  rule {use.name} on {'-'.join(use.on)}, {use.times[0]} to {use.times[1]} times"


# --- DOT ---------------------------------------------------------------------------------------------


def dot(flow: Flow) -> str:
    """Write a flow as a graph in DOT, which `undercroft flow import` reads, without rules and pacing."""
    lines = [f"digraph {_quoted(flow.name)} {{", "  node [shape=box];"]
    of_all = _of_keys(flow, "")
    for zone in flow.zones.values():
        of_all |= {f"floor_{zone.name}": zone.floor, f"chapter_{zone.name}": zone.chapter}
    if any(of_all.values()):
        lines.append(f"  graph {_attributes(of_all)};")
    lines += [f"  {room.id} {_attributes(_of_room(flow, room))};" for room in flow.rooms]
    for connection in flow.connections:
        lines.append(f"  {connection.a} -> {connection.b} {_attributes(_of_connection(flow, connection))};")
    return "\n".join([*lines, "}", ""])


def _of_room(flow: Flow, room: FlowRoom) -> dict[str, str]:
    return {
        "kind": room.kind,
        "tags": ",".join(sorted(room.tags)),
        "layout": room.layout,
        "size": room.size,
        "difficulty": next((name for name, level in DIFFICULTIES.items() if level == room.difficulty), ""),
        "zone": room.zone,
        **{relation.word: ",".join(relation.to) for relation in room.relations},
        **_of_keys(flow, room.id),
    }


def _of_keys(flow: Flow, room: str) -> dict[str, str]:
    """List the keys in a room, or for an empty name those without a room."""
    by_word: dict[str, list[str]] = {"keys": [], "keys_used_up": [], "levers": [], "must": []}
    for key in all_keys(flow.keys):
        if key.room == room:
            if key.must:
                by_word["must"].append(key.name)
            by_word["keys_used_up" if key.consumed else "levers" if key.lever else "keys"].append(key.name)
    return {word: ",".join(names) for word, names in by_word.items()}


def _of_connection(flow: Flow, connection: FlowConnection) -> dict[str, str]:
    lock = flow.lock_of(connection)
    return {
        "dir": "" if connection.one_way else "none",
        "one_way": "true" if connection.one_way else "",
        "opens_from": connection.opens_from,
        "secret": "true" if connection.secret else "",
        "needs": ",".join(lock.needs) if lock else "",
        "lock_at": lock.on[0] if lock else "",
        "optional": "true" if lock and lock.optional else "",
    }


def _attributes(attributes: dict[str, str]) -> str:
    return f"[{', '.join(f'{key}={_quoted(text)}' for key, text in attributes.items() if text)}]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# --- SVG ---------------------------------------------------------------------------------------------


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


def svg(flow: Flow) -> str:
    """Draw a flow as a picture: rooms, arrows for one-way connections, and the names of locks and keys."""
    drawing = flow_drawing(flow)
    cells = [cell for room_cells in drawing.cells for cell in room_cells]
    cells += [cell for passed in drawing.passed.values() for cell in passed]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    width = (max(x for x, _ in cells) - left + 1) * _COLUMN
    height = (max(y for _, y in cells) - top + 1) * _ROW

    def middle(*at: Point) -> tuple[float, float]:
        x, y = (sum(cell[axis] for cell in at) / len(at) for axis in (0, 1))
        return (x - left + 0.5) * _COLUMN, (y - top + 0.5) * _ROW

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" fill="#1c1826"/>',
    ]
    number = {room.id: index for index, room in enumerate(flow.rooms)}
    for connection in flow.connections:
        a, b = number[connection.a], number[connection.b]
        passed = drawing.passed[min(a, b), max(a, b)]
        way = [*map(middle, passed if a < b else passed[::-1])]
        parts += _line(flow, connection, [middle(*drawing.cells[a]), *way, middle(*drawing.cells[b])])
    for room in flow.rooms:
        parts += _box(flow, room, *middle(*drawing.cells[number[room.id]]))
    return "\n".join([*parts, "</svg>", ""])


def _line(flow: Flow, connection: FlowConnection, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Draw a connection: dashed if it is secret, an arrow if it is one-way, a box if it must be opened."""
    dash = ' stroke-dasharray="3 5"' if connection.secret else ""
    joined = " ".join(f"{x:g},{y:g}" for x, y in points)
    yield f'<polyline points="{joined}" fill="none" stroke="#8d86a6" stroke-width="3"{dash}/>'
    (ax, ay), (bx, by) = max(pairwise(points), key=lambda pair: _length(*pair))
    x, y = (ax + bx) / 2, (ay + by) / 2
    if connection.one_way:
        dx, dy = (9 * ((bx > ax) - (bx < ax)), 9 * ((by > ay) - (by < ay)))
        corners = f"{x + dx:g},{y + dy:g} {x - dx + dy:g},{y - dy + dx:g} {x - dx - dy:g},{y - dy - dx:g}"
        yield f'<polygon points="{corners}" fill="#ffb454"/>'
    lock = flow.lock_of(connection)
    label = f"opens from {connection.opens_from}" if connection.opens_from else ""
    if lock:
        label = ", ".join(lock.needs)
    if label:
        color = "#ffe45e" if lock else "#7bd88f"
        yield f'<rect x="{x - 7:g}" y="{y - 7:g}" width="14" height="14" rx="3" fill="{color}"/>'
        at, anchor = (f'x="{x:g}" y="{y - 12:g}"', "middle")
        if ax == bx:  # beside a vertical line
            at, anchor = (f'x="{x + 12:g}" y="{y + 4:g}"', "start")
        yield f'<text {at} text-anchor="{anchor}" fill="{color}" font-size="10">{escape(label)}</text>'


def _length(a: tuple[float, float], b: tuple[float, float]) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _box(flow: Flow, room: FlowRoom, x: float, y: float) -> Iterator[str]:
    """Draw a room: its name, and below that its kind and the keys in it."""
    color = room_kind(room.kind).color
    yield (
        f'<rect x="{x - _WIDE / 2:g}" y="{y - _HIGH / 2:g}" width="{_WIDE}" height="{_HIGH}" rx="6" '
        f'fill="#2a2438" stroke="{color}" stroke-width="3"/>'
    )
    keys = [key.name for key in flow.keys if key.room == room.id]
    below = ", ".join([room.kind, *sorted(room.tags)])
    size = min(12.0, 1.6 * _WIDE / len(room.id))  # smaller letters for a long name
    yield f'<text x="{x:g}" y="{y - 4:g}" font-size="{size:.3g}" fill="#f2eefc">{escape(room.id)}</text>'
    yield f'<text x="{x:g}" y="{y + 12:g}" fill="{color}" font-size="10">{escape(below)}</text>'
    if keys:
        y += _HIGH / 2 + 12
        yield f'<text x="{x:g}" y="{y:g}" fill="#ffe45e" font-size="10">{escape(", ".join(keys))}</text>'
