"""Edits of rooms, doors and hallways, as people make them in Tiled, LDtk and Godot."""

from __future__ import annotations

import copy
import json
import re
import shutil
from pathlib import Path
from typing import Any

from generator.checks.base import owners
from generator.geometry import Point, Rect
from generator.level import Level, Room

from .editors import Editor, GodotEditor, LdtkEditor, TiledEditor, editor_of

NEW_IID = "0b7f7f40-0000-11ee-8c99-{:012d}"


def free_rect(level: Level) -> Rect:
    """A place for a room, beside which there is one room: whole cells in a grid style."""
    if level.grid is None:
        room = _room_above(level).bounds
        return Rect(room.x + 1, room.bottom + 7, 14, 10)
    cells = {cell: room for room in level.rooms for cell in room.cells}
    inner = Rect(2, 2, level.width - 4, level.height - 4)
    for room in level.rooms:
        for x, y in room.cells if room.kind == "normal" else ():
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                rect = level.grid.cell_rect(cell)
                around = [
                    cells.get((cell[0] + dx, cell[1] + dy)) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                ]
                beside = [other for other in around if other]
                is_inside = inner.contains(rect.x, rect.y) and inner.contains(rect.right - 1, rect.bottom - 1)
                if cell not in cells and is_inside and len(beside) == 1:
                    return rect
    raise AssertionError("no place")


def _room_above(level: Level) -> Room:
    """A room below which there is a place for another one: room 2 if it has one."""
    for room in sorted(level.rooms, key=lambda room: room.id != 2):
        left, top = room.bounds.x, room.bounds.bottom
        is_free = not level.terrain[top + 1 : top + 18, left : left + 16].any()
        if room.bounds.width > 8 and top + 19 < level.height and left + 18 < level.width and is_free:
            return room
    raise AssertionError("no place")


def door_rect(level: Level, rect: Rect) -> Rect:
    """Where the door of a new room in a grid style is, in both walls."""
    x, y = rect.x + rect.width // 2, rect.y + rect.height // 2
    for room in level.rooms:
        for place, tile in (
            (Rect(rect.x - 1, y, 2, 1), (rect.x - 1, y)),
            (Rect(rect.right - 1, y, 2, 1), (rect.right, y)),
            (Rect(x, rect.y - 1, 1, 2), (x, rect.y - 1)),
            (Rect(x, rect.bottom - 1, 1, 2), (x, rect.bottom)),
        ):
            if room.bounds.contains(*tile) and owners(level)[tile[1], tile[0]] == room.id:
                return place
    raise AssertionError("no neighbour")


def hallway_place(level: Level, rect: Rect) -> tuple[int, int, int]:
    """The first column, and the first and last row, of a hallway between a room and a free place below it."""
    room, free = _room_above(level).bounds, level.passable("walk")
    for x in range(max(room.x, rect.x) + 2, min(room.right, rect.right) - 4):
        if free[room.bottom - 3 : room.bottom - 1, x : x + 2].all():
            return x, room.bottom, rect.y - 1
    raise AssertionError("no place")


def draw_room(edit: Editor, rect: Rect, kind: str = "normal") -> None:
    """Paint a room's floor and walls, and say that it is one; or copy a room that has a file of its own."""
    if isinstance(edit, LdtkEditor) and len(edit.levels) > 1:
        _ldtk_level(edit, rect, kind)
        return
    if isinstance(edit, TiledEditor) and edit.main.suffix == ".world":
        _copy_map(edit, rect)
        return
    if isinstance(edit, GodotEditor) and len(edit.scenes) > 1:
        _copy_scene(edit, rect)
        return
    for y in range(rect.y, rect.bottom):
        for x in range(rect.x, rect.right):
            is_edge = x in (rect.x, rect.right - 1) or y in (rect.y, rect.bottom - 1)
            edit.paint((x, y), "wall" if is_edge else "floor")
    size = edit.theme.tile_size
    if isinstance(edit, TiledEditor):
        _tiled_object(edit.maps[edit.main], "Rooms", _px(rect, size) | {"type": "room"}, {"kind": kind})
    elif isinstance(edit, LdtkEditor):
        draw_entity(edit, edit.levels[0], "Room", rect, kind)
    elif isinstance(edit, GodotEditor):
        bounds = f"{'Rect2' if edit.is_old else 'Rect2i'}({rect.x}, {rect.y}, {rect.width}, {rect.height})"
        values = edit.metadata({"kind": f'"{kind}"', "bounds": bounds})
        node = f'node name="Mine" type="Area2D" parent="Rooms" groups=["room"]]\n{values}\n'
        edit.scenes[edit.main].append(node)


