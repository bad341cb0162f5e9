"""`undercroft diff`: what it reads, prints, draws and returns."""

from __future__ import annotations

import io
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from generator import generate
from generator.cli import main
from generator.level import Level
from generator.serialise import dumps, level_to_dict
from tests.exporters.reading.editors import editor_of
from tests.exporters.reading.exported import exported, level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles, painted


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["diff", *map(str, words)], prog_name="undercroft")


def saved(level: Level, name: str) -> Path:
    path = Path(f"{name}.level.json")
    path.write_bytes(dumps(level))
    return path


def rows(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("form", ["map", "world", "ldtk", "scene"])
def test_an_export_is_compared_with_its_level(form: str, folder: Path) -> None:
    level = level_of("isaac")
    main_file = exported(level, form, folder)
    done = diff(main_file)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("undercroft: no differences from the level of ")
    edit, (x, y) = editor_of(main_file, level), free_tiles(level)[0]
    edit.paint((x, y), "pit")
    edit.save()
    before = main_file.read_bytes()
    done = diff(main_file)
    assert done.exit_code == 1
    assert done.stdout.endswith(f": 1 tile of floor became pit: {x},{y}\n") and done.stdout.count("\n") == 1
    assert done.stderr.startswith("undercroft: 1 difference from the level of ")
    assert diff("cellar.level.json", main_file).stdout == done.stdout
    assert main_file.read_bytes() == before and sorted(folder.glob("*.new*")) == []


def test_an_export_of_a_former_state_is_compared_with_that(folder: Path) -> None:
    """The record has it, as `sync` knows; nothing else does."""
    level = level_of("isaac")
    main_file = exported(level, "ldtk", folder)
    former = b""
    for x, y in free_tiles(level)[:2]:
        former = main_file.read_bytes()
        edit = editor_of(main_file, level)
        edit.paint((x, y), "pit")
        edit.save()
        assert CliRunner().invoke(main, ["sync", str(folder)]).exit_code == 0
    main_file.write_bytes(former)
    done = diff(main_file)
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    edit = editor_of(main_file, level)
    edit.paint(free_tiles(level)[2], "pit")
    edit.save()
    done = diff(main_file)
    assert (done.exit_code, done.stdout.count("\n")) == (1, 1), done.stderr


def test_what_a_level_cannot_have_is_told_as_a_note(folder: Path) -> None:
    main_file = exported(level_of("isaac"), "map", folder)
    table = json.loads(main_file.read_text())
    rooms = next(layer for layer in table["layers"] if layer["name"] == "Rooms")
    rooms["objects"][0]["name"] = "the old hall" * 9
    main_file.write_text(json.dumps(table))
    done = diff(main_file)
    assert done.exit_code == 0 and "note: " in done.stderr and "its new name is left out" in done.stderr
    assert [row["event"] for row in rows(diff(main_file, "--json"))] == ["note", "done"]


def test_a_level_alone_is_compared_with_what_its_seed_gives(folder: Path) -> None:
    path = saved(level_of("isaac"), "a")
    assert diff(path).exit_code == 0
    assert CliRunner().invoke(main, ["reroll", str(path), "--room", "1"]).exit_code == 0
    done = diff(path)
    assert done.exit_code == 1 and all(line.startswith("room 1 (") for line in done.stdout.splitlines())
    assert "from the level that its spec and seed generate to a.level.json" in done.stderr


def test_a_level_of_ones_own_kit_is_compared_with_another(folder: Path) -> None:
    for words in ("kit new ours", "generate isaac --seed 7 --set kit=ours --to json --name a --out ."):
        assert CliRunner().invoke(main, words.split()).exit_code == 0
    refused = diff("a.level.json")
    assert refused.exit_code == 2 and refused.stderr.startswith(
        "undercroft: a.level.json: was made with layouts"
    )
    Path("own.toml").write_text("style = 'isaac'\nkit = 'ours'")
    assert diff("a.level.json", "own.toml").exit_code == 0
    assert "level: kit room.garden: " in diff("isaac", "a.level.json", "--png", "d.png").stdout


def test_a_level_changed_by_hand_is_compared_as_it_is(folder: Path) -> None:
    """Even if it breaks a rule: that is what one wants to see."""
    level = level_of("isaac")
    table = level_to_dict(painted(level, free_tiles(level)[0], "wall"))
    table |= {"fingerprint": level.fingerprint, "generator_version": "0.2.0"}
    table["rooms"][0]["kind"] = "normal"
    Path("b.level.json").write_text(json.dumps(table))
    done = diff(saved(level, "a"), "b.level.json")
    assert done.exit_code == 1 and "1 tile of floor became wall" in done.stdout
    assert "kind: start became normal" in done.stdout
    assert "(of versions 0." in done.stderr and " and 0.2.0)" in done.stderr


def test_specs_have_the_seed_of_the_other_level(folder: Path) -> None:
    path = saved(generate("isaac", "my game"), "a")
    assert diff(path, "isaac").exit_code == diff("isaac", path).exit_code == 0
    assert diff(path, "isaac", "--seed", "7").exit_code == 1
    Path("deeper.toml").write_text("style = 'isaac'\nstage = 2")
    done = diff("isaac", "deeper.toml", "--seed", "7")
    assert done.exit_code == 1 and "level: spec stage: 1 became 2" in done.stdout
    assert done.stderr.endswith(" from isaac, seed 7 to deeper.toml, seed 7\n")


def test_programs_read_the_differences_and_both_levels(folder: Path) -> None:
    level = level_of("isaac")
    tile = free_tiles(level)[0]
    first, second = saved(level, "a"), saved(painted(level, tile, "pit"), "b")
    change, done = rows(diff(first, second, "--json"))
    assert change["event"] == "change" and change["tiles"] == [list(tile)]
    assert (change["of"], change["what"], change["from"], change["to"]) == (
        "terrain",
        "changed",
        "floor",
        "pit",
    )
    assert (done["event"], done["differences"]) == ("done", 1)
    assert done["first"]["fingerprint"] == level.fingerprint != done["second"]["fingerprint"]
    assert done["second"]["name"] == "b.level.json"


def test_the_picture_is_written_or_printed(folder: Path) -> None:
    level = level_of("isaac")
    first, second = saved(level, "a"), saved(painted(level, free_tiles(level)[0], "pit"), "b")
    done = diff(first, second, "--png", "d.png", "--scale", "2")
    assert done.exit_code == 1 and done.stdout.splitlines()[1:] == ["d.png"]
    with Image.open("d.png") as image:
        assert image.size[0] >= 2 * 16 * level.width
    printed = diff(first, second, "--png", "-")
    assert printed.exit_code == 1
    with Image.open(io.BytesIO(printed.stdout_bytes)) as image:
        assert image.format == "PNG"
    written = rows(diff(first, second, "--png", "d.png", "--edits", "replace", "--json"))
    assert [row["event"] for row in written] == ["change", "written", "done"]
    Path("d.png").write_bytes(b"ours")
    assert diff(first, second, "--png", "d.png", "--edits", "fail").exit_code == 2
    assert Path("d.png").read_bytes() == b"ours"
    assert diff(first, first, "--png", "same.png").exit_code == 0 and Path("same.png").exists()


def test_the_picture_has_the_theme_of_the_files(folder: Path) -> None:
    main_file = exported(level_of("isaac"), "map", folder)
    record = {"tiled": {"theme": "gone.toml"}}
    level_file = Path("cellar.level.json")
    level_file.write_text(json.dumps(json.loads(level_file.read_text()) | {"exported": record}))
    assert diff(level_file).exit_code == 0
    refused = diff(level_file, "--png", "d.png")
    assert refused.exit_code == 2 and "gone.toml, which is missing" in refused.stderr
    assert main_file.exists() and not Path("d.png").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "FILE|FIRST SECOND: is missing"),
        (("isaac",), "isaac: is a spec; name a level as well"),
        ((".",), ".: is a folder; name a file in it"),
        (("isaac", "gungeon", "a.level.json"), "a.level.json: is a third level"),
        (("a.level.json", "none.level.json"), "none.level.json: cannot be read"),
        (("a.level.json", "bad.level.json"), "bad.level.json: "),
        (("a.level.json", "other.tmj"), "other.tmj: "),
        (("a.level.json", "nowhere"), "'nowhere' is neither a preset nor"),
        (("a.level.json", "--seed", "3"), "--seed: is for a spec"),
        (("a.level.json", "isaac", "--seed", "-1"), "seed: -1 is out of range"),
        (("a.level.json", "--level", "a.level.json"), "--level: is for an exported file"),
        (("a.level.json", "--png", "x.jpg"), "--png: x.jpg: the file name must end in .png"),
        (("a.level.json", "a.level.json", "--png", "-", "--json"), "--png: - does not go with --json"),
    ],
)
def test_what_cannot_be_compared_gets_one_line(words: tuple[str, ...], says: str, folder: Path) -> None:
    saved(level_of("isaac"), "a")
    Path("bad.level.json").write_bytes(b"[" * 100_000)
    Path("other.tmj").write_bytes(b"{}")
    done = diff(*words)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"undercroft: {says}") and done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.output


