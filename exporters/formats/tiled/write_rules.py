"""Automapping rules: who paints the layer `Sketch` gets the tiles that a level of the theme has there.

    rules/rules.txt                   lists the maps of rules, which Tiled applies one after the other
    rules/THEME-sketch.tsj            the tiles to paint with: floor, wall, pit, door, torch
    rules/THEME-1-floors.tmj          floors, pits and doors, and where walls are, in place of what was there
    rules/THEME-2-tops.tmj            where the tops and the outer faces of walls are
    rules/THEME-3-walls.tmj           which tile of a wall, by its neighbours; torches

A map of rules has the layers `input_Sketch`, `inputnot_Sketch`, `output_Ground` and so on. Tiles that touch
are one rule: where the inputs are found, the outputs are put. Several layers of the same input hold
alternatives. What follows `output` names a set, of which one is chosen by the layers' property `Probability`.

    input_Sketch   #        output_Ground   .       a floor south of a wall is shaded
                   f                        s

The first two maps leave the sketch's wall in Walls, so that the third one knows all walls.

(Sources: Tiled's manual, "Automapping", and its `automapper.cpp`. The rules are those of `exporters.dress`.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import numpy.typing as npt

from exporters import blob
from exporters.bundle import Bundle
from exporters.formats.tiled.names import RULES, SKETCH
from exporters.formats.tiled.syntax.text import TILED_VERSION, VERSION, Lines, document, properties
from exporters.theme import EMPTY, AtlasIndex, Theme, Variants
from exporters.theme.file import png_size
from generator.geometry import Point, Side
from generator.named_tuple import NamedTuple

_FOLDER = RULES.rpartition("/")[0]

FLOOR, WALL, PIT, DOOR, TORCH = range(5)
"""The tiles of the sketch, in their order."""

_STONE = (WALL, TORCH)
_OPEN = (FLOOR, PIT)  # what a door leads to
_AUTOMAP = ":/automap-tiles.tsx"  # Tiled's own tiles
_EMPTY, _NON_EMPTY = 3, 2  # of these
_APART = 6  # tiles from one rule to the next: one more than the largest one
_COLUMNS = 12
_WIDEST = 3  # tiles: the widest door that gets an object
_RADIUS = 2  # tiles around a painted one that may change


_RuleCells = npt.NDArray[np.int32]


class _RuleTile(NamedTuple):
    """A tile in a map of rules, of the theme, the sketch or Tiled itself."""

    source: str  # "theme", "sketch" or "automap"
    number: int


@dataclass
class _MapRule:
    """Tiles by layer and place. Alternatives of an input are several tiles at one place."""

    inputs: dict[tuple[str, Point], tuple[_RuleTile, ...]] = field(default_factory=dict)
    excluded: dict[tuple[str, Point], tuple[_RuleTile, ...]] = field(default_factory=dict)
    outputs: dict[tuple[str, Point], Variants] = field(default_factory=dict)
    left: dict[tuple[str, Point], _RuleTile] = field(default_factory=dict)  # tiles of the sketch to put
    door: tuple[int, int] = (0, 0)  # the size of a door's object, from the place 0, 0 on

    def on_sketch(self, place: Point, *tiles: int, is_not: bool = False) -> _MapRule:
        """Ask for one of these tiles of the sketch, or for none of them."""
        asked = self.excluded if is_not else self.inputs
        asked[SKETCH, place] = tuple(_RuleTile("sketch", tile) for tile in tiles)
        return self

    def has(self, layer: str, place: Point, is_empty: bool) -> _MapRule:
        """Ask for an empty place of a layer, or for one with any tile."""
        self.inputs[layer, place] = (_RuleTile("automap", _EMPTY if is_empty else _NON_EMPTY),)
        return self

    def put(self, layer: str, variants: Variants) -> _MapRule:
        """Put one of these tiles."""
        self.outputs[layer, (0, 0)] = variants
        return self


_A_WALL = {("Walls", (0, 0)): _RuleTile("sketch", WALL)}


def rules(theme: Theme, ending: str) -> Bundle:
    """Write a theme's rules for maps whose tileset ends in `tsj` or `tsx`."""
    stem = f"{_FOLDER}/{theme.name}" + ("-tmx" if ending == "tsx" else "")
    return Bundle(
        {
            f"{stem}-sketch.tsj": _sketch(theme, stem.rpartition("/")[2]),
            f"{stem}-1-floors.tmj": _rule_map(theme, stem, ending, [*_floors(theme)], DeleteTiles=True),
            f"{stem}-2-tops.tmj": _rule_map(theme, stem, ending, [*_tops()]),
            f"{stem}-3-walls.tmj": _rule_map(theme, stem, ending, [*_walls(theme)]),
        }
    )


