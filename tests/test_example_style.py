"""The example of a style in a package of its own: installed, it passes every command and every export."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import pytiled_parser

import exporters
from exporters.formats.ldtk.check import problems as ldtk_problems
from generator import Level, LevelError, SpecError, generate, reroll, search, stats
from generator.checks import problems
from generator.level_file import load_level
from generator.pipeline import generate as generate_level
from generator.serialise import dumps
from generator.spec import describe
from generator.styles.registry import style
from tests.exporters.formats.godot.conftest import Project
from tests.exporters.formats.godot.test_walking_in_godot import CLOSE
from tests.folders import entries
from tests.other_packages import CAVES, ROOT, install, installed_here, undercroft
from tests.typed import mypy

PROJECT = tomllib.loads((CAVES / "pyproject.toml").read_text("utf-8"))["project"]
((NAME, _),) = PROJECT["entry-points"]["undercroft.styles"].items()
SCHEMA = json.loads((ROOT / "generator" / "level.schema.json").read_text("utf-8"))

Run = Callable[..., str]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(CAVES, tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("game")


@pytest.fixture(scope="module")
def run(packages: Path, folder: Path) -> Run:
    """Runs the command in the folder; what it printed. Anything on standard error fails."""

    def running(*args: str) -> str:
        done = undercroft(packages, folder, *args)
        assert done.returncode == 0
        assert done.stderr == "" or (args[0] == "check" and done.stderr.endswith("no problems\n"))
        return done.stdout

    return running


@pytest.fixture(scope="module")
def made(run: Run, folder: Path) -> Path:
    """The level file of seed 3; beside it are the files of all formats."""
    run("generate", NAME, "--seed", "3", "--out", "levels")
    return folder / "levels" / f"{NAME}-3.level.json"


@pytest.fixture
def here(packages: Path) -> Iterator[None]:
    with installed_here(packages):
        yield


@pytest.fixture
def level(here: None, made: Path) -> Level:
    return load_level(made)


def test_no_file_of_ours_knows_its_name() -> None:
    files = [
        path
        for folder in ("generator", "exporters", "godot_addon")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".gd", ".json", ".js", ".toml"} and "godot_addon/.godot" not in str(path)
    ]
    assert len(files) > 300
    spellings = (f'"{NAME}"', f"'{NAME}'", f"import {NAME}", f"from {NAME}", PROJECT["name"])
    knowing = [path for path in files if any(each in path.read_text("utf-8") for each in spellings)]
    assert knowing == []


@pytest.mark.usefixtures("here")
def test_the_library_asks_for_its_own_facts() -> None:
    hits = list(search(NAME, "count('grotto') >= 0 and longest_tunnel > 0", range(2)))
    assert [hit.seed for hit in hits] == [0, 1] and "longest_tunnel" in hits[0].facts
    assert set(stats(NAME, range(2), facts=["longest_tunnel"]).facts) == {"longest_tunnel", "failed"}
    assert "longest_tunnel" in stats(NAME, range(2)).facts


@pytest.mark.xdist_group("types")
def test_its_types_hold() -> None:
    """As strict as our own code, because people will copy it."""
    done = mypy("--strict", "--config-file=", "-p", NAME, cwd=CAVES)
    assert done.returncode == 0, done.stdout


# --- levels ------------------------------------------------------------------------------------------


def test_its_levels_are_sound_however_odd_the_spec(here: None) -> None:
    """By every check of ours and its own; the same seed gives the same bytes."""
    odd: list[dict[str, Any]] = [{}, {"body": 2}, {"chambers": 1, "chests": 0, "grottoes": 0}]
    for key in (row["key"] for row in describe(style(NAME).spec)):
        row = next(each for each in describe(style(NAME).spec) if each["key"] == key)
        if key not in ("body", "kit", "chambers", "chamber_size"):
            odd += [{key: row["low"]}, {key: row["high"]}]
    for seed, values in enumerate(odd):
        level = generate(NAME, seed, **values)
        assert [str(each) for each in problems(level)] == [], values
        assert {"start", "boss"} <= {room.kind for room in level.rooms}
    assert dumps(generate(NAME, 5)) == dumps(generate(NAME, 5)) != dumps(generate(NAME, 6))


def test_its_level_fits_the_schema_and_comes_back(level: Level, made: Path) -> None:
    data = made.read_bytes()
    assert [
        error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(json.loads(data))
    ] == []
    assert dumps(level) == data == dumps(generate(NAME, 3))
    own = set(style(NAME).room_kinds)
    assert own and own <= {room.kind for room in level.rooms}


def test_it_rolls_rooms_again(level: Level) -> None:
    """Layouts, markers and kinds, its own kind among them; the others stay, and the level can be made anew."""
    (own,) = style(NAME).room_kinds
    normal = next(room.id for room in level.rooms if room.kind == "normal")
    rolled = reroll(reroll(level, room=normal), room=normal, what="markers")
    assert [room for room in rolled.rooms if room.id != normal] == [r for r in level.rooms if r.id != normal]
    kinds, changed = set(), rolled
    for _ in range(3):
        changed = reroll(changed, room=normal, what="kind")
        kinds.add(changed.rooms[normal].kind)
    assert kinds == {"normal", "chest", own}
    for one in (rolled, changed, reroll(level, pin=[0])):
        assert [str(each) for each in problems(one)] == []
        assert generate_level(one.spec, one.seed, rerolls=one.rerolls) == one


# --- exports, read by real readers ---------------------------------------------------------------------


def test_every_format_is_written_and_exported_again(run: Run, made: Path, folder: Path) -> None:
    run("export", str(made), "--out", "again")
    again = {path.name: path.read_bytes() for path in entries(folder / "again")}
    first = {path.name: path.read_bytes() for path in entries(made.parent)}
    assert again == first
    stem = f"{NAME}-3"
    assert {f"{stem}.level.json", f"{stem}.tscn", f"{stem}.tmj", f"{stem}.ldtk", f"{stem}.png"} <= set(first)


def test_ldtk_and_tiled_read_it(made: Path, level: Level) -> None:
    stem = made.with_name(f"{NAME}-3")
    assert [str(each) for each in ldtk_problems(stem.with_suffix(".ldtk"))] == []
    tiled = pytiled_parser.parse_map(stem.with_suffix(".tmj"))
    assert (tiled.map_size.width, tiled.map_size.height) == (level.width, level.height)


@pytest.mark.xdist_group("godot")
def test_in_godot_a_way_leads_to_the_boss_and_all_rooms(level: Level, tmp_path: Path) -> None:
    project = Project(tmp_path)
    exporters.export(level, "godot", name="level").write(tmp_path)
    project.begin()
    kinds = {marker.kind: [marker.x, marker.y] for marker in level.markers if marker.kind != "enemy"}
    free = level.passable("walk")
    places = [
        next(
            [x, y]
            for x, y in ((x - dx, y - dy) for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)))
            if free[y, x]
        )
        for x, y in (door.tiles[0] for door in level.doors)
    ]
    start, boss = kinds["player_start"], kinds["boss"]
    asked = {"rays": [], "steps": [], "start": start, "targets": [boss, *places], "hallways": []}
    answer = project.ask("walk.gd", "level.tscn", asked)
    assert len(answer["paths"]) == 1 + len(places) and all(rest < CLOSE for rest in answer["paths"])


# --- commands ------------------------------------------------------------------------------------------


def test_it_is_listed_and_described(run: Run, folder: Path) -> None:
    """Its name stands for its defaults wherever a preset's name may stand."""
    assert style_line(run("presets")) == f"{NAME} ragged chambers in the rock, joined by winding tunnels"
    (folder / "mine.toml").write_text(run("presets", NAME) + "chambers = 3\n", "utf-8")
    assert json.loads(run("describe", "mine.toml"))["given"]["chambers"] == 3
    table = json.loads(run("describe"))
    (preset,) = (row for row in table["presets"] if row["name"] == NAME)
    assert preset["style"] == NAME and preset["given"]["chambers"] == 7
    values = {row["key"]: row for row in table["styles"][NAME]["values"]}
    assert all(row["help"] and row["group"] for row in values.values())
    assert json.loads(run("describe", NAME))["values"] == table["styles"][NAME]["values"]


