"""One merge for each level: edits go where their rooms go, and all files show the result."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exporters
import generator
from exporters.reading import level_merge
from exporters.reading.back import bring_back
from exporters.reading.carried import carried, edits_between
from exporters.reading.changes import said
from exporters.reading.edited import edited
from exporters.reading.seen import Edits
from exporters.writing import write
from generator.checks.told import causes
from generator.errors import UndercroftError
from generator.geometry import Point
from generator.level import Level
from generator.level_file import load_level
from generator.serialise import dumps
from tests.combinations import each_once_first, usually
from tests.commands import undercroft

from .chain_edits import free_tiles
from .chains import Chain
from .editors import Editor, editor_of
from .exported import level_of
from .test_edits_brought_back import parts

STYLES = ("isaac", "rebirth", "gungeon")


def any_edits(level: Level, seed: int) -> Edits:
    """Some edits of each sort."""
    chance = random.Random(seed)
    tiles = free_tiles(level)
    chance.shuffle(tiles)
    marker, moved, gone = chance.sample(list(level.markers), 3)
    decor = [kind.name for kind in level.decor_kinds if (kind.width, kind.height) == (1, 1)][1:]
    edits: Edits = {("terrain", *tiles[0]): "wall", ("terrain", *tiles[1]): "pit"}
    edits |= {
        ("decor", *tiles[2]): chance.choice(decor),
        ("new marker", "chest", *tiles[3]): {"tier": "gold"},
    }
    edits |= {("look", "undercroft", "ground", *tiles[5]): 28, ("look", "crypt", "ground", *tiles[6]): 9}
    edits |= {("marker", moved.id, "at"): tiles[4], ("marker", gone.id, "gone"): True}
    edits |= {("marker", marker.id, "property", "mine"): seed, ("fact", "mine"): seed}
    edits |= {("door", chance.choice(level.doors).id, "kind"): "open"}
    edits |= {("room", chance.choice(level.rooms).id, "zone"): "mine"}
    edits |= {("room", chance.choice(level.rooms).id, "name"): "The Tsar's: 1/2"}
    return edits


@pytest.mark.parametrize(("style", "seed"), each_once_first(STYLES, range(4)))
def test_edits_between_two_states_of_a_level_lead_from_one_to_the_other(style: str, seed: int) -> None:
    level = level_of(style)
    after = edited(level, any_edits(level, seed))
    edits = edits_between(level, after)
    assert parts(edited(level, edits)) == parts(after)
    assert edited(level, edits).looks == after.looks != ()
    assert edits_between(after, level).items() >= {("look", *look[:4]): None for look in after.looks}.items()
    assert edits_between(after, after) == {}


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (("marker", 7, "at"), "the place of the enemy at 56,15"),
        (("marker", 7, "property", "tier"), "the tier of the enemy at 56,15"),
        (("door", 2, "gone"), "door 2 (open at 24,19)"),
        (("room", 7, "name"), "the name of room 7 (boss at 17,29)"),
        (("new marker", "chest", 4, 5), "a new chest at 4,5"),
        (("terrain", 4, 5), "the terrain at 4,5"),
    ],
)
def test_an_edit_is_called_what_it_is_about(key: tuple[object, ...], words: str) -> None:
    assert said(key, generator.generate("isaac", 7)) == words


@pytest.mark.parametrize("style", STYLES)
def test_edits_that_are_carried_to_the_same_level_are_the_same(style: str) -> None:
    level = level_of(style)
    edits = edits_between(level, edited(level, any_edits(level, 1)))
    moved = carried(edits, level, level)
    assert (moved.edits, moved.lost) == (edits, {})
    assert carried(edits, level, edited(level, edits)).edits.keys() <= {
        key for key in edits if key[0] in ("marker", "door")
    }


@pytest.mark.parametrize("style", STYLES)
def test_a_door_is_moved_once_however_often_it_is_carried(style: str) -> None:
    level = level_of(style)
    door = next(door for door in level.doors if door.rooms[1] is None or len(door.tiles) > 1)
    step = (1, 0) if door.side in ("north", "south") else (0, 1)
    after = edited(level, {("door", door.id, "at"): step})
    edits = edits_between(level, after)
    assert carried(edits, level, level).edits == edits
    assert carried(edits, level, after).edits == {}


def test_the_count_of_edits_does_not_depend_on_who_made_which_first() -> None:
    """Two people who merged each other's edits have the same level.json."""
    level = level_of("isaac")
    tile, (enemy, *_) = free_tiles(level)[0], level.markers
    edits: list[Edits] = [{("terrain", *tile): "pit"}, {("marker", enemy.id, "gone"): True}]
    one, other = (edited(edited(level, first), second) for first, second in (edits, edits[::-1]))
    assert dumps(one) == dumps(other)
    assert [*one.edited] == ["base", "ids", "terrain", "markers_removed"]


