"""The official schema of LDtk 1.5.3, whose file the environment names (see conftest.py)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from .conftest import Case


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads(Path(os.environ["UNDERCROFT_LDTK_SCHEMA"]).read_bytes())


def test_the_official_schema_finds_nothing(case: Case, schema: Any) -> None:
    """The project, and each level that is a file of its own."""
    found = [error.message for error in Draft7Validator(schema).iter_errors(case.project.json)]
    level_schema = {**schema, "$ref": "#/otherTypes/Level"}
    validator = Draft7Validator(level_schema)
    for path, data in case.bundle.items():
        if path.endswith(".ldtkl"):
            level = json.loads(data)
            del level["__header__"]  # every file has it; the schema knows it of projects only
            found += [error.message for error in validator.iter_errors(level)]
    assert found == []


def test_the_schema_is_not_toothless(case: Case, schema: Any) -> None:
    """A level without its iid is refused, so what is sound was looked at."""
    broken = {**case.project.json, "levels": [{**case.project.json["levels"][0], "iid": None}]}
    assert not Draft7Validator(schema).is_valid(broken)
