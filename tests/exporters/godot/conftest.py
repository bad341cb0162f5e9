"""A plain Godot project with generated levels in a folder of it, and what Godot says of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from engines import godot

import exporters
import generator
from generator.level import Level

SCRIPTS = Path(__file__).parent / "scripts"
# Where the levels lie: a folder of the project, with a space, as people have them.
FOLDER = "my levels"
# What Mesa's software renderer says of every window, whatever is drawn in it.
_HARMLESS = ("V-Sync", "set_use_vsync")


class Case(NamedTuple):
    """A level, its name in the project, and everything that Godot read back of its scene."""

    level: Level
    name: str
    dump: dict[str, Any]


class Project:
    """A Godot project on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *args: str, display: bool = False) -> None:
        """Run Godot on the project; anything but silence on standard error fails."""
        done = godot().run("--path", str(self.folder), *args, timeout=90, display=display)
        said = [
            line for line in done.stderr.splitlines() if line and not any(one in line for one in _HARMLESS)
        ]
        assert not said, "\n".join(said)
        assert "ERROR" not in done.stdout and "WARNING" not in done.stdout, done.stdout
        assert done.returncode == 0

    def ask(self, script: str, resource: str, questions: object = None, *, display: bool = False) -> Any:
        """What a probe script answers about a resource of the levels' folder."""
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        args = [f"res://{FOLDER}/{resource}"]
        if questions is not None:
            asked = self.folder / "questions.json"
            asked.write_text(json.dumps(questions), "utf-8")
            args.append(str(asked))
        head = [] if display else ["--headless"]
        self.run(*head, "-s", f"probes/{script}", "--", *args, str(answer), display=display)
        return json.loads(answer.read_bytes()) if not display else answer


LEVELS: dict[str, Callable[[], Level]] = {
    "isaac-7": lambda: generator.generate("isaac", 7),
    "wide": lambda: generator.generate("isaac", 3, stage=6, door_width=3, state={"coins": 20}),
    "labyrinth": lambda: generator.generate("labyrinth", 5),
}


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project with all of LEVELS in it, imported by its first start."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "project.godot").write_text("config_version=5\n", "utf-8")
    shutil.copytree(SCRIPTS, folder / "probes")
    for name, make in LEVELS.items():
        exporters.export(make(), ["godot", "png"], name=name).write(folder / FOLDER)
    made = Project(folder)
    made.run("--headless", "--import")
    return made


@pytest.fixture(scope="session", params=LEVELS)
def case(request: pytest.FixtureRequest, project: Project) -> Case:
    """Each level, read back."""
    name = str(request.param)
    return Case(LEVELS[name](), name, project.ask("dump.gd", f"{name}.tscn"))