def _copied(edit: Editor, rect: Rect, suffix: str) -> Room:
    """A plain room of the same size, whose file is copied as `mine`."""
    rooms = (each for each in edit.level.rooms if each.kind == "normal" and each.shape == "1x1")
    room = next(each for each in rooms if each.bounds[2:] == rect[2:])
    parts = edit.main.with_suffix("")
    shutil.copy(parts / f"room{room.id}{suffix}", parts / f"mine{suffix}")
    return room


def _copy_map(edit: TiledEditor, rect: Rect) -> None:
    """Add a copy of a room's map to the world, where the rectangle is."""
    room, size, name = _copied(edit, rect, ".tmj"), edit.theme.tile_size, edit.main.stem
    world = json.loads(edit.main.read_text())
    (old,) = (each for each in world["maps"] if each["fileName"] == f"{name}/room{room.id}.tmj")
    x, y = (old[key] + size * (rect[i] - room.bounds[i]) for i, key in enumerate(("x", "y")))
    world["maps"].append({**old, "fileName": f"{name}/mine.tmj", "x": x, "y": y})
    edit.main.write_text(json.dumps(world))


def _copy_scene(edit: GodotEditor, rect: Rect) -> None:
    """Add a node of a copy of a room's scene, where the rectangle is."""
    _copied(edit, rect, ".tscn")
    some, size = edit.scenes[edit.main], edit.theme.tile_size
    number = next(i for i, text in enumerate(some) if text.startswith("ext_resource"))
    path, id_ = f"{edit.main.stem}/mine.tscn", "99" if edit.is_old else '"99"'
    some.insert(number, f'ext_resource type="PackedScene" path="{path}" id={id_}]')
    place = f"position = Vector2({rect.x * size}, {rect.y * size})"
    some.append(f'node name="Mine" parent="Rooms" instance=ExtResource({id_})]\n{place}\n')


def place_room(edit: Editor, rect: Rect) -> None:
    """Draw the rectangle of a room in Tiled, and no tiles."""
    assert isinstance(edit, TiledEditor)
    place = _px(rect, edit.theme.tile_size)
    _tiled_object(edit.maps[edit.main], "Rooms", {"type": "room", **place}, {})


def _px(rect: Rect, size: int) -> dict[str, Any]:
    return dict(zip(("x", "y", "width", "height"), (side * size for side in rect), strict=True))


def _tiled_object(made: Any, layer: str, place: dict[str, Any], values: dict[str, str]) -> None:
    target = next(each for each in made["layers"] if each["name"] == layer)
    properties = [{"name": name, "type": "string", "value": value} for name, value in values.items()]
    target["objects"].append(
        {
            "id": made["nextobjectid"],
            "name": "",
            "rotation": 0,
            "visible": True,
            **place,
            "properties": properties,
        }
    )
    made["nextobjectid"] += 1


def _ldtk_level(edit: LdtkEditor, rect: Rect, kind: str) -> None:
    """Add a level as LDtk does: all layers empty, fields with no values; then paint it."""
    size = edit.theme.tile_size
    made = copy.deepcopy(edit.levels[0])
    uid = edit.project["nextUid"]
    edit.project["nextUid"] += 1
    made |= {"iid": NEW_IID.format(uid), "identifier": "Mine", "uid": uid, "__neighbours": []}
    made |= {"worldX": (rect.x - edit._origin[0]) * size, "worldY": (rect.y - edit._origin[1]) * size}
    made |= {"pxWid": rect.width * size, "pxHei": rect.height * size, "worldDepth": 0}
    for field in made["fieldInstances"]:
        field |= {"__value": None, "realEditorValues": []}
    edit._field(made, "kind", kind)
    for number, layer in enumerate(made["layerInstances"]):
        layer |= {"iid": NEW_IID.format(1000 * uid + number), "levelId": uid, "entityInstances": []}
        layer |= {"__cWid": rect.width, "__cHei": rect.height, "gridTiles": [], "autoLayerTiles": []}
        layer["intGridCsv"] = [0] * (rect.width * rect.height if layer["__type"] == "IntGrid" else 0)
    edit.project["levels"].append(made)
    if edit.levels is not edit.project["levels"]:
        edit.levels.append(made)
    from exporters.formats.ldtk.kinds import grid_words

    words = grid_words(edit.level.kinds)
    csv = edit._layer(made, "Terrain")["intGridCsv"]
    for y in range(rect.height):
        for x in range(rect.width):
            is_edge = x in (0, rect.width - 1) or y in (0, rect.height - 1)
            csv[y * rect.width + x] = words.of_terrain["wall"] if is_edge else words.of_room["normal"]