def style_line(listed: str) -> str:
    return next(" ".join(line.split()) for line in listed.splitlines() if line.startswith(NAME))


def test_it_is_shown_and_checked(run: Run, made: Path) -> None:
    shown = run("show", str(made))
    assert shown == run("show", NAME, "--seed", "3")
    assert "grotto" in shown and "?" not in shown
    assert "grotto" in run("show", NAME, "--floorplan", "--set", "grottoes=2")
    assert run("check", str(made), str(made.with_name(f"{NAME}-3.ldtk"))) == ""
    assert run("audit", NAME, "--seeds", "0:5", "--set", "body=2") == "5 levels, 0 with problems\n"


def test_its_rooms_are_rolled_again(run: Run, made: Path) -> None:
    out = made.parents[1] / "rolled.level.json"
    said = run("reroll", str(made), "--room", "2", "--room", "3", "--what", "kind", "--out", str(out))
    assert said.splitlines()[-1] == str(out)
    assert run("check", str(out)) == ""


def test_its_own_facts_are_searched_counted_shown_and_packed(run: Run, made: Path) -> None:
    assert "longest_tunnel" in run("search", NAME, "--facts") and "longest_tunnel" not in run(
        "search", "--facts"
    )
    where = 'longest_tunnel > 20 and count("grotto") == 1 and rooms.grotto.distance > 0'
    in_workers = ("--jobs", "2")  # they find it too
    hits = run("search", NAME, "--seeds", "0:12", "--where", where, "--json", *in_workers).splitlines()
    *found, end = map(json.loads, hits)
    assert found and all(hit["facts"]["longest_tunnel"] > 20 for hit in found)
    assert end["event"] == "done" and end["found"] == len(found)
    counted = json.loads(run("stats", NAME, "--seeds", "0:6", "--json"))["facts"]
    assert counted['count("grotto")'] == [[1, 6]]
    assert sum(count for _, count in counted["longest_tunnel"]) == 6
    run("stats", NAME, "--seeds", "0:3", "--html", "stats.html")
    page = (made.parents[1] / "stats.html").read_text("utf-8")
    assert "tiles of the longest tunnel" in page

    run("gallery", NAME, "isaac", "--seeds", "0:2", "--where", "longest_tunnel > 0 or rooms > 0")
    run("gallery", str(made), "--where", "longest_tunnel > 0", "--out", "saved.html")
    for name in ("gallery.html", "saved.html"):
        assert '"longest_tunnel"' in (made.parents[1] / name).read_text("utf-8")

    run("pack", NAME, "isaac", "--seeds", "0:2", "--out", "game.ucpack")
    own, _, foreign, _ = map(json.loads, run("show", "game.ucpack", "--json").splitlines())
    assert own["facts"]["longest_tunnel"] > 0 and own["facts"]["count.grotto"] == 1
    assert foreign["facts"].get("longest_tunnel") is None
    assert run("check", "game.ucpack") == ""


