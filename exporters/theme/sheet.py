"""The sheet of tiles that a theme's tables refer to, with added tiles and extra variants."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from exporters.theme import Animation, AtlasIndex, TileBlock, Variants
from exporters.theme.compose import Additions, Geometry
from exporters.theme.file import ThemeNode
from exporters.theme.limits import FRAME_MS, FRAMES, MOST_TILES, WEIGHT
from exporters.theme.tileset import AtlasCoords, Terrain, TilesetFile
from generator.errors import ThemeError, shown
from generator.kinds import SHIPPED, DecorKind

_MOST_WEIGHTS = (1 << 32) - 1  # in total: the resolution of one random draw
_FIRST_WEIGHT = 10  # the weight of the tile that a [[variant]] names


class TileSheet:
    """The tiles of the image, those added to it, and the variants from `[[variant]]` tables."""

    def __init__(self, geometry: Geometry, where: str, tileset: TilesetFile | None = None) -> None:
        self.columns = geometry.columns
        self.rows = geometry.rows
        self.added = Additions(geometry, where)
        self.stand_ins: list[str] = []  # one line for each missing part and its substitute
        self.unread: list[str] = []  # keys of kinds that this kit does not have
        self.labelled: list[str] = []  # keys of kinds that have no picture
        self.named: dict[TileBlock, str] = {}  # the blocks that tables name, and the keys
        self.is_built_in = False
        self.is_solid = False  # the stone continues behind the walls
        self.is_for_a_kit = False  # a kit may lack shipped kinds
        self.is_for_another_kit = False
        self.animations: dict[AtlasIndex, Animation] = {}
        self._tileset = tileset
        self._extra: dict[AtlasIndex, list[tuple[AtlasIndex, int]]] = {}
        self._idle: dict[AtlasIndex, str] = {}  # tiles of variants not named by a list yet, and their places

    def tile(self, node: ThemeNode, width: int = 1, height: int = 1) -> AtlasIndex:
        """The atlas index of `[column, row]`, the top left of a block of tiles inside the sheet."""
        given = node.value
        if not isinstance(given, list) or len(given) != 2 or not all(type(part) is int for part in given):
            node.fail(f"{shown(given)} is not a tile; give [column, row]")
        column, row = given
        if not (0 <= column <= self.columns - width and 0 <= row <= self.rows - height):
            block = f", which takes {width} x {height} tiles," if width * height > 1 else ""
            remedy = "give [column, row], counted from 0, a larger image or another tile_size"
            node.fail(
                f"{shown(given)}{block} is outside the sheet of {self.columns} x {self.rows} tiles; {remedy}"
            )
        tile = int(row * self.columns + column)
        self.named.setdefault((tile, width, height), node.path)
        return tile

    def tiles(self, node: ThemeNode, width: int = 1, height: int = 1) -> tuple[AtlasIndex, ...]:
        """A list of tiles, whose blocks must be inside the sheet."""
        tiles = node.items(MOST_TILES, 1)
        if len(tiles) == 2 and all(type(tile.value) is int for tile in tiles):
            node.fail(f"{node.value} is one tile; give a list of them, [{node.value}]")
        return tuple(self.tile(tile, width, height) for tile in tiles)

    def label(
        self,
        part: str,
        name: str,
        filled: bool = True,
        width: int = 1,
        height: int = 1,
        reported: bool = True,
    ) -> AtlasIndex:
        """The top left tile of a block with a label, for a kind without a picture."""
        if reported:
            size = f", {width} x {height} tiles" if width * height > 1 else ""
            self.labelled.append(f"{part}.{name}: is still to be drawn{size}; a label is shown instead")
        return self.added.label(part, name, filled, width, height)

    def draws_otherwise(self, kind: DecorKind) -> bool:
        """Whether the theme cannot draw a kind's size: the built-in theme has only the shipped sizes."""
        number = SHIPPED.decor_ids.get(kind.name)
        return self.is_built_in and number is not None and SHIPPED.decor[number][-2:] != kind[-2:]

    def terrain(self, table: ThemeNode) -> tuple[Terrain, TilesetFile]:
        """The terrain that the table's key `terrain` names in the theme's tileset."""
        node = table["terrain"]
        name = node.text()
        if self._tileset is None:
            node.fail(f"{shown(name)} needs a tileset; give `tileset` at the file's top")
        return self._tileset.terrain(name, node.place), self._tileset

    def placed(self, tiles: Mapping[AtlasCoords, int], table: ThemeNode) -> Variants:
        """Tiles of the tileset with their weights; all must be inside the sheet."""
        node = table["terrain"]
        if len(tiles) > MOST_TILES:
            node.fail(f"has {len(tiles)} tiles; at most {MOST_TILES} can be used")
        return Variants(tuple(self.tile(node.instead(list(place))) for place in tiles), tuple(tiles.values()))

    def animate(self, table: ThemeNode, tiles: Iterable[AtlasIndex], height: int = 1) -> None:
        """Read `frames` and `frame_ms`; each of `tiles`, and the tiles below it, starts an animation."""
        node = table.at("frames", 1)
        frames = node.number(*FRAMES)
        animation = Animation(frames, table.at("frame_ms", 100).number(*FRAME_MS))
        for tile in dict.fromkeys(tiles) if frames > 1 else ():
            place = self.place(tile)
            if tile >= self.columns * self.rows:
                node.fail("tiles put together from parts cannot be animated; leave it out")
            self.tile(table.at("tiles", place).instead(place), frames, height)
            for dy in range(height):
                if self.animations.setdefault(tile + dy * self.columns, animation) != animation:
                    node.fail(f"{place} is animated twice, in different ways; keep one")

    def place(self, tile: AtlasIndex) -> list[object]:
        """`[column, row]`, as in themes."""
        return [tile % self.columns, tile // self.columns]

    def read_extra(self, tables: list[ThemeNode]) -> None:
        """Read the `[[variant]]` tables."""
        for table in tables:
            of = self.tile(table["of"])
            tiles = self.tiles(table["tiles"])
            extra = self._extra.setdefault(of, [])
            extra += zip(tiles, self.weights(table, "weights", len(tiles)), strict=True)
            if len(extra) > MOST_TILES:
                table["tiles"].fail(f"too many variants; give at most {MOST_TILES}")
            self._idle[of] = table["of"].place
            table.done()

    def refuse_idle_extra(self) -> None:
        """Refuse variants of tiles that cannot have any."""
        for of, where in () if self.unread else self._idle.items():
            raise ThemeError(
                f"{where}: {self.place(of)} is not a tile of a floor, wall, pit or decor; give one that is"
            )

    def joined(
        self, where: str, tiles: tuple[AtlasIndex, ...], weights: list[int]
    ) -> tuple[Variants, list[int]]:
        """`tiles` with their extra variants, and for each result the index in `tiles` that it came from.

        A tile's weight w is divided among its variants in their proportion 10 : a : b. All weights are
        multiplied by a common factor to keep them whole.
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
            remedy = "give rounder numbers"
            raise ThemeError(f"{where}: its weights and its variants' do not fit together; {remedy}")
        out = [
            (tile, weights[i] * weight * (whole // totals[i]), i)
            for i, look in enumerate(looks)
            for tile, weight in look
        ]
        joined = Variants(tuple(tile for tile, _, _ in out), tuple(weight for _, weight, _ in out))
        return joined, [i for _, _, i in out]

    def variants(self, node: ThemeNode, weights: list[int] | None = None) -> Variants:
        """A list of single tiles with their extra variants; weights are equal by default."""
        tiles = self.tiles(node)
        return self.joined(node.place, tiles, weights or [1] * len(tiles))[0]

    @staticmethod
    def weights(table: ThemeNode, key: str, count: int) -> list[int]:
        """One weight per tile; 1 by default."""
        if not table.has(key):
            return [1] * count
        weights = table[key].items()
        if len(weights) != count:
            table[key].fail(f"has {len(weights)} weights for {count} tiles; give {count}")
        return [weight.number(*WEIGHT) for weight in weights]
