"""A floorplan as the page draws it: by its rooms and doors, or by its picture if the style is not ours."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from exporters.objects import kind_starts_shut
from generator import Floorplan, HeapPlan

if TYPE_CHECKING:
    from generator.kinds import Kinds
    from generator.styles.base import Plan
    from generator.styles.gungeon.plan import PlannedGate, PlannedHallway

_MAX_PLACES = 1 << 24


def plan_data(plan: Plan, kinds: Kinds) -> dict[str, Any]:
    """Convert a floorplan to JSON values."""
    data: dict[str, Any] = {
        "extent": list(plan.extent),
        "facts": dict(plan.facts),
        "tries": plan.tries,
        "rooms": [
            {"id": number, "kind": room.kind, "distance": room.distance, "depth": room.depth}
            for number, room in enumerate(plan.rooms)
        ],
        "connections": [list(pair) for pair in plan.connections],
        "places": None,
        "unit": "places",
        "colours": {kind: kinds.room(kind).color for kind in sorted({room.kind for room in plan.rooms})},
        "doors": [],
        "hallways": [],
        "keys": [],
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
        return {"origin": [0, 0], "size": [0, 0], "legend": [], "data": ""}
    xs, ys = zip(*picture, strict=True)
    left, top = min(xs), min(ys)
    width, height = max(xs) - left + 1, max(ys) - top + 1
    legend: dict[str, int] = {}
    data = bytearray(width * height if width * height <= _MAX_PLACES else 0)
    for (x, y), kind in picture.items():
        if data:
            data[(y - top) * width + x - left] = min(legend.setdefault(kind, len(legend) + 1), 255)
    return {
        "origin": [left, top],
        "size": [width, height],
        "legend": list(legend),
        "data": base64.b64encode(data).decode(),
    }


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
            "loop": hallway.is_loop,
            "gate": gate and gate._asdict(),
            "starts_shut": _starts_shut(plan, hallway, gate, kinds),
        }
        for hallway, gate in zip(plan.hallways, gates, strict=True)
    ]
    data["keys"] = [key._asdict() for key in plan.keys]


def _starts_shut(plan: HeapPlan, hallway: PlannedHallway, gate: PlannedGate | None, kinds: Kinds) -> bool:
    """Check whether a door of the hallway will be shut when the level starts."""
    from generator.styles.gungeon.assemble import door_kind

    if gate and (gate.needs or gate.is_secret or gate.opens_end is not None):
        return True
    return kind_starts_shut(door_kind(tuple(plan.rooms[end.room].kind for end in hallway.ends), kinds), kinds)
