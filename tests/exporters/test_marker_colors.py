"""Colours of marker kinds in editors: no two alike, whatever a kit adds."""

from __future__ import annotations

import itertools

from exporters.objects import marker_colors
from generator.kinds import MARKER_KINDS


def distance(one: str, other: str) -> int:
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return sum(abs(a - b) for a, b in pairs)


def test_kinds_are_told_apart() -> None:
    own = [f"own_{number}" for number in range(6)]
    colors = marker_colors([*MARKER_KINDS, *own])
    assert list(colors) == [*MARKER_KINDS, *own]
    pairs = itertools.combinations(colors, 2)
    close = {pair: distance(*(colors[kind] for kind in pair)) for pair in pairs}
    assert min(close.values()) > 20, min(close, key=lambda pair: close[pair])


def test_shipped_kinds_are_told_apart_from_afar() -> None:
    colors = marker_colors(MARKER_KINDS)
    assert all(distance(a, b) > 60 for a, b in itertools.combinations(colors.values(), 2))


def test_a_kind_keeps_its_colour() -> None:
    """Whatever stands before it of the shipped ones, and however many come after it."""
    assert marker_colors(["lever"])["lever"] == marker_colors([*MARKER_KINDS, "lever", "altar"])["lever"]
