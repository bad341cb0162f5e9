"""The difficulties that normal rooms of the `isaac` style are drawn from."""

from __future__ import annotations

from generator.styles.grid.difficulties import shares_of
from generator.styles.grid.special_rooms import state_facts
from generator.styles.isaac.spec import IsaacSpec


def difficulties_of(spec: IsaacSpec, curse: str) -> dict[str, int]:
    """Return the share of each difficulty by name, from the kit."""
    rules = spec.load_kit().rules
    return dict(shares_of(rules, spec.style, state_facts(spec) | {"labyrinth": curse == "labyrinth"}))
