"""Drawing layouts in the `rebirth` style: weights that fall, doors that are needed, rooms that are gone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from generator import RebirthSpec, SpecError
from generator.geometry import Side
from generator.interiors.interior import inside_tiles
from generator.interiors.layout_file import parse_layout
from generator.interiors.layouts import Layout
from generator.interiors.pools import Choice, Form, special_choices
from generator.interiors.team_layouts import OwnLayouts
from generator.kinds.chapters import Chapter
from generator.shapes import SHAPES, Slot
from generator.styles.grid.floorplan import Floorplan, PlannedRoom
from generator.styles.grid.pools import LevelPools
from generator.styles.rebirth.dealing import choose_layouts

NOWHERE = Chapter("cellar")
ROWS = "\n".join(["." * 9] * 9)  # a size for which nothing is shipped
WIDE = "\n".join(["." * 20] * 9)


def layout(name: str, header: str = "", rows: str = ROWS) -> Layout:
    return parse_layout(f"{header}\nmap:\n{rows}\n", Path(f"{name}.txt"))


def plan(number: int, shape: str = "1x1") -> Floorplan:
    """Rooms in a row that do not touch."""
    cells = SHAPES[shape].cells
    rooms = [
        PlannedRoom("normal", shape, tuple((x + 3 * i, y) for x, y in cells), 0, 0) for i in range(number)
    ]
    return Floorplan(tuple(rooms), {}, {"curse": "none"})


def bare(shape: str) -> Layout:
    inside = inside_tiles(SHAPES[shape].cells, (11, 11))
    return layout(
        shape, f"shape: {shape}", "\n".join("".join(".#"[not tile] for tile in row) for row in inside)
    )


def pools_of(*layouts: Layout) -> LevelPools:
    """A pool of these layouts, and of a bare room of each other shape."""
    others = [bare(shape) for shape in SHAPES if shape not in {each.shape.name for each in layouts}]
    return LevelPools(NOWHERE, (11, 11), OwnLayouts({"normal/any/easy": (*layouts, *others)}, "x"))


def drawn(
    pools: LevelPools, plan: Floorplan, seed: int, doors: frozenset[Slot] = frozenset()
) -> list[Choice]:
    return choose_layouts(
        RebirthSpec(large_bosses=0, closets=0), plan, pools, [doors] * len(plan.rooms), seed
    )


def names(choices: list[Choice]) -> str:
    return "".join(choice.layout.name for choice in choices)


def shares_hold(found: Counter[str], shares: dict[str, float]) -> None:
    number = found.total()
    for name, share in shares.items():
        assert found[name] / number == pytest.approx(share, abs=4 * (share * (1 - share) / number) ** 0.5), (
            name
        )


def test_weights_that_fell_on_earlier_floors_stay_low_where_the_game_decides() -> None:
    """A layout that the run has shown once weighs a tenth; by the wiki's reading it waits for all others."""
    pools, memory = pools_of(layout("a"), layout("b")), {"place": 2, "layouts": ["own/normal/any/easy/a"]}
    for reading, share in (("game", 1 / 11), ("wiki", 0.0)):
        spec = RebirthSpec(large_bosses=0, closets=0, reading=reading).replace({"memory": memory})
        found = Counter(
            names(choose_layouts(spec, plan(1), pools, [frozenset()], seed)) for seed in range(1500)
        )
        assert found["a"] / 1500 == pytest.approx(share, abs=0.03 * (share > 0))


def test_a_used_layouts_weight_falls_to_a_tenth() -> None:
    """Of A and B alike, the second room has the first one's layout 1 time in 11; then both weigh the same."""
    pools = pools_of(layout("a"), layout("b"))
    found = Counter(names(drawn(pools, plan(3), seed)) for seed in range(4000))
    shares_hold(found, {"aba": 1 / 2 * 10 / 11 / 2, "bab": 1 / 2 * 10 / 11 / 2, "aaa": 1 / 2 / 11 / 101})
    assert found["aab"] + found["bba"] == pytest.approx(4000 / 11, abs=4 * (4000 / 11) ** 0.5)


