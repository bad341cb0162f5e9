"""The sheet of tiles that a theme's tables point into, those added to it, and further looks of some."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from exporters.theme import Animation, AtlasIndex, TileBlock, Variants
from exporters.theme.compose import Additions, Geometry
from exporters.theme.file import Table
from exporters.theme.tileset import AtlasCoords, Terrain, TilesetFile
from generator.errors import ThemeError, shown
from generator.kinds import SHIPPED, DecorKind

_MOST_TILES = 256  # in one list
_MOST_WEIGHT = 10_000
_MOST_WEIGHTS = (1 << 32) - 1  # together: what one draw can tell apart
_FIRST_WEIGHT = 10  # of the tile that a [[variant]] names


class TileSheet:
    """The tiles of the image, those added to it, and the further looks that `[[variant]]` gives to some."""

    def __init__(self, geometry: Geometry, where: str, tileset: TilesetFile | None = None) -> None:
        self.columns = geometry.columns
        self.rows = geometry.rows
        self.added = Additions(geometry, where)
        self.stand_ins: list[str] = []  # what is drawn for what the theme does not name, a line each
        self.unread: list[str] = []  # keys of kinds that this kit does not have
        self.labelled: list[str] = []  # keys of kinds that have no picture
        self.named: dict[TileBlock, str] = {}  # what tables name, and their keys
        self.is_built_in = False
        self.is_solid = False  # the stone goes on behind the walls
        self.is_for_a_kit = False  # which may have none of the shipped kinds
        self.is_for_another_kit = False
        self.animations: dict[AtlasIndex, Animation] = {}
        self._tileset = tileset
        self._extra: dict[AtlasIndex, list[tuple[AtlasIndex, int]]] = {}
        self._idle: dict[AtlasIndex, str] = {}  # what no list has named yet, and where it stands

    def tile(self, table: Table, key: str, given: object, width: int = 1, height: int = 1) -> AtlasIndex:
        """The atlas index of `[column, row]`, the top left of a block of tiles inside the sheet."""
        if not isinstance(given, list) or len(given) != 2 or not all(type(part) is int for part in given):
            raise ThemeError(f"{table.where(key)}: {shown(given)} is no tile; give [column, row]")
        column, row = given
        if not (0 <= column <= self.columns - width and 0 <= row <= self.rows - height):
            block = f", which takes {width} x {height} tiles," if width * height > 1 else ""
            remedy = "give [column, row], counted from 0, a larger image or another tile_size"
            raise ThemeError(
                f"{table.where(key)}: {shown(given)}{block} lies outside the sheet of "
                f"{self.columns} x {self.rows} tiles; {remedy}"
            )
        tile = int(row * self.columns + column)
        self.named.setdefault((tile, width, height), table.where(key).removeprefix(table.file))
        return tile

    def tiles(self, table: Table, key: str, width: int = 1, height: int = 1) -> tuple[AtlasIndex, ...]:
        """A list of tiles, each with its block inside the sheet."""
        given = table.sequence(key)
        if len(given) > _MOST_TILES:
            raise ThemeError(f"{table.where(key)}: has {len(given)} tiles; give at most {_MOST_TILES}")
        if len(given) == 2 and all(type(part) is int for part in given):
            raise ThemeError(f"{table.where(key)}: {given} is one tile; give a list of them, [{given}]")
        return tuple(self.tile(table, key, one, width, height) for one in given)

    def label(
        self, part: str, name: str, filled: bool = True, width: int = 1, height: int = 1, told: bool = True
    ) -> AtlasIndex:
        """The top left tile of a block with the name of something that has no picture."""
        if told:
            size = f", {width} x {height} tiles" if width * height > 1 else ""
            self.labelled.append(f"{part}.{name}: is left to draw{size}; a label stands in")
        return self.added.label(part, name, filled, width, height)

    def draws_otherwise(self, kind: DecorKind) -> bool:
        """Whether the theme draws a thing in another size: the built-in one knows the shipped sizes alone."""
        number = SHIPPED.decor_ids.get(kind.name)
        return self.is_built_in and number is not None and SHIPPED.decor[number][-2:] != kind[-2:]

    def terrain(self, table: Table) -> tuple[Terrain, TilesetFile]:
        """The terrain of the theme's tileset that the table's key `terrain` names."""
        name, where = table.text("terrain"), table.where("terrain")
        if self._tileset is None:
            raise ThemeError(f"{where}: {shown(name)} needs a tileset; give `tileset` at the file's top")
        return self._tileset.terrain(name, where), self._tileset

    def placed(self, tiles: Mapping[AtlasCoords, int], table: Table) -> Variants:
        """Tiles of the tileset with their weights, each inside the sheet."""
        if len(tiles) > _MOST_TILES:
            raise ThemeError(f"{table.where('terrain')}: has {len(tiles)} tiles; at most {_MOST_TILES} serve")
        return Variants(
            tuple(self.tile(table, "terrain", list(place)) for place in tiles), tuple(tiles.values())
        )

    def animate(self, table: Table, tiles: Iterable[AtlasIndex], height: int = 1) -> None:
        """Read `frames` and `frame_ms`: each of `tiles`, and those below it, is the first of so many."""
        frames = table.integer("frames", 1, 64, default=1)
        animation = Animation(frames, table.integer("frame_ms", 10, 60_000, default=100))
        for tile in dict.fromkeys(tiles) if frames > 1 else ():
            place = self.place(tile)
            if tile >= self.columns * self.rows:
                raise ThemeError(f"{table.where('frames')}: tiles put together from parts cannot be animated")
            self.tile(table, "tiles", place, frames, height)
            for dy in range(height):
                if self.animations.setdefault(tile + dy * self.columns, animation) != animation:
                    raise ThemeError(f"{table.where('frames')}: {place} is animated twice, otherwise")

    def place(self, tile: AtlasIndex) -> list[object]:
        """`[column, row]`, as themes have it."""
        return [tile % self.columns, tile // self.columns]

    def read_extra(self, tables: list[Table]) -> None:
        """Take in the `[[variant]]` tables."""
        for table in tables:
            of = self.tile(table, "of", table.raw("of"))
            tiles = self.tiles(table, "tiles")
            extra = self._extra.setdefault(of, [])
            extra += zip(tiles, self.weights(table, "weights", len(tiles)), strict=True)
            if len(extra) > _MOST_TILES:
                raise ThemeError(f"{table.where('tiles')}: too many variants; give at most {_MOST_TILES}")
            self._idle[of] = table.where("of")
            table.done()

    def refuse_idle_extra(self) -> None:
        """Refuse variants of a tile that stands in no list of variants."""
        for of, where in () if self.unread else self._idle.items():
            raise ThemeError(
                f"{where}: {self.place(of)} is no tile of a floor, wall, pit or decor; name one that is"
            )

    def joined(
        self, where: str, tiles: tuple[AtlasIndex, ...], weights: list[int]
    ) -> tuple[Variants, list[int]]:
        """`tiles` with the further looks of each, and for each of these the place in `tiles` it came from.

        A tile of weight w with looks 10 : a : b shares its w out among them in that proportion; all
        weights are multiplied by what keeps them whole.
        """
        for tile in tiles:
            self._idle.pop(tile, None)
        if self._extra.keys().isdisjoint(tiles):
            return Variants(tiles, tuple(weights)), list(range(len(tiles)))
        extra = self._extra
        looks = [[(tile, _FIRST_WEIGHT), *extra[tile]] if tile in extra else [(tile, 1)] for tile in tiles]
        totals = [sum(weight for _, weight in look) for look in looks]
        whole = 1
        for total in totals:
            whole = math.lcm(whole, total)
            if whole > _MOST_WEIGHTS:
                break
        if whole * sum(weights) > _MOST_WEIGHTS:
            remedy = "give rounder ones"
            raise ThemeError(f"{where}: its weights and its variants' do not fit together; {remedy}")
        out = [
            (tile, weights[i] * weight * (whole // totals[i]), i)
            for i, look in enumerate(looks)
            for tile, weight in look
        ]
        joined = Variants(tuple(tile for tile, _, _ in out), tuple(weight for _, weight, _ in out))
        return joined, [i for _, _, i in out]

    def variants(self, table: Table, key: str, weights: list[int] | None = None) -> Variants:
        """A list of single tiles with the further looks of each; equal weights if none are given."""
        tiles = self.tiles(table, key)
        return self.joined(table.where(key), tiles, weights or [1] * len(tiles))[0]

    @staticmethod
    def weights(table: Table, key: str, count: int) -> list[int]:
        """As many weights as there are tiles, 1 each if none are given."""
        if not table.has(key):
            return [1] * count
        given = table.sequence(key)
        if len(given) != count:
            raise ThemeError(f"{table.where(key)}: has {len(given)} weights for {count} tiles; give {count}")
        return [table.checked_integer(key, one, 1, _MOST_WEIGHT) for one in given]
