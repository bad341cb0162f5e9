"""How a test says with which options a project is to be imported."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tests.godot_addon.conftest import ADDON, res

PRESET = {"entity_position": "center", "level_areas": True}
"""What the preset for levels of our generator changes, but for its table of values."""


def import_with(folder: Path, name: str, **options: object) -> None:
    """Write the `.import` file that the Import dock would write: the options that are not as usual.

    In them, `res://` is the folder.
    """
    here = res(folder)
    place = f"res://.godot/imported/{name}-{hashlib.md5(f'{here}{name}'.encode()).hexdigest()}.scn"
    lines = "".join(f"{key}={json.dumps(value)}\n" for key, value in options.items())
    lines = lines.replace("res://", here)
    (folder / f"{name}.import").write_text(
        f'[remap]\n\nimporter="undercroft.{name.rpartition(".")[2]}"\ntype="PackedScene"\n'
        f'path="{place}"\n\n[deps]\n\nsource_file="{here}{name}"\n\n[params]\n\n{lines}',
        encoding="utf-8",
    )


def level_table() -> str:
    """The table of values that the preset for levels of our generator has."""
    script = (ADDON / "addons/undercroft/ldtk/options.gd").read_text(encoding="utf-8")
    return script.partition('LEVEL_TABLE := """')[2].partition('"""')[0]
