"""Whether a graph can be drawn without crossings, as networkx finds too."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.algorithms.graph import first_crossing, is_planar

_PLACES = st.integers(0, 9)
_K5 = [(a, b) for a in range(5) for b in range(a)]
_K33 = [(a, b) for a in range(3) for b in range(3, 6)]


@settings(max_examples=150)
@given(st.lists(st.tuples(_PLACES, _PLACES).filter(lambda edge: edge[0] != edge[1]), max_size=24))
def test_it_agrees_with_networkx(edges: list[tuple[int, int]]) -> None:
    assert is_planar(edges) == networkx.check_planarity(networkx.Graph(edges))[0]


@pytest.mark.parametrize("edges", [_K5, _K33])
def test_the_last_edge_of_the_smallest_crossings_is_named(edges: list[tuple[int, int]]) -> None:
    """Kuratowski's two graphs lack nothing but one edge to be planar."""
    assert first_crossing(edges) == len(edges) - 1
    assert first_crossing([*edges, (5, 9)]) == len(edges) - 1
    assert first_crossing(edges[:-1]) is None
