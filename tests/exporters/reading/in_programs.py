"""The edits of an editor, carried out by the real Tiled and Godot, which save the files themselves.

    edit = editor_of(main, level)      an editor, which works on the files' values and writes nothing
    edit.paint((12, 7), "pit")
    do_in_tiled([edit], folder)        what it changed becomes orders, such as "put tile 41 at 12,7"

Programs are slow to start, so one start carries out the edits of many editors.
"""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.geometry import Point
from tests.exporters.formats.godot.conftest import Project, Project3
from tests.exporters.formats.tiled.conftest import run_tiled

from .editors import Editor, GodotEditor, TiledEditor, layers_of

Json = dict[str, Any]
SCRIPTS = Path(__file__).parent / "scripts"


# --- Tiled -------------------------------------------------------------------------------------------


def do_in_tiled(edits: Sequence[Editor], folder: Path, name: str = "undercroft.tiled-project") -> None:
    """Have Tiled carry out what the editors changed, in maps below a folder with the project of that name."""
    orders = [
        tiled_order(path, json.loads(path.read_text()), now)
        for edit in edits
        if isinstance(edit, TiledEditor)
        for path, now in edit.maps.items()
    ]
    asked = folder / "orders.json"
    asked.write_text(json.dumps([order for order in orders if order]))
    run_tiled("--evaluate", SCRIPTS / "edit.js", asked, project=folder, name=name)
    asked.unlink()


