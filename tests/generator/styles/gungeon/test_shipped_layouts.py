"""The rooms that the style ships: enough of each sort, and each of use in a default level."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.styles.gungeon.dealing import pool
from generator.styles.gungeon.furnishing.gungeon_layouts import CONNECTOR, HUB, GungeonLayout, shipped_layouts
from generator.styles.gungeon.spec import GungeonSpec

SPEC = GungeonSpec(body=2)
FILES = {image.file: image for images in shipped_layouts().values() for image in images if not image.image}


def sort_of(layout: GungeonLayout) -> str:
    """Its room kind, or the tag that sets it apart from other fights."""
    return next((tag for tag in (HUB, CONNECTOR) if tag in layout.layout.tags), layout.file.split("/")[0])


def test_there_are_many_of_each_sort() -> None:
    many = Counter(map(sort_of, FILES.values()))
    least = {"normal": 60, "boss": 12, "hub": 10, "connector": 8, "shop": 8, "chest": 8, "start": 8}
    assert {sort: number for sort, number in least.items() if many[sort] < number} == {}


@pytest.mark.parametrize("kind", shipped_layouts())
def test_each_is_of_use_in_a_default_level(kind: str) -> None:
    useful = {
        card.images[0].file
        for card in pool(SPEC, kind)
        if any(image.exits(SPEC.hallway_width, SPEC.body) is not None for image in card.images)
    }
    assert {file for file in FILES if file.startswith(f"{kind}/")} == useful


def test_each_names_its_idea() -> None:
    texts = {file: layout.layout.path.read_text("utf-8") for file, layout in FILES.items()}
    assert [file for file, text in texts.items() if not text.startswith("// ")] == []


def test_no_two_have_the_same_map() -> None:
    maps = Counter(layout.layout.rows for layout in FILES.values())
    assert [rows for rows, number in maps.items() if number > 1] == []
