"""docs/reroll.md does what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.commands import undercroft_line
from tests.engines import HANG
from tests.test_docs import ROOT, blocks

DOCS = (ROOT / "docs" / "reroll.md").read_text("utf-8")


def test_every_command_runs(tmp_path: Path) -> None:
    lines = [line for block in blocks("sh", DOCS) for line in block.splitlines()]
    assert len(lines) == 8
    for line in lines:
        done = undercroft_line(line, tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), f"{line}\n{done.stderr}"
    assert (tmp_path / "build" / "try.tscn").is_file()
    (shown,) = blocks("json", DOCS)
    rows = json.loads("{" + shown + "}")["rerolls"]
    kept = json.loads((tmp_path / "build" / "isaac-7.level.json").read_bytes())["rerolls"]
    assert rows == kept


def test_its_python_runs(tmp_path: Path) -> None:
    (code,) = blocks("python", DOCS)
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=HANG)
