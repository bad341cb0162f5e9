"""The floor, door and icon tables of a theme.

Parts that a theme leaves out get substitutes here, so that users of a `Theme` need not handle them. If errors
are collected, a bad part gets a warning sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from exporters import blob
from exporters.theme import AtlasIndex, DoorLook, Floor, Variants
from exporters.theme.file import Faults, ThemeNode
from exporters.theme.sheet import TileSheet
from exporters.theme.tileset import fullest
from generator.geometry import Side
from generator.kinds import RUBBLE, SHIPPED, Kinds

SIDES = tuple(side.label for side in Side)
_DOOR_LIKE = {"barred": "locked"}  # substitutes for missing kinds; else the open door


# The neighbour mask of a wall on each side of a room, with another room's wall behind it.
_BESIDE = {
    "north": blob.N | blob.NE | blob.E | blob.W | blob.NW,
    "east": blob.N | blob.NE | blob.E | blob.SE | blob.S,
    "south": blob.E | blob.SE | blob.S | blob.SW | blob.W,
    "west": blob.N | blob.S | blob.SW | blob.W | blob.NW,
}


def missing(sheet: TileSheet, part: str, width: int = 1, height: int = 1) -> Variants:
    """Return the warning sign for a missing part of the theme."""
    return Variants((sheet.added.sign(part, width, height),), (1,))


# --- floors ------------------------------------------------------------------------------------------


def own_terrain(kinds: Kinds) -> tuple[str, ...]:
    """List the terrains that the kit adds to those of all kits."""
    return tuple(kind.name for kind in kinds.terrain[RUBBLE + 1 :])


def floor_of_room(kinds: Kinds, room: str) -> str:
    """Return a room kind's floor: the default if a terrain has its name, as its tiles may stop bodies."""
    floor = kinds.room(room).floor
    return "default" if floor in own_terrain(kinds) else floor


def floor_names(kinds: Kinds) -> tuple[str, ...]:
    """List the names of the default floor, of those for rooms, and of those for terrains."""
    rooms = dict.fromkeys(floor_of_room(kinds, name) for name in kinds.rooms)
    terrains = ("hallway", "rubble", "door", "bridge", *own_terrain(kinds))
    return tuple(dict.fromkeys(("default", *rooms, *terrains)))


def read_floors(table: ThemeNode, sheet: TileSheet, kinds: Kinds, faults: Faults) -> dict[str, Floor]:
    """Read all floors. Missing ones look like `default`, those of a kit's own terrains get a label."""
    names = floor_names(kinds)
    remedy = "give a room or a terrain of the kit that floor, correct the name, or leave it out"
    set_aside(table, names, floor_names(SHIPPED), sheet, faults, remedy)
    floors: dict[str, Floor] = {}
    for name in names:
        if table.has(name):
            with faults.aside():
                floors[name] = _floor(table.at(name, {}), sheet)
    if "default" not in floors:
        sign = missing(sheet, "floor")
        floors["default"] = Floor(sign, sign)
    for name in own_terrain(kinds):
        if not table.has(name):
            label = Variants((sheet.label("floor", name),), (1,))
            floors[name] = Floor(label, label)
    _tell(sheet, table, [name for name in names if not (table.has(name) or name in floors)], "default")
    return {name: floors.get(name, floors["default"]) for name in names}


def set_aside(
    table: ThemeNode,
    known: Iterable[str],
    shipped: Iterable[str],
    sheet: TileSheet,
    faults: Faults,
    remedy: str = "correct the name, or leave it out",
) -> None:
    """Ignore entries for kinds that this kit does not have, but refuse those like a misspelled kind.

    In a theme for another kit, any name may be a kind of that kit. In one for this kit, a line tells of names
    that no kit has.
    """
    known, shipped = tuple(known), tuple(shipped)
    with faults.aside():
        never_slips = [*table.table()] if sheet.is_for_another_kit else shipped
        others = table.others(known, never_slips)
        sheet.unread += [f"{table.path}.{name}" for name in others]
        strange = [name for name in others if name not in shipped]
        if strange and sheet.is_for_a_kit and not sheet.is_for_another_kit:
            message = f"the kit has no {', '.join(strange)}, so that is not drawn; {remedy}"
            sheet.stand_ins.append(f"{table.place}: {message}")


def _floor(table: ThemeNode, sheet: TileSheet) -> Floor:
    if table.has("terrain"):
        plain = sheet.placed(fullest(*sheet.terrain(table)), table)
    else:
        plain = sheet.variants(table, "tiles", "weights")
    shaded = sheet.variants(table, "shaded", "shaded_weights") if table.has("shaded") else plain
    sheet.animate(table, [*plain.tiles, *shaded.tiles])
    table.done()
    return Floor(plain, shaded)


def _tell(sheet: TileSheet, table: ThemeNode, names: list[str], instead: str) -> None:
    if names:
        message = f"no tiles for {', '.join(names)}; {table.path}.{instead} is used instead"
        sheet.stand_ins.append(f"{table.place}: {message}")


# --- doors -------------------------------------------------------------------------------------------


