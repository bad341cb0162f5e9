"""`undercroft check` and `selftest`: what is wrong with files, and here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exporters import selftest
from generator.cli import common, json_lines, progress, recognise, streams
from generator.cli.common import allow_option, parted
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, KitError, SpecError, ThemeError, UndercroftError, lines_of, one_line
from generator.files import open_file, parsed_toml, real_path, why_not_read
from generator.installed import clashes
from generator.level_audit import Audit, level_findings
from generator.stages import enter_stage
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.builder.groups import Manifest
    from generator.kinds import Kit
    from generator.spec import LevelSpec

# --- check -------------------------------------------------------------------------------------------

_ENDINGS = (".json", ".txt", ".toml", ".ldtk", ".tmj", ".tmx", ".world", ".ucpack")
_KEYS_OF_A_NAMED_THEME = recognise.THEME_KEYS | {"name", "image"}


@click.command(cls=HelpfulCommand)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=common.ANY_PATH)
@common.accept_edits_option
@common.flag("--again", "Make levels again from their specs and seeds, and say where they differ.")
@common.folder_option("--kit", "The folder of a kit that levels were made with, if it is not near them.")
@common.folder_option("--layouts", "The folder of your own layouts, if levels to make again have them.")
@allow_option
@common.json_option
def check_command(
    paths: tuple[Path, ...],
    accept_edits: bool,
    again: bool,
    kit: Path | None,
    layouts: Path | None,
    allow: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print every problem of level files (.json), layouts (.txt), specs, manifests, flows and themes (.toml),
    LDtk projects (.ldtk), packs (.ucpack), kits (folders with a kit.toml), and of the levels that somebody
    drew as maps (.tmj, .tmx, .world), one per line.

    In a folder, only files that are recognised as Undercroft's are checked, and no hidden ones;
    docs/commands.md lists them. Name any other file to check it, and - for levels, a spec or a manifest on
    standard input. The exit status is 1 if there is any problem.
    """
    audit = Audit((kit,) if kit else (), layouts, accept_edits, again)
    number = bad = 0
    with progress.working("checking"):
        places, refused = _places(paths)
        for path, files in places:
            for file, lines, told in _findings_below(path, files, audit):
                number += 1
                problems, allowed = parted(lines, allow)
                bad += len(problems)
                for about, line in [*told, *((file, line) for line in allowed)]:
                    common.tell_note(about, line, as_json)
                common.print_problems([{"file": file, "problem": line} for line in problems], as_json)
    for line in clashes(thorough=False):
        common.tell_note(sys.prefix, line, as_json)
    if refused:
        common.tell_all(map(str, refused[:-1]))
        raise refused[-1]
    is_of_levels = paths == (Path("-"),) and streams.has_levels()
    common.tell_checked(bad, as_json, number, "level" if is_of_levels else "file")


def _places(paths: Sequence[Path]) -> tuple[list[tuple[Path, list[Path]]], list[BadInput]]:
    """Return the files to check of each path, and what is wrong with the paths that have none."""
    places, refused = [], []
    for path in paths:
        try:
            places.append((path, _files(path)))
        except BadInput as error:
            refused.append(error)
    return places, refused


def _files(path: Path) -> list[Path]:
    """Return a file itself, or all files of a folder that are to be checked. Raises BadInput without any."""
    if streams.is_dash(path):
        return [path]
    is_folder = False
    with suppress(OSError):  # of a name that is too long, which `open_file` reports
        is_folder = path.is_dir()
    if is_folder:
        if files := sorted(recognise.files_of_ours(path)):
            return files
        raise BadInput(
            f"{path}: nothing to check; name a file, or a folder that contains files of Undercroft, or "
            "begin a kit with `undercroft kit new`"
        )
    open_file(path, BadInput).close()
    if path.suffix.lower() not in _ENDINGS:
        raise BadInput(f"{path}: cannot be checked; give a file that ends in {', '.join(_ENDINGS)}")
    return [path]


_Findings = tuple[str, list[str], list[tuple[str, str]]]  # a file, its problems, and notes with their files


