"""Special rooms by the rules of a team's kit: extra rooms of the heap, each with its own stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from generator.arrays import Ints
from generator.kinds import Kit
from generator.kinds.conditions import Facts
from generator.rng import Stream
from generator.styles.gungeon.furnishing.room_kinds import BOSS, START
from generator.styles.gungeon.spec import GungeonSpec
from generator.styles.special_rooms import BEGINNING, SpecialRoom, kit_facts, rows_of


class OwnRoom(NamedTuple):
    """A room to add: its kind, where it is to lie, and the kind that it goes before."""

    kind: str
    place: str
    beside: str
    before: str


def facts_of(spec: GungeonSpec, kit: Kit) -> Facts:
    """Return the facts for conditions: the kit's, and those that a game of another style begins with."""
    return {**BEGINNING, **kit_facts(kit, spec)}


def own_rules(spec: GungeonSpec) -> tuple[SpecialRoom, ...]:
    """Return the rules of the spec's kit that apply."""
    kit = spec.load_kit()
    return () if kit.is_shipped else rows_of(kit, spec.style, facts_of(spec, kit), own_dice=True)


def own_kinds(spec: GungeonSpec, seed: int, attempt: int) -> list[OwnRoom]:
    """List the rooms that the rules place in an attempt at a heap, in the order of the rules."""
    return [room for room, _ in _own_rooms(spec, seed, attempt)]


def _own_rooms(spec: GungeonSpec, seed: int, attempt: int) -> Iterator[tuple[OwnRoom, Stream]]:
    turns: Counter[str] = Counter()
    rooms_of = {row.name: row.room for row in spec.load_kit().rules.special_rooms}
    for rule in own_rules(spec):
        name = rule.row.name
        stream = Stream(seed, f"kit.special_room.{name}", turns[name], attempt)
        turns[name] += 1
        kind = rule.roll(stream)
        if kind:
            yield OwnRoom(kind, rule.place, rule.row.beside, rooms_of.get(rule.row.before, "")), stream


def settled_places(spec: GungeonSpec, kinds: tuple[str, ...], places: Ints, seed: int, attempt: int) -> Ints:
    """Return where rooms are dropped [room, 2], once rooms whose rule has a place have swapped points.

    `far` is as far from the start as can be, `near` as near, and `beside:KIND` beside a room of the kind.
    """
    own = own_kinds(spec, seed, attempt)
    settled = places.copy()
    moved: set[int] = set()
    for room in own:
        index = next((i for i, kind in enumerate(kinds) if kind == room.kind and i not in moved), None)
        if index is None or (room.place not in ("far", "near") and not room.beside):
            continue
        moved.add(index)
        free = [i for i, kind in enumerate(kinds) if kind not in (START, BOSS) and i not in moved]
        targets = [i for i, kind in enumerate(kinds) if kind == (room.beside or START) and i != index]
        if free and targets:
            apart = np.abs(settled[free] - settled[targets[0]]).max(axis=1)
            partner = free[int(apart.argmax() if room.place == "far" else apart.argmin())]
            settled[[index, partner]] = settled[[partner, index]]
    return settled
