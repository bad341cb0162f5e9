"""What every key of a kit means, as the tables of docs/kits.md: `undercroft kit keys` prints it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.kinds.columns import REQUIRED, RowTable
from generator.kinds.facts import FACTS
from generator.kinds.kinds import KIND_TABLES
from generator.kinds.rules import RULE_TABLES, SEVERAL
from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES
from generator.kinds.style_rows import STYLE_TABLES

_RARE = (
    'A list of marker kinds, above all tables: `rare_markers = ["chest", "lever"]`. They stand only in rooms '
    "whose `markers` name them; others may stand anywhere. A kit's list takes the place of the list of the "
    "kit that it extends."
)


def reference() -> str:
    """All tables, their keys and their meaning, in Markdown."""
    parts: list[str] = []
    for table in KIND_TABLES:
        parts += _rows(table, f"[{table.key}.NAME]")
        if table.key == "room":
            for style, own in STYLE_TABLES.items():
                parts += _rows(own, f"[room.NAME.{style}]")
    for table in RULE_TABLES:
        several = table.key in SEVERAL and table.key != "special_room"
        heading = f"[[{table.key}.NAME]]" if several else f"[{table.key}.NAME]"
        parts += _rows(table, heading)
    for table in SETTING_TABLES:
        parts += _rows(table, f"[{table.key}]", defaults=False)
    for numbers in NUMBER_TABLES:
        names = f" Names: {', '.join(f'`{each}`' for each in numbers.names)}." if numbers.names else ""
        what = numbers.column.names or "name"
        parts += [f"### `[{numbers.key}]`", "", numbers.help + names, ""]
        parts += ["| key | value | meaning |", "| --- | --- | --- |"]
        parts += [f"| a {what} | {numbers.column.form} | {numbers.column.help} |", ""]
    parts += ["### `rare_markers`", "", _RARE, ""]
    parts += ["### Facts", "", "What conditions may ask for, beside the rows of `[state.NAME]`.", ""]
    parts += ["| fact | meaning |", "| --- | --- |"]
    parts += [f"| `{name}` | {meaning} |" for name, meaning in FACTS.items()]
    return "\n".join(parts) + "\n"


def _rows(table: RowTable, heading: str, *, defaults: bool = True) -> Iterator[str]:
    yield from (f"### `{heading}`", "", table.help, "")
    if defaults:
        yield from ("| key | value | meaning | default |", "| --- | --- | --- | --- |")
    else:
        yield from ("| key | value | meaning |", "| --- | --- | --- |")
    for key, column in table.columns.items():
        cells = [f"`{key}`", column.form, column.help]
        if defaults:
            cells.append(_default(column.default))
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
    yield ""


def _default(given: object) -> str:
    if given is REQUIRED:
        return "must be given"
    if isinstance(given, bool):
        return f"`{str(given).lower()}`"
    if given in (None, "", (), {}) or isinstance(given, dict):
        return ""
    if isinstance(given, tuple):
        return f"`{list(given)}`"
    text = str(given)
    return text if " " in text else f"`{text}`"
