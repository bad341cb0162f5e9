"""Whether two layouts are the same room, whatever letters they are written with."""

from __future__ import annotations

from generator.interiors.layouts import Layout


def facts(layout: Layout) -> dict[str, object]:
    """All that a layout says."""
    interior = layout.interior()
    variations = sorted(
        (places(layout, letter), variation.many, [layout.glyphs[sign] for sign in variation.signs])
        for letter, variation in layout.variations.items()
        if places(layout, letter)
    )
    return {
        "terrain": interior.terrain.tolist(),
        "decor": interior.decor.tolist(),
        "markers": [(m.kind, m.x, m.y, dict(m.properties)) for m in interior.markers],
        "weight": layout.weight,
        "mirrors": layout.mirrors,
        "shape": layout.shape.name,
        "doors": layout.doors,
        "exits": sorted(map(str, layout.exits)),
        "difficulty": layout.difficulty,
        "tags": layout.tags,
        "repeat": layout.repeat,
        "variations": variations,
    }


def places(layout: Layout, letter: str) -> list[tuple[int, int]]:
    """The tiles that a letter stands on."""
    return [(x, y) for y, row in enumerate(layout.rows) for x, sign in enumerate(row) if sign == letter]