def _findings_below(path: Path, files: Sequence[Path], audit: Audit) -> Iterator[_Findings]:
    """Yield what is found in a file, or in those of a folder, whose layouts are checked together."""
    if streams.is_dash(path):
        yield from _of_input(audit)
        return
    layouts = [file for file in files if path != file and file.suffix.lower() == ".txt"]
    by_file = _of_layouts(layouts, path, _kits_of_specs(files)) if layouts else {}
    for file in files:
        told: list[tuple[str, str]] = []
        lines = (
            by_file.get(file, []) if file in layouts else _listed(partial(_problems, file, audit, told), file)
        )
        yield str(file), lines, told


def _of_input(audit: Audit) -> Iterator[_Findings]:
    """Yield what is found in each level on standard input, as it comes, or in the spec there."""
    if not streams.has_levels():
        yield streams.INPUT, _listed(_problems_of_input, Path(streams.INPUT)), []
        return
    for text in streams.level_texts(Path("-")):
        told: list[tuple[str, str]] = []
        yield streams.INPUT, _listed(partial(_level_problems, text, audit, told), Path(text.where)), told


def _of_layouts(layouts: Sequence[Path], top: Path, kits_of_specs: dict[Path, Path]) -> dict[Path, list[str]]:
    """Return the problems of each layout below a folder, read with the kit that it is drawn for."""
    from generator.interiors.problems import folder_problems

    by_kit: dict[Path | None, list[Path]] = {}
    for path in layouts:
        named = (kits_of_specs[parent] for parent in real_path(path).parents if parent in kits_of_specs)
        by_kit.setdefault(recognise.kit_folder_of(path) or next(named, None), []).append(path)
    by_file: dict[Path, list[str]] = {}
    for kit, files in by_kit.items():
        try:
            for file, line in folder_problems(files, top, common.kit_in(kit)):
                by_file.setdefault(file, []).append(one_line(line))
        except KitError as error:
            by_file.setdefault(files[0], []).append(str(error))
    return by_file


def _kits_of_specs(files: Sequence[Path]) -> dict[Path, Path]:
    """Return the kit of each folder of layouts that a spec or a manifest uses with a kit."""
    from generator.spec import load_spec

    kits = {}
    for path in (file for file in files if file.suffix.lower() == ".toml"):
        with suppress(UndercroftError):  # told when the file itself is checked
            specs = [load_spec(path)] if "style" in recognise.top_keys(path) else []
            if recognise.is_manifest(path):
                from exporters.builder.manifest import load_manifest

                specs = [group.spec for group in load_manifest(path).groups if not group.file]
            for spec in specs:
                kit, layouts = getattr(spec, "kit", ""), getattr(spec, "layouts", "")
                if kit and layouts:
                    kits[real_path(Path(layouts))] = Path(kit)
    return kits


def _listed(problems: Callable[[], Iterable[str]], path: Path) -> list[str]:
    """List problems of a file, one line each, which begins with its name. Errors are the only ones."""
    enter_stage(str(path))
    try:
        return list(map(one_line, problems()))
    except UndercroftError as error:
        return list(map(one_line, lines_of(error)))
    except OSError as error:
        return [one_line(f"{path}: cannot be read: {why_not_read(error, path)}")]


def _problems(path: Path, audit: Audit, told: list[tuple[str, str]]) -> list[str]:
    """List the problems of a file. Notes are added to `told`."""
    match path.suffix.lower():
        case ".json":
            return _level_problems(streams.level_text(path), audit, told)
        case ".txt":
            from generator.interiors.pool_rules import check_layout

            check_layout(path, common.kit_in(recognise.kit_folder_of(path)))
        case ".toml":
            from exporters.schemas import lost_schema

            told += [(str(path), one_line(note)) for note in (lost_schema(path),) if note]
            return _toml_problems(path, told)
        case ".ldtk" | ".tmj" | ".tmx" | ".world":
            return [f"{path}: {problem}" for problem in _of_program(path, told)]
        case ".ucpack":
            from exporters.formats.pack.reader import problems as pack_problems

            return [f"{path}: {problem}" for problem in pack_problems(path)]
    return []


def _level_problems(text: streams.LevelText, audit: Audit, told: list[tuple[str, str]]) -> list[str]:
    problems, notes = level_findings(Path(text.where), audit, text.data)
    told += [(text.where, one_line(note)) for note in notes]
    return problems


