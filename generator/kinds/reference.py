"""The meaning of every key of a kit, as `docs/reference-kits.md` shows it, and the JSON Schemas of its files.

`undercroft kit keys` prints the tables. All follows from the columns that the readers use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.json_schema import JsonSchema, documented, fields, listed, matching
from generator.kinds.all_tables import RULE_TABLES
from generator.kinds.columns import NAME, REQUIRED, Column, RowTable, name
from generator.kinds.conditions import FACTS, RESERVED, TAKEN
from generator.kinds.kind_tables import KIND_TABLES, ROOMS
from generator.kinds.kinds import FIXED
from generator.kinds.kit_files import HEAD, KIT_NAME, MAX_ROWS_GONE
from generator.kinds.parents import MAX_PARENTS
from generator.kinds.rules import MAX_RULES, SEVERAL
from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES, STYLE_TABLES, NumberTable
from generator.named_tuple import NamedTuple

_FACTS = "Facts"  # not a table
_REQUIRED = "required"
_RARE = (
    'A list of marker kinds, above all tables: `rare_markers = ["chest", "lever"]`. They appear only in '
    "rooms whose `markers` name them; others can appear anywhere. A kit's list replaces the list of the kit "
    "that it extends."
)


class KeyTable(NamedTuple):
    """The documentation of a table of a kit: how TOML writes it, what it is for, and its keys.

    Each key is a row with the same columns as the others of its table: `key`, `value` (what may be given),
    `meaning`, and in most tables `default`; for facts, `fact` and `meaning`.
    """

    name: str
    help: str
    keys: tuple[Mapping[str, str], ...]


def key_tables() -> Iterator[KeyTable]:
    """Yield every table, and the facts that conditions can test in the same form."""
    for table in KIND_TABLES:
        yield _of_rows(table, f"[{table.key}.NAME]")
        if table.key == "room":
            for style, own in STYLE_TABLES.items():
                yield _of_rows(own, f"[room.NAME.{style}]")
    for table in RULE_TABLES:
        several = table.key in SEVERAL and table.key != "special_room"
        yield _of_rows(table, f"[[{table.key}.NAME]]" if several else f"[{table.key}.NAME]")
    for table in SETTING_TABLES:
        yield _of_rows(table, f"[{table.key}]", defaults=False)
    yield from map(_of_numbers, NUMBER_TABLES)
    yield KeyTable("rare_markers", _RARE, ())
    facts = ({"fact": name, "meaning": meaning} for name, meaning in FACTS.items())
    yield KeyTable(_FACTS, "What conditions can test, besides the rows of `[state.NAME]`.", tuple(facts))


def reference() -> str:
    """Render all tables, their keys and their meaning in Markdown."""
    return "\n".join(line for table in key_tables() for line in _markdown(table))


def _markdown(table: KeyTable) -> Iterator[str]:
    name = table.name if table.name == _FACTS else f"`{table.name}`"
    yield from (f"## {name}", "", table.help, "")
    if table.keys:
        yield _line([*table.keys[0]])
        yield _line(["---" for _ in table.keys[0]])
        yield from (_line([_cell(*item) for item in row.items()]) for row in table.keys)
        yield ""


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(column: str, text: str) -> str:
    """Format a cell: TOML as code, words as they are."""
    is_code = text and (text.startswith("[") or " " not in text) and text != _REQUIRED
    escaped = text.replace("|", "\\|")
    return f"`{escaped}`" if is_code and column in ("key", "fact", "default") else escaped


def _of_numbers(table: NumberTable) -> KeyTable:
    names = f" Names: {', '.join(f'`{name}`' for name in table.names)}." if table.names else ""
    return KeyTable(
        f"[{table.key}]", table.help + names, (_key(f"a {table.column.names or 'name'}", table.column),)
    )


def _of_rows(table: RowTable, name: str, *, defaults: bool = True) -> KeyTable:
    keys = (
        _key(key, column) | ({"default": _default(column.default)} if defaults else {})
        for key, column in table.columns.items()
    )
    return KeyTable(name, table.help, tuple(keys))


def _key(key: str, column: Column) -> dict[str, str]:
    return {"key": key, "value": column.written, "meaning": column.help}


def _default(default: object) -> str:
    if default is REQUIRED:
        return _REQUIRED
    if isinstance(default, bool):
        return str(default).lower()
    if default in (None, "", (), {}) or isinstance(default, dict):
        return ""
    return str(list(default) if isinstance(default, tuple) else default)


# --- JSON Schemas ------------------------------------------------------------------------------------

_NOT_TAKEN = {**FIXED, "state": tuple(sorted(TAKEN | RESERVED))}  # names that a kit's rows cannot have


def kit_schema(*, head: bool) -> JsonSchema:
    """Build the schema of kit.toml, or without `head` that of a kit's other TOML files."""
    keys = _head() if head else {}
    rare = "marker kinds that appear only in rooms whose `markers` name them"
    keys["rare_markers"] = documented(rare, {"type": "array", "items": name.schema})
    for table in (*KIND_TABLES, *RULE_TABLES):
        keys[table.key] = _rows(table)
    for table in SETTING_TABLES:
        keys[table.key] = documented(table.help, row_schema(table, needed=False))
    for numbers in NUMBER_TABLES:
        keys[numbers.key] = _numbers(numbers)
    title, description = (
        ("Undercroft kit", "A kit: what levels hold, and by which rules.")
        if head
        else ("Undercroft kit rows", "Rows of a kit, beside its kit.toml.")
    )
    return {"title": title, "description": description, **fields(keys, ("name",) if head else ())}


def _head() -> JsonSchema:
    folder = {"type": "string", "minLength": 1, "maxLength": 1000}
    forms: JsonSchema = {
        "name": {**matching(KIT_NAME), "not": {"pattern": "^[sS][hH][iI][pP][pP][eE][dD]$"}},
        "extends": {"anyOf": [folder, listed(folder, 1, MAX_PARENTS)], "default": "shipped"},
        "without": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_ROWS_GONE},
    }
    return {key: documented(help, forms[key]) for key, help in HEAD.items()}


def row_schema(table: RowTable, *, needed: bool = True) -> JsonSchema:
    """Build the schema of a row, in which the required columns are `needed`."""
    required = [key for key, column in table.columns.items() if column.default is REQUIRED and needed]
    return fields({key: _column(column) for key, column in table.columns.items()}, required)


def _column(column: Column) -> JsonSchema:
    schema = documented(column.help, column.read.schema)
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
            style: documented(own.help, row_schema(own)) for style, own in STYLE_TABLES.items()
        }
        row["additionalProperties"] = documented(
            "settings of another style for this kind", {"type": "object"}
        )
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
    value = documented(table.column.help, table.column.read.schema)
    schema: JsonSchema = {"type": "object", "description": table.help}
    if table.names:
        return schema | {"properties": dict.fromkeys(table.names, value), "additionalProperties": False}
    return schema | {"additionalProperties": value}