def test_an_older_copy_of_a_level_does_not_take_back_what_was_brought_back_since(tmp_path: Path) -> None:
    level = level_of("isaac")
    first, second = free_tiles(level)[0], free_tiles(level)[3]
    older = edited(level, {("terrain", *first): "pit"})
    newer = edited(older, {("terrain", *second): "rubble"})
    for state in (level, newer):
        exporters.export(state, ["json", "tiled"], name="cellar").write(tmp_path, "replace")
    write(exporters.export(older, ["json", "tiled"], name="cellar"), tmp_path, "merge")
    now = load_level(tmp_path / "cellar.level.json")
    names = [now.terrain_kinds[now.terrain[y, x]].name for x, y in (first, second)]
    assert names == ["pit", "rubble"]


def test_a_wall_over_a_marker_stays_in_sync_and_in_a_new_export_and_breaks_the_same_rules(
    tmp_path: Path,
) -> None:
    level = level_of("isaac")
    enemy = next(marker for marker in level.markers if marker.kind == "enemy")
    for folder in ("synced", "exported"):
        exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path / folder)
        edit = editor_of(tmp_path / folder / "cellar.tmj", level)
        edit.paint((enemy.x, enemy.y), "wall")
        edit.save()
    done = undercroft("sync", "synced", cwd=tmp_path)
    written = write(exporters.export(level, ["json", "tiled"], name="cellar"), tmp_path / "exported", "merge")
    states = [load_level(tmp_path / folder / "cellar.level.json") for folder in ("synced", "exported")]
    assert dumps(states[0]) == dumps(states[1])
    assert states[0].terrain_kinds[states[0].terrain[enemy.y, enemy.x]].name == "wall"
    assert enemy in states[0].markers
    assert written.problems and all(problem in done.stderr for problem in causes(written.problems))


def test_a_wall_is_lost_where_only_the_new_level_has_a_marker() -> None:
    level = level_of("isaac")
    tile = free_tiles(level)[0]
    new = edited(level, {("new marker", "chest", *tile): {}})
    wall: Edits = {("terrain", *tile): "wall"}
    assert carried(wall, level, new).lost == {
        ("terrain", *tile): "the terrain at {},{}: the new level has a marker, chest, there".format(*tile)
    }


def test_a_file_that_is_saved_while_it_is_merged_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    path = tmp_path / "cellar.tmj"
    edit = editor_of(path, level)
    edit.paint(free_tiles(level)[0], "pit")
    edit.save()
    merged_levels = level_merge.merged_levels

    def saved_meanwhile(*given: Any) -> list[level_merge.MergedLevel]:
        merges = merged_levels(*given)
        path.write_bytes(path.read_bytes() + b" ")
        return merges

    monkeypatch.setattr(level_merge, "merged_levels", saved_meanwhile)
    with pytest.raises(UndercroftError, match=r"cellar.tmj: was changed during this run; run this again"):
        write(exporters.export(level, ["json", "tiled"], name="cellar"), tmp_path, "merge")
    assert path.read_bytes().endswith(b" ")


