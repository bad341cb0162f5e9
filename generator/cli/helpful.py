"""Commands whose help has headings and examples, and groups that know what was meant and import late."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


_SHORT: Mapping[str, str] = {
    "--dry-run": "-n",
    "--jobs": "-j",
    "--out": "-o",
    "--quiet": "-q",
    "--seed": "-s",
    "--to": "-t",
}

_TO_FILES = ("--html", "--out", "--plot", "--png")  # - stands for standard output
_PRINTED = ("--csv", "--json", "--stats")


class DeletingOption(click.Option):
    """An option that removes files. No message proposes it to somebody who has typed something else."""


class NamedArgument(click.Argument):
    """An argument that names a file or something else, for which - would not be standard input."""


named_argument = partial(click.argument, cls=NamedArgument)


class ExampledCommand(click.Command):
    """A command or a group whose help ends with examples."""

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Return both names, whatever context asks first, as click keeps the first answer."""
        return ["-h", "--help"]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        from generator.cli.help_pages import write_examples

        write_examples(ctx.command_path, formatter)


class HelpfulCommand(ExampledCommand):
    """A command with short options, whose help lists its options under headings and ends with examples."""

    def __init__(self, *args: Any, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        for param in self.params:
            if isinstance(param, click.Option) and param.opts[0] in _SHORT:
                param.opts.append(_SHORT[param.opts[0]])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. While a shell completes the last option's value, only those in front of it.

        Click's parser would give up on all arguments, so that nobody knew the SPEC whose keys are wanted.
        """
        if ctx.resilient_parsing and args and args[-1].startswith("-"):
            args = args[:-1]
        try:
            if not ctx.resilient_parsing:
                self._refuse_single_dash(ctx, args)
                self._refuse_values(ctx, args)
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's parser does not know whose options it reads
            raise

    def _refuse_single_dash(self, ctx: click.Context, args: list[str]) -> None:
        """Raise NoSuchOption for `-out DIR`, which would be `--out ut`."""
        flags = {flag for param in self.params for flag in param.opts if flag.startswith("--")}
        for word in args[: args.index("--")] if "--" in args else args:
            name = word.partition("=")[0]
            if f"-{name}" in flags:
                raise click.NoSuchOption(name, ctx=ctx)

    def _refuse_values(self, ctx: click.Context, args: list[str]) -> None:
        """Raise UsageError for an empty path or text, which often comes from a shell's unset variable.

        As a path it would stand for the current folder. Raises it also for a `-` that is not read or a second
        one, and for a second document on standard output.
        """
        arguments, *_ = self.make_parser(ctx).parse_args(list(args))
        inputs: list[click.Parameter] = []
        files: list[click.Parameter] = []
        printed: list[click.Parameter] = []
        for param in self.params:
            value = arguments.get(str(param.name))
            texts = value if isinstance(value, (list, tuple)) else (value,)
            if "" in texts and (param.type is click.STRING or isinstance(param.type, click.Path)):
                from generator.cli.wrong_use import empty_value

                raise click.UsageError(empty_value(param), ctx)
            if param.opts[0] in _TO_FILES:
                files += [param] * (value == "-")
            elif "-" in texts and (
                isinstance(param, NamedArgument)
                if isinstance(param, click.Argument)
                else isinstance(param.type, click.Path)
            ):
                from generator.cli.wrong_use import not_input

                raise click.UsageError(not_input(param), ctx)
            elif isinstance(param, click.Argument) or "--seeds" in param.opts:
                inputs += [param] * texts.count("-")
            elif param.opts[0] in _PRINTED and param.name in arguments:
                printed.append(param)
        if len(inputs) > 1:
            from generator.cli.wrong_use import second_input

            raise click.UsageError(second_input(*inputs[:2]), ctx)
        if files and len(files + printed) > 1:
            from generator.cli.wrong_use import second_output

            raise click.UsageError(second_output(*(files + printed)[:2]), ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of many commands under headings of their own."""
        from generator.cli.help_pages import write_options

        write_options(self, ctx, formatter)


class HelpfulGroup(ExampledCommand, click.Group):
    """A group whose list of commands has whole summaries, and that suggests a name for a mistyped one."""

    command_class = HelpfulCommand

    def sections(self, ctx: click.Context) -> dict[str, dict[str, str]]:
        """Return the summaries of the commands by their names, under the headings of the help."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        return {
            "Commands": {
                name: command.get_short_help_str(200).rstrip(".")
                for name, command in commands.items()
                if command
            }
        }

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments. Without any, print the help and end with the status of wrong use."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line for each command."""
        from generator.cli.help_pages import write_commands

        write_commands(self.sections(ctx), formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the first argument's command. Raises UsageError with what was probably meant."""
        if not ctx.resilient_parsing and args[0][:1].isalnum() and self.get_command(ctx, args[0]) is None:
            from generator.cli.wrong_use import unknown_command

            raise click.UsageError(unknown_command(args[0], self.list_commands(ctx), ctx.parent is None), ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(HelpfulGroup):
    """The commands of the folder `package`, imported when they are asked for.

    Each is `command` in a module of its name, or `NAME_command` in one of several commands. `summaries` has
    their names under the headings of the help, each with one line about it; `modules` has the modules of
    other names.
    """

    package: ClassVar[str]
    summaries: ClassVar[Mapping[str, Mapping[str, str]]]
    modules: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands, in the order of the help."""
        return [name for section in self.summaries.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of a name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{self.package}.{self.modules.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, f"{cmd_name}_command", None) or module.command
        return command

    def sections(self, ctx: click.Context) -> dict[str, dict[str, str]]:
        """Return the summaries under their headings, without importing a command."""
        return {heading: dict(section) for heading, section in self.summaries.items()}

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Complete the commands and options that begin with a text, without importing a command."""
        from click.shell_completion import CompletionItem

        items = [
            CompletionItem(name, help=summary)
            for section in self.summaries.values()
            for name, summary in section.items()
            if name.startswith(incomplete)
        ]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]
