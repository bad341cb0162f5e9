"""A first theme for a sheet, to be filled in: everything known about it, and placeholders for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exporters.bundle import Bundle
from exporters.formats.png.syntax import png_bytes
from exporters.stacks import over
from exporters.theme.compose import Geometry
from exporters.theme.decor import decor_of
from exporters.theme.file import MAX_IMAGE_BYTES, FolderFiles, png_size
from exporters.theme.guess import Guess, guess
from exporters.theme.image import Pixels, decoded
from exporters.theme.parts import floor_names
from exporters.theme.tileset import AtlasCoords, TilesetFile, load_tileset, tileset_readers, weighed
from generator.errors import ThemeError, shown
from generator.files import real_path
from generator.interiors.chapters import chapter_names
from generator.kinds import SHIPPED, DecorKind, Kinds, shipped_kit

_MAX_FOLDERS = 8  # parent folders searched for one that contains both a tileset and its image
_PITS = ("pit", "hole", "chasm", "abyss", "lava", "water")
_HEAD = """\
# A theme: what each tile of the image shows (docs/themes.md).
# A tile is [column, row], as written above it in {numbers}. Several tiles in a list are variants.
# Only floor.default and wall are required. For anything that you remove, a similar tile is drawn.
# `undercroft theme check {toml}` says what is missing and what is drawn instead, and draws a level.
"""


class First(NamedTuple):
    """The files of a first theme, the folder for them, and how the tiles' places were found."""

    folder: Path
    bundle: Bundle
    geometry: Geometry
    source: str


class _GivenSheet(NamedTuple):
    files: FolderFiles
    name: str  # the given file, relative to the theme's folder
    image: bytes
    tileset: TilesetFile | None


