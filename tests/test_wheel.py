"""The wheel and an editable install: each has all that the command and a library's user need, and no tests."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email import message_from_string
from pathlib import Path

import numpy as np
import pytest
import undercroft
import yaml

from tests import built_wheel
from tests.combinations import usually
from tests.engines import HANG
from tests.folders import files_of_the_project
from tests.typed import CACHE, mypy

ROOT = Path(__file__).parent.parent
PUBLIC = ROOT / "exporters" / "public"
SITE = Path(np.__file__).parents[1]  # where the packages are that undercroft needs


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel.wheel(tmp_path_factory.mktemp("wheel"))


def test_it_holds_the_packages_and_their_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "generator",
        "exporters",
        "undercroft",
    }
    for package in ("generator", "exporters"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                base = PUBLIC if path.is_relative_to(PUBLIC) else ROOT
                assert path.relative_to(base).as_posix() in names
    assert not [name for name in names if name.startswith("exporters/public")]


def test_the_addon_s_archive_has_it(wheel: Path, tmp_path: Path) -> None:
    """In a folder of the addon that Godot does not look into, for the dock to install it."""
    archive = tmp_path / "addon.zip"
    subprocess.run([sys.executable, ROOT / ".github" / "addon_archive.py", wheel, archive], check=True)
    packed = zipfile.ZipFile(archive)
    place = "addons/undercroft/wheel"
    own = {name for name in packed.namelist() if name.startswith(f"{place}/")}
    assert own == {f"{place}/.gdignore", f"{place}/{wheel.name}"}
    assert packed.read(f"{place}/{wheel.name}") == wheel.read_bytes()
    assert "addons/undercroft/plugin.cfg" in packed.namelist()
    assert {name.split("/")[1] for name in packed.namelist() if name.count("/") > 1} == {"undercroft"}


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("project.godot", "", "project.godot: is outside of addons/undercroft/"),
        ("addons/undercroft/tests/a.gd", "", "addons/undercroft/tests/a.gd: is not for users of the addon"),
        ("addons/undercroft/LICENSE", "MIT License", "addons/undercroft/LICENSE: is missing, or not the MIT"),
        (
            "addons/undercroft/plugin.cfg",
            "[plugin]\nname=1",
            "addons/undercroft/plugin.cfg: author: is missing",
        ),
        ("addons/undercroft/README.md", "Godot 4.2", "addons/undercroft/README.md: does not say Godot 4.3"),
    ],
)
def test_an_archive_that_breaks_a_rule_of_the_asset_library_is_found(
    name: str, text: str, problem: str, tmp_path: Path
) -> None:
    rules = runpy.run_path(str(ROOT / ".github" / "addon_archive.py"))
    addon = ROOT / "godot_addon" / "addons" / "undercroft"
    files = {f"addons/undercroft/{path.name}": path.read_text("utf-8") for path in addon.glob("[LREp]*.*")}
    files["addons/undercroft/LICENSE"] = (addon / "LICENSE").read_text("utf-8")
    entry = tomllib.loads((ROOT / ".github" / "asset_library.toml").read_text("utf-8"))
    found = []
    for held in (files, files | {name: text}):
        with zipfile.ZipFile(tmp_path / "addon.zip", "w") as packed:
            for path, content in held.items():
                packed.writestr(path, content)
            found.append([*rules["problems_of_archive"](packed, entry)])
    assert found[0] == [] and [one for one in found[1] if one.startswith(problem)]


def test_the_entry_of_the_asset_library_is_complete() -> None:
    rules = runpy.run_path(str(ROOT / ".github" / "addon_archive.py"))
    entry = tomllib.loads((ROOT / ".github" / "asset_library.toml").read_text("utf-8"))
    assert [*rules["problems_of_entry"](entry)] == []
    worse = entry | {"icon": "README.md", "screenshots": [], "category": "Demos", "description": "levels"}
    assert len([*rules["problems_of_entry"](worse)]) == 4


def test_an_sdist_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = built_wheel.sdist(tmp_path)
    with tarfile.open(sdist) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}
        packed.extractall(tmp_path, filter="data")
    again = built_wheel.wheel(tmp_path, tmp_path / sdist.name.removesuffix(".tar.gz"))
    names = [set(zipfile.ZipFile(path).namelist()) for path in (wheel, again)]
    assert names[0] == names[1]
    assert set(files_of_the_project()) <= held, "the tests run from an sdist too"


# ---- installed, for whoever builds on it ------------------------------------------------------------


@pytest.fixture(scope="module", params=usually(["wheel"], ["wheel", "editable"]))
def python(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment that undercroft is installed in, with what undercroft needs."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, symlinks=os.name != "nt")
    found = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([found, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    (Path(site) / "needed.pth").write_text(f"{SITE}\n", "utf-8")
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        found,
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
    ]
    what = [wheel] if request.param == "wheel" else ["--no-build-isolation", "--editable", ROOT]
    subprocess.run([*command, "--ignore-installed", *what], check=True, timeout=HANG)
    return found


def run(python: Path, *args: str | Path, cwd: Path) -> str:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [python, *args], cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=HANG
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


INSTALLED = pytest.mark.parametrize("python", ["wheel"], indirect=True)


@INSTALLED
def test_it_holds_the_addon(python: Path, tmp_path: Path) -> None:
    """`undercroft addon install` has it at hand, file for file, without the checkout."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "project.godot").write_text("config_version=5\n", "utf-8")
    run(python, python.parent / "undercroft", "addon", "install", "game", cwd=tmp_path)
    source = ROOT / "godot_addon"
    for path in (source / "addons").rglob("*"):
        if path.is_file() and path.suffix != ".import":
            copy = tmp_path / "game" / path.relative_to(source)
            assert copy.read_bytes() == path.read_bytes()


