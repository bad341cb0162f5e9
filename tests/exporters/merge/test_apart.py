"""Levels with a file for each room: work goes with its room, and never to another one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from exporters.edits.merging import merge
from exporters.merge.taken import Taken
from exporters.writing import WriteOutcome
from exporters.writing import write as write_bundle

from .conftest import exported
from .people import tile_layers

Json = dict[str, Any]
SPLITS: dict[str, dict[str, object]] = {
    "tiled": {"tiled.split": "rooms"},
    "godot": {"godot.split": "rooms"},
    "ldtk": {"ldtk.external": True},
}
ENDING = {"tiled": ".tmj", "godot": ".tscn", "ldtk": ".ldtkl"}
VERSIONS: dict[str, tuple[int, dict[str, object]]] = {
    "nine": (7, {}), "fifteen": (7, {"rooms": 14}), "stage": (7, {"stage": 3}), "other": (8, {}),
}  # fmt: skip


@cache
def bundle(format_: str, version: str) -> exporters.Bundle:
    seed, values = VERSIONS[version]
    return exporters.export(
        generator.generate("isaac", seed, **values), format_, SPLITS[format_], name="level"
    )


def write(folder: Path, format_: str, version: str) -> WriteOutcome:
    return write_bundle(bundle(format_, version), folder, "merge")


def files_of_rooms(folder: Path, format_: str) -> list[Path]:
    return sorted(
        path for path in folder.glob(f"level/*{ENDING[format_]}") if not re.search(r"\.mine|\.new", path.name)
    )


def what(path: Path) -> tuple[str, ...]:
    """The room of a file: its kind, its layout and its shape, read in the simplest way."""
    text = path.read_text("utf-8")
    if path.suffix == ".tscn":
        return tuple(
            re.search(rf'metadata/{key} = "([^"]*)"', text)[1] for key in ("kind", "layout", "shape")
        )  # type: ignore[index]
    table = json.loads(text)
    told = table.get("properties") or [
        {"name": each["__identifier"], "value": each["__value"]} for each in table["fieldInstances"]
    ]
    named = {each["name"]: each["value"] for each in told}
    return tuple(str(named.get(key)) for key in ("kind", "layout", "shape"))


def work_in_map(map_: Json, token: str) -> None:
    map_.setdefault("properties", []).append({"name": "mine", "type": "string", "value": token})
    layer = tile_layers(map_)[0]
    layer["data"][len(layer["data"]) // 2] = 5000


def work_in_level(level: Json, token: str) -> None:
    level["bgRelPath"] = token
    layer = next(each for each in level["layerInstances"] if each["__identifier"] == "Decor")
    at = 5 + 4 * layer["__cWid"]
    tile = {"px": [80, 64], "src": [0, 0], "f": 0, "t": 5000, "d": [at], "a": 1}
    layer["gridTiles"] = [each for each in layer["gridTiles"] if each["d"] != [at]] + [tile]


def work(path: Path, token: str) -> None:
    """A text in a room's file, and a tile."""
    if path.suffix == ".tscn":
        text = path.read_text("utf-8")
        path.write_text(text.replace("\nmetadata/id =", f'\nmetadata/mine = "{token}"\nmetadata/id =', 1))
        return
    table = json.loads(path.read_bytes())
    change: Callable[[Json, str], None] = work_in_map if path.suffix == ".tmj" else work_in_level
    change(table, token)
    path.write_text(json.dumps(table))


@pytest.mark.parametrize("format_", SPLITS)
@pytest.mark.parametrize("version", ["fifteen", "stage", "other"])
def test_work_goes_with_its_room_or_is_listed(tmp_path: Path, format_: str, version: str) -> None:
    """In every room; there and back again."""
    write(tmp_path, format_, "nine")
    done: dict[str, tuple[str, ...]] = {}
    for number, path in enumerate(files_of_rooms(tmp_path, format_)):
        work(path, token := f"work-{number}-")
        done[token] = what(path)
    outcome = write(tmp_path, format_, version)
    listed = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.conflicts*.txt"))
    now = {f"level/{Path(path).name}" for path in bundle(format_, version)}
    found: dict[str, Path] = {}
    for path in files_of_rooms(tmp_path, format_):
        stands = f"level/{path.name}" in now
        for token in re.findall(r"work-\d+-", path.read_text("utf-8")) if stands else ():
            assert token not in found, "in one room only"
            found[token] = path
    for token, room in done.items():
        if token in found:
            assert what(found[token])[::2] == room[::2], (token, found[token])
        else:
            lost = [
                path
                for path in tmp_path.rglob("*.*")
                if path.is_file() and token in path.read_text("utf-8", "replace")
            ]
            assert lost and listed, token
    assert {change.what for change in outcome.changes} == {"merged"}
    assert found
    left = {f"level/{path.name}" for path in files_of_rooms(tmp_path, format_)}
    assert left <= now


