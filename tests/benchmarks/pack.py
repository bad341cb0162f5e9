"""Packs: bytes and packing time a level, memory, and how long Godot takes to build one of 12 to 18 rooms.

    python tests/benchmarks/pack.py [LEVELS]

Times are processor time of Godot's main thread, means over the levels (the kernel counts in steps of some ms, so no
single one is exact). Of a cold level the block is read and unpacked, of a warm one it is there. Packs of all sizes
of blocks take turns, so that others on the machine disturb them alike.

Measured on two busy cores, Godot 4.6.3, 32 levels, with 8, 16 and 32 levels a block: isaac (stage 3) 6.3, 5.9, 5.7 KB
and cold 10.9, 12.0, 14.0 ms; rebirth (stage 2) 8.0, 7.7, 7.5 KB and 13.9, 15.4, 18.3 ms; gungeon 14.8, 14.5, 14.4 KB
and 25.5, 28.0, 33.6 ms. In blocks of 16, a thousand levels of isaac (stage 1)
are 3,549,448 bytes, packed in 10 s by two processes.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.godot_addon.conftest import AddonProject

STYLES = {"isaac": ("stage=3",), "rebirth": ("stage=2",), "gungeon": ()}
SIZES = (8, 16, 32)  # levels a block
PROBE = """extends SceneTree
## STYLE SIZE... ANSWER: builds the levels of 12 to 18 rooms of all packs by turns, and tells how many builds there
## were, and of each size the microseconds that cold and warm ones took in all.

const TRIES := 5

func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var packs: Dictionary[String, UndercroftPack] = {}
	var used := {"builds": 0}
	for size: String in args.slice(1, -1):
		packs[size] = UndercroftPack.open("res://%s-%s.ucpack" % [args[0], size])
		packs[size].build(0).free()
		used[size] = [0, 0]
	for index: int in packs["16"].find({"rooms": [12, 18]}):
		for _i: int in TRIES:
			used["builds"] += 1
			for size: String in packs:
				packs[size]._blocks._kept.clear()
				for warm: int in 2:
					var begin := _used()
					packs[size].build(index).free()
					used[size][warm] += _used() - begin
	var file := FileAccess.open(args[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(used))
	quit()

func _used() -> int:
	var file := FileAccess.open("/proc/thread-self/schedstat", FileAccess.READ)
	return int(file.get_line().get_slice(" ", 0)) / 1000
"""
# The command line, with blocks of another size.
PACKER = """
import sys
from exporters.builder import pack_sources as make
make.LEVELS_A_BLOCK = int(sys.argv.pop(1))
from generator.cli import main
main()
"""


def _seconds() -> float:
    """Processor time of all programs that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(levels: int) -> None:
    """Pack and build levels of each style, in blocks of each size."""
    with tempfile.TemporaryDirectory() as folder:
        project = AddonProject(Path(folder))
        for style, values in STYLES.items():
            for size in SIZES:
                _pack(project.folder / f"{style}-{size}.ucpack", style, values, levels, size)
        project.import_all()
        (project.folder / "probe.gd").write_text(PROBE, "utf-8")
        for style in STYLES:
            found = project.run("../probe.gd", style, *map(str, SIZES))
            for size in SIZES:
                cold, warm = (us / found["builds"] / 1000 for us in found[str(size)])
                print(
                    f"{style:8} {size:2} a block: {cold:.1f} ms to build a cold level, {warm:.1f} ms a warm one"
                )


def _pack(out: Path, style: str, values: tuple[str, ...], levels: int, size: int) -> None:
    sets = [part for value in values for part in ("--set", value)]
    seeds = ["--seeds", f"1:{levels + 1}", "--jobs", "1", "--quiet"]
    begin = _seconds()
    command = [sys.executable, "-c", PACKER, str(size), "pack", style, *seeds, *sets, "--out", str(out)]
    subprocess.run(command, check=True)
    ms = 1000 * (_seconds() - begin) / levels
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    used = out.stat().st_size / levels
    print(
        f"{style:8} {size:2} a block: {used:.0f} bytes and {ms:.0f} ms to pack a level, {memory:.0f} MB at most"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
