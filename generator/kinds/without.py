"""Removes the rows that a kit drops from the one that it extends, and what depends on them.

Rules about a removed room kind have no effect any more: its special rooms, what it gives a player, its share
of the budget. Nor does the name of a removed piece of decor in tables of decor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from generator.kinds.style_names import RED, ULTRA_SECRET


def without_rows(tables: Mapping[str, Any], gone: Sequence[str]) -> dict[str, Any]:
    """Remove the named rows, such as `room.shop`, and rows that only belonged to them from the tables."""
    left = {key: dict(value) if isinstance(value, Mapping) else value for key, value in tables.items()}
    names: dict[str, set[str]] = {}
    for dropped in gone:
        key, _, name = dropped.partition(".")
        left[key].pop(name, None)
        names.setdefault(key, set()).add(name)
    _without_rooms(left, names.get("room", set()))
    _without_decor(left, names.get("decor", set()))
    for row in left.get("chapter", {}).copy():
        if left["chapter"][row].get("replaces") in names.get("chapter", ()):
            del left["chapter"][row]
    return left


def _without_rooms(tables: dict[str, Any], gone: set[str]) -> None:
    if not gone:
        return
    tables["special_room"] = {
        name: kept
        for name, rows in tables.get("special_room", {}).items()
        if (kept := [_without_other(row, gone) for row in _several(rows) if not _is_about(name, row, gone)])
    }
    for key in ("carried", "encounter_share"):
        tables[key] = {name: row for name, row in tables.get(key, {}).items() if name not in gone}
    for name, row in tables.get("room", {}).items():
        if not gone.isdisjoint(row.get("becomes", ())):
            left = [kind for kind in row["becomes"] if kind not in gone]
            tables["room"][name] = {**row, "becomes": left}


def _is_about(name: str, row: Mapping[str, Any], gone: set[str]) -> bool:
    """Return whether a special room is of a removed kind, beside one, or behind removed red rooms."""
    if row.get("place") == ULTRA_SECRET and RED in gone:
        return True
    return row.get("room", name) in gone or row.get("place", "").removeprefix("beside:") in gone


def _without_other(row: Mapping[str, Any], gone: set[str]) -> Mapping[str, Any]:
    """Return a special room's row that no longer turns into a removed kind."""
    if row.get("becomes", {}).get("room") in gone:
        row = {key: value for key, value in row.items() if key != "becomes"}
    return row


def _several(row: Any) -> Sequence[Mapping[str, Any]]:
    return row if isinstance(row, list) else [row]


def _without_decor(tables: dict[str, Any], gone: set[str]) -> None:
    if not gone:
        return
    tables["decor_place"] = {
        name: place for name, place in tables.get("decor_place", {}).items() if name not in gone
    }
    for name, row in tables.get("decor_table", {}).items():
        kept = dict(row)
        for side in ("wall", "middle"):
            if side in row:
                pieces = {
                    piece: weight
                    for piece, weight in row[side].get("things", {}).items()
                    if piece not in gone
                }
                kept[side] = {**row[side], "things": pieces}
        if "rows" in row:
            kept["rows"] = [pair for pair in row["rows"] if gone.isdisjoint(pair)]
        tables["decor_table"][name] = kept
