"""Finds every problem of a kit, not only the first, for `undercroft check our-kit/`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from generator.errors import KitError
from generator.kinds.columns import RowTable
from generator.kinds.kinds import KIND_TABLES, Kinds
from generator.kinds.kit import merged_tables, read_kit, shipped_kit
from generator.kinds.kit_files import in_its_file
from generator.kinds.rooms import ROOMS
from generator.kinds.rule_checks import rule_problems
from generator.kinds.rules import RULE_TABLES, Rules, check_keys, numbers_of, rows_of_table, settings_of
from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES

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
    return list(dict.fromkeys(problems))[:MAX_PROBLEMS]


def _row_problems(tables: Mapping[str, Any], where: str) -> Iterator[KitError]:
    for key in tables:
        try:
            check_keys({key: None}, where)
        except KitError as error:
            yield error
    for table in (*KIND_TABLES, *RULE_TABLES):
        content = tables.get(table.key, {})
        if not isinstance(content, Mapping):
            yield from _raised(partial(_read_all, table, content, where))
            continue
        for name, row in content.items():
            for entry in row if isinstance(row, list) and table in RULE_TABLES else [row]:
                yield from _problems_of(table, name, entry, where)
    shipped = shipped_kit().rules
    for settings in SETTING_TABLES:
        content = tables.get(settings.key, {})
        for part in _apart(content):
            yield from _raised(partial(settings_of, settings, part, where, shipped))
    for numbers in NUMBER_TABLES:
        for part in _apart(tables.get(numbers.key, {})):
            yield from _raised(partial(numbers_of, numbers, part, where))


def _problems_of(table: RowTable, name: str, row: object, where: str) -> Iterator[KitError]:
    """Yield the problems of a row: of each of its keys, and then of missing ones."""
    if table is ROOMS and isinstance(row, Mapping):  # tables in it belong to styles
        row = {
            key: item for key, item in row.items() if key in table.columns or not isinstance(item, Mapping)
        }
    wrong = False
    for key, value in row.items() if isinstance(row, Mapping) else ():
        label = f"{where}: {table.key}.{name}.{key}"
        if key in table.columns:
            for error in _raised(partial(table.value, key, value, label)):
                wrong = True
                yield error
    if not wrong:
        yield from _raised(partial(table.read, name, row, where))


def _apart(table: object) -> list[object]:
    """Split a table by key, so that each key is checked separately."""
    return [{key: value} for key, value in table.items()] if isinstance(table, Mapping) else [table]


def _read_all(table: RowTable, rows: object, where: str) -> None:
    for _ in rows_of_table(table, rows, where):
        pass


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
    yield from map(str, rule_problems(rules, kinds, where))
