"""Differences as people read them, and as programs do."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from exporters.comparison.differences import compared
from exporters.comparison.lines import facts, lines
from generator import generate
from generator.level import Level, Marker
from tests.exporters.comparison.edits import Edits
from tests.exporters.comparison.test_differences import without_last_room
from tests.exporters.reading.exported import level_of
from tests.exporters.reading.test_edits_brought_back import free_tiles, painted


def told(before: Level, after: Level) -> list[str]:
    return list(lines(compared(before, after)))


def test_tiles_are_counted_and_named() -> None:
    level = level_of("isaac")
    after, room = level, level.rooms[5]
    tiles = [tile for tile in free_tiles(level) if room.bounds.contains(*tile)][:3]
    for tile in tiles[:2]:
        after = painted(after, tile, "pit")
    places = " ".join(f"{x},{y}" for x, y in tiles[:2])
    assert told(level, after) == [f"room {room.id} ({room.kind}): 2 tiles of floor became pit: {places}"]
    (x, y), decor = tiles[2], level.decor.copy()
    decor[y, x] = [kind.name for kind in level.decor_kinds].index("rock")
    assert told(level, replace(level, decor=decor)) == [
        f"room {room.id} ({room.kind}): rock added at {x},{y}"
    ]


def test_what_happened_to_markers_doors_and_rooms() -> None:
    level = level_of("isaac")
    enemy = next(marker for marker in level.markers if marker.kind == "enemy")
    room = level.rooms[enemy.room or 0]
    moved = replace(enemy, x=enemy.x + 1, properties={**enemy.properties, "note": "ours"})
    markers = tuple(moved if each.id == enemy.id else each for each in level.markers)
    name, head = f"enemy {enemy.properties['name']}", f"room {room.id} ({room.kind}): "
    assert told(level, replace(level, markers=markers)) == [
        f"{head}{name} moved from {enemy.x},{enemy.y} to {enemy.x + 1},{enemy.y}",
        f"{head}{name} at {enemy.x + 1},{enemy.y}: note: nothing became ours",
    ]
    door = level.doors[0]
    doors = (replace(door, kind="barred", needs=("bone",)), *level.doors[1:])
    first, other = (level.rooms[number or 0] for number in door.rooms)
    subject = f"room {first.id} ({first.kind}): {{}}door to room {other.id} at {door.tiles[0][0]},{door.tiles[0][1]}"
    assert told(level, replace(level, doors=doors)) == [
        subject.format("") + f": kind: {door.kind} became barred",
        subject.format("barred ") + ": needs: nothing became ['bone']",
    ]
    x, y, width, height = level.rooms[-1].bounds
    gone = f"room {len(level.rooms) - 1} ({level.rooms[-1].kind})"
    assert told(level, without_last_room(level)) == [
        f"{gone} of the first level: removed: {width} x {height} tiles at {x},{y}"
    ]
    assert told(without_last_room(level), level) == [f"{gone}: added: {width} x {height} tiles at {x},{y}"]


def test_long_lines_and_groups_are_cut() -> None:
    level = level_of("isaac")
    terrain = level.terrain.copy()
    floor = [kind.name for kind in level.terrain_kinds].index("floor")
    ys, xs = np.nonzero(terrain[level.rooms[1].bounds.slices] == floor)
    x, y = level.rooms[1].bounds[:2]
    terrain[ys + y, xs + x] = [kind.name for kind in level.terrain_kinds].index("rubble")
    (line,) = told(level, replace(level, terrain=terrain))
    assert f": {len(xs)} tiles of floor became rubble: {xs[0] + x},{ys[0] + y} " in line
    assert line.endswith(f" and {len(xs) - 8} more; --json lists all")
    facts_of_level = {f"fact_{number}": number for number in range(60)}
    *rest, last = told(level, replace(level, facts={**level.facts, **facts_of_level}))
    assert (len(rest), last) == (40, "level: and 20 more; --json lists all")


def test_equal_markers_share_a_line() -> None:
    level = level_of("isaac")
    tiles = [tile for tile in free_tiles(level) if level.rooms[5].bounds.contains(*tile)][:3]
    new = [
        Marker(10_000 + n, "chest", x, y, 5, properties={"tier": "mossy"}) for n, (x, y) in enumerate(tiles)
    ]
    (line,) = told(level, replace(level, markers=(*level.markers, *new)))
    assert line.endswith(f": chest mossy added at {' '.join(f'{x},{y}' for x, y in tiles)}")


def test_the_values_of_a_marker_share_a_line() -> None:
    level = level_of("isaac")
    enemy = next(marker for marker in level.markers if marker.kind == "enemy")
    changed = replace(enemy, properties={**enemy.properties, "name": "gnat", "note": "ours"})
    (line,) = told(level, replace(level, markers=tuple(changed if m is enemy else m for m in level.markers)))
    name = enemy.properties["name"]
    assert line.endswith(f": name: {name} became gnat; note: nothing became ours")


def test_the_level_as_a_whole() -> None:
    found = told(generate("isaac", 7), generate("isaac", 8, stage=2))
    assert {"level: seed: 7 became 8", "level: spec stage: 1 became 2"} < set(found)
    assert found == [line for line in found if line.startswith(("level: ", "room "))]
    assert found[0].startswith("level: ")


def test_a_text_from_outside_stays_on_its_line() -> None:
    level = level_of("isaac")
    (line,) = told(level, replace(level, facts={**level.facts, "music\n": "a\x1b[1mb\n"}))
    assert "\n" not in line and line.isprintable()


def test_programs_get_all_tiles_and_values() -> None:
    level = level_of("isaac")
    comparison = compared(level, Edits(level, 4).some(12))
    for difference in comparison.differences:
        table = facts(difference, comparison)
        assert json.loads(json.dumps(table)) == table
        assert list(map(tuple, table["tiles"])) == list(difference.tiles)
        assert table["room"] == list(difference.rooms) and "--json" not in table["line"]
