"""Floors, walls and breaches of the hull."""

from __future__ import annotations

import numpy as np
from pixels import DeckNoise, DeckSheet, Picture, blank, disc, dots, rect

from exporters.blob import MASKS, NE, NW, SE, SIDES, SW, E, N, S, W


def plate(seed: int, ramp: str, look: str = "plain") -> Picture:
    """A deck plate: `ramp` has seam, ground, light, mark."""
    noise, picture = DeckNoise(seed), blank(ramp[1])
    rect(picture, 0, 0, 16, 1, ramp[0])
    rect(picture, 0, 0, 1, 16, ramp[0])
    rect(picture, 1, 1, 15, 1, ramp[2])
    rect(picture, 1, 1, 1, 15, ramp[2])
    dots(picture, ramp[0], (3, 3), (13, 3), (3, 13), (13, 13))
    if look == "halves":
        rect(picture, 8, 1, 1, 15, ramp[0])
        rect(picture, 9, 1, 1, 15, ramp[2])
    if look == "worn":
        for _ in range(5):
            x, y = 2 + noise.below(11), 2 + noise.below(12)
            rect(picture, x, y, 1 + noise.below(3), 1, ramp[0] if noise.below(2) else ramp[2])
    if look == "marked":
        rect(picture, 5, 7, 7, 3, ramp[3])
        rect(picture, 6, 8, 5, 1, ramp[1])
    if look == "grate":
        for y in range(3, 14, 3):
            rect(picture, 3, y, 11, 1, ramp[0])
            rect(picture, 3, y + 1, 11, 1, ramp[2])
    return picture


