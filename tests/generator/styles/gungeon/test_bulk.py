"""Floorplans of many seeds by kernels: those that are made one at a time, interpreted and compiled."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator import GungeonSpec, SpecError, generate, kinds, levels
from generator.algorithms import separation, separation_kernel, triangulation, triangulation_kernel
from generator.batch import many_seeds
from generator.batch.facts import FACTS
from generator.batch.stats import count_block
from generator.compiled import loader
from generator.errors import GenerationFailed
from generator.rng import Stream
from generator.styles.columns import PlanColumns, columns_of_plans
from generator.styles.gungeon import bulk
from generator.styles.gungeon import plan_kernel as bulk_kernel
from generator.styles.gungeon.bulk import Maker, tables_of
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.plan import HeapPlan
from tests.combinations import usually

SHIPPED_ROOMS = Path(kinds.__file__).parent / "shipped"
GARDEN = Path(__file__).parents[4] / "docs" / "examples" / "garden"
SPECS = {
    "as it comes": GungeonSpec(),
    "the start alone": GungeonSpec(rooms=1),
    "start and boss": GungeonSpec(rooms=2),
    "few": GungeonSpec(rooms=7, drop="square", hallway_width=1),
    "many": GungeonSpec(rooms=70, drop="disc", set_pieces="none"),
    "wide": GungeonSpec(rooms=24, set_pieces="none", hallway_width=5, body=3, procedural_share=100),
    "drawn": GungeonSpec(
        rooms=30, procedural_share=0, loop_share=(40, 100), loop_length=90, set_pieces="none"
    ),
    "large rooms": GungeonSpec(rooms=20, enemy_width=(7, 60), enemy_height=(7, 50), body=2),
    "no boss": GungeonSpec(boss_rooms=(0, 0), linearity=(90, 90)),
    "many chests": GungeonSpec(chest_rooms=(6, 6), enemy_rooms=(7, 8)),
    "a crowd of chests": GungeonSpec(chest_rooms=(8, 8), enemy_rooms=(0, 4), branching=(0, 0)),
    "a short way": GungeonSpec(rooms=14, linearity=(15, 15), loop_share=(50, 50)),
    "bosses alone": GungeonSpec(boss_rooms=(3, 3), enemy_rooms=(0, 0), shop_rooms=(0, 0), chest_rooms=(0, 0)),
}


def maker(spec: GungeonSpec, kernel: Any = bulk_kernel) -> Maker:
    tables = tables_of(spec)
    assert tables
    return Maker(spec, tables, kernel)


def one_by_one(spec: GungeonSpec, seeds: range) -> PlanColumns:
    return columns_of(spec, seeds, plans_of(spec, seeds))


def columns_of(
    spec: GungeonSpec, seeds: Sequence[int], plans: list[HeapPlan | GenerationFailed]
) -> PlanColumns:
    return columns_of_plans(seeds, plans, spec.load_kit().kinds.secret_doors)


def plans_of(spec: GungeonSpec, seeds: Sequence[int]) -> list[HeapPlan | GenerationFailed]:
    plans: list[HeapPlan | GenerationFailed] = []
    for seed in seeds:
        try:
            plans.append(floorplan(spec, seed))
        except GenerationFailed as failed:
            plans.append(failed)
    return plans


def assert_same(ours: PlanColumns, others: PlanColumns) -> None:
    first, second = ours.arrays(), others.arrays()
    for plans, arrays in ((ours, first), (others, second)):
        arrays["kind"] = np.array([*plans.kinds, ""])[arrays["kind"]]
        del arrays["kinds"], arrays["door_kinds"]  # a floorplan without connections has none
    assert first.keys() == second.keys()
    for key, value in first.items():
        assert np.array_equal(value, second[key]), key


@pytest.mark.parametrize("name", usually(["start and boss", "few", "drawn", "no boss", "many chests"], SPECS))
def test_kernels_make_the_floorplans_of_one_at_a_time(name: str) -> None:
    spec = SPECS[name]
    made, seeds = maker(spec), (0, 2**64 - 1)
    alone = plans_of(spec, seeds)
    for seed, plan in zip(seeds, alone, strict=True):
        if isinstance(plan, GenerationFailed):
            with pytest.raises(GenerationFailed, match=str(plan)):
                made.plan(seed)
        else:
            assert made.plan(seed) == plan
    assert_same(bulk.columns(made, seeds), columns_of(spec, seeds, alone))


def test_kernels_know_the_kinds_and_layouts_of_a_kit() -> None:
    spec = GungeonSpec(kit=str(GARDEN), rooms=23)
    assert maker(spec).plan(3) == floorplan(spec, 3)


def test_tries_are_counted() -> None:
    spec = GungeonSpec(rooms=14)
    tries = [floorplan(spec, seed).tries for seed in range(20)]
    assert len(set(tries)) > 2
    assert [maker(spec).plan(seed).tries for seed in range(20)] == tries
    assert bulk.columns(maker(spec), range(20)).tries.tolist() == tries


def test_space_that_is_too_small_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "_TILES", 64)
    monkeypatch.setattr(bulk, "_BLOCK_NUMBERS", 1000)
    spec = GungeonSpec(rooms=30, set_pieces="none")
    assert maker(spec).plan(4) == floorplan(spec, 4)
    assert_same(bulk.columns(maker(spec), range(6)), one_by_one(spec, range(6)))


def test_what_kernels_leave_is_made_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = GungeonSpec(rooms=12)
    monkeypatch.setattr("generator.algorithms.triangulation_kernel.MAX_SPAN", 0)
    monkeypatch.setattr("generator.styles.gungeon.plan_kernel.MAX_SPAN", 0)
    assert maker(spec).write_down(array("Q", [1, 2]), bulk._block(maker(spec), [1, 2])) == [0, 1]
    assert_same(bulk.columns(maker(spec), range(3)), one_by_one(spec, range(3)))


def test_a_heap_that_no_level_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("plan", "bulk"):
        monkeypatch.setattr(f"generator.styles.gungeon.{module}.MAX_TILES", 4000)
    with pytest.raises(SpecError, match="a level has at most 4000"):
        maker(GungeonSpec(rooms=30, set_pieces="none")).plan(1)


def test_flows_and_rooms_by_rules_of_a_kit_are_made_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tables_of(GungeonSpec(flow="hub")) is None
    assert tables_of(GungeonSpec(only_layout="normal/hubs/wheel")) is None
    monkeypatch.setattr("generator.styles.gungeon.bulk.own_rules", lambda spec: (object(),))
    assert tables_of(GungeonSpec()) is None


def test_facts_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    names = tuple(name for name, fact in FACTS.items() if not fact.needs_level)
    spec = GungeonSpec(rooms=12)
    monkeypatch.setattr("generator.batch.stats.many_at_once", lambda spec, seeds: None)
    alone = count_block((spec, names, range(12)))
    in_columns = bulk.columns(maker(spec), range(12))
    monkeypatch.setattr("generator.batch.stats.many_at_once", lambda spec, seeds: in_columns)
    assert count_block((spec, names, range(12))) == alone


def test_whole_levels_of_many_seeds_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where kernels make the floorplans of the later ones."""
    spec = GungeonSpec(rooms=10, body=2)
    monkeypatch.setattr(bulk, "maker", lambda spec, seeds: maker(spec))
    for name in ("is_fast", "are_compiled"):
        monkeypatch.setattr(many_seeds, name, lambda *_: True)
    monkeypatch.setattr(many_seeds, "_TURNS", 2)
    assert list(levels(spec, range(4))) == [generate(spec, seed) for seed in range(4)]
    assert many_seeds._turns(spec, ())._compiled
    many_seeds._turns.cache_clear()


