"""`undercroft layouts show`, `check` and `stats`: layouts as text or pictures, their problems, their use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, runs, tables, writing
from generator.cli.helpful import HelpfulCommand, named_argument
from generator.cli.recognise import kit_folder_of
from generator.errors import BadInput, one_line, shown
from generator.files import open_file
from generator.interiors.layout_file import said_value
from generator.level import MARGIN
from generator.seeds import count_of
from generator.value_words import how_many

if TYPE_CHECKING:
    from generator.interiors.layouts import Layout
    from generator.interiors.named import NamedLayout
    from generator.interiors.problems import FileProblem
    from generator.kinds import Kit

# --- show --------------------------------------------------------------------------------------------

_DRAWN_WITH = (".ldtk", ".tmj", ".tmx", ".tsj", ".tsx")
_MAX_BYTES = 1 << 26  # of a file that may name a picture


@click.command("show", cls=HelpfulCommand)
@named_argument(
    "sources", metavar="FILE|DIR|POOL...", nargs=-1, required=True, shell_complete=common.completes("layouts")
)
@common.file_option(
    "--png",
    "Write a picture, or - to print it: of one layout, or a contact sheet of several with their names.",
)
@common.theme_option
@common.scale_option
@common.kit_option
@writing.writes_files(has_quiet=False)
def show_command(
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
        for entry in named_layouts(source, common.tell, named_kit or _kit_of(Path(source)))
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
    made_from += loaded_theme.sources
    picture = sheet(named, loaded_theme, scale)
    output.write_file(png, picture, {}, made_from, flag="--png", printed_as="layouts.png")


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


# --- check -------------------------------------------------------------------------------------------


@click.command("check", cls=HelpfulCommand)
@named_argument("paths", metavar="FILE|DIR...", nargs=-1, required=True, type=common.ANY_PATH)
@common.kit_option
@common.json_option
def check_command(paths: tuple[Path, ...], kit: Path | None, as_json: bool) -> None:
    """Print every problem of layouts (.txt) and of drawings (.tmj, .tmx, .ldtk), one per line with its place.

    The folder of a layout says which rooms it is for; a drawing says so itself. In a folder, each layout must
    be in a pool. Layouts in a kit's folder are read with that kit, unless --kit names another. Exit status 1
    if there is any problem.
    """
    from generator.styles.gungeon.too_narrow import narrow_layouts

    named_kit = common.kit_in(kit) if kit else None
    places = [(path, _files(path)) for path in paths]
    problems = []
    for path, files in places:
        own = named_kit or common.kit_in(kit_folder_of(path))
        lines = list(_problems(path, files, own))
        unusable, notes = narrow_layouts(files, path if path.is_dir() else path.parent, own)
        problems += [{"file": str(file), "problem": one_line(line)} for file, line in (*lines, *unusable)]
        for file, line in notes:
            common.tell_note(str(file), line, as_json)
    common.tell_problems(problems, as_json, sum(len(files) for _, files in places), "file")


def _problems(path: Path, files: Sequence[Path], kit: Kit) -> Iterator[FileProblem]:
    """Yield the problems of a file by itself, or of a folder as a whole."""
    from generator.interiors.problems import folder_problems

    if not path.is_dir():
        return folder_problems(files, path.parent, kit, alone=True)
    return folder_problems(files, path, kit)


def _files(path: Path) -> list[Path]:
    """Return a file itself, or all layouts and drawings of a folder. Raises BadInput if there is none."""
    from generator.interiors.problems import endings

    known = endings()
    if not path.is_dir():
        if not path.exists():
            raise BadInput(f"{path}: cannot be read: there is no such file or folder; check the name")
        if path.suffix.lower() not in known:
            raise BadInput(f"{path}: is not a layout; give {', '.join(known)}, or a folder")
        open_file(path, BadInput).close()
        return [path]
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in known and is_read(file, path))
    if not files:
        raise BadInput(f"{path}: contains no layouts; name a folder with {', '.join(known)} files in it")
    return files


def is_read(file: Path, top: Path) -> bool:
    """Check whether a file's path below `top` has no name that begins with a dot, such as .git."""
    return file.is_file() and not any(part.startswith(".") for part in file.relative_to(top).parts)


# --- stats -------------------------------------------------------------------------------------------

_BAR = 30  # characters


@click.command("stats", cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(required=True)
@click.option("--pool", metavar="POOL", default="", help="Only the layouts of this pool.")
@common.flag("--never", "Only layouts that are never used.")
@runs.works_on_many
@tables.csv_option
@common.json_option
def stats_command(
    spec: str,
    values: tuple[str, ...],
    seeds: str,
    pool: str,
    never: bool,
    workers: runs.Workers,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Count how often levels use each layout, out of the rooms that it fits, and why some are never used."""
    from generator.batch.drawn_layouts import count_layouts, fates, merged_counts
    from generator.batch.run import blocks_of
    from generator.batch.stats import BLOCK

    tables.refuse_both(as_csv, as_json)
    level_spec = common.spec_with(spec, values)
    pool = pool.strip("/")
    if not any(_is_in(fate.name, pool) for fate in fates(level_spec, merged_counts([]))):
        raise BadInput(f"--pool: no layout of this spec is in {shown(pool)}; give one such as normal or shop")
    seed_range = runs.seeds_of(seeds, level_spec.style)
    tasks = ((level_spec, block) for block in blocks_of(seed_range, BLOCK))
    counts = merged_counts(runs.over_blocks(count_layouts, tasks, count_of(seed_range), workers, "counting"))
    chosen = [fate for fate in fates(level_spec, counts) if _is_in(fate.name, pool)]
    chosen = [fate for fate in chosen if not (never and fate.drawn)]
    chosen.sort(key=lambda fate: (-fate.drawn, fate.name))
    if as_json:
        rows = [fate._asdict() for fate in chosen]
        json_lines.emit("layouts", levels=counts.levels, rooms=counts.forms.total(), layouts=rows)
        return
    if as_csv:
        tables.print_csv(["name", "drawn", "fitting", "why"], chosen)
        return
    most = max((fate.drawn for fate in chosen), default=1)
    parts = {"level": counts.levels, "room": counts.forms.total(), "layout": len(chosen)}
    click.echo(", ".join(how_many(count, noun) for noun, count in parts.items()))
    lines = []
    for fate in chosen:
        bar = "#" * round(_BAR * fate.drawn / max(most, 1))
        lines.append([fate.name, f"{fate.drawn} of {fate.fitting}", bar if fate.drawn else fate.why])
    for line in tables.columns(lines, "<><"):
        click.echo(f"  {line}")


def _is_in(name: str, pool: str) -> bool:
    """Check whether a layout is in the pool, or in one below it. Every layout is in that without a name."""
    return not pool or f"{name}/".startswith(f"{pool}/")
