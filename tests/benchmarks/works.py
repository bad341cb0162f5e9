"""What `--against` measures in each revision, in a process of that revision: `python works.py WORK`.

The process first does a work once, as a script that makes one level does, and then again for each line that it
reads. It prints the seconds of processor time that each took, and how much was done. The works need only what
revisions have in common, so this file imports nothing of the benchmarks.
"""

from __future__ import annotations

import atexit
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

Do = Callable[[range], int]
"""Does a work for each of some seeds, and returns how much it did."""


class Work(NamedTuple):
    """A work: what prepares it, and how many seeds are done at once in a running process."""

    prepare: Callable[[], Do]
    times: int


def _generate(
    style: str, until: str | None = None, preset: bool = False, **values: int | str
) -> Callable[[], Do]:
    def prepare() -> Do:
        import generator

        # A preset of the style's name may ask for other levels in another revision.
        spec = style if preset else getattr(generator, f"{style.title()}Spec")(**values)
        more: dict[str, Any] = {"until": until} if until else {}

        def do(seeds: range) -> int:
            for seed in seeds:
                generator.generate(spec, seed + 1, **more)
            return len(seeds)

        return do

    return prepare


def _export(formats: tuple[str, ...], style: str, rooms: int) -> Callable[[], Do]:
    """Export a level anew: done are its tiles, as revisions may make another level of a seed."""

    def prepare() -> Do:
        from dataclasses import replace

        import exporters
        import generator

        level = generator.generate(getattr(generator, f"{style.title()}Spec")(rooms=rooms), 7)

        def do(seeds: range) -> int:
            for _ in seeds:
                exporters.export(replace(level), formats)  # without what a level keeps once it is asked
            return level.width * level.height * len(seeds)

        return do

    return prepare


_MARKERS = {  # in a file, up to the place of its first enemy
    ".tmj": r'"type":"enemy","visible":true,"width":16,"x":()(\d+)',
    ".ldtk": r'"__identifier": "Enemy",\s+"__grid": \[(\d+)[^$]*?"px": \[(\d+)',
    ".tscn": r'\[node name="Enemy_[^\n]*\nposition = Vector2\(()(\d+)',
}


def _sync(suffix: str, rooms: int) -> Callable[[], Do]:
    """Move a marker in one file of a level, to and fro, and let `sync` bring it into the others."""

    def prepare() -> Do:
        import exporters
        import generator
        from generator.cli import main

        folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, folder)
        exporters.export(generator.generate("gungeon", 7, rooms=rooms), name="a").write(folder)

        def do(seeds: range) -> int:
            for seed in seeds:
                _move_enemy(folder / f"a{suffix}", -16 if seed % 2 else 16)
                with redirect_stdout(StringIO()), suppress(SystemExit):  # it may break a rule there
                    main.main(["sync", str(folder)], standalone_mode=False)
            return len(seeds)

        return do

    return prepare


def _move_enemy(path: Path, by: int) -> None:
    """Move the first enemy in a file sideways, by some pixels."""

    def moved(found: re.Match[str]) -> str:
        text, start = found[0], found.start()
        for group in (2, 1):
            if found[group]:
                step = by if group == 2 else by // 16
                first, end = found.start(group) - start, found.end(group) - start
                text = f"{text[:first]}{int(found[group]) + step}{text[end:]}"
        return text

    text, count = re.subn(_MARKERS[path.suffix], moved, path.read_text("utf-8"), count=1)
    assert count
    path.write_text(text, "utf-8")


def _studio(kind: str, style: str, **values: int) -> Callable[[], Do]:
    """Answer requests of the studio's page, as its workers do."""

    def prepare() -> Do:
        from exporters.studio import tasks
        from generator.garbage import collect_rarely

        collect_rarely()
        request: Any = getattr(tasks, "LevelRequest", None) or getattr(tasks, "LevelAsked", None)
        known: tuple[frozenset[str], ...] = (frozenset(),) if kind == "level" else ()

        def do(seeds: range) -> int:
            for seed in seeds:
                reply = tasks.do(kind, request(style, dict(values), str(seed + 1), "", ()), *known)
                assert reply.status == 200
            return len(seeds)

        return do

    return prepare


_FORMATS = {".json": "json", ".tscn": "godot", ".tmj": "tiled", ".ldtk": "ldtk", "png": "png"}

WORKS: dict[str, dict[str, Work]] = {
    "floorplans": {
        "`isaac` floorplan": Work(_generate("isaac", "floorplan"), 500),
        "`rebirth` floorplan": Work(_generate("rebirth", "floorplan"), 100),
        "`gungeon` plan": Work(_generate("gungeon", "floorplan"), 40),
        "`gungeon` plan, 50 rooms": Work(_generate("gungeon", "floorplan", rooms=50), 20),
        "`gungeon` plan by chance": Work(_generate("gungeon", "floorplan", flow="random"), 40),
        "`gungeon` plan by chance, 50 rooms": Work(
            _generate("gungeon", "floorplan", rooms=50, flow="random"), 20
        ),
        "`gungeon` plan, 500 rooms": Work(_generate("gungeon", "floorplan", rooms=500), 2),
    },
    "levels": {
        "`isaac` level": Work(_generate("isaac"), 200),
        "`isaac` level, 20 rooms": Work(_generate("isaac", rooms=20), 100),
        "`rebirth` level": Work(_generate("rebirth"), 80),
        "`rebirth` level, stage 10": Work(_generate("rebirth", stage=10), 30),
        "`gungeon` level": Work(_generate("gungeon"), 15),
        "`gungeon` level of the preset": Work(_generate("gungeon", preset=True), 15),
        "`gungeon` level, 50 rooms": Work(_generate("gungeon", rooms=50), 6),
        "`gungeon` level by chance, 50 rooms": Work(_generate("gungeon", rooms=50, flow="random"), 6),
        "`gungeon` level, 500 rooms": Work(_generate("gungeon", rooms=500), 1),
    },
    "tiles": {
        "15-room level in 5 formats": Work(_export(tuple(_FORMATS.values()), "isaac", 15), 10),
        **{
            f"{suffix}, 15 rooms": Work(_export((form,), "isaac", 15), 30)
            for suffix, form in _FORMATS.items()
        },
        **{
            f"{suffix}, 500 rooms": Work(_export((form,), "gungeon", 500), 2)
            for suffix, form in _FORMATS.items()
        },
    },
    "syncs": {
        f"`sync`, a marker moved in {suffix}, 500 rooms": Work(_sync(suffix, 500), 1) for suffix in _MARKERS
    },
    "studio": {
        "studio: `gungeon` floorplan, 50 rooms": Work(_studio("floorplan", "gungeon", rooms=50), 10),
        "studio: `gungeon` level, 50 rooms": Work(_studio("level", "gungeon", rooms=50), 5),
        "studio: `isaac` floorplan": Work(_studio("floorplan", "isaac"), 50),
        "studio: `isaac` level": Work(_studio("level", "isaac"), 20),
    },
}


def main(name: str) -> None:
    """Do a work once, and then as often as lines come."""
    work = next(works[name] for works in WORKS.values() if name in works)
    do = work.prepare()
    first, before = 0, 0.0  # the processor time of the start belongs to the first
    while True:
        seeds = range(first, first + work.times) if first else range(1)
        done = do(seeds)
        now = time.process_time()
        print(now - before, done, flush=True)
        first = seeds.stop
        if not sys.stdin.readline():
            return
        before = time.process_time()


if __name__ == "__main__":
    main(sys.argv[1])
