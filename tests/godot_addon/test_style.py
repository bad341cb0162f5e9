"""The addon's scripts are formatted and linted by the tools of the field, and compile without a warning."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tarfile
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.engines import HANG, environment

from .conftest import ADDON
from .rounds import Part, Turns, in_rounds

FOLDERS = [ADDON, ADDON.parent / "exporters", Path(__file__).parent]


# Both tools, which read a script alike: it takes most of their time, so it is done once.
BOTH = """
import sys
from functools import cache
from gdtoolkit.formatter.__main__ import main as gdformat
from gdtoolkit.linter.__main__ import main as gdlint
from gdtoolkit.parser import parser

parser.parse, paths = cache(parser.parse), sys.argv[1:]
found = 0
for tool, words in ((gdlint, []), (gdformat, ["--check"])):
    sys.argv = [tool.__module__, *words, *paths]
    try:
        tool()
    except SystemExit as ended:
        found |= bool(ended.code)
sys.exit(found)
"""


@pytest.mark.xdist_group("gdtoolkit")
def test_scripts_are_clean(cache: pytest.Cache) -> None:
    """What is as it was when this version of the tools found it clean is not read again."""
    scripts = [path for folder in FOLDERS for path in sorted(folder.rglob("*.gd"))]
    assert len(scripts) > 200
    states = {path: sha256(version("gdtoolkit").encode() + path.read_bytes()).hexdigest() for path in scripts}
    clean = {*cache.get("undercroft/gdtoolkit", [])}
    changed = [path for path in scripts if states[path] not in clean]
    if changed:
        done = run(sys.executable, "-c", BOTH, *changed)
        assert done.returncode == 0, done.stdout + done.stderr
        cache.set("undercroft/gdtoolkit", sorted(states.values()))


def test_scripts_load_nothing_that_neither_they_nor_their_heirs_use() -> None:
    codes = {path: re.sub("#.*", "", path.read_text("utf-8")) for path in ADDON.rglob("*.gd")}
    for path, code in codes.items():
        heirs = [other for other in codes.values() if re.match(rf'(@tool\s+)?extends ".*{path.name}"', other)]
        used = re.findall(r"\w+", "".join((code, *heirs)))
        loaded = re.findall(r"^const (\w+) := preload", code, re.MULTILINE)
        assert not [name for name in loaded if used.count(name) == 1], path


def run(program: str, *args: str | Path) -> subprocess.CompletedProcess[str]:
    """Run one of its tools, at home where no other process is: two fail if both make their folder in ~/.cache."""
    return subprocess.run(
        [program, *args], env=environment(), capture_output=True, text=True, check=False, timeout=HANG
    )


@pytest.mark.xdist_group("gdtoolkit")
def test_its_tools_need_no_cache_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".cache").write_text("no folder")
    monkeypatch.setenv("HOME", str(tmp_path))
    program = shutil.which("gdlint", path=Path(sys.executable).parent) or "gdlint"
    done = run(program, ADDON / "addons" / "undercroft" / "plugin.gd")
    assert done.returncode == 0, done.stderr


@in_rounds
def test_the_first_start_of_a_project_says_nothing(part: Part) -> Turns:
    """All that names no other story's files."""
    assert (yield) == []


def test_the_page_for_csharp_calls_what_the_runtime_has() -> None:
    """Nothing here can run C#, so at least its strings are names of the scripts."""
    page = (ADDON.parent / "docs" / "runtime.md").read_text("utf-8")
    runtime = "\n".join(
        path.read_text("utf-8") for path in sorted((ADDON / "addons/undercroft/runtime").glob("*.gd"))
    )
    calls = {
        "Call": r"^(?:static )?func {}\(",
        "Connect": r"^signal {}\(",
        "Get": r"^var {}\b",
        "Set": r"^var {}\b",
    }
    named = re.findall(r'\b(Call|Connect|Get|Set)\("(\w+)"', page)
    assert len(named) > 12
    for call, name in named:
        assert re.search(calls[call].format(name), runtime, re.MULTILINE), (call, name)


def test_every_script_and_picture_has_its_id() -> None:
    """Godot makes them where they are missing; a project that is opened must not differ from what is kept."""
    files = [path for path in ADDON.rglob("*") if ".godot" not in path.parts]
    lacking = [
        path.relative_to(ADDON)
        for path in files
        for end, kinds in ((".uid", {".gd"}), (".import", {".png", ".svg"}))
        if path.suffix in kinds and not path.with_name(path.name + end).exists()
    ]
    left = [
        path for path in files if path.suffix in {".uid", ".import"} and not path.with_suffix("").exists()
    ]
    assert not lacking + left, "open godot_addon in Godot, and commit what it makes there"


def test_the_archive_of_the_addon_holds_nothing_else() -> None:
    """As Godot's asset library installs it: licence, page and scripts below addons/undercroft."""
    git = shutil.which("git")
    if not git or not (ADDON.parent / ".git").exists():
        pytest.skip("is no clone of the repository")
    made = subprocess.run(
        [git, "archive", "HEAD:godot_addon"], cwd=ADDON.parent, capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        names = [entry.name for entry in archive.getmembers() if entry.isfile()]
    assert all(name.startswith("addons/undercroft/") for name in names)
    assert {
        "addons/undercroft/plugin.cfg",
        "addons/undercroft/LICENSE",
        "addons/undercroft/README.md",
    } <= set(names)