def tiled_order(path: Path, before: Json, now: Json) -> Json | None:
    """What turns a map into another state of it. None if that is nothing."""
    order: Json = {"walls": [], "tiles": [], "changed": [], "removed": [], "added": []}
    old_layers = {layer["id"]: layer for layer in layers_of(before)}
    for layer in layers_of(now):
        old = old_layers[layer["id"]]
        if "data" in layer and layer["data"] != old["data"]:
            width = now["width"]
            for at, (one, other) in enumerate(zip(gids(old), gids(layer), strict=True)):
                if one != other:
                    order["tiles"].append((layer["name"], at % width, at // width, other - 1))
        things = {each["id"]: each for each in old.get("objects", ())}
        for each in layer.get("objects", ()):
            was = things.pop(each["id"], None)
            told = _told(was or {}, each)
            if was is None:
                order["added"].append({**told, "layer": layer["name"], "point": each.get("point", False)})
            elif told:
                order["changed"].append({**told, "id": each["id"]})
        order["removed"] += things
    return {"map": str(path), "target": str(path), "format": "json", **order} if any(order.values()) else None


def _told(was: Json, now: Json) -> Json:
    """What is to be said of an object."""
    told = {
        key: now[key]
        for key in ("name", "type", "x", "y", "polygon")
        if key in now and now[key] != was.get(key)
    }
    if any(now[key] != was.get(key) for key in ("width", "height")):
        told |= {"width": now["width"], "height": now["height"]}
    old, new = ({one["name"]: one["value"] for one in each.get("properties", ())} for each in (was, now))
    changed = {name: value for name, value in new.items() if old.get(name) != value}
    return told | ({"properties": changed} if changed else {})


def gids(layer: Json) -> Sequence[int]:
    """The tiles of a layer, whatever they are packed in."""
    if isinstance(layer["data"], list):
        return layer["data"]
    packed = zlib.decompress(base64.b64decode(layer["data"]))
    return struct.unpack(f"<{len(packed) // 4}I", packed)


# --- Godot -------------------------------------------------------------------------------------------


class SceneNode(NamedTuple):
    """A node of a scene as text: its heading, the text of each value, and the path of the scene that it instances."""

    parent: str
    name: str
    type: str
    groups: list[str]
    values: dict[str, str]
    instance: str

    @property
    def path(self) -> str:
        return {"": ".", ".": self.name}.get(self.parent, f"{self.parent}/{self.name}")


def do_in_godot(edits: Sequence[Editor], project: Project) -> None:
    """Have Godot carry out what the editors changed, in scenes of a project that was imported."""
    orders = [
        godot_order(path, path.read_text().split("\n\n["), now, project.folder)
        for edit in edits
        if isinstance(edit, GodotEditor)
        for path, now in edit.scenes.items()
    ]
    script = "edit_3.gd" if isinstance(project, Project3) else "edit.gd"
    (project.folder / "orders.json").write_text(json.dumps([order for order in orders if order]))
    (project.folder / script).write_text((SCRIPTS / script).read_text())
    project.run(*([] if isinstance(project, Project3) else ["--headless"]), "-s", script)


def godot_order(path: Path, before: list[str], now: list[str], project: Path) -> Json | None:
    """What turns a scene into another state of it. None if that is nothing."""
    old, new = nodes_of(before), nodes_of(now)
    gone, added = [name for name in old if name not in new], [name for name in new if name not in old]
    renamed = {
        one: other
        for one in gone
        for other in added
        if old[one]._replace(name="") == new[other]._replace(name="") and old[one].parent == new[other].parent
    }
    under = tuple(f"{name}/" for name in (*renamed, *renamed.values()))
    order: Json = {"walls": [], "tiles": [], "set": [], "removed": [], "renamed": [], "added": []}
    order["renamed"] = [(one, new[other].name) for one, other in renamed.items()]
    order["removed"] = [
        name
        for name in gone
        if name not in renamed and old[name].parent not in gone and not name.startswith(under)
    ]
    for name in added:
        if name not in renamed.values() and not name.startswith(under):
            order["added"].append(new[name]._asdict())
    for name in old.keys() & new.keys():
        for key, value in new[name].values.items():
            was = old[name].values.get(key, "")
            if value != was and key in ("tile_map_data", "tile_data"):
                order["tiles"] += [(name, *cell) for cell in _changed_cells(key, was, value)]
            elif value != was:
                order["set"].append((name, key, value))
    scene = f"res://{path.relative_to(project).as_posix()}"
    return {"scene": scene, **order} if any(order.values()) else None


def nodes_of(sections: list[str]) -> dict[str, SceneNode]:
    """The nodes of a scene by their paths."""
    nodes = {}
    scenes = dict(_scenes_of(sections))
    for text in sections:
        head, _, body = text.partition("]\n")
        found = re.match(r'\[?node name="([^"]*)"', head)
        if found:
            type_, parent = (re.search(rf' {key}="([^"]*)"', head) for key in ("type", "parent"))
            groups = re.search(r" groups=\[([^\]]*)", head)
            instance = re.search(r' instance=ExtResource\( ?"?([^") ]+)', head)
            parts = re.split(r"^([A-Za-z_][\w/]*) = ", body, flags=re.MULTILINE)
            values = {key: value.strip() for key, value in zip(parts[1::2], parts[2::2], strict=True)}
            node = SceneNode(
                parent[1] if parent else "",
                found[1],
                type_[1] if type_ else "",
                re.findall(r'"([^"]*)"', groups[1]) if groups else [],
                values,
                scenes[instance[1]] if instance else "",
            )
            nodes[node.path] = node
    return nodes


def _scenes_of(sections: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the number and path of each scene that a scene uses."""
    for text in sections:
        head = text.partition("]")[0]
        if "ext_resource" in head and 'type="PackedScene"' in head:
            path, number = (re.search(each, head) for each in (r' path="([^"]*)', r' id="?([^" ]+)'))
            assert path and number
            yield number[1], path[1]


def _changed_cells(key: str, was: str, now: str) -> Iterator[tuple[int, ...]]:
    """Yield cells of a layer that differ: their places, and the numbers of their tiles; -1 for none."""
    read = _cells if key == "tile_map_data" else _cells_3
    old, new = read(was), read(now)
    for place in {**old, **new}:
        if old.get(place) != new.get(place):
            yield (*place, *new.get(place, (-1, -1)))


def _cells(text: str) -> dict[Point, tuple[int, ...]]:
    found = re.search(r'"([^"]*)"', text)
    data = base64.b64decode(found[1])[2:] if found else b""
    rows = struct.iter_unpack("<hhHHHH", data)
    return {(x, y): (left, top) for x, y, _, left, top, _ in rows}


def _cells_3(text: str) -> dict[Point, tuple[int, ...]]:
    found = re.search(r"\(([^)]*)\)", text)
    numbers = [int(each) for each in found[1].split(",") if each.strip()] if found else []
    rows = zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
    return {(place & 0xFFFF, place >> 16): (tile, at & 0xFFFF, at >> 16) for place, tile, at in rows}
