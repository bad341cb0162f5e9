"""Shows a flow as text, and as a graph in DOT and GraphML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from generator.kinds import DIFFICULTIES
from generator.kinds.signs import keys_in_words
from generator.styles.gungeon.flows.flow_file import ZONE
from generator.styles.gungeon.flows.graphs import KEYWORDS
from generator.styles.gungeon.flows.proof import all_keys
from generator.styles.gungeon.flows.records import Flow, FlowConnection, FlowRoom, distances
from generator.value_words import how_many


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
        needs = f"  needs {' and '.join(keys_in_words(lock.needs))}, at {lock.on[0]}" if lock else ""
        opens = f"  opens from {connection.opens_from}" if connection.opens_from else ""
        arrow = ">" if connection.one_way else "-"
        secret = "  secret" * connection.secret
        joins = f"  joins {connection.joins}" if connection.joins else ""
        yield f"  {connection.a} {arrow} {connection.b}{secret}{opens}{needs}{joins}"
    for key in flow.keys:
        if not key.room:
            yield f"  key {key.name}: hidden in a room where the player must fetch it"
    for use in flow.uses:
        inside = f" inside {use.inside}" if use.inside else ""
        weight = f", weight {_to(use.weight)}" if use.weight else ""
        yield f"  rule {use.name} on {'-'.join(use.on)}{inside}, {_to(use.times)} times{weight}"
    if flow.budget:
        yield f"  grows to {_to(flow.budget)} rooms"


def _to(numbers: tuple[int, int]) -> str:
    return f"{numbers[0]} to {numbers[1]}"


def linearity(flow: Flow) -> float:
    """Return the share of the rooms on the shortest path to the furthest goal."""
    far = distances(flow)
    return (1 + max((far[goal] for goal in flow.goals if goal in far), default=0)) / len(flow.rooms)


def dead_end_share(flow: Flow) -> float:
    """Return the share of the rooms with one connection, secret ones not counted."""
    open_ones = (connection for connection in flow.connections if not connection.secret)
    joined = Counter(room for connection in open_ones for room in (connection.a, connection.b))
    return sum(count == 1 for count in joined.values()) / len(flow.rooms)


# --- graphs ------------------------------------------------------------------------------------------


def left_out(flow: Flow) -> list[str]:
    """List what a flow has that a graph cannot hold."""
    has = {"rules": flow.uses, "pacing": flow.pacing.curve or flow.pacing.at_most}
    return [noun for noun, parts in has.items() if parts]


def dot(flow: Flow) -> str:
    """Write a flow as a graph in DOT, which `undercroft flow import` reads, without rules and pacing."""
    lines = [
        f"digraph {_quoted(flow.name)} {{",
        "  node [shape=box];",
        f"  graph {_attributes(_of_all(flow))};",
    ]
    lines += [f"  {_id(room.id)} {_attributes(_of_room(flow, room))};" for room in flow.rooms]
    for connection in flow.connections:
        ends = f"{_id(connection.a)} -> {_id(connection.b)}"
        lines.append(f"  {ends} {_attributes(_of_connection(flow, connection))};")
    return "\n".join([*lines, "}", ""])


def graphml(flow: Flow) -> str:
    """Write a flow as a graph in GraphML, which `undercroft flow import` reads, without rules and pacing."""
    of_all = _of_all(flow)
    of_rooms = [_of_room(flow, room) for room in flow.rooms]
    of_connections = [_of_connection(flow, connection) for connection in flow.connections]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ]
    for of, tables in (("graph", [of_all]), ("node", of_rooms), ("edge", of_connections)):
        words = dict.fromkeys(word for table in tables for word, text in table.items() if text)
        for word in words:
            name = quoteattr(f"{of}_{word}")
            lines.append(f'  <key id={name} for="{of}" attr.name={quoteattr(word)} attr.type="string"/>')
    lines += [f'  <graph edgedefault="directed">{_data("graph", of_all)}']
    for room, table in zip(flow.rooms, of_rooms, strict=True):
        lines.append(f"    <node id={quoteattr(room.id)}>{_data('node', table)}</node>")
    for connection, table in zip(flow.connections, of_connections, strict=True):
        ends = f"source={quoteattr(connection.a)} target={quoteattr(connection.b)}"
        lines.append(f"    <edge {ends}>{_data('edge', table)}</edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _data(of: str, attributes: dict[str, str]) -> str:
    said = ((quoteattr(f"{of}_{word}"), escape(text)) for word, text in attributes.items() if text)
    return "".join(f"<data key={key}>{text}</data>" for key, text in said)


def _of_all(flow: Flow) -> dict[str, str]:
    of_all = {"name": flow.name, **_of_keys(flow, "")}
    for zone in flow.zones.values():
        of_all |= {f"{word}_{zone.name}": getattr(zone, word) for word in ZONE}
    return of_all


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
        "joins": connection.joins,
        "needs": ",".join(lock.needs) if lock else "",
        "lock_at": lock.on[0] if lock else "",
        "optional": "true" if lock and lock.optional else "",
    }


def _attributes(attributes: dict[str, str]) -> str:
    return f"[{', '.join(f'{key}={_quoted(text)}' for key, text in attributes.items() if text)}]"


def _id(room: str) -> str:
    return _quoted(room) if room.lower() in KEYWORDS else room


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
