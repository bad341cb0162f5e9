"""The decor of a theme: things with their own tiles, things drawn like others, and things not drawn.

Things missing from the table look like the most similar thing in the sheet; `theme check` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping

from exporters.blob import MASKS
from exporters.theme import EMPTY, AtlasIndex, DecorLook, Variants
from exporters.theme.file import Faults, ThemeNode
from exporters.theme.parts import missing, set_aside
from exporters.theme.sheet import TileSheet
from generator.errors import hint, shown
from generator.kinds import SHIPPED, DecorKind, Kinds

# Substitutes for each thing, most similar first; after these, anything that stops and harms the same bodies.
_NEAREST = {
    "tinted_rock": ("rock", "block"),
    "rock": ("block", "boulder", "crate", "barrel", "pot", "statue"),
    "boulder": ("rock", "block"),
    "block": ("rock", "crate", "barrel"),
    "crate": ("barrel", "block"),
    "barrel": ("crate", "pot"),
    "pot": ("barrel", "crate"),
    "grave": ("statue", "block"),
    "statue": ("grave", "block"),
    "fire": ("red_fire", "torch", "candle"),
    "red_fire": ("fire", "torch", "candle"),
    "spikes": (),
}


def decor_of(kinds: Kinds) -> dict[str, DecorKind]:
    """The kinds of decor that need tiles."""
    return {kind.name: kind for kind in kinds.decor[1:]}


def read_decor(
    table: ThemeNode, sheet: TileSheet, walls: Mapping[int, Variants], kinds: Kinds, faults: Faults
) -> dict[str, DecorLook]:
    """All kinds of decor: with their own tiles, `like` another, or `hidden`; else a substitute or a label."""
    things = decor_of(kinds)
    known = decor_of(SHIPPED) | things
    set_aside(table, things, known, sheet, faults)
    own: dict[str, DecorLook] = {}
    alike: dict[str, ThemeNode] = {}
    for name, kind in known.items():
        if table.has(name) and not sheet.draws_otherwise(kind):
            with faults.aside():
                thing = table.at(name, {})
                if thing.has("like"):
                    alike[name] = thing
                else:
                    own[name] = _hidden(thing) if thing.has("hidden") else _thing(thing, sheet, kind)
    given = dict(own)
    for name, thing in alike.items():
        with faults.aside():
            model = thing["like"].text()
            if model in own or model in alike or not table.has(model):  # else its own error is reported
                given[name] = _like(thing, sheet, known, name, own)
    told: dict[str, list[str]] = {}
    for name, kind in things.items():
        if name in given:
            continue
        if _may_stand_in(sheet, kind, table):
            given[name], said = _nearest(sheet, kind, known, own, walls)
            told.setdefault(said, []).append(name)
        else:
            given[name] = DecorLook(_label(sheet, kind, table.has(name)), ())
    for said, names in told.items():
        sheet.stand_ins.append(f"{table.place}: no tiles for {', '.join(names)}; {said}")
    return {name: given[name] for name in things}


def _may_stand_in(sheet: TileSheet, kind: DecorKind, table: ThemeNode) -> bool:
    """Whether a substitute may be used; a kit's own things and those with errors are reported differently."""
    is_own = sheet.is_for_a_kit or kind.name not in SHIPPED.decor_ids
    return not (is_own or table.has(kind.name) or sheet.draws_otherwise(kind))


def _nearest(
    sheet: TileSheet,
    kind: DecorKind,
    known: Mapping[str, DecorKind],
    own: Mapping[str, DecorLook],
    walls: Mapping[int, Variants],
) -> tuple[DecorLook, str]:
    """The substitute for a missing thing, and its description in the message.

    Players must see things that harm them, so these are never left out, nor drawn like something that stops.
    """
    if kind.walk and not kind.hazard:
        return DecorLook(Variants((EMPTY,), (1,)), ()), "nothing is drawn"
    alike = [other.name for other in known.values() if other[1:5] == kind[1:5]]
    blocks = [other.name for other in known.values() if other.walk == kind.walk and not other.hazard]
    for name in (*_NEAREST.get(kind.name, ()), *alike, *([] if kind.hazard else blocks)):
        look, other = own.get(name), known.get(name)
        if not look or not other or look.variants.tiles == (EMPTY,):
            continue
        if other.width * other.height == 1 or (other.width, other.height) == (kind.width, kind.height):
            return _drawn_as(sheet, other, kind, look), f"{name} is used instead"
    if kind.hazard:
        label = sheet.label("decor", kind.name, True, kind.width, kind.height, reported=False)
        return DecorLook(Variants((label,), (1,)), ()), "a label is shown instead"
    tile = sheet.added.repeated(walls[MASKS[0]].tiles[0], kind.width, kind.height, kind[1:5])
    return DecorLook(Variants((tile,), (1,)), ()), "a block of the wall is used instead"


