"""A complete theme without art: small to read, quick to load, and easy to break in one place."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from exporters.formats.png.syntax import png_bytes
from generator.kinds import DECOR_KINDS

TILE = 8  # px
COLUMNS, ROWS = 48, 40


HEAD = f"""\
name = "plain"
image = "plain.png"
tile_size = {TILE}
[floor.default]
tiles = [[0, 2], [1, 2], [2, 2]]
weights = [6, 3, 1]
shaded = [[3, 2], [4, 2]]
[floor.boss]
tiles = [[5, 2]]
[floor.shop]
tiles = [[6, 2], [7, 2]]
shaded = [[8, 2]]
[floor.hallway]
tiles = [[9, 2]]
[floor.rubble]
tiles = [[10, 2]]
[floor.bridge]
tiles = [[11, 2]]
[floor.door]
tiles = [[12, 2]]
shaded = [[13, 2]]
[wall]
set = "blob47"
first = [0, 0]
columns = 47
[pit]
set = "blob47"
first = [0, 1]
columns = 47"""


def text() -> str:
    """The theme file: walls in row 0, pits in row 1, floors in row 2, doors in row 3, decor below, in two columns."""
    lines = [HEAD]
    for i, side in enumerate(("north", "east", "south", "west")):
        lines += [f"[door.open.{side}]", f"open = {_four(12 * i)}", f"shut = {_four(12 * i + 4)}"]
        lines += [f"overlay = {_four(12 * i + 8)}"] if side == "north" else []
    x, row = 0, 4
    for kind in DECOR_KINDS[1:]:
        if row + kind.height > ROWS - 2:
            x, row = 16, 4
        lines += [f"[decor.{kind.name}]", f"tiles = [[{x}, {row}], [{x + kind.width}, {row}]]"]
        if kind.name in ("statue", "bookshelf"):
            lines += [f"overlay = [[{x + 8}, {row}], [{x + 8 + kind.width}, {row}]]"]
        if kind.name == "torch":
            lines += ["frames = 1", "frame_ms = 150"]
        row += kind.height
    row = ROWS - 1
    lines += ["[marker.enemy]", f"icon = [0, {row}]", "[marker.enemy_flyer]", f"icon = [1, {row}]"]
    lines += ["[marker.chest_gold]", f"icon = [2, {row}]"]
    return "\n".join(lines) + "\n"


def _four(column: int) -> str:
    return str([[column + i, 3] for i in range(4)])


def sheet(rows: int = ROWS, tile: int = TILE) -> bytes:
    """The image: noise, every third pixel half transparent, every third see-through."""
    noise = np.random.default_rng(1).integers(0, 256, (rows * tile, COLUMNS * tile, 4), np.uint8)
    places = np.add.outer(np.arange(rows * tile), np.arange(COLUMNS * tile)) % 3
    noise[..., 3] = np.where(places == 0, 255, np.where(places == 1, noise[..., 3], 0))
    noise[: 2 * tile, :, 3] = 255  # walls and pits are solid
    return png_bytes(COLUMNS * tile, rows * tile, iter([noise]))


def write(folder: Path, *changes: tuple[str, str], image: bytes | None = None) -> Path:
    """Write the theme into `folder`, with some texts replaced, and return the TOML file's path."""
    written = text()
    for old, new in changes:
        assert old in written, old
        written = written.replace(old, new)
    path = folder / "plain.toml"
    path.write_text(written, "utf-8")
    (folder / "plain.png").write_bytes(sheet() if image is None else image)
    return path
