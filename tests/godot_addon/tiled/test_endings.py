"""Line endings, byte order marks and whatever XML allows round its elements: every reader takes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.godot_addon.rounds import Part, Turns, complaints, in_rounds

from .maps import sheet

MAP = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16">
 <properties>
  <property name="motto">two
lines</property>
 </properties>
 <tileset firstgid="1" source="tiles.tsx"/>
 <layer id="1" name="Ground" width="3" height="2">
  <data encoding="csv">
1,2,3,
0,2,1
</data>
 </layer>
 <objectgroup id="2" name="Objects">
  <object id="1" template="sentry.tx" x="40" y="60"/>
 </objectgroup>
</map>
"""
TILESET = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="tiles" tilewidth="16" tileheight="16" tilecount="4" columns="2">
 <image source="../tiles.png" width="32" height="32"/>
</tileset>
"""
TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<template>
 <object name="Sentry" type="guard">
  <point/>
 </object>
</template>
"""
MAP_JSON = """{
 "type": "map", "version": "1.10", "orientation": "orthogonal",
 "width": 3, "height": 2, "tilewidth": 16, "tileheight": 16,
 "properties": [{"name": "motto", "type": "string", "value": "two\\nlines"}],
 "tilesets": [{"firstgid": 1, "source": "tiles.tsj"}],
 "layers": [
  {"type": "tilelayer", "id": 1, "name": "Ground", "width": 3, "height": 2, "data": [1, 2, 3, 0, 2, 1]},
  {"type": "objectgroup", "id": 2, "name": "Objects",
   "objects": [{"id": 1, "template": "sentry.tj", "x": 40, "y": 60}]}
 ]
}
"""
TILESET_JSON = """{
 "type": "tileset", "name": "tiles", "tilewidth": 16, "tileheight": 16, "tilecount": 4, "columns": 2,
 "image": "../tiles.png", "imagewidth": 32, "imageheight": 32
}
"""
TEMPLATE_JSON = """{
 "type": "template", "object": {"name": "Sentry", "type": "guard", "point": true}
}
"""
PROJECT = """{
 "propertyTypes": [
  {"name": "guard", "type": "class", "members": [{"name": "speed", "type": "float", "value": 1.5}]}
 ]
}
"""
WORLD = """{
 "type": "world",
 "maps": [{"fileName": "map.tmx", "x": 0, "y": 0}, {"fileName": "map.tmj", "x": 48, "y": 0}]
}
"""
FILES = {
    "map.tmx": MAP,
    "tiles.tsx": TILESET,
    "sentry.tx": TEMPLATE,
    "map.tmj": MAP_JSON,
    "tiles.tsj": TILESET_JSON,
    "sentry.tj": TEMPLATE_JSON,
    "game.tiled-project": PROJECT,
    "all.world": WORLD,
}


def _dressed(text: str) -> str:
    """XML with everything that may stand round its elements; JSON as it is."""
    if not text.startswith("<?xml"):
        return text
    head, body = text.split("\n", 1)
    dtd = '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">'
    body = body.replace(">\n", ">\n<!-- a > b -->\n", 1)
    return f"{head}\n{dtd}\n<!-- by hand -->\n<?editor keep?>\n{body}<!-- the end -->\n"


WAYS: dict[str, Callable[[str], bytes]] = {
    "unix": str.encode,
    "windows": lambda text: text.replace("\n", "\r\n").encode(),
    "mac": lambda text: text.replace("\n", "\r").encode(),
    "mark": lambda text: text.encode("utf-8-sig"),
    "marked_windows": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
    "blank": lambda text: (text + "\n \t\r\n\n").encode(),
    "no_end": lambda text: text.rstrip().encode(),
    "two_spaces": lambda text: (text.rstrip() + "  ").encode(),
    "dressed": lambda text: _dressed(text).encode(),
}


def _write(folder: Path) -> list[str]:
    sheet(2, 2, (16, 16)).save(folder / "tiles.png")
    for way, encoded in WAYS.items():
        (folder / way).mkdir()
        for name, text in FILES.items():
            (folder / way / name).write_bytes(encoded(text))
    return [f"res://{way}/{name}" for way in WAYS for name in ("map.tmx", "map.tmj", "all.world")]


@in_rounds
def test_every_reader_takes_every_line_ending(part: Part) -> Turns:
    paths = _write(part.folder)
    assert complaints((yield)) == []
    trees = part.ask("tree.gd", *paths)
    plain = trees["res://unix/map.tmj"]
    assert len(plain["Ground"]["cells"]) == 5
    assert plain["Objects/Sentry"]["position"] == pytest.approx([40, 60])
    assert plain["Objects/Sentry"]["meta"]["speed"] == "1.5"
    assert plain["."]["meta"]["motto"] == '"two\nlines"'
    for tree in trees.values():
        for node in tree.values():
            node.pop("scene", None)  # of a world's maps, which lie in folders of their own
    world = trees["res://unix/all.world"]
    assert {"map", "map_2"} <= set(world)
    for path, tree in trees.items():
        assert tree == (world if path.endswith(".world") else plain), path
