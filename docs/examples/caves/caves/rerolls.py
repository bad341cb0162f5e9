"""Chambers rolled again, each within the tiles that its floorplan gives it."""

from __future__ import annotations

from dataclasses import replace

from caves.assemble import finished_room, inside_of
from caves.plan import CavesPlan, plan
from caves.spec import CavesSpec
from generator.errors import LevelError
from generator.level import Room
from generator.rerolls.draft import LevelDraft
from generator.rerolls.markers import move_markers
from generator.rerolls.record import Rolls
from generator.rng import Stream

_OTHER_KINDS = {"normal", "chest", "grotto"}


class CavesRooms:
    """What `undercroft reroll` asks of the style: a `RoomRoller`."""

    def __init__(self, draft: LevelDraft, spec: CavesSpec) -> None:
        self._draft = draft
        self._spec = spec
        self._plan: CavesPlan = plan(spec, draft.level.seed)
        if [end.tiles for tunnel in self._plan.tunnels for end in tunnel.ends] != [
            d.tiles for d in draft.doors
        ]:
            raise LevelError("doors: are not those of the spec and the seed; make the level anew")

    def make(self, number: int, rolls: Rolls, seed: int) -> None:
        """Make the inside of a room anew."""
        draft, room = self._draft, self._draft.rooms[number]
        planned = self._plan.rooms[number]._replace(kind=room.kind)
        stream = Stream(seed, "caves.reroll", number, rolls.layout)
        inside = inside_of(self._spec, self._plan, number, stream, room.kind)
        x, y = planned.bounds[:2]
        draft.terrain[planned.bounds.slices] = inside.terrain
        draft.decor[planned.bounds.slices] = inside.decor
        draft.rooms[number] = replace(finished_room(number, planned, inside), distance=room.distance)
        draft.put_markers(number, [each._replace(x=x + each.x, y=y + each.y) for each in inside.markers])

    def move(self, number: int, rolls: Rolls, seed: int) -> None:
        """Place enemies, pickups and chests anew. Raises NothingElseError if there is nothing or no place."""
        move_markers(self._draft, self._draft.rooms[number], rolls, seed, lambda marker, _: marker)

    def other_kinds(self, room: Room) -> set[str]:
        """A chamber with enemies, one with a chest, and a grotto may stand for each other."""
        return _OTHER_KINDS - {room.kind}

    def change_doors(self, number: int) -> None:
        """Doors tell of the boss only, and no room becomes the boss's."""
