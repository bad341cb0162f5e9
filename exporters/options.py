"""The options of exporters: checked against what each exporter declares, or read from a command line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from exporters.base import Exporter, Option, OptionValue
from generator.errors import BadInput, shown

_MOST_TEXT = 4096  # characters
_TYPE_NAMES = {bool: "boolean", int: "integer", str: "string"}
_TRUTHS = {"true": True, "false": False}
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


def parse_option(text: str, option: Option, key: str = "") -> OptionValue:
    """The value that a text from a command line stands for; `key` names the option in messages.

    Raises BadInput if the text is none of the option's values.
    """
    key = key or option.name
    value: OptionValue = text
    if isinstance(option.default, bool):
        if text not in _TRUTHS:
            raise BadInput(f"{key}: {shown(text)} is not of type boolean; give true or false")
        value = _TRUTHS[text]
    elif isinstance(option.default, int):
        if not _WHOLE.fullmatch(text):
            raise BadInput(f"{key}: {shown(text)} is not of type integer; give a whole number")
        value = int(text)
    return _checked(value, option, key)


def _checked(value: object, option: Option, key: str) -> OptionValue:
    """`value` if it is of the option's type and one of its choices or in its range."""
    kind = type(option.default)
    if type(value) is not kind or not isinstance(value, (bool, int, str)):  # `True` is an int for Python
        raise BadInput(f"{key}: {shown(value)} is not of type {_TYPE_NAMES[kind]}")
    if isinstance(value, str):
        if option.choices and value not in option.choices:
            raise BadInput(f"{key}: {shown(value)} is none of {', '.join(option.choices)}")
        if len(value) > _MOST_TEXT:
            raise BadInput(f"{key}: {shown(value)} is longer than {_MOST_TEXT} characters")
    elif kind is int and option.low < option.high and not option.low <= value <= option.high:
        raise BadInput(f"{key}: {shown(value)} is out of range; give {option.low} to {option.high}")
    return value


def options_of(
    exporters: Sequence[Exporter], given: Mapping[str, object]
) -> dict[str, dict[str, OptionValue]]:
    """For each exporter's name all its options: those `given`, dotted (`png.scale`), and defaults.

    A text given for an option that is none is read as from a command line. Raises BadInput for an option
    that no exporter here has, and for a wrong value.
    """
    declared = {f"{each.name}.{option.name}": (each, option) for each in exporters for option in each.options}
    values = {each.name: {option.name: option.default for option in each.options} for each in exporters}
    for key, value in given.items():
        if key not in declared:
            raise _unknown(key, list(declared), [each.name for each in exporters])
        each, option = declared[key]
        if isinstance(value, str):
            values[each.name][option.name] = parse_option(value, option, key)
        else:
            values[each.name][option.name] = _checked(value, option, key)
    return values


def _unknown(key: str, known: list[str], formats: list[str]) -> BadInput:
    near = difflib.get_close_matches(str(key)[:80], known, 1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known) or 'none'}"
    return BadInput(f"{shown(key)}: is no option of {', '.join(formats)}; {hint}")


def describe(exporter: Exporter) -> list[dict[str, Any]]:
    """Every option: key, type, default, range or choices, unit and help, ready for JSON."""
    rows = []
    for option in exporter.options:
        kind = type(option.default)
        row: dict[str, Any] = {"key": f"{exporter.name}.{option.name}", "type": _TYPE_NAMES[kind]}
        row["default"] = option.default
        if kind is int and option.low < option.high:
            row |= {"low": option.low, "high": option.high}
        if option.choices:
            row["choices"] = list(option.choices)
        rows.append(row | {"unit": option.unit, "help": option.help})
    return rows
