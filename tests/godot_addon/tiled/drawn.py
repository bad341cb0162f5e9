"""Maps to be drawn by Tiled and by Godot, for every orientation and everything that shows."""

from __future__ import annotations

import itertools
from pathlib import Path

from PIL import Image

from .maps import HEX, D, H, Map, V, a_map, object_layer, save, sheet, strewn, tile_layer, tileset

TURNS = (0, H, V, H | V, D, D | H, D | V, D | H | V)
PACKINGS = ("csv", "base64", "zlib", "gzip", "zstd")


def write_all(folder: Path) -> list[str]:
    """Write every map with its images; their names."""
    sheet(4, 3, (16, 16)).save(folder / "plain.png")
    sheet(4, 3, (16, 16), 3, 2).save(folder / "spaced.png")
    sheet(3, 2, (16, 30)).save(folder / "tall.png")
    sheet(3, 2, (32, 32)).save(folder / "diamond.png")
    sheet(3, 2, (18, 20)).save(folder / "hexagon.png")
    sheet(3, 2, (17, 19)).save(folder / "odd-hexagon.png")
    sheet(1, 1, (40, 24)).save(folder / "banner.png")
    for number, size in enumerate(((16, 16), (24, 32), (8, 10))):
        sheet(1, 1, size).transpose(
            Image.Transpose.ROTATE_180 if number else Image.Transpose.FLIP_LEFT_RIGHT
        ).save(folder / f"thing{number}.png")
    save(folder, "spaced.tsj", tileset("spaced.png", 12, 4, (16, 16), margin=3, spacing=2))
    maps = {**orthogonal(), **others()}
    for name, content in maps.items():
        save(folder, f"{name}.tmj", content)
    return list(maps)


def _plain(first: int = 1) -> Map:
    return {"firstgid": first, **tileset("plain.png", 12, 4, (16, 16))}


SIZE, CELL = (11, 7), (16, 16)
SPACED = {"firstgid": 13, "source": "spaced.tsj"}
TALL = {"firstgid": 1, **tileset("tall.png", 6, 3, (16, 30), tileoffset={"x": 3, "y": -2})}
THINGS = {
    "firstgid": 1,
    "name": "things",
    "columns": 0,
    "tilecount": 3,
    "tilewidth": 24,
    "tileheight": 32,
    "margin": 0,
    "spacing": 0,
    "tiles": [
        {"id": 5 * n, "image": f"thing{n}.png", "imagewidth": w, "imageheight": h}
        for n, (w, h) in enumerate(((16, 16), (24, 32), (8, 10)))
    ],
}
BANNER = {
    "type": "imagelayer",
    "name": "Banner",
    "image": "banner.png",
    "visible": True,
    "offsetx": 20,
    "offsety": 30,
    "opacity": 0.75,
    "tintcolor": "#ffff00",
}


def orthogonal() -> dict[str, Map]:
    """Square maps."""
    packed = [
        tile_layer(strewn(SIZE, 24, seed, TURNS, 0.6), packing) for seed, packing in enumerate(PACKINGS)
    ]
    odd = strewn(SIZE, 12, 16)
    odd[0], odd[:, -1] = 0, 0
    return {
        "flips": a_map(SIZE, CELL, [_plain(), SPACED], *packed),
        "endless": a_map((16, 8), CELL, [_plain()], _endless(), infinite=True),
        **_large_tiles(),
        "tinted": a_map(SIZE, CELL, [_plain()], tile_layer(strewn(SIZE, 12, 14)), *_tinted()),
        "keyed": _keyed(),
        **_scaled(),
        "odd": a_map(SIZE, (15, 13), [_plain()], tile_layer(odd)),
        "objects": a_map(SIZE, CELL, [_plain()], tile_layer(strewn(SIZE, 12, 15)), _tile_objects()),
    }


def _endless() -> Map:
    layer = tile_layer(strewn((8, 4), 12, 5), "zlib", chunks=[])
    for x, y, seed in ((0, 0, 1), (8, 0, 2), (8, 4, 3)):
        part = tile_layer(strewn((8, 4), 12, seed, TURNS), "zlib")
        layer["chunks"].append({"x": x, "y": y, "width": 8, "height": 4, "data": part["data"]})
    del layer["data"]
    return layer


def _large_tiles() -> dict[str, Map]:
    """Tiles that are larger than a cell, and need room above and at the side."""
    sparse = strewn(SIZE, 6, 6, (0, H, V), 0.5)
    sparse[:2], sparse[:, -1] = 0, 0
    lying = strewn(SIZE, 6, 8, TURNS, 0.7)
    lying[:2], lying[:, -2:] = 0, 0
    many = strewn(SIZE, 1, 9, (0, H), 0.4) * (1 + 5 * (strewn(SIZE, 3, 10, holes=0) - 1))
    many[:2], many[:, -1] = 0, 0
    return {
        "tall": a_map(SIZE, CELL, [TALL], tile_layer(sparse)),
        "lying": a_map(SIZE, CELL, [TALL], tile_layer(lying)),
        "collection": a_map(SIZE, CELL, [THINGS], tile_layer(many)),
    }


