"""`undercroft check` of a whole project: what it reads there, and with which kit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import GungeonSpec, generate
from generator.cli import main
from generator.serialise import dumps

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
ROOM = "map:\n" + ".............\n" * 7


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, args)))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few_of_a_kit: None) -> Path:
    """A project as `init` begins it, and the current folder."""
    monkeypatch.chdir(tmp_path)
    assert run("init", "--ci", "none").exit_code == 0
    return tmp_path


def problems(*args: str | Path) -> list[str]:
    done = run("check", *args)
    told = done.stdout.splitlines()
    assert done.exit_code == bool(told), done.output
    assert done.stderr.endswith(" checked, no problems\n") is not bool(told)
    return told


def with_kit(name: str, project: Path) -> Path:
    if name == "new":
        assert run("kit", "new", "our-kit").exit_code == 0
        return project / "our-kit"
    return shutil.copytree(EXAMPLES / name, project / name)


@pytest.mark.parametrize("name", ["new", "garden", "orbital"])
def test_a_kit_in_a_project_is_read_with_its_own_rows(name: str, project: Path) -> None:
    kit = with_kit(name, project)
    assert problems(".") == []
    assert problems(kit) == problems(kit / "layouts") == problems(*sorted(kit.rglob("*.txt"))) == []
    assert problems(*sorted(kit.glob("*.toml"))[:2]) == []
    assert run("layouts", "check", kit / "layouts").stdout == ""
    layout = next(kit.rglob("*.txt"))
    layout.write_text(layout.read_text("utf-8") + "..@..\n", "utf-8")
    places = (kit / "layouts", layout.parent, layout)
    for place in (project, kit, *places):
        told = problems(place)
        assert told and all(line.startswith(f"{layout}:") for line in told), told


def test_all_files_of_a_kit_are_checked_once(project: Path) -> None:
    kit = with_kit("orbital", project)
    mission = kit / "mission.toml"
    mission.write_text(mission.read_text("utf-8").replace('chance = "3/4"', 'chance = "3/0"'), "utf-8")
    for path in (".", "orbital", "orbital/mission.toml", "orbital/kit.toml"):
        (line,) = problems(path)
        assert "orbital/mission.toml: special_room.medbay.chance: " in line
    assert json.loads(run("check", ".", "--json").stdout.splitlines()[0])["file"] == "orbital/kit.toml"


def test_files_below_a_kit_that_are_not_its_own_are_checked_too(project: Path) -> None:
    kit = with_kit("orbital", project)
    theme = kit / "theme" / "orbital.toml"
    theme.write_text(theme.read_text("utf-8").replace("tile_size = ", "tile_size = 99999"), "utf-8")
    for path in (".", "orbital"):
        assert problems(path) and all("orbital/theme/orbital.toml: " in line for line in problems(path))


@pytest.mark.parametrize("by", ["spec", "manifest"])
def test_layouts_that_are_used_with_a_kit_are_read_with_it(by: str, project: Path) -> None:
    kit = with_kit("new", project)
    for pool in (kit / "layouts").iterdir():
        shutil.copytree(pool, project / "rooms" / pool.name)
    assert problems(".") != []
    named = 'kit = "{0}our-kit"\nlayouts = "{0}rooms"\n'
    if by == "spec":
        path = project / "specs" / "dungeon.toml"
        path.write_text(named.format("../") + path.read_text("utf-8"), "utf-8")
    else:
        path = project / "undercroft.toml"
        path.write_text(path.read_text("utf-8") + "\n[group.dungeon.set]\n" + named.format(""), "utf-8")
    assert problems(".") == []
    (project / "rooms" / "garden" / "more.txt").write_text(ROOM.replace("..\n", ".@\n", 1), "utf-8")
    assert any(line.startswith("rooms/garden/more.txt:2: column 13: ") for line in problems("."))


FOREIGN = {
    "requirements.txt": "numpy==2.0\n",
    "CMakeLists.txt": "project(game)\n",
    "LICENSE.txt": "Permission is hereby granted to\n  map: nothing\n",
    "notes.txt": b"\xff\x00",
    "package.json": '{"name": "game", "version": "1.0.0"}',
    "tsconfig.json": '{"compilerOptions": {}, // a comment\n}',
    "locale/en.json": '["a", "b"]',
    "level.schema.json": '{"properties": {"format": {"const": "undercroft-level"}}}',
    "pyproject.toml": '[project]\nname = "game"\n[tool.yapf]\nstyle = "pep8"\n[tool.x.group.dev]\nspec = 1\n',
    "Cargo.toml": '[package]\nname = "game"\n',
    "wrangler.toml": 'name = "game"\nmain = "src/index.js"\nimage = "x"\n',
    "broken.toml": '[tool.yapf]\nstyle = "pep8"\nx = = 3\n',
    "world.ldtk": '{"jsonVersion": "1.4.1", "levels": []}',
    "options.toml": "[png]\nscale = 2\n",
}


def test_files_of_other_programs_are_left_alone_in_a_folder(project: Path) -> None:
    for name, text in FOREIGN.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run("build").exit_code == 0
    (project / "levels" / "dungeon" / "dungeon-1.txt").write_text("  ....\n  .##.\n", "utf-8")
    assert problems(".") == []
    for name in FOREIGN:
        assert problems(name) != [], name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.level.json", "{"),
        ("a.json", '{"format" : "undercroft-level", '),
        ("room.txt", "// a pond\nwait: 3\nmap:\n...\n"),
        ("a.toml", "style = 'isac'"),
        ("a.toml", "stage = 3\nstyle = = 'isaac'"),
        ("a.toml", "[state]\ncoins = 3\n[group.a]\nseeds = = 3"),
        ("a.toml", "[campaign.a]\n"),
        ("undercroft.toml", "out = 'levels'"),
        ("undercroft.toml", ""),
        ("a.toml", "tile_size = 0"),
        ("a.toml", "tileset = 'none.tsj'"),
        ("a.toml", "[flow.a]\n"),
        ("a.ldtk", '{"defs": {"enums": [{"identifier" : "RoomKind"'),
        ("a.ucpack", "x"),
        ("a/kit.toml", "= 3"),
    ],
)
def test_broken_files_of_ours_are_found_in_a_folder(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, "utf-8")
    assert problems(tmp_path) and all(str(tmp_path / name) in line for line in problems(tmp_path))


def test_a_broken_spec_that_a_manifest_names_is_told(project: Path) -> None:
    (project / "specs" / "dungeon.toml").write_text("\x00", "utf-8")
    (line,) = problems(".")
    assert line.startswith("undercroft.toml: group.dungeon.spec: ") and "dungeon.toml: is not TOML" in line


def test_a_theme_of_a_manifest_is_read_with_the_kit_of_its_levels(project: Path) -> None:
    """A slip in a kit's theme was no problem, and then no level of the group could be drawn."""
    theme = with_kit("orbital", project) / "theme" / "orbital.toml"
    manifest, named = project / "undercroft.toml", 'theme = "orbital/theme/orbital.toml"\n'
    text = named + manifest.read_text("utf-8") + '\n[group.dungeon.set]\nkit = "orbital"\n'
    manifest.write_text(text, "utf-8")
    assert problems(".") == []
    theme.write_text(theme.read_text("utf-8").replace("[decor.crate]", "[decor.crat]"), "utf-8")
    (line,) = problems("undercroft.toml")
    assert line.startswith("undercroft.toml: group.dungeon.theme: ")
    assert line.endswith("orbital.toml: decor.crat: unknown key; did you mean crate?")


