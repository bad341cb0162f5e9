"""Levels of every kind as LDtk projects on disk, and the reader that looks at them.

The official schema is not part of the project: where the environment names its file, it is tried too.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import exporters
import generator
from exporters.theme import Theme
from exporters.theme.districts import theme_of_level
from exporters.theme.loader import load_theme
from generator.level import Level
from tests.exporters import locked_level, own_kinds, small_level, small_theme
from tests.exporters.formats.godot import crypt_level

from . import notches
from .reader import Project

collect_ignore = [] if os.environ.get("UNDERCROFT_LDTK_SCHEMA") else ["test_schema.py"]


def pytest_itemcollected(item: pytest.Item) -> None:
    """What looks at the cases stays in one process, which makes each case once."""
    if isinstance(item, pytest.Function) and "make" in item.fixturenames:
        item.add_marker(pytest.mark.xdist_group("ldtk-cases"))


class Made(NamedTuple):
    """What a case is made of; `theme` is `built_in`, `plain` or `spread`."""

    level: Callable[[], Level]
    theme: str = "built_in"
    options: tuple[tuple[str, object], ...] = ()


ONE, ROOMS, EXTERNAL = ("ldtk.levels", "one"), ("ldtk.levels", "rooms"), ("ldtk.external", True)

CASES: dict[str, Made] = {
    "isaac": Made(lambda: generator.generate("isaac", 7)),
    "isaac-wide-one": Made(lambda: generator.generate("isaac", 3, stage=6, door_width=3), options=(ONE,)),
    "labyrinth-external": Made(lambda: generator.generate("labyrinth", 5), options=(EXTERNAL,)),
    "rebirth": Made(lambda: generator.generate("rebirth", 1, stage=5, curse="labyrinth")),
    "gungeon": Made(lambda: generator.generate("gungeon", 7)),
    "gungeon-rooms": Made(lambda: generator.generate("gungeon", 12), options=(ROOMS, EXTERNAL)),
    "hallways": Made(locked_level.level, "plain"),
    "hallways-rooms": Made(locked_level.level, "plain", (ROOMS,)),
    "notches": Made(notches.full),
    "notches-empty": Made(notches.empty, "plain"),
    "notches-one": Made(notches.full, "plain", (ONE, EXTERNAL)),
    "own-kinds": Made(own_kinds.level),
    "own-kinds-one": Made(lambda: own_kinds.level("gungeon"), "plain"),
    "fifteen": Made(small_level.fifteen_rooms, "plain"),
    "crypt": Made(crypt_level.level, "spread", (ROOMS,)),
}


class Case(NamedTuple):
    """A level, its theme, and its project and picture on disk."""

    name: str
    level: Level
    theme: Theme
    bundle: exporters.Bundle
    folder: Path

    @property
    def project(self) -> Project:
        """The project, read."""
        return _project(self.folder / "level.ldtk")


@cache
def _project(path: Path) -> Project:
    return Project(path)


@pytest.fixture(scope="session")
def themes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Theme]:
    """The built-in theme, one with half transparent pixels, one with margin and spacing."""
    return {
        "built_in": load_theme(),
        "plain": load_theme(small_theme.write(tmp_path_factory.mktemp("plain"))),
        "spread": crypt_level.theme(tmp_path_factory.mktemp("spread")),
    }


@pytest.fixture(scope="session")
def make(themes: dict[str, Theme], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Case]:
    """A case by its name, made once."""

    @cache
    def made(name: str) -> Case:
        what, folder = CASES[name], tmp_path_factory.mktemp(name)
        level = what.level()
        theme = theme_of_level(themes[what.theme], level)
        bundle = exporters.export(level, ["ldtk", "png"], dict(what.options), theme, "level")
        bundle.write(folder)
        return Case(name, level, theme, bundle, folder)

    return made


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest, make: Callable[[str], Case]) -> Case:
    """Each case."""
    return make(str(request.param))