def shaded(picture: Picture) -> Picture:
    """The same in the shade of the wall to the north."""
    dark = picture.copy()
    for y, percent in enumerate((45, 50, 60, 75, 90)):
        dark[y, :, :3] = (dark[y, :, :3].astype(np.uint16) * percent // 100).astype(np.uint8)
    return dark


FLOORS: dict[str, tuple[str, tuple[str, ...]]] = {
    "default": ("2343", ("plain", "plain", "halves", "worn", "marked")),
    "start": ("234c", ("plain", "worn", "marked")),
    "command": ("v2kl", ("plain", "halves", "marked")),
    "medbay": ("6788", ("plain", "plain", "halves")),
    "armory": ("1r3s", ("plain", "worn", "marked")),
    "cargo": ("134b", ("worn", "plain", "marked", "worn")),
    "secret": ("0121", ("grate", "worn")),
    "boss": ("01vw", ("plain", "worn", "marked")),
    "hallway": ("1232", ("grate", "plain", "grate")),
    "door": ("1232", ("halves",)),
    "bridge": ("1454", ("grate",)),
    "grating": ("0353", ("grate",)),
}


def add_floors(sheet: DeckSheet) -> None:
    """Floors of rooms and of terrains."""
    for number, (name, (ramp, looks)) in enumerate(FLOORS.items()):
        made = [plate(10 * number + i, ramp, look) for i, look in enumerate(looks)]
        tiles = ", ".join(sheet.put(each) for each in made)
        below = ", ".join(sheet.put(shaded(each)) for each in made)
        weights = str([max(1, 6 - 2 * i) for i in range(len(looks))])
        extra = {"weights": weights, "shaded_weights": weights} if len(looks) > 1 else {}
        sheet.table(f"floor.{name}", tiles=f"[{tiles}]", shaded=f"[{below}]", **extra)
    scrap = []
    for seed in (1, 2):
        picture, noise = plate(seed, "2343", "worn"), DeckNoise(seed)
        for _ in range(7):
            x, y = 1 + noise.below(11), 2 + noise.below(10)
            rect(picture, x, y, 3, 3, "0")
            rect(picture, x, y, 2, 2, "567b"[noise.below(4)])
        scrap.append(sheet.put(picture))
    sheet.table("floor.rubble", tiles=f"[{', '.join(scrap)}]")
    pools = [coolant(frame) for frame in range(3)]
    first = sheet.put(np.concatenate(pools, axis=1))
    sheet.table("floor.coolant", tiles=f"[{first}]", frames="3", frame_ms="420")


def coolant(frame: int) -> Picture:
    """A basin of glowing coolant."""
    picture = blank("l")
    for y in range(16):
        for x in range(16):
            wave = (x + 2 * y + 5 * frame + (x * y) // 7) % 16
            if wave in (0, 1):
                dots(picture, "m", (x, y))
            elif wave in (7, 8, 9):
                dots(picture, "k", (x, y))
    dots(picture, "n", (3 + frame, 5), (11 - frame, 12), (8, 2 + frame))
    return picture


def hull_top(mask: int) -> Picture:
    """The top of a wall, with a rim where no wall follows."""
    picture = blank("1")
    dots(picture, "2", (4, 4), (11, 4), (4, 11), (11, 11))
    for bit, area in ((N, (0, 0, 16, 2)), (W, (0, 0, 2, 16)), (E, (14, 0, 2, 16))):
        if not mask & bit:
            rect(picture, *area, "4")
    for bit, line in ((N, (0, 0, 16, 1)), (W, (0, 0, 1, 16)), (E, (15, 0, 1, 16))):
        if not mask & bit:
            rect(picture, *line, "6")
    corners = ((NW, N | W, 0, 0), (NE, N | E, 14, 0), (SE, S | E, 14, 14), (SW, S | W, 0, 14))
    for bit, sides, x, y in corners:
        if mask & sides == sides and not mask & bit:
            rect(picture, x, y, 2, 2, "4")
            rect(picture, x + (x > 0), y + (y > 0), 1, 1, "6")
    return picture


def hull_face(mask: int, look: str = "plain") -> Picture:
    """The front of a wall."""
    picture = blank("4")
    rect(picture, 0, 0, 16, 2, "6")
    rect(picture, 0, 2, 16, 1, "7")
    rect(picture, 0, 3, 16, 1, "2")
    rect(picture, 0, 12, 16, 1, "3")
    rect(picture, 0, 13, 16, 3, "2")
    rect(picture, 0, 15, 16, 1, "0")
    rect(picture, 15, 4, 1, 9, "3")
    rect(picture, 0, 4, 1, 8, "5")
    if look == "light":
        rect(picture, 3, 6, 10, 4, "1")
        rect(picture, 4, 7, 8, 2, "m")
        rect(picture, 5, 7, 6, 1, "n")
    if look == "port":
        disc(picture, 7.5, 7.5, 4.6, 4.2, "1")
        disc(picture, 7.5, 7.5, 3.4, 3.2, "0")
        dots(picture, "9", (6, 6), (9, 9))
        dots(picture, "x", (9, 6))
        rect(picture, 4, 5, 2, 1, "7")
    if look == "pipes":
        for y, colour in ((5, "b"), (8, "6")):
            rect(picture, 0, y, 16, 2, colour)
            rect(picture, 0, y + 1, 16, 1, "2")
        rect(picture, 7, 4, 3, 8, "3")
    if look == "vent":
        rect(picture, 3, 5, 10, 6, "1")
        for y in (6, 8):
            rect(picture, 4, y, 8, 1, "5")
    for bit, x in ((W, 0), (E, 15)):
        if not mask & bit:
            rect(picture, x, 0, 1, 15, "6" if bit == W else "2")
    return picture


def space(mask: int) -> Picture:
    """A breach in the hull: stars, and at its north the cut through the decks."""
    picture, noise = blank("0"), DeckNoise(mask + 3)
    for _ in range(3):
        dots(picture, "469x"[noise.below(4)], (2 + noise.below(12), 6 + noise.below(9)))
    if not mask & N:
        rect(picture, 0, 0, 16, 2, "5")
        rect(picture, 0, 2, 16, 3, "3")
        for x in (2, 7, 12):
            rect(picture, x, 2, 2, 4, "1")
        rect(picture, 0, 5, 16, 1, "1")
    for bit, area in ((W, (0, 0, 1, 16)), (E, (15, 0, 1, 16)), (S, (0, 15, 16, 1))):
        if not mask & bit:
            rect(picture, *area, "5" if bit != S else "4")
    return picture


def add_walls(sheet: DeckSheet) -> None:
    """The 47 neighbourhoods of walls and pits; plain fronts have further looks."""
    places = {mask: sheet.put(hull_top(mask) if mask & S else hull_face(mask)) for mask in MASKS}
    sheet.table("wall", set='"blob47"', tiles=f"[{', '.join(places.values())}]")
    pits = ", ".join(sheet.put(space(mask)) for mask in MASKS)
    sheet.table("pit", set='"blob47"', tiles=f"[{pits}]")
    for mask in MASKS:
        if mask & SIDES == E | W | N:
            looks = [sheet.put(hull_face(mask, look)) for look in ("light", "port", "pipes", "vent")]
            sheet.lines += ["", "[[variant]]", f"of = {places[mask]}", f"tiles = [{', '.join(looks)}]"]
            sheet.lines.append("weights = [2, 1, 2, 1]")
