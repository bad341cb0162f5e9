"""The gallery: many levels on one page, with everything that the page needs to draw, sort and filter them.

A run's page has a table of its stages, with their rooms and bosses, above the gallery of its levels.
"""

from __future__ import annotations

import base64
import shlex
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import quote

import numpy as np

from exporters.formats.png.syntax import png_bytes
from exporters.image import cut_atlas
from exporters.pages.cards import LAYERS, Card, CardOptions, card, card_facts
from exporters.pages.overlay import dots_path, page_signs
from exporters.pages.page import asset, escaped, page
from exporters.pages.run_curve import curve, fight_average
from exporters.theme import Theme
from exporters.theme.loader import all_looks, fitted, load_theme
from generator.errors import BadInput
from generator.kinds import SHIPPED, Kinds, RoomKind
from generator.kinds.signs import sign_table
from generator.level import Level
from generator.runs import UNCOUNTED, RunSummary, StageSummary, run_summary

MAX_LEVELS = 1000
MAX_BYTES = 1 << 26  # per page; a browser should open it at once
SPRITE_COLUMNS = 32  # tiles
# On cards.
USUAL_FACTS = ("rooms", "rooms.boss.distance", "dead_ends", "loops", "longest", 'markers("enemy")')
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
    data = {"failed": failed, **page_data(cards, theme, styles)}
    body = Template(asset("gallery.html")).substitute(
        title=escaped(title), head=head, large=asset("large.html")
    )
    html = page(title, body, styles=_STYLES, scripts=_SCRIPTS, data=data)
    check_size(len(html))
    return html


def page_data(cards: Sequence[Card], theme: Theme, styles: tuple[str, ...]) -> dict[str, Any]:
    """Return what scripts draw and explain levels from. Raises BadInput for levels of different kits."""
    kits = {card.kinds for card in cards}
    if len(kits) > 1:
        raise BadInput("gallery: the levels use different kits; make one page for each kit")
    kinds = next(iter(kits), SHIPPED)
    theme = fitted(theme, kinds)
    used = sorted(frozenset().union(*(card.used for card in cards)))
    shown_facts, facts = _facts(cards, styles)
    return {
        "tilePx": theme.tile_size,
        "columns": SPRITE_COLUMNS,
        "layers": LAYERS,
        "sprite": sprite(theme, used),
        "tiles": used,
        "facts": facts,
        "colours": {kind: kinds.room(kind).color for kind in _room_kinds(cards, kinds)},
        "signs": page_signs(kinds, tuple(_room_kinds(cards, kinds))),
        "levels": [_level(card, shown_facts) for card in cards],
    }


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
            "usual": all_facts[i].name in USUAL_FACTS,
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


# --- a run -------------------------------------------------------------------------------------------


def run_page(levels: Sequence[Level], theme: Path | None, title: str, command: Sequence[str]) -> bytes:
    """Write the page of a run's levels, in order. `command` with a seed and stage makes one of them again.

    Raises ThemeError, and BadInput if the page would be too large.
    """
    summary = run_summary(levels)
    styles = tuple(dict.fromkeys(level.style for level in levels))
    look = CardOptions(None, theme, styles)
    cards = [
        card(level, look, _name(row), title, _command(command, level, row.stage))
        for level, row in zip(levels, summary.stages, strict=True)
    ]
    kinds = levels[0].kinds if levels else SHIPPED
    has_red = any(room.kind in UNCOUNTED for level in levels for room in level.rooms)
    head = _head(summary, kinds, has_red)
    return gallery(cards, load_theme(theme), title, styles=styles, head=head)


def _command(words: Sequence[str], level: Level, stage: int) -> str:
    seed = level.seed_text or str(level.seed)
    return shlex.join([*words, "--seed", seed, "--stages", f"{stage}:{stage + 1}"])


def _name(stage: StageSummary) -> str:
    return f"Stage {stage.stage}, {stage.chapter}"


_UNQUOTED = "!'()*"  # by the page's encodeURIComponent
_ABOUT_CURVE = "What waits in a fight, on average. The cost says how dangerous its enemies are."


def _head(summary: RunSummary, known: Kinds, has_red: bool) -> str:
    most = max((stage.rooms for stage in summary.stages), default=1)
    drawn = curve([fight_average(stage) for stage in summary.stages])
    return Template(asset("run.html")).substitute(
        rooms=summary.rooms,
        layouts=len(summary.layouts),
        repeats=f"{summary.repeats:.0%}",
        most=summary.most,
        aside=" (without red ones, unlike the cards)" if has_red else "",
        rows="\n".join(_row(stage, most, known) for stage in summary.stages),
        figure=f"<figure>{drawn}<figcaption>{_ABOUT_CURVE}</figcaption></figure>" if drawn else "",
    )


def _spot(kind: RoomKind) -> str:
    """Return the sign of a room kind, or a spot of its colour if it has none."""
    sign = sign_table().of_room(kind)
    path = dots_path(sign.dots) if sign else "M0 0h9v9h-9z"
    view = 'class="dot" viewBox="-1 -1 11 11" role="presentation"'
    inks = f'fill="{sign.ink if sign else escaped(kind.color)}" stroke="{sign_table().edge}"'
    return f'<svg {view}><path class="sign" d="{path}" {inks}/></svg>'


def _row(stage: StageSummary, most: int, known: Kinds) -> str:
    kinds = "".join(
        f"<li>{_spot(known.room(kind))}{escaped(kind.replace('_', ' '))}"
        f"{f' {count}' if count > 1 else ''}</li>"
        for kind, count in stage.special_rooms.items()
    )
    bosses = ", ".join(map(escaped, stage.bosses)) or "-"
    minor = f"<small>{', '.join(map(escaped, stage.mini_bosses))}</small>" if stage.mini_bosses else ""
    state = stage.state
    hearts = f"{_half(state.get('red_hearts', 0))}/{_half(state.get('heart_containers', 0))}"
    hearts += f" +{_half(state['soul_hearts'])}" if state.get("soul_hearts") else ""
    address = quote(_name(stage), safe=_UNQUOTED)
    curse = f"<small>curse of the {escaped(stage.curse)}</small>" if stage.curse != "none" else ""
    return (
        f'<tr><th scope=row><a href="#{escaped(address)}">{stage.stage}</a></th>'
        f"<td>{escaped(stage.chapter)}{curse}</td>"
        f"<td>{_bar(stage, most)}{stage.rooms}</td><td>{stage.repeats / max(1, stage.rooms):.0%}</td>"
        f"<td>{stage.enemies}</td><td>{bosses}{minor}</td><td><ul role=list>{kinds}</ul></td>"
        f"<td>{hearts}</td><td>{state.get('keys', 0)}</td><td>{state.get('coins', 0)}</td></tr>"
    )


def _half(halves: object) -> str:
    """Convert a number of half hearts to hearts."""
    return f"{int(str(halves)) / 2:g}"


def _bar(stage: StageSummary, most: int) -> str:
    """Draw a bar for the number of rooms and the share of new ones."""
    fresh = stage.rooms - stage.repeats
    return (
        f'<svg class="share" viewBox="0 0 {most} 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="again" width="{stage.rooms}" height="1"/><rect width="{fresh}" height="1"/></svg>'
    )
