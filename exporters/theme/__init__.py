"""Themes: the atlas tiles for terrains and their neighbourhoods.

`loader` reads them; `docs/themes.md` describes the format. An atlas index is row * columns + column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from generator.errors import BadInput
from generator.kinds import SHIPPED, DecorKind, Kinds, TerrainKind
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from exporters.theme.file import ThemeFiles

AtlasIndex = int

EMPTY: AtlasIndex = -1
"""No tile: on an empty place of a layer, and for a thing that a theme does not draw."""


TileBlock = tuple[AtlasIndex, int, int]
"""The top left tile of a block, and its width and height in tiles."""


class Variants(NamedTuple):
    """Interchangeable tiles, and their weights."""

    tiles: tuple[AtlasIndex, ...]
    weights: tuple[int, ...]


class Floor(NamedTuple):
    """A floor, and its tiles south of a wall (the same by default)."""

    plain: Variants
    shaded: Variants


class DoorLook(NamedTuple):
    """A door's tiles in the wall of one side: four (alone, first, middle, last), and no or four overlays."""

    open: tuple[AtlasIndex, ...]
    shut: tuple[AtlasIndex, ...]
    overlay: tuple[AtlasIndex, ...]


class Animation(NamedTuple):
    """An animation: `frames` tiles (at least two), from the first one to the right."""

    frames: int
    frame_ms: int


class DecorLook(NamedTuple):
    """The variants of a thing's top left tile, and for each the part one row higher (or no such parts).

    `overlay` is the left tile of a row as wide as the thing. Things that are not drawn are EMPTY.
    """

    variants: Variants
    overlay: tuple[AtlasIndex, ...]


class Light(NamedTuple):
    """The light colours of a look as `#rrggbb` or empty: of torches, and of places beyond their reach."""

    torch: str = ""
    ambient: str = ""


_UNLIT = Light()


class Look(NamedTuple):
    """The look of a chapter's levels: a sheet with the same tiles at the same places, and its light."""

    image: bytes
    light: Light


class TileUse(NamedTuple):
    """One meaning of an atlas tile. A tile can have several uses."""

    tile: AtlasIndex
    role: str  # floor, wall, pit, door, decor, overlay or icon
    name: str = ""  # a room kind or terrain, a kind of door, decor or marker; empty for walls and pits
    state: str = ""  # "shaded" for floors, "open" or "shut" for doors
    mask: int | None = None  # for walls and pits
    weight: int = 1  # for floors, walls, pits, decor: relative to uses that differ only in the tile


@dataclass(frozen=True, eq=False)
class Theme:
    """A theme. All its tiles are inside its image.

    `floors` by room kind or terrain name, with `default`; `walls` and `pits` by the reduced mask of a
    tile's neighbours; `doors` by kind and side; `icons` by marker kind or `KIND_VARIANT`. Floors, doors
    and decor have an entry for every kind.

    The first `own_rows` rows of tiles are those of the theme's own sheet, at the same places. If tiles had to
    be composed from parts, `image` is a copy of the sheet with these tiles below.

    `kinds` are those that it was read for, from `files`; see `loader.fitted`. `labelled` has a line for each
    of them without a picture. `map_icons` are by the icon names in the rows of room kinds.

    `looks` are by chapter; `loader.worn` returns the theme in one of them, and `districts` puts several on
    one sheet. The `name` includes the looks, because it is also the name of the theme's files.
    """

    name: str
    image: bytes = field(repr=False)  # a PNG file: the team's own, unless tiles were added
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
    stand_ins: tuple[str, ...] = ()  # one line for each missing part and its substitute
    left_out: tuple[str, ...] = ()  # those of looks for which the sheet has no space
    sources: tuple[Path, ...] = ()  # the files that the theme was read from
    light: Light = _UNLIT
    looks: Mapping[str, Look] = field(default_factory=dict, repr=False)
    look: str = ""  # the chapter of this look; empty: the plain look
    below: tuple[Theme, ...] = ()  # further looks on the same sheet, with their tiles there
    kinds: Kinds = field(default=SHIPPED, repr=False)
    files: ThemeFiles | None = field(default=None, repr=False)  # None if it was not read from files
    map_icons: Mapping[str, AtlasIndex] = field(default_factory=dict)
    labelled: tuple[str, ...] = ()
    suffix: str = ""  # of the name, to distinguish files for different kits
    named: Mapping[TileBlock, str] = field(default_factory=dict, repr=False)  # the keys that name them
    is_solid: bool = False  # void counts as stone: walls show neither an edge nor a face towards it

    @property
    def own_name(self) -> str:
        """The theme's name without the names of its looks."""
        own = self.name.removesuffix("-".join(("", "with", *(look.look or "plain" for look in self.below))))
        return own.removesuffix(f"-{self.look}") if self.look else own

    @property
    def given_name(self) -> str:
        """The theme's name as in its file."""
        return self.own_name.removesuffix(self.suffix)

    def bears(self, stem: str) -> bool:
        """Check whether the theme has files with this stem, in any look, ignoring case."""
        own, words = self.own_name.casefold(), {"with", "plain", *(look.casefold() for look in self.looks)}
        looks = stem.casefold().removeprefix(own).removeprefix("-").split("-")
        return stem.casefold() == own or (stem.casefold().startswith(f"{own}-") and words.issuperset(looks))

    @property
    def sheets(self) -> tuple[Theme, ...]:
        """All looks on the sheet, from top to bottom: this one, and those below."""
        return self, *self.below

    @property
    def sheet_tiles(self) -> int:
        """The number of tiles of one look."""
        return self.columns * self.rows // len(self.sheets)

    def at(self, index: AtlasIndex) -> tuple[int, int]:
        """Return the column and row of an atlas index."""
        return index % self.columns, index // self.columns

    def at_px(self, index: AtlasIndex) -> tuple[int, int]:
        """Return the left and top edge of a tile in the image, in px."""
        column, row = self.at(index)
        pitch = self.tile_size + self.spacing
        return self.margin + column * pitch, self.margin + row * pitch

    def uses(self) -> tuple[TileUse, ...]:
        """Return all uses of tiles, ascending, without repeats, and only of animation frame 0."""
        return _sorted_uses(self)


