"""The library's functions over many seeds: the same for any number of jobs, in order, made as asked for."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import numpy as np
import pytest

from generator import (
    BadInput,
    GenerationFailed,
    Hit,
    IsaacSpec,
    SpecError,
    floorplans,
    generate,
    generate_many,
    levels,
    search,
    stats,
)
from generator.batch import many_seeds
from generator.batch.many import _make_block

IMPOSSIBLE = {"stage": 3, "rooms": 40}  # hardly ever within the tries that the tests allow


@pytest.fixture
def few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 3)


@pytest.mark.parametrize("jobs", [1, 2])
def test_levels_come_in_the_order_of_their_seeds(jobs: int) -> None:
    seeds = [*range(20), 5, 2**64 - 1]
    made = list(levels("isaac", seeds, jobs=jobs, stage=2))
    assert [level.seed for level in made] == seeds
    assert made == [generate("isaac", seed, stage=2) for seed in seeds]
    assert not made[0].terrain.flags.writeable


@pytest.mark.parametrize(
    ("style", "seeds"), [("isaac", ["my game", 7, "7"]), ("rebirth", ["TKMG 13C2", np.str_("a")])]
)
def test_seeds_may_be_texts(style: str, seeds: list[int | str]) -> None:
    made = list(levels(style, seeds, stage=2))
    assert made == [generate(style, seed, stage=2) for seed in seeds]
    assert [level.seed_text for level in made] == [generate(style, seed).seed_text for seed in seeds]


def test_one_text_is_not_its_letters() -> None:
    with pytest.raises(SpecError, match=r"seeds: 'abc' is one text; give a list of seeds, such as \['abc'\]"):
        levels("isaac", "abc")


def test_the_former_name_stays() -> None:
    assert generate_many is levels


@pytest.mark.parametrize("jobs", [1, 2])
def test_as_many_are_made_as_are_asked_for(jobs: int) -> None:
    """Of endless seeds too, and only a few more seeds are taken than levels."""
    taken: list[int] = []

    def seeds() -> Iterator[int]:
        for seed in count():
            taken.append(seed)
            yield seed

    made = levels("isaac", seeds(), jobs=jobs)
    assert taken == []
    assert [level.seed for level in islice(made, 3)] == [0, 1, 2]
    made.close()
    assert len(taken) == 3 if jobs == 1 else len(taken) <= 2 * 4 * 8


def test_a_script_without_a_guard_is_told_of_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import generator\nprint(*generator.levels('isaac', [1, 2], jobs=2))\n")
    ended = subprocess.run([sys.executable, script], check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (1, "")
    *before, last = ended.stderr.splitlines()
    assert last.endswith('put what the script does below `if __name__ == "__main__":`')
    assert len(before) < 60 and "bootstrapping" not in ended.stderr


def test_a_seed_without_a_level_ends_it(few_tries: None) -> None:
    with pytest.raises(GenerationFailed) as caught:
        list(levels("isaac", range(5), **IMPOSSIBLE))
    assert caught.value.seed == 0


def test_or_it_is_left_out_and_told(few_tries: None) -> None:
    failed: list[GenerationFailed] = []
    assert list(levels("isaac", range(5), failed=failed.append, **IMPOSSIBLE)) == []
    assert [error.seed for error in failed] == [0, 1, 2, 3, 4]


def test_failures_survive_the_way_from_another_process(few_tries: None) -> None:
    block = _make_block((IsaacSpec(**IMPOSSIBLE), [4, 5]))
    back = pickle.loads(pickle.dumps(block))
    assert [str(error) for error in back] == [str(error) for error in block]
    assert [error.seed for error in back] == [4, 5]


@pytest.mark.parametrize("jobs", [1, 2])
def test_hits_are_those_that_meet_the_condition(jobs: int) -> None:
    hits = list(search("isaac", "rooms == 8", np.arange(30), jobs=jobs))
    assert hits and all(isinstance(hit, Hit) and hit.facts == {"rooms": 8} for hit in hits)
    assert [hit.seed for hit in hits] == [
        seed for seed in range(30) if len(generate("isaac", seed, until="floorplan").rooms) == 8
    ]


def test_the_first_hit_comes_before_the_last_seed() -> None:
    assert next(search("isaac", "rooms > 0", count())).seed == 0
    assert next(search("isaac", "width > 0", count(4))).seed == 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_facts_are_counted(jobs: int) -> None:
    found = stats("isaac", range(60), facts=["rooms", "width"], jobs=jobs, stage=2)
    assert found.levels == 60 and set(found.facts) == {"rooms", "width", "failed"}
    assert sum(found.facts["rooms"].values()) == 60
    assert found.facts["failed"] == {"no": 60}


def test_the_usual_facts(few_tries: None) -> None:
    assert {"rooms", "loops", 'doors("open")'} <= set(stats(IsaacSpec(), [1, 2]).facts) | {"loops"}
    assert stats("isaac", range(3), facts="width") == stats("isaac", range(3), facts=["width"])
    assert stats("isaac", range(3), **IMPOSSIBLE).facts["failed"] == {"yes": 3}


def test_what_is_wrong_is_reported_before_a_level_is_made() -> None:
    with pytest.raises(SpecError, match="neither a preset nor a TOML file"):
        levels("isak", range(3))
    with pytest.raises(SpecError, match="stage: 13 is out of range"):
        stats("isaac", range(3), stage=13)
    with pytest.raises(BadInput, match="column 1"):
        search("isaac", "romms > 3", range(3))
    with pytest.raises(BadInput, match="unknown fact 'romms'"):
        stats("isaac", range(3), facts=["romms"])
    for jobs in (-1, 257, 1.5, True, "2"):
        with pytest.raises(BadInput, match=r"jobs: .* is not a whole number from 0 to 256"):
            levels("isaac", range(3), jobs=jobs)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, " ", True, None])
def test_a_bad_seed_is_reported_when_its_turn_comes(seed: object) -> None:
    made = levels("isaac", [3, seed])  # type: ignore[list-item]
    assert next(made).seed == 3
    with pytest.raises(
        SpecError, match=r"is not a whole number from 0 to 18446744073709551615|' ' cannot be a seed"
    ):
        next(made)


@pytest.mark.parametrize("style", ["isaac", "rebirth", "gungeon"])
def test_floorplans_as_arrays_survive_the_way_to_another_process(style: str) -> None:
    plans = floorplans(style, range(1, 6))
    others = pickle.loads(pickle.dumps(plans)).arrays()
    assert all(np.array_equal(value, others[name]) for name, value in plans.arrays().items())


def test_blocks_grow_as_soon_as_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    spec, asked = IsaacSpec(), iter((False, False, True, True))
    monkeypatch.setattr(many_seeds, "are_compiled", lambda name: next(asked))
    blocks = list(many_seeds.growing_blocks(spec, range(5, 5 + 5 * spec.few), 500))
    assert [len(block) for block in blocks] == [500, 500, 4 * spec.few, spec.few - 1000]
    assert [seed for block in blocks for seed in block] == list(range(5, 5 + 5 * spec.few))
    few = list(many_seeds.growing_blocks(spec, range(1200), 500))  # nobody asks for kernels
    assert [len(block) for block in few] == [500, 500, 200]


def test_a_range_skips_a_first_seed_that_the_style_does_not_have() -> None:
    """A list does not, which names each seed, and nor does a range with nothing else."""
    calls = {
        "levels": lambda seeds: [level.seed for level in levels("rebirth", seeds)],
        "search": lambda seeds: [hit.seed for hit in search("rebirth", "rooms > 0", seeds)],
        "stats": lambda seeds: [1, 2, 3][: stats("rebirth", seeds, facts="rooms").levels],
        "floorplans": lambda seeds: floorplans("rebirth", seeds).seeds.tolist(),
    }
    for name, call in calls.items():
        with pytest.warns(UserWarning, match="^seeds: rebirth has no seed 0; beginning at 1$") as warned:
            assert call(range(3)) == [1, 2], name
        assert [Path(warning.filename).name for warning in warned] == [Path(__file__).name]
        for seeds in ([0, 1], range(1), range(0, -1, -1)):
            with pytest.raises(SpecError, match=r"^seed: 0 cannot be used"):
                call(seeds)
        for seeds in (range(-1, 3), range(1 << 64, (1 << 64) + 3)):
            with pytest.raises(SpecError, match="range"):
                call(seeds)
        assert not call(range(0))
