"""The difficulties that normal rooms of the `rebirth` style are drawn from."""

from __future__ import annotations

from generator.styles.grid.difficulties import shares_of
from generator.styles.rebirth.spec import RebirthSpec
from generator.styles.rebirth.special_rooms import facts_of

_NO_SECOND_FLOORS = 9  # from this stage on, a chapter has no second floor


def window(spec: RebirthSpec, curse: str) -> dict[str, int]:
    """Return the difficulties of a level's normal rooms by name, easiest first, and the share of each."""
    labyrinth = curse == "labyrinth"
    facts = {**facts_of(spec, labyrinth), "first_floor": _is_first_floor(spec, labyrinth)}
    return dict(shares_of(spec.load_kit().rules, spec.style, facts))


def _is_first_floor(spec: RebirthSpec, labyrinth: bool) -> bool:
    """Check whether it is a chapter's first floor. Repentance counts an only floor as the second."""
    if labyrinth or spec.stage >= _NO_SECOND_FLOORS:
        return not spec.is_repentance
    return spec.stage % 2 == 1
