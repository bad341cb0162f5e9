"""Levels exported for Tiled into one folder, whole and split, and how to run Tiled on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import exporters
import generator
from exporters.dress import Layers, dress
from exporters.formats.tiled.write_project import PROJECT_NAME
from exporters.theme import Theme
from exporters.theme.districts import theme_of_level
from exporters.theme.loader import load_theme
from generator.algorithms.outline import outline
from generator.geometry import Side
from generator.level import Level, Property
from tests.combinations import usually
from tests.engines import tiled, tmxrasterizer
from tests.exporters import locked_level, own_kinds
from tests.exporters.formats.godot import crypt_level
from tests.exporters.small_level import GRID, Way, built


def pytest_itemcollected(item: pytest.Item) -> None:
    """What looks at the cases stays in one process, which makes them once."""
    if isinstance(item, pytest.Function) and "cases" in item.fixturenames:
        item.add_marker(pytest.mark.xdist_group("tiled"))


# Names that the exporter itself uses, none, and what has a meaning somewhere on the way.
HOSTILE: dict[str, Property] = {
    "": "no name",
    "id": 7,
    "kind": "dragon",
    "room": "attic",
    "enemy_id": "taken too",
    'quote" back\\slash </property> ]]> &amp;': '"}],"layers":[{"',
    "control\x01\x1b\r\n\t": "\x00\x01\x7f\x85 \ud800 ✓ \U0001f409",
    "wide": (1 << 53) - 1,
    "just fits": -(1 << 31),
    "just not": 1 << 31,
    "share": 0.1,
    "huge": 1e300,
    "true": True,
    "größe": 2.0,
}


def hostile() -> Level:
    """A level by hand, with holes and an L, whose properties and facts are out to break things."""
    level = crypt_level.level()
    markers = tuple(
        replace(marker, properties=HOSTILE) if marker.kind == "enemy" else marker for marker in level.markers
    )
    facts = {"style": "another", "seed": 1 << 63, "x\0": 'a "b" \\', "": 1}
    return replace(level, markers=markers, facts=facts)


def notch() -> Level:
    """Room 0 is an L, room 1 lies in its notch, room 2 right of both; two doors between the first two."""
    rooms = [("start", [(1, 0), (0, 1), (1, 1)]), ("boss", [(0, 0)]), ("shop", [(2, 0), (2, 1)])]
    ways = [Way(1, 0, (0, 0), Side.EAST), Way(0, 1, (0, 1), Side.NORTH, "boss"), Way(0, 2, (1, 1), Side.EAST)]
    level = built(rooms, ways, decor={(20, 5): "statue", (8, 3): "boulder", (40, 13): "rug"})
    owner = np.full(level.terrain.shape, -1)
    for room in level.rooms:
        for cell in room.cells:
            owner[GRID.cell_rect(cell).slices] = room.id
    outlined = [replace(room, outline=outline(owner == room.id, (0, 0))) for room in level.rooms]
    return replace(level, rooms=tuple(outlined))


LEVELS: dict[str, Callable[[], Level]] = {
    "isaac-7": lambda: generator.generate("isaac", 7),
    "wide": lambda: generator.generate("isaac", 3, stage=6, door_width=3, state={"coins": 20}),
    "labyrinth": lambda: generator.generate("labyrinth", 5),
    "hallways": locked_level.level,
    "gungeon": lambda: generator.generate("gungeon", 7),
    "notch": notch,
    "rebirth": lambda: generator.generate("rebirth", 42, stage=3),  # an L, narrow and wide rooms
    "own.kinds": own_kinds.level,
    "by.hand": hostile,
}


class Case(NamedTuple):
    """A level, how it looks, and the folder in which it lies: `whole/NAME.tmj`, `split/NAME.world`."""

    name: str
    level: Level
    theme: Theme
    layers: Layers
    folder: Path

    @property
    def whole(self) -> Path:
        """The map of the whole level."""
        return self.folder / "whole" / f"{self.name}.tmj"

    @property
    def world(self) -> Path:
        """The world of the level's rooms."""
        return self.folder / "split" / f"{self.name}.world"

    @property
    def picture(self) -> npt.NDArray[np.uint8]:
        """Our own picture of it."""
        return pixels(self.whole.with_suffix(".png"))


def pixels(path: Path) -> npt.NDArray[np.uint8]:
    """RGBA; what cannot be seen has no colour."""
    with Image.open(path) as image:
        found = np.asarray(image.convert("RGBA")).copy()
    found[found[..., 3] == 0] = 0
    return found


def read(path: Path) -> dict[str, Any]:
    """A JSON file as it is."""
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def properties(of: Mapping[str, Any]) -> dict[str, Any]:
    """Names and values of the properties of anything in a map."""
    return {one["name"]: one["value"] for one in of.get("properties", ())}


def called(object_: Mapping[str, Any]) -> str:
    """What other formats call an object."""
    return str(object_["name"] or properties(object_)["unique_name"])


def layer(map_: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The layer of that name."""
    (found,) = (one for one in map_["layers"] if one["name"] == name)
    return dict(found)


def run_tiled(*args: str | Path, project: Path | None = None, name: str = PROJECT_NAME) -> None:
    """Run Tiled with the project of a name in a folder, or without; anything that it complains of fails."""
    done = tiled().run(*(("--project", project / name) if project else ()), *args)
    said = [line for line in done.stderr.splitlines() if line and "tilesets loaded at exit" not in line]
    assert (done.returncode, said) == (0, [])


def rasterized(source: Path, target: Path) -> npt.NDArray[np.uint8]:
    """Tiled's picture of the tiles of a map or world."""
    done = tmxrasterizer().run("--hide-object-layers", source, target)
    assert (done.returncode, done.stderr) == (0, "")
    return pixels(target)


@cache
def _level(name: str) -> Level:
    return LEVELS[name]()


@pytest.fixture(scope="session")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """All of LEVELS, written."""
    spread = crypt_level.theme(tmp_path_factory.mktemp("spread"))
    made = {}
    folder = tmp_path_factory.mktemp("my levels")  # a space, as people have them
    for name in LEVELS:
        level = _level(name)
        theme = spread if name == "by.hand" else theme_of_level(load_theme(), level)
        for split in ("none", "rooms"):
            bundle = exporters.export(level, ["tiled", "png"], {"tiled.split": split}, theme=theme, name=name)
            bundle.write(folder / ("whole" if split == "none" else "split"))
        made[name] = Case(name, level, theme, dress(level, theme), folder)
    return made


@pytest.fixture(params=usually(["isaac-7", "hallways", "gungeon", "notch", "own.kinds", "by.hand"], LEVELS))
def case(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    """Each of them."""
    return cases[str(request.param)]
