"""Edits of exported files as people make them: the same words for maps of Tiled, projects of LDtk and scenes of Godot.

Each changes the files in the way in which its program saves such an edit, and knows nothing of how they are read.
"""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from exporters.dress import dressed
from exporters.formats.ldtk.kinds import grid_words
from exporters.theme import Theme
from exporters.theme.loader import load_theme
from generator.checks.base import owners
from generator.geometry import Point, Rect
from generator.level import Level

from .painted_cells import with_cells

Value = bool | int | float | str


class Editor:
    """A level's exported files, to be edited; `save` writes them."""

    def __init__(self, main: Path, level: Level, theme: Path | None = None) -> None:
        self.main, self.level = main, level
        self.theme: Theme = dressed(level, load_theme(theme, level.kinds))[0]
        self._owners = owners(level)

    def room_of(self, tile: Point) -> int:
        return int(self._owners[tile[1], tile[0]])

    def wall(self) -> int:
        return self.theme.walls[min(self.theme.walls)].tiles[0]

    def look(self, terrain: str) -> int:
        if terrain == "pit":
            return self.theme.pits[min(self.theme.pits)].tiles[0]
        return self.theme.floors["default" if terrain == "floor" else terrain].plain.tiles[0]

    def thing(self, name: str) -> list[tuple[int, int, int]]:
        kind = self.level.decor_kinds[[each.name for each in self.level.decor_kinds].index(name)]
        first = next(tile for tile in self.theme.decor[name].variants.tiles if tile >= 0)
        return [
            (dx, dy, first + dy * self.theme.columns + dx)
            for dy in range(kind.height)
            for dx in range(kind.width)
        ]

    def paint(self, tile: Point, terrain: str) -> None:
        self.set_tile("walls", tile, self.wall() if terrain == "wall" else None)
        self.set_tile("ground", tile, None if terrain in ("wall", "void") else self.look(terrain))

    def put(self, tile: Point, name: str) -> None:
        for dx, dy, index in self.thing(name):
            self.set_tile("decor", (tile[0] + dx, tile[1] + dy), index)

    def take(self, tile: Point) -> None:
        kind = self.level.decor_kinds[self.level.decor[tile[1], tile[0]]]
        for dy in range(kind.height):
            for dx in range(kind.width):
                self.set_tile("decor", (tile[0] + dx, tile[1] + dy), None)

    def set_tile(self, layer: str, tile: Point, index: int | None) -> None:
        raise NotImplementedError


