"""The group of all commands: finds each when it is asked for, and turns errors into a line and a status."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import click

from generator.cli.helpful import LazyGroup
from generator.errors import BadInput, UndercroftError, lines_of, one_line
from generator.garbage import rare_collections

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COMMANDS: dict[str, dict[str, str]] = {
    "Begin": {"init": "Begin a project: a spec, a manifest, a CI file, editor schemas"},
    "Make levels": {
        "generate": "Generate one level and write its files",
        "run": "Generate all stages of one seed, as a player meets them",
        "build": "Build the levels of a project's undercroft.toml",
        "pack": "Pack many levels into one file for a game, in Godot or on the web",
        "export": "Export a saved level in other formats",
    },
    "Look at levels": {
        "show": "Print a level as text",
        "check": "Print every problem of levels, specs, layouts, themes and more",
        "search": "Find the seeds whose levels meet a condition",
        "stats": "Count what many levels are like",
        "audit": "Run every check on many levels",
        "why": "Say how often each row of a kit comes, and why it does not",
        "gallery": "Show many levels on one HTML page",
        "studio": "Open a page in the browser that makes levels",
    },
    "Edit levels": {
        "import": "Turn an export that was edited by hand into a level again",
        "sync": "Carry edits of one export over to the others",
        "diff": "List and draw what differs between two levels, or what you edited",
        "reroll": "Make rooms of a saved level anew",
        "merge-driver": "Merge two branches' versions of a level, for git",
        "undo": "Take the last write into a folder back",
    },
    "Bring your own": {
        "presets": "List the presets, or print one to start your own spec from",
        "describe": "Explain every value of a spec and every option of a format",
        "layouts": "Show, check, draw and import the layouts of rooms",
        "flow": "Show, check and import the plans of levels",
        "kit": "Begin, show and compare kits: your own rooms, doors, decor and enemies",
        "theme": "Begin or check a theme: your own tiles",
        "addon": "Put the Godot addon into a project",
        "tiled": "Put Undercroft into Tiled's menu, and automapping rules beside levels",
        "schema": "Print the JSON Schemas of TOML files, for editors",
        "selftest": "Check that this machine makes the same levels and files as every other",
    },
}
_HELP = "help"
_INTERRUPTED = 130  # what shells say of a program that Ctrl-C ended
_TO_END = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
_NOBODY_READS = 141  # what they say of a program that goes on writing into a closed pipe
_OUTPUT = "standard output"


class _Commands(LazyGroup):
    package = "generator.cli"
    summaries = _COMMANDS
    modules: ClassVar[dict[str, str]] = {
        name: module
        for module, names in {
            "begin": "init schema",
            "browser": "gallery studio",
            "check": "selftest",
            "describe": "presets",
            "edited": "diff import sync",
            "generate": "export run",
            "merge_driver": "merge-driver",
            "search": "stats",
        }.items()
        for name in names.split()
    }

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. `help COMMAND` is `COMMAND --help`."""
        while args[:1] == [_HELP]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Complete `help` too."""
        from click.shell_completion import CompletionItem

        own = [CompletionItem(_HELP, help="Explain a command")] if _HELP.startswith(incomplete) else []
        return [*super().shell_complete(ctx, incomplete), *own]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with rare_collections():
                return super().invoke(ctx)
        except KeyboardInterrupt:  # click would print an empty line
            raise click.Abort from None
        except BrokenPipeError as error:  # click would end with the status of a failed check
            reason = _reason(error)
            if not reason.startswith(_OUTPUT):
                raise UndercroftError(reason) from None
            _drop_output()
            raise click.exceptions.Exit(_NOBODY_READS) from None

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run and exit. Whatever goes wrong is told in one line, where click takes several."""
        extra |= {"prog_name": "undercroft", "standalone_mode": False}
        _replace_closed_output()
        words = args[0] if args and args[0] is not None else extra.get("args")
        tell = partial(_tell, words=sys.argv[1:] if words is None else words)
        if os.environ.get("_UNDERCROFT_COMPLETE"):  # a shell asks what may come next
            from generator.cli.completion import register

            register()
        status = 1
        try:
            with _terminated() as is_terminated:
                status = super().main(*args, **extra) or 0
        except UndercroftError as error:
            for line in lines_of(error):
                status = tell(line, 2 if isinstance(error, BadInput) else 1)
        except click.ClickException as error:
            from generator.cli.wrong_use import message_of

            status = tell(message_of(error), error.exit_code)
        except click.Abort as abort:
            status = tell(
                str(abort) or "interrupted", 128 + is_terminated[0] if is_terminated else _INTERRUPTED
            )
        except OSError as error:  # readers and writers of files report most of theirs
            tell(_reason(error), status)
            _drop_output()
        sys.exit(status)


