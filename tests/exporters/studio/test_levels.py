"""What the page draws: floorplans, levels, rolls, searches and layouts are those of the library."""

from __future__ import annotations

import base64
import io
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import exporters
import generator
from exporters.studio.app import Studio
from exporters.studio.project import folders_in, found_in
from exporters.studio.requests import packed
from exporters.studio.telling import level_data, plan_data
from exporters.studio.watch import pause_after, stamps_below
from exporters.theme.loader import load_theme
from generator.batch.search import Query, search_block
from generator.spec import load_spec
from tests.exporters import small_theme
from tests.exporters.studio.page import Page, shop_layouts, tiles_of

pytestmark = pytest.mark.xdist_group("studio")


def test_folders_of_layouts_are_those_that_specs_and_the_manifest_name(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    for name in ("rooms", "specs/own", "chambers", "halls", ".kept", "layouts", "../elsewhere"):
        (folder / name).mkdir(parents=True)
    (folder / "way").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (folder / "specs" / "a.toml").write_text("style = 'isaac'\nlayouts = 'own'\n", "utf-8")
    (folder / "specs" / "b.toml").write_text("style = 'isaac'\nlayouts = '../rooms/'\n", "utf-8")
    for number, odd in enumerate(
        ("'../../elsewhere'", "'../way'", "'none'", "7", "''", "'..'", r"'a\0b'", f"'{'x/' * 3000}'")
    ):
        (folder / "specs" / f"odd{number}.toml").write_text(f"style = 'isaac'\nlayouts = {odd}\n", "utf-8")
    (folder / "undercroft.toml").write_text(
        "[group.a]\nset.layouts = 'chambers'\n[group.b]\nset = 3\n[group]\nc = 4\n"
        "[campaign.d]\nset.layouts = 'halls'\nstages = [3, {set.layouts = '.kept'}, {set.layouts = '/tmp'}]\n",
        "utf-8",
    )
    found = {part.path for part in found_in(folder) if part.what == "layouts"}
    assert found == {"layouts", "rooms", "specs/own", "chambers", "halls", ".kept"}
    assert len(found_in(folder)) == len(found) + 11  # each once


@pytest.mark.parametrize("name", generator.preset_names())
def test_a_floorplan_is_that_of_the_library(studio: Page, name: str) -> None:
    told = studio.post("/api/floorplan", {"spec": {"name": name}, "seed": 5})
    plan = generator.generate(name, 5, until="floorplan")
    rooms = [(room["kind"], room["distance"]) for room in told["rooms"]]
    assert rooms == [(room.kind, room.distance) for room in plan.rooms]
    assert set(told["colours"]) == {room.kind for room in plan.rooms}
    if told["unit"] == "cells":
        assert [room["cells"] for room in told["rooms"]] == [
            [list(c) for c in room.cells] for room in plan.rooms
        ]
        assert [(door["rooms"], door["cell"], door["kind"]) for door in told["doors"]] == [
            ([door.a, door.b], list(door.cell), door.kind) for door in plan.doors
        ]
    else:
        assert [room["bounds"] for room in told["rooms"]] == [list(room.bounds) for room in plan.rooms]
        assert [way["path"] for way in told["hallways"]] == [
            [list(tile) for tile in way.path] for way in plan.hallways
        ]


def test_a_floorplan_of_another_package_is_drawn_from_its_picture() -> None:
    plan = generator.generate("gungeon", 5, until="floorplan")
    parts = ("extent", "rooms", "picture")
    plain = SimpleNamespace(**{name: getattr(plan, name) for name in parts})
    told = plan_data(plain, load_spec("gungeon").load_kit().kinds)
    assert told["unit"] == "places"
    left, top = (min(at) for at in zip(*plan.picture(), strict=True))
    width, height = told["places"]["size"]
    drawn = np.frombuffer(base64.b64decode(told["places"]["data"]), np.uint8).reshape(height, width)
    picture = {
        (x + left, y + top): told["places"]["legend"][drawn[y, x] - 1]
        for y, x in zip(*drawn.nonzero(), strict=True)
    }
    assert picture == plan.picture()


def test_a_floorplan_with_an_empty_picture_takes_no_places() -> None:
    plan = generator.generate("gungeon", 5, until="floorplan")
    parts = ("extent", "rooms")
    empty = SimpleNamespace(**{name: getattr(plan, name) for name in parts}, picture=dict)
    told = plan_data(empty, load_spec("gungeon").load_kit().kinds)
    assert told["places"] == {"size": [0, 0], "legend": [], "data": ""}


@pytest.mark.parametrize(("name", "values"), [("gungeon", {"flow": "descent"}), ("rebirth", {"stage": 5})])
def test_a_level_drawn_from_its_tiles_is_the_picture_that_png_writes(
    studio: Page, name: str, values: dict[str, Any]
) -> None:
    told = studio.post("/api/level", {"spec": {"name": name, "set": values}, "seed": "7"})
    level = generator.generate(name, 7, **values)
    assert told["fingerprint"] == level.fingerprint
    sheet = _picture(studio.client.get(told["atlas"]["image"]).content)
    size, columns = told["atlas"]["tile_px"], told["atlas"]["columns"]
    width, height = told["size"]
    drawn = Image.new("RGBA", (width * size, height * size))
    for layer in tiles_of(told):
        for y, x in zip(*layer.nonzero(), strict=True):
            row, column = divmod(int(layer[y, x]) - 1, columns)
            tile = sheet.crop((column * size, row * size, (column + 1) * size, (row + 1) * size))
            drawn.alpha_composite(tile, (int(x) * size, int(y) * size))
    (png,) = exporters.export(level, "png", {"png.markers": True}).values()
    assert np.array_equal(np.asarray(drawn)[..., 3], np.asarray(_picture(png))[..., 3])
    assert np.abs(np.asarray(drawn, np.int16) - np.asarray(_picture(png), np.int16)).max() <= 1  # of rounding


def test_a_marker_that_the_theme_has_no_icon_for_has_none(tmp_path: Path) -> None:
    level = generator.generate("isaac", 7, rooms=6)
    told, _ = level_data(level, load_theme(small_theme.write(tmp_path)), frozenset())
    icons = tiles_of(told)[-1]
    drawn = {marker.kind: int(icons[marker.y, marker.x]) for marker in level.markers}
    assert drawn["enemy"] > 0
    assert drawn["player_start"] == 0


def _picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGBA")


def test_a_room_is_rolled_and_the_page_alone_knows_it(studio: Page) -> None:
    asked = {"spec": {"name": "rebirth", "set": {"stage": 3}}, "seed": 4}
    level = generator.generate("rebirth", 4, stage=3)
    room = next(each.id for each in level.rooms if each.kind == "normal")
    once = studio.post("/api/reroll", {**asked, "rooms": [room]})
    assert once["changed"] == [room]
    assert once["fingerprint"] == generator.reroll(level, room=room).fingerprint
    others = studio.post("/api/reroll", {**asked, "rerolls": once["rerolls"], "pins": [room]})
    assert room not in others["changed"] and len(others["changed"]) > 3
    again = studio.post("/api/level", {**asked, "rerolls": others["rerolls"]})
    assert again["fingerprint"] == others["fingerprint"]
    wrong = studio.error("/api/reroll", {**asked, "rooms": [999]})
    assert wrong["control"] == "rooms" and "999" in wrong["message"]


def test_every_value_of_a_spec_is_described_with_its_kit(studio: Page) -> None:
    told = studio.post("/api/spec", {"spec": {"name": "rebirth", "set": {"kit": "garden", "state.coins": 3}}})
    spec = load_spec("rebirth").replace({"kit": str(studio.folder / "garden"), "state.coins": 3})
    rows = generator.spec.describe(type(spec), spec.load_kit())
    assert [row["key"] for row in told["values"]] == [row["key"] for row in rows]
    assert {row["key"] for row in told["values"]} == told["given"].keys()
    assert told["given"]["state.coins"] == 3 and told["can_reroll"]
    words = next(fact["of"] for fact in told["facts"] if fact["fact"].startswith("count"))
    assert "garden" in words


def test_the_project_is_listed(studio: Page) -> None:
    told = studio.get("/api/described")
    found = {(each["what"], each["path"]) for each in told["found"]}
    assert {("spec", "specs/cellar.toml"), ("kit", "garden")} <= found
    cellar = next(each for each in told["found"] if each["what"] == "spec")
    assert cellar["summary"] == "A cellar of the second stage."
    assert {preset["name"] for preset in told["presets"]} == set(generator.preset_names(others=True))
    assert {form["format"] for form in told["formats"]} >= set(exporters.format_names())
    assert "garden" in studio.get("/api/folders?path=.")["folders"]


def test_a_name_that_is_not_unicode_is_skipped(tmp_path: Path) -> None:
    """JSON cannot name it; one such file must not keep the whole page from opening."""
    for name in (b"kit", b"\xff"):
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        folder.mkdir()
        (folder / "kit.toml").touch()
    assert [part.path for part in found_in(tmp_path)] == ["kit"]
    assert folders_in(tmp_path) == ["kit"]
    assert stamps_below(tmp_path).keys() == {"kit/kit.toml"}
    assert json.loads(packed({"name": folder.name})) == {"name": "?"}  # as the project's own folder may be


def test_a_busy_machine_does_not_put_the_next_look_off_for_minutes() -> None:
    """A look that waited ten seconds for its turn was little work; one that is much work is rare."""
    assert pause_after(took=10, spent=0.01) == 10
    assert pause_after(took=0.5, spent=0.5) == 10
    assert pause_after(took=0.001, spent=0.001) < 0.5


def test_a_search_tells_the_hits_of_the_library_as_they_come(studio: Page) -> None:
    body = {
        "spec": {"name": "isaac"},
        "where": "count('shop') == 1 and dead_ends >= 5",
        "first": 10,
        "count": 120,
    }
    lines = studio.lines("/api/search", body)
    hits = [line["hit"] for line in lines if "hit" in line]
    expected = search_block((Query(load_spec("isaac"), body["where"]), range(10, 130))).hits[:24]  # type: ignore[arg-type]
    assert [(int(hit["seed"]), hit["facts"]) for hit in hits] == list(map(tuple, expected))
    assert hits[0]["fingerprint"] == generator.generate("isaac", expected[0].seed).fingerprint
    assert len([line for line in lines if "progress" in line]) > 1
    assert lines[-1]["done"]["hits"] == len(hits)
    (slip,) = studio.lines("/api/search", {**body, "where": "lops == 2"})
    assert slip["error"]["control"] == "where" and slip["error"]["place"] == 0


def test_a_pool_is_a_picture_with_how_often_each_layout_is_drawn(studio: Page) -> None:
    asked = {"spec": {"name": "isaac"}, "pool": "shop", "levels": 12}
    told = studio.post("/api/layouts", asked)
    drawn = {each["name"]: each["drawn"] for each in told["layouts"]}
    rooms = [room for seed in range(12) for room in generator.generate("isaac", seed).rooms]
    assert sum(drawn.values()) == sum(room.kind == "shop" for room in rooms)
    assert {pool["pool"] for pool in told["pools"]} > {"shop", "boss"}
    assert _picture(studio.client.get(told["sheet"]).content).width > 100
    assert studio.error("/api/layouts", {**asked, "pool": "../.."})["control"] == "pool"
    first = studio.post("/api/layouts", {"spec": {"name": "isaac"}})
    assert first["pool"] == first["pools"][0]["pool"] and first["sheet"]


BAD: list[tuple[dict[str, Any], str]] = [
    ({"spec": {"name": "isaac", "set": {"stage": 13}}}, "stage"),
    ({"spec": {"name": "rebirth", "set": {"state.coins": "many"}}}, "state.coins"),
    ({"spec": {"name": "isaac", "set": {"kit": "nowhere"}}}, "kit"),
    ({"spec": {"name": "isaac", "set": {"layouts": "broken"}}}, "layouts"),
    ({"spec": {"name": "gungeon", "set": {"flow": "nowhere"}}}, "flow"),
    ({"spec": {"name": "gungeon", "set": {"flow": "broken-flow.toml"}}}, "flow"),
    ({"spec": {"name": "gungeon", "set": {"flow": "broken-flow.toml 2, hub", "body": 2}}}, "flow"),
    ({"spec": {"name": "specs/flowing.toml"}}, "flow"),
    ({"spec": {"name": "unknown"}}, "spec"),
    ({"spec": {"name": "broken.toml"}}, "stage"),
    ({"spec": {"name": "isaac"}, "seed": "-1"}, "seed"),
    ({"spec": {"name": "isaac"}, "theme": "broken-theme.toml"}, "theme"),
]


@pytest.mark.parametrize(("asked", "control"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_what_is_wrong_is_a_line_beside_its_control(
    studio: Page, asked: dict[str, Any], control: str
) -> None:
    (studio.folder / "broken" / "shop").mkdir(parents=True, exist_ok=True)
    (studio.folder / "broken" / "shop" / "x.txt").write_text("doors: N\n\n...\n", "utf-8")
    (studio.folder / "broken.toml").write_text('style = "isaac"\nstage = 99\n', "utf-8")
    (studio.folder / "broken-theme.toml").write_text('image = "none.png"\n', "utf-8")
    (studio.folder / "broken-flow.toml").write_text("[flow]\n\n[room.start]\nbody = 3\n", "utf-8")
    (studio.folder / "specs" / "flowing.toml").write_text(
        'style = "gungeon"\nflow = "../broken-flow.toml"\n', "utf-8"
    )
    error = studio.error("/api/level", asked)
    assert error["control"] == control
    assert "/../" not in error["message"]


def test_a_layout_that_is_saved_changes_the_level_at_once(studio: Page) -> None:
    asked = {"spec": {"name": "specs/cellar.toml", "set": {"only_layout": "own/mine"}}, "seed": 3}
    before = studio.post("/api/level", asked)
    (studio.folder / "layouts" / "shop" / "mine.txt").write_bytes(shop_layouts()[1])
    after = studio.post("/api/level", asked)
    assert before["fingerprint"] != after["fingerprint"]
    level = generator.generate(studio.folder / "specs" / "cellar.toml", 3, only_layout="own/mine")
    assert after["fingerprint"] == level.fingerprint


def test_every_address_is_asked_in_these_tests() -> None:
    texts = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    routes = Studio(Path(), 1).routes()
    assert [route.path for route in routes if route.path.partition("{")[0] not in texts] == []
