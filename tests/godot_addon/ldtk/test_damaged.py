"""Damaged files: what can be read of them is imported, none stops the editor, and the last good import stays."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.godot_addon.rounds import Part, Turns, complaints, imported, in_rounds

from .conftest import import_with
from .projects import (
    POINT,
    Json,
    entity,
    field,
    layer,
    layer_def,
    level,
    project,
    save,
    sheet,
    tile,
    tileset,
)
from .test_features import PROJECTS

COUNT = 150
_WRONG: tuple[Any, ...] = (
    None, True, -1, 0, 1e300, 2**53, "", "\x00\n\"'", [], {}, [[]], [None], [1e9, -1e9], {"uid": []}, "#zz",
    "../../x.png", "res://", ["a"] * 3, 0.5,
)  # fmt: skip


def damaged() -> Iterator[tuple[str, bytes]]:
    """Files by name: cut, with bits flipped, with values of wrong kinds, of wrong sizes."""
    chance = random.Random(20)
    sources = [PROJECTS[name] for name in ("things", "grid", "stacked", "tags", "worlds", "image", "sizes")]
    for number in range(COUNT):
        source = sources[number % len(sources)]
        text = bytearray(json.dumps(source).encode())
        match number % 3:
            case 0:
                del text[chance.randrange(len(text)) :]
            case 1:
                for _ in range(1 + number % 5):
                    text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
            case _:
                broken = copy.deepcopy(source)
                for _ in range(1 + number % 3):
                    _break(broken, chance)
                text = bytearray(json.dumps(broken).encode())
        yield f"broken{number}.ldtk", bytes(text)


def _break(value: Any, chance: random.Random) -> None:
    """Put something wrong at a random place of a value."""
    places: list[tuple[Any, Any]] = []

    def walk(one: Any) -> None:
        for key in one if isinstance(one, dict) else range(len(one)):
            places.append((one, key))
            if isinstance(one[key], (dict, list)):
                walk(one[key])

    walk(value)
    holder, key = chance.choice(places)
    holder[key] = chance.choice(_WRONG)


def refused() -> dict[str, tuple[Json | bytes, str]]:
    """Files of which nothing can be imported, and what is said of them."""
    return {
        "none": (b"", "is empty"),
        "blank": (b"\xef\xbb\xbf\r\n \r\n", "is empty"),
        "list": (b"[]", "is not an LDtk file"),
        "nul": (b"{\x00}", "is not UTF-8 text"),
        "deep": (b"[" * 100_000, "JSON"),
        "other": ({"jsonVersion": "0.5.2", "defs": {}}, "jsonVersion: is 0.5.2; open and save"),
        "bare": ({"jsonVersion": "1.5.3"}, "defs: is missing"),
    }


TILES_LAYER = layer_def(1, "Drawn", "Tiles")


def _with_layer(**facts: object) -> Json:
    """A project whose only layer has these facts."""
    made = layer(1, "Drawn", "Tiles", gridTiles=[tile(16, 16, 5)]) | facts
    return project([level("L", [made])], [TILES_LAYER])


def _with_thing(thing: Json) -> Json:
    """A project with one entity."""
    made = layer(2, "Things", "Entities", entityInstances=[thing])
    return project([level("L", [made])], [layer_def(2, "Things", "Entities")])


def flawed() -> dict[str, tuple[Json, str]]:
    """Projects with one flaw each, and the warning."""
    drawn = TILES_LAYER
    many = [tile(0, 0) for _ in range(40)]
    grid = layer_def(3, "Grid", "IntGrid", intGridValues=[{"value": 1, "color": "#FF0000"}])
    values = layer(3, "Grid", "IntGrid", intGridCsv=[1] * 5)
    outside = level("L", [], externalRelPath="../../secret.ldtkl") | {"layerInstances": None}
    lost = {"tilesets": [tileset(relPath="lost.png")]}
    return {
        "huge": (_with_layer(__cWid=30_000, __cHei=30_000), "__cWid: makes more than"),
        "layer": (_with_layer(layerDefUid=77), "layerDefUid: is 77, but the project has no such layer"),
        "tileset": (_with_layer(__tilesetDefUid=78), "__tilesetDefUid: is 78, but the project has no such"),
        "image": (
            project([level("L", [layer(1, "Drawn", "Tiles", gridTiles=[tile(16, 16, 5)])])], [drawn], lost),
            "the image lost.png is missing",
        ),
        "entity": (_with_thing(entity(79, "Odd", 8, 8)), "defUid: is 79, but the project has no such entity"),
        "field": (
            _with_thing(entity(POINT, "Odd", 8, 8, [field("n", "Int", "x"), field("m", "Int", 2)])),
            "fieldInstances[0].__value: is not a value of type Int",
        ),
        "tiles": (
            _with_layer(gridTiles=[*many, tile(0, 0) | {"px": "here"}, tile(16, 16, 5)]),
            'gridTiles[40].px: must be an array, not "here"',
        ),
        "count": (project([level("L", [values])], [grid]), "intGridCsv: has 5 values, but the layer has 12"),
        "outside": (project([outside], [drawn]), "is outside the project"),
        "gone": (
            project([outside | {"externalRelPath": "x/L.ldtkl"}], [drawn]),
            "externalRelPath: is x/L.ldtkl, which is missing",
        ),
        "uids": (project([], [drawn, drawn]), "defs.layers[1].uid: is 1, which is used twice"),
        "type": (_with_layer(layerDefUid=77, __type="Hexes"), "__type: is Hexes; LDtk has"),
    }  # fmt: skip


@imported
def ldtk_damaged(folder: Path) -> None:
    """All damaged files; those with a flaw once more in strict imports."""
    sheet(folder)
    for name, damage in damaged():
        (folder / name).write_bytes(damage)
    for name, (content, _) in refused().items():
        if isinstance(content, bytes):
            (folder / f"{name}.ldtk").write_bytes(content)
        else:
            save(folder, f"{name}.ldtk", content)
    for name, (content, _) in flawed().items():
        save(folder, f"{name}.ldtk", content)
        save(folder, f"strict_{name}.ldtk", content)
        import_with(folder, f"strict_{name}.ldtk", strict=True)


def _ours(said: list[str], kind: str) -> dict[str, list[str]]:
    """By a file's name: the lines of one kind that we say of it."""
    found: dict[str, list[str]] = {}
    for line in said:
        if line.startswith(f"{kind}: Undercroft: res://"):
            found.setdefault(line.partition("res://")[2].partition(".ldtk")[0], []).append(line)
    return found


