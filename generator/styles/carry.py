"""What a player is likely to have after a level of a run.

`carried.toml` of a kit is the table of what rooms give.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from generator.kinds.rule_tables import Gift
from generator.rng import Stream
from generator.spec import LevelSpec
from generator.spec.base import GameState
from generator.spec.game import State
from generator.styles.special_rooms import kit_facts

USUAL_KINDS = ("start", "normal")  # rooms that every level has, which a memory does not list
_ALIVE = 1  # half hearts that the player keeps at least


def state_after(spec: LevelSpec, state: State, stage: int, kinds: Iterable[str], stream: Stream) -> State:
    """Draw the state in which a level of a spec, with rooms of these kinds, is likely to leave the player."""
    kit = spec.load_kit()
    values = {**state.table(), **kit_facts(kit, spec)}
    ranges = {name: row.range for name, row in kit.rules.facts.items()} | ranges_of(state)
    for kind in kinds:
        for gift in kit.rules.carried.get(kind, ()):
            if stage >= gift.stage:
                values = _given(gift, values, ranges, stream)
    own = tuple((name, values.pop(name)) for name in kit.rules.facts)
    return type(state)(**values, own=own)


def _given(
    gift: Gift, before: Mapping[str, Any], ranges: Mapping[str, tuple[int, int]], stream: Stream
) -> dict[str, Any]:
    """Roll a row. Takes one word, and another for each number drawn from a range."""
    numerator, denominator = map(int, gift.chance.split("/"))
    comes = stream.chance(numerator, denominator)
    gives = {
        key: stream.between(*value) if isinstance(value, list) else value for key, value in gift.gives.items()
    }
    changed = dict(before)
    if not comes or any(before.get(key, 0) < least for key, least in gift.needs.items()):
        return changed
    for key in gives.keys() & before.keys():
        value = gives[key]
        changed[key] = value if isinstance(value, bool) else before[key] + value
    changed.update({key: gift.sets[key] for key in gift.sets.keys() & before.keys()})
    return in_range(before, changed, ranges)


def in_range(
    before: Mapping[str, Any], changed: dict[str, Any], ranges: Mapping[str, tuple[int, int]]
) -> dict[str, Any]:
    """Clip the numbers among the changed values to the spec's ranges and to what the player may lose."""
    for name, (low, high) in ranges.items():
        changed[name] = max(low, min(high, changed[name]))
    alive = min(_ALIVE, before["red_hearts"])
    changed["red_hearts"] = max(alive, min(changed["red_hearts"], changed["heart_containers"]))
    return changed


def ranges_of(state: GameState) -> dict[str, tuple[int, int]]:
    """Return the ranges of the numbers, as the spec declares them."""
    declared = {field.name: field.metadata["value"] for field in dataclasses.fields(state) if field.metadata}
    return {name: (value.low, value.high) for name, value in declared.items() if value.low is not None}
