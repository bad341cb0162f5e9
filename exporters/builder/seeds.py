"""The seeds of a manifest's levels: a list, a range, or derived from a campaign's seed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from exporters.builder.section import ManifestTable
from generator.errors import SpecError, shown
from generator.rng import Stream
from generator.seeds import MAX_SEED
from generator.styles.registry import style as style_of

MAX_LEVELS = 1_000_000
RANGE = "([0-9]{1,20}):([0-9]{1,20})"


def seeds_of(section: ManifestTable, style: str) -> Sequence[int | str]:
    """Read the seeds of a group: a tuple, or a range, of which only the ends are checked. Raises BadInput."""
    value = section.raw("seeds", 'give a list, or a range such as "0:100"')
    if isinstance(value, list):
        if not value:
            raise section.fail("seeds", 'is empty; give at least one, or a range such as "0:100"')
        return checked_seeds(section, "seeds", value, style)
    match = re.fullmatch(RANGE, value) if isinstance(value, str) else None
    if not match:
        raise section.fail("seeds", f'{shown(value)} is not a list or a range; give one like "0:100"')
    seeds = range(int(match[1]), int(match[2]))
    if not 0 < seeds.stop - seeds.start <= MAX_LEVELS or seeds.stop - 1 > MAX_SEED:
        problem = f"is not a range of 1 to {MAX_LEVELS} seeds; give the first seed and the one after the last"
        raise section.fail("seeds", f"{shown(value)} {problem}")
    checked_seeds(section, "seeds", [seeds[0], seeds[-1]], style)
    return seeds


def checked_seeds(
    section: ManifestTable, key: str, values: Sequence[object], style: str
) -> tuple[int | str, ...]:
    """Check the seeds in a list, each a number or a text. Raises BadInput."""
    seeds: list[int | str] = []
    for seed in values:
        if isinstance(seed, str) and re.fullmatch(RANGE, seed):
            raise section.fail(key, f"{shown(seed)} is a range; give it alone, not in a list")
        if not isinstance(seed, (int, str)) or isinstance(seed, bool):
            raise section.fail(key, f"{shown(seed)} is not a seed; give numbers, or texts in quotes")
        try:
            number, text = style_of(style).read_seed(seed)
        except SpecError as error:
            raise section.fail(key, str(error)) from None
        seeds.append(number if text is None else text)
    return tuple(seeds)


def stage_seed(section: ManifestTable, seed: object, stage_name: str, style: str) -> int | str:
    """Return the seed of a campaign's stage: the run's if its stages share one, else derived from its name.

    So a stage keeps its level when stages before it are added or removed.
    """
    (checked,) = checked_seeds(section, "seed", [seed], style)
    if style_of(style).one_seed_per_run:
        return checked
    number, _ = style_of(style).read_seed(checked)
    return Stream(number, f"campaign.{stage_name}").word()
