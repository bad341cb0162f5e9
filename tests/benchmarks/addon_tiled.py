"""Importing Tiled maps in Godot: the addon's importer against another one, growth, time and memory.

python tests/benchmarks/addon_tiled.py [FOLDER OF ANOTHER IMPORTER'S addons [FOLDER OF MAPS]]

A level of 500 rooms is imported by both importers in turns, each in the same editor run; then maps of more
and more tiles by ours, in one layer, as csv and as zlib. Memory is the editor's whole peak, with the
project of one map.

With a folder of maps, only these are imported, all by one importer and then all by the other, in two turns. The
first includes the loading of scripts and images; TileSets are always made anew. Seconds are the processor's, of the
editor's main thread (Linux), so that other programs do not matter.

Measured on two cores that others used as well, Godot 4.6.3: 500 rooms 16.6 s against 76.2 s (0.22). With
less load: 62,500 tiles 0.22 s as csv and 0.17 s as zlib, 250,000 0.54 and 0.34 s, a million 1.27 and 1.19 s,
0.95 GiB; four million 5.30 and 5.48 s, 1.83 GiB.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

import exporters
import generator
from tests.engines import godot

ADDON = Path(__file__).parents[2] / "godot_addon"
ROUNDS = 3
SIZES = (250, 500, 1000)  # tiles a side; the last is a million tiles

# Imports all maps again and again with each importer, by calling it as the editor does.
PROBE = """
@tool
extends EditorPlugin

const ROUNDS := %d


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	for turn: int in ROUNDS:
		for script: String in %s:
			_time(script)
	get_tree().quit()


func _time(path: String) -> void:
	var maps := _maps("res://", [])
	var start := _now()
	var importer: EditorImportPlugin = (load(path) as GDScript).new()
	var options: Dictionary = {}
	for option: Dictionary in importer._get_import_options(maps[0], 0):
		options[option.name] = option.default_value
	var none: Array[String] = []
	var failed := 0
	for map: String in maps:
		if importer._import(map, "res://.godot/imported/out", options, none, none) != OK:
			failed += 1
	print("took ", path, " ", _now() - start, " ", failed)


# All maps; TileSets of earlier imports are removed.
func _maps(folder: String, found: Array[String]) -> Array[String]:
	for name: String in DirAccess.get_files_at(folder):
		if name.get_extension() in ["tmj", "tmx"]:
			found.append(folder.path_join(name))
		elif name.get_extension() == "tres" and name.contains(".tileset."):
			DirAccess.remove_absolute(folder.path_join(name))
	for name: String in DirAccess.get_directories_at(folder):
		if name != "addons":
			_maps(folder.path_join(name), found)
	return found


# Microseconds of the processor that this thread took.
func _now() -> int:
	var file := FileAccess.open("/proc/self/schedstat", FileAccess.READ)
	return file.get_line().get_slice(" ", 0).to_int() / 1000
"""
OURS = "res://addons/undercroft/tiled/map_importer.gd"


def project(folder: Path, scripts: list[str], rounds: int = ROUNDS) -> None:
    """A project with a plugin that times importers; the importers themselves are off."""
    shutil.copytree(ADDON / "addons", folder / "addons", dirs_exist_ok=True)
    probe = folder / "addons" / "probe"
    probe.mkdir()
    (probe / "plugin.cfg").write_text('[plugin]\nname="probe"\nscript="probe.gd"\nversion="1"\nauthor=""\n')
    (probe / "probe.gd").write_text(PROBE % (rounds, json.dumps(scripts)))
    (folder / "project.godot").write_text(
        'config_version=5\n[application]\nconfig/features=PackedStringArray("4.3")\n'
        '[editor_plugins]\nenabled=PackedStringArray("res://addons/probe/plugin.cfg")\n'
    )


def times(folder: Path) -> tuple[dict[str, list[float]], float]:
    """Seconds of each import by importer, and the editor's peak memory in GiB."""
    program = godot()
    godot().run("--headless", "--path", folder, "--import")  # images; the probe runs here too
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(
            [*program.argv, "--headless", "--editor", "--path", folder],
            env={**os.environ, **program.env},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    found: dict[str, list[float]] = {}
    for path, microseconds, error in re.findall(r"took (\S+) (\d+) (\d+)", said):
        if error != "0":
            print(f"{path}: {error} maps were not imported", file=sys.stderr)
        found.setdefault(path, []).append(int(microseconds) / 1e6)
    if not found:
        raise SystemExit(said[-3000:])
    return found, usage.ru_maxrss / 2**20


def importers(folder: Path, other: Path | None) -> list[str]:
    """The scripts of our importer and of the other one, which is copied into a project."""
    scripts = [OURS]
    if other:
        shutil.copytree(other, folder / "addons", dirs_exist_ok=True)
        (found,) = (
            path for path in (folder / "addons").rglob("*.gd") if "_get_importer_name" in path.read_text()
        )
        scripts.append("res://" + found.relative_to(folder).as_posix())
    return scripts


def small(other: Path, maps: Path) -> None:
    """All maps of a folder, by both importers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scripts = importers(folder, other)
        project(folder, scripts, rounds=2)
        shutil.copytree(maps, folder / "maps")
        found, _ = times(folder)
        for turn, what in enumerate(("first", "again")):
            ours, theirs = (found[script][turn] for script in scripts)
            print(f"{what}: ours {ours:.2f} s, other {theirs:.2f} s, ratio {ours / theirs:.2f}")


def level(other: Path | None) -> None:
    """Our level of 500 rooms, by both importers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scripts = importers(folder, other)
        project(folder, scripts)
        made = generator.generate("gungeon", seed=7, rooms=500)
        exporters.export(made, ["tiled"], name="level").write(folder)
        found_times, _ = times(folder)
        medians = [statistics.median(found_times[script][1:]) for script in scripts]
        print(f"500 rooms, {made.width}x{made.height} tiles: ours {medians[0]:.2f} s", end="")
        print(f", other {medians[1]:.2f} s, ratio {medians[0] / medians[1]:.2f}" if other else "")


def growth() -> None:
    """Maps of one full layer."""
    for packing in ("csv", "zlib"):
        for side in SIZES:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                project(folder, [OURS], rounds=2)
                made = generator.generate("isaac", seed=7)
                exporters.export(made, ["tiled"], name="level").write(folder)
                write_map(folder / "level.tmj", side, packing)
                found, peak = times(folder)
                seconds = min(found[OURS])
                rate = side * side / seconds / 1e6
                print(f"{side * side:9,} tiles, {packing}: {seconds:6.2f} s, {rate:.2f} M/s, {peak:.2f} GiB")


def write_map(path: Path, side: int, packing: str) -> None:
    """The map's header with one layer of random floor."""
    head = json.loads(path.read_text())
    gids = np.random.default_rng(1).integers(1, 200, side * side).astype("<u4")
    layer = {**head["layers"][0], "width": side, "height": side, "data": "DATA"}
    data = json.dumps(gids.tolist(), separators=(",", ":"))
    if packing == "zlib":
        layer |= {"encoding": "base64", "compression": "zlib"}
        data = f'"{base64.b64encode(zlib.compress(gids.tobytes())).decode()}"'
    whole = {**head, "width": side, "height": side, "layers": [layer]}
    path.write_text(json.dumps(whole).replace('"DATA"', data))


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    if len(given) == 2:
        small(*given)
    else:
        level(given[0] if given else None)
        growth()
