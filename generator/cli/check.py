"""`undercroft check`, `audit` and `selftest`: what is wrong with files, with a spec's levels, and here."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exporters import selftest
from generator.cli import common, json_lines, progress, recognise, runs
from generator.cli.common import allow_option, parted
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, KitError, SpecError, ThemeError, UndercroftError, one_line
from generator.files import open_file, real_path, why_not_read
from generator.installed import clashes
from generator.level_audit import Audit, level_findings
from generator.stages import enter_stage
from generator.value_words import how_many
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
    docs/commands.md lists them. Name any other file to check it. The exit status is 1 if there is any
    problem.
    """
    told: list[tuple[str, str]] = []
    audit = Audit((kit,) if kit else (), layouts, accept_edits, again)
    with progress.working("checking"):
        places, refused = _places(paths)
        lines = [
            (str(file), line)
            for path, files in places
            for file, line in _problems_below(path, files, audit, told)
        ]
    notes = set(parted((line for _, line in lines), allow)[1])
    told += ((sys.prefix, line) for line in clashes(thorough=False))
    for file, line in [*told, *(pair for pair in lines if pair[1] in notes)]:
        common.tell_note(file, line, as_json)
    problems = [{"file": file, "problem": line} for file, line in lines if line not in notes]
    if refused:
        common.print_problems(problems, as_json)
        common.tell_all(map(str, refused[:-1]))
        raise refused[-1]
    common.tell_problems(problems, as_json, sum(len(files) for _, files in places), "file")


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


def _problems_below(
    path: Path, files: Sequence[Path], audit: Audit, told: list[tuple[str, str]]
) -> Iterator[tuple[Path, str]]:
    """Yield the problems of a file, or of those of a folder, whose layouts are checked together.

    Notes are added to `told`, each with its file.
    """
    layouts = [file for file in files if path != file and file.suffix.lower() == ".txt"]
    by_file = _of_layouts(layouts, path, _kits_of_specs(files)) if layouts else {}
    for file in files:
        lines = by_file.get(file, []) if file in layouts else _problems(file, audit, told)
        yield from ((file, line) for line in lines)


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


def _problems(path: Path, audit: Audit, told: list[tuple[str, str]]) -> list[str]:
    """List the problems, one line each, which begins with the file's name."""
    enter_stage(str(path))
    try:
        match path.suffix.lower():
            case ".json":
                problems, notes = level_findings(path, audit)
                told += [(str(path), one_line(note)) for note in notes]
                return list(map(one_line, problems))
            case ".txt":
                from generator.interiors.pool_rules import check_layout

                check_layout(path, common.kit_in(recognise.kit_folder_of(path)))
            case ".toml":
                return _toml_problems(path, told)
            case ".ldtk" | ".tmj" | ".tmx" | ".world":
                return [one_line(f"{path}: {problem}") for problem in _of_program(path, told)]
            case ".ucpack":
                from exporters.formats.pack.reader import problems as pack_problems

                return [one_line(f"{path}: {problem}") for problem in pack_problems(path)]
        return []
    except UndercroftError as error:
        line = str(error)
    except OSError as error:
        line = f"{path}: cannot be read: {why_not_read(error, path)}"
    return [one_line(line)]


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

    last = last_read_beside(path)
    made = drawn_level(path, last.meanings, last.kit or recognise.kit_folder_of(path) or "", last.theme)
    about = f"{path}: "
    told += [(str(path), one_line(f"{about}{note.removeprefix(about)}")) for note in made.notes]
    return [str(problem) for problem in problems(made.level)]


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
        from exporters.builder.plan import BuildPlan

        manifest = load_manifest(path)
        BuildPlan(manifest)
        return _misfit_themes(manifest)
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


def _misfit_themes(manifest: Manifest) -> list[str]:
    """List the themes of a manifest that cannot draw levels of a kit of their groups, each once."""
    from exporters.theme.loader import load_theme

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


