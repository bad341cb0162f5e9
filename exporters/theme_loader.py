"""What the tables of a theme mean: floors, walls and pits, doors, decor and icons, checked tile by tile.

See `docs/themes.md`. Whatever a theme leaves out that has a stand-in is filled in here, so that nobody
who looks into a `Theme` needs to know of stand-ins.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from exporters.blob import MASKS
from exporters.theme import Animation, AtlasIndex, DecorLook, DoorLook, Floor, Theme, Variants
from exporters.theme_file import (
    MOST_IMAGE_BYTES,
    MOST_TOML_BYTES,
    Read,
    Table,
    folder_reader,
    package_reader,
    parse_toml,
    png_size,
)
from exporters.theme_sheet import Sheet
from generator.errors import ThemeError, shown
from generator.geometry import Side
from generator.kinds import DECOR_KINDS, DOOR_KINDS, MARKER_KINDS, ROOM_KINDS

_BUILT_IN = "undercroft"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)  # no files on Windows

_SIDES = tuple(side.label for side in Side)
_FLOORS = ("default", *ROOM_KINDS, "hallway", "rubble", "door", "bridge")
_DOORS = tuple(kind.name for kind in DOOR_KINDS)
_DECOR = tuple(kind.name for kind in DECOR_KINDS[1:])


def load_theme(path: str | os.PathLike[str] | None = None) -> Theme:
    """The theme of a TOML file, or the built-in one (read once). Raises ThemeError."""
    if path is None:
        return _built_in()
    theme = _read_theme(os.fspath(path), folder_reader(Path(path)), Path(path))
    _refuse_built_in_name(theme)
    return theme


@cache
def _built_in() -> Theme:
    return _read_theme(f"{_BUILT_IN}.toml", package_reader(f"{_BUILT_IN}.toml"), None)


def _refuse_built_in_name(theme: Theme) -> None:
    """A copy of the built-in theme may bear its name as long as it is the same."""
    if theme.name.casefold() == _BUILT_IN and vars(theme) | {"path": None} != vars(_built_in()):
        what = "is the built-in theme's, whose files this one's would replace; give another"
        raise ThemeError(f"{theme.path}: name: {shown(theme.name)} {what}")


def _read_theme(where: str, read: Read, path: Path | None) -> Theme:
    """The theme whose files `read` gives; `where` names its TOML in messages. Raises ThemeError."""
    top = parse_toml(read(None, MOST_TOML_BYTES), where)
    name = top.text("name")
    if not _NAME.fullmatch(name):
        remedy = "begin with a letter or digit, then up to 63 of A-Za-z0-9._-"
        raise ThemeError(f"{top.where('name')}: {shown(name)} is no file name; {remedy}")
    if _DEVICE.fullmatch(name):
        raise ThemeError(f"{top.where('name')}: {shown(name)} is a device on Windows; give another name")
    tile_size = top.integer("tile_size", 8, 64)
    margin = top.integer("margin", 0, tile_size - 1, default=0)
    spacing = top.integer("spacing", 0, 64, default=0)
    image = read(top.text("image"), MOST_IMAGE_BYTES)
    width, height = png_size(image, top.where("image"))
    # As Godot and Tiled count: only a margin at the left and the top is needed.
    columns, rows = ((side - margin + spacing) // (tile_size + spacing) for side in (width, height))
    _refuse_incomplete(top)
    if columns * rows < len(MASKS):
        holds = f"{width} x {height} px hold {columns} x {rows} tiles of {tile_size} px"
        raise ThemeError(f"{top.where('image')}: {holds}, fewer than a theme has; give the whole image")
    sheet = Sheet(columns, rows)
    sheet.read_extra(top.tables("variant"))
    animations: dict[AtlasIndex, Animation] = {}
    theme = Theme(
        name=name,
        image=image,
        tile_size=tile_size,
        margin=margin,
        spacing=spacing,
        columns=columns,
        rows=rows,
        floors=_floors(top.table("floor"), sheet),
        walls=_set(top.table("wall"), sheet),
        pits=_set(top.table("pit"), sheet),
        doors=_doors(top.table("door"), sheet),
        decor=_decor(top.table("decor"), sheet, animations),
        icons=_icons(top.table("marker"), sheet),
        animations=animations,
        path=path,
    )
    top.done()
    sheet.refuse_idle_extra()
    _refuse_shared_frames(theme, top)
    return theme


def _refuse_incomplete(top: Table) -> None:
    """One message that lists everything a theme must have and this one has not."""
    missing = [key for key in ("wall", "pit") if not top.has(key)]
    missing += ["floor.default"] if not top.table("floor").has("default") else []
    plain_door = top.table("door").table("open")
    missing += [f"door.open.{side}" for side in _SIDES if not plain_door.has(side)]
    decor = top.table("decor")
    missing += [f"decor.{name}" for name in _DECOR if not decor.has(name)]
    if missing:
        raise ThemeError(f"{top.file}is incomplete; add {', '.join(missing)}")


def _floors(table: Table, sheet: Sheet) -> dict[str, Floor]:
    table.only(_FLOORS)
    default = _floor(table.table("default"), sheet)
    others = {name: _floor(table.table(name), sheet) for name in table if name != "default"}
    return {name: others.get(name, default) for name in _FLOORS}


def _floor(table: Table, sheet: Sheet) -> Floor:
    plain = sheet.variants(table, "tiles", sheet.weights(table, "weights", len(table.sequence("tiles"))))
    shaded = sheet.variants(table, "shaded") if table.has("shaded") else plain
    table.done()
    return Floor(plain, shaded)


def _blob47(table: Table, sheet: Sheet) -> dict[int, AtlasIndex]:
    """47 tiles row by row from `first`, `columns` a row, in the ascending order of their masks."""
    columns = table.integer("columns", 1, len(MASKS), default=len(MASKS))
    first = sheet.tile(table, "first", table.raw("first"), columns, -(-len(MASKS) // columns))
    return {mask: first + i // columns * sheet.columns + i % columns for i, mask in enumerate(MASKS)}


# How a neighbourhood chooses a tile: the tile of each reduced mask.
_SETS: dict[str, Callable[[Table, Sheet], dict[int, AtlasIndex]]] = {"blob47": _blob47}


def _set(table: Table, sheet: Sheet) -> dict[int, Variants]:
    name = table.text("set")
    if name not in _SETS:
        raise ThemeError(f"{table.where('set')}: {shown(name)} is none of {', '.join(_SETS)}")
    by_mask = _SETS[name](table, sheet)
    table.done()
    return {mask: sheet.joined(table.where("first"), (tile,), [1])[0] for mask, tile in by_mask.items()}


def _doors(table: Table, sheet: Sheet) -> dict[tuple[str, str], DoorLook]:
    table.only(_DOORS)
    given = {}
    for kind in table:
        sides = table.table(kind)
        sides.only(_SIDES)
        for side in sides:
            given[kind, side] = _door(sides.table(side), sheet)
    return {(kind, side): given.get((kind, side), given["open", side]) for kind in _DOORS for side in _SIDES}


def _door(table: Table, sheet: Sheet) -> DoorLook:
    overlay = _four(table, "overlay", sheet) if table.has("overlay") else ()
    look = DoorLook(_four(table, "open", sheet), _four(table, "shut", sheet), overlay)
    table.done()
    return look


def _four(table: Table, key: str, sheet: Sheet) -> tuple[AtlasIndex, ...]:
    """Alone, first, middle, last; one tile serves for all of them."""
    tiles = sheet.tiles(table, key)
    if len(tiles) not in (1, 4):
        raise ThemeError(f"{table.where(key)}: has {len(tiles)} tiles; give 1 or 4")
    return tiles * (4 // len(tiles))


def _decor(table: Table, sheet: Sheet, animations: dict[AtlasIndex, Animation]) -> dict[str, DecorLook]:
    table.only(_DECOR)
    return {
        kind.name: _thing(table.table(kind.name), sheet, kind.width, kind.height, animations)
        for kind in DECOR_KINDS[1:]
    }


def _thing(
    table: Table, sheet: Sheet, width: int, height: int, animations: dict[AtlasIndex, Animation]
) -> DecorLook:
    """A thing of `width` x `height` tiles; its animation is added to `animations`."""
    tiles = sheet.tiles(table, "tiles", width, height)
    variants, origins = sheet.joined(table.where("tiles"), tiles, sheet.weights(table, "weights", len(tiles)))
    overlay = sheet.tiles(table, "overlay", width) if table.has("overlay") else ()
    if overlay and len(overlay) != len(tiles):
        raise ThemeError(f"{table.where('overlay')}: has {len(overlay)} tiles; give one for each of `tiles`")
    frames = table.integer("frames", 1, 64, default=1)
    animation = Animation(frames, table.integer("frame_ms", 10, 60_000, default=100))
    table.done()
    if frames > 1 and width > 1:
        raise ThemeError(f"{table.where('frames')}: only things one tile wide can be animated; leave it out")
    for tile in variants.tiles:  # those of a [[variant]] must have room for the thing and its frames too
        place: list[object] = [tile % sheet.columns, tile // sheet.columns]
        sheet.tile(table, "tiles", place, max(width, frames), height)
        for dy in range(height if frames > 1 else 0):
            if animations.setdefault(tile + dy * sheet.columns, animation) != animation:
                raise ThemeError(f"{table.where('frames')}: {place} is animated twice, otherwise")
    return DecorLook(variants, tuple(overlay[i] for i in origins) if overlay else ())


def _icons(table: Table, sheet: Sheet) -> dict[str, AtlasIndex]:
    icons = {}
    for name in table:
        if not (_NAME.fullmatch(name) and any(name.startswith(f"{kind}_") for kind in MARKER_KINDS)):
            Table(table.file, table.path, {name: None}).only(MARKER_KINDS)
        marker = table.table(name)
        icons[name] = sheet.tile(marker, "icon", marker.raw("icon"))
        marker.done()
    return icons


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
