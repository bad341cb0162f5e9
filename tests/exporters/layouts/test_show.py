"""Layouts as text and as pictures: what is drawn is what stands in the file."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from exporters.dress import dress
from exporters.image import composed
from exporters.layouts.drawing import alone
from exporters.layouts.sheet import sheet
from exporters.theme.loader import load_theme
from generator.cli import main
from generator.interiors.named import NamedLayout, named_layouts, shipped_names
from generator.kinds import DOOR, VOID, WALL, shipped_kit
from generator.level import Level
from tests.cases import for_each

LETTERS = """\
Z = enemy role=necromancer
Y = one_of rock rock floor
Q = group 1 enemy role=shooter wave=2 on=rubble
J = group 1 pot"""
POND = f"// a pond\nweight: 3\n{LETTERS}\n\nmap:\n" + "\n".join(
    [".............", ".............", ".....~~~.....", "...Z.~~~.....", ".......Y..J..", "...Q.........", "............."]
)  # fmt: skip


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["layouts", "show", *map(str, args)])


def one(name: str) -> NamedLayout:
    (named,) = named_layouts(name, pytest.fail, shipped_kit())
    return named


def test_a_layout_is_shown_with_its_walls_doors_and_own_glyphs(tmp_path: Path) -> None:
    (tmp_path / "pond.txt").write_text(POND)
    done = run(tmp_path / "pond.txt")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines() == [
        "pond  kind normal  shape 1x1  doors W N E S  mirror hv  weight 3",
        "#######/#######",
        "#.............#",
        "#.............#",
        "#.....~~~.....#",
        "/...Z.~~~...../",
        "#.......Y..J..#",
        "#...Q.........#",
        "#.............#",
        "#######/#######",
        *LETTERS.splitlines(),
    ]


def test_a_notch_is_void() -> None:
    shown = next(
        each
        for each in map(json.loads, run("normal", "--json").stdout.splitlines())
        if each["shape"] == "LTL"
    )
    assert all(row.startswith(" " * 15) for row in shown["rows"][:9])
    assert shown["rows"][9].startswith("#" * 7)


@for_each(pool=sorted({name.split("/")[0] for name in shipped_names()}))
def test_every_shipped_layout_becomes_a_room(pool: str) -> None:
    for named in named_layouts(pool, pytest.fail, shipped_kit()):
        compare(named, alone(named))


def compare(named: NamedLayout, level: Level) -> None:
    interior, (width, height) = named.layout.interior(), named.layout.size
    inside = np.s_[3 : 3 + height, 3 : 3 + width]
    seen = ~np.isin(level.terrain[inside], (VOID, DOOR))  # a door may lie in the wall of a notch
    seen &= interior.terrain != VOID  # walls come round what has any outline
    assert (level.terrain[inside] == interior.terrain)[seen].all()
    assert np.isin(interior.terrain[~seen], (WALL, VOID)).all()
    assert (level.decor[inside] == interior.decor).all()
    assert [(m.kind, m.x - 3, m.y - 3, m.properties) for m in level.markers] == [*interior.markers]
    exits = [each for each in named.layout.exits if not each.is_any]
    assert len(level.doors) == len(named.layout.doors) + len(exits)
    assert (level.terrain == DOOR).sum() == sum(len(door.tiles) for door in level.doors)
    assert level.rooms[0].kind in named.name.split("/")


def test_a_contact_sheet_holds_every_room_as_it_looks_alone(tmp_path: Path) -> None:
    theme = load_theme()
    pool = named_layouts("normal/cellar/easy", pytest.fail, shipped_kit())
    picture = np.asarray(Image.open(io.BytesIO(sheet(pool, theme))))
    for named in pool[:3]:
        level = alone(named)
        plain = np.concatenate(list(composed(dress(level, theme), theme, (0, 0, 0, 0))))
        size = tuple(16 * (side + 2) for side in named.layout.size)
        assert picture.shape[0] > size[1] and picture.shape[1] > size[0] and plain.any()
    done = run("normal/cellar/easy", "boss", "--png", tmp_path / "sheet.png")
    assert done.exit_code == 0 and done.stdout == f"{tmp_path / 'sheet.png'}\n"
    with Image.open(tmp_path / "sheet.png") as opened:
        assert opened.size[1] > picture.shape[0]
    run("normal/cellar/easy", "--png", tmp_path / "sheet.png", "--scale", "2")
    with Image.open(tmp_path / "sheet.png") as opened:
        assert opened.size[0] == 2 * picture.shape[1] and opened.size[1] == 2 * picture.shape[0]


def test_a_folder_is_shown_but_for_the_files_that_cannot_be(tmp_path: Path) -> None:
    pool = tmp_path / "normal" / "any" / "easy"
    pool.mkdir(parents=True)
    (pool / "pond.txt").write_text(POND)
    (pool / "bad.txt").write_text(POND.replace("...Z", "..;Z"))
    done = run(tmp_path)
    assert done.exit_code == 0 and done.stdout.startswith("normal/any/easy/pond  kind normal")
    assert done.stderr.startswith(f"undercroft: {pool / 'bad.txt'}:12: column 3: ';' means nothing")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nrmal/cellar"], "'nrmal/cellar': is not a file, a folder or a shipped pool of layouts; did you mean"),
        (["boss", "--png", "a.jpg"], "--png: a.jpg: the file name must end in .png"),
        (["/dev/null"], "/dev/null: is not a file"),
        (["empty"], "empty: contains no layout that can be drawn"),
    ],
)  # fmt: skip
def test_bad_input_is_reported_in_a_line(
    args: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    done = run(*args)
    assert done.exit_code == 2 and done.stderr.startswith(f"undercroft: {says}"), done.stderr
    assert done.stderr.count("\n") == 1


def test_the_picture_that_a_room_is_drawn_with_is_never_overwritten(tmp_path: Path) -> None:
    CliRunner().invoke(main, ["layouts", "new", "normal", "--to", "tiled", "--out", str(tmp_path / "rooms")])
    picture = tmp_path / "rooms" / "undercroft.png"
    before = picture.read_bytes()
    done = run("boss", "--png", picture)
    assert done.exit_code == 2 and "is drawn with that picture" in done.stderr
    assert picture.read_bytes() == before
