"""A room rolled again: another inside, all else as it was, and the same from spec, seed and rerolls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise, permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import generator
from generator import Level, RerollError, generate, reroll
from generator.checks import problems
from generator.level_file import level_from_dict
from generator.rerolls.record import MAX_ROLLS, NothingElseError
from generator.serialise import dumps
from tests.generator.rerolls.levels import Given, assert_same_outside, levels

lean = settings(max_examples=60)


def inside(level: Level, room: int) -> bytes:
    """Everything in a room, to compare: its tiles, what stands there, and what furnished it."""
    bounds = level.rooms[room].bounds.slices
    markers = [(m.kind, m.x, m.y, sorted(m.properties.items())) for m in level.markers if m.room == room]
    return level.terrain[bounds].tobytes() + level.decor[bounds].tobytes() + repr(markers).encode()


def can_be_other(level: Level, room: int) -> bool:
    """A small chest room of the heap may have place for one centrepiece only."""
    try:
        reroll(level, room=room)
    except NothingElseError:
        assert level.rooms[room].kind == "chest" and level.style == "gungeon"
        return False
    return True


def made_anew(level: Level) -> Level:
    return generate(level.spec, level.seed_text or level.seed, rerolls=level.rerolls)


@given(levels(), st.integers(1, 3))
@lean
def test_the_room_is_another_one_and_nothing_else_changes(where: Given, times: int) -> None:
    level, room = where.level, where.room
    assume(can_be_other(level, room))
    rolled = level
    for _ in range(times):
        before, rolled = rolled, reroll(rolled, room=room)
        assert inside(before, room) != inside(rolled, room)
        assert_same_outside(before, rolled, {room})
    assert problems(rolled) == []
    assert rolled.rooms[room].kind == level.rooms[room].kind
    assert rolled.rerolls == ({"room": room, "layout": times},)
    assert dumps(reroll(level, room=room, times=times)) == dumps(rolled)
    assert dumps(made_anew(rolled)) == dumps(rolled)


@given(levels(), st.data())
@lean
def test_rolls_of_all_kinds_are_made_anew_from_spec_seed_and_rerolls(
    where: Given, data: st.DataObject
) -> None:
    level = where.level
    rolled, touched = level, set()
    for _ in range(data.draw(st.integers(1, 6))):
        room = data.draw(st.integers(0, len(level.rooms) - 1))
        what = data.draw(st.sampled_from(("layout", "markers", "kind")))
        seed = data.draw(st.sampled_from((None, None, 5))) if what == "layout" else None
        try:
            rolled = reroll(rolled, room=room, what=what, seed=seed)
        except NothingElseError:
            continue
        touched.add(room)
        assert problems(rolled) == []
    assert_same_outside(level, rolled, touched, door_kinds=True)
    data_ = dumps(rolled)
    assert dumps(level_from_dict(json.loads(data_))) == data_
    assert dumps(made_anew(rolled)) == data_


@given(levels(), st.data())
@lean
def test_the_order_of_rolls_in_different_rooms_does_not_matter(where: Given, data: st.DataObject) -> None:
    level = where.level
    rooms = data.draw(st.sets(st.integers(0, len(level.rooms) - 1), min_size=1, max_size=3))
    assume(all(can_be_other(level, room) for room in rooms))
    outcomes = set()
    for order in permutations(sorted(rooms)):
        rolled = level
        for room in order:
            rolled = reroll(rolled, room=room, times=2)
            try:
                rolled = reroll(rolled, room=room, what="markers")
            except NothingElseError:
                rolled = reroll(rolled, room=room)
        outcomes.add(dumps(rolled))
    assert len(outcomes) == 1
    together = dumps(reroll(level, room=rooms, times=2))
    one_by_one = level
    for room in sorted(rooms, reverse=True):
        one_by_one = reroll(one_by_one, room=room, times=2)
    assert dumps(one_by_one) == together


@given(levels(), st.data())
@lean
def test_ids_of_markers_grow_and_no_two_share_one(where: Given, data: st.DataObject) -> None:
    level = where.level
    rooms = data.draw(st.sets(st.integers(0, len(level.rooms) - 1), min_size=1, max_size=4))
    assume(all(can_be_other(level, room) for room in rooms))
    ids = [marker.id for marker in reroll(level, room=rooms, times=2).markers]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_every_layout_of_the_pool_comes_before_any_comes_again(style: str) -> None:
    level = generate(style, 7)
    room = next(room.id for room in level.rooms if room.kind == "shop")
    seen = []
    for _ in range(40):
        level = reroll(level, room=room)
        seen.append(level.rooms[room].layout.partition("+")[0])
    pool = len(set(seen))
    assert 4 <= pool < 40
    assert len(set(seen[:pool])) >= pool - 1  # the layout that was there first may come back early
    assert all(one != other for one, other in pairwise(seen))


def test_another_seed_gives_the_same_room_whatever_was_rolled_before() -> None:
    level = generate("rebirth", 7)
    first = reroll(level, room=2, seed="spring")
    later = reroll(reroll(level, room=2, times=5), room=2, seed="spring")
    assert inside(first, 2) == inside(later, 2)
    assert dumps(first) == dumps(later)
    other = reroll(level, room=2, seed="autumn")
    assert inside(first, 2) != inside(other, 2)
    assert dumps(made_anew(reroll(first, room=2, times=2))) == dumps(reroll(first, room=2, times=2))


def test_a_roll_is_the_same_in_every_process() -> None:
    code = (
        "import generator, sys; from generator.serialise import dumps;"
        "sys.stdout.buffer.write(dumps(generator.reroll(generator.generate({!r}, 3), pin=0, times=2)))"
    )
    for style in ("isaac", "gungeon"):
        outputs = {
            subprocess.run(
                [sys.executable, "-c", code.format(style)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("0", "12345")
        }
        assert outputs == {dumps(reroll(generate(style, 3), pin=0, times=2))}


@pytest.mark.parametrize("style", ["isaac", "rebirth"])
def test_normal_rooms_rolled_at_once_differ_as_those_of_a_new_level_do(style: str) -> None:
    twins = {"generated": 0, "rolled": 0}
    for seed in range(1, 60):
        level = generate(style, seed, stage=3)
        for how, one in (("generated", level), ("rolled", reroll(level, pin=0))):
            names = [room.layout.partition("+")[0] for room in one.rooms if room.kind == "normal"]
            twins[how] += len(names) - len(set(names))
    assert twins["rolled"] <= twins["generated"] + 3, twins


def test_a_roll_draws_each_difficulty_by_its_share() -> None:
    """However many layouts it has: in the hard Void of Repentance, four alike."""
    level = generate("rebirth", 3, stage=12, hard=True)
    room = next(room.id for room in level.rooms if (room.kind, room.shape) == ("normal", "1x1"))
    found = Counter(reroll(level, room=room, seed=seed).rooms[room].difficulty for seed in range(1, 201))
    assert set(found) == {5, 10, 15, 20}
    assert all(abs(count - 50) < 4 * (200 * 3 / 16) ** 0.5 for count in found.values()), found


# --- all but the pinned --------------------------------------------------------------------------------


@given(levels(), st.data())
@lean
def test_pinned_rooms_stay_and_all_others_are_rolled(where: Given, data: st.DataObject) -> None:
    level = where.level
    assume(len(level.rooms) > 1)
    numbers = st.integers(0, len(level.rooms) - 1)
    pins = data.draw(st.sets(numbers, min_size=1, max_size=len(level.rooms) - 1))
    assume(any(can_be_other(level, room) for room in range(len(level.rooms)) if room not in pins))
    rolled = reroll(level, pin=pins)
    others = {room.id for room in level.rooms if room.id not in pins and can_be_other(level, room.id)}
    assert_same_outside(level, rolled, others)
    assert problems(rolled) == []
    assert dumps(reroll(level, room=others)) == dumps(rolled)
    assert all(inside(level, room) != inside(rolled, room) for room in others)


def test_pinned_rooms_stay_while_markers_of_the_others_move() -> None:
    level = generate("isaac", 7)
    rolled = reroll(level, pin=1, what="markers")
    assert (level.terrain == rolled.terrain).all() and (level.decor == rolled.decor).all()
    assert [m for m in level.markers if m.room == 1] == [m for m in rolled.markers if m.room == 1]
    moved = {row["room"] for row in rolled.rerolls}
    assert moved == {m.room for m in level.markers if m.kind in ("enemy", "pickup", "chest")} - {1}


# --- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "room, pin: give one of the two"),
        ({"room": 1, "pin": 2}, "room, pin: give one of the two"),
        ({"room": ()}, "room: is empty"),
        ({"room": 9}, "room: 9 is not a room of this level (0 to 8"),
        ({"room": -1}, "room: -1 is not a room of this level"),
        ({"room": True}, "room: True is not a room of this level"),
        ({"room": "7"}, "room: '7' is not a room of this level"),
        ({"room": [1, 2, 1]}, "room: 1 is given twice; to roll it twice, give times = 2"),
        ({"pin": range(9)}, "pin: every room is pinned"),
        ({"pin": 0, "what": "kind"}, "pin: cannot be used with a kind"),
        ({"room": 1, "what": "walls"}, "what: 'walls' is not one of layout, markers, kind"),
        ({"room": 1, "times": 0}, "times: 0 is not a whole number from 1 to 1000"),
        ({"room": 1, "times": 10**9}, "times: 1000000000 is not a whole number"),
        ({"room": 1, "what": "markers", "seed": 3}, "seed: "),
        ({"room": 0, "what": "markers"}, "room 0: this start room has no enemies, pickups or chests"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_for(asked: dict[str, object], says: str) -> None:
    with pytest.raises(RerollError) as caught:
        reroll(generate("isaac", 7), **asked)  # type: ignore[arg-type]
    assert str(caught.value).startswith(says)


def test_a_room_is_not_rolled_without_end() -> None:
    level = reroll(generate("isaac", 7), room=1, times=MAX_ROLLS)
    with pytest.raises(RerollError, match="room 1: was rolled 1000 times; continue with another seed"):
        reroll(level, room=1)
    assert reroll(level, room=1, seed=2).rerolls == ({"room": 1, "seed": "2", "layout": 1},)


def test_a_floorplan_has_no_rerolls() -> None:
    with pytest.raises(ValueError, match="a floorplan cannot have rerolls"):
        generate("isaac", 7, until="floorplan", rerolls=[{"room": 1, "layout": 1}])  # type: ignore[call-overload]


def test_it_is_imported_when_it_is_asked_for() -> None:
    assert generator.reroll is reroll
    code = "import generator, sys; generator.generate('isaac'); sys.exit('generator.rerolls' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
