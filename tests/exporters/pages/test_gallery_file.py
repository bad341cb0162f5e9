"""What a gallery's file holds, without a browser: the levels' tiles and facts, safely, and the same bytes again."""

from __future__ import annotations

import base64
import io
import json
import re
import shlex
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import exporters
from exporters.dress import dress
from exporters.image import cut_atlas, icon_layer
from exporters.pages import gallery as gallery_module
from exporters.pages.overlay import paths_of, rooms_of
from exporters.pages.page import escaped, json_block, page
from exporters.places import gates_of
from exporters.theme import Theme
from generator import generate
from generator.batch.facts import FACTS, SavedSubject, Subject, ask
from generator.checks.base import owners
from generator.cli import main
from generator.kinds import room_kind
from generator.serialise import dumps
from generator.spec import load_spec
from generator.styles.registry import BUILT_IN as STYLES
from tests.combinations import usually
from tests.exporters import hallway_level, locked_level
from tests.exporters.pages.conftest import undercroft
from tests.folders import entries


def data_of(path: Path) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text("utf-8"))
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("style", usually(["gungeon"], STYLES))
def test_the_tiles_are_those_of_the_picture(style: str, built_in: Theme, tmp_path: Path) -> None:
    path = tmp_path / "g.html"
    one_look: dict[str, Any] = {"districts": "none"} if style == "gungeon" else {}
    words = [word for key in one_look for word in ("--set", f"{key}={one_look[key]}")]
    undercroft("gallery", style, *words, "--seeds", "3:5", "--out", path)
    data = data_of(path)
    sheet = np.asarray(Image.open(io.BytesIO(base64.b64decode(data["sprite"].split(",")[1]))))
    for place, cut in enumerate(cut_atlas(built_in, data["tiles"])):
        x, y = 16 * (place % data["columns"]), 16 * (place // data["columns"])
        assert np.array_equal(sheet[y : y + 16, x : x + 16], cut)
    for told, seed in zip(data["levels"], (3, 4), strict=True):
        level = generate(style, seed, **one_look)
        layers = np.stack([*dress(level, built_in), icon_layer(level, built_in)])
        numbers = np.frombuffer(zlib.decompress(base64.b64decode(told["tiles"])), "<u2").reshape(layers.shape)
        assert np.array_equal(numbers.astype(int) - 1, layers)
        assert set(numbers.ravel().tolist()) <= {0, *(tile + 1 for tile in data["tiles"])}
        assert told["size"] == [level.width, level.height]
    kinds = [room["kind"] for told in data["levels"] for room in told["rooms"]]
    assert data["colours"] == {kind: room_kind(kind).color for kind in kinds}
    first, *_, last = data["colours"]
    assert (first, last) == ("start", "normal")


@pytest.mark.parametrize("style", STYLES)
def test_the_facts_are_those_of_search_and_of_a_saved_level(style: str, tmp_path: Path) -> None:
    """A saved level tells every fact that a generated one does, but how often its floorplan was tried."""
    for seed in (5, 11, 12):
        made = Subject(load_spec(style), seed)
        saved = SavedSubject(generate(style, seed))
        for fact in FACTS.values():
            for word in fact.of or (None,):
                asked = ask(fact.name, word)
                assert asked.of(saved) == (None if fact.name == "tries" else asked.of(made)), asked.name
    path = tmp_path / "g.html"
    undercroft("gallery", style, "--seeds", "5:6", "--out", path)
    data = data_of(path)
    values = {
        fact["name"]: value for fact, value in zip(data["facts"], data["levels"][0]["values"], strict=True)
    }
    subject = Subject(load_spec(style), 5)
    assert values["rooms"] == len(subject.plan.rooms) and values["source"] == style
    assert values['markers("enemy")'] == subject.markers["enemy"]
    assert 'count("grave")' not in values  # none has one


@pytest.mark.parametrize(
    ("style", "seeds"), [("rebirth", range(1, 9)), ("gungeon", range(3)), ("isaac", range(3))]
)
def test_paths_stay_in_their_rooms_and_hallways(style: str, seeds: range) -> None:
    """Each line of the overlay keeps to tiles of the rooms, doors and the hallway that it leads through."""
    for seed in seeds:
        level = generate(style, seed, **({"stage": 5} if style != "gungeon" else {}))
        nodes = [tuple(room["at"]) for room in rooms_of(level)]
        paths = paths_of(level)
        joins = len(level.hallways) or len(level.doors)
        assert len(paths) == joins and len(set(nodes)) == len(level.rooms)
        for (_, *parts), join in zip(paths, level.hallways or level.doors, strict=True):
            corners = list(zip(parts[::2], parts[1::2], strict=True))
            doors = [level.doors[door] for door in join.doors] if level.hallways else [join]
            rooms = [level.rooms[room] for door in doors for room in door.rooms if room is not None]
            assert [corners[0], corners[-1]] == [nodes[rooms[0].id], nodes[rooms[-1].id]]
            free = {tile for door in doors for tile in door.tiles} | (
                set(join.tiles) if level.hallways else set()
            )
            for room in rooms:
                rects = [level.grid.cell_rect(cell) for cell in room.cells] if level.grid else [room.bounds]
                free |= {(x, y) for r in rects for y in range(r.y, r.bottom) for x in range(r.x, r.right)}
            for (x, y), (u, v) in pairwise(corners):
                for step in np.linspace(0, 1, 40):
                    assert (int(x + (u - x) * step), int(y + (v - y) * step)) in free


@pytest.mark.parametrize("flow", ["hub", "lock_and_key"])
def test_numbers_stand_inside_of_their_rooms(flow: str) -> None:
    """Not on a wall, nor beside an L; in the middle wherever it is free."""
    moved = 0
    for seed in (7, 0, 1, 4):
        level = generate("gungeon", seed, flow=flow)
        owner = owners(level)
        for room, told in zip(level.rooms, rooms_of(level), strict=True):
            x, y = map(int, told["at"])
            assert owner[y, x] == room.id
            assert level.terrain_kinds[level.terrain[y, x]].fly
            bounds = room.bounds
            moved += told["at"] != (bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
    assert 4 < moved < 40


def test_keys_locks_and_ways_of_no_return_are_reported() -> None:
    level = locked_level.level()
    assert gates_of(level) == [
        ["key", 31.5, 4.5, "silver_key"],
        ["key", 8.5, 17.5, "gold_key"],
        ["lever", 12.5, 16.5, "gate"],
        ["one_way", 29.5, 5.5, 1, 0],  # its room lies east of it
        ["lock", 10.5, 10.5, "gold_key", "silver_key"],
        ["barred", 36.0, 9.5, 0, 1],
    ]
    shut = [starts_shut for starts_shut, *_ in paths_of(level)]
    assert shut == [False, True, True, True]  # open one way, locked, barred, and behind a secret door


def test_the_same_bytes_whatever_the_number_of_workers(tmp_path: Path) -> None:
    for jobs in "12":
        undercroft(
            "gallery",
            "isaac",
            "rebirth",
            "--seeds",
            "1:20",
            "--jobs",
            jobs,
            "--out",
            tmp_path / f"{jobs}.html",
        )
    assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()
    names = [level["name"] for level in data_of(tmp_path / "1.html")["levels"]]
    assert names == [f"{style}-{seed}" for style in ("isaac", "rebirth") for seed in range(1, 20)]


def test_the_command_makes_the_level_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    undercroft("gallery", "rebirth", "--set", "stage=3", "--set", "hard=true", "--seeds", "7:8")
    (told,) = data_of(tmp_path / "gallery.html")["levels"]
    assert told["command"] == "undercroft generate rebirth --set stage=3 --set hard=true --seed 7"
    undercroft(*shlex.split(told["command"])[1:], "--to", "json", "--out", "build")
    (path,) = entries(tmp_path / "build")
    assert path.name == f"{told['name']}.level.json"
    undercroft("gallery", "build", "--out", "saved.html")
    (saved,) = data_of(tmp_path / "saved.html")["levels"]
    for key in ("size", "rooms", "paths", "tiles", "seed", "name"):
        assert saved[key] == told[key]
    undercroft(*shlex.split(saved["command"])[1:], "--to", "png")
    assert (tmp_path / "build" / f"{told['name']}.png").is_file()


def test_a_condition_and_the_first(tmp_path: Path) -> None:
    words = (
        "gallery",
        "isaac",
        "--where",
        "rooms.boss.distance >= 3",
        "--seeds",
        "0:500",
        "--out",
        tmp_path / "g.html",
    )
    told = json.loads(undercroft(*words, "--first", "5", "--json"))
    assert told["levels"] == 5 and told["bytes"] == (tmp_path / "g.html").stat().st_size
    done = CliRunner().invoke(main, ["search", *map(str, words[1:6]), "--first", "5"])
    found = done.stdout.splitlines()
    assert [line.split()[0] for line in found] == [
        level["seed"] for level in data_of(tmp_path / "g.html")["levels"]
    ]


def test_the_first_few_count_the_seeds_without_a_level_up_to_the_last_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 1)
    words = ["--set", "rooms=12", "--jobs", "1", "--out", str(tmp_path / "g.html"), "--json"]

    def told(*more: str) -> tuple[int, Any]:
        end = json.loads(CliRunner().invoke(main, ["gallery", "isaac", *words, *more]).stdout)
        return end["failed"], data_of(tmp_path / "g.html")

    far = ["--where", "rooms.boss.distance >= 5"]
    for first, last, failed, where in (("2", 13, 4, far), ("4", 4, 1, [])):
        found = told("--seeds", "0:40", "--first", first, *where)
        assert found == told("--seeds", f"0:{last + 1}", *where), "as if it ended there"
        assert found[0] == found[1]["failed"] == failed


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("isaac",), "--seeds: is missing; say which levels of isaac to show, such as 0:48"),
        (("isaac", "--seeds", "0:1001"), "1001 levels are too many for a page, which holds 1000; give --first N"),
        (("isaac", "--seeds", "0:9", "--first", "2000"), "2000 levels are too many for a page, which holds 1000"),
        (("isaac", "--seeds", "0:9999999999"), "--seeds: 0:9999999999 is more than 1000000 seeds; find some with"),
        (("isaac", "--seeds", "0:1100", "--where", "rooms > 1", "--jobs", "1"), "more than 1000 levels meet the condition, too many for a page"),
        (("isaac", "--seeds", "0:9", "--where", "roms > 1"), "--where: column 1: unknown fact 'roms'; did you mean rooms?"),
        ((".",), ".: contains no level; name a folder with .level.json files in it"),
        (("x.json", "--set", "stage=3"), "--set: applies to a spec, and these levels are saved ones; leave it out"),
        (("x.json", "--seeds", "0:3"), "--seeds: applies to a spec, and these levels are saved ones; leave it out"),
        (("x.json",), "x.json: is not JSON"),
        (("y.json",), "y.json: cannot be read"),
        (("isaac", "--seeds", "0:3", "--theme", "none.toml"), "none.toml: cannot be read"),
        (("isaac", "--seeds", "0:1", "--scheduler", "tcp://127.0.0.1:1"), "--executor dask and --scheduler ADDRESS go together; give both or neither"),
        (("isaac", "--seeds", "0:3", "--out", "gal"), "--out: gal: the file name must end in .html or .htm"),
        (("isaac", "--seeds", "0:3", "--out", "a:b.html"), "a:b.html: is not a name for a file; give another"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line(
    words: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text("{")
    if "0:1100" in words:  # a small page is as good as a large one
        monkeypatch.setattr("exporters.pages.cards._tiles", lambda *_: (b"", frozenset()))
    done = CliRunner().invoke(main, ["gallery", *words])
    assert done.exit_code == 2 and done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith(
        f"undercroft: {says}" if ":" in says or says.startswith("--") else "undercroft: gallery: "
    )
    assert says in done.stderr and [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_no_level_is_replaced_by_its_page(tmp_path: Path) -> None:
    path = tmp_path / "a.level.json"
    path.write_bytes(dumps(generate("isaac", 3)))
    before = path.read_bytes()
    (tmp_path / "link.html").symlink_to(path)
    for out, says in (
        ("a.level.json", "the file name must end in .html or .htm"),
        ("link.html", "is the file from which these files are made; give another"),
    ):
        done = CliRunner().invoke(main, ["gallery", str(path), "--out", str(tmp_path / out)])
        assert done.exit_code == 2 and says in done.stderr
        assert path.read_bytes() == before


def test_a_saved_level_with_nothing_in_it(tmp_path: Path) -> None:
    """What no style makes, a file may hold all the same."""
    facts = {"chapter": 5, "curse": True}
    level = replace(generate("isaac", 3), rooms=(), doors=(), markers=(), facts=facts)
    (tmp_path / "a.level.json").write_bytes(dumps(level))
    undercroft("gallery", tmp_path, "--out", tmp_path / "g.html")
    (told,) = data_of(tmp_path / "g.html")["levels"]
    assert told["rooms"] == told["paths"] == [] and {"5", "True"} <= set(told["values"])


def test_nothing_to_show_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(
        main, ["gallery", "isaac", "--seeds", "0:9", "--where", "rooms == 1", "--jobs", "1"]
    )
    assert (done.exit_code, done.stderr) == (1, "undercroft: gallery: none of 9 levels can be shown\n")
    assert not list(tmp_path.iterdir())


def test_a_page_that_would_be_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery_module, "MAX_BYTES", 50_000)
    done = CliRunner().invoke(
        main, ["gallery", "isaac", "--seeds", "0:9", "--jobs", "1", "--out", str(tmp_path / "g.html")]
    )
    assert done.exit_code == 2 and "are too many for a page, which holds 50000; show fewer" in done.stderr


def test_texts_can_end_no_element() -> None:
    hostile = "</script><!--<script>\"'&\u2028\udcff"
    assert "<" not in json_block(hostile) and json.loads(json_block(hostile)) == hostile
    assert escaped(hostile) == "&lt;/script&gt;&lt;!--&lt;script&gt;&quot;&#x27;&amp;\u2028\udcff"
    made = page(hostile, "<p></p>", styles=(), scripts=(), data=[hostile]).decode("utf-8")
    assert made.count("<script") == made.count("</script") == 2
    assert "default-src 'none'" in made and "\\udcff" in made.split("</title>")[0]


def test_a_level_is_some_kilobytes(gallery: Path) -> None:
    """A level's picture as PNG has ten times that; `tests/benchmarks/gallery.py` measures it."""
    levels = len(data_of(gallery)["levels"])
    assert len(gallery.read_bytes()) / levels < 20_000


def test_a_theme_of_ones_own_and_a_level_without_a_grid(tmp_path: Path, plain: Theme) -> None:
    level = hallway_level.level()
    exporters.export(level, "json", name="hall").write(tmp_path)
    assert plain.path
    undercroft("gallery", tmp_path, "--theme", plain.path, "--out", tmp_path / "g.html")
    data = data_of(tmp_path / "g.html")
    assert data["tilePx"] == plain.tile_size
    assert len(data["levels"][0]["paths"]) == len(level.hallways)
    assert data["levels"][0]["command"].endswith(f"--out build --theme {plain.path}")
