"""The gangs of a kit that suit a room, and how many of whom come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.encounters.budget import Threat
from generator.encounters.cast import Actor, parts_of
from generator.kinds import Kinds, Kit
from generator.named_tuple import NamedTuple
from generator.reasons import passed_over
from generator.rng import Stream
from generator.turns import is_its_turn

if TYPE_CHECKING:
    from generator.kinds.gangs import GangRow


class GangMember(NamedTuple):
    """One enemy of a gang, its role and cost, and the wave that it comes with."""

    actor: Actor
    role: str
    cost: int
    wave: int


class Lineup(NamedTuple):
    """A gang: who always comes, and who comes as long as the budget pays, in random order."""

    certain: tuple[GangMember, ...]
    further: tuple[GangMember, ...]


class RoomTurn(NamedTuple):
    """What decides which gangs and rare enemies may come into a room: its kind and stage.

    `turn` counts up from room to room.
    """

    kind: str
    stage: int
    turn: int


def threat_in_turn(threat: Threat, room: RoomTurn, kit: Kit) -> Threat:
    """Add the gangs of a kit that suit a room to its threat, and the enemies whose turn it is not."""
    gangs, rare = kit.rules.gangs, kit.kinds.rare_enemies
    if not gangs and not rare:
        return threat
    kind, stage, turn = room
    suiting = tuple(
        row
        for row in gangs
        if kind in row.rooms
        and row.stages[0] <= stage <= row.stages[1]
        and (not row.chapters or threat.name in row.chapters)
        and is_its_turn("gang", row.name, row.one_in, turn)
    )
    absent = frozenset(
        enemy.name
        for enemy in rare
        if enemy.is_met_in(threat.chapter, threat.name)
        and not is_its_turn("enemy", enemy.name, enemy.one_in, turn)
    )
    return threat._replace(gangs=suiting, absent=absent)


def lineup_of(gang: GangRow, kinds: Kinds, threat: Threat, budget: int, stream: Stream) -> Lineup | None:
    """Draw who comes of a gang, each role of one kind, for what is left of a room's budget.

    None if somebody who always comes is not met in the room's chapter, or if the gang costs too much. Others
    who are not met are left out.
    """
    cast = _cast(gang, kinds, threat, budget, stream)
    if cast is None:
        return None
    certain, further = [], []
    for number, wave in enumerate(gang.waves, start=1):
        for key, (least, most) in wave.items():
            if key in cast:
                member = cast[key]._replace(wave=number)
                certain += [member] * least
                further += [member] * (most - least)
    stream.shuffle(further)
    if sum(member.cost for member in certain) > budget:
        passed_over("gang", gang.name, "the fewest of it cost more than a room's budget")
        return None
    return Lineup(tuple(certain), tuple(further))


def _cast(
    gang: GangRow, kinds: Kinds, threat: Threat, budget: int, stream: Stream
) -> dict[str, GangMember] | None:
    """Return a member for each enemy and role of a gang that is met. None if somebody who must come is not.

    Takes a word for each role.
    """
    cast = {}
    least, most = gang.least(), gang.most()
    for key in most:
        if kind := kinds.enemies.get(key):
            if kind.is_met_in(threat.chapter, threat.name):
                cast[key] = GangMember(Actor.of(kind), kind.role, kind.cost, 1)
                budget -= least[key] * kind.cost
            elif least[key]:
                passed_over("gang", gang.name, f"{key} is not met in the room's chapter")
                return None
    roles = frozenset(key for key in most if key not in kinds.enemies)
    if not roles:
        return cast
    fewest = max(1, sum(least[role] for role in roles))
    share, crowd = max(0, budget) // fewest, sum(most[role] for role in roles) // fewest
    chapter, name, absent = threat.chapter, threat.name, threat.absent
    for part in parts_of(kinds, roles, share, chapter, name, crowd, absent, each=1):
        if part and part.role in roles:
            kind = part.actors[stream.drawn_place(part.totals)].kind
            assert kind
            if kind.role == part.role:
                cast[part.role] = GangMember(Actor.of(kind), kind.role, kind.cost, 1)
    for role in roles - cast.keys():
        if least[role]:
            passed_over("gang", gang.name, f"no {role} is met in the room")
            return None
    return cast
