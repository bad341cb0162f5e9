"""The tables of kinds: what a tile, a piece of decor, a room, a door or a marker can be.

Variety lives in these tables, not in classes. A level carries the rows it uses (see `level.json`), so
a reader never needs this module to understand a file.
"""

from __future__ import annotations

from typing import NamedTuple


class TerrainKind(NamedTuple):
    """What a tile is, and what may pass over it.

    `walk`, `fly` and `shoot` say whether a walking body, a flying body or a shot passes; `hazard` says
    whether standing there hurts.
    """

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False


class DecorKind(NamedTuple):
    """What stands on a tile; as `TerrainKind`, and its size in tiles."""

    name: str
    walk: bool
    fly: bool
    shoot: bool
    hazard: bool = False
    width: int = 1
    height: int = 1


_YES, _NO = True, False

# A kind's place in its table is its number in the level's arrays.
TERRAIN_KINDS: tuple[TerrainKind, ...] = (
    TerrainKind("void", _NO, _NO, _NO),
    TerrainKind("floor", _YES, _YES, _YES),
    TerrainKind("wall", _NO, _NO, _NO),
    TerrainKind("pit", _NO, _YES, _YES),
    TerrainKind("bridge", _YES, _YES, _YES),
    TerrainKind("hallway", _YES, _YES, _YES),
    TerrainKind("door", _YES, _YES, _YES),
    TerrainKind("rubble", _YES, _YES, _YES),
)

VOID, FLOOR, WALL, PIT, BRIDGE, HALLWAY, DOOR, RUBBLE = range(8)

DECOR_KINDS: tuple[DecorKind, ...] = (
    DecorKind("none", _YES, _YES, _YES),
    # obstacles: a shot stops, a flyer passes over
    DecorKind("rock", _NO, _YES, _NO),
    DecorKind("tinted_rock", _NO, _YES, _NO),
    DecorKind("block", _NO, _YES, _NO),
    DecorKind("pot", _NO, _YES, _NO),
    DecorKind("barrel", _NO, _YES, _NO),
    DecorKind("crate", _NO, _YES, _NO),
    DecorKind("grave", _NO, _YES, _NO),
    DecorKind("statue", _NO, _NO, _NO),
    DecorKind("fire", _NO, _YES, _NO, hazard=_YES),
    DecorKind("red_fire", _NO, _YES, _NO, hazard=_YES),
    DecorKind("boulder", _NO, _YES, _NO, width=2, height=2),
    DecorKind("fountain", _NO, _YES, _YES, width=2, height=2),
    DecorKind("table", _NO, _YES, _YES, width=2),
    DecorKind("bookshelf", _NO, _YES, _NO, width=2),
    DecorKind("coffin", _NO, _YES, _NO, width=2),
    DecorKind("altar", _NO, _YES, _NO, width=2),
    # flat things: everything passes
    DecorKind("spikes", _YES, _YES, _YES, hazard=_YES),
    DecorKind("candle", _YES, _YES, _YES),
    DecorKind("mushroom", _YES, _YES, _YES),
    DecorKind("bones", _YES, _YES, _YES),
    DecorKind("web", _YES, _YES, _YES),
    DecorKind("coins", _YES, _YES, _YES),
    DecorKind("grass", _YES, _YES, _YES),
    DecorKind("rug", _YES, _YES, _YES, width=2, height=2),
    # on a wall's face; the wall decides what passes
    DecorKind("torch", _YES, _YES, _YES),
    DecorKind("banner", _YES, _YES, _YES),
)

DECOR_IDS: dict[str, int] = {kind.name: i for i, kind in enumerate(DECOR_KINDS)}
TERRAIN_IDS: dict[str, int] = {kind.name: i for i, kind in enumerate(TERRAIN_KINDS)}

ROOM_KINDS: tuple[str, ...] = (
    "start",
    "normal",
    "boss",
    "mini_boss",
    "shop",
    "treasure",
    "chest",
    "secret",
    "super_secret",
    "ultra_secret",
    "sacrifice",
    "dice",
    "library",
    "curse",
    "challenge",
    "boss_challenge",
    "arcade",
    "vault",
    "planetarium",
    "clean_bedroom",
    "dirty_bedroom",
    "grave",
)

# Rooms that only a secret door leads to: no distance, not on the way to anything.
SECRET_ROOM_KINDS: frozenset[str] = frozenset({"secret", "super_secret", "ultra_secret"})


class DoorKind(NamedTuple):
    """A door's kind and whether it is shut when the level starts (and drawn so)."""

    name: str
    starts_shut: bool


DOOR_KINDS: tuple[DoorKind, ...] = (
    DoorKind("open", False),
    DoorKind("locked", True),
    DoorKind("secret", True),
    DoorKind("boss", False),
    DoorKind("curse", False),
    DoorKind("treasure", False),
    DoorKind("challenge", False),
    DoorKind("arcade", False),
)

MARKER_KINDS: tuple[str, ...] = (
    "player_start",
    "enemy",
    "boss",
    "chest",
    "item",
    "ware",
    "pickup",
    "shopkeeper",
    "machine",
    "exit",
    "torch",
    "fire",
)

# Markers of what hangs on a wall or burns: nobody has to get there, and their decor shows them.
LIGHT_MARKER_KINDS: frozenset[str] = frozenset({"torch", "fire"})

# The remake's scale of difficulty (rebirth-wiki, step 12), which `Room.difficulty` uses for all styles.
DIFFICULTIES: dict[str, int] = {"easy": 1, "medium": 5, "hard": 10, "brutal": 15, "deadly": 20}
