"""Hardly a field of a level.json can be changed without a problem, except those on the list of what is free."""

from __future__ import annotations

import random
import re

import pytest

from generator import generate
from tests.generator.mutations import FREE, LEVELS, is_free, missed, mutations


@pytest.mark.parametrize("number", range(len(LEVELS)))
@pytest.mark.parametrize("step", [150, pytest.param(1, marks=pytest.mark.soak)])
def test_nearly_every_change_of_a_field_is_seen(number: int, step: int) -> None:
    style, values = LEVELS[number]
    counted, unseen = missed(generate(style, 7, **values), values.get("kit", ""), random.Random(7), step)
    assert counted > 300 // step
    assert len(unseen) <= counted / 100, [one.said for one in unseen]


def test_the_list_of_what_is_free_is_about_fields_that_levels_have() -> None:
    fields = {
        one.field
        for style, values in LEVELS[:4]
        for one in mutations(generate(style, 7, **values).to_dict(), random.Random(7))
    }
    assert [pattern for pattern in FREE if not any(re.fullmatch(pattern, field) for field in fields)] == []
    assert not any(map(is_free, ("rooms.*.kind", "doors.*.rooms", "facts.loops", "seed")))