def test_floorplans_by_kernels_follow_a_kit_that_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "maker", lambda spec, seeds: maker(spec))
    for name in ("is_fast", "are_compiled"):
        monkeypatch.setattr(many_seeds, name, lambda *_: True)
    monkeypatch.setattr(many_seeds, "_TURNS", 1)
    kit = tmp_path / "kit.toml"
    for width in (20, 31):
        rows = (SHIPPED_ROOMS / "rooms.toml").read_text("utf-8").replace("[13, 17]", f"[{width}, {width}]")
        shop = rows[rows.index("[room.shop]") : rows.index("[room.treasure]")]
        kit.write_text(f'name = "wide"\n\n{shop}', "utf-8")
        spec = GungeonSpec(rooms=10, kit=str(tmp_path))
        alone = generate(spec, 1, until="floorplan")
        made = [many_seeds.plan_in_turn(spec, 1) for _ in range(2)]
        assert [plan.rooms for plan in made] == [alone.rooms, alone.rooms]
    many_seeds._turns.cache_clear()


@pytest.mark.soak
@pytest.mark.usefixtures("compiling")
def test_compiled_kernels_make_the_same() -> None:
    pytest.importorskip("numba")
    kernel = loader.bulk(bulk_kernel, "gungeon", pays=True)
    assert kernel is not bulk_kernel
    for spec in SPECS.values():
        made = maker(spec, kernel)
        assert_same(bulk.columns(made, range(300)), one_by_one(spec, range(300)))
        assert_same(bulk.columns(made, range(20)), bulk.columns(maker(spec), range(20)))


# --- algorithms --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rooms", [1, 2, 3, 20, 64, 65, 120])
def test_rooms_are_pushed_apart_alike(rooms: int) -> None:
    stream = Stream(rooms, "boxes")
    sides = [
        stream.below_block(bound, rooms) + least for bound, least in ((60, -30), (30, -9), (20, 7), (9, 7))
    ]
    x, y = separation.separate(*sides, margin=4)
    numbers = [array("q", side.tolist()) for side in sides]
    spare = [array("q", bytes(8 * rooms)) for _ in range(5)]
    boxes = separation_kernel.Boxes(*numbers, *spare)
    separation_kernel.separate(boxes, rooms, 4)
    assert (list(boxes.x), list(boxes.y)) == (x.tolist(), y.tolist())
    assert list(boxes.width) == sides[2].tolist()


@pytest.mark.parametrize("span", [1, 2, 3, 5, 12, 80, 9000])
def test_neighbours_are_the_same_without_scipy(span: int) -> None:
    """In small spans many points lie on one line, or on one circle."""
    for seed in range(40):
        stream = Stream(seed, "points")
        drawn = zip(stream.below_block(span, 30).tolist(), stream.below_block(span, 30).tolist(), strict=True)
        points = list(dict.fromkeys(drawn))[: stream.between(1, 30)]
        x, y = (array("q", side) for side in zip(*points, strict=True))
        mesh = triangulation_kernel.TriangleMesh(*(array("q", bytes(8 * 200)) for _ in range(7)))
        found: list[int] = []
        triangulation_kernel.triangulate(x, y, list(range(len(points))), mesh, found, 1000)
        edges = triangulation.triangulate(np.array(points))
        assert sorted({divmod(edge, 1000) for edge in found}) == edges
