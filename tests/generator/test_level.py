"""A level is a value: frozen all through, also after it was copied or came back from a worker."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from generator import Level, generate


@cache
def made() -> Level:
    return replace(generate("isaac", 7), rerolls=({"room": 3},))


WAYS: dict[str, Callable[[Level], Level]] = {
    "made": lambda level: level,
    "pickled": lambda level: pickle.loads(pickle.dumps(level)),
    "deep copy": copy.deepcopy,
    "copy": copy.copy,
    "replaced": lambda level: replace(level, seed_text=None),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_in_a_level_can_be_changed(way: Callable[[Level], Level]) -> None:
    level = made()
    assert level.covered.any() and level.fingerprint  # caches are filled before the level is sent
    level = way(level)
    for array in (level.terrain, level.decor, level.covered):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    marker = next(marker for marker in level.markers if marker.properties)
    for table in (level.facts, marker.properties, *level.rerolls):
        with pytest.raises(TypeError):
            table["curse"] = "lost"  # type: ignore[index]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_copy_is_the_same_level(way: Callable[[Level], Level]) -> None:
    level = way(made())
    assert level == made() and hash(level) == hash(made())
    assert level.to_dict() == made().to_dict()
    assert level.markers == made().markers and level.facts == made().facts


def test_a_level_keeps_no_hold_of_the_tables_that_it_was_made_of() -> None:
    facts: dict[str, bool | int | float | str] = {"curse": "none"}
    level = replace(made(), facts=facts)
    facts["curse"] = "lost"
    assert level.facts == {"curse": "none"}