def _problems_of_input() -> list[str]:
    from generator.spec.read import MAX_BYTES

    table = parsed_toml(streams.input_text(MAX_BYTES, BadInput), streams.INPUT, BadInput)
    if not recognise.MANIFEST_KEYS.isdisjoint(table):
        from generator.cli.manifest_input import manifest_of_input

        return _manifest_problems(manifest_of_input(None))
    _check_files(common.spec_with("-", ()), Path(streams.INPUT))
    return []


def _of_program(path: Path, told: list[tuple[str, str]]) -> list[str]:
    """List the problems of a project of LDtk, or of a level that somebody drew. Notes are added to `told`."""
    from exporters.reading.drawings import is_drawing, last_read_beside

    if path.suffix.lower() == ".ldtk":
        from exporters.formats.ldtk.check import problems as ldtk_problems

        beside = path.with_name(f"{path.stem}.level.json")
        if (lines := ldtk_problems(path)) or not beside.is_file() or not is_drawing(path):
            return lines  # it is an export, or has layouts
    elif not is_drawing(path):
        remedy = "check its .level.json, after `undercroft sync` if you edited the map"
        raise BadInput(f"{path}: is an export of a level; {remedy}")
    from exporters.reading.drawn import drawn_level
    from generator.checks import problems
    from generator.checks.told import told as told_of

    last = last_read_beside(path)
    made = drawn_level(path, last.meanings, last.kit or recognise.kit_folder_of(path) or "", last.theme)
    about = f"{path}: "
    told += [(str(path), one_line(f"{about}{note.removeprefix(about)}")) for note in made.notes]
    return told_of(problems(made.level), made.level)


def _kit_problems(folder: Path, told: list[tuple[str, str]]) -> list[str]:
    """List the problems of a kit's rows, or else of its drawings, or else of levels that are made with it.

    If there are none, notes are added to `told`.
    """
    from generator.kinds.kit_problems import kit_problems

    problems = kit_problems(folder)
    if not problems:
        from generator.batch.audit import kit_audit
        from generator.kinds import read_kit
        from generator.styles.gungeon.runs import chapter_problems
        from generator.styles.gungeon.set_pieces import piece_problems

        kit = read_kit(folder)
        problems = [*piece_problems(kit), *chapter_problems(kit)] or kit_audit(kit)
        if not problems:
            told += [(str(folder), one_line(note)) for note in kit_notes(kit)]
    return [one_line(line) for line in problems]


def kit_notes(kit: Kit) -> Iterator[str]:
    """Say what of a sound kit levels of default specs do not use or keep, and which layouts they lack."""
    from generator.batch.audit import pitch_of, styles_of
    from generator.interiors.problems import endings
    from generator.kinds.kit import own_tables
    from generator.kinds.row_notes import row_notes
    from generator.kinds.style_names import GRIDS, GUNGEON, REBIRTH, STYLES

    styles, known = styles_of(kit), endings()
    own = [folder for folder in kit.layouts if folder.parent == kit.folder and GUNGEON in styles]
    for folder in own:
        from generator.styles.gungeon.too_narrow import narrow_layouts

        files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in known)
        yield from (line for _, line in narrow_layouts(files, folder, kit).of_preset)
    yield from row_notes(kit)
    if "gang" in own_tables(kit) and {*styles} <= {*STYLES}:
        from generator.encounters.gang_notes import gang_notes, grid_budgets
        from generator.styles.gungeon.fights import fight_budgets

        rooms = {room for row in kit.rules.gangs for room in row.rooms}
        budgets = [grid_budgets(kit, pitch_of(kit), rooms)] if not {*GRIDS}.isdisjoint(styles) else []
        budgets += [fight_budgets(kit, rooms)] if GUNGEON in styles else []
        yield from gang_notes(kit, budgets)
    if REBIRTH in styles:
        from generator.styles.rebirth.drawn_shapes import shape_note

        if note := shape_note(kit, pitch_of(kit)):
            yield note


