"""The proof says of each flow what playing every game of it says."""

from __future__ import annotations

from collections import Counter

from generator.styles.gungeon.flows.proof import walking_problem
from tests.generator.styles.gungeon.flows.brute_force import random_flow, verdict


def proved(seed: int) -> str:
    """What the proof says of a random flow, in the words of `verdict`."""
    problem = walking_problem(random_flow(seed)) or ""
    if problem.startswith("after "):
        return "stuck"
    return problem.partition(" cannot be reached")[0].partition(" can be walked around")[0]


def differing(seeds: range) -> list[tuple[int, str, str]]:
    """The seeds of the flows of which the two say different things, with what they say."""
    both = ((seed, proved(seed), verdict(random_flow(seed))) for seed in seeds)
    return [each for each in both if each[1] != each[2]]


def test_the_proof_agrees_with_playing_every_game() -> None:
    assert differing(range(300)) == []


def test_the_random_flows_are_of_all_kinds() -> None:
    said = Counter(proved(seed).partition(" ")[0] for seed in range(300))
    assert {"", "stuck", "room", "lock"} <= said.keys() and min(said.values()) >= 5
    for seed in range(300):
        flow = random_flow(seed)
        said.update("must" for key in flow.keys if key.must)
        said.update("drop" for way in flow.connections if way.one_way)
    assert said["must"] > 100 and said["drop"] > 50
