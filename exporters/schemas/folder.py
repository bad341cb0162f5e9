"""Schemas in a project's folder, and the line with which a TOML file names its schema."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.schemas import all_schemas

if TYPE_CHECKING:
    from generator.json_schema import JsonSchema
    from generator.kinds import Kit

SCHEMAS_FOLDER = ".schemas"  # hidden, so that `undercroft check .` and Godot skip it
_MAX_FOLDERS = 40  # parent folders searched for a file's project


def schema_file(name: str) -> str:
    """Return the file name of a schema."""
    return f"{name}.schema.json"


def schema_text(schema: JsonSchema) -> str:
    """Write the JSON of a schema, as printed and written."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def schema_files(kit: Kit | None = None) -> dict[str, str]:
    """Write the files of all schemas, by name."""
    return {schema_file(name): schema_text(schema) for name, schema in all_schemas(kit).items()}


def directive_line(folder: str, name: str) -> str:
    """Return the first line of a TOML file, with which editors find its schema in a folder."""
    path = folder if folder.startswith(".") and folder.partition("/")[0] == ".." else f"./{folder}"
    return f"#:schema {path}/{schema_file(name)}\n"


def directive_for(folder: Path, name: str) -> str:
    """Return that line for a new file in a folder if its project has the schema, or else an empty text."""
    start = folder.absolute()
    for above in (start, *start.parents)[:_MAX_FOLDERS]:
        if (above / SCHEMAS_FOLDER / schema_file(name)).is_file():
            relative = os.path.relpath(above / SCHEMAS_FOLDER, start).replace(os.sep, "/")
            return directive_line(relative, name)
    return ""
