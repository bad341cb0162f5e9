"""Random chains of edits, syncs and new levels, with an oracle that finds rooms in its own simple way.

    edit in Tiled | LDtk | Godot, or two of them  ─▶  sync, perhaps  ─▶  generate with another seed | rooms | theme,
    or nothing new, perhaps in a clone without the record  ─▶  sync

After each step all files of the level show one level. An edit is in the level wherever its room is, in the files as a
lost edit, or on the list.
"""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner, Result

from exporters.reading.files import ExportFiles
from exporters.reading.forms import form_of
from generator.checks.base import owners
from generator.cli.group import main
from generator.geometry import Point
from generator.level import Level, Room
from generator.level_file import load_level

from .editors import editor_of

NAME = "cellar"
FORMATS = ("json", "tiled", "ldtk", "godot")
MAINS = (f"{NAME}.tmj", f"{NAME}.ldtk", f"{NAME}.tscn")
STYLES: dict[str, list[list[str]]] = {
    "isaac": [["rooms=7"], ["rooms=9"], ["rooms=7", "hard=true"]],
    "rebirth": [["stage=1"], ["stage=2"], ["stage=1", "hard=true"]],
    "gungeon": [["rooms=7"], ["rooms=9"], ["rooms=7", "roughness=30"]],
}
SPLITS: list[list[str]] = [
    [], [], ["tiled.encoding=zlib"], ["ldtk.external=true"], ["godot.split=rooms"], ["ldtk.levels=one"],
]  # fmt: skip


class Told(NamedTuple):
    """An edit: what kind it is, what it made, where it was made, and in which room."""

    kind: str
    value: str
    tile: Point
    corner: Point
    room: tuple[object, ...]


