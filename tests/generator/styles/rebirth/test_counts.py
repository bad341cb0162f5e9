"""How many rooms and dead ends a level grows, and its curse: the wiki's and the facts' formulas, written out."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import RebirthSpec
from generator.styles.rebirth.floorplan import floorplan
from generator.styles.rebirth.growth import counts
from generator.styles.rebirth.spec import RebirthState
from tests.cases import for_each

from .oracle import Random

WITH_VOID = ("afterbirth_plus", "repentance")  # it came with Afterbirth+
EDITIONS = ("rebirth", "afterbirth", "afterbirth_plus", "repentance")
START_SEEDS = st.integers(1, 2**32 - 1)
STAGES = st.integers(1, 12)


def stage_random(seed: int, draw: int) -> Random:
    random = Random(seed, (3, 23, 25))
    for _ in range(draw):
        random.next()
    return Random(random.next())


def sizes(**values: object) -> list[int]:
    """The least and the most rooms of a spec, over enough seeds."""
    found = {counts(RebirthSpec(**values), seed).rooms for seed in range(1, 400)}  # type: ignore[arg-type]
    return [min(found), max(found)]


def test_three_and_a_third_rooms_a_stage_and_five_or_six_at_most_20() -> None:
    assert [sizes(stage=stage) for stage in range(1, 12)] == [
        [8, 9],
        [11, 12],
        [15, 16],
        [18, 19],
        *[[20, 20]] * 7,
    ]


def test_a_labyrinth_has_four_fifths_more_at_most_45() -> None:
    assert [sizes(stage=stage, curse="labyrinth") for stage in (1, 3, 5, 7)] == [
        [14, 16],
        [27, 28],
        [36, 36],
        [36, 36],
    ]


def test_above_the_start_of_the_eleventh_stage_there_is_no_room() -> None:
    for stage in range(1, 13):
        floors = [counts(RebirthSpec(stage=stage), seed) for seed in range(1, 9)]
        assert {each.blocked for each in floors} == {((6, 5),) if stage == 11 else ()}
    for seed in range(1, 30):
        plan = floorplan(RebirthSpec(stage=11), seed)
        assert plan.rooms[0].cells == ((6, 6),)
        assert all((6, 5) not in room.cells for room in plan.rooms)


def test_the_lost_have_four_more() -> None:
    assert [sizes(stage=stage, curse="lost") for stage in (1, 2, 8)] == [[12, 13], [15, 16], [24, 24]]


def test_hard_mode_has_two_or_three_more() -> None:
    assert sizes(stage=8, hard=True) == [22, 23]
    assert sizes(stage=1, hard=True) == [10, 12]
    assert sizes(stage=5, hard=True, curse="labyrinth") == [38, 39]
    assert sizes(stage=5, hard=True, curse="lost") == [26, 27]


def test_the_void_has_fifty_and_more_whatever_its_curse() -> None:
    """50 to 59 by the wiki; one reading of Repentance+ has 50 to 54; a spec may say how far."""
    assert sizes(stage=12, edition="afterbirth_plus") == [50, 59]
    assert sizes(stage=12) == [50, 59]
    assert sizes(stage=12, void_spread=5) == [50, 54]
    assert sizes(stage=12, edition="afterbirth") == [20, 20]  # there was none yet
    assert sizes(stage=12, curse="lost") == sizes(stage=12, curse="labyrinth") == [50, 59]
    assert sizes(stage=12, hard=True) == [52, 62]


def test_a_giants_rooms_are_three_fifths_and_none_of_one_cell() -> None:
    assert sizes(stage=8, curse="giant") == [12, 12]
    assert sizes(stage=1, curse="giant") == [4, 5]
    assert counts(RebirthSpec(curse="giant"), 1).shape_mask == 0x1FF0
    assert counts(RebirthSpec(curse="lost"), 1).shape_mask == 0x1FFE


def test_alternate_paths_are_three_rooms_smaller_on_second_stages_and_first_ones_of_labyrinths() -> None:
    plain = [sizes(stage=stage) for stage in range(1, 7)]
    alternate = [sizes(stage=stage, alternate_path=True) for stage in range(1, 7)]
    less = [
        a - b for one, other in zip(plain, alternate, strict=True) for a, b in zip(one, other, strict=True)
    ]
    assert less == [0, 0, 3, 3, 0, 0, 3, 3, 0, 0, 0, 0]
    assert sizes(stage=1, alternate_path=True, curse="labyrinth") == [9, 10]  # 1.8 x 5 or 6
    assert sizes(stage=3, alternate_path=True, curse="labyrinth") == [21, 23]


def test_a_specs_own_number_is_taken() -> None:
    assert sizes(stage=8, rooms=33, hard=True, curse="lost") == [33, 33]


@for_each(edition=EDITIONS, stage=range(1, 13))
def test_dead_ends(stage: int, edition: str) -> None:
    """Five, one more but on the first stage, in a labyrinth and for Voodoo Head, two more in the Void."""

    def ends(**values: object) -> int:
        return counts(RebirthSpec(stage=stage, edition=edition, **values), 1).dead_ends  # type: ignore[arg-type]

    plain = 5 + (stage > 1) + 2 * (stage == 12 and edition in WITH_VOID)
    assert ends() == plain and ends(hard=True) == plain and ends(curse="lost") == plain
    assert ends(curse="labyrinth") == plain + 1
    assert ends(state=RebirthState(voodoo_head=True)) == plain + (edition == "repentance")
    if edition == "repentance" and stage <= 6:
        assert ends(alternate_path=True) == plain + (stage in (2, 4))
        assert ends(alternate_path=True, curse="labyrinth") == plain + 1 + (stage in (1, 2, 3, 4))


@given(
    START_SEEDS,
    STAGES,
    st.booleans(),
    st.sampled_from(EDITIONS),
    st.sampled_from(["none", "lost", "labyrinth", "random"]),
)
def test_the_numbers_come_from_the_draws(seed: int, stage: int, hard: bool, edition: str, curse: str) -> None:
    """The facts' order of draws, with the curse's taken whether one is asked for or not."""
    spec = RebirthSpec(stage=stage, hard=hard, edition=edition, curse=curse)
    level = stage_random(seed, stage)
    level.next(), level.next()
    copy = level.fork()
    drawn = "none"
    if copy.next() % ((3 if edition == "repentance" else 2) if hard else 5) == 0:
        drawn = ("labyrinth", "lost", "darkness", "unknown", "maze", "blind")[copy.next() % 6]
        if drawn == "labyrinth" and (stage % 2 == 0 or stage >= 8):
            drawn = "none"
    rooms = min(20, (level.next() & 1) + 5 + stage * 10 // 3)
    curse = drawn if curse == "random" else curse
    if curse == "labyrinth":
        rooms = min(45, rooms * 18 // 10)
    elif curse == "lost":
        rooms += 4
    if stage == 12 and edition in WITH_VOID:
        rooms = 50 + level.next() % 10
    if hard:
        rooms += 2 + (copy.next() & 1)
    found = counts(spec, seed)
    assert (found.curse, found.rooms, found.generator_seed) == (curse, rooms, level.next())


def test_curses_come_one_level_in_five_and_in_hard_mode_one_in_three_or_two() -> None:
    def share(**values: object) -> float:
        spec = RebirthSpec(stage=4, curse="random", **values)  # type: ignore[arg-type]
        return sum(counts(spec, seed).curse != "none" for seed in range(1, 3001)) / 3000

    kept = 5 / 6  # a labyrinth on a second stage is none
    assert share() == pytest.approx(kept / 5, abs=0.025)
    assert share(hard=True) == pytest.approx(kept / 3, abs=0.03)
    assert share(hard=True, edition="afterbirth_plus") == pytest.approx(kept / 2, abs=0.03)
    assert share(state=RebirthState(black_candle=True)) == 0
    for unlocks, rates in (("none", (80, 40)), ("some", (30, 20)), ("many", (10, 6))):
        for hard, rate in zip((False, True), rates, strict=True):
            off = 4 * (kept / rate / 3000) ** 0.5  # four sigmas
            assert share(hard=hard, unlocks=unlocks) == pytest.approx(kept / rate, abs=off)


def test_every_curse_is_as_likely_and_the_labyrinth_falls_on_first_stages_only() -> None:
    def drawn(stage: int) -> Counter[str]:
        spec = RebirthSpec(stage=stage, curse="random")
        return Counter(counts(spec, seed).curse for seed in range(1, 6001))

    first = drawn(7)
    assert set(first) == {"none", "labyrinth", "lost", "darkness", "unknown", "maze", "blind"}
    assert all(
        150 < count < 250 for curse, count in first.items() if curse != "none"
    )  # 200 expected, 14 a sigma
    assert all("labyrinth" not in drawn(stage) for stage in (2, 8, 9, 12))


def test_a_curse_that_the_spec_names_leaves_the_draws_as_they_are() -> None:
    for seed in range(1, 200):
        seeds = {
            counts(RebirthSpec(stage=3, curse=curse), seed).generator_seed
            for curse in ("none", "random", "giant")
        }
        assert len(seeds) == 1


@for_each(edition=EDITIONS, stage=range(1, 13))
def test_a_floorplan_has_the_rooms_that_were_counted(stage: int, edition: str) -> None:
    """Target and start, and on top only forced dead ends, secret rooms and a second boss."""
    spec = RebirthSpec(stage=stage, edition=edition)
    for seed in range(1, 9):
        plan, asked = floorplan(spec, seed), counts(spec, seed)
        secret = sum(room.kind in ("secret", "ultra_secret") for room in plan.rooms)
        assert plan.facts["target_rooms"] == asked.rooms
        assert asked.rooms + 1 <= len(plan.rooms) - secret
        if plan.tries < 10:  # from then on Repentance grows a room more each five
            assert len(plan.rooms) - secret <= asked.rooms + 1 + asked.dead_ends
