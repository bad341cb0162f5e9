from __future__ import annotations

from itertools import combinations

from exporters.objects import alike
from generator.level import Marker, Property


def test_markers_whose_values_are_written_differently_are_not_alike() -> None:
    values: list[Property] = [True, 1, 1.0, False, 0, 0.0, -0.0, "", "0"]
    keys = [alike(Marker(0, "trap", 1, 2, None, properties={"wakes": value})) for value in values]
    assert all(one != other for one, other in combinations(keys, 2))


def test_markers_of_other_places_are_alike() -> None:
    one, other = (Marker(number, "trap", number, 2, number, properties={"wakes": 0.5}) for number in (0, 1))
    assert alike(one) == alike(other)
    assert hash(alike(one)) == hash(alike(other))