def _label(sheet: TileSheet, kind: DecorKind, is_given: bool) -> Variants:
    """A label for a thing without a picture, a warning sign for one with an error."""
    if is_given and not sheet.draws_otherwise(kind):  # it has an error, which was reported
        return missing(sheet, "decor", kind.width, kind.height)
    return Variants((sheet.label("decor", kind.name, True, kind.width, kind.height),), (1,))


def _hidden(table: ThemeNode) -> DecorLook:
    """Read `hidden`: nothing is drawn, because the game has its own scene for it or does not need it."""
    if table["hidden"].value is not True:
        table["hidden"].fail(f"{shown(table['hidden'].value)} is not true; give true, or leave it out")
    table.done()
    return DecorLook(Variants((EMPTY,), (1,)), ())


def _like(
    table: ThemeNode, sheet: TileSheet, things: Mapping[str, DecorKind], which: str, own: dict[str, DecorLook]
) -> DecorLook:
    """The look of another kind, which has the same size or is one tile, which is repeated."""
    name = table["like"].text()
    table.done()
    other, kind = things.get(name), things[which]
    if other is None or name not in own:
        known = [each for each, look in own.items() if look.variants.tiles != (EMPTY,)]
        table["like"].fail(f"{shown(name)} has no tiles; {hint(name, known)}")
    size = (kind.width, kind.height)
    if other.width * other.height > 1 and (other.width, other.height) != size:
        said = f"has {other.width} x {other.height} tiles; give one of {size[0]} x {size[1]}, or of one tile"
        table["like"].fail(f"{shown(name)} {said}")
    return _drawn_as(sheet, other, kind, own[name])


def _drawn_as(sheet: TileSheet, other: DecorKind, kind: DecorKind, look: DecorLook) -> DecorLook:
    """A thing with the look of another one, which has its size or is one tile, which is repeated."""
    size = (kind.width, kind.height)
    if other[1:] == kind[1:] or look.variants.tiles == (EMPTY,):
        return look
    stops = kind[1:5]  # a tile has one collision, so things that stop other bodies get copies
    if (other.width, other.height) == size:
        tiles = tuple(_copied(sheet, tile, kind, stops) for tile in look.variants.tiles)
        return DecorLook(Variants(tiles, look.variants.weights), look.overlay)
    tiles = tuple(sheet.added.repeated(tile, *size, stops) for tile in look.variants.tiles)
    return DecorLook(Variants(tiles, look.variants.weights), ())


def _copied(sheet: TileSheet, tile: AtlasIndex, kind: DecorKind, apart: object) -> AtlasIndex:
    """A copy of a thing's block, or of a tile with its frames."""
    animation = sheet.animations.get(tile)
    if not animation:
        return sheet.added.copied(tile, kind.width, kind.height, apart)
    copy = sheet.added.copied(tile, animation.frames, kind.height, apart)
    sheet.animations |= {copy + dy * sheet.columns: animation for dy in range(kind.height)}
    return copy


def _thing(table: ThemeNode, sheet: TileSheet, kind: DecorKind) -> DecorLook:
    """A thing with its own tiles."""
    width, height = kind.width, kind.height
    tiles = sheet.tiles(table["tiles"], width, height)
    variants, origins = sheet.joined(table["tiles"].place, tiles, sheet.weights(table, "weights", len(tiles)))
    overlay = sheet.tiles(table["overlay"], width) if table.has("overlay") else ()
    if overlay and len(overlay) != len(tiles):
        table["overlay"].fail(f"has {len(overlay)} tiles; give one per tile of `tiles`")
    if width > 1 and table.has("frames") and table["frames"].value != 1:
        table["frames"].fail("only things one tile wide can be animated; leave it out")
    for tile in variants.tiles:  # tiles from a [[variant]] also need space for the whole thing
        sheet.tile(table["tiles"].instead(sheet.place(tile)), width, height)
    sheet.animate(table, variants.tiles, height)
    table.done()
    return DecorLook(variants, tuple(overlay[i] for i in origins) if overlay else ())
