"""A level as a map: its picture at two pixels per tile, tinted by rooms and zones, with signs and a legend.

A tile is two pixels, and a sign eleven: nine dots and its edge. So rooms can be told apart where their tiles
cannot be seen any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from exporters.dress import TileLayer
from exporters.formats.png import TILE_PX
from exporters.image import stacked
from exporters.lettering import LETTER_DOTS, write
from exporters.owners import Owners, owners
from exporters.places import Corner, gates_of, keys_of, node_of
from exporters.theme import Theme
from exporters.theme.image import Pixels
from generator.arrays import Mask
from generator.kinds import WALL
from generator.kinds.signs import SIGN_DOTS, Sign, sign_table
from generator.level import Level, Room
from generator.named_tuple import NamedTuple

_REACH = SIGN_DOTS // 2 + 1  # px from a sign's middle to its edge
_DARK = 0.75  # brightness of the picture below the signs
_ROOM_TINT, _WALL_TINT, _ZONE_TINT = 0.45, 0.9, 0.3  # opacities
_DOT_PX, _LINE_PX, _SPACE_PX = 2, 15, 5  # of letters, and of a legend's lines and gaps
_STEPS = sorted(
    ((dx, dy) for dx in range(-8, 9) for dy in range(-8, 9)), key=lambda step: step[0] ** 2 + step[1] ** 2
)  # tiles from a room's node, the nearest first
_WORDS = {"padlock": "locked", "one_way": "one way", "barred": "opens from one side"}  # of doors


class PlacedSign(NamedTuple):
    """A sign with its middle, in tiles, and its meaning in words. `room` is the room that it stands for."""

    sign: Sign
    x: float
    y: float
    words: str
    room: int | None = None


def signs_of(level: Level) -> list[PlacedSign]:
    """Place the signs of keys, doors and the exit, then those of rooms, which stand beside them."""
    placed = [*_gate_signs(level)]
    for room in level.rooms:
        sign = sign_table().of_room(level.kinds.room(room.kind))
        if sign:
            x, y = _free_place(level, room, placed)
            placed.append(PlacedSign(sign, x, y, room.kind.replace("_", " "), room.id))
    return placed


def _gate_signs(level: Level) -> Iterator[PlacedSign]:
    table, numbers = sign_table(), keys_of(level)
    for kind, x, y, *data in gates_of(level):
        if kind in ("key", "lever"):
            name = str(data[0])
            yield PlacedSign(table.of_key(kind, numbers[name]), x, y, name.replace("_", " "))
        elif kind == "lock":
            for i, name in enumerate(data):
                beside = (i - (len(data) - 1) / 2) * (SIGN_DOTS + 1) / TILE_PX
                words = f"lock: {name.replace('_', ' ')}"
                yield PlacedSign(table.of_key(kind, numbers[name]), x + beside, y, words)
        elif kind == "door":
            yield PlacedSign(Sign(table.named(data[0]), table.plain), x, y, _WORDS.get(data[0], data[0]))
        elif kind == "exit":
            icon, words = data
            yield PlacedSign(Sign(table.named(icon), table.plain), x, y, words)
        else:
            yield PlacedSign(table.of_way(kind, *data), x, y, _WORDS[kind])


def _free_place(level: Level, room: Room, placed: Sequence[PlacedSign]) -> Corner:
    """Return a place for a room's sign: its node, or near that where it covers no other sign.

    That is in the room if it has space for it.
    """
    x, y = node_of(level, room)
    free = [
        (x + dx, y + dy)
        for dx, dy in _STEPS
        if all(max(abs(x + dx - other.x), abs(y + dy - other.y)) * TILE_PX > 2 * _REACH for other in placed)
    ]
    inside = (at for at in free if _is_inside(room, *at))
    return next(inside, free[0] if free else (x, y))


def _is_inside(room: Room, x: float, y: float) -> bool:
    left, top, right, bottom = (
        room.bounds.x + 2,
        room.bounds.y + 2,
        room.bounds.right - 2,
        room.bounds.bottom - 2,
    )
    return left <= x <= right and top <= y <= bottom


# --- pixels ------------------------------------------------------------------------------------------


def map_pixels(
    level: Level,
    theme: Theme,
    layers: Sequence[TileLayer],
    background: tuple[int, int, int, int],
    legend: bool,
) -> Pixels:
    """Draw the map [y, x, 4], below it the legend if asked for."""
    pixels = _small(layers, theme, background)
    owner = owners(level, layers)
    _tint(pixels, level, owner)
    signs = signs_of(level)
    for placed in signs:
        stamp(pixels, placed.sign, round(placed.x * TILE_PX), round(placed.y * TILE_PX))
    return _with_legend(pixels, level, signs) if legend else pixels


def _small(layers: Sequence[TileLayer], theme: Theme, background: tuple[int, int, int, int]) -> Pixels:
    """Draw layers with each tile as the mean colours of its parts."""
    stacks = stacked(layers, theme, background)
    colours, numbers = stacks.pictures
    size = theme.tile_size
    edges = np.arange(TILE_PX) * size // TILE_PX
    pixels = colours[numbers].astype(np.float64)
    alpha = pixels[..., 3:]
    weighed = np.concatenate((pixels[..., :3] * alpha, alpha), axis=-1)
    parts = np.add.reduceat(np.add.reduceat(weighed, edges, axis=1), edges, axis=2)
    counts = np.diff([*edges.tolist(), size])
    area = np.multiply.outer(counts, counts)[None, :, :, None]
    opaque = np.maximum(parts[..., 3:], 1e-9)
    small = np.concatenate((parts[..., :3] / opaque * _DARK, parts[..., 3:] / area), axis=-1)
    small = np.rint(small).astype(np.uint8)[stacks.places]  # [y, x, 2, 2, 4]
    small[stacks.places == 0] = background
    height, width = stacks.places.shape
    return np.ascontiguousarray(small.swapaxes(1, 2)).reshape(height * TILE_PX, width * TILE_PX, 4)


def _tint(pixels: Pixels, level: Level, owner: Owners) -> None:
    """Tint rooms in the colours of their zones, and those that have a sign in its colour, walls most.

    Of a room with both, the walls have the colour of the sign.
    """
    table = sign_table()
    zones = zones_of(level)
    walls = level.terrain == WALL
    for room in level.rooms:
        around = room.bounds.slices
        own = (owner[around] == room.id) & (level.terrain[around] != 0)
        inside = own & ~walls[around]
        sign = table.of_room(level.kinds.room(room.kind))
        if room.zone in zones:
            _mix(pixels, room, inside if sign else own, zones[room.zone], _ZONE_TINT)
        elif sign:
            _mix(pixels, room, inside, sign.color, _ROOM_TINT)
        if sign:
            _mix(pixels, room, own & walls[around], sign.color, _WALL_TINT)


def zones_of(level: Level) -> dict[str, str]:
    """Return the colours of a level's zones by their names and numbers, if it has several."""
    table = sign_table()
    names = sorted(
        dict.fromkeys(room.zone for room in level.rooms if room.zone),
        key=lambda name: int(name.rpartition("_")[2]) if name.rpartition("_")[2].isdecimal() else 0,
    )
    return {name: table.zones[i % len(table.zones)] for i, name in enumerate(names) if len(names) > 1}


