"""The addon's project with packs, the scenes of the same levels, and the theme beside both."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import exporters
import generator
from generator.cli import main
from tests.exporters.pack_files import damaged, hostile, small_pack
from tests.godot_addon.conftest import AddonProject

PROBES = Path(__file__).parent / "probes"
STYLES = {"isaac": 20, "rebirth": 3, "gungeon": 2}  # how many levels, from seed 5; isaac's fill two blocks
FIRST = 5
FAR = (1 << 63) + 5  # a seed that is negative in Godot
THING = """[gd_scene format=3]

[sub_resource type="GDScript" id="1"]
script/source = "extends Node2D
@export var told := \\"nothing\\"
"

[node name="Thing" type="Node2D"]
script = SubResource("1")

[node name="Part" type="Marker2D" parent="."]
"""
SCENES = {
    "enemy": "res://game/thing.tscn",
    "door.boss": "res://game/thing.tscn",
    "decor.rock": "res://game/thing.tscn",
}
OPTIONS = {"godot.scenes": SCENES, "godot.properties": {"enemy.role": "told", "door.kind": "told"}}
LIT = ("--option", "godot.lights=true", "--option", "godot.darkness=true")


def pack(*args: str | Path) -> None:
    """Run `undercroft pack`, which must work."""
    done = CliRunner().invoke(main, ["pack", *map(str, args), "--jobs", "1", "--quiet"])
    assert done.exit_code == 0, done.output


class PackProject(AddonProject):
    """A project with `STYLE.ucpack`, and the scenes `STYLE-SEED.tscn` of the same levels."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        shutil.copytree(PROBES, folder / "probes", dirs_exist_ok=True)

    def add(self, style: str, first: int, count: int) -> None:
        pack(style, "--seeds", f"{first}:{first + count}", "--out", self.folder / f"{style}.ucpack")
        for seed in range(first, first + count):
            exporters.export(generator.generate(style, seed), "godot").write(self.folder)

    def compare(self, style: str, first: int, count: int) -> None:
        """What the addon builds from the pack is what the scenes hold."""
        scenes = [f"res://{style}-{seed}.tscn" for seed in range(first, first + count)]
        told = self.ask("same.gd", f"res://{style}.ucpack", *scenes)
        assert told["differences"] == []
        assert told["count"] == len(scenes)
        assert told["nodes"] > 50 * len(scenes) and told["cells"] > 1000 * len(scenes)
        assert told["properties"] > 10 * told["nodes"]


class Packs(PackProject):
    """Packs of every style; `far.ucpack` has a large seed, `scenes.ucpack` levels with scenes of the game."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (folder / "game").mkdir()
        (folder / "game" / "thing.tscn").write_text(THING, "utf-8")
        for style, count in STYLES.items():
            self.add(style, FIRST, count)
        pack("isaac", "--seeds", f"{FAR}:{FAR + 1}", "--out", folder / "far.ucpack")
        (folder / "own").mkdir()
        options = folder / "own" / "options.toml"
        table = [f'"{key}" = "{path}"' for key, path in SCENES.items()]
        table += ["[godot.properties]", '"enemy.role" = "told"', '"door.kind" = "told"']
        options.write_text("\n".join(["[godot.scenes]", *table]), "utf-8")
        pack("isaac", "--seeds", "5:6", "--options", options, "--out", folder / "own" / "scenes.ucpack")
        exporters.export(generator.generate("isaac", 5), "godot", OPTIONS).write(folder / "own")
        lit = {"godot.lights": True, "godot.darkness": True}
        pack("gungeon", "--seeds", "5:6", *LIT, "--out", folder / "own" / "lit.ucpack")
        exporters.export(generator.generate("gungeon", 5), "godot", lit).write(folder / "own")
        self._add_bad(folder / "bad")
        self.can_be_exported()
        self.quiet("--export-pack", "game", str(self.game))  # imports everything first

    def _add_bad(self, bad: Path) -> None:
        """A small pack, and what damage and lies make of it, in a folder of their own."""
        bad.mkdir()
        data = small_pack(bad).read_bytes()
        for name in ("undercroft.tres", "undercroft.png"):
            shutil.copy(self.folder / name, bad)
        self.bad = {**dict(damaged(data)), **dict(hostile(data))}
        for name, changed in self.bad.items():
            (bad / f"{name}.ucpack").write_bytes(changed)

    @property
    def game(self) -> Path:
        """The project as a game is exported."""
        return self.folder.with_name(f"{self.folder.name}.pck")


@pytest.fixture(scope="session")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Packs:
    return Packs(tmp_path_factory.mktemp("packs"))
