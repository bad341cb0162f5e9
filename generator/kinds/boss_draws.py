"""How the remake chooses bosses before Repentance: the `[[rebirth.boss]]` rows of a kit."""

from __future__ import annotations

from generator.kinds.columns import Column, RowTable, flag, many, name, number, numbers, record
from generator.kinds.style_names import REBIRTH

_stages = many(number(1, 12))
_draws = number(0, 100)
_end = record(
    {
        "stages": _stages,
        "variants": many(number(0, 2)),
        "aside": number(1, 1000),
        "once": name,
        "after_devil_room": flag,
        "draws": _draws,
    },
    ("stages",),
)

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
            numbers(3, 0, 100), "3 numbers", "the same in percent, for each variant of the stage", "always"
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
