"""What the tables of a theme mean, but for walls, pits and icons: floors, doors, decor.

Whatever a theme leaves out that has a stand-in is filled in here, so that nobody who looks into a `Theme`
needs to know of stand-ins. If all faults are wanted, a part with one becomes the sign of something missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exporters import blob
from exporters.theme import EMPTY, AtlasIndex, DecorLook, DoorLook, Floor, Variants
from exporters.theme.file import Faults, Table
from exporters.theme.sheet import TileSheet
from exporters.theme.tileset import fullest
from generator.errors import ThemeError, hint, shown
from generator.geometry import Side
from generator.kinds import RUBBLE, SHIPPED, DecorKind, Kinds

SIDES = tuple(side.label for side in Side)
_DOOR_LIKE = {"barred": "locked"}  # what stands in for a kind that a theme leaves out; else the open door


# What neighbours a wall has on each side of a room, where another room's wall lies behind it.
_BESIDE = {
    "north": blob.N | blob.NE | blob.E | blob.W | blob.NW,
    "east": blob.N | blob.NE | blob.E | blob.SE | blob.S,
    "south": blob.E | blob.SE | blob.S | blob.SW | blob.W,
    "west": blob.N | blob.S | blob.SW | blob.W | blob.NW,
}


def missing(sheet: TileSheet, part: str, width: int = 1, height: int = 1) -> Variants:
    """The sign that something is missing of a part of the theme."""
    return Variants((sheet.added.sign(part, width, height),), (1,))


def decor_of(kinds: Kinds) -> dict[str, DecorKind]:
    """The kinds of decor that are drawn."""
    return {kind.name: kind for kind in kinds.decor[1:]}


# --- floors ------------------------------------------------------------------------------------------


def own_terrain(kinds: Kinds) -> tuple[str, ...]:
    """The terrains that the kit adds to those that every kit has."""
    return tuple(kind.name for kind in kinds.terrain[RUBBLE + 1 :])


def floor_of_room(kinds: Kinds, room: str) -> str:
    """The floor of a room kind; the default one if a terrain is called so, whose tiles may stop somebody."""
    floor = kinds.room(room).floor
    return "default" if floor in own_terrain(kinds) else floor


def floor_names(kinds: Kinds) -> tuple[str, ...]:
    """The default one, those of rooms, those of terrains."""
    rooms = dict.fromkeys(floor_of_room(kinds, name) for name in kinds.rooms)
    terrains = ("hallway", "rubble", "door", "bridge", *own_terrain(kinds))
    return tuple(dict.fromkeys(("default", *rooms, *terrains)))


def read_floors(table: Table, sheet: TileSheet, kinds: Kinds, faults: Faults) -> dict[str, Floor]:
    """Every floor; those that are not given look like `default`, own terrains have a label."""
    names = floor_names(kinds)
    set_aside(table, names, floor_names(SHIPPED), sheet, faults)
    given: dict[str, Floor] = {}
    for name in names:
        if table.has(name):
            with faults.aside():
                given[name] = _floor(table.table(name), sheet)
    if "default" not in given:
        sign = missing(sheet, "floor")
        given["default"] = Floor(sign, sign)
    for name in own_terrain(kinds):
        if not table.has(name):
            label = Variants((sheet.label("floor", name),), (1,))
            given[name] = Floor(label, label)
    _tell(sheet, table, [name for name in names if not (table.has(name) or name in given)], "default")
    return {name: given.get(name, given["default"]) for name in names}


def set_aside(
    table: Table, known: Iterable[str], shipped: Iterable[str], sheet: TileSheet, faults: Faults
) -> None:
    """Leave what the table says of kinds that this kit does not have; refuse what looks like a slip.

    In a theme for another kit any name may be one of that kit's.
    """
    known = tuple(known)
    with faults.aside():
        never_slips = [*table] if sheet.is_for_another_kit else tuple(shipped)
        sheet.unread += [f"{table.path}.{name}" for name in table.others(known, never_slips)]


def _floor(table: Table, sheet: TileSheet) -> Floor:
    if table.has("terrain"):
        plain = sheet.placed(fullest(*sheet.terrain(table)), table)
    else:
        plain = _variants(table, "tiles", "weights", sheet)
    shaded = _variants(table, "shaded", "shaded_weights", sheet) if table.has("shaded") else plain
    sheet.animate(table, [*plain.tiles, *shaded.tiles])
    table.done()
    return Floor(plain, shaded)


def _variants(table: Table, key: str, weights: str, sheet: TileSheet) -> Variants:
    return sheet.variants(table, key, sheet.weights(table, weights, len(table.sequence(key))))


def _tell(sheet: TileSheet, table: Table, names: list[str], instead: str) -> None:
    if names:
        said = f"are not given: {', '.join(names)}; {table.name}.{instead} stands in"
        sheet.stand_ins.append(f"{table.file}{table.path}: {said}")


# --- doors -------------------------------------------------------------------------------------------


def read_doors(
    table: Table, sheet: TileSheet, walls: Mapping[int, Variants], kinds: Kinds, faults: Faults
) -> dict[tuple[str, str], DoorLook]:
    """Every kind of door on every side: as given, else as `all` of its kind, else as the open door.

    A barred door that is not given looks like a locked one. A secret or red door that is not given looks like
    the wall as long as it is shut, or it would give itself away. A kit's own door that is not given has a
    label.
    """
    names = tuple(dict.fromkeys(("open", *kinds.doors)))
    set_aside(table, names, SHIPPED.doors, sheet, faults)
    given: dict[tuple[str, str], DoorLook] = {}
    for kind in names:
        if table.has(kind):
            with faults.aside():
                given |= _door_kind(kind, table.table(kind), sheet, faults)
    sign = missing(sheet, "door").tiles * 4 if any(("open", side) not in given for side in SIDES) else ()
    for side in SIDES:
        given.setdefault(("open", side), DoorLook(sign, sign, ()))
        wall = walls[_BESIDE[side]].tiles[:1] * 4
        for kind in kinds.secret_doors:
            given.setdefault((kind, side), DoorLook(given["open", side].open, wall, ()))
    left = [kind for kind in names if not table.has(kind)]
    _tell(
        sheet, table, [kind for kind in left if kind in SHIPPED.doors or kind in kinds.secret_doors], "open"
    )
    for kind in left:
        if (kind, "north") not in given and kind not in SHIPPED.doors:
            open_, shut = sheet.label("door", kind, False), sheet.label("door", kind, told=False)
            given |= {(kind, side): DoorLook((open_,) * 4, (shut,) * 4, ()) for side in SIDES}
    looks = {}
    for kind in names:
        for side in SIDES:
            like = given.get((_DOOR_LIKE.get(kind, "open"), side), given["open", side])
            looks[kind, side] = given.get((kind, side), like)
    return looks


def _door_kind(kind: str, sides: Table, sheet: TileSheet, faults: Faults) -> dict[tuple[str, str], DoorLook]:
    given: dict[tuple[str, str], DoorLook] = {}
    sides.only((*SIDES, "all"))
    for side in ("all", *SIDES):
        if sides.has(side):
            with faults.aside():
                look = _door(sides.table(side), sheet)
                given |= {(kind, each): look for each in (SIDES if side == "all" else (side,))}
    return given


def _door(table: Table, sheet: TileSheet) -> DoorLook:
    overlay = _four(table, "overlay", sheet) if table.has("overlay") else ()
    look = DoorLook(_four(table, "open", sheet), _four(table, "shut", sheet), overlay)
    sheet.animate(table, [tile for tiles in look for tile in tiles])
    table.done()
    return look


def _four(table: Table, key: str, sheet: TileSheet) -> tuple[AtlasIndex, ...]:
    """Alone, first, middle, last; one tile serves for all of them."""
    tiles = sheet.tiles(table, key)
    if len(tiles) not in (1, 4):
        raise ThemeError(f"{table.where(key)}: has {len(tiles)} tiles; give 1 or 4")
    return tiles * (4 // len(tiles))


# --- decor --------------------------------------------------------------------------------------------


def read_decor(table: Table, sheet: TileSheet, kinds: Kinds, faults: Faults) -> dict[str, DecorLook]:
    """Every kind of decor: with own tiles, `like` another, or `hidden`; else a kit's own has a label."""
    things = decor_of(kinds)
    known = decor_of(SHIPPED) | things
    set_aside(table, things, known, sheet, faults)
    own: dict[str, DecorLook] = {}
    alike: dict[str, Table] = {}
    for name, kind in known.items():
        if table.has(name) and not sheet.draws_otherwise(kind):
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
                given[name] = _like(thing, sheet, known, name, own)
    for name, kind in things.items():
        if name not in given:
            given[name] = DecorLook(_stand_in(sheet, kind, table.has(name)), ())
    return {name: given[name] for name in things}


