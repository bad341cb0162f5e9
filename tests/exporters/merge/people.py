"""What people do to our files, at random: each edit leaves a token in the file by which it is found again.

A person's work is done on parsed values in the simplest way, without the code under test. `tokens` reads a file back,
also without it: texts, and the numbers of tiles, whatever they are packed in.
"""

from __future__ import annotations

import base64
import copy
import json
import random
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .xml_maps import as_json, as_xml

Json = dict[str, Any]


class Work(NamedTuple):
    """An edit: what kind it is, and what must be in the file from now on."""

    kind: str
    token: object


class Person:
    """Edits files of one format, and looks for the edits later."""

    suffix: str

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.count = 0

    def edit(self, data: bytes) -> tuple[bytes, Work]:
        """Do one thing to a file; kinds take turns."""
        raise NotImplementedError

    def take_away(self, data: bytes) -> bytes:
        """Erase a tile, or delete a marker, by turns; nothing is left that could be found again."""
        raise NotImplementedError

    def tokens(self, data: bytes) -> set[object]:
        """All that is in a file and may be a token."""
        raise NotImplementedError

    def _token(self) -> str:
        self.count += 1
        return f"edit-{self.count}-"


class TiledPerson(Person):
    suffix = "tmj"

    def edit(self, data: bytes) -> tuple[bytes, Work]:
        map_ = json.loads(data)
        kinds: list[Callable[[Json, str], object]] = [
            self.paint, self.draw_layer, self.add_object, self.tell_object, self.move_object, self.rename_layer,
            self.tell_map, self.add_tileset, self.add_group, self.refer,
        ]  # fmt: skip
        token = self._token()
        kind = kinds[self.count % len(kinds)]
        left = kind(map_, token)
        return json.dumps(map_).encode(), Work(kind.__name__, left)

    def tokens(self, data: bytes) -> set[object]:
        map_ = json.loads(data)
        found: set[object] = set(re.findall(r"edit-\d+-", data.decode()))
        for layer in all_layers(map_):
            found |= set(layer.get("data", []))
            found |= {each["x"] % 16 for each in layer.get("objects", [])}
        return found

    def take_away(self, data: bytes) -> bytes:
        map_ = json.loads(data)
        self.count += 1
        if self.count % 2:
            layer = self.chance.choice(tile_layers(map_)[:2])
            drawn = [at for at, gid in enumerate(layer["data"]) if gid]
            layer["data"][self.chance.choice(drawn or [0])] = 0
        else:
            layer = self.chance.choice([each for each in object_layers(map_) if each["objects"]])
            markers = [each for each in layer["objects"] if each["type"] != "room"]
            layer["objects"] = [each for each in layer["objects"] if each not in markers[-1:]]
        return json.dumps(map_).encode()

    def paint(self, map_: Json, token: str) -> object:
        """A tile of a number that no other has, where there is a floor or a wall."""
        layer = self.chance.choice(tile_layers(map_)[:2])
        drawn = [at for at, gid in enumerate(layer["data"]) if 0 < gid < 5000]
        if not drawn:
            return self.tell_map(map_, token)
        gid = 10_000 + self.count
        layer["data"][self.chance.choice(drawn)] = gid
        return gid

    def draw_layer(self, map_: Json, token: str) -> object:
        """A layer of one's own, with one tile in the middle, which has a place in every new map."""
        gid, size = 10_000 + self.count, map_["width"] * map_["height"]
        data = [0] * size
        data[map_["width"] * (map_["height"] // 2) + map_["width"] // 2] = gid
        layer = {"id": map_["nextlayerid"], "name": token, "type": "tilelayer", "data": data, "opacity": 1}
        layer |= {"x": 0, "y": 0, "visible": True, "width": map_["width"], "height": map_["height"]}
        map_["nextlayerid"] += 1
        map_["layers"].insert(self.chance.randrange(len(map_["layers"])), layer)
        return self.chance.choice([token, gid])

    def add_object(self, map_: Json, token: str) -> object:
        x, y = self.chance.randrange(map_["width"]) * 16 + 8, self.chance.randrange(map_["height"]) * 16 + 8
        made = {"id": map_["nextobjectid"], "name": token, "type": "chest", "x": x, "y": y, "point": True}
        map_["nextobjectid"] += 1
        made |= {"width": 0, "height": 0, "rotation": 0, "visible": True}
        self.chance.choice(object_layers(map_))["objects"].append(made)
        return token

    def tell_object(self, map_: Json, token: str) -> object:
        each = self.chance.choice(objects(map_))
        each.setdefault("properties", []).append({"name": token, "type": "string", "value": "mine"})
        return token

    def move_object(self, map_: Json, token: str) -> object:
        """By a part of a tile that no other is moved by."""
        each = self.chance.choice(objects(map_))
        each["x"] = each["x"] // 16 * 16 + self.count / 1024
        return self.count / 1024

    def rename_layer(self, map_: Json, token: str) -> object:
        self.chance.choice(map_["layers"])["name"] += f" {token}"
        return token

    def tell_map(self, map_: Json, token: str) -> object:
        map_.setdefault("properties", []).append({"name": "by", "type": "string", "value": token})
        map_["properties"][-1]["name"] += token
        return token

    def add_tileset(self, map_: Json, token: str) -> object:
        map_["tilesets"].append({"firstgid": 100_000 + 1000 * self.count, "source": f"{token}.tsj"})
        return token

    def add_group(self, map_: Json, token: str) -> object:
        """One of the layers goes into it."""
        inner = map_["layers"].pop(self.chance.randrange(len(map_["layers"])))
        group = {"id": map_["nextlayerid"], "name": token, "type": "group", "layers": [inner], "opacity": 1}
        group |= {"x": 0, "y": 0, "visible": True}
        map_["nextlayerid"] += 1
        map_["layers"].append(group)
        return token

    def refer(self, map_: Json, token: str) -> object:
        """A property that leads to another object."""
        a, b = self.chance.choice(objects(map_)), self.chance.choice(objects(map_))
        a.setdefault("properties", []).append({"name": token, "type": "object", "value": b["id"]})
        return token


def all_layers(map_: Json) -> Iterator[Json]:
    for layer in map_["layers"]:
        yield layer
        yield from all_layers(layer) if layer["type"] == "group" else ()


def tile_layers(map_: Json) -> list[Json]:
    return [layer for layer in all_layers(map_) if layer["type"] == "tilelayer"]


def object_layers(map_: Json) -> list[Json]:
    return [layer for layer in all_layers(map_) if layer["type"] == "objectgroup"]


def objects(map_: Json) -> list[Json]:
    return [each for layer in object_layers(map_) for each in layer["objects"]]


class XmlPerson(TiledPerson):
    """The same in maps as XML."""

    suffix = "tmx"

    def edit(self, data: bytes) -> tuple[bytes, Work]:
        edited, work = super().edit(json.dumps(as_json(data)).encode())
        return as_xml(json.loads(edited)), work

    def take_away(self, data: bytes) -> bytes:
        return as_xml(json.loads(super().take_away(json.dumps(as_json(data)).encode())))

    def tokens(self, data: bytes) -> set[object]:
        return super().tokens(json.dumps(as_json(data)).encode())


class LdtkPerson(Person):
    suffix = "ldtk"

    def edit(self, data: bytes) -> tuple[bytes, Work]:
        project = json.loads(data)
        kinds: list[Callable[[Json, str], object]] = [
            self.paint, self.paint_terrain, self.add_entity, self.tell_entity, self.tell_level, self.add_level,
            self.add_layer, self.add_enum_value, self.add_command, self.add_field,
        ]  # fmt: skip
        token = self._token()
        kind = kinds[self.count % len(kinds)]
        left = kind(project, token)
        return json.dumps(project).encode(), Work(kind.__name__, left)

    def tokens(self, data: bytes) -> set[object]:
        project = json.loads(data)
        found: set[object] = set(re.findall(r"edit-\d+-", data.decode()))
        for level in project["levels"]:
            for layer in level["layerInstances"]:
                found |= {tile["t"] for tile in layer["gridTiles"]} | set(layer["intGridCsv"])
        return found

    def take_away(self, data: bytes) -> bytes:
        project = json.loads(data)
        self.count += 1
        decor, terrain, entities = (self._layer(project, name) for name in ("Decor", "Terrain", "Entities"))
        if self.count % 3 == 0 and decor["gridTiles"]:
            decor["gridTiles"].remove(self.chance.choice(decor["gridTiles"]))
        elif self.count % 3 == 1:
            terrain["intGridCsv"][self.chance.randrange(len(terrain["intGridCsv"]))] = 0
        elif entities["entityInstances"]:
            entities["entityInstances"].remove(self.chance.choice(entities["entityInstances"]))
        return json.dumps(project).encode()

    def paint(self, project: Json, token: str) -> object:
        layer = self._layer(project, "Decor")
        x, y, tile = (
            self.chance.randrange(layer["__cWid"]),
            self.chance.randrange(layer["__cHei"]),
            10_000 + self.count,
        )
        size = layer["__gridSize"]
        there = [each for each in layer["gridTiles"] if each["px"] != [x * size, y * size]]
        made = {
            "px": [x * size, y * size],
            "src": [0, 0],
            "f": 0,
            "t": tile,
            "d": [x + y * layer["__cWid"]],
            "a": 1,
        }
        layer["gridTiles"] = [*there, made]
        return tile

    def paint_terrain(self, project: Json, token: str) -> object:
        """A kind of terrain of one's own, painted once."""
        value = 1000 + self.count
        (definition,) = (each for each in project["defs"]["layers"] if each["identifier"] == "Terrain")
        made = {**definition["intGridValues"][0], "value": value, "identifier": None}
        definition["intGridValues"].append(made)
        cells = self._layer(project, "Terrain")["intGridCsv"]
        cells[self.chance.randrange(len(cells))] = value
        return value

    def add_entity(self, project: Json, token: str) -> object:
        layer = self._layer(project, "Entities")
        if not layer["entityInstances"]:
            return self.add_command(project, token)
        made = copy.deepcopy(self.chance.choice(layer["entityInstances"]))
        made["iid"] = f"a{self.count:07d}-0000-5000-8000-{self.chance.randrange(10**12):012d}"
        text = {"id": "V_String", "params": [token]}
        made["fieldInstances"][0] |= {"__value": token, "realEditorValues": [text]}
        layer["entityInstances"].append(made)
        return token

    def tell_entity(self, project: Json, token: str) -> object:
        layer = self._layer(project, "Entities")
        if not layer["entityInstances"]:
            return self.add_command(project, token)
        field = self.chance.choice(layer["entityInstances"])["fieldInstances"][0]
        field |= {"__value": token, "realEditorValues": [{"id": "V_String", "params": [token]}]}
        return token

    def tell_level(self, project: Json, token: str) -> object:
        self.chance.choice(project["levels"])["bgRelPath"] = token
        return token

    def add_level(self, project: Json, token: str) -> object:
        made = copy.deepcopy(self.chance.choice(project["levels"]))
        made["iid"] = f"b{self.count:07d}-0000-5000-8000-{self.chance.randrange(10**12):012d}"
        made |= {"uid": project["nextUid"], "identifier": f"Level_{self.count}", "bgRelPath": token}
        for number, layer in enumerate(made["layerInstances"]):
            layer |= {"iid": f"c{number:02d}{made['iid'][3:]}", "levelId": made["uid"], "entityInstances": []}
        project["nextUid"] += 1
        project["levels"].append(made)
        return token

    def add_layer(self, project: Json, token: str) -> object:
        layers = project["defs"]["layers"]
        made = {
            **copy.deepcopy(layers[1]),
            "uid": project["nextUid"],
            "identifier": f"L{self.count}",
            "doc": token,
        }
        project["nextUid"] += 1
        layers.insert(self.chance.randrange(len(layers)), made)
        return token

    def add_enum_value(self, project: Json, token: str) -> object:
        values = self.chance.choice(project["defs"]["enums"])["values"]
        values.append({**values[0], "id": token})
        return token

    def add_command(self, project: Json, token: str) -> object:
        project["customCommands"].append({"command": token, "when": "Manual"})
        return token

    def add_field(self, project: Json, token: str) -> object:
        entity = self.chance.choice([each for each in project["defs"]["entities"] if each["fieldDefs"]])
        made = {
            **entity["fieldDefs"][0],
            "uid": project["nextUid"],
            "identifier": f"f{self.count}",
            "doc": token,
        }
        project["nextUid"] += 1
        entity["fieldDefs"].append(made)
        return token

    def _layer(self, project: Json, name: str) -> Json:
        levels = [level for level in project["levels"] if not level["identifier"].startswith("Lost")]
        layers = self.chance.choice(levels)["layerInstances"]
        return next(layer for layer in layers if layer["__identifier"] == name)


class GodotPerson(Person):
    """Edits scenes as text, as Godot writes them."""

    suffix = "tscn"

    def edit(self, data: bytes) -> tuple[bytes, Work]:
        kinds: list[Callable[[str, str], tuple[str, object]]] = [
            self.paint, self.add_node, self.add_marker, self.tell_node, self.hang_on, self.own_resource,
            self.script, self.connect, self.join_group, self.move_node,
        ]  # fmt: skip
        token = self._token()
        kind = kinds[self.count % len(kinds)]
        text, left = kind(data.decode(), token)
        return text.encode(), Work(kind.__name__, left)

    def take_away(self, data: bytes) -> bytes:
        text = data.decode()
        self.count += 1
        if self.count % 2:
            found = self.chance.choice(
                list(re.finditer(r'tile_map_data = PackedByteArray\("([^"]{400,})"\)', text))[:2]
            )
            cells = base64.b64decode(found[1])
            at = 2 + 12 * self.chance.randrange((len(cells) - 2) // 12)
            packed = base64.b64encode(cells[:at] + cells[at + 12 :]).decode()
            return f"{text[: found.start(1)]}{packed}{text[found.end(1) :]}".encode()
        node = self._node(text, 'parent="Markers"')
        if f'parent="{self._path(node)}' in text:
            return data  # with something on it
        end = text.find("\n[", node.end())
        return f"{text[: node.start()]}{text[end + 1 :] if end > 0 else ''}".encode()

    def tokens(self, data: bytes) -> set[object]:
        text = data.decode()
        found: set[object] = set(re.findall(r"edit-\d+-", text))
        for packed in re.findall(r'tile_map_data = PackedByteArray\("([^"]*)"\)', text):
            cells = base64.b64decode(packed)[2:]
            found |= {struct.unpack_from("<H", cells, at + 10)[0] for at in range(0, len(cells), 12)}
        return found

    def _node(self, text: str, pattern: str = "") -> re.Match[str]:
        """The heading of one of the nodes of ours, or of a person's; not the root."""
        found = [
            each
            for each in re.finditer(
                r'^\[node name="([^"]+)"[^\n]* parent="([^"]+)"[^\n]*\]$', text, re.MULTILINE
            )
            if pattern in each[0]
        ]
        return self.chance.choice(found)

    def _path(self, node: re.Match[str]) -> str:
        return node[1] if node[2] == "." else f"{node[2]}/{node[1]}"

    def paint(self, text: str, token: str) -> tuple[str, object]:
        """An alternative of a number that no other tile has."""
        layers = [
            e for e in re.finditer(r'tile_map_data = PackedByteArray\("([^"]*)"\)', text) if len(e[1]) > 400
        ]
        found = self.chance.choice(layers[:2])
        cells = bytearray(base64.b64decode(found[1]))
        at = 2 + 12 * self.chance.randrange((len(cells) - 2) // 12)
        struct.pack_into("<H", cells, at + 10, 10_000 + self.count)
        packed = base64.b64encode(cells).decode()
        return f"{text[: found.start(1)]}{packed}{text[found.end(1) :]}", 10_000 + self.count

    def _end(self, text: str, section: str) -> str:
        """A node at the end of all, but before what connects them."""
        at = text.find("[connection")
        return f"{text}\n{section}\n" if at < 0 else f"{text[:at]}{section}\n\n{text[at:]}"

    def add_node(self, text: str, token: str) -> tuple[str, object]:
        return self._end(
            text, f'[node name="{token}" type="Node2D" parent="."]\nposition = Vector2(200, 200)'
        ), token

    def add_marker(self, text: str, token: str) -> tuple[str, object]:
        x, y = self.chance.randrange(1000), self.chance.randrange(600)
        node = f'[node name="{token}" type="Marker2D" parent="Markers" groups=["marker"]]\nposition = Vector2({x}, {y})'
        return self._end(text, node), token

    def tell_node(self, text: str, token: str) -> tuple[str, object]:
        at = self._node(text).end()
        return f'{text[:at]}\nmetadata/n{self.count} = "{token}"{text[at:]}', token

    def hang_on(self, text: str, token: str) -> tuple[str, object]:
        path = self._path(self._node(text))
        return self._end(text, f'[node name="{token}" type="Node2D" parent="{path}"]'), token

    def own_resource(self, text: str, token: str) -> tuple[str, object]:
        at = self._node(text).end()
        text = f'{text[:at]}\nmetadata/r{self.count} = SubResource("Own_{self.count}"){text[at:]}'
        resource = f'[sub_resource type="Curve" id="Own_{self.count}"]\nresource_name = "{token}"\n\n'
        return text.replace("[node ", f"{resource}[node ", 1), token

    def script(self, text: str, token: str) -> tuple[str, object]:
        at = self._node(text, 'type="Node2D"').end()
        text = f'{text[:at]}\nmetadata/s{self.count} = ExtResource("{self.count}_s"){text[at:]}'
        file = f'[ext_resource type="Script" path="res://{token}.gd" id="{self.count}_s"]\n\n'
        at = text.index("[sub_resource") if "[sub_resource" in text else text.index("[node")
        return f"{text[:at]}{file}{text[at:]}", token

    def connect(self, text: str, token: str) -> tuple[str, object]:
        """From the root: one from a node that goes away is left out, with a line of it."""
        return f'{text}\n[connection signal="ready" from="." to="Markers" method="{token}"]\n', token

    def join_group(self, text: str, token: str) -> tuple[str, object]:
        node = self._node(text, "groups=[")
        at = node.start() + node[0].index("groups=[") + len("groups=[")
        return f'{text[:at]}"{token}", {text[at:]}', token

    def move_node(self, text: str, token: str) -> tuple[str, object]:
        """A marker, with a note of its own."""
        at = self._node(text, 'parent="Markers"').end()
        end = text.find("\n[", at)
        moved = re.sub(
            r"\nposition = [^\n]*", "\nposition = Vector2(3, 4)", text[at : end if end > 0 else len(text)]
        )
        rest = text[end:] if end > 0 else ""
        return f'{text[:at]}\nmetadata/m{self.count} = "{token}"{moved}{rest}', token


PEOPLE = {each.suffix: each for each in (TiledPerson, XmlPerson, LdtkPerson, GodotPerson)}
