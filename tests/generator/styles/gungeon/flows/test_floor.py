"""The floorplan of a flow: what is said when a room's layout fits no drawing, and what is drawn all the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generator import GenerationFailed, SpecError, generate, problems
from generator.styles.gungeon import flow_floor as floor
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.flows.draw import FlowDrawing
from generator.styles.gungeon.flows.planar import planar_drawing
from generator.styles.gungeon.plan import HeapPlan
from generator.styles.gungeon.spec import GungeonSpec
from tests.generator.styles.gungeon.flows.plans import flow_file, graph_text, planar_graph

_CORRIDOR = "exits: W any, E any\nmirror: none\n\nmap:\n" + 7 * f"{'.' * 22}\n"


_SEVEN = [(0, 2), (0, 4), (0, 6), (1, 6), (1, 3), (1, 2), (2, 6), (2, 5), (3, 4), (3, 6), (4, 6), (5, 6)]


def test_seven_rooms_are_drawn_that_the_free_search_has_no_cells_for(tmp_path: Path) -> None:
    """In none of its 1,600 drawings."""
    path = tmp_path / "seven.toml"
    path.write_text(graph_text(_SEVEN))
    level = generate("gungeon", 1, flow=str(path))
    assert problems(level) == [] and len(level.hallways) == len(_SEVEN)


def test_a_layout_that_suits_no_drawing_is_refused_by_the_rooms_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a single drawing, whose sides are wrong for some seeds."""
    monkeypatch.setattr(floor, "_MAX_TRIES", 1)
    monkeypatch.setattr(floor, "_MAX_DRAWINGS", 1)
    (tmp_path / "own" / "normal").mkdir(parents=True)
    (tmp_path / "own" / "normal" / "corridor.txt").write_text(_CORRIDOR)
    path = flow_file(tmp_path, "s a z", a='layout = "own/normal/corridor"')
    reasons = set()
    for seed in range(8):
        try:
            generate("gungeon", seed, flow=path, layouts=str(tmp_path / "own"), until="floorplan")
        except GenerationFailed as error:
            reasons.add(error.reason)
    assert reasons == {
        "room a with the layout own/normal/corridor never had its connections where the layout has exits"
    }


_FIVE = ("s a z", "b a c", "a d")  # five connections, so two of them on one side


def _with_twins(folder: Path, north: str) -> HeapPlan:
    """The plan of a room with five connections and a layout that has these exits in the north."""
    (folder / "own" / "normal").mkdir(parents=True)
    text = f"exits: {north}, E 4-7, S 8-11, W 4-7\n\nmap:\n" + 11 * f"{'.' * 22}\n"
    (folder / "own" / "normal" / "twins.txt").write_text(text)
    path = flow_file(folder, *_FIVE, a='layout = "own/normal/twins"')
    return floorplan(GungeonSpec(flow=path, layouts=str(folder / "own")), 1)


def test_two_exits_too_close_to_each_other_take_one_door(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"room a: has 5 connections, .* own/normal/twins take only 4; give"):
        _with_twins(tmp_path, "N 8-9, N 10-11")


def test_two_exits_with_a_tile_between_them_take_two_doors(tmp_path: Path) -> None:
    plan = _with_twins(tmp_path, "N 8-9, N 11-12")
    tiles = [tile for hallway in plan.hallways for end in hallway.ends for tile in end.tiles]
    assert len(tiles) == len({*tiles})
    at_sides = Counter(end.side for hallway in plan.hallways for end in hallway.ends if end.room == 1)
    assert sorted(at_sides.values()) == [1, 1, 1, 2]


def test_of_a_large_flow_drawings_are_made_until_they_suit_its_layouts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of seventy rooms are corridors, each with two connections: few drawings have both straight on."""
    drawings: list[FlowDrawing] = []

    def counted(*args: Any) -> FlowDrawing:
        drawings.append(planar_drawing(*args))
        return drawings[-1]

    monkeypatch.setattr(floor, "_MAX_TRIES", 0)
    monkeypatch.setattr(floor, "planar_drawing", counted)
    (tmp_path / "own" / "normal").mkdir(parents=True)
    (tmp_path / "own" / "normal" / "corridor.txt").write_text(_CORRIDOR)
    edges = planar_graph(1, 70, 8)
    joined = Counter(room for edge in edges for room in edge)
    rooms = [f"r{room}" for room in sorted(joined) if joined[room] == 2 and 0 < room < 69][:2]
    path = tmp_path / "own.toml"
    layout = 'kind = "normal"\nlayout = "own/normal/corridor"'
    path.write_text(graph_text(edges, **dict.fromkeys(rooms, layout)))
    plan = floorplan(GungeonSpec(flow=str(path), layouts=str(tmp_path / "own")), 0)
    files = [room.layout.file for room in plan.rooms if room.layout]
    assert files.count("own/normal/corridor") == 2
    assert len(drawings) > 4
