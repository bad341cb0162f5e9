"""The meaning of every key of a kit, as in the tables of docs/kits.md: `undercroft kit keys` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from generator.kinds.columns import REQUIRED, RowTable
from generator.kinds.facts import FACTS
from generator.kinds.kinds import KIND_TABLES
from generator.kinds.rules import RULE_TABLES, SEVERAL
from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES, NumberTable
from generator.kinds.style_rows import STYLE_TABLES

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
    yield from (f"### {name}", "", table.help, "")
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
    row = {
        "key": f"a {table.column.names or 'name'}",
        "value": table.column.form,
        "meaning": table.column.help,
    }
    return KeyTable(f"[{table.key}]", table.help + names, (row,))


def _of_rows(table: RowTable, name: str, *, defaults: bool = True) -> KeyTable:
    rows = []
    for key, column in table.columns.items():
        row = {"key": key, "value": column.form, "meaning": column.help}
        rows.append(row | {"default": _default(column.default)} if defaults else row)
    return KeyTable(name, table.help, tuple(rows))


def _default(default: object) -> str:
    if default is REQUIRED:
        return _REQUIRED
    if isinstance(default, bool):
        return str(default).lower()
    if default in (None, "", (), {}) or isinstance(default, dict):
        return ""
    return str(list(default) if isinstance(default, tuple) else default)
