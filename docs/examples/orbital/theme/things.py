"""Doors, decor and icons."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from decks import plate
from pixels import COLOURS, DeckNoise, DeckSheet, Picture, blank, box, disc, dots, rect


def doorway(side: str, colour: str, leaf: str | None) -> Picture:
    """A door in a wall of a side, with a lamp of a colour; `leaf` is the ramp of its leaves, None if open."""
    picture = plate(1, "1232", "halves")
    if side in ("north", "south"):
        for x in (0, 13):
            rect(picture, x, 0, 3, 16, "5")
            rect(picture, x + 1, 0, 1, 16, "3")
        if side == "north":
            rect(picture, 0, 0, 16, 4, "6")
            rect(picture, 5, 1, 6, 2, colour)
        if leaf:
            top = 4 if side == "north" else 5
            rect(picture, 3, top, 10, 16 - top - (0 if side == "north" else 4), leaf[1])
            rect(picture, 3, top, 10, 1, leaf[2])
            rect(picture, 7, top, 2, 16 - top - (0 if side == "north" else 4), leaf[0])
            if side == "north":
                rect(picture, 4, 9, 3, 2, colour)
                rect(picture, 9, 9, 3, 2, colour)
        return picture
    for y in (0, 13):
        rect(picture, 0, y, 16, 3, "5")
        rect(picture, 0, y + 2, 16, 1, "2")
    dots(picture, colour, (7, 1), (8, 1), (7, 14), (8, 14))
    if leaf:
        rect(picture, 5, 3, 6, 10, leaf[1])
        rect(picture, 5, 3, 1, 10, leaf[2])
        rect(picture, 5, 7, 6, 2, leaf[0])
        rect(picture, 7, 5, 2, 1, colour)
        rect(picture, 7, 10, 2, 1, colour)
    return picture


def add_doors(sheet: DeckSheet) -> None:
    """Each kind on each side, open and shut."""
    kinds = {"open": ("m", "357"), "airlock": ("c", "bcd"), "blast": ("t", "rst"), "secure": ("x", "vwx")}
    for kind, (colour, leaf) in kinds.items():
        for side in ("north", "east", "south", "west"):
            ways = [sheet.put(doorway(side, colour, each)) for each in (None, leaf)]
            sheet.table(f"door.{kind}.{side}", open=f"[{ways[0]}]", shut=f"[{ways[1]}]")


def crate() -> Picture:
    """A freight crate."""
    picture = blank()
    box(picture, 1, 2, 14, 14, 6, "abcd")
    rect(picture, 4, 3, 2, 6, "b")
    rect(picture, 10, 3, 2, 6, "b")
    rect(picture, 3, 11, 10, 2, "3")
    rect(picture, 4, 11, 4, 1, "d")
    return picture


def canister() -> Picture:
    """A gas canister."""
    picture = blank()
    disc(picture, 7.5, 13, 5.4, 2.6, "0")
    rect(picture, 2, 5, 12, 8, "0")
    rect(picture, 3, 5, 10, 9, "h")
    rect(picture, 4, 5, 2, 9, "i")
    rect(picture, 11, 5, 2, 9, "g")
    rect(picture, 3, 9, 10, 2, "j")
    disc(picture, 7.5, 4.5, 5.4, 2.8, "0")
    disc(picture, 7.5, 4.2, 4.4, 2, "i")
    rect(picture, 6, 2, 4, 2, "6")
    return picture


def rack(frame: int) -> Picture:
    """A rack of computers, whose lamps blink."""
    picture = blank()
    box(picture, 1, 0, 14, 16, 3, "2345")
    for row, y in enumerate((5, 8, 11)):
        rect(picture, 3, y, 10, 2, "1")
        for i, x in enumerate((4, 6, 8, 11)):
            rect(picture, x, y, 1, 1, "mitd"[(row + i + frame) % 4])
    return picture


def pod() -> Picture:
    """A sleeper's pod."""
    picture = blank()
    box(picture, 2, 0, 12, 16, 3, "3567")
    rect(picture, 4, 4, 8, 9, "k")
    rect(picture, 5, 5, 6, 7, "l")
    disc(picture, 7.5, 6.5, 1.8, 1.8, "n")
    rect(picture, 6, 8, 4, 4, "m")
    dots(picture, "9", (5, 5), (5, 6))
    return picture


