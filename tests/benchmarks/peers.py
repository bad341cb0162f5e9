"""Peers in other programs, where these are installed: node, python-tcod by pip, rot.js by npm in a folder.

    pip install tcod
    npm install --prefix /tmp/peers rot-js, and ROT_JS=/tmp/peers/node_modules/rot-js

Neither of the two does the same work as `gungeon`: they triangulate nothing, and search no way for a hallway.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.measure import Clock

SIDES = 320, 220  # tiles of a level of about fifty rooms
ROT_LEVELS = 20  # of rot.js in a process

_ROT_JS = """
const ROT = await import(process.argv[1]);
let start = 0;
for (let seed = 0; seed <= LEVELS; seed++) {
  if (seed === 1) start = process.cpuUsage().user;
  ROT.RNG.setSeed(seed + 1);
  const map = new ROT.Map.Digger(WIDTH, HEIGHT, {
    roomWidth: [12, 24], roomHeight: [10, 18], corridorLength: [4, 10], dugPercentage: 0.2, timeLimit: 1e9});
  map.create();
}
console.log(process.cpuUsage().user - start);
"""


def demo_in_node(rooms: int, plans: int) -> Clock | None:
    """What times floorplans of `demo_port.js`, in a process of its own that has compiled it; None without node."""
    node = shutil.which("node")
    if node is None:
        return None
    args = [node, str(Path(__file__).with_name("demo_port.js")), str(rooms), str(plans)]
    return lambda: int(subprocess.run(args, check=True, capture_output=True).stdout) / 1e6


def tcod_plan() -> Callable[[int], object] | None:
    """A level's rooms and hallways by python-tcod's binary space partition; None if it is not installed."""
    try:
        from tcod.bsp import BSP
        from tcod.random import MERSENNE_TWISTER, Random
    except ImportError:
        return None

    def plan(seed: int) -> object:
        tree = BSP(0, 0, *SIDES)
        tree.split_recursive(6, 20, 18, 1.5, 1.5, Random(MERSENNE_TWISTER, seed))
        rooms, hallways = [], []
        for node in tree.post_order():
            if node.children:
                a, b = ((each.x + each.width // 2, each.y + each.height // 2) for each in node.children)
                hallways.append([(x, a[1]) for x in range(*sorted((a[0], b[0] + 1)))])
                hallways[-1] += [(b[0], y) for y in range(*sorted((a[1], b[1] + 1)))]
            else:
                rooms.append((node.x + 1, node.y + 1, node.width - 2, node.height - 2))
        return rooms, hallways

    return plan


def rot_js() -> Clock | None:
    """What times `ROT_LEVELS` levels of rot.js's digger, in a process of its own; None if it is not there."""
    node, folder = shutil.which("node"), os.environ.get("ROT_JS")
    if node is None or not folder:
        return None
    entry = next(Path(folder).glob("lib/index.js"), None)
    if entry is None:
        raise SystemExit(f"ROT_JS: {folder} holds no lib/index.js; give the folder of the package rot-js")
    code = (
        _ROT_JS.replace("LEVELS", str(ROT_LEVELS))
        .replace("WIDTH", str(SIDES[0]))
        .replace("HEIGHT", str(SIDES[1]))
    )
    args = [node, "--input-type=module", "-e", code, str(entry)]
    return lambda: int(subprocess.run(args, check=True, capture_output=True).stdout) / 1e6
