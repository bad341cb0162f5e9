"""What the tables of a theme mean, but for walls and pits: floors, doors, decor, icons.

Whatever a theme leaves out that has a stand-in is filled in here, so that nobody who looks into a `Theme`
needs to know of stand-ins. If all faults are wanted, a part with one becomes the sign of something missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from exporters import blob
from exporters.theme import EMPTY, AtlasIndex, DecorLook, DoorLook, Floor, Variants
from exporters.theme.file import Faults, Table
from exporters.theme.sheet import Sheet
from exporters.theme.tileset import fullest
from generator.errors import ThemeError, hint, shown
from generator.geometry import Side
from generator.kinds import DECOR_KINDS, DOOR_KINDS, MARKER_KINDS, ROOM_KINDS, DecorKind

SIDES = tuple(side.label for side in Side)
FLOORS = ("default", *ROOM_KINDS, "hallway", "rubble", "door", "bridge")
DOORS = tuple(kind.name for kind in DOOR_KINDS)
DECOR = {kind.name: kind for kind in DECOR_KINDS[1:]}
_ICON_VARIANT = re.compile(r"[A-Za-z0-9._-]{1,64}")


# What neighbours a wall has on each side of a room, where another room's wall lies behind it.
_BESIDE = {
    "north": blob.N | blob.NE | blob.E | blob.W | blob.NW,
    "east": blob.N | blob.NE | blob.E | blob.SE | blob.S,
    "south": blob.E | blob.SE | blob.S | blob.SW | blob.W,
    "west": blob.N | blob.S | blob.SW | blob.W | blob.NW,
}


def missing(sheet: Sheet, part: str, width: int = 1, height: int = 1) -> Variants:
    """The sign that something is missing of a part of the theme."""
    return Variants((sheet.added.sign(part, width, height),), (1,))


# --- floors ------------------------------------------------------------------------------------------


def read_floors(table: Table, sheet: Sheet, faults: Faults) -> dict[str, Floor]:
    """Every floor; those that are not given look like `default`."""
    with faults.aside():
        table.only(FLOORS)
    given: dict[str, Floor] = {}
    for name in FLOORS:
        if table.has(name):
            with faults.aside():
                given[name] = _floor(table.table(name), sheet)
    if "default" not in given:
        sign = missing(sheet, "floor")
        given["default"] = Floor(sign, sign)
    _tell(sheet, table, [name for name in FLOORS if not table.has(name)], "default")
    return {name: given.get(name, given["default"]) for name in FLOORS}


def _floor(table: Table, sheet: Sheet) -> Floor:
    if table.has("terrain"):
        plain = sheet.placed(fullest(*sheet.terrain(table)), table)
    else:
        plain = _variants(table, "tiles", "weights", sheet)
    shaded = _variants(table, "shaded", "shaded_weights", sheet) if table.has("shaded") else plain
    sheet.animate(table, [*plain.tiles, *shaded.tiles])
    table.done()
    return Floor(plain, shaded)


def _variants(table: Table, key: str, weights: str, sheet: Sheet) -> Variants:
    return sheet.variants(table, key, sheet.weights(table, weights, len(table.sequence(key))))


def _tell(sheet: Sheet, table: Table, names: list[str], instead: str) -> None:
    if names:
        said = f"are not given: {', '.join(names)}; {table.name}.{instead} stands in"
        sheet.stand_ins.append(f"{table.file}{table.path}: {said}")


# --- doors -------------------------------------------------------------------------------------------


def read_doors(
    table: Table, sheet: Sheet, walls: Mapping[int, Variants], faults: Faults
) -> dict[tuple[str, str], DoorLook]:
    """Every kind of door on every side: as given, else as `all` of its kind, else as the open door.

    A secret door that is not given looks like the wall as long as it is shut, or it would give itself away.
    """
    with faults.aside():
        table.only(DOORS)
    given: dict[tuple[str, str], DoorLook] = {}
    for kind in DOORS:
        if table.has(kind):
            with faults.aside():
                given |= _door_kind(kind, table.table(kind), sheet, faults)
    sign = missing(sheet, "door").tiles * 4 if any(("open", side) not in given for side in SIDES) else ()
    for side in SIDES:
        given.setdefault(("open", side), DoorLook(sign, sign, ()))
        wall = walls[_BESIDE[side]].tiles[:1] * 4
        given.setdefault(("secret", side), DoorLook(given["open", side].open, wall, ()))
    _tell(sheet, table, [kind for kind in DOORS if not table.has(kind)], "open")
    return {(kind, side): given.get((kind, side), given["open", side]) for kind in DOORS for side in SIDES}


def _door_kind(kind: str, sides: Table, sheet: Sheet, faults: Faults) -> dict[tuple[str, str], DoorLook]:
    given: dict[tuple[str, str], DoorLook] = {}
    sides.only((*SIDES, "all"))
    for side in ("all", *SIDES):
        if sides.has(side):
            with faults.aside():
                look = _door(sides.table(side), sheet)
                given |= {(kind, each): look for each in (SIDES if side == "all" else (side,))}
    return given


def _door(table: Table, sheet: Sheet) -> DoorLook:
    overlay = _four(table, "overlay", sheet) if table.has("overlay") else ()
    look = DoorLook(_four(table, "open", sheet), _four(table, "shut", sheet), overlay)
    sheet.animate(table, [tile for tiles in look for tile in tiles])
    table.done()
    return look


def _four(table: Table, key: str, sheet: Sheet) -> tuple[AtlasIndex, ...]:
    """Alone, first, middle, last; one tile serves for all of them."""
    tiles = sheet.tiles(table, key)
    if len(tiles) not in (1, 4):
        raise ThemeError(f"{table.where(key)}: has {len(tiles)} tiles; give 1 or 4")
    return tiles * (4 // len(tiles))


# --- decor and icons ---------------------------------------------------------------------------------


def read_decor(table: Table, sheet: Sheet, faults: Faults) -> dict[str, DecorLook]:
    """Every kind of decor: with tiles of its own, `like` another, or `hidden`."""
    with faults.aside():
        table.only(DECOR)
    own: dict[str, DecorLook] = {}
    alike: dict[str, Table] = {}
    for name, kind in DECOR.items():
        if table.has(name):
            with faults.aside():
                thing = table.table(name)
                if thing.has("like"):
                    alike[name] = thing
                else:
                    own[name] = _hidden(thing) if thing.has("hidden") else _thing(thing, sheet, kind)
    given = dict(own)
    for name, thing in alike.items():
        with faults.aside():
            model = thing.text("like")
            if model in own or model in alike or not table.has(model):  # else its own fault is told
                given[name] = _like(thing, sheet, DECOR[name], own)
    for name, kind in DECOR.items():
        if name not in given:
            given[name] = DecorLook(missing(sheet, "decor", kind.width, kind.height), ())
    return {name: given[name] for name in DECOR}


def _hidden(table: Table) -> DecorLook:
    """Nothing is drawn: the game has a scene of its own for it, or does without."""
    if table.raw("hidden") is not True:
        raise ThemeError(
            f"{table.where('hidden')}: {shown(table.raw('hidden'))} is not true; say so, or nothing"
        )
    table.done()
    return DecorLook(Variants((EMPTY,), (1,)), ())


def _like(table: Table, sheet: Sheet, kind: DecorKind, own: dict[str, DecorLook]) -> DecorLook:
    """The look of another kind: of the same size, or of one tile, which is repeated."""
    name = table.text("like")
    table.done()
    other = DECOR.get(name)
    if other is None or name not in own:
        known = [each for each, look in own.items() if look.variants.tiles != (EMPTY,)]
        remedy = hint(name, known, "those with some are")
        raise ThemeError(f"{table.where('like')}: {shown(name)} has no tiles of its own; {remedy}")
    look, size = own[name], (kind.width, kind.height)
    if other[1:] == kind[1:] or look.variants.tiles == (EMPTY,):
        return look
    stops = kind[1:5]  # a tile stops somebody or not, wherever it lies: who differs in that has copies
    if (other.width, other.height) == size:
        tiles = tuple(_copied(sheet, tile, kind, stops) for tile in look.variants.tiles)
        return DecorLook(Variants(tiles, look.variants.weights), look.overlay)
    if other.width * other.height > 1:
        said = f"has {other.width} x {other.height} tiles; name one of {size[0]} x {size[1]}, or of one tile"
        raise ThemeError(f"{table.where('like')}: {shown(name)} {said}")
    tiles = tuple(sheet.added.repeated(tile, *size, stops) for tile in look.variants.tiles)
    return DecorLook(Variants(tiles, look.variants.weights), ())


def _copied(sheet: Sheet, tile: AtlasIndex, kind: DecorKind, apart: object) -> AtlasIndex:
    """A copy of a thing's block, or of a tile with all its frames."""
    animation = sheet.animations.get(tile)
    if not animation:
        return sheet.added.copied(tile, kind.width, kind.height, apart)
    copy = sheet.added.copied(tile, animation.frames, kind.height, apart)
    sheet.animations |= {copy + dy * sheet.columns: animation for dy in range(kind.height)}
    return copy