def test_a_folder_with_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}", "utf-8")
    done = run("check", tmp_path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"undercroft: {tmp_path}: nothing to check; ")


def test_problems_of_other_paths_are_told_beside_a_folder_with_nothing_of_ours(tmp_path: Path) -> None:
    empty, broken = tmp_path / "empty", tmp_path / "cellar.toml"
    empty.mkdir()
    broken.write_text("style = 'isaac'\nstage = 99\n", "utf-8")
    for paths in ((broken, empty), (empty, broken)):
        done = run("check", *paths)
        assert (done.exit_code, done.stdout.count("\n")) == (2, 1)
        assert done.stdout.startswith(f"{broken}: stage: 99 is ")
        assert done.stderr.startswith(f"undercroft: {empty}: nothing to check; ")
    events = [json.loads(line)["event"] for line in run("check", empty, broken, "--json").stdout.splitlines()]
    assert events == ["problem", "error"]


def test_layouts_of_a_kit_are_shown_with_that_kit(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kit = with_kit("garden", project)
    for path in (kit / "layouts", next(kit.rglob("*.txt"))):
        done = run("layouts", "show", path)
        assert (done.exit_code, done.stderr) == (0, "") and done.stdout
        assert done.stdout == run("layouts", "show", path, "--kit", kit).stdout
    shipped = run("layouts", "show", "boss/colosseum").stdout
    monkeypatch.chdir(kit)  # the name of a shipped pool is no path
    assert run("layouts", "show", "boss/colosseum").stdout == shipped


def test_a_level_under_another_name_is_still_a_level(tmp_path: Path) -> None:
    table = dict(sorted(generate("isaac", 7).to_dict().items()))
    (tmp_path / "x.json").write_text(json.dumps(table, indent=4), "utf-8")
    assert problems(tmp_path) == []
    (tmp_path / "x.json").write_text(json.dumps({**table, "style": "x"}), "utf-8")
    assert len(problems(tmp_path)) == 1
    (tmp_path / "x.json").write_bytes(dumps(generate("isaac", 7))[:-9])
    assert len(problems(tmp_path)) == 1


def test_success_is_said_in_one_line_on_standard_error(project: Path) -> None:
    """How many files or flows were checked; of a kit, its kit.toml stands for all."""
    with_kit("new", project)
    rooms = project / "rooms" / "normal" / "any" / "easy"
    rooms.mkdir(parents=True)
    (rooms / "a.txt").write_text(ROOM, "utf-8")
    for words, said in (
        (("check", "."), "4 files"),
        (("check", "undercroft.toml", "specs"), "2 files"),
        (("check", "our-kit"), "1 file"),
        (("layouts", "check", "rooms"), "1 file"),
        (("flow", "check", "hub", "hub, rings 2", "--seeds", "1"), "3 flows"),
    ):
        done = run(*words)
        assert (done.exit_code, done.stdout) == (0, "")
        assert done.stderr == f"undercroft: {said} checked, no problems\n"
        done = run(*words, "--json")
        assert (done.stderr, json.loads(done.stdout)) == ("", {"event": "done", "problems": 0})


def test_a_name_that_is_too_long_is_refused_and_the_others_are_checked(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("style = 3", "utf-8")
    long = "x" * 300
    done = run("check", f"{long}.toml", f"{long}/x.json", tmp_path)
    assert done.exit_code == 2
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == [str(tmp_path / "a.toml")]
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [f"{long}.toml", f"{long}/x.json"]


@pytest.mark.parametrize("aside", ["one.level.mine.json", "one.level.mine-2.json", "one.level.new.json"])
def test_a_level_that_was_put_aside_is_read_only_by_name(aside: str, tmp_path: Path) -> None:
    (tmp_path / "one.level.json").write_bytes(dumps(generate("isaac", 1)))
    (tmp_path / aside).write_text("{}")
    assert CliRunner().invoke(main, ["check", str(tmp_path)]).exit_code == 0
    assert CliRunner().invoke(main, ["check", str(tmp_path / aside)]).exit_code == 1


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"rooms": 5}, "it is not led, but connected at random: fewer than 6 rooms"),
        (
            {"enemy_rooms": (1, 1), "chest_rooms": (7, 7)},
            "6 of its rooms lie where no rule of their kind asks: chest on_a_loop, chest dead_end",
        ),
    ],
    ids=["not led", "unmet"],
)
def test_check_and_show_say_what_a_led_level_lacks(
    values: dict[str, object], told: str, tmp_path: Path
) -> None:
    file = tmp_path / "odd.level.json"
    file.write_bytes(dumps(generate(GungeonSpec().replace(values), 1)))
    checked = run("check", file)
    assert checked.exit_code == 0
    assert checked.stderr.splitlines()[0].endswith(f"note: {file}: {told}")
    note = json.loads(run("check", file, "--json").stdout.splitlines()[0])
    assert note == {"event": "note", "file": str(file), "note": f"{file}: {told}"}
    assert told in run("show", file).stdout.splitlines()
