"""A first theme for a sheet, to be filled in: everything known about it, and placeholders for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from exporters.bundle import Bundle
from exporters.formats.png.syntax import png_bytes
from exporters.lettering import write
from exporters.theme.compose import Geometry
from exporters.theme.decor import decor_of
from exporters.theme.file import MAX_IMAGE_BYTES, FolderFiles, png_size
from exporters.theme.image import Pixels, decoded, over
from exporters.theme.parts import floor_names
from exporters.theme.tileset import AtlasCoords, TilesetFile, load_tileset, tileset_readers, weighed
from generator.errors import ThemeError, shown
from generator.files import real_path
from generator.interiors.chapters import chapter_names
from generator.interiors.interior import BURNS
from generator.kinds import SHIPPED, DecorKind, Kinds, shipped_kit
from generator.named_tuple import NamedTuple
from generator.pattern import pattern

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
    placed = _decor_tiles(tileset, decor) if tileset else {}
    for name, kind in decor.items():
        size = f"  # {kind.width} x {kind.height} tiles: name the top left one"
        yield from ("", f"[decor.{name}]{size if kind.width * kind.height > 1 else ''}")
        if name in placed:
            yield f"tiles = [{', '.join(f'[{x}, {y}]' for x, y in placed[name])}]"
            weights = list(weighed(placed[name], tileset).values()) if tileset else []
            if len(set(weights)) > 1 and len(weights) == len(placed[name]):
                yield f"weights = {weights}"
        else:
            yield _undrawn(name, kind.walk, placed)


def _filled(name: str, terrains: dict[str, str], otherwise: Sequence[str]) -> list[str]:
    known = [f"terrain = {_toml(terrains[name])}"] if name in terrains else list(otherwise)
    return [f"[{name}]", *known]


def _undrawn(name: str, flat: bool, drawn: dict[str, list[AtlasCoords]]) -> str:
    """Write the first line for a thing without tiles."""
    if name in ("rock", "fire", "spikes"):  # things that block, burn or hurt must be visible
        return "tiles = []"
    if flat:
        return "hidden = true  # or tiles = []"
    model = "fire" if name in BURNS["fire"] else "rock"
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


def _decor_tiles(tileset: TilesetFile, decor: Mapping[str, DecorKind]) -> dict[str, list[AtlasCoords]]:
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


# --- a picture of a sheet with the place of every tile above it --------------------------------------
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
            write(page, f"{coords[0]},{coords[1]}", (x, y + _DOT), ink, _DOT)
            inside = np.s_[y + _LABEL_PX : y + _LABEL_PX + side, x : x + side]
            page[inside] = checks
            tiles[inside] = tile.repeat(zoom, axis=0).repeat(zoom, axis=1)
    return over(page, tiles)


def _tile(pixels: Pixels, geometry: Geometry, column: int, row: int) -> Pixels:
    x, y = geometry.at_px(row * geometry.columns + column)
    return pixels[y : y + geometry.tile_size, x : x + geometry.tile_size]


# --- guess the places of a sheet's tiles from its name and its pixels --------------------------------
#
# Lines between the tiles, in one colour or copied from the tiles' edges, are proof. In a sheet without such
# lines, seams help: where one tile ends and the next begins, fewer pixels are like their neighbour than
# within a tile. If the assumed size is too small, it has seams through the middle of tiles, where there are
# none. If it is too large, it misses every other seam, and those lines are as broken as the ones that it
# has.

_SIZES = (16, 32, 24, 48, 8, 64, 20, 40, 12, 10)  # px, most usual first
_FAMILIES = (((64, 32, 16, 8), 1.0), ((48, 24, 12), 0.8), ((40, 20, 10), 0.5))  # and how usual they are
_MARGINS = (1, 2, 3, 4, 8)  # px, for sheets without spacing
_AS_BROKEN = 0.46  # from this share of the seams' strength on, lines halfway between them count as seams too
_PATTERN = 0.8  # the same for lines at the quarters, if those in the middle are weaker
_MIN_STRENGTH = 0.03  # of seams
_MIN_LIKENESS = 0.05  # of a grid and the seams, over both directions
_IN_NAME = pattern(r"(?<!\d)(\d{1,2})(?:\s*[xX]\s*\1(?!\d)|\s*px)")
_MAX_PX = 2048  # examined per side
_MIN_GAPS = 2


class Guess(NamedTuple):
    """Tile size, margin and spacing in px, and what the guess is based on."""

    tile_size: int
    margin: int
    spacing: int
    source: str


def guess(pixels: Pixels, stem: str) -> Guess:
    """Estimate the tiles' positions in a sheet [y, x, 4]. `stem` is its file name without the suffix."""
    part = pixels[:_MAX_PX, :_MAX_PX].astype(np.int16)
    part[part[..., 3] == 0] = 0
    named = _IN_NAME.search(stem)
    sizes = (int(named[1]),) if named and 8 <= int(named[1]) <= 64 else _SIZES
    lined = _spaced(part, sizes) or _extruded(part, sizes)
    if lined:
        return lined
    if named and sizes != _SIZES:
        return Guess(sizes[0], 0, 0, "the file's name")
    return _by_seams(part, pixels.shape[1], pixels.shape[0])


def _spaced(part: npt.NDArray[np.int16], sizes: tuple[int, ...]) -> Guess | None:
    """Find a grid with lines of one colour between its tiles, if it fits."""
    plain_columns, plain_rows = (_plain(part.swapaxes(0, 1)), _plain(part))
    for size in sizes:
        for spacing in (1, 2, 3, 4):
            for margin in range(2 * spacing + 1):
                if all(_lines(plain, size, margin, spacing) for plain in (plain_columns, plain_rows)):
                    return Guess(size, margin, spacing, "the lines between the tiles")
    return None


