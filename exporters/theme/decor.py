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
    "brazier": ("fire", "red_fire", "torch", "candle"),
    "stool": ("crate", "barrel"),
    "anvil": ("block", "crate"),
    "crystal": ("tinted_rock", "rock", "block"),
    "sack": ("crate", "barrel", "pot"),
    "pillar": ("statue", "block"),
    "weapon_rack": ("bookshelf", "table", "crate"),
    "bed": ("table", "crate"),
    "workbench": ("table", "crate"),
    "spikes": (),
}


def decor_of(kinds: Kinds) -> dict[str, DecorKind]:
    """List the kinds of decor that need tiles."""
    return {kind.name: kind for kind in kinds.decor[1:]}


def read_decor(
    table: ThemeNode, sheet: TileSheet, walls: Mapping[int, Variants], kinds: Kinds, faults: Faults
) -> dict[str, DecorLook]:
    """Read all kinds of decor: own tiles, `like` another, or `hidden`, or else a substitute or a label."""
    decor = decor_of(kinds)
    known = decor_of(SHIPPED) | decor
    set_aside(table, decor, known, sheet, faults)
    own: dict[str, DecorLook] = {}
    alike: dict[str, ThemeNode] = {}
    for name, kind in known.items():
        if table.has(name) and not sheet.draws_otherwise(kind):
            with faults.aside():
                entry = table.at(name, {})
                if entry.has("like"):
                    alike[name] = entry
                else:
                    own[name] = _hidden(entry) if entry.has("hidden") else _own_tiles(entry, sheet, kind)
    looks = dict(own)
    for name, entry in alike.items():
        with faults.aside():
            model = entry["like"].text()
            if model in own or model in alike or not table.has(model):  # else its own error is reported
                looks[name] = _like(entry, sheet, known, name, own)
    stand_ins: dict[str, list[str]] = {}
    for name, kind in decor.items():
        if name in looks:
            continue
        if _may_stand_in(sheet, kind, table):
            looks[name], message = _nearest(sheet, kind, known, own, walls)
            stand_ins.setdefault(message, []).append(name)
        else:
            looks[name] = DecorLook(_label(sheet, kind, table.has(name)), ())
    for message, names in stand_ins.items():
        sheet.stand_ins.append(f"{table.place}: no tiles for {', '.join(names)}; {message}")
    return {name: looks[name] for name in decor}


def _may_stand_in(sheet: TileSheet, kind: DecorKind, table: ThemeNode) -> bool:
    """Check if a substitute is allowed. A kit's own things and those with errors are reported otherwise."""
    is_own = sheet.is_for_a_kit or kind.name not in SHIPPED.decor_ids
    return not (is_own or table.has(kind.name) or sheet.draws_otherwise(kind))


def _nearest(
    sheet: TileSheet,
    kind: DecorKind,
    known: Mapping[str, DecorKind],
    own: Mapping[str, DecorLook],
    walls: Mapping[int, Variants],
) -> tuple[DecorLook, str]:
    """Find the substitute for a missing thing, and describe it for the message.

    Players must see things that harm them, so these are never left out, nor drawn like something that stops.
    """
    if kind.walk and not kind.hazard:
        return DecorLook(Variants((EMPTY,), (1,)), ()), "nothing is drawn"
    alike = [candidate.name for candidate in known.values() if candidate[1:5] == kind[1:5]]
    blocks = [
        candidate.name for candidate in known.values() if candidate.walk == kind.walk and not candidate.hazard
    ]
    for name in (*_NEAREST.get(kind.name, ()), *alike, *([] if kind.hazard else blocks)):
        look, candidate = own.get(name), known.get(name)
        if not look or not candidate or look.variants.tiles == (EMPTY,):
            continue
        if candidate.width * candidate.height == 1 or (candidate.width, candidate.height) == (
            kind.width,
            kind.height,
        ):
            return _drawn_as(sheet, candidate, kind, look), f"{name} is used instead"
    if kind.hazard:
        label = sheet.label("decor", kind.name, True, kind.width, kind.height, reported=False)
        return DecorLook(Variants((label,), (1,)), ()), "a label is shown instead"
    tile = sheet.added.repeated(walls[MASKS[0]].tiles[0], kind.width, kind.height, kind[1:5])
    return DecorLook(Variants((tile,), (1,)), ()), "a block of the wall is used instead"


def _label(sheet: TileSheet, kind: DecorKind, is_given: bool) -> Variants:
    """Return a label for a thing without a picture, or a warning sign for one with an error."""
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
    table: ThemeNode,
    sheet: TileSheet,
    decor: Mapping[str, DecorKind],
    kind_name: str,
    own: dict[str, DecorLook],
) -> DecorLook:
    """Read the look of another kind, which has the same size or is one tile, which is repeated."""
    name = table["like"].text()
    table.done()
    model, kind = decor.get(name), decor[kind_name]
    if model is None or name not in own:
        known = [candidate for candidate, look in own.items() if look.variants.tiles != (EMPTY,)]
        table["like"].fail(f"{shown(name)} has no tiles; {hint(name, known)}")
    size = (kind.width, kind.height)
    if model.width * model.height > 1 and (model.width, model.height) != size:
        problem = (
            f"has {model.width} x {model.height} tiles; give one of {size[0]} x {size[1]}, or of one tile"
        )
        table["like"].fail(f"{shown(name)} {problem}")
    return _drawn_as(sheet, model, kind, own[name])


def _drawn_as(sheet: TileSheet, model: DecorKind, kind: DecorKind, look: DecorLook) -> DecorLook:
    """Draw a thing like another one, which has its size or is one tile, which is repeated."""
    size = (kind.width, kind.height)
    if model[1:] == kind[1:] or look.variants.tiles == (EMPTY,):
        return look
    stops = kind[1:5]  # a tile has one collision, so things that stop other bodies get copies
    if (model.width, model.height) == size:
        tiles = tuple(_copied(sheet, tile, kind, stops) for tile in look.variants.tiles)
        return DecorLook(Variants(tiles, look.variants.weights), look.overlay)
    tiles = tuple(sheet.added.repeated(tile, *size, stops) for tile in look.variants.tiles)
    return DecorLook(Variants(tiles, look.variants.weights), ())


def _copied(sheet: TileSheet, tile: AtlasIndex, kind: DecorKind, apart: object) -> AtlasIndex:
    """Copy a thing's block, or a tile with its frames."""
    animation = sheet.animations.get(tile)
    if not animation:
        return sheet.added.copied(tile, kind.width, kind.height, apart)
    copy = sheet.added.copied(tile, animation.frames, kind.height, apart)
    sheet.animations |= {copy + dy * sheet.columns: animation for dy in range(kind.height)}
    return copy


def _own_tiles(table: ThemeNode, sheet: TileSheet, kind: DecorKind) -> DecorLook:
    """Read a thing with its own tiles."""
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
