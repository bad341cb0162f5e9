"""Reading a theme: its files, its sheet, and all that it says of that, for use or for a list of its faults.

See `docs/themes.md`. What the tables mean stands in `parts` and `sets`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from exporters.blob import MASKS
from exporters.theme import Animation, AtlasIndex, Theme, TileUse
from exporters.theme.compose import Geometry
from exporters.theme.file import (
    MOST_IMAGE_BYTES,
    MOST_TOML_BYTES,
    Faults,
    Files,
    FolderFiles,
    PackageFiles,
    Table,
    parse_toml,
    png_size,
)
from exporters.theme.parts import DECOR, SIDES, missing, read_decor, read_doors, read_floors, read_icons
from exporters.theme.sets import ByMask, read_set
from exporters.theme.sheet import Sheet
from exporters.theme.tileset import Tileset, load_tileset
from generator.errors import ThemeError, shown

BUILT_IN = "undercroft"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)  # no files on Windows


def load_theme(path: str | os.PathLike[str] | None = None) -> Theme:
    """The theme of a TOML file, or the built-in one (read once). Raises ThemeError."""
    if path is None:
        return _built_in()
    return _from_folder(path, Faults(keep=False))


def check_theme(path: str | os.PathLike[str]) -> tuple[Theme | None, list[str]]:
    """Everything that is wrong with a theme, a line each, and what can be drawn of it all the same.

    What is missing has the sign of that in the theme's image. There is none if its sheet cannot be read.
    """
    from exporters.theme.image import atlas_pixels  # Pillow is slow to import

    faults = Faults(keep=True)
    theme = None
    with faults.aside():
        theme = _from_folder(path, faults)
        atlas_pixels(theme)
    return theme, faults.found


def _from_folder(path: str | os.PathLike[str], faults: Faults) -> Theme:
    theme = _read_theme(os.fspath(path), FolderFiles(Path(path)), Path(path), faults)
    with faults.aside():
        _refuse_built_in_name(theme)
    return theme


@cache
def _built_in() -> Theme:
    return _read_theme(f"{BUILT_IN}.toml", PackageFiles(f"{BUILT_IN}.toml"), None, Faults(keep=False))


def _refuse_built_in_name(theme: Theme) -> None:
    """A copy of the built-in theme may bear its name as long as it is the same."""
    elsewhere = {"path": None, "sources": (), "stand_ins": ()}
    if theme.name.casefold() == BUILT_IN and vars(theme) | elsewhere != vars(_built_in()) | elsewhere:
        what = "is the built-in theme's, whose files this one's would replace; give another"
        raise ThemeError(f"{theme.path}: name: {shown(theme.name)} {what}")


def _read_theme(where: str, files: Files, path: Path | None, faults: Faults) -> Theme:
    """The theme of some files; `where` names its TOML in messages. Raises ThemeError."""
    top = parse_toml(files.read(None, MOST_TOML_BYTES), where)
    name = top.text("name")
    with faults.aside():
        _refuse_name(name, top.where("name"))
    tileset = _tileset(top, files)
    image, geometry = _sheet(top, files, tileset)
    _tell_incomplete(top, faults)
    sheet = Sheet(geometry, top.where("image"), tileset)
    with faults.aside():
        sheet.read_extra(top.tables("variant"))
    floors = read_floors(top.table("floor"), sheet, faults)
    walls, pits = (_set(top, key, sheet, faults) for key in ("wall", "pit"))
    doors = read_doors(top.table("door"), sheet, walls, faults)
    decor = read_decor(top.table("decor"), sheet, faults)
    icons = read_icons(top.table("marker"), sheet, faults)
    with faults.aside():
        top.done()
    with faults.aside():
        sheet.refuse_idle_extra()
    theme = Theme(
        name=name,
        image=sheet.added.image(image),
        tile_size=geometry.tile_size,
        margin=geometry.margin,
        spacing=geometry.spacing,
        columns=geometry.columns,
        rows=sheet.added.rows,
        floors=floors,
        walls=walls,
        pits=pits,
        doors=doors,
        decor=decor,
        icons=icons,
        animations=sheet.animations,
        path=path,
        own_rows=geometry.rows,
        stand_ins=tuple(sheet.stand_ins),
        sources=files.read_from,
    )
    if tileset:
        theme = replace(theme, animations={**_animations(theme, tileset), **theme.animations})
    with faults.aside():
        _refuse_shared_frames(theme, top)
    return replace(theme, stand_ins=(*theme.stand_ins, *_torn(theme, top)))


def _refuse_name(name: str, where: str) -> None:
    if not _NAME.fullmatch(name):
        remedy = "begin with a letter or digit, then up to 63 of A-Za-z0-9._-"
        raise ThemeError(f"{where}: {shown(name)} is no file name; {remedy}")
    if _DEVICE.fullmatch(name):
        raise ThemeError(f"{where}: {shown(name)} is a device on Windows; give another name")


def _tileset(top: Table, files: Files) -> Tileset | None:
    """The tileset that the theme is based on, if it names one; it says where the tiles lie."""
    if not top.has("tileset"):
        return None
    name, where = top.text("tileset"), top.where("tileset")
    for key in ("tile_size", "margin", "spacing"):
        if top.has(key):
            raise ThemeError(f"{top.where(key)}: is what {shown(name)} says it is; leave it out")
    source = top.integer("source", 0, 65535) if name.lower().endswith(".tres") and top.has("source") else None
    return load_tileset(name, files, where, source)


def _sheet(top: Table, files: Files, tileset: Tileset | None) -> tuple[bytes, Geometry]:
    """The image's bytes, and where its tiles lie."""
    if tileset:
        size, margin, spacing = tileset.tile_size, tileset.margin, tileset.spacing
    else:
        size = top.integer("tile_size", 8, 64)
        margin = top.integer("margin", 0, size - 1, default=0)
        spacing = top.integer("spacing", 0, 64, default=0)
    if top.has("image") or not tileset:
        image = files.read(top.text("image"), MOST_IMAGE_BYTES)
    else:
        image = _first_there(tileset, top, files)
    width, height = png_size(image, top.where("image"))
    # As Godot and Tiled count: only a margin at the left and the top is needed.
    columns, rows = (max(0, side - margin + spacing) // (size + spacing) for side in (width, height))
    if not columns * rows:
        holds = f"{width} x {height} px hold {columns} x {rows} tiles of {size} px"
        raise ThemeError(f"{top.where('image')}: {holds}; give the whole image")
    return image, Geometry(size, margin, spacing, columns, rows)


def _first_there(tileset: Tileset, top: Table, files: Files) -> bytes:
    for image in tileset.images:
        try:
            return files.read(image, MOST_IMAGE_BYTES)
        except ThemeError as error:
            problem = error
    remedy = "put the theme into a folder that holds both, or say image = ..."
    raise ThemeError(f"{top.where('tileset')}: its image is not there: {problem}; {remedy}")


def _tell_incomplete(top: Table, faults: Faults) -> None:
    """One message that lists everything a theme must have and this one has not."""
    gone = [key for key in ("wall", "pit") if not top.has(key)]
    gone += ["floor.default"] if not top.table("floor").has("default") else []
    plain_door = top.table("door").table("open")
    gone += [f"door.open.{side}" for side in SIDES if not (plain_door.has(side) or plain_door.has("all"))]
    decor = top.table("decor")
    gone += [f"decor.{name}" for name in DECOR if not decor.has(name)]
    if gone:
        with faults.aside():
            raise ThemeError(f"{top.file}is incomplete; add {', '.join(gone)}")


def _set(top: Table, key: str, sheet: Sheet, faults: Faults) -> ByMask:
    """Walls or pits."""
    found: ByMask = {}
    if top.has(key):
        with faults.aside():
            found = read_set(top.table(key), sheet)
    return found or dict.fromkeys(MASKS, missing(sheet, key))


def _animations(theme: Theme, tileset: Tileset) -> dict[AtlasIndex, Animation]:
    """Those of the tileset that are of tiles in use, and not of frames that are tiles of their own too."""
    used = {use.tile for use in theme.uses()}
    found = {}
    for (column, row), animation in tileset.animations.items():
        tile = row * theme.columns + column
        frames = range(tile + 1, tile + animation.frames)
        if tile in used and used.isdisjoint(frames) and column + animation.frames <= theme.columns:
            found[tile] = animation
    return found


def _torn(theme: Theme, top: Table) -> Iterator[str]:
    """Tiles that stand for things which stop different bodies: what a tile stops is said once for all."""
    kinds: dict[AtlasIndex, dict[tuple[bool, ...], str]] = {}
    for use in theme.uses():
        if use.role not in ("overlay", "icon"):
            kinds.setdefault(use.tile, {}).setdefault(
                _lets(use), f"{use.role} {use.name or use.state}".strip()
            )
    for tile, names in kinds.items():
        if len(names) > 1:
            said = "stop different bodies; formats that say it of tiles can do so for one of them"
            yield f"{top.file}{list(theme.at(tile))}: stands for {' and '.join(names.values())}, which {said}"


def _lets(use: TileUse) -> tuple[bool, ...]:
    """Who passes (walking, flying, shots), and whether it hurts."""
    if use.role == "decor":
        return DECOR[use.name][1:5]
    if use.role == "wall" or use.state == "shut":
        return (False,) * 4
    return (use.role != "pit", True, True, False)


def _refuse_shared_frames(theme: Theme, top: Table) -> None:
    """A frame of an animation can be no tile of its own: Godot has no such atlas."""
    if not theme.animations:
        return
    used = {use.tile for use in theme.uses()}
    for index, animation in theme.animations.items():
        for frame in range(index + 1, index + animation.frames):
            if frame in used:
                place = list(theme.at(frame))
                raise ThemeError(f"{top.file}{place} is a frame of an animation and a tile too")
