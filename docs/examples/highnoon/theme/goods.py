"""Doors, decor and icons."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from fronts import boards
from paint import COLOURS, TownNoise, TownPicture, TownSheet


def doorway(side: str, ramp: str, leaf: str) -> TownPicture:
    """A door in a wall of a side; `leaf` is `open`, `plain`, `swing` or `bars`."""
    picture = boards(8, "wood", (1, 3, 4))
    upright = side in ("north", "south")
    for at in (0, 13):
        picture.rect(*((at, 0, 3, 16) if upright else (0, at, 16, 3)), "wood2")
        picture.rect(*((at + 1, 0, 1, 16) if upright else (0, at + 2, 16, 1)), "wood1")
    if side == "north":
        picture.rect(0, 0, 16, 4, "wood1")
        picture.rect(3, 1, 10, 2, f"{ramp}2")
    if leaf == "open":
        return picture
    if upright:
        top = 4 if side == "north" else 5
        bottom = 16 if side == "north" else 12
        _leaf(picture, 3, top, 10, bottom - top, ramp, leaf)
    else:
        _leaf(picture, 5, 3, 6, 10, ramp, leaf)
    return picture


def _leaf(picture: TownPicture, x: int, y: int, width: int, height: int, ramp: str, leaf: str) -> None:
    if leaf == "bars":
        for step in range(0, width, 2):
            picture.rect(x + step, y, 1, height, "iron3")
        picture.rect(x, y + height // 2, width, 1, "iron2")
        return
    picture.rect(x, y, width, height, f"{ramp}1")
    picture.rect(x, y, width, 1, f"{ramp}2")
    if leaf == "swing":
        for line in range(y + 2, y + height - 1, 2):
            picture.rect(x, line, width, 1, f"{ramp}0")
        picture.rect(x + width // 2, y, 1, height, "wood0")
    else:
        picture.rect(x + 2, y + 2, width - 4, max(1, height // 3), f"{ramp}0")
        picture.dots("gold1", (x + width - 2, y + height // 2))


DOORS = {
    "open": ("wood", "plain"),
    "plank": ("green", "plain"),
    "swing": ("red", "swing"),
    "iron": ("iron", "bars"),
    "locked": ("blue", "plain"),
    "vault": ("gold", "plain"),
}


def add_doors(sheet: TownSheet) -> None:
    """Each kind on each side, open and shut."""
    for kind, (ramp, leaf) in DOORS.items():
        for side in ("north", "east", "south", "west"):
            ways = [sheet.put(doorway(side, ramp, each)) for each in ("open", leaf)]
            sheet.table(f"door.{kind}.{side}", open=f"[{ways[0]}]", shut=f"[{ways[1]}]")


def box(
    picture: TownPicture, x: int, y: int, width: int, height: int, top: int, ramp: str, tone: int
) -> None:
    """A thing with a lid of `top` px and a front below it; its front has a tone of a ramp."""
    picture.rect(x, y, width, height, f"{ramp}0")
    picture.rect(x + 1, y + 1, width - 2, top, f"{ramp}{tone + 1}")
    picture.rect(x + 1, y + 1, width - 2, 1, f"{ramp}{tone + 2}")
    picture.rect(x + 1, y + 1 + top, width - 2, height - top - 2, f"{ramp}{tone}")


def barrel(p: TownPicture) -> None:
    """A barrel with two hoops."""
    p.disc(7.5, 13, 5.6, 2.4, "wood0")
    p.rect(2, 4, 12, 10, "wood0")
    p.rect(3, 4, 10, 10, "wood3")
    p.rect(5, 4, 2, 10, "wood4")
    p.rect(11, 4, 2, 10, "wood2")
    for y in (6, 11):
        p.rect(2, y, 12, 1, "iron2")
    p.disc(7.5, 4, 5.6, 2.4, "wood0")
    p.disc(7.5, 3.8, 4.6, 1.8, "wood4")


def crate(p: TownPicture) -> None:
    """A crate, nailed up."""
    box(p, 1, 1, 14, 15, 6, "wood", 3)
    p.rect(2, 9, 12, 1, "wood5")
    for step in range(5):
        p.dots("wood1", (3 + 2 * step, 9 + step), (4 + 2 * step, 9 + step))
    p.rect(4, 2, 1, 6, "wood2")
    p.rect(11, 2, 1, 6, "wood2")


def hay(p: TownPicture) -> None:
    """A bale of hay."""
    box(p, 0, 3, 16, 13, 5, "gold", 0)
    p.rect(0, 3, 16, 13, "gold0")
    p.rect(1, 4, 14, 5, "sand4")
    p.rect(1, 9, 14, 6, "gold1")
    noise = TownNoise(3)
    for _ in range(16):
        x, y = 1 + noise.below(13), 4 + noise.below(10)
        p.dots("gold0" if noise.below(2) else "gold2", (x, y), (x + 1, y))
    for x in (4, 11):
        p.rect(x, 4, 1, 11, "wood2")


def wagon(p: TownPicture) -> None:
    """A covered wagon."""
    for x in (6, 25):
        p.disc(x, 26, 5.4, 5.4, "wood0")
        p.disc(x, 26, 4, 4, "wood4")
        p.disc(x, 26, 2.8, 2.8, "wood1")
        p.rect(x - 4, 26, 9, 1, "wood4")
        p.rect(x, 22, 1, 9, "wood4")
    p.rect(1, 18, 30, 7, "wood0")
    p.rect(2, 19, 28, 5, "wood3")
    p.rect(2, 19, 28, 1, "wood5")
    p.disc(15.5, 13, 14.4, 12.4, "wood0")
    p.disc(15.5, 13, 13.4, 11.4, "white2")
    p.rect(2, 18, 28, 2, "wood4")
    for x in (6, 12, 19, 25):
        p.rect(x, 4 if 8 < x < 22 else 7, 1, 14 if 8 < x < 22 else 11, "white1")
    p.disc(12, 8, 6, 3, "white3")


def water_tower(p: TownPicture) -> None:
    """A tank on legs."""
    for x in (5, 25):
        p.rect(x, 17, 2, 15, "wood1")
        p.rect(x, 17, 1, 15, "wood3")
    for step in range(12):
        p.dots("wood2", (8 + step + step // 3, 19 + step), (24 - step - step // 3, 19 + step))
    p.rect(3, 5, 26, 14, "wood0")
    p.rect(4, 5, 24, 13, "wood3")
    for x in range(4, 28, 4):
        p.rect(x, 5, 1, 13, "wood2")
        p.rect(x + 1, 5, 1, 13, "wood4")
    for y in (8, 14):
        p.rect(3, y, 26, 1, "iron2")
    p.disc(15.5, 5, 13.4, 4.4, "roof0")
    p.disc(15.5, 4.2, 12.4, 3.6, "roof2")
    p.disc(15.5, 3.4, 6, 1.8, "roof3")


def safe(p: TownPicture) -> None:
    """A safe."""
    box(p, 1, 0, 14, 16, 3, "iron", 1)
    p.rect(3, 5, 10, 9, "iron2")
    p.disc(7.5, 9.5, 3, 3, "iron0")
    p.disc(7.5, 9.5, 2, 2, "gold1")
    p.dots("gold2", (7, 8))
    p.rect(12, 6, 1, 2, "iron4")
    p.rect(12, 11, 1, 2, "iron4")


def piano(p: TownPicture) -> None:
    """An upright piano."""
    box(p, 0, 0, 32, 16, 4, "wood", 1)
    p.rect(2, 8, 28, 3, "white3")
    for x in range(4, 30, 3):
        p.rect(x, 8, 1, 2, "iron0")
    p.rect(12, 5, 8, 3, "white2")
    p.dots("wood1", (14, 6), (17, 6))


def shelf(p: TownPicture) -> None:
    """Shelves of bottles."""
    box(p, 0, 0, 32, 16, 1, "wood", 1)
    for y in (2, 9):
        p.rect(2, y, 28, 5, "wood0")
        for i, x in enumerate(range(3, 29, 3)):
            colour = ("green2", "red2", "gold1", "blue2", "white2")[(i + y) % 5]
            p.rect(x, y + 2, 2, 3, colour)
            p.dots(colour, (x, y + 1))
        p.rect(1, y + 5, 30, 1, "wood4")


def post(p: TownPicture) -> None:
    """A porch's post."""
    p.disc(7.5, 14, 4, 1.6, "wood1")
    p.rect(5, 0, 6, 15, "wood1")
    p.rect(6, 0, 4, 14, "white1")
    p.rect(6, 0, 1, 14, "white3")
    p.rect(5, 11, 6, 3, "white2")


