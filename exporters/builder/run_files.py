"""The files that show all levels of a campaign together, such as a Tiled world, in formats that have one.

They are made when the levels are there: from the saved ones, or from levels made again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from exporters.builder.inputs import canonical, digest_of, files_digest, parts_of, theme_of
from exporters.builder.plan import Output, Planned
from exporters.builder.work import BuiltFile, Made, Task, level_for, reason_of
from exporters.edits.digests import digest_of_bytes
from exporters.registry import exporter
from generator.errors import BadInput, UndercroftError
from generator.named_tuple import NamedTuple
from generator.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable


class RunFile(NamedTuple):
    """What shows the levels of a campaign together in one format. Its name is the campaign's.

    `hindrance` says why there can be none, or is empty.
    """

    output: Output
    stages: tuple[Planned, ...]
    hindrance: str

    def facts(self) -> dict[str, str]:
        """What events say of it. Its name in messages is, for example, `descent, all stages in tiled`."""
        group = self.stages[0].group.name
        return {"group": group, "level": f"{group}, all stages in {self.output.format}"}


class RunTask(NamedTuple):
    """A run file to make, and how to get each of its levels."""

    file: RunFile
    levels: tuple[Task, ...]


def run_files(levels: Iterable[Planned]) -> Iterator[RunFile]:
    """Plan the files of campaigns, from their stages, which remember each other."""
    for name, campaign in groupby(levels, lambda planned: planned.group.name):
        stages = tuple(campaign)
        for form in dict.fromkeys(output.format for stage in stages for output in stage.outputs):
            shown = [(stage, output) for stage in stages for output in stage.outputs if output.format == form]
            of_run, shows_runs = exporter(form).of_run, exporter(form).shows_runs
            if of_run and all(shows_runs(stage.group.options[form]) for stage, _ in shown):
                yield _run_file(name, form, shown)


def _run_file(name: str, form: str, shown: Sequence[tuple[Planned, Output]]) -> RunFile:
    keys = b"".join(output.key for _, output in shown)
    path = str(PurePosixPath(shown[0][1].path).parent / name)
    parts = f"version={VERSION} {parts_of({'stages': keys})}"
    output = Output(form, path, digest_of(canonical(["run", form, path]), keys), b"", parts=parts)
    return RunFile(output, tuple(stage for stage, _ in shown), _hindrance(shown))


def _hindrance(shown: Sequence[tuple[Planned, Output]]) -> str:
    """Say what some stages do not share and one file of all would need."""
    groups = [stage.group for stage, _ in shown]
    shared: dict[str, set[object]] = {
        "folder": {PurePosixPath(output.path).parent for _, output in shown},
        "theme": {group.theme for group in groups},
        "kit": {group.spec.digests().get("kit", "") for group in groups},
        "options": {output.recipe for _, output in shown},
    }
    differs = next((name for name, values in shared.items() if len(values) > 1), "")
    return f"no file shows them together; for one, give them the same {differs}" if differs else ""


def make_run(task: RunTask) -> Made:
    """Make a run file. Every error is returned."""
    try:
        return _made(task)
    except UndercroftError as error:
        return Made({}, error=str(error))
    except Exception as error:  # a bug in our code
        return lost(task, error)


def lost(_: RunTask, error: Exception) -> Made:
    """Return the result of a task whose worker failed."""
    return Made({}, error=reason_of(error))


def _made(task: RunTask) -> Made:
    from exporters.exporting import Given, export_run

    output, first = task.file.output, task.file.stages[0]
    place = PurePosixPath(output.path)
    stems = [
        PurePosixPath(each.path).name
        for stage in task.file.stages
        for each in stage.outputs
        if each.format == output.format
    ]
    levels = dict(zip(stems, (level_for(each)[0] for each in task.levels), strict=True))
    options = {f"{output.format}.{key}": value for key, value in first.group.options[output.format].items()}
    given = Given(theme_of(first.group.theme, first.theme), options)
    (bundle,) = export_run(place.name, levels, [output.format], given)
    files = [
        BuiltFile(str(place.parent / name), digest_of_bytes(data), data, once=False)
        for name, data in bundle.items()
    ]
    for stage in task.file.stages:
        if files_digest(stage.group.spec) != stage.layouts:
            raise BadInput(f"{stage.group.where}: files were changed during the build; build again")
    return Made({output: files}, notes=tuple(bundle.notes))
