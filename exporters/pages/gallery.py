"""The gallery: many levels on one page, with everything that the page needs to draw, sort and filter them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from string import Template
from typing import Any

import numpy as np

from exporters.formats.png.syntax import png_bytes
from exporters.image import cut_atlas
from exporters.pages.cards import LAYERS, Card, card_facts
from exporters.pages.page import asset, escaped, page
from exporters.theme import Theme
from exporters.theme.loader import all_looks, fitted
from generator.errors import BadInput
from generator.kinds import SHIPPED, Kinds

MAX_LEVELS = 1000
MAX_BYTES = 1 << 26  # per page; a browser should open it at once
SPRITE_COLUMNS = 32  # tiles
_USUAL = ("rooms", "rooms.boss.distance", "dead_ends", "loops", "longest", 'markers("enemy")')  # on cards
_STYLES = ("common.css", "overlay.css", "gallery.css")
_SCRIPTS = ("common.js", "picture.js", "overlay.js", "small.js", "filter.js", "large.js", "gallery.js")


def gallery(
    cards: Sequence[Card],
    theme: Theme,
    title: str,
    *,
    failed: int = 0,
    styles: tuple[str, ...] = (),
    head: str = "",
) -> bytes:
    """Write the page. `failed` seeds have no level. Raises BadInput if the page would be too large.

    `styles` are those of the options that the cards were made with. `head` is HTML to put above the cards.
    """
    kits = {card.kinds for card in cards}
    if len(kits) > 1:
        raise BadInput("gallery: the levels use different kits; make one page for each kit")
    kinds = next(iter(kits), SHIPPED)
    theme = fitted(theme, kinds)
    used = sorted(frozenset().union(*(card.used for card in cards)))
    shown_facts, facts = _facts(cards, styles)
    data = {
        "failed": failed,
        "tilePx": theme.tile_size,
        "columns": SPRITE_COLUMNS,
        "layers": LAYERS,
        "sprite": sprite(theme, used),
        "tiles": used,
        "facts": facts,
        "colours": {kind: kinds.room(kind).color for kind in _room_kinds(cards, kinds)},
        "levels": [_level(card, shown_facts) for card in cards],
    }
    body = Template(asset("gallery.html")).substitute(title=escaped(title), head=head)
    html = page(title, body, styles=_STYLES, scripts=_SCRIPTS, data=data)
    check_size(len(html))
    return html


def check_size(size: int) -> None:
    """Raise BadInput if a page would be too large."""
    if size > MAX_BYTES:
        raise BadInput(
            f"gallery: {size} bytes are too many for a page, which holds {MAX_BYTES}; show fewer levels"
        )


def sprite(theme: Theme, used: Sequence[int]) -> str:
    """Return the pixels of the used tiles, in rows of 32, as a PNG in a data URL."""
    return "data:image/png;base64," + base64.b64encode(sprite_png(theme, used)).decode("ascii")


def sprite_png(theme: Theme, used: Sequence[int]) -> bytes:
    """Return the PNG for `sprite`."""
    size, columns = theme.tile_size, SPRITE_COLUMNS
    rows = -(-max(len(used), 1) // columns)
    sheet = np.zeros((rows * columns, size, size, 4), np.uint8)
    tiles = theme.columns * theme.rows  # per look
    for number, look in enumerate(all_looks(theme)):
        places = [index for index, tile in enumerate(used) if tile // tiles == number]
        if places:
            sheet[places] = cut_atlas(look, [used[index] % tiles for index in places])
    pixels = sheet.reshape(rows, columns, size, size, 4).swapaxes(1, 2).reshape(rows * size, -1, 4)
    return png_bytes(columns * size, rows * size, iter([pixels]))


def _facts(cards: Sequence[Card], styles: tuple[str, ...]) -> tuple[list[int], list[dict[str, Any]]]:
    """Find the indexes of the facts that some level has, and describe these facts for the page."""
    all_facts = card_facts(styles)
    shown = [i for i in range(len(all_facts)) if {card.values[i] for card in cards} - {0, None}]
    facts: list[dict[str, Any]] = [
        {
            "name": all_facts[i].name,
            "group": all_facts[i].fact.name,
            "help": all_facts[i].fact.help,
            "text": all_facts[i].fact.is_text,
            "usual": all_facts[i].name in _USUAL,
        }
        for i in shown
    ]
    source = {"name": "source", "group": "source", "help": "where it is from", "text": True, "usual": False}
    return shown, [*facts, source]


def _room_kinds(cards: Sequence[Card], known: Kinds) -> list[str]:
    """List the room kinds of all levels, in the order of the kit's rows, but with plain rooms last."""
    kinds = {room["kind"] for card in cards for room in card.rooms}
    order = [kind for kind in (*known.rooms, *sorted(kinds - set(known.rooms))) if kind != "normal"]
    return [kind for kind in (*order, "normal") if kind in kinds]


def _level(card: Card, facts: Sequence[int]) -> dict[str, Any]:
    return {
        "name": card.name,
        "seed": card.seed,
        "command": card.command,
        "size": card.size,
        "values": [*(card.values[i] for i in facts), card.source],
        "rooms": card.rooms,
        "paths": card.paths,
        **({"gates": card.gates} if card.gates else {}),
        "tiles": base64.b64encode(card.tiles).decode("ascii"),
    }