def cactus(p: TownPicture) -> None:
    """A saguaro."""
    p.disc(7.5, 14.5, 5, 1.4, "sand1")
    for x, y, width, height in ((6, 1, 4, 14), (2, 5, 3, 6), (2, 9, 5, 2), (11, 3, 3, 6), (9, 7, 5, 2)):
        p.rect(x, y, width, height, "green0")
        p.rect(x, y, max(1, width - 2), height - 1, "green1")
        p.rect(x, y, 1, max(1, height - 2), "green2")
    p.dots("white3", (8, 4), (8, 8), (12, 5), (3, 7))


def trough(p: TownPicture) -> None:
    """A trough of water."""
    p.rect(1, 4, 30, 11, "wood0")
    p.rect(2, 5, 28, 9, "wood3")
    p.rect(2, 5, 28, 1, "wood5")
    p.rect(3, 6, 26, 4, "water1")
    p.rect(6, 7, 7, 1, "water2")
    p.rect(18, 8, 6, 1, "water2")
    for x in (8, 22):
        p.rect(x, 10, 2, 4, "wood2")


def fence(p: TownPicture) -> None:
    """A rail of a corral."""
    for x in (2, 11):
        p.rect(x, 3, 3, 13, "wood1")
        p.rect(x, 3, 2, 12, "wood4")
        p.rect(x, 3, 2, 1, "wood5")
    for y in (5, 10):
        p.rect(0, y, 16, 3, "wood1")
        p.rect(0, y, 16, 2, "wood3")
        p.rect(0, y, 16, 1, "wood5")