def garden() -> Picture:
    """A tub of vegetables under a lamp."""
    picture = blank()
    box(picture, 1, 7, 14, 9, 3, "2456")
    for x, y in ((4, 6), (8, 4), (11, 6), (6, 3), (9, 8)):
        disc(picture, x, y, 2.6, 2.4, "g")
        disc(picture, x, y - 0.6, 1.8, 1.6, "h")
        dots(picture, "i", (x, y - 1), (x - 1, y))
    dots(picture, "t", (5, 5), (10, 6))
    return picture


def console() -> Picture:
    """A desk with two screens, two tiles wide."""
    picture = blank(width=2)
    box(picture, 0, 5, 32, 11, 4, "2346")
    for x in (3, 18):
        rect(picture, x, 0, 11, 7, "0")
        rect(picture, x + 1, 1, 9, 5, "k")
        rect(picture, x + 2, 2, 5, 1, "m")
        rect(picture, x + 2, 4, 7, 1, "l")
        dots(picture, "n", (x + 8, 2))
    for x in range(4, 28, 3):
        dots(picture, "mtd7"[x % 4], (x, 8))
    rect(picture, 2, 12, 28, 1, "5")
    return picture


def bunk() -> Picture:
    """A berth, two tiles wide."""
    picture = blank(width=2)
    box(picture, 0, 2, 32, 14, 9, "2456")
    rect(picture, 2, 4, 6, 7, "8")
    rect(picture, 3, 5, 4, 5, "9")
    rect(picture, 9, 3, 21, 9, "s")
    rect(picture, 9, 3, 21, 1, "t")
    rect(picture, 9, 3, 2, 9, "u")
    return picture


def table() -> Picture:
    """A table with a map of light over it, two by two tiles."""
    picture = blank(width=2, height=2)
    disc(picture, 15.5, 20, 15.4, 11, "0")
    disc(picture, 15.5, 18.5, 14.4, 10, "3")
    disc(picture, 15.5, 17, 14.4, 10, "5")
    disc(picture, 15.5, 17, 12, 8, "1")
    disc(picture, 15.5, 16, 9, 6, "k")
    disc(picture, 15.5, 13, 7, 6.6, "l")
    disc(picture, 13.5, 11, 4, 3.6, "m")
    rect(picture, 5, 13, 21, 1, "n")
    dots(picture, "9", (12, 9), (22, 8), (8, 17), (25, 18))
    return picture


def core() -> Picture:
    """A coil of the reactor, two by two tiles."""
    picture = blank(width=2, height=2)
    box(picture, 1, 6, 30, 26, 16, "1346")
    disc(picture, 15.5, 13, 13, 9.5, "1")
    disc(picture, 15.5, 12, 11, 8, "v")
    disc(picture, 15.5, 11, 8.4, 6.4, "w")
    disc(picture, 15.5, 10, 5.6, 4.6, "x")
    disc(picture, 15.5, 9, 3, 2.6, "y")
    for x in (4, 11, 18, 25):
        rect(picture, x, 25, 3, 4, "x")
        rect(picture, x, 25, 3, 1, "y")
    return picture


