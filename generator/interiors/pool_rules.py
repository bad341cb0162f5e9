"""Rules for the layouts of a pool: the shapes and markers that its rooms need."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from generator.errors import LayoutError
from generator.interiors.layout_file import load_layout
from generator.interiors.layouts import Layout
from generator.interiors.pool_names import is_pool
from generator.kinds import Kit


def check_layout(path: Path, kit: Kit) -> None:
    """Check a layout file, and if it is in a pool, that it has what the pool's rooms need."""
    layout = load_layout(path, kit.kinds)
    folders = path.absolute().parent.parts
    if layout.exits:
        kind = next((folder for folder in reversed(folders) if folder in kit.kinds.rooms), None)
        if kind:
            check_markers(layout, kind)
        return
    for pool in (folders[-1:], folders[-3:]):
        if is_pool(pool, kit):
            check_markers(layout, pool[0])


def marker_counts(layout: Layout) -> Counter[str]:
    """Count the markers of each kind that its rooms have, whatever chance decides."""
    counts = Counter(marker.kind for marker in layout.interior().markers)
    for variation in layout.variations.values():
        marker = layout.glyphs[variation.signs[0]].marker
        if marker:
            counts[marker] += variation.many
    return counts


def check_markers(layout: Layout, kind: str) -> None:
    """Raise LayoutError unless a layout has the shape and the markers that rooms of a kind need."""
    rules = layout.kinds.room(kind)
    if not layout.exits and layout.shape.name != "1x1" and not rules.has_shapes:
        shaped = " and ".join(row.name for row in layout.kinds.rooms.values() if row.has_shapes)
        raise LayoutError(
            f"{layout.path}: shape: {kind} rooms must be 1x1; only {shaped} rooms can have other shapes"
        )
    counts = marker_counts(layout)
    for marker, (least, most) in rules.markers.items():
        if counts[marker] < least:
            wanted = f"at least {least}"
        elif counts[marker] > most:
            wanted = f"at most {most}" if most else "none"
        else:
            continue
        raise LayoutError(f"{layout.path}: has {counts[marker]} {marker} markers; {kind} rooms take {wanted}")
