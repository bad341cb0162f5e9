"""`undercroft kit`: begins kits, and shows what they say together with those that they extend."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, writing
from generator.cli.helpful import HelpfulGroup, named_argument
from generator.errors import BadInput, hint, shown

if TYPE_CHECKING:
    from generator.kinds.kit import Kit


@click.group(cls=HelpfulGroup)
def kit_command() -> None:
    """Your own room kinds, special rooms, doors, decor and enemies, as data: begin, show and compare kits."""


@kit_command.command()
@click.argument("folder", metavar="DIR", type=common.FOLDER)
@writing.writes_files("fail")
def new(folder: Path, output: writing.WriteOptions) -> None:
    """Write a small kit with notes into a new folder. A spec uses it with `kit = "DIR"`."""
    from exporters.bundle import Bundle
    from exporters.schemas import directive_for
    from generator.kinds.kit_files import new_kit_files

    if folder.is_symlink() and not folder.exists():
        raise BadInput(f"{folder}: is a link that leads nowhere; name another folder")
    files = new_kit_files(folder.resolve().name, directive_for(folder, "kit"))
    output.write(Bundle({name: text.encode() for name, text in files.items()}), folder, {}, inert=True)


@kit_command.command()
@common.json_option
def keys(as_json: bool) -> None:
    """Print what every key of a kit means, as Markdown."""
    from generator.kinds.reference import key_tables, reference

    if as_json:
        for table in key_tables():
            json_lines.emit("table", **table._asdict())
    else:
        click.echo(reference(), nl=False)


@kit_command.command("show")
@named_argument("kit", metavar="KIT")
@click.argument("part", metavar="[ROW]", required=False)
@common.json_option
def show_rows(kit: str, part: str | None, as_json: bool) -> None:
    """Print all rows of KIT and of the kits that it extends, as TOML, each with its file.

    KIT is a folder, or `shipped`. ROW chooses a table, such as `room`, or a row, such as `room.shop`. A row
    that replaces others also names their files.
    """
    from generator.kinds.kit_rows import rows_of, toml_blocks

    read = _kit(kit)
    rows = list(rows_of(read))
    if part is not None:
        chosen = [row for row in rows if row.name == part or row.name.startswith(f"{part}.")]
        if not chosen:
            known = [*dict.fromkeys(row.name.partition(".")[0] for row in rows), *(row.name for row in rows)]
            raise BadInput(f"ROW: the kit {read.name} has no {shown(part)}; {hint(part, known)}")
        rows = chosen
    gone = sorted(read.gone) if part is None else []
    if as_json:
        for row in rows:
            json_lines.emit("row", **row._asdict())
        json_lines.emit("done", kit=read.name, rows=len(rows), without=gone)
        return
    blocks = [*toml_blocks(rows), *([f"# left out: {', '.join(gone)}"] if gone else [])]
    click.echo("\n\n".join(blocks))


@kit_command.command()
@named_argument("first", metavar="A")
@named_argument("second", metavar="B")
@common.json_option
@click.pass_context
def diff(ctx: click.Context, first: str, second: str, as_json: bool) -> None:
    """List the rows in which kit B differs from kit A, each merged with the kits that it extends.

    A and B are folders, or `shipped`. The exit status is 1 if anything differs.
    """
    from generator.kinds.kit_rows import changes_between
    from generator.value_words import toml

    changes = list(changes_between(_kit(first), _kit(second)))
    for name, before, after in changes:
        if as_json:
            json_lines.emit("change", row=name, before=before, after=after)
        elif before is None:
            click.echo(f"+ {name} = {toml(after)}")
        elif after is None:
            click.echo(f"- {name} = {toml(before)}")
        else:
            click.echo(f"~ {name}: {toml(before)} -> {toml(after)}")
    if as_json:
        json_lines.emit("done", differences=len(changes))
    ctx.exit(bool(changes))


def _kit(name: str) -> Kit:
    """Read the kit that is named, a folder or the shipped one. Raises KitError."""
    return common.kit_in(None if name == "shipped" else Path(name))
