"""Special rooms draw for draw: floors that both reverse-engineered generators gave for a made-up catalogue.

`floors.json` holds facts: for edition, stage, seed and state the rooms in their order, each as kind, shape, column,
row and the bits of the door slots behind which a room lies, how many tries it took, and both generators' last states.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generator import RebirthSpec
from generator.styles.rebirth.growth import counts
from generator.styles.rebirth.rule_table import Catalogue, CatalogueRoom, made_table
from generator.styles.rebirth.spec import RebirthState
from generator.styles.rebirth.special_rooms import special_rooms, stage_variant_number

from .drafts import FloorDraft, drawn_floor
from .oracle import SHAPES, cells_of, plus

FACTS = json.loads(Path(__file__).with_name("floors.json").read_text("utf-8"))
REACH = sorted({(floor["edition"], floor["stage"]) for floor in FACTS["floors"]})


@cache
def catalogue(number: int) -> Catalogue:
    rooms = {"mirror": [[1, 15, 1]], **FACTS["catalogues"][number]}
    return {
        kind: [CatalogueRoom(shape, doors, int(weight * 10**7)) for shape, doors, weight in each]
        for kind, each in rooms.items()
    }


def door_bits(draft: FloorDraft, number: int) -> int:
    room = draft.rooms[number]
    owners = {
        cell: other for other, each in enumerate(draft.rooms) for cell in cells_of(each.shape.id, each.anchor)
    }
    return sum(
        1 << slot
        for slot, to in SHAPES[room.shape.id][1].items()
        if owners.get(plus(room.anchor, to), number) != number
    )


def differences(facts: dict[str, Any]) -> list[str]:
    """What of a floor is not the reference's."""
    state = RebirthState(**facts["state"])
    edition, stage, seed = facts["edition"], facts["stage"], facts["seed"]
    spec = RebirthSpec(
        edition=edition,
        stage=stage,
        alternate_path=facts.get("alternate_path", False),
        hard=facts["hard"],
        curse=facts["curse"],
        state=state,
        reading="game",
    )
    numbers = counts(spec, seed)
    rows = special_rooms(spec, numbers.is_labyrinth)
    variant = stage_variant_number(spec, seed)
    table = made_table(spec, numbers, variant, rows, catalogue(facts["catalogue"]))
    grown, draft, _ = drawn_floor(numbers, table)
    kinds: list[str] = FACTS["kinds"]
    even = edition == "repentance"  # there a challenge is one, whether it is the boss's or not
    found = [
        (
            kinds.index("challenge" if even and room.kind == "boss_challenge" else room.kind),
            room.shape.id, *room.anchor, door_bits(draft, number),
        )
        for number, room in enumerate(draft.rooms)
    ]  # fmt: skip
    numbers_of = facts["rooms"]
    expected = [tuple(numbers_of[at : at + 5]) for at in range(0, len(numbers_of), 5)]
    pairs = {
        "curse": (numbers.curse, facts["drawn"] or numbers.curse),
        "rooms": (found, expected),
        "tries": (grown.tries, facts["tries"]),
        "stage generator": (draft.stage_state, facts["stage_state"]),
        "room generator": (draft.generator_state, facts["room_state"]),
    }
    return [name for name, (ours, theirs) in pairs.items() if ours != theirs]


@pytest.mark.parametrize(("edition", "stage"), REACH)
def test_kinds_shapes_places_and_doors_are_the_references(edition: str, stage: int) -> None:
    floors = [floor for floor in FACTS["floors"] if (floor["edition"], floor["stage"]) == (edition, stage)]
    assert len(floors) >= 16
    assert [(floor["seed"], found) for floor in floors if (found := differences(floor))] == []


def test_the_floors_reach_every_stage_that_a_reference_covers_and_labyrinths() -> None:
    stages = {edition: {stage for one, stage in REACH if one == edition} for edition, _ in REACH}
    assert stages == {"afterbirth_plus": {1, 2, 3, 4, 5, 6, 7, 8, 10, 11}, "repentance": set(range(1, 9))}
    assert sum(floor["drawn"] == "labyrinth" for floor in FACTS["floors"]) >= 40
    alternate = [floor for floor in FACTS["floors"] if floor.get("alternate_path")]
    assert {floor["stage"] for floor in alternate} == {1, 2, 3, 4, 5, 6}
    assert {floor["stage"] for floor in alternate if floor["drawn"] == "labyrinth"} == {1, 3, 5}
