"""Level <-> level.json.

    {
    "format": "undercroft-level", "format_version": 1, "generator_version": "0.2.0",
    "fingerprint": "…", "seed": "7", "style": "isaac", "spec": {…}, "facts": {…},
    "size": {"width": 94, "height": 40}, "grid": {"origin": [-58, -25], "cell_size": [15, 9]},
    "terrain_kinds": [{"name": "void", "walk": false, …}, …],
    "terrain": [0,0,0,…],                             one row of tiles per line, row-major
    "rooms": [{"id": 0, "kind": "start", …}, …],      one per line
    …
    }

`level.schema.json` beside this module describes it in full. Reading is strict: everything is checked
before it is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.kinds import SHIPPED, TerrainKind, late_rows, without_signs
from generator.version import VERSION

if TYPE_CHECKING:  # `Level` imports this module at run time
    from generator.level import Door, Level, Tiles

FORMAT = "undercroft-level"
FORMAT_VERSION = 1
MAX_LEVEL_BYTES = 1 << 26  # of a file; parsed, it takes twenty times its size or more
# Without looking for circles, in half of the time.
_compact = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


def plain_parts(level: Level, spec: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return all parts of a level except its arrays, fingerprint and version, as JSON writes them.

    The spec is as it is saved, or as given. Points, and lists of them, stay the tuples that they are.
    """
    grid = level.grid
    return {
        "seed": str(level.seed),
        "seed_text": level.seed_text,
        "style": level.style,
        "spec": level.spec.saved() if spec is None else spec,
        "facts": dict(level.facts),
        "size": {"width": level.width, "height": level.height},
        "grid": grid and {"origin": grid.origin, "cell_size": grid.cell_size},
        "terrain_kinds": [kind._asdict() for kind in level.terrain_kinds],
        "decor_kinds": [
            dict(zip(TerrainKind._fields, kind, strict=False)) | {"size": [kind.width, kind.height]}
            for kind in level.decor_kinds
        ],
        "rooms": [
            {
                "id": room.id,
                "kind": room.kind,
                "shape": room.shape,
                "cells": room.cells,
                "bounds": room.bounds,
                "outline": room.outline,
                "distance": room.distance,
                "depth": room.depth,
                "difficulty": room.difficulty,
                "layout": room.layout,
                **({"zone": room.zone} if room.zone else {}),
                **({"name": room.name} if room.name else {}),
            }
            for room in level.rooms
        ],
        "doors": [
            {
                "id": door.id,
                "rooms": door.rooms,
                "tiles": door.tiles,
                "side": door.side,
                "kind": door.kind,
                **_gate(door),
            }
            for door in level.doors
        ],
        "hallways": [
            {"id": hallway.id, "doors": hallway.doors, "tiles": hallway.tiles} for hallway in level.hallways
        ],
        "markers": [
            {
                "id": marker.id,
                "kind": marker.kind,
                "x": marker.x,
                "y": marker.y,
                "room": marker.room,
                "hallway": marker.hallway,
                "properties": dict(marker.properties),
            }
            for marker in level.markers
        ],
        "rerolls": [dict(reroll) for reroll in level.rerolls],
        **({"edited": dict(level.edited)} if level.edited else {}),
        **({"looks": [look._asdict() for look in level.looks]} if level.looks else {}),
        **({} if level.kinds == SHIPPED else {"kinds": level.kinds.tables}),
    }


def _gate(door: Door) -> dict[str, Any]:
    """Return what a door asks of the player, and its class. Empty if it asks nothing and is plain."""
    return {
        **({"needs": door.needs} if door.needs else {}),
        **({"one_way": True} if door.one_way else {}),
        **({} if door.opens_from is None else {"opens_from": door.opens_from}),
        **({"joins": door.joins} if door.joins else {}),
    }


def fingerprint(level: Level) -> str:
    """Compute a digest of all parts and arrays, as if no late kinds existed except those that the level has.

    Late are the shipped kinds that older versions did not have. Without them, levels keep their fingerprints.
    How maps show the kinds does not count either.
    """
    parts = plain_parts(level, level.spec.counted())
    if "kinds" in parts:
        parts["kinds"] = without_signs(parts["kinds"])
        _leave_out_late_rows(parts, "room", {room.kind for room in level.rooms})
    return _digest(parts, [_counted(parts, key, array) for key, array in _arrays(level).items()])


