"""The seeds of a manifest's levels: a list, a range, or derived from a campaign's seed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.errors import shown
from generator.node import Node
from generator.rng import Stream
from generator.seeds import MAX_SEED
from generator.styles.registry import style as style_of

MAX_LEVELS = 1_000_000
RANGE = "([0-9]{1,20}):([0-9]{1,20})"


def seeds_of(section: Node, style: str) -> Sequence[int | str]:
    """Read the seeds of a group: a tuple, or a range, of which only the ends are checked. Raises BadInput."""
    node = section.needed("seeds", 'give a list, or a range such as "0:100"')
    value = node.value
    if isinstance(value, list):
        if not value:
            node.fail('is empty; give at least one, or a range such as "0:100"')
        return checked_seeds(node, value, style)
    match = re.fullmatch(RANGE, value) if isinstance(value, str) else None
    if not match:
        node.fail(f'{shown(value)} is not a list or a range; give one like "0:100"')
    seeds = range(int(match[1]), int(match[2]))
    if not 0 < seeds.stop - seeds.start <= MAX_LEVELS or seeds.stop - 1 > MAX_SEED:
        problem = f"is not a range of 1 to {MAX_LEVELS} seeds; give the first seed and the one after the last"
        node.fail(f"{shown(value)} {problem}")
    checked_seeds(node, [seeds[0], seeds[-1]], style)
    return seeds


def checked_seeds(node: Node, values: Sequence[object], style: str) -> tuple[int | str, ...]:
    """The seeds in a list, each a number or a text. Raises BadInput, which names the place of the node."""
    seeds: list[int | str] = []
    for seed in values:
        if isinstance(seed, str) and re.fullmatch(RANGE, seed):
            node.fail(f"{shown(seed)} is a range; give it alone, not in a list")
        if not isinstance(seed, (int, str)) or isinstance(seed, bool):
            node.fail(f"{shown(seed)} is not a seed; give numbers, or texts in quotes")
        with node.named():
            number, text = style_of(style).read_seed(seed)
        seeds.append(number if text is None else text)
    return tuple(seeds)


def stage_seed(seed: Node, stage_name: str, style: str) -> int | str:
    """Return the seed of a campaign's stage: the run's if its stages share one, else derived from its name.

    So a stage keeps its level when stages before it are added or removed.
    """
    (checked,) = checked_seeds(seed, [seed.value], style)
    if style_of(style).one_seed_per_run:
        return checked
    number, _ = style_of(style).read_seed(checked)
    return Stream(number, f"campaign.{stage_name}").word()
