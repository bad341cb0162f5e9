"""Which kinds a room may become: what the style's rules could have made it, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator import Level, RerollError, generate, reroll
from generator.checks import problems
from generator.rerolls.record import NothingElseError
from generator.styles.isaac.special_rooms import special_rooms
from tests.generator.rerolls.levels import Given, levels

FIXED = {"start", "boss", "grave", "secret", "super_secret", "ultra_secret", "red"}
ONE_OF = [{"arcade", "vault"}, {"challenge", "boss_challenge"}, {"sacrifice", "dice"}]
ONE_OF += [{"clean_bedroom", "dirty_bedroom"}]


def ways_in(level: Level, room: int) -> int:
    return sum(room in door.rooms and door.kind not in ("secret", "red") for door in level.doors)


@given(levels(), st.integers(1, 4))
@settings(max_examples=150)
def test_a_level_keeps_all_of_its_rules(where: Given, times: int) -> None:
    level, room = where.level, where.room
    kind = level.rooms[room].kind
    try:
        rolled = reroll(level, room=room, what="kind", times=times)
    except NothingElseError as error:
        assert str(error).startswith(f"room {room}: stays {kind}: ")
        reasons = ("special rooms are", "in a labyrinth", "chest and shop rooms have one", " spec")
        assert kind in FIXED or any(reason in str(error) for reason in reasons)
        return
    assert kind not in FIXED and rolled.rooms[room].kind not in FIXED
    assert ways_in(level, room) == 1
    assert problems(rolled) == []
    counts = Counter(one.kind for one in rolled.rooms)
    if level.grid:
        assert all(sum(counts[each] for each in group) <= 1 for group in ONE_OF)
        assert rolled.rooms[room].shape in ("1x1", "IH", "IV")
        copies = 2 if level.facts["curse"] == "labyrinth" and level.style == "isaac" else 1
        assert level.style == "rebirth" or counts["shop"] == counts["treasure"] == copies
    for door, before in zip(rolled.doors, level.doors, strict=True):
        assert door.kind == before.kind or room in door.rooms


@given(levels())
@example(Given("rebirth", {"stage": 5, "hard": True, "tinted_rocks": 50, "red_fires": 50}, 17, 310566))
@example(Given("rebirth", {"curse": "labyrinth"}, 145, 7))
@example(Given("rebirth", {"stage": 4, "door_width": 3}, 462170, 2))
@example(Given("isaac", {"curse": "labyrinth", "stage": 4}, 56, 6))
@settings(max_examples=80)
def test_no_roll_leads_where_the_next_does_not_lead_on(where: Given) -> None:
    """A room that can be something else comes back to what it was, and all ways round are the same."""
    level, room = where.level, where.room
    kinds = [level.rooms[room].kind]
    try:
        level = reroll(level, room=room, what="kind")
    except NothingElseError:
        return
    while level.rooms[room].kind != kinds[0]:
        kinds.append(level.rooms[room].kind)
        level = reroll(level, room=room, what="kind")
    assert len(kinds) == len(set(kinds))


def test_the_same_roll_again_leads_through_all_kinds_and_back() -> None:
    """Nobody has to roll more often than there are kinds."""
    level = generate("isaac", 7)
    (room,) = (room.id for room in level.rooms if room.kind == "curse")
    kinds = []
    for _ in range(10):
        level = reroll(level, room=room, what="kind")
        kinds.append(level.rooms[room].kind)
    possible = {kind for row in special_rooms(level.spec) for kind in row.kinds()} | {"normal"}  # type: ignore[arg-type]
    assert set(kinds) == possible == {"sacrifice", "library", "curse", "mini_boss", "normal"}
    assert kinds[:5] == kinds[5:]


def test_doors_are_those_of_the_new_kind() -> None:
    level = generate("isaac", 2, stage=6)
    (room,) = (room.id for room in level.rooms if room.kind == "curse")
    (door,) = (door.id for door in level.doors if room in door.rooms)
    assert level.doors[door].kind == "curse"
    found = {}
    for _ in range(5):
        level = reroll(level, room=room, what="kind")
        found[level.rooms[room].kind] = level.doors[door].kind
    assert found["library"] == "locked" and found["normal"] == "open"


def test_what_always_comes_stays() -> None:
    """From stage 3 on a healthy player's `isaac` level has a challenge, if it has a dead end for it."""
    levels = (generate("isaac", seed, stage=3) for seed in range(1, 99))
    level = next(level for level in levels if "challenge" in {room.kind for room in level.rooms})
    for room in level.rooms:
        if room.kind in ("challenge", "shop", "treasure"):
            with pytest.raises(RerollError, match=f"stays {room.kind}: a level of this spec always has one"):
                reroll(level, room=room.id, what="kind")


def test_no_curse_room_comes_beside_a_red_room() -> None:
    found = 0
    for seed in range(1, 400):
        level = generate("rebirth", seed, stage=3)
        near = {room for door in level.doors if door.kind == "red" for room in door.rooms}
        for room in level.rooms:
            if (
                room.shape != "1x1"
                or room.id not in near
                or room.kind in FIXED
                or ways_in(level, room.id) != 1
            ):
                continue
            rolled, kinds = level, set()
            for _ in range(9):
                try:
                    rolled = reroll(rolled, room=room.id, what="kind")
                except NothingElseError:
                    break
                kinds.add(rolled.rooms[room.id].kind)
            assert "curse" not in kinds
            found += len(kinds) > 1
        if found > 3:
            return
    raise AssertionError("no such level among 400")


GUNGEON = {"chest_rooms": (1, 3), "shop_rooms": (1, 2), "enemy_rooms": (8, 12)}


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_heap_keeps_to_the_numbers_of_its_spec(seed: int) -> None:
    level = generate("gungeon", seed, **GUNGEON)
    for room in level.rooms:
        try:
            rolled = reroll(level, room=room.id, what="kind")
        except NothingElseError:
            continue
        counts = Counter(one.kind for one in rolled.rooms)
        assert 8 <= counts["normal"] <= 12 and 1 <= counts["chest"] <= 3 and 1 <= counts["shop"] <= 2
        assert problems(rolled) == []


def test_where_the_number_of_rooms_is_fixed_no_kind_vanishes() -> None:
    level = generate("gungeon", 5, rooms=12)
    assert Counter(room.kind for room in level.rooms)["shop"] == 1
    (shop,) = (room.id for room in level.rooms if room.kind == "shop")
    with pytest.raises(RerollError, match=rf"room {shop}: stays shop: the spec asks for no fewer"):
        reroll(level, room=shop, what="kind")
