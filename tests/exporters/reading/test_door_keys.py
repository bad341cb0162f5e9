"""What a person writes into a door's `needs`: a door is never free by mistake."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from exporters.reading.back import bring_back
from exporters.reading.objects import door_edits, new_door_edits
from exporters.reading.seen import Edits, SeenThing, ShownLevel
from generator.geometry import Rect
from generator.level import Property
from tests.exporters.reading.exported import exported, level_of

MISTAKES: tuple[Property, ...] = (
    "coins; coins",
    " ",
    ",",
    "coins, ,coins",
    5,
    1.5,
    False,
    ", ".join(["coins"] * 21),
)


def shown_door(needs: Property | None) -> SeenThing:
    properties = {"kind": "open", **({} if needs is None else {"needs": needs})}
    return SeenThing("1", 0, "door", Rect(1, 1, 1, 1), properties, "door object 7")


def edits_of(needs: Property | None) -> tuple[Edits, list[str]]:
    """What comes of a door that needed two coins."""
    before, now = (ShownLevel(doors=[shown_door(value)]) for value in ("coins, coins", needs))
    notes: list[str] = []
    return door_edits(before, now, level_of("isaac"), notes), notes


@pytest.mark.parametrize(
    ("needs", "expected"), [("coins", ("coins",)), ("a_key,coins", ("a_key", "coins")), ("", ()), (None, ())]
)
def test_names_with_commas_between_are_keys(needs: str | None, expected: tuple[str, ...]) -> None:
    assert edits_of(needs) == ({("door", 0, "needs"): expected}, [])


@pytest.mark.parametrize("needs", MISTAKES)
def test_a_door_keeps_its_price_if_the_new_one_is_no_list_of_keys(needs: Property) -> None:
    edits, (note,) = edits_of(needs)
    assert edits == {}
    assert note.startswith("door object 7: needs stays as it was: ") and "; give " in note
    added: list[str] = []
    assert new_door_edits([shown_door(needs)], level_of("isaac").kinds, added) == {}
    assert len(added) == 1 and added[0].startswith("door object 7: left out: needs: ")


def test_the_file_the_object_and_the_property_are_named(tmp_path: Path) -> None:
    level = level_of("gungeon")
    first, *others = level.doors
    priced = replace(level, doors=(replace(first, needs=("brass", "brass")), *others))
    main = exported(priced, "map", tmp_path)
    main.write_text(main.read_text("utf-8").replace('"brass, brass"', '"brass; brass"'), "utf-8")
    back = bring_back(main)
    assert back.level.doors == priced.doors
    (note,) = back.notes
    assert note == (
        "object 8 (door): needs stays as it was: 'brass; brass' is not a list of keys; give names of a-z, "
        "0-9 and _ with commas between, or no text if it needs none"
    )
