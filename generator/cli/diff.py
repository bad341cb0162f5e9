"""`undercroft diff`: the differences of two levels, or of an edited file and its level."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from generator.cli import common, json_lines, progress, writing
from generator.cli.bring_back import exporter_options, level_option
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, SpecError, UndercroftError
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.comparison.differences import Comparison
    from exporters.edits.dry_run import DryRun
    from exporters.exporting import ThemeLike
    from generator.level import Level


class _ComparedLevel(NamedTuple):
    """One of the two levels: what it is called, its file if it has one, the version, and the file's stem."""

    level: Level
    name: str
    path: Path | None = None
    version: str = VERSION
    stem: str = ""
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, object]:
        """Return what the event `done` says about it."""
        return {
            "name": self.name,
            "style": self.level.style,
            "seed": _seed_of(self.level),
            "version": self.version,
            "fingerprint": self.level.fingerprint,
        }


class _HowToRead(NamedTuple):
    """The options that are about reading files."""

    level_file: Path | None
    theme: Path | None
    options: Mapping[str, object]
    dry_run: DryRun | None


@click.command(cls=HelpfulCommand)
@click.argument(
    "sources",
    metavar="FILE|FIRST SECOND",
    nargs=-1,
    required=True,
    shell_complete=common.completes("specs_levels_and_exports"),
)
@click.option(
    "--seed",
    metavar="SEED",
    help="The seed of a spec. Default: that of the other level, or 0 if both are specs.",
)
@level_option
@common.theme_option
@common.option_option
@common.options_option
@click.option(
    "--png",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also draw the second level, with the differences marked; - prints the picture instead of the list.",
)
@click.option(
    "--scale",
    type=click.IntRange(1, 8),
    default=1,
    show_default=True,
    help="How many px wide a px of the picture is drawn.",
)
@writing.writes_files(has_quiet=False)
def command(
    sources: tuple[str, ...],
    seed: str | None,
    level_file: Path | None,
    theme: Path | None,
    options: tuple[str, ...],
    options_file: Path | None,
    png: Path | None,
    scale: int,
    output: writing.WriteOptions,
) -> None:
    """List the differences of two levels by what they mean, one per line, room by room.

    FIRST and SECOND are level.json files, edited exports (.tmj, .tmx, .world, .ldtk or .tscn), presets or
    spec files. A FILE alone is compared with the level that it was exported from; a level.json alone with
    the level that its spec and seed generate.

    The exit status is 0 if the levels are equal, 1 if they differ, and 2 if they cannot be compared.
    """
    if png and not writing.is_standard_output(png):
        writing.require_ending("--png", png, ".png")
    how = _HowToRead(level_file, theme, exporter_options(options, options_file), output.dry_run)
    try:
        differ = _told(sources, seed, how, png, scale, output)
    except UndercroftError as error:
        raise BadInput(str(error)) from None  # a level that cannot be made does not differ
    except SystemExit:  # the picture was changed by hand, and may not be written
        raise SystemExit(2) from None
    if differ:
        raise SystemExit(1)


def _told(
    sources: tuple[str, ...],
    seed: str | None,
    how: _HowToRead,
    png: Path | None,
    scale: int,
    output: writing.WriteOptions,
) -> bool:
    """Compare, print and draw. Return whether the levels differ."""
    from exporters.comparison.differences import compared

    with progress.working("comparing"):
        first, second = _sides(sources, seed, how)
        comparison = compared(first.level, second.level)
        picture = None if png is None else _picture(comparison, second, how, scale)
    if png is not None and picture is not None and writing.is_standard_output(png):
        from generator.cli.standard_output import print_bundle

        print_bundle({"diff.png": picture}, output.as_json, "--png")
    else:
        _print(comparison, output.as_json)
        if png is not None and picture is not None:
            made_from = [Path(source) for source in sources if Path(source).is_file()]
            output.write_file(png, picture, {}, made_from)
    _report(comparison, first, second, output.as_json)
    return bool(comparison.differences)


def _print(comparison: Comparison, as_json: bool) -> None:
    from exporters.comparison.lines import facts, lines

    if as_json:
        for difference in comparison.differences:
            json_lines.emit("change", **facts(difference, comparison))
    else:
        for line in lines(comparison):
            progress.echo(line)