def test_damaged_files_are_imported_or_refused_in_one_line(ldtk_damaged: Part) -> None:
    said = ldtk_damaged.said
    errors = [line for line in said if re.match(r"(SCRIPT )?ERROR: |USER ERROR: ", line)]
    ours = _ours(said, "ERROR")
    assert not [
        line for line in errors if "Undercroft: res://" not in line and "Error importing 'res://" not in line
    ]
    assert all(len(lines) == 1 for lines in ours.values()), "more than one line for a file"
    for name, (_, what) in refused().items():
        assert what in ours.pop(name)[0]
    failed = {
        line.partition("'res://")[2].partition(".ldtk'")[0] for line in errors if "Error importing" in line
    }
    assert failed <= {*ours, *refused()}, "failed without a word"
    broken = {name for name in ours if not name.startswith("strict_")}
    cut = {f"broken{number}" for number in range(0, COUNT, 3)}
    valued = {f"broken{number}" for number in range(2, COUNT, 3)}
    assert cut <= broken
    assert len(valued & broken) < COUNT / 10
    assert len(_ours(said, "WARNING").keys() - flawed().keys()) > 10


def test_a_flaw_is_a_warning_and_keeps_strict_imports_from_being_made(ldtk_damaged: Part) -> None:
    said = ldtk_damaged.said
    warnings, errors = _ours(said, "WARNING"), _ours(said, "ERROR")
    for name, (_, what) in flawed().items():
        assert len(warnings[name]) == 1 and what in warnings[name][0], (name, warnings[name])
        assert name not in errors
        assert what in errors[f"strict_{name}"][0]


