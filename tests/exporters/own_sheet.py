"""A team's own sheet, drawn here: 24 px tiles with a margin and spacing, walls of 16 tiles by their sides.

row 0   floors (3 looks, 1 in shade), boss floor, hallway, pit, bridge, torch (3 frames)
row 1   walls 0 to 7     row 2   walls 8 to 15
row 3   door open, shut, overlay, rock (2 looks), spikes, fire (2 frames)
row 4   crossings 0 to 7   row 5   crossings 8 to 15, for a dual set
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from click.testing import CliRunner

from exporters.formats.png.syntax import png_bytes
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.cli import main

TILE, MARGIN, SPACING = 24, 2, 3  # px
COLUMNS, ROWS = 9, 6

Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int, int]

STONE: Colour = (116, 104, 140, 255)
EDGE: Colour = (222, 208, 160, 255)
FLOOR: Colour = (66, 84, 70, 255)
NOTHING: Colour = (0, 0, 0, 0)

# What to fill into the first theme that `undercroft theme new` writes.
FILLED = (
    ("tiles = []  # and weights = [], shaded = []", "tiles = [[0, 0], [1, 0], [2, 0]]\nweights = [6, 2, 1]\nshaded = [[3, 0]]\n\n[floor.boss]\ntiles = [[4, 0]]\n\n[floor.hallway]\ntiles = [[5, 0]]\n\n[floor.bridge]\ntiles = [[6, 0]]"),
    ('[wall]\n# set = rim, thin, blob47, edge16, corner16, dual16, faced (face and top) or single (one look)\nset = "single"\ntiles = []', '[wall]\nset = "edge16"\nfirst = [0, 1]\ncolumns = 8'),
    ('[pit]\n# set = rim, thin, blob47, edge16, corner16, dual16, faced (face and top) or single (one look)\nset = "single"\ntiles = []', '[pit]\nset = "single"\ntiles = [[7, 0]]'),
    ("open = []  # one tile, or alone, first, middle, last of a wide door\nshut = []", "open = [[0, 3]]\nshut = [[1, 3]]\noverlay = [[2, 3]]"),
    ("[decor.rock]\ntiles = []", "[decor.rock]\ntiles = [[3, 3], [4, 3]]"),
    ("[decor.spikes]\ntiles = []", "[decor.spikes]\ntiles = [[5, 3]]"),
    ("[decor.fire]\ntiles = []", "[decor.fire]\ntiles = [[6, 3]]\nframes = 2\nframe_ms = 200"),
)  # fmt: skip


def filled(text: str) -> str:
    """A first theme for the sheet, filled in."""
    for empty, full in FILLED:
        assert empty in text, empty
        text = text.replace(empty, full, 1)
    return text


def sheet() -> bytes:
    """The image."""
    pitch = TILE + SPACING
    whole = np.zeros((MARGIN + ROWS * pitch - SPACING, MARGIN + COLUMNS * pitch - SPACING, 4), np.uint8)
    whole[...] = (255, 0, 255, 255)  # between the tiles: seen at once where a place is wrong
    rows = [
        [_floor(1), _floor(2), _floor(3), _shaded(), _plain((96, 52, 60, 255)), _plain((84, 78, 60, 255))],
        [wall(number) for number in range(8)],
        [wall(number) for number in range(8, 16)],
        [_arch(False), _arch(True), _lintel(), _ball(9), _ball(7), _spikes(), _flame(9), _flame(6)],
        [crossing(number) for number in range(8)],
        [crossing(number) for number in range(8, 16)],
    ]
    rows[0] += [_plain((132, 96, 58, 255)), _plain((16, 14, 24, 255)), _plain(NOTHING)]
    for y, row in enumerate(rows):
        for x in range(COLUMNS):
            tile = row[x] if x < len(row) else _plain(NOTHING)
            top, left = MARGIN + y * pitch, MARGIN + x * pitch
            whole[top : top + TILE, left : left + TILE] = tile
    return png_bytes(whole.shape[1], whole.shape[0], iter([whole]))


def write(folder: Path) -> Path:
    """Write the image."""
    path = folder / "keep.png"
    path.write_bytes(sheet())
    return path


WALLS = {
    "keep": 'set = "edge16"\nfirst = [0, 1]\ncolumns = 8',
    "crossings": 'set = "dual16"\nfirst = [0, 4]\ncolumns = 8',
    "simple": 'set = "single"\ntiles = [[0, 1]]',
    "rim": """
