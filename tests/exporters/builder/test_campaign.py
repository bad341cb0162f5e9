"""Campaigns are runs: what a stage knows of those before it, whoever makes it and in whatever order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exporters.builder.manifest import load_manifest
from exporters.formats.ldtk.check import problems
from exporters.formats.pack.reader import load_pack
from generator import Level, Run, RunStage, generate, load_level, run
from generator.spec import spec_of
from tests.exporters.builder.games import Game
from tests.generator.test_own_layouts import plain, write

STAGES = """
formats = ["json"]
out = "levels"
[campaign.fall]
spec = "rebirth"
seed = 7
path = "{name}"
stages = [
    { name = "one" },
    { name = "two", set.stage = 2 },
    { name = "heap", spec = "gungeon", set.rooms = 4 },
    { name = "three", spec = "rebirth", set.stage = 3 },
]
"""
FEW = """
formats = ["tiled", "ldtk"]
out = "levels"
[campaign.fall]
spec = "isaac"
seed = 7
stages = [STAGES]
"""
RUN_FILES = {"fall/fall.world", "fall/fall-run.ldtk"}


def levels_of(game: Game) -> dict[str, Level]:
    return {path.name.split(".")[0]: load_level(path) for path in game.levels.glob("*.level.json")}


def test_a_campaign_is_a_run(tmp_path: Path) -> None:
    game = Game(tmp_path, STAGES)
    game.build()
    levels, (one, two, three, *_) = levels_of(game), run("rebirth", 7).stages
    heap = RunStage(spec_of("gungeon", {"rooms": 4}), levels["heap"].seed)
    assert [levels[name] for name in ("one", "two", "heap", "three")] == [*Run([one, two, heap, three])]


def test_a_campaign_without_a_memory_is_made_stage_by_stage(tmp_path: Path) -> None:
    game = Game(tmp_path, STAGES.replace("seed = 7", "seed = 7\nmemory = false"))
    game.build()
    assert levels_of(game)["two"] == generate("rebirth", 7, stage=2)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_any_stage_can_be_made_alone(tmp_path: Path, jobs: str) -> None:
    game = Game(tmp_path, STAGES)
    game.build()
    before = game.files()
    (game.levels / "three.level.json").unlink()
    for saved in (game.levels / ".undercroft" / "levels").rglob("*"):
        if saved.is_file():
            saved.unlink()
    told = game.build(jobs=jobs)
    assert told.written() == {"three.level.json"} and told.counts["generated"] == 1
    assert game.files() == before


def test_a_changed_stage_changes_those_after_it_and_no_others(tmp_path: Path) -> None:
    game = Game(tmp_path, STAGES)
    game.build()
    assert game.build().counts["unchanged"] == 4
    game.change("set.stage = 2", "set.stage = 2, set.champions = 50")
    assert [event["level"] for event in game.build().of("built")] == [
        "fall, two",
        "fall, heap",
        "fall, three",
    ]
    game.change('{ name = "one" },', "")
    assert game.build().written() == {"two.level.json", "heap.level.json", "three.level.json"}
    assert game.run("--check").exit_code == 1  # one.level.json is not asked for any more
    game.change("set.stage = 3", "set.stage = 3, set.state.coins = 77")
    assert game.build().written() == {"three.level.json"}
    assert levels_of(game)["three"].spec.to_dict()["state"]["coins"] == 77


def test_changed_layouts_of_a_stage_count_for_those_after_it(tmp_path: Path) -> None:
    game = Game(tmp_path, STAGES.replace('{ name = "one" }', '{ name = "one", set.layouts = "ours" }'))
    write(tmp_path / "ours", "start/ours.txt", plain("start"))
    game.build()
    write(tmp_path / "ours", "start/more.txt", plain("start"))
    assert game.build().counts["built"] == 4
    assert game.build("--check").counts["same"] == 4


def test_a_pack_of_a_campaign_holds_the_levels_of_the_run(tmp_path: Path) -> None:
    game = Game(tmp_path, STAGES.replace('["json"]', '["json", "pack"]'))
    game.build(jobs="2")
    pack = load_pack(game.levels / "fall.ucpack")
    held = [pack.fingerprint(number) for number in range(4)]
    levels = levels_of(game)
    assert held == [levels[name].fingerprint for name in ("one", "two", "heap", "three")]


def test_all_stages_are_also_in_one_world_and_one_project(tmp_path: Path) -> None:
    both = '{ name = "a", set.stage = 1 }, { name = "b", set.stage = 2 }'
    game = Game(tmp_path, FEW.replace("STAGES", both))
    assert game.build().written() >= RUN_FILES
    assert {event["level"] for event in game.build("--force").of("built")} > {"fall, all stages in ldtk"}
    assert not game.build().of("built") and not game.build("--check").of("differs")
    files = {name: game.levels / name for name in RUN_FILES}
    maps = json.loads(files["fall/fall.world"].read_text("utf-8"))["maps"]
    assert [entry["fileName"] for entry in maps] == ["01-a.tmj", "02-b.tmj"]
    assert problems(files["fall/fall-run.ldtk"]) == []
    files["fall/fall.world"].write_text("{}", "utf-8")
    assert "fall/fall.world" in game.build("--check", status=1).files("differs")
    assert "fall/fall.world" in game.build("--edits", "replace").written()
    game.change("seed = 7", "seed = 7\nmemory = false")
    assert game.build("--prune").files("removed") == sorted(RUN_FILES)


HEAPS = """
formats = ["tiled", "ldtk"]
out = "levels"
[campaign.fall]
spec = "gungeon"
seed = 7
set.rooms = 1
path = "{name}"
stages = [{ name = "a" }, { name = "b" }]
"""


def test_a_project_that_cannot_be_written_keeps_no_other_file_back(tmp_path: Path) -> None:
    game = Game(tmp_path, HEAPS.replace('"b"', '"fall-run"'))  # the name of the project
    told = game.build(status=1)
    said = "fall-run.ldtk belongs to fall-run (ldtk) too, with other content; give the two different folders"
    facts = {"group": "fall", "level": "fall, all stages in ldtk", "reason": said}
    assert told.of("failed") == [{"event": "failed", **facts}]
    assert told.written() >= {"a.ldtk", "fall-run.ldtk", "fall.world"}


def test_stages_in_different_folders_get_no_common_file_and_a_line(tmp_path: Path) -> None:
    game = Game(tmp_path, HEAPS.replace('"{name}"', '"{name}/{name}"'))
    lines = game.run().stderr.splitlines()
    said = "no file shows them together; for one, give them the same folder"
    assert lines == [f"undercroft: fall, all stages in {form}: {said}" for form in ("tiled", "ldtk")]
    assert game.run().stderr == "" and game.build("--check").counts["same"] == 2


def test_maps_of_single_rooms_get_no_world_of_all_stages(tmp_path: Path) -> None:
    game = Game(tmp_path, HEAPS.replace("seed = 7", 'seed = 7\noptions.tiled.split = "rooms"'))
    assert {event["level"] for event in game.build().of("built")} >= {"fall, all stages in ldtk"}
    assert not (game.levels / "fall.world").exists() and not game.build().of("built")


def test_whether_a_campaign_remembers_is_true_or_false(tmp_path: Path) -> None:
    game = Game(tmp_path, STAGES.replace("seed = 7", "seed = 7\nmemory = 3"))
    assert "campaign.fall.memory: 3 is neither true nor false; give one of them" in game.run().stderr
    assert all(group.run is None for group in load_manifest(_without(tmp_path)).groups)


def _without(folder: Path) -> Path:
    return Game(folder, STAGES.replace("seed = 7", "seed = 7\nmemory = false")).folder