@pytest.mark.parametrize("format_", SPLITS)
def test_one_shop_gets_another_number(tmp_path: Path, format_: str) -> None:
    """Nothing else is touched, and nothing is listed."""
    write(tmp_path, format_, "nine")
    (shop,) = (path for path in files_of_rooms(tmp_path, format_) if what(path)[0] == "treasure")
    work(shop, "my shop")
    theirs = shop.read_text("utf-8")
    outcome = write(tmp_path, format_, "fifteen")
    new = bundle(format_, "fifteen")
    holders = [path for path in files_of_rooms(tmp_path, format_) if "my shop" in path.read_text("utf-8") and path != shop]  # fmt: skip
    (holder,) = holders
    assert what(holder)[0] == "treasure" and holder != shop
    stands = shop.relative_to(tmp_path).as_posix()
    if stands in new:
        assert shop.read_bytes() == new[stands]
    if format_ != "ldtk":
        beside = list(tmp_path.rglob("*.mine*"))
        assert [path.read_text("utf-8") for path in beside] == [theirs]
    again = write(tmp_path, format_, "nine")
    assert "my shop" in shop.read_text("utf-8") and what(shop)[0] == "treasure"
    assert not [line for change in (*outcome.changes, *again.changes) for line in [change.listing] if line]


@pytest.mark.parametrize("format_", SPLITS)
def test_what_is_taken_of_a_rooms_file_stays_behind(tmp_path: Path, format_: str) -> None:
    """As `sync` has it, whose new files have that already. All else goes with the room."""
    write(tmp_path, format_, "nine")
    (treasure,) = (path for path in files_of_rooms(tmp_path, format_) if what(path)[0] == "treasure")
    work(treasure, "mine")
    corner, key = (0, 0), ""
    if format_ == "ldtk":
        project = json.loads((tmp_path / "level.ldtk").read_bytes())
        (key,) = (level["iid"] for level in project["levels"] if level["identifier"] == treasure.stem)
    taken = Taken(painted=frozenset((x, y) for x in range(999) for y in range(99)), corners={key: corner})
    places = treasure.relative_to(tmp_path).as_posix(), "level.ldtk"
    write_bundle(bundle(format_, "fifteen"), tmp_path, "merge", taken=dict.fromkeys(places, taken))
    texts = {path: path.read_text("utf-8") for path in files_of_rooms(tmp_path, format_)}
    (holder,) = (path for path, text in texts.items() if "mine" in text and path != treasure)
    assert what(holder)[0] == "treasure"
    assert format_ == "godot" or "5000" not in texts[holder]


def test_a_level_of_ldtk_never_becomes_another_room() -> None:
    """A level for each room in one file: the same kind at least, or a line says that its room is gone."""
    old, new = exported("isaac", 7)["ldtk"], exported("isaac", 7, stage=3)["ldtk"]
    project = json.loads(old)
    for number, level in enumerate(project["levels"]):
        level["bgRelPath"] = str(number)
    found = merge("level.ldtk", old, json.dumps(project).encode(), new)
    made = {level["bgRelPath"]: level for level in json.loads(found.data)["levels"]}
    stays = 0
    for number, level in enumerate(project["levels"]):
        after = made.get(str(number))
        if after is None:
            assert any(f"level {level['identifier']}: changed" in line for line in found.conflicts)
        else:
            stays += 1
            assert after["identifier"].rpartition("_")[2] == level["identifier"].rpartition("_")[2]
    assert 0 < stays < len(project["levels"])


