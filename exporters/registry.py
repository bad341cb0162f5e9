"""Which formats there are. A format's module is imported when it is asked for.

Other packages add theirs through the entry-point group `undercroft.exporters`: an entry's name is the
format's, its object an `Exporter` of that name.
"""

from __future__ import annotations

from importlib import import_module

from exporters.base import Exporter
from generator.errors import BadInput, hint, shown

GROUP = "undercroft.exporters"

# A format's name and the module whose EXPORTER it is, in the order in which all are written.
BUILT_IN: tuple[tuple[str, str], ...] = (
    ("json", "exporters.json_file"),
    ("godot", "exporters.godot"),
    ("tiled", "exporters.tiled"),
    ("ldtk", "exporters.ldtk"),
    ("png", "exporters.image"),
)


def format_names(*, others: bool = False) -> tuple[str, ...]:
    """The formats built in; with `others` those of other packages after them (which takes a while)."""
    names = tuple(name for name, _ in BUILT_IN)
    return names + tuple(sorted(set(_other_names()) - set(names))) if others else names


def exporter(name: str) -> Exporter:
    """The exporter of a format. Raises BadInput for an unknown one."""
    for known, module in BUILT_IN:
        if name == known:
            found = import_module(module).EXPORTER
            assert isinstance(found, Exporter)
            return found
    return _other(name)


def _other_names() -> list[str]:
    from importlib.metadata import entry_points  # slow, and seldom needed

    return [entry.name for entry in entry_points(group=GROUP)]


def _other(name: str) -> Exporter:
    """An exporter of another package."""
    from importlib.metadata import entry_points  # slow, and seldom needed

    for entry in entry_points(group=GROUP, name=name):
        try:
            found = entry.load()
        except Exception as error:  # whatever a package does when it is imported
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            raise BadInput(f"{shown(name)}: {entry.value} cannot be loaded: {reason}") from error
        if not isinstance(found, Exporter) or found.name != name:
            raise BadInput(f"{shown(name)}: {entry.value} is no exporter of that name")
        return found
    remedy = hint(name, format_names(others=True), "formats:")
    raise BadInput(f"unknown format {shown(name)}; {remedy}")
