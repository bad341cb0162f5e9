"""The group of all commands: finds each when it is asked for, and turns errors into a line and a status."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from typing import Any, NoReturn

import click

from generator.errors import BadInput, UndercroftError, one_line
from generator.version import VERSION

_COMMANDS = (
    "generate",
    "export",
    "reroll",
    "show",
    "check",
    "search",
    "stats",
    "audit",
    "build",
    "pack",
    "gallery",
    "presets",
    "describe",
    "theme",
    "addon",
)
_INTERRUPTED = 130  # what shells say of a program that Ctrl-C ended


class _Commands(click.Group):
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
        except KeyboardInterrupt:  # click would print an empty line
            raise click.Abort from None

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run and exit; whatever goes wrong is told in one line, where click takes several."""
        extra |= {"prog_name": "undercroft", "standalone_mode": False}
        status = 1
        try:
            status = super().main(*args, **extra) or 0
        except UndercroftError as error:
            _tell(str(error))
            status = 2 if isinstance(error, BadInput) else 1
        except click.ClickException as error:
            context = getattr(error, "ctx", None)
            said = error.format_message().rstrip(".")
            _tell(f"{said}; see `{context.command_path if context else 'undercroft'} --help`")
            status = error.exit_code
        except click.Abort:
            _tell("interrupted")
            status = _INTERRUPTED
        except OSError as error:  # those of files are told by who reads and writes them
            _tell(f"standard output: cannot be written: {error.strerror}")
            _drop_output()
        sys.exit(status)


def _tell(what: str) -> None:
    with contextlib.suppress(OSError):  # nobody to tell it to
        click.echo(f"undercroft: {one_line(what)}", err=True)


def _drop_output() -> None:
    """Python tries again to write what it could not, when it ends, and complains: let it go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(VERSION, prog_name="undercroft")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Generate 2D dungeon levels from a seed, and write them for Godot and other tools."""
    for stream in (sys.stdout, sys.stderr):  # a level as text must not fail on a terminal without UTF-8
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)
