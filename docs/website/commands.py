"""Every command of `undercroft`, from click: its usage, help, options and examples."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from generator.cli.help_pages import examples_of
from generator.cli.helpful import HelpfulGroup
from website import markdown


def every_command() -> str:
    """A list of all commands, a section for each, and one below it for each of its own commands."""
    from generator.cli import main

    context = click.Context(main, info_name="undercroft")
    return "".join([_list(main, context), *_sections(main, context, 2)])


def _list(group: click.Group, context: click.Context) -> str:
    """The commands of a group with their summaries, under the headings of its help."""
    assert isinstance(group, HelpfulGroup)
    parts = []
    for heading, summaries in group.sections(context).items():
        rows = [
            (f"[`{name}`](#{context.command_path.replace(' ', '-')}-{name})", f"{markdown.plain(summary)}.")
            for name, summary in summaries.items()
        ]
        parts.append(f"**{heading}**\n\n{markdown.values(('command', 'what it does'), rows)}")
    return "".join(parts)


def _sections(group: click.Group, context: click.Context, level: int) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=name)
        yield f"{'#' * level} {inner.command_path}\n\n{_section(command, inner)}"
        if isinstance(command, click.Group):
            yield from _sections(command, inner, level + 1)


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"```text\n{usage}\n```\n\n", _paragraphs(command.help or "")]
    if isinstance(command, click.Group):
        return "".join([*parts, _list(command, context), _examples(context)])
    records = [one.get_help_record(context) for one in command.get_params(context)]
    rows = [(markdown.code(names), markdown.plain(said)) for names, said in filter(None, records) if said]
    return "".join([*parts, markdown.values(("option", "meaning"), rows), _examples(context)])


def _examples(context: click.Context) -> str:
    """The examples of a command's help."""
    lines = [f"# {what}\n{line}" for what, line in examples_of(context.command_path)]
    return "```sh\n{}\n```\n\n".format("\n\n".join(lines)) if lines else ""


def _paragraphs(text: str) -> str:
    """A help text: what stands behind click's mark `\\b` keeps its lines."""
    parts = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            parts.append(f"```text\n{paragraph[1:].strip(chr(10))}\n```\n\n")
        elif paragraph.strip():
            parts.append(f"{markdown.plain(' '.join(paragraph.split()))}\n\n")
    return "".join(parts)
