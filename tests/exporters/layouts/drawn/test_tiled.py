"""Maps as Tiled writes them: every encoding, infinite, flipped, in groups, with templates; and hostile ones."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.formats.tiled.drawn_rooms import tiled_room
from generator.errors import LayoutError
from generator.interiors.drawing_text import layout_of
from generator.interiors.drawings import DrawnFiles
from generator.interiors.editor_room import RoomCanvas, TileNumbers
from generator.interiors.layouts import Layout
from generator.interiors.problems import checked_file
from generator.kinds import shipped_kit
from tests import hostile

from .files import ROWS, TILESET, map_of, numbers, packed, plain, tmx, write


def read(path: Path, root: Path | None = None) -> Layout:
    return layout_of(tiled_room(path, DrawnFiles(root or path.parent, shipped_kit())))


def drawn(layout: Layout) -> list[str]:
    assert layout.doors == ("N", "S") and layout.shape.name == "1x1"
    return list(layout.rows)


def test_each_chunk_of_an_infinite_map_is_looked_at_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work grows with the tiles, not with the chunks times all that lies between them."""
    looked_at: list[int] = []
    put = RoomCanvas.put

    def counted(canvas: RoomCanvas, tiles: TileNumbers, *rest: Any) -> None:
        looked_at.append(tiles.size)
        put(canvas, tiles, *rest)

    monkeypatch.setattr(RoomCanvas, "put", counted)
    chunks = [{"x": x, "y": 7 * x % 400, "width": 1, "height": 1, "data": [1]} for x in range(400)]
    room = tiled_room(
        write(tmp_path, map_of({"chunks": chunks}, infinite=True)), DrawnFiles(tmp_path, shipped_kit())
    )
    assert looked_at == [1] * 400
    assert np.count_nonzero(room.terrain) == 400


@pytest.mark.parametrize("compression", ["", "zlib", "gzip", "zstd"])
def test_packed_layers(compression: str, tmp_path: Path) -> None:
    data = packed(numbers().tobytes(), compression)
    layer = {"encoding": "base64", "compression": compression, "data": data}
    assert drawn(read(write(tmp_path, map_of(layer)))) == ROWS
    text = tmx(f"\n   {data}\n  ", attributes=f'encoding="base64" compression="{compression}"')
    (tmp_path / "room.tmx").write_text(text.replace(' compression=""', ""))
    layout = read(tmp_path / "room.tmx")
    assert drawn(layout) == ROWS and layout.weight == 3


def test_lists_of_numbers(tmp_path: Path) -> None:
    assert drawn(read(write(tmp_path, plain()))) == ROWS
    rows = [",".join(map(str, row)) for row in numbers().tolist()]
    (tmp_path / "a.tmx").write_text(tmx(",\n".join(rows)))
    tiles = "".join(f'<tile gid="{number}"/>' for number in numbers().ravel().tolist())
    (tmp_path / "b.tmx").write_text(tmx(tiles, attributes=""))
    for name in ("a.tmx", "b.tmx"):
        assert drawn(read(tmp_path / name)) == ROWS


def test_infinite_maps_turned_tiles_and_tiles_anywhere(tmp_path: Path) -> None:
    """Chunks, from which the room is cut; the highest bits of a tile tell how it is turned."""
    whole = np.zeros((16, 32), "<u4")
    whole[5:12, 3:12] = numbers()
    whole[6, 4] |= 0xA0000000
    chunks = [
        {"x": x - 16, "y": -16, "width": 16, "height": 16, "data": whole[:, x : x + 16].ravel().tolist()}
        for x in (0, 16)
    ]
    map_ = map_of({"chunks": chunks, "startx": -16, "starty": -16}, infinite=True)
    map_["layers"][1]["objects"][0] |= {"x": (3 - 16) * 8 + 52, "y": (5 - 16) * 8 + 28}
    assert drawn(read(write(tmp_path, map_))) == ROWS


