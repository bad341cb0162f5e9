"""Maps with one thing of each kind: shapes, facts of tiles, terrains, types of properties, mapped scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.godot_addon.conftest import res

from .features import prop, shapes
from .handwritten import CRATE, FAILING, PICKS, SPAWNER, SPAWNER_SCRIPT, WRAPS, XML
from .maps import H, Map, a_map, import_with, object_layer, save, sheet, tile_layer, tileset

BOX = {"x": 0, "y": 0, "width": 16, "height": 16}
BENT = ((0, 0), (16, 0), (16, 8), (8, 8), (8, 16), (0, 16))
TYPES = {
    "propertyTypes": [
        {"id": 1, "name": "Mood", "type": "enum", "storageType": "string", "values": ["calm", "angry"]},
        {"id": 2, "name": "Rank", "type": "enum", "storageType": "int", "values": ["low", "mid", "high"]},
        {
            "id": 3,
            "name": "Doors",
            "type": "enum",
            "storageType": "int",
            "values": ["north", "east", "south"],
            "valuesAsFlags": True,
        },
        {
            "id": 4,
            "name": "Loot",
            "type": "class",
            "useAs": ["property"],
            "members": [
                {"name": "coins", "type": "int", "value": 3},
                {"name": "mood", "type": "string", "propertyType": "Mood", "value": "calm"},
            ],
        },
        {
            "id": 5,
            "name": "Chest",
            "type": "class",
            "useAs": ["property", "object"],
            "members": [
                {"name": "loot", "type": "class", "propertyType": "Loot", "value": {"coins": 9}},
                {"name": "doors", "type": "int", "propertyType": "Doors", "value": 2},
                {"name": "rank", "type": "int", "propertyType": "Rank", "value": 1},
            ],
        },
    ]
}
LIST = [
    {"type": "int", "value": 10},
    {"type": "string", "value": "ten"},
    {"type": "color", "value": "#ff00ff00"},
    {"type": "object", "value": 1},
    {"type": "class", "propertytype": "Loot", "value": {"coins": 1}},
    {"type": "list", "value": [{"type": "bool", "value": True}]},
]


def write_kinds(folder: Path) -> None:
    """`types/`: a project with its types and maps; `old` is `kinds` without what only new Tileds know."""
    inner = folder / "types"
    inner.mkdir()
    sheet(4, 3, (16, 16)).save(inner / "kinds.png")
    save(inner, "kinds.tsj", _tileset([prop("list", "list", LIST[:2])], capsule=True))
    save(inner, "old.tsj", _tileset([], capsule=False))
    save(inner, "types.tiled-project", TYPES)
    (inner / "crate.tx").write_text(CRATE.format(gid=2 | H))
    barrel = {"name": "Barrel", "gid": 3, "width": 16, "height": 32, "visible": False, "rotation": 90}
    own = {"firstgid": 1, "source": "kinds.tsj"}
    save(inner, "barrel.tj", {"type": "template", "tileset": own, "object": barrel})
    save(inner, "kinds.tmj", _kinds("kinds.tsj", _new_objects()))
    save(inner, "old.tmj", _kinds("old.tsj", []))
    save(inner, "diamond.tmj", _diamond())
    (inner / "hand.tmx").write_text(XML)
    (folder / "spawner.tscn").write_text(SPAWNER.replace("res://", res(folder)))
    (folder / "spawner.gd").write_text(SPAWNER_SCRIPT)
    save(inner, "mapped.tmj", _mapped())
    import_with(folder, "types/mapped.tmj", scenes="enemy=res://spawner.tscn\nwall=StaticBody2D")
    for name, script in {"wraps": WRAPS, "picks": PICKS, **FAILING}.items():
        if script:
            (folder / f"{name}.gd").write_text(script)
        save(inner, f"{name}.tmj", _mapped())
        import_with(folder, f"types/{name}.tmj", post_import=f"res://{name}.gd")


def _polygon(*corners: tuple[float, float]) -> list[Map]:
    return [{"x": x, "y": y} for x, y in corners]


def _tileset(more: list[Map], *, capsule: bool) -> Map:
    occluding = prop("occluder", "bool", True)
    tiles = [
        {"id": 0, "objectgroup": shapes({**BOX, "type": "navigation"})},
        {
            "id": 1,
            "objectgroup": shapes({"polygon": _polygon(*BENT), "properties": [prop("nav", "bool", True)]}),
        },
        {
            "id": 2,
            "objectgroup": shapes(
                {**BOX, "height": 4, "type": "Occluder"},
                {"polygon": _polygon((0, 8), (16, 8), (8, 16)), "properties": [occluding]},
            ),
        },
        {
            "id": 3,
            "objectgroup": shapes(
                {**BOX, "height": 8, "ellipse": True, "properties": [prop("one_way", "bool", True)]},
                {**BOX, "width": 4, "capsule": capsule, "properties": [prop("collision_layer", "int", 6)]},
                {**BOX, "x": 8, "rotation": 90, "width": 4, "properties": [prop("fly", "bool", True)]},
            ),
            "properties": [prop("rank", "int", 2, "Rank"), *more],
        },
    ]
    sets = [
        _wang("Corners", "corner", {4: [2, 1, 2, 2, 2, 1, 2, 0]}),
        _wang("Edges", "edge", {5: [1, 2, 2, 2, 1, 2, 0, 2]}),
        _wang("Both", "mixed", {6: [1, 1, 1, 1, 2, 2, 1, 0], 4: [1] * 8}),
    ]
    return {**tileset("kinds.png", 12, 4, (16, 16)), "tiles": tiles, "wangsets": sets}


def _wang(name: str, type_: str, tiles: dict[int, list[int]]) -> Map:
    colors = [
        {"name": "sand", "color": "#ffff00", "probability": 1, "tile": -1},
        {"name": "grass", "color": "#00ff00", "probability": 1, "tile": -1},
    ]
    listed = [{"tileid": tile, "wangid": wang} for tile, wang in tiles.items()]
    return {"name": name, "type": type_, "tile": -1, "colors": colors, "wangtiles": listed}


def _new_objects() -> list[Map]:
    return [
        {"name": "Pill", "capsule": True, "x": 10, "y": 20, "width": 8, "height": 30},
        {"name": "Lying", "capsule": True, "width": 30, "height": 8, "rotation": 90},
        {"name": "Faint", "point": True, "opacity": 0.5},
        {"name": "Lists", "point": True, "properties": [prop("list", "list", LIST)]},
    ]


STYLE = {
    "text": "two\nlines",
    "color": "#80ff0000",
    "pixelsize": 24,
    "bold": True,
    "italic": True,
    "halign": "right",
    "valign": "bottom",
    "fontfamily": "Serif",
}
OBJECTS: list[Map] = [
    {"name": "Egg", "ellipse": True, "x": 4, "y": 6, "width": 20, "height": 10},
    {"name": "Bent", "polygon": _polygon(*BENT), "x": 7, "y": 8, "rotation": 45},
    {"name": "Road", "polyline": _polygon((0, 0), (9, 5), (20, -5)), "x": 1, "y": 2},
    {"name": "Words", "text": STYLE, "x": 3, "y": 4, "width": 50, "height": 60, "rotation": 30},
    {"name": "Solid", "gid": 4 | H, "x": 100, "y": 100, "width": 32, "height": 16, "rotation": 90},
    {"name": "Nothing", "x": 3, "y": 4},
    {"name": "Hidden", "point": True, "visible": False},
    {"name": "Usual", "type": "Chest", "point": True},
    {
        "name": "Full",
        "type": "Chest",
        "point": True,
        "properties": [
            prop("loot", "class", {"coins": 5}, "Loot"),
            prop("doors", "int", 5, "Doors"),
            prop("rank", "int", 2, "Rank"),
            prop("mood", "string", "angry", "Mood"),
            prop("inner", "class", {"loot": {"mood": "angry"}, "doors": 1}, "Chest"),
        ],
    },
]


def _kinds(source: str, more: list[Map]) -> Map:
    objects = object_layer(*more, *OBJECTS)
    objects["objects"] += [
        {"id": 40, "template": "crate.tx", "x": 40, "y": 60},
        {"id": 41, "template": "barrel.tj", "x": 80, "y": 90},
        {
            "id": 42,
            "template": "barrel.tj",
            "x": 1,
            "y": 2,
            "visible": True,
            "rotation": 0,
            "name": "Upright",
        },
    ]
    gids = np.arange(1, 9, dtype=np.uint32).reshape(1, 8)
    tiles = {"firstgid": 1, "source": source}
    return a_map((8, 1), (16, 16), [tiles], tile_layer(gids, name="Tiles"), objects)


def _diamond() -> Map:
    objects = object_layer(
        {"name": "Point", "point": True, "x": 48, "y": 16},
        {"name": "Box", "x": 16, "y": 16, "width": 32, "height": 16},
        {"name": "Road", "polyline": _polygon((0, 0), (16, 0), (16, 16)), "x": 32, "y": 32},
        {"name": "Tile", "gid": 1, "x": 32, "y": 32, "width": 16, "height": 16},
        {"name": "Words", "text": {"text": "Hm"}, "x": 0, "y": 16, "width": 20, "height": 20},
    )
    tiles = {"firstgid": 1, **tileset("kinds.png", 12, 4, (16, 16))}
    return a_map((10, 6), (32, 16), [tiles], objects, orientation="isometric")


def _mapped() -> Map:
    facts: list[Map] = [
        prop("count", "int", 7),
        prop("title", "string", "Boss"),
        prop("tint", "color", "#ffff0000"),
        prop("friend", "object", 2),
        prop("loot", "class", {"coins": 4}, "Loot"),
        prop("doors", "int", 5, "Doors"),
        prop("anything", "string", "of another type"),
        prop("secret", "int", 9),
    ]
    boss: dict[str, Any] = {"name": "Boss", "type": "enemy", "x": 10, "y": 20, "width": 20, "height": 10}
    objects = object_layer(
        {**boss, "rotation": 90, "properties": facts},
        {"name": "Wall", "type": "wall", "x": 50, "y": 60, "width": 10, "height": 10},
        {"name": "Plain", "type": "enemy", "point": True, "visible": False},
    )
    return a_map((1, 1), (16, 16), [], objects)