def draw_door(edit: Editor, rect: Rect, kind: str = "") -> None:
    """Put a door over some tiles; with one file per room, into that of a room there."""
    size = edit.theme.tile_size
    tiles = [(x, y) for y in range(rect.y, rect.bottom) for x in range(rect.x, rect.right)]
    room = max(map(edit.room_of, tiles))
    if isinstance(edit, TiledEditor):
        made, (left, top) = edit._at(room)
        place = _px(rect._replace(x=rect.x - left, y=rect.y - top), size) | {"type": "door"}
        _tiled_object(made, "DoorObjects", place, {"kind": kind} if kind else {})
    elif isinstance(edit, GodotEditor):
        some, (left, top) = edit._scene(room)
        vector = "Vector2" if edit.is_old else "Vector2i"
        cells = ", ".join(f"{vector}({x - left}, {y - top})" for x, y in tiles)
        cells = f"[{cells}]" if edit.is_old else f"Array[Vector2i]([{cells}])"
        x, y = (rect.x - left + rect.width / 2) * size, (rect.y - top + rect.height / 2) * size
        some.append(
            f'node name="NewDoor{rect.x}_{rect.y}" type="StaticBody2D" parent="Doors"]\nposition = Vector2({x:g}, {y:g})\n'
            f"{edit.metadata({'cells': cells})}\n"
        )
    elif isinstance(edit, LdtkEditor):
        level, (x, y) = edit._level(rect[:2])
        draw_entity(edit, level, "Door", rect._replace(x=x, y=y), kind)


def draw_entity(edit: LdtkEditor, level: Any, name: str, rect: Rect, kind: str) -> None:
    """Put an entity into a level, over tiles of that level."""
    known = next(each for each in edit.project["defs"]["entities"] if each["identifier"] == name)
    entity = edit.new_entity(level, known, rect, NEW_IID.format(10**9 + 1000 * rect.x + rect.y))
    edit._field(entity, "kind", kind or None)
    edit._layer(level, "Entities")["entityInstances"].append(entity)


def dig(edit: Editor, x: int, top: int, bottom: int, terrain: str = "hallway") -> None:
    """Paint a hallway of two tiles' width, with walls beside it, or close it again."""
    for y in range(top, bottom + 1):
        for column in range(x - 1, x + 3):
            if terrain != "hallway":
                edit.paint((column, y), terrain)
            else:
                edit.paint((column, y), "hallway" if column in (x, x + 1) else "wall")


def drop_room(edit: Editor, number: int) -> None:
    """Remove the room's object, level or area."""
    if isinstance(edit, TiledEditor):
        for listed, found in edit._objects("room", number):
            listed.remove(found)
    elif isinstance(edit, LdtkEditor) and len(edit.levels) == 1:
        listed = edit._entities_of(edit.levels[0])
        listed[:] = [each for each in listed if not _is_room(each, number)]
    elif isinstance(edit, LdtkEditor):
        for listed in (edit.levels, edit.project["levels"]):
            listed[:] = [each for each in listed if not _is_room(each, number)]
    elif isinstance(edit, GodotEditor):
        some = edit.scenes[edit.main]
        name = _area(edit, number)
        some[:] = [
            text
            for text in some
            if not re.match(rf'node name="{name}"[^\]]* parent="Rooms"', text)
            and not re.match(rf'node [^\]]*parent="Rooms/{name}["/]', text)
        ]


def _is_room(holder: Any, number: int) -> bool:
    """Whether a level or an entity is this room's."""
    return holder.get("__identifier", "Room") == "Room" and any(
        field["__identifier"] == "room" and field["__value"] == number for field in holder["fieldInstances"]
    )


def _area(edit: GodotEditor, number: int) -> str:
    """The name of a room's node, which may be an instance of the room's own scene."""
    if own := re.search(rf'path="[^"]*/room{number}\.tscn" id="?(\d+)', edit.main.read_text()):
        instance = rf'node name="([^"]*)" parent="Rooms" instance=ExtResource\("?{own[1]}\b'
        return next(found[1] for text in edit.scenes[edit.main] if (found := re.match(instance, text)))
    for text in edit.scenes[edit.main]:
        found = re.match(r'node name="([^"]*)"[^\]]* parent="Rooms"', text)
        if found and re.search(rf"(metadata/id = |\"id\": ){number}\b", text):
            return found[1]
    raise AssertionError(number)


def move_room(edit: Editor, number: int, step: Point) -> None:
    """Move a room with its floor and all that is in it."""
    if edit.main.suffix == ".world":
        _move_map(edit.main, number, step, edit.theme.tile_size)
        return
    if isinstance(edit, LdtkEditor) and len(edit.levels) > 1:
        for each in {id(each): each for each in (*edit.levels, *edit.project["levels"])}.values():
            if _is_room(each, number):
                each["worldX"] += step[0] * edit.theme.tile_size
                each["worldY"] += step[1] * edit.theme.tile_size
        return
    if not (isinstance(edit, GodotEditor) and len(edit.scenes) > 1):  # a scene of its own takes all along
        _move_tiles(edit, number, step)
        for marker in edit.level.markers:
            if marker.room == number:
                edit.move_marker(marker.id, (marker.x + step[0], marker.y + step[1]))
    _move_object(edit, number, step)