def rules_list(names: Iterable[str]) -> bytes:
    """Write the list of all maps of rules among some files."""
    maps = [name.removeprefix(f"{_FOLDER}/") for name in names if name.endswith(".tmj")]
    return "".join(f"{name}\n" for name in sorted(maps)).encode()


def _sketch(theme: Theme, name: str) -> bytes:
    """Write a tileset whose tiles are parts of the theme's image: Tiled's collection of images."""
    width, height = png_size(theme.image, f"{theme.name}.png")
    face = blob.E | blob.W | blob.N | blob.NE | blob.NW
    shown = {
        FLOOR: theme.floors["default"].plain.tiles[0],
        WALL: theme.walls[face].tiles[0],
        PIT: theme.pits[0].tiles[0],
        DOOR: theme.doors["open", "north"].shut[0],
    }
    if torch := _torch(theme):
        shown[TORCH] = torch.tiles[0]
    tiles = []
    for number, index in shown.items():
        x, y = theme.at_px(index)
        size = theme.tile_size
        tiles.append(
            {
                **{"height": size, "id": number, "image": f"../{theme.name}.png", "imageheight": height},
                **{"imagewidth": width, "width": size, "x": x, "y": y},
            }
        )
    return document(
        {
            **{"columns": 0, "grid": {"height": 1, "orientation": "orthogonal", "width": 1}, "margin": 0},
            **{
                "name": f"{name}-sketch",
                "spacing": 0,
                "tilecount": len(tiles),
                "tiledversion": TILED_VERSION,
            },
            **{"tileheight": theme.tile_size, "tiles": Lines(tiles), "tilewidth": theme.tile_size},
            **{"type": "tileset", "version": VERSION},
        }
    )


def _torch(theme: Theme) -> Variants | None:
    """Return the tiles of a torch on a wall, if the theme draws it as one tile."""
    look = theme.decor.get("torch")
    return None if look is None or EMPTY in look.variants.tiles or look.overlay else look.variants


# --- the rules ---------------------------------------------------------------------------------------


def _floors(theme: Theme) -> Iterator[_MapRule]:
    """Yield what depends on the sketch alone: Tiled first deletes all that is where a map's inputs are."""
    yield _MapRule(left=_A_WALL).on_sketch((0, 0), *_STONE)
    for tile, name in ((FLOOR, "default"), (DOOR, "door")):
        floor = theme.floors[name]
        plain = _MapRule().on_sketch((0, 0), tile).on_sketch((0, -1), *_STONE, is_not=True)
        yield plain.put("Ground", floor.plain)
        yield _MapRule().on_sketch((0, 0), tile).on_sketch((0, -1), *_STONE).put("Ground", floor.shaded)
    for mask in blob.MASKS:
        rule = _MapRule().on_sketch((0, 0), PIT).put("Ground", theme.pits[mask])
        for place, is_pit in _neighbours(mask):
            rule.on_sketch(place, PIT, is_not=not is_pit)
        yield rule
    for rule, look in _door_tiles(theme):
        yield rule.put("Doors", Variants((look[0],), (1,)))
    yield from _door_objects()


