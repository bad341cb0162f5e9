"""Flows from graphs of other tools: DOT and GraphML, turned into the TOML of a flow.

    gate [kind=start];                    a room; without a kind it is normal
    gate -> a -> hall;                    connections; `--` means the same
    b -> loot [one_way=true];
    hall -> throne [needs="gold_key", lock_at=hall, optional=true];
    a [keys="gold_key", zone=crypt];      keys that lie there; `keys_used_up`: one lock takes them,
                                          `levers`: they are pulled
    graph [keys="silver_key", chapter_crypt=depths];   of keys without a room, and of zones

In GraphML the data of nodes, edges and the graph have the same names. Other data are ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from generator.errors import SpecError, shown
from generator.files import read_bytes, read_text
from generator.styles.gungeon.flows.dot_file import Graph, Said, read_dot
from generator.styles.gungeon.flows.read import MAX_BYTES
from generator.xml_tree import Element, parse_xml

KEY_WORDS = {"keys": "", "keys_used_up": "consumed = true", "levers": "lever = true"}
"""The attributes that list keys, and the line that each adds to a key's table."""

_OF_ROOMS = ("layout", "zone", "size")
_OF_LOCKS = ("lock_at", "optional")


def flow_from_graph(path: Path) -> str:
    """Convert a .dot, .gv or .graphml file to the TOML of a flow. Raises SpecError."""
    if path.suffix.lower() == ".graphml":
        graph = _graphml(path)
    elif path.suffix.lower() in (".dot", ".gv"):
        graph = read_dot(read_text(path, MAX_BYTES, SpecError), str(path))
    else:
        raise SpecError(f"{path}: is not a graph; give a .dot, .gv or .graphml file")
    if not graph.nodes:
        raise SpecError(f"{path}: has no nodes; draw one per room")
    lines = ["[flow]", f"name = {_text(path.stem)}", ""]
    for room, attributes in graph.nodes.items():
        lines += _room(room, attributes)
    for a, b, attributes in graph.edges:
        lines += _connection(a, b, attributes, str(path))
    return "\n".join([*lines, *_keys(graph), *_zones(graph)])


def _graphml(path: Path) -> Graph:
    root = parse_xml(read_bytes(path, MAX_BYTES, SpecError), str(path), SpecError)
    words = {item.attributes.get("id", ""): item.attributes.get("attr.name", "") for item in root.all("key")}
    usual: dict[str, Said] = {"node": {}, "edge": {}, "graph": {}}
    for key in root.all("key"):
        of = key.attributes.get("for", "all")
        for default in key.all("default"):
            for defaults in usual.values() if of == "all" else [usual.get(of, {})]:
                defaults[key.attributes.get("attr.name", "")] = default.text.strip()

    def attributes_of(element: Element) -> Said:
        data = {
            words.get(item.attributes.get("key", ""), ""): item.text.strip() for item in element.all("data")
        }
        return usual[element.tag] | data

    result = Graph({}, [], {})
    for graph in root.all("graph"):
        result.attributes.update(attributes_of(graph))
        for node in graph.all("node"):
            if node.children and any(node.all("graph")):
                raise SpecError(
                    f"{path}: node {shown(node.attributes.get('id', ''))} contains a graph; leave that out"
                )
            result.nodes[node.attributes.get("id", "")] = attributes_of(node)
        for edge in graph.all("edge"):
            a, b = (edge.attributes.get(end, "") for end in ("source", "target"))
            result.edges.append((a, b, attributes_of(edge)))
    return result


def _room(room: str, attributes: Said) -> Iterator[str]:
    yield from ("[[room]]", f"id = {_text(room)}", f"kind = {_text(attributes.get('kind') or 'normal')}")
    if attributes.get("tags"):
        yield f"tags = {_texts(attributes['tags'])}"
    if value := attributes.get("difficulty", ""):
        yield f"difficulty = {value if value.isascii() and value.isdigit() else _text(value)}"
    yield from (f"{word} = {_text(attributes[word])}" for word in _OF_ROOMS if attributes.get(word))
    yield ""


def _connection(a: str, b: str, attributes: Said, where: str) -> Iterator[str]:
    name = f"{where}: {a} -> {b}"
    yield from ("[[connection]]", f"path = [{_text(a)}, {_text(b)}]")
    yield from (f"{word} = true" for word in ("one_way", "secret") if _is_true(attributes, word, name))
    if attributes.get("opens_from"):
        yield f"opens_from = {_text(attributes['opens_from'])}"
    yield ""
    if attributes.get("needs"):
        first = attributes.get("lock_at") or a
        on = f"[{_text(first)}, {_text(a if first == b else b)}]"
        yield from ("[[lock]]", f"on = {on}", f"needs = {_texts(attributes['needs'])}")
        yield from ["optional = true"] * _is_true(attributes, "optional", name)
        yield ""
        return
    for word in _OF_LOCKS:
        if attributes.get(word):
            raise SpecError(
                f"{name}: {word} belongs to a lock; give the keys that it needs, such as needs=gold_key"
            )


def _is_true(attributes: Said, word: str, name: str) -> bool:
    value = attributes.get(word, "").lower()
    if value not in ("true", "1", "false", "0", ""):
        raise SpecError(f"{name}: {word}: {shown(attributes[word])} is neither true nor false")
    return value in ("true", "1")


def _keys(graph: Graph) -> Iterator[str]:
    """Yield the tables of all keys: those in rooms, and those of the graph, which have no room."""
    for room, attributes in [("", graph.attributes), *graph.nodes.items()]:
        for word, extra in KEY_WORDS.items():
            for key, count in Counter(_parts(attributes.get(word, ""))).items():
                yield from ("[[key]]", f"name = {_text(key)}", *[f"room = {_text(room)}"] * bool(room))
                yield from (*[extra] * bool(extra), *[f"count = {count}"] * (count > 1), "")


def _zones(graph: Graph) -> Iterator[str]:
    """Yield the tables of the zones that rooms are in."""
    for zone in dict.fromkeys(
        attributes["zone"] for attributes in graph.nodes.values() if attributes.get("zone")
    ):
        yield f"[zone.{_text(zone)}]"
        for word in ("floor", "chapter"):
            if value := graph.attributes.get(f"{word}_{zone}"):
                yield f"{word} = {_text(value)}"
        yield ""


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _texts(text: str) -> str:
    return f"[{', '.join(map(_text, _parts(text)))}]"


def _text(text: str) -> str:
    escaped = "".join(
        f"\\u{ord(char):04X}" if char in '\\"' or not char.isprintable() else char for char in text
    )
    return f'"{escaped}"'
