"""Levels that were built before, perhaps by another version: `--keep-levels` exports them again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from exporters.builder.inputs import canonical, digest_of
from exporters.builder.plan import Planned
from exporters.builder.work import Saved, saved_level
from exporters.edits.digests import level_as_written
from exporters.exported import LEVEL
from generator.level import Level, RerollRow
from generator.spec import LevelSpec
from generator.spec.read import with_former_defaults


class KeptLevels:
    """Finds levels by spec and seed: in a folder's level.json files, and among those that builds saved."""

    def __init__(self, root: Path, saved: Iterable[Saved] = ()) -> None:
        self._root, self._saved = root, saved

    def of(self, planned: Planned) -> Saved | Path | None:
        """Find where a level is that was built before from the same spec, its files, and the seed."""
        group = planned.group
        if group.file:
            return None
        spec = group.run.spec(group.number, planned.seed) if group.run else group.spec
        for wanted in _identities(spec.sealed(), planned.seed, group.rerolls):
            if kept := self._kept(planned, wanted):
                return kept
        return None

    def _kept(self, planned: Planned, wanted: bytes) -> Saved | Path | None:
        for path in dict.fromkeys(output.path for output in planned.outputs):
            file = self._root / f"{path}{LEVEL}"
            level = level_as_written(file) if file.is_file() else None
            if level and wanted == _identity_of(level):
                return file
        return self._by_identity.get(wanted)

    @cached_property
    def _by_identity(self) -> dict[bytes, Saved]:
        levels = ((saved, saved_level(saved)) for saved in self._saved)
        return {_identity_of(level): saved for saved, level in levels if level}


def _identity_of(level: Level) -> bytes:
    seed = level.seed if level.seed_text is None else level.seed_text
    return _identity(level.spec, seed, level.rerolls) if not level.edited else b""


def _identities(spec: LevelSpec, seed: int | str, rerolls: Sequence[RerollRow]) -> Iterator[bytes]:
    """Yield what names a level, and what did in versions in which values had another default."""
    yield _identity(spec, seed, rerolls)
    fields = dataclasses.fields(spec)
    older = with_former_defaults(spec, {it.name for it in fields if getattr(spec, it.name) == it.default})
    if older is not spec:
        yield _identity(older, seed, rerolls)


def _identity(spec: LevelSpec, seed: int | str, rerolls: Sequence[RerollRow]) -> bytes:
    return digest_of(canonical([spec.saved(), str(seed), [dict(row) for row in rerolls]]))
