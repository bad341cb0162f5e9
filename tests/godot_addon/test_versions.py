"""The addon asks Godot for nothing that 4.3, the oldest version it is for, does not have.

Only the newest version is at hand to run, so this is held by what the class references say.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from .conftest import ADDON

NEWER = tomllib.loads((Path(__file__).parent / "newer_than_4_3.toml").read_text("utf-8"))
SCRIPTS = sorted((ADDON / "addons").rglob("*.gd"))

# What else came later: 4.4 brought typed dictionaries and tool buttons, 4.5 the others.
NEWER_SYNTAX = r"Dictionary\[|@export_tool_button\b|@export_file_path\b|@abstract\b|\(.*\.\.\.\w+"

_QUOTED_OR_COMMENT = re.compile(r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#.*')
_DECLARED = re.compile(r"\b(?:func|var|const|signal|enum|class_name|for)\s+(\w+)|\b(\w+)\s*:(?!\s*\")")


def newer_in(text: str) -> list[str]:
    """All that a script uses and Godot 4.3 lacks."""
    code = _QUOTED_OR_COMMENT.sub('""', text)
    words = set(re.findall(r"\w+", code)) - {name for pair in _DECLARED.findall(code) for name in pair}
    found = [name for name in NEWER["classes"].split() if name in words]
    for owner, names in NEWER["new_names"].items():
        found += [f"{owner}.{name}" for name in names.split() if name in words]
    head, *functions = re.split(r"\n(?=(?:static )?func )", code)
    for function in functions or [""]:
        found += _called_on_variables(f"{head}\n{function}")
    return found + re.findall(NEWER_SYNTAX, code)


def _called_on_variables(code: str) -> list[str]:
    """Newer members by the type of the variable, for ambiguous names: `get`, `sort` ..."""
    found = []
    for owner, names in NEWER["known_names"].items():
        for variable in set(re.findall(rf"\b(\w+)\s*:=?\s*{owner}\b(?!\.)", code)):
            used = re.findall(rf"(?<!\.)\b{variable}\.({'|'.join(names.split())})\b", code)
            found += [f"{owner}.{name}" for name in used]
    return found


def test_no_script_needs_a_newer_godot() -> None:
    assert len(SCRIPTS) > 100
    newer = {script.relative_to(ADDON).as_posix(): newer_in(script.read_text("utf-8")) for script in SCRIPTS}
    assert {script: names for script, names in newer.items() if names} == {}


@pytest.mark.parametrize(
    "line",
    [
        "var dock := EditorDock.new()",
        "copy = table.duplicate_deep()",
        "EditorInterface.get_editor_toaster().push_toast(text)",
        "var table: Dictionary = {}\n\ttable.sort()",
        "var bytes := PackedByteArray()\n\tbytes.erase(0)",
        "var doors: Dictionary[int, Node2D] = {}",
        "@abstract",
    ],
)
def test_what_is_newer_is_found(line: str) -> None:
    assert newer_in(line)


def test_what_looks_like_it_is_not() -> None:
    assert newer_in('var all: Array = []\nall.sort()\n# EditorDock\nsay("duplicate_deep")\n') == []
