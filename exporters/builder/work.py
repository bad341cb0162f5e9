"""The work on one level, for any process that can read the manifest's files: make or load it, and export it.

It writes nothing. If the folder of saved levels cannot be read, the same levels are made again.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from exporters.base import Job
from exporters.builder.inputs import files_digest, theme_of
from exporters.builder.plan import Output, Planned
from exporters.edits.digests import digest_of_bytes, level_as_written
from exporters.exported import LEVEL, formats_in_text, is_of_level, with_exported
from exporters.registry import exporter
from generator.batch.many_seeds import level_in_turn
from generator.batch.run import is_of_killed_worker
from generator.checks import check_made
from generator.errors import BadInput, UndercroftError
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.base import Job
    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.theme import Theme
    from generator.level import Level

_MAX_BYTES = 1 << 28  # limit for a saved level, unpacked


class Saved(NamedTuple):
    """A level that was made before: the path of its file, and the digest that the file must have."""

    path: Path
    digest: bytes


class Task(NamedTuple):
    """A level, the outputs to make, and why. `with_shared`: those that also return the theme's files.

    `saved` is the level that this version made before, `kept` one that stays whichever version made it.
    """

    planned: Planned
    saved: Saved | None = None
    with_shared: frozenset[Output] = frozenset()
    why: str = ""
    kept: Saved | Path | None = None


class BuiltFile(NamedTuple):
    """A file of an output. `data` is None for a shared file that another task returns."""

    path: str
    digest: bytes
    data: bytes | None
    once: bool


class Made(NamedTuple):
    """The result of a task: files by output, and the level to save if that is new, or an error.

    `fingerprint` is that of the level. `notes` are lines to show to the user.
    """

    files: dict[Output, list[BuiltFile]]
    level: bytes | None = None
    generated: bool = False
    error: str = ""
    fingerprint: str = ""
    notes: tuple[str, ...] = ()


def make(task: Task) -> Made:
    """Do a task. Every error is returned, so that one level cannot stop the others."""
    try:
        return _make(task)
    except UndercroftError as error:
        return Made({}, error=str(error))
    except Exception as error:  # a bug in our code, or in another package's exporter
        return lost(task, error)


def lost(task: Task, error: Exception) -> Made:
    """Return the result of a task whose worker failed."""
    return Made({}, error=reason_of(error))


def reason_of(error: Exception) -> str:
    """Say in one line why there is no result."""
    if is_of_killed_worker(error):
        return "the process that worked on it was killed, perhaps because memory ran out; give fewer --jobs"
    message = str(error).splitlines()[0] if str(error) else "no reason given"
    return f"{type(error).__name__}: {message}"


def level_of(task: Task, result: Made) -> Level:
    """Return the level of a task that is done."""
    if result.level is not None:
        return _unpacked(result.level)
    level = _known_level(task)
    return _generated(task) if level is None else level


def _known_level(task: Task) -> Level | None:
    file = task.planned.group.file
    return file.load() if file else saved_level(task.saved) if task.saved else None


def _make(task: Task) -> Made:
    level, is_new, generated = level_for(task)
    fresh = pack(level) if is_new else None
    files = {output: list(files) for output, files in _exported(task, level)}
    return Made(files, fresh, generated=generated, fingerprint=level.fingerprint)


def level_for(task: Task) -> tuple[Level, bool, bool]:
    """Return the level of a task, whether it was not saved before, and whether it was generated.

    Raises UndercroftError if it cannot be made.
    """
    if known := _known_level(task):
        return known, False, False
    kept = _kept_level(task)
    return kept or _generated(task), True, kept is None


def _kept_level(task: Task) -> Level | None:
    if task.kept is None:
        return None
    level = saved_level(task.kept) if isinstance(task.kept, Saved) else level_as_written(task.kept)
    spec = task.planned.group.spec
    if level is None or not spec.kit:
        return level
    newer = dataclasses.replace(level, kinds=spec.load_kit().kinds)  # as in new levels, which share its theme
    return newer if newer == level else level


def _generated(task: Task) -> Level:
    group, seed = task.planned.group, task.planned.seed
    spec = group.run.spec(group.number, seed) if group.run else group.spec
    level = level_in_turn(spec, seed, group.rerolls)
    if group.allowed is not None:
        check_made(level, spec, group.allowed)
    if files_digest(group.spec) != task.planned.layouts:
        raise BadInput(f"{group.where}: files were changed during the build; build again")
    return level


def pack(level: Level) -> bytes:
    """Pack a level for saving."""
    return gzip.compress(level.text, 1, mtime=0)


def saved_level(saved: Saved) -> Level | None:
    """Return the saved level, if it is still there and unchanged."""
    try:
        packed = saved.path.read_bytes()
        return _unpacked(packed) if digest_of_bytes(packed) == saved.digest else None
    except (OSError, ValueError, zlib.error, UndercroftError):
        return None


def _unpacked(packed: bytes) -> Level:
    from generator.level_file import level_from_dict

    unpacker = zlib.decompressobj(wbits=31)
    return level_from_dict(json.loads(unpacker.decompress(packed, _MAX_BYTES)))


def exported_in(task: Task, level: Level) -> Bundle:
    """Export another level like that of a task, in all its outputs, which are in one folder."""
    from exporters.bundle import Bundle

    bundle = Bundle()
    stem = ""
    for output, _, files in _bundles(task, level):
        bundle.update(files)
        stem = PurePosixPath(output.path).name
    if level.is_by_hand:
        bundle.mark_edited(stem)
    return bundle


def _exported(task: Task, level: Level) -> Iterator[tuple[Output, Iterator[BuiltFile]]]:
    for output, job, bundle in _bundles(task, level):
        yield output, _files(job, output, bundle, output in task.with_shared)


def _bundles(task: Task, level: Level) -> Iterator[tuple[Output, Job, Bundle]]:
    """Yield the files of each output, as they are called in its folder."""
    from exporters.base import Job
    from exporters.dress import dressed
    from exporters.exporting import files_of

    group = task.planned.group

    @cache
    def look() -> tuple[Theme, Layers]:
        return dressed(level, theme_of(group.theme, task.planned.theme))

    for output in task.planned.outputs:
        form = exporter(output.format)
        stem = PurePosixPath(output.path).name
        if form.themed and look()[0].bears(stem):
            raise BadInput(f"{group.where}.path: {stem} is also the name of the theme's files; give another")
        job = Job(level, stem, group.options[output.format], look)
        bundle, saved = files_of(form, job), f"{stem}{LEVEL}"
        if output.format == "json":
            bundle.put(saved, with_exported(bundle[saved], formats_in_text(output.exported)))
        yield output, job, bundle


def _files(job: Job, output: Output, bundle: Bundle, with_shared: bool) -> Iterator[BuiltFile]:
    """Yield the files of a bundle. Shared ones have bytes only if `with_shared`."""
    folder = PurePosixPath(output.path).parent
    for name, data in bundle.items():
        brought = data if with_shared or is_of_level(name, job.name) else None
        yield BuiltFile(str(folder / name), digest_of_bytes(data), brought, bundle.is_begun(name))
