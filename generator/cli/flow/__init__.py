"""`undercroft flow`: the plans of levels, shown, checked and imported."""

from __future__ import annotations

from typing import ClassVar

import click

from generator.cli.helpful import LazyGroup


class _Flows(LazyGroup):
    package = __name__
    summaries: ClassVar = {
        "Commands": {
            "show": "Print a flow as text, as a graph or as a picture",
            "check": "Prove that nobody gets stuck in a flow",
            "import": "Turn a graph of another tool into a flow",
        }
    }
    modules: ClassVar = {"import": "import_flow"}


@click.group(cls=_Flows)
def command() -> None:
    """Show, check and import flows, the plans that levels of the style gungeon follow."""
