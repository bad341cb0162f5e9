"""The works of the table, one function for each group of rows."""

from __future__ import annotations

import itertools
import random
import tempfile
from collections.abc import Callable, Iterator

import exporters
import generator
from generator.batch.many_seeds import level_in_turn
from generator.batch.search import Query, search_block
from generator.compiled.loader import bulk
from generator.rng import Stream
from generator.styles.rebirth import growth_kernel, topology
from generator.styles.rebirth.board import new_floor
from generator.styles.rebirth.growth import ALL_SHAPES, MAX_TRIES
from tests.benchmarks import demo_port, heap_port, peers
from tests.benchmarks.measure import (
    Row,
    child_cpu,
    child_peak,
    cpu_seconds,
    in_turns,
    rate_row,
    timed,
    yardstick,
)

FORMATS = {".tscn": ("godot", 4300), ".tmj": ("tiled", 7000), ".ldtk": ("ldtk", 3700), "png": ("png", 1300)}
WHERE = 'rooms.boss.distance >= 9 and count("secret") == 1'
_MANY = 20_000  # seeds of what is made in bulk
_COLD = {"isaac": 2.2, "gungeon": 3.5, "rebirth": None}  # times numpy's own start


def _repeat(make: Callable[[int], object], times: int) -> Callable[[], None]:
    """Make so many, each time with other seeds."""
    turns = itertools.count()

    def work() -> None:
        first = next(turns) * times
        for seed in range(first, first + times):
            make(seed)

    return work


def floorplans() -> Iterator[Row]:
    """Floorplans of the grid styles, and searching them."""
    spec = generator.IsaacSpec(rooms=15)

    def plan(seed: int) -> object:
        return generator.generate(spec, seed, until="floorplan").doors

    chance = random.Random(1)
    port = timed(_repeat(lambda _: demo_port.floorplan(15, chance), 500))
    peer = ("plain Python port, no doors", port, 500)
    yield rate_row(
        "2011 floorplan, 15 rooms, one at a time, with doors", _repeat(plan, 500), 500, of_peer=0.6, peer=peer
    )
    seeds = [1 + Stream(number, "benchmark").below(2**32 - 1) for number in range(200)]
    yield rate_row(
        "`rebirth` topology, 15 rooms, one at a time",
        lambda: [topology(seed, 15, 6) for seed in seeds],
        len(seeds),
    )
    remake = generator.RebirthSpec(stage=3, rooms=15)
    whole = _repeat(lambda seed: generator.generate(remake, seed + 1, until="floorplan"), 100)
    yield rate_row("`rebirth` whole floorplan, one at a time", whole, 100)
    query = Query(generator.IsaacSpec(stage=3), WHERE)
    search = lambda: search_block((query, range(_MANY)))  # noqa: E731
    yield rate_row("`search` by a floorplan fact", search, _MANY, target=840)


def bulk_floorplans() -> Iterator[Row]:
    """Floorplans of many seeds at once, compiled where numba is installed."""
    spec = generator.IsaacSpec(rooms=15)
    work = lambda: generator.floorplans(spec, range(_MANY)).doors  # noqa: E731
    yield rate_row("2011 floorplan, 15 rooms, in bulk", work, _MANY, target=1380)
    if clock := peers.demo_in_node(15, _MANY):
        port = ("JavaScript port in node, no doors", clock, _MANY)
        yield rate_row("2011 floorplan, 15 rooms, in bulk, against a port", work, _MANY, peer=port)
    kernel, floor = bulk(growth_kernel, "rebirth", pays=True), new_floor()
    seeds = [1 + Stream(number, "benchmark").below(2**32 - 1) for number in range(_MANY)]

    def grow() -> None:
        for seed in seeds:
            kernel.grow_floor(floor, seed, 15, 6, ALL_SHAPES, False, True, 0, MAX_TRIES)

    yield rate_row("`rebirth` topology, 15 rooms, in bulk", grow, _MANY, target=220)
    remake = generator.RebirthSpec(stage=3, rooms=15)
    whole = lambda: generator.floorplans(remake, seeds).doors  # noqa: E731
    yield rate_row("`rebirth` whole floorplan, in bulk", whole, _MANY, target=140)