def test_a_layer_may_be_shifted_alone_and_with_its_group(tmp_path: Path) -> None:
    """The group by four tiles, and the objects in it by one more; they lie where the room is nevertheless."""
    map_ = plain()
    (marker,) = map_["layers"][1]["objects"]
    marker |= {"x": marker["x"] - 8, "y": marker["y"] - 16}
    map_["layers"][1] |= {"offsetx": 8, "offsety": 16}
    assert drawn(read(write(tmp_path, map_))) == ROWS
    group = {
        "type": "group",
        "id": 9,
        "name": "objects",
        "layers": [map_["layers"][1]],
        "offsetx": 32,
        "offsety": 8,
    }
    marker |= {"x": marker["x"] - 32, "y": marker["y"] - 8}
    assert drawn(read(write(tmp_path, {**map_, "layers": [map_["layers"][0], group]}))) == ROWS


def test_markers_are_objects_templates_icons_or_painted(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    template = {"type": "template", "object": {"type": "enemy", "width": 8, "height": 8, "properties": [
        {"name": "role", "type": "string", "value": "brute"}]}}  # fmt: skip
    (tmp_path / "sub" / "brute.tj").write_text(json.dumps(template))
    (tmp_path / "sub" / "fly.tx").write_text(
        '<template><object class="enemy"><properties><property name="role" value="flyer"/></properties>'
        "</object></template>"
    )
    map_ = plain()
    map_["layers"][1]["objects"] += [
        {"id": 2, "template": "sub/brute.tj", "x": 8, "y": 32},
        {"id": 3, "template": "sub/fly.tx", "x": 12, "y": 44},
        {"id": 4, "gid": 7, "x": 56, "y": 16, "width": 8, "height": 8},
        {"id": 5, "type": "one_of", "x": 8, "y": 8, "width": 16, "height": 8,
         "properties": [{"name": "of", "type": "string", "value": "rock floor"}]},
        {"id": 6, "type": "note", "x": 0, "y": 0},
        {"id": 7, "name": "of no class", "x": 0, "y": 0},
    ]  # fmt: skip
    painted = np.zeros(63, int)
    painted[5 * 9 + 7] = 7
    map_["layers"].append({"type": "tilelayer", "width": 9, "height": 7, "data": painted.tolist()})
    layout = read(write(tmp_path, map_))
    assert list(layout.rows) == ["ZZ....S", "..o....", "..~~.E.", "B......", "F.....S"]
    assert layout.variations["Z"].many == 0


def test_tilesets_lie_inside_of_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "rooms" / "shop"
    inner.mkdir(parents=True)
    (tmp_path / "rooms" / "own.tsj").write_text(json.dumps(TILESET))
    (tmp_path / "own.tsj").write_text(json.dumps(TILESET))
    for source, fits in (("../own.tsj", True), ("../../own.tsj", False), ("../none.tsj", False)):
        map_ = {**plain(), "tilesets": [{"firstgid": 1, "source": source}]}
        path = write(inner, map_)
        if fits:
            assert drawn(read(path, tmp_path / "rooms")) == ROWS
        else:
            with pytest.raises(LayoutError, match="is not a file in"):
                read(path, tmp_path / "rooms")


@pytest.mark.parametrize("weight", [3, 3.0, "3"])
def test_a_whole_number_may_be_written_with_a_point(weight: object, tmp_path: Path) -> None:
    assert read(write(tmp_path, with_property("weight", weight))).weight == 3


def test_exits_are_gaps_or_objects(tmp_path: Path) -> None:
    map_ = plain()
    map_["properties"] = [{"name": "exits", "type": "string", "value": "gaps"}]
    layout = read(write(tmp_path, map_))
    assert list(map(str, layout.exits)) == ["N 4", "S 4"] and list(layout.rows) == ROWS
    map_ = plain()
    map_["layers"][1]["objects"] += [
        {"id": 2, "type": "exit", "x": 24, "y": 0, "width": 24, "height": 8},
        {"id": 3, "type": "exit", "x": 64, "y": 8, "width": 8, "height": 40,
         "properties": [{"name": "any", "type": "bool", "value": True}]},
    ]  # fmt: skip
    assert list(map(str, read(write(tmp_path, map_)).exits)) == ["N 3-5", "E any"]


def test_an_exit_object_says_its_class(tmp_path: Path) -> None:
    map_ = plain()
    property_ = {"name": "joins", "type": "string", "value": "wide"}
    drawn = {"id": 2, "type": "exit", "x": 24, "y": 0, "width": 24, "height": 8, "properties": [property_]}
    map_["layers"][1]["objects"].append(drawn)
    assert list(map(str, read(write(tmp_path, map_)).exits)) == ["N 3-5 joins=wide"]
    for name, value, message in (
        ("join", "wide", r"tile \(3, 0\): 'join' is not a property of an exit; did you mean joins\?"),
        ("joins", "Very wide", "exits: 'N 3-5 joins=Very wide' is not an exit; write a side"),
    ):
        property_ |= {"name": name, "value": value}
        with pytest.raises(LayoutError, match=message):
            read(write(tmp_path, map_))


def damaged(**changes: Any) -> dict[str, Any]:
    """The room with keys of its layer of tiles changed."""
    map_ = plain()
    map_["layers"][0] |= changes
    return map_


def over_and_under(tile: int) -> dict[str, Any]:
    """The room with a hole at (5, 2), and below it a layer with a tile there and under a wall."""
    map_ = plain()
    below = [0] * 63
    below[0] = below[23] = tile
    map_["layers"][0]["data"][23] = 0
    map_["layers"].insert(0, {**map_["layers"][0], "data": below})
    return map_


def with_property(name: str, value: object) -> dict[str, Any]:
    return {**plain(), "properties": [{"name": name, "value": value}]}


@pytest.mark.parametrize(
    ("turned", "place"), [(0, (8, 32)), (90, (24, 32)), (180, (24, 40)), (-90, (8, 40)), (360, (8, 32))]
)
def test_objects_are_turned_about_their_place(turned: int, place: tuple[int, int], tmp_path: Path) -> None:
    """In each case the object covers the two tiles at the left of the fourth row of the room."""
    wide = turned % 180 == 0
    size = {"width": 16, "height": 8} if wide else {"width": 8, "height": 16}
    rows = [*ROWS[:3], "ZZ.....", ROWS[4]]
    for gid, dy in ((0, 0), (7, size["height"])):
        map_ = plain()
        angle = {0: (0, dy), 90: (-dy, 0), 180: (0, -dy), 270: (dy, 0)}[turned % 360]
        at = {"x": place[0] + angle[0], "y": place[1] + angle[1], "rotation": turned}
        of = [{"name": "of", "value": "rock pot"}]
        thing = {"id": 2, "type": "one_of", "properties": of, **at, **size} | ({"gid": gid} if gid else {})
        map_["layers"][1]["objects"].append(thing)
        assert drawn(read(write(tmp_path, map_))) == rows, thing


BOMB = packed(bytes(1 << 26), "zlib")


@pytest.mark.parametrize(
    ("map_", "says"),
    [
        (damaged(data=[1, 2]), r"layers\[0\]\.data: has 2 entries, not 63"),
        (damaged(encoding="base64", data="???"), "is not base64"),
        (damaged(encoding="base64", compression="lzma", data=""), "unknown compression 'lzma'"),
        (damaged(encoding="base64", compression="zlib", data=BOMB), "has 253 bytes, not 4 for each"),
        (damaged(encoding="base64", compression="zlib", data="AAAA"), "cannot be unpacked"),
        (damaged(width=10**9), r"width: 1000000000 is not a whole number from 1 to 512"),
        (damaged(data=[99] * 63), r"tile \(0, 0\): tile 98 of own has no terrain; give it the class"),
        (over_and_under(99), r"room.tmj: tile \(5, 2\): tile 98 of own has no terrain"),
        (over_and_under(0), r"room.tmj: tile \(5, 2\): is empty on all layers; draw floor or a wall there"),
        (damaged(data=[0] * 63), "has no tiles; draw the room with its walls"),
        (damaged(data=[2] * 63), r"tile \(0, 0\): there is a gap in the wall where a 1x1 has no door"),
        (damaged(data=[1] * 63), "has no door; leave a gap in the middle of a side of the wall"),
        ({**plain(), "orientation": "isometric"}, "only orthogonal maps can be read"),
        (with_property("mirror", "x"), "room.tmj: mirror: 'x' is not one of none"),
        (with_property("weight", 1.5), "room.tmj: weight: '1.5' is not a whole number"),
        (with_property("weigth", 5), "room.tmj: 'weigth' is not a property of a room; did you mean weight"),
        (with_property("shape", "3x3"), "shape: '3x3' is not one of 1x1"),
        (with_property("tags", "a\nmap:"), "cannot be written in a layout's header"),
    ],
)  # fmt: skip
def test_damage_is_reported_with_its_place(map_: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=says) as caught:
        read(write(tmp_path, map_))
    assert str(caught.value).startswith(str(tmp_path / "room.tmj")) and "\n" not in str(caught.value)
    assert str(caught.value) in checked_file(tmp_path / "room.tmj", tmp_path, shipped_kit()).problems


@pytest.mark.parametrize(
    ("enemy", "says"),
    [
        ({"type": "enmey"}, r"object 1 \(enmey\): unknown marker kind 'enmey'; did you mean enemy\?"),
        ({"x": 28, "y": 28}, r"tile \(3, 3\): object 1 \(enemy\) is on pit; put it on free floor"),
        ({"x": 900}, r"object 1 \(enemy\) is outside the room"),
        ({"x": 36, "y": 10}, r"tile \(4, 1\): `E` is in front of a door; leave free floor there"),
        ({"type": "group"}, "of: is missing; say what it may become"),
        ({"x": 1e99}, r"x: 1e\+99 is not a number below 100 million"),
        ({"properties": [{"name": "a b", "value": 1}]}, "'a b': 1 cannot be written in a layout"),
        ({"properties": [{"name": "rol", "value": "brute"}]}, r"1 \(enemy\): 'rol' is not .* mean role\?"),
        ({"properties": [{"name": "role", "value": "shooterr"}]}, "role=shooterr: unknown role; .* shooter"),
        ({"properties": [{"name": "role", "value": 3}]}, "role=3: is not a word; give one such as walker"),
        ({"rotation": 45, "width": 8}, "rotation: 45: rotate the object by a multiple of 90 degrees"),
    ],
)
def test_objects_are_reported_by_their_number(enemy: dict[str, Any], says: str, tmp_path: Path) -> None:
    map_ = plain()
    map_["layers"][1]["objects"][0] |= enemy
    with pytest.raises(LayoutError, match=says):
        read(write(tmp_path, map_))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<map",
        "<tileset/>",
        '<!DOCTYPE x [<!ENTITY a "b">]><map>&a;</map>',
        '<map width="9"/>',
        tmx("1,2,3"),
        tmx("1," * 62 + "x"),
        tmx("", attributes='encoding="base64" compression="zlib"'),
    ],
)
def test_bad_xml_is_reported_in_a_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "room.tmx").write_text(text)
    with pytest.raises(LayoutError) as caught:
        read(tmp_path / "room.tmx")
    assert str(caught.value).startswith(str(tmp_path / "room.tmx")) and "\n" not in str(caught.value)


def test_a_bomb_takes_no_memory(tmp_path: Path) -> None:
    """Not more than a layer has tiles is ever unpacked, and no more layers than their tiles allow."""
    data = packed(b"\1\0\0\0" * 512 * 512, "zlib")
    layer = {"type": "tilelayer", "width": 512, "height": 512, "encoding": "base64", "compression": "zlib"}
    map_ = {**plain(), "layers": [{**layer, "data": data} for _ in range(40)]}
    with pytest.raises(LayoutError, match="brings all layers to more than 4194304 tiles"):
        read(write(tmp_path, map_))
    assert zlib.decompress(b"x\x9c\x03\x00\x00\x00\x00\x01") == b""


@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_whatever_is_odd_is_reported_in_a_line(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path = folder / "odd.tmj"
    path.write_text(json.dumps(hostile.changed(data, plain())), "utf-8")
    try:
        read(path)
    except LayoutError as error:
        assert "\n" not in str(error) and str(error).startswith(str(path))
