"""What other systems do differently, tried on this one: names, files that are open, line ends, consoles, processes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import exporters
import generator
from exporters.builder.manifest import load_manifest
from exporters.builder.plan import BuildPlan
from generator.batch.run import Processes
from generator.cli import main
from tests.engines import HANG
from tests.folders import files_in

ROOT = Path(__file__).parent.parent
MANIFEST = """
formats = ["godot", "pack"]
[group.halls]
spec = "isaac"
seeds = "0:2"
"""
STORY = (
    "generate isaac --seed 7 --out made",
    "generate isaac --seed 8 --name isaac-7 --edits merge --out made",
    "sync made",
    "reroll made/isaac-7.level.json --room 2",
    "export made/isaac-7.level.json --to tiled --option tiled.split=rooms --out rooms",
    "build game --jobs 2",
    "build game --check",
    "check made/isaac-7.level.json made/isaac-7.ldtk",
)
SAID = "undercroft: isaac-7: nothing was edited\nundercroft: 2 files checked, no problems\n"


def like_windows(*lines: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "warn_default_encoding", "-m", "tests.like_windows", *lines]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "exporters" / "public")])}
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=HANG
    )


def test_a_team_on_windows_gets_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what POSIX alone has, where no open file is replaced or removed, and each text has its encoding."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        (folder / "game").mkdir(parents=True)
        (folder / "game" / "undercroft.toml").write_text(MANIFEST, "utf-8")
    done = like_windows(*STORY, cwd=there)
    assert done.returncode == 0 and done.stderr == SAID
    assert re.findall(r"^(.*): 0$", done.stdout, re.MULTILINE) == [*STORY]
    monkeypatch.chdir(here)
    for line in STORY:
        if not line.startswith("build"):
            assert CliRunner().invoke(main, line.split(" ")).exit_code == 0
    ours, theirs = files_in(here), files_in(there)
    assert len(ours) > 20 and all(theirs[path] == data for path, data in ours.items())
    assert {f"game/build/halls{end}" for end in (".ucpack", "/isaac-0.tscn", "/isaac-1.tscn")} <= {*theirs}


def test_a_file_that_a_program_holds_open_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows lets nobody replace it: a line names it, and a run after the program has ended goes on."""
    made = ["generate", "isaac", "--to", "tiled", "--to", "json", "--out", str(tmp_path)]
    replaced = os.replace

    def refuse(source: str | Path, target: str | Path) -> None:
        if str(target).endswith(".tmj"):
            raise PermissionError(13, "The process cannot access the file", str(source), 32, str(target))
        replaced(source, target)

    assert CliRunner().invoke(main, [*made, "--seed", "7", "--name", "a"]).exit_code == 0
    before = (tmp_path / "a.tmj").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        done = CliRunner().invoke(main, [*made, "--seed", "8", "--name", "a"])
    assert (done.exit_code, done.stderr) == (
        1,
        f"undercroft: {tmp_path / 'a.tmj'}: cannot be written: The process cannot access the file\n",
    )
    assert (tmp_path / "a.tmj").read_bytes() == before
    assert not [path.name for path in tmp_path.iterdir() if path.suffix in {".tmp", ".lock"}]
    done = CliRunner().invoke(main, [*made, "--seed", "8", "--name", "a"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert exporters.export(generator.generate("isaac", 8), "tiled", name="a")["a.tmj"] != before


def test_more_processes_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine of 64 cores works in 61 processes, where Python would refuse."""
    monkeypatch.setattr(sys, "platform", "win32")
    Processes(64).shutdown()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nul", "a device on Windows"),
        ("Com1", "a device on Windows"),
        ("CELLARS", "and that of cellars would have the same name"),
    ],
)
def test_packs_have_names_that_every_file_system_takes(tmp_path: Path, name: str, said: str) -> None:
    text = 'formats = ["pack"]\n' + "".join(
        f'[group.{each}]\nspec = "isaac"\nseeds = [1]\n' for each in ("cellars", name)
    )
    (tmp_path / "undercroft.toml").write_text(text, "utf-8")
    with pytest.raises(generator.BadInput, match=f"group.{name}: its pack .*{said}"):
        BuildPlan(load_manifest(tmp_path))


@pytest.mark.parametrize(
    ("style", "more"),
    [("rebirth", {"ldtk.external": True, "ldtk.simplified": True}), ("gungeon", {"ldtk.levels": "rooms"})],
)
def test_files_of_a_level_lie_side_by_side_on_every_file_system(style: str, more: dict[str, object]) -> None:
    """Names differ in more than case, are plain ASCII, and leave room for a folder within 260 characters."""
    options = {"tiled.split": "rooms", "godot.split": "rooms"} | more
    formats = ["json", "godot", "tiled", "ldtk"]
    bundle = exporters.export(generator.generate(style, 7), formats, options, name="n" * 120)
    assert len(bundle) > 30 and len({path.casefold() for path in bundle}) == len(bundle)
    assert all(path.isascii() and len(path) < 180 for path in bundle)


# ---- line ends ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit with a layout, a flow, and a spec that names all of them."""
    folder = tmp_path_factory.mktemp("project")
    runner = CliRunner()
    assert runner.invoke(main, ["kit", "new", str(folder / "kit")]).exit_code == 0
    flow = runner.invoke(main, ["flow", "show", "two_keys", "--toml"])
    (folder / "flow.toml").write_text(flow.stdout, "utf-8")
    (folder / "heap.toml").write_text('style = "gungeon"\nflow = "flow.toml"\nkit = "kit"\n', "utf-8")
    (folder / "grid.toml").write_text('style = "isaac"\nkit = "kit"\n[state]\ncoins = 15\n', "utf-8")
    return folder


def _ended_as_on_windows(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.suffix in {
            ".toml",
            ".txt",
            ".tmj",
            ".tmx",
            ".tsx",
            ".tsj",
            ".ldtk",
            ".tscn",
            ".tres",
            ".json",
        }:
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("spec", ["heap.toml", "grid.toml"])
def test_line_ends_of_windows_make_the_same_level(project: Path, tmp_path: Path, spec: str) -> None:
    """As an editor there saves them, or git checks them out: spec, kit, layouts and flow, with a mark in front."""
    copy = shutil.copytree(project, tmp_path / "copy")
    _ended_as_on_windows(copy)
    (copy / spec).write_bytes(b"\xef\xbb\xbf" + (copy / spec).read_bytes())
    one, other = (generator.generate(str(folder / spec), 10) for folder in (project, copy))
    assert one.to_dict() == other.to_dict()
    assert CliRunner().invoke(main, ["check", str(copy / "kit"), str(copy / spec)]).stdout == ""


@pytest.mark.parametrize("options", [{}, {"tiled.format": "tmx", "ldtk.external": True}])
def test_exports_with_other_line_ends_have_no_edits(tmp_path: Path, options: dict[str, object]) -> None:
    """git on Windows may change them, which is not a person's work."""
    level = generator.generate("isaac", 7)
    exporters.export(level, None, options, name="a").write(tmp_path)
    _ended_as_on_windows(tmp_path)
    for name in ("a.tmx" if options else "a.tmj", "a.ldtk", "a.tscn"):
        back = exporters.bring_back(tmp_path / name)
        assert back.level == level and back.said() == "no edits", name


def test_the_package_with_other_line_ends_makes_the_same_level(tmp_path: Path) -> None:
    """A checkout on Windows without our `.gitattributes`."""
    shutil.copytree(ROOT / "generator", tmp_path / "generator", ignore=shutil.ignore_patterns("__pycache__"))
    _ended_as_on_windows(tmp_path / "generator")
    code = "import generator; print(*[generator.generate(s, 7).fingerprint for s in ('isaac', 'gungeon')])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=True, timeout=HANG,
    )  # fmt: skip
    assert done.stdout.split() == [generator.generate(style, 7).fingerprint for style in ("isaac", "gungeon")]


# ---- paths and consoles ------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="there such paths are right")
@pytest.mark.parametrize(
    "line", ['kit = "our\\\\kit"', 'layouts = "our\\\\rooms"', 'flow = "our\\\\flow.toml"']
)
def test_a_spec_with_paths_of_windows_says_how_to_write_them(tmp_path: Path, line: str) -> None:
    style = "gungeon" if "flow" in line else "isaac"
    (tmp_path / "spec.toml").write_text(f'style = "{style}"\n{line}\n', "utf-8")
    for name in (str(tmp_path / "spec.toml"), "our\\spec.toml"):
        done = CliRunner().invoke(main, ["show", name])
        assert done.exit_code == 2 and done.stderr.endswith("; write / between folders\n"), done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "cp437"])
def test_consoles_that_know_few_letters(tmp_path: Path, encoding: str) -> None:
    """Help, levels and messages with names in any script come out, if need be with codes for letters."""
    (tmp_path / "Žluťoučký 地下.toml").write_text('style = "nowhere"\n', "utf-8")
    code = (
        "from generator.cli import main\n"
        "for line in (['--help'], ['generate', '--help'], ['show', '--help'], ['show', 'isaac', '--seed', '\\u5730'],\n"
        "             ['check', 'Žluťoučký 地下.toml'], ['generate', '地下', '--nothing'], ['presets', 'rebirth']):\n"
        "    try: main(line)\n"
        "    except SystemExit as end: print(end.code)\n"
    )
    (tmp_path / "all.py").write_text(code, "utf-8")
    env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "all.py"], cwd=tmp_path, env=env, capture_output=True, check=True, timeout=HANG
    )
    out, told = done.stdout.decode(encoding), done.stderr.decode(encoding)
    assert [line for line in out.splitlines() if line in {"0", "1", "2"}] == [
        "0",
        "0",
        "0",
        "0",
        "1",
        "2",
        "0",
    ]
    assert "lu\\u0165ou" in out + told and "Traceback" not in told