# --- audit -------------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@common.spec_argument
@common.set_option
@runs.seeds_option(required=True)
@click.option(
    "--rules",
    metavar="NAME",
    help="Instead, try the rules of the documents that the styles come from (seeds) that apply to SPEC.",
)
@runs.works_on_many
@common.json_option
def audit_command(
    spec: str, values: tuple[str, ...], seeds: str, rules: str | None, workers: runs.Workers, as_json: bool
) -> None:
    """Run every check on the levels of SPEC, and print the seeds that fail one. None should.

    The exit status is 1 if any does. With --rules, print for each rule how many levels keep it; a broken one
    is marked, with the first seed.
    """
    from generator.batch.audit import BLOCK, audit_block
    from generator.batch.run import blocks_of, count_of

    level_spec = common.spec_with(spec, values)
    seed_range = runs.seeds_of(seeds, level_spec.style)
    number = count_of(seed_range)
    if rules is not None:
        _audit_rules(level_spec, rules, seed_range, workers, as_json)
        return
    tasks = ((level_spec, block) for block in blocks_of(seed_range, BLOCK))
    bad = 0
    for audited in runs.over_blocks(audit_block, tasks, number, workers, "auditing"):
        for seed, problems in audited.problems.items():
            bad += 1
            for problem in problems:
                text = f"seed {seed}: {problem}"
                json_lines.tell(as_json, text, "problem", seed=str(seed), problem=problem)
    text = f"{how_many(number, 'level')}, {bad} with problems"
    json_lines.tell(as_json, text, "done", levels=number, with_problems=bad)
    if bad:
        raise SystemExit(1)


def _why_none(spec: LevelSpec, seeds: range) -> str:
    """Say why the first level of some seeds cannot be made. Empty if another one can."""
    from generator.errors import GenerationFailed
    from generator.pipeline import generate

    why_not = ""
    for seed in seeds:
        try:
            generate(spec, seed)
        except GenerationFailed as error:
            why_not = why_not or str(error)
        else:
            return ""
    return why_not


def _audit_rules(spec: LevelSpec, name: str, seeds: range, workers: runs.Workers, as_json: bool) -> None:
    """Say of each rule that applies to a spec how many of its levels keep it."""
    from generator.batch.audit import BLOCK
    from generator.batch.rules import held_block, merged, rules_of
    from generator.batch.run import blocks_of, count_of

    applying = [rule for rule in rules_of(name) if rule.is_measurable and rule.applies_to(spec)]
    number = count_of(seeds)
    tasks = ((spec, name, block) for block in blocks_of(seeds, BLOCK))
    counts, broken_by = merged(list(runs.over_blocks(held_block, tasks, number, workers, "auditing")))
    if not any(counts.values()) and (why_not := _why_none(spec, seeds)):
        raise UndercroftError(f"no level of these seeds can be made: {why_not}")
    broken = 0
    for rule in applying:
        held = counts[rule.name]
        is_broken = rule.is_broken(held, number)
        broken += is_broken
        text = f"{rule.name}: {held} of {number}"
        if is_broken:
            expected = (
                f"{rule.share[0]:.0%} to {rule.share[1]:.0%} expected"
                if rule.has_share
                else "expected of all"
            )
            seed, why_not = broken_by.get(rule.name, (None, ""))
            first = f"; seed {seed}: {why_not}" if why_not else ""
            text += f": broken, {expected} ({rule.sources[0]}){first}"
        elif rule.departs and not rule.has_share and held < number:
            text += f" (on purpose: {rule.departs})"
        json_lines.tell(
            as_json, text, "rule",
            rule=rule.name, levels=number, held=held, broken=is_broken, sources=list(rule.sources),
        )  # fmt: skip
    text = f"{how_many(number, 'level')}, {how_many(len(applying), 'rule')}, {broken} broken"
    json_lines.tell(as_json, text, "done", levels=number, rules=len(applying), broken=broken)
    if broken:
        raise SystemExit(1)


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
