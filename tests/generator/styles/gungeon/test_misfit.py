"""Which exit or marker of a layout is too narrow for a body or a hallway."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.interiors.layout_file import parse_layout
from generator.styles.gungeon.dealing import too_narrow
from generator.styles.gungeon.furnishing.gungeon_layouts import images_of, shipped_layouts


def misfit(exits: str, *rows: str, hallway: int = 2, body: int = 2) -> str:
    text = "\n".join([f"exits: {exits}", "", "map:", *rows])
    return too_narrow(images_of(parse_layout(text, Path("x.txt"))), hallway, body)


OPEN = ["." * 9] * 5


@pytest.mark.parametrize(
    ("exits", "rows", "says"),
    [
        ("N any", OPEN, ""),
        ("N 4-5, S any", ["...", "...", *OPEN], ""),
        (
            "N 5, S any",
            ["####.####", "####.####", *OPEN],
            "a hallway 2 tiles wide cannot use its exit N 5; make the way wider, or set hallway_width = 1 and "
            "body = 1",
        ),
        (
            "N 2, N 8, S any",
            ["#.#####.#", "#.#####.#", *OPEN],
            "a hallway 2 tiles wide cannot use its exits N 2 and N 8; make the way wider, or set "
            "hallway_width = 1 and body = 1",
        ),
        (
            "N 4-5, S any",
            ["##....###", "##....###", "###.#####", *OPEN],
            "a body of 2 x 2 tiles cannot use its exit N 4-5; make the way 2 tiles wide, or set body = 1",
        ),
        (
            "S any",
            ["##.######", "##.######", "##C######", "##.######", *OPEN],
            "a body of 2 x 2 tiles cannot get to its chest (line 6, column 3); make the way 2 tiles wide, or "
            "set body = 1",
        ),
        (
            "N any",
            ["....X....", "........."],
            "nobody can get to its boss (line 4, column 5) from an exit that is not beside it; clear a path "
            "without hazards, at least two tiles deep",
        ),
    ],
)
def test_what_is_too_narrow_is_named(exits: str, rows: list[str], says: str) -> None:
    assert misfit(exits, *(row.ljust(9, ".") for row in rows)) == says


@pytest.mark.parametrize("hallway", [1, 2, 3])
@pytest.mark.parametrize("body", [1, 2, 3])
def test_a_cause_is_named_for_every_layout_that_is_not_used(hallway: int, body: int) -> None:
    for image in shipped_layouts()["normal"][::9]:
        fits = image.exits(hallway, body) is not None
        assert bool(too_narrow([image], hallway, body)) is not fits, image.name
