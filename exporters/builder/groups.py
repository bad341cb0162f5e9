"""What a manifest asks for: groups of levels, with everything that is needed to make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from exporters.builder.inputs import LevelFile, canonical, digest_of, files_digest, spec_key
from generator.errors import BadInput
from generator.level import RerollRow
from generator.named_tuple import NamedTuple
from generator.runs import Run, RunStage
from generator.spec import LevelSpec
from generator.styles.registry import style

if TYPE_CHECKING:
    from generator.batch.search import Query

# --- campaigns ---------------------------------------------------------------------------------------

# A campaign is a run: each stage takes the earlier stages into account, in whatever process it is made. It
# needs their floorplans and layouts. So its level, and its key, depend on all of them, but not on their
# files: workers make what they need again, once per process and campaign.

_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True)
class PlannedRun:
    """The stages of a run, and for each a digest of everything that it and those before it are made from.

    A stage whose seed is None has the seed of the requested level.
    """

    keys: tuple[bytes, ...]
    stages: tuple[RunStage, ...] = field(compare=False)
    layouts: tuple[str, ...] = field(compare=False)  # digests of the stages' own layouts

    def key_before(self, number: int) -> bytes:
        """Compute a key of what level `number` (from 1) needs beside its spec and seed, empty for nothing."""
        stage = self.stages[number - 1]
        if style(stage.spec.style).run_rules is None:
            return b""
        is_last = number == len(self.stages)  # its exit leads out
        return digest_of(
            b"run", self.keys[number - 2] if number > 1 else b"", canonical([stage.own, is_last])
        )

    def spec(self, number: int, seed: int | str) -> LevelSpec:
        """Return the spec of level `number` (from 1) for its seed. Raises BadInput if layouts changed."""
        run = _run(self, seed if None in {stage.seed for stage in self.stages} else None)
        with _ONE_AT_A_TIME:  # workers may be threads, and a run caches what it made
            spec = run.spec(number)
        for stage, layouts in zip(self.stages[:number], self.layouts, strict=False):
            if files_digest(stage.spec) != layouts:
                raise BadInput("files of a stage were changed during the build; build again")
        return spec


def planned_run(stages: Sequence[RunStage]) -> PlannedRun:
    """Plan the run of these stages. Raises SpecError and LayoutError for bad layouts."""
    layouts = tuple(files_digest(stage.spec) for stage in stages)
    keys: list[bytes] = []
    for stage, digest in zip(stages, layouts, strict=True):
        spec = spec_key(stage.spec, digest)
        keys.append(digest_of(keys[-1] if keys else b"", canonical([spec, stage.seed, stage.own])))
    return PlannedRun(tuple(keys), tuple(stages), layouts)


def own_values(values: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    """Return the values that a stage sets in its tables, by dotted key. The run does not overwrite these."""
    return tuple(sorted(item for item in dotted(values).items() if "." in item[0]))


def dotted(values: Mapping[str, Any]) -> dict[str, Any]:
    """Flatten values: those of a table get dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        is_table = isinstance(value, Mapping)
        flat |= {f"{key}.{inner}": leaf for inner, leaf in value.items()} if is_table else {key: value}
    return flat


@lru_cache(maxsize=8)
def _run(planned: PlannedRun, seed: int | str | None) -> Run:
    return Run(stage._replace(seed=seed) if stage.seed is None else stage for stage in planned.stages)


# --- groups ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """Levels that differ only in their seeds. Each stage of a campaign, or finished level, is a group."""

    where: str  # for messages: FILE: group.cellars
    name: str  # the group's or the campaign's
    stage_name: str  # of a campaign's stage or a finished level, or empty
    number: int  # the first level's, from 1
    spec_name: str
    spec: LevelSpec
    seeds: Sequence[int | str]
    theme: Path | None
    formats: tuple[str, ...]  # one file per level; without `pack`
    packed: bool
    web: bool  # whether the reader for browsers lies beside the pack
    options: Mapping[str, Mapping[str, object]]  # by format: all its options; a pack has those of `godot`
    path: str  # with placeholders
    run: PlannedRun | None = None  # the campaign's; the stage's place in it is `number`
    condition: str = ""  # what its levels have to meet. Before the search, `seeds` are all that may
    first: int | None = None  # how many such levels are enough
    rerolls: tuple[RerollRow, ...] = ()  # for the group's only level
    file: LevelFile | None = None  # the finished level, which is loaded instead of generated
    allowed: tuple[str, ...] | None = ()  # rules that new levels of own kits may break, None for all

    def query(self) -> Query:
        """Return what its levels have to be like."""
        from generator.batch.search import Query

        return Query(self.spec, self.condition)


class Manifest(NamedTuple):
    """Everything to build, and the files that were read for it."""

    path: Path
    out: Path
    groups: tuple[Group, ...]
    sources: tuple[Path, ...]