def _move_map(main: Path, number: int, step: Point, size: int) -> None:
    """Move a room's map in its world, as Tiled's world tool does."""
    world = json.loads(main.read_text())
    (found,) = (each for each in world["maps"] if each["fileName"].endswith(f"/room{number}.tmj"))
    found["x"] += step[0] * size
    found["y"] += step[1] * size
    main.write_text(json.dumps(world))


def _move_object(edit: Editor, number: int, step: Point) -> None:
    """Move what says where a room is: its object, entity, area, or the node of its scene."""
    size = edit.theme.tile_size
    if isinstance(edit, TiledEditor):
        for _, found in edit._objects("room", number):
            found["x"] += step[0] * size
            found["y"] += step[1] * size
    elif isinstance(edit, LdtkEditor):
        for entity in filter(lambda each: _is_room(each, number), edit._entities_of(edit.levels[0])):
            entity["px"] = [px + way * size for px, way in zip(entity["px"], step, strict=True)]
    elif isinstance(edit, GodotEditor):
        some, name = edit.scenes[edit.main], _area(edit, number)
        rect = edit.level.rooms[number].bounds
        x, y = rect[:2] if len(edit.scenes) > 1 else (0, 0)
        place = f"position = Vector2({(x + step[0]) * size}, {(y + step[1]) * size})\n"
        for i, text in enumerate(some):
            if re.match(rf'node name="{name}"[^\]]* parent="Rooms"', text):
                head, end, rest = text.partition("]\n")
                rest = re.sub(r"^position = .*\n?", "", rest, flags=re.MULTILINE)
                some[i] = f"{head}{end}{place}{rest}"


def widen_room(edit: Editor, number: int) -> None:
    """Give a room one more column at its right, as wall."""
    size, bounds = edit.theme.tile_size, edit.level.rooms[number].bounds
    if isinstance(edit, LdtkEditor):
        _widen_in_ldtk(edit, number)
    for y in range(bounds.y, bounds.bottom):
        edit.paint((bounds.right, y), "wall")
    if isinstance(edit, TiledEditor):
        for _, found in edit._objects("room", number):
            if "polygon" in found:
                found["polygon"] = [
                    {**each, "x": each["x"] + (size if each["x"] else 0)} for each in found["polygon"]
                ]
            else:
                found["width"] += size
    elif isinstance(edit, GodotEditor):
        name = "Rect2" if edit.is_old else "Rect2i"
        old, new = (
            f"{name}({bounds.x}, {bounds.y}, {width}, {bounds.height})"
            for width in (bounds.width, bounds.width + 1)
        )
        some, area = edit.scenes[edit.main], _area(edit, number)
        for i, text in enumerate(some):
            if re.match(rf'node name="{area}"[^\]]* parent="Rooms"', text):
                assert old in text
                some[i] = text.replace(old, new)


def _widen_in_ldtk(edit: LdtkEditor, number: int) -> None:
    """Drag a level's right edge: LDtk gives each layer one more empty column."""
    size = edit.theme.tile_size
    for each in edit.levels:
        if _is_room(each, number):
            each["pxWid"] += size
            for layer in each["layerInstances"]:
                width = layer["__cWid"]
                rows = [
                    layer["intGridCsv"][at : at + width] for at in range(0, len(layer["intGridCsv"]), width)
                ]
                layer["intGridCsv"] = [value for row in rows for value in (*row, 0)]
                layer["__cWid"] = width + 1
    for entity in edit._entities_of(edit.levels[0]) if len(edit.levels) == 1 else ():
        if _is_room(entity, number):
            entity["width"] += size


def _move_tiles(edit: Editor, number: int, step: Point) -> None:
    """Cut the tiles of a room, and paste them elsewhere."""
    rect, level = edit.level.rooms[number].bounds, edit.level
    ys, xs = range(rect.y, rect.bottom), range(rect.x, rect.right)
    tiles = {(x, y): level.terrain_kinds[level.terrain[y, x]].name for y in ys for x in xs}
    for tile in tiles:
        edit.paint(tile, "void")
        edit.set_tile("decor", tile, None)
        edit.set_tile("doors", tile, None)
    for (x, y), name in tiles.items():
        edit.paint((x + step[0], y + step[1]), "wall" if name == "door" else name)
    for x, y in tiles:
        if there := level.decor[y, x]:
            edit.put((x + step[0], y + step[1]), level.decor_kinds[there].name)


def opened(folder: Path, suffix: str, level: Level) -> Editor:
    return editor_of(folder / f"cellar{suffix}", level)
