"""How many steps away places are, as networkx counts them."""

from __future__ import annotations

import networkx
from hypothesis import given
from hypothesis import strategies as st

from generator.algorithms.graph import steps_from

_PLACES = st.integers(0, 9)


@given(_PLACES, st.dictionaries(_PLACES, st.lists(_PLACES)))
def test_it_agrees_with_networkx(start: int, beside: dict[int, list[int]]) -> None:
    graph = networkx.DiGraph(beside)
    graph.add_node(start)
    found = steps_from(start, beside)
    assert found == networkx.single_source_shortest_path_length(graph, start)
    assert list(found.values()) == sorted(found.values())
