"""From a level to files: `export(level, ["godot"]).write("build/")`.

Importing this package is cheap: a format's module and its dependencies are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exporters.base import Exporter, Job, OptionValue
    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.edits.store import last_written
    from exporters.exporting import describe_format, export
    from exporters.notebook import notebook_png as notebook_png
    from exporters.notebook import notebook_svg as notebook_svg
    from exporters.reading.back import BroughtBack, bring_back
    from exporters.reading.drawn import DrawnLevel, drawn_level
    from exporters.registry import exporter, format_names, load_options
    from exporters.theme import Theme
    from exporters.theme.loader import check_theme, load_theme

__all__ = [
    "BroughtBack",
    "Bundle",
    "DrawnLevel",
    "Exporter",
    "Job",
    "Layers",
    "OptionValue",
    "Theme",
    "bring_back",
    "check_theme",
    "describe_format",
    "drawn_level",
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
    "exporting": ("describe_format", "export"),
    "notebook": ("notebook_png", "notebook_svg"),  # for levels themselves
    "reading.back": ("BroughtBack", "bring_back"),
    "reading.drawn": ("DrawnLevel", "drawn_level"),
    "registry": ("exporter", "format_names", "load_options"),
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
