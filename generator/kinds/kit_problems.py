"""Finds every problem of a kit, not only the first, for `undercroft check our-kit/`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from generator.errors import KitError, one_line
from generator.kinds.all_tables import RULE_TABLES
from generator.kinds.columns import KitNode, RowTable
from generator.kinds.kind_tables import KIND_TABLES
from generator.kinds.kinds import Kinds, own_columns
from generator.kinds.kit import merged_tables, read_kit, shipped_kit
from generator.kinds.kit_files import in_its_file
from generator.kinds.rule_checks import rule_problems
from generator.kinds.rules import Rules, check_keys, numbers_of, settings_of
from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES
from generator.node import Node

MAX_PROBLEMS = 200


def kit_problems(folder: Path) -> list[str]:
    """List the problems of a kit's rows, one line each.

    If single rows are wrong, relations between rows are not checked.
    """
    try:
        tables, where, files = merged_tables(folder)
    except KitError as error:
        return [str(error)]
    problems = [in_its_file(str(problem), where, files) for problem in _row_problems(tables, where)]
    if not problems:
        try:
            read_kit(folder)
        except KitError as error:
            names = (in_its_file(problem, where, files) for problem in _name_problems(tables, where))
            problems = [str(error), *names]
    return list(dict.fromkeys(map(one_line, problems)))[:MAX_PROBLEMS]


def _row_problems(tables: Mapping[str, Any], where: str) -> Iterator[KitError]:
    for key in tables:
        yield from _raised(partial(check_keys, {key: None}, where))
    root = KitNode(tables, where, is_file=True)
    for table in (*KIND_TABLES, *RULE_TABLES):
        for part in _apart(root.at(table.key, {})):
            try:
                rows = [row for _, row in table.rows(part)]
            except KitError as error:
                yield error
                continue
            for row in rows:
                for entry in row.items() if isinstance(row.value, list) and table in RULE_TABLES else [row]:
                    yield from _problems_of(table, own_columns(table, entry), tables[table.key])
    shipped = shipped_kit().rules
    for settings in SETTING_TABLES:
        for part in _apart(root.at(settings.key, {})):
            yield from _raised(partial(settings_of, settings, part, shipped))
    for numbers in NUMBER_TABLES:
        for part in _apart(root.at(numbers.key, {})):
            yield from _raised(partial(numbers_of, numbers, part))


def _problems_of(table: RowTable, row: Node, names: Iterable[str]) -> Iterator[KitError]:
    """Yield the problems of a row: of each of its keys, and then of missing ones. See `RowTable.read`."""
    problems = [
        error
        for key, column in table.columns.items()
        if isinstance(row.value, dict) and key in row.value
        for error in _raised(partial(column.read, row[key]))
    ]
    yield from problems or _raised(partial(table.read, row, names))


def _apart(node: KitNode) -> list[KitNode]:
    """Split a table by key, so that each key is checked separately."""
    return (
        [node.instead({key: value}) for key, value in node.value.items()]
        if isinstance(node.value, dict)
        else [node]
    )


def _raised(call: Callable[[], object]) -> Iterator[KitError]:
    try:
        call()
    except KitError as error:
        yield error


def _name_problems(tables: Mapping[str, Any], where: str) -> Iterator[str]:
    """Yield what is wrong between the rules, if the kinds are valid."""
    try:
        kinds = Kinds(tables, where)
        rules = Rules(tables, kinds, where, shipped_kit().rules, check=False)
    except KitError as error:
        yield str(error)
        return
    yield from (f"{where}: {problem}" for problem in rule_problems(rules, kinds))
