"""A copy of the addon's project, and what Godot says of it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.engines import godot

ADDON = Path(__file__).parents[2] / "godot_addon"
SCRIPTS = Path(__file__).parent / "scripts"
# What Mesa's software renderer says of every window, whatever is drawn in it.
_HARMLESS = ("V-Sync", "set_use_vsync")


class AddonProject:
    """A Godot project with the addon in it, turned on; its GDScript warnings are errors.

    `of` is a project's folder to copy, with what Godot keeps in it.
    """

    def __init__(self, folder: Path, of: Path | None = None) -> None:
        self.folder = folder
        if of:
            shutil.copytree(of, folder, dirs_exist_ok=True)
        else:
            self._write(folder)

    @staticmethod
    def _write(folder: Path) -> None:
        shutil.copytree(ADDON / "addons", folder / "addons")
        settings = (ADDON / "project.godot").read_text("utf-8")
        # The demo, whose title the project starts with, is not copied.
        (folder / "project.godot").write_text(re.sub("run/main_scene=.*\n", "", settings), "utf-8")
        if SCRIPTS.exists():
            shutil.copytree(SCRIPTS, folder / "probes")

    def godot(self, *args: str, display: bool = False) -> list[str]:
        """Run Godot on the project; the lines that it wrote to standard error."""
        screen = () if display else ("--headless",)
        done = godot().run(*screen, "--path", self.folder, *args, display=display)
        said = [line for line in done.stderr.splitlines() if line.strip()]
        said += [line for line in done.stdout.splitlines() if "ERROR" in line or "WARNING" in line]
        assert done.returncode == 0, "\n".join(said)
        return [line for line in said if not any(one in line for one in _HARMLESS)]

    def quiet(self, *args: str, display: bool = False) -> None:
        """Run Godot on the project; anything but silence on standard error fails."""
        said = self.godot(*args, display=display)
        assert not said, "\n".join(said)

    def import_all(self) -> list[str]:
        """Have the editor import everything, without a screen; the lines that it wrote to standard error."""
        return self.godot("--import")

    def ask(self, script: str, *args: str) -> Any:
        """What a probe script answers, as JSON; it gets the answer's path as its last argument."""
        answer = self.folder / "answer.json"
        answer.unlink(missing_ok=True)
        self.quiet("-s", f"probes/{script}", "--", *args, str(answer))
        return json.loads(answer.read_bytes(), strict=False)  # Godot writes controls as they are


@pytest.fixture
def project(tmp_path: Path) -> AddonProject:
    return AddonProject(tmp_path)


@pytest.fixture(scope="session")
def rounds(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, BaseException]:
    """What went wrong in the stories of the tests that run; see `rounds.py`."""
    from tests.godot_addon.rounds import play

    asked = dict.fromkeys(item.name for item in request.session.items)
    return play(AddonProject(tmp_path_factory.mktemp("rounds")), asked)
