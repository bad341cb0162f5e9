"""The preset `procedural`: each test names the sentences of "Procedurally Generated Dungeon" that it holds."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy import ndimage
from scipy.spatial.distance import pdist, squareform

from generator import GungeonSpec, Level, SpecError, generate, problems
from generator.kinds import PIT, WALL
from generator.styles.gungeon.connect import connect, neighbours
from generator.styles.gungeon.floorplan import scatter, separate_rooms
from generator.styles.gungeon.plan import Heap

SEEDS = range(1, 7)


@cache
def levels() -> tuple[Level, ...]:
    return tuple(generate("procedural", seed) for seed in SEEDS)


def test_levels_have_no_problems() -> None:
    assert not [found for level in levels() for found in problems(level)]


def test_spawn_boss_battle_chest_and_shop_rooms_are_all_furnished_by_procedure() -> None:
    """ "There will be boss rooms, battle rooms, chest rooms, shop rooms, and a spawn room"; none is drawn."""
    for level in levels():
        kinds = Counter(room.kind for room in level.rooms)
        assert {*kinds} == {"start", "normal", "boss", "shop", "chest"} and kinds["start"] == 1
        assert not [room.layout for room in level.rooms if "/" in room.layout]


def test_every_boss_room_is_a_pit_with_four_islands() -> None:
    """ "A big pitfall with four little islands", joined by bridges."""
    for level in levels():
        for room in level.rooms:
            if room.kind == "boss":
                assert room.layout in ("four-islands", "fallen-bridge")
                assert (level.terrain[room.bounds.slices] == PIT).mean() > 0.25


def heap_of(seed: int) -> Heap:
    spec = GungeonSpec(tree="shortest", flow="random", loop_share=(10, 40))
    return separate_rooms(scatter(spec, 3, seed, 0), 3)


def test_rooms_are_joined_by_the_shortest_tree_of_their_triangulation() -> None:
    """ "A subset of edges which together connect all connected nodes, while minimizing the total sum"."""
    spec = GungeonSpec(tree="shortest", flow="random")
    for seed in SEEDS:
        heap = heap_of(seed)
        centres = heap.centres.astype(float)
        found = connect(spec, heap, seed, 0)
        apart = squareform(pdist(centres))
        length = sum(apart[edge] for edge in found.tree)
        assert length == pytest.approx(shortest(apart, neighbours(heap)))


def shortest(apart: np.ndarray, edges: list[tuple[int, int]]) -> float:
    """The length of the shortest tree, grown room by room (Prim)."""
    inside, length = {0}, 0.0
    while len(inside) < len(apart):
        reach = [(apart[edge], edge) for edge in edges if len(inside & {*edge}) == 1]
        step, edge = min(reach)
        inside |= {*edge}
        length += step
    return length


def test_loops_join_any_rooms_that_are_near() -> None:
    """ "I added back some random edges"; "the long edges will not be added back"; their number is random."""
    spec = GungeonSpec(tree="shortest", flow="random", loop_share=(10, 40))
    joined: Counter[str] = Counter()
    numbers = set()
    for seed in range(1, 16):
        heap = heap_of(seed)
        found = connect(spec, heap, seed, 0)
        numbers.add(found.loops)
        assert found.takes_any_loop and 0 < found.loops <= len(found.loop_candidates) * 0.4 + 1
        for a, b in found.loop_candidates:
            assert ((heap.centres[a] - heap.centres[b]) ** 2).sum() <= (2 * spec.loop_length) ** 2
            joined.update((heap.kinds[a], heap.kinds[b]))
    assert len(numbers) > 3 and joined["shop"] and joined["chest"] and joined["boss"]


def test_hallways_have_a_torch_beside_each_third_tile() -> None:
    """ "I added torches that spawn in each third tile": on one wall, where one is bare.

    The steps from door to door are at least this many tiles.
    """
    wanted = hung = 0
    for level in levels():
        torches = Counter(m.hallway for m in level.markers if m.kind == "torch" and m.hallway is not None)
        for hallway in level.hallways:
            (x, y), (i, j) = (level.doors[door].tiles[0] for door in hallway.doors)
            wanted += (abs(x - i) + abs(y - j)) // 3
            hung += torches[hallway.id]
    assert wanted and hung > 0.85 * wanted


def test_floods_leave_obstacles_in_some_rooms() -> None:
    """ "This way of generating rooms will sometimes result in there already being some obstacles"."""
    rooms = [(level, room) for level in levels() for room in level.rooms if room.layout == "lazy-flood"]
    with_some = sum(bool(obstacles(level.terrain[room.bounds.slices] == WALL)) for level, room in rooms)
    assert 0.3 * len(rooms) < with_some < len(rooms)


def obstacles(walls: np.ndarray) -> int:
    """How many walls stand free of those at the edge."""
    pieces, _ = ndimage.label(walls, np.ones((3, 3)))
    edge = {*pieces[0], *pieces[-1], *pieces[:, 0], *pieces[:, -1]}
    return len({*pieces.ravel()} - edge)


def test_a_share_of_a_kind_wins_over_the_old_value_and_the_kits() -> None:
    row = GungeonSpec().row_of("boss")
    assert GungeonSpec().share_by_procedure(row) == row.procedural_share == 10
    assert GungeonSpec().replace({"procedural.boss": 0}).share_by_procedure(row) == 0
    fights = GungeonSpec().row_of("normal")
    assert GungeonSpec(procedural_share=70).share_by_procedure(fights) == 70
    spec = GungeonSpec(procedural_share=70).replace({"procedural": {"normal": 5}})
    assert spec.share_by_procedure(fights) == 5
    assert "procedural" not in GungeonSpec().saved() and "tree" not in GungeonSpec().saved()
    with pytest.raises(SpecError, match=r"procedural\.boss: 101"):
        GungeonSpec().replace({"procedural.boss": 101})
    with pytest.raises(SpecError, match=r"procedural\.bosses: unknown key"):
        GungeonSpec().replace({"procedural.bosses": 10})


def test_rooms_fall_into_a_strip_and_no_two_overlap() -> None:
    """ "I decided to place the rooms in a horizontal strip", from which they push each other apart."""
    heap = scatter(GungeonSpec(tree="shortest", flow="random"), 3, 5, 0)
    assert np.ptp(heap.x) > np.ptp(heap.y)
    rooms = heap_of(5).rects()
    for number, a in enumerate(rooms):
        for b in rooms[:number]:
            assert a.x >= b.right or b.x >= a.right or a.y >= b.bottom or b.y >= a.bottom
