"""One level of LDtk with very many rooms is told of in a line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main

NOTE = "rooms in one level make LDtk slow; give ldtk.levels=rooms for one level per room"


@pytest.mark.parametrize(("levels", "told"), [("one", True), ("auto", True), ("rooms", False)])
def test_it_is_said_when_it_matters(
    levels: str, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exporters.formats.ldtk._MANY_ROOMS", 5)
    words = [
        "generate",
        "gungeon",
        "--to",
        "ldtk",
        "--option",
        f"ldtk.levels={levels}",
        "--out",
        str(tmp_path),
    ]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    lines = done.stderr.splitlines()
    assert len(lines) == told and all(line.endswith(NOTE) for line in lines)


def test_it_is_not_said_of_usual_levels(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["generate", "gungeon", "--to", "ldtk", "--out", str(tmp_path)])
    assert (done.exit_code, done.stderr) == (0, "")
