"""The known formats. A format's module is imported when it is first used.

Other packages add theirs through the entry-point group `undercroft.exporters`. The entry has the name of
the format and points to an `Exporter` of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from exporters.base import Exporter
from generator import plugins
from generator.errors import BadInput, hint, shown
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


def usable_exporters(tell: Callable[[str], object] = lambda _: None) -> tuple[Exporter, ...]:
    """Return all installed exporters except unusable ones, about each of which `tell` gets a line."""
    names = format_names()
    return (*map(exporter, names), *plugins.usable(GROUP, names, exporter, tell))


def _other(name: str) -> Exporter:
    """Load an exporter of another package and check what it declares."""
    loaded = plugins.load(GROUP, name)
    if loaded is None:
        remedy = hint(name, format_names(others=True), "formats:")
        raise BadInput(f"unknown format {shown(name)}; {remedy}")
    format_exporter, value = loaded
    if not isinstance(format_exporter, Exporter) or format_exporter.name != name:
        raise BadInput(f"{shown(name)}: {value} is not an exporter of that name")
    options = format_exporter.options.values() if isinstance(format_exporter.options, Mapping) else [None]
    if not all(isinstance(option, Value) for option in options):
        raise BadInput(f"{shown(name)}: {value}: its options are not declared; give a Value for each")
    return format_exporter
