"""Packs in a browser: how long a level of the demo's packs takes to build in Chromium and in Godot, in turns.

    python tests/benchmarks/pack_in_browser.py [LEVELS]

Milliseconds of the main thread's time in Godot, and of the clock in Chromium, which also waits for its blocks to be
unpacked; each is the mean over the first levels of a pack, blocks included, and the least of three rounds.

Measured on two busy cores, Chromium 156, Godot 4.6.3, 400 levels: isaac 0.99 and 6.19 ms, rebirth 1.73 and 10.81 ms,
gungeon 2.00 and 13.46 ms.
"""

from __future__ import annotations

import base64
import shutil
import sys
import tempfile
from pathlib import Path

from exporters.formats.pack.web import web_reader
from tests.browser import browser
from tests.godot_addon.conftest import AddonProject

LEVELS = Path(__file__).parents[2] / "godot_addon" / "demo" / "levels"
STYLES = ("isaac", "rebirth", "gungeon")
ROUNDS = 3
PROBE = """extends SceneTree
## PACK LEVELS ANSWER: the milliseconds that the levels took.

func _init() -> void:
	var args := OS.get_cmdline_user_args()
	var pack := UndercroftPack.open("res://%s.ucpack" % args[0])
	pack.build(0).free()
	var begin := _used()
	for index: int in int(args[1]):
		pack.build(index).free()
	var file := FileAccess.open(args[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify((_used() - begin) / 1000.0))
	quit()

func _used() -> int:
	var file := FileAccess.open("/proc/thread-self/schedstat", FileAccess.READ)
	return int(file.get_line().get_slice(" ", 0)) / 1000
"""
IN_PAGE = """(async () => {
    const { UndercroftPack } = await import("data:text/javascript;base64,%s");
    const pack = await UndercroftPack.open(Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0)));
    await pack.build(0);
    const begin = performance.now();
    for (let index = 0; index < %d; index++) await pack.build(index);
    return performance.now() - begin;
})()"""


def main(levels: int) -> None:
    """Print the two times of each style, and their ratio."""
    reader = base64.b64encode(web_reader()).decode()
    with tempfile.TemporaryDirectory() as folder, browser() as page:
        empty = Path(folder) / "empty.html"
        empty.write_text("<!doctype html>", "utf-8")
        page.open(empty)
        project = AddonProject(Path(folder) / "game")
        for path in LEVELS.iterdir():
            shutil.copy(path, project.folder)
        project.import_all()
        (project.folder / "probe.gd").write_text(PROBE, "utf-8")
        for style in STYLES:
            data = base64.b64encode((LEVELS / f"{style}.ucpack").read_bytes()).decode()
            found = [
                (page.js(IN_PAGE % (reader, data, levels)), project.run("../probe.gd", style, str(levels)))
                for _ in range(ROUNDS)
            ]
            ours, godots = (min(times) / levels for times in zip(*found, strict=True))
            print(f"{style:8} Chromium {ours:.2f} ms, Godot {godots:.2f} ms a level: {ours / godots:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
