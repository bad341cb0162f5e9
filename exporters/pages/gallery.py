"""The gallery: many levels on one page, with all that the page needs to draw, sort and filter them."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Any

from exporters.image import cut_atlas, png_bytes
from exporters.pages.cards import Card, facts
from exporters.pages.page import asset, page
from exporters.theme import Theme
from generator.errors import BadInput

MOST_LEVELS = 1000
MOST_BYTES = 1 << 26  # of a page; a browser should open it at once
_SPRITE_COLUMNS = 32  # tiles
_LAYERS = 6  # of a card's tiles: five tile layers and the markers
_USUAL = ("rooms", "rooms.boss.distance", "dead_ends", "loops", "longest", 'markers("enemy")')


def gallery(cards: Sequence[Card], theme: Theme, title: str, *, failed: int = 0) -> bytes:
    """The page. Raises BadInput if it would be too large."""
    used = sorted(frozenset().union(*(card.used for card in cards)))
    data = {
        "title": title,
        "failed": failed,
        "tilePx": theme.tile_size,
        "columns": _SPRITE_COLUMNS,
        "layers": _LAYERS,
        "sprite": sprite(theme, used),
        "tiles": used,
        **_facts(cards),
        "levels": [_level(card) for card in cards],
    }
    _keep_columns(data)
    result = page(title, asset("gallery.html"), styles=_STYLES, scripts=_SCRIPTS, data=data)
    if len(result) > MOST_BYTES:
        raise BadInput(
            f"gallery: the page would have {len(result)} bytes, at most {MOST_BYTES}; show fewer levels"
        )
    return result


_STYLES = ("common.css", "gallery.css")
_SCRIPTS = ("common.js", "picture.js", "overlay.js", "filter.js", "large.js", "gallery.js")


def sprite(theme: Theme, used: Sequence[int]) -> str:
    """The tiles that are used, side by side in rows, as the address of a PNG with the picture in it."""
    size, columns = theme.tile_size, _SPRITE_COLUMNS
    rows = -(-max(len(used), 1) // columns)
    import numpy as np

    sheet = np.zeros((rows * columns, size, size, 4), np.uint8)
    sheet[: len(used)] = cut_atlas(theme, used)
    pixels = (
        sheet.reshape(rows, columns, size, size, 4).swapaxes(1, 2).reshape(rows * size, columns * size, 4)
    )
    png = png_bytes(columns * size, rows * size, iter([pixels]))
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _facts(cards: Iterable[Card]) -> dict[str, Any]:
    """The facts that are not the same nothing in all levels."""
    columns = list(zip(*(card.values for card in cards), strict=True))
    told = [i for i, column in enumerate(columns) if set(column) - {0, None}]
    asked = facts()
    return {
        "facts": [
            {
                "name": asked[i].name,
                "group": asked[i].fact.name,
                "word": asked[i].word,
                "help": asked[i].fact.help,
                "text": asked[i].fact.is_text,
                "usual": asked[i].name in _USUAL,
            }
            for i in told
        ],
        "told": told,
    }


def _keep_columns(data: dict[str, Any]) -> None:
    """Leave of each level the facts that are told."""
    told = data.pop("told")
    for level in data["levels"]:
        level["values"] = [level["values"][i] for i in told]


def _level(card: Card) -> dict[str, Any]:
    table = card._asdict()
    del table["used"]
    return table | {"tiles": base64.b64encode(card.tiles).decode("ascii")}
