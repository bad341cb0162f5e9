"""Levels of any spec, audited; floors of `rebirth` against the kept facts and against the oracle."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from generator import GenerationFailed, RebirthSpec, generate
from generator.checks import problems
from generator.level_file import level_from_dict
from generator.spec import preset_names
from generator.styles.rebirth import topology
from generator.styles.rebirth.floorplan import floorplan
from tests.generator.styles.gungeon.flows.plans import FROM_DOCS
from tests.generator.styles.gungeon.flows.test_flows import FLOWS
from tests.generator.styles.rebirth import oracle, rules, test_draws

_VOID = 12  # its stage
_CURSES = ("none", "labyrinth", "lost", "random")
_EDITIONS = ("rebirth", "afterbirth", "afterbirth_plus", "repentance")


def level_case(seed: int, _: Path) -> None:
    """In turn a preset, a flow and a random spec; every check holds, and the saved level is the same."""
    chance = random.Random(seed)
    presets = preset_names()
    wanted = seed % 3
    if wanted == 0:
        preset, values = presets[seed // 3 % len(presets)], {}
    elif wanted == 1:
        flows = (*FLOWS, *map(str, FROM_DOCS.values()))
        preset, values = "gungeon", {"flow": flows[seed // 3 % len(flows)]}
    else:
        preset, values = any_spec(chance)
    try:
        level = generate(preset, 1 + chance.randrange(2**32 - 1), **values)
    except GenerationFailed:
        if wanted == 2:  # a random spec may ask for what cannot be; it is said in one line
            return
        raise
    assert list(map(str, problems(level))) == [], (preset, level.seed, values)
    assert level_from_dict(level.to_dict()) == level, (preset, level.seed, values)


def any_spec(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """A preset, and values for it that are in range."""
    if chance.random() < 0.4:
        width = chance.choice([1, 2, 3, 5])
        values: dict[str, Any] = {
            "rooms": chance.randint(1, 60), "roughness": chance.randint(0, 100), "hallway_width": width,
            "drop": chance.choice(["strip", "square", "disc"]), "body": chance.randint(1, min(3, width)),
        }  # fmt: skip
        return "gungeon", values
    width = chance.choice([1, 3, 5])
    values = {
        "stage": chance.randint(1, 12), "hard": chance.random() < 0.5, "door_width": width,
        "body": chance.randint(1, min(3, width)), "curse": chance.choice(_CURSES),
    }  # fmt: skip
    return chance.choice(["isaac", "rebirth"]), values


def floor_case(seed: int, _: Path) -> None:
    """One floor of the kept facts, then a random one: its growth against the oracle, its rooms against the rules."""
    facts = test_draws.FACTS["floors"]
    assert test_draws.differences(facts[seed % len(facts)]) == []
    chance = random.Random(seed)
    start, target, ends = 1 + chance.randrange(2**32 - 1), chance.randint(1, 45), chance.randint(0, 9)
    more = {"xl": chance.random() < 0.3, "patient": chance.random() < 0.7}
    mask = chance.choice([0x1FFE, 0x1FF0, chance.randrange(0x1000) << 1])
    expected = oracle.topology(start, target, ends, shape_mask=mask, blocked=(), tries=20, **more)
    if expected is not None:
        grown = topology(start, target, ends, shape_mask=mask, **more)
        assert (grown.rooms, grown.distances, grown.dead_ends, grown.state) == expected, (start, target, ends)
    spec = RebirthSpec(
        stage=chance.randint(1, 12), hard=chance.random() < 0.5,
        curse=chance.choice(_CURSES), edition=chance.choice(_EDITIONS),
    )  # fmt: skip
    try:
        plan = floorplan(spec, start)
    except GenerationFailed:  # a labyrinth that is the Void too, which no game has, seldom fits on the board
        assert spec.stage == _VOID and spec.curse == "labyrinth", (start, spec)
        return
    assert rules.broken_rules(plan, spec) == [], (start, spec)
