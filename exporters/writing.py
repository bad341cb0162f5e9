"""Write a bundle into a folder: open the store, merge its levels, make a plan, commit it unless refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.edits import EDITS
from exporters.edits.changes import EditedFile
from exporters.edits.commit import commit, flush_folders
from exporters.edits.digests import digest_of_file, digest_of_ready
from exporters.edits.former_files import lines_about
from exporters.edits.plan import LISTS, Wanted, WritePlan
from exporters.edits.policy import Planner
from exporters.edits.record import FolderRecord
from exporters.edits.store import HOME, WrittenStore, recorded_below
from exporters.exported import (
    DRAWING,
    LEVEL,
    ExportedWith,
    Formats,
    fingerprint_in,
    is_of_level,
    placed,
    said_in,
    with_exported,
    without_rows,
)
from exporters.registry import exporter, format_names
from generator.errors import BadInput, UndercroftError, shown
from generator.garbage import no_collections
from generator.named_tuple import NamedTuple
from generator.serialise import dumps
from generator.styles.registry import DRAWN

if TYPE_CHECKING:
    from exporters.bundle import Bundle
    from exporters.edits.dry_run import DryRun
    from exporters.merge.taken import Taken
    from exporters.reading.merged import MergedLevel
    from generator.level import Level


class WriteOutcome(NamedTuple):
    """What happened to a bundle's files.

    `paths` have the new contents. Starting points written earlier (`begun`) belong to people and were left
    alone, as were the other files in `stay`. `changes` lists the changed files that had a new version, and
    `same` those of `stay` that had none.
    `notes` come from the bundle and the store. `written` are the files that were not so already, and
    `removed` those that are no longer needed. `conflicts` say why a level could not be merged, and `problems`
    which rules a person's edits break in a merged one.
    """

    paths: list[Path]
    begun: list[Path]
    stay: list[Path]
    changes: list[EditedFile]
    notes: list[str]
    written: list[Path]
    removed: list[Path]
    conflicts: list[str] = []  # noqa: RUF012 - nobody changes it
    problems: list[str] = []  # noqa: RUF012
    same: list[Path] = []  # noqa: RUF012

    def joined(self, other: WriteOutcome) -> WriteOutcome:
        """Combine this outcome with another one for the same folder."""
        return WriteOutcome(
            self.paths + other.paths,
            self.begun + other.begun,
            self.stay + other.stay,
            self.changes + other.changes,
            self.notes + other.notes,
            self.written + other.written,
            self.removed + other.removed,
            self.conflicts + other.conflicts,
            self.problems + other.problems,
            self.same + other.same,
        )

    @property
    def causes(self) -> list[str]:
        """The problems that do not follow from others."""
        if not self.problems:
            return []
        from generator.checks.told import causes  # few merges break a rule

        return causes(self.problems)

    @property
    def refused(self) -> bool:
        """Whether nothing was written, because a person changed a file."""
        return bool(self.conflicts) or any(change.what == "refused" for change in self.changes)

    @property
    def kept(self) -> list[Path]:
        """All files that were left as a person changed them."""
        return self.begun + self.stay


@no_collections()
def write(
    bundle: Bundle,
    folder: Path,
    edits: str | None = "keep",
    *,
    known: Callable[[str, Path], bool] = lambda path, file: False,
    inert: bool = False,
    taken: Mapping[str, Taken] | None = None,
    bases: Mapping[str, bytes] | None = None,
    merged: MergedLevel | None = None,
    persons: Collection[str] = (),
    in_part: bool = False,
    dry_run: DryRun | None = None,
) -> WriteOutcome:
    """Write a bundle below a folder. `Planner` explains `edits` and the other options.

    `merged` is the level whose files the bundle has, if they were read and merged before. The files in
    `persons` will count as a person's: no note is taken of them but for `undo`. With `in_part`, the caller
    writes other files of the levels, too, and says which of them stay as they are. In a `dry_run` nothing is
    written, and the outcome is what it would be. Raises UndercroftError if a file cannot be written, and
    BadInput if a guarded file would change.
    """
    if edits is not None and edits not in EDITS:
        raise BadInput(f"edits: {shown(edits)} is not one of {', '.join(EDITS)}")
    is_blind = edits is None and not persons
    root, below = (folder, "") if is_blind else recorded_below(folder, bundle, dry_run)
    if edits is None and not (root / HOME / "state.db").is_file():
        is_blind = True
    with WrittenStore(root, None) if is_blind else WrittenStore.opened(root, dry_run) as store:
        known_store = WrittenStore(root, None) if edits is None else store
        record_of_folder = FolderRecord(folder, known_store, below)
        merges = [merged] if merged else []
        if edits == "merge" and not merged and taken is None:
            from exporters.reading.level_merge import merged_levels, with_merged

            merges = merged_levels(bundle, record_of_folder)
            conflicts = [line for merge in merges for line in merge.conflicts]
            if conflicts:
                return WriteOutcome([], [], [], [], bundle.notes, [], [], conflicts)
            bundle = with_merged(bundle, merges)
        taken = {**(taken or {}), **{path: item for merge in merges for path, item in merge.taken.items()}}
        bases = {**(bases or {}), **{path: data for merge in merges for path, data in merge.bases.items()}}
        formats = _formats(bundle, record_of_folder)
        outdated = _outdated(bundle, formats, record_of_folder)
        planner = Planner(
            root,
            known_store,
            edits,
            guarded=bundle.guarded,
            known=lambda path, file: (
                known(path.removeprefix(below), file) or any(merge.is_ours(path, file) for merge in merges)
            ),
            inert=inert,
            taken={f"{below}{path}": item for path, item in taken.items()},
            bases={f"{below}{path}": data for path, data in bases.items()},
            asides=[f"{below}{path}" for merge in merges for path in merge.asides],
            lost={f"{below}{merge.name}{LEVEL}": merge.lost for merge in merges},
            formats={f"{below}{stem}": item.formats for stem, item in bundle.exported.items()},
            others={
                f"{below}{stem}{LEVEL}": [f"{below}{path}" for path in _files_of(stem, names, folder)]
                for stem, names in outdated.items()
            },
            levels={
                f"{below}{stem}{LEVEL}": item.fingerprint
                for stem, item in bundle.exported.items()
                if all(merge.name != stem for merge in merges)
            },
        )
        try:
            wanted = (_with_formats(item, formats) for item in bundle.wanted())
            all_wanted = [item._replace(path=f"{below}{item.path}") for item in wanted]
            planner.prepare(all_wanted)
            for item in all_wanted:
                planner.add(item)
        except OSError as error:
            raise UndercroftError(f"{error.filename or folder}: cannot be read: {error.strerror}") from None
        plan = planner.done()
        check_unchanged(merges)
        plan.take_no_note_of({f"{below}{path}" for path in persons})
        if dry_run:
            plan = dry_run.remaining(plan)
        outcome = _outcome(plan, known_store, bundle.notes, folder, below)
        outcome = outcome._replace(
            notes=[
                *outcome.notes,
                *(f"{folder / path.removeprefix(below)}: {LISTS}" for path in plan.listings),
                *_missing(bundle, folder),
                *([] if merged or in_part else _left_behind(outdated, folder, outcome.written)),
                *([] if outcome.refused else _removed(plan, folder, below, bundle.exported)),
            ],
            problems=[line for merge in merges if merge is not merged for line in merge.problems],
        )
        if outcome.refused or dry_run:
            return outcome
        if edits is None:
            flush_folders(commit(plan, store, record=False))
            return outcome

        def note() -> None:
            _note(plan, store)
            for stem in bundle.exported.keys() - _kept(plan, below, bundle):
                says = said_in(folder / f"{stem}{LEVEL}")
                store.note_exported(f"{below}{stem}", formats[stem], says)
            for merge in merges:
                note_merge(store, f"{below}{merge.name}", merge)
                saved = f"{below}{merge.name}{LEVEL}"
                if saved in plan.paths and (digest := digest_of_file(root / saved)):
                    store.note_accepted(f"{below}{merge.name}", digest)
            for stem in bundle.exported.keys() - {merge.name for merge in merges}:
                is_saved = f"{stem}{LEVEL}" in bundle
                _note_level(store, f"{below}{stem}", bundle.exported[stem].level, is_saved=is_saved)

        flush_folders(commit(plan, store, also=note))
        return outcome


def note_merge(store: WrittenStore, stem: str, merge: MergedLevel) -> None:
    """Record what was told of a merge, and its level with and without a person's edits."""
    store.note_told(stem, merge.told or ())
    if merge.level:
        text = merge.bundle.get(f"{merge.name}{LEVEL}")
        _note_level(store, stem, merge.level, is_saved=True, text=text)
        if merge.generated and merge.level.edited:
            given = store.last_given(f"{stem}{LEVEL}") or b""
            is_known = fingerprint_in(given) == merge.generated.fingerprint
            text = given if is_known else None
            _note_level(store, stem, merge.generated, is_saved=False, text=text)


