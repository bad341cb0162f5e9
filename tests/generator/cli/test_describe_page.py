from __future__ import annotations

import pytest

from generator.cli.describe import DescribePage


def lines(width: int, text: str) -> list[str]:
    """The help of a value on a terminal as wide as that."""
    page = DescribePage(width, coloured=False)
    page.values([{"key": "rooms", "type": "text", "default": "", "help": text}])
    page.note(text)
    return page.text().splitlines()


@pytest.mark.parametrize(("width", "used"), [(20, 40), (40, 40), (41, 41), (80, 80), (110, 110), (200, 110)])
def test_a_line_is_as_long_as_the_terminal_within_what_can_be_read(width: int, used: int) -> None:
    assert max(len(line) for line in lines(width, "a" * (used // 2) + " " + "b" * ((used - 1) // 2))) == used
    assert max(len(line) for line in lines(width, "a " * 200)) in (used, used - 1)


def test_a_word_with_hyphens_stays_in_one_line() -> None:
    names = ("dead-ends-of-the-labyrinth", "left-out-of-the-level", "one-way-doors-and-keys")
    told = " ".join(" ".join(lines(40, " ".join(names))).split())
    assert all(told.count(name) == 2 for name in names)
