"""What the real Tiled saves, of every kind of map: read and written again byte for byte, and alike from XML and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exporters.formats.tiled.syntax.data import Gids, decoded
from exporters.formats.tiled.syntax.reader import tiled_table
from exporters.formats.tiled.syntax.xml import map_xml, written
from generator.errors import BadInput
from generator.xml_tree import parse_xml
from tests.engines import tiled
from tests.godot_addon.tiled.drawn import write_all

from .test_xml import differences

pytestmark = pytest.mark.xdist_group("tiled")


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Maps by hand: flipped tiles in every packing, chunks, groups, pictures, objects of every kind."""
    folder = tmp_path_factory.mktemp("maps")
    return [folder / f"{name}.tmj" for name in write_all(folder) if not name.startswith("hexagonal-")]


def saved(map_: Path, format_: str) -> Path:
    target = map_.with_name(f"{map_.stem}-saved.{format_}")
    done = tiled().run("--export-map", format_, map_, target)
    assert done.returncode == 0, done.stderr
    return target


def layers_of(holder: Any) -> list[Any]:
    return [each for layer in holder["layers"] for each in (layer, *layers_of({"layers": [], **layer}))]


def tiles(layer: Any) -> list[Gids]:
    packing = layer.get("encoding", "csv"), layer.get("compression", "")
    pieces = layer.get("chunks") or [layer]
    return [decoded(each["data"], *packing, each["width"] * each["height"]) for each in pieces]


def test_what_tiled_saves_is_read_and_written_again(maps: list[Path]) -> None:
    assert len(maps) > 10
    for map_ in maps:
        data = saved(map_, "tmx").read_bytes()
        assert written(parse_xml(data, map_.name, BadInput)) == data, map_.name
        xml = tiled_table(data, "x.tmx", "map", BadInput)
        if b"<chunk" not in data:
            assert map_xml(xml) == data, map_.name
        json = tiled_table(saved(map_, "json").read_bytes(), "x.tmj", "map", BadInput)
        if json["infinite"]:  # in JSON, the sizes of layers are those of all that is drawn
            for layer in (*json["layers"], *xml["layers"]):
                for key in ("width", "height", "startx", "starty"):
                    layer.pop(key, None)
        assert differences(json, xml) == [], map_.name
        for one, other in zip(layers_of(json), layers_of(xml), strict=True):
            if one["type"] == "tilelayer":
                for a, b in zip(tiles(one), tiles(other), strict=True):
                    assert np.array_equal(a, b), (map_.name, one["name"])
