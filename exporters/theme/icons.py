"""The icons of a theme: for markers, and for rooms on a map."""

from __future__ import annotations

import re
from collections.abc import Iterable

from exporters.theme import AtlasIndex
from exporters.theme.file import Faults, ThemeNode
from exporters.theme.parts import set_aside
from exporters.theme.sheet import TileSheet
from generator.kinds import SHIPPED, Kinds

_ICON_LIKE = {"key": ("pickup_key", "pickup", "item")}
ICON_VARIANT = "[A-Za-z0-9._-]{1,64}"


def read_icons(table: ThemeNode, sheet: TileSheet, kinds: Kinds, faults: Faults) -> dict[str, AtlasIndex]:
    """Read the icons of markers. If a key has no icon, it looks like the key to pick up.

    A kit's own kind of marker without an icon gets a label.
    """
    known = [
        name
        for name in table.table()
        if name in kinds.markers
        or (re.fullmatch(ICON_VARIANT, name) and any(name.startswith(f"{kind}_") for kind in kinds.markers))
    ]
    theirs = [name for name in table.value if name.partition("_")[0] in SHIPPED.markers]
    set_aside(table, [*kinds.markers, *known], [*SHIPPED.markers, *theirs], sheet, faults)
    icons = _icons(table, known, sheet, faults)
    for name, likes in _ICON_LIKE.items():
        alike = next((icons[like] for like in likes if like in icons), None)
        if name in kinds.markers and name not in icons and alike is not None:
            icons[name] = alike
    for kind in kinds.markers.values():
        if kind.name not in SHIPPED.markers and not kind.is_light and kind.name not in known:
            icons[kind.name] = sheet.label("marker", kind.name)
    return icons


def read_map_icons(table: ThemeNode, sheet: TileSheet, faults: Faults) -> dict[str, AtlasIndex]:
    """Read the icons of rooms on a map, by the icon names in the rows of room kinds."""
    return _icons(table, list(table.table()), sheet, faults)


def _icons(table: ThemeNode, names: Iterable[str], sheet: TileSheet, faults: Faults) -> dict[str, AtlasIndex]:
    icons = {}
    for name in names:
        with faults.aside():
            entry = table.at(name, {})
            icons[name] = sheet.tile(entry["icon"])
            entry.done()
    return icons
