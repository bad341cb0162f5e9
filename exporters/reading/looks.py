"""Looks: tiles painted over tiles that mean the same, which the theme's rules could not have drawn there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from exporters.dress import EMPTY, steps_of, tiles_by_rules
from exporters.looks import is_of, terrains
from exporters.reading.seen import CellChange, Edits
from exporters.theme import Theme
from generator.geometry import Point
from generator.level import LOOK_LAYERS, Level, PaintedLook
from generator.named_tuple import NamedTuple


class LookEdits(NamedTuple):
    """The looks that were painted or taken back, and the tiles of which nothing else has to be said."""

    edits: Edits
    tiles: frozenset[Point]


def look_edits(changed: Mapping[Point, Iterable[CellChange]], level: Level, theme: Theme) -> LookEdits:
    """Find the looks of tiles that mean what they meant before."""
    held = {look[1:4]: look.tile for look in level.looks if look.theme == theme.given_name}
    edits: Edits = {}
    tiles = set()
    shown = [
        look for changes in changed.values() for change in changes for look in _looks(change, theme, held)
    ]
    if theme.below and shown:
        steps = steps_of(level, theme)
        shown = [
            look if look.tile == EMPTY else look._replace(tile=look.tile - int(steps[look.y, look.x]))
            for look in shown
        ]
    for layer in LOOK_LAYERS:
        of_layer = [look for look in shown if look.layer == layer]
        by_rules = tiles_by_rules(level, theme, layer, ((look.x, look.y) for look in of_layer))
        for look, own in zip(of_layer, by_rules, strict=True):
            at = look.x, look.y
            if look.tile == EMPTY or look.tile in own:
                new = None
            elif own and look.tile in range(theme.sheet_tiles) and is_of(look, level, theme):
                new = look.tile
            else:
                continue
            if held.get((layer, *at)) != new:
                edits["look", theme.given_name, layer, *at] = new
                tiles.add(at)
    return LookEdits(edits, frozenset(tiles))


def _looks(
    change: CellChange, theme: Theme, held: Mapping[tuple[str, int, int], int]
) -> Iterator[PaintedLook]:
    """Yield what a changed tile shows now, as looks of the theme; EMPTY where a look was erased.

    LDtk has one layer for tiles that replace those of its rules, walls and floors alike.
    """
    x, y = change.tile
    if change.layer in LOOK_LAYERS and change.new != EMPTY:
        yield PaintedLook(theme.given_name, change.layer, x, y, change.new)
    elif change.layer == "fixed" and change.new == EMPTY:
        yield from (
            PaintedLook(theme.given_name, layer, x, y, EMPTY)
            for layer in LOOK_LAYERS
            if (layer, x, y) in held
        )
    elif change.layer == "fixed":
        layer = "walls" if "wall" in terrains(theme).get(change.new, ()) else "ground"
        yield PaintedLook(theme.given_name, layer, x, y, change.new)
