"""The action for GitHub: its steps run one after the other as the runner does it, but for other people's actions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from generator.cli import main
from tests.combinations import usually
from tests.engines import HANG

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".github" / "actions" / "undercroft"
ACTION = yaml.safe_load((FOLDER / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]


class Runner:
    """What GitHub's runner gives to an action in a folder that was checked out."""

    def __init__(self, folder: Path, scratch: Path, **inputs: str) -> None:
        given = {name: str(value.get("default", "")) for name, value in ACTION["inputs"].items()}
        self.folder, self._scratch = folder, scratch
        self.values = {f"inputs.{name}": value for name, value in {**given, **inputs}.items()}
        self.summary = ""

    def run(self, *, checks: bool = True) -> int:
        """Run the steps, with or without the check, up to the first that fails; its exit status."""
        place = self._scratch
        command = place / "bin" / "undercroft"
        command.parent.mkdir(parents=True)
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m generator.cli "$@"\n', "utf-8")
        command.chmod(0o755)
        own = {
            "GITHUB_ACTION_PATH": str(FOLDER),
            "GITHUB_OUTPUT": str(place / "output"),
            "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
            "PATH": f"{command.parent}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(place),
        }
        status = 0
        for step in STEPS:
            if "pip install" in step.get("run", "pip install"):  # by another action, or from the network
                continue
            if not checks and step["run"].startswith("undercroft check"):
                continue
            env = {key: self._filled(value) for key, value in step["env"].items()}
            words = [step["shell"], "-eo", "pipefail", "-c", step["run"]]
            done = subprocess.run(
                words, cwd=self.folder, env=os.environ | own | env, check=False, timeout=HANG
            )
            lines = (place / "output").read_text("utf-8") if (place / "output").is_file() else ""
            for name, _, value in re.findall(r"^(\w+)<<(.+)\n((?s:.*?))\n\2$", lines, re.M):
                self.values[f"steps.{step.get('id')}.outputs.{name}"] = value
            (place / "output").unlink(missing_ok=True)
            if status := done.returncode:
                break
        told = place / "summary.md"
        self.summary = told.read_text("utf-8") if told.is_file() else ""
        return status

    def _filled(self, text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: self.values[found[1]], text)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A game with one level, whose spec has changed since it was built."""
    folder = tmp_path / "our game"
    assert CliRunner().invoke(main, ["init", str(folder), "--ci", "none"]).exit_code == 0
    replace(folder / "undercroft.toml", '"1:4"', '"1:2"')
    assert CliRunner().invoke(main, ["build", str(folder)]).exit_code == 0
    replace(folder / "specs" / "dungeon.toml", "stage = 1", "stage = 2")
    return folder


def replace(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


def test_it_is_what_the_runner_reads() -> None:
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    done = subprocess.run(
        [*words, FOLDER / "action.yml"], capture_output=True, text=True, check=False, timeout=HANG
    )
    assert done.returncode == 0, done.stdout
    assert not [
        step for step in STEPS if "${{" in step.get("run", "")
    ]  # an input is never a part of a script
    assert (FOLDER / ".." / ".." / ".." / "pyproject.toml").is_file()  # what it installs by default
    known = {f"inputs.{name}" for name in ACTION["inputs"]} | {"github.sha"}
    known |= {
        f"steps.{step}.outputs.{name}"
        for step, name in (("folder", "levels"), ("build", "changed"), ("build", "pictures"))
    }
    used = set(re.findall(r"(?:inputs|steps|github)\.[\w.-]+", str([ACTION["outputs"], STEPS])))
    assert used == known


def test_levels_are_built_and_those_that_change_are_told_and_drawn(project: Path, tmp_path: Path) -> None:
    """Of these two, one was built before."""
    before = (project / "levels" / "dungeon" / "dungeon-1.png").read_bytes()
    replace(project / "undercroft.toml", '"1:2"', '"1:3"')
    runner = Runner(tmp_path, tmp_path / "runner", project="our game")
    assert runner.run() == 0
    assert re.fullmatch(
        r"\| level \| what happened \| differences \|\n\| --- \| --- \| --: \|\n"
        r"\| dungeon, seed 1 \| spec changed \| [1-9]\d* \|\n\| dungeon, seed 2 \| new \|  \|\n",
        runner.summary,
    )
    assert runner.values["steps.folder.outputs.levels"] == "our game/levels"
    assert runner.values["steps.build.outputs.changed"] == "2"
    pictures = Path(runner.values["steps.build.outputs.pictures"])
    assert {path.name for path in (pictures / "dungeon").glob("*.png")} == {
        f"dungeon-1-{what}.png" for what in ("before", "after")
    }
    assert (pictures / "dungeon" / "dungeon-1-before.png").read_bytes() == before


def test_committed_levels_stay_and_fail_where_they_differ(project: Path, tmp_path: Path) -> None:
    level = project / "levels" / "dungeon" / "dungeon-1.level.json"
    kept = level.read_bytes()
    runner = Runner(project, tmp_path / "runner", committed="true")
    assert runner.run() == 1 and level.read_bytes() == kept
    assert re.search(r"^\| dungeon, seed 1 \| differs from the manifest \| \d+ \|$", runner.summary, re.M)
    assert len([*Path(runner.values["steps.build.outputs.pictures"]).rglob("*.png")]) == 2


def test_a_level_that_cannot_be_compared_is_told_beside_the_others(project: Path, tmp_path: Path) -> None:
    """One with conflict marks, which the check of the project would name first."""
    level = project / "levels" / "dungeon" / "dungeon-1.level.json"
    level.write_text(f"<<<<<<< HEAD\n{level.read_text('utf-8')}", "utf-8")
    replace(project / "undercroft.toml", '"1:2"', '"1:3"')
    runner = Runner(project, tmp_path / "runner", committed="true")
    assert runner.run(checks=False) == 1
    assert "| dungeon, seed 1 | differs from the manifest | cannot be compared |" in runner.summary
    assert "| dungeon, seed 2 | is missing |  |" in runner.summary
    assert runner.values["steps.build.outputs.changed"] == "2"
    assert "steps.build.outputs.pictures" not in runner.values


@pytest.mark.parametrize("committed", usually(["true"], ["true", "false"]))
def test_a_build_that_stops_says_why(committed: str, project: Path, tmp_path: Path) -> None:
    replace(project / "undercroft.toml", '"1:2"', '"1:2"\nwhere = "rooms > 900"')
    runner = Runner(project, tmp_path / "runner", committed=committed)
    assert runner.run() == 1
    assert re.fullmatch(
        r"The build failed\.\n\n    undercroft\.toml: group\.\w+\.where: none of .+\n", runner.summary
    )
    assert "steps.build.outputs.changed" not in runner.values


def test_a_name_with_a_line_break_gives_no_output_of_its_own(project: Path, tmp_path: Path) -> None:
    replace(project / "undercroft.toml", 'out = "levels"', 'out = "levels\\nchanged=99"')
    done = subprocess.run(
        [sys.executable, FOLDER / "levels.py", "folder", project],
        env=os.environ | {"GITHUB_OUTPUT": str(tmp_path / "output")},
        check=True,
        timeout=HANG,
    )
    first, *lines, last = (tmp_path / "output").read_text("utf-8").splitlines()
    assert done.returncode == 0 and first == f"levels<<{last}" and len(last) > 30
    assert lines == [f"{project.as_posix()}/levels", "changed=99"]


def test_a_problem_ends_it_before_anything_is_built(project: Path, tmp_path: Path) -> None:
    replace(project / "specs" / "dungeon.toml", "stage = 2", "stage = 13")
    runner = Runner(project, tmp_path / "runner")
    assert runner.run() == 1 and "steps.folder.outputs.levels" not in runner.values
