"""`undercroft tiled`: what makes Tiled a place to edit levels in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, writing
from generator.cli.helpful import HelpfulGroup
from generator.errors import BadInput
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun
    from exporters.theme import Theme


@click.group(cls=HelpfulGroup)
def command() -> None:
    """Put Undercroft into Tiled's menu, and automapping rules and templates beside levels."""


_SCRIPT = "undercroft.js"


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
    script = Path(tiled.__file__).with_name(_SCRIPT).read_bytes()
    target = folder or user_extensions().parent  # our record lies there, where Tiled looks for no scripts
    output.write(Bundle({f"extensions/{_SCRIPT}": script}), target, {"version": VERSION}, inert=True)


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


def _all_themes(folder: Path, below: str, dry_run: DryRun | None) -> list[tuple[Theme, str]]:
    """List `_themes`. Raises BadInput if there are none, or if their files have no place in the folder."""
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
