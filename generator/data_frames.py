"""Floorplans and levels as tables of pandas, which the extra `pandas` brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from generator.errors import UndercroftError
from generator.installed import install_command
from generator.named_tuple import NamedTuple
from generator.short_tables import frames_html, frames_text

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]

    from generator.level import Level
    from generator.styles.columns import PlanColumns

_DTYPES: Mapping[type, str] = {bool: "boolean", int: "Int64", float: "Float64", str: "string"}
_BOUNDS = ("x", "y", "width", "height")
_LEVEL = {"seed_text": str, "style": str, "fingerprint": str, "width": int, "height": int, "rooms": int}
_ROOM = {
    **{"room": int, "kind": str, "shape": str, "distance": int, "depth": int, "difficulty": int},
    **{"layout": str, "zone": str, "name": str, "cells": int, **dict.fromkeys(_BOUNDS, int)},
}
_DOOR = {
    **{"door": int, "room_a": int, "room_b": int, "hallway": int},
    **{"kind": str, "side": str, "one_way": bool, "needs": str},
}
_MARKER = {"marker": int, "kind": str, "x": int, "y": int, "room": int, "hallway": int}


class PlanFrames(NamedTuple):
    """The floorplans of n seeds as tables of pandas: a row for each level, room or door."""

    levels: pandas.DataFrame
    rooms: pandas.DataFrame
    doors: pandas.DataFrame

    def __repr__(self) -> str:
        return frames_text(self)

    def _repr_html_(self) -> str:
        """Return the tables that a notebook shows."""
        return frames_html(self)


class LevelFrames(NamedTuple):
    """A level as tables of pandas: a row for the level, and for each room, door or marker."""

    levels: pandas.DataFrame
    rooms: pandas.DataFrame
    doors: pandas.DataFrame
    markers: pandas.DataFrame

    def __repr__(self) -> str:
        return frames_text(self)

    def _repr_html_(self) -> str:
        """Return the tables that a notebook shows."""
        return frames_html(self)


def plan_frames(plans: PlanColumns) -> PlanFrames:
    """Convert arrays of floorplans. Raises UndercroftError if pandas is missing."""
    pandas = _pandas()

    def known(numbers: Any) -> Any:
        """Return numbers as a column in which -1 is missing."""
        return pandas.Series(numbers, dtype="Int32").mask(numbers < 0)

    def named(numbers: Any, names: Sequence[str]) -> Any:
        return pandas.Categorical.from_codes(numbers, names)

    levels = {"seed": plans.seeds, "made": plans.made, "tries": plans.tries, "rooms": known(plans.rooms)}
    levels |= {"columns": known(plans.extent[:, 0]), "rows": known(plans.extent[:, 1])}
    levels |= {f"fact_{name}": _facts(column) for name, column in plans.facts.items()}
    at = level, room = np.nonzero(plans.kind >= 0)
    rooms = {"seed": plans.seeds[level], "room": room.astype(np.int32)}
    rooms |= {"kind": named(plans.kind[at], plans.kinds), "shape": named(plans.shape[at], plans.shapes)}
    rooms |= {"distance": known(plans.distance[at]), "depth": plans.depth[at].astype(np.int32)}
    if plans.cell_room.size:
        rooms["cells"] = _cells(plans)[at]
    if plans.bounds.size:
        rooms |= dict(zip(_BOUNDS, plans.bounds[at].T.astype(np.int32), strict=True))
    at = level, door = np.nonzero(plans.doors.kind >= 0)
    first, second = plans.doors.rooms[at].T.astype(np.int32)
    doors = {"seed": plans.seeds[level], "door": door.astype(np.int32), "room_a": first, "room_b": second}
    doors |= {"kind": named(plans.doors.kind[at], plans.doors.kinds)}
    return PlanFrames(*map(pandas.DataFrame, (levels, rooms, doors)))


def _facts(column: npt.NDArray[Any]) -> Any:
    """Make a column of what `fact_column` made, where a level without the fact has -1 or an empty text."""
    return _column([None if value == -1 else value for value in column.tolist()])


def _cells(plans: PlanColumns) -> npt.NDArray[np.int32]:
    """Count the cells of each room [n, r]."""
    level, cell = np.nonzero(plans.cell_room >= 0)
    number = level * plans.kind.shape[1] + plans.cell_room[level, cell]
    counts = np.bincount(number, minlength=plans.kind.size)
    return counts.astype(np.int32).reshape(plans.kind.shape)


def level_frames(level: Level) -> LevelFrames:
    """Convert a level. Raises UndercroftError if pandas is missing."""
    hallways = {door: hallway.id for hallway in level.hallways for door in hallway.doors}
    whole = {
        **{name: getattr(level, name) for name in _LEVEL if name != "rooms"},
        **{"rooms": len(level.rooms)},
        **{f"fact_{name}": fact for name, fact in level.facts.items()},
    }
    rooms = [
        {
            **{name: getattr(room, name, None) for name in _ROOM},
            **{"room": room.id, "cells": len(room.cells) or None},
            **dict(zip(_BOUNDS, room.bounds, strict=True)),
        }
        for room in level.rooms
    ]
    doors = [
        {
            **{name: getattr(door, name, None) for name in _DOOR},
            **{"door": door.id, "room_a": door.rooms[0], "room_b": door.rooms[1]},
            **{"hallway": hallways.get(door.id), "needs": " ".join(door.needs)},
        }
        for door in level.doors
    ]
    markers = [
        {
            **{name: getattr(marker, name, None) for name in _MARKER},
            **{"marker": marker.id},
            **{f"property_{name}": value for name, value in marker.properties.items()},
        }
        for marker in level.markers
    ]
    tables = ((_LEVEL, [whole]), (_ROOM, rooms), (_DOOR, doors), (_MARKER, markers))
    return LevelFrames(*(_frame(level.seed, types, rows) for types, rows in tables))


def _frame(seed: int, types: Mapping[str, type], rows: Sequence[Mapping[str, Any]]) -> Any:
    """Make a table of the seed, the columns of these types, and the other columns that rows have."""
    names = dict.fromkeys((*types, *(name for row in rows for name in row)))
    columns = {name: _column([row.get(name) for row in rows], types.get(name)) for name in names}
    return _pandas().DataFrame({"seed": np.full(len(rows), seed, np.uint64), **columns})


def _column(values: list[Any], kind: type | None = None) -> Any:
    """Make a column of values that may be missing or empty, of a type or else of the values' own."""
    values = [None if value == "" else value for value in values]
    found = {type(value) for value in values if value is not None}
    kind = kind or (found.pop() if len(found) == 1 else float if found == {int, float} else str)
    return _pandas().array([value if value is None else kind(value) for value in values], _DTYPES[kind])


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise UndercroftError(f"to_pandas: needs pandas; run {install_command('pandas')}") from None
    return pandas
