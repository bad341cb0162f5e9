"""`undercroft layouts show`: layouts as text, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, writing
from generator.cli.helpful import HelpfulCommand
from generator.cli.recognise import kit_folder_of
from generator.errors import BadInput, one_line
from generator.interiors.layout_file import said_value

if TYPE_CHECKING:
    from generator.interiors.layouts import Layout
    from generator.interiors.named import NamedLayout
    from generator.kinds import Kit


_DRAWN_WITH = (".ldtk", ".tmj", ".tmx", ".tsj", ".tsx")
_MAX_BYTES = 1 << 26  # of a file that may name a picture


@click.command("show", cls=HelpfulCommand)
@click.argument(
    "sources", metavar="FILE|DIR|POOL...", nargs=-1, required=True, shell_complete=common.completes("layouts")
)
@click.option(
    "--png",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a picture instead: of one layout, or a contact sheet of several with their names.",
)
@common.theme_option
@click.option(
    "--scale",
    type=click.IntRange(1, 8),
    default=1,
    show_default=True,
    help="How many px wide a px of the picture is drawn.",
)
@common.kit_option
@writing.writes_files(has_quiet=False)
def command(
    sources: tuple[str, ...],
    png: Path | None,
    theme: Path | None,
    scale: int,
    kit: Path | None,
    output: writing.WriteOptions,
) -> None:
    """Print layouts as text: those of files, of folders, or of pools such as normal/cellar/hard.

    A layout is drawn as it stands in its file, with all walls and doors that it may have: nothing varies.
    Layouts in a kit's folder are read with that kit, unless --kit names another.
    """
    from generator.interiors.named import named_layouts

    named_kit = common.kit_in(kit) if kit else None
    named = [
        entry
        for source in sources
        for entry in named_layouts(source, _tell, named_kit or _kit_of(Path(source)))
    ]
    if png:
        _write_picture(named, png, theme, scale, output)
        return
    shown = [(entry, _rows(entry)) for entry in named]
    if output.as_json:
        for entry, rows in shown:
            json_lines.emit("layout", name=entry.name, **_facts(entry), rows=rows)
        return
    for index, (entry, rows) in enumerate(shown):
        facts = "  ".join(f"{key} {value}" for key, value in _facts(entry).items())
        lines = ["" if index else None, one_line(f"{entry.name}  {facts}"), *rows, *_legend(entry)]
        click.echo("\n".join(line for line in lines if line is not None))


def _kit_of(source: Path) -> Kit:
    """Load the kit of the folder that a file or folder is in, or for a pool, the shipped one."""
    return common.kit_in(kit_folder_of(source) if source.exists() else None)


def _tell(line: str) -> None:
    click.echo(f"undercroft: {one_line(line)}", err=True)


def _write_picture(
    named: list[NamedLayout], png: Path, theme: Path | None, scale: int, output: writing.WriteOptions
) -> None:
    from exporters.layouts.sheet import sheet
    from exporters.theme.loader import load_theme

    writing.require_ending("--png", png, ".png")
    if png.exists() and (drawing := _drawn_with(png)):
        raise BadInput(f"--png: {png}: {drawing.name} is drawn with that picture; give another name")
    loaded_theme = load_theme(theme)
    made_from = [entry.layout.path for entry in named if entry.layout.path.is_file()]
    output.write_file(png, sheet(named, loaded_theme, scale), {}, [*made_from, *loaded_theme.sources])


def _drawn_with(png: Path) -> Path | None:
    """Find a drawing or tileset beside a picture that names it, or return None."""
    for path in sorted(png.parent.iterdir()):
        is_drawing = path.suffix.lower() in _DRAWN_WITH and path.is_file()
        if is_drawing and path.stat().st_size <= _MAX_BYTES and png.name.encode() in path.read_bytes():
            return path
    return None


def _facts(named: NamedLayout) -> dict[str, object]:
    layout = named.layout
    mirrors = "".join(mirror for mirror in layout.mirrors if len(mirror) == 1) or "none"
    return {
        "kind": named.kind,
        "shape": layout.shape.name,
        "doors": " ".join(layout.doors),
        "mirror": mirrors,
        "weight": layout.weight,
    }


def _rows(named: NamedLayout) -> list[str]:
    """Draw the room with its walls and doors. Its inside is as it is drawn in the file."""
    from exporters.layouts.drawing import alone
    from generator.level import MARGIN
    from generator.picture import level_rows

    width, height = named.layout.size
    rows = [row.ljust(width + 2 + 2 * MARGIN)[MARGIN:] for row in level_rows(alone(named))[0][MARGIN:-MARGIN]]
    inside = named.layout.rows
    for y in range(height):
        left, right = rows[y + 1][0], rows[y + 1][width + 1]
        rows[y + 1] = f"{left}{_in_shape(inside[y], rows[y + 1][1 : width + 1])}{right}"
    return [row.rstrip() for row in rows]


def _in_shape(drawn: str, row: str) -> str:
    """Blank what lies outside the room's shape in a row of the file."""
    return "".join(glyph if tile != " " else " " for glyph, tile in zip(drawn, row, strict=True))


def _legend(named: NamedLayout) -> list[str]:
    """Return what the file's own letters mean, as its header has it."""
    layout, lines = named.layout, []
    for letter, glyph in layout.glyphs.items():
        if not letter.isalnum() or layout.kinds.glyphs.get(letter) is glyph:  # others are no person's
            continue
        varies = layout.variations.get(letter)
        if varies is None:
            meaning = _meaning(layout, letter)
        elif varies.many:
            meaning = f"group {varies.many} {_meaning(layout, varies.signs[0])}"
        else:
            meaning = " ".join(["one_of", *(_meaning(layout, sign) for sign in varies.signs)])
        lines.append(one_line(f"{letter} = {meaning}"))
    return lines


def _meaning(layout: Layout, sign: str) -> str:
    """Describe a marker with its properties, a thing or a terrain, in the words of a header."""
    glyph, kinds = layout.glyphs[sign], layout.kinds
    ground = kinds.terrain[glyph.terrain].name
    if not glyph.marker:
        return kinds.decor[glyph.decor].name if glyph.decor else ground
    properties = dict(glyph.properties)
    if ground != kinds.usual_ground(kinds.markers[glyph.marker]):
        properties["on"] = ground
    return " ".join([glyph.marker, *(f"{key}={said_value(value)}" for key, value in properties.items())])
