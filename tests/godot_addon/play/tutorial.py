"""The tutorial's game, made as its page says and played by a bot; its picture in `docs/pictures`.

`python -m tests.godot_addon.play.tutorial` takes the picture again.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import generator
from generator.level import Level
from tests.engines import HANG, godot

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "tutorial-godot.md").read_text("utf-8")
PICTURE = DOCS / "pictures" / "godot-tutorial.png"
PROBE = Path(__file__).parent / "probes" / "example.gd"

# Below `Game` an instance of a level, chosen as its `scene`.
GAME = """[gd_scene format=3]

[ext_resource type="PackedScene" path="res://addons/undercroft/examples/game.tscn" id="1"]
[ext_resource type="PackedScene" path="res://{level}" id="2"]

[node name="Game" node_paths=PackedStringArray("scene") instance=ExtResource("1")]
scene = NodePath("Level")

[node name="Level" parent="." instance=ExtResource("2")]
"""
# The colour is the page's; paths are ready within the frame, so that the bot's way is always the same.
_SETTINGS = """config_version=5

[rendering]

environment/defaults/default_clear_color=Color({color}, 1)
renderer/rendering_method="gl_compatibility"

[navigation]

world/map_use_async_iterations=false
world/region_use_async_iterations=false
"""


def scripts() -> dict[str, str]:
    """The scripts on the page by name."""
    return dict(re.findall(r"^`(\w+\.gd)`:\n\n```gdscript\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def commands() -> list[str]:
    """What the page has one run, in its order."""
    found = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [line for block in found for line in block.splitlines()]


def level() -> Level:
    """The level that its command generates."""
    style, seed, stage = re.findall(
        r"^undercroft generate (\w+) --seed (\d+) --set stage=(\d+) ", PAGE, re.MULTILINE
    )[0]
    return generator.generate(style, int(seed), stage=int(stage))


def make(folder: Path) -> None:
    """A project by the page: its commands, its colour, the first start of the editor, and its game."""
    (color,) = re.findall(r"Default Clear Color\* to `#(\w+)`", PAGE)
    parts = ", ".join(str(each / 255) for each in bytes.fromhex(color))
    (folder / "project.godot").write_text(_SETTINGS.format(color=parts), "utf-8")
    for line in commands():
        program, *args = shlex.split(line)
        assert program == "undercroft", line
        subprocess.run([sys.executable, "-m", "generator.cli", *args], cwd=folder, check=True, timeout=HANG)
    (level,) = re.findall(r"Add an instance of `([^`]+)` below `Game`", PAGE)
    (folder / "main.tscn").write_text(GAME.format(level=level), "utf-8")
    shutil.copy(PROBE, folder)
    _quiet("--headless", "--path", str(folder), "--import")


def play(folder: Path, picture: Path | None = None) -> Any:
    """What the bot tells of a game; with a picture, it is played on a screen."""
    answer = folder / "answer.json"
    program = ["--path", str(folder), "--fixed-fps", "60", "-s", PROBE.name, "--", "res://main.tscn"]
    shot = [str(picture)] if picture else []
    _quiet(*([] if picture else ["--headless"]), *program, *shot, str(answer), display=bool(picture))
    return json.loads(answer.read_bytes())


def check_won(told: dict[str, Any], made: Level) -> None:
    """Enemies are gone when they have caught the player: doors that open again prove that they arrived."""
    boss = next(room.id for room in made.rooms if room.kind == "boss")
    assert told["entered"][0] == 0 and told["entered"][-1] == boss
    doors = [door.id for door in made.doors if boss in door.rooms]
    assert set(doors) & set(told["shut"]) and sorted(told["shut"]) == sorted(told["opened"])
    assert told["frames"] < 60 * 120


def _quiet(*args: str, display: bool = False) -> None:
    done = godot().run(*args, display=display)
    said = [
        line
        for line in done.stderr.splitlines()
        if line.strip() and "_vsync" not in line and "V-Sync" not in line
    ]
    assert done.returncode == 0 and not said, "\n".join(said)


def retake() -> None:
    """Take the picture anew."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        play(Path(folder), PICTURE)


if __name__ == "__main__":
    retake()