def _toml_problems(path: Path, told: list[tuple[str, str]]) -> list[str]:
    """List the problems of a kit, a theme and its image, a flow, a manifest, or a spec with what it names.

    Notes are added to `told`.
    """
    if (path.parent / recognise.KIT).is_file():
        return _kit_problems(path.parent, told)
    keys = recognise.top_keys(path)
    if "style" not in keys and not _KEYS_OF_A_NAMED_THEME.isdisjoint(keys):
        return _theme_problems(path)
    if "style" not in keys and "flow" in keys:
        return _flow_problems(path)
    if recognise.is_manifest(path) or path.name == recognise.MANIFEST:
        from exporters.builder.manifest import load_manifest

        return _manifest_problems(load_manifest(path))
    from generator.spec import load_spec

    _check_files(load_spec(path), path)
    return []


def _theme_problems(path: Path) -> list[str]:
    """List the problems of a theme, with the kit whose folder it is in if that is sound."""
    from exporters.theme.loader import check_theme
    from generator.kinds.kit_problems import kit_problems

    kit = recognise.kit_folder_of(path)
    if kit is None or kit_problems(kit):
        return check_theme(path)[1]
    drawn = common.kit_in(kit)
    return check_theme(path, drawn.kinds, drawn.rules.chapters)[1]


def _flow_problems(path: Path) -> list[str]:
    from generator.cli.flow import SEEDS, flow_problems
    from generator.kinds.kit_problems import kit_problems
    from generator.styles.gungeon.spec import GungeonSpec

    kit = recognise.kit_folder_of(path)
    if kit and kit_problems(kit):
        return [f"{path}: cannot be checked before its kit is sound; see `undercroft check {kit}`"]
    return flow_problems(str(path), SEEDS, GungeonSpec(kit=str(kit)) if kit else None)


def _manifest_problems(manifest: Manifest) -> list[str]:
    """Plan a manifest, and list its themes that cannot draw levels of a kit of their groups, each once."""
    from exporters.builder.chosen import unsearched
    from exporters.builder.plan import BuildPlan
    from exporters.theme.loader import load_theme

    BuildPlan(unsearched(manifest))
    found = []
    drawn = {(group.theme, group.spec.kit): group for group in reversed(manifest.groups) if not group.file}
    for (theme, _), group in drawn.items():
        try:
            load_theme(theme, group.spec.load_kit().kinds)
        except ThemeError as error:
            found.append(f"{group.where}.theme: {error}")
    return found[::-1]


def _check_files(spec: LevelSpec, path: Path) -> None:
    try:
        spec.files_digest()
    except SpecError as error:  # a LayoutError names a file of its own
        raise SpecError(f"{path}: {error}") from None


# --- selftest ----------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@common.flag("--quiet", "Print nothing if everything is equal.")
@common.json_option
def selftest_command(quiet: bool, as_json: bool) -> None:
    """Make hundreds of levels and some exports, and compare them with those of this version of Undercroft.

    The same spec, seed and version must give the same bytes on every machine; pictures are compared by their
    pixels. What differs is printed as the command that makes it, and the exit status is 1.
    """
    try:
        kept = selftest.kept()
        version = kept["version"]
    except (ValueError, TypeError, KeyError):
        raise UndercroftError(f"{selftest.NAME}: is damaged: install Undercroft again") from None
    if version != VERSION:
        raise UndercroftError(f"{selftest.NAME}: is of {version}, not of {VERSION}: install Undercroft again")
    total = len(kept["levels"]) + len(kept["exports"])
    levels = files = differ = 0
    with progress.working("comparing", total) as bar:
        for result in selftest.made():
            bar.update()
            levels += result.part == "levels"
            files += result.files
            if kept[result.part].get(result.words) == result.digest:
                continue
            differ += 1
            made_by = f"undercroft generate {result.words}"
            json_lines.tell(as_json, f"differs: {made_by}", "difference", made_by=made_by)
    if as_json:
        json_lines.emit("done", version=VERSION, levels=levels, files=files, different=differ)
    elif differ:
        progress.echo(f"{differ} of {total} levels and exports differ from those of {VERSION}")
    elif not quiet:
        progress.echo(f"{levels} levels and {files} files are equal to those of {VERSION}")
    if differ:
        raise SystemExit(1)
