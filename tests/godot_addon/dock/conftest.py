"""The real editor with the addon in it, worked by scripts in the place of a person.

A start of the editor takes longer than what a person does in it. So a story is played in one editor with all others
that run, one on a screen and one without; between two of them the addon is turned off and forgets what was chosen.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sysconfig
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.engines import godot
from tests.godot_addon.conftest import ADDON, HARMLESS, AddonProject, settings

DRIVER = Path(__file__).parent / "driver"
PLUGINS = 'enabled=PackedStringArray("res://addons/undercroft/plugin.cfg"'
MARK = "--- story "
# The editor asks whether the machine could do Vulkan; a virtual screen cannot.
_HARMLESS = ("vulkan", "VK_KHR_surface", 'Condition "err != OK" is true. Returning: err')
# What an editor that draws nothing says when it makes a picture of a scene that is saved.
_THUMBNAIL = re.compile(
    r'ERROR: Parameter "t" is null\.\n +at: texture_2d_get \(.*dummy.*\n( +GDScript backtrace.*\n( +\[\d+\].*\n)*)?'
)
_STORIES: dict[str, Story] = {}


@dataclass(frozen=True)
class Story:
    """A script of the driver; `prepare` fills the project for it, and returns the command that the dock calls."""

    name: str
    prepare: Callable[[Path], str]
    display: bool = False
    anew: bool = True  # whether the dock begins anew; others come first


@dataclass(frozen=True)
class Played:
    """What a story saw, and in which project."""

    folder: Path
    said: list[str]
    answer: Path

    @property
    def seen(self) -> Any:
        """Whatever Godot complained of fails."""
        assert not self.said, "\n".join(self.said)
        return json.loads(self.answer.read_bytes())


class Editor:
    """A project, opened in the editor to play stories of the driver."""

    def __init__(self, project: AddonProject) -> None:
        self.folder = project.folder
        shutil.copytree(DRIVER, self.folder / "addons" / "driver", dirs_exist_ok=True)
        self.settings = self.folder / "project.godot"
        text = self.settings.read_text("utf-8")
        assert PLUGINS in text
        text = text.replace(PLUGINS, f'{PLUGINS}, "res://addons/driver/plugin.cfg"')
        self.settings.write_text(text, "utf-8")

    def play(self, stories: Iterable[Story], *options: str, display: bool) -> dict[str, Played]:
        """Play stories one after the other; the outcomes by their names."""
        place = Path(tempfile.mkdtemp(prefix="stories-", dir=self.folder.parent))
        asked = [
            {
                "name": story.name,
                "anew": story.anew,
                "command": story.prepare(self.folder),
                "answer": str(place / story.name),
            }
            for story in sorted(stories, key=lambda story: story.anew)
        ]
        (place / "list.json").write_text(json.dumps(asked), "utf-8")
        screen = () if display else ("--headless",)
        command = (*screen, "--path", self.folder, "--editor", *options, "--", place / "list.json")
        done = godot().run(*command, display=display)
        said = {"": [] if done.returncode == 0 else [f"ended with {done.returncode}"]}
        for stream, words in ((_THUMBNAIL.sub("", done.stderr), ("",)), (done.stdout, ("ERROR", "WARNING"))):
            name = ""
            for line in stream.splitlines():
                if line.startswith(MARK):
                    name = line.removeprefix(MARK)
                elif line.strip() and any(word in line for word in words):
                    said.setdefault(name, []).append(line)
        return {
            each["name"]: Played(self.folder, _troubles(said, each["name"]), Path(each["answer"]))
            for each in asked
        }


def _troubles(said: dict[str, list[str]], name: str) -> list[str]:
    """What was said in a story, or outside of all."""
    lines = said[""] + said.get(name, [])
    return [line for line in lines if not any(one in line for one in (*_HARMLESS, *HARMLESS))]


def story(*, display: bool = False, anew: bool = True) -> Callable[[Callable[[Path], str]], Any]:
    """The fixture of a story that is named like the function which prepares it: what it saw."""

    def made(prepare: Callable[[Path], str]) -> Any:
        name = prepare.__name__
        _STORIES[name] = Story(name, prepare, display, anew)

        def with_screen(editor_on_screen: dict[str, Played]) -> Played:
            return editor_on_screen[name]

        def without(editor: dict[str, Played]) -> Played:
            return editor[name]

        return pytest.fixture(scope="session", name=name)(with_screen if display else without)

    return made


def pytest_itemcollected(item: pytest.Item) -> None:
    """One process plays all stories of an editor."""
    if isinstance(item, pytest.Function):
        for name in item.fixturenames:
            if name in _STORIES:
                group = "dock-on-screen" if _STORIES[name].display else "dock"
                item.add_marker(pytest.mark.xdist_group(group))


@dataclass(frozen=True)
class Unpacked:
    """A project with nothing but the zip of the addon, and what Godot said when it opened it first."""

    folder: Path
    said: list[str]


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Unpacked:
    """As the asset library unpacks it: at the first start, without a cache."""
    folder = tmp_path_factory.mktemp("unpacked")
    packed = shutil.make_archive(str(tmp_path_factory.mktemp("zip") / "addon"), "zip", ADDON, "addons")
    shutil.unpack_archive(packed, folder)
    (folder / "project.godot").write_text(f"config_version=5\n\n[editor_plugins]\n\n{PLUGINS})\n", "utf-8")
    done = godot().run("--headless", "--path", folder, "--editor", "--quit")
    assert done.returncode == 0
    return Unpacked(folder, done.stderr.split("\n") if done.stderr.strip() else [])


def _played(request: pytest.FixtureRequest, folder: Path, *options: str, display: bool) -> dict[str, Played]:
    """All stories of one editor that the tests ask for, with the command on the PATH."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    asked = dict.fromkeys(name for item in items for name in item.fixturenames if name in _STORIES)
    stories = [_STORIES[name] for name in asked if _STORIES[name].display == display]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{command().parent}{os.pathsep}{os.environ['PATH']}")
        return Editor(AddonProject(folder)).play(stories, *options, display=display)


@pytest.fixture(scope="session")
def editor(request: pytest.FixtureRequest, unpacked: Unpacked) -> dict[str, Played]:
    """The stories without a screen, in a project that the editor knows; what leaks is told at its end."""
    (unpacked.folder / "project.godot").write_text(settings(), "utf-8")
    return _played(request, unpacked.folder, "--verbose", display=False)


@pytest.fixture(scope="session")
def editor_on_screen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Played]:
    """The stories on a screen."""
    return _played(request, tmp_path_factory.mktemp("on-screen"), display=True)


def command() -> Path:
    """The command that belongs to the Python that runs the tests."""
    place = sysconfig.get_path("scripts")
    found = shutil.which("undercroft", path=place)
    assert found, f"{place} has no undercroft; run pip install -e '.[test]'"
    return Path(found)
