"""All rows of a kit and of those that it extends, each with its file, and what differs between two kits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from generator.kinds.kit import Kit, own_tables, shipped_files_of_rows
from generator.named_tuple import NamedTuple
from generator.pattern import pattern
from generator.value_words import toml

_WIDTH = 100  # of a line with a list; longer lists have a line for each item
_BARE = pattern(r"[A-Za-z0-9_-]+")


class KitRow(NamedTuple):
    """A row of a merged kit: its name, such as `room.garden`, its value, and its file.

    `replaces` are the files of the rows with this name that it replaces, the lowest kit's first. A list above
    all tables, such as `rare_markers`, is a row of its own.
    """

    name: str
    value: Any
    file: str
    replaces: tuple[str, ...]


class RowChange(NamedTuple):
    """What differs between two kits: a row, or a key of it, with its values, None where there is none."""

    name: str
    before: Any
    after: Any


def rows_of(kit: Kit) -> Iterator[KitRow]:
    """Yield the rows of a kit and of those that it extends, in the order of their tables."""
    files = _files(kit)
    for name, value in _named(kit.tables).items():
        *replaces, file = files.get(name, ("every kit",))
        yield KitRow(name, value, file, tuple(replaces))


def _files(kit: Kit) -> Mapping[str, list[str]]:
    """Return the files in which each row is, the lowest kit's first."""
    layers = [kit]
    while layers[-1].parent:
        layers.append(layers[-1].parent)
    files: dict[str, list[str]] = {}
    for layer in reversed(layers):
        shipped = shipped_files_of_rows() if layer.is_shipped else {}
        for row in _named(own_tables(layer)):
            file = f"shipped/{shipped[row]}" if shipped else layer.file_of(row)
            files.setdefault(row, []).append(Path(file).as_posix())
    return files


def _named(tables: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for key, rows in tables.items():
        if isinstance(rows, Mapping):
            named |= {f"{key}.{name}": row for name, row in rows.items()}
        else:
            named[key] = rows
    return named


def changes_between(before: Kit, after: Kit) -> Iterator[RowChange]:
    """Yield what differs between the merged rows of two kits: whole rows, or single keys of rows in both."""
    old, new = _named(before.tables), _named(after.tables)
    for name in {**old, **new}:
        yield from _changes(name, old.get(name), new.get(name))


def _changes(name: str, old: Any, new: Any) -> Iterator[RowChange]:
    old, new = _single(old), _single(new)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in {**old, **new}:
            yield from _changes(f"{name}.{_key(key)}", old.get(key), new.get(key))
    elif old != new:
        yield RowChange(name, old, new)


def _single(value: Any) -> Any:
    """Return a list of one table as that table: it says the same."""
    return value[0] if isinstance(value, list) and len(value) == 1 and _entries(value) else value


def toml_blocks(rows: Iterable[KitRow]) -> Iterator[str]:
    """Write rows as the parts of a TOML file. Comments name each row's file, and those that it replaces."""
    tables: dict[str, list[KitRow]] = {}
    for row in rows:
        table, _, name = row.name.partition(".")
        tables.setdefault(table if name else "", []).append(row)
    for table in sorted(tables, key=bool):  # single values come first
        flat = [row for row in tables[table] if not _entries(row.value) or not table]
        if flat:
            lines = [f"{_line(_key(row.name.split('.')[-1]), row.value)}  # {_origin(row)}" for row in flat]
            yield "\n".join([f"[{table}]", *lines] if table else lines)
        for row in tables[table]:
            if row not in flat:
                several = isinstance(row.value, list)
                parts = (_table(row.name, entry, several=several) for entry in _entries(row.value))
                yield "\n".join([f"# {_origin(row)}", *chain.from_iterable(parts)])


def _entries(value: object) -> list[Mapping[str, Any]]:
    """Return the tables of a row, of which there may be several. Empty for numbers, texts and their lists."""
    entries = value if isinstance(value, list) else [value]
    tables = [entry for entry in entries if isinstance(entry, Mapping)]
    return tables if len(tables) == len(entries) else []


def _origin(row: KitRow) -> str:
    return f"{row.file}, instead of {' and '.join(row.replaces)}" if row.replaces else row.file


def _table(name: str, row: Mapping[str, Any], *, several: bool = False) -> Iterator[str]:
    yield f"[[{name}]]" if several else f"[{name}]"
    for key, value in row.items():
        if not isinstance(value, Mapping):
            yield _line(_key(key), value)
    for key, value in row.items():
        if isinstance(value, Mapping):
            yield from _table(f"{name}.{_key(key)}", value)


def _line(key: str, value: object) -> str:
    line = f"{key} = {toml(value)}"
    if len(line) > _WIDTH and isinstance(value, list):
        return "\n".join((f"{key} = [", *(f"    {toml(item)}," for item in value), "]"))
    return line


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else toml(name)