def _thing(table: Table, sheet: Sheet, kind: DecorKind) -> DecorLook:
    """A thing with tiles of its own."""
    width, height = kind.width, kind.height
    tiles = sheet.tiles(table, "tiles", width, height)
    variants, origins = sheet.joined(table.where("tiles"), tiles, sheet.weights(table, "weights", len(tiles)))
    overlay = sheet.tiles(table, "overlay", width) if table.has("overlay") else ()
    if overlay and len(overlay) != len(tiles):
        raise ThemeError(f"{table.where('overlay')}: has {len(overlay)} tiles; give one for each of `tiles`")
    if width > 1 and table.has("frames") and table.raw("frames") != 1:
        raise ThemeError(f"{table.where('frames')}: only things one tile wide can be animated; leave it out")
    for tile in variants.tiles:  # those of a [[variant]] must have room for the thing too
        sheet.tile(table, "tiles", sheet.place(tile), width, height)
    sheet.animate(table, variants.tiles, height)
    table.done()
    return DecorLook(variants, tuple(overlay[i] for i in origins) if overlay else ())


def read_icons(table: Table, sheet: Sheet, faults: Faults) -> dict[str, AtlasIndex]:
    """The icons of markers."""
    icons = {}
    for name in table:
        with faults.aside():
            of_a_kind = any(name.startswith(f"{kind}_") for kind in MARKER_KINDS)
            if not (of_a_kind and _ICON_VARIANT.fullmatch(name)):
                Table(table.file, table.path, {name: None}).only(MARKER_KINDS)
            marker = table.table(name)
            icons[name] = sheet.tile(marker, "icon", marker.raw("icon"))
            marker.done()
    return icons
