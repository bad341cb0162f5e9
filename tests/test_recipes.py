"""The CI files work as pasted: their lines are run in a fresh clone with a fresh environment."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import venv
from pathlib import Path
from textwrap import dedent
from typing import Any

import check_jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from exporters.project import CI_FILES, REQUIREMENT, recipe
from generator.cli import main
from tests import built_wheel
from tests.engines import HANG
from tests.guides import follow

ROOT = Path(__file__).parent.parent
SITE = Path(np.__file__).parents[1]  # where the packages are that undercroft needs
VENDORS = {"github": "vendor.github-workflows", "gitlab": "vendor.gitlab-ci"}
KINDS = [pytest.param(True, id="check"), pytest.param(False, id="build")]


def read(ci: str, text: str) -> tuple[dict[str, Any], list[str], dict[str, str]]:
    """The one job of a CI file, its lines of shell, and its variables."""
    table = YAML(typ="safe").load(text)
    if ci == "gitlab":
        return table["levels"], table["levels"]["script"], table["variables"]
    (job,) = table["jobs"].values()
    return job, [step["run"] for step in job["steps"] if "run" in step], table["env"]


@pytest.mark.parametrize("committed", KINDS)
@pytest.mark.parametrize("ci", CI_FILES)
def test_a_recipe_is_what_the_ci_reads(ci: str, committed: bool, tmp_path: Path) -> None:
    text = recipe(ci, committed=committed)
    path = tmp_path / Path(CI_FILES[ci]).name
    path.write_text(text, "utf-8")
    done = CliRunner().invoke(check_jsonschema.main, ["--builtin-schema", VENDORS[ci], str(path)])
    assert done.exit_code == 0, done.output


def test_the_docs_show_what_all_recipes_run() -> None:
    """With no number of a version, which would be an old one soon."""
    install = (ROOT / "docs" / "install.md").read_text("utf-8")
    assert re.findall(r"undercroft==[\w.]*", install) == ["undercroft==VERSION"]
    page = (ROOT / "docs" / "pipelines.md").read_text("utf-8")
    for committed in (True, False):
        _, lines, _ = read("github", recipe("github", committed=committed))
        assert f"`{lines[-1]}`" in page


@pytest.mark.parametrize("committed", KINDS)
def test_both_ci_run_the_same_lines_and_keep_the_folder_that_is_built(committed: bool) -> None:
    hub, lab = (read(ci, recipe(ci, committed=committed)) for ci in ("github", "gitlab"))
    assert hub[1:] == lab[1:]
    kept = [step["with"]["path"] for step in hub[0]["steps"] if "path" in step.get("with", {})]
    assert kept == ([] if committed else ["levels", "levels"])
    assert lab[0].get("artifacts") == (None if committed else {"paths": ["levels/"]})


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of a fresh environment with what undercroft needs, in which the first line was run."""
    folder = tmp_path_factory.mktemp("ci")
    built_wheel.wheel(folder / "index")
    venv.create(folder / "venv", symlinks=True)
    programs = folder / "venv" / "bin"
    (site,) = (folder / "venv").glob("lib/*/site-packages")
    (site / "needed.pth").write_text(f"{SITE}\n", "utf-8")
    (programs / "pip").write_text(f'#!/bin/sh\nexec "{programs}/python" -m pip "$@"\n', "utf-8")
    (programs / "pip").chmod(0o755)
    settings = ("NO_INDEX", "NO_DEPS", "IGNORE_INSTALLED", "QUIET")
    offline = {f"PIP_{name}": "1" for name in settings} | {"PIP_COMPILE": "0", "PIP_FIND_LINKS": "index"}
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env = {**kept, **offline, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    (install, _), (same, _) = (read("github", recipe("github", committed=each))[1] for each in (True, False))
    done = shell(install, folder, {**env, "UNDERCROFT": REQUIREMENT})
    assert install == same and done.returncode == 0, done.stdout + done.stderr
    assert (programs / "undercroft").is_file()
    return env


def git(folder: Path, *words: str) -> None:
    """Git without anybody's settings."""
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "core.hooksPath=/dev/null"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, timeout=HANG)


def cloned(project: Path) -> Path:
    """A clone of a project in which all is committed that it does not ignore."""
    git(project, "init", "--quiet")
    git(project, "add", ".")
    git(project, "commit", "--quiet", "--message", "levels")
    git(project.parent, "clone", "--quiet", project.name, "clone")
    return project.parent / "clone"


def shell(line: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a line as CI does."""
    command = ["bash", "-e", "-c", line]
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=HANG
    )


def in_ci(folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the line of a project's CI file after the one that installs undercroft."""
    _, (_, line), variables = read("github", (folder / CI_FILES["github"]).read_text("utf-8"))
    return shell(line, folder, {**env, **variables})


def test_who_follows_levels_in_ci_sees_a_green_and_a_red_check(fresh: dict[str, str], tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorial-ci.md").read_text("utf-8")
    told = {dedent(block) for block in re.findall(r"(?:^    .*\n)+", page, re.MULTILINE)}
    _, _, at_home, _ = follow("tutorial-ci.md", tmp_path)
    assert at_home.stdout in told
    (commit,) = (block for block in told if block.startswith("git "))
    for line in commit.splitlines():
        git(tmp_path, *shlex.split(line)[1:])
    git(tmp_path, "clone", "--quiet", "our-game", "clone")
    clone = tmp_path / "clone"
    assert not list(clone.rglob(".undercroft"))
    green = in_ci(clone, fresh)
    assert (green.returncode, green.stdout) == (0, at_home.stdout), green.stderr
    spec = clone / "specs" / "dungeon.toml"
    spec.write_text(spec.read_text("utf-8").replace("stage = 1", "stage = 2"), "utf-8")
    red = in_ci(clone, fresh)
    assert red.returncode == 1 and red.stderr.startswith(tuple(told)) and len(red.stderr.splitlines()) == 6
    git(clone, "checkout", "--quiet", ".")
    level = clone / "levels" / "dungeon" / "dungeon-2.level.json"
    changed = re.sub('"seed": ?"2"', '"seed":"3"', level.read_text("utf-8"))
    level.write_text(changed, "utf-8")
    red = in_ci(clone, fresh)
    assert red.returncode == 1 and len(red.stderr.splitlines()) == 1
    assert level.name in red.stderr and level.read_text("utf-8") == changed


def test_levels_that_are_not_committed_are_built_and_only_once(fresh: dict[str, str], tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["init", str(tmp_path / "project")]).exit_code == 0
    clone = cloned(tmp_path / "project")
    assert not (clone / "levels").exists()
    first = in_ci(clone, fresh)
    assert first.returncode == 0, first.stdout + first.stderr
    made = {path.name for path in (clone / "levels" / "dungeon").iterdir()}
    assert made >= {f"dungeon-{seed}.level.json" for seed in (1, 2, 3)}
    again = in_ci(clone, fresh)
    assert again.returncode == 0 and "generated" in first.stdout and "generated" not in again.stdout
