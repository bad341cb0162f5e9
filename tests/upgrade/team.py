"""The folder of a team that worked with version 0.2.0, as `team-0.2.0.tar.xz` holds it.

dungeon/undercroft.toml     two cellars (isaac, all formats) and a vault (gungeon; rooms apart; a pack)
dungeon/kit, look, flows, rooms, specs
                            a kit from `kit new`, a theme of its own, a flow, a layout, a spec of each style
dungeon/levels              built; with the record of what was written
cellar-1.tmj                a rock painted and an enemy moved, and brought back with `sync`
cellar-1_edit.tscn          a node added, as Godot saves it
cellar-2.ldtk               an enemy moved, as LDtk saves it, and not yet brought back
run.json                    a saved game of the demo, left by a player in the third room
"""

from __future__ import annotations

import shlex
import tarfile
from pathlib import Path
from typing import NamedTuple

import undercroft
from click.testing import CliRunner

from generator.cli import main
from tests.folders import files_in

PACKED = Path(__file__).parent / "team-0.2.0.tar.xz"


class Said(NamedTuple):
    """What a command gave: its exit status and its lines."""

    status: int
    out: list[str]
    err: list[str]


class Team:
    """The team's folder, unpacked."""

    def __init__(self, folder: Path) -> None:
        with tarfile.open(PACKED) as packed:
            packed.extractall(folder, filter="data")
        self.folder = folder / "dungeon"
        self.cellars = self.folder / "levels" / "cellars"
        self._unpacked = self._sources()

    def _sources(self) -> dict[str, bytes]:
        found = files_in(self.folder)
        return {name: data for name, data in found.items() if not name.startswith("levels/")}

    def run(self, command: str) -> Said:
        words = [word.replace("HERE", str(self.folder)) for word in shlex.split(command)]
        done = CliRunner().invoke(main, words)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Said(done.exit_code, done.stdout.splitlines(), done.stderr.splitlines())

    def level(self, name: str) -> undercroft.Level:
        return undercroft.load_level(self.cellars / f"{name}.level.json")

    def enemies(self, name: str) -> set[tuple[int, int]]:
        return {(marker.x, marker.y) for marker in self.level(name).markers if marker.kind == "enemy"}

    def succeeds(self, command: str) -> None:
        """A command ends well, or says only that the new level has something where an enemy was moved to."""
        done = self.run(command)
        told = [line for line in (*done.out, *done.err) if "[" in line]
        taken = [line for line in told if "at 41,24 [markers-apart]" in line]
        assert done.status == int(bool(taken)) and told == taken, (command, done)

    def is_sound(self) -> None:
        """Nothing that a person did is lost, no file is broken, and whatever the levels are made from stays."""
        self.succeeds("check HERE/levels")
        assert self._sources() == self._unpacked
        assert 'name="Campfire"' in (self.cellars / "cellar-1_edit.tscn").read_text("utf-8")
        assert (41, 24) in self.enemies("cellar-1") and (42, 24) not in self.enemies("cellar-1")
        decor = self.level("cellar-1").decor
        assert decor[22, 41] > 0
