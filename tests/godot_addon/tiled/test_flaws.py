"""One flaw does not stop the import: missing parts become checkers and one line, the rest is imported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.godot_addon.rounds import Part, Turns, imported, in_rounds, ours

from .maps import HEX, H, Map, V, a_map, import_with, object_layer, save, sheet, tile_layer, tileset

SIZE, CELL = (6, 4), (16, 16)
GONE = tileset("gone.png", 4, 2, CELL)
WANG = {
    "name": "Hexes",
    "type": "corner",
    "colors": [{"name": "sand", "color": "#ffff00"}],
    "wangtiles": [{"tileid": 0, "wangid": [-1.0]}, {"tileid": 1, "wangid": [0, 1, 0, 1, 0, 1, 0, 1]}],
}
TREES = {
    "name": "trees",
    "tilewidth": 16,
    "tileheight": 16,
    "tilecount": 3,
    "tiles": [
        {"id": number, "image": f"nowhere/trees/{number}.png", "imagewidth": 16, "imageheight": 16}
        for number in range(3)
    ],
}


def _row(*gids: int) -> Map:
    return tile_layer(np.array([gids], np.uint32))


# Each: what is written, what the warning says, and how many px of the map's picture are checkered.
FLAWS: dict[str, tuple[Map, str, int]] = {
    "image": (
        a_map(SIZE, CELL, [{"firstgid": 1, **GONE}], _row(1, 2, 0, 4, 0, 0)),
        "tilesets[0].image: res://gone.png is missing",
        3 * 256,
    ),
    "tileset": (
        a_map(SIZE, CELL, [{"firstgid": 1, "source": "gone.tsx"}], _row(1, 0, 0, 9, 0, 0)),
        "tilesets[0].source: res://gone.tsx is missing",
        2 * 256,
    ),
    "outside": (
        a_map(SIZE, CELL, [{"firstgid": 1, **GONE, "image": "../../gone.png"}], _row(1, 2, 0, 0, 0, 0)),
        "tilesets[0].image: ../../gone.png is outside the project; copy it into the project",
        2 * 256,
    ),
    "case": (
        a_map(SIZE, CELL, [{"firstgid": 1, **tileset("Plain.png", 4, 2, CELL)}], _row(1, 0, 0, 0, 0, 0)),
        "tilesets[0].image: res://Plain.png is missing; did you mean plain.png?",
        256,
    ),
    "drive": (
        a_map(SIZE, CELL, [{"firstgid": 1, "source": "C:\\stuff\\a.tsx"}], _row(1, 0, 0, 0, 0, 0)),
        "tilesets[0].source: C:\\\\stuff\\\\a.tsx is outside the project; copy it into the project",
        256,
    ),
    "gid": (
        a_map(SIZE, CELL, [{"firstgid": 1, **tileset("plain.png", 4, 2, CELL)}], _row(1, 2, 77, 0, 0, 0)),
        "layers[0].data: 1 tiles are in no tileset that could be read",
        256,
    ),
    "bits": (
        a_map(
            SIZE,
            CELL,
            [{"firstgid": 1, **tileset("plain.png", 4, 2, CELL)}],
            _row(1, HEX, H | 1, 77, H | 2, V),
        ),
        "layers[0].data: 1 tiles are in no tileset that could be read",
        256,
    ),
    "template": (
        a_map(SIZE, CELL, [], object_layer({"template": "gone.tx", "x": 20, "y": 40})),
        "layers[0].objects[0].template: res://gone.tx is missing",
        256,
    ),
    "object": (
        a_map(SIZE, CELL, [], object_layer({"gid": 7, "x": 20, "y": 40, "width": 32.0, "height": 24.0})),
        "layers[0].objects[0].gid: 7 is in no tileset that could be read",
        32 * 24,
    ),
    "picture": (
        a_map(
            SIZE,
            CELL,
            [],
            {"type": "imagelayer", "image": "gone.png", "imagewidth": 40, "imageheight": 24, "visible": True},
        ),
        "layers[0].image: res://gone.png is missing",
        40 * 24,
    ),
    "collection": (
        a_map(
            SIZE,
            CELL,
            [
                {
                    "firstgid": 1,
                    "name": "things",
                    "tilewidth": 8,
                    "tileheight": 8,
                    "tilecount": 2,
                    "tiles": [{"id": 0, "image": "gone.png", "imagewidth": 16, "imageheight": 10}],
                }
            ],
            _row(1, 0, 0, 1, 0, 0),
        ),
        "tilesets[0].tiles[0].image: res://gone.png is missing",
        2 * 160,
    ),
    "folder": (  # one line, however many files it should hold
        a_map(SIZE, CELL, [{"firstgid": 1, **TREES}], _row(1, 2, 3, 0, 0, 0)),
        "tilesets[0].tiles[0].image: the folder res://nowhere/trees is missing; copy it there (3 times)",
        3 * 256,
    ),
    "wangid": (
        a_map(
            SIZE,
            CELL,
            [{"firstgid": 1, **tileset("plain.png", 4, 2, CELL), "wangsets": [WANG]}],
            _row(1, 2, 3, 0, 0, 0),
        ),
        "tilesets[0].wangsets[0].wangtiles[0].wangid: -1.0 is not a colour of the set",
        0,
    ),
    "value": (
        a_map(SIZE, CELL, [], object_layer({"name": "Here", "point": True, "rotation": "north"})),
        'layers[0].objects[0].rotation: must be a number, not "north"',
        0,
    ),
    "short": (
        a_map(
            SIZE,
            CELL,
            [{"firstgid": 1, **tileset("plain.png", 4, 2, CELL)}],
            {**_row(1, 2, 3, 4, 1, 2), "height": 4},
        ),
        "layers[0].data: has 6 tiles where width times height is 24",
        0,
    ),
}


def _checkered(picture: Image.Image) -> int:
    """Pixels of the checkers' colours, which nothing else in these maps has."""
    pixels = np.asarray(picture.convert("RGBA")).reshape(-1, 4)
    return sum(int((pixels == color).all(axis=1).sum()) for color in ((255, 0, 255, 255), (0, 0, 0, 255)))