def _report(comparison: Comparison, first: _ComparedLevel, second: _ComparedLevel, as_json: bool) -> None:
    """Say what was compared, and how many differences there are."""
    for side in (first, second):
        for note in side.notes:
            common.tell_note(side.name, f"{side.name}: {note}", as_json)
    number = len(comparison.differences)
    if as_json:
        json_lines.emit("done", differences=number, first=first.facts(), second=second.facts())
        return
    versions = f" (of versions {first.version} and {second.version})" * (first.version != second.version)
    count = {0: "no differences", 1: "1 difference"}.get(number, f"{number:,} differences")
    common.tell(f"{count} from {first.name} to {second.name}{versions}")


def _picture(comparison: Comparison, second: _ComparedLevel, how: _HowToRead, scale: int) -> bytes:
    """Draw the differences in the theme that is given, or in that of the second level's files."""
    from exporters.comparison.picture import picture
    from exporters.edits.record import exported_before
    from exporters.exporting import Before, Given
    from exporters.theme import Theme
    from exporters.theme.loader import load_theme

    look: ThemeLike = how.theme
    if second.path is not None and how.theme is None:
        folder, stem = second.path.parent, second.stem
        look = Before(folder, stem, exported_before(folder, stem, how.dry_run)).theme("png", Given())
    loaded = look if isinstance(look, Theme) else load_theme(look, second.level.kinds)
    return picture(comparison, loaded, scale)


# --- what is compared --------------------------------------------------------------------------------


def _sides(
    sources: tuple[str, ...], seed: str | None, how: _HowToRead
) -> tuple[_ComparedLevel, _ComparedLevel]:
    """Read both levels. Raises BadInput, also for a spec that gives no level."""
    if len(sources) > 2:
        raise BadInput(f"{sources[2]}: is a third level; give one file, or two levels")
    forms = [_form_of(source) for source in sources]
    if seed is not None and "spec" not in forms:
        raise BadInput("--seed: is for a spec, and these levels are made already; leave it out")
    if how.level_file is not None and "export" not in forms:
        raise BadInput(f"--level: is for an exported file, and {sources[0]} is none; leave it out")
    if len(sources) == 1:
        if forms == ["spec"]:
            noun = "folder; name a file in it" if Path(sources[0]).is_dir() else "spec; name a level as well"
            raise BadInput(f"{sources[0]}: is a {noun}")
        return _with_original(Path(sources[0]), how)
    saved = {
        source: _saved(Path(source), how)
        for source, form in zip(sources, forms, strict=True)
        if form != "spec"
    }
    if seed is None and saved:
        seed = _seed_of(next(iter(saved.values())).level)
    first, second = (saved.get(source) or _generated(source, seed) for source in sources)
    return first, second


def _form_of(source: str) -> str:
    """Tell by its name what a source is: a level, an export or a spec."""
    from exporters.reading.forms import main_files

    name = Path(source).name.lower()
    if name.endswith(".json"):
        return "level"
    return "export" if name.endswith(tuple(form.suffix for form in main_files())) else "spec"


def _with_original(path: Path, how: _HowToRead) -> tuple[_ComparedLevel, _ComparedLevel]:
    """Read a file, and the level that it was made from."""
    if _form_of(path.name) == "level":
        from generator.pipeline import generate

        side = _saved(path, how)
        try:
            again = generate(side.level.spec, _seed_of(side.level))
        except SpecError:
            problem = "was made with layouts or a kit of your own, which its spec does not hold"
            raise BadInput(f"{path}: {problem}; name the level to compare it with as well") from None
        return _ComparedLevel(again, "the level that its spec and seed generate"), side
    from exporters.reading.back import brought_back

    back = brought_back(path, how.level_file, how.theme, how.options, how.dry_run)
    side = _ComparedLevel(back.level, str(path), back.path, stem=back.name, notes=tuple(back.notes))
    return _ComparedLevel(back.original.level, back.original.source), side


def _saved(path: Path, how: _HowToRead) -> _ComparedLevel:
    """Read a level.json, or an export with what a person changed in it."""
    if _form_of(path.name) == "export":
        return _with_original(path, how)[1]
    from generator.level_file import load_any_level

    level, version = load_any_level(path)
    return _ComparedLevel(
        level, str(path), path, version, path.name.removesuffix(".json").removesuffix(".level")
    )


def _generated(source: str, seed: str | None) -> _ComparedLevel:
    from generator.pipeline import generate

    level = generate(common.spec_with(source, ()), seed)
    return _ComparedLevel(level, f"{source}, seed {_seed_of(level)}")


def _seed_of(level: Level) -> str:
    return str(level.seed) if level.seed_text is None else level.seed_text
