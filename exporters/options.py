"""The options of exporters: those given, dotted, checked against what each exporter declares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from exporters.base import Exporter, OptionValue
from exporters.registry import format_names
from generator.errors import BadInput, hint, shown

_TRUTHS = {"true": True, "false": False}
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


def options_of(
    exporters: Sequence[Exporter], given: Mapping[str, object]
) -> dict[str, dict[str, OptionValue]]:
    """For each exporter's name all its options: those `given`, dotted (`png.scale`), and defaults.

    A text given for an option that is none is read as from a command line. Raises BadInput for an option
    that no exporter here has, and for a wrong value.
    """
    declared = {f"{each.name}.{name}": (each.name, name) for each in exporters for name in each.options}
    values = {
        each.name: {name: option.default for name, option in each.options.items()} for each in exporters
    }
    options = {each.name: each.options for each in exporters}
    for key, value in given.items():
        if key not in declared:
            raise _unknown(key, list(declared), list(options))
        form, name = declared[key]
        option = options[form][name]
        values[form][name] = option.checked(key, _typed(value, option.default))
    return values


def _typed(given: object, default: OptionValue) -> object:
    """A text from a command line as the type of the option's default, where it is one of that type."""
    if isinstance(given, str):
        if isinstance(default, bool):
            return _TRUTHS.get(given, given)
        if isinstance(default, int) and _WHOLE.fullmatch(given):
            return int(given)
    return given


def _unknown(key: str, known: list[str], formats: list[str]) -> BadInput:
    form = key.partition(".")[0]
    if form in format_names() and form not in formats:
        return BadInput(f"{shown(key)}: {form} is not written; ask for it too, or leave the option out")
    where = ", ".join(formats) or "no format"
    return BadInput(f"{shown(key)}: is no option of {where}; {hint(key, known)}")


def describe(exporter: Exporter) -> list[dict[str, Any]]:
    """Every option: key, type, default, range or choices, unit and help, ready for JSON."""
    return [option.described(f"{exporter.name}.{name}") for name, option in exporter.options.items()]
