"""Makes the archive of the addon for Godot's asset library: python .github/addon_archive.py WHEEL ARCHIVE

It holds the committed addon, and in addons/undercroft/wheel the generator, which the dock's button Install
puts into a virtual environment. Godot does not look into that folder.

Then it checks the archive and the entry, .github/asset_library.toml, and names each rule of the library that
is broken. The rules are those of "Submitting to the Asset Library" in Godot's documentation, and of its form:
https://docs.godotengine.org/en/stable/community/asset_library/submitting_to_assetlib.html
"""

from __future__ import annotations

import configparser
import re
import struct
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = "addons/undercroft"
WHEELS = f"{FOLDER}/wheel"
_CATEGORIES = {"2D Tools", "3D Tools", "Shaders", "Materials", "Tools", "Scripts", "Misc"}
_ICON_PX = 128


def main(wheel: Path, archive: Path) -> None:
    """Write the archive, and end with status 1 if it or its entry breaks a rule."""
    command = ["git", "archive", "--format=zip", f"--output={archive.absolute()}", "HEAD:godot_addon"]
    subprocess.run(command, cwd=ROOT, check=True)
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(f"{WHEELS}/.gdignore", "")
        packed.write(wheel, f"{WHEELS}/{wheel.name}")
        entry = tomllib.loads((ROOT / ".github" / "asset_library.toml").read_text("utf-8"))
        found = [*problems_of_archive(packed, entry), *problems_of_entry(entry)]
    if found:
        sys.exit("\n".join(found))


def problems_of_archive(packed: zipfile.ZipFile, entry: dict[str, Any]) -> Iterator[str]:
    """Yield what the library would refuse in an archive, or a person would rather not have."""
    names = [name for name in packed.namelist() if not name.endswith("/")]
    for name in names:
        # an asset keeps to its own folder below addons/, so that it meddles with nobody's files
        if not name.startswith(f"{FOLDER}/"):
            yield f"{name}: is outside of {FOLDER}/"
        # an asset is what its users need, without what is only for those who develop it
        if re.search(r"(^|/)(tests?|\.git\w*|\.godot)(/|$)|\.(tmp|pyc|translation)$", name):
            yield f"{name}: is not for users of the addon"
    # a licence is demanded: its text, with the year and the holder of the copyright
    licence = packed.read(f"{FOLDER}/LICENSE").decode() if f"{FOLDER}/LICENSE" in names else ""
    if not re.match(rf"{entry['license']} License\n\nCopyright \(c\) \d{{4}} \w", licence):
        yield f"{FOLDER}/LICENSE: is missing, or not the {entry['license']} licence with its year and holder"
    # an asset has to run: Godot finds a plugin by these values
    plugin = configparser.ConfigParser()
    plugin.read_string(packed.read(f"{FOLDER}/plugin.cfg").decode())
    for key in ("name", "description", "author", "version", "script"):
        if not plugin.get("plugin", key, fallback="").strip('"'):
            yield f"{FOLDER}/plugin.cfg: {key}: is missing"
    if f"{FOLDER}/{plugin.get('plugin', 'script', fallback='').strip(chr(34))}" not in names:
        yield f"{FOLDER}/plugin.cfg: script: is not in the archive"
    # the least version of Godot in the form is what the addon says of itself
    readme = packed.read(f"{FOLDER}/README.md").decode()
    if f"Godot {entry['godot_version']} and newer" not in readme:
        yield f"{FOLDER}/README.md: does not say Godot {entry['godot_version']}"


def problems_of_entry(entry: dict[str, Any], root: Path = ROOT) -> Iterator[str]:
    """Yield what the library's form would refuse in the entry."""
    if entry["category"] not in _CATEGORIES:
        yield f"asset_library.toml: category: {entry['category']} is not one for addons"
    # the description is to be plain English: whole sentences
    if not re.fullmatch(r"[A-Z].+\.\s*", entry["description"], re.DOTALL):
        yield "asset_library.toml: description: is not made of whole sentences"
    # the icon: a square PNG or JPG; a small one is blurred in the editor
    width, height = size_of(root / entry["icon"])
    if width != height or width < _ICON_PX:
        yield f"{entry['icon']}: is not a square PNG of at least {_ICON_PX} px"
    if not entry["screenshots"]:
        yield "asset_library.toml: screenshots: there are none"
    for path in entry["screenshots"]:
        if min(size_of(root / path)) < 1:
            yield f"{path}: is not a PNG"
    # what Godot makes from a project is not to be in its repository
    if ".godot/" not in (root / ".gitignore").read_text("utf-8").split():
        yield ".gitignore: does not have .godot/"
    # submodules are not in archives
    if (root / ".gitmodules").exists():
        yield ".gitmodules: an archive does not hold submodules"


def size_of(png: Path) -> tuple[int, int]:
    """Return the width and height of a PNG in px; 0 if there is no such file."""
    head = png.read_bytes()[:24] if png.is_file() else b""
    width, height = struct.unpack(">II", head[16:24]) if head[:8] == b"\x89PNG\r\n\x1a\n" else (0, 0)
    return width, height


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
