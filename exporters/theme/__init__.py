"""Themes: which atlas tile stands for which terrain and neighbourhood.

`loader` reads them; `docs/themes.md` describes the format. An atlas index is row * columns + column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.kinds import SHIPPED, Kinds

if TYPE_CHECKING:
    from exporters.theme.file import ThemeFiles

AtlasIndex = int

EMPTY: AtlasIndex = -1
"""No tile: where a layer has none, and a thing that a theme leaves undrawn."""


TileBlock = tuple[AtlasIndex, int, int]
"""The top left tile of a block, and how many tiles wide and high it is."""


class Variants(NamedTuple):
    """Tiles that may stand for one another, and how often each does against the others."""

    tiles: tuple[AtlasIndex, ...]
    weights: tuple[int, ...]


class Floor(NamedTuple):
    """A floor, and the same where a wall stands to the north (the same tiles by default)."""

    plain: Variants
    shaded: Variants


class DoorLook(NamedTuple):
    """A door's tiles in one side's wall: four each (alone, first, middle, last), or an empty overlay."""

    open: tuple[AtlasIndex, ...]
    shut: tuple[AtlasIndex, ...]
    overlay: tuple[AtlasIndex, ...]


class Animation(NamedTuple):
    """Frames that follow to the right of a tile: `frames` in all, at least two."""

    frames: int
    frame_ms: int


class DecorLook(NamedTuple):
    """A thing's top left tiles, a choice of them, and each one's top one row higher (or none at all).

    `overlay` names the left tile of a row as wide as the thing. One that is not drawn is EMPTY.
    """

    variants: Variants
    overlay: tuple[AtlasIndex, ...]


class Light(NamedTuple):
    """The colours of a look's light as `#rrggbb`: of torches, and of what no torch reaches; may be empty."""

    torch: str = ""
    ambient: str = ""


_UNLIT = Light()


class Look(NamedTuple):
    """What a chapter's levels look like: a sheet with the same tiles at the same places, and its light."""

    image: bytes
    light: Light


class TileUse(NamedTuple):
    """One thing that an atlas tile stands for; a tile can have several uses."""

    tile: AtlasIndex
    role: str  # floor, wall, pit, door, decor, overlay or icon
    name: str = ""  # a room kind or terrain, a kind of door, decor or marker; empty for walls and pits
    state: str = ""  # "shaded" for floors, "open" or "shut" for doors
    mask: int | None = None  # of walls and pits
    weight: int = 1  # of floors, walls, pits, decor: against the others of the same role, name, state, mask


