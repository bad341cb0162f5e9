"""Themes read from what a team's tilesets say already: Tiled's wang sets, Godot's terrains."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters import blob
from exporters.blob import CORNERS, MASKS, SIDES
from exporters.formats.godot.theme import godot_tileset
from exporters.formats.tiled.theme import tiled_tileset
from exporters.theme import Animation, Theme, Variants
from exporters.theme.loader import check_theme, load_theme
from generator.cli import main
from generator.errors import ThemeError
from tests.engines import tiled
from tests.exporters import own_sheet

EDGE_ORDER = (blob.N, blob.E, blob.S, blob.W)
CORNER_ORDER = (blob.NW, blob.NE, blob.SW, blob.SE)


def wang_id(bits: int, color: int = 1) -> list[int]:
    """In Tiled's order, which is that of a mask's bits."""
    return [color if bits >> i & 1 else 0 for i in range(8)]


def tile_id(column: int, row: int) -> int:
    return row * own_sheet.COLUMNS + column


def tiled_sheet() -> dict[str, Any]:
    """A tileset of the team's sheet as Tiled has it: walls by their sides, crossings, a floor."""
    walls = []
    crossings = []
    for number in range(1, 16):
        sides = sum(bit for i, bit in enumerate(EDGE_ORDER) if number >> i & 1)
        corners = sum(bit for i, bit in enumerate(CORNER_ORDER) if number >> i & 1)
        walls.append({"tileid": tile_id(number % 8, 1 + number // 8), "wangid": wang_id(sides)})
        crossings.append({"tileid": tile_id(number % 8, 4 + number // 8), "wangid": wang_id(corners)})
    floors = [
        {"tileid": tile_id(x, 0), "wangid": wang_id(SIDES, color)} for x, color in ((0, 1), (1, 1), (4, 2))
    ]
    colors = [{"name": "ground", "color": "#ff0000", "probability": 1, "tile": 0}]
    rest = {"tile": -1}
    return {
        "type": "tileset", "version": "1.10", "tiledversion": "1.10.2", "name": "keep",
        "image": "keep.png", "imagewidth": 2 + 9 * 27 - 3, "imageheight": 2 + 6 * 27 - 3,
        "tilewidth": 24, "tileheight": 24, "margin": 2, "spacing": 3, "columns": 9, "tilecount": 54,
        "tiles": [
            {"id": tile_id(0, 0), "probability": 3},
            {"id": tile_id(1, 0), "probability": 0.5},
            {"id": tile_id(3, 3), "type": "rock"}, {"id": tile_id(4, 3), "type": "rock", "probability": 0.25},
            {"id": tile_id(6, 3), "type": "fire", "animation": [
                {"tileid": tile_id(6, 3), "duration": 150}, {"tileid": tile_id(7, 3), "duration": 150}]},
            {"id": tile_id(5, 3), "properties": [{"name": "decor", "type": "string", "value": "spikes"}]},
        ],
        "wangsets": [
            {"name": "Walls", "type": "edge", "colors": [{**colors[0], "name": "old wall"}], "wangtiles": walls, **rest},
            {"name": "Crossings", "type": "corner", "colors": [{**colors[0], "name": "stone"}], "wangtiles": crossings, **rest},
            {"name": "Floors", "type": "edge", "colors": [*colors, {**colors[0], "name": "boss"}], "wangtiles": floors, **rest},
        ],
    }  # fmt: skip


def begun(path: Path, name: str, *changes: tuple[str, str]) -> Theme:
    """`theme new` on a tileset, filled in where the tileset says nothing."""
    done = CliRunner().invoke(main, ["theme", "new", str(path), "--name", name])
    assert done.exit_code == 0, done.output
    assert done.stderr == ""  # nothing was guessed
    toml = path.parent / f"{name}.toml"
    text = toml.read_text("utf-8")
    shut = ("open = []", "open = [[0, 3]]"), ("shut = []", "shut = [[1, 3]]")
    pit = (
        re.findall(r"\[pit\]\n(?:#.*\n)*", text)[0] + 'set = "single"\ntiles = []',
        '[pit]\nset = "single"\ntiles = [[7, 0]]',
    )
    for old, new in (*shut, *((pit,) if pit[0] in text else ()), *changes):
        assert old in text, old
        text = text.replace(old, new)
    toml.write_text(text, "utf-8")
    return load_theme(toml)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sheet, and its tileset."""
    own_sheet.write(tmp_path)
    (tmp_path / "keep.tsj").write_text(json.dumps(tiled_sheet()), "utf-8")
    return tmp_path


def test_wang_sets_are_walls_and_floors(folder: Path) -> None:
    """Found by their names, with the tiles' own probabilities; what is drawn for a thing by its class."""
    theme = begun(folder / "keep.tsj", "castle")
    assert (theme.tile_size, theme.margin, theme.spacing, theme.columns) == (24, 2, 3, 9)
    assert theme.own_rows == own_sheet.ROWS
    for mask in MASKS[1:]:
        number = sum(1 << i for i, bit in enumerate(EDGE_ORDER) if mask & bit)
        assert theme.walls[mask] == Variants((tile_id(number % 8, 1 + number // 8),), (1,))
    assert theme.floors["default"].plain == Variants((0, 1), (6, 1))
    assert theme.floors["boss"].plain == Variants((4,), (1,))
    assert theme.decor["rock"].variants == Variants((tile_id(3, 3), tile_id(4, 3)), (4, 1))
    assert theme.decor["spikes"].variants.tiles == (tile_id(5, 3),)
    assert theme.animations == {tile_id(6, 3): Animation(2, 150)}


def test_a_tile_without_neighbours_is_reported_for_itself(folder: Path) -> None:
    """Tiled has no such tile in a set; till then the nearest stands in, and the check says so."""
    theme = begun(folder / "keep.tsj", "castle")
    assert any("wall.terrain: has no tile with such neighbours: alone" in note for note in theme.stand_ins)
    assert theme.walls[0] == theme.walls[blob.N]
    alone = begun(
        folder / "keep.tsj", "tower", ('terrain = "Walls/old wall"', 'terrain = "old wall"\nalone = [[0, 1]]')
    )
    assert alone.walls[0].tiles == (tile_id(0, 1),)
    assert not any("such neighbours" in note for note in alone.stand_ins)


def test_a_set_of_corners_lies_on_crossings(folder: Path) -> None:
    """As a `dual16` set of the same tiles."""
    swap = ('terrain = "Walls/old wall"', 'terrain = "Crossings/stone"')
    theme = begun(folder / "keep.tsj", "castle", swap)
    listed = begun(folder / "keep.tsj", "tower", (swap[0], 'set = "dual16"\nfirst = [0, 4]\ncolumns = 8'))
    assert theme.walls == listed.walls and theme.image == listed.image
    assert theme.rows > theme.own_rows


def old_sheet() -> str:
    """The crossings as a terrain of Tiled before 1.5, and a tile of another one."""
    tiles = "".join(
        f' <tile id="{tile_id(number % 8, 4 + number // 8)}"'
        f' terrain="{",".join("0" if number >> i & 1 else "" for i in range(4))}"/>\n'
        for number in range(1, 16)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<tileset name="keep" tilewidth="24" tileheight="24" spacing="3" margin="2" tilecount="54" columns="9">\n'
        ' <image source="keep.png" width="246" height="162"/>\n'
        ' <terraintypes><terrain name="stone wall" tile="43"/><terrain name="7" tile="0"/></terraintypes>\n'
        f' <tile id="0" terrain="1,1,1,1"/>\n{tiles}</tileset>\n'
    )


def test_terrains_of_old_tiled_files_lie_on_crossings(folder: Path) -> None:
    """As the set of corners of the same tiles; a corner without a terrain is left empty, or -1 in JSON."""
    listed = begun(
        folder / "keep.tsj",
        "tower",
        ('terrain = "Walls/old wall"', 'set = "dual16"\nfirst = [0, 4]\ncolumns = 8'),
    )
    (folder / "old.tsx").write_text(old_sheet(), "utf-8")
    head = 'name = "old"\ntileset = "{}"\n[floor.default]\nterrain = "Terrains/7"\n[wall]\nterrain = "stone wall"\n'
    (folder / "old.toml").write_text(head.format("old.tsx"), "utf-8")
    old = load_theme(folder / "old.toml")
    assert old.floors["default"].plain.tiles == (0,)
    assert old.walls == listed.walls
    text = tiled_sheet() | {"wangsets": [], "terrains": [{"name": "stone wall"}, {"name": "7"}]}
    corners = {tile_id(n % 8, 4 + n // 8): [0 if n >> i & 1 else -1 for i in range(4)] for n in range(1, 16)}
    text["tiles"] = [{"id": tile, "terrain": given} for tile, given in {0: [1] * 4, **corners}.items()]
    (folder / "old.tsj").write_text(json.dumps(text), "utf-8")
    (folder / "old.toml").write_text(head.format("old.tsj"), "utf-8")
    assert load_theme(folder / "old.toml").walls == listed.walls


def test_the_real_tiled_makes_the_same_of_old_terrains(folder: Path) -> None:
    """It turns them into a set of corners, which is read as they are."""
    (folder / "old.tsx").write_text(old_sheet(), "utf-8")
    done = tiled().run("--export-tileset", "tsx", str(folder / "old.tsx"), str(folder / "new.tsx"))
    assert "terraintypes" not in (folder / "new.tsx").read_text("utf-8"), done.stderr
    old = tiled_tileset((folder / "old.tsx").read_bytes(), "old.tsx")
    new = tiled_tileset((folder / "new.tsx").read_bytes(), "new.tsx")
    assert old.terrains and old.terrains == new.terrains


def test_the_real_tiled_says_the_same_in_xml(folder: Path) -> None:
    """A `.tsx` that Tiled saved comes to the same theme as the `.tsj`."""
    done = tiled().run("--export-tileset", "tsx", str(folder / "keep.tsj"), str(folder / "keep.tsx"))
    assert (folder / "keep.tsx").is_file(), done.stdout + done.stderr
    one, other = begun(folder / "keep.tsj", "castle"), begun(folder / "keep.tsx", "tower")
    for key in ("tile_size", "margin", "spacing", "floors", "walls", "pits", "decor", "animations", "image"):
        assert getattr(one, key) == getattr(other, key), key


GODOT = """[gd_resource type="TileSet" load_steps=3 format=3 uid="uid://c1"]

[ext_resource type="Texture2D" uid="uid://c2" path="res://art/keep.png" id="1_a"]

[sub_resource type="TileSetAtlasSource" id="T_1"]
texture = ExtResource("1_a")
margins = Vector2i(2, 2)
separation = Vector2i(3, 3)
texture_region_size = Vector2i(24, 24)
{tiles}

[resource]
tile_size = Vector2i(24, 24)
terrain_set_0/mode = {mode}
terrain_set_0/terrain_0/name = "Wall \\"old\\""
terrain_set_0/terrain_0/color = Color(0.5, 0.3, 0.2, 1)
terrain_set_1/mode = 2
terrain_set_1/terrain_0/name = "floor"
sources/0 = SubResource("T_1")
metadata/odd = {{"a": [1, &"b", ^"c", {{}}], "x": PackedByteArray("AAAA")}}
"""
GODOT_BITS = {
    blob.N: "top_side", blob.NE: "top_right_corner", blob.E: "right_side", blob.SE: "bottom_right_corner",
    blob.S: "bottom_side", blob.SW: "bottom_left_corner", blob.W: "left_side", blob.NW: "top_left_corner",
}  # fmt: skip


def godot_sheet(order: tuple[int, ...], row: int, mode: int) -> str:
    lines = []
    for number in range(16):
        at = f"{number % 8}:{row + number // 8}"
        lines += [f"{at}/0 = 0", f"{at}/0/terrain_set = 0", f"{at}/0/terrain = 0"]
        bits = [bit for i, bit in enumerate(order) if number >> i & 1]
        lines += [f"{at}/0/terrains_peering_bit/{GODOT_BITS[bit]} = 0" for bit in bits]
    for x, probability in ((0, 2.0), (1, 0.5)):
        lines += [f"{x}:0/0 = 0", f"{x}:0/0/terrain_set = 1", f"{x}:0/0/terrain = 0"]
        lines += [f"{x}:0/0/probability = {probability}"]
    lines += ["6:3/animation_columns = 2", "6:3/animation_speed = 2.0"]
    lines += [f"6:3/animation_frame_{i}/duration = 0.5" for i in range(2)] + ["6:3/0 = 0", "6:3/1 = 1"]
    return GODOT.format(tiles="\n".join(lines), mode=mode)


FILLED = (
    ("[decor.rock]\ntiles = []", "[decor.rock]\ntiles = [[3, 3]]"),
    ("[decor.spikes]\ntiles = []", "[decor.spikes]\ntiles = [[5, 3]]"),
    ("[decor.fire]\ntiles = []", "[decor.fire]\ntiles = [[6, 3]]"),
)


@pytest.mark.parametrize(("order", "row", "mode"), [(EDGE_ORDER, 1, 2), (CORNER_ORDER, 4, 1)])
def test_terrains_of_godot_are_walls_and_floors(
    order: tuple[int, ...], row: int, mode: int, folder: Path
) -> None:
    """By sides or corners; the theme lies in the folder that `res://` is, which is found upwards."""
    (folder / "art").mkdir()
    (folder / "keep.png").rename(folder / "art" / "keep.png")
    (folder / "sets").mkdir()
    path = folder / "sets" / "keep.tres"
    path.write_text(godot_sheet(order, row, mode), "utf-8")
    done = CliRunner().invoke(main, ["theme", "new", str(path), "--name", "castle"])
    assert done.exit_code == 0, done.output
    text = (folder / "castle.toml").read_text("utf-8")
    assert 'tileset = "sets/keep.tres"' in text and 'terrain = "0/Wall \\"old\\""' in text
    doors = ("open = []", "open = [[0, 3]]"), ("shut = []", "shut = [[1, 3]]")
    for old, new in (*FILLED, *doors, ("tiles = []", "tiles = [[7, 0]]")):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "castle.toml").write_text(text, "utf-8")
    theme = load_theme(folder / "castle.toml")
    assert (theme.tile_size, theme.margin, theme.spacing) == (24, 2, 3)
    for mask in MASKS:
        number = sum(1 << i for i, bit in enumerate(order) if mask & bit)
        assert theme.walls[mask].tiles == (tile_id(number % 8, row + number // 8),)
    assert theme.floors["default"].plain == Variants((0, 1), (4, 1))
    assert theme.animations == {tile_id(6, 3): Animation(2, 250)}


def test_gaps_of_a_set_are_filled_by_the_nearest(folder: Path) -> None:
    """The south counts most: what shows a wall's front must not stand where its top is seen."""
    text = json.loads((folder / "keep.tsj").read_text("utf-8"))
    full = blob.reduce(255)
    kept = [mask for mask in MASKS if mask in (full, full & ~(blob.S | blob.SE | blob.SW), blob.E | blob.W)]
    text["wangsets"] = [{
        "name": "Walls", "type": "mixed", "colors": [{"name": "wall"}],
        "wangtiles": [{"tileid": i, "wangid": wang_id(mask)} for i, mask in enumerate(kept)],
    }]  # fmt: skip
    text["tiles"] = []
    (folder / "keep.tsj").write_text(json.dumps(text), "utf-8")
    changes = (("[floor.default]\ntiles = []", "[floor.default]\ntiles = [[8, 0]]"), *FILLED)
    theme = begun(folder / "keep.tsj", "castle", *changes)
    places = {mask: i for i, mask in enumerate(kept)}
    for mask in MASKS:
        (tile,) = theme.walls[mask].tiles
        assert bool(kept[tile] & blob.S) == bool(mask & blob.S)
        if mask in places:
            assert tile == places[mask]
    assert theme.walls[blob.W].tiles == (places[blob.E | blob.W],)


# ---- hostile files ---------------------------------------------------------------------------------

TOML = 'name = "x"\ntileset = "keep{}"\n[floor.default]\nterrain = "ground"\n[wall]\nterrain = "Walls/old wall"\n'

TSX = """<?xml version="1.0" encoding="UTF-8"?>
{}<tileset name="keep" tilewidth="24" tileheight="24" spacing="3" margin="2" tilecount="54" columns="9">
 <image source="{}" width="246" height="162"/>
 <tile id="0" probability="{}"/>
 <wangsets><wangset name="Walls" type="edge" tile="-1"><wangcolor name="wall" color="#f00" tile="-1" probability="1"/>
  <wangtile tileid="1" wangid="{}"/></wangset></wangsets>
</tileset>
"""
OLD = """<tileset name="keep" tilewidth="24" tileheight="24" spacing="3" margin="2" tilecount="54" columns="9">
 <image source="keep.png" width="246" height="162"/><terraintypes><terrain name="a" tile="0"/></terraintypes>
 <tile id="0" terrain="{}"/></tileset>"""
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'

HOSTILE = [
    (".tsx", TSX.format(BOMB, "keep.png", 1, "1,0,0,0,0,0,0,0"), "keep.tsx: has a document type; save it again"),
    (".tsx", TSX.format('<!DOCTYPE tileset SYSTEM "file:///etc/passwd">', "a", 1, ""), "has a document type"),
    (".tsx", TSX.format("", "../../etc/passwd", 1, "1,0,0,0,0,0,0,0"), "tileset: its image is missing: .*not a file in"),
    (".tsx", TSX.format("", "/etc/passwd", 1, "1,0,0,0,0,0,0,0"), "tileset: its image is missing: .*not a file in"),
    (".tsx", TSX.format("", "keep.png", 1, "1,0,0"), r"wangsets\[0\].wangtiles\[0\].wangid: has 3 entries, not 8; give 8"),
    (".tsx", TSX.format("", "keep.png", 1, "9,0,0,0,0,0,0,0"), r"wangid\[0\]: 9 is not a whole number from 0 to 1"),
    (".tsx", TSX.format("", "keep.png", 1, "x,0,0,0,0,0,0,0"), r"wangid\[0\]: 'x' is not a whole number from 0 to 1"),
    (".tsx", TSX.format("", "keep.png", "nan", "1,0,0,0,0,0,0,0"), r"tiles\[0\].probability: 'nan' is not a probability"),
    (".tsx", TSX.format("", "keep.png", "-1", "1,0,0,0,0,0,0,0"), "probability: -1 is not a probability from 0"),
    (".tsx", "<a>" * 40 + "</a>" * 40, "keep.tsx: has too many elements"),
    (".tsx", "<a/><b/>", "keep.tsx:1: is not XML: junk after document element"),
    (".tsx", "<tileset", "is not XML: unclosed token"),
    (".tsx", "", "is not XML: no element found"),
    (".tsx", '<?xml version="1.0" encoding="utf-99"?><a/>', "is not XML: "),
    (".tsx", "<map/>", "<map> is not a tileset; give one that Tiled saved"),
    (".tsx", "<tileset/>", "keep.tsx: image: is missing; give a tileset that is based on one image"),
    (".tsj", "[" * 100_000, "keep.tsj: lists or tables are nested too deeply"),
    (".tsj", '{"image": ' + "9" * 5000 + "}", "keep.tsj: a number has thousands of digits"),
    (".tsj", "[]", r"keep.tsj: \[\] is not a tileset"),
    (".tsj", '{"image": "keep.png", "tilewidth": 24, "tileheight": 16}', "tiles are 24 x 16 px; give squares"),
    (".tsj", '{"image": "keep.png", "tilewidth": 24.5}', "keep.tsj: tilewidth: 24.5 is not a whole number"),
    (".tsj", '{"image": 3, "tilewidth": 24, "tileheight": 24, "columns": 9}', "keep.tsj: image: 3 is not text"),
    (".tsj", '{"image": "keep.png", "tilewidth": 24, "tileheight": 24, "columns": 0}', "columns: 0 is not a whole"),
    (".tsj", '{"image": "keep.png", "tilewidth": 24, "tileheight": 24, "columns": 9, "wangsets": [{"type": "x"}]}', "type: 'x' is not one of mixed, edge, corner"),
    (".tsx", OLD.format("0,0,0"), r"tiles\[0\].terrain: has 3 entries, not 4; give 4"),
    (".tsx", OLD.format("0,0,0,9"), r"tiles\[0\].terrain\[3\]: 9 is not a whole number from -1 to 0"),
    (".tsx", OLD.format("0,0,0,x"), r"tiles\[0\].terrain\[3\]: 'x' is not a whole number from -1 to 0"),
    (".tsx", OLD.format("0,0,0,0,0"), r"tiles\[0\].terrain: has 5 entries, not 4; give 4"),
    (".tres", "", "keep.tres: is not a TileSet; give one that Godot saved"),
    (".tres", '[gd_scene format=3]\n', "keep.tres: is not a TileSet"),
    (".tres", '[gd_resource type="TileSet"', "keep.tres:1: is not a heading; give a TileSet"),
    (".tres", '[gd_resource type="TileSet"]\n[resource]\na = ' + "[" * 100, "keep.tres:3: is nested too deeply"),
    (".tres", '[gd_resource type="TileSet"]\n[resource]\na = "never closed', "keep.tres:3: is not a value"),
    (".tres", '[gd_resource type="TileSet"]\n[resource]\na = 1.2.3', "keep.tres:3: is not a value"),
    (".tres", '[gd_resource type="TileSet"]\n[resource]\n', "sources: has no atlas source; give a TileSet with one"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 7), "terrain_set_0/mode: 7 is not one of 0, 1, 2"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 2).replace("Vector2i(3, 3)", "Vector2i(3, 4)"), r"separation: 'Vector2i\(3, 4\)' is not the same"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 2).replace("tile_size = Vector2i(24, 24)", "tile_size = Vector2i(16, 16)"), "tile_size: differs from the tiles in"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 2).replace("tile_size =", "tile_shape = 1\ntile_size ="), "tile_shape: tiles are not square"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 2).replace('ExtResource("1_a")', "null"), "texture: is not an image file; give the atlas"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 2).replace("res://art", "../.."), "tileset: its image is missing: .* not a file in"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 2).replace("probability = 2.0", "probability = inf"), "0:0/0/probability: inf is not a probability"),
    (".tres", godot_sheet(EDGE_ORDER, 1, 2).replace("sources/0 =", 'sources/3 = SubResource("T_1")\nsources/0 ='), "has several atlas sources; give source = one of 3, 0"),
    (".res", "", r"'keep.res' is not a tileset that can be read; give one that ends in .tres, .tsx, .tsj"),
]  # fmt: skip


@pytest.mark.parametrize(("ending", "data", "message"), HOSTILE)
def test_a_hostile_tileset_gets_one_line(ending: str, data: str, message: str, folder: Path) -> None:
    """Told with the theme's file or the tileset's, and nothing is read that lies outside of the folder."""
    (folder / f"keep{ending}").write_text(data, "utf-8")
    (folder / "x.toml").write_text(TOML.format(ending), "utf-8")
    with pytest.raises(ThemeError, match=message) as caught:
        load_theme(folder / "x.toml")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 2100


def test_a_tileset_is_bounded_before_it_is_read(folder: Path) -> None:
    (folder / "keep.tsj").write_bytes(b" " * ((8 << 20) + 1))
    (folder / "x.toml").write_text(TOML.format(".tsj"), "utf-8")
    with pytest.raises(ThemeError, match=r"keep.tsj: is larger than 8388608 bytes"):
        load_theme(folder / "x.toml")


def test_terrains_that_are_not_there_get_a_hint(folder: Path) -> None:
    """All of them at once, with the rest of what is missing."""
    text = TOML.format(".tsj").replace("Walls/old wall", "stone walls").replace('"ground"', '"grund"')
    (folder / "x.toml").write_text(text, "utf-8")
    theme, problems = check_theme(folder / "x.toml")
    assert theme is not None
    told = "\n".join(problems)
    assert (
        "wall.terrain: 'stone walls' is not a terrain of keep.tsj; choose one of Walls/old wall, Crossings/stone"
        in told
    )
    assert "floor.default.terrain: 'grund' is not a terrain of keep.tsj" in told
    assert not any("pit" in problem or "door" in problem for problem in problems)
    assert "pit: is not given" in "\n".join(theme.stand_ins)
    (folder / "keep.tsj").write_text('{"image": "keep.png", "tilewidth": 24, "tileheight": 24, "columns": 9}')
    assert "'grund' is not a terrain of keep.tsj; it has no terrains; paint them there" in "".join(
        check_theme(folder / "x.toml")[1]
    )


def test_data_of_a_tileset_is_not_written_again(folder: Path) -> None:
    """Two answers to one question would be one too many."""
    (folder / "x.toml").write_text(
        TOML.format(".tsj").replace("[floor", "tile_size = 24\n[floor", 1), "utf-8"
    )
    with pytest.raises(ThemeError, match=r"tile_size: is given by 'keep.tsj'; leave it out"):
        load_theme(folder / "x.toml")


_BYTES = st.one_of(
    st.binary(max_size=300),
    st.builds(
        lambda text, cut, more: text[:cut] + more + text[cut + len(more) :],
        st.sampled_from([
            json.dumps(tiled_sheet()).encode(), godot_sheet(EDGE_ORDER, 1, 2).encode(),
            TSX.format("", "keep.png", 1, "1,0,0,0,0,0,0,0").encode(),
        ]),
        st.integers(0, 4000),
        st.binary(max_size=4),
    ),
)  # fmt: skip


@settings(max_examples=150)
@given(_BYTES)
def test_whatever_a_file_holds_it_is_read_or_refused(data: bytes) -> None:
    """Nothing else is raised, by any of the readers."""
    for read in (
        lambda: tiled_tileset(data, "x.tsx"),
        lambda: tiled_tileset(data, "x.tsj"),
        lambda: godot_tileset(data, "x.tres", None),
    ):
        try:
            found = read()
        except ThemeError as error:
            assert "\n" not in str(error)
        else:
            assert 8 <= found.tile_size <= 64
            for terrain in found.terrains.values():
                assert all(0 <= bits <= SIDES | CORNERS for bits in terrain.tiles.values())
