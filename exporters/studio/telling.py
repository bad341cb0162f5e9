"""Levels and floorplans as the page draws them: tiles by number, and all that stands and leads where.

A floorplan is told by its rooms and doors, or by its picture if the style is not ours.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from functools import lru_cache
from typing import Any

import numpy as np

from exporters.dress import EMPTY, dressed
from exporters.image import icon_layer
from exporters.objects import kind_starts_shut
from exporters.pages.cards import card_facts
from exporters.pages.gallery import SPRITE_COLUMNS, sprite_png
from exporters.pages.overlay import page_signs, paths_of, rooms_of
from exporters.places import gates_of
from exporters.theme import Theme
from generator import Floorplan, HeapPlan
from generator.batch.facts import Answer, SavedSubject
from generator.kinds import Kinds
from generator.level import Level
from generator.serialise import plain_parts
from generator.styles.base import Plan
from generator.styles.gungeon.plan import PlannedGate, PlannedHallway

LAYERS = ("ground", "walls", "doors", "decor", "overlay", "markers")


def level_data(level: Level, theme: Theme, known: frozenset[str]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Convert a level to JSON values. Also return the sheet with its tiles, unless it is `known`."""
    look, dressed_layers = dressed(level, theme)
    layers = np.stack([*dressed_layers, icon_layer(level, look)]) - EMPTY  # so that 0 is no tile
    digest, sheet = sheet_of(look)
    parts = plain_parts(level)
    kinds = tuple(sorted({room.kind for room in level.rooms}))
    data = {key: parts[key] for key in ("seed", "rerolls", "hallways", "doors", "markers")}
    data |= {
        "fingerprint": level.fingerprint,
        "size": [level.width, level.height],
        "rooms": [{**room, **drawn} for room, drawn in zip(parts["rooms"], rooms_of(level), strict=True)],
        "paths": paths_of(level),
        "gates": gates_of(level),
        "colours": {kind: level.kinds.room(kind).color for kind in kinds},
        "signs": page_signs(level.kinds, kinds),
        "layers": LAYERS,
        "tiles": base64.b64encode(zlib.compress(layers.astype("<u2").tobytes(), 1)).decode(),
        "atlas": {
            "image": f"/api/pictures/{digest}.png",
            "tile_px": look.tile_size,
            "columns": SPRITE_COLUMNS,
            "tiles": look.columns * look.rows,
        },
        "told": fact_rows(level),
        "warnings": warnings_of(level, look),
    }
    return data, {} if digest in known else {digest: sheet}


@lru_cache(maxsize=32)
def sheet_of(theme: Theme) -> tuple[str, bytes]:
    """Draw a theme's tiles in one look side by side. Return the digest, which is the name, and the PNG."""
    data = sprite_png(theme, range(theme.columns * theme.rows))
    return hashlib.blake2b(data, digest_size=16).hexdigest(), data


def fact_rows(level: Level) -> list[dict[str, Any]]:
    """List the level's facts that `search` can use."""
    subject = SavedSubject(level)
    rows = []
    for selected in card_facts((level.style,)):
        answer: Answer = selected.of(subject)
        if answer is not None:
            rows.append({"fact": selected.name, "value": answer, "help": selected.fact.help})
    return rows


def warnings_of(level: Level, theme: Theme) -> list[str]:
    """List what is drawn, but not as it should be."""
    return [*theme.stand_ins, *theme.labelled] if theme.kinds == level.kinds else []


# --- floorplans --------------------------------------------------------------------------------------

_MAX_PLACES = 1 << 24


def plan_data(plan: Plan, kinds: Kinds) -> dict[str, Any]:
    """Convert a floorplan to JSON values."""
    of_rooms = sorted({room.kind for room in plan.rooms})
    data: dict[str, Any] = {
        "extent": list(plan.extent),
        "rooms": [
            {"id": number, "kind": room.kind, "distance": room.distance}
            for number, room in enumerate(plan.rooms)
        ],
        "places": None,
        "unit": "places",
        "colours": {kind: kinds.room(kind).color for kind in of_rooms},
        "signs": page_signs(kinds, tuple(of_rooms)),
    }
    if isinstance(plan, Floorplan):
        _tell_cells(data, plan, kinds)
    elif isinstance(plan, HeapPlan):
        _tell_tiles(data, plan, kinds)
    else:
        data["places"] = _places(plan)
    return data


def _places(plan: Plan) -> dict[str, Any]:
    """Encode the style's picture: a byte per place, row by row. 0 is nothing, n is `legend[n - 1]`."""
    picture = plan.picture()
    if not picture:
        return {"size": [0, 0], "legend": [], "data": ""}
    xs, ys = zip(*picture, strict=True)
    left, top = min(xs), min(ys)
    width, height = max(xs) - left + 1, max(ys) - top + 1
    legend: dict[str, int] = {}
    data = bytearray(width * height if width * height <= _MAX_PLACES else 0)
    for (x, y), kind in picture.items():
        if data:
            data[(y - top) * width + x - left] = min(legend.setdefault(kind, len(legend) + 1), 255)
    return {"size": [width, height], "legend": list(legend), "data": base64.b64encode(data).decode()}


def _tell_cells(data: dict[str, Any], plan: Floorplan, kinds: Kinds) -> None:
    data["unit"] = "cells"
    for row, room in zip(data["rooms"], plan.rooms, strict=True):
        row |= {"shape": room.shape, "cells": [list(cell) for cell in room.cells]}
    data["doors"] = [
        {
            "rooms": [door.a, door.b],
            "cell": list(door.cell),
            "side": door.side.label,
            "kind": door.kind,
            "starts_shut": kind_starts_shut(door.kind, kinds),
        }
        for door in plan.doors
    ]


def _tell_tiles(data: dict[str, Any], plan: HeapPlan, kinds: Kinds) -> None:
    data["unit"] = "tiles"
    for row, room in zip(data["rooms"], plan.rooms, strict=True):
        row |= {"bounds": list(room.bounds), "zone": room.zone}
    gates = plan.gates or (None,) * len(plan.hallways)
    data["hallways"] = [
        {
            "rooms": [end.room for end in hallway.ends],
            "doors": [[list(tile) for tile in end.tiles] for end in hallway.ends],
            "path": [list(tile) for tile in hallway.path],
            "starts_shut": _starts_shut(plan, hallway, gate, kinds),
        }
        for hallway, gate in zip(plan.hallways, gates, strict=True)
    ]


def _starts_shut(plan: HeapPlan, hallway: PlannedHallway, gate: PlannedGate | None, kinds: Kinds) -> bool:
    """Check whether a door of the hallway will be shut when the level starts."""
    from generator.styles.gungeon.costs import door_kind

    if gate and (gate.needs or gate.is_secret or gate.opens_end is not None):
        return True
    return kind_starts_shut(door_kind(tuple(plan.rooms[end.room].kind for end in hallway.ends), kinds), kinds)