def test_a_file_with_a_change_of_a_marker_that_has_no_place_is_put_aside(tmp_path: Path) -> None:
    """The marker was brought back before, so that the level knows it; its last change is in this file alone."""
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    room = next(room for room in level.rooms if room.kind == "boss")
    tile = next(tile for tile in free_tiles(level) if room.bounds.contains(*tile))
    with_edit(tmp_path / "cellar.tmj", level, lambda edit: edit.add_marker("chest", tile, {"tier": "gold"}))
    assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
    synced = load_level(tmp_path / "cellar.level.json")
    chest = next(marker for marker in synced.markers if (marker.x, marker.y) == tile)
    with_edit(tmp_path / "cellar.tmj", synced, lambda edit: edit.set_property(chest.id, "tier", "ruby"))
    theirs = (tmp_path / "cellar.tmj").read_bytes()
    other = generator.generate("isaac", 5, rooms=6, stage=3)
    outcome = write(exporters.export(other, ["json", "tiled"], name="cellar"), tmp_path, "merge")
    assert any("chest" in note for note in outcome.notes)
    assert (tmp_path / "cellar.mine.tmj").read_bytes() == theirs
    lost = [note.removeprefix("cellar: ") for note in outcome.notes if "chest" in note]
    assert f"{tmp_path / 'cellar.conflicts.txt'}: lists what has no place in the new level" in outcome.notes
    listed = (tmp_path / "cellar.conflicts.txt").read_text().splitlines()
    assert [line for line in listed if "chest" in line] == [f"cellar.level.json: {line}" for line in lost]


@pytest.mark.parametrize("file", ["cellar.tmj", "cellar.ldtk", "cellar.tscn"])
def test_a_room_of_another_kind_contradicts_nothing(file: str, tmp_path: Path) -> None:
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled", "ldtk", "godot"], name="cellar").write(tmp_path)
    room = next(room for room in level.rooms if room.kind == "normal")
    with_edit(tmp_path / file, level, lambda edit: edit.set_room(room.id, "library"))
    undercroft("sync", ".", cwd=tmp_path)  # its exit status says that the room breaks rules
    assert load_level(tmp_path / "cellar.level.json").rooms[room.id].kind == "library"
    assert not [path for path in tmp_path.iterdir() if ".mine" in path.name or "conflicts" in path.name]


def test_a_removed_marker_leaves_one_of_another_room_in_the_new_level(tmp_path: Path) -> None:
    """Their rooms look alike to the merge of the scenes, but not to that of the levels, which decides."""
    level, other = level_of("rebirth"), generator.generate("rebirth", 99)
    removed = [each for each in level.markers if each.kind == "item"][-1]
    exporters.export(level, ["json", "godot"], name="cellar").write(tmp_path)
    with_edit(tmp_path / "cellar.tscn", level, lambda edit: edit.drop_marker(removed.id))
    write(exporters.export(other, ["json", "godot"], name="cellar"), tmp_path, "merge")
    back = bring_back(tmp_path / "cellar.tscn")
    assert back.changes.edits == {} and back.level == load_level(tmp_path / "cellar.level.json") == other


def test_a_pack_is_written_with_merge_too(tmp_path: Path) -> None:
    source = tmp_path / "made"
    source.write_bytes(b"a pack")
    bundle = exporters.Bundle({"x.tres": b"tiles"})
    bundle.move("x.ucpack", source)
    write(bundle, tmp_path / "out", "merge")
    assert (tmp_path / "out" / "x.ucpack").read_bytes() == b"a pack"


@pytest.mark.parametrize("seed", usually([0], range(10)))
def test_a_chain_of_edits_and_levels(seed: int, tmp_path: Path) -> None:
    Chain(seed, tmp_path, steps=1).run()


