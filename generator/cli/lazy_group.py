"""A group whose commands are imported when they are asked for: each is `command` in a module of its own."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import click

from generator.cli.helpful import HelpfulGroup

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class LazyGroup(HelpfulGroup):
    """The commands of the folder `package`.

    `summaries` has their names under the headings of the help, each with one line about it; `modules` has
    those whose modules have other names.
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
        command: click.Command = module.command
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