@INSTALLED
@pytest.mark.parametrize("style", usually(["gungeon"], ["isaac", "gungeon"]))
def test_installed_it_makes_a_level(python: Path, tmp_path: Path, style: str) -> None:
    words = ["generate", style, "--seed", "7", "--out", "build", "--json"]
    theme = "undercroft-with-hollow" if style == "gungeon" else "undercroft"  # the looks of its districts
    files = json.loads(run(python, python.parent / "undercroft", *words, cwd=tmp_path))["files"]
    assert {Path(name).name for name in files} == {
        f"{style}-7.level.json",
        f"{style}-7.tscn",
        f"{style}-7_edit.tscn",
        f"{theme}.tres",
        f"{theme}.png",
        f"{style}-7.png",
        f"{style}-7.tmj",
        f"{style}-7.ldtk",
        f"{theme}.tsj",
        "undercroft.tiled-project",
    }


def test_a_program_that_uses_everything_runs(python: Path, tmp_path: Path) -> None:
    program = shutil.copy(ROOT / "tests" / "library_program.py", tmp_path / "program.py")
    assert undercroft.__version__ in run(python, program, tmp_path, cwd=tmp_path)
    where = run(python, "-c", "import generator, undercroft; print(generator.__file__)", cwd=tmp_path)
    is_editable = Path(where.strip()).is_relative_to(ROOT)
    assert is_editable or Path(where.strip()).is_relative_to(python.parents[1])
    assert run(python, "-m", "undercroft", "--version", cwd=tmp_path) == run(
        python, python.parent / "undercroft", "--version", cwd=tmp_path
    )


SLIPS = (  # lines, and what mypy says of each
    (
        "x: int = undercroft.generate('isaac')",
        'Incompatible types in assignment (expression has type "Level"',
    ),
    ("undercroft.no_such_name", 'Module has no attribute "no_such_name"'),
    (
        "undercroft.generate('rebirth', 7, stge=3)",
        'Unexpected keyword argument "stge" for overloaded function "generate"; did you mean "stage"?',
    ),
    (
        "undercroft.generate('rebirth', 7, stage='3')",
        'No overload variant of "generate" matches argument types',
    ),
    (
        "undercroft.levels('isaac', range(7), stge=3)",
        'Unexpected keyword argument "stge" for "levels"; did you mean "stage"?',
    ),
    (
        "undercroft.floorplans('isaac', range(7), curse='lost?')",
        'Argument "curse" to "floorplans" has incompatible type "Literal[\'lost?\']"; expected "Literal[',
    ),
    (
        "undercroft.run('isaac', 7, state={'coinz': 3})",
        'Argument "state" to "run" has incompatible type "dict[str, int]"; expected "State | StateKeywords"',
    ),
    (
        "undercroft.search('gungeon', 'loops > 1', range(9), enemy_rooms=(3, 4, 5))",
        'Argument "enemy_rooms" to "search" has incompatible type "tuple[int, int, int]"',
    ),
)