def layers_of(holder: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the layers of a map, also those in groups."""
    for layer in holder["layers"]:
        if layer["type"] == "group":
            yield from layers_of(layer)
        else:
            yield layer


class TiledEditor(Editor):
    """Maps as JSON."""

    def __init__(self, main: Path, level: Level, theme: Path | None = None) -> None:
        super().__init__(main, level, theme)
        self.maps: dict[Path, Any] = {}
        if main.suffix == ".world":
            for entry in json.loads(main.read_text())["maps"]:
                path = main.parent / entry["fileName"]
                self.maps[path] = json.loads(path.read_text())
        else:
            self.maps[main] = json.loads(main.read_text())

    def save(self) -> None:
        for path, made in self.maps.items():
            path.write_text(json.dumps(made))

    def _at(self, room: int) -> tuple[Any, Point]:
        if self.main.suffix != ".world":
            return self.maps[self.main], (0, 0)
        made = next(made for path, made in self.maps.items() if path.stem == f"room{room}")
        given = {each["name"]: each["value"] for each in made["properties"]}
        return made, (given["left"], given["top"])

    def set_tile(self, layer: str, tile: Point, index: int | None) -> None:
        made, (left, top) = self._at(self.room_of(tile))
        target = next(each for each in layers_of(made) if each["name"] == layer.capitalize())
        at = (tile[1] - top) * made["width"] + tile[0] - left
        gid = 0 if index is None else index + 1
        if isinstance(target["data"], str):
            data = bytearray(zlib.decompress(base64.b64decode(target["data"])))
            struct.pack_into("<I", data, 4 * at, gid)
            target["data"] = base64.b64encode(zlib.compress(bytes(data))).decode()
        else:
            target["data"][at] = gid

    def _objects(self, class_: str, number: int) -> list[tuple[list[Any], Any]]:
        return [
            (layer["objects"], each)
            for made in self.maps.values()
            for layer in layers_of(made)
            for each in layer.get("objects", ())
            if (each["type"] == class_ or class_ == "marker")
            and any(
                one["name"] == f"{class_}_id" and one["value"] == number for one in each.get("properties", ())
            )
        ]

    def move_marker(self, number: int, tile: Point) -> None:
        ((_, found),) = self._objects("marker", number)
        here = next(marker.room for marker in self.level.markers if marker.id == number)
        _, (left, top) = self._at(self.room_of(tile) if here is None else here)
        size = self.theme.tile_size
        found["x"] = (tile[0] - left) * size + (0 if "gid" in found else 3)
        found["y"] = (tile[1] - top) * size + (size if "gid" in found else size - 1.5)

    def drop_marker(self, number: int) -> None:
        ((listed, found),) = self._objects("marker", number)
        listed.remove(found)

    def add_marker(self, kind: str, tile: Point, given: dict[str, Value]) -> None:
        made, (left, top) = self._at(self.room_of(tile))
        layer = next(each for each in layers_of(made) if each["name"] == "Markers")
        types = {bool: "bool", int: "int", float: "float", str: "string"}
        size = self.theme.tile_size
        place = {"x": (tile[0] - left) * size + 8, "y": (tile[1] - top) * size + 8, "width": 0, "height": 0}
        layer["objects"].append(
            {
                "id": made["nextobjectid"],
                "name": "",
                "type": kind,
                "point": True,
                "rotation": 0,
                "visible": True,
                **place,
                "properties": [{"name": k, "type": types[type(v)], "value": v} for k, v in given.items()],
            }
        )
        made["nextobjectid"] += 1

    def _set(self, class_: str, number: int, key: str, value: Value) -> None:
        for _, found in self._objects(class_, number):
            known = [each for each in found["properties"] if each["name"] == key]
            for each in known:
                each["value"] = value
            if not known:
                found["properties"].append({"name": key, "type": "string", "value": value})

    def set_property(self, number: int, key: str, value: Value) -> None:
        self._set("marker", number, key, value)

    def set_door(self, number: int, kind: str) -> None:
        self._set("door", number, "kind", kind)

    def set_room(self, number: int, kind: str) -> None:
        self._set("room", number, "kind", kind)

    def rename_room(self, number: int, name: str) -> None:
        for _, found in self._objects("room", number):
            found["name"] = name

    def move_door(self, number: int, step: Point) -> None:
        for _, found in self._objects("door", number):
            found["x"] += step[0] * self.theme.tile_size
            found["y"] += step[1] * self.theme.tile_size


class LdtkEditor(Editor):
    """A project as LDtk saves it: IntGrid values, tiles with `t` and `src`, entities with fields."""

    def __init__(self, main: Path, level: Level, theme: Path | None = None) -> None:
        super().__init__(main, level, theme)
        self.project = json.loads(main.read_text())
        self.levels: list[Any] = self.project["levels"]
        self.files: dict[Path, Any] = {}
        if self.project["externalLevels"]:
            for each in self.levels:
                path = main.parent / each["externalRelPath"]
                self.files[path] = json.loads(path.read_text())
            self.levels = list(self.files.values())
        self._origin = (
            level.grid.origin if level.grid and self.project["worldLayout"] == "GridVania" else (0, 0)
        )

    def save(self) -> None:
        self.main.write_text(json.dumps(self.project))
        for path, made in self.files.items():
            path.write_text(json.dumps(made))

    def _level(self, tile: Point) -> tuple[Any, Point]:
        """The level of a tile, and the tile in it: of its room, or of one that was moved there."""
        size, there = self.theme.tile_size, []
        for each in self.levels:
            fields = {field["__identifier"]: field["__value"] for field in each["fieldInstances"]}
            number = fields.get("room")
            left, top = (self._origin[i] + each[key] // size for i, key in enumerate(("worldX", "worldY")))
            found = each, (tile[0] - left, tile[1] - top)
            if len(self.levels) == 1 or (-1 if number is None else number) == self.room_of(tile):
                return found
            if Rect(left, top, each["pxWid"] // size, each["pxHei"] // size).contains(*tile):
                there.append(found)
        assert there, f"no level at {tile}"
        return there[0]

    def _layer(self, level: Any, name: str) -> Any:
        return next(each for each in level["layerInstances"] if each["__identifier"] == name)

    def paint(self, tile: Point, terrain: str) -> None:
        words = grid_words(self.level.kinds)
        value = words.of_room["normal"] if terrain == "floor" else words.of_terrain[terrain]
        level, (x, y) = self._level(tile)
        grid = self._layer(level, "Terrain")
        grid["intGridCsv"][y * grid["__cWid"] + x] = value

    def set_tile(self, layer: str, tile: Point, index: int | None) -> None:
        level, (x, y) = self._level(tile)
        size = self.theme.tile_size
        grid = self._layer(level, layer.capitalize())
        listed = grid["gridTiles"]
        listed[:] = [each for each in listed if each["px"] != [x * size, y * size]]
        if index is not None:
            place = {"px": [x * size, y * size], "src": list(self.theme.at_px(index))}
            listed.append(place | {"f": 0, "t": index, "d": [y * grid["__cWid"] + x], "a": 1})

    def _entities(self, number: int, *, doors: bool) -> list[tuple[list[Any], Any]]:
        found = []
        for level in self.levels:
            listed = self._layer(level, "Entities")["entityInstances"]
            for each in listed:
                fields = {field["__identifier"]: field["__value"] for field in each["fieldInstances"]}
                is_door = each["__identifier"] == "Door"
                if each["__identifier"] != "Room" and is_door is doors and fields.get("id") == number:
                    found.append((listed, each))
        return found

    def move_marker(self, number: int, tile: Point) -> None:
        ((listed, found),) = self._entities(number, doors=False)
        level, (x, y) = self._level(tile)
        listed.remove(found)
        self._layer(level, "Entities")["entityInstances"].append(found)
        found["px"] = [x * self.theme.tile_size, y * self.theme.tile_size]

    def drop_marker(self, number: int) -> None:
        ((listed, found),) = self._entities(number, doors=False)
        listed.remove(found)

    def add_marker(self, kind: str, tile: Point, given: dict[str, Value]) -> None:
        level, (x, y) = self._level(tile)
        name = "".join(word.title() for word in kind.split("_"))
        known = next(each for each in self.project["defs"]["entities"] if each["identifier"] == name)
        entity = self.new_entity(level, known, Rect(x, y, 1, 1), f"b0000000-0000-4000-8000-{x:06}{y:06}")
        for key, value in given.items():
            self._field(entity, key, value)
        self._layer(level, "Entities")["entityInstances"].append(entity)

    def new_entity(self, level: Any, known: Any, rect: Rect, iid: str) -> dict[str, Any]:
        """What LDtk writes of a new entity by its definition, over tiles of a level."""
        size = self.theme.tile_size
        keys = {"__identifier": "identifier", "__type": "__type", "defUid": "uid"}
        fields = [
            {key: field[of] for key, of in keys.items()}
            | {"__value": [] if field["isArray"] else None, "__tile": None, "realEditorValues": []}
            for field in known["fieldDefs"]
        ]
        return {
            "__identifier": known["identifier"],
            "__pivot": [0, 0],
            "__tags": known["tags"],
            "__tile": known["tileRect"],
            "__smartColor": known["color"],
            "iid": iid,
            "width": rect.width * size,
            "height": rect.height * size,
            "defUid": known["uid"],
            "px": [rect.x * size, rect.y * size],
            "fieldInstances": fields,
            **self.place(level, rect.x, rect.y),
        }

    def place(self, level: Any, x: int, y: int) -> dict[str, Any]:
        """What LDtk writes of the place of an entity, which is on a tile of a level."""
        size = self.theme.tile_size
        return {
            "__grid": [x, y],
            "__worldX": level["worldX"] + x * size,
            "__worldY": level["worldY"] + y * size,
        }

    def _field(self, holder: Any, key: str, value: Value | None) -> None:
        """Set a field, in `realEditorValues` too, which is all that LDtk reads."""
        field = next(each for each in holder["fieldInstances"] if each["__identifier"] == key)
        wrapper = {bool: "V_Bool", int: "V_Int", float: "V_Float"}.get(type(value), "V_String")
        held = None if value is None else {"id": wrapper, "params": [value]}
        field |= {"__value": value, "realEditorValues": [held]}

    def set_property(self, number: int, key: str, value: Value) -> None:
        for _, found in self._entities(number, doors=False):
            self._field(found, key, value)

    def set_door(self, number: int, kind: str) -> None:
        for _, found in self._entities(number, doors=True):
            self._field(found, "kind", kind)

    def _holders(self, number: int) -> list[Any]:
        """The levels or entities of a room."""
        return [
            each
            for level in (*self.levels, *self.project["levels"] * bool(self.files))
            for each in (level, *self._entities_of(level))
            if each.get("__identifier", "Room") == "Room"
            if any(f["__identifier"] == "room" and f["__value"] == number for f in each["fieldInstances"])
        ]

    def _entities_of(self, level: Any) -> list[Any]:
        return self._layer(level, "Entities")["entityInstances"] if level["layerInstances"] else []

    def set_room(self, number: int, kind: str) -> None:
        for each in self._holders(number):
            self._field(each, "kind", kind)

    def rename_room(self, number: int, name: str) -> None:
        """Rename its level, or give all entities of rooms a field for names."""
        for each in self._holders(number):
            if "identifier" in each:
                each["identifier"] = name
            else:
                self._add_field_for_names()
                self._field(each, "name", name)

    def _add_field_for_names(self) -> None:
        uid = self.project["nextUid"]
        (room,) = (each for each in self.project["defs"]["entities"] if each["identifier"] == "Room")
        (like,) = (each for each in room["fieldDefs"] if each["identifier"] == "zone")
        room["fieldDefs"].append({**like, "identifier": "name", "uid": uid, "doc": None})
        self.project["nextUid"] += 1
        new = {"__identifier": "name", "__type": "String", "__value": None, "__tile": None, "defUid": uid}
        for level in self.levels:
            for each in self._entities_of(level):
                if each["__identifier"] == "Room":
                    each["fieldInstances"].append({**new, "realEditorValues": []})

    def move_door(self, number: int, step: Point) -> None:
        for _, found in self._entities(number, doors=True):
            found["px"] = [px + way * self.theme.tile_size for px, way in zip(found["px"], step, strict=True)]


class GodotEditor(Editor):
    """Scenes as text: sections, of which each is a heading and its lines."""

    def __init__(self, main: Path, level: Level, theme: Path | None = None) -> None:
        super().__init__(main, level, theme)
        folder = main.with_suffix("")
        paths = sorted(folder.glob("*.tscn")) if folder.is_dir() else []
        self._scenes = {path: path.read_text().split("\n\n[") for path in (*paths, main)}
        self._painted: dict[tuple[int, str], tuple[list[str], dict[Point, Point | None]]] = {}

    @property
    def scenes(self) -> dict[Path, list[str]]:
        """The sections of each scene, with all that was painted."""
        painted, self._painted = self._painted, {}
        for (_, layer), (some, tiles) in painted.items():
            i = self._layer_in(some, layer)
            some[i] = with_cells(some[i], tiles, self.theme)
        return self._scenes

    @property
    def is_old(self) -> bool:
        """Whether it is a scene of Godot 3."""
        return "format=2" in self.scenes[self.main][0]

    def metadata(self, values: Mapping[str, str]) -> str:
        """Metadata of a node as text."""
        if self.is_old:
            return "__meta__ = {" + ",\n".join(f'"{key}": {value}' for key, value in values.items()) + "}"
        return "\n".join(f"metadata/{key} = {value}" for key, value in values.items())

    def save(self) -> None:
        for path, some in self.scenes.items():
            path.write_text("\n\n[".join(some))

    def _scene(self, room: int) -> tuple[list[str], Point]:
        for path, some in self._scenes.items():
            if path.stem == f"room{room}" and path != self.main:
                return some, self.level.rooms[room].bounds[:2]
        return self._scenes[self.main], (0, 0)

    @staticmethod
    def _layer_in(some: list[str], layer: str) -> int:
        start = re.compile(rf'node name="{layer.capitalize()}\w*" type="TileMap')
        found = [i for i, text in enumerate(some) if start.match(text)]
        assert found, layer
        return found[0]

    def set_tile(self, layer: str, tile: Point, index: int | None) -> None:
        some, (left, top) = self._scene(self.room_of(tile))
        if (id(some), layer) not in self._painted:
            self._layer_in(some, layer)
            self._painted[id(some), layer] = some, {}
        tiles = self._painted[id(some), layer][1]
        tiles[tile[0] - left, tile[1] - top] = None if index is None else self.theme.at(index)

    def _sections(self, parent: str, number: int) -> list[tuple[list[str], int]]:
        key = rf'(metadata/id = |"id": ){number}\b'
        return [
            (some, i)
            for some in self.scenes.values()
            for i, text in enumerate(some)
            if re.match(rf'node name="[^"]*"[^\]]* parent="{parent}"', text) and re.search(key, text)
        ]

    def _place(self, tile: Point, corner: Point) -> str:
        size = self.theme.tile_size
        x, y = ((at - left) * size + size / 2 for at, left in zip(tile, corner, strict=True))
        return f"position = Vector2({x:g}, {y:g})"

    def _edit(self, parent: str, number: int, pattern: str, new: str) -> None:
        for some, i in self._sections(parent, number):
            some[i], count = re.subn(pattern, new, some[i])
            assert count == 1, (pattern, some[i])

    def move_marker(self, number: int, tile: Point) -> None:
        ((some, i),) = self._sections("Markers", number)
        here = next(marker.room for marker in self.level.markers if marker.id == number)
        _, corner = self._scene(-1 if here is None else here)
        some[i] = re.sub(r"position = Vector2\([^)]*\)", self._place(tile, corner), some[i])

    def drop_marker(self, number: int) -> None:
        ((some, i),) = self._sections("Markers", number)
        del some[i]

    def add_marker(self, kind: str, tile: Point, given: dict[str, Value]) -> None:
        some, corner = self._scene(self.room_of(tile))
        metadata = self.metadata(
            {"kind": f'"{kind}"'} | {key: json.dumps(value) for key, value in given.items()}
        )
        type_ = "Position2D" if self.is_old else "Marker2D"
        node = f'node name="New" type="{type_}" parent="Markers"]\n{self._place(tile, corner)}\n{metadata}\n'
        some.append(node)

    def set_property(self, number: int, key: str, value: Value) -> None:
        self._edit(
            "Markers", number, rf'(metadata/{key} = |"{key}": )[^\n,}}]*', rf"\g<1>{json.dumps(value)}"
        )

    def set_door(self, number: int, kind: str) -> None:
        self._edit("Doors", number, r'(metadata/kind = |"kind": )"\w*"', rf'\g<1>"{kind}"')

    def set_room(self, number: int, kind: str) -> None:
        for some in self.scenes.values():
            for i, text in enumerate(some):
                mine = (
                    re.search(rf'(metadata/id = |"id": ){number}\b', text)
                    and '"room"' in text.split("]")[0] + "]"
                )
                if mine and "Area2D" in text.split("\n")[0]:
                    some[i] = re.sub(r'(metadata/kind = |"kind": )"\w*"', rf'\g<1>"{kind}"', text)

    def rename_room(self, number: int, name: str) -> None:
        """Rename its node in the main scene, and in the paths of what is below it."""
        some = self.scenes[self.main]
        names = {
            each[1]
            for scene in self.scenes.values()
            for text in scene
            if (each := re.match(r'node name="([^"]*)" type="Area2D"', text))
            if re.search(rf'(metadata/id = |"id": ){number}\b', text) and '"room"' in text.partition("]\n")[0]
        }
        (old,) = names
        for i, text in enumerate(some):
            head, end, rest = text.partition("]\n")
            head = re.sub(rf'name="{old}"', lambda _: f'name="{name}"', head)
            head = re.sub(rf'parent="Rooms/{old}(?=["/])', lambda _: f'parent="Rooms/{name}', head)
            some[i] = head + end + rest

    def move_door(self, number: int, step: Point) -> None:
        size = self.theme.tile_size
        for some, i in self._sections("Doors", number):
            x, y = (float(each) for each in re.search(r"Vector2\(([^)]*)\)", some[i])[1].split(","))  # type: ignore[index]
            moved = f"position = Vector2({x + step[0] * size:g}, {y + step[1] * size:g})"
            some[i] = re.sub(r"position = Vector2\([^)]*\)", moved, some[i], count=1)


def editor_of(main: Path, level: Level, theme: Path | None = None) -> TiledEditor | LdtkEditor | GodotEditor:
    """The editor of a main file."""
    kinds = {".ldtk": LdtkEditor, ".tscn": GodotEditor}
    return kinds.get(main.suffix, TiledEditor)(main, level, theme)
