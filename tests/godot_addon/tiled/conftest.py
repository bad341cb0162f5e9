"""How a test says with which options a file is to be imported."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

MAP = "undercroft.tiled.map"


def import_with(folder: Path, name: str, **options: object) -> None:
    """Write the `.import` file that the Import dock would write: the options that are not as usual."""
    place = f"res://.godot/imported/{name}-{hashlib.md5(f'res://{name}'.encode()).hexdigest()}.scn"
    lines = "".join(f"{key}={json.dumps(value)}\n" for key, value in options.items())
    (folder / f"{name}.import").write_text(
        f'[remap]\n\nimporter="{MAP}"\ntype="PackedScene"\npath="{place}"\n\n'
        f'[deps]\n\nsource_file="res://{name}"\n\n[params]\n\n{lines}',
        encoding="utf-8",
    )
