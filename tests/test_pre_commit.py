"""The hook of .pre-commit-hooks.yaml: its entry runs on those files of a repository that its filter takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from generator.cli import main

ROOT = Path(__file__).parent.parent
LAYOUT = "layouts/garden/pond.txt"
OURS = {"kit/kit.toml", f"kit/{LAYOUT}", "specs/cellar.toml", "levels/isaac-0.level.json", "undercroft.toml"}
MANIFEST = '[group.cellars]\nspec = "specs/cellar.toml"\nseeds = "0:1"\nformats = ["json"]\n'


def test_the_hook_checks_the_files_that_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert (hook["id"], hook["language"]) == ("undercroft-check", "python")
    program, *entry = shlex.split(hook["entry"])
    assert program == "undercroft" and hook.get("pass_filenames", True)
    monkeypatch.chdir(tmp_path)
    for line in ("kit new kit -q", "generate isaac -t json -o levels -q"):
        assert CliRunner().invoke(main, line.split()).exit_code == 0
    Path("specs").mkdir()
    Path("specs/cellar.toml").write_text('style = "isaac"\n', "utf-8")
    Path("undercroft.toml").write_text(MANIFEST, "utf-8")
    for other in ("pyproject.toml", "notes.txt", "levels/package.json"):
        Path(other).write_text("{", "utf-8")
    paths = [path.as_posix() for path in Path().rglob("*") if path.is_file()]
    taken = sorted(path for path in paths if re.search(hook["files"], path))
    assert {*taken} == OURS
    done = CliRunner().invoke(main, [*entry, *taken])
    assert done.exit_code == 0, done.output
    Path("specs/cellar.toml").write_text('style = "isaac"\nstage = 13\n', "utf-8")
    done = CliRunner().invoke(main, [*entry, *taken])
    assert done.exit_code == 1 and "specs/cellar.toml: stage: 13 is out of range" in done.stdout
