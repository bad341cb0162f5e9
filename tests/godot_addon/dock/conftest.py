"""The real editor with the addon in it, worked by a script in the place of a person."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
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


class Editor:
    """A project that is opened in the editor, to play one of the driver's stories."""

    def __init__(self, project: AddonProject) -> None:
        self.project = project
        self.folder = project.folder
        shutil.copytree(DRIVER, self.folder / "addons" / "driver")
        self.settings = self.folder / "project.godot"
        # The first start reads the documentation of all scripts, and leaves those in use that name themselves.
        project.godot("--editor", "--quit-after", "200")
        self._replace(PLUGINS, f'{PLUGINS}, "res://addons/driver/plugin.cfg"')

    def set_command(self, value: str) -> None:
        """Name the generator's command in the project's settings."""
        text = self.settings.read_text("utf-8")
        text = re.sub(r"\n\[undercroft\]\n\ngenerator/command=.*\n", "", text)
        self.settings.write_text(f"{text}\n[undercroft]\n\ngenerator/command={json.dumps(value)}\n", "utf-8")

    def play(self, story: str, *args: str, display: bool = True) -> Mapping[str, Any]:
        """Play a story; what it saw. Whatever Godot complains of fails."""
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        try:
            said = self.project.godot("--editor", *args, "--", story, str(answer), display=display)
        except subprocess.TimeoutExpired as hung:
            pytest.fail(f"the editor hung: {(hung.stderr or b'').decode(errors='replace')}")
        said = [line for line in said if not any(one in line for one in _HARMLESS)]
        assert not said, "\n".join(said)
        return json.loads(answer.read_bytes())

    def _replace(self, old: str, new: str) -> None:
        text = self.settings.read_text("utf-8")
        assert old in text
        self.settings.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def editor(project: AddonProject) -> Editor:
    return Editor(project)


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
