"""Tests that take turns in one project: each has a folder of its own, and one start of the editor imports for all.

A start of the editor takes longer than what it imports. A story is the generator of a test: it writes files and
yields; what stands after the yield comes after an import, and the yield gives the lines that were said of it.
A fixture that is imported once and then only read is a story too (`imported`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.engines import godot
from tests.godot_addon.conftest import AddonProject

Turns = Generator[None, Any, None]  # is sent the lines, and nothing at its start
_STORIES: dict[str, Callable[[Part], Turns]] = {}


class Part:
    """A story's folder in the project that all share. For the story it is a project: `res://` is this folder."""

    def __init__(self, project: AddonProject, name: str) -> None:
        self.project = project
        self.folder = project.folder / name
        self.folder.mkdir()
        self.said: list[str] = []  # errors and warnings in the import of a fixture
        self._at = f"res://{name}/"

    def ask(self, script: str, *args: str) -> Any:
        """What a probe answers."""
        told = self.project.ask(script, *map(self._outer, args))
        return json.loads(self.inner(json.dumps(told)))

    def draw(self, shots: Sequence[tuple[str, tuple[int, int]]]) -> list[Path]:
        """Pictures of scenes, each of a size in px."""
        return self.project.draw([(self._outer(scene), size) for scene, size in shots])

    def _outer(self, text: str) -> str:
        return text.replace("res://", self._at)

    def inner(self, text: str) -> str:
        """A text with paths of the project, as the story knows them."""
        return text.replace(self._at, "res://")

    def imported(self) -> dict[str, int]:
        """The sizes of what was made of the folder's files, by their names."""
        found = {}
        for rule in self.folder.rglob("*.import"):
            _, _, target = rule.read_text("utf-8").partition('\npath="res://')
            made = self.project.folder / target.partition('"')[0]
            if target and made.exists():
                found[rule.name.removesuffix(".import")] = made.stat().st_size
        return found


@dataclass
class Outcomes:
    """What became of stories, by their names."""

    parts: dict[str, Part] = field(default_factory=dict)
    failed: dict[str, BaseException] = field(default_factory=dict)

    def of(self, name: str) -> Part:
        """The folder of a story that went well."""
        if name in self.failed:
            raise self.failed[name]
        return self.parts[name]


def in_rounds(story: Callable[[Part], Turns]) -> Callable[[Outcomes], None]:
    """The test of a story, which takes its turns with all others that run."""
    name = _known(story.__name__, story)

    def test(rounds: Outcomes) -> None:
        rounds.of(name)

    test.__name__, test.__doc__, test.__module__ = name, story.__doc__, story.__module__
    return test


def imported(write: Callable[[Path], object]) -> Any:
    """The fixture of a folder that a function fills, named like the function: the folder's part, imported."""

    def story(part: Part) -> Turns:
        write(part.folder)
        part.said = complaints((yield))

    name = _known(write.__name__, story)

    @pytest.fixture(scope="session", name=name)
    def fixture(rounds: Outcomes) -> Part:
        return rounds.of(name)

    return fixture


def _known(name: str, story: Callable[[Part], Turns]) -> str:
    assert name not in _STORIES
    _STORIES[name] = story
    return name


def play(project: AddonProject, asked: Iterable[str]) -> Outcomes:
    """Let the stories among the names take their turns until all have ended; one that fails stops no other."""
    parts = {name: Part(project, name) for name in asked if name in _STORIES}
    left = {name: _STORIES[name](part) for name, part in parts.items()}
    outcomes = Outcomes(parts)
    lines: list[str] | None = None
    while left:
        for name, turns in [*left.items()]:
            try:
                turns.send(None if lines is None else _about(parts[name], lines))
            except StopIteration:
                del left[name]
            except (Exception, pytest.fail.Exception) as error:
                outcomes.failed[name] = error
                del left[name]
        lines = _imported(project) if left else []
    return outcomes


def _imported(project: AddonProject) -> list[str]:
    """What the editor says while it imports all that is new, of what it leaves out too."""
    done = godot().run("--headless", "--path", project.folder, "--import")
    assert done.returncode == 0, done.stderr
    return (done.stderr + done.stdout).splitlines()


def _about(part: Part, lines: list[str]) -> list[str]:
    """The lines that name a story's folder, and the errors that name none.

    An error of Godot's own comes before what the addon says of the same file; what has no such line, and an error
    in a script, is told to all stories.
    """
    found: list[str] = []
    nameless: list[str] = []
    for line in lines:
        if part.inner(line) != line:
            found += [*nameless, part.inner(line)]
            nameless = []
        elif any(f"res://{story}/" in line for story in _STORIES):
            nameless = []
        elif "SCRIPT ERROR" in line:
            found.append(line)
        elif any(word in line for word in ("ERROR", "WARNING", "Undercroft: ")):
            nameless.append(line)
    return found + nameless


def ours(lines: list[str]) -> list[str]:
    """What the addon says, without what Godot puts before it."""
    return sorted(line.partition("Undercroft: ")[2] for line in lines if "Undercroft: " in line)


def complaints(lines: list[str]) -> list[str]:
    """The errors and warnings among lines."""
    return [line for line in lines if "ERROR" in line or "WARNING" in line]