def _tops() -> Iterator[_MapRule]:
    """Yield the void above and below walls."""
    for dy in (1, -1):
        rule = _MapRule(left=_A_WALL).on_sketch((0, dy), *_STONE)
        yield rule.has(SKETCH, (0, 0), True).has("Ground", (0, 0), True).has("Doors", (0, 0), True)


def _walls(theme: Theme) -> Iterator[_MapRule]:
    """Yield the tiles of walls by their neighbours. If the outside is solid, void counts as a wall."""
    asked, is_like_empty = ("Ground", True) if theme.is_solid else ("Walls", False)
    for mask in blob.MASKS:
        rule = _MapRule().put("Walls", theme.walls[mask])
        rule.inputs["Walls", (0, 0)] = (_RuleTile("sketch", WALL),)
        for place, is_like in _neighbours(mask):
            rule.has(asked, place, is_like is is_like_empty)
        yield rule
    if torch := _torch(theme):
        yield _MapRule().on_sketch((0, 0), TORCH).put("Decor", torch)
    for rule, look in _door_tiles(theme):
        if look[1] != EMPTY:
            yield rule.put("Overlay", Variants((look[1],), (1,)))


def _neighbours(mask: int) -> Iterator[tuple[Point, bool]]:
    """Yield the neighbours that decide about a reduced mask, and whether they are alike."""
    for bit, place in blob.STEPS.items():
        if bit & blob.SIDES or blob.reduce(mask | bit) & bit:
            yield place, bool(mask & bit)


def _door_tiles(theme: Theme) -> Iterator[tuple[_MapRule, tuple[AtlasIndex, AtlasIndex]]]:
    """Yield for each side and part of an open door where it is, its tile and that of its overlay.

    In a wall of one tile between two rooms, the last rule decides, as in a level the half of the first room.
    """
    for side in (Side.SOUTH, Side.NORTH, Side.EAST, Side.WEST):
        dx, dy = side.dx, side.dy
        look = theme.doors["open", side.label]
        along = (dy, dx) if dx + dy > 0 else (-dy, -dx)
        for before, after in product((False, True), repeat=2):
            part = {(False, False): 0, (False, True): 1, (True, True): 2, (True, False): 3}[before, after]
            rule = _MapRule().on_sketch((0, 0), DOOR).on_sketch((-dx, -dy), *_OPEN)
            rule.on_sketch((-along[0], -along[1]), DOOR, is_not=not before)
            rule.on_sketch(along, DOOR, is_not=not after)
            yield rule, (look.open[part], look.overlay[part] if look.overlay else EMPTY)


def _door_objects() -> Iterator[_MapRule]:
    """Yield the objects of doors, up to three tiles wide, through one wall or two."""
    for wide, thick, is_upright in product(range(1, _WIDEST + 1), (1, 2), (True, False)):
        width, height = (wide, thick) if is_upright else (thick, wide)
        rule = _MapRule(door=(width, height))
        for x, y in product(range(-1, width + 1), range(-1, height + 1)):
            is_across, is_along = not 0 <= y < height, not 0 <= x < width
            if not is_upright:
                is_across, is_along = is_along, is_across
            if not (is_across or is_along):
                rule.on_sketch((x, y), DOOR)
            elif is_across and not is_along:
                rule.on_sketch((x, y), *_OPEN)
            elif is_along and not is_across:
                rule.on_sketch((x, y), DOOR, is_not=True)
        yield rule


# --- a map of rules ----------------------------------------------------------------------------------


