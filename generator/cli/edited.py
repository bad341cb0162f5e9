"""`undercroft import`, `sync` and `diff`: edited exports as levels, carried over to others, and compared."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, progress, streams, writing
from generator.cli.common import allow_option, parted
from generator.cli.drawn import DrawingOptions, drawing_options, import_drawn
from generator.cli.helpful import HelpfulCommand, named_argument
from generator.errors import BadInput, SpecError, UndercroftError
from generator.files import file_name, real_path
from generator.named_tuple import NamedTuple
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.comparison.differences import Comparison
    from exporters.edits.dry_run import DryRun
    from exporters.exporting import ThemeLike
    from exporters.reading.changes import PersonsEdits
    from generator.level import Level

# --- import ------------------------------------------------------------------------------------------

level_option = click.option(
    "--level",
    "level_file",
    type=common.ANY_PATH,
    metavar="LEVEL.json",
    help="The level that FILE was exported from. Default: NAME.level.json beside it, or generated again.",
)


@click.command(cls=HelpfulCommand)
@named_argument("file", metavar="FILE", type=common.ANY_PATH)
@level_option
@drawing_options
@writing.export_settings
@allow_option
@common.out_option("the level")
@click.option("--name", metavar="NAME", help="The level's name. Default: that of FILE.")
@writing.writes_files(None, default_is="keep; for a level drawn by hand merge")
def import_command(
    file: Path,
    level_file: Path | None,
    of_drawings: DrawingOptions,
    settings: writing.ExportSettings,
    out: Path,
    name: str | None,
    output: writing.WriteOptions,
) -> None:
    """Bring back a file that was exported and then edited in Tiled, LDtk or Godot: write NAME.level.json.

    FILE is a .tmj, .tmx, .world, .ldtk or .tscn. If DIR is the folder of FILE, FILE is then merged with a new
    export, so that you can go on working in it. Give --theme and --option only if nothing in the folder of
    FILE says what it was exported with.

    A .tmj, .tmx, .world or .ldtk that Undercroft never wrote becomes a level, too, if its rooms are drawn as
    objects, maps or LDtk levels.

    The exit status is 1 if an edit or a drawing broke a rule of levels. The level is still written, and each
    broken rule is reported.
    """
    from exporters.reading.drawings import is_drawing

    if level_file is None and is_drawing(file):
        import_drawn(file, of_drawings, settings, out, name, output)
        return
    of_drawings.refuse()
    output = output._replace(edits=output.edits or "keep")
    import exporters
    from exporters.edits.record import folder_record
    from exporters.exporting import Given
    from exporters.reading.back import brought_back
    from exporters.reading.exports import formats_beside
    from exporters.reading.forms import main_file, stem_of
    from exporters.reading.level_merge import merged_in_place
    from generator.checks import notes_on_edits

    chosen = Given(settings.theme, settings.values())
    folder, own_name = main_file(file).parent, stem_of(main_file(file))
    is_in_place = real_path(out) == real_path(folder) and file_name(name or own_name) == own_name
    with progress.working("reading"), folder_record(folder, own_name, output.dry_run, common.tell) as record:
        back = brought_back(file, level_file, chosen, record)
        merged = merged_in_place(back.files) if is_in_place else None
        others = formats_beside(back.path, record) if merged and merged.level else []
    problems, allowed = parted(back.problems, output.allow)
    allowed += notes_on_edits(back.level)
    stem = file_name(name or back.name)
    bundle = exporters.export(back.level, "json", name=stem)
    is_original = real_path(out / f"{stem}.level.json") == back.original.path
    # All that was in the original is in the new level. It is a person's: `generate` does not write over it.
    edits = None if is_original else output.edits
    how = {"persons": [*bundle], "taken": {}, "in_part": bool(merged)}
    outcome = None if streams.is_dash(out) else output.put(bundle, out, edits, **how)
    if outcome and merged and merged.level and not outcome.refused and not outcome.kept:

        def is_new(path: str, _: Path) -> bool:
            return path in bundle  # in a dry run, the old level.json is there

        mode = "replace" if output.edits == "replace" else "merge"
        beside = merged.bundle.only(lambda path: path not in bundle)
        of_file = output.put(beside, out, mode, known=is_new, merged=merged)
        if others:
            behind = f"its files for {', '.join(others)} still show the level before"
            outcome.notes.append(f"{out / stem}: {behind}; `undercroft sync {out}` writes them too")
        outcome = outcome.joined(of_file)
    facts = {
        "name": stem,
        "original": back.original.source,
        "changed": back.said(),
        "edited": dict(back.level.edited),
        "notes": [*back.notes, *allowed],
        "problems": problems,
        "fingerprint": back.level.fingerprint,
    }
    if outcome:
        output.report(outcome, facts)
    else:
        streams.print_bundle(bundle)
    if not output.as_json:
        lines = [f"{back.said()}, against {back.original.source}", *back.notes]
        common.tell_all(f"{file}: {line}" for line in lines)
        common.tell_all(f"note: {file}: {line}" for line in allowed)
        common.tell_all(f"{file}: {line}" for line in problems)
    if problems:
        raise SystemExit(1)


# --- sync --------------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@click.argument("path", metavar="PATH", type=common.ANY_PATH)
@writing.export_settings
@allow_option
@writing.writes_files("merge")
def sync_command(path: Path, settings: writing.ExportSettings, output: writing.WriteOptions) -> None:
    """Bring back what was edited in any export of a folder's levels, and write their other exports again.

    PATH is the folder, or a file of one level in it. If two files of a level disagree about a place, nothing
    of that level is written. The exit status is 1 for such a conflict, and for a level that breaks a rule.

    All files keep the options and the theme that they were exported with; --option and --theme change them.
    """
    from exporters.edits.record import folder_record
    from exporters.reading.sync import folder_of, synced

    options = settings.values()
    folder, _ = folder_of(path)
    with (
        progress.working("comparing"),
        folder_record(folder, dry_run=output.dry_run, tell=common.tell) as record,
    ):
        levels = synced(path, theme=settings.theme, options=options, record=record)
        for item in levels:
            if item.told is not None and not item.level:  # else the write does it
                record.note_told(item.name, item.told)
    is_bad = False
    for item in levels:
        problems, allowed = parted(item.problems, output.allow)
        is_bad = is_bad or bool(item.conflicts or problems)
        changed = {
            str(path): _summary(found)
            for path, found in item.edits.items()
            if found.edits or any(note.startswith(f"{path}: ") for note in item.notes)
        }
        lines = [*item.conflicts, *item.notes, *(f"note: {item.name}: {line}" for line in allowed)]
        lines += [f"{item.name}: {line}" for line in problems]
        facts = {"name": item.name, "changed": changed, "conflicts": item.conflicts}
        facts |= {"problems": problems, "notes": [*item.notes, *allowed]}
        if not output.as_json:
            edited = (f"{path}: {changed[str(path)]}" for path, found in item.edits.items() if found.edits)
            lines = [*edited, *lines]
            nothing = "no new edits; what a level cannot have stays in its file"
            nothing = nothing if item.has_riders else "nothing was edited"
            common.tell_all(lines or ([] if output.quiet else [f"{item.name}: {nothing}"]))
        if item.level:
            output.write(item.bundle, folder, facts, event="synced", merged=item)
        elif output.as_json:
            json_lines.emit("synced", **facts, files=[])
    if is_bad:
        raise SystemExit(1)


def _summary(found: PersonsEdits) -> str:
    from exporters.reading.back import summary_of  # takes long to import

    return summary_of(found)


# --- diff --------------------------------------------------------------------------------------------


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
            "seed": common.seed_of(self.level),
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
@writing.export_settings
@common.file_option(
    "--png",
    "Also draw the second level, with the differences marked; - prints the picture instead of the list.",
)
@common.scale_option
@writing.writes_files(has_quiet=False)
def diff_command(
    sources: tuple[str, ...],
    seed: str | None,
    level_file: Path | None,
    settings: writing.ExportSettings,
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
    if png:
        writing.require_ending("--png", png, ".png")
    how = _HowToRead(level_file, settings.theme, settings.values(), output.dry_run)
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
    if png is not None and picture is not None and streams.is_dash(png):
        streams.print_bundle({"diff.png": picture}, "--png")
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
        look = Before(folder, stem, exported_before(folder, stem, how.dry_run, common.tell)).theme(
            "png", Given()
        )
    loaded = look if isinstance(look, Theme) else load_theme(look, second.level.kinds)
    return picture(comparison, loaded, scale)


# --- what is compared --------------------------------------------------------------------------------


def _sides(
    sources: tuple[str, ...], seed: str | None, how: _HowToRead
) -> tuple[_ComparedLevel, _ComparedLevel]:
    """Read both levels. Raises BadInput, also for a spec that gives no level."""
    if len(sources) > 2:
        raise BadInput(f"{sources[2]}: is a third level; give one file, or two levels")
    kinds = [_kind_of_source(source) for source in sources]
    if seed is not None and "spec" not in kinds:
        raise BadInput("--seed: is for a spec, and these levels are made already; leave it out")
    if how.level_file is not None and "export" not in kinds:
        raise BadInput(f"--level: is for an exported file, and {sources[0]} is none; leave it out")
    if len(sources) == 1:
        if kinds == ["spec"]:
            noun = "folder; name a file in it" if Path(sources[0]).is_dir() else "spec; name a level as well"
            raise BadInput(f"{sources[0]}: is a {noun}")
        return _with_original(Path(sources[0]), how)
    saved = {
        source: _saved(Path(source), how, sources)
        for source, kind in zip(sources, kinds, strict=True)
        if kind != "spec"
    }
    if seed is None and saved:
        seed = common.seed_of(next(iter(saved.values())).level)
    first, second = (saved.get(source) or _generated(source, seed) for source in sources)
    return first, second


def _kind_of_source(source: str) -> str:
    """Tell by its name what a source is: a level, an export or a spec."""
    from exporters.reading.forms import main_files

    name = Path(source).name.lower()
    if name.endswith(".json") or (streams.is_dash(source) and streams.has_levels()):
        return "level"
    return "export" if name.endswith(tuple(form.suffix for form in main_files())) else "spec"


def _with_original(path: Path, how: _HowToRead) -> tuple[_ComparedLevel, _ComparedLevel]:
    """Read a file, and the level that it was made from."""
    if _kind_of_source(str(path)) == "level":
        from generator.pipeline import generate
        from generator.styles.registry import DRAWN

        side = _saved(path, how, ())
        if side.level.style == DRAWN:
            raise BadInput(f"{side.name}: was drawn by hand; name the level to compare it with as well")
        try:
            again = generate(side.level.spec, common.seed_of(side.level))
        except SpecError:
            problem = "was made with layouts or a kit of your own, which its spec does not hold"
            raise BadInput(f"{side.name}: {problem}; name the level to compare it with as well") from None
        return _ComparedLevel(again, "the level that its spec and seed generate"), side
    from exporters.edits.record import folder_record
    from exporters.exporting import Given
    from exporters.reading.back import brought_back
    from exporters.reading.drawings import import_of, is_drawing
    from exporters.reading.forms import main_file, stem_of

    main = main_file(path)
    if how.level_file is None and is_drawing(path):
        remedy = f"name the level to compare it with as well, or {import_of(path)}"
        raise BadInput(f"{path}: was drawn by hand; {remedy}")
    with folder_record(main.parent, stem_of(main), how.dry_run, common.tell) as record:
        back = brought_back(path, how.level_file, Given(how.theme, how.options), record)
    side = _ComparedLevel(back.level, str(path), back.path, stem=back.name, notes=tuple(back.notes))
    return _ComparedLevel(back.original.level, back.original.source), side


def _saved(path: Path, how: _HowToRead, others: tuple[str, ...]) -> _ComparedLevel:
    """Read a level.json, or an export with what a person changed in it, or a drawing.

    Of its level, the level.json among `others`, a drawing is read as when it was imported.
    """
    if _kind_of_source(str(path)) == "export":
        from exporters.reading.drawings import is_drawing

        if how.level_file is None and is_drawing(path):
            from exporters.exporting import Given
            from exporters.reading.drawings import last_read_beside
            from exporters.reading.drawn import drawn_level

            levels = [Path(other) for other in others if _kind_of_source(other) == "level"]
            last = last_read_beside(levels[0] if levels else path, Given(how.theme))
            return _ComparedLevel(drawn_level(path, *last).level, str(path), path, stem=path.stem)
        return _with_original(path, how)[1]
    from generator.level_file import any_level_from_bytes

    text = streams.level_text(path)
    level, version = any_level_from_bytes(*text)
    stem = path.name.removesuffix(".json").removesuffix(".level")
    return _ComparedLevel(level, text.where, None if streams.is_dash(path) else path, version, stem)


def _generated(source: str, seed: str | None) -> _ComparedLevel:
    from generator.pipeline import generate

    level = generate(common.spec_with(source, ()), seed)
    return _ComparedLevel(level, f"{streams.name_of(source)}, seed {common.seed_of(level)}")
