"""What a manifest asks for: groups of levels, with everything that is needed to make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from exporters.builder.campaign import PlannedRun
from exporters.builder.inputs import LevelFile
from generator.spec import LevelSpec

if TYPE_CHECKING:
    from generator.level import RerollRow


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
    options: Mapping[str, Mapping[str, object]]  # by format: all its options; a pack has those of `godot`
    path: str  # with placeholders
    run: PlannedRun | None = None  # the campaign's; the stage's place in it is `number`
    rerolls: tuple[RerollRow, ...] = ()  # for the group's only level
    file: LevelFile | None = None  # the finished level, which is loaded instead of generated


class Manifest(NamedTuple):
    """Everything to build, and the files that were read for it."""

    path: Path
    out: Path
    groups: tuple[Group, ...]
    sources: tuple[Path, ...]
