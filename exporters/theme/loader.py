"""Read a theme (its files, its sheet and its tables), to use it or to list its problems.

See `docs/themes.md`. `parts` and `sets` interpret the tables.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from exporters.base import BUILT_IN_THEME
from exporters.blob import MASKS
from exporters.objects import slug
from exporters.theme import Animation, AtlasIndex, Floor, Light, Look, Passing, Theme, Variants, passing
from exporters.theme.compose import Geometry
from exporters.theme.decor import read_decor
from exporters.theme.file import (
    COLOUR,
    MAX_IMAGE_BYTES,
    NAME,
    SOURCE,
    SPACING,
    TILE_SIZE,
    Faults,
    FolderFiles,
    PackageFiles,
    ThemeFiles,
    ThemeNode,
    png_size,
)
from exporters.theme.parts import SIDES, missing, read_doors, read_floors, read_icons, read_map_icons
from exporters.theme.sets import ByMask, read_set
from exporters.theme.sheet import TileSheet
from exporters.theme.tileset import TilesetFile, load_tileset
from generator.errors import ThemeError, hint, nearest, shown
from generator.files import is_device
from generator.interiors.chapters import chapter_names, main_chapter
from generator.kinds import SHIPPED, Kinds, shipped_kit


def load_theme(path: str | os.PathLike[str] | None = None, kinds: Kinds = SHIPPED) -> Theme:
    """Load a theme from TOML, or the built-in one, for the kinds of a kit. Raises ThemeError."""
    if path is None:
        return _built_in(kinds)
    return _from_folder(path, kinds, Faults(keep=False))


@lru_cache(maxsize=16)
def fitted(theme: Theme, kinds: Kinds) -> Theme:
    """Fit a theme to a level's kinds. It is read again, from the same bytes, if read for other kinds.

    A theme that was not read from files is returned unchanged. Raises ThemeError.
    """
    if theme.files is None or theme.kinds == kinds:
        return theme
    if isinstance(theme.files, PackageFiles):
        loaded = _built_in(kinds)
    else:
        loaded = _read_theme(theme.files, theme.path, kinds, Faults(keep=False))
    return worn(loaded, theme.look) if theme.look and not theme.below else loaded


def check_theme(
    path: str | os.PathLike[str], kinds: Kinds = SHIPPED, chapters: Collection[str] = ()
) -> tuple[Theme | None, list[str]]:
    """Read the theme as far as it can be drawn, and list all its problems, one line each.

    In the theme's image, missing tiles get a warning sign, and missing kinds of the kit's own a label. The
    theme is None if its sheet cannot be read. `chapters` are those of the kit, if they are known.
    """
    from exporters.theme.image import blank_tiles  # Pillow is slow to import

    faults = Faults(keep=True)
    theme = None
    with faults.aside():
        theme = _from_folder(path, kinds, faults)
        if kinds != SHIPPED:
            faults.found += [f"{path}: {line}" for line in theme.labelled]
        blank = [line for look in all_looks(theme) for line in blank_tiles(look)]
        theme = replace(theme, stand_ins=(*theme.stand_ins, *_idle_looks(theme, chapters, faults), *blank))
    return theme, faults.found


def _from_folder(path: str | os.PathLike[str], kinds: Kinds, faults: Faults) -> Theme:
    files = FolderFiles(Path(path), os.fspath(path))
    theme = _read_theme(files, Path(path), kinds, faults)
    with faults.aside():
        _refuse_built_in_name(theme)
    return theme


@lru_cache(maxsize=16)
def _built_in(kinds: Kinds) -> Theme:
    return _read_theme(PackageFiles(f"{BUILT_IN_THEME}.toml"), None, kinds, Faults(keep=False))


def _refuse_built_in_name(theme: Theme) -> None:
    """Refuse the built-in theme's name, except for an unchanged copy of it."""
    elsewhere = {"path": None, "sources": (), "stand_ins": (), "files": None}
    name = theme.given_name.casefold()
    if name == BUILT_IN_THEME and vars(theme) | elsewhere != vars(_built_in(theme.kinds)) | elsewhere:
        problem = "is the built-in theme's name, so its files would be replaced; give another"
        raise ThemeError(f"{theme.path}: name: {shown(theme.name)} {problem}")


