"""Where rooms of a flow are to be: it holds in the level, or the flow is refused by the room's name."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import GenerationFailed, Level, SpecError, generate, problems
from generator.geometry import Rect
from generator.kinds import shipped_kit
from generator.styles.gungeon import flow_floor
from generator.styles.gungeon.floorplan import floorplan
from generator.styles.gungeon.flows.drawn import dot
from generator.styles.gungeon.flows.graphs import flow_from_graph
from generator.styles.gungeon.flows.library import load_flow
from generator.styles.gungeon.flows.relations import NEAR, PLACES, Relation, broken, contradiction
from generator.styles.gungeon.spec import GungeonSpec
from tests.generator.styles.gungeon.flows.plans import FROM_DOCS, flow_file

_WAYS = ("s a h b c z", "h d e h", "h f l", "b g")
_ROOMS = list("sahbczdeflg")


def _places(level: Level) -> dict[str, tuple[float, float]]:
    """The middles of the rooms, from 0 to 1 across the rectangle around all of them."""
    bounds = [room.bounds for room in level.rooms]
    left, top = min(rect.x for rect in bounds), min(rect.y for rect in bounds)
    width, height = max(rect.right for rect in bounds) - left, max(rect.bottom for rect in bounds) - top
    return {
        name: ((rect.x - left + rect.width / 2) / width, (rect.y - top + rect.height / 2) / height)
        for name, rect in zip(_ROOMS, bounds, strict=True)
    }


def _gap(level: Level, a: str, b: str) -> int:
    one, other = (level.rooms[_ROOMS.index(name)].bounds for name in (a, b))
    across = max(one.x - other.right, other.x - one.right, 0)
    return across + max(one.y - other.bottom, other.y - one.bottom, 0)


def _made(folder: Path, seed: int, **rooms: str) -> Level:
    kinds = {"s": 'kind = "start"\n', "z": 'kind = "boss"\n'}
    rooms = {room: kinds.get(room, 'kind = "normal"\n') + text for room, text in rooms.items()}
    level = generate("gungeon", seed, flow=flow_file(folder, *_WAYS, **rooms))
    assert problems(level) == []
    return level


@pytest.mark.parametrize("tries", [40, 0], ids=["by the free search", "from an embedding"])
@pytest.mark.parametrize(
    ("place", "columns", "rows"),
    [
        ("north", (0, 1), (0, 1 / 3)),
        ("south", (0, 1), (2 / 3, 1)),
        ("west", (0, 1 / 3), (0, 1)),
        ("north_east", (2 / 3, 1), (0, 1 / 3)),
        ("middle", (1 / 3, 2 / 3), (1 / 3, 2 / 3)),
    ],
)
def test_a_room_is_in_the_third_of_the_level_that_it_asks_for(
    place: str,
    columns: tuple[float, float],
    rows: tuple[float, float],
    tries: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(flow_floor, "_MAX_TRIES", tries)
    for seed in range(2):
        x, y = _places(_made(tmp_path, seed, h=f'at = "{place}"'))["h"]
        assert columns[0] <= x <= columns[1] and rows[0] <= y <= rows[1]


def test_rooms_are_beside_between_and_far_from_others_as_they_ask(tmp_path: Path) -> None:
    for seed in range(3):
        level = _made(tmp_path, seed, l='beside = "z"', g='not_beside = ["s", "z"]')
        assert _gap(level, "l", "z") <= NEAR < min(_gap(level, "g", "s"), _gap(level, "g", "z"))
        (x, y), (sx, sy), (zx, zy) = map(
            _places(_made(tmp_path, seed, h='between = ["s", "z"]')).__getitem__, "hsz"
        )
        assert min(sx, zx) <= x <= max(sx, zx) and min(sy, zy) <= y <= max(sy, zy)
        level = _made(tmp_path, seed, z='far_from = "s"')
        (x, y), (to_x, to_y) = map(_places(level).__getitem__, "sz")
        height, width = level.terrain.shape
        assert abs(x - to_x) * width + abs(y - to_y) * height >= (width + height) * 0.45


@pytest.mark.parametrize("seed", [2, 4, 10, 11, 12, 14])
def test_hallways_grow_until_all_relations_of_a_flow_hold(seed: int) -> None:
    """In a flow with six of them, in which hardly a drawing holds them by itself."""
    assert floorplan(GungeonSpec(flow=str(FROM_DOCS["places"])), seed).tries <= 6


def test_rooms_far_from_each_other_on_the_way_can_be_beside_each_other(tmp_path: Path) -> None:
    """They are drawn as if there was a connection."""
    path = flow_file(tmp_path, "s a b c d e f z", "b g", f='beside = "s"', z='kind = "boss"\nbeside = "a"')
    for seed in range(2):
        rects = [room.bounds for room in floorplan(GungeonSpec(flow=path), seed).rooms]
        assert not [*broken({"f": [Relation("beside", ("s",))]}, dict(zip("sabcdefzg", rects, strict=True)))]


def test_a_room_is_between_two_others_of_one_branch(tmp_path: Path) -> None:
    path = flow_file(tmp_path, "s a c z", "s c b z", s='kind = "start"\nbetween = ["b", "c"]')
    assert floorplan(GungeonSpec(flow=path), 1).tries <= 40


def test_what_cannot_hold_is_refused_with_the_room_and_the_relation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow_floor, "_MAX_TRIES", 2)
    monkeypatch.setattr(flow_floor, "_MAX_DRAWINGS", 4)
    with pytest.raises(GenerationFailed) as failed:
        _made(tmp_path, 1, z='beside = "s"\nfar_from = "s"')
    assert failed.value.reason in (
        f"room z: {one} did not hold in any arrangement together with {other} of room z; leave one of them out"
        for one, other in permutations(['beside = "s"', 'far_from = "s"'])
    )


@pytest.mark.parametrize(
    ("room", "message"),
    [
        ('at = "nort"', "room[1].at: unknown place 'nort'; did you mean north?"),
        ('beside = "y"', "room[1].beside: unknown room 'y'"),
        ('beside = "a"', "room[1].beside: names the room itself; give another room"),
        ("beside = []", "room[1].beside: names no room; give one or more, or leave it out"),
        ('between = ["s"]', "room[1].between: names 1 room; give two"),
        ('between = ["s", "z", "s"]', "room[1].between: names a room twice; give each room once"),
        ('between = ["s", "s"]', "room[1].between: names 1 room; give two"),
        ('far_from = ["s", "s"]', "room[1].far_from: names a room twice; give each room once"),
        ("far_from = 3", "room[1].far_from"),
    ],
)
def test_a_relation_that_means_nothing_is_refused(room: str, message: str, tmp_path: Path) -> None:
    path = flow_file(tmp_path, "s a z", a=f'kind = "normal"\n{room}')
    with pytest.raises(SpecError) as refused:
        load_flow(path, shipped_kit())
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ('beside = ["s", "z"]\nnot_beside = "z"', "", "a is beside z and a is not_beside z; leave one"),
        ('beside = "b"', 'not_beside = ["s", "a"]', "a is beside b and b is not_beside a; leave one"),
        ('at = "north_west"\nfar_from = "b"', 'at = "north_west"', "a is far_from b, but both are at north_west"),
        ('at = "middle"', 'at = "middle"\nfar_from = "a"', "b is far_from a, but both are at middle; leave"),
        ('between = ["s", "z"]\nfar_from = ["z", "b", "s"]', "", "a is between s and z and far_from both; leave"),
        ('beside = "z"\nnot_beside = "s"\nat = "north"', 'at = "north"\nfar_from = "a"', ""),
        ('between = ["s", "z"]\nfar_from = "s"', 'beside = "a"\nfar_from = "a"', ""),
        ("", 'far_from = "a"', ""),
    ],
)  # fmt: skip
def test_relations_that_contradict_each_other_are_refused_when_the_flow_is_read(
    a: str, b: str, message: str, tmp_path: Path
) -> None:
    told = ""
    try:
        load_flow(flow_file(tmp_path, "s a b z", a=a, b=b), shipped_kit())
    except SpecError as refused:
        told = str(refused)
    assert f"room: {message}" in told if message else told == ""


_SMALL = st.builds(Rect, *[st.integers(0, 20)] * 2, *[st.integers(3, 9)] * 2)
_ASKED = st.builds(Relation, st.sampled_from(["beside", "not_beside", "far_from"]), st.just(("b",)))
_ASKED |= st.builds(Relation, st.just("at"), st.sampled_from([*PLACES]).map(lambda place: (place,)))
_ASKED |= st.just(Relation("between", ("b", "c")))
_ASKED |= st.just(Relation("far_from", ("b", "c")))


@given(st.lists(_ASKED, max_size=3), st.lists(_ASKED, max_size=2), st.lists(_SMALL, min_size=3, max_size=3))
@settings(max_examples=300, deadline=None)
def test_what_contradicts_itself_holds_nowhere(
    of_a: list[Relation], of_b: list[Relation], rects: list[Rect]
) -> None:
    back = [one._replace(to=one.to if one.word == "at" else ("a",)) for one in of_b if one.word != "between"]
    asked = {"a": of_a, "b": back}
    if contradiction(asked):
        assert [*broken(asked, dict(zip("abc", rects, strict=True)))]


def test_rooms_that_rules_add_have_no_relations(tmp_path: Path) -> None:
    rule = '[own_rule.r]\nroom = [{ id = "p", kind = "normal", at = "north" }]\nconnection = [{ path = ["A", "p", "B"] }]'
    with pytest.raises(SpecError, match="rooms that a rule adds cannot say where they are"):
        load_flow(flow_file(tmp_path, "s a z", more=rule), shipped_kit())


def test_graphs_hold_them_too(tmp_path: Path) -> None:
    text = 'kind = "normal"\nat = "north_east"\nbeside = ["s", "z"]\nfar_from = "b"'
    flow = load_flow(flow_file(tmp_path, "s a b z", a=text), shipped_kit())
    graph = tmp_path / "again.dot"
    graph.write_text(dot(flow))
    (tmp_path / "again.toml").write_text(flow_from_graph(graph))
    again = load_flow(str(tmp_path / "again.toml"), shipped_kit())
    assert again.rooms == flow.rooms and len(flow.rooms[1].relations) == 3