@contextlib.contextmanager
def _terminated() -> Iterator[list[int]]:
    """Have SIGTERM, and SIGHUP of a closed terminal, interrupt this block as Ctrl-C does, and list them.

    The first counts: `timeout` sends it twice, and the second would disturb the end.
    """
    heard: list[int] = []
    numbers = [getattr(signal, name) for name in _TO_END if hasattr(signal, name)]
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]  # `nohup` ignores one

    def interrupt(number: int, _: object) -> None:
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        heard.append(number)
        raise KeyboardInterrupt

    try:
        with contextlib.suppress(ValueError):  # in a thread of another program
            for number in ours:
                signal.signal(number, interrupt)
        yield heard
    finally:
        if not heard:
            with contextlib.suppress(ValueError):
                for number in ours:
                    signal.signal(number, signal.SIG_DFL)


def _reason(error: OSError) -> str:
    """Tell what the operating system refused: a file's name where it has one, and its reason."""
    reason = error.strerror or str(error)
    if isinstance(error.filename, (str, bytes)):
        return f"{os.fsdecode(error.filename)}: cannot be used: {reason}"
    step = error.__traceback__
    while step:  # by hand: no file can be opened to import a module from, perhaps
        if step.tb_frame.f_code is click.echo.__code__:
            return f"{_OUTPUT}: cannot be written: {reason}"
        step = step.tb_next
    return f"the operating system refused to go on: {reason}"


def _tell(message: str, status: int, words: Sequence[str]) -> int:
    """Say what went wrong, with --json as an event too, and return the exit status."""
    with contextlib.suppress(OSError):  # nobody to tell it to
        click.echo(f"undercroft: {one_line(message)}", err=True)
    if "--json" not in words:
        return status
    with contextlib.suppress(OSError, ImportError):  # perhaps no more file can be opened, a module's neither
        from generator.cli import json_lines

        if json_lines.is_asked_for(words):
            json_lines.emit("error", **json_lines.error_facts(one_line(message), status))
    return status


def _replace_closed_output() -> None:
    """Have writing to a closed standard output fail, where Python would say nothing.

    A stream to write to stands in its place that was opened for reading only. So no file that is opened
    later gets the number of standard output either.
    """
    if sys.stdout is None:
        nowhere = os.open(os.devnull, os.O_RDONLY)
        sys.stdout = os.fdopen(nowhere, "w", encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Send the output nowhere, as Python, when it ends, tries to write the rest again, and complains."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                os.dup2(nowhere, stream.fileno())


@click.group(cls=_Commands, invoke_without_command=True)
@click.option(
    "--version", is_flag=True, help="Print the version, with --json also that of Python and the extras."
)
@click.option("--json", "as_json", is_flag=True, hidden=True)
@click.pass_context
def main(ctx: click.Context, version: bool, as_json: bool) -> None:
    """Generate 2D dungeon levels from a seed, and write them for Godot and other tools."""
    for stream in (sys.stdout, sys.stderr):  # a level as text must not fail on a terminal without UTF-8
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
    if version:
        from generator.cli.installed import print_version

        print_version(as_json)
        ctx.exit()
    if as_json:
        raise click.UsageError("--json: goes with --version, or behind a command; move it there")
    if ctx.invoked_subcommand is None:
        from generator.cli.help_pages import OVERVIEW

        click.echo(OVERVIEW, nl=False, err=True)
        ctx.exit(2)
