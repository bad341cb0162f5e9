"""How long Godot takes to import LDtk projects: ours against another importer, and by number of tiles.

    python tests/benchmarks/addon_ldtk.py [FOLDER]

FOLDER is a Godot project with godot-ldtk-importer in `addons/ldtk-importer`. It is measured twice: as it is
installed, where it makes no node of an entity and none of an IntGrid's values, and with its options for both,
which ours always makes. Every run is a fresh copy of
the project; an import that is no import of a level (the editor's own start) is measured and taken off.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import exporters
import generator
from tests.engines import godot

ADDON = Path(__file__).parents[2] / "godot_addon" / "addons"
ROOMS = 500
STARTS = 3
SIZES = (50_000, 100_000, 200_000, 400_000)
SETTINGS = """config_version=5

[application]

config/features=PackedStringArray("4.3")

[editor_plugins]

enabled=PackedStringArray("res://addons/{}/plugin.cfg")
"""


ALIKE = "use_entity_placeholders=true\ninteger_grid_tilesets=true\n"
"""Options of godot-ldtk-importer with which it makes nodes of what ours makes nodes of."""


def imported(addon: Path, files: Path, options: str = "") -> tuple[float, float]:
    """Seconds of CPU, and the most memory (GiB), of the editor that imports a folder's files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(addon, folder / "addons" / addon.name)
        (folder / "project.godot").write_text(SETTINGS.format(addon.name))
        godot().run("--headless", "--path", folder, "--import")
        shutil.copytree(files, folder, dirs_exist_ok=True)
        if options:
            remap = '[remap]\n\nimporter="ldtk.import"\ntype="PackedScene"\n\n[params]\n\n'
            (folder / "large.ldtk.import").write_text(remap + options)
        start = time.perf_counter()
        command = [*godot().argv, "--headless", "--path", str(folder), "--import"]
        quiet = subprocess.DEVNULL
        editor = subprocess.Popen(command, env={**os.environ, **godot().env}, stdout=quiet, stderr=quiet)
        _, status, usage = os.wait4(editor.pid, 0)
        wall = time.perf_counter() - start
        scenes = list(folder.glob(".godot/imported/*.scn")) + list(folder.glob(".godot/imported/*.tscn"))
        if not scenes and list(files.glob("*.ldtk")):
            raise SystemExit(f"{addon.name} imported nothing (exit status {status})")
        return min(usage.ru_utime + usage.ru_stime, wall), usage.ru_maxrss / 1024**2


def with_many_tiles(text: str, count: int) -> str:
    """One level of a project, with so many tiles in its layer of tiles by hand."""
    side = int(count**0.5)
    level = re.search(r'"__identifier": "Terrain_fixed".*?"gridTiles": \[', text, re.S)
    assert level, "no layer Terrain_fixed"
    rows = -(-count // side)
    tiles = ",\n".join(
        f'{{ "px": [{i % side * 16},{i // side * 16}], "src": [{i % 32 * 16},{i % 9 * 16}], "f": {i % 4}, '
        f'"t": {i % 32 + i % 9 * 32}, "d": [{i}], "a": 1 }}'
        for i in range(count)
    )
    head = level.group(0)
    grown = re.sub(r'"__cWid": \d+', f'"__cWid": {side}', head)
    grown = re.sub(r'"__cHei": \d+', f'"__cHei": {rows}', grown)
    return text.replace(head, grown + "\n" + tiles + ",", 1).replace(tiles + ",]", tiles + "]", 1)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = {"ours": ADDON / "undercroft"}
        if len(sys.argv) > 1:
            sides["theirs"] = Path(sys.argv[1]) / "addons" / "ldtk-importer"
        (folder / "empty").mkdir()
        level = generator.generate("gungeon", 7, rooms=ROOMS)
        for levels in ("one", "rooms"):
            files = folder / levels
            exporters.export(level, "ldtk", {"ldtk.levels": levels}, name="large").write(files)
        for side, addon in sides.items():
            start = min(imported(addon, folder / "empty")[0] for _ in range(STARTS))
            for options in ("", ALIKE) if side == "theirs" else ("",):
                for levels in ("one", "rooms"):
                    seconds, memory = imported(addon, folder / levels, options)
                    what = f"{ROOMS} rooms, levels={levels}{', nodes' if options else ''}"
                    print(f"{side:6} {what:32} {seconds - start:6.2f} s, {memory:.2f} GiB", flush=True)
        small = exporters.export(generator.generate("gungeon", 7, rooms=3), "ldtk", name="small")
        start = min(imported(sides["ours"], folder / "empty")[0] for _ in range(STARTS))
        for count in SIZES:
            files = folder / str(count)
            small.write(files)
            source = files / "small.ldtk"
            source.write_text(with_many_tiles(source.read_text(), count))
            seconds, memory = imported(sides["ours"], files)
            print(f"{count:8,} tiles: {seconds - start:6.2f} s, {memory:.2f} GiB")


if __name__ == "__main__":
    main()
