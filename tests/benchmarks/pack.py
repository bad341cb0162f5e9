"""Packs: bytes and packing time a level, memory, and how long Godot takes to build one of 12 to 18 rooms.

    python tests/benchmarks/pack.py [LEVELS]

Building is measured in processor time, from one round over the levels to eleven.

Measured on two cores that others used as well, Godot 4.6.3, 32 levels: isaac (stage 3) 5.9 KB and 6.8 ms,
rebirth (stage 2) 7.7 KB and 9.0 ms, gungeon 14.5 KB and 16.1 ms. A thousand levels of isaac (stage 1) are
3,549,448 bytes, packed in 10 s by two processes.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.godot_addon.conftest import AddonProject

STYLES = {"isaac": ("stage=3",), "rebirth": ("stage=2",), "gungeon": ()}
ROUNDS = 11
PROBE = """extends SceneTree
## PACK ROUNDS ANSWER: builds its levels of 12 to 18 rooms, and tells how many there are.

func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var pack := UndercroftPack.open(args[0])
	var levels := pack.find({"rooms": [12, 18]})
	for _i: int in int(args[1]):
		for index: int in levels:
			pack.build(index).free()
	var file := FileAccess.open(args[-1], FileAccess.WRITE)
	file.store_string(str(levels.size()))
	quit()
"""


def _seconds() -> float:
    """Processor time of all programs that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(levels: int) -> None:
    """Pack and build levels of each style."""
    with tempfile.TemporaryDirectory() as folder:
        project = AddonProject(Path(folder))
        for style, values in STYLES.items():
            out = project.folder / f"{style}.ucpack"
            sets = [part for value in values for part in ("--set", value)]
            seeds = ["--seeds", f"1:{levels + 1}", "--jobs", "1", "--quiet"]
            begin = _seconds()
            command = [sys.executable, "-m", "generator.cli", "pack", style, *seeds, *sets, "--out", str(out)]
            subprocess.run(command, check=True)
            ms = 1000 * (_seconds() - begin) / levels
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            size = out.stat().st_size / levels
            print(f"{style:8} {size:6.0f} bytes and {ms:.0f} ms to pack a level, {memory:.0f} MB at most")
        project.import_all()
        (project.folder / "probe.gd").write_text(PROBE, "utf-8")
        for style in STYLES:
            used = []
            for rounds in (1, ROUNDS):
                begin = _seconds()
                found = project.ask("../probe.gd", f"res://{style}.ucpack", str(rounds))
                used.append(_seconds() - begin)
            ms = 1000 * (used[1] - used[0]) / ((ROUNDS - 1) * found)
            print(f"{style:8} {ms:.1f} ms to build a level, of {found}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