def _stand_in(sheet: TileSheet, kind: DecorKind, is_given: bool) -> Variants:
    """A label for what a kit has of its own, a sign for what every theme must have."""
    is_own = sheet.is_for_a_kit or kind.name not in SHIPPED.decor_ids
    if not is_own and not sheet.draws_otherwise(kind):
        return missing(sheet, "decor", kind.width, kind.height)
    if is_given and not sheet.draws_otherwise(kind):  # with a fault, which is told
        return missing(sheet, "decor", kind.width, kind.height)
    return Variants((sheet.label("decor", kind.name, True, kind.width, kind.height),), (1,))


def _hidden(table: Table) -> DecorLook:
    """Nothing is drawn: the game has a scene of its own for it, or does without."""
    if table.raw("hidden") is not True:
        raise ThemeError(
            f"{table.where('hidden')}: {shown(table.raw('hidden'))} is not true; say so, or nothing"
        )
    table.done()
    return DecorLook(Variants((EMPTY,), (1,)), ())


def _like(
    table: Table, sheet: TileSheet, things: Mapping[str, DecorKind], which: str, own: dict[str, DecorLook]
) -> DecorLook:
    """The look of another kind: of the same size, or of one tile, which is repeated."""
    name = table.text("like")
    table.done()
    other, kind = things.get(name), things[which]
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


def _copied(sheet: TileSheet, tile: AtlasIndex, kind: DecorKind, apart: object) -> AtlasIndex:
    """A copy of a thing's block, or of a tile with all its frames."""
    animation = sheet.animations.get(tile)
    if not animation:
        return sheet.added.copied(tile, kind.width, kind.height, apart)
    copy = sheet.added.copied(tile, animation.frames, kind.height, apart)
    sheet.animations |= {copy + dy * sheet.columns: animation for dy in range(kind.height)}
    return copy


def _thing(table: Table, sheet: TileSheet, kind: DecorKind) -> DecorLook:
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