def bars(p: TownPicture) -> None:
    """Bars of a cell."""
    p.rect(0, 13, 16, 3, "iron1")
    p.rect(0, 0, 16, 2, "iron1")
    p.rect(0, 0, 16, 1, "iron3")
    for x in (1, 5, 9, 13):
        p.rect(x, 1, 2, 14, "iron0")
        p.rect(x, 1, 1, 14, "iron4")


def counter(p: TownPicture) -> None:
    """A piece of a bar."""
    p.rect(0, 2, 16, 14, "wood0")
    p.rect(0, 2, 16, 6, "wood4")
    p.rect(0, 2, 16, 1, "wood5")
    p.rect(0, 8, 16, 1, "gold1")
    p.rect(0, 9, 16, 6, "wood2")
    p.rect(3, 10, 10, 4, "wood1")


def poker_table(p: TownPicture) -> None:
    """A round table with a game on it, and four stools."""
    for x, y in ((4, 4), (27, 4), (4, 27), (27, 27)):
        p.disc(x, y, 3.4, 3, "wood0")
        p.disc(x, y - 0.6, 2.6, 2.2, "wood4")
    p.disc(15.5, 17, 12.4, 11.4, "wood0")
    p.disc(15.5, 15.5, 12, 11, "wood3")
    p.disc(15.5, 15.5, 10, 9, "green0")
    p.disc(15.5, 15, 9.4, 8.4, "green1")
    for x, y in ((10, 10), (19, 9), (11, 19), (20, 18)):
        p.rect(x, y, 3, 4, "white3")
        p.dots("red2", (x + 1, y + 1))
    p.disc(15.5, 15, 2, 1.6, "gold1")
    p.dots("gold2", (15, 14))


def desk(p: TownPicture) -> None:
    """A desk with papers and a lamp."""
    box(p, 0, 2, 32, 14, 7, "wood", 2)
    p.rect(5, 4, 7, 4, "white3")
    p.rect(6, 5, 5, 1, "wood3")
    p.rect(22, 0, 4, 7, "gold1")
    p.rect(23, 1, 2, 3, "gold2")
    p.rect(4, 11, 8, 3, "wood1")
    p.rect(20, 11, 8, 3, "wood1")


def bed(p: TownPicture) -> None:
    """A cot with a blanket."""
    box(p, 0, 2, 32, 14, 9, "wood", 2)
    p.rect(2, 4, 7, 7, "white3")
    p.rect(9, 3, 21, 9, "red1")
    p.rect(9, 3, 21, 1, "red2")
    p.rect(13, 3, 2, 9, "gold1")
    p.rect(25, 3, 2, 9, "gold1")


