"""Templates of markers: in the real Tiled they are whole objects, and what is made from one comes home as a marker."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from exporters.reading import files
from exporters.reading.back import bring_back
from generator.kinds import SHIPPED
from generator.level import Level, Marker
from generator.level_file import load_level
from tests.commands import undercroft

from .conftest import layer, read, run_tiled

FORMS = ("tmj", "tmx")


def made(folder: Path, form: str, *words: str) -> Path:
    """A folder with a level and the templates for it. Return its map."""
    given = ("--to", "json", "--to", "tiled", "--option", f"tiled.format={form}", *words, "--out", ".")
    assert undercroft("generate", "isaac", "--seed", "7", *given, cwd=folder).returncode == 0
    assert undercroft("tiled", "templates", ".", cwd=folder).returncode == 0
    return folder / f"isaac-7.{form}"


def add(map_: Path, *instances: dict[str, Any]) -> None:
    """Put objects into the layer of markers, as Tiled saves one of a template."""
    text = map_.read_text("utf-8")
    if map_.suffix == ".tmj":
        table = json.loads(text)
        for number, each in enumerate(instances):
            layer(table, "Markers")["objects"].append({"id": table["nextobjectid"] + number, **each})
        map_.write_text(json.dumps(table), "utf-8")
        return
    found = re.search(r'nextobjectid="(\d+)"', text)
    assert found
    elements = []
    for number, each in enumerate(instances, int(found[1])):
        listed = each.pop("properties", [])
        own = "".join(f'<property name="{one["name"]}" value="{one["value"]}"/>' for one in listed)
        attributes = "".join(f' {key}="{value}"' for key, value in each.items())
        elements.append(f'<object id="{number}"{attributes}><properties>{own}</properties></object>')
    head = re.search(r'name="Markers">', text)
    assert head
    map_.write_text(text[: head.end()] + "".join(elements) + text[head.end() :], "utf-8")


def place(level: Level) -> tuple[int, int]:
    """A tile of the boss's room, in px, at its lower left corner."""
    boss = next(marker for marker in level.markers if marker.kind == "boss")
    return boss.x * 16, (boss.y + 3) * 16


def markers(level: Level) -> set[tuple[str, int, int, str]]:
    return {
        (one.kind, one.x, one.y, json.dumps(dict(one.properties), sort_keys=True)) for one in level.markers
    }


@pytest.mark.parametrize("form", FORMS)
def test_what_is_made_from_a_template_comes_home(form: str, tmp_path: Path) -> None:
    map_ = made(tmp_path, form)
    level = load_level(tmp_path / "isaac-7.level.json")
    x, y = place(level)
    below = "templates/undercroft"
    gold = [{"name": "tier", "type": "string", "value": "gold"}]
    add(
        map_,
        {"template": f"{below}/chest.tj", "x": x, "y": y},
        {"template": f"{below}/chest.tj", "x": x + 16, "y": y, "properties": gold},
        {"template": f"{below}/enemy_cellar_bat.tj", "x": x + 32, "y": y},
        {"template": "gone.tj", "x": x, "y": y},
        {"template": "../outside.tj", "x": x, "y": y},
    )
    done = undercroft("sync", ".", cwd=tmp_path)
    for gone in ("gone.tj", "../outside.tj"):
        assert (
            f"its template '{gone}' is not there, so it is not read; put that back or detach the object"
            in done.stderr
        )
    after = load_level(tmp_path / "isaac-7.level.json")
    tile = x // 16, y // 16 - 1
    bat = {
        "champion": False,
        "flies": True,
        "name": "cellar_bat",
        "role": "flyer",
        "wakes_after": 0.0,
        "wave": 1,
    }
    assert markers(after) - markers(level) == {
        ("chest", *tile, '{"tier": "wood"}'),
        ("chest", tile[0] + 1, tile[1], '{"tier": "gold"}'),
        ("enemy", tile[0] + 2, tile[1], json.dumps(bat)),
    }
    assert markers(level) <= markers(after)
    text = map_.read_text("utf-8")
    assert text.count("template") == 2 and "outside.tj" in text and "gone.tj" in text
    assert bring_back(map_).level == after and not list(tmp_path.glob("*.mine*"))


def test_a_map_of_a_room_finds_the_templates_above(tmp_path: Path) -> None:
    made(tmp_path, "tmj", "--option", "tiled.split=rooms")
    level = load_level(tmp_path / "isaac-7.level.json")
    boss = next(marker for marker in level.markers if marker.kind == "boss")
    map_ = tmp_path / "isaac-7" / f"room{boss.room}.tmj"
    add(map_, {"template": "../templates/undercroft/chest.tj", "x": 80, "y": 80})
    undercroft("sync", ".", cwd=tmp_path)
    (added,) = added_to(level, load_level(tmp_path / "isaac-7.level.json"))
    assert (added.kind, added.room, dict(added.properties)) == ("chest", boss.room, {"tier": "wood"})


def added_to(level: Level, after: Level) -> list[Marker]:
    known = {marker.id for marker in level.markers}
    return [marker for marker in after.markers if marker.id not in known]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "chest.tj: is not JSON"),
        ("{}", "chest.tj: object: is missing"),
        ('{"object": {"gid": "x"}, "tileset": {"firstgid": 1}}', "chest.tj: object.gid: 'x' is not a"),
        ('{"object": {"gid": 5}}', "chest.tj: tileset: is missing"),
        ('{"object": {"gid": 1}, "tileset": {"firstgid": 5}}', "chest.tj: object.gid: 1 is not a"),
    ],
)
def test_a_damaged_template_is_told(text: str, says: str, tmp_path: Path) -> None:
    map_ = made(tmp_path, "tmj")
    add(map_, {"template": "templates/undercroft/chest.tj", "x": 80, "y": 80})
    (tmp_path / "templates" / "undercroft" / "chest.tj").write_text(text, "utf-8")
    before = map_.read_bytes()
    done = undercroft("sync", ".", cwd=tmp_path)
    assert done.returncode != 0 and says in done.stderr and done.stderr.count("\n") == 1
    assert map_.read_bytes() == before


def test_templates_multiply_no_properties_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_MAX_BORROWED", 3)
    map_ = made(tmp_path, "tmj")
    add(map_, *[{"template": "templates/undercroft/chest.tj", "x": 80, "y": 80}] * 4)
    done = undercroft("sync", ".", cwd=tmp_path)
    assert done.returncode != 0 and done.stderr.count("\n") == 1
    assert ": brings templates to more than 3 properties; detach some objects" in done.stderr


def test_tiled_makes_whole_objects_of_all_templates(tmp_path: Path) -> None:
    """Detached in Tiled, each is what the template says, with an icon of its map's own tileset."""
    map_ = made(tmp_path, "tmj")
    listed = sorted((tmp_path / "templates" / "undercroft").iterdir())
    enemies = {f"enemy_{name}" for name in SHIPPED.enemies}
    assert {path.stem for path in listed} == ({*SHIPPED.markers} - {"enemy"}) | enemies
    add(map_, *({"template": f"templates/undercroft/{path.name}", "x": 0, "y": 16} for path in listed))
    run_tiled(
        "--export-map", "--detach-templates", "json", map_, tmp_path / "detached.json", project=tmp_path
    )
    objects = layer(read(tmp_path / "detached.json"), "Markers")["objects"][-len(listed) :]
    first = {"x": 0, "y": 16}
    for path, object_ in zip(listed, objects, strict=True):
        told = read(path)["object"]
        assert {**told, **first, "id": object_["id"]} == object_, path.name
        assert path.stem in (told["type"], f"enemy_{told['type']}") or told["type"] == "enemy"
