"""What a frame of a game costs in levels of 40 and of 400 rooms, with rooms that come and go, fog and fights.

    python -m tests.benchmarks.frames

CPU time of the main thread of Godot, in ms for one frame, while the player walks; Linux only.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import exporters
import generator
from tests.engines import godot
from tests.godot_addon.conftest import AddonProject

SIZES = (40, 400)
SCRIPT = Path(__file__).parent / "scripts" / "frames.gd"


def main() -> None:
    """Print a line for each size."""
    with tempfile.TemporaryDirectory() as place:
        project = AddonProject(Path(place) / "project")
        for rooms in SIZES:
            level = generator.generate("gungeon", 3, rooms=rooms)
            for name, data in exporters.export(level, "godot", name=f"rooms{rooms}").items():
                (project.folder / name).write_bytes(data)
        shutil.copy(SCRIPT, project.folder)
        project.import_all()
        scenes = [f"res://rooms{rooms}.tscn" for rooms in SIZES]
        done = godot().run(
            "--headless", "--fixed-fps", "60", "--path", project.folder, "-s", SCRIPT.name, "--", *scenes
        )
        print(done.stdout, done.stderr)


if __name__ == "__main__":
    main()
