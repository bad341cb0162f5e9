"""The fog is dark over what nobody has seen, a shade over what was seen, and clear where the player is."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Play, level

pytestmark = pytest.mark.xdist_group("play")

NAMES = ("gungeon", "rebirth")


@pytest.fixture(scope="module")
def told(play: Play) -> Any:
    """The colour of the page's fog, and how that of each level covers its rooms and hallways."""
    colour, levels = play.ask("fog.gd", "fog_of_page", *(f"res://{name}.tscn" for name in NAMES))
    return {"page": colour, **dict(zip(NAMES, levels, strict=True))}


@pytest.mark.parametrize("name", NAMES)
def test_fog_covers_what_was_not_seen_and_shades_what_was_left(told: Any, name: str) -> None:
    made, seen = level(name), set[int]()
    for step in told[name]["steps"]:
        what, here = step["in"]
        seen |= {here} if what == "room" else set()
        assert step["rooms"] == [
            "clear" if (what, here) == ("room", room.id) else "shade" if room.id in seen else "dark"
            for room in made.rooms
        ]
        assert step["hallways"] == [
            "clear"
            if (what, here) == ("hallway", hallway.id)
            else "shade"
            if any(made.doors[door].rooms[0] in seen for door in hallway.doors)
            else "dark"
            for hallway in made.hallways
        ]
        assert step["changes"] == int(here >= 0)  # once for a step, and not while nothing happens
    assert any(step["in"][0] == "hallway" for step in told["gungeon"]["steps"])
    assert told[name]["restored"]


def test_a_hallway_behind_a_hidden_door_stays_dark_until_it_is_found(told: Any) -> None:
    assert told["gungeon"]["found"] == [["dark", False], ["shade", True]]


def test_the_code_of_the_page_runs(told: Any) -> None:
    assert told["page"] == "1a1626"
