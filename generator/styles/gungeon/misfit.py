"""Why no room of a spec can have a layout with exits: its size, or a way too narrow for the spec's body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.interiors.interior import PlacedMarker
from generator.interiors.layouts import Layout
from generator.interiors.own_layouts import team_layouts
from generator.kinds import FLOOR
from generator.styles.gungeon.dealing import pool
from generator.styles.gungeon.furnishing.gungeon_layouts import (
    GungeonLayout,
    own_gungeon_layouts,
    shipped_layouts,
)
from generator.styles.gungeon.furnishing.room_kinds import gungeon_kind
from generator.styles.gungeon.spec import GungeonSpec


def layout_misfit(spec: GungeonSpec, name: str) -> str:
    """Explain why no room of the spec can have this layout. Empty if one can, or if it is unknown."""
    kit, kind = spec.load_kit(), name.removeprefix("own/").partition("/")[0]
    candidates = [*own_gungeon_layouts(team_layouts(kit, spec.layouts, None)).get(kind, ())]
    candidates += shipped_layouts(kit.kinds).get(kind, ()) if kit.ships_layouts else ()
    images = [image for image in candidates if image.file == name]
    if not images:
        return ""
    if not any(card.images[0].file == name for card in pool(spec, kind)):
        row = gungeon_kind(kit.kinds, kind)
        ranges = (spec.range_of(row, side) for side in ("width", "height"))
        sizes = " x ".join(f"{least}" if least == most else f"{least}-{most}" for least, most in ranges)
        width, height = images[0].size
        return f"has {width} x {height} tiles, and the spec asks for {kind} rooms of {sizes}"
    return too_narrow(images, spec.hallway_width, spec.body)


def images_of(layout: Layout) -> list[GungeonLayout]:
    """List all images of a layout."""
    return [GungeonLayout("", layout, image, 0) for image in dict.fromkeys(layout.mirrors)]


def too_narrow(images: Sequence[GungeonLayout], hallway: int, body: int) -> str:
    """Explain which exit or marker of a layout such a hallway or body cannot use. Empty if it can use all."""
    if any(image.exits(hallway, body) is not None for image in images):
        return ""
    drawn = images[0]
    for less in range(body - 1, 0, -1):
        if drawn.exits(hallway, less) is not None:
            reason = f"a body of {body} x {body} tiles cannot {_barred(drawn, hallway, body)}"
            return f"{reason}; make the way {body} tiles wide, or set body = {less}"
    for less in range(hallway - 1, 0, -1):
        if drawn.exits(less, 1) is not None:
            reason = f"a hallway {hallway} tiles wide cannot {_barred(drawn, hallway, 1)}"
            smaller = f" and body = {less}" if less < body else ""
            return f"{reason}; make the way wider, or set hallway_width = {less}{smaller}"
    return f"nobody can {_barred(drawn, 1, 1)}; clear a path without hazards, at least two tiles deep"


def _barred(drawn: GungeonLayout, hallway: int, body: int) -> str:
    """Describe what cannot be done in a layout: to use an exit, or to get to a marker."""
    layout, markers = drawn.layout, drawn.layout.fullest.interior().markers
    bare = _without(layout, markers)
    for opening in layout.exits:
        if not opening.is_any and _is_closed(drawn, replace(bare, exits=(opening,)), hallway, body):
            return f"use its exit {opening}"
    if not _is_closed(drawn, bare, hallway, body):
        for marker in markers:
            rest = [kept for kept in markers if kept != marker]
            if _is_closed(drawn, _without(layout, rest), hallway, body):
                line, column = layout.first_line + marker.y, marker.x + 1
                aside = " from an exit that is not beside it" if marker.kind == "boss" else ""
                return f"get to its {marker.kind} (line {line}, column {column}){aside}"
    return f"use its exits ({', '.join(map(str, layout.exits))})"


def _is_closed(drawn: GungeonLayout, layout: Layout, hallway: int, body: int) -> bool:
    return GungeonLayout("", layout, drawn.image, drawn.difficulty).exits(hallway, body) is None


def _without(layout: Layout, markers: Sequence[PlacedMarker]) -> Layout:
    """Remove some markers from the layout at its fullest."""
    rows = [list(row) for row in layout.fullest.rows]
    signs = dict(_grounds(layout))
    for marker in markers:
        ground = layout.glyphs[rows[marker.y][marker.x]].terrain
        rows[marker.y][marker.x] = signs.get(ground, signs[FLOOR])
    return replace(layout, rows=tuple(map("".join, rows)), variations={})


def _grounds(layout: Layout) -> Iterator[tuple[int, str]]:
    for sign, glyph in layout.glyphs.items():
        if not glyph.decor and not glyph.marker:
            yield glyph.terrain, sign