def with_edit(main: Path, level: Level, do: Callable[[Editor], object]) -> None:
    """Edit a file of the level."""
    edit = editor_of(main, level)
    do(edit)
    edit.save()


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_file_from_before_a_sync_is_merged_with_what_it_was_made_from(
    is_edited: bool, tmp_path: Path
) -> None:
    """Another person's file: what the sync brought into it is not taken for that person's deletions."""
    level = level_of("isaac")
    here, there = tmp_path / "here", tmp_path / "there"
    exporters.export(level, ["json", "tiled", "ldtk"], name="cellar").write(here)
    if is_edited:
        with_edit(here / "cellar.ldtk", level, lambda edit: edit.paint(free_tiles(level)[9], "pit"))
        assert undercroft("sync", "here", cwd=tmp_path).returncode == 0
        level = load_level(here / "cellar.level.json")
    shutil.copytree(here, there)
    chest, wall = free_tiles(level)[0], free_tiles(level)[-1]
    with_edit(here / "cellar.ldtk", level, lambda edit: edit.add_marker("chest", chest, {"tier": "gold"}))
    assert undercroft("sync", "here", cwd=tmp_path).returncode == 0
    with_edit(there / "cellar.tmj", level, lambda edit: edit.paint(wall, "wall"))
    shutil.copy(there / "cellar.tmj", here)
    undercroft("sync", "here", cwd=tmp_path)
    both = load_level(here / "cellar.level.json")
    for name in ("cellar.tmj", "cellar.ldtk"):
        back = bring_back(here / name)
        assert (back.level.fingerprint, back.changes.edits) == (both.fingerprint, {})
    assert not (here / "cellar.conflicts.txt").exists()
    assert any((each.kind, each.x, each.y) == ("chest", *chest) for each in both.markers)
    assert both.terrain_kinds[both.terrain[wall[1], wall[0]]].name == "wall"


def test_a_level_with_edits_is_exported_after_a_room_was_rolled_again(tmp_path: Path) -> None:
    """Also in files that have more than the level, such as a property of the map."""
    level = level_of("isaac")
    exporters.export(level, ["json", "tiled", "ldtk"], name="cellar").write(tmp_path)
    room = next(each for each in level.rooms if each.kind == "normal")
    wall = next(tile for tile in free_tiles(level) if not room.bounds.contains(*tile))
    with_edit(tmp_path / "cellar.ldtk", level, lambda edit: edit.paint(wall, "wall"))
    map_ = json.loads((tmp_path / "cellar.tmj").read_text())
    map_["layers"].append({**map_["layers"][0], "id": map_["nextlayerid"], "name": "mine"})
    map_["nextlayerid"] += 1
    (tmp_path / "cellar.tmj").write_text(json.dumps(map_))
    undercroft("sync", ".", cwd=tmp_path)
    words = ("cellar.level.json", "--accept-edits")
    assert undercroft("reroll", *words, "--room", str(room.id), cwd=tmp_path).returncode == 0
    done = undercroft("export", *words, "--out", ".", "--to", "tiled", "--edits", "merge", cwd=tmp_path)
    assert "shows another level" not in done.stderr
    after = load_level(tmp_path / "cellar.level.json")
    for name in ("cellar.tmj", "cellar.ldtk"):
        assert bring_back(tmp_path / name).level.fingerprint == after.fingerprint
    assert after.terrain_kinds[after.terrain[wall[1], wall[0]]].name == "wall"
    assert '"mine"' in (tmp_path / "cellar.tmj").read_text()


def test_a_room_file_left_over_in_a_clone_is_put_aside(tmp_path: Path) -> None:
    """A room had its name before; otherwise LDtk would show it in the place of the new level's room."""
    level = level_of("isaac")
    exporters.export(level, ["json", "ldtk"], {"ldtk.external": True}, name="cellar").write(tmp_path)
    new = generator.generate(level.spec, 99)
    files = exporters.export(new, ["json", "ldtk"], {"ldtk.external": True}, name="cellar")
    there = {path.name for path in (tmp_path / "cellar").iterdir()}
    name = next(path for path in files if path.endswith(".ldtkl") and path[7:] not in there)
    (tmp_path / name).write_text("{}")
    shutil.rmtree(tmp_path / ".undercroft")
    with pytest.warns(UserWarning, match="mine"):
        files.write(tmp_path, "merge")
    assert not list((tmp_path / "cellar").glob("*.new*"))
    assert (tmp_path / name).read_bytes() == files[name]
    assert (tmp_path / name).with_suffix(".mine.ldtkl").read_text() == "{}"


