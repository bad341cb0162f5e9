"""What the real Tiled makes of our files: it changes nothing, draws what we draw, and paints as we do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exporters
import generator
from exporters import blob
from exporters.formats.tiled import ENCODINGS
from exporters.objects import names_of
from exporters.reading.back import bring_back
from exporters.theme import Theme, Variants
from exporters.theme.loader import load_theme
from generator.kinds import BRIDGE
from tests.exporters import own_sheet

from .conftest import Case, layer, pixels, properties, rasterized, read, run_tiled

pytestmark = pytest.mark.xdist_group("tiled")

SIDES, CORNERS = blob.N | blob.E | blob.S | blob.W, blob.NE | blob.SE | blob.SW | blob.NW
SCRIPTS = Path(__file__).parent / "scripts"
# What Tiled writes otherwise than we do, whatever the map: its own version, no digest, and, from 1.12 on, an
# opacity for each object.
NORMALISED = {"tiledversion", "version", "opacity", "digest"}


def differences(ours: Any, theirs: Any, path: str = "") -> list[str]:
    """Where two parsed files differ; 1 and 1.0 do not."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = [f"{path}.{key}" for key in ours.keys() ^ theirs.keys()]
        both = ours.keys() & theirs.keys()
        return found + [one for key in both for one in differences(ours[key], theirs[key], f"{path}.{key}")]
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        if ours == theirs:
            return []
        pairs = enumerate(zip(ours, theirs, strict=True))
        return [one for i, (a, b) in pairs for one in differences(a, b, f"{path}[{i}]")]
    return [] if ours == theirs and isinstance(ours, bool) is isinstance(theirs, bool) else [path]


def that_matter(found: list[str]) -> list[str]:
    return [path for path in found if path.rsplit(".", 1)[-1] not in NORMALISED]


def test_tiled_saves_a_map_as_it_is(case: Case, tmp_path: Path) -> None:
    """Opened alone, too: without the project that declares its classes and lists."""
    run_tiled("--export-map", "json", case.whole, case.whole.with_suffix(".saved"))
    assert that_matter(differences(read(case.whole), read(case.whole.with_suffix(".saved")))) == []


def test_tiled_saves_a_rooms_map_as_it_is(case: Case) -> None:
    """The last one, a hallway's where there are any."""
    path = case.world.parent / read(case.world)["maps"][-1]["fileName"]
    run_tiled("--export-map", "json", path, path.with_suffix(".saved"), project=case.world.parent)
    assert that_matter(differences(read(path), read(path.with_suffix(".saved")))) == []


@pytest.mark.parametrize("name", ["isaac-7", "by.hand"])
def test_tiled_saves_a_tileset_as_it_is(name: str, cases: dict[str, Case]) -> None:
    case = cases[name]
    path = case.whole.parent / f"{case.theme.name}.tsj"
    run_tiled("--export-tileset", "json", path, path.with_suffix(".saved"), project=path.parent)
    assert that_matter(differences(read(path), read(path.with_suffix(".saved")))) == []


def test_a_difference_would_be_found() -> None:
    """So that the tests above mean something."""
    ours = {"a": [{"b": 1, "tiledversion": "1"}], "c": True}
    assert differences(ours, {"a": [{"b": 1.0, "tiledversion": "1"}], "c": True}) == []
    assert differences(ours, {"a": [{"b": 2, "tiledversion": "2"}], "c": 1, "d": 0}) != []
    found = sorted(differences(ours, {"a": [{"b": 2, "tiledversion": "2"}], "c": 1, "d": 0}))
    assert that_matter(found) == [".a[0].b", ".c", ".d"]


def test_tiled_draws_what_we_draw(case: Case, tmp_path: Path) -> None:
    assert np.array_equal(rasterized(case.whole, tmp_path / "map.png"), case.picture)


