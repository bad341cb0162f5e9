"""Furnishing: who gets which layout, and what varies in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import IsaacSpec, LayoutError, Level, generate
from generator.geometry import Side
from generator.interiors.interior import FIGHTERS, doorsteps, too_near
from generator.interiors.layout_file import load_layout, parse_layout
from generator.interiors.layout_rules import reached_on_foot
from generator.interiors.layouts import Layout
from generator.interiors.passage import Passage, interior_behind
from generator.interiors.pools import special_choices
from generator.kinds import DECOR_IDS, shipped_kit
from generator.rng import Stream
from generator.styles.grid.furnish import changeable_decor, furnish, room_terms, vary_decor
from generator.styles.isaac.dealing import choose_layouts

SEEDS = st.integers(0, 2**64 - 1)
SHIPPED = Path(__file__).parents[4] / "generator" / "interiors" / "layouts"


def decor_counts(level: Level) -> Counter[str]:
    numbers = np.bincount(level.decor.ravel(), minlength=len(level.decor_kinds))
    return Counter({kind.name: int(numbers[i]) for i, kind in enumerate(level.decor_kinds)})


def enemies(level: Level) -> list[tuple[int, int, bool]]:
    return [
        (marker.x, marker.y, bool(marker.properties["champion"]))
        for marker in level.markers
        if marker.kind == "enemy"
    ]


@given(SEEDS, st.integers(1, 8))
@settings(max_examples=25)
def test_a_room_is_its_layout(seed: int, stage: int) -> None:
    """The tiles inside a room are those of the file that it names, in the mirror image that it names."""
    level = generate("isaac", seed, stage=stage, tinted_rocks=0, red_fires=0)
    for room in level.rooms:
        name, _, mirror = room.layout.partition("+")
        layout = load_layout(SHIPPED / f"{name}.txt")
        if layout.variations:
            continue  # chance decides what its letters are
        interior = layout.interior(mirror)
        inside = room.bounds.shrunk(1)
        assert np.array_equal(level.terrain[inside.slices], interior.terrain)
        assert np.array_equal(level.decor[inside.slices], interior.decor)
        placed = {
            (inside.x + marker.x, inside.y + marker.y, marker.kind)
            for marker in interior.markers
            if marker.kind not in FIGHTERS
        }
        found = {
            (marker.x, marker.y, marker.kind)
            for marker in level.markers
            if marker.room == room.id and marker.kind not in ("torch", "fire", *FIGHTERS)
        }
        assert found == placed


def test_every_mirror_image_comes() -> None:
    mirrors = Counter(
        room.layout.partition("+")[2]
        for seed in range(60)
        for room in generate("isaac", seed, stage=4).rooms
        if room.kind == "normal"
    )
    assert set(mirrors) == {"", "h", "v", "hv"}
    assert min(mirrors.values()) > 0.6 * max(mirrors.values())


def test_layouts_come_by_their_weight() -> None:
    """The start room draws one layout a level, so its shares are those of the weights."""
    choices = special_choices("start", (15, 9))
    weights = {choice.name: choice.weight for choice in choices}
    number = 600
    drawn = Counter(generate("isaac", seed, rooms=5).rooms[0].layout.split("+")[0] for seed in range(number))
    for name, weight in weights.items():
        share = weight / sum(weights.values())
        assert drawn[name] / number == pytest.approx(share, abs=4 * (share * (1 - share) / number) ** 0.5)


@pytest.mark.parametrize(("hard", "percent", "share"), [(False, 20, 0.2), (True, 20, 0.4), (True, 80, 1.0)])
def test_champions_are_twice_as_many_in_hard_mode(hard: bool, percent: int, share: float) -> None:
    """(And never more than all.)"""
    spec = IsaacSpec(stage=2, champions=percent, hard=hard)
    rolls = [one[2] for seed in range(60) for one in enemies(generate(spec, seed))]
    assert len(rolls) > 500
    assert sum(rolls) / len(rolls) == pytest.approx(share, abs=4 * (share * (1 - share) / len(rolls)) ** 0.5)


@pytest.mark.parametrize(
    ("key", "plain", "other"), [("tinted_rocks", "rock", "tinted_rock"), ("red_fires", "fire", "red_fire")]
)
def test_none_and_all_percent_are_none_and_all(key: str, plain: str, other: str) -> None:
    none, every = Counter[str](), Counter[str]()
    for seed in range(12):
        none += decor_counts(generate("isaac", seed, stage=4, **{key: 0}))
        every += decor_counts(generate("isaac", seed, stage=4, **{key: 100}))
    assert none[other] == every[plain] == 0
    assert none[plain] == every[other] > 10


@given(SEEDS)
@settings(max_examples=15)
def test_one_variation_does_not_disturb_another(seed: int) -> None:
    """Champions, tinted rocks and red fires each take words of their own, drawn or not."""
    plain = generate("isaac", seed, stage=4, champions=0, tinted_rocks=0, red_fires=0)
    varied = generate("isaac", seed, stage=4, champions=50, tinted_rocks=50, red_fires=50)
    assert [room.layout for room in plain.rooms] == [room.layout for room in varied.rooms]
    assert np.array_equal(plain.terrain, varied.terrain)
    assert [one[:2] for one in enemies(plain)] == [one[:2] for one in enemies(varied)]
    champions = [one[2] for one in enemies(varied)]
    assert champions == [one[2] for one in enemies(generate("isaac", seed, stage=4, champions=50))]
    changed = plain.decor != varied.decor
    assert set(varied.decor[changed].tolist()) <= {DECOR_IDS["tinted_rock"], DECOR_IDS["red_fire"]}


def test_enemies_say_who_they_are_and_when_they_come() -> None:
    roles, waves = set(), set()
    for seed in range(25):
        for marker in generate("isaac", seed, stage=6).markers:
            if marker.kind == "enemy":
                assert set(marker.properties) == {
                    "name", "role", "wave", "champion", "flies", "wakes_after",
                }  # fmt: skip
                assert marker.properties["flies"] is (marker.properties["role"] == "flyer")
                roles.add(marker.properties["role"])
                waves.add(marker.properties["wave"])
    assert roles == {"walker", "shooter", "flyer", "brute", "turret"}
    assert waves >= {1, 2}


def test_varied_decor_is_a_copy() -> None:
    rocks = np.full((7, 13), DECOR_IDS["rock"], np.uint8)
    rocks.setflags(write=False)
    stream = Stream(1, "test")
    changeable = changeable_decor(rocks, shipped_kit().kinds)
    varied = vary_decor(room_terms(IsaacSpec(tinted_rocks=100)), rocks, changeable, stream)
    assert (varied == DECOR_IDS["tinted_rock"]).all() and (rocks == DECOR_IDS["rock"]).all()


def test_a_used_up_pool_starts_again(tmp_path: Path) -> None:
    """With one layout a pool and 11 x 11 rooms every normal room draws from two."""
    marks = {"start": "P", "boss": "X", "shop": "W", "treasure": "I", "mini_boss": "M", "challenge": "E",
             "boss_challenge": "X", "arcade": "A", "vault": "C"}  # fmt: skip
    kinds = (*marks, "secret", "sacrifice", "library", "curse")
    for pool in ("normal/any/easy", "normal/any/medium", *kinds):
        (tmp_path / pool).mkdir(parents=True)
        rows = ["." * 9] * 9
        rows[4] = f"....{marks.get(pool, '.')}...."
        (tmp_path / pool / "plain.txt").write_text("map:\n" + "\n".join(rows), "utf-8")
    level = generate("isaac", 1, rooms=15, room_size=(11, 11), layouts=str(tmp_path))
    names = [room.layout.split("+")[0] for room in level.rooms if room.kind == "normal"]
    assert len(names) > 2 and set(names) == {"own/normal/any/easy/plain", "own/normal/any/medium/plain"}
    for pair in zip(names[::2], names[1::2], strict=False):
        assert len(set(pair)) == 2  # the second takes what the first left


@given(SEEDS, st.integers(1, 8))
@settings(max_examples=20)
def test_a_rooms_layout_does_not_depend_on_rooms_of_other_kinds(seed: int, stage: int) -> None:
    """Nor on rooms after it: it is dealt by its place among the rooms of its kind."""
    spec = IsaacSpec(stage=stage, stage_variant="main")
    plan = generate(spec, seed, until="floorplan")
    whole = furnish(spec, plan, seed, choose_layouts).rooms
    for kind in {room.kind for room in plan.rooms}:
        numbers = [number for number, room in enumerate(plan.rooms) if room.kind == kind]
        alone = replace(plan, rooms=tuple(plan.rooms[number] for number in numbers[:3]))
        dealt = [one.layout.split("+")[0] for one in furnish(spec, alone, seed, choose_layouts).rooms]
        assert dealt == [whole[number].layout.split("+")[0] for number in numbers[:3]]


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("door_width", [1, 3, 5])
def test_markers_step_aside_for_wide_doors(door_width: int, step: int) -> None:
    """One of eleven layouts each time, all of them in the soak run."""
    for path in sorted(SHIPPED.rglob("*.txt"))[door_width % step :: step]:
        markers_step_aside(load_layout(path), door_width)


def markers_step_aside(layout: Layout, door_width: int) -> None:
    """Each to a free tile of its own that is safely reached; only enemies may find none and stay away."""
    for number in range(1, 16):
        mirror = layout.mirrors[number % len(layout.mirrors)]
        doors = frozenset(
            slot for i, slot in enumerate(sorted(layout.slots(mirror), key=repr)) if number >> i & 1
        )
        if not doors:
            continue
        plain, wide = layout.interior(mirror), interior_behind(layout, mirror, Passage(1, door_width), doors)
        assert np.array_equal(plain.terrain, wide.terrain) and np.array_equal(plain.decor, wide.decor)
        steps = doorsteps(layout.pitch, doors, door_width)
        assert len(steps) == len(doors) * door_width
        places = {(marker.x, marker.y) for marker in wide.markers}
        assert len(places) == len(wide.markers)
        assert places - {(marker.x, marker.y) for marker in plain.markers} <= reached_on_foot(
            plain, doorsteps(layout.pitch, doors)[0], safely=True
        )
        for marker in wide.markers:
            assert not too_near(marker.kind, (marker.x, marker.y), steps)
        if door_width == 1:
            assert wide is plain
        lost = Counter(marker.kind for marker in plain.markers) - Counter(
            marker.kind for marker in wide.markers
        )
        assert set(lost) <= {"enemy"} and (not lost or (door_width == 5 and len(doors) > 1)), (lost, doors)


def test_one_steps_aside_no_further_than_needed() -> None:
    """In a room with a wide door in the north; an enemy without a place is left out."""
    rows = ["." * 9] * 9
    rows[1] = ".E......."
    layout = parse_layout("map:\n" + "\n".join(rows), Path("x.txt"))
    north = frozenset({((0, 0), Side.NORTH)})
    for door_width, place in ((1, (1, 1)), (3, (1, 1)), (5, (0, 1))):
        (marker,) = interior_behind(layout, "", Passage(1, door_width), north).markers
        assert (marker.x, marker.y) == place
    rows = ["." * 7] * 7
    rows[3] = "...XE.."
    layout = parse_layout("map:\n" + "\n".join(rows), Path("x.txt"), check=False)
    (marker,) = interior_behind(layout, "", Passage(1, 5), frozenset(layout.slots())).markers
    assert (marker.kind, marker.x, marker.y) == ("boss", 3, 3)  # the only tile that is far enough
    rows[3] = "..oo.X."
    layout = parse_layout("map:\n" + "\n".join(rows), Path("x.txt"), check=False)
    with pytest.raises(LayoutError, match=r"^x.txt: has no place for its boss away from doors that are 5"):
        interior_behind(layout, "", Passage(1, 5), frozenset(layout.slots()))


@pytest.mark.parametrize("door_width", [3, 5])
def test_few_enemies_are_lost_to_wide_doors(door_width: int) -> None:
    lost = total = 0
    for seed in range(40):
        narrow, wide = (generate("isaac", seed, stage=4, door_width=width) for width in (1, door_width))
        total += len(enemies(narrow))
        lost += len(enemies(narrow)) - len(enemies(wide))
        assert [room.layout for room in narrow.rooms] == [room.layout for room in wide.rooms]
    assert 0 <= lost <= {3: 0.1, 5: 0.15}[door_width] * total, lost / total
