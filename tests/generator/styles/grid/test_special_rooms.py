"""The conditions and chances of special rooms, against the articles' words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import IsaacSpec, State
from generator.interiors.pools import special_choices
from generator.kinds import DOOR_KINDS, ROOM_KINDS, SHIPPED
from generator.styles.grid.special_rooms import Chance, door_kinds
from generator.styles.isaac.special_rooms import special_rooms

HURT = State(red_hearts=2)
RICH = State(coins=5)

WORDS = st.integers(0, 2**64 - 1)


def chances(stage: int = 1, state: State | None = None) -> dict[str, Fraction]:
    """Every chance room's share, its two rolls and what it may turn into multiplied out."""

    def share(chance: Chance) -> Fraction:
        return 1 - (1 - Fraction(*chance.first)) * (1 - Fraction(*chance.second))

    found: dict[str, Fraction] = {}
    for room in special_rooms(IsaacSpec(stage=stage, state=state or State())):
        other = share(room.other_chance)
        found[room.kind] = share(room.chance) * (1 - other)
        if other:
            found[room.other_kind] = share(room.chance) * other
    return found


def chance(kind: str, stage: int = 1, state: State | None = None) -> Fraction:
    return chances(stage, state).get(kind, Fraction(0))


def test_sacrifice_one_in_seven_or_about_one_in_three_at_full_health() -> None:
    assert chance("sacrifice", state=HURT) == Fraction(1, 7)
    assert chance("sacrifice") == Fraction(5, 14)


@pytest.mark.parametrize(
    ("state", "full"),
    [
        (State(red_hearts=6, heart_containers=6), True),
        (State(red_hearts=5, heart_containers=6), False),
        (State(red_hearts=5, heart_containers=6, soul_hearts=1), True),
        (State(red_hearts=0, heart_containers=0), True),
    ],
)
def test_full_health_is_red_and_soul_hearts_together(state: State, full: bool) -> None:
    assert (chance("sacrifice", state=state) == Fraction(5, 14)) is full
    assert (chance("challenge", 3, state) == 1) is full


def test_library_one_in_twenty_or_a_quarter_more_after_a_book() -> None:
    assert chance("library") == Fraction(1, 20)
    assert chance("library", state=State(book_picked_up=True)) == 1 - Fraction(19, 20) * Fraction(3, 4)


def test_curse_room_one_in_two_or_five_in_eight_after_a_devil_room() -> None:
    assert chance("curse") == Fraction(1, 2)
    assert chance("curse", state=State(devil_room_visited=True)) == Fraction(5, 8)


def test_mini_boss_one_in_four_twice_that_on_the_first_stage_and_once_a_game() -> None:
    assert chance("mini_boss", 1) == Fraction(1, 2)
    assert {chance("mini_boss", stage) for stage in range(2, 13)} == {Fraction(1, 4)}
    assert {chance("mini_boss", stage, State(mini_boss_met=True)) for stage in range(1, 13)} == {Fraction(0)}


def test_challenge_rooms_by_stage() -> None:
    """None on the first, an even chance on the second, sure from then on; the boss's on second stages."""
    plain = [chance("challenge", stage) for stage in range(1, 13)]
    of_boss = [chance("boss_challenge", stage) for stage in range(1, 13)]
    assert plain == [0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert of_boss == [0, Fraction(1, 2), 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
    assert not any(kind.endswith("challenge") for stage in range(1, 13) for kind in chances(stage, HURT))


def test_arcade_on_second_stages_below_nine_for_five_coins() -> None:
    stages = [stage for stage in range(1, 13) if chance("arcade", stage, RICH)]
    assert stages == [2, 4, 6, 8]
    assert chance("arcade", 2, State(coins=4)) == 0
    assert chance("arcade", 2, RICH) + chance("vault", 2, RICH) == 1


def test_vault_instead_of_the_arcade_one_in_ten_and_a_third_more_for_two_keys() -> None:
    assert chance("vault", 2, RICH) == Fraction(1, 10)
    assert chance("vault", 2, State(coins=5, keys=1)) == Fraction(1, 10)
    assert chance("vault", 2, State(coins=5, keys=2)) == 1 - Fraction(9, 10) * Fraction(2, 3)


@given(WORDS, st.integers(0, 9), st.integers(1, 9), st.integers(0, 9), st.integers(1, 9))
def test_two_rolls_take_the_two_halves_of_one_word(word: int, a: int, b: int, c: int, d: int) -> None:
    upper, lower = Fraction(word >> 32, 2**32), Fraction(word % 2**32, 2**32)
    first, second = int(upper * b) < a, int(lower * d) < c
    assert Chance((a, b), (c, d)).rolled(word) is (first or second)


@given(WORDS)
def test_never_and_always(word: int) -> None:
    assert not Chance((0, 1), (0, 1)).rolled(word)
    assert Chance((1, 1), (0, 1)).rolled(word) and Chance((0, 1), (1, 1)).rolled(word)


@pytest.mark.parametrize("stage", range(1, 13))
def test_every_kind_that_may_come_has_layouts_and_every_door_is_one(stage: int) -> None:
    state = State(coins=99, keys=9, devil_room_visited=True, book_picked_up=True)
    kinds = {*chances(stage, state), "boss", "shop", "treasure", "secret", "start"}
    assert kinds <= set(ROOM_KINDS)
    for kind in kinds:
        assert len(special_choices(kind, (15, 9))) >= 4
    doors = door_kinds(stage, SHIPPED)
    assert set(doors.values()) <= {kind.name for kind in DOOR_KINDS}
    assert set(doors) <= set(ROOM_KINDS)
