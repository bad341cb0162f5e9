"""What the words mean that tiles, IntGrid values and objects bear: the vocabulary that the exports use."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from generator.kinds import DOOR, FLOOR, WALL, Kinds


class TileMeaning(NamedTuple):
    """A terrain and a thing by their numbers; 0 is none. `known` if it is known to mean neither."""

    terrain: int = 0
    decor: int = 0
    known: bool = False


NOTHING = TileMeaning()

_ALSO = {
    "hallway": FLOOR,
    "door_tile": DOOR,
    "door_secret": DOOR,
    "wall_west_end": WALL,
    "wall_east_end": WALL,
}
_IGNORED = ("void", "stone", "overlay")  # what rises from walls into the void is drawn anew for each level
_LOOKS_LIKE = {"tinted_rock": "rock", "red_fire": "fire"}  # of these chance makes some of the others
_HUNG = ("torch", "banner")  # the generator hangs them on walls

# The property of a marker that is meant where none is given; `docs/layouts.md` shows the values.
DEFAULTS: dict[str, tuple[str, str]] = {
    "enemy": ("role", "walker"),
    "boss": ("rank", "boss"),
    "chest": ("tier", "wood"),
    "item": ("pool", "room"),
    "ware": ("item", "any"),
    "pickup": ("item", "any"),
    "machine": ("game", "slots"),
    "exit": ("to", "next"),
}


@lru_cache(maxsize=64)
def _terrains(kinds: Kinds) -> dict[str, int]:
    """The numbers of terrains by the words for them."""
    return {name: number for name, number in kinds.terrain_ids.items() if name != "void"} | _ALSO


@lru_cache(maxsize=64)
def _drawn(kinds: Kinds) -> frozenset[int]:
    """The numbers of what a layout can hold."""
    return frozenset(glyph.decor for glyph in kinds.glyphs.values() if glyph.decor)


def meaning_of(kinds: Kinds, *words: str) -> TileMeaning:
    """What some words of one tile mean together, such as `pit`, `rock`, `floor_shop`; others mean nothing."""
    found, terrains, drawn = NOTHING, _terrains(kinds), _drawn(kinds)
    for given in words:
        word = given if kinds.decor_ids.get(given) in drawn else _LOOKS_LIKE.get(given, given)
        if word in terrains:
            found = found._replace(terrain=terrains[word])
        elif word.startswith("floor_"):
            found = found._replace(terrain=FLOOR)
        elif kinds.decor_ids.get(word) in drawn:
            found = found._replace(decor=kinds.decor_ids[word])
        elif word in _IGNORED or word in _HUNG:
            found = found._replace(known=True)
    return found


def class_of(name: str) -> str:
    """A class or an entity's name as kinds are written: `PlayerStart` as `player_start`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).replace("-", "_").replace(" ", "_").lower()


_FOR_PEOPLE = ("room", "door", "hallway", "blocks")
_LATER = ("note",)


def left_out(kinds: Kinds) -> tuple[str, ...]:
    """The classes of what an export has for people and games, of what the generator sets, and of notes."""
    return (*_FOR_PEOPLE, *sorted(kinds.light_markers), *_LATER)


def objects_of(kinds: Kinds) -> tuple[str, ...]:
    """The classes of objects that a layout holds."""
    return (*(kind for kind in kinds.markers if kind not in left_out(kinds)), "one_of", "group")
