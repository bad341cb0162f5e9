"""`undercroft tiled`: what makes Tiled a place to edit levels in."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, writing
from generator.cli.helpful import HelpfulGroup, named_argument
from generator.errors import BadInput
from generator.files import read_bytes
from generator.pattern import pattern
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun
    from exporters.theme import Theme


@click.group(cls=HelpfulGroup)
def command() -> None:
    """Put Undercroft into Tiled's menu, and automapping rules and templates beside levels."""


SCRIPTS = ("undercroft.js", "undercroft_room.js")


@command.command("install")
@click.argument("folder", type=common.FOLDER, required=False)
@writing.writes_files()
def install_command(folder: Path | None, output: writing.WriteOptions) -> None:
    """Add Undercroft to Tiled's menu Map: new levels, re-rolls, checks, Bring Home and Undo.

    Without FOLDER this is for all projects of this user. With the folder of a Tiled project, it is for that
    project; Tiled asks before it runs a project's extensions.
    """
    from exporters.bundle import Bundle
    from exporters.formats import tiled

    if folder and not folder.is_dir():
        raise BadInput(f"{folder}: is missing; name the folder of a Tiled project, or none for all projects")
    if folder and not any(folder.glob("*.tiled-project")):
        common.tell(f"{folder}: has no *.tiled-project, so Tiled finds the extension once a project is there")
    own = Path(tiled.__file__).parent
    scripts = {f"extensions/{name}": (own / name).read_bytes() for name in SCRIPTS}
    target = folder or user_extensions().parent  # our record lies there, where Tiled looks for no scripts
    output.write(Bundle(scripts), target, {"version": VERSION}, inert=True)


