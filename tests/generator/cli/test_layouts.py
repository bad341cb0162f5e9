"""`undercroft layouts`: from a room that is begun to a level that it stands in; statistics, and errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import LevelSpec, generate, load_level, problems
from generator.cli import main
from generator.interiors.layout_file import load_layout
from generator.kinds import ROOM_KINDS
from generator.serialise import dumps
from generator.shapes import SHAPES
from generator.spec import load_spec


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, args)))


def made(*args: str | Path) -> Result:
    done = run(*args)
    assert done.exit_code == 0, done.stderr
    return done


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- new and import ----------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["tiled", "ldtk", "txt"])
@pytest.mark.parametrize("shape", ["1x1", "2x2", "LBR", "IIV"])
def test_a_new_layout_is_valid_at_once(shape: str, to: str) -> None:
    made("layouts", "new", "normal", "--shape", shape, "--to", to, "--name", "a", "--out", "draw")
    ending = {"tiled": "tmj", "ldtk": "ldtk", "txt": "txt"}[to]
    assert run("layouts", "check", f"draw/a.{ending}").stdout == ""
    if to == "txt":
        assert load_layout(Path("draw/a.txt")).shape.name == shape
        return
    made("layouts", "import", f"draw/a.{ending}", "--out", "rooms")
    layout = load_layout(Path("rooms/normal/any/easy/a.txt"))
    assert layout.shape.name == shape and layout.doors == tuple(SHAPES[shape].slots)


@pytest.mark.parametrize("kind", ROOM_KINDS)
def test_a_room_of_every_kind_begins_with_what_it_must_hold(kind: str) -> None:
    pool = "normal/any/easy" if kind == "normal" else kind
    made("layouts", "new", kind, "--to", "txt", "--out", f"rooms/{pool}")
    made("layouts", "new", kind, "--free", "14x9", "--to", "txt", "--out", f"halls/{kind}")
    assert run("layouts", "check", "rooms", f"rooms/{pool}", "halls", f"halls/{kind}").stdout == ""


def test_a_copy_of_a_layout_is_one_room_to_go_on_with() -> None:
    args = ("--like", "boss/colosseum", "--to", "tiled", "--name", "mine")
    made("layouts", "new", "boss", *args)
    made("layouts", "import", "mine.tmj")
    like = json.loads(made("layouts", "show", "boss/colosseum", "--json").stdout)["rows"]
    assert json.loads(made("layouts", "show", "boss/mine.txt", "--json").stdout)["rows"] == like


def test_nothing_of_a_persons_is_replaced() -> None:
    made("layouts", "new", "shop", "--to", "tiled", "--name", "a")
    drawing = Path("a.tmj")
    begun = drawing.read_bytes()
    drawing.write_bytes(begun.replace(b'"height"', b'"height" ', 1))
    again = run("layouts", "new", "shop", "--to", "tiled", "--name", "a")
    assert again.exit_code == 1
    assert again.stderr == (
        "undercroft: a.tmj: was changed by hand, so nothing was written; give another name, or --edits keep, merge or replace\n"
    )
    drawing.write_bytes(begun)
    made("layouts", "import", "a.tmj", "--out", "rooms")
    made("layouts", "import", "a.tmj", "--out", "rooms")  # the same again
    path = Path("rooms/shop/a.txt")
    path.write_text(path.read_text("utf-8").replace("weight: 1", "weight: 9"))
    done = run("layouts", "import", "a.tmj", "--out", "rooms")
    assert done.exit_code == 2 and "--replace replaces it" in done.stderr and "weight: 9" in path.read_text()
    made("layouts", "import", "a.tmj", "--out", "rooms", "--replace")
    assert "weight: 9" not in path.read_text()


# --- in a level --------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
@pytest.mark.parametrize("to", ["tiled", "ldtk"])
def test_a_level_has_rooms_that_are_drawn(style: str, to: str) -> None:
    """In place, and the same as with the files that are imported from it; made again from what it says."""
    made("layouts", "new", "start", "--to", to, "--name", "hall", "--out", "draw")
    drawing = f"draw/hall.{'tmj' if to == 'tiled' else 'ldtk'}"
    made("layouts", "import", drawing, "--out", "rooms")
    level = generate(style, 5, layouts=drawing, only_layout="own/start/hall")
    assert level.rooms[0].layout.partition("+")[0] == "own/start/hall"
    spec = level.to_dict()["spec"]
    assert len(spec["layouts"]) == 16
    assert dumps(generate(load_spec(style).replace({**spec, "layouts": drawing}), 5)) == dumps(level)
    assert generate(style, 5, layouts="rooms", only_layout="own/start/hall").terrain.tobytes() == (
        level.terrain.tobytes()
    )


@pytest.mark.parametrize("to", ["tiled", "ldtk"])
def test_a_level_of_rooms_with_exits_has_rooms_that_are_drawn(to: str) -> None:
    made("layouts", "new", "normal", "--free", "17x11", "--to", to, "--name", "hall", "--out", "draw")
    drawing = f"draw/hall.{'tmj' if to == 'tiled' else 'ldtk'}"
    made("layouts", "import", drawing, "--out", "rooms")
    level, same = (
        generate("gungeon", 3, layouts=layouts, only_layout="own/normal/hall", rooms=8)
        for layouts in (drawing, "rooms")
    )
    assert any(room.layout.startswith("own/normal/hall") for room in level.rooms)
    assert level.terrain.tobytes() == same.terrain.tobytes()
    assert not problems(level)


def test_an_edited_drawing_is_read_again() -> None:
    made("layouts", "new", "start", "--to", "tiled", "--name", "a")
    first = generate("isaac", 1, layouts="a.tmj").to_dict()["spec"]["layouts"]
    path = Path("a.tmj")
    path.write_bytes(path.read_bytes().replace(b'"value":1}', b'"value":2}', 1))
    assert generate("isaac", 1, layouts="a.tmj").to_dict()["spec"]["layouts"] != first
    Path("undercroft.tsj").write_bytes(Path("undercroft.tsj").read_bytes().replace(b'"floor"', b'"flor"'))
    with pytest.raises(Exception, match="has no terrain"):
        generate("isaac", 1, layouts="a.tmj")


def test_drawings_and_texts_stand_side_by_side_in_a_folder() -> None:
    made("layouts", "new", "shop", "--to", "tiled", "--name", "drawn", "--out", "rooms/shop")
    made("layouts", "new", "shop", "--to", "txt", "--name", "typed", "--out", "rooms/shop")
    made("layouts", "new", "chest", "--to", "ldtk", "--name", "anywhere", "--out", "rooms")
    spec: LevelSpec = load_spec("isaac").replace({"layouts": "rooms"})
    assert spec.files_digest()
    shops = {generate(spec, seed).rooms for seed in range(6)}
    assert {room.layout for rooms in shops for room in rooms} & {"own/shop/drawn", "own/shop/typed"}


def test_one_layout_is_seen_in_place() -> None:
    args = ("isaac", "--only-layout", "normal/cellar/hard/burrow", "--to", "json", "--name", "a")
    made("generate", *args)
    level = load_level("a.level.json")
    normal = [room for room in level.rooms if room.kind == "normal"]
    assert normal and all(room.layout.startswith("normal/cellar/hard/burrow") for room in normal)
    assert all(room.difficulty == 10 for room in normal)
    assert level.spec.to_dict()["only_layout"] == "normal/cellar/hard/burrow"
    assert "only_layout" not in generate("isaac", 0).to_dict()["spec"]
    Path("rooms/normal").mkdir(parents=True)
    Path("rooms/normal/hall.txt").write_text("exits: N 6-9 joins=wide\n\nmap:\n" + f"{'.' * 15}\n" * 9)
    for words, name, says in (
        ("isaac", "normal/cellar/hard/burow", "did you mean normal/cellar/hard/burrow?"),
        ("isaac", "normal/any/hard/last-stand", "no room of this level; try another --seed, or --set stage"),
        ("gungeon --set layouts=rooms --set flow=hub", "own/normal/hall", "level; try another --seed\n"),
    ):
        done = run("generate", *words.split(), "--only-layout", name)
        assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1


# --- statistics --------------------------------------------------------------------------------------


def test_statistics_tell_what_is_drawn_and_why_the_rest_never_is() -> None:
    Path("rooms/normal/any/hard").mkdir(parents=True)
    done = made("layouts", "stats", "isaac", "--seeds", "0:12", "--jobs", "1", "--json")
    found = json.loads(done.stdout)
    layouts = {each["name"]: each for each in found["layouts"]}
    levels = [generate("isaac", seed) for seed in range(12)]
    drawn = [room.layout.partition("+")[0] for level in levels for room in level.rooms]
    assert found["levels"] == 12 and found["rooms"] == len(drawn)
    assert {name: each["drawn"] for name, each in layouts.items() if each["drawn"]} == {
        name: drawn.count(name) for name in drawn
    }
    assert all(each["fitting"] >= each["drawn"] for each in layouts.values())
    assert all(bool(each["why"]) is not bool(each["drawn"]) for each in layouts.values())
    assert layouts["normal/mines/hard/" + _name("normal/mines/hard")]["why"] == (
        "no level draws from the chapter mines"
    )
    assert layouts["normal/any/hard/last-stand"]["why"] == "no such room is hard"
    done = made("layouts", "stats", "isaac", "--seeds", "0:3", "--jobs", "1", "--never", "--pool", "dice")
    assert done.stdout.startswith("3 levels") and " 0 of 0  there is no dice room" in done.stdout


def test_statistics_of_rooms_with_exits() -> None:
    done = made("layouts", "stats", "gungeon", "--seeds", "1:4", "--jobs", "1", "--json")
    found = {each["name"]: each for each in json.loads(done.stdout)["layouts"]}
    rooms = [room for seed in range(1, 4) for room in generate("gungeon", seed).rooms]
    drawn = [room.layout.partition("+")[0] for room in rooms]
    assert found and all(each["drawn"] == drawn.count(name) for name, each in found.items())
    assert any(each["drawn"] for each in found.values())


def _name(pool: str) -> str:
    shown = [json.loads(line) for line in made("layouts", "show", pool, "--json").stdout.splitlines()]
    return str(shown[0]["name"]).rpartition("/")[2]


# --- layouts that a spec cannot use ------------------------------------------------------------------

_CAGED = """\
exits: N any, S any