def _mix(pixels: Pixels, room: Room, tiles: Mask, colour: str, share: float) -> None:
    """Mix a colour into the tiles of a room, given as a mask of its bounds."""
    x, y, width, height = (side * TILE_PX for side in room.bounds)
    part = pixels[y : y + height, x : x + width]
    where = tiles.repeat(TILE_PX, axis=0).repeat(TILE_PX, axis=1)
    mixed = part[where][:, :3] * (1 - share) + np.array(rgb(colour)) * share
    part[where] = np.concatenate((np.rint(mixed), part[where][:, 3:]), axis=1).astype(np.uint8)


def rgb(colour: str) -> tuple[int, int, int]:
    """Parse `#rrggbb`."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def stamp(pixels: Pixels, sign: Sign, x: int, y: int) -> None:
    """Draw a sign with its edge around the pixel at x, y. What is outside of the picture is left out."""
    dots = np.pad(np.array([[dot == "#" for dot in row] for row in sign.dots]), 1)
    edge = dots.copy()
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            edge |= np.roll(dots, (dy, dx), axis=(0, 1))
    height, width = pixels.shape[:2]
    for mask, colour in ((edge, sign_table().edge), (dots, sign.ink)):
        rows, columns = np.nonzero(mask)
        rows, columns = rows + y - _REACH, columns + x - _REACH
        seen = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        pixels[rows[seen], columns[seen]] = (*rgb(colour), 255)


# --- the legend --------------------------------------------------------------------------------------


def _with_legend(pixels: Pixels, level: Level, signs: Sequence[PlacedSign]) -> Pixels:
    """Explain each sign once below the map, and each zone, in as many lines as are needed.

    A map that is narrower than an entry gets space at its right.
    """
    entries = {placed.words: placed.sign for placed in sorted(signs, key=lambda placed: placed.room is None)}
    zones = zones_of(level)
    if zones:
        square = (
            "." * SIGN_DOTS,
            *(f".{'#' * (SIGN_DOTS - 2)}." for _ in range(SIGN_DOTS - 2)),
            "." * SIGN_DOTS,
        )
        entries |= {name.replace("_", " "): Sign(square, colour) for name, colour in zones.items()}
    sizes = [2 * _REACH + _SPACE_PX + LETTER_DOTS[0] * len(words) * _DOT_PX for words in entries]
    width = max(pixels.shape[1], *(size + 2 * _SPACE_PX for size in sizes), 0)
    places, x, y = [], _SPACE_PX, _SPACE_PX + _REACH
    for size in sizes:
        if x > _SPACE_PX and x + size > width:
            x, y = _SPACE_PX, y + _LINE_PX
        places.append((x, y))
        x += size + 2 * _SPACE_PX
    height = pixels.shape[0]
    drawn = np.empty((height + y + _REACH + _SPACE_PX if entries else height, width, 4), np.uint8)
    drawn[...] = (*rgb(sign_table().edge), 255)
    drawn[:height, : pixels.shape[1]] = pixels
    panel = drawn[height:]
    for (x, y), (words, sign) in zip(places, entries.items(), strict=True):
        stamp(panel, sign, x + _REACH, y)
        write(
            panel, words, (x + 2 * _REACH + _SPACE_PX, y - _REACH), (*rgb(sign_table().plain), 255), _DOT_PX
        )
    return drawn
