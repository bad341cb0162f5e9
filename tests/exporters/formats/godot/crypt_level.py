"""A level by hand that holds what the generated ones lack, and a theme with gaps in its sheet."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.geometry import Point, Rect
from generator.level import Door, Hallway, Level, Marker, Property, Room
from tests.exporters import small_level, small_theme

# Rooms 0 (round a block that is outside of it) and 1 (an L), a hallway between them, a secret room 2.
PICTURE = """
                                |
                                |
  #########       #########     |
  #.......#       #.......#     |
  #.#####.#       #..~~...#     |
  #.#   #.#########..==...#     |
  #.#   #.D----####..~~...#     |
  #.#   #.####----D.......#     |
  #.#####.#  ######.......###   |
  #.......#       #...,.....#   |
  #########       #.........#   |
                  #.........#   |
                  #####DD####   |
                   ####DD####   |
                   #........#   |
                   #........#   |
                   ##########   |
                                |
                                |
""".replace("|", "")

# What Godot has no metadata for: names damaged layers or objects there, and those of the exporter's own.
NO_METADATA_OF_THEIR_OWN: dict[str, Property] = {
    "its name": "a space",
    "its_Name!": 1,
    "3d": 2.5,
    "": False,
    "größe": 7,
    'quote " ] \\': "x",
    "line\nbreak\r\x1b": "\r\n\x1b\t",
    "kind": "dragon",
    "id": -1,
    "room": 99,
    "hallway": 98,
    "properties": "all of them",
}
PROPERTIES: dict[str, Property] = {
    "flag": True,
    "count": -3,
    "share": 1.25,
    "whole": 2.0,
    "said": 'quote " backslash \\ bracket ] ✓\n[node name="x"]',
    "its_name": "two words",
    "_hidden": 1,
    "long": '"]\n[sub_resource type="GDScript" id="1"]\n' * 90,
    "path": "../../../etc",
    **NO_METADATA_OF_THEIR_OWN,
}


def level() -> Level:
    """See `PICTURE`."""
    made = small_level.drawn(PICTURE, decor={(21, 3): "boulder", (24, 15): "rock", (4, 2): "torch"})
    hole = ((4, 5), (7, 5), (7, 8), (4, 8))
    ell: tuple[Point, ...] = ((18, 2), (27, 2), (27, 8), (29, 8), (29, 13), (18, 13))
    rooms = (
        _room(0, "start", Rect(2, 2, 9, 9), _ring(Rect(2, 2, 9, 9)), hole),
        _room(1, "shop", Rect(18, 2, 11, 11), ell),
        replace(_room(2, "secret", Rect(19, 13, 10, 4), _ring(Rect(19, 13, 10, 4))), distance=None),
    )
    doors = (
        Door(0, (0, None), ((10, 6),), "east", "open"),
        Door(1, (1, None), ((18, 7),), "west", "locked"),
        Door(2, (1, 2), ((23, 12), (24, 12), (23, 13), (24, 13)), "south", "secret"),
    )
    hallway = Hallway(0, (0, 1), (*((x, 6) for x in range(11, 15)), *((x, 7) for x in range(14, 18))))
    markers = (
        Marker(0, "player_start", 3, 3, 0),
        Marker(1, "enemy", 25, 10, 1, properties=PROPERTIES),
        Marker(2, "torch", 13, 6, None, 0),
    )
    facts = {"name": 'a "b" \\', "floors": 3, "share": 0.5, "hard": False}
    return replace(made, rooms=rooms, doors=doors, hallways=(hallway,), markers=markers, facts=facts)


def _ring(rect: Rect) -> tuple[Point, ...]:
    return (rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)


def _room(number: int, kind: str, bounds: Rect, *outline: tuple[Point, ...]) -> Room:
    return Room(number, kind, "odd", (), bounds, outline, number, number, 5, f"by hand/{kind}")


def theme(folder: Path) -> Theme:
    """The small theme with 3 px round its sheet and 2 px between its tiles, and an animated torch."""
    plain = folder / "plain"
    plain.mkdir()
    small_theme.write(plain)
    with Image.open(plain / "plain.png") as image:
        pixels = np.asarray(image).copy()
    pixels[..., 3] = np.where(pixels[..., 3] < 128, 0, 255)  # drivers round half transparent pixels apart
    pixels[pixels[..., 3] == 0] = 0
    size = small_theme.TILE
    rows, columns = pixels.shape[0] // size, pixels.shape[1] // size
    spread = np.full((rows * (size + 2) + 4, columns * (size + 2) + 4, 4), 255, np.uint8)
    for row in range(rows):
        for column in range(columns):
            y, x = 3 + row * (size + 2), 3 + column * (size + 2)
            tile = pixels[row * size : (row + 1) * size, column * size : (column + 1) * size]
            spread[y : y + size, x : x + size] = tile
    Image.fromarray(spread).save(folder / "spread.png")
    torch = re.search(r"\[decor\.torch\]\ntiles = \[(\[.*?\]), .*\nframes = 1", small_theme.text())
    assert torch
    changes = (
        ("tile_size = 8", "tile_size = 8\nmargin = 3\nspacing = 2"),
        (torch[0], f"[decor.torch]\ntiles = [{torch[1]}]\nframes = 3"),
    )
    path = small_theme.write(folder, *changes, image=(folder / "spread.png").read_bytes())
    return load_theme(path)
