"""What is wrong with a folder of layouts as a whole: `check` tells whatever levels would refuse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import load_level
from generator.cli import main
from generator.errors import UndercroftError
from generator.interiors.own_layouts import own_layouts
from generator.kinds import shipped_kit
from tests.exporters.layouts.drawn.files import plain
from tests.exporters.layouts.drawn.test_ldtk import project

ROOM = "map:\n" + ".............\n" * 7
SMALL = "map:\n" + ".......\n" * 5
HALL = "exits: N any, S any\n\n" + ROOM
EASY = "normal/any/easy"


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, args)))


def levels(*names: str) -> str:
    """A project of LDtk with a normal room in each of these levels."""
    made = project()
    return json.dumps({**made, "levels": [{**made["levels"][1], "identifier": name} for name in names]})


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("rooms")


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


def is_refused(folder: Path) -> bool:
    """Whether neither rooms on a grid nor rooms with exits may come from it."""
    for room_size in ((15, 9), (9, 7), None):
        try:
            own_layouts(str(folder), room_size, shipped_kit())
        except UndercroftError:
            continue
        return False
    return True


NO_POOL = "is not in a pool; move it into normal/CHAPTER/DIFFICULTY, or ROOM_KIND/"
NO_NAME = "cannot be the name of a layout; use letters A to Z"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"shopp/ok.txt": ROOM}, {f"shopp/ok.txt: {NO_POOL}"}),
        ({"normal/any/eazy/ok.txt": ROOM}, {f"normal/any/eazy/ok.txt: {NO_POOL}"}),
        ({"normal/y.txt": ROOM, "y.txt": ROOM}, {f"normal/y.txt: {NO_POOL}", f"y.txt: {NO_POOL}"}),
        ({"vault.txt": HALL}, {"vault.txt: is not in a pool; move it into ROOM_KIND/, or a folder in that"}),
        ({f"{EASY}/ok.txt": ROOM, f"old/{EASY}/a.txt": ROOM}, {f"old/{EASY}/a.txt: {NO_POOL}"}),
        ({f"{EASY}/ok.txt": ROOM, f"{EASY}/OK.txt": ROOM}, {"ok.txt: has the same name as OK.txt"}),
        ({f"{EASY}/\xe4b.txt": ROOM}, {f"'{EASY}/\xe4b.txt' {NO_NAME}"}),
        ({f"{EASY}/a.txt": ROOM, f"{EASY}/b.txt": SMALL}, {"b.txt: is for a room_size of 9 x 7, and a.txt for 15 x 9"}),
        ({f"{EASY}/a.txt": ROOM, "normal/b.txt": HALL}, {"b.txt: has exits, and a.txt has none; no style takes both"}),
        ({"a.tmj": json.dumps(plain())}, {"a.tmj: kind: is missing; add the room kind"}),
        ({"x.ldtk": levels("a", "a")}, {"x.ldtk/a: has the same name as a"}),
        ({"x.ldtk": levels("a", "A")}, {"x.ldtk/A: has the same name as a"}),
        ({"x.ldtk": levels("../../evil")}, {f"'../../evil' {NO_NAME}"}),
        ({"x.ldtk": levels("a.b", "\xdcb er")}, {f"'a.b' {NO_NAME}", f"'\xdcb er' {NO_NAME}"}),
    ],
)  # fmt: skip
def test_check_tells_what_levels_refuse(files: dict[str, str], says: set[str], rooms: Path) -> None:
    write(rooms, files)
    assert is_refused(rooms)
    for command in (["layouts", "check"], ["check"]):
        if command == ["check"] and not all(name.endswith(".txt") for name in files):
            continue  # it takes drawings for levels
        done = run(*command, rooms)
        assert done.exit_code == 1
        told = done.stdout.splitlines()
        assert len(told) == len(says) and all(any(each in line for line in told) for each in says), told


def test_check_takes_a_folder_of_pools_from_within_and_from_above(rooms: Path) -> None:
    write(rooms, {f"{EASY}/a.txt": ROOM, ".git/x/b.txt": "no layout"})
    assert not is_refused(rooms)
    for folder in (rooms, rooms / "normal", rooms / EASY, Path()):
        assert run("layouts", "check", folder).output.endswith(" checked, no problems\n")
    write(Path("halls"), {"normal/big/a.txt": HALL, "treasure/b.txt": HALL.replace("...\n", "..I\n", 1)})
    for folder in (Path("halls"), Path("halls/normal"), Path("halls/normal/big")):
        assert run("layouts", "check", folder).output.endswith(" checked, no problems\n")


def test_a_tileset_lies_in_the_folder_of_the_pools(rooms: Path) -> None:
    """What levels refuse `check` and `show` refuse too, and what one of them takes they all take."""
    map_ = plain()
    tileset = map_["tilesets"][0]
    facts = [{"name": "kind", "value": "normal"}, {"name": "difficulty", "value": "easy"}]
    map_ |= {"tilesets": [{"firstgid": 1, "source": "own.tsj"}], "properties": facts}
    near = json.dumps(map_).replace("own.tsj", "../../../own.tsj")
    write(rooms, {"own.tsj": json.dumps(tileset), f"{EASY}/near.tmj": near, "loose.tmj": json.dumps(map_)})
    write(Path("far"), {"far.tmj": json.dumps(map_).replace("own.tsj", "../rooms/own.tsj")})
    assert not is_refused(rooms) and is_refused(Path("far")) and is_refused(Path("far/far.tmj"))
    for command in ("check", "show"):
        for path in (rooms, rooms / EASY, rooms / EASY / "near.tmj", rooms / "loose.tmj"):
            assert run("layouts", command, path).exit_code == 0, path
        for path in (Path("far"), Path("far/far.tmj")):
            done = run("layouts", command, path)
            assert done.exit_code and "'../rooms/own.tsj' is not a file in" in done.output


def test_names_of_imported_rooms_differ_on_every_system(rooms: Path) -> None:
    write(rooms, {"x.ldtk": levels("Stalls", "stalls"), "y.ldtk": levels("stalls"), "z.ldtk": levels("../z")})
    done = run("layouts", "import", rooms / "x.ldtk")
    assert done.exit_code == 2 and "normal/any/hard/stalls.txt: two rooms have this name" in done.stderr
    assert not Path("normal").exists()
    write(Path(), {"normal/any/hard/STALLS.txt": ROOM})
    done = run("layouts", "import", rooms / "y.ldtk", "--replace")
    assert (
        done.exit_code == 2 and "STALLS.txt: has the same name as normal/any/hard/stalls.txt" in done.stderr
    )
    assert f"'../z' {NO_NAME}" in run("layouts", "import", rooms / "z.ldtk").stderr


def test_a_level_of_a_single_drawing_is_rolled_again(rooms: Path) -> None:
    drawing = rooms / "pond.ldtk"
    run("layouts", "new", "normal", "--to", "ldtk", "--name", "pond", "--out", rooms)
    done = run("generate", "isaac", "--set", f"layouts={drawing}", "--to", "json", "--name", "a")
    assert done.exit_code == 0, done.stderr
    level = load_level(Path("a.level.json"))
    room = next(each.id for each in level.rooms if each.kind == "normal")
    done = run("reroll", "a.level.json", "--room", str(room), "--layouts", drawing)
    assert done.exit_code == 0, done.stderr
