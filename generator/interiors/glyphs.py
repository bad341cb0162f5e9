"""What a glyph of a layout means; `docs/layouts.md` shows the table to designers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from generator.kinds import DECOR_IDS, TERRAIN_IDS
from generator.level import Property


class Glyph(NamedTuple):
    """A terrain, what stands on it, and a marker; 0 and None are nothing."""

    terrain: int
    decor: int = 0
    marker: str | None = None
    properties: Mapping[str, Property] = {}


def _terrain(name: str) -> Glyph:
    return Glyph(TERRAIN_IDS[name])


def _decor(name: str) -> Glyph:
    return Glyph(TERRAIN_IDS["floor"], DECOR_IDS[name])


def _marker(kind: str, **properties: Property) -> Glyph:
    return Glyph(TERRAIN_IDS["floor"], 0, kind, properties)


GLYPHS: Mapping[str, Glyph] = {
    ".": _terrain("floor"),
    "#": _terrain("wall"),
    "~": _terrain("pit"),
    "=": _terrain("bridge"),
    ",": _terrain("rubble"),
    "o": _decor("rock"),
    "x": _decor("block"),
    "p": _decor("pot"),
    "b": _decor("barrel"),
    "c": _decor("crate"),
    "f": _decor("fire"),
    "g": _decor("grave"),
    "s": _decor("statue"),
    "q": _decor("boulder"),
    "y": _decor("fountain"),
    "r": _decor("rug"),
    "t": _decor("table"),
    "l": _decor("bookshelf"),
    "n": _decor("coffin"),
    "a": _decor("altar"),
    "^": _decor("spikes"),
    "i": _decor("candle"),
    "m": _decor("mushroom"),
    "%": _decor("bones"),
    "*": _decor("web"),
    "u": _decor("coins"),
    "'": _decor("grass"),
    "E": _marker("enemy", role="walker"),
    "S": _marker("enemy", role="shooter"),
    "F": _marker("enemy", role="flyer"),
    "B": _marker("enemy", role="brute"),
    "T": _marker("enemy", role="turret"),
    "2": _marker("enemy", role="walker", wave=2),
    "3": _marker("enemy", role="walker", wave=3),
    "P": _marker("player_start"),
    "X": _marker("boss", rank="boss"),
    "M": _marker("boss", rank="mini"),
    "C": _marker("chest", tier="wood"),
    "G": _marker("chest", tier="gold"),
    "R": _marker("chest", tier="red"),
    "I": _marker("item", pool="room"),
    "W": _marker("ware", item="any"),
    "K": _marker("shopkeeper"),
    "A": _marker("machine", game="slots"),
    "V": _marker("exit", to="next"),
    "$": _marker("pickup", item="coin"),
    "+": _marker("pickup", item="heart"),
    "!": _marker("pickup", item="key"),
    "&": _marker("pickup", item="bomb"),
    "?": _marker("pickup", item="any"),
}