class Chain:
    """A folder, what was done in it, and what was said."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.folder, self.seed = folder, seed
        self.style = self.chance.choice(sorted(STYLES))
        self.values = self.chance.choice(STYLES[self.style])
        self.options = self.chance.choice(SPLITS)
        self.number = self.chance.randrange(1, 50)
        self.done: list[Told] = []
        self.lines: list[str] = []
        self.log: list[str] = []

    def run(self) -> None:
        """Go on for some steps, and look at all files after each."""
        self._call(*self._generate())
        for _ in range(self.chance.randint(1, 3)):
            for _ in range(self.chance.randint(1, 3)):
                self._edit()
            if self.chance.random() < 0.5:
                self._call("sync", self.folder)
                self.look()
            if self.chance.random() < 0.2:
                shutil.rmtree(self.folder / ".undercroft")
                self.log.append("a clone")
            change = self.chance.choice(("seed", "values", "nothing", "fewer"))
            if change == "seed":
                self.number = self.chance.randrange(1, 50)
            elif change == "values":
                self.values = self.chance.choice(STYLES[self.style])
            self._call(
                *self._generate(formats=("tiled",) if change == "fewer" else FORMATS), "--edits", "merge"
            )
            self.look()
            self._call("sync", self.folder)
            self.look()

    def _generate(self, formats: tuple[str, ...] = FORMATS) -> list[str | Path]:
        words: list[str | Path] = ["generate", self.style, "--seed", str(self.number), "--name", NAME]
        for value in self.values:
            words += ["--set", value]
        for option in self.options:
            words += ["--option", option] if option.partition(".")[0] in formats else []
        for format_ in formats:
            words += ["--to", format_]
        return [*words, "--out", self.folder]

    def _call(self, *words: str | Path) -> Result:
        done = CliRunner().invoke(main, [str(word) for word in words])
        self.log.append(" ".join(map(str, words)))
        self.lines += done.stderr.splitlines()
        crash = done.exception if not isinstance(done.exception, SystemExit) else None
        assert crash is None, (self.seed, self.log, crash)
        assert done.exit_code == 0 or "]" in done.stderr or "room " in done.stderr, (
            self.seed,
            self.log,
            done.stderr,
        )
        return done

    def level(self) -> Level:
        return load_level(self.folder / f"{NAME}.level.json")

    def _edit(self) -> None:
        """Edit one file, which shows the level as it is."""
        level, name = self.level(), self.chance.choice(MAINS)
        shown = form_of(self.folder / name).identity(name, ExportFiles(self.folder))
        if shown["fingerprint"] != level.fingerprint:
            return
        edit = editor_of(self.folder / name, level)
        tiles = free_tiles(level)
        if not tiles:
            return
        tile = self.chance.choice(tiles)
        room = level.rooms[int(owners(level)[tile[1], tile[0]])]
        kind, value = self.chance.choice((("terrain", "wall"), ("terrain", "rubble"), ("marker", "chest")))
        if any(told.tile == tile for told in self.done):
            return
        if kind == "terrain":
            edit.paint(tile, value)
        else:
            edit.add_marker(value, tile, {"tier": f"t{len(self.done)}"})
            value = f"t{len(self.done)}"
        edit.save()
        self.done.append(Told(kind, value, tile, room.bounds[:2], facts(level, room)))
        self.log.append(f"{name}: {kind} {value} at {tile} in room {room.id}")

    def look(self) -> None:
        """All files show one level, and each edit is where its room is, or is told."""
        level = self.level()
        files = ExportFiles(self.folder)
        shown = {name: form_of(self.folder / name).identity(name, files)["fingerprint"] for name in MAINS}
        assert set(shown.values()) == {level.fingerprint}, (self.seed, self.log, self.lines, shown)
        left = []
        for told in self.done:
            places = [found for room in level.rooms for found in places_in(told, level, room)]
            standing = next((found for found in places if has(level, told, found.tile)), None)
            assert standing or self._is_told(told), (self.seed, self.log, self.lines, told)
            left += [standing] if standing else []
        self.done = left

    def _is_told(self, told: Told) -> bool:
        """Whether a line or a list names the place, or a file has it among its lost edits."""
        x, y = told.tile
        lists = "".join(path.read_text("utf-8") for path in self.folder.rglob("*.conflicts*.txt"))
        text = "\n".join(self.lines) + lists
        asides = [path for path in self.folder.rglob("*.mine*") if path.is_file()]
        return f"{x},{y}" in text or "Lost edits" in text or (bool(asides) and told.value in _texts(asides))


def _texts(paths: list[Path]) -> str:
    return "".join(path.read_text("utf-8", "replace") for path in paths)


def facts(level: Level, room: Room) -> tuple[object, ...]:
    """What makes a room the same in another level."""
    return room.kind, room.shape, room.layout, room.bounds[2:]


def places_in(told: Told, level: Level, room: Room) -> list[Told]:
    """Where an edit may be in a room, if that is the same one, or at least of the same kind."""
    x, y = told.tile[0] - told.corner[0] + room.bounds.x, told.tile[1] - told.corner[1] + room.bounds.y
    now = facts(level, room)
    tiles = [(x, y)] if now == told.room else [(x, y), told.tile] if room.kind == told.room[0] else []
    return [
        told._replace(tile=tile, corner=room.bounds[:2], room=now)
        for tile in tiles
        if room.bounds.contains(*tile)
    ]


def has(level: Level, told: Told, tile: Point) -> bool:
    x, y = tile
    if told.kind == "terrain":
        return level.terrain_kinds[level.terrain[y, x]].name == told.value
    return any(
        (marker.x, marker.y, marker.properties.get("tier")) == (x, y, told.value) for marker in level.markers
    )


def free_tiles(level: Level) -> list[Point]:
    """Floor in rooms, with floor around it and nothing on it."""
    names = [kind.name for kind in level.terrain_kinds]
    floor = level.terrain == names.index("floor")
    marked = {(marker.x, marker.y) for marker in level.markers}
    found = []
    for room in level.rooms:
        for y in range(room.bounds.y + 2, room.bounds.bottom - 2):
            for x in range(room.bounds.x + 2, room.bounds.right - 2):
                around = slice(y - 1, y + 2), slice(x - 1, x + 2)
                if floor[around].all() and not level.decor[around].any() and (x, y) not in marked:
                    found.append((x, y))
    return found


def as_text(chain: Chain) -> str:
    return json.dumps({"seed": chain.seed, "log": chain.log, "lines": chain.lines}, indent=1)
