"""Levels as text: every kind has a glyph, and the docs name each one."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import Level, Marker, generate
from generator.kinds import (
    DECOR_KINDS,
    DOOR_KINDS,
    MARKER_KINDS,
    ROOM_KINDS,
    SHIPPED,
    TERRAIN_KINDS,
    Kinds,
    room_kind,
)
from generator.picture import (
    _DECOR_GLYPHS,
    _DOOR_GLYPHS,
    _door_glyphs,
    floorplan_rows,
    level_rows,
    room_lines,
)
from tests.exporters import locked_level, small_level
from tests.generator.pictures import floorplan_text, level_text

ENEMIES = {glyph for glyph, one in SHIPPED.glyphs.items() if one.marker in ("enemy", "boss")}
DOCS = Path(__file__).parents[2] / "docs" / "layouts.md"


def tile_rows(level: Level) -> list[str]:
    return [line.ljust(level.width) for line in level_text(level).splitlines()[: level.height]]


@given(st.integers(0, 2**64 - 1), st.integers(1, 8), st.sampled_from(["none", "labyrinth"]))
@settings(max_examples=20)
def test_a_picture_has_a_character_a_tile_and_a_line_a_room(seed: int, stage: int, curse: str) -> None:
    level = generate("isaac", seed, stage=stage, curse=curse)
    lines = level_text(level).splitlines()
    assert len(lines) == level.height + 1 + len(level.rooms)
    assert max(map(len, lines[: level.height])) == level.width - 2
    for room, line in zip(level.rooms, lines[level.height + 1 :], strict=True):
        assert line.split()[:2] == [str(room.id), room.kind] and line.endswith(room.layout)
        assert f"distance {'-' if room.distance is None else room.distance:>2} " in line


def test_what_a_designer_draws_is_what_is_shown() -> None:
    """The glyphs of a layout file come out at their tiles."""
    for seed in range(12):
        level = generate("isaac", seed, stage=3, tinted_rocks=0, red_fires=0)
        rows = tile_rows(level)
        for room in level.rooms:
            name, _, mirror = room.layout.partition("+")
            text = (DOCS.parents[1] / "generator/interiors/layouts" / f"{name}.txt").read_text("utf-8")
            header, drawn = text.split("map:\n")
            if re.search(r"^[A-Z0-9]\s*=", header, re.MULTILINE):
                continue  # it gives letters a meaning of its own
            lines = drawn.splitlines()
            if "v" in mirror:
                lines.reverse()
            if "h" in mirror:
                lines = [line[::-1] for line in lines]
            inside = room.bounds.shrunk(1)
            shown = [rows[y][inside.x : inside.right] for y in range(inside.y, inside.bottom)]
            # Not every place of an enemy is filled, and some step aside from the doors.
            both = [
                pair for rows_here in zip(shown, lines, strict=True) for pair in zip(*rows_here, strict=True)
            ]
            assert all(one == other for one, other in both if not ENEMIES & {one, other})


def test_no_kind_is_drawn_as_another() -> None:
    level = generate("isaac", 7)
    one_of_each = np.zeros((9, 200), np.uint8)
    for number, kind in enumerate(DECOR_KINDS):
        one_of_each[2, 2 + 4 * number] = number
        assert kind.width <= 2 and kind.height <= 2
    terrain = np.ones((9, 200), np.uint8)
    drawn = replace(level, terrain=terrain, decor=one_of_each, rooms=(), doors=(), markers=())
    row = tile_rows(drawn)[2]
    names = {kind.name: row[2 + 4 * number] for number, kind in enumerate(DECOR_KINDS)}
    assert names.pop("none") == "." and names.pop("red_fire") == names["fire"]  # which the glyph stands for
    glyphs = list(names.values())
    assert len(set(glyphs)) == len(glyphs) and "?" not in glyphs and "." not in glyphs
    grounds = np.zeros((9, 200), np.uint8)
    grounds[2, : len(TERRAIN_KINDS)] = range(len(TERRAIN_KINDS))
    row = tile_rows(replace(drawn, terrain=grounds, decor=np.zeros_like(grounds)))[2]
    shown = row[: len(TERRAIN_KINDS)]
    assert len(set(shown)) == len(shown) and "?" not in shown


@pytest.mark.parametrize("kind", DOOR_KINDS, ids=lambda kind: kind.name)
def test_doors_show_their_kind(kind: object) -> None:
    level = generate("isaac", 7)
    door = replace(level.doors[0], kind=kind.name)  # type: ignore[attr-defined]
    rows = tile_rows(replace(level, doors=(door,)))
    (glyph,) = {rows[y][x] for x, y in door.tiles}
    assert glyph == _DOOR_GLYPHS[door.kind] and glyph not in SHIPPED.glyphs


def test_markers_stand_above_what_they_stand_on() -> None:
    """Each kind of marker that layouts draw has the glyph that it has there."""
    level = generate("isaac", 7)
    key = Marker(0, "key", 5, 5, None, properties={"opens": "gold_key"})
    rows, legend = level_rows(replace(level, markers=(key,)))
    assert rows[5][5] == "k" and legend["k"] == "key gold_key"
    for kind in set(MARKER_KINDS) - {"torch", "fire", "key"}:
        marker = Marker(0, kind, 5, 5, None)
        glyph = tile_rows(replace(level, markers=(marker,)))[5][5]
        assert SHIPPED.glyphs[glyph].marker == kind


@pytest.mark.parametrize("kind", ["", "dragon", "é"])
def test_kinds_that_nobody_knows_are_drawn_all_the_same(kind: str) -> None:
    """A level.json may hold them."""
    level = generate("isaac", 7)
    odd = replace(
        level,
        doors=tuple(replace(door, kind=kind) for door in level.doors),
        markers=tuple(replace(marker, kind=kind) for marker in level.markers),
        terrain_kinds=tuple(one._replace(name=kind) for one in level.terrain_kinds),
        decor_kinds=tuple(one._replace(name=kind) for one in level.decor_kinds),
    )
    assert len(tile_rows(odd)) == level.height


def test_the_docs_name_every_glyph_and_no_other() -> None:
    tables = DOCS.read_text("utf-8").split("## Glyphs")[1].split("## Rules")[0]
    rows = [line for line in tables.splitlines() if line.startswith("|") and "---" not in line]
    named: set[str] = set()
    for row in rows:
        for cell in row.strip("| ").split("|")[::3]:
            named |= {drawn[0] for drawn in re.findall(r"`([^`]+)`", cell)}
    assert named == set(SHIPPED.glyphs)


def test_every_room_kind_has_a_glyph_of_its_own() -> None:
    glyphs = [room_kind(name).glyph for name in ROOM_KINDS]
    assert len(set(glyphs)) == len(glyphs)
    assert room_kind("normal").glyph == "." and not set("#:/ ") & set(glyphs)


@pytest.mark.parametrize(("kind", "glyph"), [("cavern", "c"), ("", "?"), ("  ", "?"), ("é", "é")])
def test_a_room_kind_without_a_row_is_drawn_with_its_first_letter(kind: str, glyph: str) -> None:
    plan = generate("isaac", 7, until="floorplan")
    odd = replace(plan, rooms=tuple(room._replace(kind=kind) for room in plan.rooms))
    rows, legend = floorplan_rows(odd)
    assert set("".join(rows)) == {glyph, " "} and legend == {glyph: kind}


def test_the_legend_of_a_floorplan_names_every_kind() -> None:
    """Kinds that share a glyph, as a team's may, share its line."""
    plan = generate("isaac", 7, until="floorplan")
    _, legend = floorplan_rows(plan)
    assert legend == {room_kind(room.kind).glyph: room.kind for room in plan.rooms}
    garden = replace(plan, rooms=(*plan.rooms[:-1], plan.rooms[-1]._replace(kind="scullery")))
    assert floorplan_rows(garden)[1]["s"] == "start/scullery"


