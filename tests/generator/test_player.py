"""What the player did on the stages of a run, from a file: the next stage is made for it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator import BadInput, run
from generator.cli import main
from generator.runs import Run

ROWS = """
[[stage]]
stage = 1
took = { coins = 15, keys = 4, silver_dollar = true }
missed = ["treasure", "secret"]

[[stage]]
stage = 2
took = { heart_containers = 2 }
used = { keys = 3, red_hearts = 5, silver_dollar = true }
"""


def played(folder: Path, text: str = ROWS, name: str = "player.toml") -> Run:
    (folder / name).write_text(text, "utf-8")
    return run("rebirth", 7, player=folder / name)


def test_the_next_stage_is_made_for_what_was_taken_and_used(tmp_path: Path) -> None:
    made = played(tmp_path)
    first, second, third = (made.spec(place).saved()["state"] for place in (1, 2, 3))
    assert (second["coins"], second["keys"], second["silver_dollar"]) == (first["coins"] + 15, 4, True)
    assert (second["treasure_rooms_skipped"], second["heart_containers"]) == (1, 6)
    assert (third["coins"], third["keys"], third["silver_dollar"]) == (15, 1, False)
    assert (third["heart_containers"], third["red_hearts"], third["treasure_rooms_skipped"]) == (8, 1, 1)


def test_what_was_missed_may_come_again_and_what_was_entered_is_remembered(tmp_path: Path) -> None:
    usual, made = run("rebirth", 7).spec(2).saved()["memory"], played(tmp_path).spec(2).saved()["memory"]
    for key in ("layouts", "special_rooms"):
        gone = Counter(usual[key]) - Counter(made[key])
        assert not Counter(made[key]) - Counter(usual[key])
        assert {name.partition("/")[0] for name in gone} == {"treasure", "secret"}
    assert made["bosses"] == usual["bosses"]


def test_a_mini_boss_that_was_entered_is_met_and_one_that_was_missed_is_not(tmp_path: Path) -> None:
    seed = next(n for n in range(1, 99) if any("mini_boss" in k for k in kinds_of(n)))
    for missed, met in (("[]", True), ('["mini_boss"]', False)):
        path = tmp_path / "player.toml"
        path.write_text(f"[[stage]]\nstage = 1\nmissed = {missed}", "utf-8")
        memory = run("rebirth", seed, player=path).spec(2).saved()
        assert memory["state"]["mini_boss_met"] == met == bool(memory["memory"]["mini_bosses"])


def kinds_of(seed: int) -> list[str]:
    return [room.kind for room in run("rebirth", seed)._planned(1).rooms]


def test_json_says_the_same_and_stages_without_a_row_are_as_before(tmp_path: Path) -> None:
    rows = {"stage": [{"stage": 1, "took": {"coins": 15, "keys": 4, "silver_dollar": True}, "missed": ["treasure", "secret"]}]}  # fmt: skip
    made = played(tmp_path, json.dumps(rows), name="player.json")
    assert made.spec(2) == played(tmp_path).spec(2)
    empty = played(tmp_path, "[[stage]]\nstage = 12")
    assert empty.spec(5) == run("rebirth", 7).spec(5)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "player.toml: stage: is missing; add a row [[stage]] for each stage"),
        ("[[stages]]\nstage = 1", "player.toml: stages: unknown key; did you mean stage?"),
        ("[[stage]]\nstage = 1\nfound = []", "player.toml: stage[0].found: unknown key"),
        ("[[stage]]\nmissed = []", "player.toml: stage[0].stage: is missing; give it"),
        ("[[stage]]\nstage = 13", "player.toml: stage[0].stage: 13 is not a whole number from 1 to 12"),
        ("[[stage]]\nstage = 2\n[[stage]]\nstage = 2", "player.toml: stage[1].stage: 2 is there twice"),
        ("[[stage]]\nstage = 1\ntook = { coin = 2 }", "stage[0].took.coin: unknown key; did you mean coins?"),
        ("[[stage]]\nstage = 1\ntook = { coins = -2 }", "stage[0].took.coins: -2 is not a whole number from 0 to 999"),
        ("[[stage]]\nstage = 1\ntook = { luna = 1 }", "stage[0].took.luna: 1 is neither true nor false"),
        ("[[stage]]\nstage = 1\nmissed = ['shops']", "stage[0].missed[0]: unknown room kind 'shops'; did you mean shop?"),
        ("[[stage]]\nstage = 1\nmissed = ['boss']", "stage[0].missed[0]: nobody gets further without a boss room"),
        ("[[stage]]\nstage = 1\nused = { keys = 3 }", "stage[0].used.keys: 3 is more than the 0 that the player"),
        ("[[stage]", "player.toml: "),
    ],
)  # fmt: skip
def test_what_nobody_can_have_done_is_refused_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        played(tmp_path, text).spec(2)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_the_command_takes_the_file(tmp_path: Path) -> None:
    (tmp_path / "player.toml").write_text(ROWS, "utf-8")
    words = ["run", "rebirth", "--seed", "7", "--stages", "2:3", "--stats", "--json"]
    done = CliRunner().invoke(main, [*words, "--player", str(tmp_path / "player.toml")])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["stages"][0]["state"]["coins"] == 15