def first_theme(
    path: Path,
    name: str,
    folder: Path | None = None,
    guessed: Guess | None = None,
    source: int | None = None,
    kinds: Kinds = SHIPPED,
) -> First:
    """Write a first theme called `name` for an image or a tileset. Raises ThemeError.

    It goes into `folder`, or beside the image. `guessed` has the places of the tiles; otherwise they are
    guessed, or read from the tileset. The theme has a placeholder for each of `kinds`.
    """
    sheet = _sheet(path, folder, source)
    where = f"{path}: image" if sheet.tileset else str(path)
    width, height = png_size(sheet.image, where)
    pixels = decoded(sheet.image, where)
    if sheet.tileset:
        grid = Guess(sheet.tileset.tile_size, sheet.tileset.margin, sheet.tileset.spacing, "the tileset")
    else:
        grid = guessed or guess(pixels, path.stem)
    size, margin, spacing = grid[:3]
    columns, rows = (max(0, side - margin + spacing) // (size + spacing) for side in (width, height))
    if not columns * rows:
        raise ThemeError(
            f"{where}: {width} x {height} px have no space for a tile of {size} px; give its --tile-size"
        )
    geometry = Geometry(size, margin, spacing, columns, rows)
    pages = dict(numbered(pixels, geometry, f"{name}-numbers", where))
    head = _HEAD.format(numbers=next(iter(pages)), toml=f"{name}.toml")
    kit = [f"kit = {_toml(kinds.name)}  # it draws only the kinds of this kit"] if kinds.name else []
    lines = [
        head,
        f"name = {_toml(name)}",
        *kit,
        *_source(sheet, geometry, source),
        *_parts(sheet.tileset, kinds),
    ]
    bundle = Bundle({f"{name}.toml": ("\n".join(lines) + "\n").encode("utf-8"), **pages})
    return First(sheet.files.folder, bundle, geometry, grid.source)


def _sheet(path: Path, folder: Path | None, source: int | None) -> _GivenSheet:
    """Read the image, and the tileset if one was given, in the nearest folder that contains both."""
    path = path.resolve()
    tileset = path.suffix.lower() in tileset_readers()
    upwards = path.parents[: _MAX_FOLDERS if tileset else 1]
    problem: ThemeError | None = None
    for root in [real_path(folder)] if folder else upwards:
        files = FolderFiles(root / "theme.toml", str(path))
        if not path.is_relative_to(root):
            raise ThemeError(
                f"{path}: is outside {root}; a theme must be in a folder that contains its image"
            )
        name = path.relative_to(root).as_posix()
        if not tileset:
            return _GivenSheet(files, name, files.read(name, MAX_IMAGE_BYTES), None)
        loaded = load_tileset(name, files, str(path), source)
        for image in loaded.images:
            try:
                return _GivenSheet(files, name, files.read(image, MAX_IMAGE_BYTES), loaded)
            except ThemeError as error:
                problem = problem or error  # keep the problem of the nearest folder
    raise problem or ThemeError(f"{path}: has no image")


def _source(sheet: _GivenSheet, geometry: Geometry, source: int | None) -> Iterator[str]:
    """Yield the lines that say where tiles come from."""
    if not sheet.tileset:
        yield f"image = {_toml(sheet.name)}"
        yield f"tile_size = {geometry.tile_size}  # px"
        yield f"margin = {geometry.margin}  # px before the first tile"
        yield f"spacing = {geometry.spacing}  # px between tiles"
        return
    yield f"tileset = {_toml(sheet.name)}"
    if source is not None:
        yield f"source = {source}"
    names = [_toml(name) for name in sheet.tileset.terrains if _sayable(name)]
    yield f"# The tileset's terrains, for floors, walls or pits: {', '.join(names) or 'none'}"


def _parts(tileset: TilesetFile | None, kinds: Kinds) -> Iterator[str]:
    yield "# A chapter can have its own sheet, with all tiles in the same places:"
    yield from (f"# [look.{chapter_names(shipped_kit())[1]}]", '# image = "..."')
    floors = floor_names(kinds)
    terrains = _terrains(tileset, floors) if tileset else {}
    yield from ("", *_filled("floor.default", terrains, ["tiles = []  # and weights = [], shaded = []"]))
    named_floors = [name for name in floors if name != "default"]
    for name in named_floors:
        if f"floor.{name}" in terrains:
            yield from ("", *_filled(f"floor.{name}", terrains, []))
    rest = [name for name in named_floors if f"floor.{name}" not in terrains]
    yield from (
        "",
        *_wrapped("Floors that look like the default floor until they have their own table:", rest),
    )
    sets = ["# set = rim, thin, blob47, edge16, corner16, dual16, faced (face and top) or single (one look)"]
    for name in ("wall", "pit"):
        yield from ("", *_filled(name, terrains, [*sets, 'set = "single"', "tiles = []"]))
    yield from ("", "[door.open.all]  # or open.north, open.east, open.south, open.west")
    yield from ("open = []  # one tile, or alone, first, middle, last of a wide door", "shut = []")
    yield "# Doors that look like this one until they have a table: locked, secret, boss, curse ..."
    decor = decor_of(kinds)
    placed = _things(tileset, decor) if tileset else {}
    for name, kind in decor.items():
        size = f"  # {kind.width} x {kind.height} tiles: name the top left one"
        yield from ("", f"[decor.{name}]{size if kind.width * kind.height > 1 else ''}")
        if name in placed:
            yield f"tiles = [{', '.join(f'[{x}, {y}]' for x, y in placed[name])}]"
            weights = list(weighed(placed[name], tileset).values()) if tileset else []
            if len(set(weights)) > 1 and len(weights) == len(placed[name]):
                yield f"weights = {weights}"
        else:
            yield _thing(name, kind.walk, placed)


def _filled(name: str, terrains: dict[str, str], otherwise: Sequence[str]) -> list[str]:
    known = [f"terrain = {_toml(terrains[name])}"] if name in terrains else list(otherwise)
    return [f"[{name}]", *known]


def _thing(name: str, flat: bool, drawn: dict[str, list[AtlasCoords]]) -> str:
    """Write the first line for a thing without tiles."""
    if name in ("rock", "fire", "spikes"):  # things that block, burn or hurt must be visible
        return "tiles = []"
    if flat:
        return "hidden = true  # or tiles = []"
    model = "fire" if name == "red_fire" else "rock"
    return f'like = "{model}"  # or tiles = []' if model in drawn or not drawn else "tiles = []"


def _wrapped(title: str, names: Sequence[str]) -> Iterator[str]:
    yield f"# {title}"
    for start in range(0, len(names), 8):
        yield f"# {', '.join(names[start : start + 8])}"


def _terrains(tileset: TilesetFile, floors: Sequence[str]) -> dict[str, str]:
    """Find the terrain for each part of a theme, as far as its name shows. The first of several wins."""
    by_part: dict[str, str] = {}
    for full in filter(_sayable, tileset.terrains):
        name = full.rpartition("/")[2].casefold().replace(" ", "_").replace("-", "_")
        parts = [f"floor.{name}"] if name in floors else []
        parts += ["wall"] if "wall" in name else []
        parts += ["pit"] if any(word in name for word in _PITS) else []
        parts += ["floor.default"] if name in ("floor", "floors", "ground") else []
        for part in parts[:1]:
            by_part.setdefault(part, full)
    return by_part


def _things(tileset: TilesetFile, decor: Mapping[str, DecorKind]) -> dict[str, list[AtlasCoords]]:
    """Find the top left tiles of each kind of decor that the tileset names, complete blocks only."""
    by_kind: dict[str, list[AtlasCoords]] = {}
    for name, kind in decor.items():
        free = {tile for tile, named in tileset.classes.items() if named == name}
        for x, y in sorted(free, key=lambda tile: (tile[1], tile[0])):
            block = {(x + dx, y + dy) for dx in range(kind.width) for dy in range(kind.height)}
            if block <= free:
                free -= block
                by_kind.setdefault(name, []).append((x, y))
    return {name: places[:256] for name, places in by_kind.items()}


def _sayable(name: str) -> bool:
    """Check whether the name can be written in a TOML file and is readable."""
    return name.isprintable() and len(name) <= 100


def _toml(text: str) -> str:
    """Format a text as TOML, which accepts JSON's escapes."""
    if not text.isprintable():
        raise ThemeError(f"{shown(text)}: cannot be used in a theme; rename it")
    return json.dumps(text, ensure_ascii=False)


# A picture of a sheet with the place of every tile above it, to help with filling in a theme.
#
# Tiles are enlarged by a whole number until their labels fit above them; nothing is drawn over them. Large
# sheets are split into pages.

_PAGE = 32  # tiles per side
_MAX_PAGES = 64
_MIN_PX = 48  # a tile's side
_GAP = 2  # px between tiles
_DOT = 2  # px per dot of a glyph
_GLYPH_PX, _LABEL_PX = 4 * _DOT, 7 * _DOT  # a glyph's width and a label's height, with space around them

_BACK = (24, 22, 32, 255)
_CHECKS = ((62, 60, 72, 255), (80, 78, 92, 255))  # behind transparent tiles
_INK, _FAINT_INK = (255, 236, 150, 255), (110, 106, 120, 255)  # the latter above empty tiles

# Three by five dots, row by row.
_GLYPHS = {
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# .#. .#.",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    ",": "... ... ... .#. #..",
}


def numbered(pixels: Pixels, geometry: Geometry, stem: str, where: str) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of a sheet [y, x, 4] as names and PNG files. Raises ThemeError for too many tiles."""
    columns, rows = geometry.columns, geometry.rows
    starts = [(x, y) for y in range(0, rows, _PAGE) for x in range(0, columns, _PAGE)]
    if len(starts) > _MAX_PAGES:
        most = _MAX_PAGES * _PAGE * _PAGE
        raise ThemeError(
            f"{where}: has {columns} x {rows} tiles of {geometry.tile_size} px; give at most {most}"
        )
    longest = len(f"{columns - 1},{rows - 1}")
    zoom = -(-max(_MIN_PX, longest * _GLYPH_PX + _GAP) // geometry.tile_size)
    for left, top in starts:
        page = _page(pixels, geometry, left, top, zoom)
        name = f"{stem}.png" if len(starts) == 1 else f"{stem}-{left}-{top}.png"
        yield name, png_bytes(page.shape[1], page.shape[0], iter([page]))


def _page(pixels: Pixels, geometry: Geometry, left: int, top: int, zoom: int) -> Pixels:
    """Draw the page that starts at column `left` and row `top`."""
    side = geometry.tile_size * zoom
    columns, rows = min(_PAGE, geometry.columns - left), min(_PAGE, geometry.rows - top)
    pitch_x, pitch_y = side + _GAP, side + _LABEL_PX + _GAP
    page = np.empty((rows * pitch_y + _GAP, columns * pitch_x + _GAP, 4), np.uint8)
    page[...] = _BACK
    tiles = np.zeros_like(page)
    squares = np.arange(side) // 8
    checks = np.array(_CHECKS, np.uint8)[np.add.outer(squares, squares) % 2]
    for row in range(rows):
        for column in range(columns):
            x, y = _GAP + column * pitch_x, _GAP + row * pitch_y
            coords = left + column, top + row
            tile = _tile(pixels, geometry, *coords)
            ink = _INK if tile[..., 3].any() else _FAINT_INK
            _write(page, f"{coords[0]},{coords[1]}", x, y + _DOT, ink)
            inside = np.s_[y + _LABEL_PX : y + _LABEL_PX + side, x : x + side]
            page[inside] = checks
            tiles[inside] = tile.repeat(zoom, axis=0).repeat(zoom, axis=1)
    return over(page, tiles)


def _tile(pixels: Pixels, geometry: Geometry, column: int, row: int) -> Pixels:
    x, y = geometry.at_px(row * geometry.columns + column)
    return pixels[y : y + geometry.tile_size, x : x + geometry.tile_size]


def _write(page: Pixels, text: str, x: int, y: int, ink: tuple[int, int, int, int]) -> None:
    for letter in text:
        dots = _dots(letter)
        page[y : y + dots.shape[0], x : x + dots.shape[1]][dots] = ink
        x += _GLYPH_PX


@cache
def _dots(letter: str) -> npt.NDArray[np.bool_]:
    """Draw a glyph in its final size."""
    dots = np.array([[dot == "#" for dot in line] for line in _GLYPHS[letter].split()])
    return dots.repeat(_DOT, axis=0).repeat(_DOT, axis=1)
