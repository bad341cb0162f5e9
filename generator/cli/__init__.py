"""The command line: one file a command, each of which imports what it needs when it runs.

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 a check failed or
a level could not be made, 2 wrong use.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from generator.errors import BadInput, UndercroftError
from generator.version import VERSION

_COMMANDS = ("generate", "export", "show", "check", "presets", "describe")


class _Commands(click.Group):
    """Finds a command's module by its name, and turns our errors into one line and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"generator.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UndercroftError as error:
            click.echo(f"undercroft: {error}", err=True)
            ctx.exit(2 if isinstance(error, BadInput) else 1)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="undercroft")
def main() -> None:
    """Generate 2D dungeon levels from a seed, and write them for Godot and other tools."""
    for stream in (sys.stdout, sys.stderr):  # a level as text must not fail on a terminal without UTF-8
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
