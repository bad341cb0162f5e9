"""The words on tiles, IntGrid values and objects, and their meanings: the same as in the exports."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from generator.kinds import DOOR, FLOOR, WALL, Kinds
from generator.kinds.kind_tables import HUNG


class TileMeaning(NamedTuple):
    """A terrain and a thing by number, 0 for none. `known` is also set for words known to mean neither."""

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
_IGNORED = ("void", "stone", "overlay")  # what rises above walls is drawn anew for each level
_LOOKS_LIKE = {"tinted_rock": "rock", "red_fire": "fire"}  # chance turns some of the latter into the former

# The property that a marker's bare value belongs to; `docs/layouts.md` lists the values.
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
    """Return the numbers of terrains, by their words."""
    return {name: number for name, number in kinds.terrain_ids.items() if name != "void"} | _ALSO


@lru_cache(maxsize=64)
def _drawn(kinds: Kinds) -> frozenset[int]:
    """Return the numbers of the decor that a layout can hold."""
    return frozenset(glyph.decor for glyph in kinds.glyphs.values() if glyph.decor)


def meaning_of(kinds: Kinds, *words: str) -> TileMeaning:
    """Combine the meaning of one tile's words, such as `pit`, `rock` and `floor_shop`."""
    meaning, terrains, drawn = NOTHING, _terrains(kinds), _drawn(kinds)
    for name in words:
        word = name if kinds.decor_ids.get(name) in drawn else _LOOKS_LIKE.get(name, name)
        if word in terrains:
            meaning = meaning._replace(terrain=terrains[word])
        elif word.startswith("floor_"):
            meaning = meaning._replace(terrain=FLOOR)
        elif kinds.decor_ids.get(word) in drawn:
            meaning = meaning._replace(decor=kinds.decor_ids[word])
        elif word in _IGNORED or word in HUNG:
            meaning = meaning._replace(known=True)
    return meaning


def class_of(name: str) -> str:
    """Convert a class's or an entity's name to the spelling of kinds: `PlayerStart` to `player_start`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip()).replace("-", "_").replace(" ", "_").lower()


_FOR_PEOPLE = ("room", "door", "hallway", "blocks")
_LATER = ("note",)


def left_out(kinds: Kinds) -> tuple[str, ...]:
    """Return the classes to ignore: extras of an export, what the generator places itself, and notes."""
    return (*_FOR_PEOPLE, *sorted(kinds.light_markers), *_LATER)


def objects_of(kinds: Kinds) -> tuple[str, ...]:
    """Return the classes of objects that a layout can have."""
    return (*(kind for kind in kinds.markers if kind not in left_out(kinds)), "one_of", "group")
