"""Kits for tests."""

from __future__ import annotations

from pathlib import Path

GARDEN = """
[room.garden]
glyph = ";"
off_the_way = true
becomes = ["library"]

[state.courage]
range = [0, 10]
default = 3
"""


def write_kit(folder: Path, rows: str, head: str = "") -> Path:
    """A kit with some rows."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kit.toml").write_text(f'name = "our-kit"\n{head}\n{rows}', "utf-8")
    return folder
