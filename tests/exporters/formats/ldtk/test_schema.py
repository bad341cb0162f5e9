"""Projects and the official schema of LDtk 1.5.3."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from .conftest import CASES, Case
from .official_schema import thinned, validator


def problems(case: Case, what: Callable[[Any], Any] = thinned) -> list[str]:
    """What the schema finds in the project, and in each level that is a file of its own."""
    found = [error.message for error in validator().iter_errors(what(case.project.json))]
    levels = [json.loads(data) for path, data in case.bundle.items() if path.endswith(".ldtkl")]
    for level in levels:
        del level["__header__"]  # every file has it; the schema knows it of projects only
    # Levels are thinned together: they differ in little.
    return found + [error.message for each in what(levels) for error in validator("Level").iter_errors(each)]


def test_the_official_schema_finds_nothing(make: Callable[[str], Case]) -> None:
    assert {name: found for name in CASES if (found := problems(make(name)))} == {}


@pytest.mark.soak
def test_the_official_schema_finds_nothing_in_whole_files(make: Callable[[str], Case]) -> None:
    assert {name: found for name in CASES if (found := problems(make(name), lambda value: value))} == {}


def test_the_schema_is_not_toothless(make: Callable[[str], Case]) -> None:
    """A level without its iid is refused, and one rare item that is wrong among thousands, so what is sound was looked at."""
    case = make("isaac")
    project = case.project.json
    broken = {**project, "levels": [{**project["levels"][0], "iid": None}]}
    assert not validator().is_valid(thinned(broken))
    broken = json.loads(case.bundle["level.ldtk"])
    (layer,) = (one for one in broken["levels"][5]["layerInstances"] if one["__identifier"] == "Terrain")
    layer["autoLayerTiles"][-3]["px"][1] = "12"
    assert not validator().is_valid(thinned(broken))
