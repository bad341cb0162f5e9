"""`undercroft layouts`: rooms that people draw, shown, checked, begun and imported."""

from __future__ import annotations

from typing import ClassVar

import click

from generator.cli.helpful import LazyGroup


class _Layouts(LazyGroup):
    package = __name__
    summaries: ClassVar = {
        "Commands": {
            "show": "Print layouts as text, or draw them as a picture",
            "check": "Print every problem of layouts and drawings",
            "stats": "Count how often levels draw each layout",
            "new": "Begin a room to draw, in Tiled, LDtk or as text",
            "import": "Turn rooms drawn in Tiled or LDtk into layout files",
        }
    }
    modules: ClassVar = {"new": "draw", "import": "draw", "check": "show", "stats": "show"}


@click.group(cls=_Layouts)
def command() -> None:
    """Show, check, begin and import the layouts that rooms are made from."""
