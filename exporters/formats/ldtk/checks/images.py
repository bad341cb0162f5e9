"""Checks of a tileset's image on disk, if it is in the project's folder."""

from __future__ import annotations

import struct
from pathlib import Path

from exporters.formats.ldtk.checks.spot import Spot
from generator.errors import shown


def inside(folder: Path, relative: str) -> Path | None:
    """Return the file of a relative path, if it is really in the folder, with links resolved."""
    try:
        root = folder.resolve()
        path = (root / relative.replace("\\", "/")).resolve()
    except (OSError, ValueError, RuntimeError):  # a loop of links, a null byte
        return None
    return path if path != root and path.is_relative_to(root) else None


def check_image(spot: Spot, folder: Path, relative: str, size: tuple[int, int]) -> None:
    """Check that the image exists and has the tileset's size. Images outside the folder are not checked."""
    path = inside(folder, relative)
    if path is None:
        return
    if not path.is_file():
        spot.fail(f"{shown(relative)} is not a file; LDtk will ask for it")
        return
    if path.suffix.lower() != ".png":
        return
    actual = _png_size(path)
    if actual is None:
        spot.fail(f"{shown(relative)} is not a PNG image; LDtk cannot show it")
    elif actual != size:
        spot.fail(
            f"{shown(relative)} has {actual[0]} x {actual[1]} px, but the tileset has {size[0]} x {size[1]}; "
            "LDtk will ask, and renumber the tiles"
        )


def _png_size(path: Path) -> tuple[int, int] | None:
    """Width and height from a PNG file's first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(24)
    except OSError:
        return None
    if head[:8] != b"\x89PNG\r\n\x1a\n" or len(head) < 24 or head[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", head[16:])
    return width, height
