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
from generator.styles.gungeon.flows.read import MOST_BYTES
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
        graph = read_dot(read_text(path, MOST_BYTES, SpecError), str(path))
    else:
        raise SpecError(f"{path}: is not a graph; give a .dot, .gv or .graphml file")
    if not graph.nodes:
        raise SpecError(f"{path}: has no nodes; draw one per room")
    lines = ["[flow]", f"name = {_text(path.stem)}", ""]
    for room, said in graph.nodes.items():
        lines += _room(room, said)
    for a, b, said in graph.edges:
        lines += _connection(a, b, said, str(path))
    return "\n".join([*lines, *_keys(graph), *_zones(graph)])


def _graphml(path: Path) -> Graph:
    root = parse_xml(read_bytes(path, MOST_BYTES, SpecError), str(path), SpecError)
    words = {each.attributes.get("id", ""): each.attributes.get("attr.name", "") for each in root.all("key")}
    usual: dict[str, Said] = {"node": {}, "edge": {}, "graph": {}}
    for key in root.all("key"):
        of = key.attributes.get("for", "all")
        for default in key.all("default"):
            for said in usual.values() if of == "all" else [usual.get(of, {})]:
                said[key.attributes.get("attr.name", "")] = default.text.strip()

    def said_of(element: Element) -> Said:
        data = {
            words.get(each.attributes.get("key", ""), ""): each.text.strip() for each in element.all("data")
        }
        return usual[element.tag] | data

    found = Graph({}, [], {})
    for graph in root.all("graph"):
        found.attributes.update(said_of(graph))
        for node in graph.all("node"):
            if node.children and any(node.all("graph")):
                raise SpecError(
                    f"{path}: node {shown(node.attributes.get('id', ''))} contains a graph; leave that out"
                )
            found.nodes[node.attributes.get("id", "")] = said_of(node)
        for edge in graph.all("edge"):
            a, b = (edge.attributes.get(end, "") for end in ("source", "target"))
            found.edges.append((a, b, said_of(edge)))
    return found


def _room(room: str, said: Said) -> Iterator[str]:
    yield from ("[[room]]", f"id = {_text(room)}", f"kind = {_text(said.get('kind') or 'normal')}")
    if said.get("tags"):
        yield f"tags = {_texts(said['tags'])}"
    if given := said.get("difficulty", ""):
        yield f"difficulty = {given if given.isascii() and given.isdigit() else _text(given)}"
    yield from (f"{word} = {_text(said[word])}" for word in _OF_ROOMS if said.get(word))
    yield ""


def _connection(a: str, b: str, said: Said, where: str) -> Iterator[str]:
    name = f"{where}: {a} -> {b}"
    yield from ("[[connection]]", f"path = [{_text(a)}, {_text(b)}]")
    yield from (f"{word} = true" for word in ("one_way", "secret") if _is_true(said, word, name))
    if said.get("opens_from"):
        yield f"opens_from = {_text(said['opens_from'])}"
    yield ""
    if said.get("needs"):
        first = said.get("lock_at") or a
        on = f"[{_text(first)}, {_text(a if first == b else b)}]"
        yield from ("[[lock]]", f"on = {on}", f"needs = {_texts(said['needs'])}")
        yield from ["optional = true"] * _is_true(said, "optional", name)
        yield ""
        return
    for word in _OF_LOCKS:
        if said.get(word):
            raise SpecError(
                f"{name}: {word} belongs to a lock; give the keys that it needs, such as needs=gold_key"
            )


def _is_true(said: Said, word: str, name: str) -> bool:
    given = said.get(word, "").lower()
    if given not in ("true", "1", "false", "0", ""):
        raise SpecError(f"{name}: {word}: {shown(said[word])} is neither true nor false")
    return given in ("true", "1")


def _keys(graph: Graph) -> Iterator[str]:
    """Yield the tables of all keys: those in rooms, and those of the graph, which have no room."""
    for room, said in [("", graph.attributes), *graph.nodes.items()]:
        for word, more in KEY_WORDS.items():
            for key, count in Counter(_parts(said.get(word, ""))).items():
                yield from ("[[key]]", f"name = {_text(key)}", *[f"room = {_text(room)}"] * bool(room))
                yield from (*[more] * bool(more), *[f"count = {count}"] * (count > 1), "")


def _zones(graph: Graph) -> Iterator[str]:
    """Yield the tables of the zones that rooms are in."""
    for zone in dict.fromkeys(said["zone"] for said in graph.nodes.values() if said.get("zone")):
        yield f"[zone.{_text(zone)}]"
        for word in ("floor", "chapter"):
            if given := graph.attributes.get(f"{word}_{zone}"):
                yield f"{word} = {_text(given)}"
        yield ""


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _texts(text: str) -> str:
    return f"[{', '.join(map(_text, _parts(text)))}]"


def _text(text: str) -> str:
    escaped = "".join(f"\\u{ord(one):04X}" if one in '\\"' or not one.isprintable() else one for one in text)
    return f'"{escaped}"'
