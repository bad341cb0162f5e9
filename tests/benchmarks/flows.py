"""Plans of flows a second of CPU time, tries, and tiles of hallway a connection, beside those of `random`.

python tests/benchmarks/flows.py [SEEDS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.flows.library import shipped_flows
from generator.styles.gungeon.plan import HeapPlan
from generator.styles.gungeon.spec import GungeonSpec


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


if __name__ == "__main__":
    main()