def test_a_level_that_cannot_be_made_does_not_differ(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its status is 2: 1 says that two levels differ."""
    path = saved(level_of("isaac"), "a")
    monkeypatch.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 20)
    Path("large.toml").write_text("style = 'isaac'\nrooms = 40")
    done = diff(path, "large.toml", "--seed", "9")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("undercroft: seed 9: no floorplan after 20 tries")


def test_levels_of_any_size_are_compared(folder: Path) -> None:
    """One of one tile, and one whose rooms have nothing in common with it."""
    level = level_of("gungeon")
    tiny = replace(
        level,
        terrain=level.terrain[:1, :1].copy(),
        decor=level.decor[:1, :1].copy(),
        rooms=(),
        doors=(),
        hallways=(),
    )
    tiny = replace(tiny, markers=())
    done = diff(saved(level, "a"), saved(tiny, "tiny"), "--png", "d.png")
    assert (
        done.exit_code == 1
        and f"level: size: {level.width} x {level.height} became 1 x 1 tiles" in done.stdout
    )
    assert diff("tiny.level.json", "a.level.json").exit_code == 1


PAGE = (Path(__file__).parents[3] / "docs" / "diff.md").read_text("utf-8")


def test_the_page_shows_what_is_printed_and_drawn(folder: Path) -> None:
    outputs = []
    for line in [
        each for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for each in block.splitlines()
    ]:
        words, _, note = line.partition("  #")
        done = CliRunner().invoke(main, shlex.split(words)[1:])
        status = re.search("exit status ([0-9])", note)
        assert done.exit_code == (int(status[1]) if status else 0), f"{line}\n{done.output}"
        outputs.append(done.stdout)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    (printed,) = [text.splitlines() for text in outputs if "build/diff.png" in text]
    rest = iter(printed)
    assert all(line in rest for line in shown.splitlines())
    drawn, kept = (
        np.asarray(Image.open(path))
        for path in ("build/diff.png", Path(__file__).parents[3] / "docs" / "pictures" / "diff.png")
    )
    assert drawn.shape == kept.shape and np.mean(drawn != kept) <= 0.01  # fonts may differ
