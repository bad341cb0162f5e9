"""Which of its chapter's variants a stage is: it follows from the stage's own seed."""

from __future__ import annotations

from collections import Counter

import pytest

from generator import RebirthSpec, SpecError, generate
from generator.styles.grid.pools import chapter_of
from generator.styles.rebirth.growth_kernel import stage_seed

SEEDS = range(1, 3001)


def test_an_even_seed_is_the_alternative_and_one_that_three_divides_the_third() -> None:
    for stage in range(1, 9):
        for seed in range(1, 200):
            number = stage_seed(seed, stage)
            expected = "main" if number % 2 else "alternative"
            assert RebirthSpec(stage=stage, edition="rebirth").variant(seed) == expected
            expected = expected if number % 3 else "third"
            for edition in ("afterbirth", "afterbirth_plus", "repentance"):
                assert RebirthSpec(stage=stage, edition=edition).variant(seed) == expected


def test_a_third_of_stages_is_each() -> None:
    found = Counter(RebirthSpec(stage=3).variant(seed) for seed in SEEDS)
    assert all(abs(found[variant] - 1000) < 120 for variant in ("main", "alternative", "third"))


def test_the_two_stages_of_a_chapter_may_differ_and_an_alternate_path_has_the_next_seed() -> None:
    pairs = Counter(
        RebirthSpec(stage=1).variant(seed) == RebirthSpec(stage=2).variant(seed) for seed in SEEDS
    )
    assert 850 < pairs[True] < 1150
    for seed in range(1, 100):
        path = RebirthSpec(stage=3, alternate_path=True)
        assert path.variant(seed) == RebirthSpec(stage=4, edition="rebirth").variant(seed)
    third = RebirthSpec(stage=1, alternate_path=True, stage_variant="third")
    assert chapter_of(third, 1).name == "weir"  # which has none


def test_later_chapters_have_two_variants() -> None:
    for stage in range(9, 13):
        found = {RebirthSpec(stage=stage).variant(seed) for seed in range(1, 200)}
        assert found == {"main", "alternative"}
        with pytest.raises(SpecError, match="stage_variant"):
            RebirthSpec(stage=stage, stage_variant="third")
    with pytest.raises(SpecError, match="stage_variant"):
        RebirthSpec(stage=1, edition="rebirth", stage_variant="third")


@pytest.mark.parametrize(("stage", "name"), [(1, "kiln"), (4, "sump"), (5, "mire"), (8, "wound")])
def test_a_third_variant_has_a_chapter_of_its_own(stage: int, name: str) -> None:
    assert generate("rebirth", 7, stage=stage, stage_variant="third").facts["chapter"] == name
