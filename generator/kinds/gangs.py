"""Gangs: enemies of a kit that come into a room together, in waves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from generator.errors import shown
from generator.json_schema import listed
from generator.kinds.chapters import STAGES, chapter_of_stage
from generator.kinds.columns import (
    IN_CHAPTERS,
    ONE_IN,
    WEIGHT,
    Column,
    RowTable,
    many,
    name,
    number,
    one_or_list,
    reads,
    span,
    table,
    unknown,
    unknowns,
)
from generator.kinds.kind_tables import MANY, ROLES
from generator.named_tuple import NamedTuple
from generator.node import Node

if TYPE_CHECKING:
    from generator.kinds.kinds import Kinds
    from generator.kinds.rules import Rules

_MOST = 30  # of one enemy in a wave
_MOST_WAVES = 5

Wave = Mapping[str, tuple[int, int]]
"""By the name of an enemy or a role, how many come at least and at most."""


class GangRow(NamedTuple):
    """Enemies that come together, and the rooms that they suit. See `GANGS`."""

    name: str
    waves: tuple[Wave, ...]
    rooms: tuple[str, ...] = ("normal",)
    stages: tuple[int, int] = (1, STAGES)
    chapters: tuple[str, ...] = ()
    weight: int = 10
    one_in: int = 1

    def least(self) -> Counter[str]:
        """Count the members of all waves, by enemy or role, of which there are at least so many."""
        return self._counted(0)

    def most(self) -> Counter[str]:
        """Count the members of all waves, by enemy or role, of which there are at most so many."""
        return self._counted(1)

    def _counted(self, end: int) -> Counter[str]:
        counts: Counter[str] = Counter()
        for wave in self.waves:
            counts.update({member: ends[end] for member, ends in wave.items()})
        return counts


_wave = table(one_or_list(number(1, _MOST).into(lambda count: (count, count)), span(0, _MOST)))


@reads(listed(_wave.schema, 1, _MOST_WAVES), "`[{ walker = [2, 4] }, { iron_knight = 1 }]`")
def _waves(node: Node) -> tuple[Wave, ...]:
    waves = tuple(map(_wave, node.items(_MOST_WAVES)))
    if {} in waves:
        node.fail(f"{shown(node.value)} has a wave without anybody; leave it out")
    if not any(least for wave in waves for least, _ in wave.values()):
        node.fail(f"{shown(node.value)} has no member that always comes; write [{{ walker = [1, 4] }}]")
    return waves


GANGS = RowTable(
    "gang",
    "Enemies that come together. A room with places for enemies gets one of the gangs that suit it, instead "
    "of one enemy after the other.",
    {
        "waves": Column(
            _waves,
            "who comes, by enemies or roles, a table for each wave: a number, or a range, of which as many "
            "come as the room's budget pays for",
        ),
        "rooms": Column(
            many(name), "the room kinds that it suits", ("normal",), form="a list of names", names="room"
        ),
        "stages": Column(span(1, STAGES), "the stages of the rooms that it suits", (1, STAGES)),
        "chapters": IN_CHAPTERS,
        "weight": WEIGHT,
        "one_in": ONE_IN,
    },
)


def gang_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Find gangs whose names do not exist, and those that can never come."""
    for row in rules.gangs:
        label = f"gang.{row.name}"
        if not row.rooms:
            yield f"{label}.rooms: is empty, so it comes into no room; name room kinds"
        yield from unknowns("chapter", row.chapters, list(rules.chapters), f"{label}.chapters")
        for room in row.rooms:
            yield from _room_problems(row, room, kinds, f"{label}.rooms")
        for member in row.most():
            yield from _member_problems(row, member, kinds, f"{label}.waves")


def _room_problems(row: GangRow, room: str, kinds: Kinds, label: str) -> Iterator[str]:
    if room not in kinds.rooms:
        yield unknown("room kind", room, list(kinds.rooms), label)
        return
    _, limit = kinds.rooms[room].markers.get("enemy", (0, MANY))
    if limit < row.least().total():
        yield (
            f"{label}: room.{room} has at most {limit} enemies by its row, the gang at least "
            f"{row.least().total()}; leave {room} out, or change one of the two"
        )


def _member_problems(row: GangRow, member: str, kinds: Kinds, label: str) -> Iterator[str]:
    enemy, last = kinds.enemies.get(member), chapter_of_stage(row.stages[1])
    if enemy and member in ROLES:
        yield f"{label}: {member} is an enemy and a role; give the enemy another name"
    elif enemy is None:
        if member not in ROLES:
            yield unknown("enemy or role", member, [*kinds.enemies, *ROLES], label)
    elif last < enemy.chapter:
        yield (
            f"{label}: {member} is met from chapter {enemy.chapter} on, which begins with stage "
            f"{2 * enemy.chapter - 1}, but the gang's stages end at {row.stages[1]}; change one of the two"
        )
    elif row.chapters and enemy.chapters and {*row.chapters}.isdisjoint(enemy.chapters):
        chapters = " and ".join(enemy.chapters)
        yield f"{label}: {member} is met in {chapters}, but not in the gang's chapters; change one of the two"