@pytest.mark.parametrize(("form", "saved"), [("tmj", "tmx"), ("tmx", "tmj")])
def test_a_map_saved_in_another_form_shows_the_new_level_too(form: str, saved: str, tmp_path: Path) -> None:
    """With Tiled's *Save As*. What is painted in either map goes to the next level, which keeps its form."""
    twin, options = tmp_path / f"cellar.{saved}", {"tiled.format": form}
    as_saved = exporters.export(level_of("isaac"), "tiled", {"tiled.format": saved}, name="cellar")
    exporters.export(level_of("isaac"), ["json", "tiled"], options, name="cellar").write(tmp_path)
    for name in as_saved:
        (tmp_path / name).write_bytes(as_saved[name])
    for number, rooms in enumerate((7, 8)):
        assert undercroft("sync", ".", cwd=tmp_path).returncode == 0
        level, new = load_level(tmp_path / "cellar.level.json"), generator.generate("isaac", 1, rooms=rooms)
        with_edit(tmp_path / "cellar.tmj", level, lambda edit: edit.paint(in_start(edit.level)[0], "pit"))
        exported = exporters.export(new, ["json", "tiled"], options, name="cellar")
        assert not write(exported, tmp_path, "merge").notes
        after = load_level(tmp_path / "cellar.level.json")
        assert after.edited["terrain"] == number + 1
        for main in (twin, tmp_path / f"cellar.{form}"):
            assert bring_back(main).level.fingerprint == after.fingerprint
    write(exporters.export(new, "tiled", {"tiled.split": "rooms"}, name="cellar"), tmp_path, "merge")
    assert twin.is_file() and not (tmp_path / f"cellar.{form}").exists()


def in_start(level: Level) -> list[Point]:
    """The free tiles of the first room."""
    (start,) = (room for room in level.rooms if room.kind == "start")
    return [tile for tile in free_tiles(level) if start.bounds.contains(*tile)]


def test_decor_that_was_painted_over_goes_with_a_line_whoever_reads_it(tmp_path: Path) -> None:
    level = level_of("isaac")
    y, x = next((y, x) for y, x in zip(*level.decor.nonzero(), strict=True) if is_on_floor(level, x, y))
    tile = int(x), int(y)
    exporters.export(level, ["json", "tiled"], name="cellar").write(tmp_path)
    with_edit(tmp_path / "cellar.tmj", level, lambda edit: edit.paint(tile, "wall"))
    shutil.copytree(tmp_path, tmp_path / "synced")
    line = f"{level.decor_kinds[level.decor[y, x]].name} at {x},{y}: left out"
    back = bring_back(tmp_path / "cellar.tmj")
    assert line in back.notes[0] and not any("things-on-ground" in each for each in back.problems)
    outcome = write(exporters.export(level, ["json", "tiled"], name="cellar"), tmp_path, "merge")
    assert sum(line in note for note in outcome.notes) == 1
    assert undercroft("sync", "synced", cwd=tmp_path).stderr.count(line) == 1
    assert "nothing was edited" in undercroft("sync", "synced", cwd=tmp_path).stderr
    for file in (tmp_path / "cellar.level.json", tmp_path / "synced" / "cellar.level.json"):
        after = load_level(file)
        assert after.terrain_kinds[after.terrain[y, x]].name == "wall" and not after.decor[y, x]
        assert parts(after) == parts(back.level)


def is_on_floor(level: Level, x: int, y: int) -> bool:
    """Whether a piece of decor is on a tile of floor, and covers no other."""
    kind = level.decor_kinds[level.decor[y, x]]
    return level.terrain_kinds[level.terrain[y, x]].name == "floor" and (kind.width, kind.height) == (1, 1)
