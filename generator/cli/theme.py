"""`undercroft theme`: begin a theme, or check one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, progress, writing
from generator.cli.helpful import HelpfulGroup, named_argument
from generator.errors import BadInput, one_line
from generator.files import is_device, open_file

if TYPE_CHECKING:
    from exporters.theme.new import Guess


_kit_option = common.folder_option(
    "--kit", "The folder of the kit whose kinds the theme draws. Default: the shipped kit."
)


@click.group(cls=HelpfulGroup)
def command() -> None:
    """Begin a theme from a sheet of tiles, or check one."""


@command.command("new")
@named_argument("sheet", metavar="IMAGE|TILESET", type=common.ANY_PATH)
@click.option("--tile-size", type=click.IntRange(8, 64), help="The side of a tile in px. Default: guessed.")
@click.option("--margin", type=click.IntRange(0, 63), help="Px before the first tile. Default: 0 or guessed.")
@click.option("--spacing", type=click.IntRange(0, 64), help="Px between tiles. Default: 0, or guessed.")
@click.option(
    "--source",
    type=click.IntRange(0, 65535),
    help="Which atlas source of a .tres to take, if it has several.",
)
@_kit_option
@click.option("--name", metavar="NAME", help="The theme's name. Default: the sheet's.")
@common.folder_option(
    "--out",
    "The folder to write to, which must contain the image. Default: the folder of the image.",
    callback=common.no_dash,
)
@writing.writes_files("fail")
def new(
    sheet: Path,
    tile_size: int | None,
    margin: int | None,
    spacing: int | None,
    source: int | None,
    kit: Path | None,
    name: str | None,
    out: Path | None,
    output: writing.WriteOptions,
) -> None:
    """Write a first theme for a PNG image, or for a tileset of Tiled (.tsx, .tsj) or Godot (.tres).

    NAME.toml holds what is known, and has a place for the rest. NAME-numbers.png shows the tiles with their
    numbers, to help you fill it in.
    """
    from exporters.schemas import directive_for
    from exporters.theme.new import first_theme

    if not sheet.exists():
        raise BadInput(f"{sheet}: cannot be read: there is no such file; check the name")
    name = _theme_name(sheet, name)
    known = _given(sheet, tile_size, margin, spacing)
    with progress.working("reading"):
        first = first_theme(sheet, name, out, known, source, common.kit_in(kit).kinds)
    folder = _as_given(first.folder, sheet)
    size, margin, spacing = first.geometry[:3]
    facts = {"name": name, "tile_size": size, "margin": margin, "spacing": spacing}
    if first.source != "the tileset" and not known:
        note = f"tiles of {size} px, margin {margin}, spacing {spacing}, guessed from {first.source}"
        note += "; give --tile-size, --margin and --spacing if that is wrong"
        common.tell(note)
    toml = f"{name}.toml"
    first.bundle.put(toml, directive_for(folder, "theme").encode() + first.bundle[toml])
    output.write(first.bundle, folder, facts)


def _theme_name(sheet: Path, name: str | None) -> str:
    """Return the given name, or that of the sheet in characters that a theme's name may have."""
    from exporters.base import BUILT_IN_THEME
    from exporters.theme.loader import refuse_name

    if name is not None:
        refuse_name(name, "--name")
        if name.casefold() == BUILT_IN_THEME:
            raise BadInput(f"--name: {name} is the built-in theme; give another name")
        return name
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", sheet.stem).strip("._-")[:50] or "theme"
    safe = f"my-{safe}" if safe.casefold() == BUILT_IN_THEME or is_device(safe) else safe
    if safe != sheet.stem:
        common.tell(f"{sheet}: the theme is called {safe}, as it cannot have this name; --name gives another")
    return safe


def _given(sheet: Path, tile_size: int | None, margin: int | None, spacing: int | None) -> Guess | None:
    """Read from the options where the tiles are, or return None if that is to be found out."""
    from exporters.theme.new import Guess
    from exporters.theme.tileset import tileset_readers

    numbers = (tile_size, margin, spacing)
    if sheet.suffix.lower() in tileset_readers() and any(number is not None for number in numbers):
        remedy = "leave out --tile-size, --margin and --spacing"
        raise BadInput(f"{sheet}: a tileset knows where its tiles lie; {remedy}")
    if tile_size is None:
        if margin is not None or spacing is not None:
            raise BadInput("--margin, --spacing: need --tile-size; give that too")
        return None
    return Guess(tile_size, margin or 0, spacing or 0, "what was given")


def _as_given(folder: Path, sheet: Path) -> Path:
    """Return the folder as the person would name it: relative if the sheet was."""
    if not sheet.is_absolute() and folder.is_relative_to(Path.cwd()):
        return folder.relative_to(Path.cwd())
    return folder


@command.command("check")
@named_argument("theme_file", metavar="FILE", type=common.ANY_PATH)
@common.out_option()
@click.option(
    "--seed",
    type=click.IntRange(0, (1 << 64) - 1),
    default=0,
    show_default=True,
    help="The seed of the level; another one shows other variants.",
)
@_kit_option
@writing.writes_files(has_quiet=False)
def check(theme_file: Path, out: Path, seed: int, kit: Path | None, output: writing.WriteOptions) -> None:
    """Print what is missing or wrong in a theme, one per line, and draw a level of everything with it.

    For dungeon.toml, the picture is dungeon-check.png, and dungeon-CHAPTER-check.png for each further look.
    Glaring squares show what is missing; of a kit's own kinds, the name shows what is left to draw. Lines
    that begin with `note` say what stands in for tiles that a theme may leave out. Exit status 1 if anything
    is missing or wrong.
    """
    from exporters.theme.loader import check_theme

    open_file(theme_file, BadInput).close()
    drawn = common.kit_in(kit)
    theme, problems = check_theme(theme_file, drawn.kinds, drawn.rules.chapters)
    notes = [one_line(note) for note in theme.stand_ins] if theme else []
    files: dict[str, object] = {"files": []}
    lines: list[str] = []
    if theme:
        from exporters.theme.showroom import pictures

        try:
            outcome = output.write_quietly(pictures(theme, theme_file.stem, seed), out)
            files, lines = output.file_facts(outcome), output.lines(outcome)
        except BadInput as error:  # the image cannot be decoded, which was told
            problems = problems or [str(error)]
    if output.as_json:
        for note in notes:
            json_lines.emit("note", file=str(theme_file), note=note)
        for problem in problems:
            json_lines.emit("problem", file=str(theme_file), problem=problem)
        json_lines.emit("done", problems=len(problems), **files)
    else:
        for line in (*problems, *(f"note: {note}" for note in notes), *lines):
            click.echo(line)
    if problems:
        raise SystemExit(1)
