"""A copy of the addon's project, and what Godot says of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import godot_server
from tests.engines import godot

if TYPE_CHECKING:
    from tests.godot_addon.rounds import Outcomes

ADDON = Path(__file__).parents[2] / "godot_addon"
SCRIPTS = Path(__file__).parent / "scripts"
PRESET = """[preset.0]
name="game"
platform="Linux"
runnable=true
export_filter="all_resources"
include_filter="{include}"
exclude_filter=""
export_path=""

[preset.0.options]
custom_template/release="{template}"
"""
# What Mesa's software renderer says of every window, whatever is drawn in it.
HARMLESS = ("V-Sync", "set_use_vsync")


def res(folder: Path) -> str:
    """What a folder of a project is called in it, with a slash at its end."""
    if (folder / "project.godot").exists():
        return "res://"
    return f"{res(folder.parent)}{folder.name}/"


def settings() -> str:
    """The project's settings; the demo, whose title it starts with, is not copied."""
    return (
        re.sub("run/main_scene=.*\n", "", (ADDON / "project.godot").read_text("utf-8"))
        + godot_server.NAVIGATION
    )


class AddonProject:
    """A Godot project with the addon in it, turned on; its GDScript warnings are errors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "addons").exists():
            self._write(folder)

    @staticmethod
    def _write(folder: Path) -> None:
        shutil.copytree(ADDON / "addons", folder / "addons")
        (folder / "project.godot").write_text(settings(), "utf-8")
        shutil.copytree(SCRIPTS, folder / "probes")
        godot_server.bring(folder)

    def godot(self, *args: str, display: bool = False) -> list[str]:
        """Run Godot on the project; the lines that it wrote to standard error."""
        screen = () if display else ("--headless",)
        return self._said(godot().run(*screen, "--path", self.folder, *args, display=display))

    @staticmethod
    def _said(done: subprocess.CompletedProcess[str]) -> list[str]:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        said += [line for line in done.stdout.splitlines() if "ERROR" in line or "WARNING" in line]
        assert done.returncode == 0, "\n".join(said)
        return [line for line in said if not any(one in line for one in HARMLESS)]

    def quiet(self, *args: str, display: bool = False) -> None:
        """Run Godot on the project; anything but silence on standard error fails."""
        said = self.godot(*args, display=display)
        assert not said, "\n".join(said)

    def import_all(self) -> list[str]:
        """Have the editor import everything, without a screen; the lines that it wrote to standard error."""
        return self.godot("--import")

    def can_be_exported(self, include: str = "", template: Path | str = "") -> None:
        """Write the preset `game`, with further files to include and an export template."""
        preset = PRESET.format(include=include, template=template)
        (self.folder / "export_presets.cfg").write_text(preset, "utf-8")

    def ask(self, script: str, *args: str) -> Any:
        """What a probe script answers, as JSON; it gets the answer's path as its last argument."""
        answer, said = self.hear(script, *args)
        assert not said, "\n".join(said)
        return answer

    def hear(self, script: str, *args: str) -> tuple[Any, list[str]]:
        """What a probe script answers, or None, and the lines that were said meanwhile."""
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        said = self._said(self._probe(script, *args, str(answer)))
        # Godot writes controls as they are.
        return json.loads(answer.read_bytes(), strict=False) if answer.exists() else None, said

    def run(self, script: str, *args: str) -> Any:
        """As `ask`, in a process of its own."""
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        self.quiet("--fixed-fps", "60", "-s", f"probes/{script}", "--", *args, str(answer))
        return json.loads(answer.read_bytes())

    def _probe(self, script: str, *args: str, display: bool = False) -> subprocess.CompletedProcess[str]:
        return godot_server.ask(godot(), self.folder, f"probes/{script}", *args, display=display)

    def draw(self, shots: Sequence[tuple[str, tuple[int, int]]]) -> list[Path]:
        """Pictures of scenes, each of a size in px; they lie outside of the project."""
        place = Path(tempfile.mkdtemp(prefix="drawn-", dir=self.folder.parent))
        pictures = [place / f"{number}.png" for number in range(len(shots))]
        lines = [
            f"{scene} {picture} {width} {height}"
            for (scene, (width, height)), picture in zip(shots, pictures, strict=True)
        ]
        (place / "list.txt").write_text("\n".join(lines), "utf-8")
        said = self._said(self._probe("draw.gd", str(place / "list.txt"), display=True))
        assert not said, "\n".join(said)
        return pictures


def pytest_itemcollected(item: pytest.Item) -> None:
    """One process lets the stories of `rounds.py` take their turns."""
    if isinstance(item, pytest.Function) and "rounds" in item.fixturenames:
        item.add_marker(pytest.mark.xdist_group("rounds"))


@pytest.fixture(scope="session")
def rounds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """What became of the stories of the tests that run; see `rounds.py`."""
    from tests.godot_addon.rounds import play

    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    asked = dict.fromkeys(name for item in items for name in (item.name, *item.fixturenames))
    return play(AddonProject(tmp_path_factory.mktemp("rounds")), asked)
