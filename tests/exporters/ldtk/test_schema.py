"""The official schema of LDtk 1.5.3, whose file the environment names (see conftest.py)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from .conftest import CASES, Case


@cache
def schema() -> Any:
    return json.loads(Path(os.environ["UNDERCROFT_LDTK_SCHEMA"]).read_bytes())


@cache
def validator(of: str | None = None) -> Draft7Validator:
    """Of projects, or of another type of the schema."""
    return Draft7Validator({**schema(), "$ref": f"#/otherTypes/{of}"} if of else schema())


def thinned(value: Any) -> Any:
    """A value without the items of lists that look to the schema like one before them."""
    if isinstance(value, dict):
        return {key: thinned(each) for key, each in value.items()}
    if isinstance(value, list):
        return list({_look(each): each for each in map(thinned, value)}.values())
    return value


def _look(value: Any) -> object:
    """What the schema sees of a value: of a number its type, and so of a text that it does not name."""
    if isinstance(value, dict):
        return tuple((key, _look(each)) for key, each in value.items())
    if isinstance(value, list):
        return tuple(map(_look, value))
    return value if isinstance(value, str) and value in _named_texts() else type(value)


@cache
def _named_texts() -> frozenset[str]:
    """The texts of the schema's enums. It has no other rules about values."""
    found: set[str] = set()
    waiting = [schema()]
    while waiting:
        part = waiting.pop()
        found.update(part.get("enum", ()) if isinstance(part, dict) else ())
        waiting += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return frozenset(found)


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
