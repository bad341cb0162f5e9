"""The spec value `body`: a square body of that many tiles gets through levels of every style."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator import GungeonSpec, IsaacSpec, Level, LevelSpec, RebirthSpec, SpecError, generate, load_spec
from generator.checks import problems
from generator.geometry import Point
from generator.interiors.layout_file import parse_layout
from generator.interiors.passage import ONE_TILE, Passage, with_passage, with_way_cut
from generator.kinds import SHIPPED
from generator.rerolls.reroll import reroll
from generator.spec import spec_from_dict

CHECK = "body-gets-everywhere"
LAYOUTS = sorted((Path(__file__).parents[2] / "generator" / "interiors" / "layouts").rglob("*.txt"))


# --- an oracle: a walk tile by tile, without arrays ----------------------------------------------------


class Walk:
    """Where a body of `side` tiles gets to from the player's start; secret doors are open."""

    def __init__(self, level: Level, side: int) -> None:
        self.side = side
        self._free = level.passable("walk").tolist()
        start = next(marker for marker in level.markers if marker.kind == "player_start")
        self.places: set[Point] = set()
        for place in self._round(start.x, start.y):
            if place not in self.places and self._fits(*place):
                found = self._from(place)
                self.places = max(self.places, found, key=len)
        self.covered = {tile for place in self.places for tile in self._square(*place)}

    def _square(self, x: int, y: int) -> Iterator[Point]:
        return ((x + dx, y + dy) for dx in range(self.side) for dy in range(self.side))

    def _round(self, x: int, y: int) -> Iterator[Point]:
        return ((x - dx, y - dy) for dx in range(self.side) for dy in range(self.side))

    def _fits(self, x: int, y: int) -> bool:
        return all(self._free[ty][tx] for tx, ty in self._square(x, y))  # walls lie all round

    def _from(self, start: Point) -> set[Point]:
        found, queue = {start}, deque([start])
        while queue:
            x, y = queue.popleft()
            for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if place not in found and self._fits(*place):
                    found.add(place)
                    queue.append(place)
        return found

    def touches(self, x: int, y: int) -> bool:
        beside = (x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)
        return any(tile in self.covered for tile in beside)


def rooms_shut(level: Level, side: int) -> list[int]:
    """The rooms that have doors, and of which such a body never stands wholly inside the walls."""
    places = Walk(level, side).places
    with_doors = {room for door in level.doors for room in door.rooms}
    shut = []
    for room in level.rooms:
        x, y, width, height = room.bounds.shrunk(1)
        inside = (
            (px, py) for px, py in places if x <= px <= x + width - side and y <= py <= y + height - side
        )
        if room.id in with_doors and next(inside, None) is None:
            shut.append(room.id)
    return shut


def markers_missed(level: Level, side: int) -> list[int]:
    """The markers that it neither covers nor touches, though one should get there."""
    walk = Walk(level, side)
    return [
        marker.id
        for marker in level.markers
        if marker.kind not in SHIPPED.light_markers
        and not (marker.kind == "boss" and marker.properties.get("flies"))
        and not walk.touches(marker.x, marker.y)
    ]


def assert_open(level: Level) -> None:
    side = level.spec.body
    assert rooms_shut(level, side) == [], level.seed
    assert markers_missed(level, side) == [], level.seed
    assert problems(level) == [], level.seed


# --- levels ------------------------------------------------------------------------------------------


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 25),
    st.integers(2, 3),
    st.sampled_from([2, 3, 5]),
    st.integers(0, 100),
)
@example(771199, 1, 2, 2, 0)  # a level of one room, in which the player starts in the smaller part
@settings(max_examples=12)
def test_heaps(seed: int, rooms: int, body: int, hallway_width: int, roughness: int) -> None:
    width = max(body, hallway_width)
    assert_open(generate(GungeonSpec(rooms=rooms, body=body, hallway_width=width, roughness=roughness), seed))


