"""Rules for the layouts of one folder: all for a grid or all with exits, one size, distinct names."""

from __future__ import annotations

from collections.abc import Mapping

from generator.errors import LayoutError
from generator.geometry import Point
from generator.interiors.layouts import Layout


def check_family(layout: Layout, on_grid: bool | None) -> None:
    """Raise LayoutError for exits in rooms on a grid, whose doors are fixed, and for missing exits elsewhere.

    With `on_grid` None neither is checked.
    """
    if on_grid and layout.exits:
        raise LayoutError(
            f"{layout.path}: exits: rooms of this style have no exits; keep layouts for the style gungeon "
            "in a separate folder"
        )
    if on_grid is False and not layout.exits:
        raise LayoutError(
            f"{layout.path}: has no line `exits:`, which layouts for the style gungeon need, such as "
            "`exits: N any, S any`; keep other layouts in a separate folder"
        )


def check_only(layout: Layout, others: Mapping[str, Layout]) -> None:
    """Raise LayoutError if `others`, by lower-case name, contain one of the same name.

    A level names its layouts, and some systems distinguish `Pond` and `pond`, others do not.
    """
    namesake = others.get(layout.name.lower())
    if namesake:
        raise LayoutError(f"{layout.path}: has the same name as {namesake.path.name}; rename one of the two")


def check_size(layout: Layout, pitch: Point) -> None:
    """Raise LayoutError for a layout that is not drawn for cells of `pitch` tiles, walls included."""
    if layout.pitch != pitch:
        width, height = (side * cells - 2 for side, cells in zip(pitch, layout.shape.size, strict=True))
        actual, rooms = (f"{size[0]} x {size[1]}" for size in (layout.size, pitch))
        raise LayoutError(
            f"{layout.path}: is {actual} tiles; rooms of room_size {rooms} are {width} x {height} inside"
            f"{_in_shape(layout)}: change its size, or keep layouts of other sizes in another folder"
        )


def _in_shape(layout: Layout) -> str:
    return "" if layout.shape.size == (1, 1) else f" if they are {layout.shape.name}"
