"""The files that show all levels of a campaign together, such as a Tiled world, in formats that have one.

They are made when the levels are there: from the saved ones, or from levels made again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from exporters.builder.inputs import canonical, digest_of, files_digest, parts_of, theme_of
from exporters.builder.plan import Output, Planned
from exporters.builder.work import BuiltFile, Made, Task, level_for, reason_of
from exporters.edits.digests import digest_of_bytes
from exporters.registry import exporter
from generator.errors import BadInput, UndercroftError
from generator.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable


class RunFile(NamedTuple):
    """What shows the levels of a campaign together in one format. Its name is the campaign's."""

    output: Output
    stages: tuple[Planned, ...]

    @property
    def label(self) -> str:
        """Its name in messages, for example `descent, all stages in tiled`."""
        return f"{self.stages[0].group.name}, all stages in {self.output.format}"


class RunTask(NamedTuple):
    """A run file to make, and how to get each of its levels."""

    file: RunFile
    levels: tuple[Task, ...]


def run_files(levels: Iterable[Planned]) -> Iterator[RunFile]:
    """Plan the files of all campaigns whose stages remember each other.

    A format has one if all stages with it have the same options, theme and kit, in one folder.
    """
    in_runs = (planned for planned in levels if planned.group.run)
    for name, campaign in groupby(in_runs, lambda planned: planned.group.name):
        stages = tuple(campaign)
        for form in dict.fromkeys(output.format for stage in stages for output in stage.outputs):
            if exporter(form).of_run:
                yield from _in_format(name, form, stages)


def _in_format(name: str, form: str, stages: Sequence[Planned]) -> Iterator[RunFile]:
    shown = [(stage, output) for stage in stages for output in stage.outputs if output.format == form]
    folders = {PurePosixPath(output.path).parent for _, output in shown}
    kits = {stage.group.spec.digests().get("kit", "") for stage, _ in shown}
    if len(folders) > 1 or len(kits) > 1 or len({output.recipe for _, output in shown}) > 1:
        return
    keys = b"".join(output.key for _, output in shown)
    path = str(folders.pop() / name)
    parts = f"version={VERSION} {parts_of({'stages': keys})}"
    output = Output(form, path, digest_of(canonical(["run", form, path]), keys), b"", parts=parts)
    yield RunFile(output, tuple(stage for stage, _ in shown))


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
    files = [
        BuiltFile(str(place.parent / name), digest_of_bytes(data), data, once=False)
        for bundle in export_run(place.name, levels, [output.format], given)
        for name, data in bundle.items()
    ]
    for stage in task.file.stages:
        if files_digest(stage.group.spec) != stage.layouts:
            raise BadInput(f"{stage.group.where}: files were changed during the build; build again")
    return Made({output: files})