def test_the_library_too_knows_its_own_kinds_and_facts(here: None) -> None:
    hits = search(NAME, 'count("grotto") == 1 and longest_tunnel > 0', range(2))
    assert [hit.seed for hit in hits] == [0, 1]
    counted = stats(NAME, range(2), facts=["count", "longest_tunnel"])
    assert counted.facts['count("grotto")'] == {1: 2}
    assert sum(counted.facts["longest_tunnel"].values()) == 2


def test_it_is_built_by_a_manifest(run: Run, folder: Path) -> None:
    """Groups and campaigns, with another style beside it; nothing is done twice."""
    (folder / "undercroft.toml").write_text(
        f'formats = ["json", "godot"]\n[group.depths]\nspec = "{NAME}"\nset.chambers = 3\nseeds = "0:2"\n'
        f'[campaign.run]\nseed = 7\nspec = "{NAME}"\n'
        'stages = [{ name = "upper" }, { name = "lower", set.chambers = 9 }, { name = "end", spec = "isaac" }]\n',
        "utf-8",
    )
    told = json.loads(run("build", "--json").splitlines()[-1])
    assert {name: counts["built"] for name, counts in told["groups"].items()} == {"depths": 2, "run": 3}
    run("build", "--check")
    assert run("check", "build") == run("check", "undercroft.toml") == ""


# --- where it is not installed -------------------------------------------------------------------------


def test_a_level_of_a_style_that_is_missing_is_refused_in_a_line(made: Path, tmp_path: Path) -> None:
    says = rf"{made.name}: spec: style: '{NAME}' is not installed; install the package that adds it"
    with pytest.raises(LevelError, match=says):
        load_level(made)
    with pytest.raises(SpecError, match=f"'{NAME}' is neither a preset nor a TOML file"):
        generate(NAME)
    done = undercroft(tmp_path, tmp_path, "check", str(made))
    assert done.returncode == 1 and len(done.stdout.splitlines()) == 1 and not done.stderr
    assert f"'{NAME}' is not installed" in done.stdout