def _note_level(
    store: WrittenStore, stem: str, level: Level, *, is_saved: bool, text: bytes | None = None
) -> None:
    """Record a level that the next merge may need, whose level.json has the `text` if that is known.

    `is_saved`: a generated one has its own level.json, which the record has.
    """
    with suppress(UnicodeEncodeError):  # it has a text that no file can have
        if level.edited:
            store.note_edited(stem, without_rows(text) if text else dumps(level))
        elif not is_saved or level.is_by_hand:
            store.note_base(stem, without_rows(text) if text else dumps(level))


def _kept(plan: WritePlan, below: str, bundle: Bundle) -> set[str]:
    """Return the stems of levels whose files all stay as they are."""
    kept = [change.path.removeprefix(below) for change in plan.changes if change.level]
    return {stem for stem in bundle.exported if any(is_of_level(path, stem) for path in kept)}


def _outdated(bundle: Bundle, formats: Mapping[str, Formats], record: FolderRecord) -> dict[str, list[str]]:
    """Return, by stem, the formats that are not written and whose files show another level."""
    others = {
        stem: sorted(formats[stem].keys() - exported.formats.keys() - {DRAWING})
        for stem, exported in bundle.exported.items()
    }
    return {
        stem: names
        for stem, names in others.items()
        if names and (shown := record.fingerprint(stem)) and not bundle.exported[stem].level.is_named(shown)
    }


