"""A plain Godot project with levels in a folder of it, and what Godot says of them."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import exporters
import generator
from exporters.theme import Theme
from exporters.theme.districts import theme_of_level
from exporters.theme.loader import load_theme
from exporters.theme.showroom import showroom
from generator.level import Level
from tests import godot_server
from tests.engines import godot, godot3
from tests.exporters import hallway_level, kit_level, own_kinds, own_sheet

from . import crypt_level, notch_level
from .imported import Imports

SCRIPTS = Path(__file__).parent / "scripts"
SCRIPTS_3 = Path(__file__).parent / "scripts_3"
# Where the levels lie: folders of the project, with a space, as people have them.
FOLDER = "my levels"
# What Mesa's software renderer says of every window, whatever is drawn in it; and what a Godot 3 without a
# screen says of every icon of its editor.
_HARMLESS = ("V-Sync", "set_use_vsync", "attempted to free a NULL RID", "visual_server_raster.cpp:69")


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
    project: Project
    dump: dict[str, Any]

    @property
    def scene(self) -> str:
        """Its path in the project."""
        return f"{self.way.folder}/{self.name}.tscn"


class Project:
    """A Godot project on disk."""

    engine = staticmethod(godot)
    config_version = 5
    scripts = SCRIPTS
    first_start: tuple[str, ...] = ("--headless", "--import")
    imports = Imports()

    def __init__(self, folder: Path, settings: str = "") -> None:
        self.folder = folder
        text = f"config_version={self.config_version}\n{settings}{godot_server.NAVIGATION}"
        (folder / "project.godot").write_text(text, "utf-8")

    def begin(self) -> None:
        """Bring the probes, and have Godot import everything."""
        shutil.copytree(self.scripts, self.folder / "probes")
        self.start()

    def start(self) -> None:
        """Have everything imported, by a start of the editor if there are new pictures.

        The first one also imports the sheets that other projects need.
        """
        if not self.imports.bring(self.folder):
            others = self.imports.lay_out(self.folder, sheets())
            self._import()
            self.imports.keep(self.folder)
            shutil.rmtree(others)

    def _import(self) -> None:
        self.run(*self.first_start)

    def run(self, *args: str, display: bool = False) -> None:
        """Run Godot on the project; anything but silence on standard error fails."""
        self._must_be_silent(self.engine().run("--path", str(self.folder), *args, display=display))

    @staticmethod
    def _must_be_silent(done: subprocess.CompletedProcess[str]) -> None:
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
        self._probe(script, [*args, str(answer)])
        return json.loads(answer.read_bytes(), strict=False)  # Godot writes controls as they are

    def _probe(self, script: str, args: list[str]) -> None:
        done = godot_server.ask(self.engine(), self.folder, f"probes/{script}", *args)
        self._must_be_silent(done)

    def shot(self, scene: str) -> Path:
        """A picture of the tiles of a scene of the project."""
        picture = self.folder / "shot.png"
        picture.unlink(missing_ok=True)
        asked = (f"res://{scene}", str(picture))
        done = godot_server.ask(self.engine(), self.folder, "probes/shot.gd", *asked, display=True)
        self._must_be_silent(done)
        return picture


class Project3(Project):
    """A project of Godot 3, of which there is only one without a screen."""

    engine = staticmethod(godot3)
    config_version = 4
    scripts = SCRIPTS_3
    first_start = ("--editor", "--quit")
    imports = Imports()

    def _import(self) -> None:
        """The editor is told to quit at once; on a busy machine it does so before it has seen all files."""
        for _ in range(5):
            try:
                return super()._import()
            except AssertionError as error:
                if "Scan thread aborted" not in str(error):
                    raise
        return super()._import()

    def _probe(self, script: str, args: list[str]) -> None:
        """With the arguments in a file: this Godot would run a scene of the command line beside the probe."""
        (self.folder / "arguments.json").write_text(json.dumps(args), "utf-8")
        self.run("-s", f"probes/{script}")


LEVELS: dict[str, Callable[[], Level]] = {
    "isaac-7": lambda: generator.generate("isaac", 7),
    "wide": lambda: generator.generate("isaac", 3, stage=6, door_width=3, state={"coins": 20}),
    "labyrinth": lambda: generator.generate("labyrinth", 5),
    "hallways": hallway_level.level,
    "gungeon": lambda: generator.generate("gungeon", 7),
    "rebirth": lambda: generator.generate("rebirth", 10, stage=5),
    "notch": notch_level.level,
    "own.kinds": own_kinds.level,
    "by.hand": crypt_level.level,  # a dot: a file may have it in its name, a node not
}


WAYS = (
    Way(FOLDER, "4.3", False, tuple(LEVELS)),
    Way("older levels", "4.2", False, ("wide", "by.hand")),
    Way("rooms apart", "4.3", True, ("wide", "gungeon", "rebirth", "notch", "by.hand")),
    Way("older rooms apart", "4.2", True, ("hallways",)),
    Way("much older levels", "3.6", False, ("wide", "gungeon", "by.hand")),
    Way("much older rooms apart", "3.6", True, ("notch",)),
)


@cache
def _level(name: str) -> Level:
    return LEVELS[name]()


@cache
def sheets() -> tuple[bytes, ...]:
    """The sheets of all looks that are tried here."""
    kits = Path(__file__).parents[4] / "docs" / "examples"
    levels = [_level(name) for name in LEVELS if name != "by.hand"]
    levels += [generator.generate("gungeon", seed) for seed in (1, 2, 3)]
    found = {theme_of_level(load_theme(), level).image for level in levels}
    bundles = [
        exporters.export(level, "godot")
        for level in (kit_level.level(), generator.generate("isaac", 2, kit=str(kits / "orbital")))
    ]
    with tempfile.TemporaryDirectory() as folder:
        own = own_sheet.themes(Path(folder)).values()
        bundles += [exporters.export(showroom(), "godot", theme=theme) for theme in own]
    for bundle in bundles:
        found |= {data for name, data in bundle.items() if name.endswith(".png")}
    return tuple(found)


@pytest.fixture(scope="session")
def themes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Theme]:
    """The theme of each level, in the look of its chapter."""
    built_in, spread = load_theme(), crypt_level.theme(tmp_path_factory.mktemp("spread"))
    return {name: spread if name == "by.hand" else theme_of_level(built_in, _level(name)) for name in LEVELS}


def _made(made: Project, themes: dict[str, Theme], *, old: bool) -> Project:
    """A project with all levels in it, in those of WAYS that its Godot reads."""
    for way in WAYS:
        for name in way.levels if (way.target == "3.6") is old else ():
            formats = ["godot", "png"] if way.folder == FOLDER else ["godot"]
            bundle = exporters.export(_level(name), formats, way.options, themes[name], name)
            bundle.write(made.folder / way.folder)
    made.begin()
    return made


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory, themes: dict[str, Theme]) -> Project:
    """The project of Godot 4."""
    return _made(Project(tmp_path_factory.mktemp("project")), themes, old=False)


@pytest.fixture(scope="session")
def project_3(tmp_path_factory: pytest.TempPathFactory, themes: dict[str, Theme]) -> Project3:
    """The project of Godot 3."""
    made = Project3(tmp_path_factory.mktemp("project_3"))
    _made(made, themes, old=True)
    return made


# Like another one of the list in all that a usual change could break.
_SECOND = {
    (FOLDER, "labyrinth"),
    (FOLDER, "rebirth"),
    ("older levels", "wide"),
    ("rooms apart", "gungeon"),
    ("rooms apart", "by.hand"),
    ("much older levels", "wide"),
}


def _params(*targets: str) -> list[Any]:
    every = [(way, name) for way in WAYS if way.target in targets for name in way.levels]
    return [
        pytest.param(
            (way, name),
            id=f"{way.folder}/{name}",
            marks=pytest.mark.soak if (way.folder, name) in _SECOND else (),
        )
        for way, name in every
    ]


@pytest.fixture(scope="session")
def read(request: pytest.FixtureRequest, themes: dict[str, Theme]) -> Callable[[Way, str], Case]:
    """Reads a level back, once."""

    @cache
    def reading(way: Way, name: str) -> Case:
        asked: Project = request.getfixturevalue("project_3" if way.target == "3.6" else "project")
        dump = asked.ask("dump.gd", f"{way.folder}/{name}.tscn")
        return Case(_level(name), themes[name], name, way, asked, dump)

    return reading


@pytest.fixture(scope="session", params=_params("4.3", "4.2", "3.6"))
def case(request: pytest.FixtureRequest, read: Callable[[Way, str], Case]) -> Case:
    """Each level in each way, read back."""
    return read(*request.param)


@pytest.fixture(scope="session", params=_params("4.3", "4.2"))
def case_4(request: pytest.FixtureRequest, read: Callable[[Way, str], Case]) -> Case:
    """Those of Godot 4, which alone has such TileSets and draws pictures."""
    return read(*request.param)


@pytest.fixture(scope="session", params=_params("3.6"))
def case_3(request: pytest.FixtureRequest, read: Callable[[Way, str], Case]) -> Case:
    """Those of Godot 3."""
    return read(*request.param)


@pytest.fixture(scope="session")
def built_in_case(read: Callable[[Way, str], Case]) -> Case:
    """One level of the built-in theme, for what is the same for all of them."""
    return read(WAYS[0], "isaac-7")
