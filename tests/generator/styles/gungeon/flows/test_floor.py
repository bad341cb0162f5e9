"""The floorplan of a flow: what is said when a room's layout fits no drawing, and what is drawn all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import GenerationFailed, generate, problems
from generator.styles.gungeon import flow_floor as floor
from tests.generator.styles.gungeon.flows.plans import flow_file, graph_text

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