@given(st.integers(0, 2**64 - 1), st.integers(2, 3))
@example(81392887, 3)  # a dead end with one door, and things right behind the body that stands in it
@settings(max_examples=6)
def test_heaps_of_the_smallest_rooms(seed: int, body: int) -> None:
    """Rooms of 7 × 7 tiles, boss rooms of 15 × 15: there is hardly space for more than the body."""
    small = {
        f"{kind}_{side}": (7, 9)
        for kind in ("enemy", "chest", "shop", "start")
        for side in ("width", "height")
    }
    spec = GungeonSpec(boss_width=(15, 17), boss_height=(15, 17), body=body, hallway_width=3, **small)  # type: ignore[arg-type]
    assert_open(generate(spec, seed))


@given(
    st.integers(0, 2**64 - 1), st.integers(1, 12), st.integers(2, 3), st.sampled_from([3, 5]), st.booleans()
)
@settings(max_examples=8)
def test_grids(seed: int, stage: int, body: int, door_width: int, labyrinth: bool) -> None:
    curse = "labyrinth" if labyrinth and stage < 11 else "none"
    assert_open(generate(IsaacSpec(stage=stage, curse=curse, body=body, door_width=door_width), seed))


@given(st.integers(1, 2**32 - 1), st.integers(1, 12), st.integers(2, 3), st.sampled_from([3, 5]))
@settings(max_examples=12)
def test_grids_of_the_remake(seed: int, stage: int, body: int, door_width: int) -> None:
    assert_open(generate(RebirthSpec(stage=stage, body=body, door_width=door_width), seed))


@pytest.mark.soak
@pytest.mark.parametrize("body", [2, 3])
@pytest.mark.parametrize("style", [IsaacSpec, RebirthSpec, GungeonSpec], ids=lambda style: style.style)
def test_thousands_of_levels(style: type[LevelSpec], body: int) -> None:
    width = {"hallway_width" if style is GungeonSpec else "door_width": 3}
    for seed in range(1, 1001):
        stage = {} if style is GungeonSpec else {"stage": 1 + seed % 12}
        assert_open(generate(style(body=body, **width, **stage), seed))


@pytest.mark.parametrize("seed", range(3))
def test_without_the_value_many_levels_shut_a_large_body_out(seed: int) -> None:
    """So the tests above test something; and the check and the oracle agree on which levels those are."""
    found = Counter[bool]()
    for number in range(10 * seed, 10 * seed + 10):
        level = generate(GungeonSpec(), number)
        asked = replace(level, spec=level.spec.replace({"body": 2}))
        is_shut = bool(rooms_shut(level, 2) or markers_missed(level, 2))
        assert is_shut == any(problem.check == CHECK for problem in problems(asked)), number
        found[is_shut] += 1
    assert found[True]


@pytest.mark.parametrize(
    "spec", [GungeonSpec(body=2, rooms=8), IsaacSpec(body=2, door_width=3), RebirthSpec(body=2, door_width=3)]
)
def test_rooms_that_are_rolled_again_keep_the_way_free(spec: LevelSpec) -> None:
    level = generate(spec, 11)
    assert_open(reroll(level, pin=0, what="markers"))
    assert_open(reroll(level, pin=0, times=2))


