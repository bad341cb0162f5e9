"""The page on runs: its commands run, and it names what there is."""

from __future__ import annotations

import dataclasses
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator import Memory, RunRules
from generator.cli import main
from tests.test_docs import blocks

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "runs.md").read_text("utf-8")


def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for block in blocks("sh", PAGE) for line in block.splitlines()]
    assert len(lines) == 8
    monkeypatch.chdir(tmp_path)
    for line in lines:
        done = CliRunner().invoke(main, shlex.split(line, comments=True)[1:])
        assert (done.exit_code, done.stderr) == (0, ""), f"{line}\n{done.output}"
        assert done.stdout


def test_every_key_is_named() -> None:
    keys, style = set(re.findall(r"`(\w+)", PAGE)), (DOCS / "write-a-style.md").read_text("utf-8")
    assert {field.name for field in dataclasses.fields(Memory)} <= keys
    assert set(RunRules._fields) <= set(re.findall(r"`(\w+)\(spec", style))