@imported
def tiled_flaws(folder: Path) -> None:
    """A map for each flaw, and one that is imported strictly."""
    picture = sheet(2, 2, CELL)
    picture.paste((9, 9, 9, 255), mask=picture.getchannel("A").point(lambda alpha: 255 if alpha else 0))
    picture.save(folder / "plain.png")
    for name, (content, _, _) in FLAWS.items():
        save(folder, f"{name}.tmj", content)
        save(folder, f"strict_{name}.tmj", content)
        import_with(folder, f"strict_{name}.tmj", strict=True)


def test_a_flaw_is_reported(tiled_flaws: Part) -> None:
    said = tiled_flaws.said
    told = sorted(line for line in said if line.startswith("WARNING: Undercroft"))
    assert told == sorted(
        f"WARNING: Undercroft: res://{name}.tmj: {what}" for name, (_, what, _) in FLAWS.items()
    )
    refused = sorted(line for line in said if line.startswith("ERROR: Undercroft"))
    assert refused == sorted(
        f"ERROR: Undercroft: res://strict_{name}.tmj: {what.removesuffix(' (3 times)')}"
        for name, (_, what, _) in FLAWS.items()
    )
    engines = {line for line in said if "ERROR" in line and "Undercroft" not in line}
    assert engines == {f"ERROR: Error importing 'res://strict_{name}.tmj'." for name in FLAWS}
    assert not [line for line in said if "SCRIPT" in line]


def test_a_flaw_is_seen(tiled_flaws: Part) -> None:
    kept = tiled_flaws.folder.glob("*.tileset.tres")
    checkered = {path.name.split(".")[0] for path in kept if '"missing tiles"' in path.read_text("utf-8")}
    assert checkered == {"bits", "gid", "strict_bits", "strict_gid"}
    pictures = tiled_flaws.draw([(f"res://{name}.tmj", (96, 64)) for name in FLAWS])
    for (name, (_, _, px)), picture in zip(FLAWS.items(), pictures, strict=True):
        with Image.open(picture) as shown:
            assert _checkered(shown) == pytest.approx(px), name


@in_rounds
def test_what_was_missing_is_imported_once_it_is_there(part: Part) -> Turns:
    folder = part.folder
    save(folder, "image.tmj", FLAWS["image"][0])
    said = yield
    assert len([line for line in said if line.startswith("WARNING")]) == 1
    sheet(2, 2, CELL).save(folder / "gone.png")
    yield
    assert ours((yield)) == []  # once it has looked through all files
    cells = part.ask("tree.gd", "res://image.tmj")["res://image.tmj"]["csv"]["cells"]
    assert cells["0,0"][0] == "gone.png"


@in_rounds
def test_a_file_in_another_encoding_is_reported_so(part: Part) -> Turns:
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<map orientation="orthogonal" class="Höhle"/>\n'
    (part.folder / "old.tmx").write_bytes(head.encode("latin-1"))
    assert ours((yield)) == ["res://old.tmx: is encoded as ISO-8859-1; save it as UTF-8"]
