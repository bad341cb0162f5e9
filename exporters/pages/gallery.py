"""The gallery: many levels on one page, with all that the page needs to draw, sort and filter them."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from string import Template
from typing import Any

import numpy as np

from exporters.image import cut_atlas, png_bytes
from exporters.pages.cards import LAYERS, Card, card_facts
from exporters.pages.page import asset, escaped, page
from exporters.theme import Theme
from exporters.theme.loader import fitted
from exporters.theme.looks import all_looks
from generator.errors import BadInput
from generator.kinds import SHIPPED, Kinds

MOST_LEVELS = 1000
MOST_BYTES = 1 << 26  # of a page; a browser should open it at once
_SPRITE_COLUMNS = 32  # tiles
_USUAL = ("rooms", "rooms.boss.distance", "dead_ends", "loops", "longest", 'markers("enemy")')  # on a card
_STYLES = ("common.css", "gallery.css")
_SCRIPTS = ("common.js", "picture.js", "overlay.js", "filter.js", "large.js", "gallery.js")


def gallery(
    cards: Sequence[Card],
    theme: Theme,
    title: str,
    *,
    failed: int = 0,
    styles: tuple[str, ...] = (),
    head: str = "",
) -> bytes:
    """The page; `failed` seeds gave no level. Raises BadInput if the page would be too large.

    `styles` are those of the options that the cards were made with. `head` is HTML that stands above them.
    """
    kits = {card.kinds for card in cards}
    if len(kits) > 1:
        raise BadInput("gallery: the levels are of several kits; show those of each on a page of their own")
    kinds = next(iter(kits), SHIPPED)
    theme = fitted(theme, kinds)
    used = sorted(frozenset().union(*(card.used for card in cards)))
    told, facts = _facts(cards, styles)
    data = {
        "failed": failed,
        "tilePx": theme.tile_size,
        "columns": _SPRITE_COLUMNS,
        "layers": LAYERS,
        "sprite": sprite(theme, used),
        "tiles": used,
        "facts": facts,
        "colours": {kind: kinds.room(kind).color for kind in _room_kinds(cards, kinds)},
        "levels": [_level(card, told) for card in cards],
    }
    body = Template(asset("gallery.html")).substitute(title=escaped(title), head=head)
    made = page(title, body, styles=_STYLES, scripts=_SCRIPTS, data=data)
    check_size(len(made))
    return made


def check_size(size: int) -> None:
    """Whether a page may have so many bytes; those of its cards' tiles are known before. Raises BadInput."""
    if size > MOST_BYTES:
        raise BadInput(
            f"gallery: {size} bytes are more than a page's {MOST_BYTES}; show fewer or smaller levels"
        )


def sprite(theme: Theme, used: Sequence[int]) -> str:
    """The pixels of the tiles that are used, in rows of 32, as the address of a PNG that holds it."""
    size, columns = theme.tile_size, _SPRITE_COLUMNS
    rows = -(-max(len(used), 1) // columns)
    sheet = np.zeros((rows * columns, size, size, 4), np.uint8)
    tiles = theme.columns * theme.rows  # of one look's sheet
    for number, look in enumerate(all_looks(theme)):
        places = [place for place, tile in enumerate(used) if tile // tiles == number]
        if places:
            sheet[places] = cut_atlas(look, [used[place] % tiles for place in places])
    pixels = sheet.reshape(rows, columns, size, size, 4).swapaxes(1, 2).reshape(rows * size, -1, 4)
    png = png_bytes(columns * size, rows * size, iter([pixels]))
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _facts(cards: Sequence[Card], styles: tuple[str, ...]) -> tuple[list[int], list[dict[str, Any]]]:
    """The places of the facts that are not nothing in all levels, and what the page knows of each."""
    asked = card_facts(styles)
    told = [i for i in range(len(asked)) if {card.values[i] for card in cards} - {0, None}]
    facts: list[dict[str, Any]] = [
        {
            "name": asked[i].name,
            "group": asked[i].fact.name,
            "help": asked[i].fact.help,
            "text": asked[i].fact.is_text,
            "usual": asked[i].name in _USUAL,
        }
        for i in told
    ]
    source = {"name": "source", "group": "source", "help": "where it is from", "text": True, "usual": False}
    return told, [*facts, source]


def _room_kinds(cards: Sequence[Card], known: Kinds) -> list[str]:
    """The room kinds of all levels: those with a row in the order of the rows, but plain rooms last."""
    kinds = {room["kind"] for card in cards for room in card.rooms}
    order = [kind for kind in (*known.rooms, *sorted(kinds - set(known.rooms))) if kind != "normal"]
    return [kind for kind in (*order, "normal") if kind in kinds]


def _level(card: Card, told: Sequence[int]) -> dict[str, Any]:
    return {
        "name": card.name,
        "seed": card.seed,
        "command": card.command,
        "size": card.size,
        "values": [*(card.values[i] for i in told), card.source],
        "rooms": card.rooms,
        "ways": card.ways,
        **({"gates": card.gates} if card.gates else {}),
        "tiles": base64.b64encode(card.tiles).decode("ascii"),
    }
