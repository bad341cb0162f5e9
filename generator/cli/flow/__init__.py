"""`undercroft flow`: plans of levels, shown, checked and turned into graphs."""

from __future__ import annotations

import click

from generator.cli.lazy_group import LazyGroup


class _Flows(LazyGroup):
    package = __name__
    names = ("show", "check", "import")
    modules = {"import": "import_flow"}  # noqa: RUF012


@click.group(cls=_Flows)
def command() -> None:
    """Show, check and import the flows that levels of the style gungeon follow."""
