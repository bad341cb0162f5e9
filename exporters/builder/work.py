"""The work on one level, for any process that sees the manifest's files: make it, or read it, and export it.

It writes nothing. Where the folder of saved levels cannot be seen, levels are made anew: the same ones.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from exporters.builder.inputs import files_digest, theme_of
from exporters.builder.plan import Output, Planned
from exporters.edits.digests import digest_of_bytes
from generator.errors import BadInput, UndercroftError

if TYPE_CHECKING:
    from exporters.base import Job
    from exporters.bundle import Bundle
    from exporters.dress import Layers
    from exporters.theme import Theme
    from generator.level import Level

_MOST_BYTES = 1 << 28  # of a saved level, unpacked


class Saved(NamedTuple):
    """A level that was made before: where it lies, and what its file's digest must be."""

    path: Path
    digest: bytes


class Task(NamedTuple):
    """A level and its outputs that are to be made. `bears`: those whose theme's files are wanted too."""

    planned: Planned
    saved: Saved | None = None
    bears: frozenset[Output] = frozenset()


class BuiltFile(NamedTuple):
    """A file of an output; without `data` if somebody else has it already, by this digest."""

    path: str
    digest: bytes
    data: bytes | None
    once: bool


class Made(NamedTuple):
    """What became of a task: files by output, and the level to be saved if it was made anew; or why not."""

    files: dict[Output, list[BuiltFile]]
    level: bytes | None = None
    generated: bool = False
    error: str = ""


def make(task: Task) -> Made:
    """Do a task. Whatever goes wrong is handed back: one level must not stop the others."""
    try:
        return _make(task)
    except UndercroftError as error:
        return Made({}, error=str(error))
    except Exception as error:  # a slip of ours, or of an exporter of others
        return lost(task, error)


def lost(task: Task, error: Exception) -> Made:
    """What becomes of a task that its worker did not come back from."""
    return Made({}, error=reason_of(error))


def reason_of(error: Exception) -> str:
    """Why there is no result, in a line."""
    if isinstance(error, BrokenExecutor):
        return "the process that worked on it was killed, perhaps for want of memory"
    said = str(error).splitlines()[0] if str(error) else "no reason given"
    return f"{type(error).__name__}: {said}"


def _make(task: Task) -> Made:
    level = _saved_level(task.saved) if task.saved else None
    fresh = None
    if level is None:
        level = _generated(task)
        fresh = pack(level)
    files = {output: list(files) for output, files in _exported(task, level)}
    return Made(files, fresh, generated=fresh is not None)


def _generated(task: Task) -> Level:
    from generator.pipeline import generate

    group, seed = task.planned.group, task.planned.seed
    level = generate(group.run.spec(group.number, seed) if group.run else group.spec, seed)
    if files_digest(group.spec) != task.planned.layouts:
        raise BadInput(f"{group.where}: files were changed while they were built from; build again")
    return level


def pack(level: Level) -> bytes:
    """A level as it is saved."""
    from generator.serialise import dumps

    return gzip.compress(dumps(level), 1, mtime=0)


def _saved_level(saved: Saved) -> Level | None:
    """The level that was saved, if it is still there and the same."""
    from generator.level_file import level_from_dict

    try:
        packed = saved.path.read_bytes()
        if digest_of_bytes(packed) != saved.digest:
            return None
        unpacker = zlib.decompressobj(wbits=31)
        return level_from_dict(json.loads(unpacker.decompress(packed, _MOST_BYTES)))
    except (OSError, ValueError, zlib.error, UndercroftError):
        return None


def _exported(task: Task, level: Level) -> Iterator[tuple[Output, Iterator[BuiltFile]]]:
    from exporters.base import Job
    from exporters.dress import dressed
    from exporters.registry import exporter

    group = task.planned.group

    @cache
    def look() -> tuple[Theme, Layers]:
        return dressed(level, theme_of(group.theme, task.planned.theme))

    for output in task.planned.outputs:
        form = exporter(output.format)
        stem = PurePosixPath(output.path).name
        if form.themed and look()[0].bears(stem):
            raise BadInput(f"{group.where}: path: {stem} is the theme's name, which its own files bear")
        job = Job(level, stem, group.options[output.format], look)
        yield output, _files(job, output, form.export(job), output in task.bears)


def _files(job: Job, output: Output, bundle: Bundle, bears: bool) -> Iterator[BuiltFile]:
    """The files below the folder that is built; shared ones without their bytes, unless they are borne."""
    folder = PurePosixPath(output.path).parent
    for name, data in bundle.items():
        brought = data if bears or is_own(name, job.name) else None
        yield BuiltFile(str(folder / name), digest_of_bytes(data), brought, bundle.is_begun(name))


def is_own(name: str, stem: str) -> bool:
    """Whether a file is named after its level; others are the theme's, which levels share."""
    return name.startswith((f"{stem}.", f"{stem}_", f"{stem}/"))