set = "rim"
outside = "solid"
fill = [[7, 2]]
north = [[6, 2]]
east = [[5, 2]]
south = [[3, 2]]
west = [[7, 1]]
face = [[3, 1], [3, 2]]
face_weights = [3, 1]
north_west = [[6, 1]]
north_east = [[4, 2]]
south_west = [[3, 1]]
south_east = [[1, 2]]
inner_south_east = [[7, 4]]
inner_south_west = [[3, 5]]
inner_north_east = [[5, 5]]
inner_north_west = [[6, 5]]
under = [0, 0]
under_of = ["inner_south_east", "inner_south_west"]""",
    "thin": 'set = "thin"\nnorth = [3, 4]\neast = [2, 5]\nsouth = [4, 5]\nwest = [5, 4]\nunder = [0, 0]',
}


def themes(folder: Path) -> dict[str, Theme]:
    """The first theme that the command writes for the sheet, filled in, with each of WALLS."""
    done = CliRunner().invoke(main, ["theme", "new", str(write(folder))])
    assert done.exit_code == 0, done.output
    text = filled((folder / "keep.toml").read_text("utf-8"))
    assert WALLS["keep"] in text
    for name, wall in WALLS.items():
        own = text.replace('name = "keep"', f'name = "{name}"').replace(WALLS["keep"], wall)
        (folder / f"{name}.toml").write_text(own, "utf-8")
    return {name: load_theme(folder / f"{name}.toml") for name in WALLS}


def _plain(colour: Colour) -> Picture:
    tile = np.empty((TILE, TILE, 4), np.uint8)
    tile[...] = colour
    return tile


def _floor(seed: int) -> Picture:
    tile = _plain(FLOOR)
    tile[0, :] = tile[:, 0] = (56, 72, 62, 255)
    for i in range(seed * 2):
        tile[(7 * i + 5 * seed) % 22 + 1, (11 * i + 3 * seed) % 22 + 1] = (92, 112, 88, 255)
    return tile


def _shaded() -> Picture:
    tile = _floor(1)
    tile[:8, :, :3] //= 2
    return tile


def wall(number: int) -> Picture:
    """A wall with north (1), east (2), south (4), west (8) alike: an edge on every other side."""
    tile = _plain(STONE)
    tile[::6, ::4, :3] -= 12
    if not number & 4:  # the front is seen
        tile[10:] = (92, 80, 112, 255)
        tile[16, :] = tile[10:16, 8] = tile[17:, 16] = (70, 60, 90, 255)
    for bit, edge in ((1, np.s_[:3]), (2, np.s_[:, -3:]), (4, np.s_[-2:]), (8, np.s_[:, :3])):
        if not number & bit:
            tile[edge] = EDGE
    return tile


def crossing(number: int) -> Picture:
    """A crossing with a wall up left (1), up right (2), down left (4), down right (8); an edge round each."""
    half = TILE // 2
    place = np.arange(TILE) >= half
    quarter = 1 << (np.add.outer(2 * place, place))  # 1 2 over 4 8
    like = (quarter & number) > 0
    tile = np.where(like[..., None], np.array(STONE, np.uint8), np.array(NOTHING, np.uint8))
    other = np.pad(~like, 2, mode="edge")
    near = [other[y : y + TILE, x : x + TILE] for y in range(5) for x in range(5)]
    tile[like & np.any(near, axis=0)] = EDGE
    return tile


def _arch(shut: bool) -> Picture:
    tile = _plain((120, 84, 52, 255) if shut else (60, 52, 44, 255))
    tile[:3] = tile[:, :3] = tile[:, -3:] = (176, 132, 76, 255)
    return tile


def _lintel() -> Picture:
    tile = _plain(NOTHING)
    tile[:5] = (200, 156, 92, 255)
    tile[5, :] = (0, 0, 0, 110)  # half transparent
    return tile


def _ball(radius: int) -> Picture:
    tile = _plain(NOTHING)
    y, x = np.mgrid[:TILE, :TILE] - 11.5
    tile[x * x + y * y <= radius * radius] = (150, 148, 156, 255)
    tile[(x + 2) ** 2 + (y + 3) ** 2 <= (radius - 4) ** 2] = (196, 194, 204, 255)
    return tile


def _spikes() -> Picture:
    tile = _plain(NOTHING)
    for left in (3, 10, 17):
        tile[8:20, left : left + 4] = (190, 60, 60, 255)
    return tile


def _flame(radius: int) -> Picture:
    tile = _ball(radius)
    tile[tile[..., 3] > 0] = (250, 150, 40, 255)
    return tile