def _read_theme(files: ThemeFiles, path: Path | None, kinds: Kinds, faults: Faults) -> Theme:
    """Read the theme of some files, for the kinds of a kit. Raises ThemeError."""
    top = files.top()
    name = top["name"].text()
    with faults.aside():
        refuse_name(name, top["name"].place)
    tileset = _tileset(top, files)
    image, geometry = _sheet(top, files, tileset)
    kit = top.at("kit", "").text()
    _tell_incomplete(top, faults)
    sheet = TileSheet(geometry, top.at("image", "").place, tileset)
    sheet.is_for_a_kit, sheet.is_for_another_kit = bool(kit), kit not in ("", kinds.name)
    sheet.is_built_in = name.casefold() == BUILT_IN_THEME
    with faults.aside():
        sheet.read_extra(top.at("variant", []).items(remedy="write [[variant]]"))
    floors = read_floors(top.at("floor", {}), sheet, kinds, faults)
    walls = _set(top, "wall", sheet, faults)
    pits = _set(top, "pit", sheet, faults) if top.has("pit") else _dark_pits(top, sheet, floors["default"])
    doors = read_doors(top.at("door", {}), sheet, floors["default"], walls, kinds, faults)
    decor = read_decor(top.at("decor", {}), sheet, walls, kinds, faults)
    icons = read_icons(top.at("marker", {}), sheet, kinds, faults)
    map_icons = read_map_icons(top.at("icon", {}), sheet, faults)
    light = Light()
    with faults.aside():
        light = read_light(top)
    size = png_size(image, top.at("image", "").place)
    looks = read_looks(top.at("look", {}), files, sheet, size, faults)
    with faults.aside():
        top.done()
    with faults.aside():
        sheet.refuse_idle_extra()
    suffix = f"-{slug(kinds)}" if sheet.labelled or sheet.unread else ""
    theme = Theme(
        name=name + suffix,
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
        light=light,
        looks=looks,
        kinds=kinds,
        files=files,
        map_icons=map_icons,
        labelled=tuple(sheet.labelled),
        suffix=suffix,
        named=sheet.named,
        is_solid=sheet.is_solid,
    )
    if tileset:
        theme = replace(theme, animations={**_animations(theme, tileset), **theme.animations})
    if isinstance(files, PackageFiles) and kinds is SHIPPED:
        return theme  # a test holds that nothing is found
    with faults.aside():
        _refuse_shared_frames(theme, top)
    return replace(theme, stand_ins=(*theme.stand_ins, *_torn(theme, top)))


def refuse_name(name: str, where: str) -> None:
    """Refuse a theme name that cannot be a file name. Raises ThemeError."""
    if not re.fullmatch(NAME, name):
        remedy = "begin with a letter or digit, then up to 63 of A-Za-z0-9._-"
        raise ThemeError(f"{where}: {shown(name)} is not a valid file name; {remedy}")
    if is_device(name):
        raise ThemeError(f"{where}: {shown(name)} is a device on Windows; give another name")


def _tileset(top: ThemeNode, files: ThemeFiles) -> TilesetFile | None:
    """Read the tileset, if any, that the theme is based on and that gives the positions of the tiles."""
    if not top.has("tileset"):
        return None
    node = top["tileset"]
    name = node.text()
    for key in ("tile_size", "margin", "spacing"):
        if top.has(key):
            top[key].fail(f"is given by {shown(name)}; leave it out")
    source = top["source"].number(*SOURCE) if name.lower().endswith(".tres") and top.has("source") else None
    return load_tileset(name, files, node.place, source)


