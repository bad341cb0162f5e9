"""The known formats and their options. A format's module is imported when it is first used.

Other packages add theirs through the entry-point group `undercroft.exporters`. The entry has the name of
the format and points to an `Exporter` of that name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporters.base import Exporter, OptionValue
from generator import plugins
from generator.errors import BadInput, hint, shown
from generator.files import parsed_toml, read_text
from generator.node import Node
from generator.pattern import pattern
from generator.values import Value

if TYPE_CHECKING:
    from pathlib import Path

    from generator.interiors.drawings import DrawnFiles
    from generator.interiors.editor_room import EditorRoom

GROUP = "undercroft.exporters"

# Each format's name and the module with its EXPORTER, in the order in which formats are written.
BUILT_IN: tuple[tuple[str, str], ...] = (
    ("json", "exporters.formats.json"),
    ("godot", "exporters.formats.godot"),
    ("tiled", "exporters.formats.tiled"),
    ("ldtk", "exporters.formats.ldtk"),
    ("png", "exporters.formats.png"),
)

_OTHERS = "engines and web pages read tiled, ldtk or json, see docs/engines.md; formats:"


def format_names(*, others: bool = False) -> tuple[str, ...]:
    """List the built-in formats. With `others`, then those of other packages, which take a while to find."""
    names = tuple(name for name, _ in BUILT_IN)
    return names + plugins.names(GROUP, names) if others else names


def exporter(name: str) -> Exporter:
    """Return the exporter of a format. Raises BadInput for an unknown format."""
    for known, module in BUILT_IN:
        if name == known:
            format_exporter = import_module(module).EXPORTER
            assert isinstance(format_exporter, Exporter)
            return format_exporter
    return _other(name)


def drawing_formats() -> tuple[str, ...]:
    """Return the built-in formats whose programs people can draw layouts in."""
    return tuple(name for name in format_names() if exporter(name).draw_room)


def room_readers() -> Mapping[str, Callable[[Path, DrawnFiles], Iterable[EditorRoom]]]:
    """Return the readers of rooms that people draw, of the built-in formats, by suffix."""
    return {suffix: read for name in format_names() for suffix, read in exporter(name).drawn_rooms.items()}


def level_readers() -> Mapping[str, Callable[[Path, DrawnFiles], EditorRoom]]:
    """Return the readers of levels that people draw, of the built-in formats, by suffix."""
    return {suffix: read for name in format_names() for suffix, read in exporter(name).drawn_level.items()}


def usable_exporters(tell: Callable[[str], object] = lambda _: None) -> tuple[Exporter, ...]:
    """Return all installed exporters except unusable ones, about each of which `tell` gets a line."""
    names = format_names()
    return (*map(exporter, names), *plugins.usable(GROUP, names, exporter, tell))


def _of_suffix(name: str) -> str:
    """Return the remedy for the suffix of a format's files in place of the format. Empty for another name."""
    for form in map(exporter, format_names()):
        if f".{name}" in form.suffixes:
            option = form.options.get("format")
            is_choice = option is not None and name in option.choices and name != option.default
            which = f" with --option {form.name}.format={name}" if is_choice else ""
            return f"did you mean {form.name}{which}?"
    return ""


def _other(name: str) -> Exporter:
    """Load an exporter of another package and check what it declares."""
    loaded = plugins.load(GROUP, name)
    if loaded is None:
        remedy = _of_suffix(name) or hint(name, format_names(others=True), _OTHERS)
        raise BadInput(f"unknown format {shown(name)}; {remedy}")
    format_exporter, value = loaded
    if not isinstance(format_exporter, Exporter) or format_exporter.name != name:
        raise BadInput(f"{shown(name)}: {value} is not an exporter of that name")
    options = format_exporter.options.values() if isinstance(format_exporter.options, Mapping) else [None]
    if not all(isinstance(option, Value) for option in options):
        raise BadInput(f"{shown(name)}: {value}: its options are not declared; give a Value for each")
    return format_exporter


# --- options: dotted keys, checked against what each exporter declares -------------------------------
#
# They are given one by one (`{"png.scale": 2}`) or as a file, with one table per format:
#
#     [png]
#     scale = 2
#
#     [godot.scenes]                               an option with a table of texts as its value
#     enemy = "res://enemies/slime.tscn"

_TRUTHS = {"true": True, "false": False}
_MAX_BYTES = 1 << 20  # of a file of options
_WHOLE = pattern(r"[+-]?[0-9]{1,18}", re.ASCII)


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
            options_of([exporter(form)], dotted)
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
