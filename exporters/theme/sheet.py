"""The sheet of tiles that a theme's tables refer to, with added tiles and extra variants."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from exporters.theme import Animation, AtlasIndex, TileBlock, Variants
from exporters.theme.compose import Additions, Geometry
from exporters.theme.file import FRAME_MS, FRAMES, MAX_TILES, WEIGHT, ThemeNode
from exporters.theme.tileset import AtlasCoords, Terrain, TilesetFile
from generator.errors import ThemeError, shown
from generator.kinds import SHIPPED, DecorKind

_MAX_WEIGHTS = (1 << 32) - 1  # in total: the resolution of one random draw
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
        """Return the atlas index of `[column, row]`, the top left of a block inside the sheet."""
        value = node.value
        if not isinstance(value, list) or len(value) != 2 or not all(type(part) is int for part in value):
            node.fail(f"{shown(value)} is not a tile; give [column, row]")
        column, row = value
        if not (0 <= column <= self.columns - width and 0 <= row <= self.rows - height):
            block = f", which takes {width} x {height} tiles," if width * height > 1 else ""
            remedy = "give [column, row], counted from 0, a larger image or another tile_size"
            node.fail(
                f"{shown(value)}{block} is outside the sheet of {self.columns} x {self.rows} tiles; {remedy}"
            )
        tile = int(row * self.columns + column)
        covered = tile, width, height
        if covered not in self.named:
            self.named[covered] = node.path
        return tile

    def tiles(self, node: ThemeNode, width: int = 1, height: int = 1) -> tuple[AtlasIndex, ...]:
        """Read a list of tiles, whose blocks must be inside the sheet."""
        tiles = node.items(MAX_TILES, 1)
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
        """Add a label for a kind without a picture. Return the block's top left tile."""
        if reported:
            size = f", {width} x {height} tiles" if width * height > 1 else ""
            self.labelled.append(f"{part}.{name}: is still to be drawn{size}; a label is shown instead")
        return self.added.label(part, name, filled, width, height)

    def draws_otherwise(self, kind: DecorKind) -> bool:
        """Check whether the theme cannot draw a kind's size. The built-in one has only the shipped sizes."""
        number = SHIPPED.decor_ids.get(kind.name)
        return self.is_built_in and number is not None and SHIPPED.decor[number][-2:] != kind[-2:]

    def terrain(self, table: ThemeNode) -> tuple[Terrain, TilesetFile]:
        """Find the terrain that the table's key `terrain` names in the theme's tileset."""
        node = table["terrain"]
        name = node.text()
        if self._tileset is None:
            node.fail(f"{shown(name)} needs a tileset; give `tileset` at the file's top")
        return self._tileset.terrain(name, node.place), self._tileset

    def placed(self, tiles: Mapping[AtlasCoords, int], table: ThemeNode) -> Variants:
        """Place tiles of the tileset with their weights. All must be inside the sheet."""
        node = table["terrain"]
        if len(tiles) > MAX_TILES:
            node.fail(f"has {len(tiles)} tiles; at most {MAX_TILES} can be used")
        return Variants(
            tuple(self.tile(node.instead(list(coords))) for coords in tiles), tuple(tiles.values())
        )

    def animate(self, table: ThemeNode, tiles: Iterable[AtlasIndex], height: int = 1) -> None:
        """Read `frames` and `frame_ms`. Each of `tiles`, and the tiles below it, starts an animation."""
        node = table.at("frames", 1)
        frames = node.number(*FRAMES)
        animation = Animation(frames, table.at("frame_ms", 100).number(*FRAME_MS))
        for tile in dict.fromkeys(tiles) if frames > 1 else ():
            position = self.place(tile)
            if tile >= self.columns * self.rows:
                node.fail("tiles put together from parts cannot be animated; leave it out")
            self.tile(table.at("tiles", position).instead(position), frames, height)
            for dy in range(height):
                if self.animations.setdefault(tile + dy * self.columns, animation) != animation:
                    node.fail(f"{position} is animated twice, in different ways; keep one")

    def place(self, tile: AtlasIndex) -> list[object]:
        """Return `[column, row]`, as in themes."""
        return [tile % self.columns, tile // self.columns]

    def read_extra(self, tables: list[ThemeNode]) -> None:
        """Read the `[[variant]]` tables."""
        for table in tables:
            of = self.tile(table["of"])
            tiles = self.tiles(table["tiles"])
            extra = self._extra.setdefault(of, [])
            extra += zip(tiles, self.weights(table, "weights", len(tiles)), strict=True)
            if len(extra) > MAX_TILES:
                table["tiles"].fail(f"too many variants; give at most {MAX_TILES}")
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
        """Add extra variants to `tiles`. Also return, for each result, its source's index in `tiles`.

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
        factor = 1
        for total in totals:
            factor = math.lcm(factor, total)
            if factor > _MAX_WEIGHTS:
                break
        if factor * sum(weights) > _MAX_WEIGHTS:
            remedy = "give rounder numbers"
            raise ThemeError(f"{where}: its weights and its variants' do not fit together; {remedy}")
        out = [
            (tile, weights[i] * weight * (factor // totals[i]), i)
            for i, look in enumerate(looks)
            for tile, weight in look
        ]
        joined = Variants(tuple(tile for tile, _, _ in out), tuple(weight for _, weight, _ in out))
        return joined, [i for _, _, i in out]

    def equal(self, node: ThemeNode) -> Variants:
        """Read a list of single tiles with their extra variants, all of the same weight."""
        tiles = self.tiles(node)
        return self.joined(node.place, tiles, [1] * len(tiles))[0]

    def variants(self, table: ThemeNode, key: str, weights: str) -> Variants:
        """Read a list of single tiles with their extra variants. `weights` is the key of their weights."""
        shares = self.weights(table, weights, len(table[key].items(least=1)))
        return self.joined(table[key].place, self.tiles(table[key]), shares)[0]

    @staticmethod
    def weights(table: ThemeNode, key: str, count: int) -> list[int]:
        """Read one weight per tile, 1 by default."""
        if not table.has(key):
            return [1] * count
        weights = table[key].items()
        if len(weights) != count:
            table[key].fail(f"has {len(weights)} weights for {count} tiles; give {count}")
        return [weight.number(*WEIGHT) for weight in weights]
