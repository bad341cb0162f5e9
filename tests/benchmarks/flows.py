"""Plans of flows a second of CPU time, tries, and tiles of hallway a connection, beside those of `random`.

For dense flows: the seconds of CPU time of a plan and the longest hallway, with the free search and without it.

python tests/benchmarks/flows.py [SEEDS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import networkx

from generator.styles.gungeon import flow_floor
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.flows.records import shipped_flows
from generator.styles.gungeon.plan import HeapPlan
from generator.styles.gungeon.spec import GungeonSpec
from tests.generator.styles.gungeon.flows.plans import graph_text, planar_graph


def ringed(rooms: int, loops: int) -> str:
    """The TOML of a row of rooms with as many loops of six, and dead ends for the rest."""
    names = [f"r{number}" for number in range(rooms - 2)]
    row = ["gate", *names[: 6 * loops], "throne"]
    lines = ["[flow]", f'name = "{rooms} rooms, {loops} loops"']
    for name in ("gate", *names, "throne"):
        kind = {"gate": "start", "throne": "boss"}.get(name, "normal")
        lines += ["[[room]]", f'id = "{name}"', f'kind = "{kind}"']
    lines += ["[[connection]]", f"path = {row}"]
    for loop in range(loops):
        lines += ["[[connection]]", f"path = {[names[6 * loop], names[6 * loop + 5]]}"]
    for number, name in enumerate(names[6 * loops :]):
        lines += ["[[connection]]", f"path = {[names[(1 + 3 * number) % (6 * loops)], name]}"]
    return "\n".join(lines).replace("'", '"')


def dense_flows() -> dict[str, str]:
    """The TOML of dense flows, by name."""
    grid = networkx.grid_2d_graph
    triangulated = grid(5, 5)
    triangulated.add_edges_from(((x, y), (x + 1, y + 1)) for x in range(4) for y in range(4))
    graphs = {
        "ladder of 30": networkx.ladder_graph(30),
        "grid of 8 x 8": grid(8, 8),
        "triangulated 5 x 5": triangulated,
        "icosahedron": networkx.icosahedral_graph(),
    }
    edges = {
        name: networkx.convert_node_labels_to_integers(graph, ordering="sorted").edges
        for name, graph in graphs.items()
    }
    for rooms, extra in ((7, 6), (30, 60), (60, 30), (200, 20)):
        edges[f"{rooms} rooms and {extra} more"] = planar_graph(1, rooms, extra)
    return {name: graph_text([*pairs]) for name, pairs in edges.items()}


def measure_dense(path: Path, label: str, seeds: int = 3) -> None:
    """Print a line: seconds of CPU time and the longest hallway, with the usual tries, and with none."""
    usual = flow_floor._MAX_TRIES
    parts = []
    for tries in (usual, 0):
        flow_floor._MAX_TRIES = tries
        start = time.process_time()
        plans = [floorplan(GungeonSpec(flow=str(path)), seed) for seed in range(seeds)]
        spent = (time.process_time() - start) / seeds
        longest = max(len(hallway.path) for plan in plans for hallway in plan.hallways)
        parts.append(f"{spent:6.2f} s  longest hallway {longest:4} tiles")
    flow_floor._MAX_TRIES = usual
    print(f"{label:28} {'   from an embedding: '.join(parts)}", flush=True)


def measured(label: str, spec: GungeonSpec, seeds: int) -> float:
    """Print a line; tiles of hallway a connection."""
    floorplan(spec, 1_000_000)
    start = time.process_time()
    plans: list[HeapPlan] = [floorplan(spec, seed) for seed in range(seeds)]
    spent = time.process_time() - start
    tries = sorted(plan.tries for plan in plans)
    hallways = [hallway for plan in plans for hallway in plan.hallways]
    tiles = sum(len(hallway.tiles) for hallway in hallways) / len(hallways)
    rooms = sum(len(plan.rooms) for plan in plans) / seeds
    loops = sum(int(plan.facts["loops"]) for plan in plans) / seeds
    print(
        f"{label:28} {seeds / spent:7.1f} plans/s  {rooms:5.1f} rooms  {loops:4.1f} loops  "
        f"tries {sum(tries) / seeds:.2f}, 99 of 100 in {tries[seeds * 99 // 100]}  {tiles:5.1f} tiles",
        flush=True,
    )
    return tiles


def main() -> None:
    """The shipped flows, and rows of rooms of the sizes that peers are measured with."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    usual = measured("random", GungeonSpec(), seeds)
    for name in shipped_flows():
        tiles = measured(name, GungeonSpec(flow=name), seeds)
        print(f"{'':28} {tiles / usual:.2f} times the tiles of random")
    with tempfile.TemporaryDirectory() as folder:
        for rooms, loops in ((20, 3), (50, 5)):
            measured(f"random, {rooms} rooms", GungeonSpec(rooms=rooms), seeds)
            path = Path(folder) / f"{rooms}.toml"
            path.write_text(ringed(rooms, loops), "utf-8")
            measured(f"{rooms} rooms, {loops} loops", GungeonSpec(flow=str(path)), seeds)
        for number, (name, text) in enumerate(dense_flows().items()):
            path = Path(folder) / f"dense{number}.toml"
            path.write_text(text, "utf-8")
            measure_dense(path, name)


if __name__ == "__main__":
    main()