def flat(kind: str, frame: int = 0) -> Picture:
    """What lies on the floor."""
    picture, noise = blank(), DeckNoise(len(kind))
    if kind == "vent":
        rect(picture, 2, 3, 12, 11, "0")
        for y in range(4, 13, 2):
            rect(picture, 3, y, 10, 1, "5")
    if kind == "cables":
        for x in range(16):
            dots(picture, "b", (x, 6 + (x // 3) % 3))
            dots(picture, "1", (x, 7 + (x // 3) % 3))
            dots(picture, "l", (x, 10 - (x // 4) % 2))
    if kind == "stripes":
        for y in range(5, 11):
            for x in range(16):
                dots(picture, "d" if (x + y) % 6 < 3 else "1", (x, y))
    if kind == "sparks":
        rect(picture, 1, 2, 14, 13, "1")
        rect(picture, 2, 3, 12, 11, "2")
        for _ in range(5 + 2 * frame):
            x, y = 3 + noise.below(9), 4 + noise.below(8)
            dots(picture, "nm9m"[noise.below(4)], (x, y), (x + 1, y + 1), (x, y + 1))
    return picture


DECOR: dict[str, Callable[[], Picture]] = {
    "crate": crate,
    "canister": canister,
    "pod": pod,
    "garden": garden,
    "console": console,
    "bunk": bunk,
    "holo_table": table,
    "reactor": core,
    "vent": lambda: flat("vent"),
    "cables": lambda: flat("cables"),
    "stripes": lambda: flat("stripes"),
}


def icon(colour: str, rows: str) -> Picture:
    """A picture of eight by eight letters, each twice as large, with an outline."""
    small = np.array([[letter != "." for letter in row] for row in rows.split("/")])
    large = small.repeat(2, 0).repeat(2, 1)
    ringed = np.zeros((18, 18), bool)
    for dy in range(3):
        for dx in range(3):
            ringed[dy : dy + 16, dx : dx + 16] |= large
    picture = blank()
    picture[ringed[1:17, 1:17]] = COLOURS["0"]
    picture[large] = COLOURS[colour]
    return picture


MARKERS = {
    "player_start": ("9", "......../..###.../..###.../...#..../.#####../...#..../..#.#.../........"),
    "enemy": ("t", "......../.#....#./..####../.######./.#.##.#./.######./..#..#../........"),
    "enemy_flyer": ("m", "......../#......#/##.##.##/.######./..####../...##.../......../........"),
    "enemy_turret": ("c", "......../...##.../...##.../..####../..####../.######./.######./........"),
    "enemy_brute": ("s", "......../.######./.#.##.#./.######./########/#.####.#/..#..#../.##..##."),
    "enemy_shooter": ("u", "......../..###.../..###.../.####.../..######/.####.../..#.#.../........"),
    "boss": ("x", "#......#/##.##.##/.######./.#.##.#./.######./..####../..#..#../.##..##."),
    "item": ("d", "......../...##.../..####../.######./.######./..####../...##.../........"),
    "locker": ("b", "......../.######./.#....#./.######./.##..##./.######./.######./........"),
    "supply": ("i", "......../...##.../...##.../.######./.######./...##.../...##.../........"),
    "terminal": ("l", "......../.######./.#....#./.#....#./.######./...##.../..####../........"),
    "exit": ("8", "......../...##.../..####../..#..#../..####../..####../.#.##.#./...##..."),
}
MAP = {
    "core": ("x", "......../..####../.#....#./.#.##.#./.#.##.#./.#....#./..####../........"),
    "cross": ("t", "......../...##.../...##.../.######./.######./...##.../...##.../........"),
    "gun": ("c", "......../......../.#######/.#######/.##.#.../.##...../.##...../........"),
    "box": ("d", "......../.######./.##..##./.#.##.#./.#.##.#./.##..##./.######./........"),
    "wheel": ("m", "......../..####../.#.##.#./.######./.######./.#.##.#./..####../........"),
}


def add_things(sheet: DeckSheet) -> None:
    """Decor, then the icons of markers and of rooms on the map."""
    for name, drawn in DECOR.items():
        sheet.table(f"decor.{name}", tiles=f"[{sheet.put(drawn())}]")
    for name, frames in (
        ("rack", [rack(frame) for frame in range(3)]),
        ("sparks", [flat("sparks", 0), flat("sparks", 1)]),
    ):
        first = sheet.put(np.concatenate(frames, axis=1))
        sheet.table(f"decor.{name}", tiles=f"[{first}]", frames=str(len(frames)), frame_ms="340")
    for part, icons in (("marker", MARKERS), ("icon", MAP)):
        for name, (colour, rows) in icons.items():
            sheet.table(f"{part}.{name}", icon=sheet.put(icon(colour, rows)))
