"""What the generator promises beyond one level: the same everywhere, nothing hidden, nothing global."""

from __future__ import annotations

import ast
import pickle
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from generator import GenerationFailed, IsaacSpec, State, generate

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "generator").rglob("*.py"))


# Progress is for the eyes of people, and a compiler that never finished is started again: neither decides a result.
MAY_LOOK_AT_THE_CLOCK = {
    path for path in MODULES if path.parts[-2:] in {("cli", "progress.py"), ("compiled", "loader.py")}
}


def test_no_module_knows_global_chance_or_a_clock() -> None:
    """ "All chance comes from rng.py"; retries are counted, never timed.

    `hash()` differs from run to run, so only a `__hash__`, for caches, may call it.
    """
    forbidden = {"random", "secrets", "time", "datetime", "uuid", "numpy.random"}
    for path in MODULES:
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        for node in nodes:
            if isinstance(node, ast.Import) and path not in MAY_LOOK_AT_THE_CLOCK:
                assert not {alias.name for alias in node.names} & forbidden, path
            elif isinstance(node, ast.ImportFrom):
                assert node.module not in forbidden, path
            elif isinstance(node, ast.Attribute):
                assert not (node.attr == "random" and isinstance(node.value, ast.Name)), path
        assert _calls_of_hash(nodes) == sum(
            _calls_of_hash(ast.walk(node))
            for node in nodes
            if isinstance(node, ast.FunctionDef) and node.name == "__hash__"
        ), path


def _calls_of_hash(nodes: Iterable[ast.AST]) -> int:
    calls = (node.func for node in nodes if isinstance(node, ast.Call))
    return sum(isinstance(called, ast.Name) and called.id == "hash" for called in calls)


def test_a_level_leaves_global_chance_alone() -> None:
    random.seed(1)
    np.random.seed(1)
    states = random.getstate(), np.random.get_state()[1].tolist()
    generate("labyrinth", 3)
    assert random.getstate() == states[0]
    assert np.random.get_state()[1].tolist() == states[1]


def test_what_was_made_before_does_not_matter() -> None:
    """Caches are filled in another order in another process."""
    code = (
        "import sys, generator\n"
        "for seed in map(int, sys.argv[1:]):\n"
        "    print(seed, generator.generate('isaac', seed, stage=1 + seed % 4).fingerprint)"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code, *seeds], capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout.splitlines()
        for seeds in (["1", "2", "3", "4"], ["4", "3", "2", "1"])
    ]
    assert outputs[0] == outputs[1][::-1]


def test_failures_survive_the_way_back_from_a_worker() -> None:
    error = GenerationFailed("floorplan", 20_000, "too few rooms grew", 7)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert (again.stage, again.attempts, again.reason, again.seed) == (
        "floorplan",
        20_000,
        "too few rooms grew",
        7,
    )


def test_specs_are_values() -> None:
    """They can be compared, hashed and sent to a worker, as the pools' caches and a build farm need."""
    spec = IsaacSpec(stage=3, state=State(coins=5))
    assert spec == IsaacSpec(stage=3, state=State(coins=5)) != IsaacSpec(stage=3)
    assert hash(spec) == hash(IsaacSpec(stage=3, state=State(coins=5)))
    assert pickle.loads(pickle.dumps(spec)) == spec
    with pytest.raises(AttributeError):
        spec.stage = 4  # type: ignore[misc]


def test_the_state_can_be_given_as_a_value_or_a_table() -> None:
    plans = [
        generate("isaac", 7, stage=2, state=state, until="floorplan")
        for state in (State(coins=5), {"coins": 5})
    ]
    assert plans[0] == plans[1] == generate(IsaacSpec(stage=2, state=State(coins=5)), 7, until="floorplan")


def test_a_floorplan_that_cannot_be_says_so_and_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries are counted: with fewer of them a level of the last stage is not found."""
    monkeypatch.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 20)
    messages = set()
    for _ in range(2):
        with pytest.raises(GenerationFailed) as caught:
            generate("isaac", 11, rooms=40)
        messages.add(str(caught.value))
        assert (caught.value.stage, caught.value.attempts, caught.value.seed) == ("floorplan", 20, 11)
    assert messages == {
        "seed 11: no floorplan after 20 tries: too few rooms grew (20 times); ask for another number of rooms"
    }
