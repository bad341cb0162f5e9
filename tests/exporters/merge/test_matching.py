"""Which room is which, where its cells go, and what becomes of painted ones."""

from __future__ import annotations

import numpy as np

from exporters.merge.cells import agreement, carry, merged_cells
from exporters.merge.matching import RoomFact, ThingFact, moves_of, things_of
from generator.geometry import Rect


def room(key: str, x: int, y: int, what: str, width: int = 4, height: int = 3) -> RoomFact:
    return RoomFact(key, Rect(x, y, width, height), (what,))


OLD = [room("a", 0, 0, "start"), room("b", 4, 0, "shop"), room("c", 8, 0, "normal")]


def test_all_rooms_moved_by_one_room() -> None:
    new = [
        room("x", 0, 0, "boss"),
        room("c", 12, 0, "normal"),
        room("a", 4, 0, "start"),
        room("b", 8, 0, "shop"),
    ]
    moves = moves_of(OLD, new)
    assert moves.shift == (4, 0)
    assert {(pair.old.key, pair.new.key, pair.same) for pair in moves.pairs} == {
        ("a", "a", True), ("b", "b", True), ("c", "c", True),
    }  # fmt: skip
    assert moves.gone == ()


def test_one_room_went_elsewhere_and_one_is_another() -> None:
    new = [room("p", 0, 0, "start"), room("q", 4, 0, "library"), room("r", 4, 9, "normal")]
    moves = moves_of(OLD, new)
    assert [each.key for each in moves.gone] == ["b"], "its place is another room's"
    assert moves.shift == (0, 0)
    found = {pair.old.key: (pair.new.key, pair.same, pair.shift) for pair in moves.pairs}
    assert found == {"a": ("p", True, (0, 0)), "c": ("r", True, (-4, 9))}
    assert moves.shift_at(9, 1) == (-4, 9) and moves.shift_at(20, 20) == (0, 0)


def test_a_room_with_another_layout_at_its_place() -> None:
    old = [RoomFact("a", Rect(0, 0, 4, 3), ("normal", "1x1", "pits"))]
    new = [RoomFact("b", Rect(0, 0, 4, 3), ("normal", "1x1", "rocks"))]
    assert [(pair.new.key, pair.same) for pair in moves_of(old, new).pairs] == [("b", False)]


def test_a_tile_in_two_rooms_belongs_to_the_smaller_one() -> None:
    """One lies in the other's notch; the long one has fewer tiles, though a longer wall."""
    rooms = [room("court", 0, 0, "normal", 6, 6), room("gallery", 2, 1, "shop", 12, 2)]
    moves = moves_of(rooms, [room("court", 9, 9, "normal", 6, 6), room("gallery", 40, 0, "shop", 12, 2)])
    here = moves.pair_at(3, 1)
    assert here is not None and here.old.key == "gallery"
    assert [pair.old.key for pair in moves.pairs] == ["court", "gallery"]  # the largest first


def test_rooms_that_could_be_several_are_gone() -> None:
    new = [room("p", 20, 0, "start"), room("q", 30, 0, "start")]
    moves = moves_of([room("a", 0, 0, "start"), room("b", 4, 50, "normal")], new)
    assert "b" in {each.key for each in moves.gone}


def test_things_by_place_by_kind_and_the_only_one() -> None:
    moves = moves_of(OLD, [room("a", 4, 0, "start"), room("b", 8, 0, "shop"), room("c", 12, 0, "normal")])
    old = [
        ThingFact("e1", "marker", "enemy", (1, 1)),
        ThingFact("e2", "marker", "enemy", (2, 1)),
        ThingFact("door", "door", "open", (3, 1)),
        ThingFact("keeper", "marker", "shopkeeper", (5, 1)),
        ThingFact("start", "marker", "player_start", (0, 0)),
    ]
    new = [
        ThingFact(1, "marker", "enemy", (6, 1)),  # e2
        ThingFact(2, "door", "locked", (7, 1)),
        ThingFact(3, "marker", "shopkeeper", (10, 1)),  # another tile of the shop
        ThingFact(4, "marker", "player_start", (13, 2)),  # another room
    ]
    assert things_of(old, new, moves) == {"e2": 1, "door": 2, "keeper": 3, "start": 4}