def _tinted() -> list[Map]:
    tinted = tile_layer(strewn(SIZE, 12, 11), tintcolor="#80ff8040", opacity=0.5, offsetx=5, offsety=7)
    inside = {
        "type": "group",
        "name": "G",
        "opacity": 0.5,
        "visible": True,
        "offsetx": -3,
        "offsety": 2,
        "tintcolor": "#ffc0ffff",
        "layers": [tile_layer(strewn(SIZE, 12, 12, holes=0.5), name="In", id=50, offsetx=3)],
    }
    return [BANNER, tinted, inside, tile_layer(strewn(SIZE, 12, 13), visible=False)]


def _tile_objects() -> Map:
    return object_layer(
        {"gid": 2, "x": 20, "y": 40, "width": 16, "height": 16},
        {"gid": 3 | H, "x": 60, "y": 50, "width": 32, "height": 16},
        {"gid": 4, "x": 100, "y": 60, "width": 16, "height": 16, "rotation": 90},
        {"gid": 5 | V, "x": 26, "y": 44, "width": 16, "height": 32},
        {"gid": 6, "x": 120, "y": 90, "width": 16, "height": 16, "visible": False},
    )


def _keyed() -> Map:
    """The black lines of the tiles and of the picture stand for nothing."""
    tiles = {**_plain(), "transparentcolor": "#000000"}
    banner = {**BANNER, "opacity": 1, "transparentcolor": "#000000"}
    thing = object_layer({"gid": 3, "x": 20, "y": 40, "width": 16, "height": 16})
    return a_map(SIZE, CELL, [tiles], banner, tile_layer(strewn(SIZE, 12, 17, TURNS, 0.6)), thing)


def _scaled() -> dict[str, Map]:
    """Tiles as large as the cells, by whole factors: in between, two programs pick other px."""
    grid = {"tilerendersize": "grid"}
    fitting = {**grid, "fillmode": "preserve-aspect-fit"}
    drawn = [tile_layer(strewn(SIZE, 12, seed, TURNS)) for seed in (18, 19)]
    collected = tile_layer(1 + 5 * (strewn(SIZE, 3, 20, holes=0) - 1))
    return {
        "stretched": a_map(SIZE, (32, 48), [{**_plain(), **grid}], drawn[0]),
        "fitting": a_map(SIZE, (48, 32), [{**_plain(), **fitting}], drawn[1]),
        "collected": a_map(SIZE, (48, 64), [{**THINGS, **fitting}], collected),
    }


def others() -> dict[str, Map]:
    """Isometric, staggered and hexagonal maps."""
    found: dict[str, Map] = {}
    diamond = {"firstgid": 1, **tileset("diamond.png", 6, 3, (32, 32))}
    size = (6, 7)
    gids = strewn(size, 6, 20, (0, H, V), 0.2)
    gids[0, :], gids[:, 0] = 0, 0
    found["isometric"] = a_map(size, (32, 16), [diamond], tile_layer(gids), orientation="isometric")
    for axis in "xy":
        for index in ("odd", "even"):
            gids = strewn(size, 6, 21, (0, H, V), 0.2)
            gids[:2] = 0
            how: Map = {"staggeraxis": axis, "staggerindex": index}
            found[f"staggered-{axis}-{index}"] = a_map(
                size, (32, 16), [diamond], tile_layer(gids), orientation="staggered", **how
            )
    hexagon = {"firstgid": 1, **tileset("hexagon.png", 6, 3, (18, 20))}
    for axis, index, side in (("y", "odd", 10), ("y", "even", 8), ("x", "odd", 6), ("x", "even", 9)):
        how = {"staggeraxis": axis, "staggerindex": index, "hexsidelength": side}
        gids = strewn(size, 6, 22, (0, H, V), 0.2)
        found[f"hexagonal-{axis}-{index}"] = a_map(
            size, (18, 20), [hexagon], tile_layer(gids), orientation="hexagonal", **how
        )
    odd = {"firstgid": 1, **tileset("odd-hexagon.png", 6, 3, (17, 19))}
    # What is left of a cell beside the straight side may be odd; such a px is in neither half.
    shapes = (((18, 20), 7, hexagon), ((17, 19), 6, odd), ((17, 19), 7, odd), ((17, 19), 22, odd))
    for axis, index, (cell, side, tiles) in itertools.product("xy", ("odd", "even"), shapes):
        how = {"staggeraxis": axis, "staggerindex": index, "hexsidelength": side}
        gids = strewn(size, 6, 24, (0, H, V), 0.2)
        found[f"hexagonal-{axis}-{index}-{cell[1]}-{side}"] = a_map(
            size, cell, [tiles], tile_layer(gids), orientation="hexagonal", **how
        )
    turns = tuple(d | x | h for d in (0, D) for x in (0, HEX) for h in (0, H, V))
    gids = strewn(size, 6, 23, turns, 0.3)
    how = {"staggeraxis": "y", "staggerindex": "odd", "hexsidelength": 10}
    found["hexagonal-turned"] = a_map(
        size, (18, 20), [hexagon], tile_layer(gids), orientation="hexagonal", **how
    )
    return found
