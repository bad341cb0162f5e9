"""The numbers that follow from a start seed: see `seeds.py`."""

from __future__ import annotations

_MASK = 0xFFFFFFFF
_LAST_SLOT = 13


def shifted(x: int, right: int, left: int, again: int) -> int:
    """Return the next state of a xorshift32 generator with these shifts."""
    x ^= x >> right
    x ^= x << left & _MASK
    return x ^ x >> again


def stage_seed(start_seed: int, slot: int) -> int:
    """Return the seed of a stage, by number."""
    x = start_seed
    for _ in range(min(slot, _LAST_SLOT) + 1):
        x = shifted(x, 3, 23, 25)
    return x


def level_draws(seed_of_stage: int, curse_rate: int, void: bool) -> tuple[int, int, int, int, int]:
    """Return the fields of `seeds.LevelDraws`, with -1 for no curse."""
    x = shifted(shifted(seed_of_stage, 5, 9, 7), 5, 9, 7)
    # A copy for curse and hard mode; it is drawn from whether or not they matter.
    aside = shifted(x, 5, 9, 7)
    curse = -1
    if aside % curse_rate == 0:
        aside = shifted(aside, 5, 9, 7)
        curse = aside % 6
    x = shifted(x, 5, 9, 7)
    more_rooms = x & 1
    aside = shifted(aside, 5, 9, 7)
    drawn = 0
    if void:
        x = shifted(x, 5, 9, 7)
        drawn = x
    return curse, more_rooms, aside & 1, drawn, shifted(x, 5, 9, 7)