def read_doors(
    table: ThemeNode,
    sheet: TileSheet,
    floor: Floor,
    walls: Mapping[int, Variants],
    kinds: Kinds,
    faults: Faults,
) -> dict[tuple[str, str], DoorLook]:
    """Read all kinds of doors on all sides: as given, or as `all` of the kind, or as the open door.

    Missing ones get substitutes. An open door looks like the floor, and when shut like a darker wall. A
    barred door looks like a locked one. A secret or red door looks like the wall while it is shut, or it
    would give itself away. A kit's own door gets a label.
    """
    names = tuple(dict.fromkeys(("open", *kinds.doors)))
    set_aside(table, names, SHIPPED.doors, sheet, faults)
    doors: dict[tuple[str, str], DoorLook] = {}
    for kind in names:
        if table.has(kind):
            with faults.aside():
                doors |= _door_kind(kind, table[kind], sheet, faults)
    _fill_open_doors(doors, table, sheet, floor, walls)
    for side in SIDES:
        wall = walls[_BESIDE[side]].tiles[:1] * 4
        for kind in kinds.secret_doors:
            doors.setdefault((kind, side), DoorLook(doors["open", side].open, wall, ()))
    left = [kind for kind in names if kind != "open" and not table.has(kind)]
    _tell(
        sheet, table, [kind for kind in left if kind in SHIPPED.doors or kind in kinds.secret_doors], "open"
    )
    for kind in left:
        if (kind, "north") not in doors and kind not in SHIPPED.doors:
            open_, shut = sheet.label("door", kind, False), sheet.label("door", kind, reported=False)
            doors |= {(kind, side): DoorLook((open_,) * 4, (shut,) * 4, ()) for side in SIDES}
    looks = {}
    for kind in names:
        for side in SIDES:
            like = doors.get((_DOOR_LIKE.get(kind, "open"), side), doors["open", side])
            looks[kind, side] = doors.get((kind, side), like)
    return looks


def _fill_open_doors(
    doors: dict[tuple[str, str], DoorLook],
    table: ThemeNode,
    sheet: TileSheet,
    floor: Floor,
    walls: Mapping[int, Variants],
) -> None:
    """Add the open door if missing. A side with an error, which was reported, gets a warning sign."""
    for side in SIDES:
        if ("open", side) in doors:
            continue
        if table.has("open"):
            sign = missing(sheet, "door").tiles * 4
            doors["open", side] = DoorLook(sign, sign, ())
            continue
        open_ = sheet.added.copied(floor.plain.tiles[0], 1, 1, "door")
        shut = sheet.added.darkened(walls[_BESIDE[side]].tiles[0], "door")
        doors["open", side] = DoorLook((open_,) * 4, (shut,) * 4, ())
    if not table.has("open"):
        message = "is not given; floor.default is used instead, and a darker wall for a shut door"
        sheet.stand_ins.append(f"{table.place}.open: {message}")


def _door_kind(
    kind: str, sides: ThemeNode, sheet: TileSheet, faults: Faults
) -> dict[tuple[str, str], DoorLook]:
    looks: dict[tuple[str, str], DoorLook] = {}
    sides.only((*SIDES, "all"))
    for side in ("all", *SIDES):
        if sides.has(side):
            with faults.aside():
                look = _door(sides.at(side, {}), sheet)
                looks |= {
                    (kind, covered_side): look for covered_side in (SIDES if side == "all" else (side,))
                }
    return looks


def _door(table: ThemeNode, sheet: TileSheet) -> DoorLook:
    overlay = _four(table, "overlay", sheet) if table.has("overlay") else ()
    look = DoorLook(_four(table, "open", sheet), _four(table, "shut", sheet), overlay)
    sheet.animate(table, [tile for tiles in look for tile in tiles])
    table.done()
    return look


def _four(table: ThemeNode, key: str, sheet: TileSheet) -> tuple[AtlasIndex, ...]:
    """Return the tiles alone, first, middle, last. A single tile is used for all of them."""
    tiles = sheet.tiles(table[key])
    if len(tiles) not in (1, 4):
        table[key].fail(f"has {len(tiles)} tiles; give 1 or 4")
    return tiles * (4 // len(tiles))


# --- icons of markers, and of rooms on a map ---------------------------------------------------------

_ICON_LIKE = {"key": ("pickup_key", "pickup", "item")}
ICON_VARIANT = "[A-Za-z0-9._-]{1,64}"


def read_icons(table: ThemeNode, sheet: TileSheet, kinds: Kinds, faults: Faults) -> dict[str, AtlasIndex]:
    """Read the icons of markers. If a key has no icon, it looks like the key to pick up.

    A kit's own kind of marker without an icon gets a label.
    """
    known = [
        name
        for name in table.table()
        if name in kinds.markers
        or (re.fullmatch(ICON_VARIANT, name) and any(name.startswith(f"{kind}_") for kind in kinds.markers))
    ]
    theirs = [name for name in table.value if name.partition("_")[0] in SHIPPED.markers]
    set_aside(table, [*kinds.markers, *known], [*SHIPPED.markers, *theirs], sheet, faults)
    icons = _icons(table, known, sheet, faults)
    for name, likes in _ICON_LIKE.items():
        alike = next((icons[like] for like in likes if like in icons), None)
        if name in kinds.markers and name not in icons and alike is not None:
            icons[name] = alike
    for kind in kinds.markers.values():
        if kind.name not in SHIPPED.markers and not kind.is_light and kind.name not in known:
            icons[kind.name] = sheet.label("marker", kind.name)
    return icons


def read_map_icons(table: ThemeNode, sheet: TileSheet, faults: Faults) -> dict[str, AtlasIndex]:
    """Read the icons of rooms on a map, by the icon names in the rows of room kinds."""
    return _icons(table, list(table.table()), sheet, faults)


def _icons(table: ThemeNode, names: Iterable[str], sheet: TileSheet, faults: Faults) -> dict[str, AtlasIndex]:
    icons = {}
    for name in names:
        with faults.aside():
            entry = table.at(name, {})
            icons[name] = sheet.tile(entry["icon"])
            entry.done()
    return icons
