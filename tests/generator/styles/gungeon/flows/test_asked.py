"""Layouts that rooms of a flow ask for: they get them, or the flow is refused by the room's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import SpecError, generate, problems
from generator.geometry import Side
from generator.kinds import shipped_kit
from generator.rng import Stream
from generator.styles.gungeon.flow_dealing import RoomDealer
from generator.styles.gungeon.flows.library import load_flow
from generator.styles.gungeon.spec import GungeonSpec
from tests.generator.styles.gungeon.flows.plans import flow_file

CORRIDOR = "exits: W any, E any\nmirror: none\nrepeat: once\n\nmap:\n" + 7 * f"{'.' * 22}\n"
ASKS = 'layout = "own/normal/corridor"'


@pytest.fixture
def own(tmp_path: Path) -> str:
    """A folder with one layout, which has exits in the west and in the east."""
    (tmp_path / "own" / "normal").mkdir(parents=True)
    (tmp_path / "own" / "normal" / "corridor.txt").write_text(CORRIDOR)
    return str(tmp_path / "own")


def test_rooms_are_drawn_so_that_the_layouts_they_ask_for_fit(own: str, tmp_path: Path) -> None:
    """Two of them, although it comes once by chance."""
    path = flow_file(tmp_path, "s a b z", "s c", a=ASKS, b=ASKS)
    for seed in range(4):
        level = generate("gungeon", seed, flow=path, layouts=own)
        assert [room.layout for room in level.rooms][1:3] == ["own/normal/corridor"] * 2
        assert problems(level) == []


@pytest.mark.parametrize(
    ("ways", "layout", "message"),
    [
        (("s a z", "a b"), "own/normal/corridor", "room a: has 3 connections, but the exits of its layout own/normal/corridor take only 2"),
        (("s a z",), "own/normal/coridor", "unknown normal layout 'own/normal/coridor'; did you mean own/normal/corridor?"),
        (("s a z",), "normal/hubs/wheell", "room a: unknown normal layout 'normal/hubs/wheell'; did you mean normal/hubs/wheel?"),
        (("s a z",), "xyz", "choose one of those in normal/connectors, normal/fights, normal/hubs, own/normal"),
    ],
)  # fmt: skip
def test_a_layout_that_a_room_cannot_have_is_refused_by_the_rooms_name(
    ways: tuple[str, ...], layout: str, message: str, own: str, tmp_path: Path
) -> None:
    path = flow_file(tmp_path, *ways, a=f'layout = "{layout}"')
    with pytest.raises(SpecError) as refused:
        generate("gungeon", 1, flow=path, layouts=own)
    assert str(refused.value).startswith(f"{path}: room a: ") and message in str(refused.value)


def test_without_own_layouts_the_message_says_so(tmp_path: Path) -> None:
    path = flow_file(tmp_path, "s a z", a=ASKS)
    with pytest.raises(SpecError, match="for your own layouts, give their folder as `layouts`") as refused:
        generate("gungeon", 1, flow=path)
    assert len(str(refused.value).removeprefix(path)) < 200


def test_a_tagged_rooms_layout_is_as_hard_as_the_room(tmp_path: Path) -> None:
    """Hubs are dealt by the difficulty that the room asks for, near the start too."""
    found = {}
    for difficulty in ("easy", "hard"):
        path = flow_file(tmp_path, "s a z", a=f'tags = ["hub"]\ndifficulty = "{difficulty}"')
        room = load_flow(path, shipped_kit()).rooms[1]
        dealt = [
            RoomDealer(GungeonSpec(), Stream(seed, "test")).deal(room, {Side.WEST: [""]}, 0, 1)[1]
            for seed in range(60)
        ]
        found[difficulty] = sum(layout.difficulty for layout in dealt if layout is not None)
    assert found["hard"] > found["easy"]
