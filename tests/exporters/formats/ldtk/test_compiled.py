"""What projects share is kept from one level to the next, and never reaches a level that it is not for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import exporters
import generator
from exporters.formats.ldtk import write_project as compiled
from exporters.formats.ldtk.definitions import LevelWords, words_of
from exporters.formats.ldtk.kinds import OF_MARKERS
from exporters.theme import Theme
from generator.level import Level, Marker
from tests.exporters import kit_level, own_kinds

Job = tuple[Level, Theme, Mapping[str, object]]


def project(job: Job) -> Mapping[str, bytes]:
    level, theme, options = job
    return dict(exporters.export(level, "ldtk", options, theme, "level"))


def jobs(built_in: Theme, plain: Theme) -> list[Job]:
    """Levels of two kits, of kinds that no kit has, and with properties of other types; two themes."""
    usual = generator.generate("isaac", 7)
    marker = usual.markers[-1]
    odd = Marker(marker.id + 1, "item", marker.x, marker.y, marker.room, None, {"pool": 3, "mass": 1.5})
    levels = [usual, own_kinds.level(), kit_level.level(), replace(usual, markers=(*usual.markers, odd))]
    options: list[Mapping[str, object]] = [{}, {"ldtk.external": True}]
    return [(level, theme, some) for level in levels for theme in (built_in, plain) for some in options]


def test_the_cache_changes_no_byte(built_in: Theme, plain: Theme) -> None:
    """Each project is that of a process which made no other before."""
    alone = []
    for job in jobs(built_in, plain):
        compiled.forget()
        alone.append(project(job))
    many = jobs(built_in, plain)
    assert [project(job) for job in many] == alone
    assert [project(job) for job in reversed(many)] == alone[::-1]
    assert compiled.kept() <= compiled.MAX_KEPT


def test_most_levels_of_a_kit_share_one(built_in: Theme) -> None:
    levels = [generator.generate("rebirth", seed, stage=1 + seed) for seed in range(1, 9)]
    levels += [generator.generate("gungeon", seed) for seed in range(3)]
    assert {words_of(level) for level in levels} == {
        LevelWords(levels[0].kinds, (), (), (), OF_MARKERS, ()),
    }
