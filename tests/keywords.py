"""`generator/keywords.py`: the values that the specs declare, as keyword arguments for type checkers and editors.

python -m tests.keywords    # write it, after a style has a new value
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from generator.named_tuple import NamedTuple
from generator.spec.base import LevelSpec, Values, declared, style_tables
from generator.styles.registry import BUILT_IN, DRAWN, style
from generator.values import Value

FILE = Path(__file__).parents[1] / "generator" / "keywords.py"
_PLAIN = {bool: "bool", int: "Int", str: "str"}
_OF_MEMORY = {"int": "Int", "bool": "bool", "Texts": "TextList"}  # which declares no values
_HEAD = '''\
"""The values of specs as keyword arguments, for type checkers and editors.

Written by `python -m tests.keywords` from what the specs declare.
"""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np

{imports}

Int: TypeAlias = int | np.integer[Any]
IntPair: TypeAlias = tuple[Int, Int] | list[int]
IntRange: TypeAlias = Int | IntPair
TextList: TypeAlias = tuple[str, ...] | list[str]
'''
_CLASS = '''

class {name}(TypedDict, total=False):
    """{help}"""

'''
_HELP = """The values of the built-in styles: what a function takes as `**values: Unpack[SpecKeywords]`.

    `undercroft describe STYLE` lists those of a style, with what they mean.
    """


class _Table(NamedTuple):
    """A table of values, such as `state`: the classes of the styles that have it, the least special first."""

    kinds: tuple[type[Values], ...]

    @property
    def name(self) -> str:
        return self.kinds[0].__name__


def text() -> str:
    """The module, as it should be."""
    specs = [style(name).spec for name in BUILT_IN if name != DRAWN]
    tables = {name: _Table(_kinds(name, specs)) for spec in specs for name in style_tables(spec)}
    keys = _types((key, field) for spec in specs for key, field in declared(spec) if "." not in key)
    keys |= {name: [table.name, f"{table.name}Keywords"] for name, table in tables.items()}
    imports = sorted(f"from {table.kinds[0].__module__} import {table.name}" for table in tables.values())
    parts = [_HEAD.format(imports="\n".join(imports))]
    for name, table in sorted(tables.items()):
        fields = [(field.name, field) for kind in table.kinds for field in dataclasses.fields(kind)]
        parts.append(_typed(table.name, f"The table `{name}` of a spec.", _types(fields)))
    parts.append(_typed("Spec", _HELP, keys))
    return _formatted("".join(parts))


def _kinds(name: str, specs: list[type[LevelSpec]]) -> tuple[type[Values], ...]:
    kinds = [style_tables(spec)[name] for spec in specs if name in style_tables(spec)]
    return tuple(sorted(dict.fromkeys(kinds), key=lambda kind: len(kind.__mro__)))


def _types(fields: Iterable[tuple[str, dataclasses.Field[Any]]]) -> dict[str, list[str]]:
    """List the types of each key, over the styles that have it. Choices are one type."""
    types: dict[str, list[str]] = {}
    choices: dict[str, dict[str, None]] = {}
    for key, field in fields:
        declaration: Value | None = field.metadata.get("value")
        if key == "own":  # of `state`: the facts of a kit, by their names
            continue
        if declaration and declaration.choices and not declaration.kit_choices:
            choices.setdefault(key, {}).update(dict.fromkeys(map(repr, declaration.choices)))
        else:
            types.setdefault(key, []).append(
                _type(declaration) if declaration else _OF_MEMORY[str(field.type)]
            )
    for key, names in choices.items():
        types.setdefault(key, []).append(f"Literal[{', '.join(names)}]")
    return types


def _type(declaration: Value) -> str:
    if isinstance(declaration.default, tuple):
        assert len(declaration.default) == 2
        return "IntRange" if declaration.takes_one else "IntPair"
    return "str | PathLike[str]" if declaration.form == "folder" else _PLAIN[type(declaration.default)]


def _typed(name: str, help: str, keys: dict[str, list[str]]) -> str:
    rows = (f"    {key}: {' | '.join(dict.fromkeys(types))}\n" for key, types in sorted(keys.items()))
    return _CLASS.format(name=f"{name}Keywords", help=help) + "".join(rows)


def _formatted(source: str) -> str:
    """Return the source as ruff sorts and formats it."""
    for words in (("check", "--select", "I", "--fix", "--quiet"), ("format",)):
        command = [sys.executable, "-m", "ruff", *words, "--stdin-filename", str(FILE), "-"]
        source = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    return source


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
