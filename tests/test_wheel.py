"""The wheel holds everything that the command needs, and nothing of the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.engines import HANG

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True, timeout=HANG)
    (path,) = folder.glob("undercroft-*.whl")
    return path


def test_it_holds_the_packages_and_their_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"generator", "exporters"}
    for package in ("generator", "exporters"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in names


def test_it_holds_the_addon(wheel: Path, tmp_path: Path) -> None:
    """`undercroft addon install` has it at hand, file for file, without the checkout."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        tmp_path / "x",
        wheel,
    ]
    subprocess.run(command, check=True, timeout=HANG)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "project.godot").write_text("config_version=5\n", "utf-8")
    script = next((tmp_path / "x" / "bin").glob("undercroft*"))
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "x")}
    subprocess.run([sys.executable, script, "addon", "install", "game"], cwd=tmp_path, env=env, check=True)
    source = ROOT / "godot_addon"
    for path in (source / "addons").rglob("*"):
        if path.is_file() and path.suffix != ".import":
            copy = tmp_path / "game" / path.relative_to(source)
            assert copy.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("style", ["isaac", "gungeon"])
def test_installed_it_makes_a_level(wheel: Path, tmp_path: Path, style: str) -> None:
    target = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", target, wheel]
    subprocess.run(command, check=True, timeout=HANG)
    env = {**os.environ, "PYTHONPATH": str(target)}
    script = next((target / "bin").glob("undercroft*"))
    done = subprocess.run(
        [sys.executable, script, "generate", style, "--seed", "7", "--out", "build", "--json"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=True,
        timeout=HANG,
    )
    files = json.loads(done.stdout)["files"]
    assert {Path(name).name for name in files} == {
        f"{style}-7.level.json",
        f"{style}-7.tscn",
        f"{style}-7_edit.tscn",
        "undercroft.tres",
        "undercroft.png",
        f"{style}-7.png",
        f"{style}-7.tmj",
        f"{style}-7.ldtk",
        "undercroft.tsj",
        "undercroft.tiled-project",
    }
    where = subprocess.run(
        [sys.executable, "-c", "import generator; print(generator.__file__)"],
        cwd=tmp_path, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(where.stdout.strip()).is_relative_to(target)
