"""Which difficulties the normal rooms of the `rebirth` style are drawn from (rebirth-wiki, "Normal Room")."""

from __future__ import annotations

from generator.kinds import DIFFICULTIES
from generator.spec import RebirthSpec

Window = dict[int, int]  # the share of each difficulty

_COMMON, _LESS_COMMON = 2, 1


def window(spec: RebirthSpec, curse: str) -> dict[str, int]:
    """The difficulties of a level's normal rooms by name, the easiest first, and the share of each."""
    shares: Window = {}
    for one in _windows(spec, curse):
        for difficulty, share in one.items():
            shares[difficulty] = max(share, shares.get(difficulty, 0))
    return {name: shares[number] for name, number in DIFFICULTIES.items() if number in shares}


def _windows(spec: RebirthSpec, curse: str) -> list[Window]:
    """One window, or for a labyrinth of Repentance those of both floors of a chapter."""
    repentance = spec.edition == "repentance"
    if spec.is_void:
        return [_void(spec.hard, repentance)]
    if curse == "labyrinth" or spec.stage >= 9:  # a labyrinth, or chapters without a second floor
        floors = (1, 2) if repentance and curse == "labyrinth" else (2,) if repentance else (1,)
    else:
        floors = (2 - spec.stage % 2,)
    return [(_hard if spec.hard else _normal)(floor, spec.edition) for floor in floors]


def _normal(floor: int, edition: str) -> Window:
    return _between(1, 5) if floor == 1 else _between(5, 10)


def _hard(floor: int, edition: str) -> Window:
    match floor, edition:
        case 1, "repentance":
            return _between(1, 10) | {1: _LESS_COMMON, 10: _LESS_COMMON}
        case 1, _:
            return _between(5, 5)
        case _, "repentance":
            return _between(5, 15) | {5: _LESS_COMMON}
        case _, "afterbirth_plus":
            return _between(10, 15)
    return _between(10, 10)


def _void(hard: bool, repentance: bool) -> Window:
    if hard:
        return _between(5, 20 if repentance else 15)
    return _between(5, 10) | ({20: _COMMON} if repentance else {})


def _between(low: int, high: int) -> Window:
    return {number: _COMMON for number in DIFFICULTIES.values() if low <= number <= high}
