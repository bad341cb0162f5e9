"""How much may fight in a room: a budget that rises with the stage, the room's difficulty and its distance.

    budget = points of the stage × (open floor + 25) / 100 × difficulty × way × share of the room's kind

All numbers are whole, from `encounters.toml` of a kit; functions without a kit's rules use the shipped ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.kinds import DIFFICULTIES
from generator.kinds.chapters import STAGES, chapter_of_stage
from generator.kinds.rules import Rules
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from generator.kinds.gangs import GangRow


class Threat(NamedTuple):
    """What a room's encounter is made from: points to spend, and the chapter (1 to 6) of its enemies.

    `champions` and `ambush` are chances in percent: for an enemy to be a champion, and for the room to keep
    some of its enemies for a later wave. `adds` is whether enemies may also stand on other tiles than the
    layout's places, `must` whether somebody has to fight here, however near to a door. `name` is the
    chapter's. One of the `gangs` comes in place of single enemies, if one fits. Enemies that are `absent`
    come only where a layout or a gang names them.
    """

    budget: int
    chapter: int
    champions: int
    ambush: int
    adds: bool = False
    must: bool = False
    name: str = ""
    gangs: tuple[GangRow, ...] = ()
    absent: frozenset[str] = frozenset()


_NAMES = {number: name for name, number in DIFFICULTIES.items()}


def stage_of_danger(danger: int, stages: tuple[int, int] = (1, STAGES)) -> int:
    """Return the stage, 1 to 12, whose encounters suit a room of a level without stages.

    `danger` is how far the room is, 0 to 100; `stages` are those near the start and in the furthest room.
    """
    near, far = stages
    return near + danger * (far - near) // 100


def budget_of(kind: str, stage: int, difficulty: int, distance: int, open_floor: int, rules: Rules) -> int:
    """Compute a room's points from kind, stage, difficulty, percent of the greatest distance, free tiles."""
    table = rules.encounters
    near, far = table["way"]
    points: int = table["stage"][stage - 1] * (open_floor + table["more_floor"])
    points *= (near * (100 - distance) + far * distance) * table["difficulty"].get(
        _NAMES.get(difficulty, ""), 100
    )
    points *= rules.numbers["encounter_share"].get(kind, 100)
    return points // 10**10


def champions_of(stage: int, champions: int, rules: Rules) -> int:
    """Return the percentage of champions on a stage, given `champions`, that of the first chapter."""
    share: int = rules.encounters["champions"][chapter_of_stage(stage) - 1]
    return min(100, champions * share // 100)


def threat_of(
    kind: str, stage: int, difficulty: int, distance: int, open_floor: int, champions: int, rules: Rules
) -> Threat:
    """Compute `budget_of`, with everything else that an encounter needs. `champions` is in percent."""
    chapter = chapter_of_stage(stage)
    return Threat(
        budget=budget_of(kind, stage, difficulty, distance, open_floor, rules),
        chapter=chapter,
        champions=champions,
        ambush=rules.encounters["ambush"][chapter - 1],
        adds=kind in ("normal", "challenge"),
    )


def threat_of_crowd(crowd: int, stage: int, champions: int, rules: Rules) -> Threat:
    """Return the threat of `crowd` enemies at the stage's usual cost. Fewer may cost more, or the reverse."""
    chapter = chapter_of_stage(stage)
    cost: int = rules.encounters["usual_cost"][chapter - 1]
    return Threat(crowd * cost, chapter, champions, ambush=0)