def heaps() -> Iterator[Row]:
    """Plans and levels of `gungeon`."""
    spec = generator.GungeonSpec(rooms=50)
    plans = _repeat(lambda seed: generator.generate(spec, seed, until="floorplan"), 10)
    port = ("plain Python port", timed(_repeat(lambda seed: heap_port.dungeon(50, seed), 1)), 1)
    yield rate_row("`gungeon` plan, 50 rooms", plans, 10, target=0.57, peer=port)
    if split := peers.tcod_plan():
        peer = ("tcod.bsp, no triangulation, no search", timed(_repeat(split, 50)), 50)
        yield rate_row("`gungeon` plan, 50 rooms, against tcod", plans, 10, peer=peer)
    if dig := peers.rot_js():
        peer = ("rot.js Digger, in a process of its own", dig, peers.ROT_LEVELS)
        yield rate_row("`gungeon` plan, 50 rooms, against rot.js", plans, 10, peer=peer)
    for rooms, times, target in ((50, 5, 0.17), (500, 1, 0.018)):
        sized = generator.GungeonSpec(rooms=rooms)
        work = _repeat(lambda seed, sized=sized: generator.generate(sized, seed), times)  # type: ignore[misc]
        yield rate_row(f"`gungeon` whole level, {rooms} rooms", work, times, target=target)


def bulk_heaps() -> Iterator[Row]:
    """The same for many seeds: floorplans by compiled kernels, where numba is installed.

    They know no set pieces, which a level of 24 rooms or more has unless it asks for none.
    """
    few, many = generator.GungeonSpec(), generator.GungeonSpec(rooms=50, set_pieces="none")
    generator.floorplans(few, range(30 * few.few))  # waits for the kernels, and says that they are there
    for name, spec in (("15 rooms", few), ("50 rooms without set pieces", many)):
        work = lambda spec=spec: generator.floorplans(spec, range(1000)).doors  # noqa: E731
        yield rate_row(f"`gungeon` plan, {name}, in bulk", work, 1000)
        make = lambda seed, spec=spec: level_in_turn(spec, seed)  # noqa: E731
        for seed in range(_MANY, _MANY + 60):  # as in a long run, with kernels and most layouts
            make(seed)
        yield rate_row(f"`gungeon` whole level, {name}, in bulk", _repeat(make, 10), 10)


def levels() -> Iterator[Row]:
    """Whole levels of the grid styles, and one in all formats."""
    for style, target in (("isaac", 4.4), ("rebirth", 2.1)):
        make = lambda seed, style=style: generator.generate(style, seed + 1, rooms=15)  # noqa: E731
        yield rate_row(f"`{style}` whole level, 15 rooms", _repeat(make, 30), 30, target=target)
    level = generator.generate("isaac", 7, rooms=15)
    names = exporters.format_names()
    found = in_turns(lambda: exporters.export(level, names))
    work = f"15-room level in {len(names)} formats"
    yield Row(work, found.yardsticks, 8.8, less=True)


def tiles() -> Iterator[Row]:
    """Tiles of a level of 500 rooms into each format, as many as fit into a yardstick."""
    level = generator.generate("gungeon", 7, rooms=500)
    size = level.width * level.height
    for suffix, (form, target) in FORMATS.items():
        work = lambda form=form: exporters.export(level, [form])  # noqa: E731
        yield rate_row(f"{suffix}, 500 rooms", work, size, target=target, rounds=3)


def cold_starts() -> Iterator[Row]:
    """From a command line to a Godot scene, as times of importing numpy alone; all of it processor time."""
    with tempfile.TemporaryDirectory() as folder:
        for style, target in _COLD.items():
            turns = []
            for turn in range(6):
                out = f"{folder}/{style}/{turn}"  # a new one: files that are there are compared first
                args = ("-m", "generator.cli", "generate", style, "--to", "godot", "--out", out)
                turns.append((child_cpu(("-c", "import numpy")), child_cpu(args), cpu_seconds(yardstick)))
            del turns[0]  # which fills the disk's cache
            ratio = sorted(ours / bare for bare, ours, _ in turns)[2]
            sticks = sorted(ours / stick for _, ours, stick in turns)[2]
            work = f"cold start to a Godot scene, `{style}`"
            yield Row(work, sticks, target, "import numpy", ratio, of_peer=target is not None, less=True)


def growth() -> Iterator[Row]:
    """Time per room and memory, from 50 rooms to 10,000."""
    for rooms, rounds in ((50, 5), (500, 3), (2_000, 1), (10_000, 1)):
        spec = generator.GungeonSpec(rooms=rooms)
        turns = []
        for seed in range(rounds):
            stick = cpu_seconds(yardstick)
            turns.append((cpu_seconds(lambda spec=spec, seed=seed: generator.generate(spec, seed)), stick))  # type: ignore[misc]
        took, stick = min(turns)
        yield Row(f"`gungeon`, {rooms:,} rooms, time per room", took / stick / rooms, less=True)
    for rooms in (50, 10_000):
        most = child_peak(f"import generator; generator.generate('gungeon', 1, rooms={rooms})")
        yield Row(f"`gungeon`, {rooms:,} rooms, memory of the process in MiB", most, less=True)


_ALL = (floorplans, bulk_floorplans, heaps, bulk_heaps, levels, tiles, cold_starts, growth)
GROUPS = {each.__name__: each for each in _ALL}