# --- the value ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"style": "gungeon", "body": 3},
            "hallway_width: 2 cannot be used with body = 3; give 3 to 5, or a smaller body",
        ),
        (
            {"style": "isaac", "body": 2},
            "door_width: 1 cannot be used with body = 2; give 3 to 5, odd, or a smaller body",
        ),
        (
            {"style": "rebirth", "body": 3, "door_width": 1},
            "door_width: 1 cannot be used with body = 3; give 3 to 5, odd, or a smaller body",
        ),
        ({"style": "isaac", "body": 4}, "body: 4 is out of range (1 to 3)"),
        ({"style": "isaac", "body": 1.5}, "body: 1.5 is not of type integer; give a whole number"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line(table: dict[str, object], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        spec_from_dict(table)
    assert str(caught.value) == message


def test_a_level_names_its_body_only_if_it_is_large() -> None:
    """Levels that were saved before there was the value stay the same, byte for byte."""
    assert "body" not in json.dumps(generate("isaac", 7).to_dict()["spec"])
    spec = IsaacSpec(body=2, door_width=3)
    level = generate(spec, 7)
    assert level.to_dict()["spec"]["body"] == 2
    assert spec_from_dict(level.to_dict()["spec"]) == spec
    assert IsaacSpec().to_dict()["body"] == 1


# --- layouts -----------------------------------------------------------------------------------------


def layout_of(*rows: str) -> str:
    return "mirror: none\nmap:\n" + "\n".join(rows) + "\n"


def test_things_in_the_way_are_left_out_and_no_others() -> None:
    drawn = layout_of(
        "o....o.o....o",
        ".............",
        "...o.....o...",
        "...o.....o...",
        "...o.....o...",
        ".............",
        "o...........o",
    )
    layout = parse_layout(drawn, Path("room.txt"))
    assert with_passage(layout, ONE_TILE) is layout
    opened = with_passage(layout, Passage(2, 3))
    assert opened is not None
    left = Counter("".join(opened.rows))["o"]
    assert 0 < left < Counter("".join(layout.rows))["o"]
    assert opened.rows[0][0] == opened.rows[0][-1] == opened.rows[-1][0] == "o"  # out of everybody's way


def test_a_layout_whose_walls_are_too_near_is_refused() -> None:
    drawn = layout_of(
        ".............",
        ".............",
        "######.######",
        ".............",
        "######.######",
        ".............",
        ".............",
    )
    layout = parse_layout(drawn, Path("room.txt"))
    assert with_passage(layout, Passage(2, 3)) is None


@pytest.mark.parametrize(("body", "share"), [(2, 0.55), (3, 0.4)])
def test_a_thing_of_several_tiles_is_left_out_as_a_whole(body: int, share: float) -> None:
    """Whatever is left out, every image of a shipped layout can still be read; many let the body through."""
    passed = changed = 0
    some = LAYOUTS[body::2]
    for path in some:
        layout = parse_layout(path.read_text("utf-8"), path, check=False)
        opened = with_passage(layout, Passage(body, 3))
        if opened is None:
            continue
        passed += 1
        changed += opened is not layout
        for mirror in layout.mirrors:
            assert opened.interior(mirror).markers == layout.interior(mirror).markers
    assert passed > len(some) * share and changed


def test_walls_and_pits_give_way_as_little_as_can_be() -> None:
    """What is cut is floor in a wall and a bridge over a pit, and all else stays as drawn."""
    drawn = layout_of(
        ".............",
        ".............",
        "######.######",
        ".............",
        "~~~~~~.~~~~~~",
        ".............",
        ".............",
    )
    layout = parse_layout(f"doors: N S\n{drawn}", Path("room.txt"))
    cut = with_way_cut(layout, Passage(3, 3))
    changed = Counter(
        old + new
        for before, after in zip(layout.rows, cut.rows, strict=True)
        for old, new in zip(before, after, strict=True)
        if old != new
    )
    assert changed == {"#.": 2, "~=": 2}
    assert with_passage(cut, Passage(3, 3)) is cut


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_every_shipped_layout_can_be_cut(step: int) -> None:
    """A quarter of them, all in the soak run."""
    for path in LAYOUTS[::step]:
        layout = parse_layout(path.read_text("utf-8"), path, check=False)
        cut = with_way_cut(layout, Passage(3, 3))
        assert with_passage(cut, Passage(3, 3)) is cut, path
        for mirror in layout.mirrors:
            assert cut.interior(mirror).markers == layout.interior(mirror).markers, path


@pytest.mark.parametrize(("stage", "seed"), [(2, 3), (8, 4), (11, 2), (12, 3)])
def test_a_pool_without_a_wide_layout_fails_no_seed(stage: int, seed: int) -> None:
    """Of the rooms of 2x2 cells in these stages, hardly one is drawn wide enough for three tiles."""
    assert_open(generate(RebirthSpec(body=3, door_width=3, stage=stage), seed))


def test_the_preset_with_wide_hallways_says_who_fits() -> None:
    spec = load_spec("gungeon")
    assert isinstance(spec, GungeonSpec) and spec.body == spec.hallway_width == 2
    assert load_spec("isaac").body == load_spec("rebirth").body == 1
