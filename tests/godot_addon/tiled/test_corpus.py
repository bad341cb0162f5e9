"""Maps of every version of the format, as people have them: all are imported, and look as in Tiled.

The files in `corpus` are written by hand after the format's history: line endings, notations, encodings and
what each version called things.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.godot_addon.rounds import Part, imported

from .compare import unlike
from .maps import sheet

CORPUS = Path(__file__).parent / "corpus"


class Expected(NamedTuple):
    """What must come of a map: its layers, cells and objects, and what is said of it."""

    layers: list[str]
    cells: int
    objects: list[str]
    warnings: tuple[str, ...] = ()
    tileset: tuple[str, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()
    is_drawn: bool = True


SAND = 'terrain_set_0/terrain_0/name = "sand"'
CORNERS = "terrain_set_0/mode = 1"
EXPECTED = {
    "tiled-0.8.tmx": Expected(
        ["Ground", "Things"],
        11,
        ["Start", "path"],
        tileset=('custom_data_layer_0/name = "solid"', 'custom_data_0 = "yes"'),
        meta=(("author", '"nobody"'),),
    ),
    "tiled-0.9-windows.tmx": Expected(
        ["Ground", "Sky"], 11, [], tileset=(SAND, CORNERS, "0:0/0/terrain_set = 0", "1:0/0/probability = 0.5")
    ),
    "tiled-1.1.tmj": Expected(
        ["Ground", "Things"],
        11,
        ["Chest"],
        tileset=(SAND, "1:0/0/custom_data_0 = true", "animation_frame_0/duration = 100.0"),
        meta=(("dark", "true"), ("level", "3")),
    ),
    "tiled-1.2-windows.tmx": Expected(
        ["Floor", "Floor/Ground"],
        11,
        [],
        tileset=(
            SAND,
            'terrain_set_0/terrain_1/name = "road"',
            "terrain_set_0/mode = 0",
            "0:0/0/terrains_peering_bit/top_left_corner = 0",
            "0:0/0/terrains_peering_bit/top_side = 1",
        ),
    ),
    "tiled-1.4.tmx": Expected(
        ["Ground"], 11, [], tileset=("physics_layer_0/polygon_0/points", 'custom_data_0 = "wall"')
    ),
    "tiled-1.8-mark.tmj": Expected(
        ["Ground", "Picture"], 11, [], tileset=("terrain_set_0/mode = 2", 'terrain_0/name = "road"')
    ),
    "tiled-1.9.tmx": Expected(["Ground", "Things"], 11, ["Guard"], tileset=('custom_data_0 = "grass"',)),
    "tiled-1.12.tmx": Expected(
        ["Ground", "Things"],
        11,
        ["Pill", "Box"],
        ("orientation: oblique maps are drawn without their skew",),
        meta=(("seen", "[1, 2]"),),
        is_drawn=False,
    ),
}


@imported
def tiled_corpus(folder: Path) -> None:
    """The maps, and the picture of their tiles."""
    for path in CORPUS.glob("tiled-*"):
        shutil.copy(path, folder)
    sheet(4, 3, (16, 16)).save(folder / "tiles.png")


@pytest.fixture(scope="module")
def trees(tiled_corpus: Part) -> dict[str, Any]:
    told: dict[str, Any] = tiled_corpus.ask("tree.gd", *(f"res://{name}" for name in EXPECTED))
    return told


def test_every_map_of_the_corpus_is_expected() -> None:
    maps = {path.name for path in CORPUS.iterdir() if path.suffix in {".tmx", ".tmj"}}
    assert maps == set(EXPECTED)


def test_line_endings_are_as_they_were_written() -> None:
    for path in CORPUS.glob("tiled-*"):
        is_windows = "windows" in path.name or "mark" in path.name
        assert (b"\r\n" in path.read_bytes()) == is_windows, path.name


@pytest.mark.parametrize("name", EXPECTED)
def test_a_map_becomes_what_it_says(tiled_corpus: Part, trees: dict[str, Any], name: str) -> None:
    wanted = EXPECTED[name]
    nodes, said = trees[f"res://{name}"], tiled_corpus.said
    told = [line.split(f"res://{name}: ", 1)[1] for line in said if f"res://{name}: " in line]
    assert told == list(wanted.warnings)
    assert set(wanted.layers) <= set(nodes)
    assert sum(len(node.get("cells", ())) for node in nodes.values()) == wanted.cells
    found = [path.split("/")[1] for path in nodes if re.fullmatch("Things/[^/]+", path)]
    assert sorted(found) == sorted(wanted.objects)
    shared = re.search('source="([^"]+\\.(?:tsx|xml))"', (tiled_corpus.folder / name).read_text("utf-8-sig"))
    kept = tiled_corpus.folder / f"{shared.group(1) if shared else name}.tileset.tres"
    tileset = kept.read_text("utf-8")
    assert [line for line in wanted.tileset if line not in tileset] == []
    assert dict(wanted.meta).items() <= nodes["."]["meta"].items()


def test_the_maps_look_as_in_tiled(tiled_corpus: Part, tmp_path: Path) -> None:
    maps = [tiled_corpus.folder / name for name, wanted in EXPECTED.items() if wanted.is_drawn]
    assert not unlike(tiled_corpus, maps, tmp_path, "--hide-object-layers")
