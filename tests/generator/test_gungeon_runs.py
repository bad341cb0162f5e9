"""Runs of `gungeon`: a level for each chapter, what they remember of each other, and what a run injects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import exporters
from generator import GungeonSpec, Level, Run, SpecError, generate, load_level, problems, reroll, run
from generator.cli import main
from generator.kinds import read_kit, shipped_kit
from generator.runs import run_summary

SMALL: Mapping[str, Any] = {"flow": "led 1", "enemy_rooms": (5, 6), "chest_rooms": (1, 2)}
PROCEDURES = ("lazy-flood", "four-islands", "fallen-bridge")
CHAPTERS = ["cellar", "caverns", "depths", "hollow", "keep"]


def spec_of(level: Level) -> GungeonSpec:
    assert isinstance(level.spec, GungeonSpec)
    return level.spec


def drawn(level: Level) -> list[str]:
    """The layouts and centrepieces of the rooms: all but those that only a procedure furnishes."""
    return [name for room in level.rooms if (name := room.layout.partition("+")[0]) not in PROCEDURES]


def bosses(level: Level) -> list[str]:
    return [str(marker.properties["name"]) for marker in level.markers if marker.kind == "boss"]


def injected(level: Level) -> list[str]:
    return [name for name in str(level.facts.get("injections", "")).split(", ") if name]


@pytest.fixture(scope="module", params=[1, 6])
def played(request: pytest.FixtureRequest) -> tuple[Run, list[Level]]:
    made = run("gungeon", request.param, **SMALL)
    return made, list(made)


def test_a_run_has_the_chapters_and_what_a_spec_sets_itself(played: tuple[Run, list[Level]]) -> None:
    made, levels = played
    specs = [spec_of(level) for level in levels]
    assert [spec.chapter for spec in specs] == CHAPTERS
    assert [spec.memory.place for spec in specs] == [1, 2, 3, 4, 5]
    assert {spec.enemy_rooms for spec in specs} == {(5, 6)}
    assert [spec.enemy_stages[0] for spec in specs] == [1, 3, 4, 8, 11]
    assert {level.seed for level in levels} == {made.seed(1)} and not any(map(problems, levels))


def test_no_layout_and_no_boss_twice(played: tuple[Run, list[Level]]) -> None:
    _, levels = played
    layouts = Counter(name for level in levels for name in drawn(level))
    assert max(layouts.values()) == 1
    met = [name for level in levels for name in bosses(level)]
    assert len(met) == len(set(met)) == 5
    rows = shipped_kit().rules.chapters
    assert all(
        name in rows[chapter].bosses
        for level, chapter in zip(levels, CHAPTERS, strict=True)
        for name in bosses(level)
    )
    for level, chapter in zip(levels, CHAPTERS, strict=True):
        others = {
            name
            for row in rows.values()
            if row.name != chapter
            for name in dict(row.gungeon or ()).get("pool", ())
        }
        assert others.isdisjoint(drawn(level))


def test_a_level_of_a_run_remembers_and_is_made_again_alone(
    played: tuple[Run, list[Level]], tmp_path: Path
) -> None:
    _, levels = played
    memory = spec_of(levels[3]).memory
    assert set(memory.layouts) == {name for level in levels[:3] for name in drawn(level)}
    assert set(memory.bosses) == {name for level in levels[:3] for name in bosses(level)}
    assert Counter(memory.injections) == Counter(name for level in levels[:3] for name in injected(level))
    exporters.export(levels[3], "json", name="x").write(tmp_path)
    saved = load_level(tmp_path / "x.level.json")
    assert saved == generate(saved.spec, saved.seed)
    ahead = run(saved.spec, saved.seed)
    assert len(ahead) == 2 and ahead.level(2) == levels[4]


def test_injections_come_as_often_as_their_rows_say() -> None:
    """In floorplans of flows and of led levels, and with their markers."""
    seen: Counter[str] = Counter()
    for seed, flow in ((1, "hub"), (2, "led 1"), (3, "led 1")):
        for level in run("gungeon", seed, chapter="depths", flow=flow, enemy_rooms=(5, 6)):
            seen.update(injected(level))
            assert problems(level) == []
            for name in injected(level):
                markers = [m for m in level.markers if m.properties.get("injection") == name]
                assert len(markers) == 1 and markers[0].room is not None
                if name == "secret_floor":
                    room = level.rooms[markers[0].room]
                    assert (room.kind, room.layout.partition("+")[0]) == ("chest", "chest/crypt-prize")
                    assert markers[0].properties["to"] == "abyss"
    assert seen["secret_floor"] and seen["locked_chest"] == seen["chest_key"] > 0


def test_rooms_of_a_run_are_rolled_again(played: tuple[Run, list[Level]]) -> None:
    _, levels = played
    level = next(level for level in levels if injected(level))
    marker = next(marker for marker in level.markers if "injection" in marker.properties)
    boss = next(room.id for room in level.rooms if room.kind == "boss")
    assert marker.room is not None
    for room, what in ((marker.room, "layout"), (marker.room, "markers"), (boss, "layout")):
        rolled = reroll(level, room=room, what=what)
        assert rolled != level and problems(rolled) == [] and bosses(rolled) == bosses(level)
        assert Counter(
            injection for m in rolled.markers if (injection := m.properties.get("injection"))
        ) == Counter(injection for m in level.markers if (injection := m.properties.get("injection")))


def test_a_level_alone_has_no_memory() -> None:
    level = generate("gungeon", 7, rooms=6)
    assert not {"memory", "state"} & level.to_dict()["spec"].keys()
    assert all("name" not in marker.properties for marker in level.markers if marker.kind == "boss")


KIT = 'name = "ours"\n'


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            '[chapter.cellar.gungeon]\nflow = "hubs"',
            "chapter.cellar.gungeon.flow: unknown flow 'hubs'; did you mean hub?",
        ),
        (
            '[chapter.cellar.gungeon]\npool = ["normal/fights/cels"]',
            "pool: unknown normal layout 'normal/fights/cels'; did",
        ),
        (
            '[chapter.cellar.gungeon]\npool = ["cells"]',
            "pool: 'cells' is not a layout; give one such as normal/fights/",
        ),
        ("[chapter.cellar.gungeon]\nenemy_rooms = [4, 3]", "gungeon.enemy_rooms: [4, 3] is out of order"),
        ("[chapter.cellar.gungeon]\nrooms = 4", "chapter.cellar.gungeon.rooms: unknown key"),
        ('[injection.a]\nmarker = "item"', "injection.a: adds nothing; give room, or into with a marker"),
        (
            '[injection.a]\ninto = "chst"\nmarker = "item"',
            "injection.a.into: unknown room kind 'chst'; did you mean chest?",
        ),
        ('[injection.a]\ninto = "chest"', "injection.a: has no marker; give one"),
        (
            '[injection.a]\ninto = "start"\nmarker = "player_start"',
            "injection.a.marker: room.start has just 1 player_start markers by its row",
        ),
        (
            '[injection.a]\ninto = "chest"\nmarker = "item"\nonly = ["coin > 3"]',
            "injection.a.only: unknown fact 'coin'; did",
        ),
        (
            '[injection.a]\nroom = { kind = "boss" }',
            "injection.a.room.kind: boss rooms cannot be added; give another",
        ),
        (
            '[injection.a]\nroom = { kind = "chest", layout = "chest/cel" }',
            "injection.a.room.layout: unknown chest layout",
        ),
        (
            '[injection.a]\ninto = "chest"\nmarker = "item"\nalong_with = "b"',
            "injection.a.along_with: unknown injection 'b'",
        ),
        (
            '[injection.a]\ninto = "chest"\nmarker = "item"\nchapters = ["x"]',
            "injection.a.chapters: unknown chapter 'x'",
        ),
    ],
)
def test_a_wrong_row_is_one_line(rows: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "kit.toml").write_text(f"{KIT}{rows}\n", "utf-8")
    done = CliRunner().invoke(main, ["check", str(tmp_path)])
    lines = done.output.splitlines()
    assert done.exit_code == 1 and len(lines) == 1 and "kit.toml: " in lines[0] and said in lines[0], (
        done.output
    )


def test_a_chapter_without_a_level_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"^run: chapter: abyss has no level in a run; give one of cellar, "):
        run("gungeon", 1, chapter="abyss")
    (tmp_path / "kit.toml").write_text(f'{KIT}without = ["chapter.caverns", "room.chest"]\n', "utf-8")
    kit = read_kit(tmp_path)
    assert [row.name for row in kit.rules.injections] == ["captive_shopkeeper"]
    assert [stage.spec.to_dict()["chapter"] for stage in run("gungeon", 1, kit=str(tmp_path)).stages] == [
        name for name in CHAPTERS if name != "caverns"
    ]


def test_rooms_without_a_drawn_layout_repeat_none() -> None:
    level = generate("gungeon", 7, enemy_rooms=[5, 6])
    names = [room.layout for room in level.rooms]
    assert names.count("lazy-flood") > 1
    summary = run_summary([level])
    assert summary.rooms == len(level.rooms) and summary.repeats == 0
    assert summary.stages[0].repeats == 0
    assert set(summary.layouts) == {name.partition("+")[0] for name in names if "/" in name}
