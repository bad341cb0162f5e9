"""What a flow's file may not ask for is refused when it is read, with its place and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import SpecError, generate, problems
from generator.kinds import shipped_kit
from generator.styles.gungeon.flows.library import load_flow
from tests.generator.styles.gungeon.flows.plans import flow_file

KEYS = '[[key]]\nname = "k"\nroom = "a"\ncount = 100\n[[key]]\nname = "l"\nroom = "a"\n'


@pytest.mark.parametrize(
    ("room", "asks", "message"),
    [
        ("z", 'tags = ["foyer"]', "room[2].tags: a boss room has no fights, so foyer means nothing"),
        ("z", 'tags = ["breath"]', "a boss room has no fights, so breath means nothing; leave it out"),
        ("b", 'kind = "shop"\ntags = ["gauntlet"]', "a shop room has no fights, so gauntlet means nothing"),
        ("a", 'tags = ["gauntlet", "breath"]', "gauntlet cannot be used with breath; leave one of them out"),
        ("a", 'difficulty = "brutal"', "'brutal' is not a difficulty; choose one of easy, medium, hard"),
        ("a", 'difficulty = "hrd"', "unknown difficulty 'hrd'; did you mean hard?"),
        ("a", "difficulty = 20", "20 is not a difficulty; choose one of easy, medium, hard"),
        ("a", "difficulty = true", "True is not a difficulty"),
        ("a", "difficulty = 1.0", "1.0 is not a difficulty"),
        ("z", 'difficulty = "hard"', "room[2].difficulty: a boss room has no difficulty"),
        ("s", "difficulty = 1", "room[0].difficulty: a start room has no difficulty"),
        ("b", 'kind = "chest"\ndifficulty = 1', "a chest room has no difficulty; leave it out"),
        ("a", 'tags = ["foyer"]\ndifficulty = 1', "there are no fights in a foyer; leave one of them out"),
        ("a", 'size = "small"\nlayout = "normal/hubs/wheel"', "cannot be used with layout, which has a size of its own"),
        ("a", KEYS, "key[1].room: room a has 101 keys; at most 100 are allowed"),
    ],
)  # fmt: skip
def test_what_a_room_cannot_have_is_refused(room: str, asks: str, message: str, tmp_path: Path) -> None:
    path = flow_file(tmp_path, "s a z", "a b", **{room: asks})
    with pytest.raises(SpecError) as refused:
        load_flow(path, shipped_kit())
    assert f"{path}: " in str(refused.value) and message in str(refused.value)


@pytest.mark.parametrize(
    ("flow", "message"),
    [
        ("", "flow: '' is empty; choose one of descent, gauntlet"),
        ("\n", r"flow: '\\n' is empty; choose one of descent"),
        (" , ", "flow: ' , ' is empty"),
    ],
)
def test_a_spec_whose_flow_is_empty_is_refused(flow: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        generate("gungeon", 1, flow=flow)


def test_an_empty_file_says_which_table_it_lacks(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    for text, head in (("", "[flow]"), ('[flow]\nname = "t"\n', "[[room]]")):
        path.write_text(text)
        with pytest.raises(SpecError) as refused:
            load_flow(str(path), shipped_kit())
        assert str(refused.value) == f"{path}: {head} is missing; give it"


BOSS_OF_A_RULE = (
    '[[rule]]\nname = "own"\non = "normal-start"\n'
    '[own_rule.own]\nroom = [{ id = "y", kind = "boss" }]\nconnection = [{ path = ["A", "y", "B"] }]\n'
)


@pytest.mark.parametrize(
    ("ways", "more"), [(("s z", "s a"), ""), (("s z a",), ""), (("s a z",), BOSS_OF_A_RULE)]
)
def test_a_flow_may_have_its_boss_beside_the_start(ways: tuple[str, ...], more: str, tmp_path: Path) -> None:
    level = generate("gungeon", 1, flow=flow_file(tmp_path, *ways, more=more))
    ends = [{level.rooms[level.doors[door].rooms[0]].kind for door in way.doors} for way in level.hallways]
    assert {"start", "boss"} in ends
    assert problems(level) == []
