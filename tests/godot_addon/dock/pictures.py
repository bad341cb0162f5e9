"""Takes the pictures of the editor in docs/pictures again: `python -m tests.godot_addon.dock.pictures`."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import undercroft
from PIL import Image

from tests import godot_server
from tests.godot_addon.conftest import AddonProject

from .conftest import Editor, Story

PICTURES = Path(__file__).parents[3] / "docs/pictures"
IMPORTED = (("gungeon", "12", "tiled", "tmj"), ("rebirth", "748", "ldtk", "ldtk"))
BACKGROUND = (13, 11, 20)
SIZE = (960, 540)
MIDDLE = """[gd_scene load_steps=2 format=3]

[ext_resource type="PackedScene" path="res://imported/{}" id="1"]

[node name="Middle" type="Node2D"]

[node name="Level" parent="." instance=ExtResource("1")]
position = Vector2({}, {})
"""


def main() -> None:
    """Make a level in the dock, import a map and a project, and save what is seen."""
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        project = AddonProject(Path(folder) / "game")
        _draw_imported(project)
        played = Editor(project).play([Story("pictures", lambda _: "")], display=True)
        assert not played["pictures"].said, played["pictures"].said
        for name in ("dock", "edited"):
            with Image.open(project.folder / ".godot" / f"{name}.png") as shot:
                _save(shot.resize((1440, 900), Image.Resampling.LANCZOS), f"godot-{name}.png")


def _draw_imported(project: AddonProject) -> None:
    """The middle of a Tiled map and of an LDtk project, as a game shows them."""
    for spec, seed, form, suffix in IMPORTED:
        level, name = undercroft.generate(spec, int(seed)), f"{spec}-{seed}"
        bundle = undercroft.export(level, form, name=name)
        bundle.write(project.folder / "imported")
        left, top = SIZE[0] // 2 - level.width * 8, SIZE[1] // 2 - level.height * 8
        if form == "ldtk":  # whose world begins where its first room does
            rooms = json.loads(bundle[f"{name}.ldtk"])["levels"]
            left, top = (
                SIZE[axis] // 2
                - (min(room[at] for room in rooms) + max(room[at] + room[far] for room in rooms)) // 2
                for axis, at, far in ((0, "worldX", "pxWid"), (1, "worldY", "pxHei"))
            )
        (project.folder / f"{form}.tscn").write_text(MIDDLE.format(f"{name}.{suffix}", left, top), "utf-8")
    project.import_all()
    forms = [form for _, _, form, _ in IMPORTED]
    pictures = project.draw([(f"res://{form}.tscn", SIZE) for form in forms])
    godot_server.stop()  # else the screen, which waits for its last client, never ends
    for form, drawn in zip(forms, pictures, strict=True):
        picture = Image.new("RGBA", SIZE, BACKGROUND)
        with Image.open(drawn) as shot:
            picture.alpha_composite(shot.convert("RGBA"))
        _save(picture, f"godot-{form}.png")


def _save(picture: Image.Image, name: str) -> None:
    small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(PICTURES / name, optimize=True)


if __name__ == "__main__":
    main()