map:
.............
.............
.............
.............
....#.#......
....#C#......
.............
"""
_TOO_NARROW = "a body of 2 x 2 tiles cannot get to its chest (line 9, column 6); "
_REMEDY = "make the way 2 tiles wide, or set body = 1"


@pytest.fixture
def caged(in_folder: Path) -> str:
    """The name of a layout in `halls` that only a body of one tile gets through."""
    path = in_folder / "halls" / "normal" / "caged.txt"
    path.parent.mkdir(parents=True)
    path.write_text(_CAGED)
    return "own/normal/caged"


def test_a_layout_too_narrow_for_the_presets_body_is_named_by_check(caged: str) -> None:
    done = made("layouts", "check", "halls")
    said = f"halls/normal/caged.txt: the preset gungeon cannot use it: {_TOO_NARROW}{_REMEDY}"
    assert f"undercroft: note: {said}\n" in done.stderr
    events = [json.loads(line) for line in made("layouts", "check", "halls", "--json").stdout.splitlines()]
    assert {"event": "note", "file": "halls/normal/caged.txt", "note": said} in events


def test_a_layout_too_narrow_for_the_body_is_refused_where_it_is_asked_for(caged: str) -> None:
    asked = ["generate", "gungeon", "--set", "layouts=halls", "--to", "json", "--out", "out"]
    for only in (["--only-layout", caged], ["--set", f"only_layout={caged}"]):
        for flow in ([], ["--set", "flow=descent"]):
            done = run(*asked, *only, *flow)
            assert done.exit_code == 2 and not Path("out").exists()
            assert done.stderr == f"undercroft: only_layout: {caged}: {_TOO_NARROW}{_REMEDY}\n"
            made(*asked, *only, *flow, "--set", "body=1", "--name", "a")
            rooms = load_level("out/a.level.json").rooms
            assert any(room.layout.partition("+")[0] == caged for room in rooms)
            shutil.rmtree("out")


def test_a_layout_too_narrow_for_the_body_is_told_so_by_the_statistics(caged: str) -> None:
    stats = ["layouts", "stats", "gungeon", "--set", "layouts=halls", "--seeds", "0:2", "--jobs", "1"]
    (found,) = json.loads(made(*stats, "--pool", "own", "--json").stdout)["layouts"]
    assert found == {"name": caged, "drawn": 0, "fitting": 0, "why": f"{_TOO_NARROW}{_REMEDY}"}
    shipped = json.loads(made(*stats, "--set", "shop_width=[9, 9]", "--json").stdout)["layouts"]
    why = {each["name"]: each["why"] for each in shipped if each["name"].startswith("shop/")}
    assert any("the spec asks for shop rooms of 9 x " in each for each in why.values())


def test_a_layout_that_no_level_can_use_is_a_problem(caged: str) -> None:
    rows = [".............", "....^^^^^....", "....^^C^^....", "....^^^^^....", "............."]
    Path("halls/normal/caged.txt").write_text("\n".join(["exits: N any", "", "map:", *rows, ""]))
    done = run("layouts", "check", "halls")
    assert done.exit_code == 1
    assert "no level can use it: nobody can get to its chest (line 6, column 7)" in done.stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("boss/round-aren", "is not a layout of this spec; did you mean boss/round-arena?"),
        ("own/normal/caged", "is not a layout of this spec; "),
        ("boss/round-arena", "this level has no boss room; try another --seed"),
    ],
)
def test_an_only_layout_that_no_room_got_is_refused(name: str, says: str) -> None:
    for only in (["--only-layout", name], ["--set", f"only_layout={name}"]):
        done = run("generate", "gungeon", "--set", "rooms=1", "--to", "json", *only)
        assert done.exit_code == 2 and says in done.stderr and done.stderr.count("\n") == 1


# --- errors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (
            ["new", "normal", "--room-size", "16x9", "--to", "txt"],
            "--room-size: 16x9: a door lies in the middle",
        ),
        (
            ["new", "normal", "--free", "99x9", "--to", "txt"],
            "--free: '99x9' is not a size; give WIDTHxHEIGHT",
        ),
        (["new", "normal", "--like", "boss", "--to", "txt"], "--like: 'boss' is "),
        (["new", "shop", "--shape", "2x2", "--to", "txt"], "--shape: shop rooms are 1x1"),
        (["new", "normal", "--chapter", "attic", "--to", "txt"], "--chapter: 'attic' is not a chapter; "),
        (["import", "x.png"], "x.png: is not a drawing; give files that end in .tmj, .tmx, .ldtk"),
        (["import", "x.tmj"], "x.tmj: cannot be read"),
        (["check", "x.png"], "x.png: cannot be read: there is no such file or folder"),
        (["check", "empty"], "empty: contains no layouts"),
    ],
)
def test_wrong_use_is_reported_in_a_line(args: list[str], says: str) -> None:
    Path("empty").mkdir()
    done = run("layouts", *args)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"undercroft: {says}"), done.stderr
    assert list(Path.cwd().iterdir()) == [Path("empty").absolute()]


def test_every_problem_is_reported_with_its_place() -> None:
    Path("bad/normal/any/easy").mkdir(parents=True)
    rows = ["E............", ".............", ".....###.....", "...E.#E#.....", ".....###....E", ".............",
            "......E......"]  # fmt: skip
    Path("bad/normal/any/easy/x.txt").write_text("map:\n" + "\n".join(rows) + "\n")
    done = run("layouts", "check", "bad")
    assert done.exit_code == 1
    assert [line.partition(": `")[0] for line in done.stdout.splitlines()] == [
        "bad/normal/any/easy/x.txt:8: column 7",
        "bad/normal/any/easy/x.txt:5: column 7",
        "bad/normal/any/easy/x.txt:6: column 13",
        "bad/normal/any/easy/x.txt:8: column 7",
    ]


# --- what is refused ---------------------------------------------------------------------------------


def refusal(*args: str | Path) -> str:
    done = run(*args)
    assert done.exit_code in (1, 2) and isinstance(done.exception, SystemExit), done.exception
    (line,) = (done.stdout + done.stderr).splitlines()
    return line


def test_a_loop_of_links_is_a_problem_like_others() -> None:
    Path("loop.tmj").symlink_to("loop.tmj")
    for command in ("check", "show", "import"):
        assert "loop.tmj" in refusal("layouts", command, "loop.tmj")


def test_rooms_are_imported_to_pools_alone() -> None:
    made("layouts", "new", "normal", "--to", "tiled", "--name", "a")
    assert "--pool: 'nope' is not a pool" in refusal("layouts", "import", "a.tmj", "--pool", "nope")
    assert "--pool: 'normal' is not a pool" in refusal("layouts", "import", "a.tmj", "--pool", "normal")
    assert not Path("nope").exists()
    made("layouts", "import", "a.tmj", "--pool", "normal/cellar/hard/")
    assert Path("normal/cellar/hard/a.txt").exists()


def test_statistics_of_an_unknown_pool_are_refused() -> None:
    for pool in ("nope", "own", "sho"):
        assert "--pool: " in refusal("layouts", "stats", "isaac", "--seeds", "0:1", "--pool", pool)


def test_a_room_is_begun_as_it_can_be() -> None:
    both = ("--free", "9x9", "--shape", "2x2", "--to", "txt")
    assert "leave --shape out" in refusal("layouts", "new", "normal", *both)
    assert "leave --chapter out" in refusal(
        "layouts", "new", "normal", *both[:2], "--chapter", "crypt", *both[4:]
    )
    for to, name in (("txt", "h.txt"), ("tiled", "h.tmj"), ("ldtk", "h.ldtk")):
        made("layouts", "new", "normal", *both[:2], "--difficulty", "hard", "--to", to, "--name", "h")
        if to != "txt":
            made("layouts", "import", name, "--out", to)
        path = "h.txt" if to == "txt" else f"{to}/normal/h.txt"
        assert load_layout(Path(path)).difficulty == 10
    assert "boss markers" in refusal("layouts", "new", "shop", "--like", "boss/colosseum", "--to", "txt")
