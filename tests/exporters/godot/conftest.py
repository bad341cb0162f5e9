"""A plain Godot project with levels in a folder of it, and what Godot says of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import exporters
import generator
from exporters.theme import Theme
from exporters.theme_loader import load_theme
from generator.level import Level
from tests.engines import godot
from tests.exporters import hallway_level

from . import crypt_level

SCRIPTS = Path(__file__).parent / "scripts"
# Where the levels lie: folders of the project, with a space, as people have them.
FOLDER = "my levels"
# What Mesa's software renderer says of every window, whatever is drawn in it.
_HARMLESS = ("V-Sync", "set_use_vsync")


class Way(NamedTuple):
    """A way to write scenes: where to, with which options, and the levels that try it."""

    folder: str
    target: str
    split: bool
    levels: tuple[str, ...]

    @property
    def options(self) -> dict[str, object]:
        return {"godot.target": self.target, "godot.split": "rooms" if self.split else "none"}


class Case(NamedTuple):
    """A level, its theme, its name, how it was written, and everything that Godot read back of its scene."""

    level: Level
    theme: Theme
    name: str
    way: Way
    dump: dict[str, Any]

    @property
    def scene(self) -> str:
        """Its path in the project."""
        return f"{self.way.folder}/{self.name}.tscn"


class Project:
    """A Godot project on disk."""

    def __init__(self, folder: Path, settings: str = "") -> None:
        self.folder = folder
        (folder / "project.godot").write_text(f"config_version=5\n{settings}", "utf-8")

    def run(self, *args: str, display: bool = False) -> None:
        """Run Godot on the project; anything but silence on standard error fails."""
        done = godot().run("--path", str(self.folder), *args, timeout=60, display=display)
        said = [
            line for line in done.stderr.splitlines() if line and not any(one in line for one in _HARMLESS)
        ]
        assert not said, "\n".join(said)
        assert "ERROR" not in done.stdout and "WARNING" not in done.stdout, done.stdout
        assert done.returncode == 0

    def ask(self, script: str, resource: str, questions: object = None) -> Any:
        """What a probe script answers about a resource of the project."""
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        args = [f"res://{resource}"]
        if questions is not None:
            asked = self.folder / "questions.json"
            asked.write_text(json.dumps(questions), "utf-8")
            args.append(str(asked))
        self.run("--headless", "-s", f"probes/{script}", "--", *args, str(answer))
        return json.loads(answer.read_bytes(), strict=False)  # Godot writes controls as they are

    def shot(self, scene: str) -> Path:
        """A picture of the tiles of a scene of the project."""
        picture = self.folder / "shot.png"
        picture.unlink(missing_ok=True)
        self.run("-s", "probes/shot.gd", "--", f"res://{scene}", str(picture), display=True)
        return picture


LEVELS: dict[str, Callable[[], Level]] = {
    "isaac-7": lambda: generator.generate("isaac", 7),
    "wide": lambda: generator.generate("isaac", 3, stage=6, door_width=3, state={"coins": 20}),
    "labyrinth": lambda: generator.generate("labyrinth", 5),
    "hallways": hallway_level.level,
    "gungeon": lambda: generator.generate("gungeon", 7),
    "by.hand": crypt_level.level,  # a dot: a file may have it in its name, a node not
}


WAYS = (
    Way(FOLDER, "4.3", False, tuple(LEVELS)),
    Way("older levels", "4.2", False, ("wide", "by.hand")),
    Way("rooms apart", "4.3", True, ("wide", "gungeon", "by.hand")),
    Way("older rooms apart", "4.2", True, ("hallways",)),
)


@cache
def _level(name: str) -> Level:
    return LEVELS[name]()


@pytest.fixture(scope="session")
def themes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Theme]:
    """The theme of each level."""
    built_in, spread = load_theme(), crypt_level.theme(tmp_path_factory.mktemp("spread"))
    return {name: spread if name == "by.hand" else built_in for name in LEVELS}


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory, themes: dict[str, Theme]) -> Project:
    """The project with all levels in all WAYS in it, imported by its first start."""
    made = Project(tmp_path_factory.mktemp("project"))
    shutil.copytree(SCRIPTS, made.folder / "probes")
    for way in WAYS:
        for name in way.levels:
            formats = ["godot", "png"] if way.folder == FOLDER else ["godot"]
            bundle = exporters.export(_level(name), formats, way.options, themes[name], name)
            bundle.write(made.folder / way.folder)
    made.run("--headless", "--import")
    return made


_CASES = [(way, name) for way in WAYS for name in way.levels]


@pytest.fixture(scope="session", params=_CASES, ids=lambda each: f"{each[0].folder}/{each[1]}")
def case(request: pytest.FixtureRequest, project: Project, themes: dict[str, Theme]) -> Case:
    """Each level in each way, read back."""
    way, name = request.param
    return Case(_level(name), themes[name], name, way, project.ask("dump.gd", f"{way.folder}/{name}.tscn"))


@pytest.fixture(scope="session")
def built_in_case(project: Project) -> Case:
    """One level of the built-in theme, for what is the same for all of them."""
    dump = project.ask("dump.gd", f"{FOLDER}/isaac-7.tscn")
    return Case(_level("isaac-7"), load_theme(), "isaac-7", WAYS[0], dump)
