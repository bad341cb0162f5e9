"""The real editor with the addon in it, worked by a script in the place of a person."""

from __future__ import annotations

import json
import os
import re
import shutil
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.godot_addon.conftest import AddonProject

DRIVER = Path(__file__).parent / "driver"
PLUGINS = 'enabled=PackedStringArray("res://addons/undercroft/plugin.cfg"'
# The editor asks whether the machine could do Vulkan; a virtual screen cannot.
_HARMLESS = ("vulkan", "VK_KHR_surface", 'Condition "err != OK" is true. Returning: err')


def pytest_itemcollected(item: pytest.Item) -> None:
    """One process plays all stories: another one would open a project, and compile what draws the editor, anew."""
    if isinstance(item, pytest.Function) and "editor" in item.fixturenames:
        item.add_marker(pytest.mark.xdist_group("dock"))


class Editor:
    """A project that the editor knows, opened in it to play one of the driver's stories."""

    def __init__(self, project: AddonProject) -> None:
        self.project = project
        self.folder = project.folder
        shutil.copytree(DRIVER, self.folder / "addons" / "driver", dirs_exist_ok=True)
        self.settings = self.folder / "project.godot"
        self.forget()
        self._replace(PLUGINS, f'{PLUGINS}, "res://addons/driver/plugin.cfg"')

    def forget(self) -> None:
        """Let the editor start as for the first time: without its layout, and what the dock remembers."""
        for name in ("editor_layout.cfg", "project_metadata.cfg"):
            (self.folder / ".godot" / "editor" / name).unlink(missing_ok=True)

    def set_command(self, value: str) -> None:
        """Name the generator's command in the project's settings."""
        text = self.settings.read_text("utf-8")
        text = re.sub(r"\n\[undercroft\]\n\ngenerator/command=.*\n", "", text)
        self.settings.write_text(f"{text}\n[undercroft]\n\ngenerator/command={json.dumps(value)}\n", "utf-8")

    def play(self, story: str, *args: str, display: bool = True) -> Mapping[str, Any]:
        """Play a story; what it saw. Whatever Godot complains of fails."""
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        said = self.project.godot("--editor", *args, "--", story, str(answer), display=display)
        said = [line for line in said if not any(one in line for one in _HARMLESS)]
        assert not said, "\n".join(said)
        return json.loads(answer.read_bytes())

    def _replace(self, old: str, new: str) -> None:
        text = self.settings.read_text("utf-8")
        assert old in text
        self.settings.write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that the editor has opened once: it has looked through all files and kept what it found."""
    project = AddonProject(tmp_path_factory.mktemp("started"))
    shutil.copytree(DRIVER, project.folder / "addons" / "driver")
    project.godot("--editor", "--quit")  # what it complains of is not a story's
    return project.folder


@pytest.fixture
def editor(started: Path, tmp_path: Path) -> Editor:
    return Editor(AddonProject(tmp_path, of=started))


@pytest.fixture
def command() -> Path:
    """The command that belongs to the Python that runs the tests."""
    place = sysconfig.get_path("scripts")
    found = shutil.which("undercroft", path=place)
    assert found, f"{place} has no undercroft; run pip install -e '.[test]'"
    return Path(found)


@pytest.fixture
def on_path(command: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is on the PATH, where the dock looks unless the project says otherwise."""
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
