"""Tests that take turns in one project: each has a folder of its own, and one start of the editor imports for all.

A start of the editor takes longer than what it imports. A story is the generator of a test: it writes files and
yields; what stands after the yield comes after an import, and the yield gives the lines that were said of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

import pytest

from tests.engines import godot
from tests.godot_addon.conftest import AddonProject

Turns = Generator[None, Any, None]  # is sent the lines, and nothing at its start
Outcomes = dict[str, BaseException]  # what went wrong, by a story's name
_STORIES: dict[str, Callable[[Part], Turns]] = {}


class Part:
    """A story's folder in the project that all share; `at` is its `res://` path."""

    def __init__(self, project: AddonProject, name: str) -> None:
        self.project = project
        self.folder = project.folder / name
        self.folder.mkdir()
        self.at = f"res://{name}"

    def ask(self, script: str, *files: str) -> dict[str, Any]:
        """What a probe answers of files of the folder, by their names."""
        told = self.project.ask(script, *(f"{self.at}/{name}" for name in files))
        return {path.removeprefix(f"{self.at}/"): answer for path, answer in told.items()}

    def imported(self) -> dict[str, int]:
        """The sizes of what was made of the folder's files, by their names."""
        found = {}
        for rule in self.folder.rglob("*.import"):
            _, _, target = rule.read_text("utf-8").partition('\npath="res://')
            made = self.project.folder / target.partition('"')[0]
            if target and made.exists():
                found[rule.name.removesuffix(".import")] = made.stat().st_size
        return found


def in_rounds(story: Callable[[Part], Turns]) -> Callable[[Outcomes], None]:
    """The test of a story, which takes its turns with all others that run."""
    name = story.__name__
    assert name not in _STORIES
    _STORIES[name] = story

    @pytest.mark.xdist_group("rounds")
    def test(rounds: Outcomes) -> None:
        if name in rounds:
            raise rounds[name]

    test.__name__, test.__doc__, test.__module__ = name, story.__doc__, story.__module__
    return test


def play(project: AddonProject, asked: Iterable[str]) -> Outcomes:
    """Let the stories among the names take their turns until all have ended; one that fails stops no other."""
    left = {name: _STORIES[name](Part(project, name)) for name in asked if name in _STORIES}
    outcomes: Outcomes = {}
    lines: list[str] | None = None
    while left:
        for name, turns in [*left.items()]:
            try:
                turns.send(None if lines is None else _about(name, lines))
            except StopIteration:
                del left[name]
            except (Exception, pytest.fail.Exception) as error:
                outcomes[name] = error
                del left[name]
        lines = _import_all(project) if left else []
    return outcomes


def _import_all(project: AddonProject) -> list[str]:
    done = godot().run("--headless", "--path", project.folder, "--import")
    assert done.returncode == 0, done.stderr
    return (done.stdout + done.stderr).splitlines()


def _about(name: str, lines: list[str]) -> list[str]:
    """The lines that name a story's folder, and those of a trouble that name no story's."""
    found = []
    for line in lines:
        others = any(f"res://{story}/" in line for story in _STORIES)
        trouble = any(word in line for word in ("ERROR", "WARNING", "Undercroft: "))
        if f"res://{name}/" in line or (trouble and not others):
            found.append(line)
    return found


def ours(lines: list[str]) -> list[str]:
    """What the addon says, without what Godot puts before it."""
    return sorted(line.partition("Undercroft: ")[2] for line in lines if "Undercroft: " in line)


def complaints(lines: list[str]) -> list[str]:
    """The errors and warnings among lines."""
    return [line for line in lines if "ERROR" in line or "WARNING" in line]