@pytest.mark.parametrize("format_", ["tiled", "godot"])
def test_work_on_hallways(tmp_path: Path, format_: str) -> None:
    """They have no layouts, so that only their place tells which is which."""

    def made(rooms: int) -> exporters.Bundle:
        level = generator.generate("gungeon", 7, rooms=rooms)
        return exporters.export(level, format_, SPLITS[format_], name="level")

    write_bundle(made(8), tmp_path, "merge")
    hallways = sorted(tmp_path.glob(f"level/hallway*{ENDING[format_]}"))
    for number, path in enumerate(hallways):
        work(path, f"work-{number}-")
    theirs = {path.name: path.read_text("utf-8") for path in hallways}
    new = made(10)
    write_bundle(new, tmp_path, "merge")
    listed = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.conflicts.txt"))
    kept = [path.read_text("utf-8") for path in tmp_path.rglob("*.mine*")]
    assert hallways
    for number, path in enumerate(hallways):
        stands = [each for each in new if each.startswith("level/") and f"work-{number}-" in (tmp_path / each).read_text("utf-8")]  # fmt: skip
        assert stands or (
            f"{path.name}: the room that you worked on is not" in listed and theirs[path.name] in kept
        )
        assert all("hallway" in each for each in stands)


def worked_on(folder: Path) -> Path:
    """A project with external levels, and work in its file and in one level's."""
    write(folder, "ldtk", "nine")
    path = folder / "level.ldtk"
    project = json.loads(path.read_bytes())
    project["customCommands"].append({"command": "mine", "when": "Manual"})
    path.write_text(json.dumps(project))
    work(folder / "level" / "Room_0_start.ldtkl", "mine")
    return path


def test_a_project_without_one_of_its_levels_is_kept(tmp_path: Path) -> None:
    path = worked_on(tmp_path)
    (tmp_path / "level" / "Room_1_normal.ldtkl").unlink()
    theirs = path.read_bytes()
    outcome = write(tmp_path, "ldtk", "fifteen")
    assert outcome.refused and not outcome.written and path.read_bytes() == theirs
    assert "level/Room_1_normal.ldtkl" in str(outcome.conflicts + outcome.changes)


@pytest.mark.parametrize(
    "change", [{"externalRelPath": "../../secret"}, {"externalRelPath": "/etc/hostname"}]
)
def test_no_file_outside_of_the_folder_is_read(tmp_path: Path, change: Json) -> None:
    (tmp_path / "secret").write_text("{}")
    path = worked_on(tmp_path / "a" / "b")
    project = json.loads(path.read_bytes())
    project["levels"][0] |= change
    path.write_text(json.dumps(project))
    outcome = write(tmp_path / "a" / "b", "ldtk", "fifteen")
    assert outcome.refused and not outcome.written
    (line,) = outcome.conflicts
    assert f"{change['externalRelPath']}: is not a file in " in line


@pytest.mark.parametrize("name", ["../../../out", "a/b", "", "CON:"])
def test_no_file_outside_of_the_folder_is_written(tmp_path: Path, name: str) -> None:
    path = worked_on(tmp_path)
    level = tmp_path / "level" / "Room_0_start.ldtkl"
    level.write_text(json.dumps({**json.loads(level.read_bytes()), "identifier": name}))
    changes = write(tmp_path, "ldtk", "fifteen").changes
    assert {change.reason for change in changes} == {"has a level whose name LDtk would not write"}
    assert path.is_file() and not list(tmp_path.parent.glob("out*"))


def test_xml_that_cannot_be_read_is_kept_and_nothing_is_written(tmp_path: Path) -> None:
    def give(seed: int) -> WriteOutcome:
        level = generator.generate("isaac", seed)
        return write_bundle(
            exporters.export(level, "tiled", {"tiled.format": "tmx"}, name="level"), tmp_path, "merge"
        )

    give(7)
    path = tmp_path / "level.tmx"
    theirs = path.read_bytes().replace(b"<map ", b'<map class="mine" ', 1)  # it has a class already
    path.write_bytes(theirs)
    outcome = give(8)
    assert outcome.refused and not outcome.written and path.read_bytes() == theirs
    (line,) = outcome.conflicts
    assert "level.tmx:2: is not XML: duplicate attribute" in line
