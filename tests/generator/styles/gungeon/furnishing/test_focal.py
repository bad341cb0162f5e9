"""Focal points: what a room is about lies on ground of its own, framed, in sight of a door."""

from __future__ import annotations

import numpy as np
import pytest

from generator.geometry import Rect, Side
from generator.interiors.free_tiles import HeldTiles, tile_at_wall
from generator.interiors.interior import FurnishedRoom
from generator.kinds import DECOR_IDS, DECOR_KINDS, FLOOR, WALL
from generator.level import passable, spread_decor
from generator.rng import Stream
from generator.styles.gungeon.furnishing.furnishers import furnish_site
from generator.styles.gungeon.furnishing.site import Opening, Site
from generator.styles.gungeon.spec import GungeonSpec

SPEC = GungeonSpec()
RAISED = [DECOR_IDS[name] for name in ("dais", "carpet")]
SUBJECTS = {"chest": "chest", "shop": "shopkeeper", "start": "player_start"}


def room(kind: str, seed: int, door: str = "open") -> tuple[Site, FurnishedRoom]:
    site = Site(kind, 15, 12, (Opening(Side.SOUTH, ((7, 11), (8, 11)), door),), 3, 50)
    return site, furnish_site(site, SPEC, Stream(seed, "test.focal"))


@pytest.mark.parametrize("kind", SUBJECTS)
def test_what_a_room_is_about_is_raised_and_seen_from_its_door(kind: str) -> None:
    good = 0
    for seed in range(40):
        _, inside = room(kind, seed)
        things = spread_decor(inside.decor, DECOR_KINDS)
        clear = passable(inside.terrain, things, "shoot")
        (subject,) = (marker for marker in inside.markers if marker.kind == SUBJECTS[kind])
        x, y, steps = subject.x, subject.y, 2 * (10 - subject.y)
        along = [(round(7 + (x - 7) * i / steps), round(10 + (y - 10) * i / steps)) for i in range(steps)]
        seen = all(clear[row, column] for column, row in along)
        good += seen and int(things[y, x]) in RAISED
    assert good >= 38


@pytest.mark.parametrize(
    ("door", "framed"), [("locked", True), ("boss", True), ("border", True), ("open", False)]
)
def test_gates_are_framed_close_beside_the_door(door: str, framed: bool) -> None:
    posts = [DECOR_IDS[name] for name in ("pillar", "statue", "brazier")]
    beside = [np.isin(room("start", seed, door)[1].decor[10, [6, 9]], posts).all() for seed in range(20)]
    assert sum(beside) >= 18 if framed else not any(beside)


def test_a_lever_is_at_a_wall_beside_the_way_through_its_door() -> None:
    terrain = np.full((12, 15), WALL, np.uint8)
    terrain[1:-1, 1:-1] = FLOOR
    site, _ = room("start", 0)
    held = HeldTiles(terrain, np.zeros_like(terrain), site.kinds)
    tile = tile_at_wall(Rect(0, 0, 15, 12), held, (), 1, site.openings[0].tiles)
    assert tile in ((6, 10), (9, 10))