def test_a_floorplan_has_a_letter_a_room() -> None:
    plan = generate("isaac", 7, until="floorplan")
    text = floorplan_text(plan)
    left, top = (min(room.cells[0][axis] for room in plan.rooms) for axis in (0, 1))
    rows = text.splitlines()
    for room in plan.rooms:
        (x, y) = room.cells[0]
        assert rows[y - top][x - left] == room_kind(room.kind).glyph
    assert sum(character != " " for character in "".join(rows)) == len(plan.rooms)


def test_keys_and_what_doors_ask_have_lines_of_their_own() -> None:
    assert room_lines(locked_level.level())[5:] == [
        "key silver_key: room 1",
        "key gold_key: room 2, used up",
        "lever gate: room 2",
        "door 0 of room 0: joins wide",
        "door 1 of room 1: shuts behind the player",
        "door 1 of room 1: joins wide",
        "door 2 of room 0: needs gold_key, silver_key",
        "door 4 of room 1: opens from room 1 the first time",
    ]


def test_no_line_of_a_picture_ends_in_a_space() -> None:
    """Not even if the level has no facts, and its rooms no layouts."""
    level = small_level.fifteen_rooms()
    bare = replace(level, facts={}, rooms=tuple(replace(room, layout="") for room in level.rooms))
    lines = room_lines(bare)
    assert lines[0] == f"{level.style}, seed {level.seed}"
    assert all(line == line.rstrip() for line in lines)


def test_a_dozen_kinds_of_doors_have_glyphs_of_their_own() -> None:
    """Signs that nothing else has come first, then those of decor, which is never in a door."""
    own = {f"door_{i}": {"starts_shut": False} for i in range(12)}
    glyphs = _door_glyphs(Kinds({**SHIPPED.tables, "door": {**SHIPPED.tables["door"], **own}}))
    assert len({glyphs[name] for name in own}) == 12
    assert glyphs["door_0"] not in _DECOR_GLYPHS.values()
