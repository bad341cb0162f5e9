"""Makes the archive of the addon for Godot's asset library: python .github/addon_archive.py WHEEL ARCHIVE

It holds the committed addon, and in addons/undercroft/wheel the generator, which the dock's button Install
puts into a virtual environment. Godot does not look into that folder.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
WHEELS = "addons/undercroft/wheel"


def main(wheel: Path, archive: Path) -> None:
    """Write the archive."""
    command = ["git", "archive", "--format=zip", f"--output={archive.absolute()}", "HEAD:godot_addon"]
    subprocess.run(command, cwd=ROOT, check=True)
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(f"{WHEELS}/.gdignore", "")
        packed.write(wheel, f"{WHEELS}/{wheel.name}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
