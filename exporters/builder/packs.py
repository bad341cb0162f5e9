"""The packs of a build: workers make blocks of levels, and this process writes them to a temporary file.

tasks of all packs --in_order--> blocks, pack by pack --> a file, and the theme's files beside it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from exporters.builder.inputs import files_digest
from exporters.builder.pack_sources import PackSource, make_block, tasks, theme_files
from exporters.builder.plan import PlannedPack
from exporters.builder.work import BuiltFile, reason_of
from exporters.edits.digests import digest_of_bytes
from exporters.formats.pack.file import Block, Missing, PackWriter
from exporters.formats.pack.web import NAME, web_reader
from generator.batch.run import in_order
from generator.errors import BadInput, UndercroftError
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.theme.districts import LevelLooks


class BlockTask(NamedTuple):
    """A block to make, and the pack that it is for."""

    pack: int
    source: PackSource
    seeds: Sequence[int | str]
    layouts: str


class MadePack(NamedTuple):
    """A finished pack, the files beside it, and the missing levels, or why it was not made."""

    levels: int
    missing: list[Missing]
    beside: list[BuiltFile]
    error: str = ""


class _UnmadeError(Exception):
    """Why a pack cannot be made."""


def make(task: BlockTask) -> Block | str:
    """Make a block, in a worker, or say why it cannot be made."""
    try:
        block = make_block((task.source, task.seeds))
        if not task.source.file and files_digest(task.source.spec) != task.layouts:
            raise BadInput(f"{task.source.group}: files were changed while it was made; build again")
        return block
    except UndercroftError as error:
        return str(error)
    except Exception as error:  # a bug in our code
        return lost(task, error)


def lost(_: BlockTask, error: Exception) -> str:
    """Return the result of a task whose worker died."""
    return reason_of(error)


def made_packs(
    packs: Sequence[PlannedPack],
    ready: Callable[[], Path],
    on_level: Callable[[], None],
    executor: Executor | None,
    jobs: int,
) -> Iterator[tuple[PlannedPack, Path, MadePack]]:
    """Make each pack, and yield it, its path (from `ready`) and its result. Raises UndercroftError."""
    results = in_order(make, _tasks(packs), executor, jobs, lost)
    for number, blocks in groupby(results, lambda result: result[0].pack):
        path = ready()
        yield packs[number], path, _made(packs[number], path, blocks, on_level)


def _tasks(packs: Sequence[PlannedPack]) -> Iterator[BlockTask]:
    for number, pack in enumerate(packs):
        for part in pack.parts:
            for source, seeds in tasks([part.source]):
                yield BlockTask(number, source, seeds, part.layouts)


def _made(
    pack: PlannedPack,
    path: Path,
    blocks: Iterable[tuple[BlockTask, Block | str]],
    on_level: Callable[[], None],
) -> MadePack:
    missing: list[Missing] = []
    try:
        with PackWriter(path) as writer:
            for task, block in blocks:
                for _ in task.seeds:
                    on_level()
                if isinstance(block, str):
                    raise _UnmadeError(block)
                writer.add(block)
                missing += block.failed
            if not writer.count:
                raise _UnmadeError("none of its levels could be made")
            writer.finish()
        return MadePack(writer.count, missing, _beside(pack, writer.looks))
    except (_UnmadeError, BadInput) as error:  # BadInput: the theme was changed
        return MadePack(0, missing, [], str(error))


def _beside(pack: PlannedPack, looks: Iterable[LevelLooks]) -> list[BuiltFile]:
    bundle = theme_files([part.source for part in pack.parts], looks)
    if pack.web:
        bundle.add(NAME, web_reader())
    return [BuiltFile(name, digest_of_bytes(data), data, once=False) for name, data in bundle.items()]
