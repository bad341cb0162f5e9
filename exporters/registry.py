"""The known formats. A format's module is imported when it is first used.

Other packages add theirs through the entry-point group `undercroft.exporters`. The entry has the name of
the format and points to an `Exporter` of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from exporters.base import Exporter
from generator import plugins
from generator.errors import BadInput, hint, shown
from generator.values import Value

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
    """The built-in formats; with `others`, then those of other packages (finding these takes a while)."""
    names = tuple(name for name, _ in BUILT_IN)
    return names + plugins.names(GROUP, names) if others else names


def exporter(name: str) -> Exporter:
    """The exporter of a format. Raises BadInput for an unknown format."""
    for known, module in BUILT_IN:
        if name == known:
            found = import_module(module).EXPORTER
            assert isinstance(found, Exporter)
            return found
    return _other(name)


def drawing_formats() -> tuple[str, ...]:
    """Return the built-in formats whose programs people can draw layouts in."""
    return tuple(name for name in format_names() if exporter(name).draw_room)


def usable_exporters(tell: Callable[[str], object] = lambda _: None) -> tuple[Exporter, ...]:
    """All installed exporters. Those that cannot be used are left out; `tell` gets a line about each."""
    names = format_names()
    return (*map(exporter, names), *plugins.usable(GROUP, names, exporter, tell))


def _other(name: str) -> Exporter:
    """Load an exporter of another package and check what it declares."""
    loaded = plugins.load(GROUP, name)
    if loaded is None:
        remedy = hint(name, format_names(others=True), "formats:")
        raise BadInput(f"unknown format {shown(name)}; {remedy}")
    found, value = loaded
    if not isinstance(found, Exporter) or found.name != name:
        raise BadInput(f"{shown(name)}: {value} is not an exporter of that name")
    options = found.options.values() if isinstance(found.options, Mapping) else [None]
    if not all(isinstance(option, Value) for option in options):
        raise BadInput(f"{shown(name)}: {value}: its options are not declared; give a Value for each")
    return found