def test_tiled_draws_the_world_as_we_draw_the_level(case: Case, tmp_path: Path) -> None:
    """Its picture begins at the leftmost and the uppermost map; there is nothing beyond."""
    maps = read(case.world)["maps"]
    left, top = min(one["x"] for one in maps), min(one["y"] for one in maps)
    drawn = rasterized(case.world, tmp_path / "world.png")
    whole = np.zeros_like(case.picture)
    whole[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    assert np.array_equal(whole, case.picture)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_tiled_reads_every_encoding(encoding: str, cases: dict[str, Case], tmp_path: Path) -> None:
    """The picture is the same; and it goes on to save in that encoding."""
    case = cases["isaac-7"]
    option = {"tiled.encoding": encoding}
    exporters.export(case.level, "tiled", option, name=case.name).write(tmp_path)
    path = tmp_path / f"{case.name}.tmj"
    assert np.array_equal(rasterized(path, tmp_path / "map.png"), case.picture)
    run_tiled("--export-map", "json", path, path.with_suffix(".saved"), project=tmp_path)
    ours, theirs = (read(one)["layers"] for one in (path, path.with_suffix(".saved")))
    for a, b in zip(ours, theirs, strict=True):
        assert (a.get("encoding"), a.get("compression")) == (b.get("encoding"), b.get("compression"))


@pytest.mark.parametrize("split", [False, True])
def test_references_lead_to_objects(case: Case, split: bool, tmp_path: Path) -> None:
    """Followed by Tiled itself, they lead to what the level has there."""
    level, answer = case.level, tmp_path / "answer.json"
    path = case.world.parent / read(case.world)["maps"][0]["fileName"] if split else case.whole
    run_tiled("--evaluate", SCRIPTS / "references.js", path, answer, project=case.whole.parent)
    found = json.loads(answer.read_bytes())
    names = names_of(level)
    here = [level.rooms[0]] if split else list(level.rooms)
    for room in here:
        refs = found[names.rooms[room.id]]
        own = [names.doors[door.id] for door in level.doors if room.id in door.rooms]
        assert [refs[f"door_{i}"] for i in range(len(refs))] == own
    for door in level.doors:
        ends = [names.rooms[room.id] for end in door.rooms for room in here if room.id == end]
        refs = found.get(names.doors[door.id], {})
        assert [refs[key] for key in ("room_a", "room_b") if key in refs] == ends
    if split:
        return
    for hallway in level.hallways:
        refs = found[names.hallways[hallway.id]]
        assert [refs["door_a"], refs["door_b"]] == [names.doors[door] for door in hallway.doors]
    for marker in level.markers:
        refs = found[names.markers[marker.id]]
        assert refs.get("room") == (None if marker.room is None else names.rooms[marker.room])
        assert refs.get("hallway") == (None if marker.hallway is None else names.hallways[marker.hallway])


def beside(tiles: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(x + dx, y + dy) for x, y in tiles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


@pytest.mark.parametrize(("layer", "wang_set"), [("Walls", "Walls"), ("Ground", "Pits")])
def test_the_brush_paints_the_same(layer: str, wang_set: str, case: Case, tmp_path: Path) -> None:
    """Told only where the tiles are, it picks tiles of the same wang ids, but beside what only looks alike.

    Walls go on, for the eye, in a secret door, which is in the layer of the doors; pits below a bridge.
    """
    answer, level = tmp_path / "answer.json", case.level
    args = (SCRIPTS / "brush.js", case.whole, answer, layer, wang_set)
    run_tiled("--evaluate", *args, project=case.whole.parent)
    found = json.loads(answer.read_bytes())
    secret = [tile for door in level.doors if door.kind in ("secret", "red") for tile in door.tiles]
    ys, xs = np.nonzero(level.terrain == BRIDGE)
    alike = secret if wang_set == "Walls" else list(zip(xs.tolist(), ys.tolist(), strict=True))
    (tiles,) = (
        {tile["tileid"] for tile in one["wangtiles"]}
        for one in read(case.whole.parent / f"{case.theme.name}.tsj")["wangsets"]
        if one["name"] == wang_set
    )
    assert found["count"] == sum(np.isin(getattr(case.layers, layer.lower()), list(tiles)).ravel())
    assert {(x, y) for x, y in found["others"]} <= beside(alike)


@pytest.mark.parametrize(("kind", "bits"), [("edge", SIDES), ("corner", CORNERS)])
def test_the_brush_paints_the_same_with_fewer_tiles(
    kind: str, bits: int, plain: Theme, tmp_path: Path
) -> None:
    """With walls of 16 tiles, which know their sides or their corners alone."""
    kept = sorted({mask & bits for mask in blob.MASKS})
    walls = {mask: Variants((kept.index(mask & bits),), (1,)) for mask in blob.MASKS}
    theme = replace(plain, walls=walls)
    level = generator.generate("labyrinth", 5)
    exporters.export(level, ["tiled"], theme=theme, name="a").write(tmp_path)
    assert read(tmp_path / "plain.tsj")["wangsets"][0]["type"] == kind
    answer = tmp_path / "answer.json"
    run_tiled(
        "--evaluate", SCRIPTS / "brush.js", tmp_path / "a.tmj", answer, "Walls", "Walls", project=tmp_path
    )
    found = json.loads(answer.read_bytes())
    secret = [tile for door in level.doors if door.kind in ("secret", "red") for tile in door.tiles]
    assert found["count"] > 500
    assert {(x, y) for x, y in found["others"]} <= beside(secret)


@pytest.mark.parametrize("name", ["rim", "thin"])
def test_the_brush_paints_the_same_with_tiles_put_together(name: str, tmp_path: Path) -> None:
    """With a rim and with thin walls, whose 47 tiles were made of a few."""
    own_sheet.write(tmp_path)
    lines = own_sheet.WALLS[name].replace('outside = "solid"', 'outside = "open"')
    head = 'image = "keep.png"\ntile_size = 24\nmargin = 2\nspacing = 3\n[floor.default]\ntiles = [[0, 0]]\n'
    (tmp_path / "own.toml").write_text(f'name = "own"\n{head}[wall]\n{lines}\n', "utf-8")
    level = generator.generate("labyrinth", 5)
    theme = load_theme(tmp_path / "own.toml")
    exporters.export(level, ["tiled"], theme=theme, name="a").write(tmp_path / "out")
    (walls, *_) = read(tmp_path / "out" / "own.tsj")["wangsets"]
    assert walls["type"] == "mixed" and len({tuple(one["wangid"]) for one in walls["wangtiles"]}) == 46
    answer = tmp_path / "answer.json"
    args = (SCRIPTS / "brush.js", tmp_path / "out" / "a.tmj", answer, "Walls", "Walls")
    run_tiled("--evaluate", *args, project=tmp_path / "out")
    found = json.loads(answer.read_bytes())
    secret = [tile for door in level.doors if door.kind in ("secret", "red") for tile in door.tiles]
    assert found["count"] > 500
    assert {(x, y) for x, y in found["others"]} <= beside(secret)


def test_missing_properties_come_from_the_class(cases: dict[str, Case]) -> None:
    """Tiled finds the class of everything in the project, with the members' values."""
    case = cases["isaac-7"]
    path = case.whole.with_suffix(".resolved")
    flag = "--resolve-types-and-properties"
    run_tiled(flag, "--export-map", "json", case.whole, path, project=case.whole.parent)
    ours, theirs = (layer(read(one), "DoorObjects")["objects"] for one in (case.whole, path))
    nothing_asked = {"needs": "", "one_way": False, "opens_from": 0, "new_kind": ""}
    for a, b in zip(ours, theirs, strict=True):
        assert "hallway" not in properties(a)
        assert properties(b) == {**properties(a), "hallway": 0, **nothing_asked}


def test_kinds_that_are_chosen_from_lists_come_home(tmp_path: Path) -> None:
    """And are plain text again in the map that is written then."""
    level = generator.generate("isaac", 7)
    exporters.export(level, ["tiled"], name="a").write(tmp_path)
    run_tiled("--evaluate", SCRIPTS / "choose.js", tmp_path / "a.tmj", project=tmp_path)
    assert b"NewRoomKind" in (tmp_path / "a.tmj").read_bytes()
    back = bring_back(tmp_path / "a.tmj").level
    before, after = (
        [
            [room.kind for room in one.rooms],
            [door.kind for door in one.doors],
            [marker.properties.get("name") for marker in one.markers],
        ]
        for one in (level, back)
    )
    changed = [
        (old, new)
        for a, b in zip(before, after, strict=True)
        for old, new in zip(a, b, strict=True)
        if old != new
    ]
    assert [new for _, new in changed] == ["shop", "locked", "spider"]


def test_half_transparent_pixels_are_drawn_alike(plain: Theme, tmp_path: Path) -> None:
    """Tiled counts with colours that are multiplied by their alpha, in 8 bits: it rounds otherwise."""
    level = generator.generate("isaac", 7)
    exporters.export(level, ["tiled", "png"], theme=plain, name="a").write(tmp_path)
    theirs, ours = rasterized(tmp_path / "a.tmj", tmp_path / "r.png"), pixels(tmp_path / "a.png")
    assert np.array_equal(theirs[..., 3], ours[..., 3])
    seen = [one[..., :3] * (one[..., 3:] / 255) for one in (theirs, ours)]
    assert np.abs(seen[0] - seen[1]).max() < 2


def test_a_hostile_name_opens_too(tmp_path: Path) -> None:
    """A level of the oddest name that is one, of a theme of such a name."""
    level = generator.generate("isaac", 1)
    name = "-._" + "x" * 100
    exporters.export(level, ["tiled", "png"], {"tiled.split": "rooms"}, name=name).write(tmp_path)
    drawn = rasterized(tmp_path / f"{name}.world", tmp_path / "world.png")
    assert drawn.any() and pixels(tmp_path / f"{name}.png").any()
