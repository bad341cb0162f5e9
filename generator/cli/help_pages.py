"""What `--help` prints: options under headings, commands with whole summaries, and examples that run."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

import click

from generator.shipped_files import shipped_folder

_FEW = 6  # options that need no headings
_HEADINGS = {  # of options; others are below "Options"
    "Files": "--to --theme --option --options --out --name --edits --dry-run --force --replace",
    "Output": "--quiet --json --color --help",
}


def write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command: what is made, which files are written, and what is printed."""
    sections: dict[str, list[tuple[str, str]]] = {"Options": [], **{heading: [] for heading in _HEADINGS}}
    options = [param for param in command.get_params(ctx) if isinstance(param, click.Option)]
    for option in options:
        record = option.get_help_record(ctx)
        if record is not None:
            sections[_heading(option) if len(options) > _FEW else "Options"].append(record)
    for heading, rows in sections.items():
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)


def _heading(option: click.Option) -> str:
    found = (
        heading for heading, names in _HEADINGS.items() if any(name in names.split() for name in option.opts)
    )
    return next(found, "Options")


def write_commands(sections: Mapping[str, Mapping[str, str]], formatter: click.HelpFormatter) -> None:
    """Write the commands under their headings, all summaries in one column."""
    widest = max(len(name) for section in sections.values() for name in section)
    for heading, section in sections.items():
        with formatter.section(heading):
            formatter.write_dl([(f"{name:{widest}}", summary) for name, summary in section.items()])


def write_examples(path: str, formatter: click.HelpFormatter) -> None:
    """Write the examples of the command of a path such as `undercroft layouts show`."""
    examples = examples_of(path)
    if not examples:
        return
    with formatter.section("Examples"):
        for index, (purpose, line) in enumerate(examples):
            lines = ([""] if index else []) + [f"# {purpose}", line]
            for text in lines:
                formatter.write(f"{'':{formatter.current_indent}}{text}".rstrip() + "\n")


OVERVIEW = """\
Undercroft makes 2D dungeon levels from a seed, for Godot, Tiled, LDtk and more.

Three commands to begin with:

  undercroft show isaac --seed 7                     see a level here, as text
  undercroft generate isaac --seed 7 --out build     write it in every format
  undercroft describe isaac                          see what you can change

`undercroft help` lists all commands; `undercroft help COMMAND` explains one.
"""


def examples_of(path: str) -> list[tuple[str, str]]:
    """Return what is done and its line, for a command's path such as `undercroft layouts show`."""
    text = (shipped_folder("generator") / "cli" / "examples.toml").read_text("utf-8")
    examples = tomllib.loads(text).get(path, {})
    return [(purpose, f"undercroft {line}") for purpose, line in examples.items()]