def _files_of(stem: str, formats: Iterable[str], folder: Path) -> list[str]:
    """Return a level's files in some formats, by their paths in a folder."""
    suffixes = (suffix for name in formats if name in format_names() for suffix in exporter(name).suffixes)
    return [path for suffix in suffixes if (folder / (path := f"{stem}{suffix}")).is_file()]


def _removed(plan: WritePlan, folder: Path, below: str, stems: Iterable[str]) -> Iterator[str]:
    """Yield a line for each level of which files of the former export are removed."""
    for line in lines_about((path.removeprefix(below) for path in plan.former), stems):
        yield str(folder / line)


def _missing(bundle: Bundle, folder: Path) -> list[str]:
    """Return a line for each of a game's own files that the levels in a bundle use and the game lacks."""
    lines: dict[str, None] = {}
    for item in bundle.exported.values():
        for name, with_ in item.formats.items():
            missing = exporter(name).missing if with_.options and name in format_names() else None
            lines |= dict.fromkeys(missing(with_.options, folder) if missing else ())
    return list(lines)


def _left_behind(outdated: Mapping[str, list[str]], folder: Path, written: Iterable[Path]) -> Iterator[str]:
    """Yield one line for each level that is written, of which files in other formats are outdated."""
    paths = [path.relative_to(folder).as_posix() for path in written] if outdated else []
    for stem, names in outdated.items():
        if any(is_of_level(path, stem) for path in paths):
            what = f"its files for {', '.join(names)} still show the level before"
            yield f"{folder / stem}: {what}; write them too, or give --edits merge"


def check_unchanged(merges: Iterable[MergedLevel]) -> None:
    """Raise UndercroftError if a file that was merged has been saved since it was read, or cannot be read."""
    for merge in merges:
        for path, digest in merge.digests.items():
            try:
                is_same = digest == (digest_of_ready(path) if path.is_file() else None)
            except OSError as error:
                raise UndercroftError(f"{path}: cannot be read: {error.strerror}") from None
            if not is_same:
                raise UndercroftError(f"{path}: was changed during this run; run this again")


def _formats(bundle: Bundle, record: FolderRecord) -> dict[str, dict[str, ExportedWith]]:
    """Return what the files of each level in a bundle were exported with, and its others in the folder."""
    stems = {*bundle.exported, *(path.removesuffix(LEVEL) for path in bundle if path.endswith(LEVEL))}
    formats: dict[str, dict[str, ExportedWith]] = {stem: {} for stem in stems}
    for stem, known in formats.items():
        with suppress(BadInput):  # the level.json that says it is replaced, or stays
            known.update(record.exported(stem))
        if stem in bundle.exported:
            known.update(placed(bundle.exported[stem].formats, record.folder))
            if bundle.exported[stem].level.style != DRAWN:
                known.pop(DRAWING, None)
    return formats


def _with_formats(wanted: Wanted, formats: Mapping[str, Formats]) -> Wanted:
    """Note in a level.json what the level's files are exported with. Any other file stays unchanged."""
    own = formats.get(wanted.path.removesuffix(LEVEL), {}) if wanted.path.endswith(LEVEL) else {}
    data = with_exported(wanted.data, own) if wanted.data and own else wanted.data
    return wanted if data is None or data == wanted.data else wanted.with_data(data)


def _outcome(
    plan: WritePlan, store: WrittenStore, notes: list[str], folder: Path, below: str
) -> WriteOutcome:
    done = ([], [], [], []) if plan.refused else (plan.paths, plan.written, plan.removed, plan.begun)
    kept = plan.begun + plan.stay if plan.refused else plan.stay
    paths, written, removed, begun, stay, same = (
        [folder / path.removeprefix(below) for path in selection] for selection in (*done, kept, plan.same)
    )
    changes = [change.moved_to(folder, below) for change in plan.changes]
    all_notes = [*notes, store.note] if store.note else notes
    return WriteOutcome(paths, begun, stay, changes, all_notes, written, removed, same=same)


def _note(plan: WritePlan, store: WrittenStore) -> None:
    store.claim([*plan.settled, *plan.merged])
    store.prune()
