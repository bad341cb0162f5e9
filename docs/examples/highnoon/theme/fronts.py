"""Streets and floors, roofs and house fronts, and the gulch."""

from __future__ import annotations

from collections.abc import Callable

from paint import TownNoise, TownPicture, TownSheet

from exporters.blob import MASKS, NE, NW, SIDES, E, N, S, W


def sand(seed: int, base: int = 3) -> TownPicture:
    """Trodden dust, with a few stones."""
    noise, picture = TownNoise(seed), TownPicture(f"sand{base}")
    for _ in range(9):
        x, y = noise.below(16), noise.below(16)
        picture.dots(f"sand{base - 1 + 2 * noise.below(2)}", (x, y), (x + 1, y))
    if seed % 4 == 1:
        for _ in range(3):
            x, y = 1 + noise.below(13), 1 + noise.below(13)
            picture.rect(x, y, 2, 1, f"sand{base - 2}")
            picture.dots(f"sand{base - 1}", (x, y + 1), (x + 1, y + 1))
    if seed % 4 == 2:
        for step in range(11):
            picture.dots(f"sand{base - 1}", (2 + step, 9 + (step // 4) % 2))
    return picture


def boards(seed: int, ramp: str, tones: tuple[int, int, int]) -> TownPicture:
    """Planks from west to east: their tones are seam, wood and light."""
    noise, picture = TownNoise(seed), TownPicture(f"{ramp}{tones[1]}")
    for y in (0, 4, 8, 12):
        picture.rect(0, y, 16, 1, f"{ramp}{tones[0]}")
        picture.rect(0, y + 1, 16, 1, f"{ramp}{tones[2]}")
        grain = noise.below(10)
        picture.rect(grain, y + 2, 4, 1, f"{ramp}{tones[2]}")
    joint, y = 2 + noise.below(12), 4 * noise.below(4)
    picture.rect(joint, y, 1, 4, f"{ramp}{tones[0]}")
    return picture


def slabs(seed: int, ramp: str, tones: tuple[int, int, int]) -> TownPicture:
    """Stone slabs, or tiles."""
    picture = TownPicture(f"{ramp}{tones[1]}")
    for x, y in ((0, 0), (8, 0), (4 if seed % 2 else 0, 8), (12 if seed % 2 else 8, 8)):
        picture.rect(x, y, 1, 8, f"{ramp}{tones[0]}")
        picture.rect(x + 1, y + 1, 6, 1, f"{ramp}{tones[2]}")
    picture.rect(0, 0, 16, 1, f"{ramp}{tones[0]}")
    picture.rect(0, 8, 16, 1, f"{ramp}{tones[0]}")
    return picture


def track(seed: int) -> TownPicture:
    """Rails from west to east."""
    picture = sand(seed)
    for x in (1, 6, 11):
        picture.rect(x, 2, 3, 12, "wood2")
        picture.rect(x, 2, 1, 12, "wood1")
    for y in (4, 10):
        picture.rect(0, y, 16, 2, "iron2")
        picture.rect(0, y, 16, 1, "iron4")
    return picture


def grass(seed: int) -> TownPicture:
    """Dry grass on the hill."""
    noise, picture = TownNoise(seed + 50), sand(seed, 2)
    for _ in range(8):
        x, y = noise.below(15), 2 + noise.below(13)
        picture.dots("green2", (x, y), (x, y - 1))
        picture.dots("green1", (x + 1, y))
    return picture


def shaded(picture: TownPicture) -> TownPicture:
    """The same in the shade of the eaves to the north."""
    dark = TownPicture()
    dark.pixels[...] = picture.pixels
    for y, percent in enumerate((52, 56, 62, 72, 84, 93)):
        dark.shade(y, percent)
    return dark


FLOORS: dict[str, list[TownPicture]] = {
    "default": [sand(seed) for seed in (4, 8, 1, 2, 12)],
    "boss": [sand(seed) for seed in (20, 24, 2)],
    "start": [sand(seed) for seed in (28, 1, 32)],
    "hallway": [sand(seed, 2) for seed in (4, 8, 1)],
    "chapel": [grass(seed) for seed in (4, 8, 12)],
    "saloon": [boards(seed, "wood", (2, 3, 4)) for seed in (1, 2, 3)],
    "store": [boards(seed, "wood", (2, 4, 5)) for seed in (4, 5)],
    "sheriff": [boards(seed, "wood", (1, 2, 3)) for seed in (6, 7)],
    "jail": [slabs(seed, "iron", (1, 2, 3)) for seed in (0, 1)],
    "bank": [slabs(seed, "white", (0, 1, 2)) for seed in (0, 1)],
    "door": [boards(8, "wood", (1, 3, 4))],
    "bridge": [boards(9, "wood", (0, 4, 5))],
    "boardwalk": [boards(seed, "wood", (3, 4, 5)) for seed in (10, 11, 12)],
    "rails": [track(4)],
}


def add_floors(sheet: TownSheet) -> None:
    """Floors of rooms and of terrains."""
    for name, made in FLOORS.items():
        tiles, below = (", ".join(map(sheet.put, looks)) for looks in (made, [shaded(each) for each in made]))
        weights = str([max(1, 6 - 2 * i) for i in range(len(made))])
        extra = {"weights": weights, "shaded_weights": weights} if len(made) > 1 else {}
        sheet.table(f"floor.{name}", tiles=f"[{tiles}]", shaded=f"[{below}]", **extra)
    spoil = []
    for seed in (4, 8):
        picture, noise = sand(seed), TownNoise(seed + 5)
        for _ in range(6):
            x, y = 1 + noise.below(11), 2 + noise.below(10)
            picture.rect(x, y, 4, 3, "sand0")
            picture.rect(x, y, 3, 2, f"sand{1 + 3 * noise.below(2)}")
        spoil.append(sheet.put(picture))
    sheet.table("floor.rubble", tiles=f"[{', '.join(spoil)}]")
    sheet.table("floor.creek", tiles=f"[{sheet.put(*map(creek, range(3)))}]", frames="3", frame_ms="420")


def creek(frame: int) -> TownPicture:
    """Slow water."""
    picture = TownPicture("water1")
    for y in range(0, 16, 4):
        for x in range(0, 16, 8):
            start = x + (3 * y + 3 * frame) % 8
            picture.dots("water2", *((start + step, y + 1) for step in range(3)))
            picture.dots("water0", *((start + step + 4, y + 3) for step in range(3)))
    return picture


def roof(mask: int) -> TownPicture:
    """Shingles, with a board along the edge where no house follows."""
    picture = TownPicture("roof1")
    for y in range(0, 16, 4):
        picture.rect(0, y, 16, 1, "roof0")
        picture.rect(0, y + 1, 16, 1, "roof2")
        for x in range((y // 4 % 2) * 3, 16, 6):
            picture.rect(x, y, 1, 4, "roof0")
    edges = (
        (N, (0, 0, 16, 2), (0, 0, 16, 1)),
        (W, (0, 0, 2, 16), (0, 0, 1, 16)),
        (E, (14, 0, 2, 16), (15, 0, 1, 16)),
    )
    for bit, area, line in edges:
        if not mask & bit:
            picture.rect(*area, "wood3")
            picture.rect(*line, "wood5")
    for bit, sides, x in ((NW, N | W, 0), (NE, N | E, 14)):
        if mask & sides == sides and not mask & bit:
            picture.rect(x, 0, 2, 2, "wood4")
    return picture


def front(mask: int, look: str = "plain") -> TownPicture:
    """The front of a house: clapboards below the eaves."""
    picture = TownPicture("wood4")
    for y in (4, 7, 10, 13):
        picture.rect(0, y, 16, 1, "wood3")
        picture.rect(0, y + 1, 16, 1, "wood5")
    picture.rect(0, 0, 16, 1, "white2")
    picture.rect(0, 1, 16, 2, "wood2")
    picture.rect(0, 3, 16, 1, "wood1")
    picture.rect(0, 15, 16, 1, "wood1")
    if look in _LOOKS:
        _LOOKS[look](picture)
    for bit, x in ((W, 0), (E, 15)):
        if not mask & bit:
            picture.rect(x, 0, 1, 16, "white1" if bit == W else "wood1")
    return picture


def _window(picture: TownPicture) -> None:
    picture.rect(3, 4, 10, 10, "white2")
    picture.rect(4, 5, 8, 8, "blue0")
    picture.rect(4, 5, 8, 2, "blue1")
    picture.rect(7, 5, 1, 8, "white1")
    picture.rect(4, 9, 8, 1, "white1")
    picture.dots("blue2", (5, 6), (6, 5), (10, 10))
    picture.rect(2, 14, 12, 1, "white3")


def _shutters(picture: TownPicture) -> None:
    _window(picture)
    for x in (1, 12):
        picture.rect(x, 4, 3, 10, "green0")
        for y in range(5, 13, 2):
            picture.rect(x, y, 3, 1, "green1")


def _poster(picture: TownPicture) -> None:
    picture.rect(4, 4, 8, 10, "white3")
    picture.rect(5, 5, 6, 1, "wood1")
    picture.rect(6, 7, 4, 4, "white1")
    picture.rect(7, 8, 2, 2, "wood2")
    picture.rect(5, 12, 6, 1, "red1")
    picture.dots("wood1", (4, 4), (11, 4))


def _sign(picture: TownPicture) -> None:
    picture.rect(1, 4, 14, 7, "red1")
    picture.rect(1, 4, 14, 1, "gold1")
    picture.rect(1, 10, 14, 1, "gold0")
    for x in (3, 6, 9, 12):
        picture.rect(x, 6, 1, 3, "gold2")
        picture.dots("gold2", (x + 1, 6 + x % 3))


def _back_door(picture: TownPicture) -> None:
    picture.rect(4, 4, 8, 12, "wood1")
    picture.rect(5, 5, 6, 11, "red1")
    picture.rect(6, 6, 4, 3, "red0")
    picture.rect(6, 11, 4, 3, "red0")
    picture.dots("gold1", (9, 10))


_LOOKS: dict[str, Callable[[TownPicture], None]] = {
    "window": _window,
    "shutters": _shutters,
    "poster": _poster,
    "sign": _sign,
    "back_door": _back_door,
}


def gulch(mask: int) -> TownPicture:
    """A gulch: at its north the cut through red rock, and dark below."""
    picture, noise = TownPicture("rock0"), TownNoise(mask + 3)
    for _ in range(4):
        x, y = 1 + noise.below(12), 7 + noise.below(8)
        picture.rect(x, y, 3, 1, "rock1")
    if not mask & N:
        for y, colour in ((0, "sand1"), (1, "rock3"), (3, "rock2"), (5, "rock3"), (6, "rock1")):
            picture.rect(0, y, 16, 2, colour)
        for x in (2, 7, 12):
            picture.rect(x, 2, 1, 6, "rock1")
    for bit, area in ((W, (0, 0, 2, 16)), (E, (14, 0, 2, 16)), (S, (0, 14, 16, 2))):
        if not mask & bit:
            picture.rect(*area, "rock3" if bit != S else "rock2")
    return picture


def add_walls(sheet: TownSheet) -> None:
    """The 47 neighbourhoods of houses and of the gulch; plain fronts have further looks."""
    places = {mask: sheet.put(roof(mask) if mask & S else front(mask)) for mask in MASKS}
    sheet.table("wall", set='"blob47"', tiles=f"[{', '.join(places.values())}]")
    sheet.table("pit", set='"blob47"', tiles=f"[{', '.join(sheet.put(gulch(mask)) for mask in MASKS)}]")
    for mask in MASKS:
        if mask & SIDES == E | W | N:
            looks = [sheet.put(front(mask, look)) for look in _LOOKS]
            sheet.lines += ["", "[[variant]]", f"of = {places[mask]}", f"tiles = [{', '.join(looks)}]"]
            sheet.lines.append("weights = [3, 2, 1, 1, 1]")
