"""Objects of Tiled: the outlines of hallways."""

from __future__ import annotations

from exporters.formats.tiled.write_objects import tile_rings


def test_tiles_that_touch_at_a_corner_only_have_one_outline() -> None:
    """A niche of a hallway may lie so."""
    ((first, *rest),) = tile_rings([(4, 7), (5, 8)])
    assert first == (4, 7) and {*rest} == {(6, 7), (6, 9), (5, 9), (5, 8), (4, 8)}
    assert tile_rings([]) == ()