def _plain(lines: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    """Find which of the lines [line, px, 4] have a single colour."""
    is_plain: npt.NDArray[np.bool_] = (lines == lines[:, :1]).all(axis=(1, 2))
    return is_plain


def _lines(plain: npt.NDArray[np.bool_], size: int, margin: int, spacing: int) -> bool:
    """Check whether all lines in the margin and between tiles are plain, and some others are not."""
    offset = (np.arange(len(plain)) - margin) % (size + spacing)
    between = offset >= size
    between[:margin] = True
    gaps = (len(plain) - margin) // (size + spacing)
    return gaps >= _MIN_GAPS and bool(plain[between].all()) and not plain[~between].all()


def _extruded(part: npt.NDArray[np.int16], sizes: tuple[int, ...]) -> Guess | None:
    """Find a grid whose tiles have frames copied from their own edges, if it fits."""
    sides = (part.swapaxes(0, 1), part)
    alike = [np.append((lines[1:] == lines[:-1]).all(axis=(1, 2)), False) for lines in sides]
    for size in sizes:
        for frame in (1, 2):
            if all(_framed(pairs, size, frame) for pairs in alike):
                return Guess(size, frame, 2 * frame, "the frames round the tiles")
    return None


def _framed(alike: npt.NDArray[np.bool_], size: int, frame: int) -> bool:
    """Check if each tile's first and last lines match the next ones outwards, and other lines do not.

    `alike` [line] says whether a line is like the next one.
    """
    pitch = size + 2 * frame
    if len(alike) % pitch or len(alike) // pitch < _MIN_GAPS:
        return False
    offset = np.arange(len(alike)) % pitch
    edges = (offset < frame) | ((offset >= pitch - frame - 1) & (offset < pitch - 1))
    return bool(alike[edges].all()) and float(alike[~edges].mean()) < 0.25


class _Broken(NamedTuple):
    """For the lines between columns 0 and 1, 1 and 2 ...: how many pixels they have, and how many are broken.

    A pixel counts if either neighbour is visible. It is broken unless both are visible and have the same
    colour.
    """

    seen: npt.NDArray[np.int64]
    broken: npt.NDArray[np.int64]

    def share(self, lines: npt.NDArray[np.bool_]) -> float:
        """Compute the share of broken pixels in some of the lines, 0 if nothing is visible there."""
        return float(self.broken[lines].sum() / max(1, self.seen[lines].sum()))


def _by_seams(part: npt.NDArray[np.int16], width: int, height: int) -> Guess:
    """Find the grid that fits the image and matches its seams best, with a margin only if necessary."""
    both = (_broken(part), _broken(part.swapaxes(0, 1)))
    grids = _grids(both, width, height, 0)
    if not grids:
        grids = [grid for margin in _MARGINS for grid in _grids(both, width, height, margin)]
    best, size, margin = max(grids, default=(0.0, 0, 0))
    if best >= _MIN_LIKENESS:
        return Guess(size, margin, 0, "the seams in the picture")
    fits = [size for size in _SIZES if width % size == 0 and height % size == 0]
    if not fits:
        return Guess(16, 0, 0, "nothing: no usual size fits the image")
    return Guess(fits[0], 0, 0, "nothing: the picture has no seams")


def _grids(both: tuple[_Broken, ...], width: int, height: int, margin: int) -> list[tuple[float, int, int]]:
    """Find, for each family, the size that fits the seams best: how well it fits, the size, the margin."""
    grids = []
    for family, usual in _FAMILIES:
        fits = [
            size
            for size in family
            if size > margin and all((side - margin) % size in (0, margin) for side in (width, height))
        ]
        if fits:
            size = next((size for size in fits[:-1] if _is_whole(both, size, margin)), fits[-1])
            grids.append((usual * sum(_likeness(axis, size, margin) for axis in both), size, margin))
    return grids


def _broken(part: npt.NDArray[np.int16]) -> _Broken:
    opaque = part[..., 3] > 0
    left, right = opaque[:, :-1], opaque[:, 1:]
    seen = (left | right).sum(axis=0)
    alike = left & right & (part[:, 1:] == part[:, :-1]).all(axis=2)
    return _Broken(seen, seen - alike.sum(axis=0))


def _is_whole(both: tuple[_Broken, ...], size: int, margin: int) -> bool:
    """Check whether the sheet has seams at this size, and none through the middle of its tiles.

    If lines at the quarters are more broken than those in the middle, they are a pattern within the tiles,
    such as courses of bricks, unless all of them are as broken as the seams.
    """
    half, quarter = size // 2, size // 4
    seams = middles = quarters = 0.0
    for axis in both:
        position = np.arange(1, len(axis.seen) + 1) - margin
        within = axis.share(position % quarter != 0)
        seams += axis.share(position % size == 0) - within
        middles += axis.share(position % size == half) - within
        quarters += axis.share(position % half == quarter) - within
    if seams <= _MIN_STRENGTH:
        return False
    if quarters >= middles:
        return quarters < _PATTERN * seams
    return middles < _AS_BROKEN * seams


def _likeness(axis: _Broken, size: int, margin: int) -> float:
    """Correlate a grid's lines with how broken lines are, each weighted by its visible pixels."""
    on = ((np.arange(1, len(axis.seen) + 1) - margin) % size == 0).astype(np.float64)
    weights = np.sqrt(axis.seen)
    if not weights.any():
        return 0.0
    share = axis.broken / np.maximum(axis.seen, 1)
    on, share = (values - np.average(values, weights=weights) for values in (on, share))
    spread = np.average(on**2, weights=weights) * np.average(share**2, weights=weights)
    return float(np.average(on * share, weights=weights) / np.sqrt(spread)) if spread > 0 else 0.0