def test_markers_that_change_places_are_told_by_their_numbers() -> None:
    """A person moved one to where another was, and that one elsewhere; a door has no such number."""
    before = [("e1", 2, 1, "1"), ("e2", 2, 2, "2"), ("e3", 1, 1, "3"), ("e4", 1, 2, "4"), ("e5", 2, 0, "5")]
    after = [(1, 2, 2, "1"), (2, 1, 0, "2"), (3, 1, 1, "3"), (4, 1, 2, "4"), (5, 2, 0, "5")]
    old = [ThingFact(key, "marker", "enemy", (x, y), number) for key, x, y, number in before]
    new = [ThingFact(key, "marker", "enemy", (x, y), number) for key, x, y, number in after]
    assert things_of(old, new, moves_of(OLD, OLD)) == {f"e{number}": number for number in range(1, 6)}


def test_numbers_of_markers_say_nothing_in_another_level() -> None:
    """With one enemy fewer, all later ones have other numbers."""
    old = [ThingFact(f"e{x}", "marker", "enemy", (x, 1), str(x)) for x in range(4)]
    new = [ThingFact(x, "marker", "enemy", (x, 1), str(x - 1)) for x in range(1, 4)]
    assert things_of(old, new, moves_of(OLD, OLD)) == {"e1": 1, "e2": 2, "e3": 3}


def test_a_thing_of_a_room_that_is_gone_is_not_one_of_another_room() -> None:
    old = [room("a", 0, 0, "start"), room("b", 4, 0, "shop"), room("c", 8, 0, "normal")]
    new = [room("a", 0, 0, "start"), room("c", 4, 0, "normal")]
    things = [ThingFact("b1", "marker", "torch", (5, 0)), ThingFact("c1", "marker", "torch", (9, 0))]
    moves = moves_of(old, new)
    assert things_of(things, [ThingFact(1, "marker", "torch", (5, 0))], moves) == {"c1": 1}


def test_a_door_of_a_room_that_went_elsewhere_is_not_that_of_the_room_that_was_there() -> None:
    """The library moved to where a shop was, whose door had the same place."""
    old = [room("a", 0, 0, "start"), room("b", 4, 0, "shop"), room("c", 8, 9, "library")]
    new = [room("a", 0, 0, "start"), room("c", 4, 0, "library")]
    doors = [ThingFact("b1", "door", "open", (4, 1)), ThingFact("c1", "door", "open", (8, 10))]
    assert things_of(doors, [ThingFact(1, "door", "open", (4, 1))], moves_of(old, new)) == {"c1": 1}


def test_a_door_of_a_room_that_is_gone_may_be_one_of_another_room() -> None:
    moves = moves_of(OLD, [*OLD[:1], room("d", 4, 0, "boss")])
    doors = [ThingFact("b1", "door", "open", (4, 1))]
    assert things_of(doors, [ThingFact(1, "door", "boss", (4, 1))], moves) == {"b1": 1}


def test_painted_cells_go_with_their_rooms() -> None:
    """The second room moves down; a cell under which the new level is another is lost."""
    old_rooms = [room("a", 0, 0, "start"), room("b", 4, 0, "shop")]
    new_rooms = [room("a", 0, 0, "start"), room("b", 4, 2, "shop")]
    base = np.zeros((6, 10), np.int64)
    base[0:3, 0:4], base[0:3, 4:8] = 1, 2
    new = np.zeros((6, 10), np.int64)
    new[0:3, 0:4], new[2:5, 4:8] = 1, 3  # the same room with other variants of its floor
    new[1, 1] = 0
    theirs = base.copy()
    theirs[1, 1], theirs[2, 2], theirs[1, 5], theirs[5, 9], theirs[0, 9] = 7, 8, 9, 10, 0
    moves = moves_of(old_rooms, new_rooms)
    carried = carry(base.shape, new.shape, moves)
    agree = agreement({"G": base}, {"G": new}, carried)
    made = merged_cells({"G": base}, {"G": theirs}, {"G": new}, carried, agree)
    expected = new.copy()
    expected[2, 2], expected[3, 5], expected[5, 9] = 8, 9, 10
    assert made.layers["G"].tolist() == expected.tolist()
    assert made.lost == [("G", (1, 1), 7)]


def test_cells_outside_of_a_smaller_map_are_reported() -> None:
    base, new = np.zeros((4, 4), np.int64), np.zeros((2, 2), np.int64)
    theirs = base.copy()
    theirs[3, 3] = 5
    carried = carry(base.shape, new.shape, moves_of([], []))
    agree = agreement({"G": base}, {"G": new}, carried)
    assert merged_cells({"G": base}, {"G": theirs}, {"G": new}, carried, agree).lost == [("G", (3, 3), 5)]
