"""The group of all commands: finds each when it is asked for, and turns errors into a line and a status."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any, ClassVar, NoReturn

import click

from generator.cli.lazy_group import LazyGroup
from generator.errors import BadInput, UndercroftError, one_line
from generator.garbage import rare_collections
from generator.version import VERSION

_COMMANDS: tuple[str, ...] = (
    "generate",
    "run",
    "export",
    "import",
    "sync",
    "reroll",
    "show",
    "check",
    "search",
    "stats",
    "audit",
    "build",
    "pack",
    "gallery",
    "layouts",
    "flow",
    "kit",
    "presets",
    "describe",
    "theme",
    "addon",
)
_INTERRUPTED = 130  # what shells say of a program that Ctrl-C ended


class _Commands(LazyGroup):
    package = "generator.cli"
    names = _COMMANDS
    modules: ClassVar[dict[str, str]] = {"import": "bring_back"}  # a word of Python

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with rare_collections():
                return super().invoke(ctx)
        except KeyboardInterrupt:  # click would print an empty line
            raise click.Abort from None

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run and exit; whatever goes wrong is told in one line, where click takes several."""
        extra |= {"prog_name": "undercroft", "standalone_mode": False}
        _replace_closed_output()
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
        except OSError as error:  # most of those of files are told by who reads and writes them
            _tell(_reason(error))
            _drop_output()
        sys.exit(status)


def _reason(error: OSError) -> str:
    """What the operating system refused: a file's name where it tells one, and its reason."""
    said = error.strerror or str(error)
    if isinstance(error.filename, (str, bytes)):
        return f"{os.fsdecode(error.filename)}: cannot be used: {said}"
    step = error.__traceback__
    while step:  # by hand: no file can be opened to import a module from, perhaps
        if step.tb_frame.f_code is click.echo.__code__:
            return f"standard output: cannot be written: {said}"
        step = step.tb_next
    return f"the operating system refused to go on: {said}"


def _tell(what: str) -> None:
    with contextlib.suppress(OSError):  # nobody to tell it to
        click.echo(f"undercroft: {one_line(what)}", err=True)


def _replace_closed_output() -> None:
    """Have writing to a closed standard output fail, where Python would say nothing.

    A stream to write to stands in its place that was opened for reading only. So no file that is opened
    later gets the number of standard output either.
    """
    if sys.stdout is None:
        nowhere = os.open(os.devnull, os.O_RDONLY)
        sys.stdout = os.fdopen(nowhere, "w", encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Python tries again to write what it could not, when it ends, and complains: let it go nowhere."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
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