@dataclass(frozen=True, eq=False)
class Theme:
    """A theme whose every tile lies in its image.

    `floors` by room kind or terrain name, with `default`; `walls` and `pits` by the reduced mask of a
    tile's neighbours; `doors` by kind and side; `icons` by marker kind or `KIND_VARIANT`. Floors, doors
    and decor have an entry for every kind that there is.

    The first `own_rows` rows of tiles are those of the team's own sheet, at the places that they have
    there. Where tiles had to be put together from parts, `image` is a copy of the sheet with these below.

    `kinds` are those that it was read for, from `files`; see `loader.fitted`. `labelled` says what of theirs
    has no picture, a line each. `map_icons` are by the name that rows of rooms have for them.

    `looks` by chapter; see `looks.worn`, which makes a theme in one of them. Its `name` says which, as it
    is what its files are called.
    """

    name: str
    image: bytes = field(repr=False)  # a PNG file: the team's own as it is, unless tiles were added
    tile_size: int  # px
    margin: int  # px
    spacing: int  # px
    columns: int
    rows: int
    floors: Mapping[str, Floor]
    walls: Mapping[int, Variants]
    pits: Mapping[int, Variants]
    doors: Mapping[tuple[str, str], DoorLook]
    decor: Mapping[str, DecorLook]
    icons: Mapping[str, AtlasIndex]
    animations: Mapping[AtlasIndex, Animation] = field(default_factory=dict)
    path: Path | None = None
    own_rows: int = 0
    stand_ins: tuple[str, ...] = ()  # what the theme does not name, and what is drawn for it: a line each
    sources: tuple[Path, ...] = ()  # the files that all this was read from
    light: Light = _UNLIT
    looks: Mapping[str, Look] = field(default_factory=dict, repr=False)
    look: str = ""  # the chapter whose look this is; empty: the plain one
    kinds: Kinds = field(default=SHIPPED, repr=False)
    files: ThemeFiles | None = field(default=None, repr=False)  # what it was read from; None if it was not
    map_icons: Mapping[str, AtlasIndex] = field(default_factory=dict)
    labelled: tuple[str, ...] = ()
    suffix: str = ""  # of the name: what tells its files from those for other kits
    named: Mapping[TileBlock, str] = field(default_factory=dict, repr=False)  # by the keys that name them
    is_solid: bool = False  # void is stone for the walls: they show neither an edge nor a face to it

    @property
    def own_name(self) -> str:
        """The theme's name without that of a look."""
        return self.name.removesuffix(f"-{self.look}") if self.look else self.name

    @property
    def given_name(self) -> str:
        """The theme's name as its file says it."""
        return self.own_name.removesuffix(self.suffix)

    def bears(self, stem: str) -> bool:
        """Whether files of that stem are the theme's own, in whichever look and case."""
        names = (self.own_name, *(f"{self.own_name}-{look}" for look in self.looks))
        return stem.casefold() in {name.casefold() for name in names}

    def at(self, index: AtlasIndex) -> tuple[int, int]:
        """Column and row of an atlas index."""
        return index % self.columns, index // self.columns

    def at_px(self, index: AtlasIndex) -> tuple[int, int]:
        """Left and top edge of a tile in the image, px."""
        column, row = self.at(index)
        pitch = self.tile_size + self.spacing
        return self.margin + column * pitch, self.margin + row * pitch

    def uses(self) -> tuple[TileUse, ...]:
        """Every tile that is used and what for, ascending, without repeats; animation frame 0 only."""
        return _sorted_uses(self)


@lru_cache(maxsize=16)
def _sorted_uses(theme: Theme) -> tuple[TileUse, ...]:
    return tuple(sorted(set(_uses(theme)), key=_use_order))


def _use_order(use: TileUse) -> tuple[object, ...]:
    return use.tile, use.role, use.name, use.state, -1 if use.mask is None else use.mask, use.weight


def _uses(theme: Theme) -> Iterator[TileUse]:
    for name, floor in theme.floors.items():
        for state, variants in (("", floor.plain), ("shaded", floor.shaded)):
            if not (state and floor.shaded == floor.plain):
                yield from _variant_uses(variants, TileUse(0, "floor", name, state))
    for role, by_mask in (("wall", theme.walls), ("pit", theme.pits)):
        for mask, variants in by_mask.items():
            yield from _variant_uses(variants, TileUse(0, role, mask=mask))
    for (name, _side), look in theme.doors.items():
        for state, tiles in (("open", look.open), ("shut", look.shut)):
            yield from (TileUse(tile, "door", name, state) for tile in tiles)
        yield from (TileUse(tile, "overlay", name) for tile in look.overlay)
    for kind in theme.kinds.decor[1:]:
        thing = theme.decor[kind.name]
        for dy in range(kind.height):
            for dx in range(kind.width):
                use, step = TileUse(0, "decor", kind.name), dy * theme.columns + dx
                yield from _variant_uses(thing.variants, use, step)
        tops = (top for top in thing.overlay if top != EMPTY)
        yield from (TileUse(top + dx, "overlay", kind.name) for top in tops for dx in range(kind.width))
    yield from (TileUse(tile, "icon", name) for name, tile in theme.icons.items())


def _variant_uses(variants: Variants, use: TileUse, step: int = 0) -> Iterator[TileUse]:
    """`use` for each of `variants`, whose tile is `step` further; a tile named twice has both weights."""
    weights: dict[AtlasIndex, int] = {}
    for tile, weight in zip(variants.tiles, variants.weights, strict=True):
        weights[tile] = weights.get(tile, 0) + weight
    _, role, name, state, mask, _ = use
    for tile, weight in weights.items():
        if tile != EMPTY:
            yield TileUse(tile + step, role, name, state, mask, weight)
