"""How the remake chooses bosses before Repentance: the `[[rebirth.boss]]` rows of a kit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from generator.errors import shown
from generator.json_schema import fields, listed
from generator.kinds.columns import (
    Column,
    ColumnReader,
    RowTable,
    WrongValueError,
    flag,
    many,
    name,
    number,
    reads,
)
from generator.kinds.style_names import REBIRTH

_stages = many(number(1, 12))
_draws = number(0, 100)
_END_KEYS: Mapping[str, ColumnReader[Any]] = {
    "stages": _stages,
    "variants": many(number(0, 2)),
    "aside": number(1, 1000),
    "once": name,
    "after_devil_room": flag,
    "draws": _draws,
}


@reads(listed(_draws.schema, 3))
def _percent(value: object) -> tuple[int, ...]:
    percentages = many(_draws)(value)
    if len(percentages) != 3:
        raise WrongValueError(f"{shown(value)} is not a list of three percentages, one for each variant")
    return percentages


@reads(fields({key: read.schema for key, read in _END_KEYS.items()}, ("stages",)))
def _end(table: object) -> dict[str, Any]:
    if not isinstance(table, Mapping) or "stages" not in table or not set(table) <= set(_END_KEYS):
        raise WrongValueError(
            f"{shown(table)} is not a table of {', '.join(_END_KEYS)}; stages must be there"
        )
    return {key: _END_KEYS[key](value) for key, value in table.items()}


BOSS_DRAWS = RowTable(
    REBIRTH,
    "How the game chooses a boss before Repentance: the rows `[[rebirth.boss]]`, from the top.",
    {
        "stages": Column(_stages, "a list of stages", "the stages on which the row applies", "all"),
        "chance": Column(
            number(1, 1000),
            "a number",
            "the row takes one draw, and hits 1 time in this many",
            "always",
        ),
        "percent": Column(
            _percent, "3 numbers", "the same in percent, for each variant of the stage", "always"
        ),
        "draws": Column(_draws, "a number", "how many more draws follow a hit", 0),
        "on_first_stages": Column(
            _draws,
            "a number",
            "how many more draws follow a hit on the first stage of a chapter, below stage 9",
            0,
        ),
        "ends": Column(many(_end), "`[{ stages = [4] }]`", "where a hit ends the choice", ()),
    },
)
