"""Graphs in DOT, the language of Graphviz, by the grammar at https://graphviz.org/doc/info/lang.html.

digraph plan {
  rankdir = LR;                             an attribute of the graph
  node [shape = box];                       an attribute of all nodes that come later
  gate [kind = start]; gate -> hall -> den  nodes and edges
  hall -> { loot den } [one_way = true]     an edge to each
  subgraph cluster_1 { loot; den }          a group, not a node
}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, NoReturn

from generator.errors import SpecError, shown

_MAX_EDGES = 10_000
_MAX_DEPTH = 32  # of subgraphs in subgraphs
_TOKEN = re.compile(
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
        self._expect("{")
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
        if not self._now.is_name or self._now.keyword in (
            "graph",
            "digraph",
            "node",
            "edge",
            "subgraph",
            "strict",
        ):
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

    def _expect(self, sign: str) -> None:
        if not self._passes(sign):
            self._wanted(sign)

    def _wanted(self, wanted: str) -> NoReturn:
        token = self._now
        self._fail(f"expected {wanted}, not {shown(token.text) if token.kind else token.text}")

    def _fail(self, message: str) -> NoReturn:
        raise SpecError(f"{self._where}: line {self._now.line}: {message}")
