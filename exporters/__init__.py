"""From a level to files: `export(level, ["godot"]).write("build/")`.

Importing this package is cheap: a format's module and its dependencies are imported when first used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from generator.errors import BadInput, shown
from generator.stages import enter_stage

if TYPE_CHECKING:
    from exporters.base import Exporter, Job, OptionValue
    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.edits.store import last_written
    from exporters.options import load_options
    from exporters.reading.back import BroughtBack, bring_back
    from exporters.registry import exporter, format_names
    from exporters.theme import Theme
    from exporters.theme.loader import check_theme, load_theme
    from generator.level import Level

__all__ = [
    "BroughtBack",
    "Bundle",
    "Exporter",
    "Job",
    "Layers",
    "OptionValue",
    "Theme",
    "bring_back",
    "check_theme",
    "describe_format",
    "export",
    "exporter",
    "format_names",
    "last_written",
    "load_options",
    "load_theme",
]

_HOME = {
    "base": ("Exporter", "Job", "OptionValue"),
    "bundle": ("Bundle",),
    "dress": ("Layers",),
    "edits.store": ("last_written",),
    "options": ("load_options",),
    "reading.back": ("BroughtBack", "bring_back"),
    "registry": ("exporter", "format_names"),
    "theme": ("Theme",),
    "theme.loader": ("check_theme", "load_theme"),
}

__distribution__ = "undercroft"  # tells this package from others of its name


if not TYPE_CHECKING:  # type checkers know the names above and report any other

    def __getattr__(name: str) -> object:
        """Import a public name from its module when it is first used."""
        for module, names in _HOME.items():
            if name in names:
                return getattr(import_module(f"exporters.{module}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def export(
    level: Level,
    formats: str | Iterable[str] | None = None,
    options: Mapping[str, object] | None = None,
    theme: Theme | str | os.PathLike[str] | None = None,
    name: str | None = None,
) -> Bundle:
    """Export a level in some formats (default: all built-in ones) and return the files in memory.

    `options` has dotted keys (`{"png.scale": 2}`) and typed values or texts; `load_options` reads it from a
    file. `theme` is a loaded theme or the path of a TOML file; the default is the built-in theme. `name` is
    the stem of the file names; the default is `STYLE-SEED`. Raises BadInput for an unknown format or option,
    a wrong value, or an invalid file name, and ThemeError, a kind of BadInput, for a bad theme.
    """
    from exporters.base import Job  # importing this package is cheap
    from exporters.bundle import Bundle
    from exporters.exported import ExportedLevel, ExportedWith, exported_with
    from exporters.options import options_of
    from exporters.registry import exporter, format_names
    from generator.garbage import no_collections

    if formats is None:
        formats = format_names()
    chosen = [exporter(form) for form in dict.fromkeys([formats] if isinstance(formats, str) else formats)]
    values = options_of(chosen, options or {})
    stem = _stem(f"{level.style}-{level.seed}" if name is None else name)
    look = cache(lambda: _dressed(level, theme))
    if any(form.themed for form in chosen) and look()[0].bears(stem):
        raise BadInput(f"name: {stem} is also the name of the theme's files; give another")
    bundle = Bundle()
    exported: dict[str, ExportedWith] = {}
    for form in chosen:
        enter_stage(f"format {form.name}")
        with no_collections():
            files = form.export(Job(level, stem, values[form.name], look))
        for path in files.keys() & bundle.keys():
            if files[path] != bundle[path]:
                raise BadInput(
                    f"{path}: the format {form.name} and another one both write this file; export them "
                    "separately"
                )
        bundle.update(files)
        if form.options or form.themed:
            theme_path = _place_of(look()[0]) if form.themed else ""
            exported[form.name] = exported_with(form, values[form.name], theme_path)
    bundle.exported[stem] = ExportedLevel(level.fingerprint, exported)
    if level.edited:
        bundle.mark_edited(stem)
    if any(form.themed for form in chosen):
        bundle.guard(look()[0].sources)  # never overwrite a team's own sheet with our extended copy
    return bundle


def _dressed(level: Level, theme: Theme | str | os.PathLike[str] | None) -> tuple[Theme, Layers]:
    from exporters.dress import dressed
    from exporters.theme import Theme
    from exporters.theme.loader import load_theme

    return dressed(level, theme if isinstance(theme, Theme) else load_theme(theme, level.kinds))


def _place_of(theme: Theme) -> str:
    """Return a theme's path, empty for the built-in one, or its name if it is not from a file."""
    from exporters.base import BUILT_IN_THEME

    if theme.path is not None:
        return os.path.abspath(theme.path)  # noqa: PTH100 - do not resolve links
    return "" if theme.given_name == BUILT_IN_THEME else theme.given_name


def _stem(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,200}", name):
        raise BadInput(f"name: {shown(name)} is not a valid file name; use up to 200 of A-Za-z0-9._-")
    return name


def describe_format(name: str) -> list[dict[str, Any]]:
    """Describe a format's options: key, type, default, range or choices, unit, help, for JSON.

    Raises BadInput for an unknown format.
    """
    from exporters.options import describe
    from exporters.registry import exporter

    return describe(exporter(name))
