"""Flows from graphs of other tools: DOT and GraphML, turned into the TOML of a flow.

    gate [kind=start];                    a room; without a kind it is normal
    gate -> a -> hall;                    connections; `--` means the same
    b -> loot [one_way=true];
    hall -> throne [needs="gold_key", lock_at=hall, optional=true];
    a [keys="gold_key", zone=crypt];      keys that lie there; `keys_used_up`: one lock takes them,
                                          `levers`: they are pulled
    den [keys="claw", must="claw"];       whoever is in this room has that key
    graph [keys="silver_key", chapter_crypt=depths];   of keys without a room, and of zones

In GraphML the data of nodes, edges and the graph have the same names. Other data are ignored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from generator.errors import SpecError, shown
from generator.files import read_bytes, read_text
from generator.named_tuple import NamedTuple
from generator.pattern import pattern
from generator.styles.gungeon.flows.flow_file import MAX_BYTES, ZONE
from generator.styles.gungeon.flows.relations import RELATIONS
from generator.xml_tree import Element, parse_xml

KEY_WORDS = {"keys": "", "keys_used_up": "consumed = true", "levers": "lever = true"}
"""The attributes that list keys, and the line that each adds to a key's table."""

_OF_ROOMS = ("layout", "zone", "size", "at")
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
    lines = ["[flow]", f"name = {_text(graph.attributes.get('name') or path.stem)}", ""]
    for room, attributes in graph.nodes.items():
        lines += _room(room, attributes)
    for a, b, attributes in graph.edges:
        lines += _connection(a, b, attributes, str(path))
    return "\n".join([*lines, *_keys(graph, str(path)), *_zones(graph)])


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
    for word in RELATIONS:
        if names := _parts(attributes.get(word, "")):
            yield f"{word} = {_text(names[0]) if len(names) == 1 else _texts(attributes[word])}"
    yield ""


def _connection(a: str, b: str, attributes: Said, where: str) -> Iterator[str]:
    name = f"{where}: {a} -> {b}"
    yield from ("[[connection]]", f"path = [{_text(a)}, {_text(b)}]")
    yield from (f"{word} = true" for word in ("one_way", "secret") if _is_true(attributes, word, name))
    for word in ("opens_from", "joins"):
        if attributes.get(word):
            yield f"{word} = {_text(attributes[word])}"
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


def _keys(graph: Graph, where: str) -> Iterator[str]:
    """Yield the tables of all keys: those in rooms, and those of the graph, which have no room."""
    for room, attributes in [("", graph.attributes), *graph.nodes.items()]:
        must = _must(attributes, f"{where}: {room or 'graph'}")
        for word, extra in KEY_WORDS.items():
            for key, total in Counter(_parts(attributes.get(word, ""))).items():
                for count, line in ((total - must[key], ""), (must[key], "must = true")):
                    table = ["[[key]]", f"name = {_text(key)}", *[f"room = {_text(room)}"] * bool(room)]
                    table += [*filter(None, (extra, f"count = {count}" * (count > 1), line)), ""]
                    yield from table * (count > 0)


def _must(attributes: Said, name: str) -> Counter[str]:
    """Count the keys of a room that must be taken, by name. Raises SpecError if there are fewer of one."""
    must = Counter(_parts(attributes.get("must", "")))
    there = Counter(key for word in KEY_WORDS for key in _parts(attributes.get(word, "")))
    for key in must - there:
        why = f"is not among its keys{' so often' * (key in there)}; add it to keys, too"
        raise SpecError(f"{name}: must: {shown(key)} {why}")
    return must


def _zones(graph: Graph) -> Iterator[str]:
    """Yield the tables of the zones that rooms are in."""
    for zone in dict.fromkeys(
        attributes["zone"] for attributes in graph.nodes.values() if attributes.get("zone")
    ):
        yield f"[zone.{_text(zone)}]"
        for word in ZONE:
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


# Graphs in DOT, the language of Graphviz, by the grammar at https://graphviz.org/doc/info/lang.html.
#
# digraph plan {
#   rankdir = LR;                             an attribute of the graph
#   node [shape = box];                       an attribute of all nodes that come later
#   gate [kind = start]; gate -> hall -> den  nodes and edges
#   hall -> { loot den } [one_way = true]     an edge to each
#   subgraph cluster_1 { loot; den }          a group, not a node
# }

KEYWORDS = ("graph", "digraph", "node", "edge", "subgraph", "strict")
"""The words that DOT keeps for itself, in any case."""

_MAX_EDGES = 10_000
_MAX_DEPTH = 32  # of subgraphs in subgraphs
_TOKEN = pattern(
    r"""(?P<skipped> \s+ | //[^\n]* | \#[^\n]* | /\*.*?\*/ )
      | (?P<sign> -> | -- | [{}\[\];,=:+] )
      | " (?P<quoted> (?:[^"\\]|\\.)* ) "
      | (?P<word> [^\W\d]\w* | -?(?:\.\d+|\d+(?:\.\d*)?) )
      | (?P<html> < (?:[^<>]|<[^<>]*>)* > )
      | (?P<odd> . )""",
    re.S | re.X,
)

Said = dict[str, str]
"""Attributes by their names."""