def test_its_types_are_seen(python: Path, tmp_path: Path) -> None:
    """mypy takes the program that uses everything, and knows of what is wrong in another one."""
    shutil.copy(ROOT / "tests" / "library_program.py", tmp_path / "right.py")
    lines = ["import undercroft", *(line for line, _ in SLIPS)]
    (tmp_path / "wrong.py").write_text("\n".join(lines), "utf-8")
    if CACHE.is_dir():  # a copy, because the package lies elsewhere here
        shutil.copytree(CACHE, tmp_path / "cache")
    found = ("--strict", "--python-executable", python, "right.py", "wrong.py")
    done = mypy(*found, cwd=tmp_path, cache=tmp_path / "cache")
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    for number, (_, error) in enumerate(SLIPS, 2):
        assert any(line.startswith(f"wrong.py:{number}: error: {error}") for line in errors), error
    assert {line.partition(" error:")[0] for line in errors} == {
        f"wrong.py:{number}:" for number, _ in enumerate(SLIPS, 2)
    }


@INSTALLED
def test_a_rehearsal_finds_a_release_that_works(python: Path, tmp_path: Path) -> None:
    """What needs no network of it: the first commands, and the line that an environment without an extra is told."""
    rehearsal = runpy.run_path(str(ROOT / ".github" / "rehearsal.py"))
    env = rehearsal["environment"](tmp_path, tmp_path)
    command = python.parent / "undercroft"
    rehearsal["run_commands"](rehearsal["FIRST_LINES"], command, tmp_path, env)
    assert (tmp_path / "made" / "isaac-7.tscn").is_file()
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho not this; echo nor that >&2; exit 3\n", "utf-8")
    broken.chmod(0o755)
    with pytest.raises(SystemExit, match="broken --version: exit status 3\nnot this\nnor that"):
        rehearsal["run_commands"](["--version"], broken, tmp_path, env)
    with pytest.raises(SystemExit, match="names no way to install its extra: nor that"):
        rehearsal["add_extra"](broken, tmp_path, env)


def test_a_wheel_says_what_it_is(wheel: Path) -> None:
    """All that a package index shows."""
    packed = zipfile.ZipFile(wheel)
    (path,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
    told = message_from_string(packed.read(path).decode())
    single = ("Name", "Version", "Summary", "License-Expression", "Requires-Python", "Keywords")
    assert all(told[key] for key in single) and told["Author"] == "The Undercroft authors"
    assert told["Description-Content-Type"] == "text/markdown" and "# Undercroft" in str(told.get_payload())
    assert len(told.get_all("Classifier", [])) > 8 and told.get_all("License-File") == ["LICENSE"]


def test_the_lines_of_the_release_run(wheel: Path, tmp_path: Path) -> None:
    """In their order, but for those that install or build, which fixtures and other tests do."""
    own = ("addon_archive.py", "asset_library.toml", "release.py")
    others = ("README.md", "pyproject.toml", "CHANGELOG.md", "generator/version.py", ".gitignore")
    for name in (*others, *(f".github/{name}" for name in own)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    changes = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    heading = f"## [Unreleased]\n\n## [{undercroft.__version__}]\n"
    (tmp_path / "CHANGELOG.md").write_text(changes.replace("## [Unreleased]\n", heading, 1), "utf-8")
    (tmp_path / "dist").mkdir()
    shutil.copy(wheel, tmp_path / "dist")
    repository = ["git", "-C", str(ROOT), "rev-parse", "--absolute-git-dir"]
    given = {
        "GIT_DIR": subprocess.run(repository, check=True, capture_output=True, text=True).stdout.strip(),
        "GITHUB_REF_NAME": f"v{undercroft.__version__}",
        "GITHUB_SERVER_URL": "https://example.com",
        "GITHUB_REPOSITORY": "somebody/undercroft",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    lines = [step["run"] for step in release["jobs"]["build"]["steps"] if "run" in step]
    elsewhere = [line for line in lines if re.search("pip install|-m build|-m sphinx|rehearsal", line)]
    assert len(lines) == 7 and len(elsewhere) == 4
    for line in lines:
        if line not in elsewhere:
            subprocess.run(
                ["bash", "-euc", line], cwd=tmp_path, env=os.environ | given, check=True, timeout=HANG
            )
    assert zipfile.is_zipfile(tmp_path / "undercroft-addon.zip")
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]
    assert (
        project["urls"]["Source"] == f"https://example.com/somebody/undercroft/tree/v{undercroft.__version__}"
    )
    assert "https://example.com/somebody/undercroft/raw/v" in (tmp_path / "README.md").read_text("utf-8")
