"""Whole numbers and truth values of numpy are taken wherever Python's own are."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import exporters
from generator import (
    GungeonSpec,
    IsaacSpec,
    RebirthSpec,
    RerollError,
    SpecError,
    State,
    Stream,
    generate,
    load_spec,
    reroll,
)
from generator.seeds import plain

WHOLE = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (np.int64(7), 7),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.bool_(True), True),
        (np.float64(0.5), 0.5),
        (np.str_("x"), "x"),
        (np.array([15, 9]), [15, 9]),
        (np.array(3), 3),
        (7, 7),
        ("x", "x"),
        (None, None),
    ],
)
def test_each_becomes_pythons_own(given: object, wanted: object) -> None:
    assert plain(given) == wanted and type(plain(given)) is type(wanted)


@pytest.mark.parametrize("kind", WHOLE)
def test_seeds(kind: type[np.integer[Any]]) -> None:
    for style in ("isaac", "rebirth", "gungeon"):
        level = generate(style, kind(7))
        assert type(level.seed) is int
        assert level.to_dict() == generate(style, 7).to_dict()
    assert generate("isaac", np.uint64(2**64 - 1), until="floorplan").rooms
    with pytest.raises(SpecError, match=r"seed: -7 is out of range"):
        generate("isaac", np.int64(-7))
    with pytest.raises(SpecError, match=r"seed: True is neither a whole number nor a text"):
        generate("isaac", np.bool_(True))  # type: ignore[call-overload]


@pytest.mark.parametrize("kind", WHOLE)
def test_values_of_specs(kind: Any) -> None:
    assert IsaacSpec(stage=kind(3), state=State(coins=kind(5))) == IsaacSpec(stage=3, state=State(coins=5))
    assert load_spec("isaac").replace({"stage": kind(3), "state.coins": kind(5)}).to_dict()["stage"] == 3
    sizes: Any = np.array([17, 21], dtype=kind)
    assert GungeonSpec(boss_width=sizes) == GungeonSpec(boss_width=(17, 21))
    assert json.dumps(RebirthSpec(stage=kind(2), hard=np.True_).to_dict())  # type: ignore[arg-type]
    with pytest.raises(SpecError, match=r"stage: 13 is out of range"):
        IsaacSpec(stage=kind(13))
    with pytest.raises(SpecError, match=r"hard: 1 is not of type boolean"):
        IsaacSpec(hard=kind(1))
    with pytest.raises(SpecError, match=r"stage: True is not of type integer"):
        IsaacSpec(stage=np.True_)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", WHOLE)
def test_rooms_that_are_rolled(kind: Any) -> None:
    level = generate("isaac", 7)
    wanted = reroll(level, room=[2, 3], times=2, seed=5)
    assert reroll(level, room=np.array([2, 3], kind), times=kind(2), seed=kind(5)) == wanted
    assert reroll(level, room=kind(2)) == reroll(level, room=2)
    assert reroll(level, pin=kind(0)) == reroll(level, pin=[kind(0)]) == reroll(level, pin=0)
    assert json.dumps(reroll(level, room=kind(2), seed=kind(5)).to_dict())
    with pytest.raises(RerollError, match=r"room: 99 is not a room of this level"):
        reroll(level, room=kind(99))
    with pytest.raises(RerollError, match=r"room: 1.0 is not a room of this level"):
        reroll(level, room=np.float64(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", WHOLE)
def test_streams_and_options(kind: Any) -> None:
    assert Stream(kind(7), "x", kind(3)).words(3).tolist() == Stream(7, "x", 3).words(3).tolist()
    level = generate("isaac", 7)
    options = [{"png.scale": 2, "png.markers": True}, {"png.scale": kind(2), "png.markers": np.True_}]
    assert exporters.export(level, "png", options[0]) == exporters.export(level, "png", options[1])
