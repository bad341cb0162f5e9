"""The work on a block of levels, for any process: generate, dress, and turn their scenes into rows."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exporters.builder.inputs import LevelFile, theme_of
from exporters.formats.pack import MAX_BLOCK_BYTES
from exporters.formats.pack.file import Block, Missing, PackEntry, pack_facts
from exporters.formats.pack.variant import encode
from generator.errors import GenerationFailed, LevelError, RerollError, UndercroftError

if TYPE_CHECKING:
    from exporters.builder.campaign import PlannedRun
    from exporters.formats.godot.syntax.document import Sections
    from generator.level import Level, RerollRow
    from generator.spec import LevelSpec


class PackSource(NamedTuple):
    """Levels that differ only in their seeds. `options` are those of the format `godot`."""

    group: str
    name: str  # that of the campaign's stage or of the finished level, or empty
    spec: LevelSpec
    seeds: Sequence[int | str]
    theme: Path | None
    theme_digest: bytes
    options: Mapping[str, object]
    run: PlannedRun | None = None  # the campaign that the levels belong to
    place: int = 1
    rerolls: tuple[RerollRow, ...] = ()  # of its one level
    file: LevelFile | None = None  # its one level, finished


def make_block(task: tuple[PackSource, Sequence[int | str]]) -> Block:
    """Make the levels of some seeds, in a worker. A level that cannot be made is left out."""
    from exporters.formats.pack.rows import Rows, TooLargeError
    from generator.pipeline import generate

    source, seeds = task
    rows, scenes, entries, failed = Rows(), [], [], []
    for seed in seeds:
        label = f"{source.group}, {source.name or f'seed {seed}'}"
        try:
            if source.file:
                level = source.file.load()
            else:
                spec = source.run.spec(source.place, seed) if source.run else source.spec
                level = generate(spec, seed, rerolls=source.rerolls)
        except (GenerationFailed, LevelError, RerollError) as error:  # the last two: of its rerolls or file
            failed.append(Missing(label, str(error)))
            continue
        try:
            scenes.append(rows.scene(_document(level, source)))
        except TooLargeError:
            tiles = level.width * level.height
            failed.append(Missing(label, f"level too large for a pack ({tiles} tiles)"))
            continue
        except TypeError as error:
            raise UndercroftError(f"{label}: cannot be packed: {error}") from None
        facts = pack_facts(level, source.group, source.name)
        entries.append(PackEntry(level.seed, bytes.fromhex(level.fingerprint), facts))
    raw = encode(
        {**rows.tables(), "rows": [stream for stream, _ in scenes], "cells": [stream for _, stream in scenes]}
    )
    if len(raw) > MAX_BLOCK_BYTES:
        raise UndercroftError(
            f"{source.group}: a block of its levels takes {len(raw)} bytes, which is too large"
        )
    return Block(zlib.compress(raw, 9), len(raw), entries, failed)


def _document(level: Level, source: PackSource) -> Sections:
    from exporters.base import Job
    from exporters.dress import dressed
    from exporters.formats.godot.setting import setting_of
    from exporters.formats.godot.syntax.document import Sections
    from exporters.formats.godot.write_scene import whole_scene

    look = dressed(level, theme_of(source.theme, source.theme_digest))
    setting = setting_of(Job(level, f"{level.style}-{level.seed}", source.options, lambda: look))
    document = Sections("gd_scene", setting.dialect)
    whole_scene(setting, document)
    return document
