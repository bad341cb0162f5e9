"""Floorplans of many seeds at once: those that are made one at a time, interpreted and compiled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator import IsaacSpec, PlanColumns, floorplans, load_spec
from generator.batch import many_seeds
from generator.batch.facts import FACTS
from generator.batch.search import Query, search_block
from generator.batch.stats import count_block
from generator.compiled import loader
from generator.styles.isaac import bulk, bulk_kernel

SPECS = [
    IsaacSpec(stage=3),
    IsaacSpec(stage=5, curse="random", hard=True),
    IsaacSpec(stage=4, curse="labyrinth"),
    IsaacSpec(stage=6, secret_room="demo"),
]
NAMES = ["stage 3", "random curses", "labyrinth", "demo"]
CONDITIONS = [
    'rooms.boss.distance >= 6 and count("secret") == 1',
    'loops == 1 or dead_ends in (5, 6, "x")',
    'not rooms.shop.depth < 4 and curse != "lost"',
    'curse in ("labyrinth", "none") and tries - 1 > 2 * 1.5',
    "rooms.library.distance not in [1, 2, rooms.shop.distance]",
    "-longest <= -5 and columns * rows > 20 and keys == 0",
    'rooms.arcade.depth != 3 or shapes("1x1") < 12',
    "3 < rooms.boss.depth <= 5",
]
FACT_NAMES = tuple(name for name, fact in FACTS.items() if not fact.needs_level)


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """What makes `many_at_once` give nothing until it is undone."""
    for module in ("many_seeds", "search", "stats"):
        monkeypatch.setattr(f"generator.batch.{module}.many_at_once", lambda spec, seeds: None)
    yield monkeypatch


def named(plans: PlanColumns) -> dict[str, Any]:
    """The arrays, with names in the place of numbers that are counted differently."""
    arrays = plans.arrays()
    names = {"kind": plans.kinds, "shape": plans.shapes, "door_kind": plans.doors.kinds}
    for key, words in names.items():
        arrays[key] = np.array([*words, ""])[arrays[key]]
    return {key: value for key, value in arrays.items() if key not in ("kinds", "shapes", "door_kinds")}


def assert_same(first: PlanColumns, second: PlanColumns) -> None:
    ours, others = named(first), named(second)
    assert ours.keys() == others.keys()
    for key, value in ours.items():
        assert np.array_equal(value, others[key]), key


@pytest.mark.parametrize("spec", SPECS, ids=NAMES)
def test_arrays_hold_what_is_made_one_by_one(spec: IsaacSpec, one_by_one: pytest.MonkeyPatch) -> None:
    alone = floorplans(spec, range(60))
    one_by_one.undo()
    assert_same(floorplans(spec, range(60)), alone)


def test_a_seed_without_a_floorplan_is_not_made(one_by_one: pytest.MonkeyPatch) -> None:
    one_by_one.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 30)
    alone = floorplans("isaac", range(40), stage=9)
    one_by_one.setattr("generator.batch.many_seeds.many_at_once", bulk.floorplans)
    made = floorplans("isaac", range(40), stage=9)
    assert 0 < made.made.sum() < 40
    assert_same(made, alone)


def test_the_curses_of_the_kernel_are_those_of_the_style() -> None:
    spec = IsaacSpec(stage=1, curse="random", hard=True)
    told = [bulk.one.draw_curse(spec, seed) for seed in range(300)]
    assert floorplans(spec, range(300)).facts["curse"].tolist() == told


@pytest.mark.parametrize("where", CONDITIONS)
def test_a_search_finds_the_same_in_arrays(where: str, one_by_one: pytest.MonkeyPatch) -> None:
    query = Query(IsaacSpec(stage=3, curse="random", hard=True), where)
    assert query.condition().in_columns
    alone = search_block((query, range(150)))
    one_by_one.undo()
    assert search_block((query, range(150))) == alone


@pytest.mark.parametrize("where", ["rooms * 99999999999 * 9999999 > 5", "rooms < 1e999", "width > 3"])
def test_what_arrays_cannot_hold_is_looked_at_one_by_one(where: str) -> None:
    assert Query(IsaacSpec(), where).condition().in_columns is None


def test_facts_are_counted_alike(one_by_one: pytest.MonkeyPatch) -> None:
    task = (IsaacSpec(stage=3, curse="random"), FACT_NAMES, range(80))
    alone = count_block(task)
    one_by_one.undo()
    assert count_block(task) == alone


def test_a_kit_whose_rooms_come_last_is_made_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = bulk.tables_of(IsaacSpec(), False)
    monkeypatch.setattr(bulk, "tables_of", lambda spec, labyrinth: asked._replace(later=(object(),)))
    assert bulk.floorplans(IsaacSpec(), range(3)) is None
    assert len(floorplans("isaac", range(3))) == 3


@pytest.mark.usefixtures("compiling")
def test_compiled_and_interpreted_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what was compiled is kept, and loaded again. LLVM optimises little here, which takes less time."""
    numba = pytest.importorskip("numba")
    monkeypatch.setattr(numba.config, "OPT", numba.core.config._OptLevel(1))
    monkeypatch.setattr(loader, "_compiled", loader._compiled.__wrapped__)
    monkeypatch.setattr("generator.compiled.loader.user_folder", lambda: tmp_path / "kernels")
    compiled = loader.bulk(bulk_kernel, "isaac", pays=True)
    assert compiled is not bulk_kernel
    for spec in SPECS:
        interpreted = bulk.floorplans(spec, range(60))
        with monkeypatch.context() as patched:
            patched.setattr(bulk, "bulk", lambda *_, pays: compiled)
            assert_same(bulk.floorplans(spec, interpreted.seeds.tolist()), interpreted)
    again = loader.bulk(bulk_kernel, "isaac", pays=True)
    with monkeypatch.context() as patched:
        patched.setattr(bulk, "bulk", lambda *_, pays: again)
        bulk.floorplans(SPECS[0], range(2))
    assert sum(again.make_plans.stats.cache_hits.values()) == 1


@pytest.mark.soak
@pytest.mark.usefixtures("compiling")
def test_a_million_seeds_are_the_same_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = IsaacSpec(stage=3)
    for start in range(0, 1_000_000, 20_000):
        seeds = range(start, start + 20_000)
        compiled = bulk.floorplans(spec, seeds)
        with monkeypatch.context() as patched:
            patched.setenv(loader.SWITCH, "0")
            assert_same(bulk.floorplans(spec, seeds), compiled)


@pytest.mark.parametrize("style", ["rebirth", "gungeon"])
def test_every_style_has_arrays(style: str, tmp_path: Path) -> None:
    plans = floorplans(style, range(1, 4))
    alone = many_seeds._one_by_one(load_spec(style), range(1, 4))
    assert_same(plans, alone)
    plans.save(tmp_path / "plans.npz")
    with np.load(tmp_path / "plans.npz") as saved:
        assert {name: saved[name].tolist() for name in saved} == {
            name: value.tolist() for name, value in plans.arrays().items()
        }
