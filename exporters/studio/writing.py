"""Writes a level's files into a folder of the project, with the promises of the command line."""

from __future__ import annotations

from exporters.edits.other_case import refuse_other_case
from exporters.edits.record import exported_before
from exporters.exported import LEVEL
from exporters.exporting import Before, Given, exported_again
from exporters.registry import exporter, format_names
from exporters.stale_files import stale_files
from exporters.studio.commands import name_of, refuse_odd_name
from exporters.studio.making import made_level, spec_asked
from exporters.studio.project import inside, relative, to_write_in
from exporters.studio.requests import LevelRequest, Reply, WriteRequest, packed
from exporters.studio.watch import stamp_of
from exporters.writing import write as write_bundle
from generator.checks import check_made
from generator.errors import BadInput


def write(request: LevelRequest, files: WriteRequest) -> Reply:
    """Write the files that are asked for, and tell what became of each."""
    folder = to_write_in(files.folder)
    refuse_odd_name(files)
    theme = inside(request.theme, "theme") if request.theme else None
    for format_name in files.formats:
        try:
            exporter(format_name)
        except BadInput as error:
            raise BadInput(f"formats: {error}") from None
    level, name = made_level(request), name_of(request, files)
    check_made(level, spec_asked(request))
    before = Before(folder, name, exported_before(folder, name) if files.edits == "merge" else {})
    formats = files.formats or format_names()
    bundle = exported_again(level, formats, before, Given(theme, files.options))
    refuse_other_case(bundle, folder)
    # What rooms were rolled again is a person's choice, as with `reroll`: `generate` does not write over it.
    rolled = [f"{name}{LEVEL}"] if level.rerolls else []
    outcome = write_bundle(bundle, folder, files.edits, persons=rolled)
    begun = [path.relative_to(folder).as_posix() for path in outcome.begun]
    data = {
        "refused": outcome.refused,
        "files": [path.as_posix() for path in outcome.paths],
        "stamps": {relative(path): stamp_of(path.stat()) for path in outcome.paths if path.exists()},
        "kept": [path.as_posix() for path in outcome.kept],
        "changes": [
            {**change.facts(), "said": _as_on_the_page(change.message())} for change in outcome.changes
        ],
        "misfits": [
            {"file": str(stale.file), "said": f"{stale.file}: {stale.message()}"}
            for stale in stale_files(folder, begun, bundle)
        ],
        "notes": [*map(_as_on_the_page, outcome.conflicts), *outcome.notes, *outcome.causes],
    }
    return Reply(200, packed(data))


def _as_on_the_page(line: str) -> str:
    """Leave out the option's name: the page shows its choices nearby."""
    return line.replace("--edits ", "")
