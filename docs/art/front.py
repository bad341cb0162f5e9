"""Cuts the three pictures of the README's first screen out of the pictures of the docs.

    python docs/art/front.py

A piece is shown at half its size or less, so it stays sharp on screens with small pixels.
"""

from __future__ import annotations

from pathlib import Path

from PIL import Image

PICTURES = Path(__file__).parents[1] / "pictures"
SIZE = 640, 360
# Each new picture, the one that it is a piece of, and where its top left corner lies there.
PIECES = {
    "front-level.png": ("gungeon-cathedral.png", (1380, 645)),
    "front-editor.png": ("godot-dock.png", (800, 190)),
    "front-game.png": ("godot-demo.png", (640, 360)),
}


def cut(name: str) -> Image.Image:
    """One of the three pieces."""
    source, (x, y) = PIECES[name]
    with Image.open(PICTURES / source) as picture:
        return picture.convert("RGB").crop((x, y, x + SIZE[0], y + SIZE[1]))


if __name__ == "__main__":
    for piece in PIECES:
        cut(piece).save(PICTURES / piece, optimize=True)
