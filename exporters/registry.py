"""Which formats there are. A format's module is imported when it is asked for.

Other packages add theirs through the entry-point group `undercroft.exporters`: an entry's name is the
format's, its object an `Exporter` of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from exporters.base import Exporter, Job
from generator import plugins
from generator.errors import BadInput, hint, shown
from generator.values import Value

if TYPE_CHECKING:  # to list formats, no arrays are needed
    from exporters.bundle import Bundle

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
    return names + plugins.names(GROUP, names) if others else names


def exporter(name: str) -> Exporter:
    """The exporter of a format. Raises BadInput for an unknown one."""
    for known, module in BUILT_IN:
        if name == known:
            found = import_module(module).EXPORTER
            assert isinstance(found, Exporter)
            return found
    return _other(name)


def usable_exporters(tell: Callable[[str], object] = lambda _: None) -> tuple[Exporter, ...]:
    """Every exporter that is installed. `tell` gets a line for each that cannot be used, and is left out."""
    names = format_names()
    return (*map(exporter, names), *plugins.usable(GROUP, names, exporter, tell))


def _other(name: str) -> Exporter:
    """An exporter of another package, whose mistakes are told in one line."""
    loaded = plugins.load(GROUP, name)
    if loaded is None:
        remedy = hint(name, format_names(others=True), "formats:")
        raise BadInput(f"unknown format {shown(name)}; {remedy}")
    found, value = loaded
    if not isinstance(found, Exporter) or found.name != name:
        raise BadInput(f"{shown(name)}: {value} is no exporter of that name")
    options = found.options.values() if isinstance(found.options, Mapping) else [None]
    if not all(isinstance(option, Value) for option in options):
        raise BadInput(f"{shown(name)}: {value}: its options are not declared; give a Value for each")
    export = plugins.guarded(f"format {name}: its export", partial(_whole_bundle, found))
    return replace(found, export=export)


def _whole_bundle(found: Exporter, job: Job) -> Bundle:
    """The files of another package's format, which are bytes. Raises TypeError for anything else."""
    from exporters.bundle import Bundle

    bundle = found.export(job)
    if not isinstance(bundle, Bundle):
        raise TypeError(f"it gives {type(bundle).__name__}, not a Bundle")
    for path, data in bundle.items():
        if not isinstance(data, bytes):
            raise TypeError(f"{shown(path)} is {type(data).__name__}, not bytes")
    return bundle
