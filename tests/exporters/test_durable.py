from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from exporters.durable import flush_folders


@pytest.mark.parametrize(("platform", "is_flushed"), [("linux", True), ("darwin", True), ("win32", False)])
def test_the_names_of_files_are_flushed_with_their_folder(
    platform: str, is_flushed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows cannot open a folder, and flushes names by itself."""
    flushed: list[int] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "fsync", lambda opened: flushed.append(os.fstat(opened).st_ino))
    (other := tmp_path / "other").mkdir()
    flush_folders([tmp_path, other])
    assert flushed == ([tmp_path.stat().st_ino, other.stat().st_ino] if is_flushed else [])
