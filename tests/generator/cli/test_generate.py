"""What `generate` takes from a project, and levels on standard output."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

import exporters
from generator.cli import main
from generator.pipeline import generate
from generator.serialise import dumps
from tests.folders import entries
from tests.terminal import needs_terminal, undercroft_on_terminal


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def names() -> set[str]:
    return {path.name for path in entries(Path("out"))} if Path("out").exists() else set()


def size_of(png: bytes) -> tuple[int, int]:
    with Image.open(io.BytesIO(png)) as image:
        return image.size


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- in a project ------------------------------------------------------------------------------------


def test_a_project_says_what_is_written() -> None:
    """Its formats, theme and options, reported in one line; the command line overrides them."""
    shutil.copytree(Path(exporters.__file__).parent / "themes", "look")
    theme = Path("look/crypt.toml")
    theme.write_text(
        Path("look/undercroft.toml").read_text("utf-8").replace('"undercroft"', '"crypt"', 1), "utf-8"
    )
    Path("undercroft.toml").write_text(
        'theme = "look/crypt.toml"\nformats = ["png", "json"]\n[options.png]\nscale = 2\n[options.godot]\nsplit = "rooms"\n'
        '[group.a]\nspec = "isaac"\nseeds = "0:3"\n'
    )
    done = run("generate", "isaac", "--out", "out")
    said = "undercroft.toml: sets formats: png, json; theme: crypt.toml; options: png.scale"
    assert (done.exit_code, done.stderr) == (0, f"undercroft: {said}\n")
    assert names() == {"isaac-0.png", "isaac-0.level.json"}
    plain = exporters.export(generate("isaac"), "png", theme=theme, name="x")["x.png"]
    size = size_of(plain)
    assert size_of(Path("out/isaac-0.png").read_bytes()) == (size[0] * 2, size[1] * 2)
    done = run(
        "generate", "isaac", "--to", "png", "--option", "png.scale=1", "--out", "out", "--edits", "replace"
    )
    assert done.exit_code == 0 and "sets theme: crypt.toml; options: " in done.stderr
    assert run("generate", "isac").stderr.startswith("undercroft: 'isac' is neither a preset"), (
        "errors stand alone"
    )
    assert size_of(Path("out/isaac-0.png").read_bytes()) == size


@pytest.mark.parametrize("manifest", ['out = "levels"\n', 'formats = ["pack"]\n'])
def test_a_project_that_says_nothing_of_it_changes_nothing(manifest: str) -> None:
    Path("undercroft.toml").write_text(manifest)
    done = run("generate", "isaac", "--out", "out")
    assert (done.exit_code, done.stderr) == (0, "")
    assert {path.rpartition(".")[2] for path in names()} >= {"json", "tscn", "tmj", "ldtk", "png"}


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ('formats = ["tield"]', "undercroft.toml: formats[0]: unknown format 'tield'; did you mean tiled?"),
        ("theme = 3", "undercroft.toml: theme: 3 is "),
        ("formats", "undercroft.toml: is not TOML: "),
        ("[options.png]\nscal = 2", "undercroft.toml: options: 'png.scal': "),
    ],
)
def test_a_project_with_a_mistake_is_named(manifest: str, says: str) -> None:
    Path("undercroft.toml").write_text(manifest)
    done = run("generate", "isaac", "--out", "out")
    assert (done.exit_code, done.stdout, names()) == (2, "", set())
    assert done.stderr.startswith(f"undercroft: {says}") and done.stderr.count("\n") == 1


# --- on standard output ------------------------------------------------------------------------------


def test_one_file_on_standard_output() -> None:
    """Byte for byte, of a level that is made and of one that was saved; nothing is written."""
    level = generate("isaac", 7)
    bundle = exporters.export(level, ["json", "png"], name="isaac-7")
    done = run("generate", "isaac", "--seed", "7", "--to", "json", "--out", "-")
    assert (done.exit_code, done.stdout_bytes, done.stderr) == (0, dumps(level), "")
    assert (
        run("generate", "isaac", "--seed", "7", "--to", "png", "--out", "-").stdout_bytes
        == bundle["isaac-7.png"]
    )
    assert os.listdir() == []  # noqa: PTH208
    Path("x.level.json").write_bytes(bundle["isaac-7.level.json"])
    assert run("export", "x.level.json", "--to", "png", "--out", "-").stdout_bytes == bundle["isaac-7.png"]
    stage = run("run", "isaac", "--seed", "7", "--stages", "1:2", "--to", "json", "--out", "-")
    assert stage.stdout.startswith("{") and stage.exit_code == 0
    rolled = run("reroll", "x.level.json", "--room", "1", "--out", "-")
    assert rolled.stdout.startswith("{") and rolled.stdout_bytes != dumps(level)
    assert os.listdir() == ["x.level.json"]  # noqa: PTH208


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["generate", "isaac"], "- prints one file, and these are 10 (isaac-0.level.json, isaac-0.tscn, "),
        (["generate", "isaac", "--to", "tiled"], "- prints one file, and these are 4 (isaac-0.tmj, "),
        (
            ["run", "isaac", "--to", "png"],
            "- prints several levels only as JSON, one a line; give --to json, or",
        ),
        (
            ["generate", "isaac", "--seeds", "0:2"],
            "- prints several levels only as JSON, one a line; give --to",
        ),
    ],
)
def test_more_than_one_file_is_refused(args: list[str], says: str) -> None:
    done = run(*args, "--out", "-")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"undercroft: --out: {says}")
    assert os.listdir() == []  # noqa: PTH208


def test_levels_and_events_do_not_go_together() -> None:
    done = run("generate", "isaac", "--to", "json", "--json", "--out", "-")
    assert done.exit_code == 2 and json.loads(done.stdout)["option"] == "--out"
    assert done.stderr.startswith("undercroft: --out: - does not go with --json, ")


@needs_terminal
def test_a_terminal_gets_no_picture(tmp_path: Path) -> None:
    done = undercroft_on_terminal("generate", "isaac", "--to", "png", "--out", "-", cwd=tmp_path)
    assert done.status == 2
    stays = done.text.rpartition("\r")[2]  # on a busy machine, a line of progress comes and goes before
    says = "undercroft: --out: level.png is not text, which a terminal could show; send it to a file: > level.png"
    assert stays == f"{says}\n"


def test_a_level_for_each_seed_of_a_range() -> None:
    """As each alone would be, in one step that is taken back as a whole; a style's missing seed is left out."""
    args = ("generate", "rebirth", "--to", "json", "--json", "--out", "out")
    done = run(*args, "--seeds", "0:3", "--name", "cave")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["name"] for event in events] == ["cave-1", "cave-2"]
    assert Path("out/cave-2.level.json").read_bytes() == dumps(generate("rebirth", 2))
    assert run("undo", "out").exit_code == 0 and not [name for name in names() if name.startswith("cave")]
    both = run(*args, "--seeds", "1:3", "--seed", "1")
    assert both.exit_code == 2 and both.stderr.startswith("undercroft: --seed: does not go with --seeds")