def _counted(parts: dict[str, Any], key: str, array: Tiles) -> Tiles:
    """Take late kinds that an array does not have out of the parts. Returns the array with new numbers."""
    kinds, late, tiles = parts[f"{key}_kinds"], late_rows(key), array.tobytes()
    counted = [number for number, kind in enumerate(kinds) if kind["name"] not in late or number in tiles]
    parts[f"{key}_kinds"] = [kinds[number] for number in counted]
    if "kinds" in parts:
        _leave_out_late_rows(parts, key, {kinds[number]["name"] for number in counted})
    if len(counted) == len(kinds):
        return array
    numbers = np.zeros(len(kinds), array.dtype)
    numbers[counted] = range(len(counted))
    return numbers[array]


def _leave_out_late_rows(parts: dict[str, Any], table: str, used: Collection[str]) -> None:
    """Take late rows of a table that a level does not use out of its kit's rows, in place."""
    rows, late = parts["kinds"].get(table, {}), late_rows(table)
    if not late.isdisjoint(rows):
        kept = {name: row for name, row in rows.items() if name in used or name not in late}
        parts["kinds"] = {**parts["kinds"], table: kept}


def former_fingerprint(level: Level) -> str:
    """Compute the fingerprint that levels had in versions in which every kind counted."""
    return _digest(plain_parts(level), _arrays(level).values())


def _arrays(level: Level) -> dict[str, Tiles]:
    return {"terrain": level.terrain, "decor": level.decor}


def _digest(parts: Mapping[str, Any], arrays: Iterable[Tiles]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps(parts, check_circular=False, sort_keys=True, separators=(",", ":")).encode())
    for array in arrays:
        digest.update(array.astype("<u2").tobytes())
    return digest.hexdigest()


def level_to_dict(level: Level) -> dict[str, Any]:
    """Return the contents of level.json, in order. A level with a numeric seed has no `seed_text`."""
    return {key: _listed(part) for key, part in _table(level).items()}


def _listed(part: Any) -> Any:
    """Return a part with lists in place of arrays and tuples."""
    if isinstance(part, dict):
        return {key: _listed(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_listed(value) for value in part]
    return part.ravel().tolist() if isinstance(part, np.ndarray) else part


def _table(level: Level) -> dict[str, Any]:
    """Return the same with its arrays and tuples as they are."""
    parts = plain_parts(level)
    arrays = {"terrain_kinds": ("terrain", level.terrain), "decor_kinds": ("decor", level.decor)}
    table: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "generator_version": VERSION,
        "fingerprint": level.fingerprint,
    }
    for key, part in parts.items():
        if key == "seed_text" and part is None:
            continue
        table[key] = part
        if key in arrays:
            name, array = arrays[key]
            table[name] = array
    return table


def dumps(level: Level) -> bytes:
    """Write the text of level.json: one line per row of tiles, room, door or marker, for readable diffs."""
    lines = []
    for key, part in _table(level).items():
        if key in ("terrain", "decor"):
            text = _rows(part)
        elif isinstance(part, list) and part:
            text = "[\n" + ",\n".join(_compact(item) for item in part) + "\n]"
        else:
            text = _compact(part)
        lines.append(f"{_compact(key)}: {text}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def dumps_line(level: Level) -> bytes:
    """Write the same level.json in one line, for pipes. It reads as the same level, fingerprint and all."""
    return (_compact(level_to_dict(level)) + "\n").encode()


def _rows(array: Tiles) -> str:
    """Write one line per row. The texts of numbers are copied from a table, and then blank bytes dropped."""
    texts = np.array([f"{number}," for number in range(int(array.max(initial=0)) + 1)], np.bytes_)
    rows = (texts.take(row).tobytes().translate(None, b"\0")[:-1].decode() for row in array)
    return "[\n" + ",\n".join(rows) + "\n]"
