"""What a person says of a door on its two sides, where a program shows both."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporters.reading.back import bring_back
from exporters.reading.objects import door_edits
from exporters.reading.seen import Edits, SeenThing, ShownLevel
from generator.geometry import Rect
from generator.level import Property
from tests.exporters.reading.editors import LdtkEditor, editor_of
from tests.exporters.reading.exported import exported, level_of

USUAL: dict[str, Property] = {"kind": "open", "needs": "coins", "one_way": False, "joins": ""}
VALUES: dict[str, tuple[Property, Property, object]] = {
    "kind": ("locked", "barred", "locked"),
    "needs": ("coins, coins", "", ("coins", "coins")),
    "joins": ("wide", "narrow", "wide"),
}


def edits_of(**values: tuple[Property, Property]) -> tuple[Edits, list[str]]:
    """What comes of a door whose sides say this now."""
    now = [{**USUAL, **{key: each[side] for key, each in values.items()}} for side in (0, 1)]
    shown = (
        ShownLevel(
            doors=[
                SeenThing(str(side), 0, "door", Rect(side, 1, 1, 1), own, f"side {side}")
                for side, own in enumerate(both)
            ]
        )
        for both in ([USUAL, USUAL], now)
    )
    notes: list[str] = []
    return door_edits(*shown, level_of("isaac"), notes), notes


@pytest.mark.parametrize("key", VALUES)
def test_one_side_or_both_alike_say_what_a_door_is(key: str) -> None:
    value, _, read = VALUES[key]
    for sides in ((value, value), (value, USUAL[key]), (USUAL[key], value)):
        assert edits_of(**{key: sides}) == ({("door", 0, key): read}, [])


@pytest.mark.parametrize("key", VALUES)
def test_a_door_stays_as_it_was_if_its_sides_contradict_each_other(key: str) -> None:
    one, other, _ = VALUES[key]
    edits, notes = edits_of(**{key: (one, other)}, one_way=(True, True))
    assert edits == {("door", 0, "one_way"): True}
    assert notes == [
        f"side 0 and side 1 differ about the {key} of their door; undo the change in one of them"
    ]


def test_a_contradiction_is_told_and_stays_in_the_project(tmp_path: Path) -> None:
    level = level_of("isaac")
    edit = editor_of(main := exported(level, "ldtk", tmp_path), level)
    assert isinstance(edit, LdtkEditor)
    kinds = iter(("locked", "barred"))
    for part in edit.levels:
        for layer in part["layerInstances"]:
            for entity in layer["entityInstances"]:
                fields = {field["__identifier"]: field for field in entity["fieldInstances"]}
                if entity["__identifier"] == "Door" and fields["id"]["__value"] == 0:
                    fields["kind"]["__value"] = next(kinds)
    edit.save()
    back = bring_back(main)
    (note,) = back.notes
    assert back.level == level and "differ about the kind of their door" in note and next(kinds, None) is None