def test_weights_decide() -> None:
    pools = pools_of(layout("a", "weight: 1"), layout("b", "weight: 4"))
    found = Counter(names(drawn(pools, plan(1), seed)) for seed in range(3000))
    shares_hold(found, {"a": 1 / 5})


def test_a_layout_has_the_doors_that_its_room_needs() -> None:
    """In the image that has them; its name in the level tells which."""
    west, north = SHAPES["1x1"].slots["W"], SHAPES["1x1"].slots["N"]
    corner = pools_of(layout("c", "doors: E S"))
    for seed in range(20):
        (choice,) = drawn(corner, plan(1), seed, frozenset({west, north}))
        assert choice.mirrors == ("hv",)
        (choice,) = drawn(corner, plan(1), seed, frozenset({west}))
        assert set(choice.mirrors) <= {"h", "hv"}
    with pytest.raises(
        SpecError, match=r"layouts: no layout for normal rooms of .* of shape 1x1 has the doors W E; draw"
    ):
        drawn(corner, plan(1), 1, frozenset({west, ((0, 0), Side.EAST)}))


def test_the_doors_needed_and_no_others_are_preferred() -> None:
    """A third of the weight times 9.99 is more than any number below 1; a 30th is drawn so a third of the time."""
    needed = frozenset({SHAPES["1x1"].slots["W"]})
    exact = "doors: W\nmirror: none"
    pools = pools_of(layout("a", "weight: 20"), layout("b", f"weight: 10\n{exact}"))
    assert {names(drawn(pools, plan(1), seed, needed)) for seed in range(300)} == {"b"}
    pools = pools_of(layout("a", "weight: 29"), layout("b", exact))
    found = Counter(names(drawn(pools, plan(1), seed, needed)) for seed in range(4000))
    shares_hold(found, {"b": 0.333 + 0.667 / 30})


def test_a_large_rooms_layout_is_gone_95_times_in_100() -> None:
    """So it comes again in 1 of 20 cases at a tenth of its weight, 1 time in 220, and never is there none."""
    large = pools_of(*(layout(name, "shape: 2x1", WIDE) for name in "ab"))
    found = Counter(names(drawn(large, plan(2, "2x1"), seed)) for seed in range(8000))
    same = found["aa"] + found["bb"]
    assert same == pytest.approx(8000 * 0.05 / 11, abs=4 * (8000 * 0.05 / 11) ** 0.5) and same
    assert len(drawn(large, plan(9, "2x1"), 1)) == 9


def test_no_enemy_fits() -> None:
    with pytest.raises(
        SpecError, match="room_size: there are no layouts for shop rooms of shape IH, 11 x 11 tiles"
    ):
        special_choices("shop", (11, 11), form=Form("IH", frozenset()))


def test_a_shape_without_layouts_is_refused_whether_the_level_has_it_or_not() -> None:
    pools = LevelPools(NOWHERE, (11, 11), OwnLayouts({"normal/any/easy": (layout("a"), bare("IH"))}, "x"))
    with pytest.raises(SpecError, match=r"no layouts for normal rooms of .* of shape IV, 11 x 11 tiles"):
        choose_layouts(RebirthSpec(), plan(1), pools, [frozenset()], 1)
    every = tuple(bare(shape) for shape in SHAPES)
    pools = LevelPools(NOWHERE, (11, 11), OwnLayouts({"normal/any/easy": every}, "x"))
    with pytest.raises(SpecError, match=r"no layouts for boss rooms of shape 2x1, 22 x 11 tiles"):
        choose_layouts(RebirthSpec(), plan(1), pools, [frozenset()], 1)
    assert choose_layouts(RebirthSpec(large_bosses=0, closets=0), plan(1), pools, [frozenset()], 1)