def test_the_rest_is_there_and_placeholders_are_seen(ldtk_damaged: Part) -> None:
    scenes = {name: f"res://{name}.ldtk" for name in flawed()}
    found = ldtk_damaged.ask("tree.gd", *scenes.values())
    nodes = {name: found[scene] for name, scene in scenes.items()}
    for name in ("layer", "tileset", "image", "tiles"):
        assert "1,1" in nodes[name]["L/Drawn"]["cells"], name
    assert len(nodes["tiles"]["L/Drawn"]["cells"]) == 2  # forty lie on one another
    assert "GradientTexture2D" in (ldtk_damaged.folder / "image.ldtk.tileset.tres").read_text()
    assert nodes["entity"]["L/Things/Odd"]["class"] == "Marker2D"
    assert nodes["field"]["L/Things/Odd"]["meta"]["m"] == "2"
    assert len(nodes["count"]["L/Grid/Values"]["cells"]) == 5
    for name in ("outside", "gone"):
        assert nodes[name]["L/Missing"]["class"] == "Sprite2D"


@in_rounds
def test_an_image_that_comes_later_takes_the_place_of_its_placeholder(part: Part) -> Turns:
    save(part.folder, "later.ldtk", PROJECTS["stacked"])
    assert complaints((yield))
    tileset_file = part.folder / "later.ldtk.tileset.tres"
    assert "GradientTexture2D" in tileset_file.read_text()
    sheet(part.folder)
    yield  # Godot learns of the image
    said = yield
    assert not [line for line in said if "missing" in line]
    assert "GradientTexture2D" not in tileset_file.read_text()
    assert "tiles.png" in tileset_file.read_text()


@in_rounds
def test_a_placeholder_is_written_once(part: Part) -> Turns:
    save(part.folder, "lacking.ldtk", PROJECTS["stacked"])
    yield
    tileset_file = part.folder / "lacking.ldtk.tileset.tres"
    before = tileset_file.stat().st_mtime_ns
    yield
    assert tileset_file.stat().st_mtime_ns == before, "written again though nothing has changed"


KEPT = "res://kept.ldtk"


@in_rounds
def test_the_last_good_import_and_what_people_added_stay(part: Part) -> Turns:
    sheet(part.folder)
    source = PROJECTS["stacked"]
    save(part.folder, "kept.ldtk", source)
    assert complaints((yield)) == []
    before = part.ask("tree.gd", KEPT)
    tileset = part.folder / "tiles.png.tileset.tres"
    drawn = tileset.read_text()
    square = "PackedVector2Array(-8, 0, 8, 0, 8, 8, -8, 8)"
    shape = f"1:0/0 = 0\n1:0/0/physics_layer_0/polygon_0/points = {square}\n"
    drawn = drawn.replace("1:0/0 = 0\n", shape)
    drawn = drawn.replace("[resource]\n", "[resource]\nphysics_layer_0/collision_layer = 4\n")
    tileset.write_text(drawn)
    (part.folder / "kept.ldtk").write_text("{")
    said = yield
    assert sum(f"Undercroft: {KEPT}: line 1" in line for line in said) == 1
    assert part.ask("tree.gd", KEPT)[KEPT].keys() == before[KEPT].keys()
    changed = copy.deepcopy(source)
    changed["levels"][0]["layerInstances"][0]["gridTiles"].append(tile(0, 32, 1))
    save(part.folder, "kept.ldtk", changed)
    assert complaints((yield)) == []
    cells = part.ask("tree.gd", KEPT)[KEPT]["L/Drawn"]["cells"]
    assert cells["0,2"][3] == cells["0,0"][3] == [[4, [-8, 0, 16, 8]]]
