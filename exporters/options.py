"""Options of exporters: dotted keys, checked against what each exporter declares.

They are given one by one (`{"png.scale": 2}`) or as a file, with one table per format:

    [png]
    scale = 2

    [godot.scenes]                               an option with a table of texts as its value
    enemy = "res://enemies/slime.tscn"
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from exporters.base import Exporter, OptionValue
from exporters.registry import exporter as exporter_of
from exporters.registry import format_names
from generator.errors import BadInput, hint, shown
from generator.files import parsed_toml, read_text
from generator.node import Node

_TRUTHS = {"true": True, "false": False}
_MAX_BYTES = 1 << 20  # of a file of options
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


def options_of(exporters: Sequence[Exporter], chosen: Mapping[str, object]) -> dict[str, dict[str, Any]]:
    """Collect each exporter's options, by its name: those `chosen` by dotted key (`png.scale`), or defaults.

    Text for an option of another type is read as on the command line. A table of texts is given as
    a table, or one entry at a time (`godot.scenes.enemy`); later entries replace earlier ones. Raises
    BadInput for an unknown option, and for a wrong value.
    """
    declared = {
        f"{exporter.name}.{name}": (exporter.name, name)
        for exporter in exporters
        for name in exporter.options
    }
    values: dict[str, dict[str, Any]] = {
        exporter.name: {name: option.default for name, option in exporter.options.items()}
        for exporter in exporters
    }
    options = {exporter.name: exporter.options for exporter in exporters}
    tables = tuple(key for key, (form, name) in declared.items() if type(options[form][name].default) is dict)
    for key, written in chosen.items():
        known, value = _entry(key, written, tables)
        if known not in declared:
            raise _unknown(key, list(declared), list(options))
        form, name = declared[known]
        option = options[form][name]
        checked = option.checked(known, _typed(value, option.default))
        values[form][name] = {**values[form][name], **checked} if known in tables else checked
    return values


def _entry(key: str, value: object, tables: Iterable[str]) -> tuple[str, object]:
    """Convert `godot.scenes.enemy` and its text to an option and a one-entry table. Others stay unchanged.

    An entry's key may contain a `=`. A command line splits at the first one, so everything before the last
    `=` of the value belongs to the key.
    """
    for table in tables:
        if key.startswith(f"{table}."):
            inner = key[len(table) + 1 :]
            if isinstance(value, str) and "=" in value:
                start, _, value = value.rpartition("=")
                inner = f"{inner}={start}"
            return table, {inner: value}
    return key, value


def load_options(path: str | os.PathLike[str], formats: Iterable[str]) -> dict[str, object]:
    """Load the options for some formats from a TOML file, by dotted key. Other tables are checked too.

    Raises BadInput, which names the file, for a bad file and for a bad option of any format.
    """
    tables = parsed_toml(read_text(Path(path), _MAX_BYTES, BadInput), str(path), BadInput)
    return options_in(tables, formats, str(path))


def options_in(tables: Mapping[str, object], formats: Iterable[str], where: str) -> dict[str, object]:
    """Read options like `load_options`, from tables of such a file. `where` names it in messages."""
    wanted = set(formats)
    options: dict[str, object] = {}
    node = Node(tables, where, is_file=True)
    for form in tables:
        table = node[form].table("write options such as [png] scale = 2")
        dotted = {f"{form}.{key}": value for key, value in table.items()}
        with node.named():
            options_of([exporter_of(form)], dotted)
        options |= dotted if form in wanted else {}
    return options


def _typed(value: object, default: OptionValue) -> object:
    """Convert a text from a command line to the type of the option's default if possible."""
    if isinstance(value, str):
        if isinstance(default, bool):
            return _TRUTHS.get(value, value)
        if isinstance(default, int) and _WHOLE.fullmatch(value):
            return int(value)
    return value


def _unknown(key: str, known: list[str], formats: list[str]) -> BadInput:
    form = key.partition(".")[0]
    if form not in formats and form in format_names(others=True):
        return BadInput(
            f"{shown(key)}: {form} is not among the formats to write; add it with --to, or leave the option "
            "out"
        )
    where = ", ".join(formats) or "any format"
    return BadInput(f"{shown(key)}: is not an option of {where}; {hint(key, known)}")


def format_facts(form: Exporter) -> dict[str, Any]:
    """Describe a format, for forms and the help."""
    return {
        "format": form.name,
        "summary": form.summary,
        "suffixes": list(form.suffixes),
        "options": describe(form),
    }


def describe(exporter: Exporter) -> list[dict[str, Any]]:
    """Describe every option: key, type, default, range or choices, unit and help, ready for JSON."""
    return [option.described(f"{exporter.name}.{name}") for name, option in exporter.options.items()]
