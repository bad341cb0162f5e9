"""`undercroft run`: the levels of a run, what it is like, and its page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import load_level, run
from generator.cli import main
from generator.runs import run_summary
from tests.folders import entries


def undercroft(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def test_it_writes_the_levels_of_a_run(tmp_path: Path) -> None:
    done = undercroft(
        "run", "isaac", "--seed", "7", "--stages", "2:4", "--to", "json", "--out", tmp_path, "--json"
    )
    assert done.exit_code == 0 and done.stderr == ""
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["name"], one["stage"], one["seed"]) for one in told] == [
        ("isaac-7-02", 2, "7"),
        ("isaac-7-03", 3, "7"),
    ]
    made = run("isaac", 7)
    for place in (2, 3):
        assert load_level(tmp_path / f"isaac-7-{place:02}.level.json") == made.level(place)
    assert len(entries(tmp_path)) == 2


def test_a_level_of_a_run_breaks_no_rule(tmp_path: Path) -> None:
    undercroft("run", "rebirth", "--seed", "7", "--stages", "6:7", "--to", "json", "--out", tmp_path)
    done = undercroft("check", tmp_path / "rebirth-7-06.level.json")
    assert (done.exit_code, done.stdout) == (0, "")


def test_tiled_shows_the_levels_of_a_run_side_by_side(tmp_path: Path) -> None:
    undercroft(
        "run",
        "isaac",
        "--seed",
        "7",
        "--stages",
        "1:3",
        *("--to", "tiled", "--to", "json"),
        "--out",
        tmp_path,
    )
    first, second = json.loads((world := tmp_path / "isaac-7.world").read_text("utf-8"))["maps"]
    assert [first["fileName"], second["fileName"]] == ["isaac-7-01.tmj", "isaac-7-02.tmj"]
    assert (first["x"], first["y"], second["y"]) == (0, 0, 0) and second["x"] == first["width"] + 64
    for one in (first, second):
        shown = json.loads((tmp_path / one["fileName"]).read_text("utf-8"))
        assert (one["width"], one["height"]) == (shown["width"] * 16, shown["height"] * 16)
    assert undercroft("check", tmp_path).exit_code == 0  # it takes the world for no level
    done = undercroft("check", world)
    assert done.exit_code == 1 and "is another level of a run; give the map of one level" in done.output


def test_the_project_of_a_run_is_not_taken_for_a_level(tmp_path: Path) -> None:
    undercroft(
        "run", "isaac", "--seed", "7", "--stages", "1:3", "--to", "ldtk", "--to", "json", "--out", tmp_path
    )
    project = tmp_path / "isaac-7-run.ldtk"
    done = undercroft("sync", tmp_path)
    assert (done.exit_code, done.output.count("nothing was edited")) == (0, 2)
    done = undercroft("import", project, "--out", tmp_path / "level")
    assert done.exit_code == 2
    assert (
        done.output
        == f"undercroft: {project}: shows several levels of a run, so changes stay only in this file; "
        "make the change in the project of its level\n"
    )


def test_it_tells_what_a_run_is_like() -> None:
    args = ("run", "rebirth", "--seed", "7", "--set", "stage=9", "--stats")
    table = undercroft(*args).stdout.splitlines()
    told = json.loads(undercroft(*args, "--json").stdout)
    assert [line.split()[0] for line in table[1:5]] == ["9", "10", "11", "12"]
    assert [stage["stage"] for stage in told["stages"]] == [9, 10, 11, 12]
    assert told["rooms"] == sum(stage["rooms"] for stage in told["stages"])
    assert told["layouts"] == sum(stage["new"] for stage in told["stages"])
    assert told["repeats"] == pytest.approx(
        sum(stage["repeats"] for stage in told["stages"]) / told["rooms"], abs=1e-4
    )
    assert told["repeats"] == pytest.approx(1 - told["layouts"] / told["rooms"], abs=1e-4)
    for line, stage in zip(table[1:5], told["stages"], strict=True):
        assert all(name in line for name in (*stage["bosses"], stage["chapter"], str(stage["rooms"])))


def test_it_shows_a_run_on_one_page(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    done = undercroft("run", "isaac", "--seed", "a<b", "--stages", "1:3", "--html", page)
    assert (done.exit_code, done.stdout.strip()) == (0, str(page))
    text = page.read_text("utf-8")
    assert len(re.findall("<tr><th scope=row>", text)) == 2 and "a<b" not in text
    (first, second) = (level for place, level in enumerate(run("isaac", "a<b"), 1) if place < 3)
    for level in (first, second):
        boss = next(m for m in level.markers if m.properties.get("rank") == "boss")
        assert str(boss.properties["name"]) in text
    assert "--seed 'a\\u003cb' --stages 2:3" in text
    assert text.count('"stairs","way on"') == 2
    (curve,) = re.findall(r'<svg[^>]* class="curve".*?</svg>', text)
    stages = run_summary([first, second]).stages
    assert all(f"{place}: {stage.cost / stage.fights:.1f}" in curve for place, stage in enumerate(stages, 1))
    assert curve.count("<circle") == 6 and stages[0].enemies == sum(m.kind == "enemy" for m in first.markers)
    assert entries(tmp_path) == [page]


@pytest.mark.parametrize(("style", "stages", "is_told"), [("rebirth", "2:3", True), ("isaac", "1:2", False)])
def test_a_page_tells_why_its_table_has_fewer_rooms_than_its_cards(
    style: str, stages: str, is_told: bool
) -> None:
    page = undercroft("run", style, "--seed", "7", "--stages", stages, "--html", "-").stdout
    (level,) = (level for place, level in enumerate(run(style, 7), 1) if f"{place}:{place + 1}" == stages)
    (told,) = re.findall(r'<p class="sum"><b>(\d+)</b> rooms', page)
    assert (int(told) < len(level.rooms)) == is_told == ("without red ones, unlike the cards" in page)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("gungeon", "--set", "chapter=abyss"),
            "run: chapter: abyss has no level in a run; give one of cellar,",
        ),
        (
            ("isaac", "--stages", "3"),
            "--stages: '3' is not a part of this run; give A:B within 1 to 13, such as",
        ),
        (("isaac", "--stages", "0:4"), "--stages: '0:4' is not a part of this run"),
        (("isaac", "--stages", "4:4"), "--stages: '4:4' is not a part of this run"),
        (("isaac", "--set", "stage=5", "--stages", "4:6"), "give A:B within 5 to 13"),
        (("isaac", "--stages", "9:99999999999999999999"), "--stages: "),
        (("isaac", "--seed", "-1"), "seed: -1 is out of range"),
        (
            ("isaac", "--stats", "--to", "png"),
            "--to: does not go with --stats, which writes no levels; leave it",
        ),
        (("isaac", "--stats", "--theme", __file__), "--theme: does not go with --stats"),
        (("isaac", "--html", "x.html", "--out", "x"), "--out: does not go with --html"),
        (("nowhere",), "'nowhere' is neither a preset nor a TOML file"),
    ],
)
def test_bad_input_is_reported_in_one_line(args: tuple[str, ...], said: str) -> None:
    done = undercroft("run", *args)
    assert done.exit_code == 2 and said in done.stderr and done.stderr.count("\n") == 1


def test_json_names_the_page_too(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    done = undercroft("run", "isaac", "--seed", "7", "--stages", "1:3", "--html", page, "--json")
    facts = {"files": [str(page)], "levels": 2, "bytes": page.stat().st_size}
    facts |= {"kept": [], "misfits": [], "edits": []}
    assert json.loads(done.stdout) == {"event": "written", **facts}