def lit(theme: Theme, option: str, *needed: str) -> Light:
    """Return a theme's light. Raises BadInput if it lacks a colour that an option needs, torch or ambient."""
    for name in needed:
        if not getattr(theme.light, name):
            problem = f"the theme {theme.name} has no {name}_light; give it in the theme's file"
            raise BadInput(f"{option}: {problem}")
    return theme.light


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
        decor = theme.decor[kind.name]
        for dy in range(kind.height):
            for dx in range(kind.width):
                use, step = TileUse(0, "decor", kind.name), dy * theme.columns + dx
                yield from _variant_uses(decor.variants, use, step)
        tops = (top for top in decor.overlay if top != EMPTY)
        yield from (TileUse(top + dx, "overlay", kind.name) for top in tops for dx in range(kind.width))
    yield from (TileUse(tile, "icon", name) for name, tile in theme.icons.items())
    for below in theme.below:
        yield from _uses(below)


def _variant_uses(variants: Variants, use: TileUse, step: int = 0) -> Iterator[TileUse]:
    """Yield `use` for each variant, at the tile `step` further on. A tile named twice gets both weights."""
    weights: dict[AtlasIndex, int] = {}
    for tile, weight in zip(variants.tiles, variants.weights, strict=True):
        weights[tile] = weights.get(tile, 0) + weight
    _, role, name, state, mask, _ = use
    for tile, weight in weights.items():
        if tile != EMPTY:
            yield TileUse(tile + step, role, name, state, mask, weight)


# --- the looks on one sheet, for all formats ---------------------------------------------------------


def look_suffixed(name: str, look: Theme, theme: Theme) -> str:
    """Return a name for the tiles of a look on a theme's sheet: as it is for the first one."""
    return name if look is theme else f"{name}_{look.look or 'plain'}"


def sheet_name(theme: Theme, name: str, tile: AtlasIndex) -> str:
    """Return a name for a tile, with that of its look."""
    return look_suffixed(name, theme.sheets[tile // theme.sheet_tiles], theme)


def lights_of(theme: Theme) -> dict[str, str]:
    """Return the light colours that a theme has: `torch_light`, `ambient_light`, `torch_light_LOOK`.

    Each look on the sheet has its own torches; the places beyond their reach have the light of the first.
    """
    lights = {f"{name}_light": colour for name, colour in theme.light._asdict().items()}
    lights |= {look_suffixed("torch_light", look, theme): look.light.torch for look in theme.below}
    return {name: colour for name, colour in lights.items() if colour}


# --- what tiles mean in a game, for all formats ------------------------------------------------------

# If a tile has several uses, the first in this list counts. Icons are not on maps.
ROLES = ("wall", "door", "pit", "decor", "floor", "overlay")

_NO_FLOORS = (
    "void",
    "wall",
    "pit",
)  # terrains without a floor tile: a floor with such a name is that of a room kind


class Passing(NamedTuple):
    """Who can pass a tile, and whether it hurts to stand there."""

    walk: bool = True
    fly: bool = True
    shoot: bool = True
    hazard: bool = False

    @property
    def stopped(self) -> tuple[str, ...]:
        """Who cannot pass."""
        return tuple(way for way in ("walk", "fly", "shoot") if not getattr(self, way))


@lru_cache(maxsize=16)
def foremost_uses(theme: Theme) -> Mapping[int, TileUse]:
    """Return every tile of the theme that can be on a map, in ascending order, with its main use.

    If several floors use it, the first one in the theme counts.
    """
    floors = {name: index for index, name in enumerate(theme.floors)}
    best: dict[int, tuple[tuple[int, str, int], TileUse]] = {}
    for use in theme.uses():
        if use.role in ROLES:
            rank = ROLES.index(use.role), use.state, floors.get(use.name, 0)
            if use.tile not in best or rank < best[use.tile][0]:
                best[use.tile] = rank, use
    return MappingProxyType({tile: best[tile][1] for tile in sorted(best)})


def terrain_of(use: TileUse, kinds: Kinds) -> str | None:
    """Return the terrain's name, or None for things on or above a terrain."""
    if use.role == "floor":
        return use.name if use.name in kinds.terrain_ids and use.name not in _NO_FLOORS else "floor"
    return use.role if use.role in ("wall", "pit", "door") else None


def passing(use: TileUse, kinds: Kinds) -> Passing:
    """Find who can pass a tile. A shut door stops everything, an overlay stops nothing."""
    if use.role == "door" and use.state == "shut":
        return Passing(False, False, False)
    kind: TerrainKind | DecorKind
    if use.role == "decor":
        kind = kinds.decor[kinds.decor_ids[use.name]]
    elif terrain := terrain_of(use, kinds):
        kind = kinds.terrain[kinds.terrain_ids[terrain]]
    else:
        return Passing()
    return Passing(kind.walk, kind.fly, kind.shoot, kind.hazard)