def _sheet(top: ThemeNode, files: ThemeFiles, tileset: TilesetFile | None) -> tuple[bytes, Geometry]:
    """Read the image's bytes, and the positions of its tiles."""
    if tileset:
        size, margin, spacing = tileset.tile_size, tileset.margin, tileset.spacing
    else:
        size = top["tile_size"].number(*TILE_SIZE)
        margin = top.at("margin", 0).number(0, size - 1)
        spacing = top.at("spacing", 0).number(*SPACING)
    if top.has("image") or not tileset:
        image = files.read(top["image"].text(), MAX_IMAGE_BYTES)
    else:
        image = _first_there(tileset, top, files)
    width, height = png_size(image, top.at("image", "").place)
    # As in Godot and Tiled, only the left and top margins are required.
    columns, rows = (max(0, side - margin + spacing) // (size + spacing) for side in (width, height))
    if not columns * rows:
        holds = f"{width} x {height} px have space for {columns} x {rows} tiles of {size} px"
        top.at("image", "").fail(f"{holds}; give the whole image")
    return image, Geometry(size, margin, spacing, columns, rows)


def _first_there(tileset: TilesetFile, top: ThemeNode, files: ThemeFiles) -> bytes:
    for image in tileset.images:
        try:
            return files.read(image, MAX_IMAGE_BYTES)
        except ThemeError as error:
            problem = error
    remedy = "put the theme into a folder that contains both, or give image = ..."
    raise ThemeError(f"{top['tileset'].place}: its image is missing: {problem}; {remedy}")


def _tell_incomplete(top: ThemeNode, faults: Faults) -> None:
    """Report all missing parts that have no substitute, in one message."""
    gone = [] if top.at("floor", {}).has("default") else ["floor.default"]
    gone += [] if top.has("wall") else ["wall"]
    door = top.at("door", {}).at("open", {})
    if any(door.has(side) for side in SIDES) and not door.has("all"):
        gone += [f"door.open.{side}" for side in SIDES if not door.has(side)]
    if gone:
        with faults.aside():
            top.fail(f"is incomplete; add {', '.join(gone)}")


def _dark_pits(top: ThemeNode, sheet: TileSheet, floor: Floor) -> ByMask:
    """Make substitute pits: the floor, darker."""
    sheet.stand_ins.append(f"{top.place}: pit: is not given; a darker floor.default is used instead")
    tile = sheet.added.darkened(floor.plain.tiles[0], "pit")
    return dict.fromkeys(MASKS, Variants((tile,), (1,)))


def _set(top: ThemeNode, key: str, sheet: TileSheet, faults: Faults) -> ByMask:
    """Read walls or pits."""
    variants: ByMask = {}
    if top.has(key):
        with faults.aside():
            variants = read_set(top[key], sheet)
    return variants or dict.fromkeys(MASKS, missing(sheet, key))


def _animations(theme: Theme, tileset: TilesetFile) -> dict[AtlasIndex, Animation]:
    """Return the tileset's animations of tiles in use whose frames are not themselves tiles in use."""
    used = {use.tile for use in theme.uses()}
    animations = {}
    for (column, row), animation in tileset.animations.items():
        tile = row * theme.columns + column
        frames = range(tile + 1, tile + animation.frames)
        if tile in used and used.isdisjoint(frames) and column + animation.frames <= theme.columns:
            animations[tile] = animation
    return animations


def _torn(theme: Theme, top: ThemeNode) -> Iterator[str]:
    """Report tiles used for several things that stop different bodies, as a tile has only one collision.

    Added tiles are left out: the only ones with several uses are warning signs, of which problems tell.
    """
    kinds: dict[AtlasIndex, dict[Passing, str]] = {}
    for use in theme.uses():
        if use.role not in ("overlay", "icon") and use.tile < theme.columns * theme.own_rows:
            kinds.setdefault(use.tile, {}).setdefault(
                passing(use, theme.kinds), " ".join(filter(None, (use.role, use.name, use.state)))
            )
    for tile, names in kinds.items():
        if len(names) > 1:
            problem = "stop different bodies; in Godot and Tiled a tile always stops the same ones: use two"
            position = list(theme.at(tile))
            yield f"{top.place}: {position}: is used for {' and '.join(names.values())}, which {problem}"


def _refuse_shared_frames(theme: Theme, top: ThemeNode) -> None:
    """Refuse frames of animations that are also tiles: Godot does not support such an atlas."""
    if not theme.animations:
        return
    used = {use.tile for use in theme.uses()}
    for index, animation in theme.animations.items():
        for frame in range(index + 1, index + animation.frames):
            if frame in used:
                position = list(theme.at(frame))
                top.fail(f"{position} is both a frame of an animation and a tile; use another tile")


# --- looks: further sheets, each for the levels of a chapter, with all tiles in the same places ------
#
#     [look.caverns]              # a chapter; its variants share the look unless they have their own
#     image = "crypt-caverns.png"
#     torch_light = "#7fe0c8"
#     ambient_light = "#20404a"   # beyond the reach of torches
#
# Because the places are the same, the dressed level is the same too; only the sheet changes.

_MAX_BYTES = 2 * MAX_IMAGE_BYTES  # all looks together
_WORDS_OF_FILES = ("plain", "with")  # see `Theme.own_name`


def worn(theme: Theme, chapter: str) -> Theme:
    """Return the theme in a chapter's look, always the same object, or the theme itself without such a look.

    A theme that already has a look, or several, keeps it.
    """
    return theme if theme.look or theme.below else in_look(theme, look_name(theme, chapter))


def look_name(theme: Theme, chapter: str) -> str:
    """Return the name of a chapter's look, or of that of the chapter it varies; empty for the plain look."""
    names = (chapter, main_chapter(chapter, shipped_kit()))
    return next((name for name in names if name in theme.looks), "")


def in_look(theme: Theme, name: str) -> Theme:
    """Return the theme in the look with this name."""
    return _worn(theme, name) if name else theme


@lru_cache(maxsize=64)
def _worn(theme: Theme, name: str) -> Theme:
    look = theme.looks[name]
    light = Light(look.light.torch or theme.light.torch, look.light.ambient or theme.light.ambient)
    return replace(theme, name=f"{theme.name}-{name}", image=look.image, light=light, look=name)


def all_looks(theme: Theme) -> tuple[Theme, ...]:
    """Return the theme in its plain look and in all others."""
    return theme, *(_worn(theme, name) for name in theme.looks)


def read_light(table: ThemeNode) -> Light:
    """Read the colours `torch_light` and `ambient_light`, both optional."""
    given = [
        table.at(key, "") for key in ("torch_light", "ambient_light")
    ]  # a bad one leaves the other known
    return Light(*(colour.matching(f"({COLOUR})?", "a colour; give #rrggbb") for colour in given))


def read_looks(
    table: ThemeNode, files: ThemeFiles, sheet: TileSheet, size: tuple[int, int], faults: Faults
) -> Mapping[str, Look]:
    """Read the looks by chapter: the shipped chapters in their order, then those of kits.

    Each sheet must have the `size` in px of the theme's own. A theme that does not name its kit must not have
    a look whose name is like that of a shipped chapter.
    """
    looks: dict[str, Look] = {}
    shipped, own = chapter_names(shipped_kit()), list[str]()
    with faults.aside():
        own = table.others(shipped, [*table.table()] if sheet.is_for_a_kit else ())
    left = _MAX_BYTES
    for chapter in (*shipped, *own):
        if table.has(chapter):
            with faults.aside():
                if chapter in _WORDS_OF_FILES:
                    table.at(chapter, {}).fail("is a word in names of files; give the chapter another name")
                image, look = _look(table.at(chapter, {}), files, size, min(left, MAX_IMAGE_BYTES))
                left -= len(image)
                looks[chapter] = look._replace(image=sheet.added.image(image))
    return looks


def _idle_looks(theme: Theme, chapters: Collection[str], faults: Faults) -> Iterator[str]:
    """Yield a line for each look of a chapter that is not known. Slips of the kit's chapters are faults."""
    known = [*dict.fromkeys((*chapters, *chapter_names(shipped_kit())))]
    for name in theme.looks:
        if name not in known:
            place = f"{theme.path}: look.{name}"
            if nearest(name, [chapter for chapter in chapters if chapter not in theme.looks]):
                faults.found.append(f"{place}: unknown chapter; {hint(name, known)}")
            else:
                yield f"{place}: the kit has no such chapter, so only levels of another kit have this look"


def _look(table: ThemeNode, files: ThemeFiles, size: tuple[int, int], most: int) -> tuple[bytes, Look]:
    image = files.read(table["image"].text(), most, f"{table.path}.image")
    actual = png_size(image, table["image"].place)
    if actual != size:
        problem = (
            f"{actual[0]} x {actual[1]} px; give a sheet of {size[0]} x {size[1]} px, like the theme's own"
        )
        table["image"].fail(f"is {problem}, with the same tiles in the same places")
    light = read_light(table)
    table.done()
    return image, Look(image, light)
