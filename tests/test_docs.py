"""The documents do what they say: every command and every piece of code in the README runs."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from generator.interiors.layout_file import parse_layout
from generator.spec import STYLES, parse_spec
from generator.version import VERSION
from tests.engines import HANG

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def undercroft(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "generator.cli", *args]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=HANG)


def test_readme_holds_the_two_commands() -> None:
    assert "pip install . && undercroft generate isaac --seed 7 --out build\n" in blocks("sh")
    assert "pip install -e '.[test]' && pytest\n" in blocks("sh")
    assert "pip install -e '.[test]' && pytest\n" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_every_command_of_the_readme_runs(tmp_path: Path) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("undercroft ")]
    assert len(lines) >= 9
    shutil.copytree(ROOT / "docs" / "campaign", tmp_path / "docs" / "campaign")
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "project.godot").write_text("config_version=5\n", "utf-8")
    for line in lines:
        words, _, file = line.split("#")[0].partition(" > ")
        done = undercroft(*shlex.split(words)[1:], cwd=tmp_path)
        if file:
            (tmp_path / file.strip()).write_text(done.stdout, "utf-8")
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        assert done.stderr == ""


def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    (code,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=HANG
    )
    assert re.match(r"the boss is \d+ rooms away\n", done.stdout)
    assert (tmp_path / "build" / "undercroft.tres").is_file()


PIPELINES = (ROOT / "docs" / "pipelines.md").read_text("utf-8")


def test_every_command_about_builds_runs(tmp_path: Path) -> None:
    """Those of the text one after the other, and those of the recipe for CI."""
    folder = shutil.copytree(ROOT / "docs" / "campaign", tmp_path / "game")
    (text,), (recipe,) = blocks("sh", PIPELINES), blocks("yaml", PIPELINES)
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    lines += [line.partition("#")[0].strip() for line in re.findall("run: (undercroft .*)", recipe)]
    assert len(lines) == 7
    told = []
    for line in lines:
        words, _, _ = line.partition(" > ")
        done = undercroft(*shlex.split(words)[1:], cwd=folder)
        assert (done.returncode, done.stderr) == (0, ""), line
        told.append(done.stdout)
    assert f"undercroft=={VERSION} " in recipe
    assert "generated" in told[0] and told[1].splitlines()[0].split() == ["group", "unchanged"]
    assert len([*(folder / "levels" / "descent").glob("*.ldtk")]) == 12


def test_the_manifest_of_the_docs_is_one(tmp_path: Path) -> None:
    """With every key that there is, and every placeholder is in the table."""
    import exporters
    from exporters.build.manifest import load_manifest
    from exporters.build.paths import PLACEHOLDERS
    from exporters.build.plan import Plan

    text, shipped = blocks("toml", PIPELINES)
    (tmp_path / "undercroft.toml").write_text(text, "utf-8")
    (tmp_path / "cellar.toml").write_text("style = 'isaac'", "utf-8")
    (tmp_path / "options.toml").write_text("[godot]\nedit = false", "utf-8")
    shutil.copytree(Path(exporters.__file__).parent / "themes", tmp_path / "look")
    (tmp_path / "look" / "undercroft.toml").rename(tmp_path / "look" / "crypt.toml")
    levels = list(Plan(load_manifest(tmp_path)))
    assert [len(level.outputs) for level in levels] == [3] * 4 + [1] * 3 + [3] * 2
    assert levels[2].outputs[0].path == "cellars/002" and levels[-1].seed == 12
    assert set(re.findall(r"`\{([a-z]+)\}`", PIPELINES)) == set(PLACEHOLDERS)
    (tmp_path / "undercroft.toml").write_text(shipped, "utf-8")
    packs = Plan(load_manifest(tmp_path)).packs
    assert [(pack.label, pack.levels) for pack in packs] == [("cellars.ucpack", 1000), ("descent.ucpack", 2)]


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_specs_of_the_readme_are_some(text: str) -> None:
    """What a spec does not name has its style's default."""
    given = tomllib.loads(text)
    usual = parse_spec(f"style = {given['style']!r}").to_dict()
    if "state" in given:
        given["state"] = {**usual["state"], **given["state"]}
    assert parse_spec(text).to_dict() == {**usual, **given}
    assert {tomllib.loads(block)["style"] for block in blocks("toml")} == set(STYLES)


def test_the_layout_of_the_docs_is_one() -> None:
    docs = (ROOT / "docs" / "layouts.md").read_text("utf-8")
    (text,) = (block for block in blocks("", docs) if "map:" in block)
    layout = parse_layout(text, Path("pond.txt"))
    assert layout.size == (13, 7)
    assert layout.weight == 2


def test_the_picture_came_out_of_the_program(tmp_path: Path) -> None:
    """`docs/pictures/README.md` holds the command of each picture."""
    commands = blocks("sh", (ROOT / "docs" / "pictures" / "README.md").read_text("utf-8"))
    lines = [line for block in commands for line in block.splitlines()]
    assert lines
    for line in lines:
        assert undercroft(*shlex.split(line)[1:], cwd=tmp_path).returncode == 0
        name = f"{line.split('--name ')[1].split()[0]}.png"
        folders = (tmp_path, ROOT / "docs" / "pictures")
        made, kept = (np.asarray(Image.open(folder / name)) for folder in folders)
        assert np.array_equal(made, kept), f"{name} is out of date: run {line}"


DOCUMENTS = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
        assert target.startswith("http") or (path.parent / target).exists(), target
