"""Ordinary DOT and GraphML of other tools become flows; what they cannot mean is refused in a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import SpecError
from generator.kinds import shipped_kit
from generator.styles.gungeon.flows.flow_file import parse_flow
from generator.styles.gungeon.flows.graphs import flow_from_graph, read_dot
from generator.styles.gungeon.flows.library import shipped_rules

ORDINARY = r"""
/* of Graphviz */ strict digraph "a \"plan\"" {
  rankdir=LR; label="my " + "level"; graph [fontname=Sans, chapter_crypt=depths]
  node [shape=box, zone=crypt]
  subgraph cluster_0 { label = <<b>cellar</b>>; node [difficulty=hard]; a; b; } # two
  s [kind=start, zone=""] z:n [kind=boss]; s:e:w -> {a b} -> z [one_way=true];
  edge [secret=true] a -- c; // hidden
}
"""


def test_subgraphs_defaults_ports_and_attributes_of_the_graph_are_no_rooms() -> None:
    graph = read_dot(ORDINARY, "own.dot")
    assert list(graph.nodes) == ["a", "b", "s", "z", "c"]
    assert [graph.nodes[room].get("difficulty", "") for room in "abzc"] == ["hard", "hard", "", ""]
    assert [graph.nodes[room]["zone"] for room in "asz"] == ["crypt", "", "crypt"]
    assert [(a + b, said) for a, b, said in graph.edges] == [
        *((pair, {"one_way": "true"}) for pair in ("sa", "sb", "az", "bz")),
        ("ac", {"secret": "true"}),
    ]
    assert (graph.attributes["rankdir"], graph.attributes["label"]) == ("LR", "my level")


def test_a_plan_in_dot_is_the_flow_that_it_looks_like(tmp_path: Path) -> None:
    (tmp_path / "own.dot").write_text(ORDINARY)
    flow = parse_flow(flow_from_graph(tmp_path / "own.dot"), "own", shipped_rules(), shipped_kit())
    assert {(room.id, room.kind, room.zone, room.difficulty) for room in flow.rooms} >= {
        ("s", "start", "", 0), ("a", "normal", "crypt", 10), ("c", "normal", "crypt", 0), ("z", "boss", "crypt", 0)
    }  # fmt: skip
    assert flow.zones["crypt"].chapter == "depths"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected graph or digraph, not the end of the file"),
        ("digraph { a -> ", "line 1: expected a name, not the end of the file"),
        ("digraph {\n a -> ; }", "line 2: expected a name, not ';'"),
        ("digraph { a [kind=] }", "expected a name, not ']'"),
        ("digraph { a } digraph { b }", "a second graph begins; keep one"),
        ("digraph { a ! b }", "unknown sign '!'; put text with special characters in quotes"),
        ("digraph " + 40 * "{" + 40 * "}", "more than 32 nested subgraphs"),
        ("digraph { {" + " ".join(f"a{i}" for i in range(200)) + "} -> {" + " ".join(f"b{i}" for i in range(200)) + "} }",
         "more than 10000 edges"),
        ("digraph { a -> b [optional=true] }", "a -> b: optional belongs to a lock; give the keys that it needs"),
        ("digraph { a -> b [one_way=maybe] }", "a -> b: one_way: 'maybe' is neither true nor false"),
    ],
)  # fmt: skip
def test_bad_dot_is_refused_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "own.dot").write_text(text)
    with pytest.raises(SpecError, match=rf"own\.dot: .*{re.escape(message)}"):
        flow_from_graph(tmp_path / "own.dot")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "digraph {",
                "}",
                "a",
                '"b',
                '"',
                "->",
                "[",
                "]",
                "=",
                ";",
                "subgraph",
                "node",
                "<",
                ">",
                "\\",
                "+",
                ":",
                "\n",
            ]
        )
    ).map(" ".join)
)
def test_whatever_stands_in_a_file_is_read_or_refused(text: str) -> None:
    try:
        read_dot(text, "own.dot")
    except SpecError as error:
        assert str(error).startswith("own.dot: line ")


GRAPHML = """
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="kind"><default>normal</default></key>
<key id="w" for="all" attr.name="zone"/><key id="d" for="node" attr.name="difficulty"/>
<key id="l" for="node" attr.name="levers"/><key id="n" for="edge" attr.name="needs"/>
<key id="o" for="edge" attr.name="optional"/><key id="h" for="graph" attr.name="keys"/>
<graph edgedefault="directed"><data key="h">gold</data>
<node id="s"><data key="k">start</data></node>
<node id="a"><data key="w">crypt</data><data key="d">hard</data><data key="l">rod</data></node>
<node id="z"><data key="k">boss</data></node><edge source="s" target="a"/>
<edge source="a" target="z"><data key="n">rod, gold</data><data key="o">true</data></edge></graph></graphml>
"""


def test_the_words_of_a_flow_are_read_from_graphml(tmp_path: Path) -> None:
    (tmp_path / "own.graphml").write_text(GRAPHML)
    flow = parse_flow(flow_from_graph(tmp_path / "own.graphml"), "own", shipped_rules(), shipped_kit())
    start, room, _ = flow.rooms
    assert (start.kind, room.zone, room.difficulty) == ("start", "crypt", 10)
    assert flow.locks[0].optional and flow.locks[0].needs == ("rod", "gold")
    assert [(key.name, key.room, key.lever) for key in flow.keys] == [("gold", "", False), ("rod", "a", True)]