class Graph(NamedTuple):
    """Nodes by id, and edges, with their attributes and those of the graph itself."""

    nodes: dict[str, Said]
    edges: list[tuple[str, str, Said]]
    attributes: Said


class _Token(NamedTuple):
    kind: str  # sign, quoted, word, html; empty at the end
    text: str
    line: int

    @property
    def is_name(self) -> bool:
        return self.kind in ("quoted", "word", "html")

    @property
    def keyword(self) -> str:
        """The text in lower case if it may be a keyword, otherwise empty."""
        return self.text.lower() if self.kind == "word" else ""


class _Scope(NamedTuple):
    """The defaults for later nodes and edges within a pair of braces, and the nodes in it."""

    of_nodes: Said
    of_edges: Said
    names: dict[str, None]
    depth: int


def read_dot(text: str, where: str) -> Graph:
    """Parse a graph from a text in DOT. `where` names it in messages. Raises SpecError."""
    return _Parser(text, where).graph()


def _tokens(text: str, where: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        kind, value = str(match.lastgroup), match[str(match.lastgroup)]
        if kind == "odd":
            raise SpecError(
                f"{where}: line {line}: unknown sign {shown(value)}; put text with special characters in "
                "quotes"
            )
        if kind == "quoted":
            value = re.sub(r'\\(["\\])', r"\1", value.replace("\\\n", ""))
        if kind != "skipped":
            yield _Token(kind, value, line)
        line += match[0].count("\n")
    yield _Token("", "the end of the file", line)


class _Parser:
    """Reads token by token. Each method reads what it is named after."""

    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self._tokens = list(_tokens(text, where))
        self._at = 0
        self._found = Graph({}, [], {})

    def graph(self) -> Graph:
        """Read the whole file."""
        if self._now.keyword == "strict":
            self._next()
        if self._now.keyword not in ("graph", "digraph"):
            self._wanted("graph or digraph")
        self._next()
        if self._now.is_name:
            self._next()
        self._braces(_Scope({}, {}, {}, 0))
        if self._now.kind:
            self._fail("a second graph begins; keep one")
        return self._found

    def _braces(self, scope: _Scope) -> None:
        if not self._passes("{"):
            self._wanted("{")
        if scope.depth > _MAX_DEPTH:
            self._fail(f"more than {_MAX_DEPTH} nested subgraphs; leave some out")
        while self._now[:2] != ("sign", "}"):
            if not self._passes(";"):
                self._statement(scope)
        self._next()

    def _statement(self, scope: _Scope) -> None:
        word = self._now.keyword
        of_graph = self._found.attributes if not scope.depth else {}  # subgraphs' attributes are ignored
        if word in ("graph", "node", "edge"):
            self._next()
            attributes = {"graph": of_graph, "node": scope.of_nodes, "edge": scope.of_edges}[word]
            attributes |= self._attributes()
            return
        if self._now.is_name and self._tokens[self._at + 1][:2] == ("sign", "="):
            self._attribute(of_graph)
            return
        is_node = self._now.is_name and word != "subgraph"
        ends = [self._end(scope)]
        while self._passes("->") or self._passes("--"):
            ends.append(self._end(scope))
        attributes = self._attributes()
        if len(ends) == 1 and is_node:
            self._found.nodes[ends[0][0]] |= attributes
        for first, second in pairwise(ends):
            if len(self._found.edges) + len(first) * len(second) > _MAX_EDGES:
                self._fail(f"more than {_MAX_EDGES} edges; leave some out")
            self._found.edges.extend((a, b, scope.of_edges | attributes) for a in first for b in second)

    def _end(self, scope: _Scope) -> list[str]:
        """Read an end of an edge and return its nodes: one, or all of a subgraph."""
        if self._now.keyword == "subgraph" or self._now[:2] == ("sign", "{"):
            if self._now.keyword == "subgraph":
                self._next()
                if self._now.is_name:
                    self._next()
            inner = _Scope({**scope.of_nodes}, {**scope.of_edges}, {}, scope.depth + 1)
            self._braces(inner)
            scope.names.update(inner.names)
            return list(inner.names)
        name = self._name()
        while self._passes(":"):  # the port that an edge is drawn at
            self._name()
        self._found.nodes.setdefault(name, {**scope.of_nodes})
        scope.names[name] = None
        return [name]

    def _attributes(self) -> Said:
        attributes: Said = {}
        while self._passes("["):
            while not self._passes("]"):
                self._attribute(attributes)
                _ = self._passes(",") or self._passes(";")
        return attributes

    def _attribute(self, attributes: Said) -> None:
        key = self._name()
        attributes[key] = self._name() if self._passes("=") else "true"

    def _name(self) -> str:
        if not self._now.is_name or self._now.keyword in KEYWORDS:
            self._wanted("a name")
        text = self._next().text
        while self._passes("+"):  # quoted texts that are joined
            text += self._name()
        return text

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _next(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _passes(self, sign: str) -> bool:
        is_next = self._now[:2] == ("sign", sign)
        self._at += is_next
        return is_next

    def _wanted(self, wanted: str) -> NoReturn:
        token = self._now
        self._fail(f"expected {wanted}, not {shown(token.text) if token.kind else token.text}")

    def _fail(self, message: str) -> NoReturn:
        raise SpecError(f"{self._where}: line {self._now.line}: {message}")
