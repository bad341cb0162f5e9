"""Packs: bytes and packing time a level, memory, and how long Godot takes to build one of some 15 rooms.

python tests/benchmarks/pack.py [levels]
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.godot_addon.conftest import AddonProject

STYLES = {"isaac": ("stage=3",), "rebirth": ("stage=2",), "gungeon": ()}
PROBE = """extends SceneTree
## PACK ANSWER: how long each level of 12 to 18 rooms takes to be built, in ms, its block read or not.

func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var begin := Time.get_ticks_usec()
	var pack := UndercroftPack.open(args[0])
	var told := {"open": (Time.get_ticks_usec() - begin) / 1000.0}
	var fresh: Array[float] = []
	var others: Array[float] = []
	for index: int in pack.find({"rooms": [12, 18]}).slice(0, 200):
		for round_number: int in 2:
			begin = Time.get_ticks_usec()
			var level := pack.build(index)
			var list := others if round_number else fresh
			list.append((Time.get_ticks_usec() - begin) / 1000.0)
			level.free()
	told["first"] = fresh[0]
	told["fresh"] = fresh.slice(1)
	told["others"] = others
	var file := FileAccess.open(args[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	quit()
"""


def main(levels: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = AddonProject(Path(folder))
        for style, values in STYLES.items():
            out = project.folder / f"{style}.ucpack"
            sets = [part for value in values for part in ("--set", value)]
            begin = time.perf_counter()
            command = [
                sys.executable,
                "-m",
                "generator.cli",
                "pack",
                style,
                "--seeds",
                f"1:{levels + 1}",
                *sets,
            ]
            subprocess.run([*command, "--out", out, "--jobs", "1", "--quiet"], check=True)
            seconds = time.perf_counter() - begin
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            size = out.stat().st_size / levels
            print(
                f"{style:8} {size:7.0f} bytes and {1000 * seconds / levels:6.1f} ms a level, {memory:.0f} MB"
            )
        project.import_all()
        (project.folder / "probe.gd").write_text(PROBE, "utf-8")
        for style in STYLES:
            answer = project.folder / "answer.json"
            project.quiet("-s", "probe.gd", "--", f"res://{style}.ucpack", str(answer))
            told = json.loads(answer.read_text())
            rows = [("open", told["open"]), ("first", told["first"])]
            rows += [(name, statistics.median(told[name])) for name in ("fresh", "others")]
            rows += [("slowest", max(told["fresh"]))]
            print(
                f"{style:8} {len(told['others'])} levels:",
                ", ".join(f"{name} {ms:.1f} ms" for name, ms in rows),
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
