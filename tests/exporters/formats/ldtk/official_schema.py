"""The official schema of LDtk 1.5.3, whose file the environment names (see conftest.py): what it finds in a file.

jsonschema takes seconds for a whole project, most of whose thousands of items look the same to the schema.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

FILE = os.environ.get("UNDERCROFT_LDTK_SCHEMA")


@cache
def schema() -> Any:
    return json.loads(Path(FILE or "").read_bytes())


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


def faults(value: Any, of: str | None = None) -> list[str]:
    """What is wrong with a project, or with a value of another type; nothing if the schema's file is not there."""
    return [error.message for error in validator(of).iter_errors(thinned(value))] if FILE else []