def _rule_map(theme: Theme, stem: str, ending: str, listed: list[_MapRule], **options: bool) -> bytes:
    """Lay out rules in a map: from the upper left, with space between them."""
    sketch = stem.rpartition("/")[2]
    sheet = theme.columns * theme.rows
    first = {"theme": 1, "sketch": 1 + sheet, "automap": 1 + sheet + TORCH + 1}
    width, height = _COLUMNS * _APART, -(-len(listed) // _COLUMNS) * _APART
    layers: dict[tuple[str, float | None], _RuleCells] = {}
    doors = []

    def put(name: str, place: Point, gid: int, weight: float | None = None) -> None:
        blank = np.zeros((height, width), np.int32)
        layers.setdefault((name, weight), blank)[place[1], place[0]] = gid

    for number, rule in enumerate(listed):
        left, top = (number % _COLUMNS) * _APART + 1, (number // _COLUMNS) * _APART + 1
        for prefix, asked in (("input", rule.inputs), ("inputnot", rule.excluded)):
            for (layer, (x, y)), tiles in asked.items():
                for nth, tile in enumerate(tiles):
                    place = left + x, top + y
                    put(f"{prefix}_{layer}\0{nth}", place, first[tile.source] + tile.number)
        for (layer, (x, y)), tile in rule.left.items():
            put(f"output_{layer}", (left + x, top + y), first[tile.source] + tile.number)
        for (layer, (x, y)), variants in rule.outputs.items():
            for name, index, weight in _sets(variants):
                put(f"output{name}_{layer}", (left + x, top + y), first["theme"] + index, weight)
        if any(rule.door):
            doors.append((left, top, *rule.door))
    tables = [
        _layer(id_, name.partition("\0")[0], cells, weight)
        for id_, ((name, weight), cells) in enumerate(layers.items(), 1)
    ]
    if doors:
        tables.append(_objects(len(tables) + 1, doors, theme.tile_size))
    given = {**options, "AutomappingRadius": _RADIUS, "MatchOutsideMap": True}
    tilesets = [
        {"firstgid": first["theme"], "source": f"../{theme.name}.{ending}"},
        {"firstgid": first["sketch"], "source": f"{sketch}-sketch.tsj"},
        {"firstgid": first["automap"], "source": _AUTOMAP},
    ]
    return document(
        {
            **{"compressionlevel": -1, "height": height, "infinite": False, "layers": Lines(tables)},
            **{"nextlayerid": len(tables) + 1, "nextobjectid": len(doors) + 1, "orientation": "orthogonal"},
            **{"properties": Lines(properties(given)), "renderorder": "right-down"},
            **{"tiledversion": TILED_VERSION, "tileheight": theme.tile_size, "tilesets": Lines(tilesets)},
            **{"tilewidth": theme.tile_size, "type": "map", "version": VERSION, "width": width},
        }
    )


def _sets(variants: Variants) -> Iterator[tuple[str, AtlasIndex, float | None]]:
    """Yield the set, the tile and the weight of each variant. A tile alone belongs to no set."""
    if len(variants.tiles) == 1:
        yield "", variants.tiles[0], None
        return
    met: dict[int, int] = {}
    for tile, weight in zip(variants.tiles, variants.weights, strict=True):
        met[weight] = met.get(weight, 0) + 1
        yield f"{weight}x{met[weight]}", tile, float(weight)


def _layer(id_: int, name: str, cells: _RuleCells, weight: float | None) -> dict[str, object]:
    height, width = cells.shape
    given = {} if weight is None else {"properties": properties({"Probability": weight})}
    return {
        **{"data": cells.ravel().tolist(), "height": height, "id": id_, "name": name, "opacity": 1},
        **given,
        **{"type": "tilelayer", "visible": True, "width": width, "x": 0, "y": 0},
    }


def _objects(id_: int, doors: Iterable[tuple[int, int, int, int]], size: int) -> dict[str, object]:
    objects = [
        {
            **{"height": height * size, "id": number, "name": "", "rotation": 0, "type": "door"},
            **{"visible": True, "width": width * size, "x": x * size, "y": y * size},
        }
        for number, (x, y, width, height) in enumerate(doors, 1)
    ]
    return {
        **{"draworder": "topdown", "id": id_, "name": "output_DoorObjects", "objects": objects, "opacity": 1},
        **{"type": "objectgroup", "visible": True, "x": 0, "y": 0},
    }
