"""JSON Schemas of every file that people write for Undercroft, and of the level that it writes.

They are made from the tables that the readers use, so a schema accepts everything that its reader accepts.
Some errors only the reader can find, such as an unknown row of a kit or a reversed range. A project has them
in a folder, and a TOML file names its schema in its first line.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from exporters.base import Exporter
from exporters.registry import usable_exporters
from generator.errors import BadInput, shown
from generator.files import open_file
from generator.json_schema import DRAFT, JsonSchema, value_schema
from generator.shipped_files import shipped_folder
from generator.version import VERSION

if TYPE_CHECKING:
    from generator.kinds import Kit


def options_schema() -> JsonSchema:
    """Describe the options of all installed formats, as `--options FILE` takes them."""
    return {
        "title": "Undercroft options",
        "description": "Options of formats: a table for each format.",
        "type": "object",
        "properties": {form.name: _format_schema(form) for form in usable_exporters()},
        "additionalProperties": False,
    }


def _format_schema(form: Exporter) -> JsonSchema:
    return {
        "description": form.summary,
        "type": "object",
        "properties": {name: value_schema(option) for name, option in form.options.items()},
        "additionalProperties": False,
    }


def all_schemas(kit: Kit | None = None) -> dict[str, JsonSchema]:
    """Make all schemas by name: `spec`, `manifest`, `kit`, `kit-rows`, `theme`, `options`, `flow`, `level`.

    Each has an `$id` with the version of Undercroft, or of the level format. With a kit, the schemas of
    specs, manifests, flows and themes include what the kit adds.
    """
    from exporters.builder.keys import manifest_schema
    from exporters.theme.schema import theme_schema
    from generator.kinds.reference import kit_schema
    from generator.spec.schema import any_values_schema, spec_schema
    from generator.styles.registry import usable_styles

    options = options_schema()
    schemas = {
        "spec": spec_schema(kit),
        "manifest": manifest_schema(options, any_values_schema(kit)),
        "kit": kit_schema(head=True),
        "kit-rows": kit_schema(head=False),
        "theme": theme_schema(kit.kinds) if kit else theme_schema(),
        "options": options,
    }
    for style in usable_styles():
        schemas |= style.schemas(kit)
    level: JsonSchema = json.loads((shipped_folder("generator") / "level.schema.json").read_bytes())
    return {**{name: _headed(name, schema) for name, schema in schemas.items()}, "level": level}


def _headed(name: str, schema: JsonSchema) -> JsonSchema:
    return {"$schema": DRAFT, "$id": f"urn:undercroft:schema:{name}:{VERSION}", **schema}


# --- in a folder -------------------------------------------------------------------------------------

SCHEMAS_FOLDER = ".schemas"  # hidden, so that `undercroft check .` and Godot skip it
_MAX_FOLDERS = 40  # parent folders searched for a file's project
_MAX_LINE = 4096  # bytes
_DIRECTIVE = "#:schema "
_ENDING = ".schema.json"


def schema_file(name: str) -> str:
    """Return the file name of a schema."""
    return f"{name}{_ENDING}"


def schema_text(schema: JsonSchema) -> str:
    """Write the JSON of a schema, as printed and written."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def schema_files() -> dict[str, str]:
    """Write the files of all schemas, by name."""
    return {schema_file(name): schema_text(schema) for name, schema in all_schemas().items()}


def directive_line(folder: str, name: str) -> str:
    """Return the first line of a TOML file, with which editors find its schema in a folder."""
    path = folder if folder.startswith(".") and folder.partition("/")[0] == ".." else f"./{folder}"
    return f"{_DIRECTIVE}{path}/{schema_file(name)}\n"


def directive_for(folder: Path, name: str) -> str:
    """Return that line for a new file in a folder if its project has the schema, or else an empty text."""
    start = folder.absolute()
    for above in (start, *start.parents)[:_MAX_FOLDERS]:
        if _is_there(above / SCHEMAS_FOLDER / schema_file(name)):
            relative = os.path.relpath(above / SCHEMAS_FOLDER, start).replace(os.sep, "/")
            return directive_line(relative, name)
    return ""


def lost_schema(path: Path) -> str:
    """Say that the schema in a file's first line is not there, with the remedy, or nothing."""
    with open_file(path, BadInput) as file:
        line = file.readline(_MAX_LINE).decode("utf-8", "replace").rstrip()
    named = line.removeprefix(_DIRECTIVE).strip()
    if not line.startswith(_DIRECTIVE) or ":" in named or _is_there(path.parent / named):
        return ""  # an address with a colon is one that only an editor can look at
    folder, _, file_name = named.rpartition("/")
    right = directive_for(path.parent, file_name.removesuffix(_ENDING)).rstrip()
    made = f"run `undercroft schema --out {quote(os.path.normpath(path.parent / folder))}`"
    remedy = f"write {right}" if right else f"{made}, or remove the line"
    return f"{path}: line 1: {shown(named)} is not there, so no editor checks the file; {remedy}"


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # such as of a name that is too long
        return False
