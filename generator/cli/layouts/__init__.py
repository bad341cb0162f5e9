"""`undercroft layouts`: rooms that people draw, shown, checked, begun and imported."""

from __future__ import annotations

import click

from generator.cli.lazy_group import LazyGroup


class _Layouts(LazyGroup):
    package = __name__
    names = ("show", "check", "stats", "new", "import")
    modules = {"import": "import_rooms"}  # noqa: RUF012


@click.group(cls=_Layouts)
def command() -> None:
    """Show, check, begin and import the layouts that rooms are made from."""
