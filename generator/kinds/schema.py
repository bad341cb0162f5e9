"""The JSON Schemas of a kit's files, from the columns that its readers use."""

from __future__ import annotations

from generator.json_schema import JsonSchema, fields, matching
from generator.kinds.columns import NAME, REQUIRED, Column, RowTable, name
from generator.kinds.facts import RESERVED, TAKEN
from generator.kinds.kinds import FIXED, KIND_TABLES
from generator.kinds.kit_files import HEAD, KIT_NAME, MAX_ROWS_GONE
from generator.kinds.rooms import ROOMS
from generator.kinds.rules import MAX_RULES, RULE_TABLES, SEVERAL
from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES, NumberTable
from generator.kinds.style_rows import STYLE_TABLES

_NOT_TAKEN = {**FIXED, "state": tuple(sorted(TAKEN | RESERVED))}  # names that a kit's rows cannot have


def kit_schema(*, head: bool) -> JsonSchema:
    """Build the schema of kit.toml, or without `head` that of a kit's other TOML files."""
    keys = _head() if head else {}
    keys["rare_markers"] = {
        "type": "array",
        "items": name.schema,
        "description": "marker kinds that appear only in rooms whose `markers` name them",
    }
    for table in (*KIND_TABLES, *RULE_TABLES):
        keys[table.key] = _rows(table)
    for table in SETTING_TABLES:
        keys[table.key] = {**row_schema(table, needed=False), "description": table.help}
    for numbers in NUMBER_TABLES:
        keys[numbers.key] = _numbers(numbers)
    schema = fields(keys, ("name",) if head else ())
    description = (
        "A kit: what levels hold, and by which rules." if head else "Rows of a kit, beside its kit.toml."
    )
    return {
        "title": "Undercroft kit" if head else "Undercroft kit rows",
        "description": description,
        **schema,
    }


def _head() -> JsonSchema:
    forms: JsonSchema = {
        "name": {**matching(KIT_NAME), "not": {"pattern": "^[sS][hH][iI][pP][pP][eE][dD]$"}},
        "extends": {"type": "string", "minLength": 1, "maxLength": 1000, "default": "shipped"},
        "without": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_ROWS_GONE},
    }
    return {key: {**forms[key], "description": help} for key, help in HEAD.items()}


def row_schema(table: RowTable, *, needed: bool = True) -> JsonSchema:
    """Build the schema of a row, in which the required columns are `needed`."""
    required = [key for key, column in table.columns.items() if column.default is REQUIRED and needed]
    return fields({key: _column(column) for key, column in table.columns.items()}, required)


def _column(column: Column) -> JsonSchema:
    schema = {**column.read.schema, "description": column.help}
    default = column.default
    if isinstance(default, (bool, int)) or (isinstance(default, tuple) and default):
        schema["default"] = list(default) if isinstance(default, tuple) else default
    elif isinstance(default, str) and default:
        schema["description"] += f"; default: {default}"
    return schema


def _rows(table: RowTable) -> JsonSchema:
    """Build the schema of a table's rows by name. Some tables allow several rows with one name."""
    row = row_schema(table)
    if table is ROOMS:  # a table in a row has a style's settings for the kind
        row["properties"] |= {
            style: {**row_schema(own), "description": own.help} for style, own in STYLE_TABLES.items()
        }
        row["additionalProperties"] = {
            "type": "object",
            "description": "settings of another style for this kind",
        }
    if table.key in SEVERAL:
        row = {**row, "type": ["object", "array"], "items": row, "maxItems": MAX_RULES}
    names = matching(NAME)
    if table.key in _NOT_TAKEN:
        names["not"] = {"enum": list(_NOT_TAKEN[table.key])}
    return {
        "type": "object",
        "description": table.help,
        "propertyNames": names,
        "additionalProperties": row,
    }


def _numbers(table: NumberTable) -> JsonSchema:
    value = {**table.column.read.schema, "description": table.column.help}
    schema: JsonSchema = {"type": "object", "description": table.help}
    if table.names:
        return schema | {"properties": dict.fromkeys(table.names, value), "additionalProperties": False}
    return schema | {"additionalProperties": value}
