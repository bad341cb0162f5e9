"""Short options, lists of formats, and what `--version --json` tells: the same as the long way round."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from click.testing import CliRunner, Result

from generator.cli import main
from tests.folders import entries

ROOT = Path(__file__).parents[3]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_short_options_and_a_list_of_formats_do_what_the_long_ones_do(tmp_path: Path) -> None:
    long = run("generate", "isaac", "--seed", "3", "--to", "json", "--to", "png", "--out", tmp_path / "a")
    short = run("generate", "isaac", "-s3", "-t", "png, json,png", "-o", tmp_path / "b", "-q")
    assert (long.exit_code, short.exit_code, short.output) == (0, 0, "")
    first, second = ({path.name: path.read_bytes() for path in entries(tmp_path / at)} for at in "ab")
    assert first == second and {*first} == {"isaac-3.level.json", "isaac-3.png"}
    dry = run("generate", "isaac", "-s", "s", "-t", "json", "-o", tmp_path / "c", "-n")
    assert dry.exit_code == 0 and not (tmp_path / "c").exists()


def test_version_names_every_extra_for_users() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    told = json.loads(run("--version", "--json").stdout)
    assert {*told["extras"]} == {*project["optional-dependencies"]} - {"docs", "test"}
