"""A level as the page draws it: its tiles by number, and all that stands and leads where."""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from exporters.dress import EMPTY, dressed
from exporters.image import icon_layer, marker_icon
from exporters.pages.gallery import SPRITE_COLUMNS
from exporters.pages.overlay import gates_of, paths_of, rooms_of
from exporters.studio.themes import sheet_of
from generator.batch.facts import Answer, Asked, SavedSubject, ask
from generator.batch.stats import asked_for, usual_facts
from generator.serialise import plain_parts

if TYPE_CHECKING:
    from exporters.theme import Theme
    from generator.level import Level

LAYERS = ("ground", "walls", "doors", "decor", "overlay", "markers")


def level_data(level: Level, theme: Theme, known: frozenset[str]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Convert a level to JSON values. Also return the sheet with its tiles, unless it is `known`."""
    look, dressed_layers = dressed(level, theme)
    layers = np.stack([*dressed_layers, icon_layer(level, look)]) - EMPTY  # so that 0 is no tile
    digest, sheet = sheet_of(look)
    parts = plain_parts(level)
    data = {key: parts[key] for key in ("seed", "seed_text", "style", "facts", "grid", "rerolls", "hallways")}
    data |= {
        "fingerprint": level.fingerprint,
        "size": [level.width, level.height],
        "rooms": [{**room, **drawn} for room, drawn in zip(parts["rooms"], rooms_of(level), strict=True)],
        "doors": parts["doors"],
        "paths": paths_of(level),
        "gates": gates_of(level),
        "markers": [
            {**marker, "icon": _icon(marker_icon(own, look, level.kinds))}
            for marker, own in zip(parts["markers"], level.markers, strict=True)
        ],
        "colours": {
            kind: level.kinds.room(kind).color for kind in sorted({room.kind for room in level.rooms})
        },
        "layers": LAYERS,
        "tiles": base64.b64encode(zlib.compress(layers.astype("<u2").tobytes(), 1)).decode(),
        "atlas": {
            "image": f"/api/pictures/{digest}.png",
            "tile_px": look.tile_size,
            "columns": SPRITE_COLUMNS,
            "tiles": look.columns * look.rows,
        },
        "theme": {"name": theme.name, "look": look.look, "light": look.light._asdict()},
        "told": fact_rows(level),
        "warnings": warnings_of(level, look),
    }
    return data, {} if digest in known else {digest: sheet}


def _icon(index: int | None) -> int:
    return 0 if index is None else index + 1


def fact_rows(level: Level) -> list[dict[str, Any]]:
    """List the level's facts that `search` can use."""
    subject = SavedSubject(level)
    rows = []
    for selected in _facts(level.style):
        answer: Answer = selected.of(subject)
        if answer is not None:
            rows.append({"fact": selected.name, "value": answer, "help": selected.fact.help})
    return rows


def _facts(style: str) -> tuple[Asked, ...]:
    names = [name for name in usual_facts((style,)) if name != "tries"]
    return (*asked_for(names, (style,)), ask("curse"), ask("chapter"))


def warnings_of(level: Level, theme: Theme) -> list[str]:
    """List what is drawn, but not as it should be."""
    return [*theme.stand_ins, *theme.labelled] if theme.kinds == level.kinds else []
