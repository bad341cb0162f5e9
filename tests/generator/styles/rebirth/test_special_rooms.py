"""Special rooms: their order, what becomes of dead ends whose chance fails, and every chance by its formula."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from generator import RebirthSpec
from generator.styles.grid.special_rooms import Chance
from generator.styles.rebirth.floorplan import floorplan
from generator.styles.rebirth.spec import RebirthState
from generator.styles.rebirth.special_rooms import special_rooms

from .drafts import assign
from .rules import broken_rules

HURT = RebirthState(red_hearts=2)
SEEDS = 200


# --- the order ---------------------------------------------------------------------------------------


def rows(spec: RebirthSpec, labyrinth: bool) -> list[set[str]]:
    """The wiki's order: for each room that asks for a dead end, the kinds that it may become.

    A set with "always" takes its dead end for good; without, only where its chance came.
    """
    state, stage, repentance = spec.state, spec.stage, spec.edition == "repentance"
    late = spec.reading if spec.late_special_rooms == "reading" else spec.late_special_rooms
    game = late == "game"
    mirror = spec.alternate_path and (stage == 2 or (stage == 1 and labyrinth))
    side_rooms = stage < 11 or not game
    asked: list[tuple[bool, set[str]]] = [
        (True, {"super_secret", "always"}),
        (repentance and state.luna, {"super_secret", "always"}),
        ((stage < 7 or (stage < 9 and state.silver_dollar)) and state.victory_lap < 3, {"shop", "always"}),
        (stage < 7 or (stage < 9 and state.bloody_crown), {"treasure", "always"}),
        ((stage < 7 or (stage < 9 and state.bloody_crown)) and labyrinth, {"treasure", "always"}),
        (repentance and stage < 7, {"planetarium"}),
        (stage < (11 if game else 12), {"dice", "sacrifice"}),
        (side_rooms, {"library"}),
        (side_rooms, {"curse"}),
        (side_rooms and repentance and state.voodoo_head, {"curse", "always"}),
        (side_rooms, set() if state.mini_boss_met else {"mini_boss"}),
        (side_rooms, {"challenge", "boss_challenge"}),
        (side_rooms, {"vault", "arcade"}),
        (stage < 7, {"clean_bedroom", "dirty_bedroom"}),
        (mirror, {"mirror", "always"}),
    ]  # fmt: skip
    return [kinds for counts_here, kinds in asked if counts_here]


def replay(spec: RebirthSpec, labyrinth: bool, queue: list[int], placed: list[tuple[str, int]]) -> list[int]:
    """Walk the order with a queue of dead ends, holding each placed room against it; what was resized.

    `placed` is what comes between the bosses and the secret rooms.
    """
    queue, left, resized = list(queue), list(placed), []
    for kinds in rows(spec, labyrinth):
        if not queue:
            break
        number = queue.pop(0)
        resized.append(number)
        came = left and left[0][0] in kinds and ("always" in kinds or left[0][1] == number)
        if came:
            assert left.pop(0)[1] == number
        else:
            assert "always" not in kinds
            queue.append(number)
    assert left == []
    return resized


ORDER_SPECS = (
    RebirthSpec(),
    RebirthSpec(stage=2, state=RebirthState(coins=9, keys=2)),
    RebirthSpec(stage=3, curse="labyrinth"),
    RebirthSpec(stage=5, hard=True, state=RebirthState(voodoo_head=True, luna=True, devil_room_visited=True)),
    RebirthSpec(stage=6, state=RebirthState(mini_boss_met=True, treasure_rooms_skipped=3, coins=5)),
    RebirthSpec(stage=8, state=RebirthState(silver_dollar=True, bloody_crown=True, coins=5)),
    RebirthSpec(stage=8, edition="afterbirth", state=HURT),
    RebirthSpec(stage=10, late_special_rooms="wiki"),
    RebirthSpec(stage=11, stage_variant="main"),
    RebirthSpec(stage=11, late_special_rooms="wiki", curse="lost"),
    RebirthSpec(stage=12),
    RebirthSpec(stage=2, alternate_path=True),
    RebirthSpec(stage=1, alternate_path=True, curse="labyrinth"),
)


@pytest.mark.parametrize(
    "spec", ORDER_SPECS, ids=lambda spec: f"stage {spec.stage} {spec.edition} {spec.curse}"
)
def test_rooms_take_the_first_dead_end_in_the_wikis_order_and_failures_go_back_to_the_end(
    spec: RebirthSpec,
) -> None:
    spec = spec.replace({"closets": 0, "large_bosses": 0})  # so that every room fits the first dead end
    for seed in range(1, 61):
        grown, draft, placed = assign(spec, seed)
        labyrinth = spec.curse == "labyrinth"
        kinds = [kind for kind, _ in placed]
        bosses = kinds.count("boss")
        assert kinds[:bosses] == ["boss"] * bosses
        last = next(i for i, kind in enumerate(kinds) if kind in ("secret", "ultra_secret", "grave"))
        assert set(kinds[last:]) <= {"secret", "ultra_secret", "grave"}
        taken = {number for _, number in placed[:bosses]}
        queue = [number for number in grown.dead_ends if number not in taken]
        resized = replay(spec, labyrinth, queue, placed[bosses:last])
        kinds_of = {number: kind for kind, number in placed}
        for number, room in enumerate(draft.rooms):
            if number in resized or kinds_of.get(number) == "grave":
                assert room.shape.name == "1x1" and room.cells() == [grown.entries[number]]
            elif number < len(grown.rooms) and number not in {number for _, number in placed}:
                assert (*room.anchor, room.shape.id) == grown.rooms[number]
            assert room.kind == {number: kind for kind, number in placed}.get(
                number, "normal" if number else "start"
            )


def test_secret_rooms_come_after_and_the_grave_takes_a_dead_end_last() -> None:
    spec = RebirthSpec(stage=11, stage_variant="main")
    for seed in range(1, 40):
        grown, _, placed = assign(spec, seed)
        assert [kind for kind, _ in placed if kind in ("secret", "grave")] == ["secret", "grave"]
        grave = dict(placed)["grave"]
        assert grave in grown.dead_ends and grave < len(grown.rooms)


@pytest.mark.parametrize("curse", ["none", "giant"])
def test_a_grave_leaves_no_secret_room_without_neighbours(curse: str) -> None:
    """Not even where it takes a large dead end that a secret room leans on."""
    spec = RebirthSpec(stage=11, stage_variant="main", curse=curse)
    shrunk = 0
    for seed in range(1, 60):
        grown, draft, placed = assign(spec, seed)
        number = dict(placed)["grave"]
        assert draft.rooms[number].shape.name == "1x1"
        shrunk += grown.rooms[number][2] != 1
        assert broken_rules(floorplan(spec, seed), spec) == []
    assert shrunk >= 3


def test_a_narrow_room_takes_the_first_dead_end_that_is_entered_at_its_ends() -> None:
    """Treasure rooms are all narrow; a shop is always a single cell."""
    spec = RebirthSpec(stage=4, closets=100, large_bosses=0)
    seen = set()
    for seed in range(1, 80):
        grown, draft, placed = assign(spec, seed)
        kinds = dict(placed)
        room = draft.rooms[kinds["treasure"]]
        seen.add(room.shape.name)
        assert room.shape.name == ("IH" if room.way % 2 == 0 else "IV")
        assert draft.rooms[kinds["shop"]].shape.name == "1x1"
        taken = {kinds[kind] for kind in ("boss", "super_secret", "shop")}
        before = [number for number in grown.dead_ends if number not in taken]
        for number in before[: before.index(kinds["treasure"])]:
            assert draft.rooms[number].way % 2 != room.way % 2
    assert seen == {"IH", "IV"}


def test_the_boss_takes_the_furthest_dead_end_and_the_super_secret_room_the_next() -> None:
    spec = RebirthSpec(stage=6, large_bosses=0)
    for seed in range(1, 200):
        grown, _, placed = assign(spec, seed)
        assert placed[:2] == [("boss", grown.dead_ends[0]), ("super_secret", grown.dead_ends[1])]


# --- chances -----------------------------------------------------------------------------------------


def share(chance: Chance) -> Fraction:
    return 1 - (1 - Fraction(*chance.first)) * (1 - Fraction(*chance.second))


def chances(stage: int = 1, state: RebirthState | None = None, **values: object) -> dict[str, Fraction]:
    """The chance of every room on a floor that has a dead end for each, its rolls multiplied out."""
    spec = RebirthSpec(stage=stage, state=state or RebirthState(), **values)  # type: ignore[arg-type]
    found: dict[str, Fraction] = {}
    for row in special_rooms(spec, False):
        if row.passes:
            continue
        comes, turns = share(row.chance), share(row.other_chance)
        for kind, part, allowed in (
            (row.kind, 1 - turns, row.allowed),
            (row.other_kind, turns, row.other_allowed),
        ):
            if part and allowed:
                found[kind] = found.get(kind, Fraction(0)) + comes * part
    return found


def chance(kind: str, stage: int = 1, state: RebirthState | None = None, **values: object) -> Fraction:
    return chances(stage, state, **values).get(kind, Fraction(0))


def stages_of(kind: str, state: RebirthState | None = None, **values: object) -> list[int]:
    return [stage for stage in range(1, 13) if chance(kind, stage, state, **values)]


def test_a_shop_in_three_chapters_and_a_fourth_for_a_silver_dollar_but_not_on_the_third_lap() -> None:
    assert stages_of("shop") == [1, 2, 3, 4, 5, 6]
    assert stages_of("shop", RebirthState(silver_dollar=True)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert stages_of("shop", RebirthState(silver_dollar=True, victory_lap=2)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert stages_of("shop", RebirthState(silver_dollar=True, victory_lap=3)) == []
    assert chance("shop") == 1


def test_a_treasure_room_in_three_chapters_and_a_fourth_for_a_bloody_crown() -> None:
    assert stages_of("treasure") == [1, 2, 3, 4, 5, 6]
    assert stages_of("treasure", RebirthState(bloody_crown=True)) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert chance("treasure") == 1


def test_a_planetarium_one_in_a_hundred_and_a_fifth_more_for_each_treasure_room_skipped() -> None:
    assert stages_of("planetarium") == [1, 2, 3, 4, 5, 6]
    assert [chance("planetarium", 3, RebirthState(treasure_rooms_skipped=n)) for n in range(6)] == [
        Fraction(n, 100) for n in (1, 21, 41, 61, 81, 100)
    ]
    assert chance("planetarium", 3, RebirthState(planetarium_bonus=50)) == Fraction(51, 100)
    assert stages_of("planetarium", edition="afterbirth_plus") == []


def test_a_sacrifice_room_one_in_seven_and_a_quarter_more_at_full_health() -> None:
    def either(**values: object) -> Fraction:
        return chance("sacrifice", **values) + chance("dice", **values)  # type: ignore[arg-type]

    assert either(state=HURT) == Fraction(1, 7)
    assert either() == 1 - Fraction(6, 7) * Fraction(3, 4)
    assert stages_of("sacrifice") == list(range(1, 12))
    assert stages_of("sacrifice", late_special_rooms="game") == list(range(1, 11))
    assert stages_of("sacrifice", reading="game") == list(range(1, 11))


def test_a_dice_room_instead_one_in_fifty_and_a_fifth_more_for_two_keys() -> None:
    def part(keys: int) -> Fraction:
        found = chances(3, RebirthState(keys=keys))
        return found["dice"] / (found["dice"] + found["sacrifice"])

    assert part(0) == part(1) == Fraction(1, 50)
    assert part(2) == Fraction(27, 125)


def test_a_library_one_in_twenty_and_a_quarter_more_for_a_book() -> None:
    assert chance("library") == Fraction(1, 20)
    assert chance("library", state=RebirthState(book_picked_up=True)) == 1 - Fraction(19, 20) * Fraction(3, 4)


def test_a_curse_room_one_in_two_and_a_quarter_more_after_a_devil_room() -> None:
    assert chance("curse") == Fraction(1, 2)
    assert chance("curse", state=RebirthState(devil_room_visited=True)) == Fraction(5, 8)


def test_a_further_curse_room_for_voodoo_head_in_repentance() -> None:
    assert chance("curse", state=RebirthState(voodoo_head=True)) == Fraction(3, 2)
    assert chance("curse", state=RebirthState(voodoo_head=True), edition="afterbirth_plus") == Fraction(1, 2)


def test_a_mini_boss_one_in_four_and_a_third_more_on_the_first_stage_and_once_a_game() -> None:
    assert chance("mini_boss", 1) == Fraction(1, 2)
    assert {chance("mini_boss", stage) for stage in range(2, 11)} == {Fraction(1, 4)}
    assert stages_of("mini_boss", RebirthState(mini_boss_met=True)) == []


def test_a_challenge_at_full_health_from_the_second_stage_on_the_bosss_on_second_stages() -> None:
    half = Fraction(1, 2)
    assert [chance("challenge", stage) for stage in range(1, 11)] == [0, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert [chance("boss_challenge", stage) for stage in range(1, 11)] == [0, half, 0, 1, 0, 1, 0, 1, 0, 1]
    assert stages_of("challenge", HURT) == stages_of("boss_challenge", HURT) == []
    soul = RebirthState(red_hearts=2, soul_hearts=4)
    assert chance("challenge", 3, soul) == 1  # total health counts


def test_an_arcade_for_five_coins_on_second_stages_below_nine() -> None:
    for edition in ("afterbirth_plus", "repentance"):
        assert stages_of("arcade", RebirthState(coins=5), edition=edition) == [2, 4, 6, 8]
        assert stages_of("arcade", RebirthState(coins=4), edition=edition) == []


def test_a_vault_instead_one_in_ten_and_a_third_more_for_two_keys() -> None:
    poor = RebirthState(coins=5, keys=1)
    rich = RebirthState(coins=5, keys=2)
    two_fifths = 1 - Fraction(9, 10) * Fraction(2, 3)
    assert (
        chance("vault", 2, poor, edition="afterbirth"),
        chance("arcade", 2, poor, edition="afterbirth"),
    ) == (Fraction(1, 10), Fraction(9, 10))
    for edition in ("afterbirth", "repentance"):
        assert (chance("vault", 4, rich, edition=edition), chance("arcade", 4, rich, edition=edition)) == (
            two_fifths,
            1 - two_fifths,
        )


def test_in_repentance_a_vault_asks_for_keys_and_not_for_coins() -> None:
    keys, coins = RebirthState(keys=2), RebirthState(coins=5, keys=1)
    assert chance("vault", 2, keys) == Fraction(2, 5) and chance("arcade", 2, keys) == 0
    assert chance("vault", 2, keys, edition="afterbirth_plus") == 0
    assert chance("vault", 2, coins) == 0 and chance("arcade", 2, coins) == Fraction(
        9, 10
    )  # one in ten is neither


def test_in_its_program_too_a_vault_asks_for_two_keys() -> None:
    def vaults(state: RebirthState, path: bool) -> list[int]:
        of_game: dict[str, Any] = {"reading": "game", "alternate_path": path}
        return [stage for stage in range(1, 9) if chance("vault", stage, state, **of_game)]

    keys, coins = RebirthState(keys=2), RebirthState(coins=5, keys=1)
    assert (vaults(keys, path=False), vaults(keys, path=True)) == ([2], [1, 3, 5, 7])
    assert vaults(coins, path=False) == vaults(coins, path=True) == []


@pytest.mark.parametrize(
    ("state", "poor"),
    [
        (RebirthState(), False),
        (RebirthState(red_hearts=1), True),
        (RebirthState(red_hearts=2), False),
        (RebirthState(red_hearts=1, soul_hearts=1), False),
        (RebirthState(red_hearts=0, heart_containers=0, soul_hearts=2), True),
        (RebirthState(red_hearts=0, heart_containers=0, soul_hearts=3), False),
        (RebirthState(red_hearts=0, heart_containers=0, soul_hearts=2, bone_hearts=1), False),
        (RebirthState(red_hearts=0, heart_containers=0, soul_hearts=2, bone_hearts=1, character="the_lost"), True),
        (RebirthState(red_hearts=0, heart_containers=0, soul_hearts=2, bone_hearts=1, character="blue_baby"), True),
        (RebirthState(red_hearts=0, heart_containers=0, soul_hearts=2, bone_hearts=1, character="the_soul"), True),
    ],
)  # fmt: skip
def test_a_bedroom_one_in_fifty_and_a_fifth_more_in_poor_health(state: RebirthState, poor: bool) -> None:
    expected = Fraction(27, 125) if poor else Fraction(1, 50)
    assert chance("clean_bedroom", 3, state) == chance("dirty_bedroom", 3, state) == expected / 2
    assert stages_of("clean_bedroom", state) == stages_of("dirty_bedroom", state) == [1, 2, 3, 4, 5, 6]


CASES: dict[str, tuple[RebirthSpec, set[str], Fraction]] = {
    "planetarium": (RebirthSpec(stage=4, state=RebirthState(treasure_rooms_skipped=2)), {"planetarium"}, Fraction(41, 100)),
    "sacrifice or dice": (RebirthSpec(stage=8), {"sacrifice", "dice"}, Fraction(5, 14)),
    "dice": (RebirthSpec(stage=8, state=RebirthState(keys=2)), {"dice"}, Fraction(5, 14) * Fraction(27, 125)),
    "library": (RebirthSpec(stage=8, state=RebirthState(book_picked_up=True)), {"library"}, Fraction(23, 80)),
    "curse": (RebirthSpec(stage=8, state=RebirthState(devil_room_visited=True)), {"curse"}, Fraction(5, 8)),
    "mini-boss": (RebirthSpec(stage=8), {"mini_boss"}, Fraction(1, 4)),
    "vault": (RebirthSpec(stage=8, state=RebirthState(coins=5, keys=2)), {"vault"}, Fraction(2, 5)),
    "challenge": (RebirthSpec(stage=2), {"boss_challenge"}, Fraction(1, 2)),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_rooms_come_as_often_as_their_chance_says(case: str) -> None:
    """On whole floors that have a dead end for this room whatever comes before it."""
    spec, kinds, expected = CASES[case]
    spec = spec.replace({"rooms": 40})
    needed = 2 + next(place for place, row in enumerate(rows(spec, False)) if kinds <= row)  # the boss too
    floors = [
        one for seed in range(1, SEEDS + 1) if len((one := assign(spec, seed)).grown.dead_ends) >= needed
    ]
    came = sum(any(kind in kinds for kind, _ in one.placed) for one in floors)
    error = (float(expected * (1 - expected)) / len(floors)) ** 0.5
    assert len(floors) > SEEDS * 0.8
    assert abs(came / len(floors) - expected) < 4 * error, (came, len(floors))