def pew(p: TownPicture) -> None:
    """A bench of the church."""
    p.rect(1, 3, 30, 5, "wood1")
    p.rect(1, 3, 30, 3, "wood3")
    p.rect(1, 3, 30, 1, "wood5")
    p.rect(1, 9, 30, 4, "wood4")
    p.rect(1, 13, 3, 3, "wood1")
    p.rect(28, 13, 3, 3, "wood1")


def stove(p: TownPicture) -> None:
    """An iron stove."""
    p.rect(6, 0, 4, 6, "iron1")
    p.rect(6, 0, 1, 6, "iron3")
    box(p, 1, 5, 14, 11, 3, "iron", 1)
    p.rect(4, 10, 8, 4, "fire0")
    p.rect(6, 11, 4, 2, "fire2")
    p.rect(7, 10, 1, 4, "iron0")


def grave(p: TownPicture) -> None:
    """A wooden cross on a mound."""
    p.disc(7.5, 13.5, 6.6, 2.6, "sand0")
    p.disc(7.5, 13, 5.6, 1.8, "sand1")
    for area, colour in (
        ((6, 0, 4, 13), "wood1"),
        ((2, 3, 12, 4), "wood1"),
        ((7, 1, 2, 12), "wood4"),
        ((3, 4, 10, 2), "wood4"),
    ):
        p.rect(*area, colour)


def campfire(p: TownPicture, frame: int = 0) -> None:
    """A fire between stones."""
    for x, y in ((2, 11), (5, 13), (9, 13), (12, 11), (3, 8), (11, 8)):
        p.disc(x + 0.5, y, 2, 1.6, "iron2")
    p.rect(4, 10, 8, 2, "wood1")
    p.disc(7.5, 8.5 - frame % 2, 3.6, 4.4, "fire0")
    p.disc(7 + frame, 8.6, 2.4, 3, "fire1")
    p.disc(7.5, 9.4, 1.2, 1.8, "fire2")


def skull(p: TownPicture) -> None:
    """A steer's skull."""
    p.rect(1, 4, 3, 1, "white2")
    p.rect(12, 4, 3, 1, "white2")
    p.dots("white2", (1, 3), (0, 2), (14, 3), (15, 2))
    p.rect(4, 4, 8, 4, "white3")
    p.rect(6, 8, 4, 5, "white3")
    p.rect(6, 12, 4, 1, "white1")
    p.dots("wood1", (5, 6), (6, 6), (9, 6), (10, 6), (7, 11), (8, 11))


def tumbleweed(p: TownPicture) -> None:
    """A tumbleweed."""
    noise = TownNoise(9)
    p.disc(7.5, 14, 4.6, 1.2, "sand1")
    for _ in range(70):
        x, y = noise.below(13) - 6, noise.below(13) - 6
        if x * x + y * y < 36:
            p.dots(("sand0", "wood3", "wood5")[noise.below(3)], (8 + x, 8 + y))


def rug(p: TownPicture) -> None:
    """A piece of carpet."""
    p.rect(0, 0, 16, 16, "red1")
    for x in range(0, 16, 8):
        for y in range(0, 16, 8):
            p.rect(x + 3, y + 1, 2, 6, "gold1")
            p.rect(x + 1, y + 3, 6, 2, "gold1")
            p.rect(x + 3, y + 3, 2, 2, "red0")


def ruts(p: TownPicture) -> None:
    """Tracks of a wagon."""
    for y in (4, 11):
        p.rect(0, y, 16, 1, "sand1")
        p.rect(0, y + 1, 16, 1, "sand2")
    for x in (1, 6, 10, 14):
        p.dots("sand2", (x, 7), (x + 1, 8))


def cards(p: TownPicture) -> None:
    """Cards on the floor."""
    for x, y, colour in ((2, 3, "red2"), (8, 6, "iron0"), (4, 10, "red2")):
        p.rect(x, y, 4, 5, "wood1")
        p.rect(x, y, 4, 4, "white3")
        p.dots(colour, (x + 1, y + 1), (x + 2, y + 2))


def scrub(p: TownPicture) -> None:
    """Dry grass."""
    for x, y in ((3, 12), (6, 10), (9, 13), (12, 11)):
        p.dots("green0", (x, y), (x + 1, y))
        p.dots("green1", (x, y - 1), (x - 1, y - 2), (x + 1, y - 2))
        p.dots("green2", (x, y - 3), (x + 2, y - 3), (x - 2, y - 3))


