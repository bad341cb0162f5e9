"""A room that is rolled again has the site that it was made on: its doors to other districts, its arrangements."""

from __future__ import annotations

from generator.pipeline import generate
from generator.rerolls.draft import LevelDraft
from generator.styles.gungeon.assemble import sites_of
from generator.styles.gungeon.districts import with_districts
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.rerolls import GungeonRooms
from generator.styles.gungeon.spec import GungeonSpec


def test_sites_are_those_of_the_level() -> None:
    spec, borders = GungeonSpec(rooms=30), 0
    for seed in range(3):
        level = generate(spec, seed=seed)
        rooms = GungeonRooms(LevelDraft(level), spec, "")
        made = sites_of(with_districts(spec, floorplan(spec, seed), seed), spec.load_kit())
        for room, site in zip(level.rooms, made, strict=True):
            again = rooms._site(rooms._on_its_site(room))
            kinds = sorted((way.side.label, way.tiles, way.kind) for way in site.openings)
            assert sorted((way.side.label, way.tiles, way.kind) for way in again.openings) == kinds
            assert again.hand == site.hand
            borders += sum(way.kind == "border" for way in site.openings)
    assert borders
