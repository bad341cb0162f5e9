"""The game's seed codes, and what it draws for a level before anything grows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import RebirthSpec, SpecError
from generator.pipeline import generate
from generator.seeds import read_seed
from generator.styles.rebirth.growth import counts
from generator.styles.rebirth.growth_kernel import level_draws, stage_seed
from generator.styles.rebirth.seeds import code_of, read_run_seed, start_seed_of_code

from .oracle import Random

START_SEEDS = st.integers(1, 2**32 - 1)
ALPHABET = "ABCDEFGHJKLMNPQRSTWXYZ01234V6789"
REAL = ("TKMG 13C2", "DXBS SCM6", "67EB 4KRP", "4VT4 D8WY", "9V2N D911")  # from the game's bug tracker


@pytest.mark.parametrize(("number", "code"), [(1, "B911 99AC"), (0x12345678, "D1PW XBN9")])
def test_known_codes(number: int, code: str) -> None:
    assert code_of(number) == code and start_seed_of_code(code) == number


@pytest.mark.parametrize("code", REAL)
def test_real_codes_pass_their_checksum(code: str) -> None:
    assert code_of(start_seed_of_code(code)) == code


@given(START_SEEDS)
def test_codes_go_both_ways(number: int) -> None:
    code = code_of(number)
    assert start_seed_of_code(code) == number
    assert len(code) == 9 and code[4] == " " and set(code) <= {*ALPHABET, " "}


@given(START_SEEDS, st.integers(0, 7), st.sampled_from(ALPHABET))
def test_a_slip_in_one_character_is_noticed(number: int, place: int, other: str) -> None:
    """By its checksum, or it is another code of the game's: 1 slip in 256 is one."""
    characters = list(code_of(number))
    place += place >= 4
    if characters[place] == other:
        return
    characters[place] = other
    slip = "".join(characters)
    try:
        assert code_of(start_seed_of_code(slip)) == slip
    except SpecError as error:
        assert "checksum" in str(error) and "\n" not in str(error)


def test_nearly_every_slip_is_noticed() -> None:
    code = code_of(123456789)
    slips = [
        code[:i] + other + code[i + 1 :] for i in range(9) if i != 4 for other in ALPHABET if other != code[i]
    ]
    noticed = 0
    for slip in slips:
        try:
            start_seed_of_code(slip)
        except SpecError:
            noticed += 1
    assert noticed >= len(slips) * 0.95


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("TKMG 13C3", "checksum"),
        ("TKMG 13CI", "have no I"),
        ("TKMO 13C2", "have no O"),
        ("TKMU 13C2", "have no U"),
        ("TKM5 13C2", "have no 5"),
        ("AAAA AAAA", "checksum"),
    ],
)
def test_texts_in_the_form_of_a_code_are_codes_or_refused(text: str, why: str) -> None:
    with pytest.raises(SpecError, match=why) as caught:
        read_run_seed(text)
    assert "\n" not in str(caught.value) and text in str(caught.value)


def test_the_code_of_no_seed_is_refused() -> None:
    with pytest.raises(SpecError):
        read_run_seed(code_of(0))


def test_other_texts_and_styles_know_no_codes() -> None:
    assert read_run_seed("tkmg 13c2") != read_run_seed("TKMG 13C2")
    assert read_seed("TKMG 13C3")[1] == "TKMG 13C3"
    assert read_run_seed("TKMG 13C2") == (start_seed_of_code("TKMG 13C2"), "TKMG 13C2")


@pytest.mark.parametrize("seed", [0, "0", 1 << 32, 7 << 32, str(5 << 32)])
def test_a_seed_whose_low_half_is_nothing_is_refused_with_a_remedy(seed: int | str) -> None:
    with pytest.raises(SpecError, match="give") as caught:
        generate("rebirth", seed, until="floorplan")
    assert "\n" not in str(caught.value)


def test_no_seed_is_one() -> None:
    assert generate("rebirth", until="floorplan") == generate("rebirth", 1, until="floorplan")


# --- stage seeds and levels --------------------------------------------------------------------------


def test_the_vector_of_the_first_stage() -> None:
    """Start seed 1 on the first stage: its seed, four draws, the number of rooms, the generator's seed."""
    assert stage_seed(1, 1) == 1048577
    random = Random(1048577)
    assert [random.next() for _ in range(4)] == [559063813, 2434032645, 2907351103, 3892950396]
    found = counts(RebirthSpec(stage=1), 1)
    assert (found.rooms, found.dead_ends, found.generator_seed) == (9, 5, 3892950396)
    assert found.curse == "none" and not found.is_large and found.shape_mask == 0x1FFE


@given(START_SEEDS, st.integers(1, 12))
def test_stage_seeds_are_draws_of_one_generator(start: int, stage: int) -> None:
    random = Random(start, (3, 23, 25))
    draws = [random.next() for _ in range(14)]
    assert stage_seed(start, stage) == draws[stage]


@given(START_SEEDS, st.sampled_from([2, 3, 5]), st.booleans())
def test_the_order_of_a_levels_draws(seed: int, rate: int, void: bool) -> None:
    """Two for nothing, then a copy decides on the curse, which kind, and hard mode's room; the level's own
    decides on the room more, the Void's number, and the generator's seed.
    """
    level = Random(seed)
    level.next(), level.next()
    copy = level.fork()
    curse = copy.next() % 6 if copy.next() % rate == 0 else -1
    room_more = level.next() & 1
    hard = copy.next() & 1
    rooms_of_void = level.next() if void else 0
    assert level_draws(seed, rate, void) == (curse, room_more, hard, rooms_of_void, level.next())


def test_a_level_follows_from_the_low_half_of_its_seed() -> None:
    spec = RebirthSpec(stage=4)
    low, high = generate(spec, 77, until="floorplan"), generate(spec, 77 + (9 << 32), until="floorplan")
    assert low.facts["generator_seed"] == high.facts["generator_seed"]  # type: ignore[union-attr]
    assert low.facts["seed_code"] == high.facts["seed_code"] == code_of(77)  # type: ignore[union-attr]
