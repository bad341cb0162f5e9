"""Decor and icons: where each hand-drawn sprite goes."""

from __future__ import annotations

import numpy as np
from pixels import Change, recolour
from sheet import Canvas, ThemeFile
from sprites import Sprites

STILL: tuple[str, ...] = (
    "rock",
    "tinted_rock",
    "block",
    "pot",
    "barrel",
    "crate",
    "grave",
    "statue",
    "boulder",
    "fountain",
    "table",
    "bookshelf",
    "coffin",
    "altar",
    "spikes",
    "mushroom",
    "bones",
    "web",
    "coins",
    "grass",
    "rug",
    "banner",
    "dirt",
    "dais",
    "carpet",
    "puddle",
    "roots",
    "cracks",
    "blood",
    "straw",
    "books",
    "moss",
    "stool",
    "anvil",
    "crystal",
    "sack",
    "pillar",
    "weapon_rack",
    "bed",
    "workbench",
    "chains",
    "vines",
)
WEIGHTS: dict[str, list[int]] = {
    "barrel": [3, 1],
    "coins": [4, 4, 1],
    "dais": [8, 1, 2],
    "grass": [3, 3, 3, 1],
    "pot": [2, 2, 1],
}
FRAME_MS: dict[str, int] = {"fire": 120, "red_fire": 120, "torch": 150, "candle": 200, "brazier": 120}
RED_FLAME = ("9jiqp", "Oqppo")  # a red fire is a fire in these colours

ICONS: dict[str, str] = {"torch": "icon_torch", "fire": "icon_fire"}  # the others are named after the marker
ICON_NAMES: tuple[str, ...] = (
    "player_start",
    "enemy",
    "enemy_walker",
    "enemy_shooter",
    "enemy_flyer",
    "enemy_brute",
    "enemy_turret",
    "boss",
    "chest",
    "chest_wood",
    "chest_gold",
    "chest_red",
    "item",
    "ware",
    "pickup",
    "pickup_coin",
    "pickup_heart",
    "pickup_key",
    "pickup_bomb",
    "shopkeeper",
    "machine",
    "exit",
    "torch",
    "fire",
    "key",
    "key_lever",
)


def add_decor(sheet: Canvas, theme: ThemeFile, sprites: Sprites, change: Change) -> None:
    """Place all decor: still things, then animations with their frames side by side.

    `change` draws a thing of that name as a look has it, given its picture and that picture's number.
    """
    for name in STILL:
        pictures = [change(name, picture, i) for i, picture in enumerate(sprites[name])]
        top = f"{name}_overlay"
        tops = [change(top, picture, i) for i, picture in enumerate(sprites.get(top, []))]
        theme.table(
            f"[decor.{name}]",
            tiles=sheet.add_all(f"decor.{name}.tiles", pictures),
            weights=WEIGHTS.get(name),
            overlay=sheet.add_all(f"decor.{name}.overlay", tops) * (len(pictures) // max(len(tops), 1)),
        )
    frames = {**sprites, "red_fire": [recolour(picture, *RED_FLAME) for picture in sprites["fire"]]}
    for name, frame_ms in FRAME_MS.items():
        strip = sheet.add(
            f"decor.{name}.frames", np.hstack([change(name, picture, 0) for picture in frames[name]])
        )
        theme.table(f"[decor.{name}]", tiles=[strip], frames=len(frames[name]), frame_ms=frame_ms)


def add_icons(sheet: Canvas, theme: ThemeFile, sprites: Sprites, change: Change) -> None:
    """Place all icons; those of torches and fires change as these do."""
    for name in ICON_NAMES:
        picture = sprites[ICONS.get(name, name)][0]
        if name in ICONS:
            picture = change(name, picture, 0)
        theme.table(f"[marker.{name}]", icon=sheet.add(f"marker.{name}.icon", picture))