def planks(p: TownPicture) -> None:
    """Broken boards."""
    for x, y, width in ((1, 4, 9), (5, 9, 10), (2, 13, 7)):
        p.rect(x, y, width, 2, "wood1")
        p.rect(x, y, width, 1, "wood4")


THINGS: dict[str, tuple[Callable[[TownPicture], None], int, int]] = {
    made.__name__: (made, width, height)
    for width, height, group in (
        (1, 1, (barrel, crate, hay, safe, post, cactus, fence, bars, counter, stove, grave)),
        (1, 1, (skull, tumbleweed, rug, ruts, cards, scrub, planks)),
        (2, 1, (piano, shelf, trough, desk, bed, pew)),
        (2, 2, (wagon, water_tower, poker_table)),
    )
    for made in group
}


def icon(colour: str, rows: str) -> TownPicture:
    """A picture of eight by eight letters, each twice as large, with an outline."""
    large = np.array([[letter != "." for letter in row] for row in rows.split("/")]).repeat(2, 0).repeat(2, 1)
    ringed = np.zeros((18, 18), bool)
    for dy in range(3):
        for dx in range(3):
            ringed[dy : dy + 16, dx : dx + 16] |= large
    picture = TownPicture()
    picture.pixels[ringed[1:17, 1:17]] = COLOURS["wood0"]
    picture.pixels[large] = COLOURS[colour]
    return picture


_HAT = "......../..####../..####../########/..####../..####../.######./.######."
_STAR = "...##.../...##.../########/.######./..####../.######./.##..##./........"
_COIN = "..####../.######./.##..##./.##.###./.###.##./.##..##./.######./..####.."
_BARS = "########/.#.##.#./.#.##.#./.#.##.#./.#.##.#./.#.##.#./.#.##.#./########"
_BOX = "......../.######./.#....#./.######./.##..##./.######./.######./........"
MARKERS = {
    "player_start": ("white3", _HAT),
    "enemy": ("red2", _HAT),
    "enemy_flyer": ("iron1", "......../#......#/##.##.##/.######./..####../...##.../......../........"),
    "enemy_turret": ("gold1", "......../.....###/#######./#######./..###.../.#.#.#../#..#..#./........"),
    "enemy_brute": ("rock3", "......../.#....#./.######./.#.##.#./########/#.####.#/..#..#../.##..##."),
    "enemy_shooter": ("fire1", "......../######../#######./..##..../.##...../.##...../......../........"),
    "boss": ("iron0", _HAT),
    "strongbox": ("gold1", _BOX),
    "pickup": ("green2", "...##.../...##.../..####../.######./.######./.######./.######./..####.."),
    "ware": ("blue2", "......../..####../.#....#./.######./.######./.######./..####../........"),
    "bartender": ("white2", "..####../..####../...##.../.######./########/########/.######./.##..##."),
    "badge": ("gold2", _STAR),
    "prisoner": ("white1", _BARS),
    "exit": ("wood5", "......../.######./########/.######./########/..#..#../.###.###/..#..#.."),
    "key": ("gold2", "......../.###..../.#.#..../.#######/.#.#.#.#/.###.#../......../........"),
}
MAP = {
    "sun": ("fire1", "#..##..#/.#.##.#./..####../########/########/..####../.#.##.#./#..##..#"),
    "glass": ("gold1", "......../.######./.######./.######./..####../...##.../...##.../..####.."),
    "sack": ("wood5", "...##.../..####../...##.../..####../.######./.######./.######./..####.."),
    "star": ("gold2", _STAR),
    "bars": ("iron4", _BARS),
    "coin": ("gold1", _COIN),
    "cross": ("white3", "...##.../...##.../.######./.######./...##.../...##.../...##.../...##..."),
}


def add_goods(sheet: TownSheet) -> None:
    """Decor, then the icons of markers and of rooms on the map."""
    for name, (paint, width, height) in THINGS.items():
        picture = TownPicture("", width, height)
        paint(picture)
        sheet.table(f"decor.{name}", tiles=f"[{sheet.put(picture)}]")
    frames = [TownPicture() for _ in range(3)]
    for frame, picture in enumerate(frames):
        campfire(picture, frame)
    sheet.table("decor.campfire", tiles=f"[{sheet.put(*frames)}]", frames="3", frame_ms="180")
    for part, icons in (("marker", MARKERS), ("icon", MAP)):
        for name, (colour, rows) in icons.items():
            sheet.table(f"{part}.{name}", icon=sheet.put(icon(colour, rows)))
