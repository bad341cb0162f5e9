"""A group whose commands are imported when they are asked for: each is `command` in a module of its own."""

from __future__ import annotations

import importlib
from typing import ClassVar

import click


class LazyGroup(click.Group):
    """The commands `names` of the folder `package`; `modules` has those whose modules have other names."""

    package: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    modules: ClassVar[dict[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the order of the help."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        if cmd_name not in self.names:
            return None
        module = importlib.import_module(f"{self.package}.{self.modules.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command
