"""Kits with odd rows: kinds called like words of the formats, of any size, some with nothing of ours."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import exporters
from exporters.theme.showroom import showroom
from generator.cli.check import _problems
from generator.kinds import SHIPPED, Kinds
from generator.level_file import load_level

NAMES = [
    "wall",
    "pit",
    "void",
    "floor",
    "door",
    "bridge",
    "default",
    "open",
    "room",
    "level",
    "note",
    "one_of",
    "group",
    "decor",
    "floor_garden",
    "water",
    "a",
    "b9",
    "x_",
    "enemy",
    "item",
    "secret",
    "normal",
    "all",
    "kind",
    "id",
    "name",
    "north",
    "marker",
    "key",
    "torch",
    "red",
    "stone",
    "door_secret",
    "wall_west_end",
    "properties",
]
BARE = {"terrain": [kind.name for kind in SHIPPED.terrain], "decor": ["none"], "door": ["open"]}
OPTIONS: tuple[dict[str, object], ...] = (
    {"godot.split": "rooms", "tiled.split": "rooms", "ldtk.levels": "rooms"},
    {"godot.target": "3.6"},
    {},
)


def tables(chance: random.Random) -> dict[str, Any]:
    """The rows of a kit, over the shipped ones or over what every kit has."""
    shipped = json.loads(json.dumps(SHIPPED.tables))
    bare = {key: {name: shipped[key][name] for name in names} for key, names in BARE.items()}
    made: dict[str, Any] = shipped if chance.random() < 0.5 else bare
    glyphs = [chr(code) for code in range(33, 127)]
    taken = {row["glyph"] for row in made.get("room", {}).values()}
    free = [glyph for glyph in glyphs if glyph not in taken]
    for name in chance.sample(NAMES, chance.randint(0, 14)):
        key = chance.choice(["terrain", "decor", "door", "room", "marker", "enemy"])
        made.setdefault(key, {}).setdefault(name, row(key, free, chance))
    made["kit"] = chance.choice(["k", "our kit", "キット", "a/../b", "x" * 60])
    return made


def row(key: str, glyphs: list[str], chance: random.Random) -> dict[str, Any]:
    passes = {way: chance.random() < 0.5 for way in ("walk", "fly", "shoot", "hazard")}
    match key:
        case "terrain":
            return passes
        case "decor":
            return {**passes, "size": [chance.randint(1, 4), chance.randint(1, 4)]}
        case "door":
            return {"starts_shut": passes["walk"], "secret": passes["fly"] and passes["walk"]}
        case "room":
            glyph = glyphs.pop(chance.randrange(len(glyphs)))
            return {
                "glyph": glyph,
                "icon": chance.choice(["", "leaf", "g", "é"]),
                "floor": chance.choice(NAMES),
            }
        case "marker":
            forms = ["text", "number", "truth"]
            properties = {chance.choice(NAMES): chance.choice(forms) for _ in range(3)}
            return {"light": passes["hazard"], "properties": properties}
    return {"role": "walker", "cost": 1}


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 200))]
)
def test_levels_of_odd_kits_are_written_in_every_format(seed: int, tmp_path: Path) -> None:
    """Twice the same from what was saved; and LDtk's project keeps the rules of its format."""
    kinds = Kinds(tables(random.Random(seed)))
    level, options = showroom(seed, kinds), OPTIONS[seed % len(OPTIONS)]
    formats = ["godot", "tiled", "ldtk", "png", "json"]
    bundle = exporters.export(level, formats, options, name="x")
    bundle.write(tmp_path)
    saved = load_level(tmp_path / "x.level.json")
    assert saved.kinds == kinds
    assert dict(exporters.export(saved, formats, options, name="x")) == dict(bundle)
    assert _problems(tmp_path / "x.ldtk", False, []) == []
