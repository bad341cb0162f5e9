"""A broken level.json gives one line that names file and place, and no level; whatever is broken."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from generator.serialise import dumps

from .conftest import Play, level

pytestmark = pytest.mark.xdist_group("play")

# Each: what becomes of the level's table, and what the line must hold.
BROKEN: dict[str, tuple[list[object], object, str]] = {
    "format": (["format"], "tiled", "format: is not undercroft-level"),
    "version": (["format_version"], 2, "format_version: is not a whole number from 1 to 1"),
    "size": (["size", "width"], 1 << 40, "size.width: is not a whole number from 1 to 32768"),
    "area": (["size"], {"width": 30000, "height": 30000}, "size: is more than 8388608 tiles"),
    "no-size": (["size"], None, "size: has no width"),
    "rooms": (["rooms"], {"0": 1}, "rooms: is not a list"),
    "room-id": (["rooms", 1, "id"], 5, "rooms[1].id: is not a whole number from 1 to 1"),
    "bounds": (["rooms", 0, "bounds"], [0, 0, 1e9, 1], "rooms[0].bounds[2]: is not a whole number"),
    "outline": (["rooms", 0, "outline", 0, 0], [-1, 2], "rooms[0].outline[0][0][0]: is not a whole number"),
    "door-room": (["doors", 0, "rooms"], [0, 99], "doors[0].rooms[1]: is not a whole number from 0 to "),
    "door-tile": (["doors", 0, "tiles", 0], [9999, 1], "doors[0].tiles[0][0]: is not a whole number"),
    "hallway": (["hallways"], [{"id": 0, "doors": [0], "tiles": []}], "hallways[0].doors: has 1 items"),
    "marker": (["markers", 0, "x"], 0.5, "markers[0].x: is not a whole number"),
    "marker-id": (["markers", 1, "id"], 0, "markers[1].id: is not a whole number from 1 to"),
    "property": (["markers", 0, "properties"], {"a": []}, "markers[0].properties.a: is not a plain value"),
    "kind": (["rooms", 0, "kind"], 7, "rooms[0].kind: is not text"),
}


def test_every_broken_file_gives_one_line(play: Play) -> None:
    whole = dumps(level("isaac"))
    files = {name: json.dumps(_broken(whole, *BROKEN[name][:2])).encode() for name in BROKEN}
    files |= {"empty": b"", "null": b"null", "list": b"[]", "deep": b"[" * 100_000}
    files["heaped"] = _heaped(whole)
    files |= {f"cut{i:02}": whole[: len(whole) * i // 40] for i in range(1, 40)}
    files |= {f"wrong{i:03}": _wrong_somewhere(whole, i) for i in range(120)}
    said, taken = _loaded(play, files | {"whole": whole})
    assert taken == ["whole.json"]
    assert sorted(said) == sorted(files)
    for name, (_, _, line) in BROKEN.items():
        assert line in said[name]


def test_flipped_bits_never_give_a_script_error(play: Play) -> None:
    whole = dumps(level("rebirth"))
    files = {f"flip{i:03}": _flipped(whole, i) for i in range(60)}
    said, taken = _loaded(play, files)
    assert len(said) + len(taken) == len(files)  # one that still is a level is one


def _loaded(play: Play, files: dict[str, bytes]) -> tuple[dict[str, str], list[str]]:
    """What was said of each file, and which were taken."""
    folder = play.folder / "hostile"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, data in files.items():
        (folder / f"{name}.json").write_bytes(data)
    taken, lines = play.hear("hostile.gd", "res://hostile")
    errors = [line for line in lines if "ERROR" in line]
    said: dict[str, str] = {}
    for line in errors:
        if "Unicode" in line:  # Godot's own word on bytes that are no UTF-8
            continue
        assert line.startswith("ERROR: Undercroft: res://hostile/"), line
        name = Path(line.split(": ")[2]).stem
        assert name not in said, line
        said[name] = line
    return said, taken


def _broken(whole: bytes, place: list[Any], value: object) -> Any:
    table = json.loads(whole)
    inner = table
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return table


def _heaped(whole: bytes) -> bytes:
    """Thousands of rooms, each as large as the level: filling them would take minutes."""
    table = json.loads(whole)
    width, height = table["size"]["width"], table["size"]["height"]
    ring = [[0, 0], [width, 0], [width, height], [0, height]]
    large = table["rooms"][0] | {"bounds": [0, 0, width, height], "outline": [ring]}
    table["rooms"] = [large | {"id": number} for number in range(20_000)]
    return json.dumps(table).encode()


def _wrong_somewhere(whole: bytes, number: int) -> bytes:
    """The level with a list or an object in place of some value that the runtime reads."""
    chance = random.Random(number)
    table = json.loads(whole)
    part = chance.choice(["rooms", "doors", "markers"])
    item = chance.choice(table[part])
    key = chance.choice(sorted(set(item) - {"properties"}))
    item[key] = copy.deepcopy(chance.choice([{"x": [{}]}, -5, "text" if key in _NUMBERS else {}]))
    return json.dumps(table).encode()


_NUMBERS = {"id", "x", "y", "distance", "depth", "difficulty", "room", "hallway"}


def _flipped(whole: bytes, number: int) -> bytes:
    chance = random.Random(number)
    data = bytearray(whole)
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(7)
    return bytes(data)