def user_extensions() -> Path:
    """Return the folder of the user's extensions, where Tiled's manual says that it is."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Tiled" / "extensions"
    if sys.platform == "darwin":
        return Path.home() / "Library/Preferences/Tiled/extensions"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "tiled" / "extensions"


@command.command("rules")
@click.argument("folder", type=common.FOLDER)
@writing.writes_files()
def rules_command(folder: Path, output: writing.WriteOptions) -> None:
    """Write automapping rules for the Tiled maps in FOLDER, into FOLDER/rules.

    In Tiled, paint floor, wall, pit, door and torch on a tile layer named Sketch, with the tileset in that
    folder, and choose Map > AutoMap: the other layers get the tiles that a level of the theme has there.
    """
    from exporters.bundle import Bundle
    from exporters.formats.tiled.names import RULES
    from exporters.formats.tiled.write_rules import rules, rules_list

    bundle = Bundle()
    for theme, ending in _all_themes(folder, "rules", output.dry_run):
        bundle.update(rules(theme, ending))
    bundle.update({RULES: rules_list(bundle)})
    output.write(bundle, folder, {}, inert=True)


@command.command("templates")
@click.argument("folder", type=common.FOLDER)
@writing.writes_files()
def templates_command(folder: Path, output: writing.WriteOptions) -> None:
    """Write templates of all markers for the Tiled maps in FOLDER, into FOLDER/templates.

    There is one for each kind of marker and each enemy. In Tiled, drag one from the Project view into a map:
    it has the icon, the size and the properties of such a marker, and `undercroft sync` makes it one of the
    level.
    """
    from exporters.bundle import Bundle
    from exporters.formats.tiled.write_templates import templates

    bundle = Bundle()
    for theme, ending in _all_themes(folder, "templates", output.dry_run):
        bundle.update(templates(theme, ending))
    output.write(bundle, folder, {}, inert=True)


_AREA = pattern(r"(-?\d{1,5}),(-?\d{1,5}),([1-9]\d{0,4}),([1-9]\d{0,4})", re.ASCII)


@command.command("room")
@named_argument("map_file", metavar="MAP", type=common.ANY_PATH)
@click.option("--at", metavar="X,Y,W,H", help="The room's tiles, walls included; else list the room kinds.")
@click.option("--kind", default="normal", metavar="KIND", help="The room's kind. Default: normal.")
@common.file_option("--shown", "A copy of MAP as it is now, if that has changes that are not saved.")
@common.json_option
def room_command(map_file: Path, at: str | None, kind: str, shown: Path | None, as_json: bool) -> None:
    """Print what the map MAP of a level gets if a room is drawn on it, and change nothing.

    The tool Draw Room of the extension draws that: tiles, the room's object, and those of its doors. On a
    grid the room takes all cells that it touches. A door leads to every room that it touches, and to hallways
    that end there; where all doors lead into hallways, a straight one leads to a room that it faces.
    """
    from exporters.reading.new_room import map_of_level, new_room
    from generator.geometry import Rect

    map_ = map_of_level(map_file, read_bytes(shown or map_file, 1 << 28, BadInput))
    if at is None:
        if as_json:
            json_lines.emit("kinds", kinds=map_.kinds)
        else:
            click.echo("\n".join(map_.kinds))
        return
    numbers = _AREA.fullmatch(at)
    if not numbers:
        problem = "is not a room's place and size in tiles; give four numbers such as 17,2,15,9"
        raise BadInput(f"--at: {at}: {problem}")
    made = new_room(map_, Rect(*map(int, numbers.groups())), kind)
    doors = [{"tiles": Rect.around(door.tiles), "kind": door.kind} for door in made.doors]
    if as_json:
        facts = {"tiles": made.bounds, "kind": kind, "doors": doors, "tileset": made.tileset}
        json_lines.emit("room", **facts, layers=made.layers, problems=made.problems)
        return
    click.echo(f"{kind} room at {','.join(map(str, made.bounds))}")
    for door in doors:
        click.echo(f"{door['kind']} door at {','.join(map(str, door['tiles']))}")
    for line in made.problems:
        click.echo(f"it would break a rule: {line}")


def _all_themes(folder: Path, below: str, dry_run: DryRun | None) -> list[tuple[Theme, str]]:
    """List `_themes`. Raises BadInput if there are none, or if their files have no place in the folder."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: there is no such folder; give one with the maps of levels")
    if (folder / below).exists() and not (folder / below).is_dir():
        raise BadInput(f"{folder / below}: is a file, but the {below} need a folder of that name; rename it")
    damaged: dict[str, BadInput] = {}
    themes = list(_themes(folder, dry_run, damaged))
    problems = [*damaged.values()]
    if not themes:
        lacking = "contains no map of a level with a tileset file; make one with generate --to tiled"
        *problems, last = problems or [BadInput(f"{folder}: {lacking}")]
        common.tell_all(map(str, problems))
        raise last
    common.tell_all(f"{problem}; its theme is left out" for problem in problems)
    return themes


def _themes(
    folder: Path, dry_run: DryRun | None, damaged: dict[str, BadInput]
) -> Iterator[tuple[Theme, str]]:
    """Yield the themes of the maps in a folder, each with the ending of its tileset.

    What is wrong with maps that cannot be read is added to `damaged`.
    """
    from exporters.edits.record import folder_record
    from exporters.exporting import Given
    from exporters.reading.files import ExportFiles
    from exporters.reading.folder_level import FolderLevel
    from exporters.reading.forms import form_of
    from exporters.reading.found import exports_in
    from exporters.reading.original import original
    from exporters.theme.districts import theme_of_level
    from exporters.theme.loader import fitted

    met: set[str] = set()
    with folder_record(folder, dry_run=dry_run, tell=common.tell) as record:
        for name, paths in exports_in(record, damaged=damaged).items():
            for path in paths:
                form = form_of(path)
                if form.format != "tiled":
                    continue
                try:
                    identity = form.identity(path.name, ExportFiles(folder))
                    source = original(path, identity, folder / f"{name}.level.json", None)
                    level = source.level
                    export = FolderLevel(folder, name, [path], Given(), record, source).export(path)
                    theme = theme_of_level(fitted(export.theme_for(level), level.kinds), level)
                except BadInput as error:
                    damaged[name] = error
                    continue
                for ending in ("tsj", "tsx"):
                    file = f"{theme.name}.{ending}"
                    if file not in met and (folder / file).is_file():
                        met.add(file)
                        yield theme, ending
