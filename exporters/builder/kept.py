"""Levels that were built before, perhaps by another version: `--keep-levels` exports them again."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from exporters.builder.inputs import canonical, digest_of
from exporters.builder.plan import Planned
from exporters.builder.work import Saved, saved_level
from exporters.edits.digests import level_as_written
from exporters.exported import LEVEL
from generator.kinds import Kinds, late_rows, without_signs
from generator.kinds.kit_files import is_former_digest
from generator.level import Level, RerollRow
from generator.spec import LevelSpec
from generator.spec.read import with_former_defaults

_DOUBT = (
    "stays, like all levels of the group, even if the rules or layouts of its kit have changed since it was "
    "built: the digests of that version cannot be compared; build without --keep-levels to make it anew"
)


class KeptLevels:
    """Finds levels by spec and seed: in a folder's level.json files, and among those that builds saved."""

    def __init__(self, root: Path, saved: Iterable[Saved] = ()) -> None:
        self._root, self._saved = root, saved
        self._doubtful: dict[str, str] = {}  # by group, its first level whose kit cannot be compared

    def of(self, planned: Planned) -> Saved | Path | None:
        """Find where a level is that was built before from the same spec, its files, and the seed."""
        group = planned.group
        if group.file:
            return None
        spec = group.run.spec(group.number, planned.seed) if group.run else group.spec
        for wanted in _identities(spec.sealed(), planned.seed, group.rerolls):
            if kept := self._kept(planned, wanted):
                return kept
        former = _rows_of(spec.load_kit().kinds) if spec.kit else None
        for wanted in _identities(spec.sealed(), planned.seed, group.rerolls, former) if former else ():
            if kept := self._kept(planned, wanted):
                self._doubtful.setdefault(group.name, planned.label)
                return kept
        return None

    def doubts(self) -> Iterator[dict[str, object]]:
        """Yield the facts of a note on each group with levels that may have been made with another kit."""
        for group, label in self._doubtful.items():
            yield {"group": group, "level": label, "said": _DOUBT}

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
    former = _rows_of(level.kinds) if is_former_digest(level.spec.kit) else None
    return _identity(level.spec, seed, level.rerolls, former) if not level.edited else b""


def _rows_of(kinds: Kinds) -> Mapping[str, object]:
    """Return the rows of a kit that are in its levels, without those that shipped kits did not have once."""
    former = {
        table: {name: row for name, row in rows.items() if name not in late_rows(table)}
        for table, rows in kinds.tables.items()
        if table in ("decor", "room")
    }
    return without_signs({**kinds.tables, **former})


def _identities(
    spec: LevelSpec,
    seed: int | str,
    rerolls: Sequence[RerollRow],
    former: Mapping[str, object] | None = None,
) -> Iterator[bytes]:
    """Yield what names a level, and what did in versions in which values had another default."""
    yield _identity(spec, seed, rerolls, former)
    fields = dataclasses.fields(spec)
    older = with_former_defaults(spec, {it.name for it in fields if getattr(spec, it.name) == it.default})
    if older is not spec:
        yield _identity(older, seed, rerolls, former)


def _identity(
    spec: LevelSpec, seed: int | str, rerolls: Sequence[RerollRow], former: Mapping[str, object] | None
) -> bytes:
    """Return a digest of what a level is made from. `former` stands for a kit's digest of an earlier form."""
    made_from = {**spec.counted(), **({"kit": former} if former else {})}
    return digest_of(canonical([made_from, str(seed), [dict(row) for row in rerolls]]))
