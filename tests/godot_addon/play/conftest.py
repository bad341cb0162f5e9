"""The addon's project with the demo and levels of every style in it, imported once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import exporters
import generator
from generator.cli import main
from generator.level import Level
from tests import engines, godot_server
from tests.godot_addon.conftest import ADDON, AddonProject

PROBES = Path(__file__).parent / "probes"

LEVELS: dict[str, Callable[[], Level]] = {
    "isaac": lambda: generator.generate("isaac", 8, stage=2),
    "labyrinth": lambda: generator.generate("labyrinth", 5),
    "rebirth": lambda: named(generator.generate("rebirth", 10, stage=5)),  # L shapes, rooms in their notches
    "gungeon": lambda: generator.generate("gungeon", 7),
}


FLOORS = 3
# Titles of docs/runtime.md below which a script stands, and what it is called in the project.
SCRIPTS_OF_PAGE = {
    "Large levels": "large",
    "Fog": "fog_of_page",
    "Distances": "distances",
    "Fights": "fights",
}


def write_run(folder: Path) -> None:
    """Write runs of small levels: `runs.ucpack`, and `scenes/` of the one of seed 2, which is longer."""
    folder.mkdir()
    specs = [str(folder / f"{stage}.toml") for stage in range(1, FLOORS + 1)]
    for stage, spec in enumerate(specs, 1):
        Path(spec).write_text(f'style = "isaac"\nstage = {stage}\nrooms = 8\n', "utf-8")
    for arguments in (
        ["pack", *specs, "--run", "--seeds", "1:4", "--out", str(folder / "runs.ucpack"), "--jobs", "1"],
        ["run", specs[0], "--seed", "2", "--stages", "1:3", "--to", "godot", "--out", str(folder / "scenes")],
    ):
        CliRunner().invoke(main, arguments, catch_exceptions=False)


def write_scripts_of_page(folder: Path) -> None:
    """Write the scripts of docs/runtime.md."""
    page = (ADDON.parent / "docs" / "runtime.md").read_text("utf-8")
    for title, name in SCRIPTS_OF_PAGE.items():
        section = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
        blocks = [block.partition("```")[0] for block in section.split("```gdscript\n")[1:]]
        (folder / f"{name}.gd").write_text("\n\n".join(blocks), "utf-8")


def named(made: Level) -> Level:
    """The level with names of rooms, of which one means something in scenes."""
    first, second, *others = made.rooms
    return replace(
        made, rooms=(replace(first, name="Markers"), replace(second, name="The Tsar's: 1/2"), *others)
    )


@cache
def level(name: str) -> Level:
    """A level of LEVELS, made once."""
    return LEVELS[name]()


_SETTINGS = f"""
[autoload]

StartOfProbes="*res://probes/start.gd"
{godot_server.NAVIGATION}"""
# What Debian's release template says of every container in a scene that is left, whatever the game.
_TEMPLATES_OWN = "Attempt to disconnect a nonexistent connection"


class Play(AddonProject):
    """The project with the demo, the probes, and all LEVELS.

    `NAME.level.json`, `NAME.tscn`, and `apart/NAME.tscn` with one scene per room.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        shutil.copytree(PROBES, folder / "probes", dirs_exist_ok=True)
        shutil.copytree(ADDON / "demo", folder / "demo")
        shutil.copy(ADDON / "project.godot", folder)
        for name in LEVELS:
            exporters.export(level(name), ["json", "godot"], name=name).write(folder)
            apart = {"godot.split": "rooms"}
            exporters.export(level(name), ["godot"], apart, name=name).write(folder / "apart")
        write_run(folder / "floors")
        write_scripts_of_page(folder)
        with (folder / "project.godot").open("a", encoding="utf-8") as settings:
            settings.write(_SETTINGS)
        self.can_be_exported("*.level.json", engines.godot_template())
        self.game.parent.mkdir()
        self.quiet("--export-release", "game", str(self.game))  # imports everything first

    @property
    def game(self) -> Path:
        """The project as a game is exported; its .pck lies beside it."""
        return self.folder.with_name(f"{self.folder.name}-exported") / "game"

    def play(self, script: str, exported: bool = False, **scenario: object) -> Any:
        """What a probe answers that runs in the game, which starts as it does for its player.

        An exported game of which a `picture` is asked is on a screen.
        """
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        told = json.dumps(scenario | {"answer": str(answer)})
        command = ("--fixed-fps", "60", "--", "--probe", f"res://probes/{script}", told)
        if exported:
            on_screen = "picture" in scenario
            program = engines.exported(self.game, on_screen=on_screen)
            screen = () if on_screen else ("--headless",)
            done = program.run(*screen, *command, cwd=self.game.parent, display=on_screen)
            said = [line for line in done.stderr.splitlines() if line.startswith(("ERROR", "SCRIPT"))]
            assert not [line for line in said if _TEMPLATES_OWN not in line], done.stderr
        else:
            self.quiet(*command)
        return json.loads(answer.read_bytes())


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """The project, imported."""
    return Play(tmp_path_factory.mktemp("play"))
