"""The colour of each marker kind in editors: fitting, and easy to tell from the others."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable

_SHIPPED = {
    "player_start": "#3CDC5A",
    "enemy": "#E64646",
    "boss": "#B41E64",
    "chest": "#C88C3C",
    "item": "#AA5AF0",
    "ware": "#32AAE6",
    "pickup": "#F08CBE",
    "shopkeeper": "#5A78F0",
    "machine": "#96AAC8",
    "exit": "#28A08C",
    "torch": "#FFD25A",
    "fire": "#FF7828",
    "key": "#C8E632",
}
_GOLDEN = 0.618_034  # of a turn: steps of this size keep any number of hues apart


def marker_colors(kinds: Iterable[str]) -> dict[str, str]:
    """Return the colour of each kind as `#RRGGBB`. A kit's own kinds get their colours in order."""
    colours, own_count = {}, 0
    for kind in kinds:
        if kind not in _SHIPPED:
            own_count += 1
        colours[kind] = _SHIPPED.get(kind) or _nth(own_count)
    return colours


def _nth(number: int) -> str:
    """Return the colour of a kit's own kind by its number, from 1."""
    rgb = colorsys.hsv_to_rgb(number * _GOLDEN % 1, 0.45 + 0.3 * (number % 2), 0.9)
    return "#" + "".join(f"{round(part * 255):02X}" for part in rgb)
