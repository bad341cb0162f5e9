"""Floorplans of many seeds at once: the same as one by one, interpreted and compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator import SpecError
from generator.batch.many_seeds import floorplans, many_at_once
from generator.errors import GenerationFailed, KitError
from generator.spec import spec_of
from generator.styles.columns import PlanColumns, Shorts, columns_of_plans
from generator.styles.grid.floorplan import Floorplan
from generator.styles.rebirth.floorplan import floorplan
from generator.styles.rebirth.seeds import code_of, codes_of
from generator.styles.rebirth.spec import RebirthSpec

CASES: list[dict[str, Any]] = [
    {},
    {"stage": 3, "curse": "random", "hard": True},
    {"stage": 12},
    {"stage": 11, "edition": "afterbirth"},
    {"stage": 5, "curse": "labyrinth", "edition": "rebirth"},
    {"stage": 6, "curse": "giant", "closets": 100, "large_bosses": 100},
    {"stage": 9, "rooms": 5, "edition": "afterbirth_plus", "curse": "labyrinth"},
]


def one_by_one(spec: RebirthSpec, seeds: range) -> PlanColumns:
    plans: list[Floorplan | GenerationFailed] = []
    for seed in seeds:
        try:
            plans.append(floorplan(spec, seed))
        except GenerationFailed as failed:
            plans.append(failed)
    return columns_of_plans(seeds, plans, spec.load_kit().kinds.secret_doors)


def named(numbers: Shorts, names: tuple[str, ...]) -> list[list[str]]:
    return [[names[number] if number >= 0 else "" for number in row] for row in numbers.tolist()]


def as_lists(plans: PlanColumns) -> dict[str, Any]:
    """All that is told, kinds and shapes by their names."""
    doors = plans.doors
    told = {
        key: getattr(plans, key).tolist()
        for key in ("made", "tries", "rooms", "distance", "depth", "cells", "cell_room", "extent")
    }
    told |= {key: value.tolist() for key, value in plans.facts.items()}
    told |= {"kind": named(plans.kind, plans.kinds), "shape": named(plans.shape, plans.shapes)}
    told |= {key: getattr(doors, key).tolist() for key in ("rooms", "cell", "side")}
    return told | {"door_kind": named(doors.kind, doors.kinds)}


@pytest.mark.parametrize("values", CASES, ids=str)
def test_floorplans_at_once_are_those_one_by_one(values: dict[str, Any]) -> None:
    spec = spec_of("rebirth", values)
    assert isinstance(spec, RebirthSpec)
    seeds = range(1, 26)
    plans = many_at_once(spec, seeds)
    assert plans is not None
    assert as_lists(plans) == as_lists(one_by_one(spec, seeds))


def test_no_seeds_give_no_floorplans() -> None:
    plans = floorplans("rebirth", [])
    assert len(plans) == len(plans.rooms) == len(plans.doors.kind) == 0


def test_a_seed_that_the_game_cannot_start_from_is_refused() -> None:
    with pytest.raises(SpecError, match="low 32 bits"):
        floorplans("rebirth", [1, 1 << 32])


def test_codes_at_once_are_those_one_by_one() -> None:
    seeds = [1, 7, 255, 65536, 0x12345678, 0xFFFFFFFF]
    assert codes_of(np.array(seeds, np.int64)).tolist() == list(map(code_of, seeds))


def test_rooms_of_a_kits_own_come_one_by_one(tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    kit.mkdir()
    (kit / "kit.toml").write_text(
        'name = "Own"\n[[special_room.shop]]\nstyles = ["rebirth"]\nplace = "dead_end"\nchance = "1/2"\n'
    )
    spec = spec_of("rebirth", {"kit": str(kit), "stage": 4})
    assert many_at_once(spec, [1, 2]) is None
    assert isinstance(spec, RebirthSpec)
    plans = as_lists(floorplans(spec, range(1, 12)))
    assert plans == as_lists(one_by_one(spec, range(1, 12)))
    assert plans["kind"] != as_lists(floorplans("rebirth", range(1, 12), stage=4))["kind"]


@pytest.mark.soak
@pytest.mark.usefixtures("compiling")
@pytest.mark.parametrize("values", CASES, ids=str)
def test_compiled_floorplans_are_the_interpreted_ones(
    values: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    spec, seeds = spec_of("rebirth", values), range(1, 4001)
    compiled = floorplans(spec, seeds)
    monkeypatch.setenv("UNDERCROFT_FAST", "0")
    plain = floorplans(spec, seeds)
    assert as_lists(compiled) == as_lists(plain)


def kit_of(folder: Path, rows: str) -> str:
    folder.mkdir()
    (folder / "kit.toml").write_text(f'name = "Large"\n{rows}')
    return str(folder)


def test_a_kit_with_more_than_the_tables_hold_is_refused_with_its_remedy(tmp_path: Path) -> None:
    ends = ", ".join("{ stages = [3] }" for _ in range(61))
    kit = kit_of(tmp_path / "kit", f"[[rebirth.boss]]\nends = [{ends}]\n")
    with pytest.raises(KitError, match=r"kit\.toml: rebirth\.boss: has 61 ends on stages 3 .* remove some"):
        floorplans("rebirth", [1], stage=3, kit=kit)


def test_a_kit_that_fills_the_tables_is_taken(tmp_path: Path) -> None:
    ends = ", ".join("{ stages = [3] }" for _ in range(60))
    kit = kit_of(tmp_path / "kit", f"[[rebirth.boss]]\nends = [{ends}]\n")
    assert floorplans("rebirth", [1], stage=3, kit=kit).made.all()
