"""The invariants of levels of the `isaac` style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from generator.checks.base import Check, Problem, connections, problem
from generator.checks.record import wrong_facts
from generator.geometry import Rect
from generator.level import Level, Property
from generator.styles.grid.checks import CHECKS as GRID_CHECKS
from generator.styles.grid.checks import (
    added_rooms,
    chapter_name,
    count_problems,
    depth_problems,
    difficulties_check,
    plan_facts,
    ways_back,
    with_own_rules,
)
from generator.styles.isaac.floorplan import draw_curse
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.isaac.special_rooms import always, difficulties_of, hidden, own_rules, special_rooms

_BOARD, _START = Rect(1, 0, 9, 8), (5, 3)
_LABYRINTH_MAX = 45  # rooms


def rooms_on_the_board(level: Level) -> Iterator[Problem]:
    """Check that rooms are single cells of a board of 9 x 8, with the start in its middle."""
    for room in level.rooms:
        subject = f"room {room.id}"
        if room.shape != "1x1":
            yield problem(rooms_on_the_board, subject, f"is a {room.shape}, not a single cell")
        if not all(_BOARD.contains(*cell) for cell in room.cells):
            yield problem(rooms_on_the_board, subject, "is off the board of 9 x 8 cells")
        if room.kind == "start" and room.cells != (_START,):
            yield problem(rooms_on_the_board, subject, f"the start is not on cell {list(_START)}")


def rooms_as_spec_says(level: Level) -> Iterator[Problem]:
    """There are as many rooms as the spec or the stage asks for, without secret ones and those of ways back.

    There is one boss, shop, treasure and secret room, or two each under the curse of the labyrinth. Of other
    special kinds there are no more than the style's table has rows for.
    """
    assert isinstance(level.spec, IsaacSpec)
    if level.spec.rules_at_hand() is None:
        return
    is_labyrinth = level.facts.get("curse") == "labyrinth"
    allowed = {"boss": (1 + is_labyrinth, 1 + is_labyrinth)}
    for kind in (*always(level.spec, is_labyrinth), *hidden(level.spec, is_labyrinth)):
        least, most = allowed.get(kind, (0, 0))
        allowed[kind] = least + 1, most + 1
    for row in special_rooms(level.spec, is_labyrinth):
        for kind in row.kinds():
            least, most = allowed.get(kind, (0, 0))
            allowed[kind] = least, most + 1
    rules = own_rules(level.spec, is_labyrinth)
    yield from count_problems(rooms_as_spec_says, level, with_own_rules(allowed, rules))
    grown = sum(room.kind not in level.kinds.secret_rooms for room in level.rooms) - added_rooms(level)
    wanted = _rooms_wanted(level.spec, is_labyrinth)
    if not wanted[0] <= grown <= wanted[-1] + len(rules):  # each may need a new room for its dead end
        yield problem(
            rooms_as_spec_says, "rooms", f"there are {grown} rooms without the secret ones, not {wanted}"
        )


def _rooms_wanted(spec: IsaacSpec, is_labyrinth: bool) -> list[int]:
    """Compute `random(2) + 5 + level * 2.6`, with 80 % more in a labyrinth (isaac-article)."""
    if spec.rooms:
        return [spec.rooms]
    drawn = [5 + spec.stage * 26 // 10 + chance for chance in (0, 1)]
    return [min(_LABYRINTH_MAX, number * 18 // 10) for number in drawn] if is_labyrinth else drawn


def rooms_without_loops(level: Level) -> Iterator[Problem]:
    """Check that the rooms form a tree, apart from secret rooms, ways back and what the labyrinth adds."""
    if level.facts.get("curse") == "labyrinth":
        return
    ways = len(list(connections(level))) - ways_back(level)
    rooms = sum(room.kind not in level.kinds.secret_rooms for room in level.rooms)
    if ways != rooms - 1:
        message = f"{rooms} rooms have {ways} connections, which do not form a tree"
        yield problem(rooms_without_loops, "rooms", message)


def facts_follow_from_spec(level: Level) -> Iterator[Problem]:
    """Curse and chapter are what the spec says, or what the seed gives if the spec leaves them open."""
    assert isinstance(level.spec, IsaacSpec)
    expected: dict[str, Property] = {
        "curse": draw_curse(level.spec, level.seed),
        "chapter": chapter_name(level),
    }
    for message in wrong_facts(level, expected | plan_facts(level)):
        yield problem(facts_follow_from_spec, "facts", message)


def secret_rooms_away_from_dead_ends(level: Level) -> Iterator[Problem]:
    """Check that no secret room is beside a room with a single door, or beside another secret room.

    With `secret_room = "demo"`, only a boss room's and another secret room's neighbourhood is barred.
    """
    assert isinstance(level.spec, IsaacSpec)
    as_demo = level.spec.secret_room == "demo"
    doors = Counter(room for pair in connections(level) for room in pair)
    for door in level.doors:
        a, b = door.rooms
        if door.kind not in level.kinds.secret_doors or b is None:
            continue
        kinds = level.rooms[a].kind, level.rooms[b].kind
        if set(kinds) <= level.kinds.secret_rooms:
            yield problem(secret_rooms_away_from_dead_ends, f"door {door.id}", "joins two secret rooms")
        for room in (a, b):
            kind = level.rooms[room].kind
            if as_demo and kind == "boss":
                message = f"leads from a secret room to boss room {room}"
                yield problem(secret_rooms_away_from_dead_ends, f"door {door.id}", message)
            if not as_demo and kind not in level.kinds.secret_rooms and doors[room] == 1:
                message = f"leads from a secret room to room {room}, which is a dead end"
                yield problem(secret_rooms_away_from_dead_ends, f"door {door.id}", message)


def depths_grow(level: Level) -> Iterator[Problem]:
    """Check that a room is one deeper than the first room beside it that was placed before it."""
    yield from depth_problems(depths_grow, level, lambda _, beside: beside[:1])


CHECKS: tuple[Check, ...] = (
    *GRID_CHECKS,
    rooms_on_the_board,
    rooms_as_spec_says,
    rooms_without_loops,
    difficulties_check(difficulties_of),
    facts_follow_from_spec,
    secret_rooms_away_from_dead_ends,
    depths_grow,
)
